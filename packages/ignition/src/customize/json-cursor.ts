// Reads JSON tokens byte by byte, and refuses them at the same byte as coreos-installer's decoder.
import type { JsonFault, JsonSyntaxFault } from './fault.ts';

/** The reason why the text was refused, and the offset, which is undefined only inside the reader. */
export class JsonRefusal extends Error {
  override readonly name: string = 'JsonRefusal';
  readonly fault: JsonFault;
  offset: number | undefined;

  constructor(fault: JsonFault, offset?: number) {
    super(fault.kind);
    this.fault = fault;
    this.offset = offset;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const MINUS = 0x2d;
const ZERO = 0x30;
const U64_MAX = 2n ** 64n - 1n;
export const I64_MAX: bigint = 2n ** 63n - 1n;

/** The escapes of one letter; `\u` is handled separately. */
const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, meaning]) => [letter.charCodeAt(0), meaning],
  ),
);

/** Reads scalars and keeps the current offset. */
export class JsonCursor {
  readonly #bytes: Uint8Array;
  /** The offset of the next byte. */
  index = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads `null`, `true` or `false`, of which `first` is the first byte. */
  literal(first: number): boolean | null {
    const rest = first === 0x6e ? 'ull' : first === 0x74 ? 'rue' : first === 0x66 ? 'alse' : undefined;
    if (rest === undefined) throw this.failNext('no-value');
    this.index += 1;
    this.word(rest);
    return first === 0x6e ? null : first === 0x74;
  }

  /** Reads the rest of a literal. */
  word(rest: string): void {
    for (let at = 0; at < rest.length; at++) {
      const byte = this.next();
      if (byte === undefined) throw this.failHere('ends-in-value');
      if (byte !== rest.charCodeAt(at)) throw this.failHere('no-literal');
    }
  }

