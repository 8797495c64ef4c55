import type { Path } from '@coreiso/diagnostics';
import { looksLikeIpv6 } from '../ip.ts';
import { compareText } from '../keyfile/order.ts';
import type { RouteRuleEntry } from '../state/generated/types.ts';
import { networkForm } from './network-form.ts';
import type { Family, PlannedInterface } from './planned-interface.ts';
import type { PlannedInterfaces } from './planned-interfaces.ts';
import type { Report } from './report.ts';
import { describeRule, dumpRule } from './route-text.ts';
import { isIpv6Route, MAIN_TABLE } from './routes.ts';

/** A rule ready to be written. */
export interface PlannedRule extends RouteRuleEntry {
  readonly path: Path;
  readonly priority: number | bigint;
}

interface Rule extends RouteRuleEntry {
  readonly path: Path;
}

const USE_DEFAULT_PRIORITY = -1;
/** The first priority that is given out. */
const FIRST_PRIORITY = 30_000;

/** Checks the rules and gives them priorities; they still need a home. */
export function planRouteRules(
  entries: readonly RouteRuleEntry[],
  interfaces: PlannedInterfaces,
  report: Report,
): PlannedRule[] {
  const rules = entries.flatMap((entry, index): Rule[] => {
    if (entry.state === 'absent') return [];
    const path = ['route-rules', 'config', index];
    return [{ ...sanitiseRule(entry, report.from(path)), path }];
  });
  return withPriorities(rules).filter(({ iif }) => iif === undefined || interfaces.ignoredType(iif) === undefined);
}

function sanitiseRule(entry: RouteRuleEntry, report: Report): RouteRuleEntry {
  const from = entry['ip-from'] ? networkForm(entry['ip-from'], report.at('ip-from')) : undefined;
  const to = entry['ip-to'] ? networkForm(entry['ip-to'], report.at('ip-to')) : undefined;
  const family = entry.family ?? familyOf(from) ?? familyOf(to);
  const rule: RouteRuleEntry = { ...entry, 'ip-from': from, 'ip-to': to, family };
  if (from === undefined && to === undefined && family === undefined && !entry['ip-from'] && !entry['ip-to']) {
    report.invalid(`Neither ip-from, ip-to nor family is defined '${describeRule(rule)}'`, 'Add `family`.');
  }
  const isIpv6 = family === 'ipv6';
  if (from !== undefined && looksLikeIpv6(from) !== isIpv6) {
    report.at('ip-from').invalid(`The ip-from format mismatches with the family set '${describeRule(rule)}'`);
  } else if (to !== undefined && looksLikeIpv6(to) !== isIpv6) {
    report.at('ip-to').invalid(`The ip-to format mismatches with the family set ${describeRule(rule)}`);
  }
  if (rule.fwmask !== undefined && rule.fwmark === undefined) {
    report
      .at('fwmask')
      .invalid(`fwmask is present but fwmark is not defined or is zero ${dumpRule(rule)}`, 'Add `fwmark`.');
  }
  return rule.action === undefined && rule['route-table'] === undefined ? { ...rule, 'route-table': MAIN_TABLE } : rule;
}

function familyOf(network: string | undefined): Family | undefined {
  if (network === undefined) return undefined;
  return looksLikeIpv6(network) ? 'ipv6' : 'ipv4';
}

/** A rule without priority takes that of a rule which says the same and more, or the next free number. */
function withPriorities(rules: readonly Rule[]): PlannedRule[] {
  const distinct: Rule[] = [];
  for (const rule of rules) {
    if (!distinct.some((other) => matches(rule, other))) distinct.push(rule);
  }
  let last = BigInt(FIRST_PRIORITY - 1);
  for (const { priority = 0 } of distinct) {
    if (BigInt(priority) > last) last = BigInt(priority);
  }
  return rules.map((rule): PlannedRule => {
    if (hasPriority(rule)) return rule;
    const match = distinct.find((other) => hasPriority(other) && matches(rule, other))?.priority;
    return { ...rule, priority: match ?? Number(++last) };
  });
}

function hasPriority(rule: Rule): rule is Rule & PlannedRule {
  return rule.priority !== undefined && rule.priority !== USE_DEFAULT_PRIORITY;
}

