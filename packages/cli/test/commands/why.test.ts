// Errors that explain the reason, as people see them.
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CERTIFICATES } from '../../../../test/support/certificates.ts';
import { coreiso, scratchFolder } from '../support.ts';

let cwd: string;
beforeAll(() => {
  cwd = scratchFolder();
});

const put = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
const run = async (...argv: string[]): Promise<string> => (await coreiso(argv, { cwd })).stderr;

const HOST = 'hosts:\n- hostname: worker-0\n  interfaces: [{ name: e, macAddress: "52:54:00:e7:05:72" }]\n';

/** Returns a port on which no program listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a server', () => {
  test('is named at once if it refuses connections', async () => {
    const port = await freePort();
    expect(await run('iso', 'inspect', `http://127.0.0.1:${port}/x.iso`)).toContain(
      `cannot read http://127.0.0.1:${port}/x.iso: the connection was refused (127.0.0.1:${port})`,
    );
  });

  test('is reported at once if it does not speak TLS', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      expect(await run('iso', 'inspect', `https://127.0.0.1:${port}/x.iso`)).toMatch(
        /TLS with 127\.0\.0\.1:\d+ failed/,
      );
    } finally {
      server.close();
    }
  });

  test('is named during retries if it fails and recovers', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      response.writeHead(asked === 1 ? 503 : 404, { 'retry-after': '0' }).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const said = await run('iso', 'inspect', `http://127.0.0.1:${port}/x.iso`);
      expect(said.split('\n')[0]).toBe(
        `http://127.0.0.1:${port}/x.iso: the server answered 503 and asks to wait 0 s; trying again (2 of 6)`,
      );
      expect(said).toContain('answered 404');
    } finally {
      server.close();
    }
  });
});

describe('a network state for an image', () => {
  const mistakes =
    'interfaces:\n- name: eth1\n  type: ethernet\n  mtu: manu\n- name: eth2\n  type: ethernet\n  ipv4: { enabled: maybe }\n';
  const argv = ['iso', 'customize', '--network-nmstate', 'net.yaml', '-o', 'out.iso', 'live.iso'];

  test("names file and line of all mistakes in the last line of coreos-installer's message", async () => {
    await run('sample-iso', 'live.iso');
    put('net.yaml', mistakes);
    expect(await run(...argv)).toMatch(
      /^Error: parsing nmstate\n\nCaused by:\n {4}net\.yaml:4:\d+: [^\n]+; net\.yaml:7:\d+: [^\n]+\n$/,
    );
    expect(existsSync(join(cwd, 'out.iso'))).toBe(false);
  });

  test('names the place of values that nmstate cannot handle', async () => {
    put(
      'net.yaml',
      'interfaces:\n- {name: eth1, type: ethernet}\ndns-resolver: {config: {server: [ns.example.test]}}\n',
    );
    expect(await run(...argv)).toMatch(
      /^Error: generating configuration from nmstate\n\nCaused by:\n {4}InvalidArgument: net\.yaml:3:\d+: Invalid DNS server/,
    );
  });

  test('names the line of a tab', async () => {
    put('net.yaml', 'interfaces:\n- name: eth1\n\ttype: ethernet\n');
    expect(await run(...argv)).toMatch(/\n {4}net\.yaml:3:1: [^\n]*tab/);
  });

  test('gets only the message of coreos-installer under that name', async () => {
    put('net.yaml', mistakes);
    expect((await coreiso(argv, { cwd, invokedAs: 'coreos-installer' })).stderr).toMatch(/^Error: parsing nmstate\n/);
  });
});

describe('an image on standard input', () => {
  test('cannot be changed in place, and the error suggests --output', async () => {
    const said = await run('iso', 'kargs', 'modify', '-a', 'x=y', '/dev/stdin');
    expect(said).toBe('Error: an image on standard input cannot be changed in place\n\nhelp: pass --output FILE\n');
  });
});

describe('a name that is incomplete or missing', () => {
  test.each([
    [
      ['iso', 'verify', '--base', 'stream:', 'live.iso'],
      'expected a name or a file after stream:, such as stream:stable',
    ],
    [
      ['nodes', 'image', '--base', 'release:'],
      'expected a release image after release:, or cluster facts that name one',
    ],
    [['base', 'list', 'stream:'], 'expected a name or a file after stream:'],
    [['iso', 'inspect', 'nope.iso'], 'error: cannot open nope.iso: no such file or directory\n'],
    [['iso', 'verify', '--base', 'nope.iso', 'live.iso'], 'error: cannot open nope.iso: no such file or directory\n'],
    [['nodes', 'advise'], 'error: no cluster facts\nhelp: pass --cluster FACTS, or --live'],
  ])('in %j gets an error with the expected value', async (argv, expected) => {
    put('nodes-config.yaml', HOST);
    expect(await run(...argv)).toContain(expected);
  });

  test('is "standard input" instead of a dash', async () => {
    const { stdout } = await coreiso(['nodes', 'validate', '-'], { cwd, input: HOST });
    expect(stdout.toString()).toBe('standard input: a valid nodes-config with 1 host\n');
    const { stderr } = await coreiso(['nodes', 'validate', '-'], { cwd, input: 'hosts: [' });
    expect(stderr).toMatch(/^standard input:1:\d+: error: /);
  });

  test("of a site's file includes its directory", async () => {
    await run('agent', 'template', '--dir', 'site');
    put('site/agent-config.yaml', 'hosts:\n\t- x\n');
    expect(await run('agent', 'validate', '--dir', 'site')).toMatch(/^site\/agent-config\.yaml:2:1: error: /);
  });
});

describe('an unknown host', () => {
  test('is named at once, in one line', async () => {
    expect(await run('iso', 'inspect', 'http://nope.invalid/x.iso')).toBe(
      'error: cannot read http://nope.invalid/x.iso: the host is unknown (nope.invalid)\n',
    );
  });
});

describe('a config', () => {
  test('with a tab gets a hint about the tab, under its own name', async () => {
    put('site.yaml', 'hosts:\n\t- hostname: a\n');
    const said = await run('nodes', 'validate', 'site.yaml');
    expect(said).toMatch(/^site\.yaml:2:1: error: /);
    expect(said).toContain('help: Indent with spaces: YAML allows no tab here.');
    expect(await run('nmstate', 'check', 'site.yaml')).toContain('help: Indent with spaces');
  });

  test('with a host name that ends in a dot gets a hint about the dot', async () => {
    put('dot.yaml', HOST.replace('worker-0', 'worker-0.'));
    expect(await run('nodes', 'validate', 'dot.yaml')).toContain('help: Remove the dot at the end.');
  });

  test('with an expired trust bundle gets a warning', async () => {
    put('ok.yaml', HOST);
    put('facts.json', JSON.stringify({ trustBundle: CERTIFICATES.api + CERTIFICATES.longLived }));
    const said = await run('nodes', 'validate', '--cluster', 'facts.json', 'ok.yaml');
    expect(said).toContain('warning: certificate api.example.test of the trust bundle expired on 2026-03-04');
    expect(said).not.toContain('Long Lived');
  });

  test('with no similar known key never gets an empty list', async () => {
    put('keys.yaml', `zzz: 1\n${HOST}`);
    expect(await run('nodes', 'validate', 'keys.yaml')).not.toMatch(/(?:one of|known)[^:]*: ?\.?$/im);
  });
});
