// Finds routes, rules and name servers that nmstate accepts but that cannot work.

import { addressBits, type IpAddress, isLinkLocal, networkOf, parseAddress } from '@coreiso/peers/ip';
import type { NetworkState, RouteEntry } from '../generated/types.ts';
import { isAutomatic } from '../plan/ip.ts';
import type { Family, PlannedInterface, PlannedInterfaces, PlannedRule } from '../plan/planned-interfaces.ts';
import { isIpv6Route } from '../plan/routes.ts';
import type { Findings } from '../table/state-findings.ts';

/** Networks by prefix length: the search for the network of an address takes one look-up per length, not per network. */
class PrefixTable {
  readonly #networks = new Map<string, Set<bigint>>();
  readonly #lengths = { 4: new Set<number>(), 6: new Set<number>() };

  add(ip: string, length: number): void {
    const address = parseAddress(ip);
    if (address === undefined || length > addressBits(address.version)) return;
    const key = `${address.version}/${length}`;
    const known = this.#networks.get(key) ?? new Set();
    this.#networks.set(key, known.add(networkOf(address, length).value));
    this.#lengths[address.version].add(length);
  }

  /** Adds a network such as `198.51.100.0/24`. */
  addNetwork(network: string): void {
    const [ip = '', length] = network.split('/');
    this.add(ip, Number(length));
  }

  holds(address: IpAddress): boolean {
    for (const length of this.#lengths[address.version]) {
      if (this.#networks.get(`${address.version}/${length}`)?.has(networkOf(address, length).value)) return true;
    }
    return false;
  }
}

export function checkRoutes(routes: readonly RouteEntry[], interfaces: PlannedInterfaces, findings: Findings): void {
  const connected = new Map<string, PrefixTable>();
  routes.forEach((route, index) => {
    const gateway = parseAddress(route['next-hop-address'] ?? '');
    const name = route['next-hop-interface'];
    const planned = name === undefined ? undefined : interfaces.kernel(interfaces.names.find(name)[0] ?? name);
    if (route.state !== undefined || gateway === undefined || gateway.value === 0n || planned === undefined) return;
    const family: Family = gateway.version === 6 ? 'ipv6' : 'ipv4';
    if (isLinkLocal(gateway) || isAutomatic(family, planned.merged[family])) return;
    const networks = connected.get(planned.merged.name) ?? connectedNetworks(planned);
    connected.set(planned.merged.name, networks);
    if (networks.holds(gateway)) return;
    findings
      .at('routes', 'config', index, 'next-hop-address')
      .strict(
        'warning',
        'unreachable-gateway',
        `${route['next-hop-address']} lies outside every network of ${name}`,
        `Check the gateway and the prefix lengths of ${name}.`,
      );
  });
}

/** The networks of its addresses and of its routes without a gateway. */
function connectedNetworks({ apply, routes }: PlannedInterface): PrefixTable {
  const networks = new PrefixTable();
  for (const { ip, 'prefix-length': length } of [...(apply?.ipv4?.address ?? []), ...(apply?.ipv6?.address ?? [])])
    networks.add(ip, length);
  for (const { destination, 'next-hop-address': gateway, 'route-type': type } of routes) {
    if (destination !== undefined && gateway === undefined && type === undefined) networks.addNetwork(destination);
  }
  return networks;
}

/** Reports routes of a static interface without addresses: NetworkManager refuses its profile, so the interface has none. */
export function checkRoutesHaveAddresses(interfaces: PlannedInterfaces, findings: Findings): void {
  for (const { apply, current, routes, path } of interfaces.all()) {
    for (const family of ['ipv4', 'ipv6'] as const) {
      const ip = apply?.[family] ?? current?.[family];
      const hasRoutes = routes.some(
        (route) => route.destination === undefined || isIpv6Route(route) === (family === 'ipv6'),
      );
      if (!hasRoutes || ip?.enabled !== true || isAutomatic(family, ip) || (ip.address ?? []).length > 0) continue;
      findings
        .from([...path, family])
        .strict(
          'error',
          'routes-without-address',
          `${apply?.name} has routes but no address, and NetworkManager refuses its profile`,
          'Add an address, or `dhcp: true`.',
        );
    }
  }
}

export function checkRules(rules: readonly PlannedRule[], interfaces: PlannedInterfaces, findings: Findings): void {
  const kept = new Set(
    interfaces
      .all()
      .flatMap(({ rules: held }) => [...held.ipv4, ...held.ipv6])
      .map(({ path }) => path),
  );
  for (const { path } of rules) {
    if (kept.has(path)) continue;
    findings
      .from(path)
      .strict(
        'warning',
        'lost-rule',
        'nmstate drops this rule: no profile fits it, or it repeats another',
        'Add `iif`, or enable the family on the interface that should hold it.',
      );
  }
}

export function checkServers(
  state: Pick<NetworkState, 'dns-resolver'>,
  interfaces: PlannedInterfaces,
  findings: Findings,
): void {
  const servers = state['dns-resolver']?.config?.server ?? [];
  if (servers.length === 0) return;
  const ways = { ipv4: false, ipv6: false };
  const networks = new PrefixTable();
  for (const { apply, routes } of interfaces.all()) {
    for (const family of ['ipv4', 'ipv6'] as const) {
      const ip = apply?.[family];
      if (apply?.state === 'up' && isAutomatic(family, ip) && ip?.['auto-gateway'] !== false) ways[family] = true;
      for (const { ip: address, 'prefix-length': length } of ip?.address ?? []) networks.add(address, length);
    }
    for (const { destination, 'route-type': type } of routes) {
      if (destination !== undefined && type === undefined) networks.addNetwork(destination);
    }
  }
  servers.forEach((server, index) => {
    const at = findings.at('dns-resolver', 'config', 'server', index);
    const address = parseAddress(server.split('%', 1)[0] ?? '');
    if (address === undefined) {
      at.strict('error', 'dropped-server', `\`${server}\` is not an address and is left out`, 'Write an IP address.');
    } else if (!isLinkLocal(address) && !ways[address.version === 6 ? 'ipv6' : 'ipv4'] && !networks.holds(address)) {
      at.strict(
        'warning',
        'unreachable-server',
        `no network and no route leads to the name server ${server}`,
        'Add a default route, or use a server that can be reached.',
      );
    }
  });
}
