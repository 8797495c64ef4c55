import type { Node, Path, TextDocument } from '@coreiso/diagnostics';

/** The path of the innermost value, or of the innermost key, that contains an offset. */
export function pathAt(root: Node | undefined, offset: number | undefined): Path {
  const path: (string | number)[] = [];
  let node = root;
  while (node !== undefined && offset !== undefined && node.kind !== 'scalar') {
    if (node.kind === 'sequence') {
      const index = node.items.findLastIndex(({ start, end }) => start <= offset && offset <= end);
      if (index === -1) break;
      path.push(index);
      node = node.items[index];
      continue;
    }
    const entry = node.entries.findLast(
      ({ key, value }) => key.start <= offset && offset <= Math.max(key.end, value.end),
    );
    if (entry?.key.kind !== 'scalar') break;
    path.push(entry.key.text);
    if (offset < entry.key.end) break;
    node = entry.value;
  }
  return path;
}

/** The nodes along a path, the root first; fewer if the path does not exist. */
export function nodesTo({ root }: Pick<TextDocument, 'root'>, path: Path): readonly Node[] {
  const nodes: Node[] = root === undefined ? [] : [root];
  for (const step of path) {
    const node = nodes.at(-1);
    const next =
      node?.kind === 'mapping'
        ? node.entries.findLast(({ key }) => key.kind === 'scalar' && key.text === step)?.value
        : node?.kind === 'sequence'
          ? node.items[Number(step)]
          : undefined;
    if (next === undefined) break;
    nodes.push(next);
  }
  return nodes;
}
