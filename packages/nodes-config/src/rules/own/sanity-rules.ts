// Addresses that are valid one by one, but with which a machine cannot work.
import type { Path } from '@coreiso/diagnostics';
import {
  addressBits,
  canonicalAddress,
  formatAddress,
  type IpAddress,
  networkOf,
  parseAddress,
} from '@coreiso/peers/ip';
import type { Findings } from '../../text/config-findings.ts';
import type { Host } from '../host.ts';
import { type HostAddress, type HostNetworkView, viewNetwork } from '../host-network.ts';
import { missingDefaultRoute, missingServers } from '../missing-network.ts';

/** Addresses of a cluster that move between its machines. */
export interface VirtualAddresses {
  readonly apiVIPs?: readonly string[] | undefined;
  readonly ingressVIPs?: readonly string[] | undefined;
}

/** The values that addresses of hosts are compared with. */
export interface SanityContext {
  /** Empty if there is none. */
  readonly rendezvousIP: string;
  /** Undefined if the nodes keep none. */
  readonly virtualAddresses: VirtualAddresses | undefined;
  /** How many machines the cluster will have; undefined if unknown. */
  readonly machines: number | undefined;
}

export function checkSanity(hosts: readonly Host[], context: SanityContext, findings: Findings): void {
  const virtual = virtualNames(context.virtualAddresses);
  const views: HostNetworkView[] = [];
  for (const { networkConfig, role } of hosts) {
    if (networkConfig === undefined) continue;
    const view = viewNetwork(networkConfig);
    views.push(view);
    for (const address of view.addresses) {
      checkVirtual(address, role, virtual, findings);
      checkGateway(address, view, findings);
      checkNetworkAddress(address, findings);
    }
    // A refused network has other errors.
    if (networkConfig.profiles.length > 0) checkWayOut(view, networkConfig.path, findings);
  }
  checkRendezvous(views, hosts, context, virtual, findings);
}

/** Canonical address → its use. */
function virtualNames({ apiVIPs = [], ingressVIPs = [] }: VirtualAddresses = {}): ReadonlyMap<string, string> {
  const named = [
    ...ingressVIPs.map((text) => [text, 'ingress'] as const),
    ...apiVIPs.map((text) => [text, 'the API'] as const),
  ];
  return new Map(named.map(([text, name]) => [canonicalAddress(text) ?? text, name]));
}

function checkVirtual(
  { text, address, path }: HostAddress,
  role: string,
  virtual: ReadonlyMap<string, string>,
  findings: Findings,
): void {
  const name = virtual.get(formatAddress(address));
  if (name === undefined) return;
  findings.own({
    code: 'nodes-config/virtual-address',
    message: `${text} is the virtual address of ${name}, and no ${role === '' ? 'machine' : role} can have it for its own`,
    path,
    help: 'Choose another address for the host.',
  });
}

function checkGateway({ text, address, path }: HostAddress, { gateways }: HostNetworkView, findings: Findings): void {
  const own = formatAddress(address);
  const gateway = gateways.find((one) => canonicalAddress(one.text) === own);
  if (gateway === undefined) return;
  findings.own({
    code: 'nodes-config/address-is-gateway',
    message: `${text} is the address of the host and the next hop of a route of its own`,
    path,
    help: 'Choose another address for the host, or correct `next-hop-address` in `routes`.',
  });
}

/** RFC 3021: a network of 31 bits has no network or broadcast address. */
const LONGEST_WITH_BROADCAST = 30;

function checkNetworkAddress({ text, address, prefixLength, path }: HostAddress, findings: Findings): void {
  if (address.version !== 4 || prefixLength > LONGEST_WITH_BROADCAST) return;
  const network = networkOf(address, prefixLength);
  const broadcast = network.value + (1n << BigInt(addressBits(4) - prefixLength)) - 1n;
  const kind = address.value === network.value ? 'network' : address.value === broadcast ? 'broadcast' : undefined;
  if (kind === undefined) return;
  const shown = (value: bigint): string => formatAddress({ version: 4, value });
  findings.own({
    code: 'nodes-config/network-address',
    message: `${text} is the ${kind} address of ${shown(network.value)}/${prefixLength}`,
    path,
    help: `Choose an address from ${shown(network.value + 1n)} to ${shown(broadcast - 1n)}.`,
  });
}

/** It may be intended at this site, so both modes only warn. */
function checkWayOut(view: HostNetworkView, path: Path, findings: Findings): void {
  if (view.addresses.length === 0) return;
  if (!view.hasDefaultRoute) {
    findings.note('warning', {
      code: 'nodes-config/no-default-route',
      message: 'the host has static addresses and no default route: it reaches nothing beyond its own networks',
      path,
      help: missingDefaultRoute(view.addresses.some(({ address }) => address.version === 4) ? 4 : 6),
    });
  }
  if (view.dnsServers.length === 0 && !view.isToldServers) {
    findings.note('warning', {
      code: 'nodes-config/no-dns-server',
      message: 'the host has static addresses and no DNS server: it resolves no name',
      path,
      help: missingServers(),
    });
  }
}

function checkRendezvous(
  views: readonly HostNetworkView[],
  hosts: readonly Host[],
  { rendezvousIP, machines }: SanityContext,
  virtual: ReadonlyMap<string, string>,
  findings: Findings,
): void {
  const address = canonicalAddress(rendezvousIP);
  if (address === undefined) return;
  const path = ['rendezvousIP'];
  const name = virtual.get(address);
  if (name !== undefined) {
    findings.own({
      code: 'nodes-config/virtual-address',
      message: `${rendezvousIP} is the virtual address of ${name}, which no machine has while the cluster is installed`,
      path,
      help: 'Write the address of one control-plane host.',
    });
  }
  // A machine that is not listed, or gets its addresses from the site, may have it.
  const areAllStatic =
    hosts.length > 0 &&
    views.length === hosts.length &&
    views.every(({ addresses, dynamic }) => addresses.length > 0 && dynamic.size === 0);
  if (name !== undefined || machines === undefined || hosts.length < machines || !areAllStatic) return;
  const own = views.flatMap((view) => view.addresses.map((one) => formatAddress(one.address)));
  if (own.includes(address)) return;
  findings.own({
    code: 'nodes-config/rendezvous-on-no-host',
    message: `no host has the address ${rendezvousIP}, and all hosts have static addresses`,
    path,
    help: `Write the address of one control-plane host${suggestion(views, hosts)}.`,
  });
}

function suggestion(views: readonly HostNetworkView[], hosts: readonly Host[]): string {
  const index = hosts.findIndex(({ role }) => role !== 'worker');
  const first: IpAddress | undefined = parseAddress(views[index]?.addresses[0]?.text ?? '');
  return first === undefined ? '' : `, such as ${formatAddress(first)}`;
}
