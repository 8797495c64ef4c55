import type { Extent } from './node.ts';
import type { Range } from './position.ts';

/** A place in a document's data: member names and list indices from the root. */
export type Path = readonly (string | number)[];

/** A range of a text and its replacement; an empty range inserts. */
export interface TextEdit extends Extent {
  readonly text: string;
}

/** A fix that a program can apply: `applyEdits(text, fix.edits)`. */
export interface Fix {
  /** The action, in the imperative: "Rename `hostnam` to `hostname`". */
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Whether the fix is unambiguous, so that a program may apply it without a question. */
  readonly safe: boolean;
}

/** One finding about a user's text. */
export interface Diagnostic {
  /** `error` refuses the text, `warning` warns, `info` only informs. */
  readonly severity: 'error' | 'warning' | 'info';
  /** Kebab-case with the package in front, e.g. `nmstate/unknown-key`. Stable: renaming one is a breaking change. */
  readonly code: string;
  /** The exact message of the original tool, if it has one. */
  readonly message: string;
  readonly path: Path;
  readonly range?: Range;
  /** What to do, as a sentence. */
  readonly help?: string;
  /** The values in the message, by name; secret values are left out. */
  readonly arguments?: Readonly<Record<string, string | number | boolean>>;
  /** Fixes that a program can apply, the best first. Their edits refer to the text that was read. */
  readonly fixes?: readonly Fix[];
}

/**
 * The result of every parser and validator. Its findings may extend `Diagnostic`; the throwing variant of a function is called
 * `…OrThrow`.
 */
export type Outcome<T, D extends Diagnostic = Diagnostic> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly D[] }
  | { readonly ok: false; readonly diagnostics: readonly D[] };
