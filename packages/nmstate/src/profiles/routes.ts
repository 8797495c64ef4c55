import { compareBytes } from '@coreiso/peers/rust';
import type { RouteEntry } from '../generated/types.ts';
import type { OpenSection } from '../keyfile/open-profile.ts';
import type { Family, PlannedRule } from '../plan/planned-interfaces.ts';
import { isIpv6Route, MAIN_TABLE } from '../plan/routes.ts';
import type { Findings } from '../table/state-findings.ts';

/** The kernel's default metric of IPv6 routes. */
const DEFAULT_IPV6_METRIC = 1024;
const USE_DEFAULT = -1;

/** Writes the routes of a family; a route without destination counts for both families, but is not written. */
export function writeRoutes(section: OpenSection, routes: readonly RouteEntry[], family: Family): number {
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

const I32_MAX = 0x7fff_ffff;
const ANY: Readonly<Record<Family, string>> = { ipv4: '0.0.0.0/0', ipv6: '::/0' };

/** Writes rules in the order of priority, then of text; nmstate numbers them at random. */
export function writeRouteRules(
  section: OpenSection,
  rules: readonly PlannedRule[],
  family: Family,
  findings: Findings,
): void {
  const lines = rules.map((rule) => {
    checkSuppressedLength(rule, findings);
    const priority = BigInt.asUintN(32, BigInt(rule.priority));
    return { priority, text: `priority ${priority} ${ruleText(rule, family)}` };
  });
  lines
    .sort((a, b) => (a.priority < b.priority ? -1 : a.priority > b.priority ? 1 : compareBytes(a.text, b.text)))
    .forEach(({ text }, index) => {
      section.set(`routing-rule${index}`, text);
    });
}

function checkSuppressedLength({ path, 'suppress-prefix-length': length = 0 }: PlannedRule, findings: Findings): void {
  if (length <= I32_MAX) return;
  findings
    .from([...path, 'suppress-prefix-length'])
    .notSupported(
      `Specified suppress-prefix-length ${length} is not supported by NetworkManager: out of range integral type conversion attempted`,
    );
}

function ruleText(rule: PlannedRule, family: Family): string {
  const { 'ip-from': from, 'ip-to': to, fwmark, fwmask } = rule;
  const source = from ?? (to === undefined ? ANY[family] : undefined);
  const items: [string, string | number | undefined][] = [
    ['to', to],
    ['from', source],
    ['iif', rule.iif],
    ['suppress_prefixlength', rule['suppress-prefix-length']],
    ['type', rule.action],
    ['table', rule['route-table'] || MAIN_TABLE],
    ['fwmark', fwmark === undefined || fwmask === undefined ? fwmark : `${fwmark}/${fwmask}`],
  ];
  return items
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${value}`)
    .join(' ');
}
