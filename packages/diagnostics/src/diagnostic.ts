import type { Range } from './position.ts';

/** Where in a document's data: member names and list indices from the root. */
export type Path = readonly (string | number)[];

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
}

/** What every parser and validator returns, with findings that may say more than a `Diagnostic`; the throwing twin is called `…OrThrow`. */
export type Outcome<T, D extends Diagnostic = Diagnostic> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly D[] }
  | { readonly ok: false; readonly diagnostics: readonly D[] };
