// Names, messages and files from others: they reach the screen only as plain text.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeIso } from '@coreiso/iso/iso9660';
import { writeCopy } from '@coreiso/iso/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encodedRequest, makeRequest, requestObject } from '../../../cluster/test/csr/make-request.ts';
import { startServing } from '../serving.ts';
import { type CliOptions, coreiso, scratchFolder } from '../support.ts';

/** Clears the screen, returns to the start of the line, clears again in C1, reverses text, and starts a line. */
const EVIL = 'x\u001b[2J\r\u009b2J\u202e\nok';
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|^ok/mu;

/** Returns everything that a command printed, which has to be harmless. */
async function shown(argv: readonly string[], options: CliOptions): Promise<string> {
  const { stdout, stderr } = await coreiso(argv, options);
  const text = `${stdout}${stderr}`;
  expect(text).not.toMatch(OBEYED);
  return text;
}

/** Makes a directory with a config and a kubeconfig for an API that answers by path and refuses other paths. */
async function clusterFolder(answers: Readonly<Record<string, object>>, refusal = 'not found'): Promise<CliOptions> {
  const server = createServer((request, response) => {
    const answer = answers[(request.url ?? '').replace(/\?.*$/, '')];
    const value = answer ?? { kind: 'Status', code: 403, message: refusal };
    response
      .writeHead(answer === undefined ? 403 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(value));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const cwd = scratchFolder();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(
    join(cwd, 'kubeconfig'),
    JSON.stringify({
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: url } }],
      users: [{ name: 'u', user: { token: 'token' } }],
    }),
  );
  writeFileSync(
    join(cwd, 'nodes-config.yaml'),
    'hosts: [{hostname: w1, interfaces: [{name: eth0, macAddress: 52:54:00:ab:00:01}]}]\n',
  );
  return { cwd, env: { KUBECONFIG: join(cwd, 'kubeconfig') } };
}

const NODES = '/api/v1/nodes';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

