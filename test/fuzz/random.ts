/** Random numbers that a seed determines (xoshiro128**): the same on every machine. */
export class Random {
  readonly #state: Uint32Array;

  constructor(seed: number) {
    // splitmix32 fills the state: a small seed would begin with zeros.
    let mixed = seed | 0;
    this.#state = Uint32Array.from({ length: 4 }, () => {
      mixed = (mixed + 0x9e3779b9) | 0;
      let word = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      return word ^ (word >>> 15);
    });
  }

  /** 32 random bits. */
  bits(): number {
    const state = this.#state as Uint32Array & [number, number, number, number];
    const [first, second, third, fourth] = state;
    const turned = Math.imul(second, 5);
    const result = Math.imul((turned << 7) | (turned >>> 25), 9) >>> 0;
    state[2] = third ^ first;
    state[3] = fourth ^ second;
    state[1] = second ^ state[2];
    state[0] = first ^ state[3];
    state[2] = state[2] ^ (second << 9);
    state[3] = (state[3] << 11) | (state[3] >>> 21);
    return result;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor((this.bits() / 0x1_0000_0000) * limit);
  }

  /** True once in `n` times on average. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(list: ArrayLike<T>): T {
    if (list.length === 0) throw new RangeError('nothing to pick from');
    return list[this.below(list.length)] as T;
  }
}
