// The plan of a new cluster: its machines, the rendezvous host, and what each machine does when it boots.

import { checkArgument } from '@coreiso/peers/arguments';
import { canonicalAddressAsGo } from '@coreiso/peers/ip';
import type { ClusterDirectory } from '../directory/cluster-directory.ts';
import type { BootOutline } from '../hosts/boot-outline.ts';
import type { HostPlans } from '../hosts/plan-hosts.ts';
import { activePlatform } from '../install-config/install-config-table.ts';
import { type InstallFiles, requireInstallFiles } from '../install-files/install-files.ts';
import type { Host } from '../rules/host.ts';
import { readAddresses } from '../rules/network-view.ts';
import { type Topology, topologyOf } from '../topology/topology.ts';
import { hostPlans, hostsOfNetworks } from './image-files.ts';

/** The plan of a new cluster: machines, addresses, hosts and their boots. */
export interface ClusterPlan {
  /** `<cluster>.<base domain>`. */
  readonly domain: string;
  readonly platform: string;
  /** Machines that the installation waits for. */
  readonly machines: {
    readonly controlPlane: number;
    readonly arbiter: number;
    readonly compute: number;
  };
  readonly topology: Topology;
  /** Addresses that move between machines; none with the user's own load balancers. */
  readonly virtualAddresses: { readonly api: readonly string[]; readonly ingress: readonly string[] };
  /** The host that runs the installation of all others. */
  readonly rendezvous: {
    /** Undefined if no file gives it; then no image can be made. */
    readonly address: string | undefined;
    /** The host with that address, if these files assign it. */
    readonly host: string | undefined;
    readonly reason: string;
  };
  /** What each host does at its boots. */
  readonly hosts: readonly {
    readonly name: string;
    readonly path: Host['path'];
    /** Empty if the service decides. */
    readonly role: string;
    readonly isRendezvous: boolean;
    /** Static addresses, in the order of the file. */
    readonly addresses: readonly string[];
    readonly boots: BootOutline;
  }[];
  /** Number of machines that the files do not list; they use DHCP. */
  readonly unlisted: number;
  /** For `simulateBoot`. */
  readonly hostPlans: HostPlans;
}

/**
 * The plan of a new cluster, or of a directory with ready-made manifests.
 *
 * @example planCluster(installFiles).rendezvous.address
 */
export function planCluster(source: InstallFiles | ClusterDirectory): ClusterPlan {
  checkArgument('source', source, 'object');
  if (!('clusterInstall' in source)) requireInstallFiles('source', source);
  const facts = 'clusterInstall' in source ? factsOfDirectory(source) : factsOfFiles(source);
  const { hosts, machines, platform, written } = facts;
  const addressed = hosts.map((host) => ({ host, addresses: addressesOf(host) }));
  const address = facts.rendezvousAddress;
  const leader = addressed.find(({ addresses }) => address !== undefined && addresses.includes(address))?.host;
  const plans = hostPlans(hosts);
  const names = plans.hosts.map(({ name }, index) => facts.names?.[index] ?? name);
  const wanted = machines.controlPlane + machines.arbiter + machines.compute;
  return {
    domain: facts.domain,
    platform,
    machines,
    topology: topologyOf(machines, platform),
    virtualAddresses: facts.virtualAddresses,
    rendezvous: {
      address,
      host: leader && names[hosts.indexOf(leader)],
      reason: reasonOf({ address, leader, written, isFromManifests: facts.isFromManifests }),
    },
    hosts: addressed.map(({ host, addresses }, index) => ({
      name: names[index] ?? '',
      path: host.path,
      role: host.role,
      isRendezvous: host === leader,
      addresses,
      boots: outline(host, { address, isLeader: host === leader, machines }),
    })),
    unlisted: Math.max(0, wanted - hosts.length),
    hostPlans: plans,
  };
}

interface ClusterFacts {
  readonly hosts: readonly Host[];
  /** The names of manifests, for hosts without names. */
  readonly names?: readonly string[];
  readonly machines: ClusterPlan['machines'];
  readonly platform: string;
  readonly domain: string;
  readonly virtualAddresses: ClusterPlan['virtualAddresses'];
  readonly rendezvousAddress: string | undefined;
  /** The address as written in an agent config; empty if it was derived. */
  readonly written: string;
  readonly isFromManifests: boolean;
}

