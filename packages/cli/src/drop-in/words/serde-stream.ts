// Reads stream metadata as serde_json reads it into coreos-installer's structs, with the same errors. A state machine over bytes.
import { jsonFloat } from '@coreiso/peers/rust';
import { foundText } from './found.ts';

/** The addresses of a stream's file and its signature. */
interface StreamArtifact {
  readonly location: string;
  readonly signature: string;
}

type ByName<T> = ReadonlyMap<string, T>;

/** Architectures, platforms, formats, and the files of each. */
export type StreamIndex = ByName<ByName<ByName<ByName<StreamArtifact>>>>;

const U64_MAX = 2n ** 64n - 1n;
const I64_MIN = -(2n ** 63n);
const ESCAPES = '"\\/bfnrt';

export function readStreamIndex(bytes: Uint8Array): StreamIndex {
  const reader = new Reader(bytes);
  const formats = reader.struct('Platform', { formats: reader.map(reader.map(artifact(reader))) });
  const artifacts = reader.struct('Arch', { artifacts: reader.map(() => formats().formats) });
  const { architectures } = reader.struct('Stream', { architectures: reader.map(() => artifacts().artifacts) })();
  reader.end();
  return architectures;
}

function artifact(reader: Reader): () => StreamArtifact {
  return reader.struct('Artifact', { location: () => reader.text(), signature: () => reader.text() });
}

/** Whether the value is used. */
type Fate = 'read' | 'skipped';

