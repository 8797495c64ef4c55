import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasPeer } from '../../../../test/support/peer.ts';
import { differences } from '../recorded/compare.ts';
import { readRecording } from '../recorded/read-recording.ts';
import { runCase } from '../recorded/run-case.ts';
import { coreiso, scratchFolder } from '../support.ts';

/** Recorded by `scripts/record.mjs`. */
const names = readdirSync(new URL('../goldens', import.meta.url)).sort();

/** Recipes are always xz, and one archive fits into its area only as xz. */
const needsXz = (name: string, id: string): boolean => name === 'pack.json' || id === 'ignition-fits-as-xz-alone';

describe.each(names)('what coreos-installer did with our sample images, %s', (name) => {
  for (const recorded of readRecording(name).cases) {
    const skipped = !hasPeer && needsXz(name, recorded.id);
    test.skipIf(skipped)(`${recorded.id}${skipped ? ' (skipped: needs node-liblzma)' : ''}`, async () => {
      const found: string[] = [];
      await runCase(coreiso, recorded, scratchFolder(), ({ expect: expected }, result, index) =>
        found.push(...differences(expected, result, 'meaning').map((difference) => `step ${index}: ${difference}`)),
      );
      expect(found).toEqual([]);
    });
  }
});
