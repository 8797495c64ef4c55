// The installer's manifests with the topology of a cluster. No command writes them; they serve to compare coreiso's
// topology with the recordings.
import { type Plain, writeGoYaml } from '@coreiso/diagnostics';
import { type Topology, topologyOf } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';

interface FailureDomain {
  readonly name: string;
  readonly region: string;
  readonly zone: string;
  readonly server: string;
  readonly topology: {
    readonly computeCluster: string;
    readonly datacenter: string;
    readonly datastore: string;
    readonly folder?: string | undefined;
    readonly networks: readonly string[];
    /** By default the root pool of the compute cluster. */
    readonly resourcePool?: string | undefined;
    /** By default the template that an installation uploads. */
    readonly template?: string | undefined;
  };
}

interface VirtualAddresses {
  readonly apiVIPs: readonly string[];
  readonly ingressVIPs: readonly string[];
}

/** The platform in the manifests. */
export type ManifestPlatform =
  | { readonly type: 'none' }
  | { readonly type: 'external'; readonly platformName: string; readonly cloudControllerManager?: string | undefined }
  | ({ readonly type: 'baremetal' } & VirtualAddresses)
  | ({
      readonly type: 'vsphere';
      readonly vcenters: readonly { readonly server: string; readonly datacenters: readonly string[] }[];
      readonly failureDomains: readonly FailureDomain[];
    } & VirtualAddresses)
  | { readonly type: 'aws'; readonly region: string };

export interface TopologyCluster {
  readonly name: string;
  readonly baseDomain: string;
  /** The cluster's name, followed by five random characters. */
  readonly infrastructureName: string;
  readonly machines: Parameters<typeof topologyOf>[0];
  readonly machineNetworks: readonly string[];
  readonly platform: ManifestPlatform;
  readonly cpuPartitioningMode?: string | undefined;
}

/** Manifests of `config.openshift.io/v1`, each named `cluster`. */
export interface TopologyManifests {
  readonly infrastructure: string;
  readonly ingress: string;
  readonly scheduler: string;
}

/**
 * The installer's manifests with the topology of a cluster, identical to the byte.
 *
 * @example topologyManifests({ name: 'reef', baseDomain: 'example.test', infrastructureName: 'reef-x7k2p', machines, machineNetworks, platform: { type: 'none' } }).ingress
 */
export function topologyManifests(cluster: TopologyCluster): TopologyManifests {
  checkArgument('cluster', cluster, 'object');
  checkArgument('cluster.platform', cluster.platform, 'object');
  const topology = topologyOf(cluster.machines, cluster.platform.type);
  return {
    infrastructure: manifest('Infrastructure', infrastructure(cluster, topology)),
    ingress: manifest('Ingress', {
      spec: { domain: `apps.${clusterDomain(cluster)}`, loadBalancer: { platform: loadBalancer(cluster.platform) } },
      status: { defaultPlacement: topology.ingressPlacement },
    }),
    scheduler: manifest('Scheduler', {
      spec: {
        mastersSchedulable: topology.mastersSchedulable,
        policy: { name: '' },
        profileCustomizations: { dynamicResourceAllocation: '' },
      },
      status: {},
    }),
  };
}

type Members = { readonly [name: string]: Plain };

function manifest(kind: string, members: Members): string {
  return writeGoYaml({ apiVersion: 'config.openshift.io/v1', kind, metadata: { name: 'cluster' }, ...members });
}

function clusterDomain({ name, baseDomain }: TopologyCluster): string {
  return `${name}.${baseDomain.replace(/\.$/, '')}`;
}

function loadBalancer({ type }: ManifestPlatform): Members {
  return type === 'aws' ? { aws: { type: 'Classic' }, type: 'AWS' } : { type: '' };
}

