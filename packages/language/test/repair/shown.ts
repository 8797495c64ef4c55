import { applyEdits } from '@coreiso/diagnostics';
import type { Proposal } from '../../src/repair/proposal.ts';

/** `?` if other readings make sense, `~` if it is a guess about lines. */
function marks({ certain, isRough }: Proposal): string {
  return `${certain ? '' : '?'}${isRough === true ? '~' : ''}`;
}

/** The title of each proposal and the text after it. */
export function shown(text: string, proposals: readonly Proposal[]): string[] {
  return proposals.map((one) => `${one.title}${marks(one)}: ${applyEdits(text, one.edits)}`);
}

/** The title of each proposal and its difference. */
export function changes(text: string, proposals: readonly Proposal[]): string[] {
  return proposals.map((one) => `${one.title}${marks(one)}: ${difference(text, applyEdits(text, one.edits))}`);
}

function difference(before: string, after: string): string {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return `${before.slice(start, before.length - tail)} → ${after.slice(start, after.length - tail)}`;
}