function factsOfFiles({ installConfig, agentConfig }: InstallFiles): ClusterFacts {
  const { platform, controlPlane, arbiter, compute, metadata, baseDomain } = installConfig.values;
  const active = activePlatform(platform);
  const values = active === 'baremetal' || active === 'vsphere' || active === 'nutanix' ? platform[active] : undefined;
  return {
    hosts: agentConfig.hosts,
    machines: {
      controlPlane: controlPlane?.replicas ?? 0,
      arbiter: arbiter?.replicas ?? 0,
      compute: compute.reduce((sum, { replicas = 0 }) => sum + replicas, 0),
    },
    // `none` decides about ingress even if another platform is set, too.
    platform: platform.none === undefined ? active : 'none',
    domain: `${metadata.name}.${baseDomain}`,
    virtualAddresses: { api: values?.apiVIPs ?? [], ingress: values?.ingressVIPs ?? [] },
    rendezvousAddress: agentConfig.rendezvousAddress,
    written: agentConfig.rendezvousIP,
    isFromManifests: false,
  };
}

function factsOfDirectory({
  installFiles,
  clusterInstall,
  networks,
  domain,
  rendezvousAddress,
}: ClusterDirectory): ClusterFacts {
  const { counts, platformType, virtualAddresses } = clusterInstall;
  return {
    hosts: installFiles?.agentConfig.hosts ?? hostsOfNetworks(networks),
    ...(installFiles === undefined ? { names: networks.map(({ name }) => name) } : {}),
    machines: { controlPlane: counts.controlPlane, arbiter: counts.arbiter, compute: counts.worker },
    platform: platformType.toLowerCase(),
    domain,
    virtualAddresses,
    rendezvousAddress,
    written: installFiles?.agentConfig.rendezvousIP ?? '',
    isFromManifests: installFiles === undefined,
  };
}

function addressesOf({ networkConfig }: Host): string[] {
  const reading = networkConfig && readAddresses(networkConfig.node, networkConfig.path);
  return reading?.ok ? reading.addresses.flatMap(({ text }) => canonicalAddressAsGo(text) ?? []) : [];
}

interface Derivation {
  readonly address: string | undefined;
  readonly leader: Host | undefined;
  readonly written: string;
  readonly isFromManifests: boolean;
}

function reasonOf({ address, leader, written, isFromManifests }: Derivation): string {
  if (address === undefined) return 'no file names it, and no control-plane host has a static address';
  if (written !== '') {
    const origin = 'it is the rendezvousIP of agent-config.yaml';
    return leader === undefined ? `${origin}; no host has it in these files, so DHCP must give it to one` : origin;
  }
  if (isFromManifests) return 'it is the first static address of nmstateconfig.yaml';
  const kind = leader?.role === '' ? 'host without a role' : 'control-plane host';
  return `nothing names it, and so it is the first static address of the first ${kind} that has one`;
}

interface BootTerms {
  readonly address: string | undefined;
  readonly isLeader: boolean;
  readonly machines: ClusterPlan['machines'];
}

const ROLES: Readonly<Record<string, string>> = {
  master: 'a control-plane node',
  arbiter: 'an arbiter',
  worker: 'a worker',
};

function outline(
  { role, rootDeviceHints, networkConfig }: Host,
  { address, isLeader, machines }: BootTerms,
): BootOutline {
  const network = networkConfig === undefined ? 'takes its network from DHCP' : 'gets its static network';
  const hints = Object.entries(rootDeviceHints).map(([name, value]) => `${name} ${value}`);
  const disk = hints.length === 0 ? 'the disk that the service chooses' : `the disk with ${hints.join(' and ')}`;
  const future = ROLES[role] ?? 'a node with the role that the service gives it';
  const { controlPlane, arbiter, compute } = machines;
  if (isLeader && controlPlane + arbiter + compute === 1) {
    return {
      first: `${network}, starts the service and registers itself, runs the bootstrap control plane and writes ${disk}`,
      second: 'starts the control plane from its disk and finishes the installation alone',
      later: 'is the cluster; the medium is not needed any more',
    };
  }
  if (isLeader) {
    const waited = [
      `${controlPlane} control-plane machines`,
      ...(arbiter ? [`${arbiter} arbiters`] : []),
      ...(compute ? [`${compute} workers`] : []),
    ];
    return {
      first: `${network}, starts the service at ${address}, waits for ${waited.join(', ')}, runs the bootstrap control plane and, last of all, writes ${disk}`,
      second: `joins the control plane that the others have formed, as ${future}`,
      later: 'boots from its disk; the service no longer runs',
    };
  }
  return {
    first: `${network}, registers with the service at ${address ?? 'the rendezvous host'}, and once all machines are registered writes ${disk}`,
    second: `joins the cluster as ${future}`,
    later: 'boots from its disk',
  };
}
