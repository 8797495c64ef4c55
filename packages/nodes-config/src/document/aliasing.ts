import type { Node } from '@coreiso/diagnostics';

/** Below these go-yaml does not count. */
const FREE_ALIASED = 100;
const FREE_VALUES = 1000;
const SMALL = 400_000;
const LARGE = 4_000_000;

/** Whether go-yaml takes a document for a bomb: too large a part of its values comes from aliases. */
export function isExcessive(root: Node | undefined): boolean {
  if (root === undefined) return false;
  const sizes = new Map<Node, number>();
  const values = sizeOf(root, sizes);
  // Every node that is reached a second time is reached through an alias.
  const aliased = values - sizes.size;
  return aliased > FREE_ALIASED && values > FREE_VALUES && aliased / values > allowedShare(values);
}

/** From 99 % for small documents down to 10 % for huge ones. */
function allowedShare(values: number): number {
  const progress = Math.min(Math.max((values - SMALL) / (LARGE - SMALL), 0), 1);
  return 0.99 - 0.89 * progress;
}

/** How many values a node stands for with all aliases followed; each node is counted once. The parser has limited the depth. */
function sizeOf(node: Node, sizes: Map<Node, number>): number {
  const known = sizes.get(node);
  if (known !== undefined) return known;
  let size = 1;
  if (node.kind === 'sequence') for (const item of node.items) size += sizeOf(item, sizes);
  if (node.kind === 'mapping')
    for (const { key, value } of node.entries) size += sizeOf(key, sizes) + sizeOf(value, sizes);
  sizes.set(node, size);
  return size;
}
