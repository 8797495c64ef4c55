import type { Diagnostic } from '../diagnostic.ts';

/** A finding of `parseJson`. */
export interface JsonDiagnostic extends Diagnostic {
  /** The parts of a syntax error, for callers that word the message themselves. */
  readonly json?: {
    /** The expected token; `more` if the text ends too early, `word` for the letters of `true`, `false` and `null`. */
    readonly needed:
      | 'value'
      | 'member-name'
      | 'colon'
      | 'member-end'
      | 'item-end'
      | 'end'
      | 'string'
      | 'escape'
      | 'hexadecimal-escape'
      | 'digit'
      | 'fraction-digit'
      | 'exponent-digit'
      | 'word'
      | 'more';
    /** The character in quotes, as Go prints it; undefined at the end of the text. */
    readonly found?: string;
  };
}
