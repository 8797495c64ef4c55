// A story that breaks, told again without faults that it does not need.
import type { Scenario } from './scenario.ts';

/** Stories that are told at most to find a shorter one. */
const MOST_STORIES = 300;

/** Faults without which the story of a seed still breaks: halves of them first, then fewer and fewer, then one by one. */
export async function shrink(
  { run }: Scenario,
  seed: number,
  without: ReadonlySet<number> = new Set(),
): Promise<ReadonlySet<number>> {
  let spared = without;
  let stories = 0;
  /** The numbers of the faults of a story that broke; undefined where it did not. */
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
      // Without a fault the story goes another way, with other faults behind it.
      spared = less;
      left = still;
    }
    // One that was needed may be so no longer.
    if (size === 1 && (spared === before || stories >= MOST_STORIES)) break;
    size = Math.ceil(size / 2);
  }
  return spared;
}
