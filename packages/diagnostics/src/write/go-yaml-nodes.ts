import { checkWord } from '@coreiso/peers/arguments';
import type { MappingEntry, MappingNode, Node, ScalarNode } from '../node.ts';
import { goYaml } from '../resolve/go-yaml.ts';
import { compareKeys, goStyle, plainText } from './go-yaml-text.ts';

/**
 * The nodes that a reader of `writeGoYaml`'s text finds, at the places of the nodes it was written from: numbers and words of YAML
 * 1.1 as Go spells them, keys once and in its order. So a part of a document that a Go program hands on as text can be read without
 * that text, and findings stand where the user wrote.
 *
 * @example generateKeyfiles({ node: asGoWrites(host.networkConfig), document })
 */
export function asGoWrites(root: Node): Node {
  checkWord('root.kind', root?.kind, ['mapping', 'sequence', 'scalar']);
  // Aliased nodes are written once, or their copies would grow with every alias.
  const written = new Map<Node, Node>();
  const write = (node: Node): Node => {
    if (node.kind === 'scalar') return scalar(node);
    const known = written.get(node);
    if (known !== undefined) return known;
    const { start, end } = node;
    const result: Node =
      node.kind === 'sequence'
        ? { kind: 'sequence', items: node.items.map(write), tag: undefined, start, end }
        : { kind: 'mapping', entries: entries(node, write), tag: undefined, start, end };
    written.set(node, result);
    return result;
  };
  return write(root);
}

function scalar(node: ScalarNode): ScalarNode {
  const { start, end } = node;
  const value = goYaml(node);
  const isText = typeof value === 'string';
  const text = isText ? value : plainText(value);
  return { kind: 'scalar', text, style: isText ? goStyle(value) : 'plain', tag: undefined, start, end };
}

/** Of equal keys the last one; keys that cannot be member names are left out. */
function entries(node: MappingNode, write: (node: Node) => Node): MappingEntry[] {
  const byName = new Map<string, MappingEntry>();
  for (const entry of node.entries) {
    const name = entry.key.kind === 'scalar' ? goYaml.key(entry.key) : undefined;
    if (name !== undefined) byName.set(name, entry);
  }
  const names = [...byName.keys()].sort(compareKeys);
  return names.flatMap((text): MappingEntry[] => {
    const entry = byName.get(text);
    if (entry === undefined) return [];
    const { start, end } = entry.key;
    const key: ScalarNode = { kind: 'scalar', text, style: goStyle(text), tag: undefined, start, end };
    return [{ key, value: write(entry.value) }];
  });
}
