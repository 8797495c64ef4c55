import { goQuoteCharacter } from '@coreiso/peers/go';
import { isStrayByte, STRAY_BYTE } from '@coreiso/peers/utf8';
import type { ScalarNode } from '../node.ts';
import type { JsonDiagnostic } from './json-diagnostic.ts';

type JsonReport = NonNullable<JsonDiagnostic['json']>;
type Need = Exclude<JsonReport['needed'], 'word' | 'more'>;

/** The expected token at a syntax error, in Go's words. */
const CONTEXTS: Readonly<Record<Need, string>> = {
  value: 'looking for beginning of value',
  'member-name': 'looking for beginning of object key string',
  colon: 'after object key',
  'member-end': 'after object key:value pair',
  'item-end': 'after array element',
  end: 'after top-level value',
  string: 'in string literal',
  escape: 'in string escape code',
  'hexadecimal-escape': 'in \\u hexadecimal character escape',
  digit: 'in numeric literal',
  'fraction-digit': 'after decimal point in numeric literal',
  'exponent-digit': 'in exponent of numeric literal',
};

/** The place and reason of a syntax error; thrown inside the parser only. */
export class JsonProblem {
  readonly kind: 'syntax' | 'too-deep' | 'too-many-nodes';
  readonly offset: number;
  readonly message: string;
  /** For a syntax error. */
  readonly report: JsonReport | undefined;

  constructor(kind: JsonProblem['kind'], offset: number, message: string, report?: JsonReport) {
    this.kind = kind;
    this.offset = offset;
    this.message = message;
    this.report = report;
  }
}

const LITERALS: Readonly<Record<number, string>> = { 102: 'false', 110: 'null', 116: 'true' };

/** With the `u` flag a pair is one character, so this matches only lone surrogates. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Reads the tokens of JSON with one cursor. `peek` at the end of the text returns NaN, which equals nothing. */
export class JsonLexer {
  readonly text: string;
  offset = 0;
  readonly #hasLoneSurrogates: boolean;

  constructor(text: string) {
    this.text = text;
    this.#hasLoneSurrogates = text.search(LONE_SURROGATE) !== -1;
  }

  peek(): number {
    return this.text.charCodeAt(this.offset);
  }

  isAtEnd(): boolean {
    return this.offset >= this.text.length;
  }

  skipSpace(): void {
    const { text } = this;
    let { offset } = this;
    for (;;) {
      const unit = text.charCodeAt(offset);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break;
      offset++;
    }
    this.offset = offset;
  }

  readScalar(): ScalarNode {
    const unit = this.peek();
    if (unit === 0x22) return this.readString();
    if (unit === 0x2d || isDigit(unit)) return this.#readNumber();
    const literal = LITERALS[unit];
    if (literal === undefined) throw this.unexpected('value');
    return this.#readLiteral(literal);
  }

  readString(): ScalarNode {
    const { text } = this;
    const start = this.offset;
    let hasEscapes = false;
    let offset = start + 1;
    for (;;) {
      const unit = text.charCodeAt(offset);
      if (unit === 0x22) break;
      if (unit === 0x5c) {
        hasEscapes = true;
        offset = this.#checkEscape(offset + 1);
      } else if (unit >= 0x20) {
        offset++;
      } else {
        this.offset = offset;
        throw this.unexpected('string');
      }
    }
    this.offset = offset + 1;
    const raw = text.slice(start + 1, offset);
    const wellFormed = this.#hasLoneSurrogates ? raw.replace(LONE_SURROGATE, '\ufffd') : raw;
    return scalar(start, offset + 1, hasEscapes ? undoEscapes(wellFormed) : wellFormed, 'double');
  }

