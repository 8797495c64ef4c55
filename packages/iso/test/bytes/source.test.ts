import { expect, test } from 'vitest';
import { type ByteSource, blobSource, bytesSource, zeros } from '../../src/bytes/source.ts';

test.each([-1, 1.5, Number.NaN, 2 ** 53])('a run of %d zeros is refused', (length) => {
  expect(() => zeros(length)).toThrow(RangeError);
});

const SOURCES: readonly [string, ByteSource][] = [
  ['bytes', bytesSource(new Uint8Array(10))],
  ['a Blob', blobSource(new Blob([new Uint8Array(10)]))],
  ['zeros', zeros(10)],
];

test.each(SOURCES)('%s are read up to the last one, and not past it', async (_, source) => {
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
