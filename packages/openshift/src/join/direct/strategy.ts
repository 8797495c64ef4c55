// Joining without a service: the live system checks what it needs, writes CoreOS to the disk with the cluster's pointer config, and
// reboots into the worker. An administrator approves its two certificate requests, as with any new node.

import type { Diagnostic } from '@coreiso/diagnostics';
import { type File, type Unit, unit } from '@coreiso/ignition';
import {
  type ClusterFacts,
  clusterArchitecture,
  type Host,
  type NodesConfig,
  planHosts,
  type WorkerUserData,
  workerEndpoint,
} from '@coreiso/nodes-config';
import { rpmName } from '@coreiso/peers/go';
import { hideUsers } from '@coreiso/peers/hidden';
import { openshiftDiagnostic } from '../../codes.ts';
import { OpenshiftError } from '../../errors.ts';
import { mirrorsOf } from '../cluster-files.ts';
import { oneLine, program, rootFile } from '../live-files.ts';
import { bootSentence, type JoinStrategy, type NodesPlan, type NodesPlanOptions } from '../strategy.ts';
import { JOIN_UNIT, STATUS_PORT, STATUS_SOCKET, STATUS_UNIT } from '../units.ts';
import {
  hostWorkerConfig,
  missingUserData,
  namedWorkerConfig,
  userDataOfWorkers,
  workerAuthorities,
  workerConfig,
} from '../worker-config.ts';
import { isListed, isRegistry, registriesOf } from './registries.ts';
import { checkStatusToken } from './status-token.ts';

/** Upstream's minimum for a worker: 8 GiB, of which firmware and kernel use up to a tenth, and 100 GB. */
const MINIMUM = { memoryMiB: 7372, diskGigabytes: 100 } as const;
/** Certificates become valid some minutes before they are issued. */
const CLOCK_TOLERANCE_SECONDS = 300;

/** `find_multipaths` ignores disks with a single path. */
const MULTIPATH_CONF = 'defaults {\n  user_friendly_names yes\n  find_multipaths yes\n}\n';

/** As long as upstream's images are valid. */
const VALID_MILLISECONDS = 48 * 3600 * 1000;

export const direct: JoinStrategy = {
  outcome: 'Machines that boot it OVERWRITE the disk that their root device hints choose, and join the cluster.',
  facts: ['registryTrust', 'insecureRegistries'],

  obstacle({ hosts }, cluster) {
    if (workerEndpoint(userDataOfWorkers(cluster)) === undefined) {
      return {
        code: 'OPENSHIFT_MISSING_FACTS',
        message: `join direct needs the address of the worker config, and the cluster facts ${missingUserData(cluster)}`,
        finding: {
          code: 'openshift/no-worker-user-data',
          message:
            Object.keys(cluster).length === 0
              ? 'no cluster facts'
              : 'the cluster facts do not say where workers get their config',
          path: [],
          help: helpWithoutUserData(cluster),
        },
      };
    }
    const other = hosts.find(({ role }) => role !== '' && role !== 'worker');
    return other && notAWorker(other);
  },

  prepare: (config, { cluster = {}, statusToken, hostIgnition = {}, ...validity }) => {
    checkStatusToken(statusToken);
    const userData = userDataOfWorkers(cluster);
    return {
      // A single-node cluster may have no user data, but it can be derived from other facts.
      cluster: userData === undefined ? {} : { workerUserData: userData },
      expires: expiryOf(validity),
      statusToken,
      files: userData === undefined ? [] : hostConfigs(config, userData, hostIgnition),
      diagnostics: [...withoutHints(config), ...otherArchitecture(config, cluster)],
    };
  },

  boots({ cluster, expires, statusToken }, host) {
    const hints = Object.keys(host.rootDeviceHints);
    const disk = hints.length === 0 ? 'its only disk' : `the one disk that fits ${hints.join(', ')}`;
    const endpoint = hideUsers(workerEndpoint(cluster.workerUserData)?.href ?? '');
    const port = statusToken === undefined ? '' : `, reports its progress on port ${STATUS_PORT}`;
    return {
      first: `${bootSentence(host)}${port}; until ${expires}, and if all checks pass, it OVERWRITES ${disk}, makes it the first to boot from and reboots`,
      second: `from the disk it fetches its config from ${endpoint}, and reboots once more into the system of the cluster; an administrator approves its two certificate requests`,
      later: `from the disk it is a node of the cluster; from the image it finds the mark of the first installation and installs nothing, unless the kernel argument coreiso.reinstall=1 orders it`,
    };
  },

  parts({ cluster, expires, statusToken }) {
    const { workerUserData } = cluster;
    const status = statusParts(statusToken);
    const endpoint = workerEndpoint(workerUserData);
    if (workerUserData === undefined || endpoint === undefined || expires === undefined) {
      throw new OpenshiftError(
        'OPENSHIFT_MISSING_FACTS',
        'the plan has no worker endpoint, or no day on which it expires',
      );
    }
    return {
      files: [
        rootFile('/etc/coreiso/join', settings(cluster, endpoint, workerUserData, expires), 0o600),
        rootFile('/etc/coreiso/worker-ca.pem', workerAuthorities(workerUserData), 0o600),
        rootFile('/etc/coreiso/worker.ign', workerConfig(workerUserData), 0o600),
        rootFile('/etc/coreiso/worker-named.ign', namedWorkerConfig(workerUserData), 0o600),
        rootFile('/etc/multipath.conf', MULTIPATH_CONF, 0o600),
        ...registryTrust(cluster),
        program('coreiso-disk'),
        program('coreiso-join'),
        ...status.files,
      ],
      units: [
        unit('coreiso-join.service', { contents: JOIN_UNIT, enabled: true }),
        unit('multipathd.service', { enabled: true }),
        ...status.units,
      ],
    };
  },
};

