// How booted nodes enter a cluster: which ways there are, what each needs to know, and who may take it.
import type { Diagnostic } from '@coreiso/diagnostics';
import { NodesConfigError } from '../errors.ts';
import { type ClusterFacts, workerEndpoint } from '../facts/facts.ts';
import type { Host } from '../rules/host.ts';
import { type ConfigCode, configDiagnostic } from '../text/codes.ts';

/** How a booted node enters the cluster. */
export type JoinName = 'network-only' | 'direct' | 'service';

const JOIN_NAMES: readonly JoinName[] = ['network-only', 'direct', 'service'];

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
  | 'registryTrust'
  | 'insecureRegistries'
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
  'registryTrust',
  'insecureRegistries',
];

export function joinFacts(cluster: ClusterFacts): JoinFacts {
  return Object.fromEntries(
    JOIN_FACTS.filter((fact) => cluster[fact] !== undefined).map((fact) => [fact, cluster[fact]]),
  );
}

/** The way to join where nobody chose one, and what there is to say about the choice. */
export interface JoinChoice {
  readonly join: JoinName;
  readonly diagnostics: readonly Diagnostic[];
}

const USER_DATA_COMMAND = 'oc get secret worker-user-data-managed -n openshift-machine-api -o yaml';

/** Whoever gives a cluster's worker config wants workers; without it a machine can only be made reachable, which is worth a word. */
export function chooseJoin(cluster: ClusterFacts, hosts: readonly Host[]): JoinChoice {
  const only = 'machines that boot the image get their network and their name, and nothing is installed';
  const hint = (code: ConfigCode, message: string, path: Host['path'], help: string): JoinChoice => {
    const finding = { severity: 'warning', code, message: `${message}: ${only}`, path, help } as const;
    return { join: 'network-only', diagnostics: [configDiagnostic(finding)] };
  };
  if (workerEndpoint(cluster.workerUserData) === undefined) {
    return hint(
      'nodes-config/no-worker-user-data',
      'the cluster facts do not say where workers get their config',
      [],
      `Add the output of \`${USER_DATA_COMMAND}\` to the cluster facts.`,
    );
  }
  const other = hosts.find(isOther);
  if (other === undefined) return { join: 'direct', diagnostics: [] };
  const help = 'Give every host the role worker, or none.';
  return hint(
    'nodes-config/role-cannot-join',
    `a host of role ${other.role} cannot join`,
    [...other.path, 'role'],
    help,
  );
}

/** Throws a `NodesConfigError` where these hosts cannot join this cluster so, before anything is built. */
export function checkJoin(join: JoinName, cluster: ClusterFacts, hosts: readonly Host[]): void {
  if (!JOIN_NAMES.includes(join)) {
    throw new RangeError(`join must be one of ${JOIN_NAMES.join(', ')}, not ${String(join)}`);
  }
  if (join === 'network-only') return;
  if (join === 'service') {
    checkServiceFacts(cluster);
    return;
  }
  if (workerEndpoint(cluster.workerUserData) === undefined) {
    const message = `join direct needs the cluster fact workerUserData, with the address of the worker config: add the output of \`${USER_DATA_COMMAND}\` to the cluster facts`;
    throw new NodesConfigError('NODES_MISSING_FACTS', message);
  }
  const other = hosts.find(isOther);
  if (other !== undefined) {
    const message = `join direct makes workers; a host has the role ${other.role}`;
    const path = [...other.path, 'role'];
    const found = configDiagnostic({ code: 'nodes-config/role-cannot-join', message, path });
    throw new NodesConfigError('NODES_ROLE_CANNOT_JOIN', message, { diagnostics: [found] });
  }
}

/** Without these the service cannot be told which cluster it adds nodes to. */
const SERVICE_FACTS = ['clusterId', 'version', 'releaseImage', 'apiServerUrl', 'pullSecret'] as const;

function checkServiceFacts(cluster: ClusterFacts): void {
  const missing = SERVICE_FACTS.filter((fact) => !cluster[fact]);
  if (missing.length === 0) return;
  const message = `join service needs the cluster facts ${missing.join(', ')}: read them from the cluster, or add them to the cluster facts`;
  throw new NodesConfigError('NODES_MISSING_FACTS', message);
}

function isOther({ role }: Host): boolean {
  return role !== '' && role !== 'worker';
}
