// Places in a text that are not in the tree: line ends, dashes, the surroundings of a node.
import type { Extent, Node } from '../node.ts';

/** The reason why an edit is impossible, and the place that prevents it. */
export class NotEditable extends Error {
  readonly place: Extent | undefined;

  constructor(reason: string, place?: Extent) {
    super(reason);
    this.place = place;
  }
}

export function lineStart(text: string, offset: number): number {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  // A byte order mark takes no column.
  return start === 0 && offset > 0 && text[0] === '\ufeff' ? 1 : start;
}

/** The offset of the line break, or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  return endOfMatch(text, offset, /[^\r\n]*/y);
}

/** The beginning of the next line, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  return endOfMatch(text, lineEnd(text, offset), /(?:\r\n?|\n)?/y);
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Whether only blanks come before the offset on its line. */
export function beginsLine(text: string, offset: number): boolean {
  return /^ *$/.test(text.slice(lineStart(text, offset), offset));
}

/** The end of a sticky pattern's match at the offset. */
export function endOfMatch(text: string, offset: number, pattern: RegExp): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

/** Skips blanks, line ends and comments. */
const SPACE = /(?:[ \t\r\n]|(?<=[ \t\r\n])#[^\r\n]*)*/y;

export function skipSpace(text: string, offset: number): number {
  return endOfMatch(text, offset, SPACE);
}

/**
 * The beginning of a node after its anchor and tag. An anchor or tag before a mapping's first key belongs to the key.
 */
export function contentStart(text: string, node: Extent | Node): number {
  const { start, end } = node;
  if ('entries' in node && node.entries[0]?.key.start === start) return start;
  let place = start;
  while (place < end && (text[place] === '&' || text[place] === '!')) {
    place = Math.min(skipSpace(text, endOfMatch(text, place, /[^ \t\r\n]+/y)), end);
  }
  return place;
}

/** The offset after a node's last character that is not a line end: block scalars include the lines that follow. */
export function contentEnd(text: string, { start, end }: Extent): number {
  let place = end;
  while (place > start && /\s/.test(text[place - 1] ?? '')) place--;
  return place;
}

/** The end of a key's colon. */
export function afterColon(text: string, key: Extent): number | undefined {
  const place = endOfMatch(text, skipSpace(text, key.end), /:/y);
  return text[place - 1] === ':' ? place : undefined;
}

/** The dash of an item that begins at or after `item`, in the column of its list. */
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

/** The last scalar in a tree; aliases do not count. */
export function lastLeaf(node: Node): Node {
  const child =
    node.kind === 'mapping' ? node.entries.at(-1)?.value : node.kind === 'sequence' ? node.items.at(-1) : undefined;
  return child === undefined || child.start < node.start ? node : lastLeaf(child);
}
