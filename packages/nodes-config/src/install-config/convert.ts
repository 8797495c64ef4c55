// Converts old fields into new ones before any check.
import { cleanPath } from '@coreiso/peers/go';
import { addressBits } from '@coreiso/peers/ip';
import type { InstallConfigValues } from '../generated/values.ts';
import type { ConfigFinding } from '../text/codes.ts';
import { invalid, required } from '../text/field-errors.ts';
import {
  activePlatform,
  type BareMetalValues,
  type NetworkingValues,
  type VSphereValues,
} from './install-config-table.ts';

type Problem = Omit<ConfigFinding, 'severity'>;

/** Moves old fields to their new places, or returns a problem if that is impossible. */
export function convertOldFields(config: InstallConfigValues): InstallConfigValues | Problem {
  const { apiVersion, networking, platform } = config;
  const path = ['apiVersion'];
  const version = { code: 'nodes-config/api-version', path, help: 'Write `apiVersion: v1`.' } as const;
  if (apiVersion === '') return { ...version, message: required(path, 'no version was provided') };
  if (!['v1', 'v1beta3', 'v1beta4'].includes(apiVersion)) {
    return { ...version, message: invalid(path, apiVersion, `cannot upconvert from version ${apiVersion}`) };
  }
  const converted = { ...platform };
  // Of several platforms, only the one that counts is converted.
  const name = activePlatform(platform);
  if (name === 'baremetal' || name === 'nutanix' || name === 'vsphere') {
    const values = platform[name];
    const problem =
      (name === 'baremetal' ? provisionerConflict(platform.baremetal) : undefined) ??
      (values && (vipConflict(name, 'api', values) ?? vipConflict(name, 'ingress', values)));
    if (problem !== undefined) return problem;
  }
  if (name === 'baremetal' && platform.baremetal)
    converted.baremetal = convertedBareMetal({ ...platform.baremetal, ...convertedVips(platform.baremetal) });
  if (name === 'nutanix' && platform.nutanix)
    converted.nutanix = { ...platform.nutanix, ...convertedVips(platform.nutanix) };
  if (name === 'vsphere' && platform.vsphere)
    converted.vsphere = convertedVSphere({ ...platform.vsphere, ...convertedVips(platform.vsphere) });
  return {
    ...config,
    apiVersion: 'v1',
    networking: networking && convertedNetworking(networking),
    platform: converted,
  };
}

/** Reports a difference between the old and the new form of a field. */
function provisionerConflict(values: BareMetalValues | undefined): Problem | undefined {
  const { provisioningHostIP: old = '', clusterProvisioningIP = '' } = values ?? {};
  if (old === '' || clusterProvisioningIP === '' || old === clusterProvisioningIP) return undefined;
  const path = ['platform', 'baremetal', 'provisioningHostIP'];
  const detail = 'provisioningHostIP is deprecated; only clusterProvisioningIP needs to be specified';
  const help = 'Remove `provisioningHostIP`: it is the old name of `clusterProvisioningIP`.';
  return { code: 'nodes-config/old-field', message: invalid(path, old, detail), path, help };
}

interface Vips {
  readonly apiVIP: string;
  readonly apiVIPs: readonly string[];
  readonly ingressVIP: string;
  readonly ingressVIPs: readonly string[];
}

function vipConflict(platform: string, kind: 'api' | 'ingress', values: Vips): Problem | undefined {
  const old = values[`${kind}VIP`];
  const list = values[`${kind}VIPs`];
  if (old === '' || list.length === 0 || list.includes(old)) return undefined;
  const path = ['platform', platform, `${kind}VIPs`];
  return {
    code: 'nodes-config/old-vip',
    message: invalid(path, old, `${kind}VIPs is deprecated; only ${kind}VIP needs to be specified`),
    path: ['platform', platform, `${kind}VIP`],
    help: `Remove \`${kind}VIP\`: it is the old form of \`${kind}VIPs\`.`,
  };
}

function convertedVips({ apiVIP, apiVIPs, ingressVIP, ingressVIPs }: Vips): Pick<Vips, 'apiVIPs' | 'ingressVIPs'> {
  return {
    apiVIPs: apiVIPs.length === 0 && apiVIP !== '' ? [apiVIP] : apiVIPs,
    ingressVIPs: ingressVIPs.length === 0 && ingressVIP !== '' ? [ingressVIP] : ingressVIPs,
  };
}

