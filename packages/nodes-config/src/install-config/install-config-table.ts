// An install config, field by field.

import { METADATA } from '../documents/document-tables.ts';
import type { InstallConfigValues } from '../generated/values.ts';
import {
  boolean,
  cidr,
  cidrList,
  exactText,
  integer,
  kept,
  listOf,
  nested,
  optionalInteger,
  optionalNested,
  rawValue,
  type Section,
  section,
  text,
  textList,
} from '../text/table.ts';
import { PLATFORM, POOL_PLATFORM } from './platforms.ts';

const CREDENTIAL = section('types.Credential', 'Access to the management controller of a machine to fence.', {
  hostName: text('Name of the machine.'),
  macAddress: text('MAC address of the machine.'),
  username: kept(text('User.')),
  password: kept(text('Password.')),
  address: kept(text('URL of the management controller.')),
  certificateVerification: text('Whether certificates are checked.', { values: ['Enabled', 'Disabled'] }),
});

export const POOL: Section<PoolValues> = section('types.MachinePool', 'Machines of one role.', {
  name: kept(text('Name of the pool.')),
  replicas: optionalInteger('How many (default: 3).', 'int64'),
  platform: kept(nested('Ignored.', () => POOL_PLATFORM)),
  hyperthreading: text('Ignored.', { values: ['Enabled', 'Disabled'] }),
  architecture: text('Architecture of the machines.', { values: ['amd64', 'arm64', 'ppc64le', 's390x'] }),
  fencing: optionalNested('How machines of a pair switch each other off.', () =>
    section('types.Fencing', 'How machines of a pair switch each other off.', {
      credentials: listOf('One for each machine.', () => CREDENTIAL, { pointers: true }),
    }),
  ),
  diskSetup: rawValue('Ignored.'),
  management: text('Ignored.', { values: ['ClusterAPI', 'MachineAPI'] }),
});

const CLUSTER_NETWORK = section('types.ClusterNetworkEntry', 'A network of pods.', {
  cidr: kept(cidr('The network.')),
  hostPrefix: integer('Length of the prefix that each machine gets.'),
  hostSubnetLength: integer('Old form of hostPrefix: bits of a host.'),
});

const JOIN = section('types.IPv4OVNKubernetesConfig', 'IPv4.', {
  internalJoinSubnet: cidr('The network that joins machines inside OVN.'),
});

export const NETWORKING: Section<NetworkingValues> = section('types.Networking', 'Networks of the cluster.', {
  networkType: text('The network plugin.'),
  machineNetwork: listOf('Networks of the machines.', () =>
    section('types.MachineNetworkEntry', 'A network of machines.', { cidr: kept(cidr('The network.')) }),
  ),
  clusterNetwork: listOf('Networks of pods.', () => CLUSTER_NETWORK),
  serviceNetwork: cidrList('Networks of services, one of each family.'),
  clusterNetworkMTU: integer('Not for the agent-based installer.'),
  ovnKubernetesConfig: optionalNested('Settings of OVN-Kubernetes.', () =>
    section('types.OVNKubernetesConfig', 'Settings of OVN-Kubernetes.', {
      ipv4: optionalNested('IPv4.', () => JOIN),
    }),
  ),
  machineCIDR: cidr('Old form of machineNetwork.'),
  type: text('Old name of networkType.'),
  serviceCIDR: cidr('Old form of serviceNetwork.'),
  clusterNetworks: listOf('Old name of clusterNetwork.', () => CLUSTER_NETWORK),
});

const PROXY = section('types.Proxy', 'The proxy of the cluster.', {
  httpProxy: text('URL of the proxy for http.'),
  httpsProxy: text('URL of the proxy for https.'),
  noProxy: text('Names and networks to reach directly, with commas between.'),
});

export const CAPABILITIES: Section<NonNullable<InstallConfigValues['capabilities']>> = section(
  'types.Capabilities',
  'Optional parts of the cluster.',
  {
    baselineCapabilitySet: text('The set to begin with.'),
    additionalEnabledCapabilities: textList('Capabilities besides.'),
  },
);

