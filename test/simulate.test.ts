// Tests the simulator: seeds repeat their runs, and broken products are detected.
import { expect, test } from 'vitest';
import { compile, type Sabotage } from './simulate/compile.ts';
import type { Files, Wait } from './simulate/products.ts';
import { productOf } from './simulate/sandbox.ts';
import type { Scenario } from './simulate/scenario.ts';
import { editsScenario } from './simulate/scenarios/edits.ts';
import { waitScenario } from './simulate/scenarios/wait.ts';
import { loadScenarios } from './simulate/scenarios.ts';
import { shrink } from './simulate/shrink.ts';

const SCENARIOS = await loadScenarios();

test.each(SCENARIOS)('$name holds for a few seeds, and each has faults', async ({ name, run }) => {
  // Runs with hours of a cluster or an installation, or megabytes in a store, take longer.
  for (let seed = 1; seed <= (['store', 'wait', 'watch'].includes(name) ? 3 : 20); seed++) {
    const { calls, faults } = await run({ seed });
    expect(calls).toBeGreaterThanOrEqual(50);
    expect(faults).toBeGreaterThan(0);
  }
});

test.each(SCENARIOS)('$name repeats its run for the same seed', async ({ run }) => {
  const told = async (): Promise<string[]> => {
    const lines: string[] = [];
    await run({ seed: 4711, trace: (line) => lines.push(line) });
    return lines;
  };
  expect(await told()).toEqual(await told());
});

/** Changes one place of the product, which must exist. */
function without(file: string, what: string, instead = ''): Sabotage {
  return (path, code) => {
    if (!path.endsWith(file)) return code;
    const changed = code.replace(what, instead);
    if (changed === code) throw new Error(`${file} has no ${what}`);
    return changed;
  };
}

/** The first seed with a broken run. */
async function brokenAt({ run }: Scenario, seeds: number): Promise<number | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    try {
      await run({ seed });
    } catch {
      return seed;
    }
  }
  return undefined;
}

test.each([
  ['does not sync its journal', without('node/journal.ts', 'await this.#file.sync();')],
  [
    'gives its journal a name that is not synced',
    without('node/io.ts', 'return files.syncDirectory(dirname(path))', 'return'),
  ],
  ['does not sync the image', without('node/patch-in-place.ts', 'await opened.file.sync();')],
  ['writes before the journal counts', without('node/patch-in-place.ts', 'await draft.arm(file.path);')],
  [
    'does not look whether the image has changed',
    without('node/patch-in-place.ts', 'await checkUnchanged(file, opened);\n    await refuse', 'await refuse'),
  ],
  [
    'restores what another is writing',
    without('node/recover.ts', 'refuseUnlessGone(image, journal.writer, authority);'),
  ],
])('detects a product that %s', async (_, sabotage) => {
  const files = productOf<Files>(await compile('files', sabotage), 'files');
  expect(await brokenAt(editsScenario(files), 1500)).toBeDefined();
});

test.each([
  [
    'gives up at the first lost answer',
    without('wait/install.ts', 'if (!mayPass || this.#watch.elapsed >= end) return answer;', 'return answer;'),
  ],
  [
    'tells the last event alone',
    without('service/status.ts', 'for (const event of events) {', 'for (const event of events.slice(-1)) {'),
  ],
  [
    'tells events again after an answer that is cut off',
    without('service/status.ts', 'if (this.#toldEvents.has(key)) continue;'),
  ],
])('detects a wait that %s', async (_, sabotage) => {
  const wait = productOf<Wait>(await compile('wait', sabotage), 'wait');
  expect(await brokenAt(waitScenario(wait), 60)).toBeDefined();
});

test('repeats a broken run with only the necessary faults', async () => {
  const unsynced = await compile('files', without('node/patch-in-place.ts', 'await opened.file.sync();'));
  const scenario = editsScenario(productOf<Files>(unsynced, 'files'));
  const seed = (await brokenAt(scenario, 1500)) ?? 0;
  /** The faults of the broken run; undefined if the run holds. */
  const faultsWithout = async (spared: ReadonlySet<number>): Promise<number[] | undefined> => {
    const faults: number[] = [];
    const trace = (line: string) => {
      if (line.startsWith('fault ')) faults.push(Number(line.slice(6)));
    };
    const end = await scenario.run({ seed, without: spared, trace }).catch((error: unknown) => error);
    return end instanceof Error ? faults : undefined;
  };
  const spared = await shrink(scenario, seed);
  const left = (await faultsWithout(spared)) ?? [];
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan((await faultsWithout(new Set()))?.length ?? 0);
  for (const fault of left) expect(await faultsWithout(new Set([...spared, fault]))).toBeUndefined();
});
