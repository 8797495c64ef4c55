import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { hasPeer } from '../../../../test/support/peer.ts';
import { differences } from '../recorded/compare.ts';
import type { Recording } from '../recorded/recording.ts';
import { runCase } from '../recorded/run-case.ts';
import { coreiso, scratchFolder } from '../support.ts';

const fixtures = process.env['COREISO_FIXTURES'];
const goldens = new Goldens(new URL('../../../../test/goldens/coreos-installer.json', import.meta.url));
const note = fixtures === undefined ? ' (skipped: COREISO_FIXTURES names no folder of images)' : '';

describe.skipIf(fixtures === undefined)(`what coreos-installer 0.27.0 did with real images${note}`, () => {
  describe.each(goldens.paths())('%s', (path) => {
    const why = path === 'pack.json' && !hasPeer ? ' (skipped: needs node-liblzma)' : '';
    const cases = goldens.json<Recording>(path).cases.map((recorded) => [recorded.id, recorded] as const);
    test.skipIf(why !== '').each(cases)(`%s${why}`, async (_, recorded) => {
      const found: string[] = [];
      await runCase(
        coreiso,
        recorded,
        scratchFolder(),
        ({ expect: expected }, result, index) =>
          found.push(...differences(expected, result, 'meaning').map((difference) => `step ${index}: ${difference}`)),
        fixtures,
      );
      expect(found).toEqual([]);
    });
  });
});
