import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import type { Verdict } from '../../../../test/support/replay.ts';
import { replayNodeIgnition } from '../replay/node-ignition.ts';

describe('images that add nodes through the service match the recordings', async () => {
  const verdicts: Verdict[] = [];
  for await (const verdict of replayNodeIgnition(
    new Goldens(new URL('../goldens/node-ignition.json', import.meta.url)),
  ))
    verdicts.push(verdict);

  test('replays every case', () => expect(verdicts.length).toBe(27));
  test.each(verdicts)('$name', ({ differences }) => expect(differences).toEqual([]));
});
