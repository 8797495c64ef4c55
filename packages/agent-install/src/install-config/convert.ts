// Old fields move into new ones before anything is judged.
import type { Finding } from '@coreiso/diagnostics';
import { addressBits } from '@coreiso/diagnostics/ip';
import { invalid, required } from '@coreiso/nodes-config/document';
import type { BareMetalValues, InstallConfigValues, NetworkingValues, VSphereValues } from './table.ts';

type Problem = Omit<Finding, 'severity'>;

/** Old fields in their new places; a problem where that cannot be done. */
export function convertOldFields(config: InstallConfigValues): InstallConfigValues | Problem {
  const { apiVersion, networking, platform } = config;
  const path = ['apiVersion'];
  const version = { code: 'agent-install/api-version', path, cure: 'Write `apiVersion: v1`.' };
  if (apiVersion === '') return { ...version, message: required(path, 'no version was provided') };
  if (!['v1', 'v1beta3', 'v1beta4'].includes(apiVersion)) {
    return { ...version, message: invalid(path, apiVersion, `cannot upconvert from version ${apiVersion}`) };
  }
  const converted = { ...platform };
  for (const name of ['baremetal', 'nutanix', 'vsphere'] as const) {
    const values = platform[name];
    if (values === undefined) continue;
    const problem = vipConflict(name, 'api', values) ?? vipConflict(name, 'ingress', values);
    if (problem !== undefined) return problem;
  }
  if (platform.baremetal)
    converted.baremetal = convertedBareMetal({ ...platform.baremetal, ...convertedVips(platform.baremetal) });
  if (platform.nutanix) converted.nutanix = { ...platform.nutanix, ...convertedVips(platform.nutanix) };
  if (platform.vsphere)
    converted.vsphere = convertedVSphere({ ...platform.vsphere, ...convertedVips(platform.vsphere) });
  return {
    ...config,
    apiVersion: 'v1',
    networking: networking && convertedNetworking(networking),
    platform: converted,
  };
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
    code: 'agent-install/old-vip',
    message: invalid(path, old, `${kind}VIPs is deprecated; only ${kind}VIP needs to be specified`),
    path: ['platform', platform, `${kind}VIP`],
    cure: `Remove \`${kind}VIP\`: it is the old form of \`${kind}VIPs\`.`,
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
    // One and the same list in Go.
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

function convertedVSphere(values: VSphereValues): VSphereValues {
  const { vCenter, username, password, datacenter, failureDomains } = values;
  const vcenters =
    values.vcenters.length > 0
      ? values.vcenters
      : [
          {
            server: vCenter,
            port: 443,
            user: username,
            password,
            datacenters: datacenter === '' ? [] : [datacenter],
          },
        ];
  return {
    ...values,
    vcenters,
    failureDomains: failureDomains.length > 0 ? failureDomains : [generatedDomain(values)],
  };
}

function generatedDomain(values: VSphereValues): VSphereValues['failureDomains'][number] {
  const { vCenter, datacenter, cluster, network, defaultDatastore, resourcePool, folder } = values;
  const absolute = (kind: string, name: string): string =>
    name === '' || name.startsWith('/') ? name : `/${datacenter}/${kind}/${name}`;
  return {
    name: 'generated-failure-domain',
    region: 'generated-region',
    zone: 'generated-zone',
    regionType: '',
    zoneType: '',
    server: vCenter,
    topology: {
      datacenter,
      computeCluster: absolute('host', cluster),
      networks: [network],
      datastore: absolute('datastore', defaultDatastore),
      resourcePool,
      folder: absolute('vm', folder),
      template: '',
      tagIDs: [],
      hostGroup: '',
    },
  };
}
