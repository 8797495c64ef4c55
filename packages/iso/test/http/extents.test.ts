// Which bytes of a remote file are requested, and which are requested again.
import { type ByteSource, bytesSource } from '@coreiso/iso';
import { entityTag, type Fetch, httpSource } from '@coreiso/iso/http';
import { describe, expect, test } from 'vitest';
import { noise } from './servers.ts';

const ADDRESS = 'http://mirror.test/live.iso';
const MIB = 1024 * 1024;

/** Longer than a request, and of prime length, so that its repetitions align with nothing. */
const PERIOD = noise(1_300_021);

/** A file of any size whose bytes show their positions. */
function large(size: number): ByteSource {
  return {
    size,
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const from = (offset + done) % PERIOD.length;
        const part = PERIOD.subarray(from, from + length - done);
        bytes.set(part, done);
        done += part.length;
      }
      return bytes;
    },
  };
}

/** A server of a file, and the ranges requested since the last call of `taken`. */
function server(file: ByteSource): { fetch: Fetch; taken: () => string[] } {
  let asked: string[] = [];
  return {
    taken() {
      const taken = asked;
      asked = [];
      return taken;
    },
    async fetch(_, { headers }) {
      const range = new Headers(headers).get('range') ?? '';
      const [first = 0, last = 0] = range.match(/\d+/g)?.map(Number) ?? [];
      const end = Math.min(last + 1, file.size);
      asked.push(`${first}-${last}`);
      return new Response(new Uint8Array(await file.read(first, end - first)), {
        status: 206,
        headers: { etag: '"v1"', 'content-range': `bytes ${first}-${end - 1}/${file.size}` },
      });
    },
  };
}

const BYTES = noise(12_000_000);

test('requests descriptors and directories when opening', async () => {
  const mirror = server(bytesSource(BYTES));
  await httpSource(ADDRESS, mirror);
  expect(mirror.taken()).toEqual(['32768-73727']);
});

describe('a read', () => {
  // A sector has 2048 bytes, a window has 10 KiB and begins 6 KiB before the sector, and a request has at most 1 MiB.
  test.each<[string, readonly (readonly [offset: number, length: number])[], readonly string[]]>([
    ['of the beginning asks for nothing', [[65_000, 536]], []],
    ['of nothing asks for nothing', [[5_000_001, 0]], []],
    ['of a little asks for a window around its sector', [[5_000_001, 10]], ['4993024-5003263']],
    ['of 8 KiB less a byte is of a little', [[90_000, 8191]], ['81920-98190']],
    ['of 8 KiB asks for just that', [[90_000, 8192]], ['90000-98191']],
    ['of a sector itself does so, too', [[79_872, 1]], ['73728-83967']],
    ['at the end ends there', [[11_999_995, 5]], ['11993088-11999999']],
    [
      'of more than a request is several',
      [[3_000_000, 2_500_000]],
      ['3000000-4048575', '4048576-5097151', '5097152-5499999'],
    ],
    ['of as much as a request is one', [[3_000_000, MIB]], ['3000000-4048575']],
    [
      'begins no earlier than what is there ends',
      [
        [100_000, 9000],
        [109_100, 10],
      ],
      ['100000-108999', '109000-119239'],
    ],
    [
      'ends no later than what is there begins',
      [
        [200_000, 9000],
        [199_990, 20],
      ],
      ['200000-208999', '192512-199999'],
    ],
    [
      'fills what is missing in between',
      [
        [200_000, 9000],
        [220_000, 9000],
        [205_000, 20_000],
      ],
      ['200000-208999', '220000-228999', '209000-219999'],
    ],
    [
      'of what is there asks for nothing',
      [
        [200_000, 9000],
        [209_000, 9000],
        [203_000, 12_000],
      ],
      ['200000-208999', '209000-217999'],
    ],
    ['that goes on from the beginning asks for the rest', [[70_000, 10_000]], ['73728-83967']],
  ])('%s', async (_, reads, expected) => {
    const mirror = server(bytesSource(BYTES));
    const source = await httpSource(ADDRESS, mirror);
    mirror.taken();
    for (const [offset, length] of reads) {
      const bytes = await source.read(offset, length);
      expect(Buffer.compare(bytes, BYTES.subarray(offset, offset + length))).toBe(0);
    }
    expect(mirror.taken()).toEqual(expected);
  });

  test('of the same range sends one request, even before the answer has come', async () => {
    const mirror = server(bytesSource(BYTES));
    const source = await httpSource(ADDRESS, mirror);
    mirror.taken();
    const reads = [source.read(5_000_000, 100_000), source.read(5_000_000, 100_000), source.read(5_050_000, 10)];
    expect((await Promise.all(reads)).map(({ length }) => length)).toEqual([100_000, 100_000, 10]);
    expect(mirror.taken()).toEqual(['5000000-5099999']);
  });
});