type Members = Readonly<Record<string, () => unknown>>;
type MemberValues<T extends Members> = { readonly [K in keyof T]: ReturnType<T[K]> };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // One character per byte: columns are counted in bytes.
    this.#text = Buffer.from(bytes).toString('latin1');
  }

  /** A map of values that `value` reads. */
  map<T>(value: () => T): () => ByName<T> {
    return () => {
      if (this.#peekValue() !== '{') throw this.#mismatch('a map');
      const found = new Map<string, T>();
      this.#members((key) => found.set(key, value()));
      return found;
    };
  }

  /** An object of these members, or a list of their values in this order. */
  struct<T extends Members>(name: string, members: T): () => MemberValues<T> {
    return () => {
      const names = Object.keys(members);
      const found = new Map<string, unknown>();
      const first = this.#peekValue();
      if (first === '[') this.#elements(name, members, found);
      else if (first !== '{') throw this.#mismatch(`struct ${name}`);
      else {
        this.#members((key) => {
          const read = Object.hasOwn(members, key) ? members[key] : undefined;
          if (found.has(key)) throw this.#wrong(`duplicate field \`${key}\``);
          if (read === undefined) this.#skip();
          else found.set(key, read());
        });
        const missing = names.find((member) => !found.has(member));
        if (missing !== undefined) throw this.#wrong(`missing field \`${missing}\``);
      }
      return Object.fromEntries(found) as MemberValues<T>;
    };
  }

  text(): string {
    if (this.#peekValue() !== '"') throw this.#mismatch('a string');
    return this.#string('read');
  }

  end(): void {
    if (this.#peek() !== undefined) throw this.#wrongNext('trailing characters');
  }

  #elements(name: string, members: Members, found: Map<string, unknown>): void {
    const names = Object.keys(members);
    this.#at++;
    for (const [index, member] of names.entries()) {
      const next = this.#peek();
      if (next === undefined) throw this.#wrong('EOF while parsing a list');
      if (next === ']') {
        this.#at++;
        const elements = `${names.length} element${names.length === 1 ? '' : 's'}`;
        throw this.#wrong(`invalid length ${index}, expected struct ${name} with ${elements}`);
      }
      if (index > 0) {
        this.#expect(',', 'expected `,` or `]`', 'EOF while parsing a list');
        if (this.#peek() === ']') throw this.#wrongNext('trailing comma');
      }
      found.set(member, members[member]?.());
    }
    if (this.#peek() === ',') {
      this.#at++;
      throw this.#wrongNext(this.#peek() === ']' ? 'trailing comma' : 'trailing characters');
    }
    this.#expect(']', 'trailing characters', 'EOF while parsing a list');
  }

  /** Calls `member` for each value of an object, starting at its brace. */
  #members(member: (key: string) => void): void {
    this.#at++;
    for (let isFirst = true; this.#peek() !== '}'; isFirst = false) {
      if (!isFirst) {
        this.#expect(',', 'expected `,` or `}`', 'EOF while parsing an object');
        const next = this.#peekValue();
        if (next === '}') throw this.#wrongNext('trailing comma');
      }
      member(this.#key());
    }
    this.#at++;
  }

  #key(): string {
    const next = this.#peek();
    if (next === undefined) throw this.#wrong('EOF while parsing an object');
    if (next !== '"') throw this.#wrongNext('key must be a string');
    const key = this.#string('read');
    this.#expect(':', 'expected `:`', 'EOF while parsing an object');
    return key;
  }

  /** Skips an unused value at any depth: serde_json words some errors in it differently. */
  #skip(): void {
    const open: ('[' | '{')[] = [];
    for (;;) {
      const first = this.#peekValue();
      let isEmpty = first === '[' || first === '{';
      if (first === '[' || first === '{') {
        open.push(first);
        this.#at++;
      } else if (first === '"') this.#string('skipped');
      else this.#scalar('skipped');
      for (;;) {
        const frame = open.at(-1);
        if (frame === undefined) return;
        const [close, what] = frame === '[' ? [']', 'a list'] : ['}', 'an object'];
        const next = this.#peek();
        if (next === undefined) throw this.#wrong(`EOF while parsing ${what}`);
        if (next === close) {
          this.#at++;
          open.pop();
          isEmpty = false;
          continue;
        }
        if (!isEmpty) this.#expect(',', `expected \`,\` or \`${close}\``, '');
        break;
      }
      if (open.at(-1) === '{') this.#skippedKey();
    }
  }

  #skippedKey(): void {
    if (this.#peek() === '"') this.#string('skipped');
    else this.#key();
    this.#expect(':', 'expected `:`', 'EOF while parsing an object');
  }

  /** A number or a literal. */
  #scalar(fate: Fate): boolean | number | bigint | null {
    const first = this.#text[this.#at] ?? '';
    const word = { n: 'null', t: 'true', f: 'false' }[first];
    if (word === undefined) return this.#number(fate);
    for (const letter of word) {
      const found = this.#text[this.#at];
      if (found === undefined) throw this.#wrong('EOF while parsing a value');
      this.#at++;
      if (found !== letter) throw this.#wrong('expected ident');
    }
    return JSON.parse(word);
  }

  #number(fate: Fate): number | bigint {
    const start = this.#at;
    if (this.#text[this.#at] === '-') this.#at++;
    else if (!this.#isDigit()) throw this.#wrongNext('expected value');
    if (this.#text[this.#at] === '0') {
      this.#at++;
      if (this.#isDigit()) throw this.#wrongNext('invalid number');
    } else this.#digits(fate);
    let isInteger = true;
    if (this.#text[this.#at] === '.') {
      this.#at++;
      this.#digits(fate);
      isInteger = false;
    }
    if (/^[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at++;
      if (/^[+-]/.test(this.#text[this.#at] ?? '')) this.#at++;
      this.#digits(fate);
      isInteger = false;
    }
    const text = this.#text.slice(start, this.#at);
    if (isInteger && text !== '-0' && BigInt(text) >= I64_MIN && BigInt(text) <= U64_MAX) return BigInt(text);
    const value = Number(text);
    if (fate === 'read' && !Number.isFinite(value)) throw this.#wrong('number out of range');
    return value;
  }

  /** Reads one or more digits. */
  #digits(fate: Fate): void {
    if (!this.#isDigit()) {
      const isOver = this.#at >= this.#text.length && fate === 'read';
      throw this.#wrongNext(isOver ? 'EOF while parsing a value' : 'invalid number');
    }
    while (this.#isDigit()) this.#at++;
  }

  #isDigit(): boolean {
    return /^\d/.test(this.#text[this.#at] ?? '');
  }

  /** Reads a string from its opening quote. In an unused string, surrogate pairs are not checked. */
  #string(fate: Fate): string {
    const start = this.#at++;
    for (;;) {
      const byte = this.#text[this.#at++];
      if (byte === '"') break;
      if (byte === undefined) throw this.#wrong('EOF while parsing a string');
      if (byte < ' ') throw this.#wrong('control character (\\u0000-\\u001F) found while parsing a string');
      if (byte === '\\') this.#escape(fate);
    }
    if (fate === 'skipped') return '';
    return JSON.parse(Buffer.from(this.#text.slice(start, this.#at), 'latin1').toString());
  }

  /** Reads an escape after its backslash. */
  #escape(fate: Fate): void {
    const sign = this.#text[this.#at++];
    if (sign === undefined) throw this.#wrong('EOF while parsing a string');
    if (ESCAPES.includes(sign)) return;
    if (sign !== 'u') throw this.#wrong('invalid escape');
    const code = this.#hex();
    if (fate === 'skipped' || code < 0xd800 || code > 0xdfff) return;
    if (code >= 0xdc00) throw this.#wrong('lone leading surrogate in hex escape');
    for (const expected of '\\u') {
      const found = this.#text[this.#at++];
      if (found === undefined) throw this.#wrong('EOF while parsing a string');
      if (found !== expected) throw this.#wrong('unexpected end of hex escape');
    }
    const trailing = this.#hex();
    if (trailing < 0xdc00 || trailing > 0xdfff) throw this.#wrong('lone leading surrogate in hex escape');
  }

  #hex(): number {
    const digits = this.#text.slice(this.#at, this.#at + 4);
    this.#at += 4;
    if (digits.length < 4) throw this.#wrong('EOF while parsing a string');
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#wrong('invalid escape');
    return Number.parseInt(digits, 16);
  }

  /** Returns the next character that is not a space. */
  #peek(): string | undefined {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
    return this.#text[this.#at];
  }

  #peekValue(): string {
    const next = this.#peek();
    if (next === undefined) throw this.#wrong('EOF while parsing a value');
    return next;
  }

  #expect(character: string, otherwise: string, atEnd: string): void {
    const next = this.#peek();
    if (next === undefined) throw this.#wrong(atEnd);
    if (next !== character) throw this.#wrongNext(otherwise);
    this.#at++;
  }

  /** Returns the error about a value of the wrong type. */
  #mismatch(wanted: string): Error {
    const first = this.#text[this.#at];
    const dialect = { nothing: 'null', float: jsonFloat };
    const refuse = (found: string, error: 'here' | 'next'): Error => {
      const message = `invalid type: ${found}, expected ${wanted}`;
      return error === 'here' ? this.#wrong(message) : this.#wrongNext(message);
    };
    if (first === '[') return refuse('sequence', 'next');
    if (first === '{') return refuse('map', 'next');
    if (first === '"') return refuse(foundText({ kind: 'string', value: this.#string('read') }, dialect), 'here');
    const value = this.#scalar('read');
    if (value === null) return refuse('null', 'here');
    if (typeof value === 'boolean') return refuse(`boolean \`${value}\``, 'here');
    // serde_json has read the character after a number, so the column is one higher.
    return refuse(
      typeof value === 'bigint' ? `integer \`${value}\`` : `floating point \`${jsonFloat(value)}\``,
      'next',
    );
  }

  #wrong(message: string): Error {
    return this.#error(message, this.#at);
  }

  /** The error one column further: serde_json has consumed the wrong character. */
  #wrongNext(message: string): Error {
    return this.#error(message, this.#at + 1);
  }

  #error(message: string, end: number): Error {
    const before = this.#text.slice(0, Math.min(end, this.#text.length));
    const lineStart = before.lastIndexOf('\n') + 1;
    const line = before.split('\n').length;
    return new Error(`${message} at line ${line} column ${before.length - lineStart}`);
  }
}
