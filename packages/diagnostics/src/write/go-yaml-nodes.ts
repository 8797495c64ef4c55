import { checkWord } from '@coreiso/peers/arguments';
import type { MappingEntry, MappingNode, Node, ScalarNode, SequenceNode } from '../node.ts';
import { goYaml } from '../resolve/go-yaml.ts';
import { compareKeys, goStyle, plainText } from './go-yaml-text.ts';

/**
 * The nodes that a reader of `writeGoYaml`'s text finds, at the places of the nodes that the text was written from:
 * numbers and words of YAML 1.1 as Go spells them, keys once and in its order. With them a program reads a part of a
 * document that a Go program passes on as text, without that text, and findings keep the user's own places.
 *
 * @example generateKeyfiles({ node: asGoWrites(host.networkConfig), document })
 */
export function asGoWrites(root: Node): Node {
  checkWord('root.kind', root?.kind, ['mapping', 'sequence', 'scalar']);
  // Aliased nodes are written once, or their copies would grow with every alias. Unchanged nodes are not copied at all:
  // they are nearly every scalar of thousands of hosts.
  const written = new Map<Node, Node>();
  const write = (node: Node): Node => {
    if (node.kind === 'scalar') return scalar(node);
    const known = written.get(node);
    if (known !== undefined) return known;
    const result = node.kind === 'sequence' ? sequence(node, write) : mapping(node, write);
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
  const style = isText ? goStyle(value) : 'plain';
  if (text === node.text && style === node.style && node.tag === undefined) return node;
  return { kind: 'scalar', text, style, tag: undefined, start, end };
}

function sequence(node: SequenceNode, write: (node: Node) => Node): SequenceNode {
  const { start, end } = node;
  const items = node.items.map(write);
  if (node.tag === undefined && items.every((item, index) => item === node.items[index])) return node;
  return { kind: 'sequence', items, tag: undefined, start, end };
}

function mapping(node: MappingNode, write: (node: Node) => Node): MappingNode {
  const { start, end } = node;
  const written = entries(node, write);
  const isSame = written.length === node.entries.length && written.every((entry, at) => entry === node.entries[at]);
  if (node.tag === undefined && isSame) return node;
  return { kind: 'mapping', entries: written, tag: undefined, start, end };
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
    const [key, value] = [keyOf(entry.key, text), write(entry.value)];
    return [key === entry.key && value === entry.value ? entry : { key, value }];
  });
}

function keyOf(node: Node, text: string): Node {
  const style = goStyle(text);
  const { start, end } = node;
  if (node.kind === 'scalar' && node.text === text && node.style === style && node.tag === undefined) return node;
  return { kind: 'scalar', text, style, tag: undefined, start, end };
}
