import type { KeyfileSection } from '../keyfile/keyfile.ts';
import { compareText } from '../keyfile/order.ts';
import type { Family } from '../plan/planned-interface.ts';
import type { Report } from '../plan/report.ts';
import type { PlannedRule } from '../plan/route-rules.ts';
import { MAIN_TABLE } from '../plan/routes.ts';

const I32_MAX = 0x7fff_ffff;
const ANY: Readonly<Record<Family, string>> = { ipv4: '0.0.0.0/0', ipv6: '::/0' };

/** nmstate numbers the rules at random; here the order is that of priority, then of text. */
export function writeRouteRules(
  section: KeyfileSection,
  rules: readonly PlannedRule[],
  family: Family,
  report: Report,
): void {
  const lines = rules.map((rule) => {
    checkSuppressedLength(rule, report);
    const priority = BigInt.asUintN(32, BigInt(rule.priority));
    return { priority, text: `priority ${priority} ${ruleText(rule, family)}` };
  });
  lines
    .sort((a, b) => (a.priority < b.priority ? -1 : a.priority > b.priority ? 1 : compareText(a.text, b.text)))
    .forEach(({ text }, index) => {
      section.set(`routing-rule${index}`, text);
    });
}

function checkSuppressedLength({ path, 'suppress-prefix-length': length = 0 }: PlannedRule, report: Report): void {
  if (length <= I32_MAX) return;
  report
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
