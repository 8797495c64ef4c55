// Waiting for the whole installation, as `openshift-install agent wait-for install-complete` does after the bootstrap.
import { systemClock } from '../clock.ts';
import { ClusterError, reasonOf } from '../errors.ts';
import { type KubeObject, memberOf, nameOf, objectsOf, textOf } from '../objects.ts';
import { type WaitOptions, type WaitPorts, waitForBootstrap } from './bootstrap.ts';
import type { WaitEvent, WaitExit } from './events.ts';
import { OPERATORS, OperatorStability, operatorLines } from './operators.ts';

export interface InstallPorts extends WaitPorts {
  /** Puts a certificate authority in front of those that the kubeconfig trusts. */
  readonly trustAuthority: (pem: string) => Promise<void>;
}

export interface InstallOptions extends WaitOptions {
  /** The API server's address, as the kubeconfig has it. */
  readonly server: string;
  /** Where the kubeconfig is, for the last words. */
  readonly kubeconfig: string;
  /** Secret; part of the last words. */
  readonly adminPassword: string;
  /** Whether the install config asks for FIPS. */
  readonly fips?: boolean | undefined;
}

const VERSION_LIMIT = 40 * 60_000;
const OPERATORS_LIMIT = 30 * 60_000;
const CONSOLE_LIMIT = 2 * 60_000;
const SECOND = 1000;
/** The peer says only every so often that there is no console yet. */
const LOOKS_PER_WORD = 15;
const CLUSTER_VERSION = '/apis/config.openshift.io/v1/clusterversions/version';
const INGRESS_AUTHORITY = '/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert';
const CONSOLE = '/apis/route.openshift.io/v1/namespaces/openshift-console/routes/console';

type Said = Omit<WaitEvent, 'at'>;
/** A stage that did not end well: its words and the exit code. */
interface Failure {
  readonly exit: WaitExit;
  readonly lines: readonly Said[];
}

/**
 * Yields every line of the wait and returns the exit code.
 *
 * @example
 * const options = { rendezvousIp, server, kubeconfig: 'auth/kubeconfig', adminPassword };
 * for await (const { message } of waitForInstall(ports, options)) console.log(message);
 */
