import type { TextEdit } from '../diagnostic.ts';
import type { TextDocument } from '../node.ts';
import { isFlow } from './layout.ts';
import {
  afterColon,
  beginsLine,
  contentEnd,
  contentStart,
  dashOf,
  endOfMatch,
  lastLeaf,
  lineEnd,
  lineStart,
  NotEditable,
  nextLine,
  skipSpace,
} from './places.ts';
import { extentOfEntry, type NodePlace, nextOf, nth } from './walk.ts';

/** Removes a member or item, with its line if it has its own. A collection whose only member is removed becomes `[]` or `{}`. */
export function remove({ text }: TextDocument, spot: NodePlace): TextEdit[] {
  const { place } = spot;
  if (place === undefined) throw new NotEditable('the whole document cannot be removed', spot.node);
  const { parent } = place;
  const count = parent.node.kind === 'mapping' ? parent.node.entries.length : parent.node.items.length;
  if (isFlow(text, parent.node)) return removeFlow(text, spot, parent);
  if (parent.isInFlow) throw new NotEditable('the mapping has no braces', parent.node);
  return count === 1 ? [empty(text, parent)] : [removeLines(text, spot)];
}

/** Writes `[]` or `{}` for a block. */
function empty(text: string, { node, place }: NodePlace): TextEdit {
  const brackets = node.kind === 'sequence' ? '[]' : '{}';
  const start = contentStart(text, node);
  const end = contentEnd(text, node);
  const behind = place?.entry === undefined ? undefined : afterColon(text, place.entry.key);
  // The brackets follow the key directly if only blanks are between.
  const isFree = behind !== undefined && node.start === start && /^\s*$/.test(text.slice(behind, start));
  return isFree ? { start: behind, end, text: ` ${brackets}` } : { start, end, text: brackets };
}

function removeLines(text: string, spot: NodePlace): TextEdit {
  const { start: first, end } = extentOfEntry(spot);
  const start =
    spot.place?.entry === undefined && spot.place !== undefined ? dashOf(text, spot.place.parent.node, first) : first;
  const after = endOfLines(text, spot, end);
  if (!beginsLine(text, start)) {
    // The next member takes the place after the dash that both share.
    const next = endOfMatch(text, after, /[ \t\r\n]*/y);
    return { start, end: next, text: '' };
  }
  const line = lineStart(text, start);
  // The line end in front may belong to a block scalar.
  const isLast = after === text.length && !/[\r\n]$/.test(text) && !/[|>]/.test(text.slice(0, line));
  if (!isLast || line === 0) return { start: line, end: after, text: '' };
  return { start: line - (/\r\n$/.test(text.slice(0, line)) ? 2 : 1), end: after, text: '' };
}

/** The beginning of the line after a member's last line. */
function endOfLines(text: string, { node, extent }: NodePlace, end: number): number {
  const leaf = extent === node ? lastLeaf(node) : node;
  const isBlock = extent === node && leaf.kind === 'scalar' && (leaf.style === 'literal' || leaf.style === 'folded');
  if (!isBlock) return nextLine(text, lineEnd(text, end));
  const header = text.slice(contentStart(text, leaf), contentStart(text, leaf) + 4);
  return /^[|>]\d?\+/.test(header) ? leaf.end : nextLine(text, contentEnd(text, leaf));
}

function removeFlow(text: string, spot: NodePlace, parent: NodePlace): TextEdit[] {
  const { start, end } = extentOfEntry(spot);
  const index = spot.place?.index ?? 0;
  const next = nextOf(text, spot);
  const comma = skipSpace(text, end);
  const hasComma = text[comma] === ',';
  if (next !== undefined || (index === 0 && hasComma)) {
    const rest = comma + 1;
    const line = lineEnd(text, rest);
    // A comment after the member is removed with it if both have the line to themselves.
    if (beginsLine(text, start) && /^[ \t]*(?:#.*)?$/.test(text.slice(rest, line))) {
      return [{ start: lineStart(text, start), end: nextLine(text, line), text: '' }];
    }
    return [{ start, end: endOfMatch(text, rest, /[ \t]*(?:\r\n?|\n)?[ \t]*/y), text: '' }];
  }
  if (index === 0) {
    const open = contentStart(text, parent.node) + 1;
    const isBare = /^\s*$/.test(text.slice(open, start)) && /^\s*$/.test(text.slice(end, parent.node.end - 1));
    return [isBare ? { start: open, end: parent.node.end - 1, text: '' } : { start, end, text: '' }];
  }
  const before = nth(text, parent, index - 1);
  if (before === undefined) throw new NotEditable('the member before it is written elsewhere', parent.node);
  const { end: last } = extentOfEntry(before);
  const separator = skipSpace(text, last);
  if (/^\s*$/.test(text.slice(last, separator)) && /^,\s*$/.test(text.slice(separator, start)))
    // A colon without a value needs a blank after it.
    return [{ start: last, end, text: text[last - 1] === ':' ? ' ' : '' }];
  return [
    { start: separator, end: separator + 1, text: '' },
    { start, end, text: '' },
  ];
}
