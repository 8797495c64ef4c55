import { mutateText } from './mutate-text.ts';
import { mutateTree, treeOf } from './mutate-tree.ts';
import type { Random } from './random.ts';

/** An input and its parsed forms, computed on first use. */
export interface Mutated {
  readonly input: Uint8Array;
  tree?: { readonly value: unknown } | null;
}

interface MutatorOptions {
  readonly shape: 'bytes' | 'text' | 'tree';
  readonly longest: number;
  readonly words: readonly (string | number)[];
  readonly random: Random;
}

/** Numbers at the limits of the types that formats use. */
const BORDERS = [0, 1, 2, 4, 8, 16, 31, 32, 64, 100, 127, 128, 255, 256, 512, 1000, 1024, 2048, 4096, 32767, 32768];
const WIDE_BORDERS = [...BORDERS, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 2 ** 53 - 1];

/** Makes inputs from other inputs, determined by its random numbers. */
export class Mutator {
  readonly #options: MutatorOptions;
  readonly #texts: readonly string[];
  readonly #tokens: readonly Uint8Array[];

  constructor(options: MutatorOptions) {
    this.#options = options;
    const encoder = new TextEncoder();
    this.#texts = options.words.map(String);
    this.#tokens = options.words.flatMap((word) =>
      typeof word === 'string' ? [encoder.encode(word)] : numberTokens(word),
    );
  }

  /** A change of one input, sometimes with parts of the other. */
  mutate(from: Mutated, other: Mutated): Uint8Array {
    const { shape, longest, random } = this.#options;
    const made =
      shape === 'tree' && !random.oneIn(3)
        ? (this.#changedTree(from, other) ?? this.#changedText(from, other))
        : shape !== 'bytes' && !random.oneIn(3)
          ? this.#changedText(from, other)
          : this.#changedBytes(from.input, other.input);
    return made.length > longest ? made.subarray(0, longest) : made;
  }

  #changedTree(from: Mutated, other: Mutated): Uint8Array | undefined {
    from.tree ??= treeOf(from.input);
    if (from.tree === null) return undefined;
    other.tree ??= treeOf(other.input);
    return mutateTree(from.tree.value, other.tree?.value, this.#texts, this.#options.random);
  }

  #changedText(from: Mutated, other: Mutated): Uint8Array {
    return mutateText(from.input, other.input, this.#texts, this.#options.random);
  }

  #changedBytes(from: Uint8Array, other: Uint8Array): Uint8Array {
    const { random } = this.#options;
    let input: Uint8Array = from.slice();
    for (let left = 1 << random.below(4); left > 0; left--) input = this.#changeBytes(input, other);
    return input;
  }

  #changeBytes(input: Uint8Array, other: Uint8Array): Uint8Array {
    const { random } = this.#options;
    const at = random.below(input.length + 1);
    const some = () => 1 + random.below(Math.min(input.length - at, random.oneIn(4) ? 256 : 16));
    if (at === input.length || input.length === 0) {
      return random.oneIn(2) ? joined(input, this.#token()) : joined(input, Uint8Array.of(random.below(256)));
    }
    switch (random.below(13)) {
      case 0:
        input[at] = (input[at] as number) ^ (1 << random.below(8));
        return input;
      case 1:
        input[at] = random.below(256);
        return input;
      case 2:
        input[at] = (input[at] as number) + random.below(35) - 17;
        return input;
      case 3:
      case 4:
        return this.#changeNumber(input, at);
      case 5:
      case 6:
        return replaced(input, at, some(), new Uint8Array());
      case 7: {
        const part = input.slice(at, at + some());
        return replaced(input, random.below(input.length), 0, part);
      }
      case 8: {
        const part = input.slice(at, at + some());
        input.set(part.subarray(0, input.length), Math.max(0, random.below(input.length - part.length + 1)));
        return input;
      }
      case 9:
        return replaced(input, at, 0, this.#token());
      case 10: {
        const token = this.#token();
        return replaced(input, at, token.length, token);
      }
      case 11: {
        const start = random.below(other.length + 1);
        const part = other.subarray(start, start + 1 + random.below(64));
        return replaced(input, at, random.oneIn(2) ? part.length : 0, part);
      }
      default: {
        // Many copies show work that grows faster than the input.
        const part = input.slice(at, at + some());
        const times = 2 + random.below(random.oneIn(8) ? 200 : 8);
        const repeated = new Uint8Array(part.length * times);
        for (let index = 0; index < times; index++) repeated.set(part, index * part.length);
        return replaced(input, at, part.length, repeated);
      }
    }
  }

  #changeNumber(input: Uint8Array, at: number): Uint8Array {
    const { random } = this.#options;
    const width = random.pick([1, 2, 4, 4, 8]);
    if (at + width > input.length) return input;
    const view = new DataView(input.buffer, input.byteOffset);
    const little = random.oneIn(2);
    const fresh = random.oneIn(2) ? random.pick(WIDE_BORDERS) : undefined;
    const near = random.below(35) - 17;
    if (width === 1) view.setUint8(at, fresh ?? view.getUint8(at) + near);
    else if (width === 2) view.setUint16(at, fresh ?? view.getUint16(at, little) + near, little);
    else if (width === 4) view.setUint32(at, fresh ?? view.getUint32(at, little) + near, little);
    else view.setBigUint64(at, BigInt.asUintN(64, BigInt(fresh ?? near)), little);
    return input;
  }

  #token(): Uint8Array {
    return this.#tokens.length === 0 ? Uint8Array.of(0) : this.#options.random.pick(this.#tokens);
  }
}

/** A number in the encodings of formats: two or four bytes in both orders, digits, hexadecimal digits. */
function numberTokens(number: number): Uint8Array[] {
  const encoder = new TextEncoder();
  const tokens = [encoder.encode(String(number)), encoder.encode(number.toString(16))];
  for (const width of number > 0xffff ? [4] : [2, 4]) {
    const big = Uint8Array.from({ length: width }, (_, index) => number / 2 ** (8 * (width - 1 - index)));
    tokens.push(big, big.slice().reverse());
  }
  return tokens;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

function replaced(input: Uint8Array, at: number, length: number, by: Uint8Array): Uint8Array {
  return joined(input.subarray(0, at), by, input.subarray(at + length));
}
