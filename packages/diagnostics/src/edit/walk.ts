import type { Path } from '../diagnostic.ts';
import { member } from '../lookup.ts';
import type { Extent, MappingEntry, MappingNode, Node, SequenceNode, TextDocument } from '../node.ts';
import { isFlow } from './layout.ts';
import { afterColon, endOfMatch, NotEditable, skipSpace } from './places.ts';

/** A node and its place in the document. */
export interface NodePlace {
  readonly node: Node;
  /** The extent of the value as written: an alias is elsewhere than the node that it names. */
  readonly extent: Extent;
  readonly place: MemberPlace | ItemPlace | undefined;
  /** Whether the node is inside brackets, not counting its own. */
  readonly isInFlow: boolean;
}

interface MemberPlace {
  readonly parent: NodePlace & { readonly node: MappingNode };
  readonly entry: MappingEntry;
  readonly index: number;
}

interface ItemPlace {
  readonly parent: NodePlace & { readonly node: SequenceNode };
  readonly entry?: undefined;
  readonly index: number;
}

/** The node at a path, and the rest of the path if it does not exist. */
export function walk(
  document: TextDocument,
  path: Path,
  find: typeof member = member,
): { spot: NodePlace; rest: Path } {
  const { root, text } = document;
  if (root === undefined) throw new NotEditable('the document is empty');
  let spot: NodePlace = { node: root, extent: root, place: undefined, isInFlow: false };
  for (const [depth, step] of path.entries()) {
    const next = childAt(text, spot, step, find);
    if (next === undefined) return { spot, rest: path.slice(depth) };
    spot = next;
  }
  return { spot, rest: [] };
}

function childAt(text: string, parent: NodePlace, step: string | number, find: typeof member): NodePlace | undefined {
  const { node } = parent;
  if (node.kind === 'sequence' && typeof step === 'number') return nth(text, parent, step);
  const entry = node.kind === 'mapping' && typeof step === 'string' ? find(node, step) : undefined;
  return entry && node.kind === 'mapping' ? nth(text, parent, node.entries.indexOf(entry)) : undefined;
}

/** The member or item at a position; negative ones count from the end. */
export function nth(text: string, parent: NodePlace, position: number): NodePlace | undefined {
  const { node } = parent;
  if (parent.extent !== node) throw new NotEditable('the value is that of an alias', parent.extent);
  const isInFlow = parent.isInFlow || isFlow(text, node);
  if (node.kind === 'mapping') {
    const index = position < 0 ? node.entries.length + position : position;
    const entry = node.entries[index];
    return entry && memberSpot(text, { ...parent, node }, entry, index, isInFlow);
  }
  if (node.kind === 'scalar') return undefined;
  const index = position < 0 ? node.items.length + position : position;
  const item = node.items[index];
  const place: ItemPlace = { parent: { ...parent, node }, index };
  return item && { node: item, extent: itemExtent(place), place, isInFlow };
}

function memberSpot(
  text: string,
  parent: MemberPlace['parent'],
  entry: MappingEntry,
  index: number,
  isInFlow: boolean,
): NodePlace {
  const { key, value } = entry;
  if (key.start < parent.node.start || key.end > parent.node.end || key.kind !== 'scalar') {
    throw new NotEditable('the key is written elsewhere, and merged or named by an alias', parent.node);
  }
  if (/(?:^|[\s,[{])\?\s*$/.test(text.slice(Math.max(0, key.start - 80), key.start))) {
    throw new NotEditable('the key is written with a question mark', key);
  }
  const place: MemberPlace = { parent, entry, index };
  if (value.start >= key.end) return { node: value, extent: value, place, isInFlow };
  const colon = afterColon(text, key);
  return {
    node: value,
    extent: aliasAt(text, colon === undefined ? key.end : skipSpace(text, colon)),
    place,
    isInFlow,
  };
}

/** Finds an item by the one before it, so that only that one is checked for an alias. */
function itemExtent({ parent, index }: ItemPlace): Extent {
  const node = parent.node.items[index];
  if (node === undefined) return parent.node;
  let before = parent.node.start;
  for (const earlier of parent.node.items.slice(0, index)) before = Math.max(before, earlier.end);
  if (node.start >= before) return node;
  throw new NotEditable('the item is an alias', parent.node);
}

function aliasAt(text: string, start: number): Extent {
  const end = endOfMatch(text, start, /\*[^\s,[\]{}]+/y);
  if (end === start) throw new NotEditable('the value is written elsewhere');
  return { start, end };
}

/** The extent of a member or item, without its dash. */
export function extentOfEntry({ place, extent }: NodePlace): Extent {
  return place?.entry === undefined
    ? extent
    : { start: place.entry.key.start, end: Math.max(place.entry.key.end, extent.end) };
}

/** The next member or item of the same collection, if there is one. */
export function nextOf(text: string, { place }: NodePlace): NodePlace | undefined {
  return place && nth(text, place.parent, place.index + 1);
}
