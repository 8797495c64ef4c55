import type { MappingEntry, MappingNode, Node, Resolver, ScalarNode, ScalarValue } from './node.ts';

/** The entry whose key has this text; of several the last, as most readers take it. */
export function member(mapping: MappingNode, name: string): MappingEntry | undefined {
  return mapping.entries.findLast(({ key }) => key.kind === 'scalar' && key.text === name);
}

/** Values without positions; objects have no prototype, so that `__proto__` is a member like any other. */
export type Plain = ScalarValue | readonly Plain[] | { readonly [name: string]: Plain };

/** A member name for a scalar key, or undefined to leave the member out. */
export type KeyReader = (key: ScalarNode) => string | undefined;

/**
 * The values alone. Of equal keys the last wins; keys that are collections are left out. Works without recursion, so that a text
 * of any permitted depth can be converted.
 */
export function toPlain(root: Node, resolve: Resolver, readKey: KeyReader = (key) => key.text): Plain {
  const holder: Plain[] = [];
  const tasks: Task[] = [{ node: root, into: holder, at: 0 }];
  // Grows while it is walked, in the order of the text, so that the last of equal keys is put last.
  for (const { node, into, at } of tasks) {
    if (node.kind === 'scalar') {
      Reflect.set(into, at, resolve(node));
    } else if (node.kind === 'sequence') {
      const items: Plain[] = [];
      Reflect.set(into, at, items);
      for (const [position, item] of node.items.entries()) tasks.push({ node: item, into: items, at: position });
    } else {
      const members: { [name: string]: Plain } = Object.create(null);
      Reflect.set(into, at, members);
      for (const { key, value } of node.entries) {
        const name = key.kind === 'scalar' ? readKey(key) : undefined;
        if (name === undefined) continue;
        members[name] = null;
        tasks.push({ node: value, into: members, at: name });
      }
    }
  }
  return holder[0] ?? null;
}

/** A node whose value has yet to be put into its parent. */
interface Task {
  readonly node: Node;
  readonly into: object;
  readonly at: string | number;
}
