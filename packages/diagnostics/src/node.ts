import type { Range } from './position.ts';

/** Offsets into the text. The document's `range(node)` turns them into lines and columns, which is cheap but not free. */
export interface Extent {
  readonly start: number;
  /** Just past the last character. */
  readonly end: number;
}

/** A scalar as written: *not* resolved to a boolean or number, because readers disagree about `n`, `0644` and `1e3`. */
export interface ScalarNode extends Extent {
  readonly kind: 'scalar';
  /** The content, without quotes, escapes and folding. */
  readonly text: string;
  /** The style: plain, quoted or as a block. */
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  /** An explicit tag, fully resolved (`tag:yaml.org,2002:str`), or undefined. */
  readonly tag: string | undefined;
}

/** A member of a mapping, as written. */
export interface MappingEntry {
  readonly key: Node;
  readonly value: Node;
}

/** A mapping; entries keep their order and duplicates. */
export interface MappingNode extends Extent {
  readonly kind: 'mapping';
  readonly entries: readonly MappingEntry[];
  readonly tag: string | undefined;
}

/** A list; its items keep their order. */
export interface SequenceNode extends Extent {
  readonly kind: 'sequence';
  readonly items: readonly Node[];
  readonly tag: string | undefined;
}

/** A node of a document. Aliases are resolved: one node object may appear in several places. */
export type Node = MappingNode | SequenceNode | ScalarNode;

/** The value that a reader gives a scalar; integers are bigint. */
export type ScalarValue = null | boolean | bigint | number | string;

/** Interprets scalars as one particular reader does. */
export interface Resolver {
  (node: ScalarNode): ScalarValue;
  /**
   * Converts a key to a member name, or to undefined if the reader refuses it. Without this function the name is the
   * key's text.
   */
  readonly key?: (key: ScalarNode) => string | undefined;
}

/** One document of a text. */
export interface TextDocument {
  readonly text: string;
  /** Undefined for an empty document. */
  readonly root: Node | undefined;
  range(node: Extent): Range;
}
