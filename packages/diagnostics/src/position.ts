/** A place in a text. Lines and columns count from 1; columns count characters (code points). */
export interface Position {
  /** Index into the JavaScript string. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A range of a text, in lines and columns. */
export interface Range {
  readonly start: Position;
  /** Just past the last character. */
  readonly end: Position;
}

const START: Position = { offset: 0, line: 1, column: 1 };

/**
 * The range of nodes that come from no text; diagnostics about them have no range.
 *
 * @example const document: TextDocument = { text: '', root, range: () => NOWHERE }
 */
export const NOWHERE: Range = { start: START, end: START };
