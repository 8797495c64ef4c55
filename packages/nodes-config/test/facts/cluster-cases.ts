import { type ClusterFacts, factsFromObjects, parseNodesConfig, splitMessages } from '@coreiso/nodes-config';
// Cases with one change to a valid cluster each, and the real installer's messages.

import { Goldens } from '../../../../test/support/goldens.ts';
import { compareLines } from '../../../../test/support/replay.ts';

import { hidingAs } from '../hiding.ts';
import { kubeObjects } from './kube-objects.ts';

export interface ClusterCase {
  readonly what: string;
  readonly change: Partial<ClusterFacts>;
  readonly replacedObjects?: Readonly<Record<string, number | Record<string, unknown>>>;
  readonly error?: string | null;
  readonly crash?: string;
  readonly sshKey?: string;
}

const configs = new Goldens(new URL('../goldens/nodes-config.json', import.meta.url));
const plain = configs.json<ClusterFacts>('_clusters/default.json');

/** A recorded answer of the API: an object, or the number of an error. */
function answer(path: string, kind: string, recordedAnswer: number | Record<string, unknown>): Record<string, unknown> {
  const [resource, name] = path.split('/').slice(-2);
  if (typeof recordedAnswer !== 'number') return { kind, metadata: { name }, ...recordedAnswer };
  return { kind: 'Status', code: recordedAnswer, message: 'no', details: { kind: resource } };
}

const KINDS: Readonly<Record<string, string>> = {
  clusterversions: 'ClusterVersion',
  configmaps: 'ConfigMap',
  machineconfigs: 'MachineConfig',
};

function objectsOf({ change, replacedObjects = {} }: ClusterCase): unknown[] {
  const objects = kubeObjects({ ...plain, ...change });
  for (const [path, object] of Object.entries(replacedObjects)) {
    objects.set(path, answer(path, KINDS[path.split('/').at(-2) ?? ''] ?? '', object));
  }
  return [...objects.values()];
}

export function clusterCaseDifferences(nodesConfig: string, one: ClusterCase): string[] {
  const facts = factsFromObjects(objectsOf(one));
  const outcome = facts.ok ? parseNodesConfig(nodesConfig, { cluster: facts.value }) : facts;
  if (one.crash !== undefined) return outcome.ok ? ['the real program crashes; ours takes it'] : [];
  const { upstream } = splitMessages(outcome.diagnostics);
  const key = facts.ok ? (facts.value.sshKey ?? '') : '(no facts)';
  return [
    ...compareLines(upstream, one.error ? [hidingAs(upstream[0], one.error)] : []),
    ...(one.sshKey === undefined ? [] : compareLines([key], [one.sshKey])),
  ];
}
