import { showLine } from '@coreiso/peers/controls';
import { HIDDEN } from '@coreiso/peers/hidden';
import type { Extent } from './node.ts';
import type { Range } from './position.ts';

/** The columns that a source line may take on the screen. */
const WIDTH = 100;
/** The columns kept before the caret of a clipped line. */
const BEFORE = 60;
const TAB_STOP = 4;

/** A printable source line, and the line of carets below it. */
export interface Excerpt {
  readonly source: string;
  readonly caret: string;
}

/** Reads only the text near the place, however long its line is; hides secrets. */
export function excerpt(text: string, range: Range, secrets: readonly Extent[]): Excerpt {
  const offset = Math.max(lineStart(text, range.start.offset), outside(secrets, range.start.offset, 'start'));
  const end = outside(secrets, range.end.offset, 'end');
  const from = Math.max(lineStart(text, offset), snap(text, offset - WIDTH));
  const to = Math.min(lineEnd(text, offset), snap(text, offset + WIDTH));
  const isCutLeft = from > 0 && !isBreak(text.charCodeAt(from - 1));
  const isCutRight = to < text.length && !isBreak(text.charCodeAt(to));

  const before = clipLeft(render(shown(text, from, offset, secrets), 0), isCutLeft);
  const beforeWidth = width(before);
  const marked = render(shown(text, offset, Math.min(to, Math.max(offset, end)), secrets), beforeWidth);
  const after = clipRight(render(shown(text, offset, to, secrets), beforeWidth), WIDTH - beforeWidth, isCutRight);
  const carets = Math.min(Math.max(1, width(marked)), Math.max(1, WIDTH - beforeWidth));
  return { source: join(before) + join(after), caret: `${' '.repeat(beforeWidth)}${'^'.repeat(carets)}` };
}

/** Moves a place inside a secret to the secret's border. */
function outside(secrets: readonly Extent[], offset: number, border: 'start' | 'end'): number {
  const around = secrets[firstEndingAfter(secrets, offset)];
  return around !== undefined && around.start < offset ? around[border] : offset;
}

/** A part of the text that may be shown. */
function shown(text: string, from: number, to: number, secrets: readonly Extent[]): string {
  let result = '';
  let at = from;
  for (let index = firstEndingAfter(secrets, from); at < to; index++) {
    const secret = secrets[index];
    if (secret === undefined || secret.start >= to) return result + text.slice(at, to);
    result += text.slice(at, Math.max(at, secret.start)) + HIDDEN;
    at = secret.end;
  }
  return result;
}

/** The index of the first extent that ends after an offset. */
export function firstEndingAfter(secrets: readonly Extent[], offset: number): number {
  let [low, high] = [0, secrets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((secrets[middle]?.end ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Cell {
  readonly text: string;
  readonly width: number;
}

const ELLIPSIS: Cell = { text: '…', width: 1 };

/** The display of each character on a terminal: tabs spread, control characters made visible, wide ones counted twice. */
function render(text: string, column: number): Cell[] {
  const cells: Cell[] = [];
  let at = column;
  for (const character of text) {
    const cell =
      character === '\t'
        ? { text: ' '.repeat(TAB_STOP - (at % TAB_STOP)), width: TAB_STOP - (at % TAB_STOP) }
        : { text: showLine(character), width: characterWidth(showLine(character)) };
    cells.push(cell);
    at += cell.width;
  }
  return cells;
}

function clipLeft(cells: Cell[], isCut: boolean): Cell[] {
  if (!isCut && width(cells) <= BEFORE) return cells;
  let start = cells.length;
  let room = BEFORE - 1;
  while (start > 0 && room >= (cells[start - 1]?.width ?? 0)) {
    start--;
    room -= cells[start]?.width ?? 0;
  }
  return [ELLIPSIS, ...cells.slice(start)];
}

function clipRight(cells: Cell[], columns: number, isCut: boolean): Cell[] {
  if (!isCut && width(cells) <= columns) return cells;
  let end = 0;
  let room = columns - 1;
  while (end < cells.length && room >= (cells[end]?.width ?? 0)) {
    room -= cells[end]?.width ?? 0;
    end++;
  }
  return [...cells.slice(0, end), ELLIPSIS];
}

const join = (cells: readonly Cell[]): string => cells.map(({ text }) => text).join('');
const width = (cells: readonly Cell[]): number => cells.reduce((sum, cell) => sum + cell.width, 0);

function characterWidth(character: string): number {
  if (character < '\u0300') return 1;
  // Here and not beside the function: the engine loads its Unicode tables as soon as it meets such an expression.
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

/** UAX #11, wide and fullwidth, by script instead of by table. */
function isWide(character: string): boolean {
  return /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])$/u.test(
    character,
  );
}

function lineStart(text: string, offset: number): number {
  let start = offset;
  const limit = Math.max(0, offset - WIDTH);
  while (start > limit && !isBreak(text.charCodeAt(start - 1))) start--;
  return start;
}

function lineEnd(text: string, offset: number): number {
  let end = offset;
  const limit = Math.min(text.length, offset + WIDTH);
  while (end < limit && !isBreak(text.charCodeAt(end))) end++;
  return end;
}

function isBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

/** Moves an offset out of the middle of a surrogate pair. */
function snap(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset + 1 : offset;
}
