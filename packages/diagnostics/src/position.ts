/** A place in a text. Lines and columns count from 1; columns count characters (code points). */
export interface Position {
  /** Index into the JavaScript string. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export interface Range {
  readonly start: Position;
  /** Just past the last character. */
  readonly end: Position;
}
