// The contents of a view: plain data, made in the worker and shown by `show-blocks.ts`. Blocks with a key can be marked as new or
// changed. Keys are unique in a view.

/** Lines of one table; the text alternative of every picture is such a table. */
export interface Table {
  readonly kind: 'table';
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly string[] }[];
}

/** Names and values. */
export interface Facts {
  readonly kind: 'facts';
  readonly rows: readonly { readonly key: string; readonly name: string; readonly value: string }[];
}

export interface Sentence {
  readonly kind: 'sentence';
  readonly text: string;
  /** `hint` if there is nothing to show yet, with the way to change that. */
  readonly tone: 'plain' | 'hint' | 'warning' | 'error';
}

/** An SVG document of our own without styles. */
export interface Picture {
  readonly kind: 'picture';
  readonly svg: string;
  /** The prefix for the keys of its parts: the part with the title `eno1 (ethernet)` has the key PREFIX + `eno1`. */
  readonly prefix: string;
}

/** A collapsed text. */
export interface TextFile {
  readonly kind: 'file';
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  readonly text: string;
}

export interface Steps {
  readonly kind: 'steps';
  readonly steps: readonly { readonly key: string; readonly title: string; readonly text: string }[];
}

export interface TreeNode {
  readonly key: string;
  readonly name: string;
  /** On the line of the name; a text of several lines is below it. */
  readonly value?: string | undefined;
  readonly children?: readonly TreeNode[] | undefined;
}

/** Collapsible branches. */
export interface Tree {
  readonly kind: 'tree';
  readonly label: string;
  readonly nodes: readonly TreeNode[];
}

export interface Section {
  readonly kind: 'section';
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block = Table | Facts | Sentence | Picture | TextFile | Steps | Tree | Section;

export interface View {
  readonly blocks: readonly Block[];
  /** Whether it contains parts that are hidden until requested. */
  readonly hidesSecrets: boolean;
}

/** The text shown for secrets. */
export interface SecretDisplay {
  readonly secrets: 'hidden' | 'shown';
}
