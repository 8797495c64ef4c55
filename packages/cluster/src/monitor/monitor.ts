// Hosts becoming nodes, polled every few seconds. Hosts are polled in parallel, beside the cluster; a silent one is awaited in the
// background and delays no other.

import type { ClusterNetworks, HostPlans } from '@coreiso/nodes-config';
import { checkMethods } from '@coreiso/peers/arguments';
import { type Clock, Stopwatch, systemClock } from '../clock.ts';
import { type ApprovalVerdict, judgeRequests } from '../csr/approval.ts';
import { CLIENT_SIGNER, SERVING_SIGNER } from '../csr/certificate-request.ts';
import { ClusterError } from '../errors.ts';
import { readNetworks } from '../facts/read-networks.ts';
import type { KubeObject } from '../objects.ts';
import type { ClusterReader } from '../reader/port.ts';
import { ServiceClient, type ServiceOptions } from '../service/client.ts';
import { LiveSystem, type StatusAccess } from '../service/live-system.ts';
import { inline } from '../service/texts.ts';
import { type ExpectedHost, expectedHosts, plannedNode } from './hosts.ts';
import { type ClusterObservation, observeCluster, watcherToken } from './observe.ts';
import { type HostPoll, HostProgress, type HostStage, type MonitorEvent } from './progress.ts';

/** Options of the monitor. */
export interface MonitorOptions {
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly fetch?: ServiceOptions['fetch'] | undefined;
  /** Access to the status port of live systems: `status` of the build report. Secret. */
  readonly status?: StatusAccess | undefined;
  /**
   * Probes for a kubelet, such as `probeKubelet` of `@coreiso/cluster/node`; without it, only certificate requests show that a
   * kubelet runs.
   */
  readonly probeKubelet?:
    | ((address: string, signal?: AbortSignal) => Promise<{ readonly isRunning: boolean; readonly detail: string }>)
    | undefined;
  /** The command that approves requests that pass (default: `oc` with the name of the request). */
  readonly approveCommand?: string | undefined;
  /** Time between polls (default: 5 s). */
  readonly pause?: number | undefined;
}

/** One row of the monitor's table. */
export interface HostSummary {
  readonly host: string;
  readonly address: string | undefined;
  readonly stage: HostStage;
  readonly waitsFor: string;
  /** Start of the stage, in milliseconds since the monitor began. */
  readonly since: number;
}

const PAUSE = 5000;
const NODE_USER = 'system:node:';
const NODE_SIGNERS: ReadonlySet<string> = new Set([CLIENT_SIGNER, SERVING_SIGNER]);
/** Anyone who may create requests chooses their names. */
const MOST_STRANGERS = 5;
/** How long hosts may take to answer before the cluster's data is reported without them. */
const PATIENCE = 1000;

/**
 * Watches hosts become nodes. Iterating the result yields their events until all hosts are ready or have failed; an aborted
 * signal throws its reason. `summary` has the current state of each host.
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
  checkMethods('cluster', cluster, ['list']);
  if (!Array.isArray(expected) && !Array.isArray((expected as Partial<HostPlans> | undefined)?.hosts))
    throw new TypeError('expected must be a plan or a list of hosts');
  return new Monitor(cluster, 'hosts' in expected ? expectedHosts(expected) : expected, options);
}

/** A running monitor of hosts. */
export interface NodeMonitor extends AsyncIterable<MonitorEvent> {
  summary(): readonly HostSummary[];
  /** Milliseconds since the first poll. */
  readonly elapsed: number;
}

class Monitor implements NodeMonitor {
  readonly #cluster: ClusterReader;
  readonly #options: MonitorOptions;
  readonly #clock: Clock;
  readonly #watch: Stopwatch;
  readonly #hosts: readonly HostProgress[];
  readonly #trouble = new Map<string, string>();
  /** Names outside of the plan that appeared in requests. */
  readonly #strangers = new Set<string>();
  #networks: ClusterNetworks | undefined;
  /** The nodes in the last list. */
  #nodes: readonly KubeObject[] | undefined;

