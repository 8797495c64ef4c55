import { bytesSource, overlay, slice, zeros } from '@coreiso/iso';
import { rangeResponse } from '@coreiso/iso/http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ByteSource } from '../../src/bytes/source.ts';
import { BYTES, CONDITIONS, IGNORED, MODIFIED, OPTIONS, SATISFIED, SIZE, UNSATISFIED } from './rfc9110.ts';

const SOURCE = bytesSource(BYTES);

function ask(
  headers: HeadersInit = {},
  {
    method = 'GET',
    source = SOURCE,
    options = OPTIONS,
  }: { method?: string; source?: ByteSource; options?: NonNullable<Parameters<typeof rangeResponse>[2]> } = {},
): Promise<Response> {
  return rangeResponse(new Request('http://x.test/a.iso', { method, headers }), source, options);
}

async function bytesOf(response: Response): Promise<number[]> {
  return [...new Uint8Array(await response.arrayBuffer())];
}

describe('ranges (RFC 9110 §14.1.2 and §14.2)', () => {
  test.each(SATISFIED)('%s', async (_, range, start, end) => {
    const response = await ask({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${SIZE}`);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    expect(await bytesOf(response)).toEqual([...BYTES.subarray(start, end)]);
  });

  test.each(IGNORED)('is ignored: %s', async (_, range) => {
    const response = await ask({ range });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-range')).toBeNull();
    expect(await bytesOf(response)).toEqual([...BYTES]);
  });

  test.each(UNSATISFIED)('cannot be satisfied: %s', async (_, range) => {
    const response = await ask({ range });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${SIZE}`);
    expect(await bytesOf(response)).toEqual([]);
  });

  test.each([
    ['from 0', 'bytes=0-', 416],
    ['the last bytes', 'bytes=-5', 200],
  ])('of an empty file: %s', async (_, range, status) => {
    const response = await ask({ range }, { source: bytesSource(new Uint8Array(0)) });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(status === 416 ? 'bytes */0' : null);
  });

  test('several are sent as parts, in the order of the request (§14.6)', async () => {
    const response = await ask(
      { range: 'bytes=900-901,0-2,-1' },
      { options: { ...OPTIONS, type: 'application/vnd.efi.iso' } },
    );
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBeNull();
    const [, boundary = ''] =
      response.headers.get('content-type')?.match(/^multipart\/byteranges; boundary=(.*)$/) ?? [];
    const raw = await response.clone().arrayBuffer();
    expect(raw.byteLength).toBe(Number(response.headers.get('content-length')));
    const parts = Buffer.from(raw).toString('latin1').split(`--${boundary}`);
    expect(parts.shift()).toBe('');
    expect(parts.pop()).toBe('--\r\n');
    expect(parts.map((part) => part.split('\r\n'))).toEqual(
      [
        [900, 902],
        [0, 3],
        [999, 1000],
      ].map(([start = 0, end = 0]) => [
        '',
        'Content-Type: application/vnd.efi.iso',
        `Content-Range: bytes ${start}-${end - 1}/${SIZE}`,
        '',
        Buffer.from(BYTES.subarray(start, end)).toString('latin1'),
        '',
      ]),
    );
  });
});

describe('conditions (RFC 9110 §13)', () => {
  test.each(CONDITIONS)('%s', async (_, headers, status) => {
    const response = await ask(headers);
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe('"v1"');
    expect(response.headers.get('last-modified')).toBe(MODIFIED);
    const length = { 200: SIZE, 206: 2 }[status] ?? 0;
    expect((await bytesOf(response)).length).toBe(length);
    const head = await ask(headers, { method: 'HEAD' });
    expect(head.status).toBe(status === 206 ? 200 : status);
    expect(head.headers.get('content-length')).toBe(status < 300 ? String(SIZE) : null);
    expect(await bytesOf(head)).toEqual([]);
  });

  test('a future time is sent as now, which is never valid in If-Range (§8.8.2)', async () => {
    vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00.700Z') });
    onTestFinished(() => void vi.useRealTimers());
    const now = 'Sun, 01 Mar 2026 12:00:00 GMT';
    const ranged = (lastModified: Date): Promise<Response> =>
      ask({ range: 'bytes=0-1', 'if-range': now }, { options: { lastModified } });
    const future = await ranged(new Date('2030-01-01T00:00:00Z'));
    expect([future.status, future.headers.get('last-modified')]).toEqual([200, now]);
    expect((await ranged(new Date(now))).status).toBe(200);
    vi.advanceTimersByTime(1000);
    expect((await ranged(new Date(now))).status).toBe(206);
  });

  test('no If-Range is valid without a validator', async () => {
    const unnamed: ByteSource = { size: SIZE, read: (offset, length) => SOURCE.read(offset, length) };
    const response = await ask({ range: 'bytes=0-1', 'if-range': '"v1"' }, { source: unnamed, options: {} });
    expect([response.status, response.headers.get('etag'), response.headers.get('last-modified')]).toEqual([
      200,
      null,
      null,
    ]);
  });
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s, and lists the allowed methods', async (method) => {
  const response = await ask({}, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

describe('the entity tag', () => {
  const patched = (...patches: [number, number][]) =>
    overlay(
      bytesSource(BYTES.slice()),
      patches.map(([offset, byte]) => ({ offset, bytes: Uint8Array.of(byte) })),
    );
  const tag = async (source: ByteSource) =>
    (await ask({}, { method: 'HEAD', source, options: {} })).headers.get('etag');

  test('is strong, and equal for equal base and patches', async () => {
    expect(await tag(patched([5, 1], [9, 2]))).toMatch(/^"[0-9a-f]{32}"$/);
    expect(await tag(patched([5, 1], [9, 2]))).toBe(await tag(patched([9, 2], [5, 1])));
  });

  test.each<[string, ByteSource]>([
    ['byte', patched([5, 2])],
    ['place', patched([6, 1])],
    ['base', overlay(bytesSource(new Uint8Array(SIZE)), [{ offset: 5, bytes: Uint8Array.of(1) }])],
    ['end', slice(patched([5, 1]), 0, SIZE - 1)],
    ['tail', overlay(patched([5, 1]), [], { tail: [zeros(1)] })],
  ])('is another with another %s', async (_, source) => {
    expect(await tag(source)).not.toBe(await tag(patched([5, 1])));
  });
});

describe('the head', () => {
  test('forbids shared caches to store secrets, and proxies to change bytes', async () => {
    const { headers } = await ask();
    expect(headers.get('cache-control')).toBe('private, no-transform');
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });

  test.each([
    ['worker.iso', 'attachment; filename="worker.iso"'],
    ['a "b" \\c.iso', 'attachment; filename="a \\"b\\" \\\\c.iso"'],
    ['größe 1.iso', `attachment; filename="gr__e 1.iso"; filename*=UTF-8''gr%C3%B6%C3%9Fe%201.iso`],
    ['a\r\nset-cookie: b', `attachment; filename="a__set-cookie: b"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20b`],
  ])('names the file %j', async (filename, disposition) => {
    expect((await ask({}, { options: { filename } })).headers.get('content-disposition')).toBe(disposition);
  });

  test.each<[RegExp, NonNullable<Parameters<typeof rangeResponse>[2]>]>([
    [/^etag must be /, { etag: 'v1' }],
    [/^etag must be /, { etag: 'W/"v1"' }],
    [/^etag must be /, { etag: '"a"b"' }],
    [/^lastModified must be /, { lastModified: new Date(Number.NaN) }],
  ])('refuses %s of %j', async (message, options) => {
    await expect(ask({}, { options })).rejects.toThrow(message);
    await expect(ask({}, { options })).rejects.toBeInstanceOf(RangeError);
  });

  test.each([
    ['filename', { filename: 1 }],
    ['type', { type: null }],
    ['lastModified', { lastModified: '2020' }],
  ])('refuses a %s of another kind', async (name, options) => {
    await expect(ask({}, { options: options as never })).rejects.toThrow(new RegExp(`^${name} must be `));
  });
});

describe('the body', () => {
  test('is not read before it is consumed, or after the client left', async () => {
    const reads: number[] = [];
    const source: ByteSource = {
      size: 10_000_000,
      read: async (offset, length) => {
        reads.push(offset);
        return new Uint8Array(length);
      },
    };
    const response = await ask({}, { source });
    await new Promise(setImmediate);
    expect(reads).toEqual([]);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const count = reads.length;
    expect(count).toBeLessThan(6);
    await new Promise(setImmediate);
    expect(reads.length).toBe(count);
  });

  test('fails instead of ending if a read fails', async () => {
    const source: ByteSource = {
      size: 1_000_000,
      read: async (offset, length) => {
        if (offset > 500_000) throw new Error('the disk is gone');
        return new Uint8Array(length);
      },
    };
    await expect((await ask({}, { source })).arrayBuffer()).rejects.toThrow('the disk is gone');
  });
});
