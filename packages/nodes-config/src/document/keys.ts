import { goKey, type MappingEntry, type MappingNode, type Node } from '@coreiso/diagnostics';

/** The entries that count, as Go's map prints them: sorted by bytes, of equal keys the last. */
export function inByteOrder(node: MappingNode): [string, MappingEntry][] {
  const entries = new Map<string, MappingEntry>();
  for (const entry of node.entries) {
    const name = entry.key.kind === 'scalar' ? goKey(entry.key) : undefined;
    if (name !== undefined) entries.set(name, entry);
  }
  return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

interface KeyUse {
  readonly key: Node;
  /** Whether a merge key brought it in from another map. */
  readonly isMerged: boolean;
}

interface RepeatedKey extends MappingEntry, KeyUse {
  readonly name: string;
  readonly earlier: KeyUse;
}

/** Keys that a map has more than once, in the order of the text; aliased nodes are looked at once. */
export function repeatedKeys(root: Node): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  const nodes = new Set<Node>([root]);
  for (const node of nodes) {
    if (node.kind === 'sequence') for (const item of node.items) nodes.add(item);
    if (node.kind !== 'mapping') continue;
    const uses = new Map<string, KeyUse>();
    for (const { key, value } of node.entries) {
      if (value.kind !== 'scalar') nodes.add(value);
      const name = key.kind === 'scalar' ? goKey(key) : undefined;
      if (name === undefined) continue;
      const isMerged = key.start < node.start || key.start >= node.end;
      const earlier = uses.get(name);
      if (earlier !== undefined) repeated.push({ key, value, name, earlier, isMerged });
      uses.set(name, { key, isMerged });
    }
  }
  return repeated.sort((a, b) => a.key.start - b.key.start);
}
