// Joining without a service: the live system checks what it needs, writes CoreOS to the disk with the cluster's pointer config, and
// reboots into the worker. An administrator approves its two certificate requests, as with any new node.

import { type File, type Unit, unit } from '@coreiso/ignition';
import type { HostPlan, HostPlans, JoinFacts } from '@coreiso/nodes-config';
import { type WorkerUserData, workerEndpoint } from '@coreiso/nodes-config';
import { hideUsers } from '@coreiso/peers/hidden';
import { OpenshiftError } from '../errors.ts';
import { mirrorsOf } from './cluster-files.ts';
import { oneLine, program, rootFile } from './live-files.ts';
import { isListed, isRegistry, registriesOf } from './registries.ts';
import type { JoinStrategy } from './strategy.ts';
import { JOIN_UNIT, STATUS_PORT, STATUS_SOCKET, STATUS_UNIT } from './units.ts';
import { namedWorkerConfig, workerAuthorities, workerConfig } from './worker-config.ts';

/** What upstream asks of a worker: 8 GiB, of which firmware and kernel keep up to a tenth for themselves, and 100 GB. */
const MINIMUM = { memoryMiB: 7372, diskGigabytes: 100 } as const;
/** Certificates are issued to be valid some minutes back. */
const CLOCK_TOLERANCE_SECONDS = 300;

/** `find_multipaths` leaves disks with a single path alone. */
const MULTIPATH_CONF = 'defaults {\n  user_friendly_names yes\n  find_multipaths yes\n}\n';

export const direct: JoinStrategy = {
  boots({ cluster, expires, statusToken }, host) {
    const hints = Object.keys(host.rootDeviceHints);
    const disk = hints.length === 0 ? 'its only disk' : `the one disk that fits ${hints.join(', ')}`;
    const endpoint = hideUsers(workerEndpoint(cluster.workerUserData)?.href ?? '');
    const port = statusToken === undefined ? '' : `, tells on port ${STATUS_PORT} how far it is`;
    return {
      first: `${arrival(host)}${port}; until ${expires}, and if all checks pass, it OVERWRITES ${disk}, makes it the first to boot from and reboots`,
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

/** The port that tells how far a machine is, where there is a token to ask it with. */
function statusParts(token: HostPlans['statusToken']): { readonly files: File[]; readonly units: Unit[] } {
  if (token === undefined) return { files: [], units: [] };
  return {
    files: [rootFile('/etc/coreiso/status-token', `${token}\n`, 0o600), program('coreiso-status')],
    units: [
      unit('coreiso-status.socket', { contents: STATUS_SOCKET, enabled: true }),
      unit('coreiso-status@.service', { contents: STATUS_UNIT }),
    ],
  };
}

/** How a live system begins, whatever it does then. */
export function arrival({ hostname, network }: HostPlan): string {
  const name = hostname === undefined ? 'takes its name from the network' : `is called ${hostname}`;
  return `the machine is known by the MAC address of a card, ${name} and has ${network === undefined ? 'DHCP on all cards' : 'its own network profiles'}`;
}

/** Where nodes of the cluster have it, too. */
function registryTrust({ registryTrust: trust = {} }: JoinFacts): File[] {
  return Object.entries(trust)
    .filter(([registry]) => isRegistry(registry))
    .map(([registry, pem]) => rootFile(`/etc/docker/certs.d/${registry}/ca.crt`, pem, 0o644));
}

function settings(cluster: JoinFacts, endpoint: URL, { ignition }: WorkerUserData, expires: string): string {
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
