import type { Path } from '@coreiso/diagnostics';
import { canonicalAddress, canonicalIpv4, looksLikeIpv6 } from '@coreiso/peers/ip';
import { compareBytes } from '@coreiso/peers/rust';
import type { RouteEntry } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import { networkForm } from './network-form.ts';
import type { PlannedInterfaces } from './planned-interfaces.ts';
import { describeRoute, dumpRoute } from './route-text.ts';

export const MAIN_TABLE = 254;
const LOOPBACK = 'lo';
const DEFAULT_IPV6_METRIC = 1024;
const HIGHEST_WEIGHT = 256;
/** The kernel's numbers of route types, for sorting. */
const ROUTE_TYPES = { blackhole: 6, unreachable: 7, prohibit: 8 } as const;

interface Route {
  readonly path: Path;
  entry: RouteEntry;
}

/** Checks and sorts the routes, and assigns them to their outgoing interfaces. Returns the names of these. */
export function planRoutes(
  entries: readonly RouteEntry[],
  interfaces: PlannedInterfaces,
  findings: Findings,
): string[] {
  const routes: Route[] = entries
    .map((entry, index) => ({ entry, path: [...findings.path, 'routes', 'config', index] }))
    .filter(({ entry }) => entry.state !== 'ignore');
  for (const route of routes) checkShape(route, findings.from(route.path));
  for (const route of routes) resolveInterface(route, interfaces, findings.from([...route.path, 'next-hop-interface']));
  for (const route of routes) resolveVrf(route, interfaces, findings.from([...route.path, 'vrf-name']));
  for (const route of routes) sanitiseRoute(route, findings.from(route.path));
  checkSpecialRoutes(routes, findings);
  const wanted = routes.filter(({ entry }) => entry.state !== 'absent');
  for (const route of wanted) checkFamily(route, interfaces, findings.from(route.path));

  const byInterface = new Map<string, RouteEntry[]>();
  for (const entry of sortedOnce(wanted.map((route) => route.entry))) {
    const name = entry['next-hop-interface'] ?? (entry['route-type'] === undefined ? undefined : LOOPBACK);
    if (name === undefined) continue;
    const held = byInterface.get(name);
    if (held === undefined) byInterface.set(name, [entry]);
    else held.push(entry);
  }
  for (const [name, held] of byInterface) {
    const planned = interfaces.kernel(name);
    if (planned === undefined) continue;
    planned.apply ??= { name, type: 'loopback', state: 'up' };
    planned.routes = held;
  }
  return [...byInterface.keys()];
}

/** Whether a route is IPv6; a missing destination counts as IPv4. */
export function isIpv6Route({ destination = '' }: RouteEntry): boolean {
  return looksLikeIpv6(destination);
}

function checkShape({ entry }: Route, findings: Findings): void {
  const { 'route-type': type, 'next-hop-interface': via, 'next-hop-address': gateway, state, destination } = entry;
  if (state !== 'absent') {
    if (type !== undefined && ((via !== undefined && via !== LOOPBACK) || gateway !== undefined)) {
      const name = type[0]?.toUpperCase() + type.slice(1);
      findings
        .at('route-type')
        .invalid(`A ${name} Route cannot have a next hop : ${dumpRoute(entry)}`, 'Leave out the next hop.');
    } else if (type === undefined && via === undefined) {
      findings.notImplemented(
        `Route with empty next hop interface is not supported: ${dumpRoute(entry)}`,
        'Add `next-hop-interface: NAME`.',
      );
    }
  }
  if (destination !== undefined && !looksLikeIpv6(destination))
    checkIpv4Destination(destination, entry, findings.at('destination'));
}

