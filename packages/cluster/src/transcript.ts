// Lines as the peers' own programs log them.

/** How much a line of a transcript matters. */
export type Level = 'trace' | 'debug' | 'info' | 'warning' | 'error';

/** One line of a peer's log, without time and decoration. */
export interface Line {
  readonly level: Level;
  readonly message: string;
}
