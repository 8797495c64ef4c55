import { formatPath } from '@coreiso/diagnostics';
import { formatCidr } from '@coreiso/peers/ip';
import { invalid } from '../../text/field-errors.ts';
import type { NetworkingValues } from '../install-config-table.ts';
import { addressFault, overlap } from './networks.ts';
import type { RuleFindings } from './rule-findings.ts';

/** Checks the network that joins machines inside OVN, if it is set. */
export function checkJoinSubnet(networking: NetworkingValues, findings: RuleFindings): void {
  const { ovnKubernetesConfig, networkType, clusterNetwork, machineNetwork, serviceNetwork } = networking;
  if (ovnKubernetesConfig === undefined) return;
  if (networkType.toLowerCase() !== 'ovnkubernetes') {
    const path = ['networking', 'networkType'];
    const detail = 'ovnKubernetesConfig may only be specified with the OVNKubernetes networkType';
    findings.error('network', invalid(path, networkType, detail), path, 'Remove `ovnKubernetesConfig`.');
  }
  const join = ovnKubernetesConfig.ipv4?.internalJoinSubnet;
  if (join === undefined) return;
  const path = ['networking', 'ovnKubernetesConfig', 'ipv4', 'internalJoinSubnet'];
  const refuse = (detail: string, help: string): void =>
    findings.error('network', invalid(path, formatCidr(join), detail), path, help);
  const fault = addressFault(join);
  if (fault !== undefined) {
    refuse(fault.detail, fault.help);
    return;
  }
  const lists = [
    { name: 'clusterNetwork', networks: clusterNetwork.map(({ cidr }) => cidr) },
    { name: 'machineNetwork', networks: machineNetwork.map(({ cidr }) => cidr) },
    { name: 'serviceNetwork', networks: serviceNetwork },
  ];
  for (const { name, networks } of lists) {
    for (const network of networks) {
      if (network !== undefined && overlap(join, network))
        refuse(`must not overlap with ${name} ${formatCidr(network)}`, 'Choose another network.');
    }
  }
  const ipv4 = clusterNetwork.flatMap(({ cidr, hostPrefix }, index) =>
    cidr?.address.version === 4 ? [{ bits: hostPrefix - cidr.prefixLength, index }] : [],
  );
  const short = ipv4.find(({ bits }) => bits < 0);
  if (short !== undefined) {
    const cause = `cannot determine the number of nodes supported by cluster network ${short.index} due to invalid hostPrefix`;
    findings.error('network', `${formatPath(path)}: Internal error: ${cause}`, path, 'Correct `hostPrefix` first.');
    return;
  }
  const machines = ipv4.reduce((sum, { bits }) => sum + 2 ** bits, 0);
  // Gateway, network and broadcast address are in use.
  if (machines >= 2 ** (32 - join.prefixLength) - 3) {
    const detail =
      'ipv4InternalJoinSubnet is not large enough for the maximum number of nodes which can be supported by ClusterNetwork';
    refuse(detail, 'Take a shorter prefix.');
  }
}
