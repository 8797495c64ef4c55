// Hosts arriving, looked at every few seconds. The looks at hosts run side by side, each with its own time limit, so that a
// silent one delays nobody.
import type { HostPlans } from '@coreiso/nodes-config';
import { type Clock, systemClock } from '../clock.ts';
import { ClusterError } from '../errors.ts';
import type { ClusterReader } from '../reader/port.ts';
import { ServiceClient, type ServiceOptions } from '../service/client.ts';
import { type ExpectedHost, expectedHosts } from './hosts.ts';
import { type KubeletObservation, observeCluster, watcherToken } from './observe.ts';
import { HostProgress, type HostStage, type MonitorEvent } from './progress.ts';

export interface MonitorOptions {
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly fetch?: ServiceOptions['fetch'];
  /** Looks for a kubelet; `@coreiso/cluster/node` has one. Where absent, the certificate requests tell. */
  readonly probeKubelet?: ((address: string, signal?: AbortSignal) => Promise<KubeletObservation>) | undefined;
  /** Between looks; 5 s where absent. */
  readonly pause?: number | undefined;
}

/** A host as a table shows it. */
export interface HostSummary {
  readonly host: string;
  readonly address: string | undefined;
  readonly stage: HostStage;
  readonly waitsFor: string;
  /** When it came there, in milliseconds since the monitor began. */
  readonly since: number;
}

const PAUSE = 5000;

/**
 * Watches hosts arrive. The result is iterated for what happens to each, until all are ready; it ends early only by the signal,
 * whose reason it throws. Its `summary` tells at any time how far each host is.
 *
 * @example
 * for await (const { host, stage, message } of monitorNodes(cluster, plan, { signal: AbortSignal.timeout(90 * 60_000) })) {
 *   console.log(host, stage, message);
 * }
 */
export function monitorNodes(
  cluster: ClusterReader,
  expected: HostPlans | readonly ExpectedHost[],
  options: MonitorOptions = {},
): NodeMonitor {
  if (typeof cluster?.list !== 'function') throw new TypeError('cluster must be a ClusterReader');
  if (typeof expected !== 'object' || expected === null)
    throw new TypeError('expected must be a plan or a list of hosts');
  return new Monitor(cluster, 'hosts' in expected ? expectedHosts(expected) : expected, options);
}

/** Hosts on their way. */
export interface NodeMonitor extends AsyncIterable<MonitorEvent> {
  summary(): readonly HostSummary[];
}

class Monitor implements NodeMonitor {
  readonly #cluster: ClusterReader;
  readonly #options: MonitorOptions;
  readonly #hosts: readonly HostProgress[];

  constructor(cluster: ClusterReader, hosts: readonly ExpectedHost[], options: MonitorOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#hosts = hosts.map((host) => new HostProgress(host));
  }

  summary(): readonly HostSummary[] {
    return this.#hosts.map(({ host, stage, waitsFor, since }) => ({
      host: host.name,
      address: host.reachedAt ?? host.addresses[0],
      stage,
      waitsFor,
      since,
    }));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<MonitorEvent> {
    const options = this.#options;
    const { signal, clock = systemClock, pause = PAUSE } = options;
    const start = clock.now();
    const services = await this.#services(options);
    while (this.#hosts.some(({ isDone }) => !isDone)) {
      const lists = await observeCluster(this.#cluster, signal);
      const waiting = this.#hosts.filter(({ isDone }) => !isDone);
      const looks = await Promise.all(
        waiting.map(async (progress) => {
          const { reachedAt } = progress.host;
          const [service, kubelet] = await Promise.all([
            services.get(progress)?.observe(progress.identity, signal),
            reachedAt === undefined ? undefined : options.probeKubelet?.(reachedAt.replace(/:\d+$/, ''), signal),
          ]);
          return { ...lists, ...(service && { service }), ...(kubelet && { kubelet }) };
        }),
      );
      for (const [index, progress] of waiting.entries()) {
        const look = looks[index];
        if (look !== undefined) yield* progress.look(look, clock.now() - start);
      }
      if (this.#hosts.some(({ isDone }) => !isDone)) await clock.sleep(pause, signal);
    }
  }

  /** Clients of the services, where the cluster has a token for them; without one only the cluster itself is looked at. */
  async #services({ fetch, signal }: MonitorOptions): Promise<ReadonlyMap<HostProgress, ServiceClient>> {
    let token: string;
    try {
      token = await watcherToken(this.#cluster, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const isAbsence = error instanceof ClusterError && ABSENCES.has(error.code);
      if (!isAbsence) throw error;
      return new Map();
    }
    return new Map(
      this.#hosts.flatMap((progress) => {
        const { reachedAt } = progress.host;
        return reachedAt === undefined ? [] : [[progress, new ServiceClient(reachedAt, { fetch, token })] as const];
      }),
    );
  }
}

const ABSENCES: ReadonlySet<string> = new Set(['CLUSTER_NOT_FOUND', 'CLUSTER_FORBIDDEN', 'CLUSTER_NOT_PREPARED']);
