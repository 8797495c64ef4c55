// Finds values in a document as Go's decoder does: letter case of keys is ignored, and of equal keys the last counts.
import {
  goYaml,
  type MappingEntry,
  type MappingNode,
  NOWHERE,
  type Node,
  nodeAt,
  type Path,
  type Range,
  type TextDocument,
} from '@coreiso/diagnostics';
import { compareBytes } from '@coreiso/peers/go';

/** The parsed text, so that later stages can report the user's line and column. */
export interface SourceText {
  readonly text: string;
  /**
   * The range of the value at a path, or of the longest existing part of the path. Undefined for an empty document,
   * for an object, and for hosts from another file.
   */
  locate(path: Path): Range | undefined;
}

/**
 * A document whose values can be found again by their paths.
 *
 * @example sourceOf(document).locate(['hosts', 0, 'hostname'])
 */
export function sourceOf(
  document: TextDocument,
): SourceText & { locateKey(path: Path, key: string): Range | undefined } {
  const { root } = document;
  const at = (path: Path): Node | undefined => root && nodeAt(root, path, entryOf);
  const rangeOf = (place: Node | undefined): Range | undefined => {
    const range = place && document.range(place);
    return range === NOWHERE ? undefined : range;
  };
  return {
    text: document.text,
    locate: (path) => rangeOf(at(path)),
    locateKey: (path, key) => {
      const node = at(path);
      return rangeOf(node?.kind === 'mapping' ? (entryOf(node, key)?.key ?? node) : node);
    },
  };
}

/**
 * The entry that Go's decoder reads for a member: letter case is ignored. Of equal keys, the last counts; of keys
 * that differ only in case, the greatest, because keys are sorted before they are read.
 */
export function entryOf(node: MappingNode, name: string): MappingEntry | undefined {
  const folded = name.toLowerCase();
  let best: MappingEntry | undefined;
  let bestKey = '';
  for (const entry of node.entries) {
    const key = entry.key.kind === 'scalar' ? goYaml.key(entry.key) : undefined;
    if (key === undefined || (key !== name && key.toLowerCase() !== folded)) continue;
    if (best !== undefined && compareBytes(key, bestKey) < 0) continue;
    best = entry;
    bestKey = key;
  }
  return best;
}

/** The entries that count, as Go prints a map: sorted by bytes, and of equal keys the last. */
export function inByteOrder(node: MappingNode): [string, MappingEntry][] {
  const entries = new Map<string, MappingEntry>();
  for (const entry of node.entries) {
    const name = entry.key.kind === 'scalar' ? goYaml.key(entry.key) : undefined;
    if (name !== undefined) entries.set(name, entry);
  }
  return [...entries].sort(([a], [b]) => compareBytes(a, b));
}

interface KeyUse {
  readonly key: Node;
  /** Whether a merge key added it from another map. */
  readonly isMerged: boolean;
}

interface RepeatedKey extends MappingEntry, KeyUse {
  readonly name: string;
  readonly earlier: KeyUse;
}

/** Keys that a map has more than once, in the order of the text; aliased nodes are visited once. */
export function repeatedKeys(root: Node): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  const nodes = new Set<Node>([root]);
  for (const node of nodes) {
    if (node.kind === 'sequence') for (const item of node.items) nodes.add(item);
    if (node.kind !== 'mapping') continue;
    const uses = new Map<string, KeyUse>();
    for (const { key, value } of node.entries) {
      if (value.kind !== 'scalar') nodes.add(value);
      const name = key.kind === 'scalar' ? goYaml.key(key) : undefined;
      if (name === undefined) continue;
      const isMerged = key.start < node.start || key.start >= node.end;
      const earlier = uses.get(name);
      if (earlier !== undefined) repeated.push({ key, value, name, earlier, isMerged });
      uses.set(name, { key, isMerged });
    }
  }
  return repeated.sort((a, b) => a.key.start - b.key.start);
}
