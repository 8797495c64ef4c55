import { describe, expect, onTestFinished, test } from 'vitest';
import { compose, slice } from '../../src/bytes/compose.ts';
import { overlay } from '../../src/bytes/overlay.ts';
import { type ByteSource, blobSource, bytesSource, CHUNK_SIZE, type Progress, zeros } from '../../src/bytes/source.ts';
import { toBlob, toReadableStream } from '../../src/bytes/stream.ts';

const pattern = Uint8Array.from({ length: 2 * CHUNK_SIZE + 5 }, (_, index) => index % 251);

function counted(): ByteSource & { reads: number } {
  const source = bytesSource(pattern);
  return {
    size: source.size,
    reads: 0,
    read(offset, length, signal) {
      this.reads++;
      return source.read(offset, length, signal);
    },
  };
}

/** A source whose reads end only when they are aborted. */
const stuck: ByteSource = {
  size: 10,
  read: (_offset, _length, signal) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
};

test.each([
  ['everything', undefined, undefined],
  ['a range across chunks', 7, 2 * CHUNK_SIZE],
  ['one whole chunk', 0, CHUNK_SIZE],
  ['a single byte', 5, 6],
  ['nothing', 9, 9],
])('streams %s byte for byte', async (_, start, end) => {
  const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
  const response = new Response(toReadableStream(bytesSource(pattern), range));
  expect(Buffer.from(await response.arrayBuffer()).equals(pattern.subarray(start, end))).toBe(true);
});

test('reports progress up to the length of the range', async () => {
  const seen: Progress[] = [];
  const stream = toReadableStream(bytesSource(pattern), { start: 5, onProgress: (progress) => seen.push(progress) });
  await new Response(stream).arrayBuffer();
  const total = 2 * CHUNK_SIZE;
  expect(seen).toEqual([
    { done: CHUNK_SIZE, total },
    { done: total, total },
  ]);
});

test('reads only a few pieces ahead of a slow consumer', async () => {
  let reads = 0;
  const endless: ByteSource = {
    size: 1000 * CHUNK_SIZE,
    async read(_offset, length) {
      reads++;
      return new Uint8Array(length);
    },
  };
  const reader = toReadableStream(endless).getReader();
  await reader.read();
  await new Promise((resolve) => setImmediate(resolve));
  expect(reads).toBeGreaterThan(1);
  expect(reads).toBeLessThanOrEqual(6);
  await reader.cancel();
});

