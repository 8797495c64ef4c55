// Source addresses of pods outside the cluster: which node can have them, and which path packets then take.
import { checkArgument } from '@coreiso/peers/arguments';
import { type IpAddress, parseAddress } from '@coreiso/peers/ip';
import type { EgressIPFacts } from '../facts/facts.ts';
import { type AdvisedChange, type Finding, shellWord } from './advice.ts';
import { isInside } from './host-view.ts';
import { joinNames, type Surroundings } from './surroundings.ts';

const ASSIGNABLE = 'k8s.ovn.org/egress-assignable';

/**
 * The nodes that can hold an egress address, because one of their networks (`address/length`) contains it.
 *
 * @example egressAssignableNodes([{ name: 'far-0', networks: ['198.51.100.7/24'] }], '198.51.100.77')[0]?.name // 'far-0'
 */
export function egressAssignableNodes<T extends { readonly networks: readonly string[] }>(
  nodes: readonly T[],
  egressIP: string,
): readonly T[] {
  checkArgument('nodes', nodes, 'array');
  checkArgument('egressIP', egressIP, 'text');
  const address = parseAddress(egressIP);
  return address === undefined ? [] : nodesOnNetworkOf(nodes, address);
}

function nodesOnNetworkOf<T extends { readonly networks: readonly string[] }>(
  nodes: readonly T[],
  address: IpAddress,
): readonly T[] {
  return nodes.filter(({ networks }) => isInside(address, networks));
}

interface Candidate {
  readonly name: string;
  readonly networks: readonly string[];
  readonly isLabelled: boolean;
}

export function adviseEgress(around: Surroundings): Finding[] {
  const { facts } = around;
  const known = (facts.nodes ?? []).map(
    ({ name, networks = [], labels = {} }): Candidate => ({
      name,
      networks: networks.map(({ address }) => address),
      isLabelled: Object.hasOwn(labels, ASSIGNABLE),
    }),
  );
  const coming = around.workers.map(
    ({ name, addresses }): Candidate => ({
      name,
      networks: addresses.map(({ text, prefixLength }) => `${text}/${prefixLength}`),
      isLabelled: false,
    }),
  );
  const candidates = [...known, ...coming];
  // Without any network there is nothing to compare with.
  if (candidates.every(({ networks }) => networks.length === 0)) return [];
  return (facts.egressIPs ?? []).flatMap((egress) =>
    egress.addresses.flatMap((text) => adviseAddress(egress, text, candidates)),
  );
}

function adviseAddress({ name }: EgressIPFacts, text: string, candidates: readonly Candidate[]): Finding[] {
  const address = parseAddress(text);
  if (address === undefined) return [];
  const able = nodesOnNetworkOf(candidates, address) as readonly Candidate[];
  const labelled = able.filter(({ isLabelled }) => isLabelled);
  if (labelled.length === 0) return [egressFinding(name, text, able, candidates)];
  const nodes = joinNames(labelled.map((node) => node.name));
  const isOne = labelled.length === 1;
  return [
    {
      severity: 'info',
      code: 'egress-path',
      message: `traffic with the egress address ${text} (EgressIP ${name}) leaves through ${nodes}: that of pods on ${isOne ? 'that node' : 'the node that has it'} directly, that of pods elsewhere inside the cluster to that node first, wherever its site is`,
      path: [],
      help: `Keep the label ${ASSIGNABLE} on ${nodes}${isOne ? ', the only node that can have the address' : ''}.`,
      manifests: [],
    },
  ];
}

function egressFinding(
  name: string,
  text: string,
  able: readonly Candidate[],
  candidates: readonly Candidate[],
): Finding {
  const others = candidates.filter(({ isLabelled }) => isLabelled);
  const where =
    others.length === 0
      ? 'no node is assignable'
      : `it is in no network of ${joinNames(others.map((one) => one.name))}`;
  const manifests: AdvisedChange[] = able.map((node) => ({
    kind: 'command',
    command: `oc label node ${shellWord(node.name)} ${ASSIGNABLE}=`,
    why: `${node.name} is attached to the network of ${text}; traffic of all pods that the EgressIP selects leaves there.`,
  }));
  return {
    severity: 'warning',
    code: 'egress-stranded',
    message: `the egress address ${text} (EgressIP ${name}) can be on no node: ${where}`,
    path: [],
    help:
      able.length === 0
        ? `Choose an address in a network of an assignable node${others.length === 0 ? '' : `: ${joinNames(others.flatMap(({ networks }) => networks))}`}.`
        : `Label ${joinNames(able.map((node) => node.name))}, which ${able.length === 1 ? 'is' : 'are'} attached to its network.`,
    manifests,
  };
}