export async function* waitForInstall(
  ports: InstallPorts,
  options: InstallOptions,
): AsyncGenerator<WaitEvent, WaitExit> {
  const { clock = systemClock } = options;
  const start = clock.now();
  const bootstrap = yield* waitForBootstrap(ports, options);
  if (bootstrap !== 0) return bootstrap;
  const wait = new InstallWait(ports, { ...options, clock });
  for (const stage of [wait.version(), wait.operators(), wait.fips(), wait.console()]) {
    let step = await stage.next();
    while (!step.done) {
      yield { at: clock.now() - start, ...step.value };
      step = await stage.next();
    }
    if (step.value === undefined) continue;
    for (const line of step.value.lines) yield { at: clock.now() - start, ...line };
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

function notInitialized(message: string, between: readonly Said[] = []): Failure {
  const words: Said = { level: 'error', message };
  return { exit: 6, lines: [words, ...between, { level: 'error', message: NOT_FUNCTIONING }, words] };
}

type Stage = AsyncGenerator<Said, Failure | undefined>;

class InstallWait {
  readonly #ports: InstallPorts;
  readonly #options: InstallOptions & { readonly clock: NonNullable<InstallOptions['clock']> };

  constructor(ports: InstallPorts, options: InstallOptions & { readonly clock: NonNullable<InstallOptions['clock']> }) {
    this.#ports = ports;
    this.#options = options;
  }

  async *version(): Stage {
    const { clock, server, signal } = this.#options;
    const end = clock.now() + VERSION_LIMIT;
    yield info(`Waiting up to 40m0s (until ${kitchenTime(end)}) for the cluster at ${server} to initialize...`);
    let last = '';
    while (clock.now() < end) {
      const problem = versionProblem(await this.#get(CLUSTER_VERSION));
      if (problem === undefined) {
        yield debug('Cluster is initialized');
        return this.#trustIngress();
      }
      if (problem !== last && problem !== '') yield debug(`Still waiting for the cluster to initialize: ${problem}`);
      last = problem;
      await clock.sleep(SECOND, signal);
    }
    const cause = last === '' ? '' : `${last}: `;
    const operators = await operatorLines(
      this.#ports.cluster,
      'Attempted to gather ClusterOperator status after wait failure',
      signal,
    );
    return notInitialized(`failed to initialize the cluster: ${cause}timed out waiting for the condition`, operators);
  }

  /** Routes of the new cluster are signed by an authority of its own. */
  async #trustIngress(): Promise<Failure | undefined> {
    try {
      const configMap = await this.#ports.cluster.get(INGRESS_AUTHORITY, { signal: this.#options.signal });
      await this.#ports.trustAuthority(textOf(configMap, 'data', 'ca-bundle.crt'));
      return undefined;
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      return notInitialized(
        `fetching default-ingress-cert configmap from openshift-config-managed namespace: ${reasonOf(error)}`,
      );
    }
  }

  async *operators(): Stage {
    const { clock, signal } = this.#options;
    const end = clock.now() + OPERATORS_LIMIT;
    yield info(
      `Waiting up to 30m0s (until ${kitchenTime(end)}) to ensure each cluster operator has finished progressing...`,
    );
    const stability = new OperatorStability();
    while (clock.now() < end) {
      yield* stability.look(await this.#operators(), clock.now());
      if (stability.areAllStable) {
        yield info('All cluster operators have completed progressing');
        return undefined;
      }
      await clock.sleep(Math.min(SECOND, end - clock.now()), signal);
    }
    const lines: Said[] = [
      { level: 'error', message: 'Error checking cluster operator Progressing status: "context deadline exceeded"' },
    ];
    lines.push(...stability.look(await this.#operators(), clock.now()));
    const stable = stability.names(true);
    if (stable.length > 0) lines.push(debug(`These cluster operators were stable: [${stable.join(', ')}]`));
    lines.push({
      level: 'error',
      message: `These cluster operators were not stable: [${stability.names(false).join(', ')}]`,
    });
    return { exit: 7, lines };
  }

  async *fips(): Stage {
    if (this.#options.fips !== true) return undefined;
    for (const pool of ['worker', 'master']) {
      const path = `/apis/machineconfiguration.openshift.io/v1/machineconfigpools/${pool}`;
      const found = await this.#get(path);
      if (found === undefined) {
        return notInitialized(`FIPS was enabled in install-config but ${pool} MachineConfigPool not found`);
      }
      const rendered =
        textOf(found, 'status', 'configuration', 'name') || textOf(found, 'spec', 'configuration', 'name');
      const config = await this.#get(`/apis/machineconfiguration.openshift.io/v1/machineconfigs/${rendered}`);
      if (memberOf(config, 'spec', 'fips') !== true) {
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
    yield info('Install complete!');
    const fact = {
      kind: 'access',
      kubeconfig,
      ...('url' in url ? { console: url.url, user: 'kubeadmin' } : {}),
    } as const;
    yield {
      ...info(
        `To access the cluster as the system:admin user when using 'oc', run\n    export KUBECONFIG=${kubeconfig}`,
      ),
      fact,
    };
    if ('problem' in url) return undefined;
    yield info(`Access the OpenShift web-console here: ${url.url}`);
    yield info(`Login to the console with user: "kubeadmin", and password: "${adminPassword}"`);
    return undefined;
  }

  async *#consoleUrl(): AsyncGenerator<Said, { readonly url: string } | { readonly problem: string }> {
    const { clock, signal } = this.#options;
    const end = clock.now() + CONSOLE_LIMIT;
    for (let looks = 1; clock.now() < end; looks++) {
      const route = await this.#get(CONSOLE);
      if (route === undefined) {
        yield debug('OpenShift console route does not exist');
        return { problem: 'could not get openshift-console URL' };
      }
      yield debug('Route found in openshift-console namespace: console');
      const ingress = objectsOf(route, 'status', 'ingress').find(isAdmitted);
      if (ingress !== undefined) {
        yield debug('OpenShift console route is admitted');
        return { url: `https://${textOf(ingress, 'host') || textOf(route, 'spec', 'host')}` };
      }
      if (looks % LOOKS_PER_WORD === 0) {
        yield debug(
          'Still waiting for the console route: no admitted ingress for route console in namespace openshift-console',
        );
      }
      await clock.sleep(2 * SECOND, signal);
    }
    return { problem: 'waiting for openshift-console URL: context deadline exceeded' };
  }

  async #get(path: string): Promise<KubeObject | undefined> {
    try {
      return await this.#ports.cluster.get(path, { signal: this.#options.signal });
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (!(error instanceof ClusterError)) throw error;
      return undefined;
    }
  }

  async #operators(): Promise<readonly KubeObject[]> {
    try {
      const { items } = await this.#ports.cluster.list(OPERATORS, { signal: this.#options.signal });
      return [...items].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (!(error instanceof ClusterError)) throw error;
      return [];
    }
  }
}

function info(message: string): Said {
  return { level: 'info', message };
}

function debug(message: string): Said {
  return { level: 'debug', message };
}

/** What the version still waits for; undefined once it is there, empty where it says nothing. */
function versionProblem(version: KubeObject | undefined): string | undefined {
  const condition = (type: string) =>
    objectsOf(version, 'status', 'conditions').find((one) => textOf(one, 'type') === type);
  const status = (type: string) => textOf(condition(type), 'status');
  if (status('Available') === 'True' && status('Failing') === 'False' && status('Progressing') === 'False')
    return undefined;
  const telling =
    status('Failing') === 'True'
      ? condition('Failing')
      : status('Progressing') === 'True'
        ? condition('Progressing')
        : undefined;
  return textOf(telling, 'message');
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
