// Lines as the peers' programs log them.

/** One line of a peer's log, without time and decoration. */
export interface Line {
  /** The log level. */
  readonly level: 'trace' | 'debug' | 'info' | 'warning' | 'error';
  readonly message: string;
}
