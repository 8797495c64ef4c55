// Settings without a field in an AgentClusterInstall are written into an annotation, as JSON.

import { escapeHtml } from '@coreiso/peers/go';
import { formatCidr } from '@coreiso/peers/ip';
import type { InstallConfigValues } from '../generated/values.ts';
import { defaultImageStream } from '../install-config/defaults.ts';
import { encodeSection } from '../install-config/encode.ts';
import { activePlatform, CAPABILITIES, NETWORKING } from '../install-config/install-config-table.ts';
import { NUTANIX, VSPHERE } from '../install-config/platforms.ts';
import type { InstallFiles } from '../install-files/install-files.ts';

/** The text of the annotation; undefined if there are no such settings. */
export function installOverrides(installFiles: InstallFiles, version: string): string | undefined {
  const { values } = installFiles.installConfig;
  const { fips, capabilities, cpuPartitioningMode, additionalTrustBundlePolicy, featureSet, featureGates } = values;
  const isExtended = fips || featureSet !== '' || featureGates.length > 0;
  const platform = platformOverride(installFiles, isExtended ? 'present' : 'absent');
  const networking = networkingOverride(values);
  const overrides = {
    ...(fips ? { fips } : {}),
    ...(platform === undefined ? {} : { platform }),
    ...(capabilities === undefined ? {} : { capabilities: encodeSection(CAPABILITIES, capabilities) }),
    ...(networking === undefined ? {} : { networking }),
    ...(cpuPartitioningMode === '' ? {} : { cpuPartitioningMode }),
    ...(additionalTrustBundlePolicy === 'Proxyonly' ? {} : { additionalTrustBundlePolicy }),
    ...(featureSet === '' ? {} : { featureSet }),
    ...(featureGates.length === 0 ? {} : { featureGates }),
    ...(values.osImageStream === defaultImageStream(version) ? {} : { osImageStream: values.osImageStream }),
  };
  return Object.keys(overrides).length === 0 ? undefined : escapeHtml(JSON.stringify(overrides));
}

/** `empty` decides whether a vSphere platform without settings is written. */
function platformOverride(installFiles: InstallFiles, empty: 'present' | 'absent'): object | undefined {
  const { platform } = installFiles.installConfig.values;
  switch (activePlatform(platform)) {
    case 'baremetal': {
      const baremetal = bareMetalOverride(installFiles);
      return baremetal && { baremetal };
    }
    case 'vsphere': {
      const vsphere = vsphereOverride(installFiles.installConfig.values);
      return empty === 'absent' && Object.keys(vsphere).length === 0 ? undefined : { vsphere };
    }
    case 'nutanix':
      return platform.nutanix && { nutanix: nutanixOverride(platform.nutanix) };
    case 'external': {
      const { platformName = '', cloudControllerManager = '' } = platform.external ?? {};
      return { external: nonEmptyMembers({ platformName, cloudControllerManager }) };
    }
    default:
      return undefined;
  }
}

function nonEmptyMembers(members: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
}

/** Hosts with a management controller, and how machines are provisioned. */
function bareMetalOverride({ installConfig, agentConfig }: InstallFiles): object | undefined {
  const { baremetal } = installConfig.values.platform;
  const hosts = agentConfig.hosts.flatMap(({ hostname, role, interfaces, bmc }) => {
    if (bmc === undefined || (bmc.username === '' && bmc.password === '' && bmc.address === '')) return [];
    const { username, password, address, disableCertificateVerification } = bmc;
    return [
      {
        ...(hostname === '' ? {} : { name: hostname }),
        bmc: { username, password, address, disableCertificateVerification },
        role,
        bootMACAddress: interfaces[0]?.macAddress ?? '',
        hardwareProfile: '',
      },
    ];
  });
  if (baremetal === undefined || hosts.length === 0) return undefined;
  const { provisioningNetworkCIDR: network } = baremetal;
  return {
    hosts,
    ...nonEmptyMembers({
      clusterProvisioningIP: baremetal.clusterProvisioningIP,
      provisioningNetwork: baremetal.provisioningNetwork,
      provisioningNetworkInterface: baremetal.provisioningNetworkInterface,
      provisioningNetworkCIDR: network === undefined ? '' : formatCidr(network),
      provisioningDHCPRange: baremetal.provisioningDHCPRange,
      provisioningNetworkGateway: baremetal.provisioningNetworkGateway,
    }),
  };
}

/** Virtual addresses if there are two, and the credentials of vCenters with their failure domains. */
function vsphereOverride({ platform: { vsphere } }: InstallConfigValues): object {
  if (vsphere === undefined) return {};
  const { apiVIPs, ingressVIPs, vcenters } = vsphere;
  const known = vcenters.filter(
    ({ server, user, password, datacenters }) => server || user || password || datacenters.length > 0,
  );
  const encoded = encodeSection(VSPHERE, { ...vsphere, vcenters: known });
  return {
    ...(apiVIPs.length > 1 ? { apiVIPs, ingressVIPs } : {}),
    ...(known.length > 0 ? { vcenters: encoded['vcenters'], failureDomains: encoded['failureDomains'] } : {}),
  };
}

const NOT_FOR_NUTANIX: ReadonlySet<string> = new Set([
  ...['clusterOSImage', 'preloadedOSImageName', 'defaultMachinePlatform'],
  ...['loadBalancer', 'prismAPICallTimeout', 'failureDomains'],
]);

function nutanixOverride(values: NonNullable<InstallConfigValues['platform']['nutanix']>): object {
  const members = Object.entries(encodeSection(NUTANIX, values));
  return Object.fromEntries(members.filter(([name]) => !NOT_FOR_NUTANIX.has(name)));
}

/** The network settings of plugins that the service does not know. */
function networkingOverride({ networking }: InstallConfigValues): object | undefined {
  if (networking === undefined || ['OVNKubernetes', 'OpenShiftSDN'].includes(networking.networkType)) return undefined;
  return encodeSection(NETWORKING, networking);
}