  constructor(cluster: ClusterReader, hosts: readonly ExpectedHost[], options: MonitorOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#watch = new Stopwatch(this.#clock);
    this.#hosts = hosts.map((host) => new HostProgress(host, options.approveCommand));
  }

  get elapsed(): number {
    return this.#watch.elapsed;
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
    const { signal, pause = PAUSE } = this.#options;
    const observers = await this.#observers();
    for (;;) {
      const waiting = this.#hosts.filter(({ isReady }) => !isReady);
      const answered = this.#begin(waiting, observers);
      const lists = await observeCluster(this.#cluster, signal);
      await answered;
      const verdicts = await this.#judge(lists);
      const now = this.#watch.elapsed;
      yield* this.#tellTrouble(lists, now);
      yield* this.#tellStrangers(lists, now);
      for (const progress of waiting) {
        yield* progress.look({ ...lists, ...observers.get(progress)?.take(), ...(verdicts && { verdicts }) }, now);
      }
      if (this.#hosts.every(({ isSettled }) => isSettled)) return;
      await this.#clock.sleep(pause, signal);
    }
  }

  /** Polls the hosts; resolves once all have answered, or after a timeout. */
  async #begin(waiting: readonly HostProgress[], observers: ReadonlyMap<HostProgress, HostObserver>): Promise<void> {
    const looks = waiting.map((progress) => observers.get(progress)?.begin());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((done) => {
      timer = setTimeout(done, PATIENCE);
    });
    await Promise.race([Promise.all(looks), patience]);
    clearTimeout(timer);
  }

  /** The requests of these hosts; undefined if they cannot be judged now. */
  async #judge({ nodes, requests }: ClusterObservation): Promise<readonly ApprovalVerdict[] | undefined> {
    if (nodes.ok) this.#nodes = nodes.value;
    const known = this.#nodes;
    if (known === undefined || !requests.ok) return undefined;
    const planned = this.#hosts.flatMap(({ host }) => plannedNode(host, known) ?? []);
    const pending = requests.value.filter(({ isPending }) => isPending);
    const users = new Set(planned.map(({ name }) => `system:node:${name}`));
    if (pending.some(({ signer, username }) => signer === SERVING_SIGNER && users.has(username))) {
      this.#networks ??= await findNetworks(this.#cluster, this.#options.signal);
    }
    return await judgeRequests(pending, known, planned, this.#networks);
  }

  /** A failure to read the cluster is reported once, until a read succeeds again. */
  *#tellTrouble({ nodes, requests }: ClusterObservation, at: number): Generator<MonitorEvent> {
    for (const [what, answer] of [
      ['nodes', nodes],
      ['certificate requests', requests],
    ] as const) {
      const reason = answer.ok ? '' : answer.reason;
      const before = this.#trouble.get(what) ?? '';
      this.#trouble.set(what, reason);
      if (before === '' && reason !== '')
        yield { at, level: 'warning', message: `could not list ${what}; trying again: ${reason}` };
      if (before !== '' && reason === '') yield { at, level: 'info', message: `${what} can be listed again` };
    }
  }