/** Refuses destinations in 0.0.0.0/8, which is "this network", except 0.0.0.0/0 and its equivalents. */
function checkIpv4Destination(destination: string, entry: RouteEntry, findings: Findings): void {
  const [ip = '', prefix] = destination.split('/');
  const address = canonicalIpv4(ip);
  if (address === undefined) {
    findings.invalid('Invalid IP address : invalid IPv4 address syntax');
    return;
  }
  if (!address.startsWith('0.')) return;
  if (prefix !== undefined && !isI32(prefix)) {
    findings.invalid(`The prefix of the route destination network '${destination}' is invalid`);
    return;
  }
  const isUnicast = entry['route-type'] === undefined && entry.state !== 'absent';
  if (!isUnicast || (prefix !== undefined && Number(prefix) < 8)) return;
  findings.invalid(
    '0.0.0.0/8 and its subnet cannot be used as the route destination for unicast route, please use the default gateway 0.0.0.0/0 instead',
  );
}

function isI32(text: string): boolean {
  if (!/^[+-]?[0-9]+$/.test(text)) return false;
  const value = Number(text);
  return value >= -0x8000_0000 && value <= 0x7fff_ffff;
}

function resolveInterface(route: Route, interfaces: PlannedInterfaces, findings: Findings): void {
  const name = route.entry['next-hop-interface'];
  if (name === undefined) return;
  const found = interfaces.names.find(name);
  if (found.includes(name)) return;
  const text = describeRoute(route.entry);
  if (found.length === 0 && route.entry.state !== 'absent') {
    const isIgnored = interfaces.ignoredType(name) !== undefined;
    findings.invalid(
      `Route '${text}': next hop interface ${name} ${isIgnored ? 'is marked as ignored' : 'not found'}`,
      `Declare ${name} with \`state: up\`.`,
    );
  } else if (found.length > 1) {
    findings.invalid(
      `Route '${text}' defined with next hop interface ${name} but multiple interfaces are sharing this profile name`,
      'Name the interface itself.',
    );
  } else if (found[0] !== undefined) {
    route.entry = { ...route.entry, 'next-hop-interface': found[0] };
  }
}

function resolveVrf(route: Route, interfaces: PlannedInterfaces, findings: Findings): void {
  const { 'vrf-name': name, 'table-id': wanted } = route.entry;
  if (name === undefined) return;
  const vrf = interfaces.kernel(name)?.merged;
  const text = describeRoute(route.entry);
  const table = vrf?.type === 'vrf' && vrf.state === 'up' ? vrf.vrf?.['route-table-id'] : undefined;
  if (vrf?.type === 'vrf' && (vrf.state === 'down' || vrf.state === 'absent')) {
    findings.invalid(`VRF defined in Route '${text}' is marked as 'state: ${vrf.state}'`);
  } else if (table === undefined) {
    findings.invalid(`VRF defined in Route '${text}' does not exist`, `Declare ${name} as a vrf.`);
  } else if (wanted !== undefined && wanted !== table) {
    findings.invalid(
      `Route '${text}' has both table id and VRF name defined, but desired table ID is ${wanted} while table ID for VRF ${name} is ${table}`,
      'Leave out `table-id`.',
    );
  } else {
    route.entry = { ...route.entry, 'table-id': table };
  }
}

function sanitiseRoute(route: Route, findings: Findings): void {
  const { destination, 'next-hop-address': gateway, source, weight } = route.entry;
  const network = destination ? networkForm(destination, findings.at('destination')) : undefined;
  const via = gateway === undefined ? undefined : canonicalAddress(gateway);
  if (gateway !== undefined && via === undefined) {
    findings.at('next-hop-address').invalid('Invalid IP address : invalid IP address syntax');
  }
  const from = source === undefined ? undefined : canonicalAddress(source);
  if (source !== undefined && from === undefined) {
    findings.at('source').invalid(`Failed to parse IP address '${source}': invalid IP address syntax`);
  }
  if (weight !== undefined && (weight < 1 || weight > HIGHEST_WEIGHT)) {
    findings.at('weight').invalid(`Invalid ECMP route weight ${weight}, should be in the range of 1 to 256`);
  } else if (weight !== undefined && network !== undefined && looksLikeIpv6(network)) {
    findings.at('weight').notSupported('IPv6 ECMP route with weight is not supported yet');
  }
  for (const key of ['cwnd', 'mtu', 'advmss'] as const) {
    if (route.entry[key] === 0) findings.at(key).invalid(`The value of '${key}' cannot be 0`);
  }
  route.entry = { ...route.entry, destination: network, 'next-hop-address': via, source: from };
}