function convertedNetworking(networking: NetworkingValues): NetworkingValues {
  const { clusterNetworks, machineCIDR, serviceCIDR } = networking;
  const moved = networking.clusterNetwork.length === 0;
  const clusterNetwork = (moved ? clusterNetworks : networking.clusterNetwork).map((entry) =>
    entry.hostPrefix === 0 && entry.hostSubnetLength !== 0 && entry.cidr !== undefined
      ? { ...entry, hostPrefix: addressBits(entry.cidr.address.version) - entry.hostSubnetLength }
      : entry,
  );
  const { machineNetwork, serviceNetwork } = networking;
  return {
    ...networking,
    networkType: properCase(networking.networkType || networking.type),
    machineNetwork: machineNetwork.length === 0 && machineCIDR ? [{ cidr: machineCIDR }] : machineNetwork,
    serviceNetwork: serviceNetwork.length === 0 && serviceCIDR ? [serviceCIDR] : serviceNetwork,
    clusterNetwork,
    // In Go, both are the same list.
    clusterNetworks: moved ? clusterNetwork : clusterNetworks,
  };
}

function convertedBareMetal(values: BareMetalValues): BareMetalValues {
  const { clusterProvisioningIP, provisioningHostIP, provisioningNetwork, provisioningDHCPExternal } = values;
  return {
    ...values,
    clusterProvisioningIP: clusterProvisioningIP || provisioningHostIP,
    provisioningNetwork: provisioningNetwork || (provisioningDHCPExternal ? 'Unmanaged' : ''),
  };
}

function properCase(networkType: string): string {
  return (
    ['OVNKubernetes', 'OpenShiftSDN'].find((type) => type.toLowerCase() === networkType.toLowerCase()) ?? networkType
  );
}

type VCenter = VSphereValues['vcenters'][number];
type FailureDomain = VSphereValues['failureDomains'][number];

function convertedVSphere(values: VSphereValues): VSphereValues {
  const isOld = values.vcenters.length === 0;
  const vcenters = isOld ? [oldVCenter(values)] : values.vcenters;
  const completed = isOld
    ? values.failureDomains.map((domain) => withOldFields(domain, values))
    : values.failureDomains;
  const servers = new Set(vcenters.map(({ server }) => server));
  // The installer stops at the first domain with an unknown vCenter.
  const stranger = completed.findIndex(({ server }) => !servers.has(server));
  const failureDomains = completed.map((domain, index) =>
    stranger !== -1 && index >= stranger ? domain : { ...domain, topology: absoluteTopology(domain.topology) },
  );
  return {
    ...values,
    vcenters,
    failureDomains: failureDomains.length > 0 ? failureDomains : [generatedDomain(values, vcenters)],
  };
}

/** The one vCenter that old fields describe, with the datacenters of all failure domains. */
function oldVCenter({ vCenter, username, password, datacenter, failureDomains }: VSphereValues): VCenter {
  const named = [datacenter, ...failureDomains.map(({ topology }) => topology.datacenter)];
  const datacenters = [...new Set(named.filter((name) => name !== ''))];
  return { server: vCenter, port: 443, user: username, password, datacenters };
}

function withOldFields(domain: FailureDomain, { vCenter, datacenter }: VSphereValues): FailureDomain {
  const topology = { ...domain.topology, datacenter: domain.topology.datacenter || datacenter };
  return { ...domain, server: domain.server || vCenter, topology };
}

/** Turns names into paths below their datacenter. */
function absoluteTopology(topology: FailureDomain['topology']): FailureDomain['topology'] {
  const { datacenter, computeCluster, datastore, folder } = topology;
  const absolute = (kind: string, name: string): string =>
    name === '' || name.startsWith('/') ? name : cleanPath(`/${datacenter}/${kind}/${name}`);
  return {
    ...topology,
    computeCluster: absolute('host', computeCluster),
    datastore: absolute('datastore', datastore),
    folder: absolute('vm', folder),
  };
}

function generatedDomain(values: VSphereValues, vcenters: readonly VCenter[]): FailureDomain {
  const { datacenter, cluster, network, defaultDatastore, resourcePool, folder } = values;
  return {
    name: 'generated-failure-domain',
    region: 'generated-region',
    zone: 'generated-zone',
    regionType: '',
    zoneType: '',
    server: vcenters[0]?.server ?? '',
    topology: absoluteTopology({
      datacenter,
      computeCluster: cluster,
      networks: [network],
      datastore: defaultDatastore,
      resourcePool,
      folder,
      template: '',
      tagIDs: [],
      hostGroup: '',
    }),
  };
}
