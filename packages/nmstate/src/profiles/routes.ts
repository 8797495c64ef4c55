import type { KeyfileSection } from '../keyfile/keyfile.ts';
import type { Family } from '../plan/planned-interface.ts';
import { isIpv6Route, MAIN_TABLE } from '../plan/routes.ts';
import type { RouteEntry } from '../state/generated/types.ts';

/** The kernel's metric of IPv6 routes that give none. */
const DEFAULT_IPV6_METRIC = 1024;
const USE_DEFAULT = -1;

/** Writes the routes of one family; a route without destination counts for both, but has no line. */
export function writeRoutes(section: KeyfileSection, routes: readonly RouteEntry[], family: Family): number {
  let index = 0;
  for (const route of routes) {
    if (route.destination !== undefined && isIpv6Route(route) !== (family === 'ipv6')) continue;
    if (route.destination !== undefined) {
      section.set(`route${index}`, `${route.destination},${nextHop(route)},${metric(route, family)}`);
      section.set(`route${index}_options`, options(route));
    }
    index++;
  }
  return index;
}

function nextHop({ 'next-hop-address': address = '' }: RouteEntry): string {
  return address === '0.0.0.0' || address === '::' ? '' : address;
}

function metric({ metric: given = USE_DEFAULT }: RouteEntry, family: Family): bigint {
  if (BigInt(given) === BigInt(USE_DEFAULT)) return family === 'ipv6' ? BigInt(DEFAULT_IPV6_METRIC) : 0n;
  return BigInt.asUintN(32, BigInt(given));
}

function options(route: RouteEntry): string {
  const items: [string, string | number | boolean | undefined][] = [
    ['table', route['table-id'] || MAIN_TABLE],
    ['weight', route.weight],
    ['type', route['route-type']],
    ['cwnd', route.cwnd],
    ['lock-cwnd', route.cwnd === undefined ? undefined : true],
    ['src', route.source],
    ['initcwnd', route.initcwnd],
    ['initrwnd', route.initrwnd],
    ['mtu', route.mtu],
    ['lock-mtu', route['lock-mtu']],
    ['quickack', route.quickack],
    ['advmss', route.advmss],
  ];
  return items
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
