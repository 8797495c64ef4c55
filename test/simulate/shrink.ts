// Repeats a broken run without the faults that it does not need.
import type { Scenario } from './scenario.ts';

/** The most runs to find a shorter one. */
const MOST_STORIES = 300;

/**
 * The smallest set of faults that still breaks the run of a seed: leaves out halves first, then fewer and fewer, then
 * single ones.
 */
export async function shrink(
  { run }: Scenario,
  seed: number,
  without: ReadonlySet<number> = new Set(),
): Promise<ReadonlySet<number>> {
  let spared = without;
  let stories = 0;
  /** The numbers of the faults of a broken run; undefined if it holds. */
  const broken = async (less: ReadonlySet<number>): Promise<number[] | undefined> => {
    stories++;
    const faults: number[] = [];
    const trace = (line: string) => {
      const fault = /^fault (\d+)$/.exec(line)?.[1];
      if (fault !== undefined) faults.push(Number(fault));
    };
    try {
      await run({ seed, without: less, trace });
      return undefined;
    } catch {
      return faults;
    }
  };
  let left = (await broken(spared)) ?? [];
  for (let size = Math.ceil(left.length / 2); size > 0; ) {
    const before = spared;
    for (let at = 0; at < left.length && stories < MOST_STORIES; ) {
      const less = new Set([...spared, ...left.slice(at, at + size)]);
      const still = await broken(less);
      if (still === undefined) {
        at += size;
        continue;
      }
      // Without a fault the run takes another path, with other faults after it.
      spared = less;
      left = still;
    }
    // A fault that was needed may no longer be.
    if (size === 1 && (spared === before || stories >= MOST_STORIES)) break;
    size = Math.ceil(size / 2);
  }
  return spared;
}