export const INSTALL_CONFIG: Section<InstallConfigValues> = section('types.InstallConfig', 'The cluster to install.', {
  apiVersion: exactText('The version of this format.', { values: ['v1'] }),
  kind: exactText('Ignored.'),
  metadata: kept(nested('Name of the cluster.', () => METADATA)),
  additionalTrustBundle: text('PEM certificates to trust.'),
  additionalTrustBundlePolicy: text('When they are trusted.', { values: ['Proxyonly', 'Always'] }),
  sshKey: text('Public key of user core, one a line.'),
  baseDomain: kept(text('Domain that the cluster belongs to.')),
  networking: optionalNested('Networks of the cluster.', () => NETWORKING),
  controlPlane: optionalNested('The control plane.', () => POOL),
  arbiter: optionalNested('Arbiters.', () => POOL),
  compute: listOf('Workers.', () => POOL),
  platform: kept(nested('Where the cluster runs; one of them.', () => PLATFORM)),
  pullSecret: kept(text('Credentials of the registries, as JSON.')),
  proxy: optionalNested('The proxy of the cluster.', () => PROXY),
  imageContentSources: listOf('Old name of imageDigestSources.', () =>
    section('types.ImageContentSource', 'Mirrors of one place.', {
      source: kept(text('Repository to mirror.')),
      mirrors: textList('Repositories that hold the same.'),
      sourcePolicy: text('Ignored.'),
    }),
  ),
  imageDigestSources: listOf('Where images are mirrored.', () =>
    section('types.ImageDigestSource', 'Mirrors of one place.', {
      source: kept(text('Repository to mirror.')),
      mirrors: textList('Repositories that hold the same.'),
      sourcePolicy: kept(
        text('Whether the source may be asked.', { values: ['NeverContactSource', 'AllowContactingSource'] }),
      ),
    }),
  ),
  publish: text('Ignored.', { values: ['External', 'Internal', 'Mixed'] }),
  operatorPublishingStrategy: optionalNested('Not for the agent-based installer.', () =>
    section('types.OperatorPublishingStrategy', 'Not for the agent-based installer.', {
      apiserver: text('Who reaches the API.', { values: ['Internal', 'External'] }),
      ingress: text('Who reaches ingress.', { values: ['Internal', 'External'] }),
    }),
  ),
  fips: boolean('Whether the cluster runs in FIPS mode.'),
  cpuPartitioningMode: text('Whether CPUs are set apart for the platform.', { values: ['None', 'AllNodes'] }),
  credentialsMode: text('Ignored.'),
  bootstrapInPlace: optionalNested('Ignored.', () =>
    section('types.BootstrapInPlace', 'Ignored.', { installationDisk: text('Ignored.') }),
  ),
  capabilities: optionalNested('Optional parts of the cluster.', () => CAPABILITIES),
  featureSet: text('Features that are not on by default.'),
  featureGates: textList('Single features, NAME=true or NAME=false.'),
  osImageStream: text('Which operating system machines run.', { values: ['rhel-9', 'rhel-10'] }),
  pki: rawValue('Certificates.'),
});

/** Its `networking`. */
export type NetworkingValues = NonNullable<InstallConfigValues['networking']>;
/** One of its pools of machines. */
export type PoolValues = NonNullable<InstallConfigValues['controlPlane']>;
/** Its `platform`. */
export type PlatformValues = InstallConfigValues['platform'];
/** Its `platform.baremetal`. */
export type BareMetalValues = NonNullable<PlatformValues['baremetal']>;
/** Its `platform.nutanix`. */
export type NutanixValues = NonNullable<PlatformValues['nutanix']>;
/** Its `platform.vsphere`. */
export type VSphereValues = NonNullable<PlatformValues['vsphere']>;

/** The order that decides which of several platforms counts. */
const PLATFORM_ORDER = [
  ...['aws', 'azure', 'baremetal', 'gcp', 'ibmcloud', 'none', 'external', 'powervc', 'openstack', 'vsphere', 'ovirt'],
  ...['powervs', 'nutanix'],
] as readonly (keyof PlatformValues)[];

/** The name of the platform, or undefined. */
export function activePlatform(platform: PlatformValues): keyof PlatformValues | '' {
  return PLATFORM_ORDER.find((name) => platform[name] !== undefined) ?? '';
}
