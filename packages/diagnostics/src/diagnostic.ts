import type { Extent } from './node.ts';
import type { Range } from './position.ts';

/** Where in a document's data: member names and list indices from the root. */
export type Path = readonly (string | number)[];

/** A stretch of a text and what to write there instead; it inserts where the stretch is empty. */
export interface TextEdit extends Extent {
  readonly text: string;
}

/** A way out that a program can take: `applyEdits(text, fix.edits)`. */
export interface Fix {
  /** What it does, in the imperative: "Rename `hostnam` to `hostname`". */
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Whether nothing else can have been meant, so that it may be applied unseen. */
  readonly safe: boolean;
}

/** One finding about a user's text. */
export interface Diagnostic {
  /** Whether it refuses the text, warns of it, or only tells. */
  readonly severity: 'error' | 'warning' | 'info';
  /** Kebab-case with the package in front, e.g. `nmstate/unknown-key`. Stable: renaming one is a breaking change. */
  readonly code: string;
  /** The peer's exact text where a peer has one. */
  readonly message: string;
  readonly path: Path;
  readonly range?: Range;
  /** What to do about it, as a sentence. */
  readonly help?: string;
  /** The values in the message, by name. Those of secret members are never among them. */
  readonly arguments?: Readonly<Record<string, string | number | boolean>>;
  /** Ways out that a program can take, the best first. The edits are of the text that was read. */
  readonly fixes?: readonly Fix[];
}

/** What every parser and validator returns, with findings that may say more than a `Diagnostic`; the throwing twin is called `…OrThrow`. */
export type Outcome<T, D extends Diagnostic = Diagnostic> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly D[] }
  | { readonly ok: false; readonly diagnostics: readonly D[] };
