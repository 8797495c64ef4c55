// What a view consists of: plain data, made in the worker and shown by `show-blocks.ts`. Whatever has a key can be marked as new or
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
  /** `hint` where there is nothing to show yet, and what would change that. */
  readonly tone: 'plain' | 'hint' | 'warning' | 'error';
}

/** An SVG document of our own that brings no styles. */
export interface Picture {
  readonly kind: 'picture';
  readonly svg: string;
  /** Begins the keys of its parts: the part titled `eno1 (ethernet)` has the key PREFIX + `eno1`. */
  readonly prefix: string;
}

/** A text that is folded up. */
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

/** Branches that fold up. */
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
  /** Whether something in it is hidden until it is asked for. */
  readonly hidesSecrets: boolean;
}

/** How secrets appear. */
export interface SecretDisplay {
  readonly secrets: 'hidden' | 'shown';
}
