// Errors that say why, as people see them.
import { writeFileSync } from 'node:fs';
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

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a server', () => {
  test('that refuses connections is named at once', async () => {
    const port = await freePort();
    expect(await run('iso', 'inspect', `http://127.0.0.1:${port}/x.iso`)).toContain(
      `cannot read http://127.0.0.1:${port}/x.iso: the connection was refused (127.0.0.1:${port})`,
    );
  });

  test('that speaks no TLS is told so at once', async () => {
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

  test('that fails and recovers is shown as it is asked again', async () => {
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

describe('a config', () => {
  test('with a tab is told about the tab, under its own name', async () => {
    put('site.yaml', 'hosts:\n\t- hostname: a\n');
    const said = await run('nodes', 'validate', 'site.yaml');
    expect(said).toMatch(/^site\.yaml:2:1: error: /);
    expect(said).toContain('help: Indent with spaces: YAML allows no tab here.');
    expect(await run('nmstate', 'check', 'site.yaml')).toContain('help: Indent with spaces');
  });

  test('with a host name that ends in a dot is told about the dot', async () => {
    put('dot.yaml', HOST.replace('worker-0', 'worker-0.'));
    expect(await run('nodes', 'validate', 'dot.yaml')).toContain('help: Remove the dot at the end.');
  });

  test('with a trust bundle that has expired is warned about it', async () => {
    put('ok.yaml', HOST);
    put('facts.json', JSON.stringify({ trustBundle: CERTIFICATES.api + CERTIFICATES.longLived }));
    const said = await run('nodes', 'validate', '--cluster', 'facts.json', 'ok.yaml');
    expect(said).toContain('warning: certificate api.example.test of the trust bundle expired on 2026-03-04');
    expect(said).not.toContain('Long Lived');
  });

  test('without any known key near never shows an empty list', async () => {
    put('keys.yaml', `zzz: 1\n${HOST}`);
    expect(await run('nodes', 'validate', 'keys.yaml')).not.toMatch(/(?:one of|known)[^:]*: ?\.?$/im);
  });
});
