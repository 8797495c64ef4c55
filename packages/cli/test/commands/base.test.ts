import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bytesSource } from '@coreiso/iso';
import { rangeResponse } from '@coreiso/iso/http';
import { nodeListener } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

let iso: Uint8Array;
let sha256 = '';
let server: Server;
let url = '';
let sent = 0;
let cwd = '';

beforeAll(async () => {
  const sample = await sampleIso();
  iso = await sample.read(0, sample.size);
  sha256 = createHash('sha256').update(iso).digest('hex');
  server = createServer(
    nodeListener(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/streams/stable.json') return Response.json(metadata('stable', sha256));
      if (pathname === '/streams/wrong.json') return Response.json(metadata('wrong', '0'.repeat(64)));
      if (pathname !== '/live.iso') return new Response(null, { status: 404 });
      const response = await rangeResponse(request, bytesSource(iso), {});
      if (request.method === 'GET') sent += Number(response.headers.get('content-length'));
      return response;
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  cwd = scratchFolder();
  sent = 0;
});

function metadata(stream: string, digest: string): object {
  const disk = { location: `${url}/live.iso`, sha256: digest };
  const metal = {
    release: '42.20260101.3.0',
    formats: { iso: { disk }, pxe: { kernel: { ...disk, sha256: '1'.repeat(64) } } },
  };
  return { stream, architectures: { x86_64: { artifacts: { metal } } } };
}

function run(...argv: string[]): Promise<CliResult> {
  const env = { COREISO_CACHE: join(cwd, 'cache'), COREISO_STREAM_BASE_URL: `${url}/streams` };
  return coreiso(argv, { cwd, env });
}

describe('coreiso base', () => {
  test('lists the contents of a stream and the cached images', async () => {
    const { stdout } = await run('base', 'list', 'stream:stable');
    expect(stdout.toString()).toBe(`x86_64  metal.iso.disk  42.20260101.3.0\n  ${url}/live.iso\n  sha256 ${sha256}\n`);
    expect((await run('base', 'list')).stderr).toContain('The cache is empty. Fetch an image: coreiso base fetch');
    await run('base', 'fetch', 'stream:stable');
    expect((await run('base', 'list', 'stream:stable')).stdout.toString()).toContain('(in the cache)');
    const all = JSON.parse((await run('base', 'list', '--all', '--json', 'stream:stable')).stdout.toString());
    expect(all).toMatchObject({
      stream: 'stable',
      files: [{ format: 'iso', cached: expect.any(String) }, { format: 'pxe' }],
    });
    expect(JSON.parse((await run('base', 'list', '--json')).stdout.toString())).toMatchObject([
      { sha256, origin: `${url}/live.iso` },
    ]);
  });

  test('fetches a file once, and prints the path of the verified copy', async () => {
    const first = await run('base', 'fetch', 'stream:stable');
    const path = first.stdout.toString().trim();
    expect(Buffer.compare(readFileSync(path), iso)).toBe(0);
    sent = 0;
    const { stdout } = await run('base', 'fetch', '-o', 'copy.iso', 'stream:stable');
    expect([stdout.toString(), sent]).toEqual(['copy.iso\n', 0]);
    expect(Buffer.compare(readFileSync(join(cwd, 'copy.iso')), iso)).toBe(0);
    expect((await run('base', 'fetch', '-o', 'copy.iso', 'stream:stable')).stderr).toContain('copy.iso exists');
  });

  test('hashes a cached base again with --verify, and fetches it again if it changed', async () => {
    const path = (await run('base', 'fetch', 'stream:stable')).stdout.toString().trim();
    chmodSync(path, 0o644);
    writeFileSync(path, new Uint8Array(iso.length));
    const { ino, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    const note = path.replace(/iso$/, 'json');
    // Pretend that these bytes were hashed before.
    const verified = `${ino} ${mtimeNs} ${ctimeNs}`;
    writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, 'utf8')), verified }));
    sent = 0;
    expect(await run('base', 'fetch', 'stream:stable')).toMatchObject({ status: 0 });
    expect(sent).toBe(0);
    expect(await run('base', 'fetch', '--verify', 'stream:stable')).toMatchObject({ status: 0 });
    expect(Buffer.compare(readFileSync(path), iso)).toBe(0);
  });

  test('requires a number as the lowest transfer rate', async () => {
    const fetch = (rate: string) =>
      coreiso(['base', 'fetch', `${url}/live.iso`], {
        cwd,
        env: { COREISO_CACHE: join(cwd, 'cache'), COREISO_MIN_RATE: rate },
      });
    const refused = await fetch('1kB');
    expect(refused.stderr.toString()).toContain('COREISO_MIN_RATE: expected bytes per second, such as 200');
    expect([refused.status, (await fetch('0')).status]).toEqual([2, 0]);
  });

  test('fetches from an address, and says if nothing was verified', async () => {
    const { stderr, stdout } = await run('base', 'fetch', '--json', `${url}/live.iso`);
    expect(stderr).toContain(`no digest was given. Its SHA-256 is ${sha256}`);
    expect(JSON.parse(stdout.toString())).toMatchObject({ sha256, size: iso.length });
    expect((await run('base', 'fetch', '--sha256', sha256, `${url}/live.iso`)).stderr).toBe('');
  });

  test('tells with verify whether a file is the expected image', async () => {
    writeFileSync(join(cwd, 'live.iso'), iso);
    const good = await run('base', 'verify', 'live.iso', 'stream:stable');
    expect([good.status, good.stdout.toString()]).toEqual([
      0,
      'live.iso matches metal.iso.disk for x86_64 of stable 42.20260101.3.0\n',
    ]);
    const bytes = iso.slice();
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(join(cwd, 'live.iso'), bytes);
    const bad = await run('base', 'verify', 'live.iso', 'stream:stable');
    expect([bad.status, bad.stderr]).toEqual([1, expect.stringContaining(`; expected one of\n  ${sha256}`)]);
    const json = await run('base', 'verify', '--json', '--sha256', sha256, 'live.iso');
    expect([json.status, JSON.parse(json.stdout.toString())]).toEqual([
      1,
      expect.objectContaining({ verified: false }),
    ]);
  });

  test.each<[string[], number, RegExp]>([
    [['base', 'fetch', 'stream:wrong'], 1, /has the SHA-256 digest [0-9a-f]{64}, but should have 0{64}/],
    [['base', 'fetch', 'stream:nightly'], 1, /streams\/nightly\.json: the server answered 404/],
    [['base', 'fetch', '--architecture', 's390x', 'stream:stable'], 1, /has no architecture s390x, but x86_64/],
    [
      ['base', 'fetch', 'live.iso'],
      2,
      /expected stream:NAME, release:PULLSPEC or an http\(s\) address, found 'live\.iso'/,
    ],
    [['base', 'list', 'live.iso'], 2, /expected stream:NAME or release:PULLSPEC, found 'live\.iso'/],
    [['base', 'fetch', 'release:'], 2, /expected a release image after release:/],
    [['base', 'verify', 'live.iso'], 2, /expected --sha256, a file, stream:NAME/],
    [['base', 'fetch', '--sha256', 'x', 'stream:stable'], 2, /64 hexadecimal digits/],
  ])('refuses %j', async (argv, status, message) => {
    const result = await run(...argv);
    expect([result.status, result.stderr]).toEqual([status, expect.stringMatching(message)]);
  });
});