/** Ignition configs of single hosts, where the install script looks for them. */
function hostConfigs(
  config: NodesConfig,
  userData: WorkerUserData,
  hostIgnition: Readonly<Record<string, string>>,
): NodesPlan['files'] {
  if (Object.keys(hostIgnition).length === 0) return [];
  return planHosts(config).hosts.flatMap(({ name, hostname }) => {
    const given = hostIgnition[name];
    if (given === undefined) return [];
    const contents = hostWorkerConfig(userData, hostname, given);
    return [{ path: `/etc/assisted/hostconfig/${name}/worker.ign`, mode: 0o600, owner: 'root' as const, contents }];
  });
}

/** The status port, if there is a token for it. */
function statusParts(token: string | undefined): { readonly files: File[]; readonly units: Unit[] } {
  if (token === undefined) return { files: [], units: [] };
  return {
    files: [rootFile('/etc/coreiso/status-token', `${token}\n`, 0o600), program('coreiso-status')],
    units: [
      unit('coreiso-status.socket', { contents: STATUS_SOCKET, enabled: true }),
      unit('coreiso-status@.service', { contents: STATUS_UNIT }),
    ],
  };
}

/** Nodes of the cluster have these files at the same paths. */
function registryTrust({ registryTrust: trust = {} }: ClusterFacts): File[] {
  return Object.entries(trust)
    .filter(([registry]) => isRegistry(registry))
    .map(([registry, pem]) => rootFile(`/etc/docker/certs.d/${registry}/ca.crt`, pem, 0o644));
}

function settings(cluster: ClusterFacts, endpoint: URL, { ignition }: WorkerUserData, expires: string): string {
  const isAddress = /^\[|^[0-9.]+$/.test(endpoint.hostname);
  const registries = cluster.releaseImage === undefined ? [] : registriesOf(cluster.releaseImage, mirrorsOf(cluster));
  const lines: [string, string | number][] = [
    ['endpoint', endpoint.href],
    ...(isAddress ? [] : [['endpoint-name', endpoint.hostname] satisfies [string, string]]),
    ['ignition', oneLine(ignition.version, 'workerUserData')],
    ...registries.map((registry): [string, string] => {
      return [isListed(registry, cluster.insecureRegistries ?? []) ? 'insecure-registry' : 'registry', registry];
    }),
    ['memory', MINIMUM.memoryMiB],
    ['disk', MINIMUM.diskGigabytes],
    ['clock', CLOCK_TOLERANCE_SECONDS],
    ['expires', `${Math.floor(Date.parse(expires) / 1000)} ${expires}`],
  ];
  return lines.map((line) => `${line.join(' ')}\n`).join('');
}

/** Without any facts it is of no use to name the two that are missing. */
function helpWithoutUserData(cluster: ClusterFacts): string {
  return Object.keys(cluster).length === 0
    ? 'Pass the facts of the cluster, on the command line with --cluster or --live.'
    : `The cluster facts ${missingUserData(cluster)}.`;
}

function notAWorker({ role, path }: Host): ReturnType<NonNullable<JoinStrategy['obstacle']>> {
  return {
    code: 'OPENSHIFT_ROLE_CANNOT_JOIN',
    message: `join direct makes workers; a host has the role ${role}`,
    finding: {
      code: 'openshift/role-cannot-join',
      message: `a host of role ${role} cannot join`,
      path: [...path, 'role'],
      help: 'Give every host the role worker, or none.',
    },
  };
}

function expiryOf({ now = () => new Date(), expires }: Pick<NodesPlanOptions, 'now' | 'expires'>): string {
  const end = expires ?? new Date(now().getTime() + VALID_MILLISECONDS);
  if (Number.isNaN(end.getTime())) throw new RangeError('expires must be a valid Date');
  return end.toISOString().replace(/\.\d+/, '');
}

function withoutHints({ hosts }: NodesConfig): Diagnostic[] {
  const blind = hosts.filter(({ rootDeviceHints }) => Object.keys(rootDeviceHints).length === 0);
  const [first] = blind;
  if (first === undefined) return [];
  const count = blind.length === 1 ? '1 host has' : `${blind.length} hosts have`;
  return [
    openshiftDiagnostic({
      severity: 'warning',
      code: 'openshift/no-disk-hints',
      message: `${count} no root device hints: a machine with more than one disk is not installed`,
      path: first.path,
      help: 'Add to the host, or choose by wwn, serialNumber or minSizeGigabytes:\nrootDeviceHints:\n  deviceName: /dev/sda',
    }),
  ];
}

function otherArchitecture({ imageArchitecture: ours }: NodesConfig, cluster: ClusterFacts): Diagnostic[] {
  const clusters = clusterArchitecture(cluster);
  const isFitting = clusters === undefined || ours === undefined || rpmName(clusters) === ours;
  if (isFitting || cluster.multiArchitecture === true) return [];
  return [
    openshiftDiagnostic({
      severity: 'warning',
      code: 'openshift/other-architecture',
      message: `the hosts are ${ours} machines, and the release of the cluster may have images for ${rpmName(clusters)} only`,
      path: ['cpuArchitecture'],
      help: 'Migrate the cluster to a multi-architecture release, and set the cluster fact multiArchitecture.',
    }),
  ];
}
