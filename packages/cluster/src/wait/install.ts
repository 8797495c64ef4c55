// Waiting for the whole installation, as `openshift-install agent wait-for install-complete` does after the bootstrap.
import { compareBytes } from '@coreiso/peers/go';
import { type Clock, Stopwatch, systemClock } from '../clock.ts';
import { ClusterError, reasonOf } from '../errors.ts';
import { isObject, type KubeObject, memberOf, nameOf, objectsOf, textOf } from '../objects.ts';
import { bootstrap, type WaitOptions, type WaitPorts } from './bootstrap.ts';
import type { WaitEvent, WaitExit, WaitFailureCode, WaitLine } from './events.ts';
import { OPERATORS, OperatorStability, operatorLines } from './operators.ts';

const VERSION_LIMIT = 40 * 60_000;
const OPERATORS_LIMIT = 30 * 60_000;
const CONSOLE_LIMIT = 2 * 60_000;
/** How long a read is repeated while the API is in trouble; the peer reads once. */
const TROUBLE_LIMIT = 5 * 60_000;
/** Failures that may be transient. */
const PASSING: ReadonlySet<string> = new Set([
  'CLUSTER_UNREACHABLE',
  'CLUSTER_TIMEOUT',
  'CLUSTER_API',
  'CLUSTER_NOT_AN_API',
]);
const SECOND = 1000;
/** Number of polls between the peer's reports that there is no console yet. */
const LOOKS_PER_WORD = 15;
const CLUSTER_VERSION = '/apis/config.openshift.io/v1/clusterversions/version';
const INGRESS_AUTHORITY = '/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert';
const CONSOLE = '/apis/route.openshift.io/v1/namespaces/openshift-console/routes/console';

type InstallPorts = Parameters<typeof waitForInstall>[0];
type InstallOptions = Parameters<typeof waitForInstall>[1];

/** A failed stage: its text and the exit code. */
interface Failure {
  readonly exit: WaitExit;
  readonly lines: readonly WaitLine[];
}

/**
 * Yields every line of the wait and returns the exit code.
 *
 * @example
 * const options = { rendezvousIp, server, kubeconfig: 'auth/kubeconfig', adminPassword };
 * for await (const { message } of waitForInstall(ports, options)) console.log(message);
 */
export async function* waitForInstall(
  ports: WaitPorts & {
    /** Adds a certificate authority in front of those that the kubeconfig trusts. */
    readonly trustAuthority: (pem: string) => Promise<void>;
  },
  options: WaitOptions & {
    /** The API server's address, as in the kubeconfig. */
    readonly server: string;
    /** Path of the kubeconfig, for the final text. */
    readonly kubeconfig: string;
    /** Secret; part of the final text. */
    readonly adminPassword: string;
    /** Whether the install config enables FIPS. */
    readonly fips?: boolean | undefined;
  },
): AsyncGenerator<WaitEvent, WaitExit> {
  const watch = new Stopwatch(options?.clock ?? systemClock);
  const exit = yield* bootstrap(ports, options, watch);
  if (exit !== 0) return exit;
  const wait = new InstallWait(ports, options, watch);
  for (const stage of [wait.version(), wait.operators(), wait.fips(), wait.console()]) {
    let step = await stage.next();
    while (!step.done) {
      yield { at: watch.elapsed, ...step.value };
      step = await stage.next();
    }
    if (step.value === undefined) continue;
    for (const line of step.value.lines) yield { at: watch.elapsed, ...line };
    return step.value.exit;
  }
  return 0;
}

const NOT_FUNCTIONING = [
  'Cluster initialization failed because one or more operators are not functioning properly.',
  'The cluster should be accessible for troubleshooting as detailed in the documentation linked below,',
  'https://docs.openshift.com/container-platform/latest/support/troubleshooting/troubleshooting-installations.html',
  "The 'wait-for install-complete' subcommand can then be used to continue the installation",
].join('\n');

/** The peer prints the cause before and after its advice. */
function notInitialized(message: string, between: readonly WaitLine[] = []): Failure {
  const words: WaitLine = { level: 'error', message };
  const advice: WaitLine = { level: 'error', message: NOT_FUNCTIONING };
  return { exit: 6, lines: [words, ...between, advice, { ...words, fact: failure('WAIT_NOT_INITIALIZED') }] };
}

