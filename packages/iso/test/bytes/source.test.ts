import { expect, test } from 'vitest';
import { identified, identityOf } from '../../src/bytes/identity.ts';
import {
  type ByteSource,
  blobBehind,
  blobSource,
  bytesBehind,
  bytesSource,
  isZeros,
  toHex,
  zeros,
} from '../../src/bytes/source.ts';

test.each([-1, 1.5, Number.NaN, 2 ** 53])('refuses a run of %d zeros', (length) => {
  expect(() => zeros(length)).toThrow(RangeError);
});

const SOURCES: readonly [string, ByteSource][] = [
  ['bytes', bytesSource(new Uint8Array(10))],
  ['a Blob', blobSource(new Blob([new Uint8Array(10)]))],
  ['zeros', zeros(10)],
];

test.each(SOURCES)('reads %s only up to the last one', async (_, source) => {
  expect(await source.read(3, 7)).toHaveLength(7);
  expect(await source.read(10, 0)).toHaveLength(0);
  for (const [offset, length] of [
    [3, 8],
    [11, 0],
    [0, 11],
  ] as const) {
    await expect(source.read(offset, length)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  }
  await expect(source.read(0, 1, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});

test.each([
  [3, 8, 'wanted 8 bytes at 3, got 7'],
  [10, 1, 'wanted 1 bytes at 10, got 0'],
  [12, 0, 'wanted 0 bytes at 12, got 0'],
])('reports the missing bytes of a read from %d of %d bytes', async (offset, length, message) => {
  for (const [, source] of SOURCES) {
    await expect(source.read(offset, length)).rejects.toMatchObject({ code: 'ISO_SHORT_READ', message, offset });
  }
});

test.each([
  [-1, 1, /^offset must be .*, not -1$/],
  [0.5, 1, /^offset must be .*, not 0.5$/],
  [0, -1, /^length must be .*, not -1$/],
  [0, Number.NaN, /^length must be .*, not NaN$/],
])('refuses a read from %d of %d bytes as misuse', async (offset, length, message) => {
  for (const [, source] of SOURCES) {
    await expect(source.read(offset, length)).rejects.toBeInstanceOf(RangeError);
    await expect(source.read(offset, length)).rejects.toThrow(message);
  }
});

test('reads a Blob in pieces of 8 MiB, and notices if it has shrunk', async () => {
  expect(blobSource(new Blob([])).pieceSize).toBe(8_388_608);
  const shrunk = new (class extends Blob {
    override slice(start?: number, end?: number): Blob {
      return super.slice(start, Math.min(end ?? 0, 7));
    }
  })([new Uint8Array(10)]);
  expect(await blobSource(shrunk).read(3, 4)).toHaveLength(4);
  await expect(blobSource(shrunk).read(3, 5)).rejects.toMatchObject({
    code: 'ISO_SHORT_READ',
    message: 'wanted 5 bytes at 3, got 4',
  });
});

test('tells the origin only of sources of that kind', () => {
  const bytes = new Uint8Array(3);
  const blob = new Blob([bytes]);
  const [memory, picked, nothing] = [bytesSource(bytes), blobSource(blob), zeros(3)];
  expect([memory, picked, nothing].map(bytesBehind)).toEqual([bytes, undefined, undefined]);
  expect([memory, picked, nothing].map(blobBehind)).toEqual([undefined, blob, undefined]);
  expect([memory, picked, nothing].map(isZeros)).toEqual([false, false, true]);
});

test('writes two digits per byte', () => {
  expect(toHex(Uint8Array.of(0, 9, 16, 0xab, 255))).toBe('000910abff');
});

test('gives a named source the same bytes and piece size', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const source: ByteSource = {
    size: 5,
    pieceSize: 2,
    async read(offset, length, signal) {
      signals.push(signal);
      return Uint8Array.from({ length }, (_, index) => offset + index);
    },
  };
  const named = identified(source, async () => 'name');
  const { signal } = new AbortController();
  expect([named.size, named.pieceSize, await named.read(1, 3, signal)]).toEqual([5, 2, Uint8Array.of(1, 2, 3)]);
  expect(signals).toEqual([signal]);
  expect(await identityOf(named)).toBe('name');
  expect(await identityOf(source)).toBeUndefined();
  expect(identified(bytesSource(new Uint8Array(1)), async () => 'name')).not.toHaveProperty('pieceSize');
});
