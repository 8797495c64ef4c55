/**
 * Reads JSON in one pass by the expected types, as coreos-installer's decoder does. Unknown members are skipped without
 * recursion, so deep nesting needs no stack.
 */

import type { ExpectedType, FoundValue, ObjectName } from './fault.ts';
import { I64_MAX, isDigit, JsonCursor, JsonRefusal, MINUS, QUOTE } from './json-cursor.ts';

/** Reads the members of an object, or the elements of a list that replaces it. */
export interface StructVisitor<T> {
  /** `nextKey` returns undefined at the end. The visitor must read exactly one value after each key. */
  members(nextKey: () => string | undefined): T;
  /** `nextElement` returns whether another element follows. The visitor must read exactly one value after each true. */
  elements(nextElement: () => boolean): T;
}

const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class TypedJsonReader {
  readonly #cursor: JsonCursor;
  #keyOffset = 0;

  constructor(bytes: Uint8Array) {
    this.#cursor = new JsonCursor(bytes);
  }

  /** The offset of the next byte. */
  get offset(): number {
    return this.#cursor.index;
  }

  /** The offset of the last key. */
  get keyOffset(): number {
    return this.#keyOffset;
  }

  /** Consumes a `null` if it is next. */
  takeNull(): boolean {
    if (this.#cursor.afterSpace() !== 0x6e) return false;
    this.#cursor.index += 1;
    this.#cursor.word('ull');
    return true;
  }

  string(): string {
    if (this.#cursor.value() !== QUOTE) throw this.#wrongType('string');
    this.#cursor.index += 1;
    return this.#cursor.string();
  }

  boolean(): boolean {
    const first = this.#cursor.value();
    if (first !== 0x74 && first !== 0x66) throw this.#wrongType('boolean');
    this.#cursor.index += 1;
    this.#cursor.word(first === 0x74 ? 'rue' : 'alse');
    return first === 0x74;
  }

  /** A signed 64-bit integer, as the decimal text it is written with. */
  integer(): string {
    const first = this.#cursor.value();
    if (first !== MINUS && !isDigit(first)) throw this.#wrongType('integer');
    const number = this.#cursor.number();
    if (typeof number === 'number') {
      throw this.#cursor.failHere({
        kind: 'wrong-type',
        found: { kind: 'float', value: number },
        expected: 'integer',
      });
    }
    if (number > I64_MAX) throw this.#cursor.failHere({ kind: 'huge-integer', value: number });
    return number.toString();
  }

  list(element: (index: number) => void): void {
    if (this.#cursor.value() !== OPEN_LIST) throw this.#wrongType('list');
    this.#cursor.index += 1;
    const next = this.#elements();
    this.#inside(
      () => {
        for (let index = 0; next(); index++) element(index);
      },
      () => this.#endList(),
    );
  }

  /** Reads an object, or a list with the values of its members in order, which the decoder also accepts. */
  struct<T>(name: ObjectName, visitor: StructVisitor<T>): T {
    const first = this.#cursor.value();
    if (first !== OPEN_OBJECT && first !== OPEN_LIST) throw this.#wrongType(name);
    this.#cursor.index += 1;
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

  /** Skips one value of any type. Numbers may be too large and strings may be invalid. */
  skip(): void {
    const open: number[] = [];
    let more = true;
    while (more) {
      const first = this.#cursor.value();
      const opens = first === OPEN_LIST || first === OPEN_OBJECT;
      if (opens) {
        this.#cursor.index += 1;
        open.push(first);
      } else this.#skipScalar(first);
      more = this.#skipToNext(open, !opens);
    }
  }

  finish(): void {
    if (this.#cursor.afterSpace() !== undefined) throw this.#cursor.failNext('more-text');
  }

  /**
   * Called after a value or an opening bracket. Closes the containers that end here and moves to the next value; false if all are
   * closed.
   */
  #skipToNext(open: number[], afterValue: boolean): boolean {
    let comma = afterValue;
    for (;;) {
      const frame = open.at(-1);
      if (frame === undefined) return false;
      const list = frame === OPEN_LIST;
      const next = this.#cursor.afterSpace();
      if (next === undefined) throw this.#cursor.failNext(list ? 'ends-in-list' : 'ends-in-object');
      if (next === (list ? CLOSE_LIST : CLOSE_OBJECT)) {
        this.#cursor.index += 1;
        open.pop();
        comma = true;
        continue;
      }
      if (comma) {
        if (next !== COMMA) throw this.#cursor.failNext(list ? 'no-comma-in-list' : 'no-comma-in-object');
        this.#cursor.index += 1;
      }
      if (!list) this.#skipKey();
      return true;
    }
  }

  #skipKey(): void {
    const next = this.#cursor.afterSpace();
    if (next === undefined) throw this.#cursor.failNext('ends-in-object');
    if (next !== QUOTE) throw this.#cursor.failNext('no-key');
    this.#cursor.index += 1;
    this.#cursor.skipString();
    this.#colon();
  }

  #skipScalar(first: number): void {
    if (first === QUOTE) {
      this.#cursor.index += 1;
      this.#cursor.skipString();
    } else if (first === MINUS || isDigit(first)) {
      this.#cursor.digits('bad-number');
    } else {
      this.#cursor.literal(first);
    }
  }

  #elements(): () => boolean {
    let first = true;
    return () => {
      const next = this.#cursor.afterSpace();
      if (next === undefined) throw this.#cursor.failNext('ends-in-list');
      if (next === CLOSE_LIST) return false;
      if (first) {
        first = false;
        return true;
      }
      if (next !== COMMA) throw this.#cursor.failNext('no-comma-in-list');
      this.#cursor.index += 1;
      const after = this.#cursor.afterSpace();
      if (after === undefined) throw this.#cursor.failNext('ends-in-value');
      if (after === CLOSE_LIST) throw this.#cursor.failNext('comma-at-end');
      return true;
    };
  }

  #members(): () => string | undefined {
    let first = true;
    return () => {
      let next = this.#cursor.afterSpace();
      if (next === undefined) throw this.#cursor.failNext('ends-in-object');
      if (next === CLOSE_OBJECT) return undefined;
      if (!first) {
        if (next !== COMMA) throw this.#cursor.failNext('no-comma-in-object');
        this.#cursor.index += 1;
        next = this.#cursor.afterSpace();
        if (next === undefined) throw this.#cursor.failNext('ends-in-value');
        if (next === CLOSE_OBJECT) throw this.#cursor.failNext('comma-at-end');
      }
      first = false;
      if (next !== QUOTE) throw this.#cursor.failNext('no-key');
      this.#keyOffset = this.#cursor.index;
      this.#cursor.index += 1;
      return this.#cursor.string();
    };
  }

  #colon(): void {
    const next = this.#cursor.afterSpace();
    if (next === undefined) throw this.#cursor.failNext('ends-in-object');
    if (next !== COLON) throw this.#cursor.failNext('no-colon');
    this.#cursor.index += 1;
  }

  /** Reads the value of a member after its colon. */
  memberValue<T>(read: () => T): T {
    this.#colon();
    return read();
  }

  #endList(): void {
    const next = this.#cursor.afterSpace();
    if (next === undefined) throw this.#cursor.failNext('ends-in-list');
    if (next === COMMA) {
      this.#cursor.index += 1;
      throw this.#cursor.failNext(this.#cursor.afterSpace() === CLOSE_LIST ? 'comma-at-end' : 'more-text');
    }
    if (next !== CLOSE_LIST) throw this.#cursor.failNext('more-text');
    this.#cursor.index += 1;
  }

  #endObject(): void {
    const next = this.#cursor.afterSpace();
    if (next === undefined) throw this.#cursor.failNext('ends-in-object');
    if (next !== CLOSE_OBJECT) throw this.#cursor.failNext(next === COMMA ? 'comma-at-end' : 'more-text');
    this.#cursor.index += 1;
  }

  /** Gives a refusal without an offset the offset after the closing bracket, or after the last byte read. */
  #inside<T>(body: () => T, end: () => void): T {
    let result: T;
    try {
      result = body();
    } catch (error) {
      if (error instanceof JsonRefusal && error.offset === undefined) {
        try {
          end();
        } catch {
          // The first refusal is reported.
        }
        error.offset = this.#cursor.index;
      }
      throw error;
    }
    end();
    return result;
  }

  #wrongType(expected: ExpectedType | ObjectName): JsonRefusal {
    const found = this.#found();
    return this.#cursor.failHere({ kind: 'wrong-type', found, expected });
  }

  #found(): FoundValue {
    const first = this.#cursor.value();
    if (first === OPEN_LIST) return { kind: 'list' };
    if (first === OPEN_OBJECT) return { kind: 'object' };
    if (first === QUOTE) {
      this.#cursor.index += 1;
      return { kind: 'string', value: this.#cursor.string() };
    }
    if (first === MINUS || isDigit(first)) {
      const value = this.#cursor.number();
      return typeof value === 'number' ? { kind: 'float', value } : { kind: 'integer', value };
    }
    const value = this.#cursor.literal(first);
    return value === null ? { kind: 'null' } : { kind: 'boolean', value };
  }
}
