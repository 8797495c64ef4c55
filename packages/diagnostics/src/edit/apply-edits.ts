import { checkArgument } from '@coreiso/peers/arguments';
import type { TextEdit } from '../diagnostic.ts';

/**
 * The text with all edits made, whose places are those of the text as it was. Of insertions at one place the first comes first;
 * edits that overlap are refused.
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
