import type { Extent, Node, TextDocument } from './node.ts';
import type { Range } from './position.ts';
import type { TextIndex } from './text-index.ts';

/** Documents of one text share its index. */
export function createDocument(index: TextIndex, root: Node | undefined): TextDocument {
  return {
    text: index.text,
    root,
    range: ({ start, end }: Extent): Range => ({ start: index.position(start), end: index.position(end) }),
  };
}
