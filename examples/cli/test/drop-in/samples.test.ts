import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasPeer } from '../../../../test/support/peer.ts';
import { differences } from '../recorded/compare.ts';
import { readRecording } from '../recorded/read-recording.ts';
import { runCase } from '../recorded/run-case.ts';
import { coreiso, scratchFolder } from '../support.ts';

/** Recorded by `scripts/record.mjs`. */
const names = readdirSync(new URL('../goldens/', import.meta.url)).sort();

describe.each(names)('what coreos-installer did with our sample images, %s', (name) => {
  const needsXz = name === 'pack.json';
  const note = needsXz && !hasPeer ? ' (skipped: needs node-liblzma)' : '';
  test.skipIf(note !== '').each(readRecording(name).cases.map((recorded) => [recorded.id, recorded] as const))(
    `%s${note}`,
    async (_, recorded) => {
      const found: string[] = [];
      await runCase(coreiso, recorded, scratchFolder(), ({ expect: expected }, result, index) =>
        found.push(...differences(expected, result, 'meaning').map((difference) => `step ${index}: ${difference}`)),
      );
      expect(found).toEqual([]);
    },
  );
});
