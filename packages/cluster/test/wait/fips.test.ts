// Recorded installations with FIPS, with other pools and other rendered configs than in the recordings.
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { differencesOf, type Json } from '../../../../test/support/varied.ts';
import { replayWaitFor } from '../replay/wait-for.ts';

const STORIES = new Goldens(new URL('../goldens/wait-for.json', import.meta.url));
const API = '/apis/machineconfiguration.openshift.io/v1/';

/** The objects of the story with FIPS, and the changes to them. */
type Change = (objects: Json) => void;

const pool = (objects: Json, name: string) => objects[`${API}machineconfigpools/${name}`];
const config = (objects: Json, name: string) => objects[`${API}machineconfigs/${name}`];

const recordedObjects = (): Json =>
  structuredClone(JSON.parse(STORIES.text('install-fips.json')).timeline[0].kube.objects);

/** The recorded failure, with other objects and another reason. */
function failing(change: Change, reason: string, verified: readonly string[]): Promise<readonly string[]> {
  return differencesOf(replayWaitFor, STORIES, 'install-fips-pool-missing', (story) => {
    const objects = recordedObjects();
    change(objects);
    story.timeline[0].kube.objects = objects;
    const at = story.lines.findIndex(({ message }: Json) => message.startsWith('FIPS was'));
    for (const line of story.lines) if (line.message.startsWith('FIPS was')) line.message = reason;
    const lines = verified.map((message) => ({ at: 2, level: 'debug', message }));
    story.lines.splice(at, 0, ...lines);
  });
}

/** The recorded success, with other objects. */
function passing(change: Change): Promise<readonly string[]> {
  return differencesOf(replayWaitFor, STORIES, 'install-fips', (story) => change(story.timeline[0].kube.objects));
}

const WORKERS_PASS = ['Verified FIPS mode is enabled on worker pool (rendered config: rendered-worker-1)'];
const gone =
  (name: string): Change =>
  (objects) =>
    delete objects[`${API}machineconfigpools/${name}`];

describe('an installation with FIPS fails if', () => {
  test.each<[string, Change, string, readonly string[]]>([
    ['there is no worker pool', gone('worker'), 'worker MachineConfigPool not found', []],
    ['there is no master pool', gone('master'), 'master MachineConfigPool not found', WORKERS_PASS],
    [
      'the pool of the workers may not be read',
      (o) => (o[`${API}machineconfigpools/worker`] = { code: 403, message: 'forbidden to you' }),
      'worker MachineConfigPool cannot be read: forbidden to you',
      [],
    ],
    [
      'there is neither pool',
      (o) => [gone('master'), gone('worker')].map((f) => f(o)),
      'worker MachineConfigPool not found',
      [],
    ],
  ])('%s', async (_, change, reason, verified) => {
    expect(await failing(change, `FIPS was enabled in install-config but ${reason}`, verified)).toEqual([]);
  });

  test.each<[string, Change]>([
    ['says false', (o) => (config(o, 'rendered-worker-1').spec.fips = false)],
    ['says null', (o) => (config(o, 'rendered-worker-1').spec.fips = null)],
    ['says nothing of it', (o) => delete config(o, 'rendered-worker-1').spec.fips],
    ['has no spec', (o) => delete config(o, 'rendered-worker-1').spec],
    ['is not there', (o) => delete o[`${API}machineconfigs/rendered-worker-1`]],
    ['says "true" as a text', (o) => (config(o, 'rendered-worker-1').spec.fips = 'true')],
  ])('the rendered config of the workers %s', async (_, change) => {
    const reason =
      'FIPS was enabled in install-config but not enabled on worker pool (rendered config: rendered-worker-1)';
    expect(await failing(change, reason, [])).toEqual([]);
  });

  test('the workers have it and the control plane does not', async () => {
    const change: Change = (o) => (config(o, 'rendered-master-1').spec.fips = false);
    const reason =
      'FIPS was enabled in install-config but not enabled on master pool (rendered config: rendered-master-1)';
    expect(await failing(change, reason, WORKERS_PASS)).toEqual([]);
  });
});

describe('an installation with FIPS passes if', () => {
  test.each<[string, Change]>([
    [
      'a pool of another name has it off',
      (o) => {
        o[`${API}machineconfigpools/infra`] = { status: { configuration: { name: 'rendered-infra-1' } } };
        o[`${API}machineconfigs/rendered-infra-1`] = { spec: { fips: false } };
      },
    ],
    [
      'a pool has an older config beside the one that it runs',
      (o) => {
        pool(o, 'worker').spec = { configuration: { name: 'rendered-worker-0' } };
        o[`${API}machineconfigs/rendered-worker-0`] = { spec: { fips: false } };
      },
    ],
  ])('%s', async (_, change) => {
    expect(await passing(change)).toEqual([]);
  });
});

test('never reads the pools for an installation without FIPS', async () => {
  const differences = await differencesOf(replayWaitFor, STORIES, 'install-happy', (story) => {
    story.installConfig = { fips: false };
    for (const { kube } of story.timeline)
      kube.objects = { ...kube.objects, [`${API}machineconfigpools/worker`]: { code: 500, message: 'never asked' } };
  });
  expect(differences).toEqual([]);
});
