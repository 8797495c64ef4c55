import { expect, test } from 'vitest';
import { checkRegion, readRegion } from '../../src/bytes/region.ts';
import { bytesSource } from '../../src/bytes/source.ts';

const source = bytesSource(Uint8Array.of(1, 2, 3, 4));

test.each([
  [0, 4, [1, 2, 3, 4]],
  [3, 1, [4]],
  [4, 0, []],
])('reads all of a region from %i of %i bytes', async (offset, length, bytes) => {
  expect([...(await readRegion(source, { offset, length }))]).toEqual(bytes);
});

test.each([
  [0, 5],
  [4, 1],
  [5, 0],
  [Number.MAX_SAFE_INTEGER, 1],
])('refuses a region from %i of %i bytes without reading', (offset, length) => {
  expect(() => checkRegion(source, { offset, length })).toThrow(`reading ${length} bytes at ${offset}`);
});
