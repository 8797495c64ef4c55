import { checkArgument } from '@coreiso/peers/arguments';

/** Longer words are not typos, and comparing them is slow. */
const LONGEST = 64;

/**
 * The closest candidate, or undefined if none is close. Letter case is ignored, a swap of neighbours counts as one
 * typo, and one typo is allowed for every three letters. The first of equally close candidates wins.
 *
 * @example closest('hostnam', ['hostname', 'role']) // 'hostname'
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  checkArgument('word', word, 'text');
  if (typeof candidates?.[Symbol.iterator] !== 'function')
    throw new TypeError('candidates must be an array or another iterable');
  if (word.length > LONGEST) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let allowed = Math.max(1, Math.floor(wanted.length / 3));
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance > allowed) continue;
    best = candidate;
    if (distance === 0) break;
    allowed = distance - 1;
  }
  return best;
}

/** Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const cells = new Uint16Array((a.length + 1) * width);
  const at = (row: number, column: number): number => cells[row * width + column] ?? 0;
  for (let row = 0; row <= a.length; row++) {
    for (let column = 0; column <= b.length; column++) {
      cells[row * width + column] = row === 0 || column === 0 ? row + column : cheapest(a, b, row, column, at);
    }
  }
  return at(a.length, b.length);
}

function cheapest(a: string, b: string, row: number, column: number, at: (r: number, c: number) => number): number {
  const isSame = a[row - 1] === b[column - 1];
  const best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isSame ? 0 : 1));
  const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  return isSwap ? Math.min(best, at(row - 2, column - 2) + 1) : best;
}
