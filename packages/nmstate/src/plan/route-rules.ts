import { looksLikeIpv6 } from '@coreiso/peers/ip';
import { compareBytes } from '@coreiso/peers/rust';
import type { RouteRuleEntry } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import { networkForm } from './network-form.ts';
import type { Family, PlannedInterface, PlannedInterfaces, PlannedRule, Rule } from './planned-interfaces.ts';
import { describeRule, dumpRule } from './route-text.ts';
import { isIpv6Route, MAIN_TABLE } from './routes.ts';
import { RuleIndex } from './rule-index.ts';

const USE_DEFAULT_PRIORITY = -1;
/** The first automatic priority. */
const FIRST_PRIORITY = 30_000;

/** Checks the rules and gives them priorities, but no interfaces yet. */
export function planRouteRules(
  entries: readonly RouteRuleEntry[],
  interfaces: PlannedInterfaces,
  findings: Findings,
): PlannedRule[] {
  const rules = entries.flatMap((entry, index): Rule[] => {
    if (entry.state === 'absent') return [];
    const path = [...findings.path, 'route-rules', 'config', index];
    return [{ ...sanitiseRule(entry, findings.from(path)), path }];
  });
  return withPriorities(rules).filter(({ iif }) => iif === undefined || interfaces.ignoredType(iif) === undefined);
}

function sanitiseRule(entry: RouteRuleEntry, findings: Findings): RouteRuleEntry {
  const from = entry['ip-from'] ? networkForm(entry['ip-from'], findings.at('ip-from')) : undefined;
  const to = entry['ip-to'] ? networkForm(entry['ip-to'], findings.at('ip-to')) : undefined;
  const family = entry.family ?? familyOf(from) ?? familyOf(to);
  const rule: RouteRuleEntry = { ...entry, 'ip-from': from, 'ip-to': to, family };
  if (from === undefined && to === undefined && family === undefined && !entry['ip-from'] && !entry['ip-to']) {
    findings.invalid(`Neither ip-from, ip-to nor family is defined '${describeRule(rule)}'`, 'Add `family`.');
  }
  const isIpv6 = family === 'ipv6';
  if (from !== undefined && looksLikeIpv6(from) !== isIpv6) {
    findings.at('ip-from').invalid(`The ip-from format mismatches with the family set '${describeRule(rule)}'`);
  } else if (to !== undefined && looksLikeIpv6(to) !== isIpv6) {
    findings.at('ip-to').invalid(`The ip-to format mismatches with the family set ${describeRule(rule)}`);
  }
  if (rule.fwmask !== undefined && rule.fwmark === undefined) {
    findings
      .at('fwmask')
      .invalid(`fwmask is present but fwmark is not defined or is zero ${dumpRule(rule)}`, 'Add `fwmark`.');
  }
  return rule.action === undefined && rule['route-table'] === undefined ? { ...rule, 'route-table': MAIN_TABLE } : rule;
}

function familyOf(network: string | undefined): Family | undefined {
  if (network === undefined) return undefined;
  return looksLikeIpv6(network) ? 'ipv6' : 'ipv4';
}

/** Gives rules without priority that of a rule with all their conditions, or the next free number. */
function withPriorities(rules: readonly Rule[]): PlannedRule[] {
  const distinct = new RuleIndex();
  for (const rule of rules) {
    if (!distinct.has(rule)) distinct.add(rule);
  }
  let last = BigInt(FIRST_PRIORITY - 1);
  for (const { priority = 0 } of distinct.rules) {
    if (BigInt(priority) > last) last = BigInt(priority);
  }
  return rules.map((rule): PlannedRule => {
    if (hasPriority(rule)) return rule;
    return { ...rule, priority: distinct.priorityLike(rule) ?? Number(++last) };
  });
}

function hasPriority(rule: Rule): rule is Rule & PlannedRule {
  return rule.priority !== undefined && rule.priority !== USE_DEFAULT_PRIORITY;
}

