// The part of an install config that decides about hosts. Its own rules are checked elsewhere.

import {
  BMC,
  type BmcValues,
  HINTS,
  type HintValues,
  type HostValues,
  type InterfaceValues,
} from '../rules/host-fields.ts';
import { readLinks } from '../rules/network-view.ts';
import { decodeDocument } from '../text/decode.ts';
import { Findings } from '../text/findings.ts';
import { type ConfigSource, readFirst } from '../text/read-text.ts';
import {
  anything,
  listOf,
  type NetworkText,
  nested,
  networkState,
  optionalInteger,
  type Section,
  text,
} from '../text/table.ts';

/** How many hosts of each role the cluster is to have, and the bare-metal hosts by role. */
export interface InstallConfig {
  readonly controlPlaneReplicas: number;
  readonly arbiterReplicas: number;
  readonly computeReplicas: number;
  readonly hosts: readonly InstallHost[];
}

interface InstallHost {
  readonly values: HostValues;
  readonly bootMACAddress: string;
}

interface InstallHostValues {
  name: string;
  role: string;
  bootMACAddress: string;
  rootDeviceHints: HintValues;
  networkConfig: NetworkText | undefined;
  bmc: BmcValues;
}

const INSTALL_HOST: Section<InstallHostValues> = {
  goType: 'baremetal.Host',
  doc: 'A bare-metal host.',
  fields: {
    name: text('Name of the host.'),
    role: text('Role of the host.'),
    bootMACAddress: text('MAC address of the interface that the host boots from.'),
    rootDeviceHints: nested('Which disk to install to.', () => HINTS),
    networkConfig: networkState('The network of the host.'),
    bmc: nested('Access to the management controller.', () => BMC),
  },
};

interface Pool {
  name: string;
  replicas: number | undefined;
}

/** What the installer fills in where a pool says nothing. */
const DEFAULT_REPLICAS = 3;

const POOL: Section<Pool> = {
  goType: 'types.MachinePool',
  doc: 'Machines of one role.',
  fields: { name: text('Name of the pool.'), replicas: optionalInteger('How many.', 'int64') },
};

interface InstallConfigValues {
  controlPlane: Pool;
  arbiter: Pool;
  compute: readonly Pool[];
  platform: { baremetal: { hosts: readonly InstallHostValues[] } };
  pullSecret: undefined;
}

const INSTALL_CONFIG: Section<InstallConfigValues> = {
  goType: 'types.InstallConfig',
  doc: 'The cluster to install.',
  fields: {
    controlPlane: nested('Control plane.', () => POOL),
    arbiter: nested('Arbiters.', () => POOL),
    compute: listOf('Workers.', () => POOL),
    platform: nested('Platform.', () => ({
      goType: 'types.Platform',
      doc: 'Where the cluster runs.',
      fields: {
        baremetal: nested('Bare metal.', () => ({
          goType: 'baremetal.Platform',
          doc: 'Bare metal.',
          fields: { hosts: listOf('Hosts.', () => INSTALL_HOST) },
        })),
      },
    })),
    pullSecret: anything('Secret.'),
  },
};

/** Undefined where the text cannot be read at all. */
export function readInstallConfig(source: ConfigSource): InstallConfig | undefined {
  const prefix = 'failed to unmarshal install-config.yaml: ';
  const read = readFirst(source, prefix, 'compatible');
  if (!read.ok) return undefined;
  const findings = new Findings({ mode: 'compatible' });
  const options = { prefix, strict: false };
  const values = decodeDocument(read.documents[0], INSTALL_CONFIG, findings, options);
  const hosts = values.platform.baremetal.hosts.map(installHost);
  return {
    controlPlaneReplicas: values.controlPlane.replicas ?? DEFAULT_REPLICAS,
    arbiterReplicas: values.arbiter.replicas ?? 0,
    computeReplicas: computeReplicas(values.compute),
    hosts: inRoleOrder(hosts),
  };
}

/** Where there is no pool of workers, one is added. */
function computeReplicas(pools: readonly Pool[]): number {
  const added = pools.some(({ name }) => name === 'worker') ? 0 : DEFAULT_REPLICAS;
  return pools.reduce((sum, { replicas = DEFAULT_REPLICAS }) => sum + replicas, added);
}

/** Unknown roles come last. */
const ROLE_ORDER = ['master', 'arbiter', 'worker'];

function inRoleOrder(hosts: readonly InstallHost[]): InstallHost[] {
  const rank = ({ values: { role } }: InstallHost): number =>
    ROLE_ORDER.includes(role) ? ROLE_ORDER.indexOf(role) : ROLE_ORDER.length;
  return hosts
    .toSorted((a, b) => rank(a) - rank(b))
    .map((host, index) => ({ ...host, values: movedTo(host.values, index) }));
}

/** Findings name hosts by their place in the list that they make up. */
function movedTo(values: HostValues, index: number): HostValues {
  const { networkConfig } = values;
  return { ...values, networkConfig: networkConfig && { ...networkConfig, path: ['hosts', index, 'networkConfig'] } };
}

function installHost(host: InstallHostValues): InstallHost {
  const { name, role, bootMACAddress, rootDeviceHints, networkConfig, bmc } = host;
  const values = { hostname: name, role, rootDeviceHints, networkConfig, interfaces: interfacesOf(host), BMC: bmc };
  return { values, bootMACAddress };
}

/** The table of interfaces that the network state implies; of a state that names no MAC address only the boot interface. */
function interfacesOf({ networkConfig, bootMACAddress }: InstallHostValues): InterfaceValues[] {
  const links = networkConfig === undefined ? [] : readLinks(networkConfig);
  const named = links.flatMap(({ name, macAddress }) =>
    name === '' || macAddress === '' ? [] : [{ name, macAddress }],
  );
  return named.length > 0 ? named : [{ name: 'boot', macAddress: bootMACAddress }];
}

/** Hosts by role against what the install config wants; too many is an error, too few only a warning. */
export function checkReplicas(
  hosts: readonly HostValues[],
  install: InstallConfig,
  findings: Findings<'replicas'>,
): void {
  if (hosts.length === 0) return;
  const pools = [
    { role: 'master', title: 'ControlPlane', wanted: install.controlPlaneReplicas },
    { role: 'arbiter', title: 'Arbiter', wanted: install.arbiterReplicas },
    { role: 'worker', title: 'Compute', wanted: install.computeReplicas },
  ];
  let free = hosts.filter(({ role }) => role === '').length;
  for (const [index, { role, title, wanted }] of pools.entries()) {
    const given = hosts.filter((host) => host.role === role).length;
    // Hosts without a role fill what is missing; whatever is left over are workers.
    const isLast = index === pools.length - 1;
    const filled = isLast ? free : Math.min(free, Math.max(0, wanted - given));
    free -= filled;
    const defined = given + filled;
    if (defined > wanted) {
      findings.upstream('replicas', {
        code: 'nodes-config/too-many-hosts',
        message: `the number of ${role} hosts defined (${defined}) exceeds the configured ${title} replicas (${wanted})`,
        path: ['hosts'],
        help: `Remove hosts, or raise the replicas in install-config.yaml to ${defined}.`,
      });
    } else if (defined > 0 && defined < wanted) {
      findings.upstreamWarning('replicas', {
        code: 'nodes-config/too-few-hosts',
        message: `not enough ${role} hosts defined (${defined}) to support all the configured ${title} replicas (${wanted})`,
        path: ['hosts'],
        help: 'Machines that are not listed can join by DHCP; add them here to give them names and addresses.',
      });
    }
  }
}
