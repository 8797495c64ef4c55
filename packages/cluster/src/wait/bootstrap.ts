// Waiting for the bootstrap of a new cluster, as `openshift-install agent wait-for bootstrap-complete` does.
import { checkArgument, checkMethods } from '@coreiso/peers/arguments';
import { type Clock, Stopwatch, systemClock } from '../clock.ts';
import { ClusterError, reasonOf } from '../errors.ts';
import { type KubeObject, memberOf, textOf } from '../objects.ts';
import type { ClusterReader } from '../reader/port.ts';
import type { ServiceIdentity, ServiceObservation } from '../service/client.ts';
import { ServiceStatus } from '../service/status.ts';
import { inline } from '../service/texts.ts';
import { Agents } from './agents.ts';
import type { WaitEvent, WaitExit, WaitFailureCode, WaitLine } from './events.ts';
import { operatorLines } from './operators.ts';
import type { PlannedAgent } from './roster.ts';

/** The sources that a wait polls. */
export interface WaitPorts {
  readonly cluster: ClusterReader;
  /** Polls the service on the rendezvous host; absent without a token. */
  readonly observeService?: ((known: ServiceIdentity, signal?: AbortSignal) => Promise<ServiceObservation>) | undefined;
  /** Why the SSH port of the rendezvous host is unreachable; undefined if it answers. */
  readonly probeSsh: (address: string, signal?: AbortSignal) => Promise<string | undefined>;
}

/** Options of waiting for an installation. */
export interface WaitOptions {
  readonly rendezvousIp: string;
  /** The hosts of the image: messages use their names, and report those that never register. */
  readonly hosts?: readonly PlannedAgent[] | undefined;
  /** The number of hosts, if more than `hosts` names. Failing validations end the wait only once all hosts have registered. */
  readonly hostCount?: number | undefined;
  /**
   * `compatible` prints the lines of `openshift-install` and waits as long. `strict`, the default, reports each fact once, misses no event, and stops when waiting cannot help.
   */
  readonly mode?: 'strict' | 'compatible' | undefined;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PAUSE = 2000;
const BOOTSTRAP_LIMIT = 60 * 60_000;
/** A host that is silent for this long may have no network at all. */
const SILENCE_LIMIT = 2 * 60_000;
/** How long a host that was never seen is not reported. */
const BOOT_PAUSE = 30_000;

/**
 * Yields every line of the wait and returns the exit code.
 *
 * @example
 * for await (const { message } of waitForBootstrap(ports, { rendezvousIp: '192.0.2.10' })) console.log(message);
 */
export async function* waitForBootstrap(ports: WaitPorts, options: WaitOptions): AsyncGenerator<WaitEvent, WaitExit> {
  return yield* bootstrap(ports, options, new Stopwatch(options?.clock ?? systemClock));
}

/** The wait, with its times on a clock that already runs. */
export async function* bootstrap(
  ports: WaitPorts,
  options: WaitOptions,
  watch: Stopwatch,
): AsyncGenerator<WaitEvent, WaitExit> {
  const { rendezvousIp, clock = systemClock, signal } = checked(ports, options);
  const wait = new BootstrapWait(ports, options);
  yield { at: 0, level: 'debug', message: `RendezvousIP from the AgentConfig ${rendezvousIp}` };
  while (watch.elapsed < BOOTSTRAP_LIMIT) {
    const at = watch.elapsed;
    const { lines, outcome } = await wait.look(at, signal);
    for (const line of lines) yield { at, ...line };
    if (outcome === 'complete') return 0;
    if (outcome === 'silent') await clock.sleep(BOOT_PAUSE, signal);
    else if (outcome !== 'waiting') {
      yield* wait.farewell(outcome, at, signal);
      return 5;
    }
    if (watch.elapsed < BOOTSTRAP_LIMIT) await clock.sleep(PAUSE, signal);
  }
  yield* wait.farewell(TIMED_OUT, watch.elapsed, signal);
  return 5;
}

/** Checks arguments on entry. */
function checked(ports: WaitPorts, options: WaitOptions): WaitOptions {
  checkMethods('ports.cluster', ports?.cluster, ['get']);
  checkArgument('options.rendezvousIp', options?.rendezvousIp, 'text');
  return options;
}

/** Why a wait ends, as a text and a code. */
interface Failure {
  readonly cause: string;
  readonly code: WaitFailureCode;
}

const TIMED_OUT: Failure = { cause: 'timed out: context deadline exceeded', code: 'WAIT_BOOTSTRAP_TIMEOUT' };

interface PollResult {
  readonly lines: readonly WaitLine[];
  readonly outcome: 'waiting' | 'silent' | 'complete' | Failure;
}

/** The state of the wait, updated by each poll. */
class BootstrapWait {
  readonly #ports: WaitPorts;
  readonly #address: string;
  readonly #isCompatible: boolean;
  readonly #status: ServiceStatus;
  readonly #agents: Agents;
  #wasServiceSeen = false;
  #wasApiSeen = false;
  #isComplete = false;
  #lastCause = '';
  #told = new Set<string>();

