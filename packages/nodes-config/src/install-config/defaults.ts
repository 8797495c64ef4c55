import { canonicalMac } from '@coreiso/peers/go';
import {
  addressBits,
  type Cidr,
  cidrContains,
  formatAddress,
  networkOf,
  parseAddressAsGo,
  parseCidr,
} from '@coreiso/peers/ip';
import type { InstallConfigValues } from '../generated/values.ts';
import { emptyValues } from '../text/decode.ts';
import {
  type BareMetalValues,
  NETWORKING,
  type NetworkingValues,
  POOL,
  type PoolValues,
  type VSphereValues,
} from './install-config-table.ts';

/** A bare-metal platform has two random addresses, which nothing reads. */
const RANDOM_MAC = '<random MAC>';

/** Fills in missing values as the installer does. */
export function withDefaults(config: InstallConfigValues, version: string): InstallConfigValues {
  const { platform } = config;
  const defaulted = { ...platform };
  // Of several platforms, only the first in this order gets its defaults.
  const networking = defaultNetworking(config.networking);
  const { aws, azure, gcp, ibmcloud, openstack, powervc } = platform;
  if (aws ?? azure ?? gcp ?? ibmcloud ?? openstack ?? powervc) {
    // The agent-based installer reads none of its defaults.
  } else if (platform.vsphere) defaulted.vsphere = defaultVSphere(platform.vsphere);
  else if (platform.baremetal) defaulted.baremetal = defaultBareMetal(platform.baremetal, networking);
  else if (platform.nutanix) {
    const { apiVIPs, ingressVIPs, dnsRecordsType } = platform.nutanix;
    defaulted.nutanix = {
      ...platform.nutanix,
      apiVIPs: ipv4First(apiVIPs),
      ingressVIPs: ipv4First(ingressVIPs),
      dnsRecordsType: dnsRecordsType || 'Internal',
    };
  }
  return {
    ...config,
    networking,
    ...defaultPools(config),
    platform: defaulted,
    publish: config.publish || 'External',
    credentialsMode: config.credentialsMode || ((platform.nutanix ?? platform.powervs) ? 'Manual' : ''),
    additionalTrustBundlePolicy: config.additionalTrustBundlePolicy || 'Proxyonly',
    osImageStream: config.osImageStream || defaultImageStream(version),
  };
}

/** Nutanix needs IPv4 first if the two addresses have different families. */
function ipv4First(vips: readonly string[]): readonly string[] {
  const families = vips.map((vip) => parseAddressAsGo(vip)?.version);
  return families.join() === '6,4' ? vips.toReversed() : vips;
}

/** The default operating system stream of a release. */
export function defaultImageStream(version: string): string {
  return Number(/^v?(\d+)/.exec(version)?.[1] ?? 4) >= 5 ? 'rhel-10' : 'rhel-9';
}

interface Pools {
  readonly controlPlane: PoolValues;
  readonly arbiter: PoolValues | undefined;
  readonly compute: readonly PoolValues[];
}

/** The pools with their replicas; a missing pool of workers is added. */
export function defaultPools({ controlPlane, arbiter, compute }: InstallConfigValues): Pools {
  const pools = compute.some(({ name }) => name === 'worker')
    ? compute
    : [...compute, { ...emptyValues(POOL), name: 'worker' }];
  return {
    controlPlane: withMacs(defaultPool({ ...(controlPlane ?? emptyValues(POOL)), name: 'master' }, 3)),
    arbiter: arbiter && defaultPool({ ...arbiter, name: 'arbiter' }, 0),
    compute: pools.map((pool) => defaultPool(pool, 3)),
  };
}

function defaultPool(pool: PoolValues, replicas: number): PoolValues {
  return {
    ...pool,
    replicas: pool.replicas ?? replicas,
    hyperthreading: pool.hyperthreading || 'Enabled',
    architecture: pool.architecture || 'amd64',
  };
}

/** Writes the MAC addresses of fencing in lower case with colons. */
function withMacs(pool: PoolValues): PoolValues {
  if (pool.fencing === undefined) return pool;
  const credentials = pool.fencing.credentials.map((credential) => ({
    ...credential,
    macAddress: canonicalMac(credential.macAddress) ?? credential.macAddress,
  }));
  return { ...pool, fencing: { credentials } };
}

