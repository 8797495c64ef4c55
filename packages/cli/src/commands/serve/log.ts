/** Lines of one second that are written; a client that asks ten thousand times in it must not fill a disk. */
const MOST_LINES = 100;

/** The log of a server: what was said already in the same second, and what is too much, is counted only. */
export class ServerLog {
  readonly #say: (text: string) => void;
  /** The lines of this second, and how often each was repeated. */
  readonly #said = new Map<string, number>();
  #lines = 0;
  #leftOut = 0;

  /** `say` writes a line. */
  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /** Writes a line; `prefix` does not make it another one. */
  line(text: string, prefix = ''): void {
    const more = this.#said.get(text);
    if (more !== undefined) this.#said.set(text, more + 1);
    else if (this.takes()) {
      this.#said.set(text, 0);
      this.#say(`${prefix}${text}`);
    }
  }

  /** Whether there is room for another line, which then counts as written; otherwise as left out. */
  takes(): boolean {
    if (this.#lines >= MOST_LINES) {
      this.#leftOut++;
      return false;
    }
    this.#lines++;
    return true;
  }

  /** Ends the second: says what was repeated, and gives the number of lines that were left out. */
  turn(): number {
    for (const [text, more] of this.#said) {
      if (more > 0) this.#say(`${text} (${more} more ${more === 1 ? 'time' : 'times'})`);
    }
    const leftOut = this.#leftOut;
    this.#said.clear();
    this.#lines = 0;
    this.#leftOut = 0;
    return leftOut;
  }
}
