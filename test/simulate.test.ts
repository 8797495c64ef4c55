// The simulator itself: seeds repeat, and a product that does not keep its promises is found out.
import { expect, test } from 'vitest';
import { compile, type Sabotage } from './simulate/compile.ts';
import type { Files } from './simulate/products.ts';
import { productOf } from './simulate/sandbox.ts';
import type { Scenario } from './simulate/scenario.ts';
import { editsScenario } from './simulate/scenarios/edits.ts';
import { loadScenarios } from './simulate/scenarios.ts';

const SCENARIOS = await loadScenarios();

test.each(SCENARIOS)('$name holds for a few seeds, and each has its fault', async ({ name, run }) => {
  // Stories of hours with a cluster, and of megabytes in a store, take longer.
  for (let seed = 1; seed <= (['store', 'watch'].includes(name) ? 3 : 20); seed++) {
    const { calls, faults } = await run({ seed });
    expect(calls).toBeGreaterThanOrEqual(50);
    expect(faults).toBeGreaterThan(0);
  }
});

test.each(SCENARIOS)('$name does the same again with the same seed', async ({ run }) => {
  const told = async (): Promise<string[]> => {
    const lines: string[] = [];
    await run({ seed: 4711, trace: (line) => lines.push(line) });
    return lines;
  };
  expect(await told()).toEqual(await told());
});

/** Changes one place of the product, which has to be there. */
function without(file: string, what: string, instead = ''): Sabotage {
  return (path, code) => {
    if (!path.endsWith(file)) return code;
    const changed = code.replace(what, instead);
    if (changed === code) throw new Error(`${file} has no ${what}`);
    return changed;
  };
}

/** The first seed whose run breaks. */
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
])('a product that %s is found out', async (_, sabotage) => {
  const files = productOf<Files>(await compile('files', sabotage), 'files');
  expect(await brokenAt(editsScenario(files), 1500)).toBeDefined();
});