/** Whether all that `rule` gives is equal in `other`; what it does not give does not matter. */
function matches(rule: Rule, other: Rule): boolean {
  if (rule['ip-from'] !== undefined && rule['ip-from'] !== other['ip-from']) return false;
  if (rule['ip-to'] !== undefined && rule['ip-to'] !== other['ip-to']) return false;
  if (rule.family !== undefined && other.family !== undefined && rule.family !== other.family) return false;
  if (hasPriority(rule) && rule.priority !== other.priority && !(rule.priority === 0 && other.priority === undefined))
    return false;
  if (rule['route-table'] && rule['route-table'] !== other['route-table']) return false;
  if (rule.fwmark !== undefined && rule.fwmark !== (other.fwmark ?? 0)) return false;
  if (rule.fwmask !== undefined && rule.fwmask !== (other.fwmask ?? 0)) return false;
  if (rule.iif !== undefined && rule.iif !== other.iif) return false;
  if (rule.action !== undefined && rule.action !== other.action) return false;
  const suppressed = rule['suppress-prefix-length'];
  return suppressed === undefined || suppressed === other['suppress-prefix-length'];
}

/** Gives every rule to an interface. A rule whose home has no settings of its family is lost, as in nmstate. */
export function placeRouteRules(
  rules: readonly PlannedRule[],
  interfaces: PlannedInterfaces,
  routed: readonly string[],
  report: Report,
): void {
  const homes = new RuleHomes(interfaces, routed);
  for (const rule of rules) {
    const family: Family = isIpv6Rule(rule) ? 'ipv6' : 'ipv4';
    const home =
      rule.iif === undefined ? homes.find(rule['route-table'] ?? MAIN_TABLE, family) : interfaces.kernel(rule.iif);
    if (home === undefined) {
      // An ignored `lo` cannot help out.
      if (rule.iif === undefined) continue;
      report
        .from([...rule.path, 'iif'])
        .invalid(
          `The interface ${rule.iif} required by route rule ${describeRule(rule)} does not exists`,
          `Declare ${rule.iif}.`,
        );
      continue;
    }
    home.apply ??= { name: home.merged.name, type: 'loopback', state: 'up' };
    homes.hold(home, rule, family);
  }
}

function isIpv6Rule({ family, 'ip-from': from = '', 'ip-to': to = '' }: RouteRuleEntry): boolean {
  return family === 'ipv6' || looksLikeIpv6(from) || looksLikeIpv6(to);
}

/** Remembers answers, so that many rules cost no more than many look-ups. */
class RuleHomes {
  readonly #interfaces: PlannedInterfaces;
  readonly #routed: readonly PlannedInterface[];
  readonly #found = new Map<string, PlannedInterface | undefined>();
  readonly #held = new Set<string>();

  constructor(interfaces: PlannedInterfaces, routed: readonly string[]) {
    this.#interfaces = interfaces;
    // nmstate takes them in random order.
    this.#routed = [...routed].sort(compareText).flatMap((name) => interfaces.kernel(name) ?? []);
  }

  find(table: number, family: Family): PlannedInterface | undefined {
    const key = `${family} ${table}`;
    if (!this.#found.has(key)) this.#found.set(key, this.#search(table, family));
    return this.#found.get(key);
  }

  #search(table: number, family: Family): PlannedInterface | undefined {
    const changed = this.#interfaces
      .kernelInterfaces()
      .filter(({ apply }) => apply !== undefined)
      .sort((a, b) => compareText(a.merged.name, b.merged.name));
    return (
      this.#routed.find((planned) => servesTable(planned, table, family)) ??
      changed.find((planned) => servesTable(planned, table, family)) ??
      this.#interfaces.inOrder().find(({ merged }) => merged[family]?.enabled === true) ??
      this.#interfaces.kernel('lo')
    );
  }

  hold(home: PlannedInterface, rule: PlannedRule, family: Family): void {
    const settings = home.apply?.[family] ?? home.merged[family];
    const key = `${home.merged.name} ${ruleIdentity(rule, family)}`;
    if (settings === undefined || this.#held.has(key)) return;
    this.#held.add(key);
    home.rules[family].push(rule);
  }
}

function servesTable({ routes, merged }: PlannedInterface, table: number, family: Family): boolean {
  const isServed = routes.some((route) => {
    const isSameFamily = isIpv6Route(route) === (family === 'ipv6');
    const own = route['table-id'];
    return isSameFamily && (own === table || (table === MAIN_TABLE && !own));
  });
  // An interface without a table of its own uses the main one, even where the family is off.
  const automatic = merged[family]?.['auto-route-table-id'] ?? MAIN_TABLE;
  return isServed || automatic === table || (automatic === 0 && table === MAIN_TABLE);
}

/** Rules that are equal in this are kept once; the incoming interface is not part of it. */
function ruleIdentity(rule: PlannedRule, family: Family): string {
  const {
    'ip-from': from,
    'ip-to': to,
    'route-table': table,
    fwmark,
    fwmask,
    action,
    'suppress-prefix-length': length,
  } = rule;
  return [family, table ?? 0, from, to, rule.priority, fwmark ?? 0, fwmask ?? 0, action, length ?? 0].join(' ');
}
