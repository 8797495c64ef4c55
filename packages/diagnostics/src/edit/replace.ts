import type { TextEdit } from '../diagnostic.ts';
import type { Plain } from '../lookup.ts';
import type { Extent, TextDocument } from '../node.ts';
import { anchorOf, replaceByBlock } from './insert.ts';
import { isFlow, type Layout } from './layout.ts';
import { afterColon, beginsLine, columnOf, contentEnd, lineEnd, NotEditable } from './places.ts';
import { extentOfEntry, type NodePlace } from './walk.ts';
import { blockText, type Content, contentOf, isLeaf, keyText } from './write-value.ts';

/** Writes a new name for a key, in the quotes of the old one. */
export function rename(layout: Layout, spot: NodePlace, name: string): TextEdit[] {
  const { place, isInFlow } = spot;
  if (place?.entry === undefined) throw new NotEditable('only members have names', spot.node);
  const { key } = place.entry;
  const isTaken = place.parent.node.entries.some(
    (one) => one.key !== key && one.key.kind === 'scalar' && one.key.text === name,
  );
  if (isTaken) throw new NotEditable(`\`${name}\` is there already`, key);
  const style = key.kind === 'scalar' ? key.style : undefined;
  return [{ start: key.start, end: key.end, text: keyText(name, layout, isInFlow, style) }];
}

/** Writes a new value, in the style of the old one if possible. */
export function replace({ text }: TextDocument, layout: Layout, spot: NodePlace, value: Plain): TextEdit[] {
  const { node, isInFlow } = spot;
  const content = contentOf(value, layout, node.kind === 'scalar' ? node.style : undefined);
  if (isInFlow || layout.isJson) return [inFlow(text, layout, spot, content)];
  if (isLeaf(value)) return [onLine(text, spot, content)];
  const block = { isSequence: Array.isArray(value), at: (column: number) => blockText(value, column, layout) };
  return replaceByBlock(text, layout, spot, block);
}

function inFlow(text: string, layout: Layout, spot: NodePlace, content: Content): TextEdit {
  const { start: first } = extentOfEntry(spot);
  const body = content.flow(beginsLine(text, first) ? columnOf(text, first) : undefined);
  const { start, end } = valueStretch(text, spot);
  const key = spot.place?.entry?.key;
  if (key !== undefined && afterColon(text, key) === undefined)
    return { start: key.end, end: key.end, text: layout.colon + body };
  return { start, end, text: start === end ? ` ${body}` : withAnchor(text, spot, body) };
}

function onLine(text: string, spot: NodePlace, content: Content): TextEdit {
  const { node, extent, place } = spot;
  const key = place?.entry?.key;
  const column = columnOf(text, key?.start ?? extent.start);
  const { start, end } = valueStretch(text, spot);
  let body = content.block(column, false).slice(1);
  // A block scalar has its lines to itself.
  if (/[\r\n]/.test(body) && lineEnd(text, end) !== end) body = content.flow(undefined);
  if (start === end) return { start, end, text: ` ${body}` };
  const isBlock = extent === node && node.kind !== 'scalar' && !isFlow(text, node);
  const colon = isBlock && key !== undefined ? afterColon(text, key) : undefined;
  const isFree = colon !== undefined && node.start === start && /^\s*$/.test(text.slice(colon, start));
  return isFree ? { start: colon, end, text: ` ${body}` } : { start, end, text: withAnchor(text, spot, body) };
}

/** The range to replace, including the value's tag. */
function valueStretch(text: string, { extent }: NodePlace): Extent {
  return { start: extent.start, end: contentEnd(text, extent) };
}

function withAnchor(text: string, spot: NodePlace, body: string): string {
  const anchor = anchorOf(text, spot);
  return anchor === '' ? body : `${anchor.slice(1)} ${body}`;
}
