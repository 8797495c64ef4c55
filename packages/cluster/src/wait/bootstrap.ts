// Waiting for the bootstrap of a new cluster, as `openshift-install agent wait-for bootstrap-complete` does.
import { type Clock, systemClock } from '../clock.ts';
import { ClusterError } from '../errors.ts';
import { type KubeObject, memberOf, textOf } from '../objects.ts';
import type { ClusterReader } from '../reader/port.ts';
import type { ServiceIdentity, ServiceObservation } from '../service/client.ts';
import { ServiceStatus } from '../service/status.ts';
import type { WaitEvent, WaitExit } from './events.ts';
import { operatorLines } from './operators.ts';

/** What a wait looks at. */
export interface WaitPorts {
  readonly cluster: ClusterReader;
  /** One look at the service on the rendezvous host. */
  readonly observeService: (known: ServiceIdentity, signal?: AbortSignal) => Promise<ServiceObservation>;
  /** Why the rendezvous host's SSH port cannot be reached; undefined where it can. */
  readonly probeSsh: (address: string, signal?: AbortSignal) => Promise<string | undefined>;
}

export interface WaitOptions {
  readonly rendezvousIp: string;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PAUSE = 2000;
const BOOTSTRAP_LIMIT = 60 * 60_000;
/** A host that is silent for so long may have no network at all. */
const SILENCE_LIMIT = 2 * 60_000;
/** How long a host that was never seen is left alone. */
const BOOT_PAUSE = 30_000;

/**
 * Yields every line of the wait and returns the exit code.
 *
 * @example
 * for await (const { message } of waitForBootstrap(ports, { rendezvousIp: '192.0.2.10' })) console.log(message);
 */
export async function* waitForBootstrap(ports: WaitPorts, options: WaitOptions): AsyncGenerator<WaitEvent, WaitExit> {
  const { rendezvousIp, clock = systemClock, signal } = options;
  const start = clock.now();
  const wait = new BootstrapWait(ports, rendezvousIp, start);
  yield { at: 0, level: 'debug', message: `RendezvousIP from the AgentConfig ${rendezvousIp}` };
  while (clock.now() - start < BOOTSTRAP_LIMIT) {
    const now = clock.now();
    const { lines, outcome } = await wait.look(now, signal);
    for (const line of lines) yield { at: now - start, ...line };
    if (outcome === 'complete') return 0;
    if (outcome === 'silent') await clock.sleep(BOOT_PAUSE, signal);
    else if (outcome !== 'waiting')
      return yield* failed(ports, wait, `returned error: ${outcome.cause}`, now - start, signal);
    if (clock.now() - start < BOOTSTRAP_LIMIT) await clock.sleep(PAUSE, signal);
  }
  return yield* failed(ports, wait, 'timed out: context deadline exceeded', clock.now() - start, signal);
}

async function* failed(
  { cluster }: WaitPorts,
  wait: BootstrapWait,
  cause: string,
  at: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<WaitEvent, WaitExit> {
  const say = (level: WaitEvent['level'], message: string): WaitEvent => ({ at, level, message });
  yield say('debug', 'Printing the event list gathered from the Agent Rest API');
  if (wait.events.length === 0) yield say('debug', 'No events logged from the Agent Rest API');
  for (const event of wait.events) yield say('debug', textOf(event, 'message'));
  for (const line of await operatorLines(
    cluster,
    'Attempted to gather ClusterOperator status after wait failure',
    signal,
  )) {
    yield { at, ...line };
  }
  yield say('info', 'Use the following commands to gather logs from the cluster');
  yield say('info', 'openshift-install gather bootstrap --help');
  yield say('error', `Bootstrap failed to complete: : bootstrap process ${cause}`);
  return 5;
}

type Said = Omit<WaitEvent, 'at'>;
type Look = {
  readonly lines: readonly Said[];
  readonly outcome: 'waiting' | 'silent' | 'complete' | { readonly cause: string };
};

/** What was seen so far, and what a look adds to it. */
class BootstrapWait {
  readonly #ports: WaitPorts;
  readonly #address: string;
  readonly #start: number;
  readonly #status = new ServiceStatus({ subject: 'cluster' });
  #wasServiceSeen = false;
  #wasApiSeen = false;
  #isComplete = false;
  #lastCause = '';
  events: readonly KubeObject[] = [];

  constructor(ports: WaitPorts, address: string, start: number) {
    this.#ports = ports;
    this.#address = address;
    this.#start = start;
  }

  async look(now: number, signal: AbortSignal | undefined): Promise<Look> {
    if (this.#isComplete) {
      const lines = ['Bootstrap is complete', 'cluster bootstrap is complete'];
      return { lines: lines.map((message) => ({ level: 'info', message })), outcome: 'complete' };
    }
    const [service, bootstrap] = await Promise.all([
      this.#ports.observeService(this.#status.identity, signal),
      readBootstrap(this.#ports.cluster, signal),
    ]);
    if (!service.infraEnvs.ok && bootstrap === 'unreachable') return this.#nothing(now, signal);
    const lines: Said[] = [];
    if (bootstrap !== 'unreachable') this.#api(bootstrap, lines);
    if (!service.infraEnvs.ok) return { lines, outcome: 'waiting' };
    this.#wasServiceSeen = true;
    if (service.events?.ok) this.events = service.events.value;
    const { lines: told, cause, isFatal } = this.#status.read(service, now);
    lines.push(...told.map(({ level, message }) => ({ level, message })));
    if (cause !== undefined && isFatal) return { lines, outcome: { cause } };
    if (cause !== undefined) this.#tellCause(cause, lines);
    return { lines, outcome: 'waiting' };
  }

  async #nothing(now: number, signal: AbortSignal | undefined): Promise<Look> {
    const lines: Said[] = [];
    const debug = (message: string) => lines.push({ level: 'debug', message });
    if (this.#wasApiSeen) return { lines, outcome: 'waiting' };
    if (this.#wasServiceSeen) {
      debug('Bootstrap Kube API never initialized');
      debug(`Cluster install status from Agent Rest API last seen was: ${this.#status.status}`);
      this.#tellCause('cluster bootstrap did not complete', lines);
      return { lines, outcome: 'waiting' };
    }
    debug('Agent Rest API never initialized. Bootstrap Kube API never initialized');
    const isLong = now - this.#start > SILENCE_LIMIT;
    const silence = isLong ? await this.#ports.probeSsh(this.#address, signal) : undefined;
    if (silence !== undefined) debug(`Failed to connect to the Rendezvous Host on port 22: ${silence}`);
    const message =
      silence === undefined
        ? 'Waiting for cluster install to initialize. Sleeping for 30 seconds'
        : 'Cannot access Rendezvous Host. There may be a network configuration problem, check console for additional info';
    lines.push({ level: 'info', message });
    return { lines, outcome: 'silent' };
  }

  #api(bootstrap: KubeObject | undefined, lines: Said[]): void {
    if (!this.#wasApiSeen) lines.push({ level: 'info', message: 'Bootstrap Kube API Initialized' });
    this.#wasApiSeen = true;
    if (bootstrap === undefined) return;
    const status = memberOf(bootstrap, 'data', 'status');
    if (status === undefined) lines.push({ level: 'debug', message: 'no status found in bootstrap configmap' });
    if (status !== 'complete') return;
    this.#isComplete = true;
    lines.push({ level: 'info', message: 'Bootstrap configMap status is complete' });
  }

  #tellCause(cause: string, lines: Said[]): void {
    if (cause === this.#lastCause) return;
    this.#lastCause = cause;
    lines.push({ level: 'info', message: cause });
  }
}

/** The ConfigMap that tells of the bootstrap; undefined where the API is there and it is not. */
async function readBootstrap(
  cluster: ClusterReader,
  signal: AbortSignal | undefined,
): Promise<KubeObject | undefined | 'unreachable'> {
  try {
    return await cluster.get('/api/v1/namespaces/kube-system/configmaps/bootstrap', { signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ClusterError)) throw error;
    return error.status === undefined ? 'unreachable' : undefined;
  }
}
