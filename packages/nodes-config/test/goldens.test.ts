import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import type { Replay, Verdict } from '../../../test/support/replay.ts';
import { replayInstallConfig } from './replay/install-config.ts';
import { replayManifests } from './replay/manifests.ts';
import { replayNodesConfig } from './replay/nodes-config.ts';
import { replayService } from './replay/service.ts';
import { replayTopology } from './replay/topology.ts';
import { replayZtp } from './replay/ztp.ts';

const SETS: readonly [string, Replay, number][] = [
  ['agent-install-config', replayInstallConfig, 176],
  ['agent-manifests', replayManifests, 53],
  ['nodes-config', replayNodesConfig, 393],
  ['topology', replayTopology, 220],
  ['ztp-manifests', replayZtp, 67],
  ['../../../../test/goldens/service', replayService, 75],
];

describe.each(SETS)('%s answers as recorded', async (set, replay, count) => {
  const verdicts: Verdict[] = [];
  for await (const verdict of replay(new Goldens(new URL(`goldens/${set}.json`, import.meta.url))))
    verdicts.push(verdict);

  test('every case is replayed', () => expect(verdicts.length).toBe(count));
  test.each(verdicts)('$name', ({ differences }) => expect(differences).toEqual([]));
});
