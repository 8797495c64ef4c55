import { checkArgument } from '@coreiso/peers/arguments';
import type { TextEdit } from '../diagnostic.ts';

/**
 * Applies edits, whose offsets refer to the original text. Insertions at one place keep their order; overlapping edits are
 * refused.
 *
 * @example applyEdits('roel: worker', [{ start: 0, end: 4, text: 'role' }]) // 'role: worker'
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  checkArgument('text', text, 'text');
  checkArgument('edits', edits, 'array');
  let result = '';
  let place = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const { start, end } = edit;
    if (!(Number.isInteger(start) && Number.isInteger(end) && start <= end && end <= text.length)) {
      throw new RangeError(`edits must lie in the text, not at ${start} to ${end} of ${text.length}`);
    }
    if (start < place) throw new RangeError(`edits must not overlap, as two at ${start} do`);
    result += text.slice(place, start) + edit.text;
    place = end;
  }
  return result + text.slice(place);
}
