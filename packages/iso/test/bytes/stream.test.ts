import { expect, test } from 'vitest';
import { type ByteSource, bytesSource, CHUNK_SIZE, type Progress } from '../../src/bytes/source.ts';
import { toReadableStream } from '../../src/bytes/stream.ts';

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
])('%s streams byte for byte', async (_, start, end) => {
  const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
  const response = new Response(toReadableStream(bytesSource(pattern), range));
  expect(Buffer.from(await response.arrayBuffer()).equals(pattern.subarray(start, end))).toBe(true);
});

test('progress grows to the length of the range', async () => {
  const seen: Progress[] = [];
  const stream = toReadableStream(bytesSource(pattern), { start: 5, onProgress: (progress) => seen.push(progress) });
  await new Response(stream).arrayBuffer();
  const total = 2 * CHUNK_SIZE;
  expect(seen).toEqual([
    { done: CHUNK_SIZE, total },
    { done: total, total },
  ]);
});

test('a slow consumer is not read ahead of by more than a chunk', async () => {
  const source = counted();
  const reader = toReadableStream(source).getReader();
  await reader.read();
  await new Promise((resolve) => setImmediate(resolve));
  expect(source.reads).toBeLessThanOrEqual(2);
  await reader.cancel();
});

test('an abort ends the stream with its reason, even while a read hangs', async () => {
  const abort = new AbortController();
  const reading = toReadableStream(stuck, { signal: abort.signal }).getReader().read();
  const reason = new Error('enough');
  abort.abort(reason);
  await expect(reading).rejects.toBe(reason);
});

test('an abort between two chunks stops the reading', async () => {
  const abort = new AbortController();
  const source = counted();
  const reader = toReadableStream(source, { signal: abort.signal }).getReader();
  await reader.read();
  abort.abort();
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(source.reads).toBeLessThanOrEqual(2);
});

test('cancelling aborts the read under way', async () => {
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

test('a failing read fails the stream with that very error', async () => {
  const failure = new Error('disk on fire');
  const stream = toReadableStream({ size: 1, read: () => Promise.reject(failure) });
  await expect(stream.getReader().read()).rejects.toBe(failure);
});

test('a range outside the source is refused at once', () => {
  expect(() => toReadableStream(bytesSource(pattern), { end: pattern.length + 1 })).toThrow(
    expect.objectContaining({ code: 'ISO_SHORT_READ' }),
  );
});
