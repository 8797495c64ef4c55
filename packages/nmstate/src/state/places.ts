import type { Extent, Node, Path } from '@coreiso/diagnostics';
import type { Spellings } from './findings.ts';

/** The part of a document that a path leads to; where the path goes on into nothing, the last part that is there. */
export function placeOf(root: Node | undefined, path: Path, spellings: Spellings): Extent | undefined {
  let node = root;
  for (const step of path) {
    const next = node && child(node, step, spellings);
    if (next === undefined) break;
    node = next;
  }
  return node;
}

function child(node: Node, step: string | number, spellings: Spellings): Node | undefined {
  if (node.kind === 'sequence') return typeof step === 'number' ? node.items[step] : undefined;
  if (node.kind !== 'mapping') return undefined;
  const entry = node.entries.findLast(({ key }) => key.kind === 'scalar' && key.text === step);
  return (entry ?? spellings.get(node)?.get(String(step)))?.value;
}
