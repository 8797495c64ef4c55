// Applies a change to data without a text, to check edits against it.
import type { Change, Path, Plain } from '@coreiso/diagnostics';

type Tree = Map<string, Tree> | Tree[] | { readonly leaf: Plain };

function treeOf(plain: Plain): Tree {
  if (Array.isArray(plain)) return plain.map(treeOf);
  if (typeof plain !== 'object' || plain === null) return { leaf: plain };
  return new Map(Object.entries(plain).map(([name, inner]) => [name, treeOf(inner)]));
}

function plainOf(tree: Tree): Plain {
  if (tree instanceof Map) return Object.fromEntries([...tree].map(([name, inner]) => [name, plainOf(inner)]));
  return Array.isArray(tree) ? tree.map(plainOf) : tree.leaf;
}

function inside(tree: Tree, path: Path): Tree {
  return path.reduce<Tree>((node, step) => {
    const next = node instanceof Map ? node.get(String(step)) : Array.isArray(node) ? node[Number(step)] : undefined;
    if (next === undefined) throw new Error('the change leads nowhere');
    return next;
  }, tree);
}

/** The data after a change, computed without a text. */
export function after(before: Plain, made: Change): Plain {
  const root: { tree: Tree } = { tree: treeOf(before) };
  const parent = made.path.slice(0, -1);
  const step = made.path.at(-1);
  const put = (path: Path, tree: Tree): void => {
    const at = path.at(-1);
    if (at === undefined) root.tree = tree;
    else {
      const holder = inside(root.tree, path.slice(0, -1));
      if (holder instanceof Map) holder.set(String(at), tree);
      else if (Array.isArray(holder)) holder[Number(at)] = tree;
    }
  };
  const entries = (path: Path, edit: (list: [string, Tree][]) => [string, Tree][]): void => {
    const holder = inside(root.tree, path);
    if (holder instanceof Map) put(path, new Map(edit([...holder])));
  };
  switch (made.do) {
    case 'rename':
      entries(parent, (list) => list.map(([name, tree]) => [name === step ? made.name : name, tree]));
      break;
    case 'remove': {
      const holder = inside(root.tree, parent);
      if (Array.isArray(holder)) holder.splice(Number(step), 1);
      else entries(parent, (list) => list.filter(([name]) => name !== step));
      break;
    }
    case 'insert':
      (inside(root.tree, parent) as Tree[]).splice(Number(step), 0, treeOf(made.value));
      break;
    case 'unwrap':
      entries(parent, (list) =>
        list.flatMap(([name, tree]) => (name === step && tree instanceof Map ? [...tree] : [[name, tree]])),
      );
      break;
    case 'move': {
      const target = inside(root.tree, made.to.slice(0, -1));
      const moved = inside(root.tree, made.path);
      const source = inside(root.tree, parent);
      if (Array.isArray(source)) source.splice(source.indexOf(moved), 1);
      else if (source instanceof Map) source.delete(String(step));
      if (Array.isArray(target)) target.splice(Number(made.to.at(-1)), 0, moved);
      else if (target instanceof Map) target.set(String(made.to.at(-1)), moved);
      break;
    }
    case 'set': {
      let depth = 0;
      for (let node: Tree = root.tree; depth < made.path.length; depth++) {
        const at = made.path[depth];
        const next: Tree | undefined =
          node instanceof Map ? node.get(String(at)) : Array.isArray(node) ? node[Number(at)] : undefined;
        if (next === undefined) break;
        node = next;
      }
      const wrapped = made.path.slice(depth + 1).reduceRight<Plain>((inner, at) => ({ [at]: inner }), made.value);
      const holder = inside(root.tree, made.path.slice(0, depth));
      const at = made.path[depth];
      if (at === undefined) put(made.path, treeOf(made.value));
      else if (holder instanceof Map || Array.isArray(holder)) put(made.path.slice(0, depth + 1), treeOf(wrapped));
      else put(made.path.slice(0, depth), treeOf({ [at]: wrapped }));
    }
  }
  return plainOf(root.tree);
}
