import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import type { Replay, Verdict } from '../../../test/support/replay.ts';
import { replayClusterInfo } from './replay/cluster-info.ts';
import { replayMonitor } from './replay/monitor.ts';
import { replayWaitFor } from './replay/wait-for.ts';

const SETS: readonly [string, Replay, number][] = [
  ['cluster-info', replayClusterInfo, 48],
  ['monitor', replayMonitor, 53],
  ['wait-for', replayWaitFor, 32],
];

describe.each(SETS)('%s answers as recorded', async (set, replay, count) => {
  const verdicts: Verdict[] = [];
  for await (const verdict of replay(new Goldens(new URL(`goldens/${set}.json`, import.meta.url))))
    verdicts.push(verdict);

  test('replays every case', () => expect(verdicts.length).toBe(count));
  test.each(verdicts)('$name', ({ differences }) => expect(differences).toEqual([]));
});