describe('sequential reads', () => {
  const STEP = 65_536;

  test('request only what they need up to half a MiB, and then prefetch 4 MiB, half of it at a time', async () => {
    const mirror = server(large(40 * MIB));
    const source = await httpSource(ADDRESS, mirror);
    mirror.taken();
    const start = 10 * MIB;
    const asked: string[][] = [];
    for (let count = 0; count < 100; count++) {
      const offset = start + count * STEP;
      const bytes = await source.read(offset, STEP);
      expect(Buffer.compare(bytes, await large(40 * MIB).read(offset, STEP))).toBe(0);
      asked.push(mirror.taken());
    }
    const range = (from: number, to: number): string => `${start + from}-${start + to - 1}`;
    // The first is not sequential; the ninth comes after half a MiB.
    for (let count = 0; count < 8; count++) {
      expect(asked[count]).toEqual([range(count * STEP, (count + 1) * STEP)]);
    }
    const ninth = 9 * STEP;
    expect(asked[8]).toEqual([
      range(8 * STEP, ninth),
      ...[0, 1, 2, 3].map((part) => range(ninth + part * MIB, ninth + (part + 1) * MIB)),
    ]);
    // The 32nd read from there uses up half of it.
    const next = asked.findIndex((ranges, index) => index > 8 && ranges.length > 0);
    expect(next).toBe(8 + 32);
    expect(asked[next]).toEqual([range(ninth + 4 * MIB, ninth + 5 * MIB), range(ninth + 5 * MIB, ninth + 6 * MIB)]);
  });

  test('request nothing after the end', async () => {
    const mirror = server(large(2 * MIB + 5));
    const source = await httpSource(ADDRESS, mirror);
    for (let offset = 0; offset < source.size; offset += STEP) {
      await source.read(offset, Math.min(STEP, source.size - offset));
    }
    const ends = mirror.taken().map((range) => Number(range.split('-')[1]) + 1);
    expect(Math.max(...ends)).toBe(2 * MIB + 5);
  });

  test('with a gap between them are not prefetched', async () => {
    const mirror = server(large(40 * MIB));
    const source = await httpSource(ADDRESS, mirror);
    mirror.taken();
    for (let count = 0; count < 30; count++) await source.read(MIB + count * (STEP + 1), STEP);
    expect(mirror.taken()).toHaveLength(30);
  });
});

describe('the cache', () => {
  const place = (index: number): number => (2 * index + 1) * MIB;
  const readAt = async (source: ByteSource, index: number): Promise<void> => {
    await source.read(place(index), MIB);
  };

  test('keeps the last 16 MiB, and longer what is used again', async () => {
    const mirror = server(large(80 * MIB));
    const source = await httpSource(ADDRESS, mirror);
    for (let index = 0; index < 15; index++) await readAt(source, index);
    mirror.taken();
    // Together with the beginning, these are 15 MiB and 40 KiB.
    for (let index = 0; index < 15; index++) await readAt(source, index);
    await source.read(40_000, 10);
    expect(mirror.taken()).toEqual([]);
    await readAt(source, 0);
    await readAt(source, 15);
    // That exceeds the limit: only the least recently used one is dropped.
    mirror.taken();
    for (const index of [0, 2, 14, 15]) await readAt(source, index);
    await source.read(40_000, 10);
    expect(mirror.taken()).toEqual([]);
    await readAt(source, 1);
    expect(mirror.taken()).toEqual([`${place(1)}-${place(1) + MIB - 1}`]);
  });

  test('drops as many as necessary for a large one', async () => {
    const mirror = server(large(80 * MIB));
    const source = await httpSource(ADDRESS, mirror);
    for (let index = 0; index < 15; index++) await readAt(source, index);
    await source.read(60 * MIB, 5 * MIB);
    mirror.taken();
    for (const index of [14, 5, 4]) await readAt(source, index);
    expect(mirror.taken()).toEqual([]);
    for (const index of [0, 1, 2, 3]) await readAt(source, index);
    expect(mirror.taken()).toHaveLength(4);
  });
});

