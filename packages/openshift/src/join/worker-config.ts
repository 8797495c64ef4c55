import {
  buildConfig,
  type Config,
  decodeDataUrl,
  type File,
  file,
  merge,
  parseConfigOrThrow,
  resource,
  stringifyConfig,
} from '@coreiso/ignition';
import { keyfileOf } from '@coreiso/nmstate';
import type { ClusterFacts, HostPlan, WorkerUserData } from '@coreiso/nodes-config';
import { requireSafeNames } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { OpenshiftError } from '../errors.ts';
import { bindToMacs } from './bind-macs.ts';
import { rootFile } from './live-files.ts';

/** Placeholder for the host name; it is valid in a URL unescaped, so a script can replace it. */
const HOSTNAME_MARK = '__HOSTNAME__';

const USER_DATA_COMMAND = 'oc get -o yaml -n openshift-machine-api secret/worker-user-data-managed';

/** Accepted by clusters since 4.7. */
const POINTER_VERSION = '3.2.0';

/** The Ignition config of the installed system: the cluster's pointer, in the cluster's version of the specification. */
export function workerConfig(userData: WorkerUserData): string {
  return `${stringifyConfig(pointer(userData))}\n`;
}

/** The same with a host name that the join script fills in. */
export function namedWorkerConfig(userData: WorkerUserData): string {
  const hostname = file('/etc/hostname', HOSTNAME_MARK, { mode: 0o644, overwrite: true, compress: 'never' });
  return withFiles(pointer(userData), [hostname]);
}

/** The config of a host with settings of its own: the pointer, its name and the Ignition that is merged into both. */
export function hostWorkerConfig(userData: WorkerUserData, hostname: string | undefined, given: string): string {
  const name = hostname === undefined ? [] : [rootFile('/etc/hostname', `${hostname}\n`, 0o644)];
  const named = parseConfigOrThrow(withFiles(pointer(userData), name));
  return `${stringifyConfig(merge(named, parseConfigOrThrow(given)).config)}\n`;
}

function withFiles(config: Config, files: readonly File[]): string {
  const added: Config = { ignition: { version: config.ignition.version }, storage: { files: [...files] } };
  return `${stringifyConfig(merge(config, added).config)}\n`;
}

/**
 * The Ignition config that makes any machine a worker: the pointer config of the cluster, or one with the address of its machine
 * config server. With a host it also has that host's name and network. Throws an `OpenshiftError` if the facts do not suffice.
 *
 * @example await writeFile('worker.ign', workerIgnition(cluster, plan.hosts[0]), { mode: 0o600 })
 */
export function workerIgnition(facts: ClusterFacts, host?: HostPlan): string {
  checkArgument('facts', facts, 'object');
  const userData = userDataOfWorkers(facts);
  if (userData === undefined)
    throw new OpenshiftError('OPENSHIFT_MISSING_FACTS', `the cluster facts ${missingUserData(facts)}`);
  const config = pointer(userData);
  if (host === undefined) return `${stringifyConfig(config)}\n`;
  checkArgument('host', host, 'object');
  requireSafeNames({ hosts: [host], diagnostics: [] });
  return withFiles(config, hostFiles(host));
}

/**
 * The user data of workers: the cluster's own, or, because single-node installations leave none behind, its equivalent. Undefined
 * if the facts do not suffice.
 */
export function userDataOfWorkers(facts: ClusterFacts): WorkerUserData | undefined {
  const { workerUserData, apiServerInternalUrl = '', apiServerUrl = '', machineConfigAuthority } = facts;
  if (workerUserData !== undefined) return workerUserData;
  const address = apiServerInternalUrl || apiServerUrl.replace(/^https:\/\/api\./, 'https://api-int.');
  if (!URL.canParse(address) || machineConfigAuthority === undefined) return undefined;
  const { hostname } = new URL(address);
  return JSON.parse(
    stringifyConfig(
      buildConfig({
        version: POINTER_VERSION,
        merge: [{ source: `https://${hostname}:22623/config/worker` }],
        certificateAuthorities: [resource(machineConfigAuthority, { compress: 'never' })],
      }),
    ),
  );
}

/** The facts that are missing, and the commands that help. */
export function missingUserData({ workerUserData, machineConfigAuthority }: ClusterFacts): string {
  if (workerUserData !== undefined)
    return `have a workerUserData without an address: replace it by the output of \`${USER_DATA_COMMAND}\``;
  const missing = machineConfigAuthority === undefined ? 'machineConfigAuthority' : 'apiServerInternalUrl';
  return `have neither workerUserData nor ${missing}: add the output of \`${USER_DATA_COMMAND}\`, or of \`oc get -o yaml infrastructure/cluster\` and \`oc get -o yaml -n kube-system configmap/root-ca\``;
}

function hostFiles({ name, hostname, network, interfaces }: HostPlan): File[] {
  const { profiles, obstacles } = bindToMacs(network?.profiles ?? [], interfaces);
  if (obstacles.length > 0) {
    const message = `${name} cannot have its network in a config, because the names of interfaces are unknown there: ${obstacles.join(', ')}`;
    throw new OpenshiftError('OPENSHIFT_UNBINDABLE', message);
  }
  return [
    ...(hostname === undefined ? [] : [rootFile('/etc/hostname', `${hostname}\n`, 0o644)]),
    ...profiles
      .map(keyfileOf)
      .map(({ name: file, content }) => rootFile(`/etc/NetworkManager/system-connections/${file}`, content, 0o600)),
  ];
}

function pointer(userData: WorkerUserData): Config {
  return parseConfigOrThrow(JSON.stringify(userData));
}

/** The authorities of the endpoint's certificate, in PEM; empty for those of the system. */
export function workerAuthorities({ ignition }: WorkerUserData): string {
  const texts = (ignition.security?.tls?.certificateAuthorities ?? []).map(({ source }) => {
    return new TextDecoder().decode(decodeDataUrl(source ?? '') ?? new Uint8Array());
  });
  return texts.map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)).join('');
}
