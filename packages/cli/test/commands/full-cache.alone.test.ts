// The disk fills up while a base image is downloaded: a replaced write function of Node fails.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs, { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sampleIso } from '@coreiso/iso/sample';
import { afterEach, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const real = fs.writeSync;
/** The number of bytes that fit. */
const ROOM = 100_000;

afterEach(() => {
  fs.writeSync = real;
  syncBuiltinESMExports();
});

function fillDisk(): void {
  let written = 0;
  const write = (...args: Parameters<typeof real>): number => {
    const [, data] = args;
    written += ArrayBuffer.isView(data) ? data.byteLength : 0;
    if (written <= ROOM) return real(...args);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  };
  fs.writeSync = write as typeof real;
  syncBuiltinESMExports();
}

test.each([
  ['that can be continued is kept for that', { etag: '"one"' }, ['PART', 'PART.json']],
  ['that cannot be continued goes', {}, []],
])('reports a full cache in one sentence with help, and a partial file %s', async (_, headers, left) => {
  const iso = await sampleIso();
  const live = Buffer.from(await iso.read(0, iso.size));
  const sha256 = createHash('sha256').update(live).digest('hex');
  const server = createServer((request, response) => {
    const [, start = '0'] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
    if ('etag' in headers && request.headers.range !== undefined) {
      const end = Math.min(live.length, Number(/-(\d+)$/.exec(request.headers.range)?.[1] ?? live.length) + 1);
      const range = `bytes ${start}-${end - 1}/${live.length}`;
      response.writeHead(206, { ...headers, 'content-range': range }).end(live.subarray(Number(start), end));
    } else response.writeHead(200, headers).end(live);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const location = `http://127.0.0.1:${(server.address() as AddressInfo).port}/live.iso`;
  const cwd = scratchFolder();
  writeFileSync(
    join(cwd, 'nodes-config.yaml'),
    'hosts: [{ hostname: w, interfaces: [{ name: eno1, macAddress: 52:54:00:e7:05:72 }] }]\n',
  );
  const facts = { platform: 'None', version: '4.20.3', bootImages: [{ architecture: 'x86_64', location, sha256 }] };
  writeFileSync(join(cwd, 'facts.json'), JSON.stringify(facts));
  const env = { COREISO_CACHE: join(cwd, 'cache'), HOME: cwd };
  const run = () => coreiso(['nodes', 'image', '--cluster', 'facts.json', '-o', 'node.iso'], { cwd, env });
  fillDisk();
  const { status, stderr } = await run();
  expect([status, stderr]).toEqual([1, expect.stringContaining('the cache of base images is full: ')]);
  expect(stderr).toContain('--cache-dir');
  expect(stderr).toMatch(/no space left on device/i);
  expect(stderr).not.toContain('trying again');
  expect(
    readdirSync(join(cwd, 'cache'))
      .map((name) => name.replace(`${sha256}.part`, 'PART'))
      .sort(),
  ).toEqual(left);
  expect(readdirSync(cwd).sort()).toEqual(['cache', 'facts.json', 'nodes-config.yaml']);
  fs.writeSync = real;
  syncBuiltinESMExports();
  expect(await run()).toMatchObject({ status: 0 });
  server.close();
  server.closeAllConnections();
});
