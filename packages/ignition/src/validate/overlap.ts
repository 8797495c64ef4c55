import type { Integer, Partition } from '../spec/generated/types.ts';
import { isZero } from '../spec/values.ts';

/** First and last MiB of a partition. A negative size gives a `last` before `first`, which no rule forbids. */
interface Extent {
  readonly index: number;
  readonly first: Integer;
  readonly last: Integer;
}

/**
 * Finds the first partition that overlaps another, and returns the first one that it overlaps, which the rule names. Sorting
 * takes n log n; comparing every pair would take minutes for a config of 5 MB.
 */
export function overlappingPartition(partitions: readonly Partition[]): number | undefined {
  const extents = partitions.flatMap(extentOf);
  const culprit = extents.find(overlapFinder(extents));
  return culprit && extents.find((other) => other !== culprit && overlaps(culprit, other))?.index;
}

function extentOf({ startMiB: first, sizeMiB: size }: Partition, index: number): Extent[] {
  if (first === undefined || size === undefined || isZero(first)) return [];
  if (isZero(size)) return [{ index, first, last: first }];
  const last = BigInt(first) + BigInt(size) - 1n;
  const short = Number(last);
  // Sums beyond 64 bits wrap around.
  return [{ index, first, last: Number.isSafeInteger(short) ? short : BigInt.asIntN(64, last) }];
}

function overlaps(one: Extent, other: Extent): boolean {
  const startsInside = one.first >= other.first && one.first <= other.last;
  const endsInside = one.last >= other.first && one.last <= other.last;
  return startsInside || endsInside || (one.first < other.first && one.last > other.last);
}

function overlapFinder(extents: readonly Extent[]): (extent: Extent) => boolean {
  const sorted = [...extents].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const upright = sorted.filter(({ first, last }) => first <= last);
  const inverted = sorted.filter(({ first, last }) => first > last);
  const place = new Map(upright.map((extent, index) => [extent, index]));
  const reach = accumulate(upright, (a, b) => a > b);
  const lowest = accumulate(inverted.toReversed(), (a, b) => a < b).reverse();

  const covered = (point: Integer) => {
    const before = countWhile(upright, ({ first }) => first <= point);
    const last = reach[before - 1];
    return last !== undefined && last >= point;
  };
  return (extent) => {
    const { first, last } = extent;
    // Only an inverted extent can be strictly between two ends without containing either.
    const spanned = lowest[countWhile(inverted, (other) => other.first <= first)];
    if (spanned !== undefined && last > spanned) return true;
    const index = place.get(extent);
    if (index === undefined) return covered(first) || covered(last);
    const earlier = reach[index - 1];
    const next = upright[index + 1];
    return (earlier !== undefined && earlier >= first) || (next !== undefined && next.first <= last);
  };
}

/** The running maximum or minimum of the last MiBs. */
function accumulate(extents: readonly Extent[], better: (a: Integer, b: Integer) => boolean): Integer[] {
  const extremes: Integer[] = [];
  for (const { last } of extents) {
    const before = extremes.at(-1);
    extremes.push(before !== undefined && better(before, last) ? before : last);
  }
  return extremes;
}

/** The number of leading items that satisfy a condition. All items after the first failing one have to fail too. */
function countWhile<T>(items: readonly T[], condition: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && condition(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
