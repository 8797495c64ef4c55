import type { MappingNode, Node, Path, ScalarNode } from '@coreiso/diagnostics';

/** Objects with more members than this are indexed, so that a thousand findings in a huge object stay cheap. */
const SMALL = 16;

/** Finds the nodes that findings point at. Names count as spelt; of equal ones the last. */
export class Locator {
  readonly #root: Node;
  readonly #indexes = new WeakMap<MappingNode, Map<string, Node>>();

  constructor(root: Node) {
    this.#root = root;
  }

  /** The deepest node along a path, which is the root at worst. */
  locate(path: Path): Node {
    let node = this.#root;
    for (const step of path) {
      const next = this.#child(node, step);
      if (next === undefined) break;
      node = next;
    }
    return node;
  }

  #child(node: Node, step: string | number): Node | undefined {
    if (node.kind === 'sequence') return typeof step === 'number' ? node.items[step] : undefined;
    if (node.kind === 'scalar' || typeof step === 'number') return undefined;
    if (node.entries.length <= SMALL)
      return node.entries.findLast(({ key }) => (key as ScalarNode).text === step)?.value;
    let index = this.#indexes.get(node);
    if (index === undefined) {
      index = new Map(node.entries.map(({ key, value }) => [(key as ScalarNode).text, value]));
      this.#indexes.set(node, index);
    }
    return index.get(step);
  }
}