test('reads three pieces in parallel', async () => {
  const reads: [number, number][] = [];
  const source: ByteSource = {
    size: 10 * 131_072,
    read(offset, length, signal) {
      reads.push([offset, length]);
      return stuck.read(offset, length, signal);
    },
  };
  const stream = toReadableStream(source, { start: 5 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(reads).toEqual([0, 1, 2].map((piece) => [5 + piece * 131_072, 131_072]));
  await stream.cancel();
});

test('reports a failed read-ahead only when its piece is requested', async () => {
  const failure = new Error('disk on fire');
  const unhandled: unknown[] = [];
  const listener = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  const source: ByteSource = {
    size: 3 * 131_072,
    read: async (offset, length) => {
      if (offset > 0) throw failure;
      return new Uint8Array(length);
    },
  };
  const reader = toReadableStream(source).getReader();
  expect((await reader.read()).value).toHaveLength(131_072);
  await new Promise((resolve) => setImmediate(resolve));
  await expect(reader.read()).rejects.toBe(failure);
  expect(unhandled).toEqual([]);
});

test('reads a large patch in separate pieces', async () => {
  const lengths: number[] = [];
  const far: ByteSource = {
    size: 1_000_000,
    pieceSize: 400_000,
    async read(_, length) {
      lengths.push(length);
      return new Uint8Array(length);
    },
  };
  const chunks = async (patch: number): Promise<number[]> => {
    const source = compose([slice(far, 0, 500_000), new Uint8Array(patch), slice(far, 500_000, 500_000)]);
    const found: number[] = [];
    for await (const chunk of toReadableStream(source)) found.push(chunk.length);
    return found;
  };
  expect(await chunks(131_072)).toEqual([400_000, 400_000, 331_072]);
  expect(await chunks(131_073)).toEqual([400_000, 100_000, 131_072, 1, 400_000, 100_000]);
  expect(lengths).toHaveLength(8);
});

test('reads each source in its preferred pieces, and small patches together with their neighbours', async () => {
  const lengths: number[] = [];
  const logged = (size: number, pieceSize?: number): ByteSource => ({
    size,
    ...(pieceSize === undefined ? {} : { pieceSize }),
    async read(_offset, length) {
      lengths.push(length);
      return new Uint8Array(length);
    },
  });
  const far = logged(10_000_000, 4_000_000);
  await new Response(
    toReadableStream(compose([slice(far, 0, 5_000_000), new Uint8Array(10), slice(far, 5_000_000, 5_000_000)])),
  ).arrayBuffer();
  expect(lengths.sort((a, b) => b - a)).toEqual([4_000_000, 2_999_990, 2_000_010, 1_000_000]);
  lengths.length = 0;
  await new Response(toReadableStream(logged(3 * CHUNK_SIZE))).arrayBuffer();
  expect(lengths).toEqual([CHUNK_SIZE, CHUNK_SIZE, CHUNK_SIZE]);
});

test('ends with the reason of an abort, even while a read hangs', async () => {
  const abort = new AbortController();
  const reading = toReadableStream(stuck, { signal: abort.signal }).getReader().read();
  const reason = new Error('enough');
  abort.abort(reason);
  await expect(reading).rejects.toBe(reason);
});

test('ends on an abort, even if a read ignores it', async () => {
  const abort = new AbortController();
  let finish: (bytes: Uint8Array<ArrayBuffer>) => void = () => undefined;
  const deaf: ByteSource = { size: 3, read: () => new Promise((resolve) => (finish = resolve)) };
  const reading = toReadableStream(deaf, { signal: abort.signal }).getReader().read();
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort(new Error('enough'));
  finish(new Uint8Array(3));
  await expect(reading).rejects.toThrow('enough');
});

test('stops reading on an abort between two chunks', async () => {
  const abort = new AbortController();
  const source = counted();
  const reader = toReadableStream(source, { signal: abort.signal }).getReader();
  await reader.read();
  const before = source.reads;
  abort.abort();
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(source.reads).toBe(before);
});

test('aborts the current read when cancelled', async () => {
  let aborted: unknown;
  const source: ByteSource = {
    size: 10,
    read(offset, length, signal) {
      signal?.addEventListener('abort', () => (aborted = signal.reason));
      return stuck.read(offset, length, signal);
    },
  };
  const stream = toReadableStream(source);
  await new Promise((resolve) => setImmediate(resolve));
  await stream.cancel('gone');
  expect(aborted).toBe('gone');
});

test('fails with the very error of a failing read', async () => {
  const failure = new Error('disk on fire');
  const stream = toReadableStream({ size: 1, read: () => Promise.reject(failure) });
  await expect(stream.getReader().read()).rejects.toBe(failure);
});

test('refuses a range outside the source at once', () => {
  expect(() => toReadableStream(bytesSource(pattern), { end: pattern.length + 1 })).toThrow(
    expect.objectContaining({ code: 'ISO_SHORT_READ' }),
  );
});

describe('a Blob of a source', () => {
  const foreign: ByteSource = { size: 300, read: async (_offset, length) => new Uint8Array(length).fill(7) };

  test('has the same bytes for every kind of source', async () => {
    const source = overlay(
      compose([blobSource(new Blob([pattern])), zeros(300_001), foreign, bytesSource(pattern), slice(foreign, 5, 9)]),
      [{ offset: 100, bytes: Uint8Array.of(1, 2, 3) }],
      { keep: pattern.length + 300_200, tail: [zeros(5), slice(blobSource(new Blob([pattern])), 9, 70)] },
    );
    const blob = await toBlob(source);
    expect([blob.size, blob.type]).toEqual([source.size, 'application/octet-stream']);
    const expected = await source.read(0, source.size);
    expect(Buffer.from(await blob.arrayBuffer()).equals(expected)).toBe(true);
  });

  test('refers to the picked file instead of reading it', async () => {
    const slices: [number | undefined, number | undefined][] = [];
    const file = new (class extends Blob {
      override slice(start?: number, end?: number): Blob {
        slices.push([start, end]);
        return super.slice(start, end);
      }
      override arrayBuffer(): Promise<ArrayBuffer> {
        throw new Error('read');
      }
      override stream(): never {
        throw new Error('read');
      }
    })([pattern]);
    const patched = overlay(blobSource(file), [{ offset: 10, bytes: Uint8Array.of(1) }]);
    const blob = await toBlob(patched, { type: 'application/vnd.efi.iso' });
    expect([blob.size, blob.type]).toEqual([pattern.length, 'application/vnd.efi.iso']);
    expect(slices).toEqual([
      [0, 10],
      [11, pattern.length],
    ]);
  });

  test('reports progress after each read piece and each part', async () => {
    const seen: Progress[] = [];
    const source = compose([new Uint8Array(10), foreign, zeros(1000), blobSource(new Blob([pattern]))]);
    await toBlob(source, { onProgress: (progress) => seen.push(progress) });
    const total = 1310 + pattern.length;
    expect(seen).toEqual([10, 310, 310, 1310, total].map((done) => ({ done, total })));
  });

  test('reads in pieces', async () => {
    const reads: number[] = [];
    const source: ByteSource = {
      size: 300_000,
      async read(_, length) {
        reads.push(length);
        return new Uint8Array(length);
      },
    };
    await toBlob(source);
    expect(reads).toEqual([131_072, 131_072, 37_856]);
  });

  test.each([1, 131_071, 131_072, 131_073, 262_144])('of %d zeros has the right size', async (length) => {
    const bytes = new Uint8Array(await (await toBlob(zeros(length))).arrayBuffer());
    expect([bytes.length, bytes.every((byte) => byte === 0)]).toEqual([length, true]);
  });

  test('rejects if aborted beforehand, even for bytes in memory', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(toBlob(compose([pattern]), { signal })).rejects.toThrow('enough');
  });

  test('stops reading on an abort', async () => {
    const abort = new AbortController();
    const reading = toBlob(stuck, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });
});
