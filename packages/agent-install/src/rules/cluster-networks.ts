import { addressBits, formatCidr } from '@coreiso/diagnostics/ip';
import { invalid } from '@coreiso/nodes-config/document';
import type { InstallConfigValues } from '../install-config/table.ts';

export interface ClusterNetworkFault {
  readonly message: string;
  readonly path: readonly (string | number)[];
  readonly cure: string;
}

/** A machine needs this many bits of addresses for its pods. */
const LEAST_HOST_BITS = 7;

/** Whether every machine gets its part of the cluster networks, as the check of an AgentClusterInstall asks. */
export function clusterNetworkFaults(values: InstallConfigValues): ClusterNetworkFault[] {
  const { networking, controlPlane, compute } = values;
  // Plugins it does not know count as OVN-Kubernetes there.
  if (networking === undefined || networking.networkType === 'OpenShiftSDN') return [];
  // Arbiters do not count.
  const machines = (controlPlane?.replicas ?? 0) + compute.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  return networking.clusterNetwork.flatMap(({ cidr, hostPrefix }, index) => {
    if (cidr === undefined) return [];
    const faults: ClusterNetworkFault[] = [];
    const there = ['spec', 'networking', 'clusterNetwork', index];
    const path = ['networking', 'clusterNetwork', index];
    const most = addressBits(cidr.address.version) - LEAST_HOST_BITS;
    if (hostPrefix > most) {
      const message = invalid([...there, 'hostPrefix'], hostPrefix, `must be at most ${most}`);
      faults.push({
        message,
        path: [...path, 'hostPrefix'],
        cure: `Write a number from ${cidr.prefixLength} to ${most}.`,
      });
    }
    if (2 ** (hostPrefix - cidr.prefixLength) < machines) {
      const detail = `prefix length ${cidr.prefixLength} not large enough to accommodate ${machines} hosts with hostPrefix length ${hostPrefix}`;
      const cure = 'Take a shorter prefix for the network, or a longer one for the hosts.';
      faults.push({ message: invalid(there, formatCidr(cidr), detail), path: [...path, 'cidr'], cure });
    }
    return faults;
  });
}
