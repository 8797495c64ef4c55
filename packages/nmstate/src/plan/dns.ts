// Keyfiles have no DNS for the whole host, so every server has to be on an interface.

import { canonicalIpv4, canonicalIpv6, looksLikeIpv6 } from '@coreiso/peers/ip';
import { debugList, debugText } from '@coreiso/peers/rust';
import type { DnsClientState } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import { isAutomatic, isStatic } from './ip.ts';
import {
  type Family,
  isUp,
  isUserspace,
  type PlannedDns,
  type PlannedInterface,
  type PlannedInterfaces,
} from './planned-interfaces.ts';

const OPTIONS: readonly string[] =
  'debug edns0 inet6 ip6-bytestring ip6-dotint no-aaaa no-check-names no-ip6-dotint no-reload no-tld-query rotate single-request single-request-reopen trust-ad use-vc'.split(
    ' ',
  );
const OPTIONS_WITH_VALUE: readonly string[] = ['ndots', 'timeout', 'attempts'];
const PREFERRED_PRIORITY = 40;
const OTHER_PRIORITY = 50;

/** The resolver's settings, checked. */
interface Dns {
  /** In canonical form; link-local ones with their zone. */
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

export function sanitiseDns(config: DnsClientState, findings: Findings): Dns {
  const servers = (config.server ?? []).flatMap((server, index): string[] => {
    const [address = '', zone, ...more] = server.split('%');
    if (looksLikeIpv6(server) && zone !== undefined && more.length === 0) {
      const canonical = canonicalIpv6(address);
      // nmstate silently drops a server of this form that it cannot read.
      return canonical === undefined ? [] : [`${canonical}%${zone}`];
    }
    const canonical = looksLikeIpv6(server) ? canonicalIpv6(server) : canonicalIpv4(server);
    if (canonical === undefined)
      findings.at('server', index).invalid(`Invalid DNS server string ${server}`, 'Write an IP address.');
    return canonical === undefined ? [] : [canonical];
  });
  (config.options ?? []).forEach((option, index) => {
    checkOption(option, findings.at('options', index));
  });
  return { servers, searches: config.search ?? [], options: config.options ?? [] };
}

function checkOption(option: string, findings: Findings): void {
  const [name = ''] = option.split(':', 1);
  const withValue = OPTIONS_WITH_VALUE.join(':n, ');
  if (name !== option && !OPTIONS_WITH_VALUE.includes(name)) {
    findings.invalid(
      `Option '${name}' is not supported to hold a value, only support these without value: ${OPTIONS.join(', ')} and these with values: ${withValue}:n`,
    );
  } else if (name === option && !OPTIONS.includes(option)) {
    findings.invalid(
      `Unsupported DNS option ${option}, only support these without value: ${OPTIONS.join(', ')} and these with values: ${withValue}`,
    );
  }
}

/** Checks that every link-local server has an interface with IPv6, and that all have the same one. */
export function checkLinkLocalServers({ servers }: Dns, interfaces: PlannedInterfaces, findings: Findings): void {
  const zones = servers.flatMap((server) => {
    const zone = zoneOf(server);
    return zone === undefined ? [] : [{ server, zone, planned: interfaces.kernel(zone) }];
  });
  for (const { server, zone, planned } of zones) {
    if (planned !== undefined) continue;
    findings.invalid(
      `Desired IPv6 link local DNS server ${server} is pointing to interface ${zone} which does not exist.`,
      `Declare ${zone}.`,
    );
  }
  const usable = new Set<string>();
  for (const { server, zone, planned } of zones) {
    if (planned === undefined) continue;
    if (isValid(planned, 'ipv6')) usable.add(zone);
    else
      findings.invalid(
        `Interface ${zone} has IPv6 disabled, hence cannot hold desired IPv6 link local DNS server ${server}`,
      );
  }
  if (usable.size < 2) return;
  findings.notImplemented(
    `Only support IPv6 link local DNS name server(s) pointing to a single interface, but got {${[...usable].map(debugText).join(', ')}}`,
  );
}

export function placeDns(dns: Dns, interfaces: PlannedInterfaces, findings: Findings): void {
  const candidates = interfaces.order
    .filter(({ type }) => !isUserspace(type) && type !== 'loopback')
    .flatMap(({ name }) => interfaces.kernel(name) ?? []);
  if (dns.servers.length > 0) placeServers(dns, candidates, interfaces, findings.at('server'));
  else if (dns.searches.length > 0 || dns.options.length > 0) placeSearches(dns, candidates, findings);
}

function placeServers(
  dns: Dns,
  candidates: readonly PlannedInterface[],
  interfaces: PlannedInterfaces,
  findings: Findings,
): void {
  const families = dns.servers.map((server): Family => (looksLikeIpv6(server) ? 'ipv6' : 'ipv4'));
  const changes = families.filter((family, index) => index > 0 && family !== families[index - 1]).length;
  if (changes > 1) {
    findings.notImplemented(
      'Placing IPv4/IPv6 nameserver in the middle of IPv6/IPv4 nameservers is not supported yet',
      'Group the servers by family.',
    );
  }
  const zone = dns.servers.map(zoneOf).find((name) => name !== undefined && name !== '');
  for (const family of ['ipv6', 'ipv4'] as const) {
    const servers = dns.servers.filter((_, index) => families[index] === family).map(withoutZone);
    if (servers.length === 0) continue;
    const zoned = family === 'ipv6' && zone !== undefined ? interfaces.kernel(zone) : undefined;
    const home =
      zoned ??
      candidates.find((planned) => isPreferred(planned, family)) ??
      candidates.find((planned) => isValid(planned, family));
    if (home === undefined) {
      findings.invalid(
        `Failed to find suitable(IP enabled) interface for DNS server ${debugList(servers)}`,
        `Declare an interface with ${family === 'ipv6' ? 'IPv6' : 'IPv4'} addresses or DHCP before the servers can be reached.`,
      );
      continue;
    }
    const isFirst = family === families[0];
    assignDns(home, family, {
      servers,
      searches: isFirst ? dns.searches : [],
      options: isFirst ? dns.options : [],
      priority: isFirst ? PREFERRED_PRIORITY : OTHER_PRIORITY,
    });
  }
}

function placeSearches(dns: Dns, candidates: readonly PlannedInterface[], findings: Findings): void {
  const settings = { ...dns, priority: PREFERRED_PRIORITY };
  const homes = candidates.flatMap((planned) =>
    (['ipv6', 'ipv4'] as const).filter((family) => isValid(planned, family)).map((family) => ({ planned, family })),
  );
  const home = homes.find(({ planned, family }) => isAutomatic(family, planned.merged[family])) ?? homes[0];
  if (home !== undefined) assignDns(home.planned, home.family, settings);
  else {
    findings
      .at('search')
      .invalid(`Failed to find suitable(IP enabled) interface for DNS searches '${dns.searches.join(' ')}'`);
  }
}

function assignDns(home: PlannedInterface, family: Family, settings: PlannedDns): void {
  home.apply ??= { name: home.merged.name, type: 'loopback', state: 'up' };
  home.dns[family] = settings;
}

/** Whether an interface gets no servers from the network. */
function isPreferred({ apply }: PlannedInterface, family: Family): boolean {
  const ip = apply?.[family];
  return isStatic(family, ip) || (isAutomatic(family, ip) && ip?.['auto-dns'] === false);
}

function isValid({ merged }: PlannedInterface, family: Family): boolean {
  return isUp(merged) && (isStatic(family, merged[family]) || isAutomatic(family, merged[family]));
}

function zoneOf(server: string): string | undefined {
  const [, zone] = server.split('%');
  return zone;
}

function withoutZone(server: string): string {
  return server.split('%', 1)[0] ?? server;
}
