import { createHmac } from 'node:crypto';
import { bytesSource, IsoError } from '@coreiso/iso';
import { createFileServer, type FileServer, type ServedFile, type Transfer } from '@coreiso/iso/http';
import { nodeListener } from '@coreiso/iso/node';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Readings } from '../../src/http/readings.ts';
import { listen, noise } from './servers.ts';

const SECRET = 'a secret of more than 16 bytes';
const BYTES = noise(100_000);

function file(name: string, owner?: string, bytes: Uint8Array = BYTES): ServedFile {
  return { name, ...(owner === undefined ? {} : { owner }), open: () => bytesSource(bytes) };
}

const FILES = [file('worker-1.iso', 'worker-1'), file('worker-2.iso', 'worker-2'), file('rootfs.img')];

async function status(
  fileServer: ReturnType<typeof createFileServer>,
  path: string,
  init?: RequestInit,
): Promise<number> {
  return (await fileServer.handler(new Request(`http://127.0.0.1${path}`, init))).status;
}

describe('without tokens', () => {
  const fileServer = createFileServer(FILES);

  test.each([
    ['a file', '/worker-1.iso', 200],
    ['a file that is everybody\u2019s', '/rootfs.img', 200],
    ['the index', '/', 200],
    ['the state of the server', '/healthz', 200],
    ['the metrics', '/metrics', 200],
    ['no file', '/worker-3.iso', 404],
    ['a folder', '/worker-1/worker-1.iso', 404],
    ['an empty folder', '//worker-1.iso', 404],
    ['a way out', '/..%2fworker-1.iso', 404],
    ['a percent sign that begins nothing', '/%zz', 404],
  ])('%s: %s', async (_, path, expected) => {
    expect(await status(fileServer, path)).toBe(expected);
    expect(await status(fileServer, path, { method: 'HEAD' })).toBe(expected);
    expect(await status(fileServer, path, { method: 'DELETE' })).toBe(405);
  });

  test('serves programs the index as JSON', async () => {
    const request = new Request('http://127.0.0.1/', { headers: { accept: 'application/json' } });
    const response = await fileServer.handler(request);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(
      FILES.map(({ name, owner }) => ({ name, owner, path: `/${name}`, read: 0, sent: 0, last: null })),
    );
  });

  test('serves files with special characters in their names at the addresses in the index', async () => {
    const odd = createFileServer([file('für 100 %?#.iso')]);
    const [place] = odd.paths;
    expect(await status(odd, place?.path ?? '')).toBe(200);
  });
});

describe('with tokens', () => {
  const fileServer = createFileServer(FILES, { secret: SECRET });
  const pathOf = (name: string, owner: string): string =>
    fileServer.paths.find((place) => place.name === name && place.owner === owner)?.path ?? '';

  test('every replica has the same addresses, and each owner has a different token', () => {
    expect(createFileServer(FILES, { secret: SECRET }).paths).toEqual(fileServer.paths);
    expect(createFileServer(FILES, { secret: `${SECRET}2` }).paths).not.toEqual(fileServer.paths);
    const tokens = fileServer.paths.map(({ path }) => path.split('/')[1]);
    expect(new Set([...tokens, fileServer.index.replaceAll('/', '')]).size).toBe(3);
    for (const { path, name } of fileServer.paths) expect(path).toMatch(new RegExp(`^/[a-z2-7]{26}/${name}$`));
  });

  test('files are only at the addresses in the index', async () => {
    const text = await (await fileServer.handler(new Request(`http://127.0.0.1${fileServer.index}`))).text();
    expect(text.trim().split('\n').sort()).toEqual(fileServer.paths.map(({ path }) => path).sort());
    for (const { path } of fileServer.paths) expect(await status(fileServer, path)).toBe(200);
    const [other = ''] = pathOf('worker-1.iso', 'worker-1').split('worker-1.iso');
    for (const path of [
      '/',
      '/worker-1.iso',
      '/rootfs.img',
      `${other}worker-2.iso`,
      other,
      `${fileServer.index}rootfs.img`,
    ]) {
      expect([path, await status(fileServer, path)]).toEqual([path, 404]);
    }
  });

  test('metrics and health contain no address', async () => {
    for (const path of ['/healthz', '/metrics']) {
      const text = await (await fileServer.handler(new Request(`http://127.0.0.1${path}`))).text();
      for (const { path: secretPath } of fileServer.paths) expect(text).not.toContain(secretPath.split('/')[1]);
    }
  });
});