  constructor(ports: WaitPorts, { rendezvousIp, hosts = [], hostCount = hosts.length, mode = 'strict' }: WaitOptions) {
    this.#ports = ports;
    this.#address = rendezvousIp;
    this.#isCompatible = mode === 'compatible';
    this.#agents = new Agents(hosts, hostCount);
    const nameOf = this.#isCompatible ? undefined : this.#agents.nameOf;
    this.#status = new ServiceStatus({ subject: 'cluster', mode, nameOf });
  }

  /** One poll; texts since the last progress of the installation are not repeated, except where the peer repeats them. */
  async look(now: number, signal: AbortSignal | undefined): Promise<PollResult> {
    const { lines, outcome } = await this.#look(now, signal);
    if (this.#isCompatible) return { lines, outcome };
    if (lines.some(({ fact }) => fact?.kind === 'status' || fact?.kind === 'stage')) this.#told = new Set();
    const fresh = lines.filter(({ level, message, fact }) => {
      const isNew = fact !== undefined || !this.#told.has(`${level} ${message}`);
      this.#told.add(`${level} ${message}`);
      return isNew;
    });
    return { lines: fresh, outcome };
  }

  async #look(now: number, signal: AbortSignal | undefined): Promise<PollResult> {
    if (this.#isComplete) {
      return {
        lines: [
          { level: 'info', message: 'Bootstrap is complete' },
          { level: 'info', message: 'cluster bootstrap is complete', fact: { kind: 'stage', stage: 'bootstrapped' } },
        ],
        outcome: 'complete',
      };
    }
    const [service, bootstrap] = await Promise.all([
      this.#ports.observeService?.(this.#status.identity, signal),
      readBootstrap(this.#ports.cluster, signal),
    ]);
    const lines: WaitLine[] = [];
    if (!this.#isCompatible) this.#tellRefusals(service, bootstrap, lines);
    if (service?.infraEnvs.ok !== true && bootstrap.isAway) return this.#nothing(now, lines, signal);
    if (!bootstrap.isAway) this.#api(bootstrap.object, lines);
    if (service?.infraEnvs.ok !== true) return { lines, outcome: 'waiting' };
    return this.#service(service, now, lines);
  }

  #service(service: ServiceObservation, now: number, lines: WaitLine[]): PollResult {
    if (!this.#wasServiceSeen && !this.#isCompatible) {
      lines.push({
        level: 'info',
        message: `The service on ${this.#address} answers`,
        fact: { kind: 'stage', stage: 'service' },
      });
    }
    this.#wasServiceSeen = true;
    const cluster = this.#isCompatible || !service.cluster?.ok ? undefined : service.cluster.value;
    if (cluster !== undefined) this.#agents.meet(cluster, lines);
    const { lines: told, cause, isFatal } = this.#status.read(service, now);
    lines.push(...told.map(({ level, message, fact }) => ({ level, message, ...(fact && { fact }) })));
    if (cause !== undefined && isFatal) {
      return { lines, outcome: { cause: `returned error: ${cause}`, code: 'WAIT_INSTALLATION_STOPPED' } };
    }
    const hopeless = cluster && this.#agents.read(cluster, now, lines);
    if (hopeless !== undefined && !this.#isComplete) {
      const reason = `returned error: all planned hosts have registered and validations keep failing: ${hopeless}`;
      return { lines, outcome: { cause: reason, code: 'WAIT_VALIDATIONS_FAILED' } };
    }
    if (cause !== undefined) this.#tellCause(cause, lines);
    return { lines, outcome: 'waiting' };
  }

  async #nothing(now: number, lines: WaitLine[], signal: AbortSignal | undefined): Promise<PollResult> {
    const debug = (message: string) => lines.push({ level: 'debug', message });
    if (this.#wasApiSeen) {
      if (!this.#isCompatible) this.#tellCause('neither the service nor the Kube API answers at the moment', lines);
      return { lines, outcome: 'waiting' };
    }
    if (this.#wasServiceSeen) {
      debug('Bootstrap Kube API never initialized');
      debug(`Cluster install status from Agent Rest API last seen was: ${this.#status.status}`);
      this.#tellCause('cluster bootstrap did not complete', lines);
      return { lines, outcome: 'waiting' };
    }
    debug('Agent Rest API never initialized. Bootstrap Kube API never initialized');
    const silence = now > SILENCE_LIMIT ? await this.#ports.probeSsh(this.#address, signal) : undefined;
    if (silence !== undefined) debug(`Failed to connect to the Rendezvous Host on port 22: ${silence}`);
    const message =
      silence === undefined
        ? 'Waiting for cluster install to initialize. Sleeping for 30 seconds'
        : 'Cannot access Rendezvous Host. There may be a network configuration problem, check console for additional info';
    lines.push({ level: 'info', message });
    return { lines, outcome: 'silent' };
  }

  #api(bootstrap: KubeObject | undefined, lines: WaitLine[]): void {
    if (!this.#wasApiSeen) {
      lines.push({
        level: 'info',
        message: 'Bootstrap Kube API Initialized',
        fact: { kind: 'stage', stage: 'bootstrapping' },
      });
    }
    this.#wasApiSeen = true;
    if (bootstrap === undefined) return;
    const status = memberOf(bootstrap, 'data', 'status');
    if (status === undefined) lines.push({ level: 'debug', message: 'no status found in bootstrap configmap' });
    if (status !== 'complete') return;
    this.#isComplete = true;
    lines.push({ level: 'info', message: 'Bootstrap configMap status is complete' });
  }