function checkSpecialRoutes(routes: readonly Route[], findings: Findings): void {
  const types = new Map<string, string>();
  for (const { entry, path } of routes) {
    const { destination, 'route-type': type } = entry;
    if (type === undefined || destination === undefined || entry.state === 'absent') continue;
    const table = entry['table-id'] || MAIN_TABLE;
    const metric = effectiveMetric(entry);
    const key = `${destination} ${table} ${metric}`;
    const other = types.get(key);
    if (other === undefined) types.set(key, type);
    else if (other !== type) {
      findings
        .from([...path, 'route-type'])
        .invalid(
          `Multiple special routes to ${destination} in table ${table} with metric ${metric} are not allowed, found '${other}' and '${type}'. ` +
            'Netlink can only hold one of blackhole, unreachable, or prohibit for the same destination, table, and metric.',
        );
    }
  }
}

function effectiveMetric(entry: RouteEntry): number {
  const metric = entry.metric ?? 0;
  if (metric > 0 && metric <= 0xffff_ffff) return Number(metric);
  return isIpv6Route(entry) ? DEFAULT_IPV6_METRIC : 0;
}

function checkFamily({ entry }: Route, interfaces: PlannedInterfaces, findings: Findings): void {
  const name = entry['next-hop-interface'];
  const planned = name === undefined ? undefined : interfaces.kernel(name);
  if (planned === undefined) return;
  const family = isIpv6Route(entry) ? 'ipv6' : 'ipv4';
  if (planned.merged[family]?.enabled === true) return;
  const word = family === 'ipv6' ? 'IPv6' : 'IPv4';
  findings
    .at('next-hop-interface')
    .invalid(
      `The next hop interface of desired Route '${describeRoute(entry)}' has been marked as ${word} disabled`,
      `Add \`${family}: {enabled: true}\` to ${name}.`,
    );
}

/** Sorts routes by everything but the metric, and keeps the first one of routes that differ only in it. */
function sortedOnce(entries: readonly RouteEntry[]): RouteEntry[] {
  const sorted = entries.map((entry) => ({ entry, key: sortKey(entry) })).sort((a, b) => compareKeys(a.key, b.key));
  return sorted
    .filter(({ key }, index) => {
      const before = sorted[index - 1];
      return before === undefined || compareKeys(before.key, key) !== 0;
    })
    .map(({ entry }) => entry);
}

type SortKey = readonly (string | number)[];

function sortKey(entry: RouteEntry): SortKey {
  return [
    isIpv6Route(entry) ? 0 : 1,
    entry.quickack ? 1 : 0,
    entry['lock-mtu'] ? 1 : 0,
    entry['next-hop-interface'] ?? LOOPBACK,
    entry.destination ?? '',
    entry['next-hop-address'] ?? '',
    entry.source ?? '',
    entry['vrf-name'] ?? '',
    entry['table-id'] ?? MAIN_TABLE,
    entry.cwnd ?? 0,
    entry.initcwnd ?? 0,
    entry.initrwnd ?? 0,
    entry.mtu ?? 0,
    entry.weight ?? 0,
    entry['route-type'] === undefined ? 0 : ROUTE_TYPES[entry['route-type']],
    entry.advmss ?? 0,
  ];
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (let index = 0; index < a.length; index++) {
    const left = a[index];
    const right = b[index];
    const order =
      typeof left === 'string' && typeof right === 'string' ? compareBytes(left, right) : Number(left) - Number(right);
    if (order !== 0) return order;
  }
  return 0;
}