  /** Reads a number: an integer of 64 bits as bigint, everything else as number, also `-0`. */
  number(): bigint | number {
    const start = this.index;
    const isInteger = this.digits('ends-in-value');
    const text = utf8.decode(this.#bytes.subarray(start, this.index));
    // Longer texts cannot fit 64 bits, and would make huge bigints.
    if (isInteger && text.length <= 20 && text !== '-0') {
      const value = BigInt(text);
      if (value <= U64_MAX && value >= -I64_MAX - 1n) return value;
    }
    const float = Number(text);
    if (!Number.isFinite(float)) throw this.failHere('huge-number');
    return float;
  }

  /** Skips a number; true if it has neither fraction nor exponent. `cut` is the fault if the text ends within the number. */
  digits(cut: JsonSyntaxFault): boolean {
    if (this.#bytes[this.index] === MINUS) this.index += 1;
    const first = this.next();
    if (first === undefined) throw this.failHere(cut);
    if (!isDigit(first)) throw this.failHere('bad-number');
    if (first === ZERO) {
      if (isDigit(this.#bytes[this.index])) throw this.failNext('bad-number');
    } else this.#digitRun();
    let isInteger = true;
    if (this.#bytes[this.index] === 0x2e) {
      isInteger = false;
      this.index += 1;
      if (this.#digitRun() === 0) {
        throw this.failNext(this.index === this.#bytes.length ? cut : 'bad-number');
      }
    }
    if (((this.#bytes[this.index] ?? 0) | 0x20) === 0x65) {
      isInteger = false;
      this.index += 1;
      const sign = this.#bytes[this.index];
      if (sign === 0x2b || sign === MINUS) this.index += 1;
      const digit = this.next();
      if (digit === undefined) throw this.failHere(cut);
      if (!isDigit(digit)) throw this.failHere('bad-number');
      this.#digitRun();
    }
    return isInteger;
  }

  #digitRun(): number {
    const start = this.index;
    while (isDigit(this.#bytes[this.index])) this.index += 1;
    return this.index - start;
  }

  /** Reads the rest of a string after its opening quote. */
  string(): string {
    let parts = '';
    let start = this.index;
    // Escapes cannot split a code point. Invalid bytes are reported only at the closing quote.
    let valid = true;
    const take = () => {
      try {
        parts += utf8.decode(this.#bytes.subarray(start, this.index));
      } catch {
        valid = false;
      }
    };
    for (;;) {
      const byte = this.#toSpecial();
      if (byte !== QUOTE && byte !== BACKSLASH) {
        this.index += 1;
        throw this.failHere('control-character');
      }
      if (byte === QUOTE) {
        take();
        this.index += 1;
        if (!valid) throw this.failHere('bad-utf8');
        return parts;
      }
      take();
      this.index += 1;
      parts += this.#escape();
      start = this.index;
    }
  }

  /** Skips the rest of a string. */
  skipString(): void {
    for (let byte = this.#toSpecial(); byte !== QUOTE; byte = this.#toSpecial()) {
      // Unlike in `string`, the offset does not include the character.
      if (byte !== BACKSLASH) throw this.failHere('control-character');
      this.index += 1;
      const letter = this.#nextInString();
      if (letter === 0x75) this.#hex();
      else if (!ESCAPES.has(letter)) throw this.failHere('bad-escape');
    }
    this.index += 1;
  }

  /** Moves to the next quote, backslash or control character. */
  #toSpecial(): number {
    const bytes = this.#bytes;
    for (; this.index < bytes.length; this.index++) {
      const byte = bytes[this.index] as number;
      if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) return byte;
    }
    throw this.failHere('ends-in-string');
  }

  #escape(): string {
    const letter = this.#nextInString();
    if (letter !== 0x75) {
      const meaning = ESCAPES.get(letter);
      if (meaning === undefined) throw this.failHere('bad-escape');
      return meaning;
    }
    const unit = this.#hex();
    if (unit >= 0xdc00 && unit <= 0xdfff) throw this.failHere('lone-surrogate');
    if (unit < 0xd800 || unit > 0xdbff) return String.fromCharCode(unit);
    for (const wanted of [BACKSLASH, 0x75]) {
      if (this.#nextInString() !== wanted) throw this.failHere('cut-surrogate');
    }
    const trail = this.#hex();
    if (trail < 0xdc00 || trail > 0xdfff) throw this.failHere('lone-surrogate');
    return String.fromCharCode(unit, trail);
  }

  #hex(): number {
    const digits = this.#bytes.subarray(this.index, this.index + 4);
    this.index += digits.length;
    if (digits.length < 4) throw this.failHere('ends-in-string');
    const text = String.fromCharCode(...digits);
    if (!/^[0-9a-fA-F]{4}$/.test(text)) throw this.failHere('bad-escape');
    return Number.parseInt(text, 16);
  }

  #nextInString(): number {
    const byte = this.next();
    if (byte === undefined) throw this.failHere('ends-in-string');
    return byte;
  }

  /** Consumes a byte. */
  next(): number | undefined {
    const byte = this.#bytes[this.index];
    if (byte !== undefined) this.index += 1;
    return byte;
  }

  /** The first byte of a value, not consumed. */
  value(): number {
    const byte = this.afterSpace();
    if (byte === undefined) throw this.failNext('ends-in-value');
    return byte;
  }

  /** The next byte that is not white space, not consumed. */
  afterSpace(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.index];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d) return byte;
      this.index += 1;
    }
  }

  /** A refusal after the consumed bytes. */
  failHere(fault: JsonFault | JsonSyntaxFault): JsonRefusal {
    return new JsonRefusal(typeof fault === 'string' ? { kind: fault } : fault, this.index);
  }

  /** A refusal of the next byte; its offset includes that byte. */
  failNext(kind: JsonSyntaxFault): JsonRefusal {
    return new JsonRefusal({ kind }, Math.min(this.#bytes.length, this.index + 1));
  }
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
