/** Most lines per second: a client with ten thousand requests per second must not fill a disk. */
const MOST_LINES = 100;

/** The log of a server: it only counts repeated lines and lines over the limit of the same second. */
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

  /** Writes a line; lines that differ only in `prefix` are the same line. */
  line(text: string, prefix = ''): void {
    const more = this.#said.get(text);
    if (more !== undefined) this.#said.set(text, more + 1);
    else if (this.takes()) {
      this.#said.set(text, 0);
      this.#say(`${prefix}${text}`);
    }
  }

  /** Counts a line; returns whether there is room to write it. */
  takes(): boolean {
    if (this.#lines >= MOST_LINES) {
      this.#leftOut++;
      return false;
    }
    this.#lines++;
    return true;
  }

  /** Ends the second: writes the repetitions, and returns the number of omitted lines. */
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
