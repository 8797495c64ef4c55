/**
 * One state machine: JSON read in one pass under the direction of the types wanted, as coreos-installer's decoder does,
 * with its texts and byte positions. What nobody asked for is skipped without recursion, so nesting costs no stack.
 */

import { debugText, floatText } from './rust-text.ts';

/** Where and why the text is not what was wanted. The offset is undefined only inside the reader. */
export class TypedJsonError extends Error {
  override readonly name: string = 'TypedJsonError';
  offset: number | undefined;

  constructor(message: string, offset?: number) {
    super(message);
    this.offset = offset;
  }
}

/** How the members of an object, or the elements of a list standing for it, are taken. */
export interface StructVisitor<T> {
  /** `nextKey` gives undefined at the end; after each key exactly one value must be read. */
  members(nextKey: () => string | undefined): T;
  /** `nextElement` tells whether another element follows; after each true exactly one value must be read. */
  elements(nextElement: () => boolean): T;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const ZERO = 0x30;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const CONTROL_CHARACTER = 'control character (\\u0000-\\u001F) found while parsing a string';
const U64_MAX = 2n ** 64n - 1n;
const I64_MAX = 2n ** 63n - 1n;

/** The escapes of one letter; `\u` is its own case. */
const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, meaning]) => [letter.charCodeAt(0), meaning],
  ),
);

export class TypedJsonReader {
  readonly #bytes: Uint8Array;
  #index = 0;
  #keyOffset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The byte about to be read. */
  get offset(): number {
    return this.#index;
  }

  /** Where the key read last begins. */
  get keyOffset(): number {
    return this.#keyOffset;
  }

  /** Takes a `null` if one stands here. */
  takeNull(): boolean {
    if (this.#afterSpace() !== 0x6e) return false;
    this.#index += 1;
    this.#word('ull');
    return true;
  }

  string(): string {
    if (this.#value() !== QUOTE) throw this.#wrongType('a string');
    this.#index += 1;
    return this.#string();
  }

  boolean(): boolean {
    const first = this.#value();
    if (first !== 0x74 && first !== 0x66) throw this.#wrongType('a boolean');
    this.#index += 1;
    this.#word(first === 0x74 ? 'rue' : 'alse');
    return first === 0x74;
  }

  /** A signed 64-bit integer, as the decimal text it is written with. */
  integer(): string {
    const first = this.#value();
    if (first !== MINUS && !isDigit(first)) throw this.#wrongType('i64');
    const number = this.#number();
    if (typeof number === 'number') throw this.#failHere(`invalid type: ${floatText(number)}, expected i64`);
    if (number > I64_MAX) throw this.#failHere(`invalid value: integer \`${number}\`, expected i64`);
    return number.toString();
  }

  list(element: (index: number) => void): void {
    if (this.#value() !== OPEN_LIST) throw this.#wrongType('a sequence');
    this.#index += 1;
    const next = this.#elements();
    this.#inside(
      () => {
        for (let index = 0; next(); index++) element(index);
      },
      () => this.#endList(),
    );
  }

  /** An object, or a list with the values of its members in order, which the decoder takes as well. */
  struct<T>(name: string, visitor: StructVisitor<T>): T {
    const first = this.#value();
    if (first !== OPEN_OBJECT && first !== OPEN_LIST) throw this.#wrongType(`struct ${name}`);
    this.#index += 1;
    if (first === OPEN_LIST) {
      return this.#inside(
        () => visitor.elements(this.#elements()),
        () => this.#endList(),
      );
    }
    return this.#inside(
      () => visitor.members(this.#members()),
      () => this.#endObject(),
    );
  }

  /** Passes over one value of any kind. Numbers may be as large and strings as odd as they like. */
  skip(): void {
    const open: number[] = [];
    let more = true;
    while (more) {
      const first = this.#value();
      const opens = first === OPEN_LIST || first === OPEN_OBJECT;
      if (opens) {
        this.#index += 1;
        open.push(first);
      } else this.#skipScalar(first);
      more = this.#skipToNext(open, !opens);
    }
  }

  finish(): void {
    if (this.#afterSpace() !== undefined) throw this.#failNext('trailing characters');
  }

  /** After a value or an opening bracket: closes what ends here and steps to the next value; false when all is closed. */
  #skipToNext(open: number[], afterValue: boolean): boolean {
    let comma = afterValue;
    for (;;) {
      const frame = open.at(-1);
      if (frame === undefined) return false;
      const list = frame === OPEN_LIST;
      const next = this.#afterSpace();
      if (next === undefined) throw this.#failNext(list ? 'EOF while parsing a list' : 'EOF while parsing an object');
      if (next === (list ? CLOSE_LIST : CLOSE_OBJECT)) {
        this.#index += 1;
        open.pop();
        comma = true;
        continue;
      }
      if (comma) {
        if (next !== COMMA) throw this.#failNext(list ? 'expected `,` or `]`' : 'expected `,` or `}`');
        this.#index += 1;
      }
      if (!list) this.#skipKey();
      return true;
    }
  }

  #skipKey(): void {
    const next = this.#afterSpace();
    if (next === undefined) throw this.#failNext('EOF while parsing an object');
    if (next !== QUOTE) throw this.#failNext('key must be a string');
    this.#index += 1;
    this.#skipString();
    this.#colon();
  }

  #skipScalar(first: number): void {
    if (first === QUOTE) {
      this.#index += 1;
      this.#skipString();
    } else if (first === MINUS || isDigit(first)) {
      this.#digits('invalid number');
    } else {
      this.#literal(first);
    }
  }

