// The minimum rate of a server: one that sends a byte now and then never times out, but never finishes either.
import { IsoError } from '../errors.ts';

/** Called for each piece of an answer with its length, and the milliseconds spent waiting for it. */
export type ActivityListener = (length?: number, waited?: number) => void;

/** Milliseconds of waiting after which the rate is checked. */
const WINDOW = 60_000;

/** The rate of one attempt. Only the time spent waiting for the server counts, not the reader's own time. */
export class Pace {
  readonly #name: string;
  readonly #lowest: number;
  #bytes = 0;
  #waited = 0;
  #waitedBefore = 0;

  /** `lowest` is in bytes per second; `name` is for people. */
  constructor(name: string, lowest: number) {
    this.#name = name;
    this.#lowest = lowest;
  }

  /** Adds arrived bytes; fails if a window had too few. */
  arrived(bytes: number, waited: number): void {
    this.#bytes += bytes;
    this.#waited += waited;
    if (this.#waited < WINDOW) return;
    const seconds = this.#waited / 1000;
    if (this.#bytes < this.#lowest * seconds) {
      const what = `the server sent ${this.#bytes} bytes in ${Math.round(seconds)} s; the minimum is ${this.#lowest} a second`;
      throw new IsoError('ISO_TOO_SLOW', `cannot read ${this.#name}: ${what}`);
    }
    this.#waitedBefore += this.#waited;
    this.#waited = 0;
    this.#bytes = 0;
  }

  /** The minimum number of bytes that the attempt should have received by now. */
  get least(): number {
    return (this.#lowest * (this.#waitedBefore + this.#waited)) / 1000;
  }
}