/** A network that is a constant of this program. */
export function fixedNetwork(text: string): Cidr {
  const read = parseCidr(text);
  if (read === undefined) throw new Error(`${text} is not a network`);
  return read;
}

function defaultNetworking(given: NetworkingValues | undefined): NetworkingValues {
  const networking = given ?? emptyValues(NETWORKING);
  const { machineNetwork, clusterNetwork, serviceNetwork } = networking;
  return {
    ...networking,
    networkType: networking.networkType || 'OVNKubernetes',
    machineNetwork: machineNetwork.length > 0 ? machineNetwork : [{ cidr: fixedNetwork('10.0.0.0/16') }],
    clusterNetwork:
      clusterNetwork.length > 0
        ? clusterNetwork
        : [{ cidr: fixedNetwork('10.128.0.0/14'), hostPrefix: 23, hostSubnetLength: 0 }],
    serviceNetwork: serviceNetwork.length > 0 ? serviceNetwork : [fixedNetwork('172.30.0.0/16')],
  };
}

const ROLE_ORDER = ['master', 'arbiter', 'worker'];

/** Unknown roles come last. */
export function inRoleOrder<T extends { readonly role: string }>(hosts: readonly T[]): readonly T[] {
  const rank = ({ role }: T): number => (ROLE_ORDER.includes(role) ? ROLE_ORDER.indexOf(role) : ROLE_ORDER.length);
  return hosts.toSorted((a, b) => rank(a) - rank(b));
}

function defaultBareMetal(values: BareMetalValues, { machineNetwork }: NetworkingValues): BareMetalValues {
  const provisioningNetwork = values.provisioningNetwork || 'Managed';
  const isDisabled = provisioningNetwork === 'Disabled';
  const provisioner = parseAddressAsGo(values.clusterProvisioningIP);
  // Without its own network, provisioning uses that of the machines.
  const shared = machineNetwork.findLast(({ cidr: one }) => one && provisioner && cidrContains(one, provisioner))?.cidr;
  const cidr = isDisabled
    ? (shared ?? values.provisioningNetworkCIDR)
    : (values.provisioningNetworkCIDR ?? fixedNetwork('172.22.0.0/24'));
  const address = (offset: bigint): string =>
    isDisabled || cidr === undefined || offset > lastOffset(cidr) ? '' : formatAddress(atOffset(cidr, offset));
  const range =
    provisioningNetwork === 'Managed' && cidr !== undefined
      ? `${address(10n)},${formatAddress(atOffset(cidr, lastOffset(cidr) - 1n))}`
      : '';
  return {
    ...values,
    libvirtURI: values.libvirtURI || 'qemu:///system',
    provisioningNetwork,
    provisioningNetworkCIDR: cidr,
    bootstrapProvisioningIP: values.bootstrapProvisioningIP || address(2n),
    clusterProvisioningIP: values.clusterProvisioningIP || address(3n),
    provisioningDHCPRange: values.provisioningDHCPRange || range,
    externalBridge: values.externalBridge || 'baremetal',
    externalMACAddress: values.externalMACAddress || RANDOM_MAC,
    provisioningBridge: values.provisioningBridge || (isDisabled ? '' : 'provisioning'),
    provisioningMACAddress: values.provisioningMACAddress || RANDOM_MAC,
    dnsRecordsType: values.dnsRecordsType || 'Internal',
    hosts: inRoleOrder(values.hosts).map((host) => ({
      ...host,
      hardwareProfile: host.hardwareProfile || 'default',
      bootMode: host.bootMode || 'UEFI',
    })),
  };
}

function atOffset({ address, prefixLength }: Cidr, offset: bigint): Cidr['address'] {
  const first = networkOf(address, prefixLength);
  return { version: first.version, value: first.value + offset };
}

function lastOffset({ address, prefixLength }: Cidr): bigint {
  return (1n << BigInt(addressBits(address.version) - prefixLength)) - 1n;
}

function defaultVSphere(values: VSphereValues): VSphereValues {
  return {
    ...values,
    dnsRecordsType: values.dnsRecordsType || 'Internal',
    failureDomains: values.failureDomains.map((domain) => {
      const { computeCluster, resourcePool } = domain.topology;
      const pool = resourcePool || (computeCluster === '' ? '' : `${computeCluster}/Resources`);
      return { ...domain, topology: { ...domain.topology, resourcePool: pool } };
    }),
  };
}
