// Formats routes and rules as nmstate's messages do.

import { debugOption } from '@coreiso/peers/rust';
import type { RouteEntry, RouteRuleEntry } from '../generated/types.ts';

const FAMILIES = { ipv4: 'IPv4', ipv6: 'IPv6', unknown: 'Unknown' } as const;

export function describeRoute(route: RouteEntry): string {
  return displayItems([
    ['state', route.state === 'absent' ? 'absent' : undefined],
    ['destination', route.destination],
    ['next-hop-interface', route['next-hop-interface']],
    ['next-hop-address', route['next-hop-address']],
    ['source', route.source],
    ['metric', route.metric],
    ['table-id', route['table-id']],
    ['route-type', route['route-type']],
    ['weight', route.weight],
    ['cwnd', route.cwnd],
    ['initcwnd', route.initcwnd],
    ['initrwnd', route.initrwnd],
    ['mtu', route.mtu],
    ['quickack', route.quickack],
    ['advmss', route.advmss],
    ['lock-mtu', route['lock-mtu']],
    ['vrf-name', route['vrf-name']],
  ]);
}

export function dumpRoute(route: RouteEntry): string {
  return dump('RouteEntry', [
    ['state', debugVariant(capitalise(route.state))],
    ['destination', debugOption(route.destination)],
    ['next_hop_iface', debugOption(route['next-hop-interface'])],
    ['next_hop_addr', debugOption(route['next-hop-address'])],
    ['metric', debugOption(route.metric)],
    ['table_id', debugOption(route['table-id'])],
    ['weight', debugOption(route.weight)],
    ['route_type', debugVariant(capitalise(route['route-type']))],
    ['cwnd', debugOption(route.cwnd)],
    ['source', debugOption(route.source)],
    ['initcwnd', debugOption(route.initcwnd)],
    ['initrwnd', debugOption(route.initrwnd)],
    ['mtu', debugOption(route.mtu)],
    ['quickack', debugOption(route.quickack)],
    ['advmss', debugOption(route.advmss)],
    ['lock_mtu', debugOption(route['lock-mtu'])],
    ['vrf_name', debugOption(route['vrf-name'])],
  ]);
}

export function describeRule(rule: RouteRuleEntry): string {
  return displayItems([
    ['family', rule.family],
    ['ip-from', rule['ip-from']],
    ['ip-to', rule['ip-to']],
    ['priority', rule.priority],
    ['route-table', rule['route-table']],
    ['fwmask', rule.fwmask],
    ['fwmark', rule.fwmark],
    ['iif', rule.iif],
    ['action', rule.action],
    ['suppress-prefix-length', rule['suppress-prefix-length']],
  ]);
}

export function dumpRule(rule: RouteRuleEntry): string {
  return dump('RouteRuleEntry', [
    ['family', debugVariant(rule.family && FAMILIES[rule.family])],
    ['state', debugVariant(capitalise(rule.state))],
    ['ip_from', debugOption(rule['ip-from'])],
    ['ip_to', debugOption(rule['ip-to'])],
    ['priority', debugOption(rule.priority)],
    ['table_id', debugOption(rule['route-table'])],
    ['fwmark', debugOption(rule.fwmark)],
    ['fwmask', debugOption(rule.fwmask)],
    ['action', debugVariant(capitalise(rule.action))],
    ['iif', debugOption(rule.iif)],
    ['suppress_prefix_length', debugOption(rule['suppress-prefix-length'])],
  ]);
}

function dump(name: string, fields: readonly (readonly [string, string])[]): string {
  return `${name} { ${fields.map(([field, value]) => `${field}: ${value}`).join(', ')} }`;
}

function capitalise(word: string | undefined): string | undefined {
  return word === undefined ? undefined : word.charAt(0).toUpperCase() + word.slice(1);
}

/** A value without payload: `blackhole` is `Some(Blackhole)`. */
function debugVariant(name: string | undefined): string {
  return name === undefined ? 'None' : `Some(${name})`;
}

/** The given items as `name: value`, separated by spaces. */
function displayItems(items: readonly (readonly [name: string, value: unknown])[]): string {
  return items
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' ');
}