test('a page of another host name cannot read files for this machine', async () => {
  const fileServer = createFileServer(FILES, { hosts: ['127.0.0.1', 'localhost', '[::1]'] });
  const ask = async (origin: string): Promise<number> =>
    (await fileServer.handler(new Request(`${origin}/worker-1.iso`))).status;
  expect(await ask('http://127.0.0.1:8080')).toBe(200);
  expect(await ask('http://[::1]:8080')).toBe(200);
  expect(await ask('http://evil.test')).toBe(421);
});

describe('reading statistics', () => {
  /** Reads over real connections, one after another; returns the reported runs and the index afterwards. */
  async function runs(reads: readonly (readonly [start: number, end: number])[]): Promise<[Transfer[], string]> {
    const told: Transfer[] = [];
    const fileServer = createFileServer(FILES, { onRead: (run) => told.push(run) });
    const url = await listen(nodeListener(fileServer));
    for (const [start, end] of reads) {
      await (await fetch(`${url}worker-1.iso`, { headers: { range: `bytes=${start}-${end - 1}` } })).arrayBuffer();
    }
    const index = await (await fetch(url)).text();
    fileServer.flush();
    return [told, index];
  }

  test('report runs in order, one for reads without a gap', async () => {
    const [told, index] = await runs([
      [0, 1000],
      [1000, 3000],
      [90_000, 91_000],
      [0, 1000],
    ]);
    expect(told.map(({ start, end, requests, share }) => [start, end, requests, share])).toEqual([
      [0, 3000, 2, 0.03],
      [90_000, 91_000, 1, 0.04],
      [0, 1000, 1, 0.04],
    ]);
    expect(told[0]).toMatchObject({ file: 'worker-1.iso', method: 'GET', status: 206, outcome: 'complete' });
    expect(index).toMatch(/^\/worker-1\.iso {2}4 % read, last range \d+ s ago$/m);
  });

  test('report a client that leaves with the bytes that it got', async () => {
    const told: Transfer[] = [];
    const fileServer = createFileServer(FILES, { onRead: (run) => told.push(run) });
    const request = new Request('http://127.0.0.1/worker-1.iso');
    const answer = await fileServer.answer(request);
    fileServer.onEnd({ request, answer, sent: 5000, outcome: 'left', client: '192.0.2.7' });
    expect(told).toMatchObject([
      { client: '192.0.2.7', start: 0, end: 5000, share: 0.05, outcome: 'left', status: 200 },
    ]);
  });

  test('are available for Prometheus', async () => {
    const fileServer = createFileServer([file('a"b\\c.iso')]);
    const request = new Request('http://127.0.0.1/a%22b%5Cc.iso', { headers: { range: 'bytes=0-24999' } });
    const answer = await fileServer.answer(request);
    const delivery: Parameters<FileServer['onEnd']>[0] = {
      request,
      answer,
      sent: 25_000,
      outcome: 'complete',
      client: '192.0.2.7',
    };
    for (let count = 0; count < 2; count++) fileServer.onEnd(delivery);
    const nowhere = new Request('http://127.0.0.1/secret');
    fileServer.onEnd({ ...delivery, request: nowhere, answer: await fileServer.answer(nowhere), sent: 13 });
    const text = await (await fileServer.handler(new Request('http://127.0.0.1/metrics'))).text();
    expect(text).toContain('coreiso_http_requests_total{file="a\\"b\\\\c.iso",code="206"} 2\n');
    expect(text).toContain('coreiso_http_requests_total{file="",code="404"} 1\n');
    expect(text).toContain('coreiso_http_sent_bytes_total{file="a\\"b\\\\c.iso"} 50000\n');
    expect(text).toContain('coreiso_file_read_ratio{file="a\\"b\\\\c.iso"} 0.25\n');
    expect(text).not.toContain('secret');
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^# (?:HELP|TYPE) \w+ .+$|^\w+\{(?:\w+="(?:[^"\\]|\\.)*",?)*\} [\d.e+-]+$/);
    }
  });

  test('count no byte twice, in any order', () => {
    const size = 500;
    const stretch = fc.tuple(fc.nat(size), fc.nat(size)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 40 }), (reads) => {
        const readings = new Readings(() => undefined);
        const seen = new Set<number>();
        for (const [start, end] of reads) {
          const answered = { file: 'f', client: 'c', method: 'GET', status: 206, outcome: 'complete', at: 0 } as const;
          readings.add({ ...answered, size, start, end });
          for (let at = start; at < end; at++) seen.add(at);
        }
        expect(readings.of('f').share).toBeCloseTo(seen.size / size, 10);
      }),
    );
  });

  test('take no more memory for many places than for a few', () => {
    const readings = new Readings(() => undefined);
    for (let n = 0; n < 5000; n++) {
      const start = ((n * 7919) % 5000) * 10;
      const answered = { file: 'f', client: 'c', method: 'GET', status: 206, outcome: 'complete', at: 0 } as const;
      readings.add({ ...answered, size: 50_000, start, end: start + 1 });
    }
    expect(readings.of('f').share).toBeGreaterThanOrEqual(0.1);
    expect(readings.of('f').share).toBeLessThanOrEqual(1);
  });

  test('keep the largest gaps for many places', () => {
    const readings = new Readings(() => undefined);
    // 2,000 pairs of bytes with one byte between them; the pairs are 997 bytes apart.
    const places = Array.from({ length: 4000 }, (_, n) => Math.floor(n / 2) * 1000 + (n % 2) * 2);
    for (const start of places) {
      const answered = { file: 'f', client: 'c', method: 'GET', status: 206, outcome: 'complete', at: 0 } as const;
      readings.add({ ...answered, size: 2_000_000, start, end: start + 1 });
    }
    // Three bytes per pair, plus gaps of 997 where the limit is exceeded.
    const share = readings.of('f').share * 2_000_000;
    expect(share).toBeGreaterThanOrEqual(2 * 2000);
    expect(share).toBeLessThanOrEqual(3 * 2000 + 997 * (2000 - 1023));
  });
});