  /** A server answers but refuses access; the peer treats that as silence. */
  #tellRefusals(service: ServiceObservation | undefined, { error }: Bootstrap, lines: WaitLine[]): void {
    if (service?.infraEnvs.ok === false && (service.infraEnvs.status === 401 || service.infraEnvs.status === 403)) {
      const message = `The service on ${this.#address} refuses the token of the image (${inline(service.infraEnvs.reason)}); it may have booted an image of another directory`;
      lines.push({ level: 'warning', message });
    }
    if (error !== undefined && REFUSALS.has(error.code)) {
      lines.push({ level: 'warning', message: `The Kube API cannot be read: ${reasonOf(error)}` });
    }
  }

  #tellCause(cause: string, lines: WaitLine[]): void {
    if (cause === this.#lastCause) return;
    this.#lastCause = cause;
    lines.push({ level: 'info', message: cause });
  }

  /** Why an installation without a failure makes no progress. */
  #reasons(code: WaitFailureCode): string {
    const { troubles: failures } = this.#agents;
    if (code === 'WAIT_VALIDATIONS_FAILED' || failures.length === 0) return '';
    return `; failing: ${failures.join('; ')}`;
  }

  /** The final text of a failed wait. */
  async *farewell({ cause, code }: Failure, at: number, signal: AbortSignal | undefined): AsyncGenerator<WaitEvent> {
    const say = (level: WaitEvent['level'], message: string): WaitEvent => ({ at, level, message });
    if (this.#isCompatible) {
      yield say('debug', 'Printing the event list gathered from the Agent Rest API');
      const { events } = this.#status;
      if (events.length === 0) yield say('debug', 'No events logged from the Agent Rest API');
      for (const event of events) yield say('debug', textOf(event, 'message'));
    }
    const failure = 'Attempted to gather ClusterOperator status after wait failure';
    for (const line of await operatorLines(this.#ports.cluster, failure, signal)) yield { at, ...line };
    if (this.#isCompatible) {
      yield say('info', 'Use the following commands to gather logs from the cluster');
      yield say('info', 'openshift-install gather bootstrap --help');
    }
    const missingHosts = this.#isCompatible ? [] : this.#agents.missing;
    if (missingHosts.length > 0) yield say('error', `These hosts never registered: ${missingHosts.join(', ')}`);
    const message = this.#isCompatible
      ? `Bootstrap failed to complete: : bootstrap process ${cause}`
      : `Bootstrap failed to complete: bootstrap process ${cause}${this.#reasons(code)}`;
    yield {
      ...say('error', message),
      fact: { kind: 'failure', code, missingHosts },
    };
  }
}

/** The ConfigMap with the state of the bootstrap, and whether the API answers at all. */
interface Bootstrap {
  readonly isAway: boolean;
  readonly object?: KubeObject;
  readonly error?: ClusterError;
}

/** Errors of an API, or of another server in its place, that waiting does not change. */
const REFUSALS: ReadonlySet<string> = new Set([
  'CLUSTER_UNAUTHORIZED',
  'CLUSTER_FORBIDDEN',
  'CLUSTER_UNTRUSTED',
  'CLUSTER_NOT_AN_API',
]);
/** Mistakes of the caller or the program, which end the wait. */
const OWN_MISTAKES: ReadonlySet<string> = new Set(['CLUSTER_KUBECONFIG', 'CLUSTER_CREDENTIALS']);

async function readBootstrap(cluster: ClusterReader, signal: AbortSignal | undefined): Promise<Bootstrap> {
  try {
    const object = await cluster.get('/api/v1/namespaces/kube-system/configmaps/bootstrap', { signal });
    return { isAway: false, object };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ClusterError) || OWN_MISTAKES.has(error.code)) throw error;
    // A proxy that answers in place of the API is not the API.
    return { isAway: error.status === undefined || error.code === 'CLUSTER_NOT_AN_API', error };
  }
}