/** Assigns every rule to an interface. A rule is lost if that interface has no settings of its family, as in nmstate. */
export function placeRouteRules(
  rules: readonly PlannedRule[],
  interfaces: PlannedInterfaces,
  routed: readonly string[],
  findings: Findings,
): void {
  const homes = new RuleHomes(interfaces, routed);
  for (const rule of rules) {
    const family: Family = isIpv6Rule(rule) ? 'ipv6' : 'ipv4';
    const home =
      rule.iif === undefined ? homes.find(rule['route-table'] ?? MAIN_TABLE, family) : interfaces.kernel(rule.iif);
    if (home === undefined) {
      // There is no interface for the rule if `lo` is ignored or only IPsec is left.
      if (rule.iif === undefined) continue;
      findings
        .from([...rule.path, 'iif'])
        .invalid(
          `The interface ${rule.iif} required by route rule ${describeRule(rule)} does not exists`,
          `Declare ${rule.iif}.`,
        );
      continue;
    }
    homes.hold(home, rule, family);
  }
}

function isIpv6Rule({ family, 'ip-from': from = '', 'ip-to': to = '' }: RouteRuleEntry): boolean {
  return family === 'ipv6' || looksLikeIpv6(from) || looksLikeIpv6(to);
}

/** Finds the interface for the rules of a table, always by look-up. */
class RuleHomes {
  readonly #interfaces: PlannedInterfaces;
  readonly #routed = new Map<string, PlannedInterface>();
  readonly #changed = new Map<string, PlannedInterface>();
  readonly #enabled: Record<Family, PlannedInterface | undefined>;
  readonly #held = new Set<string>();

  constructor(interfaces: PlannedInterfaces, routed: readonly string[]) {
    this.#interfaces = interfaces;
    const order = interfaces.inOrder();
    this.#enabled = {
      ipv4: order.find(({ merged }) => merged.ipv4?.enabled === true),
      ipv6: order.find(({ merged }) => merged.ipv6?.enabled === true),
    };
    for (const planned of interfaces.kernelInterfaces()) {
      if (planned.apply !== undefined) this.#offer(this.#changed, planned);
    }
    // nmstate visits these in random order.
    for (const name of routed) {
      const planned = interfaces.kernel(name);
      if (planned !== undefined) this.#offer(this.#routed, planned);
    }
  }

  find(table: number, family: Family): PlannedInterface | undefined {
    const key = `${family} ${table}`;
    const served = this.#routed.get(key) ?? this.#changed.get(key);
    // nmstate finds an interface outside the kernel, then searches for it inside the kernel, and loses the rule.
    return served ?? this.#interfaces.kernel(this.#enabled[family]?.merged.name ?? 'lo');
  }

  hold(home: PlannedInterface, rule: PlannedRule, family: Family): void {
    if (home.apply === undefined) {
      home.apply = { name: home.merged.name, type: 'loopback', state: 'up' };
      this.#offer(this.#changed, home);
    }
    const settings = home.apply[family] ?? home.merged[family];
    const key = `${home.merged.name} ${ruleIdentity(rule, family)}`;
    if (settings === undefined || this.#held.has(key)) return;
    this.#held.add(key);
    home.rules[family].push(rule);
  }

  /** The first interface by name gets the rules of a table that several serve. */
  #offer(homes: Map<string, PlannedInterface>, planned: PlannedInterface): void {
    for (const key of servedTables(planned)) {
      const other = homes.get(key);
      if (other === undefined || compareBytes(planned.merged.name, other.merged.name) < 0) homes.set(key, planned);
    }
  }
}

/**
 * The tables of its own routes and of received routes. Received routes are in the main table by default, even if the family is
 * off.
 */
function servedTables({ routes, merged }: PlannedInterface): Set<string> {
  const keys = new Set<string>();
  const serve = (family: Family, table = MAIN_TABLE): void => {
    keys.add(`${family} ${table}`);
    if (table === 0) keys.add(`${family} ${MAIN_TABLE}`);
  };
  for (const route of routes) serve(isIpv6Route(route) ? 'ipv6' : 'ipv4', route['table-id']);
  serve('ipv4', merged.ipv4?.['auto-route-table-id']);
  serve('ipv6', merged.ipv6?.['auto-route-table-id']);
  return keys;
}

/** The identity of a rule, without its incoming interface; only one of equal rules is kept. */
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