test.each([
  ['a server that is not there', new IsoError('ISO_REMOTE', 'cannot read'), 502],
  ['a server that answers nonsense', new IsoError('ISO_BAD_ANSWER', 'cannot read'), 502],
  ['a server without ranges', new IsoError('ISO_NO_RANGES', 'cannot read'), 502],
  ['a server with another file', new IsoError('ISO_CHANGED', 'cannot read'), 502],
  ['a disk that fails', new IsoError('ISO_IO', 'cannot read'), 500],
  ['a disk that is gone', new Error('secret'), 500],
])('reports %s only to the operator', async (_, error, expected) => {
  const onError = vi.fn();
  const open = (): never => {
    throw error;
  };
  const fileServer = createFileServer([{ name: 'a.iso', open }], { onError });
  const response = await fileServer.handler(new Request('http://127.0.0.1/a.iso'));
  expect([response.status, await response.text()]).toEqual([expected, '']);
  expect(onError.mock.calls).toEqual([[error, 'a.iso']]);
  // It counts as an answer for that file without any bytes.
  const request = new Request('http://127.0.0.1/a.iso');
  fileServer.onEnd({ request, answer: await fileServer.answer(request), sent: 7, outcome: 'complete', client: 'c' });
  const metrics = await (await fileServer.handler(new Request('http://127.0.0.1/metrics'))).text();
  expect(metrics).toContain(`coreiso_http_requests_total{file="a.iso",code="${expected}"} 1\n`);
  expect(metrics).toContain('coreiso_http_sent_bytes_total{file="a.iso"} 0\n');
});

test.each([
  ['as an operating system says it', Object.assign(new Error('secret'), { code: 'ENOENT' })],
  [
    'as an error of the package says it',
    new IsoError('ISO_IO', 'cannot read secret', { cause: Object.assign(new Error('secret'), { code: 'ENOENT' }) }),
  ],
])('asks clients of a missing file to retry, %s', async (_, error) => {
  const onError = vi.fn();
  const open = (): never => {
    throw error;
  };
  const fileServer = createFileServer([{ name: 'a.iso', open }], { onError });
  const response = await fileServer.handler(new Request('http://127.0.0.1/a.iso'));
  expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
    ...[503, '2', 'this file is away\n'],
  ]);
  expect(onError.mock.calls).toEqual([[error, 'a.iso']]);
});

