// Names and addresses in a request for a serving certificate, and their origins. A node writes its own status, so values there are claims:
// they count only where the plan leaves them open and no other node has them.

import type { ClusterNetworks } from '@coreiso/nodes-config';
import { canonicalAddressAsGo, cidrContains, type IpAddress, parseAddress, parseCidr } from '@coreiso/peers/ip';
import { type KubeObject, nameOf, objectsOf, textOf } from '../objects.ts';
import type { RequestContent } from './request-content.ts';

/** An expected node: its exact name and its planned addresses. */
export interface PlannedNode {
  readonly name: string;
  readonly addresses: readonly string[];
  /** IP versions with further addresses from the network (DHCP, router advertisements); both if the plan has no address. */
  readonly dynamicVersions?: readonly (4 | 6)[] | undefined;
}

/** A name or an address in a certificate request. */
export interface AskedName {
  readonly value: string;
  /** The source: the plan, or a value that the node reports and no other node has. */
  readonly origin: 'plan' | 'node' | 'refused';
  /** Why it is accepted or refused. */
  readonly reason: string;
}

/** The data around one planned node. */
export interface NodeSurroundings {
  readonly planned: PlannedNode;
  /** The node itself, if it exists. */
  readonly node: KubeObject | undefined;
  /** All nodes, including this one. */
  readonly nodes: readonly KubeObject[];
  readonly plan: readonly PlannedNode[];
  /** Undefined if they are unknown. */
  readonly networks: ClusterNetworks | undefined;
}

/** Each name and address of a request, with its origin. */
export function askedNames(content: RequestContent, surroundings: NodeSurroundings): readonly AskedName[] {
  return [
    ...content.dnsNames.map((name) => originOfName(name, surroundings)),
    ...content.addresses.map((address) => originOfAddress(address, surroundings)),
  ];
}

function originOfName(value: string, surroundings: NodeSurroundings): AskedName {
  const { planned, node } = surroundings;
  const owner = ownerOfName(value, surroundings);
  if (owner !== undefined) return refusedName(value, `${owner} has it`);
  if (value === planned.name) return { value, origin: 'plan', reason: 'it is in the plan' };
  if (!claims(node, /^(?:Hostname|InternalDNS|ExternalDNS)$/).includes(value)) {
    return refusedName(value, 'neither the plan nor the node has it');
  }
  if (!NAME.test(value) || !isSpellingOf(value, planned.name))
    return refusedName(value, `only the node says so, and it is not ${planned.name}`);
  return {
    value,
    origin: 'node',
    reason: `the node says so, it is a form of ${planned.name}, and no other node has it`,
  };
}

/** RFC 1123 section 2.1, without a trailing dot, which would hide the owner of the name. */
const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** With its domain, or without. */
function isSpellingOf(name: string, planned: string): boolean {
  return name.startsWith(`${planned}.`) || planned.startsWith(`${name}.`);
}

function ownerOfName(value: string, surroundings: NodeSurroundings): string | undefined {
  const name = value.toLowerCase();
  const { apiServerUrl, apiServerInternalUrl } = surroundings.networks ?? {};
  if ([apiServerUrl, apiServerInternalUrl].some((url) => hostOf(url) === name)) return 'the API';
  return otherOwner(
    surroundings,
    (planned) => planned.name.toLowerCase() === name,
    (node) => [nameOf(node), ...claims(node, /./)].some((other) => other.toLowerCase() === name),
  );
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Another node, of the plan or of the cluster, that has it. */
function otherOwner(
  { planned, plan, nodes }: NodeSurroundings,
  isPlannedFor: (other: PlannedNode) => boolean,
  isClaimedBy: (other: KubeObject) => boolean,
): string | undefined {
  const host = plan.find((other) => other.name !== planned.name && isPlannedFor(other));
  if (host !== undefined) return `planned node ${host.name}`;
  const node = nodes.find((other) => nameOf(other) !== planned.name && isClaimedBy(other));
  return node && `node ${nameOf(node)}`;
}

function originOfAddress(value: string, surroundings: NodeSurroundings): AskedName {
  const { planned, node, networks } = surroundings;
  const owner = ownerOfAddress(value, surroundings);
  if (owner !== undefined) return refusedName(value, `${owner} has it`);
  if (canonical(planned.addresses).includes(value)) return { value, origin: 'plan', reason: 'it is in the plan' };
  if (!canonical(claims(node, /^(?:InternalIP|ExternalIP)$/)).includes(value)) {
    return refusedName(value, 'neither the plan nor the node has it');
  }
  const address = parseAddress(value);
  if (address !== undefined && !isOpen(planned, address)) {
    return refusedName(value, `only the node says so; the plan has ${planned.addresses.join(' and ')}`);
  }
  const machines = networks?.machineNetworks ?? [];
  if (address === undefined || machines.length === 0 || networks?.serviceNetworks === undefined) {
    return refusedName(value, `only the node says so, and the ${missing(networks)} not known; ${WAY_OUT}`);
  }
  const home = machines.find((network) => contains(network, address));
  if (home === undefined) return refusedName(value, `only the node says so, and it is not in ${machines.join(' or ')}`);
  return { value, origin: 'node', reason: `the node says so, it is in ${home}, and no other node has it` };
}

/** Whether the plan leaves addresses of this kind to the network. */
function isOpen({ addresses, dynamicVersions = [] }: PlannedNode, { version }: IpAddress): boolean {
  return addresses.length === 0 || dynamicVersions.includes(version);
}

const WAY_OUT = 'give the node a fixed address in the config, or let this account read infrastructures and networks';

function missing(networks: ClusterNetworks | undefined): string {
  return (networks?.machineNetworks ?? []).length === 0 ? 'machine network is' : 'service network is';
}

function ownerOfAddress(value: string, surroundings: NodeSurroundings): string | undefined {
  const { networks } = surroundings;
  const isAmong = (texts: readonly string[] | undefined): boolean => canonical(texts ?? []).includes(value);
  if (isAmong(networks?.apiVIPs)) return 'the API';
  if (isAmong(networks?.ingressVIPs)) return 'the ingress';
  const address = parseAddress(value);
  const services = networks?.serviceNetworks?.find((network) => address !== undefined && contains(network, address));
  if (services !== undefined) return `the service network ${services}`;
  return otherOwner(
    surroundings,
    ({ addresses }) => isAmong(addresses),
    (node) => isAmong(claims(node, /./)),
  );
}

/** Names or addresses that a node reports. */
function claims(node: KubeObject | undefined, types: RegExp): readonly string[] {
  return objectsOf(node, 'status', 'addresses')
    .filter((entry) => types.test(textOf(entry, 'type')))
    .map((entry) => textOf(entry, 'address'));
}

function canonical(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => canonicalAddressAsGo(text) ?? []);
}

function contains(network: string, address: IpAddress): boolean {
  const cidr = parseCidr(network);
  return cidr !== undefined && cidrContains(cidr, address);
}

function refusedName(value: string, reason: string): AskedName {
  return { value, origin: 'refused', reason };
}
