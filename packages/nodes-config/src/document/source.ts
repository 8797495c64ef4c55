import { goKey, type MappingEntry, type Node, type Path, type Range, type TextDocument } from '@coreiso/diagnostics';
import type { SourceText } from './types.ts';

/** A document whose values can be found again by their paths. */
export function sourceOf(
  document: TextDocument,
): SourceText & { locateKey(path: Path, key: string): Range | undefined } {
  const rangeOf = (place: Node | undefined): Range | undefined => place && document.range(place);
  return {
    text: document.text,
    locate: (path) => rangeOf(nodeAt(document.root, path)),
    locateKey: (path, key) => {
      const node = nodeAt(document.root, path);
      return rangeOf(node?.kind === 'mapping' ? (entryOf(node, key)?.key ?? node) : node);
    },
  };
}

/** What a path leads to; where it goes on into nothing, the last part that is there. */
export function nodeAt(root: Node | undefined, path: Path): Node | undefined {
  let node = root;
  for (const step of path) {
    const next = node && childOf(node, step);
    if (next === undefined) break;
    node = next;
  }
  return node;
}

function childOf(node: Node, step: string | number): Node | undefined {
  if (node.kind === 'sequence') return typeof step === 'number' ? node.items[step] : undefined;
  return node.kind === 'mapping' && typeof step === 'string' ? entryOf(node, step)?.value : undefined;
}

/**
 * The entry that Go's decoder takes for a member: letter case is free, of equal keys the last counts, and of keys that differ only
 * in case the greatest, because keys are sorted before they are read.
 */
export function entryOf(node: Node & { kind: 'mapping' }, name: string): MappingEntry | undefined {
  const folded = name.toLowerCase();
  let best: MappingEntry | undefined;
  let bestKey = '';
  for (const entry of node.entries) {
    const key = entry.key.kind === 'scalar' ? goKey(entry.key) : undefined;
    if (key === undefined || (key !== name && key.toLowerCase() !== folded)) continue;
    if (best !== undefined && key < bestKey) continue;
    best = entry;
    bestKey = key;
  }
  return best;
}
