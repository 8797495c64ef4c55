// How fast a server has to be: one that sends a byte now and then is never silent, and would never be done.
import { IsoError } from '../errors.ts';

/** Told of each piece of an answer: its length, and how many milliseconds it was waited for. */
export type ActivityListener = (length?: number, waited?: number) => void;

/** For how long a server is waited for before its rate counts, in milliseconds. */
const WINDOW = 60_000;

/** The rate of one attempt, measured while the server is waited for: what its reader takes is not the server's fault. */
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

  /** Fails once fewer bytes came in a window than have to. */
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

  /** The fewest bytes that the attempt may have got by now. */
  get least(): number {
    return (this.#lowest * (this.#waitedBefore + this.#waited)) / 1000;
  }
}
