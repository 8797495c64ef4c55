// The three ways to pass on the bytes of a source, and their waiting.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compose, slice } from '../../src/bytes/compose.ts';
import { type ByteSource, bytesSource } from '../../src/bytes/source.ts';
import { acquireBuffer, releaseBuffer } from '../../src/node/buffers.ts';
import { eachChunk, eachChunkAhead, eachPiece, withChunk } from '../../src/node/chunks.ts';
import { fileSource } from '../../src/node/file-source.ts';
import { temporaryDirectory } from './support/directory.ts';
import { pattern } from './support/images.ts';

const CHUNK = 131_072;
const PIECE = 1_048_576;

type Each = typeof eachChunkAhead;
const WAYS: readonly (readonly [name: string, each: Each, length: number])[] = [
  ['eachChunk', eachChunk, CHUNK],
  ['eachChunkAhead', eachChunkAhead, CHUNK],
  ['eachPiece', eachPiece, PIECE],
];

/** A source that answers asynchronously. */
function remote(bytes: Uint8Array): ByteSource {
  const memory = bytesSource(bytes);
  return {
    size: bytes.length,
    async read(offset, length, signal) {
      await new Promise(setImmediate);
      return memory.read(offset, length, signal);
    },
  };
}

async function received(each: Each, source: ByteSource): Promise<{ bytes: Buffer; lengths: number[] }> {
  const parts: Uint8Array[] = [];
  let position = 0;
  await each(source, undefined, async (chunk, offset) => {
    expect(offset).toBe(position);
    position += chunk.length;
    await new Promise(setImmediate);
    parts.push(chunk.slice());
  });
  return { bytes: Buffer.concat(parts), lengths: parts.map(({ length }) => length) };
}

describe.each(WAYS)('%s', (_, each, length) => {
  test.each([0, 1, length - 1, length, length + 1, 3 * length + 5])('passes on %d bytes in parts', async (size) => {
    const bytes = pattern(size);
    const expected = Array.from({ length: Math.ceil(size / length) }, (__, part) =>
      Math.min(length, size - part * length),
    );
    for (const source of [bytesSource(bytes), remote(bytes)]) {
      const { bytes: came, lengths } = await received(each, source);
      expect(lengths).toEqual(expected);
      expect(Buffer.compare(came, bytes)).toBe(0);
    }
  });

  test('passes on files, memory and remote bytes, across their borders', async () => {
    const path = join(await temporaryDirectory(), 'a.iso');
    const bytes = pattern(2 * PIECE);
    await writeFile(path, bytes);
    await using file = await fileSource(path);
    const source = compose([
      slice(file, 5, 100_000),
      bytes.subarray(7, 50_007),
      slice(remote(bytes), 3, PIECE),
      slice(file, PIECE, PIECE),
      bytes.subarray(0, 3),
    ]);
    const expected = Buffer.concat([
      bytes.subarray(5, 100_005),
      bytes.subarray(7, 50_007),
      bytes.subarray(3, PIECE + 3),
      bytes.subarray(PIECE),
      bytes.subarray(0, 3),
    ]);
    expect(Buffer.compare((await received(each, source)).bytes, expected)).toBe(0);
  });

  test('ends when its signal aborts, before the next part', async () => {
    const abort = new AbortController();
    const seen: number[] = [];
    const passing = each(bytesSource(new Uint8Array(4 * length)), abort.signal, async (__, offset) => {
      seen.push(offset);
      if (offset === length) abort.abort(new Error('enough'));
    });
    await expect(passing).rejects.toThrow('enough');
    expect(seen).toEqual([0, length]);
  });

  test('stops after a part that could not be used, and reports the reason', async () => {
    const seen: number[] = [];
    const passing = each(bytesSource(new Uint8Array(4 * length)), undefined, async (__, offset) => {
      seen.push(offset);
      if (offset === length) throw new Error('full');
    });
    await expect(passing).rejects.toThrow('full');
    expect(seen).toEqual([0, length]);
  });

  test('reports a failed read', async () => {
    const failing: ByteSource = {
      size: 3 * length,
      async read(offset, count) {
        if (offset >= 2 * length) throw new Error('unreadable');
        return new Uint8Array(count);
      },
    };
    const seen: number[] = [];
    const passing = each(failing, undefined, async (__, offset) => void seen.push(offset));
    await expect(passing).rejects.toThrow('unreadable');
    expect(seen).toEqual([0, length]);
  });
});

test('gives other work a turn in eachChunk, even without waiting', async () => {
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await new Promise(setImmediate);
      turns++;
    }
  })();
  await eachChunk(bytesSource(new Uint8Array(100 * CHUNK)), undefined, () => undefined);
  const during = turns;
  isOver = true;
  await others;
  // A turn after every 32 chunks.
  expect(during).toBeGreaterThanOrEqual(2);
  expect(during).toBeLessThanOrEqual(4);
});

test.each([0, 1, 65_535, 65_536, 65_537, CHUNK])('passes on %d bytes as one chunk in withChunk', async (size) => {
  const bytes = pattern(size);
  for (const source of [bytesSource(bytes), remote(bytes)]) {
    let came: Uint8Array | undefined;
    await withChunk(source, undefined, async (chunk) => {
      came = chunk.slice();
    });
    expect(Buffer.compare(came ?? Buffer.from('none'), bytes)).toBe(0);
  }
});

describe('buffers', () => {
  test.each([
    [0, 65_536],
    [65_536, 65_536],
    [65_537, 131_072],
    [131_072, 131_072],
    [10_000_000, 131_072],
  ])('for %d bytes have %d', (length, size) => {
    expect(acquireBuffer(length).length).toBe(size);
  });

  test('that are released are reused, the last first, and at most 64 are kept', () => {
    const taken = Array.from({ length: 200 }, () => acquireBuffer(CHUNK));
    for (const buffer of taken) releaseBuffer(buffer);
    const again = Array.from({ length: 70 }, () => acquireBuffer(CHUNK));
    const kept = again.map((buffer) => taken.indexOf(buffer)).filter((index) => index >= 0);
    expect(kept).toEqual(Array.from({ length: 64 }, (_, index) => 63 - index));
  });

  test('of another size are not kept', () => {
    const odd = new Uint8Array(1000);
    releaseBuffer(odd);
    expect([acquireBuffer(1000), acquireBuffer(CHUNK)].some((buffer) => buffer === odd)).toBe(false);
  });
});
