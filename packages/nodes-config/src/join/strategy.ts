import type { ConfigParts } from '@coreiso/ignition';
import type { ClusterFacts } from '../cluster/facts.ts';
import type { Host } from '../document/types.ts';
import type { HostPlans } from '../hosts/plan.ts';

/** How a booted node enters the cluster. */
export type JoinName = 'network-only' | 'direct';

/** The cluster facts that reach an image or its report. The pull secret is not among them. */
export type JoinFacts = Pick<
  ClusterFacts,
  | 'proxy'
  | 'imageDigestMirrors'
  | 'repositoryDigestMirrors'
  | 'trustBundle'
  | 'workerUserData'
  | 'releaseImage'
  | 'chronyConf'
  | 'fips'
  | 'platform'
  | 'version'
>;

const JOIN_FACTS: readonly (keyof JoinFacts)[] = [
  'proxy',
  'imageDigestMirrors',
  'repositoryDigestMirrors',
  'trustBundle',
  'workerUserData',
  'releaseImage',
  'chronyConf',
  'fips',
  'platform',
  'version',
];

/** One way of joining. */
export interface JoinStrategy {
  readonly name: JoinName;
  /** Throws a `NodesConfigError` where these hosts cannot join this cluster so, before anything is built. */
  check(cluster: ClusterFacts, hosts: readonly Host[]): void;
  /** What it adds to the live system. */
  parts(plan: HostPlans): Pick<ConfigParts, 'files' | 'units'>;
}

export function joinFacts(cluster: ClusterFacts): JoinFacts {
  return Object.fromEntries(
    JOIN_FACTS.filter((fact) => cluster[fact] !== undefined).map((fact) => [fact, cluster[fact]]),
  );
}