  /** Requests with unplanned names belong to other users; each name is reported once. */
  *#tellStrangers({ requests }: ClusterObservation, at: number): Generator<MonitorEvent> {
    const known = this.#nodes;
    if (known === undefined || !requests.ok) return;
    const planned = new Set(this.#hosts.flatMap(({ host }) => plannedNode(host, known)?.name ?? []));
    const pending = requests.value.filter(({ isPending, signer }) => isPending && NODE_SIGNERS.has(signer));
    const users = pending.flatMap(({ username, mentions }) => [username, ...mentions]);
    const names = users.filter((user) => user.startsWith(NODE_USER)).map((user) => user.slice(NODE_USER.length));
    const news = [...new Set(names)].filter((name) => !planned.has(name) && !this.#strangers.has(name));
    if (news.length === 0) return;
    for (const name of news) this.#strangers.add(name);
    const shown = news.slice(0, MOST_STRANGERS).map((name) => inline(name));
    const more = news.length > shown.length ? ` and ${news.length - shown.length} more` : '';
    yield {
      at,
      level: 'info',
      message: `certificate requests from outside the plan are waiting: ${shown.join(', ')}${more}`,
    };
  }

  /** One lost answer must not end a run that may take hours. */
  async #token(signal: AbortSignal | undefined): Promise<string | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        return await findToken(this.#cluster, signal);
      } catch (error) {
        if (tries === MOST_TRIES || !(error instanceof ClusterError && MAY_PASS.has(error.code))) throw error;
      }
      await this.#clock.sleep(this.#options.pause ?? PAUSE, signal);
    }
  }

  async #observers(): Promise<ReadonlyMap<HostProgress, HostObserver>> {
    const { status, signal } = this.#options;
    const token = status === undefined ? await this.#token(signal) : undefined;
    return new Map(this.#hosts.map((progress) => [progress, new HostObserver(progress, token, this.#options)]));
  }
}

type HostView = Pick<HostPoll, 'service' | 'live' | 'kubelet'>;

/** Polls one host, with one poll at a time; the result waits until it is read. */
class HostObserver {
  readonly #look: () => Promise<HostView>;
  #running: Promise<void> | undefined;
  #seen: HostView = {};

  constructor(progress: HostProgress, token: string | undefined, options: MonitorOptions) {
    const { fetch, status, signal, probeKubelet } = options;
    const { reachedAt } = progress.host;
    if (reachedAt === undefined) {
      this.#look = async () => ({});
      return;
    }
    const live = status && new LiveSystem(reachedAt, { fetch, access: status });
    const service = token === undefined ? undefined : new ServiceClient(reachedAt, { fetch, token });
    // Behind a forwarded port the host's kubelet cannot be reached.
    const kubeletAt = hasPort(reachedAt) ? undefined : reachedAt;
    this.#look = async () => {
      const [told, served, kubelet] = await Promise.all([
        live?.observe(signal),
        service?.observe(progress.identity, signal),
        kubeletAt === undefined ? undefined : probeKubelet?.(kubeletAt, signal),
      ]);
      return { ...(told && { live: told }), ...(served && { service: served }), ...(kubelet && { kubelet }) };
    };
  }

  /** Begins a poll unless one is running; never rejects: only the signal could end it, and that ends the whole run. */
  begin(): Promise<void> {
    this.#running ??= this.#look()
      .then(
        (seen) => {
          this.#seen = seen;
        },
        () => undefined,
      )
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** The result of the last poll, without duplicates. */
  take(): HostView {
    const seen = this.#seen;
    this.#seen = {};
    return seen;
  }
}

function hasPort(address: string): boolean {
  return /^(?:\[.*\]|[^:]+):\d+$/.test(address);
}

/** The token of the service on hosts, if the cluster has one; without it only the cluster itself is polled. */
async function findToken(cluster: ClusterReader, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    return await watcherToken(cluster, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ClusterError && ABSENCES.has(error.code)) return undefined;
    throw error;
  }
}

/** Without networks only planned addresses pass. */
async function findNetworks(
  cluster: ClusterReader,
  signal: AbortSignal | undefined,
): Promise<ClusterNetworks | undefined> {
  try {
    const networks = await readNetworks(cluster, { signal });
    return networks.ok ? networks.value : undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ClusterError) return undefined;
    throw error;
  }
}

/** How often the token is read before the monitor gives up, and after which failures. */
const MOST_TRIES = 5;
const MAY_PASS: ReadonlySet<string> = new Set([
  'CLUSTER_TIMEOUT',
  'CLUSTER_UNREACHABLE',
  'CLUSTER_API',
  'CLUSTER_NOT_AN_API',
]);

const ABSENCES: ReadonlySet<string> = new Set(['CLUSTER_NOT_FOUND', 'CLUSTER_FORBIDDEN', 'CLUSTER_NOT_PREPARED']);
