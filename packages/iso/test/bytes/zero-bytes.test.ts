import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstNonZero, lastNonZero } from '../../src/bytes/zero-bytes.ts';

test.each([0, 1, 3, 16 * 1024, 50_000])('finds no byte in %d zeros', (length) => {
  expect([firstNonZero(new Uint8Array(length)), lastNonZero(new Uint8Array(length))]).toEqual([-1, -1]);
});

test('finds any byte, at every place and alignment', () => {
  const scene = fc.record({
    skip: fc.nat(8),
    length: fc.integer({ min: 1, max: 40_000 }),
    values: fc.array(fc.tuple(fc.nat(39_999), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(scene, ({ skip, length, values }) => {
      const bytes = new Uint8Array(skip + length).fill(0xff, 0, skip).subarray(skip);
      for (const [at, value] of values) bytes[at % length] = value;
      const places = values.map(([at]) => at % length);
      expect([firstNonZero(bytes), lastNonZero(bytes)]).toEqual([Math.min(...places), Math.max(...places)]);
    }),
  );
});
