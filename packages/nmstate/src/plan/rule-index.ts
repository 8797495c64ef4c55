import type { Rule } from './planned-interfaces.ts';

type Item = string | number | bigint | undefined;

const USE_DEFAULT_PRIORITY = -1;
/** Occurs in no name. */
const SEPARATOR = '\0';

/**
 * Finds rules that have all conditions of another one. It indexes all rules by each requested combination of properties, so that
 * the cost of a look-up does not depend on the number of rules.
 */
export class RuleIndex {
  readonly rules: Rule[] = [];
  readonly #first = new Map<string, Map<string, Rule>>();
  readonly #firstWithPriority = new Map<string, Map<string, Rule>>();

  add(rule: Rule): void {
    this.rules.push(rule);
    for (const [combination, found] of this.#first) remember(found, combination, rule);
    if (!isAutomatic(rule)) {
      for (const [combination, found] of this.#firstWithPriority) remember(found, combination, rule);
    }
  }

  /** Whether a rule has all conditions of this one. */
  has(rule: Rule): boolean {
    return this.#find(this.#first, rule, () => true) !== undefined;
  }

  /** The priority of the first rule that has a priority and all conditions of this one. */
  priorityLike(rule: Rule): number | bigint | undefined {
    return this.#find(this.#firstWithPriority, rule, (other) => !isAutomatic(other))?.priority;
  }

  #find(index: Map<string, Map<string, Rule>>, rule: Rule, isIndexed: (other: Rule) => boolean): Rule | undefined {
    const values = ruleItems(rule);
    const combination = values.map(([name]) => name).join(SEPARATOR);
    let found = index.get(combination);
    if (found === undefined) {
      found = new Map();
      for (const other of this.rules) {
        if (isIndexed(other)) remember(found, combination, other);
      }
      index.set(combination, found);
    }
    return found.get(values.map(([, value]) => value).join(SEPARATOR));
  }
}

function remember(found: Map<string, Rule>, combination: string, rule: Rule): void {
  const items = allItems(rule);
  const names = combination === '' ? [] : combination.split(SEPARATOR);
  const key = names.map((name) => items[name]).join(SEPARATOR);
  if (!found.has(key)) found.set(key, rule);
}

/** The properties that a rule sets, in a fixed order. */
function ruleItems(rule: Rule): [string, Item][] {
  const items: [string, Item, boolean][] = [
    ['from', rule['ip-from'], rule['ip-from'] !== undefined],
    ['to', rule['ip-to'], rule['ip-to'] !== undefined],
    ['family', rule.family, rule.family !== undefined],
    ['priority', rule.priority, !isAutomatic(rule)],
    ['table', rule['route-table'], Boolean(rule['route-table'])],
    ['fwmark', rule.fwmark, rule.fwmark !== undefined],
    ['fwmask', rule.fwmask, rule.fwmask !== undefined],
    ['iif', rule.iif, rule.iif !== undefined],
    ['action', rule.action, rule.action !== undefined],
    ['suppress', rule['suppress-prefix-length'], rule['suppress-prefix-length'] !== undefined],
  ];
  return items.filter(([, , isSaid]) => isSaid).map(([name, value]) => [name, value]);
}

/** The properties of a rule for comparisons: missing marks and priorities count as 0. */
function allItems(rule: Rule): Readonly<Record<string, Item>> {
  return {
    from: rule['ip-from'],
    to: rule['ip-to'],
    family: rule.family,
    priority: rule.priority ?? 0,
    table: rule['route-table'],
    fwmark: rule.fwmark ?? 0,
    fwmask: rule.fwmask ?? 0,
    iif: rule.iif,
    action: rule.action,
    suppress: rule['suppress-prefix-length'],
  };
}

function isAutomatic({ priority }: Rule): boolean {
  return priority === undefined || priority === USE_DEFAULT_PRIORITY;
}