  /** Checks what follows a backslash and returns the offset behind it. */
  #checkEscape(at: number): number {
    const { text } = this;
    const unit = text.charCodeAt(at);
    if (unit === 0x75) {
      for (let offset = at + 1; offset <= at + 4; offset++) {
        if (isHexDigit(text.charCodeAt(offset))) continue;
        this.offset = offset;
        throw this.#unexpectedInToken('hexadecimal-escape');
      }
      return at + 5;
    }
    if (Number.isNaN(unit) || !'"\\/bfnrt'.includes(text.charAt(at))) {
      this.offset = at;
      throw this.#unexpectedInToken('escape');
    }
    return at + 1;
  }

  #readNumber(): ScalarNode {
    const start = this.offset;
    if (this.peek() === 0x2d) this.offset++;
    if (this.peek() === 0x30) this.offset++;
    else this.#skipDigits('digit');
    if (this.peek() === 0x2e) {
      this.offset++;
      this.#skipDigits('fraction-digit');
    }
    if ((this.peek() | 0x20) === 0x65) {
      this.offset++;
      if (this.peek() === 0x2b || this.peek() === 0x2d) this.offset++;
      this.#skipDigits('exponent-digit');
    }
    return scalar(start, this.offset, this.text.slice(start, this.offset), 'plain');
  }

  #skipDigits(needed: Need): void {
    if (!isDigit(this.peek())) throw this.#unexpectedInToken(needed);
    while (isDigit(this.peek())) this.offset++;
  }

  #readLiteral(literal: string): ScalarNode {
    const start = this.offset;
    for (const expected of literal) {
      if (this.text[this.offset] !== expected) {
        throw this.#unexpectedInToken('word', `in literal ${literal} (expecting '${expected}')`);
      }
      this.offset++;
    }
    return scalar(start, this.offset, literal, 'plain');
  }

  /** The problem with the character at the cursor, or with the text that ends too early. */
  unexpected(needed: Need): JsonProblem {
    if (!this.isAtEnd()) return this.#unexpectedInToken(needed);
    return new JsonProblem('syntax', this.offset, 'unexpected end of JSON input', { needed: 'more' });
  }

  /** Go feeds its scanner one more space at the end of the text: inside a token that is the unexpected character. */
  #unexpectedInToken(needed: Need | 'word', context: string = needed === 'word' ? '' : CONTEXTS[needed]): JsonProblem {
    const quoted = this.#quotedCharacter();
    const report = this.isAtEnd() ? { needed } : { needed, found: quoted };
    return new JsonProblem('syntax', this.offset, `invalid character ${quoted} ${context}`, report);
  }

  tooDeep(): JsonProblem {
    return new JsonProblem('too-deep', this.offset, `invalid character ${this.#quotedCharacter()} exceeded max depth`);
  }

  #quotedCharacter(): string {
    return goQuoteCharacter(this.isAtEnd() ? ' ' : firstByte(this.text, this.offset));
  }
}

/** Go names one *byte* of the text: the lead byte of a character (RFC 3629 §3), or the stray byte itself. */
function firstByte(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset) ?? 0;
  if (codePoint < 0x80) return String.fromCharCode(codePoint);
  if (codePoint < 0x800) return String.fromCharCode(0xc0 | (codePoint >> 6));
  if (isStrayByte(codePoint)) return String.fromCharCode(codePoint - STRAY_BYTE);
  return String.fromCharCode(codePoint < 0x10000 ? 0xe0 | (codePoint >> 12) : 0xf0 | (codePoint >> 18));
}

function scalar(start: number, end: number, text: string, style: 'double' | 'plain'): ScalarNode {
  return { kind: 'scalar', start, end, text, style, tag: undefined };
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isHexDigit(unit: number): boolean {
  const lower = unit | 0x20;
  return isDigit(unit) || (lower >= 0x61 && lower <= 0x66);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The escapes have been checked; only surrogates can still be wrong, and become U+FFFD. */
function undoEscapes(raw: string): string {
  return raw.replace(
    /\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/g,
    (_, high?: string, low?: string, single?: string, short = '') => {
      if (high !== undefined && low !== undefined) {
        return String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
      }
      if (single === undefined) return SHORT_ESCAPES[short] ?? short;
      const unit = Number.parseInt(single, 16);
      return unit >= 0xd800 && unit <= 0xdfff ? '\ufffd' : String.fromCharCode(unit);
    },
  );
}
