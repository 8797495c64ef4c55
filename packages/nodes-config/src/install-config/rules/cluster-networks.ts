import { addressBits, type Cidr, formatCidr } from '@coreiso/peers/ip';
import { invalid } from '../../text/field-errors.ts';

export interface ClusterNetworkFault {
  /** The message about the field of an AgentClusterInstall. */
  readonly message: string;
  readonly field: 'cidr' | 'hostPrefix';
  readonly help: string;
}

export interface ClusterNetwork {
  readonly network: Cidr;
  /** The network as written in a manifest. */
  readonly written?: string | undefined;
  readonly hostPrefix: number;
  readonly index: number;
}

/** Pods of a machine need at least this many bits of addresses. */
const LEAST_HOST_BITS = 7;

/**
 * Checks that every machine gets its part of a cluster network, as for an AgentClusterInstall; arbiters do not count.
 */
export function clusterNetworkFaults(
  { network, written = formatCidr(network), hostPrefix, index }: ClusterNetwork,
  machines: number,
): ClusterNetworkFault[] {
  const faults: ClusterNetworkFault[] = [];
  const path = ['spec', 'networking', 'clusterNetwork', index];
  const most = addressBits(network.address.version) - LEAST_HOST_BITS;
  if (hostPrefix > most) {
    const message = invalid([...path, 'hostPrefix'], hostPrefix, `must be at most ${most}`);
    faults.push({ message, field: 'hostPrefix', help: `Write a number from ${network.prefixLength} to ${most}.` });
  }
  const bits = Math.ceil(Math.log2(Math.max(machines, 1)));
  if (hostPrefix - network.prefixLength < bits) {
    const detail = `prefix length ${network.prefixLength} not large enough to accommodate ${machines} hosts with hostPrefix length ${hostPrefix}`;
    const help = 'Take a shorter prefix for the network, or a longer one for the hosts.';
    faults.push({ message: invalid(path, written, detail), field: 'cidr', help });
  }
  return faults;
}