function failure(code: WaitFailureCode): NonNullable<WaitLine['fact']> {
  return { kind: 'failure', code, missingHosts: [] };
}

/** An object, or the reason for its absence. */
interface Answer {
  readonly object?: KubeObject;
  readonly error?: ClusterError;
}

type Stage = AsyncGenerator<WaitLine, Failure | undefined>;

class InstallWait {
  readonly #ports: InstallPorts;
  readonly #options: InstallOptions;
  readonly #clock: Clock;
  readonly #watch: Stopwatch;
  readonly #mode: 'strict' | 'compatible';
  #trouble = '';

  constructor(ports: InstallPorts, options: InstallOptions, watch: Stopwatch) {
    this.#ports = ports;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#watch = watch;
    this.#mode = options.mode ?? 'strict';
  }

  async *version(): Stage {
    const { server, signal } = this.#options;
    const until = kitchenTime(this.#clock.now() + VERSION_LIMIT);
    const end = this.#watch.elapsed + VERSION_LIMIT;
    yield info(`Waiting up to 40m0s (until ${until}) for the cluster at ${server} to initialize...`);
    let last = '';
    let seen: string | undefined;
    while (this.#watch.elapsed < end) {
      const { object, error } = await this.#get(CLUSTER_VERSION);
      yield* this.#tellTrouble(error);
      const { isThere, telling } = versionState(object);
      if (isThere) {
        yield { ...debug('Cluster is initialized'), fact: { kind: 'stage', stage: 'initialized' } };
        return yield* this.#trustIngress();
      }
      // The peer logs every change of the object, whatever changed; its last message stays true until another one.
      const now = object && JSON.stringify(object);
      const hasChanged = now !== seen && (now !== undefined || error?.code === 'CLUSTER_NOT_FOUND');
      const isNews = this.#mode === 'compatible' ? hasChanged : Boolean(telling) && telling !== last;
      if (hasChanged) seen = now;
      last = (this.#mode === 'compatible' ? telling : telling || undefined) ?? last;
      if (isNews) yield debug(`Still waiting for the cluster to initialize${now === undefined ? '...' : `: ${last}`}`);
      await this.#clock.sleep(SECOND, signal);
    }
    const cause = last === '' ? '' : `${last}: `;
    const operators = await operatorLines(
      this.#ports.cluster,
      'Attempted to gather ClusterOperator status after wait failure',
      signal,
    );
    return notInitialized(`failed to initialize the cluster: ${cause}timed out waiting for the condition`, operators);
  }

  /** The new cluster has its own authority, which signs the certificates of its routes. */
  async *#trustIngress(): Stage {
    const { object, error } = yield* this.#getPatiently(INGRESS_AUTHORITY);
    if (error !== undefined) {
      return notInitialized(
        `fetching default-ingress-cert configmap from openshift-config-managed namespace: ${reasonOf(error)}`,
      );
    }
    try {
      await this.#ports.trustAuthority(textOf(object, 'data', 'ca-bundle.crt'));
      return undefined;
    } catch (problem) {
      if (!(problem instanceof ClusterError)) throw problem;
      return notInitialized(reasonOf(problem));
    }
  }

  async *operators(): Stage {
    const clock = this.#clock;
    const until = kitchenTime(clock.now() + OPERATORS_LIMIT);
    const end = this.#watch.elapsed + OPERATORS_LIMIT;
    yield info(`Waiting up to 30m0s (until ${until}) to ensure each cluster operator has finished progressing...`);
    const stability = new OperatorStability(this.#mode);
    while (this.#watch.elapsed < end) {
      const { items, error } = await this.#operators();
      yield* this.#tellTrouble(error);
      yield* stability.look(items, clock.now());
      // An unreadable list proves nothing, though the peer treats it as an empty one.
      if (stability.unstable.length === 0 && (error === undefined || this.#mode === 'compatible')) {
        const fact = { kind: 'stage', stage: 'stable' } as const;
        yield { ...info('All cluster operators have completed progressing'), fact };
        return undefined;
      }
      await clock.sleep(Math.min(SECOND, end - this.#watch.elapsed), this.#options.signal);
    }
    const lines: WaitLine[] = [
      { level: 'error', message: 'Error checking cluster operator Progressing status: "context deadline exceeded"' },
    ];
    const { items, error } = await this.#operators();
    if (error === undefined || this.#mode === 'compatible') lines.push(...stability.look(items, clock.now()));
    const { stable, unstable } = stability;
    lines.push(debug(`These cluster operators were stable: [${stable.join(', ')}]`));
    lines.push({
      level: 'error',
      message: `These cluster operators were not stable: [${unstable.join(', ')}]`,
      fact: failure('WAIT_OPERATORS_UNSTABLE'),
    });
    return { exit: 7, lines };
  }

  async *fips(): Stage {
    if (this.#options.fips !== true) return undefined;
    for (const pool of ['worker', 'master']) {
      const path = `/apis/machineconfiguration.openshift.io/v1/machineconfigpools/${pool}`;
      const { object: found, error } = yield* this.#getPatiently(path);
      if (found === undefined) {
        const isMissing = error === undefined || error.code === 'CLUSTER_NOT_FOUND';
        const reason = isMissing ? 'not found' : `cannot be read: ${error.message}`;
        return notInitialized(`FIPS was enabled in install-config but ${pool} MachineConfigPool ${reason}`);
      }
      const rendered =
        textOf(found, 'status', 'configuration', 'name') || textOf(found, 'spec', 'configuration', 'name');
      const config = yield* this.#getPatiently(`/apis/machineconfiguration.openshift.io/v1/machineconfigs/${rendered}`);
      if (this.#mode === 'strict' && config.error !== undefined && config.error.code !== 'CLUSTER_NOT_FOUND') {
        return notInitialized(
          `FIPS was enabled in install-config but the config of the ${pool} pool (${rendered}) cannot be read: ${config.error.message}`,
        );
      }
      if (memberOf(config.object, 'spec', 'fips') !== true) {
        return notInitialized(
          `FIPS was enabled in install-config but not enabled on ${pool} pool (rendered config: ${rendered})`,
        );
      }
      yield debug(`Verified FIPS mode is enabled on ${pool} pool (rendered config: ${rendered})`);
    }
    yield info('Verified FIPS mode is enabled on cluster');
    return undefined;
  }

  async *console(): Stage {
    const { kubeconfig, adminPassword } = this.#options;
    yield info('Checking to see if there is a route at openshift-console/console...');
    const url = yield* this.#consoleUrl();
    if ('problem' in url)
      yield { level: 'warning', message: `Cluster does not have a console available: ${url.problem}` };
    yield { ...info('Install complete!'), fact: { kind: 'stage', stage: 'complete' } };
    const login = 'url' in url ? { console: url.url, user: 'kubeadmin', password: adminPassword } : {};
    yield {
      ...info(
        `To access the cluster as the system:admin user when using 'oc', run\n    export KUBECONFIG=${kubeconfig}`,
      ),
      fact: { kind: 'access', kubeconfig, ...login },
    };
    if ('problem' in url) return undefined;
    yield info(`Access the OpenShift web-console here: ${url.url}`);
    yield info(`Login to the console with user: "kubeadmin", and password: "${adminPassword}"`);
    return undefined;
  }

  async *#consoleUrl(): AsyncGenerator<WaitLine, { readonly url: string } | { readonly problem: string }> {
    const end = this.#watch.elapsed + CONSOLE_LIMIT;
    let isFound = false;
    for (let looks = 1; this.#watch.elapsed < end; looks++) {
      const { object: route, error } = await this.#get(CONSOLE);
      if (error?.code === 'CLUSTER_NOT_FOUND') {
        yield debug('OpenShift console route does not exist');
        return { problem: 'could not get openshift-console URL' };
      }
      if (route !== undefined && !(isFound && this.#mode === 'strict')) {
        yield debug('Route found in openshift-console namespace: console');
      }
      isFound ||= route !== undefined;
      const ingress = objectsOf(route, 'status', 'ingress').find(isAdmitted);
      if (ingress !== undefined) {
        yield debug('OpenShift console route is admitted');
        const scheme = isObject(memberOf(route, 'spec', 'tls')) ? 'https' : 'http';
        return { url: `${scheme}://${textOf(ingress, 'host') || textOf(route, 'spec', 'host')}` };
      }
      if (looks % LOOKS_PER_WORD === 0) {
        const cause = error === undefined ? notAdmitted(route) : reasonOf(error);
        yield debug(`Still waiting for the console route: ${cause}`);
      }
      await this.#clock.sleep(2 * SECOND, this.#options.signal);
    }
    return { problem: 'waiting for openshift-console URL: context deadline exceeded' };
  }

  /** A failure to poll is reported once per cause; openshift-install is silent. */
  *#tellTrouble(error: ClusterError | undefined): Generator<WaitLine> {
    const problem = error === undefined || error.code === 'CLUSTER_NOT_FOUND' ? '' : reasonOf(error);
    if (problem !== '' && problem !== this.#trouble && this.#mode !== 'compatible') {
      yield { level: 'warning', message: `The Kube API cannot be read: ${problem}` };
    }
    this.#trouble = problem;
  }

  /** An object, read repeatedly while the failure may be transient. */
  async *#getPatiently(path: string): AsyncGenerator<WaitLine, Answer> {
    const end = this.#watch.elapsed + TROUBLE_LIMIT;
    for (;;) {
      const answer = await this.#get(path);
      const mayPass = this.#mode === 'strict' && answer.error !== undefined && PASSING.has(answer.error.code);
      if (!mayPass || this.#watch.elapsed >= end) return answer;
      yield* this.#tellTrouble(answer.error);
      await this.#clock.sleep(SECOND, this.#options.signal);
    }
  }

  #get(path: string): Promise<Answer> {
    return this.#tried<{ readonly object?: KubeObject }>(
      async (signal) => ({ object: await this.#ports.cluster.get(path, { signal }) }),
      {},
    );
  }

  #operators(): Promise<{ readonly items: readonly KubeObject[]; readonly error?: ClusterError }> {
    return this.#tried(
      async (signal) => {
        const { items } = await this.#ports.cluster.list(OPERATORS, { signal });
        return { items: [...items].sort((a, b) => compareBytes(nameOf(a), nameOf(b))) };
      },
      { items: [] },
    );
  }

  /** The answer of the API, or the reason for its absence. */
  async #tried<T extends object>(
    read: (signal: AbortSignal | undefined) => Promise<T>,
    nothing: T,
  ): Promise<T & { readonly error?: ClusterError }> {
    try {
      return await read(this.#options.signal);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (!(error instanceof ClusterError)) throw error;
      return { ...nothing, error };
    }
  }
}

function info(message: string): WaitLine {
  return { level: 'info', message };
}

function debug(message: string): WaitLine {
  return { level: 'debug', message };
}

/** Whether the version is installed; if not, the message of the condition that explains the delay. */
function versionState(version: KubeObject | undefined): { readonly isThere: boolean; readonly telling?: string } {
  const conditions = objectsOf(version, 'status', 'conditions');
  const condition = (type: string) => conditions.find((one) => textOf(one, 'type') === type);
  const status = (type: string) => textOf(condition(type), 'status');
  if (status('Available') === 'True' && status('Failing') === 'False' && status('Progressing') === 'False')
    return { isThere: true };
  const speaker = ['Failing', 'Progressing'].find((type) => status(type) === 'True');
  return { isThere: false, ...(speaker !== undefined && { telling: textOf(condition(speaker), 'message') }) };
}

function notAdmitted(route: KubeObject | undefined): string {
  return `no admitted ingress for route ${nameOf(route)} in namespace ${textOf(route, 'metadata', 'namespace')}`;
}

function isAdmitted(ingress: KubeObject): boolean {
  return objectsOf(ingress, 'conditions').some(
    (one) => textOf(one, 'type') === 'Admitted' && textOf(one, 'status') === 'True',
  );
}

/** As Go's `3:04PM MST` writes a time of day, in UTC. */
function kitchenTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  const hour = date.getUTCHours();
  const minute = String(date.getUTCMinutes()).padStart(2, '0');
  return `${hour % 12 || 12}:${minute}${hour < 12 ? 'AM' : 'PM'} UTC`;
}
