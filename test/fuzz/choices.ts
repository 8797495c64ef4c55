/** Numbers taken from an input, one after the other; zeros after its end. */
export class Choices {
  readonly #input: Uint8Array;
  #at = 0;

  constructor(input: Uint8Array) {
    this.#input = input;
  }

  isOver(): boolean {
    return this.#at >= this.#input.length;
  }

  /** From 0 to `most`. */
  upTo(most: number): number {
    const [high = 0, low = 0] = this.#input.subarray(this.#at, this.#at + 2);
    this.#at += most > 255 ? 2 : 1;
    return (most > 255 ? high * 256 + low : high) % (most + 1);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.upTo(list.length - 1)] as T;
  }

  /** Up to `most` items, each made from the next numbers. */
  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.upTo(most) }, make);
  }
}