test('answers even if a failure is its own cause', async () => {
  const error = new Error('secret');
  error.cause = error;
  const open = (): never => {
    throw error;
  };
  const fileServer = createFileServer([{ name: 'a.iso', open }]);
  expect((await fileServer.handler(new Request('http://127.0.0.1/a.iso'))).status).toBe(500);
});

test('reports no failure if the client left before a file was open', async () => {
  const onError = vi.fn();
  const abort = new AbortController();
  const open = (): never => {
    abort.abort();
    throw new Error('too late');
  };
  const fileServer = createFileServer([{ name: 'a.iso', open }], { onError });
  const request = new Request('http://127.0.0.1/a.iso', { signal: abort.signal });
  await expect(fileServer.answer(request)).rejects.toThrow('too late');
  expect(onError).not.toHaveBeenCalled();
});

test('reports a broken answer with its file', async () => {
  const onError = vi.fn();
  const fileServer = createFileServer(FILES, { onError });
  const request = new Request('http://127.0.0.1/rootfs.img');
  const delivery = { request, answer: await fileServer.answer(request), sent: 7, client: 'c' };
  const error = new Error('disk');
  fileServer.onEnd({ ...delivery, outcome: 'broken', error });
  fileServer.onEnd({ ...delivery, outcome: 'complete' });
  expect(onError.mock.calls).toEqual([[error, 'rootfs.img']]);
});

test('serves a file with the given media type and its name for saving', async () => {
  const open = () => bytesSource(BYTES);
  const fileServer = createFileServer([
    { name: 'a.json', type: 'application/json', open },
    { name: 'b.iso', open },
  ]);
  const headersOf = async (path: string) => (await fileServer.handler(new Request(`http://127.0.0.1${path}`))).headers;
  expect((await headersOf('/a.json')).get('content-type')).toBe('application/json');
  expect((await headersOf('/b.iso')).get('content-type')).toBe('application/octet-stream');
  expect((await headersOf('/b.iso')).get('content-disposition')).toContain('b.iso');
});

test("makes tokens from five bits of each byte of the owner's HMAC-SHA-256", () => {
  const fileServer = createFileServer([file('a.iso', 'worker')], { secret: SECRET });
  const token = (purpose: string): string =>
    [...createHmac('sha256', SECRET).update(purpose).digest().subarray(0, 26)]
      .map((byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32])
      .join('');
  expect(fileServer.index).toBe(`/${token('index')}/`);
  expect(fileServer.paths).toEqual([{ name: 'a.iso', owner: 'worker', path: `/${token('file worker')}/a.iso` }]);
  expect(() => createFileServer([], { secret: 'x'.repeat(15) })).toThrow(RangeError);
  expect(() => createFileServer([], { secret: 'ü'.repeat(8) })).not.toThrow();
});

test.each<[RegExp, unknown[]]>([
  [/^files must be /, [undefined]],
  [/^files must have names of their own, not "a" twice/, [[file('a'), file('a')]]],
  [/^files\.name must be .*, not "healthz"$/, [[file('healthz')]]],
  [/^files\.name must be .*, not "metrics"$/, [[file('metrics')]]],
  [/^files\.name must be .*, not ""$/, [[file('')]]],
  [/^files\.name must be .*, not "\."$/, [[file('.')]]],
  [/^files\.name must be .*, not "\.\."$/, [[file('..')]]],
  [/^files\.name must be .*, not "a\/b"$/, [[file('a/b')]]],
  [/^files\.open must be /, [[{ name: 'a', open: 1 }]]],
  [/^secret must be at least 16 bytes/, [[], { secret: 'short' }]],
  [/^onRead must be /, [[], { onRead: 1 }]],
])('refuses with %s', (message, args) => {
  expect(() => createFileServer(...(args as Parameters<typeof createFileServer>))).toThrow(message);
});
