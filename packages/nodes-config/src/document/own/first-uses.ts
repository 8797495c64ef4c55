import type { Mention } from '../network-view.ts';

/** Who used a thing first. */
export class FirstUses {
  readonly #paths = new Map<string, Mention>();

  /** The earlier use of the same, if there is one. */
  claim(key: string, use: Mention): Mention | undefined {
    const earlier = this.#paths.get(key);
    if (earlier === undefined) this.#paths.set(key, use);
    return earlier;
  }
}