function infrastructure(cluster: TopologyCluster, topology: Topology): Members {
  const domain = clusterDomain(cluster);
  const { type, spec, status } = platformParts(cluster);
  const hasCloudConfig = cluster.platform.type === 'vsphere' || cluster.platform.type === 'aws';
  return {
    spec: {
      cloudConfig: hasCloudConfig ? { key: 'config', name: 'cloud-provider-config' } : { name: '' },
      platformSpec: { ...spec, type },
    },
    status: {
      apiServerInternalURI: `https://api-int.${domain}:6443`,
      apiServerURL: `https://api.${domain}:6443`,
      controlPlaneTopology: topology.controlPlane,
      cpuPartitioning: cluster.cpuPartitioningMode === 'AllNodes' ? 'AllNodes' : 'None',
      etcdDiscoveryDomain: '',
      infrastructureName: cluster.infrastructureName,
      infrastructureTopology: topology.infrastructure,
      platform: type,
      platformStatus: { ...status, type },
    },
  };
}

interface PlatformParts {
  readonly type: string;
  readonly spec: Members;
  readonly status: Members;
}

function platformParts(cluster: TopologyCluster): PlatformParts {
  const { platform } = cluster;
  switch (platform.type) {
    case 'none':
      return { type: 'None', spec: {}, status: {} };
    case 'external': {
      const state = platform.cloudControllerManager === 'External' ? 'External' : 'None';
      return {
        type: 'External',
        spec: { external: { platformName: platform.platformName } },
        status: { external: { cloudControllerManager: { state } } },
      };
    }
    case 'baremetal':
      return bareMetal(platform, cluster.machineNetworks);
    case 'vsphere':
      return vsphere(platform, cluster);
    case 'aws': {
      const status = {
        cloudLoadBalancerConfig: { dnsType: 'PlatformDefault' },
        ipFamily: 'IPv4',
        region: platform.region,
      };
      return { type: 'AWS', spec: { aws: {} }, status: { aws: status } };
    }
  }
}

function bareMetal({ apiVIPs, ingressVIPs }: VirtualAddresses, machineNetworks: readonly string[]): PlatformParts {
  const addresses = { apiServerInternalIPs: [...apiVIPs], ingressIPs: [...ingressVIPs] };
  const [apiServerInternalIP = '', ingressIP = ''] = [apiVIPs[0], ingressVIPs[0]];
  const networks = { machineNetworks: [...machineNetworks] };
  return {
    type: 'BareMetal',
    spec: { baremetal: { ...addresses, ...networks } },
    status: { baremetal: { ...addresses, ...networks, apiServerInternalIP, ingressIP, dnsRecordsType: 'Internal' } },
  };
}

function vsphere(
  { apiVIPs, ingressVIPs, vcenters, failureDomains }: ManifestPlatform & { type: 'vsphere' },
  { machineNetworks, infrastructureName }: TopologyCluster,
): PlatformParts {
  const addresses = {
    apiServerInternalIPs: [...apiVIPs],
    ingressIPs: [...ingressVIPs],
    // The virtual addresses need not be in a machine network.
    machineNetworks: [...machineNetworks, ...[...apiVIPs, ...ingressVIPs].map(hostNetwork)],
  };
  const subnets = { networkSubnetCidr: [...machineNetworks] };
  const spec = {
    ...addresses,
    failureDomains: failureDomains.map((domain) => failureDomain(domain, infrastructureName)),
    nodeNetworking: { external: subnets, internal: subnets },
    vcenters: vcenters.map(({ server, datacenters }) => ({ datacenters: [...datacenters], server })),
  };
  return {
    type: 'VSphere',
    spec: { vsphere: spec },
    status: { vsphere: { ...addresses, dnsRecordsType: 'Internal' } },
  };
}

function hostNetwork(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`;
}

function failureDomain({ name, region, zone, server, topology }: FailureDomain, infrastructureName: string): Members {
  const { computeCluster, datacenter, datastore, folder, networks } = topology;
  const {
    resourcePool = `${computeCluster}/Resources`,
    template = `/${datacenter}/vm/${infrastructureName}-rhcos-${name}`,
  } = topology;
  const members = { computeCluster, datacenter, datastore, networks: [...networks], resourcePool, template };
  return { name, region, zone, server, topology: folder === undefined ? members : { ...members, folder } };
}
