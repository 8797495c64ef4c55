// Stream metadata as serde_json reads it into coreos-installer's structs, and refuses it. A state machine over bytes.
import { foundText } from './found.ts';

/** Where a file of a stream, and its signature, are. */
interface StreamArtifact {
  readonly location: string;
  readonly signature: string;
}

type ByName<T> = ReadonlyMap<string, T>;

/** Architectures, platforms, formats, and the files of each. */
export type StreamIndex = ByName<ByName<ByName<ByName<StreamArtifact>>>>;

/** Deeper than anything that a publisher writes. */
const DEEPEST = 10_000;

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

type Members = Readonly<Record<string, () => unknown>>;
type MemberValues<T extends Members> = { readonly [K in keyof T]: ReturnType<T[K]> };

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    // One character per byte: columns are counted in bytes.
    this.#text = Buffer.from(bytes).toString('latin1');
  }

  /** A map of whatever `value` reads. */
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
    return this.#string();
  }

  end(): void {
    if (this.#peek() !== undefined) throw this.#wrongNext('trailing characters');
  }

  #elements(name: string, members: Members, found: Map<string, unknown>): void {
    const names = Object.keys(members);
    this.#at++;
    for (const [index, member] of names.entries()) {
      if (this.#peek() === ']') {
        this.#at++;
        const elements = `${names.length} element${names.length === 1 ? '' : 's'}`;
        throw this.#wrong(`invalid length ${index}, expected struct ${name} with ${elements}`);
      }
      if (index > 0) this.#expect(',', 'expected `,` or `]`', 'EOF while parsing a list');
      found.set(member, members[member]?.());
    }
    this.#expect(']', 'trailing characters', 'EOF while parsing a list');
  }

  /** Calls `member` at each value of an object, from its brace on. */
  #members(member: (key: string) => void): void {
    if (++this.#depth > DEEPEST) throw this.#wrong('recursion limit exceeded');
    this.#at++;
    for (let isFirst = true; ; isFirst = false) {
      if (this.#peek() === '}') break;
      if (!isFirst) {
        this.#expect(',', 'expected `,` or `}`', 'EOF while parsing an object');
        if (this.#peek() === '}') throw this.#wrongNext('trailing comma');
        if (this.#peek() === undefined) throw this.#wrong('EOF while parsing a value');
      }
      if (this.#peek() === undefined) throw this.#wrong('EOF while parsing an object');
      if (this.#peek() !== '"') throw this.#wrongNext('key must be a string');
      const key = this.#string();
      // Whoever finds fault with the key has looked behind it.
      const isOver = this.#peek() === undefined;
      if (!isOver && this.#text[this.#at] !== ':') throw this.#wrongNext('expected `:`');
      this.#expect(':', 'expected `:`', 'EOF while parsing an object');
      member(key);
    }
    this.#at++;
    this.#depth--;
  }

  #skip(): void {
    const first = this.#peekValue();
    if (first === '{') this.#members(() => this.#skip());
    else if (first === '[') this.#skipList();
    else if (first === '"') this.#string();
    else this.#scalar();
  }

  #skipList(): void {
    if (++this.#depth > DEEPEST) throw this.#wrong('recursion limit exceeded');
    this.#at++;
    for (let isFirst = true; this.#peek() !== ']'; isFirst = false) {
      if (!isFirst) {
        this.#expect(',', 'expected `,` or `]`', 'EOF while parsing a list');
        if (this.#peek() === ']') throw this.#wrongNext('trailing comma');
      }
      if (this.#peek() === undefined) throw this.#wrong('EOF while parsing a list');
      this.#skip();
    }
    this.#at++;
    this.#depth--;
  }

  /** A number or a literal. What follows a number has been looked at. */
  #scalar(): boolean | number | null {
    const literal = /[ntf]/.exec(this.#text[this.#at] ?? '')?.[0];
    if (literal !== undefined) {
      const word = { n: 'null', t: 'true', f: 'false' }[literal] ?? '';
      for (const letter of word) {
        const found = this.#text[this.#at];
        if (found === undefined) throw this.#wrong('EOF while parsing a value');
        this.#at++;
        if (found !== letter) throw this.#wrong('expected ident');
      }
      return JSON.parse(word);
    }
    const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(this.#text.slice(this.#at, this.#at + 400))?.[0];
    if (number === undefined) throw this.#wrongNext(this.#text[this.#at] === '-' ? 'invalid number' : 'expected value');
    this.#at += number.length;
    return Number(number);
  }

  /** From its opening quote on. */
  #string(): string {
    const start = this.#at;
    for (let at = start + 1; ; at++) {
      const byte = this.#text[at];
      if (byte === '\\') at++;
      else if (byte === '"') {
        this.#at = at + 1;
        break;
      } else if (byte === undefined || byte < ' ') {
        this.#at = Math.min(this.#text.length, at + (byte === undefined ? 0 : 1));
        throw this.#wrong(
          byte === undefined
            ? 'EOF while parsing a string'
            : 'control character (\\u0000-\\u001F) found while parsing a string',
        );
      }
    }
    try {
      return JSON.parse(Buffer.from(this.#text.slice(start, this.#at), 'latin1').toString());
    } catch {
      throw this.#wrong('invalid escape');
    }
  }

  /** The next character that is no space. */
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

  /** Something else stands here than `wanted`. */
  #mismatch(wanted: string): Error {
    const first = this.#text[this.#at];
    const dialect = { nothing: 'null', float: String };
    const refuse = (found: string, error: 'here' | 'next'): Error => {
      const message = `invalid type: ${found}, expected ${wanted}`;
      return error === 'here' ? this.#wrong(message) : this.#wrongNext(message);
    };
    if (first === '[') return refuse('sequence', 'next');
    if (first === '{') return refuse('map', 'next');
    if (first === '"') return refuse(foundText({ kind: 'string', value: this.#string() }, dialect), 'here');
    const value = this.#scalar();
    if (value === null) return refuse('null', 'here');
    if (typeof value === 'boolean') return refuse(`boolean \`${value}\``, 'here');
    const isInteger = Number.isSafeInteger(value);
    return refuse(
      isInteger ? `integer \`${value}\`` : `floating point \`${value}\``,
      this.#at < this.#text.length ? 'next' : 'here',
    );
  }

  #wrong(message: string): Error {
    return this.#error(message, this.#at);
  }

  /** The same where the character that is wrong has been looked at. */
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