describe('a file', () => {
  const MODIFIED = 'Tue, 01 Jan 2030 00:00:10 GMT';

  /** A server that supports no ranges, or nothing else. */
  const plain = (status: 200 | 206, headers: Record<string, string>): Fetch => {
    const range = status === 206 ? { 'content-range': 'bytes 0-9/10' } : {};
    return async (_, asked) => {
      const isBeyond = status === 206 && !new Headers(asked.headers).get('range')?.startsWith('bytes=0-');
      if (isBeyond) return new Response(null, { status: 416, headers: { 'content-range': 'bytes */10' } });
      return new Response(BYTES.slice(0, 10), { status, headers: { ...range, ...headers } });
    };
  };

  test.each([206, 200] as const)('has the properties that its server reports: %d', async (status) => {
    const fetch = plain(status, { etag: '"x"', 'last-modified': MODIFIED, 'content-length': '10' });
    const source = await httpSource(ADDRESS, { fetch, whole: true });
    expect(source).toMatchObject({ size: 10, etag: '"x"', lastModified: new Date(MODIFIED), pieceSize: 1_048_576 });
    expect(Buffer.compare(await source.read(2, 5), BYTES.subarray(2, 7))).toBe(0);
    await expect(source.read(6, 5)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  });

  test('may have an invalid date or none', async () => {
    const source = await httpSource(ADDRESS, { fetch: plain(206, { etag: '"x"', 'last-modified': 'today' }) });
    expect(source.lastModified).toBeUndefined();
    const other = await httpSource(ADDRESS, { fetch: plain(206, { 'last-modified': MODIFIED }) });
    expect([other.etag, other.lastModified]).toEqual([undefined, new Date(MODIFIED)]);
  });

  test('that is fetched whole reports progress, and is identified by its bytes', async () => {
    const told: object[] = [];
    const options = { whole: true, onProgress: (progress: object) => told.push(progress) };
    const source = await httpSource(ADDRESS, { ...options, fetch: plain(200, { 'content-length': '10' }) });
    expect(told).toEqual([{ done: 10, total: 10 }]);
    const elsewhere = await httpSource('http://other.test/', { ...options, fetch: plain(200, {}) });
    expect(told.at(-1)).toEqual({ done: 10, total: 10 });
    expect(await entityTag(source)).toBe(await entityTag(elsewhere));
    expect(await entityTag(source)).toMatch(/^"[0-9a-f]{32}"$/);
  });

  test('that is read by ranges is identified by its address and version', async () => {
    const tag = async (address: string, headers: Record<string, string>): Promise<string | undefined> =>
      entityTag(await httpSource(address, { fetch: plain(206, headers) }));
    const first = await tag(ADDRESS, { etag: '"x"' });
    expect(first).toMatch(/^"[0-9a-f]{32}"$/);
    expect(await tag(`${ADDRESS}#part`, { etag: '"x"' })).toBe(first);
    expect(await tag(ADDRESS.replace('//', '//user:secret@'), { etag: '"x"' })).toBe(first);
    expect(await tag(ADDRESS, { etag: '"y"' })).not.toBe(first);
    expect(await tag(`${ADDRESS}?v=2`, { etag: '"x"' })).not.toBe(first);
    // A weak tag may stand for other bytes.
    expect(await tag(ADDRESS, { etag: 'W/"x"' })).toBeUndefined();
  });
});

test.each([
  [{ retries: 0, timeout: 1, parallel: 1 }, undefined],
  [{ timeout: 2 ** 31 - 1 }, undefined],
  [{ timeout: 2 ** 31 }, /^timeout must be .*, not 2147483648$/],
  [{ timeout: 0.5 }, /^timeout must be .*, not 0.5$/],
  [{ retries: 0.5 }, /^retries must be .*, not 0.5$/],
  [{ parallel: 0 }, /^parallel must be .*, not 0$/],
  [{ parallel: -1 }, /^parallel must be .*, not -1$/],
])('refuses numbers out of bounds: %j', async (options, message) => {
  const opening = httpSource(ADDRESS, { ...server(bytesSource(BYTES)), ...options });
  if (message === undefined) expect((await opening).size).toBe(12_000_000);
  else await expect(opening).rejects.toThrow(message);
});
