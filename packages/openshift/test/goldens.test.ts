import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import type { Replay, Verdict } from '../../../test/support/replay.ts';
import { replayIgnition } from './replay/agent-ignition.ts';

const SETS: readonly [string, Replay, number][] = [['agent-ignition', replayIgnition, 4]];

describe.each(SETS)('%s answers as recorded', async (set, replay, count) => {
  const verdicts: Verdict[] = [];
  for await (const verdict of replay(new Goldens(new URL(`goldens/${set}.json`, import.meta.url))))
    verdicts.push(verdict);

  test('replays every case', () => expect(verdicts.length).toBe(count));
  test.each(verdicts)('$name', ({ differences }) => expect(differences).toEqual([]));
});
