// Which checks advice skips because the cluster facts lack the data to compare with.
import { checkArgument } from '@coreiso/peers/arguments';
import type { ClusterFacts } from '../facts/facts.ts';

interface Check {
  /** The subject of the check, in words for a list. */
  readonly check: string;
  readonly facts: readonly (keyof ClusterFacts)[];
  readonly isPossible: (facts: ClusterFacts) => boolean;
}

const hasNetworks = ({ nodes = [] }: ClusterFacts): boolean => nodes.some(({ networks = [] }) => networks.length > 0);

const hasAny =
  (...names: readonly (keyof ClusterFacts)[]) =>
  (facts: ClusterFacts): boolean =>
    names.some((name) => facts[name] !== undefined);

const CHECKS: readonly Check[] = [
  {
    check: 'names of the cluster',
    facts: ['apiServerInternalUrl', 'apiServerUrl', 'workerUserData'],
    isPossible: hasAny('apiServerInternalUrl', 'apiServerUrl', 'workerUserData'),
  },
  {
    check: 'routers',
    facts: ['platform', 'controlPlaneTopology', 'nodes'],
    isPossible: (facts) => facts.platform !== undefined && hasAny('controlPlaneTopology', 'nodes')(facts),
  },
  {
    check: 'remote hosts',
    facts: ['machineNetworks'],
    isPossible: (facts) => (facts.machineNetworks ?? []).length > 0 || hasNetworks(facts),
  },
  { check: 'packet sizes', facts: ['clusterNetworkMtu'], isPossible: hasAny('clusterNetworkMtu') },
  { check: 'links of other nodes', facts: ['nodes'], isPossible: hasNetworks },
];

/**
 * The checks that `adviseNodes` skips with these facts, and the facts that each of them needs.
 *
 * @example skippedChecks({ platform: 'None' }).map(({ check }) => check)
 */
export function skippedChecks(
  facts: ClusterFacts,
): readonly { readonly check: string; readonly facts: readonly (keyof ClusterFacts)[] }[] {
  checkArgument('facts', facts, 'object');
  return CHECKS.filter(({ isPossible }) => !isPossible(facts)).map((one) => ({ check: one.check, facts: one.facts }));
}