  #literal(first: number): boolean | null {
    const rest = first === 0x6e ? 'ull' : first === 0x74 ? 'rue' : first === 0x66 ? 'alse' : undefined;
    if (rest === undefined) throw this.#failNext('expected value');
    this.#index += 1;
    this.#word(rest);
    return first === 0x6e ? null : first === 0x74;
  }

  #word(rest: string): void {
    for (let at = 0; at < rest.length; at++) {
      const byte = this.#next();
      if (byte === undefined) throw this.#failHere('EOF while parsing a value');
      if (byte !== rest.charCodeAt(at)) throw this.#failHere('expected ident');
    }
  }

  #elements(): () => boolean {
    let first = true;
    return () => {
      const next = this.#afterSpace();
      if (next === undefined) throw this.#failNext('EOF while parsing a list');
      if (next === CLOSE_LIST) return false;
      if (first) {
        first = false;
        return true;
      }
      if (next !== COMMA) throw this.#failNext('expected `,` or `]`');
      this.#index += 1;
      const after = this.#afterSpace();
      if (after === undefined) throw this.#failNext('EOF while parsing a value');
      if (after === CLOSE_LIST) throw this.#failNext('trailing comma');
      return true;
    };
  }

  #members(): () => string | undefined {
    let first = true;
    return () => {
      let next = this.#afterSpace();
      if (next === undefined) throw this.#failNext('EOF while parsing an object');
      if (next === CLOSE_OBJECT) return undefined;
      if (!first) {
        if (next !== COMMA) throw this.#failNext('expected `,` or `}`');
        this.#index += 1;
        next = this.#afterSpace();
        if (next === undefined) throw this.#failNext('EOF while parsing a value');
        if (next === CLOSE_OBJECT) throw this.#failNext('trailing comma');
      }
      first = false;
      if (next !== QUOTE) throw this.#failNext('key must be a string');
      this.#keyOffset = this.#index;
      this.#index += 1;
      return this.#string();
    };
  }

  #colon(): void {
    const next = this.#afterSpace();
    if (next === undefined) throw this.#failNext('EOF while parsing an object');
    if (next !== COLON) throw this.#failNext('expected `:`');
    this.#index += 1;
  }

  /** Steps over the colon; every value of a member is read through this. */
  memberValue<T>(read: () => T): T {
    this.#colon();
    return read();
  }

  #endList(): void {
    const next = this.#afterSpace();
    if (next === undefined) throw this.#failNext('EOF while parsing a list');
    if (next === COMMA) {
      this.#index += 1;
      throw this.#failNext(this.#afterSpace() === CLOSE_LIST ? 'trailing comma' : 'trailing characters');
    }
    if (next !== CLOSE_LIST) throw this.#failNext('trailing characters');
    this.#index += 1;
  }

  #endObject(): void {
    const next = this.#afterSpace();
    if (next === undefined) throw this.#failNext('EOF while parsing an object');
    if (next !== CLOSE_OBJECT) throw this.#failNext(next === COMMA ? 'trailing comma' : 'trailing characters');
    this.#index += 1;
  }

  /** A complaint without a place of its own gets the one just past the closing bracket, or past what was read so far. */
  #inside<T>(body: () => T, end: () => void): T {
    let result: T;
    try {
      result = body();
    } catch (error) {
      if (error instanceof TypedJsonError && error.offset === undefined) {
        try {
          end();
        } catch {
          // The first complaint counts.
        }
        error.offset = this.#index;
      }
      throw error;
    }
    end();
    return result;
  }

  #wrongType(expected: string): TypedJsonError {
    const first = this.#value();
    let found: string;
    if (first === OPEN_LIST) found = 'sequence';
    else if (first === OPEN_OBJECT) found = 'map';
    else if (first === QUOTE) {
      this.#index += 1;
      found = `string ${debugText(this.#string())}`;
    } else if (first === MINUS || isDigit(first)) {
      const number = this.#number();
      found = typeof number === 'number' ? floatText(number) : `integer \`${number}\``;
    } else {
      const literal = this.#literal(first);
      found = literal === null ? 'null' : `boolean \`${literal}\``;
    }
    return this.#failHere(`invalid type: ${found}, expected ${expected}`);
  }

  /** bigint for what fits 64 bits with its sign, number for everything else, `-0` included. */
  #number(): bigint | number {
    const start = this.#index;
    const isInteger = this.#digits('EOF while parsing a value');
    const text = utf8.decode(this.#bytes.subarray(start, this.#index));
    // Longer than the largest 64-bit number: a bigint of megabytes is never made.
    if (isInteger && text.length <= 20 && text !== '-0') {
      const value = BigInt(text);
      if (value <= U64_MAX && value >= -I64_MAX - 1n) return value;
    }
    const float = Number(text);
    if (!Number.isFinite(float)) throw this.#failHere('number out of range');
    return float;
  }

  /** Passes over a number; true if it has neither fraction nor exponent. `cut` words an end of the text within it. */
  #digits(cut: string): boolean {
    if (this.#bytes[this.#index] === MINUS) this.#index += 1;
    const first = this.#next();
    if (first === undefined) throw this.#failHere(cut);
    if (!isDigit(first)) throw this.#failHere('invalid number');
    if (first === ZERO) {
      if (isDigit(this.#bytes[this.#index])) throw this.#failNext('invalid number');
    } else this.#digitRun();
    let isInteger = true;
    if (this.#bytes[this.#index] === 0x2e) {
      isInteger = false;
      this.#index += 1;
      if (this.#digitRun() === 0) {
        throw this.#failNext(this.#index === this.#bytes.length ? cut : 'invalid number');
      }
    }
    if (((this.#bytes[this.#index] ?? 0) | 0x20) === 0x65) {
      isInteger = false;
      this.#index += 1;
      const sign = this.#bytes[this.#index];
      if (sign === 0x2b || sign === MINUS) this.#index += 1;
      const digit = this.#next();
      if (digit === undefined) throw this.#failHere(cut);
      if (!isDigit(digit)) throw this.#failHere('invalid number');
      this.#digitRun();
    }
    return isInteger;
  }

  #digitRun(): number {
    const start = this.#index;
    while (isDigit(this.#bytes[this.#index])) this.#index += 1;
    return this.#index - start;
  }

  /** The rest of a string whose opening quote has been read. */
  #string(): string {
    let parts = '';
    let start = this.#index;
    // Escapes cannot split a code point, but invalid bytes are only noticed, and placed, at the closing quote.
    let valid = true;
    const take = () => {
      try {
        parts += utf8.decode(this.#bytes.subarray(start, this.#index));
      } catch {
        valid = false;
      }
    };
    for (;;) {
      const byte = this.#toSpecial();
      if (byte !== QUOTE && byte !== BACKSLASH) {
        this.#index += 1;
        throw this.#failHere(CONTROL_CHARACTER);
      }
      if (byte === QUOTE) {
        take();
        this.#index += 1;
        if (!valid) throw this.#failHere('invalid unicode code point');
        return parts;
      }
      take();
      this.#index += 1;
      parts += this.#escape();
      start = this.#index;
    }
  }

  #skipString(): void {
    for (let byte = this.#toSpecial(); byte !== QUOTE; byte = this.#toSpecial()) {
      // Unlike above the place is that before the character.
      if (byte !== BACKSLASH) throw this.#failHere(CONTROL_CHARACTER);
      this.#index += 1;
      const letter = this.#nextInString();
      if (letter === 0x75) this.#hex();
      else if (!ESCAPES.has(letter)) throw this.#failHere('invalid escape');
    }
    this.#index += 1;
  }

  /** Moves to the next quote, backslash or control character. */
  #toSpecial(): number {
    const bytes = this.#bytes;
    for (; this.#index < bytes.length; this.#index++) {
      const byte = bytes[this.#index] as number;
      if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) return byte;
    }
    throw this.#failHere('EOF while parsing a string');
  }

  #escape(): string {
    const letter = this.#nextInString();
    if (letter !== 0x75) {
      const meaning = ESCAPES.get(letter);
      if (meaning === undefined) throw this.#failHere('invalid escape');
      return meaning;
    }
    const unit = this.#hex();
    if (unit >= 0xdc00 && unit <= 0xdfff) throw this.#failHere('lone leading surrogate in hex escape');
    if (unit < 0xd800 || unit > 0xdbff) return String.fromCharCode(unit);
    for (const wanted of [BACKSLASH, 0x75]) {
      if (this.#nextInString() !== wanted) throw this.#failHere('unexpected end of hex escape');
    }
    const trail = this.#hex();
    if (trail < 0xdc00 || trail > 0xdfff) throw this.#failHere('lone leading surrogate in hex escape');
    return String.fromCharCode(unit, trail);
  }

  #hex(): number {
    const digits = this.#bytes.subarray(this.#index, this.#index + 4);
    this.#index += digits.length;
    if (digits.length < 4) throw this.#failHere('EOF while parsing a string');
    const text = String.fromCharCode(...digits);
    if (!/^[0-9a-fA-F]{4}$/.test(text)) throw this.#failHere('invalid escape');
    return Number.parseInt(text, 16);
  }

  #nextInString(): number {
    const byte = this.#next();
    if (byte === undefined) throw this.#failHere('EOF while parsing a string');
    return byte;
  }

  #next(): number | undefined {
    const byte = this.#bytes[this.#index];
    if (byte !== undefined) this.#index += 1;
    return byte;
  }

  /** The first byte of a value. */
  #value(): number {
    const byte = this.#afterSpace();
    if (byte === undefined) throw this.#failNext('EOF while parsing a value');
    return byte;
  }

  #afterSpace(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.#index];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x09 && byte !== 0x0d) return byte;
      this.#index += 1;
    }
  }

  #failHere(message: string): TypedJsonError {
    return new TypedJsonError(message, this.#index);
  }

  /** For a byte looked at but not taken: the place counts as if it had been. */
  #failNext(message: string): TypedJsonError {
    return new TypedJsonError(message, Math.min(this.#bytes.length, this.#index + 1));
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
