import { applyEdits } from '@coreiso/diagnostics';
import type { Source } from '../judge.ts';
import { editsOfFixes, type FixChoice } from './apply.ts';
import { findingsWithFixes } from './mend.ts';

/** The number of rounds: one fix may reveal a mistake for the next. */
const MOST_ROUNDS = 5;

/**
 * Applies the chosen fixes to a text until none is left. Check the result again for the remaining findings.
 *
 * @example mendText({ kind: 'network-state', text: 'interfaces:\n- name: eth0\n  tpye: ethernet\n' }, 'safe')
 */
export function mendText(source: Source, choice: FixChoice): string {
  let { text } = source;
  const seen = new Set([text]);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const findings = findingsWithFixes({ ...source, text });
    const safe = editsOfFixes(findings, 'safe');
    // Two findings may be two views of one typo: after the safe fixes fewer choices remain.
    text = applyEdits(text, safe.length > 0 ? safe : editsOfFixes(findings, choice));
    if (seen.has(text)) break;
    seen.add(text);
  }
  return text;
}
