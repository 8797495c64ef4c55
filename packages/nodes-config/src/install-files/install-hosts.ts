// The hosts of an install config.

import type { InstallConfigValues } from '../generated/values.ts';
import { defaultPools, inRoleOrder } from '../install-config/defaults.ts';
import type { BareMetalValues } from '../install-config/install-config-table.ts';
import { HINTS, type HostValues, type InterfaceValues } from '../rules/host-fields.ts';
import { readLinks } from '../rules/network-view.ts';
import type { VirtualAddresses } from '../rules/own/sanity-rules.ts';
import type { Findings } from '../text/config-findings.ts';
import { emptyValues } from '../text/decode.ts';

/** How many hosts of each role the cluster will have, and the bare-metal hosts by role. */
export interface InstallHosts {
  readonly controlPlaneReplicas: number;
  readonly arbiterReplicas: number;
  readonly computeReplicas: number;
  readonly virtualAddresses: VirtualAddresses;
  readonly hosts: readonly InstallHost[];
}

interface InstallHost {
  readonly values: HostValues;
  readonly bootMACAddress: string;
}

/** The hosts in the values of an install config, which may have other errors. */
export function installHosts(values: InstallConfigValues): InstallHosts {
  const { controlPlane, arbiter, compute } = defaultPools(values);
  return {
    controlPlaneReplicas: controlPlane.replicas ?? 0,
    arbiterReplicas: arbiter?.replicas ?? 0,
    computeReplicas: compute.reduce((sum, { replicas = 0 }) => sum + replicas, 0),
    virtualAddresses: virtualAddresses(values),
    hosts: inRoleOrder(values.platform.baremetal?.hosts ?? []).map(installHost),
  };
}

/** Virtual addresses of the platforms whose nodes keep them; older fields have other names. */
function virtualAddresses({ platform }: InstallConfigValues): VirtualAddresses {
  const own = platform.baremetal ?? platform.vsphere ?? platform.nutanix;
  if (own === undefined || own.loadBalancer?.type === 'UserManaged') return {};
  const { apiVIPs, apiVIP, ingressVIPs, ingressVIP } = own;
  return { apiVIPs: [...apiVIPs, apiVIP], ingressVIPs: [...ingressVIPs, ingressVIP] };
}

type BareMetalHost = BareMetalValues['hosts'][number];

/** Findings name hosts by their place in their own list. */
function installHost(host: BareMetalHost, index: number): InstallHost {
  const { name, role, bootMACAddress, rootDeviceHints = emptyValues(HINTS), networkConfig, bmc } = host;
  return {
    bootMACAddress,
    values: {
      hostname: name,
      role,
      rootDeviceHints,
      networkConfig: networkConfig && { ...networkConfig, path: ['hosts', index, 'networkConfig'] },
      interfaces: interfacesOf(host),
      BMC: bmc,
    },
  };
}

/**
 * The table of interfaces that the network state implies; for a state without MAC addresses, only the boot interface.
 */
function interfacesOf({ networkConfig, bootMACAddress }: BareMetalHost): InterfaceValues[] {
  const links = networkConfig === undefined ? [] : readLinks({ node: networkConfig.node, path: [] });
  const named = links.flatMap(({ name, macAddress }) =>
    name === '' || macAddress === '' ? [] : [{ name, macAddress }],
  );
  return named.length > 0 ? named : [{ name: 'boot', macAddress: bootMACAddress }];
}

/** How many machines the cluster will have. */
export function machinesOf({ controlPlaneReplicas, arbiterReplicas, computeReplicas }: InstallHosts): number {
  return controlPlaneReplicas + arbiterReplicas + computeReplicas;
}

/** Compares hosts by role with the numbers in the install config; too many is an error, too few only a warning. */
export function checkReplicas(
  hosts: readonly HostValues[],
  install: InstallHosts,
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
    // Hosts without a role fill the missing places; the rest are workers.
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
