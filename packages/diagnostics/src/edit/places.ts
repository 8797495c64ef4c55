// Places in a text that the tree does not know: line ends, dashes, what is around a node.
import type { Extent, Node } from '../node.ts';

/** Why an edit cannot be made, and the place that is in the way. */
export class NotEditable extends Error {
  readonly place: Extent | undefined;

  constructor(reason: string, place?: Extent) {
    super(reason);
    this.place = place;
  }
}

export function lineStart(text: string, offset: number): number {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  // A byte order mark is in no column.
  return start === 0 && offset > 0 && text[0] === '\ufeff' ? 1 : start;
}

/** Where the line's break begins, or the text ends. */
export function lineEnd(text: string, offset: number): number {
  return endOfMatch(text, offset, /[^\r\n]*/y);
}

/** Where the next line begins, or the text ends. */
export function nextLine(text: string, offset: number): number {
  return endOfMatch(text, lineEnd(text, offset), /(?:\r\n?|\n)?/y);
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Whether nothing but blanks is before it on its line. */
export function beginsLine(text: string, offset: number): boolean {
  return /^ *$/.test(text.slice(lineStart(text, offset), offset));
}

/** The end of what a sticky pattern matches there. */
export function endOfMatch(text: string, offset: number, pattern: RegExp): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

/** Blanks, line ends and comments. */
const SPACE = /(?:[ \t\r\n]|(?<=[ \t\r\n])#[^\r\n]*)*/y;

export function skipSpace(text: string, offset: number): number {
  return endOfMatch(text, offset, SPACE);
}

/** Where a node begins behind its anchor and tag; those where a mapping's first key begins are the key's. */
export function contentStart(text: string, node: Extent | Node): number {
  const { start, end } = node;
  if ('entries' in node && node.entries[0]?.key.start === start) return start;
  let place = start;
  while (place < end && (text[place] === '&' || text[place] === '!')) {
    place = Math.min(skipSpace(text, endOfMatch(text, place, /[^ \t\r\n]+/y)), end);
  }
  return place;
}

/** Just past a node's last character that is not a line end: block scalars take in the lines that follow. */
export function contentEnd(text: string, { start, end }: Extent): number {
  let place = end;
  while (place > start && /\s/.test(text[place - 1] ?? '')) place--;
  return place;
}

/** Where a key's colon ends. */
export function afterColon(text: string, key: Extent): number | undefined {
  const place = endOfMatch(text, skipSpace(text, key.end), /:/y);
  return text[place - 1] === ':' ? place : undefined;
}

/** The dash of an item that begins at or behind `item`, in the column of its list. */
export function dashOf(text: string, list: Extent, item: number): number {
  const first = contentStart(text, list);
  const column = columnOf(text, first);
  for (let line = lineStart(text, item); ; line = lineStart(text, line - 1)) {
    const dash = line + column;
    const isOwn = dash === first || /^ *$/.test(text.slice(line, dash));
    if (dash < Math.max(item, first + 1) && isOwn && /-(?=\s|$)/y.test(text.slice(dash, dash + 2))) return dash;
    if (line <= first) throw new NotEditable('the item has no dash of its own', list);
  }
}

/** The last scalar of a tree, where aliases are none of its own. */
export function lastLeaf(node: Node): Node {
  const child =
    node.kind === 'mapping' ? node.entries.at(-1)?.value : node.kind === 'sequence' ? node.items.at(-1) : undefined;
  return child === undefined || child.start < node.start ? node : lastLeaf(child);
}
