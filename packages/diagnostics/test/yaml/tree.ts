import type { Node } from '@coreiso/diagnostics';

/** A tree without places, for comparing. */
export type Shape =
  | { readonly scalar: string; readonly style: string; readonly tag: string | undefined }
  | { readonly items: readonly Shape[]; readonly tag: string | undefined }
  | { readonly entries: readonly (readonly [Shape, Shape])[]; readonly tag: string | undefined };

export function shapeOf(node: Node): Shape {
  switch (node.kind) {
    case 'scalar':
      return { scalar: node.text, style: node.style, tag: node.tag };
    case 'sequence':
      return { items: node.items.map(shapeOf), tag: node.tag };
    case 'mapping':
      return { entries: node.entries.map(({ key, value }) => [shapeOf(key), shapeOf(value)]), tag: node.tag };
  }
}

export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'scalar':
      return [];
    case 'sequence':
      return node.items;
    case 'mapping':
      return node.entries.flatMap(({ key, value }) => [key, value]);
  }
}

/** The node and everything below it. */
export function everyNode(root: Node): readonly Node[] {
  return [root, ...childrenOf(root).flatMap(everyNode)];
}