describe('an image of a stream', () => {
  test('can come from a file: the ConfigMap of a cluster, as YAML', async () => {
    const text = JSON.stringify(metadata('rhcos-4.20', sha256));
    writeFileSync(join(cwd, 'bootimages.yaml'), `kind: ConfigMap\ndata:\n  stream: |\n    ${text}\n`);
    writeFileSync(
      join(cwd, 'nodes-config.yaml'),
      'hosts: [{ interfaces: [{ name: eno1, macAddress: 52:54:00:e7:05:72 }] }]\n',
    );
    const { status, stderr } = await run('nodes', 'image', '--base', 'stream:bootimages.yaml', '-o', 'node.iso');
    expect([status, stderr]).toEqual([0, expect.anything()]);
    expect(existsSync(join(cwd, 'cache', `${sha256}.iso`))).toBe(true);
  });

  test('is verified, then edited into a file', async () => {
    writeFileSync(join(cwd, 'a.ign'), '{"ignition":{"version":"3.4.0"}}');
    const edited = await run('iso', 'ignition', 'embed', '-i', 'a.ign', '-o', 'out.iso', 'stream:stable');
    expect(edited.stderr).toBe('');
    expect((await run('iso', 'ignition', 'show', 'out.iso')).stdout.toString()).toContain('3.4.0');
    const wrong = await run('iso', 'ignition', 'embed', '-i', 'a.ign', '-o', 'wrong.iso', 'stream:wrong');
    expect([wrong.status, existsSync(join(cwd, 'wrong.iso'))]).toEqual([1, false]);
    const inPlace = await run('iso', 'ignition', 'embed', '-i', 'a.ign', 'stream:stable');
    expect(inPlace.stderr).toContain('cannot be changed in place\n\nhelp: pass --output FILE');
  });

  test('is not fetched by commands that only read it', async () => {
    const { stdout } = await run('iso', 'kargs', 'show', 'stream:stable');
    expect(stdout.toString()).not.toBe('');
    expect((await run('iso', 'inspect', 'stream:stable')).status).toBe(0);
    expect(existsSync(join(cwd, 'cache', `${sha256}.iso`))).toBe(false);
  });
});
