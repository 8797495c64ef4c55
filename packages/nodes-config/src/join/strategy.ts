import type { ConfigParts } from '@coreiso/ignition';
import type { ClusterFacts } from '../cluster/facts.ts';
import { NodesConfigError } from '../errors.ts';
import type { HostPlans } from '../hosts/plan.ts';
import { direct } from './direct.ts';

/** How a booted node enters the cluster. */
export type JoinName = 'network-only' | 'direct';

const JOIN_FACTS = [
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
] as const satisfies readonly (keyof ClusterFacts)[];

/** The cluster facts that reach an image or its report. The pull secret is not among them. */
export type JoinFacts = Pick<ClusterFacts, (typeof JOIN_FACTS)[number]>;

/** One way of joining: what it needs to know, and what it adds to the live system. */
export interface JoinStrategy {
  readonly name: JoinName;
  /** The facts without which it cannot work. */
  readonly needs: readonly (keyof JoinFacts)[];
  parts(plan: HostPlans): Pick<ConfigParts, 'files' | 'units'>;
}

const networkOnly: JoinStrategy = { name: 'network-only', needs: [], parts: () => ({}) };

const STRATEGIES: Readonly<Record<JoinName, JoinStrategy>> = { 'network-only': networkOnly, direct };

export function strategyOf(name: JoinName): JoinStrategy {
  const strategy = Object.hasOwn(STRATEGIES, name) ? STRATEGIES[name] : undefined;
  if (strategy === undefined) {
    throw new RangeError(`join must be one of ${Object.keys(STRATEGIES).join(', ')}, not ${String(name)}`);
  }
  return strategy;
}

/** Refuses a way of joining that the facts do not suffice for, before anything is built. */
export function checkFacts(name: JoinName, cluster: ClusterFacts): void {
  const missing = strategyOf(name).needs.filter((fact) => cluster[fact] === undefined);
  if (missing.length > 0) {
    throw new NodesConfigError('NODES_MISSING_FACTS', `join ${name} needs the cluster facts ${missing.join(', ')}`);
  }
}

export function joinFacts(cluster: ClusterFacts): JoinFacts {
  return Object.fromEntries(
    JOIN_FACTS.filter((fact) => cluster[fact] !== undefined).map((fact) => [fact, cluster[fact]]),
  );
}
