/** Reads numbers of a few bits, lowest first, from bytes that are all there. Beyond their end it reads zeros. */
export class BitCursor {
  readonly #bytes: Uint8Array;
  /** Position of the next bit. */
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  /** The next `count` bits, 16 at most. */
  take(count: number): number {
    const value = this.peek() & ((1 << count) - 1);
    this.position += count;
    return value;
  }

  /** At least the next 16 bits. */
  peek(): number {
    const at = this.position >> 3;
    const bytes = this.#bytes;
    const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    return low >> (this.position & 7);
  }
}
