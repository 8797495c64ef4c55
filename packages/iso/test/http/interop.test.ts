import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { overlay } from '@coreiso/iso';
import { httpSource, rangeResponse } from '@coreiso/iso/http';
import { fileSource, nodeListener } from '@coreiso/iso/node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith } from '../../../../test/support/tools.ts';
import type { ByteSource } from '../../src/bytes/source.ts';
import { BYTES, CONDITIONS, IGNORED, OPTIONS, SATISFIED, SIZE, UNSATISFIED } from './rfc9110.ts';
import { listen, noise } from './servers.ts';

/** The exit status of a program. It talks to a server in this process, so the process must not block. */
function exitStatus(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const env = { ...process.env, no_proxy: '*', http_proxy: '' };
    execFile(program, args, { env }, (error) => resolve(error === null ? 0 : Number(error.code)));
  });
}

describe('a download that broke off is resumed after a restart of the server', () => {
  const CLIENTS: Record<string, (url: string, path: string) => string[]> = {
    curl: (url, path) => ['--silent', '--show-error', '--fail', '--continue-at', '-', '--output', path, url],
    wget: (url, path) => ['--quiet', '--tries=1', '--continue', `--output-document=${path}`, url],
  };

  for (const [program, args] of Object.entries(CLIENTS)) {
    describeWith([program], program, () => {
      test('gets only the rest', async () => {
        const directory = scratchFolder();
        const bytes = noise(4_000_000);
        writeFileSync(join(directory, 'base.iso'), bytes);
        const patches = [{ offset: 1_900_000, bytes: new Uint8Array(200_000).fill(7) }];
        const expected = bytes.slice();
        expected.fill(7, 1_900_000, 2_100_000);
        const sent: number[] = [];
        const server = async (broken: boolean): Promise<string> => {
          const base = await fileSource(join(directory, 'base.iso'));
          onTestFinished(() => base.close());
          const whole = overlay(base, patches);
          const source: ByteSource = {
            size: whole.size,
            read: (offset, length, signal) =>
              broken && offset > 2_000_000 ? Promise.reject(new Error('cut')) : whole.read(offset, length, signal),
          };
          return listen(
            nodeListener(async (request) => {
              const response = await rangeResponse(request, source, { etag: '"v1"', filename: 'worker.iso' });
              if (request.method === 'GET') sent.push(Number(response.headers.get('content-length')));
              return response;
            }),
          );
        };
        const path = join(directory, 'worker.iso');
        expect(await exitStatus(program, args(await server(true), path))).not.toBe(0);
        const { size } = statSync(path);
        expect(size).toBeGreaterThan(1_000_000);
        expect(await exitStatus(program, args(await server(false), path))).toBe(0);
        expect(Buffer.compare(readFileSync(path), expected)).toBe(0);
        expect(sent).toEqual([expected.length, expected.length - size]);
      });
    });
  }
});

describeWith(['nginx'], 'with nginx as the origin', () => {
  const directory = scratchFolder();
  const large = noise(5_000_000);
  let nginx: ChildProcess;
  let url = '';

  beforeAll(async () => {
    writeFileSync(join(directory, 'small.iso'), BYTES);
    writeFileSync(join(directory, 'large.iso'), large);
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${directory}/t;`,
    );
    writeFileSync(
      join(directory, 'nginx.conf'),
      `daemon off; master_process off; pid ${directory}/pid; error_log stderr;
       events {}
       http { access_log off; ${temporary.join(' ')} gzip on; gzip_types *; gzip_min_length 1;
              server { listen 127.0.0.1:${port}; root ${directory}; } }`,
    );
    nginx = spawn('nginx', ['-p', directory, '-e', 'stderr', '-c', join(directory, 'nginx.conf')], { stdio: 'ignore' });
    url = `http://127.0.0.1:${port}/`;
    for (let tries = 0; tries < 1200; tries++) {
      if (
        await fetch(url).then(
          () => true,
          () => false,
        )
      )
        return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('nginx does not answer');
  });
  afterAll(() => {
    nginx?.kill();
  });

  test('a file is read correctly', async () => {
    const source = await httpSource(`${url}large.iso`);
    expect(Buffer.compare(await source.read(0, source.size), large)).toBe(0);
    expect(source.etag).toMatch(/^"/);
  });

  test('a replaced file is not mixed with the new one', async () => {
    writeFileSync(join(directory, 'changing.iso'), large);
    utimesSync(join(directory, 'changing.iso'), 1e9, 1e9);
    const source = await httpSource(`${url}changing.iso`);
    await source.read(1_000_000, 10);
    writeFileSync(join(directory, 'changing.iso'), large);
    await expect(source.read(4_000_000, 10)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
  });

  describe('forwarded requests follow RFC 9110', () => {
    const ask = async (headers: Record<string, string>): Promise<Response> =>
      rangeResponse(new Request(url, { headers }), await httpSource(`${url}small.iso`), OPTIONS);
    const ranges = [
      ...SATISFIED.map(([title, range, start, end]) => [title, { range }, 206, start, end] as const),
      ...IGNORED.map(([title, range]) => [title, { range }, 200, 0, SIZE] as const),
      ...UNSATISFIED.map(([title, range]) => [title, { range }, 416, 0, 0] as const),
      ...CONDITIONS.map(
        ([title, headers, status]) => [title, headers, status, 0, { 200: SIZE, 206: 2 }[status] ?? 0] as const,
      ),
    ];
    test.each(ranges)('%s %j: %i', async (_, headers, status, start, end) => {
      const response = await ask(headers);
      expect(response.status).toBe(status);
      expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([...BYTES.subarray(start, end)]);
    });
  });
});
