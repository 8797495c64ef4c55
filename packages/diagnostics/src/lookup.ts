import { checkArgument } from '@coreiso/peers/arguments';
import type { Path } from './diagnostic.ts';
import type { MappingEntry, MappingNode, Node, Resolver, ScalarValue } from './node.ts';

/**
 * The entry with this key; the last one if there are several, as in most readers.
 *
 * @example member(mapping, 'hostname')?.value
 */
export function member(mapping: MappingNode, name: string): MappingEntry | undefined {
  checkArgument('mapping.entries', mapping?.entries, 'array');
  const { entries } = mapping;
  if (entries.length > SMALL) return indexOf(entries).get(name);
  return entries.findLast(({ key }) => key.kind === 'scalar' && key.text === name);
}

/** Mappings with fewer entries are searched faster than indexed. */
const SMALL = 16;

/** Cached, so that a thousand findings in one large mapping stay cheap. */
const indexes = new WeakMap<readonly MappingEntry[], ReadonlyMap<string, MappingEntry>>();

function indexOf(entries: readonly MappingEntry[]): ReadonlyMap<string, MappingEntry> {
  const known = indexes.get(entries);
  if (known !== undefined) return known;
  const index = new Map<string, MappingEntry>();
  for (const entry of entries) {
    const { key } = entry;
    if (key.kind === 'scalar') index.set(key.text, entry);
  }
  indexes.set(entries, index);
  return index;
}

/**
 * The node at a path; if the path does not exist, the node of its longest existing part.
 *
 * @example nodeAt(root, ['hosts', 0, 'hostname'])
 */
export function nodeAt(root: Node, path: Path, find: typeof member = member): Node {
  checkArgument('root', root, 'object');
  checkArgument('path', path, 'array');
  let node = root;
  for (const step of path) {
    let next: Node | undefined;
    if (node.kind === 'sequence' && typeof step === 'number') next = node.items[step];
    if (node.kind === 'mapping' && typeof step === 'string') next = find(node, step)?.value;
    if (next === undefined) break;
    node = next;
  }
  return node;
}

/** Values without positions. Objects have no prototype, so `__proto__` is an ordinary member. */
export type Plain = ScalarValue | readonly Plain[] | { readonly [name: string]: Plain };

/**
 * Converts a node to plain values. The last of equal keys wins; keys that are collections are left out. Works without recursion,
 * so any permitted depth can be converted.
 *
 * @example toPlain(document.root, goYaml)
 */
export function toPlain(root: Node, resolve: Resolver): Plain {
  checkArgument('root', root, 'object');
  checkArgument('resolve', resolve, 'function');
  const result: Plain[] = [];
  const tasks: Task[] = [{ node: root, into: result, name: '' }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { node, into, name } = task;
    const opened = node.kind === 'sequence' ? [] : node.kind === 'mapping' ? emptyMembers() : undefined;
    const value = opened ?? (node.kind === 'scalar' ? resolve(node) : null);
    if (Array.isArray(into)) into.push(value);
    else into[name] = value;
    if (opened !== undefined) pushChildren(tasks, node, opened, resolve.key);
  }
  return result[0] ?? null;
}

type Members = { [name: string]: Plain };

/** A node whose value is not yet in its parent. */
interface Task {
  readonly node: Node;
  readonly into: Plain[] | Members;
  readonly name: string;
}

function emptyMembers(): Members {
  return Object.create(null);
}

/** In reverse order, because the task pushed last is done first. */
function pushChildren(tasks: Task[], node: Node, into: Plain[] | Members, readKey: Resolver['key']): void {
  if (node.kind === 'sequence') {
    for (const item of node.items.toReversed()) tasks.push({ node: item, into, name: '' });
  } else if (node.kind === 'mapping') {
    for (const { key, value } of node.entries.toReversed()) {
      const name = key.kind === 'scalar' ? (readKey ? readKey(key) : key.text) : undefined;
      if (name !== undefined) tasks.push({ node: value, into, name });
    }
  }
}
