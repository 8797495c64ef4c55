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
  const holder: { value: Plain } = { value: null };
  const tasks: { node: Node; put: (value: Plain) => void }[] = [
    {
      node: root,
      put: (value) => {
        holder.value = value;
      },
    },
  ];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { node, put } = task;
    if (node.kind === 'scalar') {
      put(resolve(node));
    } else if (node.kind === 'sequence') {
      const items: Plain[] = new Array(node.items.length).fill(null);
      put(items);
      node.items.forEach((item, position) => {
        tasks.push({
          node: item,
          put: (value) => {
            items[position] = value;
          },
        });
      });
    } else {
      const members: { [name: string]: Plain } = Object.create(null);
      put(members);
      for (const { key, value } of node.entries) {
        const name = key.kind === 'scalar' ? readKey(key) : undefined;
        if (name === undefined) continue;
        members[name] = null;
        tasks.push({
          node: value,
          put: (plain) => {
            members[name] = plain;
          },
        });
      }
    }
  }
  return holder.value;
}
