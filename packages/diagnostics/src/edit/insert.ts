import type { TextEdit } from '../diagnostic.ts';
import type { TextDocument } from '../node.ts';
import { isFlow, type Layout } from './layout.ts';
import {
  afterColon,
  beginsLine,
  columnOf,
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
import { extentOfEntry, type NodePlace, nth } from './walk.ts';
import { type Content, keyText } from './write-value.ts';

/** A member with a name, or an item. */
export interface Addition {
  readonly name: string | undefined;
  readonly content: Content;
}

/** Adds to a collection: before one of its members, or at its end. */
export function insert(
  document: TextDocument,
  layout: Layout,
  parent: NodePlace,
  added: Addition,
  before?: NodePlace,
): TextEdit[] {
  const { text } = document;
  const { node } = parent;
  if (node.kind === 'scalar') throw new NotEditable('the value is not a collection', node);
  const isEmpty = (node.kind === 'mapping' ? node.entries : node.items).length === 0;
  if (isEmpty) return fill(text, layout, parent, added);
  if (isFlow(text, node))
    return before === undefined ? appendFlow(text, layout, parent, added) : prependFlow(text, layout, before, added);
  if (parent.isInFlow) throw new NotEditable('the mapping has no braces', node);
  const column = blockColumn(text, parent);
  const body = bodyText(added, column, layout);
  const pad = ' '.repeat(column);
  if (before !== undefined) {
    const { start } = extentOfEntry(before);
    const at = before.place?.entry === undefined ? dashOf(text, node, start) : start;
    return [{ start: at, end: at, text: body + layout.lineEnd + pad }];
  }
  return appendLines(text, layout, parent, pad + body);
}

/** A member or item in block style; the first line has no indentation. */
function bodyText({ name, content }: Addition, column: number, layout: Layout): string {
  return name === undefined
    ? `-${content.block(column, true)}`
    : `${keyText(name, layout, false)}:${content.block(column, false)}`;
}

/** The column of a block collection's keys or dashes. */
function blockColumn(text: string, { node }: NodePlace): number {
  const first =
    node.kind === 'mapping'
      ? node.entries.find(({ key }) => key.start >= node.start && key.end <= node.end)?.key
      : undefined;
  const start = first?.start ?? contentStart(text, node);
  if (node.kind === 'mapping' && /\?\s*$/.test(text.slice(lineStart(text, start), start)))
    throw new NotEditable('its keys follow question marks', node);
  return columnOf(text, start);
}

/** Inserts after the last line of a block collection. */
function appendLines(text: string, layout: Layout, { node }: NodePlace, lines: string): TextEdit[] {
  const leaf = lastLeaf(node);
  const header =
    leaf.kind === 'scalar' && (leaf.style === 'literal' || leaf.style === 'folded') ? /[|>]([-+\d]*)/y : undefined;
  if (header === undefined) {
    const at = lineEnd(text, node.end);
    return [{ start: at, end: at, text: layout.lineEnd + lines }];
  }
  const start = contentStart(text, leaf);
  const marks = text.slice(start + 1, endOfMatch(text, start, header));
  if (!/[\r\n]/.test(text[leaf.end - 1] ?? '')) {
    // Another line end would be part of the value.
    const strip = marks.includes('-')
      ? []
      : [{ start: start + 1, end: start + 1 + marks.length, text: `${marks.replace('+', '')}-` }];
    return [...strip, { start: leaf.end, end: leaf.end, text: layout.lineEnd + lines }];
  }
  const at = marks.includes('+') ? leaf.end : nextLine(text, contentEnd(text, leaf));
  return [{ start: at, end: at, text: lines + layout.lineEnd }];
}

/** Inserts into an empty collection in brackets, which becomes a block unless other brackets enclose it. */
function fill(text: string, layout: Layout, spot: NodePlace, added: Addition): TextEdit[] {
  if (!spot.isInFlow && !layout.isJson) {
    return replaceByBlock(text, layout, spot, {
      isSequence: added.name === undefined,
      at: (column) => bodyText(added, column, layout),
    });
  }
  const start = contentStart(text, spot.node);
  const isPretty = layout.isJson && (lineStart(text, start) > 0 || /[\r\n]/.test(text.slice(start)));
  const outer = isPretty ? indentOf(text, start) : undefined;
  const inner = outer === undefined ? undefined : outer + layout.step;
  const line = (column: number | undefined): string =>
    column === undefined ? '' : layout.lineEnd + ' '.repeat(column);
  const [open, close] = spot.node.kind === 'sequence' ? '[]' : '{}';
  return [
    { start, end: spot.node.end, text: open + line(inner) + flowBody(added, inner, layout) + line(outer) + close },
  ];
}

/** A block whose first line begins at the place where it is inserted. */
export interface Block {
  readonly isSequence: boolean;
  at(column: number): string;
}

/** Replaces a value with a block; a comment stays on the line of its key. */
export function replaceByBlock(text: string, layout: Layout, spot: NodePlace, block: Block): TextEdit[] {
  const { place, extent, node } = spot;
  const key = place?.entry?.key;
  let start: number | undefined = extent.start;
  if (key !== undefined) start = afterColon(text, key);
  else if (place?.entry === undefined && place !== undefined) start = dashOf(text, place.parent.node, start) + 1;
  if (start === undefined) throw new NotEditable('the key has no colon', key);
  const valueEnd = contentEnd(text, { start, end: Math.max(start, extent.end) });
  if (extent === node && node.kind !== 'scalar' && !isFlow(text, node)) {
    const first = contentStart(text, node);
    // List items may be in the column of their key; members may not.
    const deeper =
      key !== undefined && !block.isSequence && columnOf(text, first) <= columnOf(text, key.start) ? layout.step : 0;
    return [{ start: first, end: valueEnd, text: ' '.repeat(deeper) + block.at(columnOf(text, first) + deeper) }];
  }
  const anchor = place === undefined ? anchorOf(text, spot).trimStart() : anchorOf(text, spot);
  // A block cannot begin on the line of `---`.
  const isBehindMarker = place === undefined && /\S/.test(text.slice(lineStart(text, start), start));
  const column = isBehindMarker ? 0 : key === undefined ? start - lineStart(text, start) : columnOf(text, key.start);
  const inner =
    column + (place === undefined ? 0 : key === undefined ? 1 : block.isSequence ? layout.listStep : layout.step);
  const line = lineEnd(text, valueEnd);
  const hasComment = !/^\s*$/.test(text.slice(valueEnd, line));
  // Blanks after a block scalar would be part of it.
  const end = hasComment ? valueEnd : line;
  if (key === undefined && anchor === '' && !hasComment) {
    const lead = place !== undefined ? ' ' : isBehindMarker ? layout.lineEnd : '';
    return [{ start, end, text: lead + block.at(inner) }];
  }
  const below = layout.lineEnd + ' '.repeat(inner) + block.at(inner);
  if (!hasComment) return [{ start, end, text: anchor + below }];
  return [
    { start, end, text: anchor },
    { start: line, end: line, text: below },
  ];
}

/** The anchor of a value that is replaced, with a blank in front. */
export function anchorOf(text: string, { node, extent }: NodePlace): string {
  if (extent !== node) return '';
  const anchor = /&[^ \t\r\n]+/.exec(text.slice(node.start, contentStart(text, node)));
  return anchor === null ? '' : ` ${anchor[0]}`;
}

function flowBody({ name, content }: Addition, column: number | undefined, layout: Layout): string {
  return name === undefined ? content.flow(column) : keyText(name, layout, true) + layout.colon + content.flow(column);
}

function indentOf(text: string, offset: number): number {
  return endOfMatch(text, lineStart(text, offset), / */y) - lineStart(text, offset);
}

/** The column of a member that has lines of its own. */
function ownLine(text: string, member: NodePlace): number | undefined {
  const { start } = extentOfEntry(member);
  return beginsLine(text, start) ? columnOf(text, start) : undefined;
}

function prependFlow(text: string, layout: Layout, before: NodePlace, added: Addition): TextEdit[] {
  const { start } = extentOfEntry(before);
  const column = ownLine(text, before);
  const gap = column === undefined ? (layout.colon === ':' ? '' : ' ') : layout.lineEnd + ' '.repeat(column);
  return [{ start, end: start, text: `${flowBody(added, column, layout)},${gap}` }];
}

function appendFlow(text: string, layout: Layout, parent: NodePlace, added: Addition): TextEdit[] {
  const last = nth(text, parent, -1);
  if (last === undefined) throw new NotEditable('the collection is empty', parent.node);
  const { start, end } = extentOfEntry(last);
  const column = ownLine(text, last);
  const body = flowBody(added, column, layout);
  const comma = skipSpace(text, end);
  const trailing = text[comma] === ',' ? ',' : '';
  const rest = trailing === '' ? end : comma + 1;
  const comment = endOfMatch(text, rest, /[ \t]+#[^\r\n]*/y);
  const gap = column === undefined ? (layout.colon === ':' ? '' : ' ') : layout.lineEnd + ' '.repeat(column);
  // A comma right after the colon of an empty value would be part of the key.
  const joint = text[end - 1] === ':' ? ' ,' : ',';
  const missing = trailing === '' ? [{ start: end, end, text: joint }] : [];
  if (comment > rest) {
    const line = column === undefined ? `${layout.lineEnd}${' '.repeat(columnOf(text, start))}` : gap;
    return [...missing, { start: comment, end: comment, text: line + body + trailing }];
  }
  if (trailing !== '') return [{ start: rest, end: rest, text: gap + body + trailing }];
  return [{ start: end, end, text: `${joint}${gap}${body}` }];
}
