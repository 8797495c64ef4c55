import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Partition } from '../../src/spec/generated/types.ts';
import { overlappingPartition } from '../../src/validate/overlap.ts';

const partition = fc.record<Partition>(
  { startMiB: fc.integer({ min: -2, max: 12 }), sizeMiB: fc.integer({ min: -6, max: 6 }) },
  { requiredKeys: [] },
);

/** The literal rule: compares every partition with every other, in order. */
function byPairs(partitions: readonly Partition[]): number | undefined {
  const extents = partitions.flatMap(({ startMiB, sizeMiB }, index) => {
    if (startMiB === undefined || sizeMiB === undefined || startMiB === 0) return [];
    const first = Number(startMiB);
    return [{ index, first, last: sizeMiB === 0 ? first : first + Number(sizeMiB) - 1 }];
  });
  for (const one of extents) {
    for (const other of extents) {
      if (one === other) continue;
      const startsInside = one.first >= other.first && one.first <= other.last;
      const endsInside = one.last >= other.first && one.last <= other.last;
      if (startsInside || endsInside || (one.first < other.first && one.last > other.last)) return other.index;
    }
  }
  return undefined;
}

test('finds the same by sorting as by comparing every pair', () => {
  fc.assert(
    fc.property(fc.array(partition, { maxLength: 8 }), (partitions) => {
      expect(overlappingPartition(partitions)).toBe(byPairs(partitions));
    }),
    { numRuns: 3000 },
  );
});

test('wraps ends beyond 64 bits, as the real tool does', () => {
  const wrapped = { startMiB: 9223372036854775807n, sizeMiB: -9223372036854775808n };
  expect(overlappingPartition([{ startMiB: -2, sizeMiB: 2 }, wrapped, { startMiB: 1, sizeMiB: 8 }])).toBe(1);
  expect(
    overlappingPartition([
      { startMiB: 1, sizeMiB: 1 },
      { startMiB: 9223372036854775807n, sizeMiB: 3 },
    ]),
  ).toBe(1);
});
