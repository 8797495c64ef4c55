import type { Range } from './position.ts';

/** Offsets into the text; turn them into lines and columns with the document's `range(node)`, which is cheap but not free. */
export interface Extent {
  readonly start: number;
  /** Just past the last character. */
  readonly end: number;
}

/** A scalar as written: *not* resolved to a boolean or number, because readers disagree about `n`, `0644` and `1e3`. */
export interface ScalarNode extends Extent {
  readonly kind: 'scalar';
  /** The content: escapes and folding undone, quotes gone. */
  readonly text: string;
  /** Which quotes, if any, or which kind of block. */
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  /** An explicit tag, fully resolved (`tag:yaml.org,2002:str`), or undefined. */
  readonly tag: string | undefined;
}

/** A member of a mapping, as it is written. */
export interface MappingEntry {
  readonly key: Node;
  readonly value: Node;
}

/** Entries keep their order and their duplicates. */
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

/** Aliases are resolved: the same node object may hang in several places. */
export type Node = MappingNode | SequenceNode | ScalarNode;

/** What a scalar means to one particular reader; integers are bigint. */
export type ScalarValue = null | boolean | bigint | number | string;

/** What a scalar means to one particular reader. */
export interface Resolver {
  (node: ScalarNode): ScalarValue;
  /** The member name that a key becomes, or undefined where the reader has none for it; without it a key is its text. */
  readonly key?: (key: ScalarNode) => string | undefined;
}

/** One document of a text. */
export interface TextDocument {
  readonly text: string;
  /** Undefined for an empty document. */
  readonly root: Node | undefined;
  range(node: Extent): Range;
}