describe('text from a cluster', () => {
  test('is shown harmlessly in certificate requests by nodes approve', async () => {
    const subject = [
      ['O', 'system:nodes'],
      ['CN', 'system:node:w1'],
      ['OU', EVIL],
    ] as const;
    const object = requestObject(EVIL, 'first', 'w1', encodedRequest(makeRequest('w1', { subject })));
    const named = requestObject('csr-2', 'second', 'w1');
    const strange = { ...named, spec: { ...(named['spec'] as object), usages: [EVIL] } };
    const folder = await clusterFolder({ [NODES]: { items: [] }, [REQUESTS]: { items: [object, strange] } });
    const text = await shown(['nodes', 'approve', '--yes'], folder);
    expect(text).toContain('␛[2J␍�2J�␊ok: the first request of w1 is refused\n');
    expect(text).toContain('OU=x\\1b[2J\\0d\\c2\\9b2J\\e2\\80\\ae\\0aok');
    expect(text).toContain('  FAIL the usages are digital signature and server auth: x␛[2J␍�2J�␊ok\n');
    await shown(['nodes', 'approve', '--yes', '--json'], folder);
  });

  test('is shown harmlessly in node messages by nodes monitor, also on a terminal', async () => {
    const conditions = [{ type: 'Ready', status: 'False', message: EVIL }];
    const node = { metadata: { name: 'w1' }, status: { conditions } };
    const folder = await clusterFolder({ [NODES]: { items: [node] }, [REQUESTS]: { items: [] } });
    const argv = ['nodes', 'monitor', '--timeout', '1s'];
    expect(await shown(argv, folder)).toContain('w1: the node is not ready: x␛[2J␍�2J�␊ok\n');
    const { stdout } = await coreiso(argv, { ...folder, terminal: true });
    // Without the sequences by which the table erases itself.
    expect(stdout.toString().replace(/\u001b\[(?:\d+A|J)/g, '')).not.toMatch(OBEYED);
    await shown([...argv, '--json'], folder);
  });

  test('is shown harmlessly in a refusal, on one line', async () => {
    const folder = await clusterFolder({}, EVIL);
    expect(await shown(['nodes', 'approve', '--yes'], folder)).toContain('x␛[2J␍�2J�␊ok');
    expect(await shown(['nodes', 'monitor', '--timeout', '1s'], folder)).toContain('x␛[2J␍�2J�␊ok');
    await shown(['nodes', 'facts'], folder);
    await shown(['nodes', 'plan', '--live'], folder);
  });
});

describe('text from an image', () => {
  async function imageFolder(): Promise<string> {
    const folder = scratchFolder();
    const content = new TextEncoder().encode(`${EVIL}\n`);
    const { source } = await writeIso([{ kind: 'file', path: `/${EVIL}`, content }], { volumeId: 'CLI' });
    await writeCopy(source, join(folder, 'a.iso'));
    const { source: other } = await writeIso([{ kind: 'symlink', path: '/l', target: EVIL }], { volumeId: 'CLI' });
    await writeCopy(other, join(folder, 'b.iso'));
    return folder;
  }

  test.each([
    [['iso', 'ls', 'a.iso']],
    [['iso', 'ls', '--json', 'a.iso']],
    [['iso', 'ls', 'b.iso']],
    [['iso', 'diff', 'a.iso', 'b.iso']],
    [['iso', 'inspect', 'a.iso']],
  ])('is shown harmlessly by %j', async (argv) => {
    expect(await shown(argv, { cwd: await imageFolder() })).not.toBe('');
  });

  test('reaches programs byte for byte, and is shown harmlessly on a terminal', async () => {
    const cwd = await imageFolder();
    const argv = ['iso', 'cat', 'a.iso', `/${EVIL}`];
    expect((await coreiso(argv, { cwd })).stdout.toString()).toBe(`${EVIL}\n`);
    expect((await coreiso(argv, { cwd, terminal: true })).stdout.toString()).toBe('x␛[2J␍�2J�\nok\n');
  });
});

describe('text from files and arguments', () => {
  const config = `hosts:\n- hostname: ${JSON.stringify(EVIL)}\n  ${JSON.stringify(EVIL)}: 1\n  interfaces: [{name: ${JSON.stringify(EVIL)}, macAddress: ${JSON.stringify(EVIL)}}]\n`;

  test.each([
    [['nodes', 'validate', 'c.yaml']],
    [['nodes', 'validate', '--json', 'c.yaml']],
    [['nodes', 'plan', 'c.yaml']],
    [['nodes', 'plan', 'raw.yaml']],
    [['nodes', 'validate', EVIL]],
    [['iso', 'ls', EVIL]],
    [['iso', EVIL]],
    [['iso', 'ls', `--${EVIL}`]],
    [['base', 'list', `stream:${EVIL}`]],
    [['ignition', 'show', 'c.ign']],
    [['nmstate', 'check', 'c.yaml']],
  ])('is shown harmlessly by %j', async (argv) => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'c.yaml'), config);
    writeFileSync(join(cwd, 'raw.yaml'), `hosts:\n- hostname: "a\u001b[2J\u202e"\n  : [\n`);
    const file = { path: `/${EVIL}`, contents: { source: 'data:,' } };
    writeFileSync(join(cwd, 'c.ign'), JSON.stringify({ ignition: { version: '3.4.0' }, storage: { files: [file] } }));
    expect(await shown(argv, { cwd, env: { XDG_CACHE_HOME: cwd } })).not.toBe('');
  });
});

test('serve shows names of files and clients harmlessly in its log', async () => {
  const cwd = scratchFolder();
  const name = 'x\u009b2J\u202eok.bin';
  writeFileSync(join(cwd, name), 'content');
  const serving = await startServing(['serve', name], { cwd });
  const [address = ''] = serving.addresses;
  await (await fetch(address)).arrayBuffer();
  await (await fetch(`${new URL(address).origin}/%1b%5b2J`)).arrayBuffer();
  const { printed, stderr } = await serving.stop();
  expect(stderr).toContain('x�2J�ok.bin: bytes 0-6 of 7');
  expect(`${printed}${stderr}`).not.toMatch(OBEYED);
});
