import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith } from '../../../../test/support/tools.ts';
import { clusterFromKubeconfig } from '../../src/node/connect.ts';

const MINUTE = 60_000;
const folder = scratchFolder();
const file = (name: string) => join(folder, name);

describeWith(['openssl'], 'in a pod', () => {
  let server: Server;
  /** The credentials of each request. */
  let shown: (string | undefined)[] = [];
  /** The only token that is accepted; any if absent. */
  let accepted: string | undefined;

  beforeAll(async () => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const names = ['-subj', '/CN=api', '-addext', 'subjectAltName=IP:127.0.0.1'];
    for (const name of ['ca', 'other']) {
      const files = ['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)];
      execFileSync('openssl', ['req', '-x509', ...key, ...names, ...files, '-days', '2'], { stdio: 'pipe' });
    }
    const identity = { key: readFileSync(file('ca.key')), cert: readFileSync(file('ca.crt')) };
    server = createServer(identity, ({ headers }, response) => {
      shown.push(headers.authorization);
      const isOpen = accepted === undefined || headers.authorization === `Bearer ${accepted}`;
      response.writeHead(isOpen ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isOpen ? '{"items":[],"metadata":{}}' : '{"kind":"Status","code":401}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterEach(() => {
    vi.useRealTimers();
    shown = [];
    accepted = undefined;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const connect = (env: NodeJS.ProcessEnv = {}, authority = 'ca.crt') => {
    const account = mkdtempSync(file('account-'));
    writeFileSync(join(account, 'ca.crt'), readFileSync(file(authority)));
    const setToken = (token: string) => writeFileSync(join(account, 'token'), `${token}\n`);
    setToken('first');
    const { port } = server.address() as AddressInfo;
    const pod = { HOME: folder, KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: `${port}`, ...env };
    return { setToken, connected: clusterFromKubeconfig({ env: pod, serviceAccount: account }) };
  };

  test("uses the pod's account with the address of the environment", async () => {
    await using cluster = await connect().connected;
    const { port } = server.address() as AddressInfo;
    expect([cluster.context, cluster.server]).toEqual(['in-cluster', `https://127.0.0.1:${port}`]);
    expect((await cluster.list('/api/v1/nodes')).items).toEqual([]);
    expect(shown).toEqual(['Bearer first']);
  });

  test.each([
    ['2001:db8::1', '6443', 'https://[2001:db8::1]:6443'],
    ['192.0.2.1', undefined, 'https://192.0.2.1:443'],
  ])('%s, port %s: %s', async (host, port, address) => {
    const env = { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port };
    await using cluster = await connect(env).connected;
    expect(cluster.server).toBe(address);
  });

  test('trusts only the authority of the account', async () => {
    await using cluster = await connect({}, 'other.crt').connected;
    await expect(cluster.list('/api/v1/nodes')).rejects.toMatchObject({ code: 'CLUSTER_UNTRUSTED' });
    expect(shown).toEqual([]);
  });

  test('rereads a token that changes after a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { setToken, connected } = connect();
    await using cluster = await connected;
    await cluster.list('/api/v1/nodes');
    setToken('second');
    vi.setSystemTime(Date.now() + MINUTE - 1);
    await cluster.list('/api/v1/nodes');
    vi.setSystemTime(Date.now() + 1);
    await cluster.list('/api/v1/nodes');
    expect(shown).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });

  test('rereads a refused token at once', async () => {
    const { setToken, connected } = connect();
    await using cluster = await connected;
    await cluster.list('/api/v1/nodes');
    setToken('second');
    accepted = 'second';
    expect((await cluster.list('/api/v1/nodes')).items).toEqual([]);
    expect(shown).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });

  test('prefers a given kubeconfig to the account', async () => {
    const kubeconfig = file('kubeconfig');
    writeFileSync(
      kubeconfig,
      'current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "https://named.test"}}]\n',
    );
    await using cluster = await connect({ KUBECONFIG: kubeconfig }).connected;
    expect([cluster.context, cluster.server]).toEqual(['a', 'https://named.test']);
  });

  test('looks for a kubeconfig without an account, or outside of a pod', async () => {
    const absent = { env: { HOME: folder, KUBERNETES_SERVICE_HOST: '127.0.0.1' }, serviceAccount: file('absent') };
    const expected = { code: 'CLUSTER_KUBECONFIG', message: expect.stringContaining('there is no kubeconfig at ') };
    await expect(clusterFromKubeconfig(absent)).rejects.toMatchObject(expected);
    await expect(connect({ KUBERNETES_SERVICE_HOST: undefined }).connected).rejects.toMatchObject(expected);
  });
});

test('ends a plugin at its time limit', async () => {
  // A child of the script keeps its output open after the script was killed.
  writeFileSync(file('plugin'), '#!/bin/sh\nwhile :; do sleep 1; done\n', { mode: 0o755 });
  writeFileSync(
    file('exec'),
    `current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://api.test:6443"}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}}}]
`,
  );
  const env = { PATH: process.env['PATH'] };
  await using cluster = await clusterFromKubeconfig({ kubeconfig: file('exec'), env, programTimeout: 500 });
  await expect(cluster.list('/api/v1/nodes')).rejects.toMatchObject({
    code: 'CLUSTER_CREDENTIALS',
    message: expect.stringMatching(/^no credentials from \.\/plugin: it did not end in 0\.5 s/),
  });
});

describe('plugins that cannot be used', () => {
  const withPlugin = async (body: string, members = '') => {
    writeFileSync(file('plugin'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    writeFileSync(
      file('exec'),
      `current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://api.test:6443"}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, ${members}}}}]
`,
    );
    await using cluster = await clusterFromKubeconfig({
      kubeconfig: file('exec'),
      env: { PATH: process.env['PATH'] },
    });
    return await cluster.list('/api/v1/nodes').catch((error: unknown) => error);
  };

  test.each([
    ['more than is taken', 'yes', '', 'no credentials from ./plugin: it printed more than 1 MiB'],
    [
      'a token that no header carries',
      `printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"hidden\\\\nx"}}'`,
      '',
      'no credentials from ./plugin: its token has characters that are invalid in a header',
    ],
    [
      'nothing, because its arguments are too long',
      'true',
      `args: [${'x'.repeat(8 * 1024 * 1024)}]`,
      'no credentials from ./plugin: its arguments are longer than the system takes',
    ],
  ])('print %s', async (_, body, members, message) => {
    expect(await withPlugin(body, members)).toMatchObject({ code: 'CLUSTER_CREDENTIALS', message });
  });
});

describe('a token file', () => {
  const listWith = async (tokenFile: string) => {
    writeFileSync(
      file('with-file'),
      `current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://api.test:6443"}}]
users: [{name: u, user: {tokenFile: ${tokenFile}}}]
`,
    );
    await using cluster = await clusterFromKubeconfig({ kubeconfig: file('with-file'), env: {} });
    return await cluster.list('/api/v1/nodes').catch((error: unknown) => error);
  };

  test('of two lines contains no token, and is not quoted', async () => {
    writeFileSync(file('lines'), 'hidden\nlines\n');
    expect(await listWith('lines')).toMatchObject({
      code: 'CLUSTER_KUBECONFIG',
      message: `${file('lines')}, named in the kubeconfig, is not a token: it has characters that are invalid in a header`,
    });
  });

  test('has a limit', async () => {
    writeFileSync(file('long'), 'x'.repeat(1024 * 1024 + 1));
    expect(await listWith('long')).toMatchObject({
      code: 'CLUSTER_KUBECONFIG',
      message: `cannot read ${file('long')}, named in the kubeconfig: the file is longer than 1 MiB`,
    });
  });
});
