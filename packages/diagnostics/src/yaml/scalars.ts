import { endsWord, isBlank, isBreak, isDigit, isFlowIndicator } from './characters.ts';
import { type Cursor, fold } from './cursor.ts';

/** Which of two close relatives to follow; they differ in a handful of characters only. */
export type YamlFlavour = 'libyaml' | 'go';

const TAB = 0x09;
const SPACE = 0x20;
const COLON = 0x3a;
const QUESTION = 0x3f;
const BACKSLASH = 0x5c;

/** The text of a plain scalar, its end, and whether line breaks followed. */
export interface PlainScalar {
  readonly text: string;
  readonly end: number;
  readonly endsInBreak: boolean;
}

/** YAML 1.1 §9.1.3. `indent` is the least column of a continuation line. */
export function scanPlain(cursor: Cursor, indent: number, inFlow: boolean, flavour: YamlFlavour): PlainScalar {
  const start = cursor.offset;
  let text = '';
  let end = start;
  let gap = '';
  let endsInBreak = false;
  for (;;) {
    if (cursor.isAtDocumentIndicator() || cursor.peek() === 0x23) break;
    const runStart = cursor.offset;
    skipPlainRun(cursor, start, inFlow, flavour);
    if (cursor.offset > runStart) {
      text += gap + cursor.text.slice(runStart, cursor.offset);
      end = cursor.offset;
      endsInBreak = false;
    }
    if (!isBlank(cursor.peek()) && !isBreak(cursor.peek())) break;
    const white = skipWhite(cursor, () => {
      if (cursor.column < indent && cursor.peek() === TAB) {
        throw cursor.problem('found a tab character that violates indentation', 'while scanning a plain scalar', start);
      }
    });
    gap = white.text;
    endsInBreak = white.hasBreak;
    if (!inFlow && cursor.column < indent) break;
  }
  return { text, end, endsInBreak };
}

function skipPlainRun(cursor: Cursor, start: number, inFlow: boolean, flavour: YamlFlavour): void {
  for (;;) {
    const unit = cursor.peek();
    if (endsWord(unit)) return;
    if (unit === COLON) {
      const next = cursor.peek(1);
      if (endsWord(next)) return;
      if (inFlow && flavour === 'libyaml' && (next === QUESTION || isFlowIndicator(next))) {
        throw cursor.problem("found unexpected ':'", 'while scanning a plain scalar', start);
      }
    } else if (inFlow && (isFlowIndicator(unit) || (flavour === 'go' && unit === QUESTION))) {
      return;
    }
    cursor.offset++;
  }
}

/** Folds the blanks and breaks between two parts of a flow scalar. */
function skipWhite(cursor: Cursor, checkIndentation?: () => void): { text: string; hasBreak: boolean } {
  const start = cursor.offset;
  while (isBlank(cursor.peek())) cursor.offset++;
  if (!isBreak(cursor.peek())) return { text: cursor.text.slice(start, cursor.offset), hasBreak: false };
  const firstBreak = cursor.readBreak();
  return { text: fold(firstBreak, skipLines(cursor, checkIndentation)), hasBreak: true };
}

/** The breaks of lines that have only blanks. */
function skipLines(cursor: Cursor, checkIndentation?: () => void): string {
  const breaks: string[] = [];
  for (;;) {
    const unit = cursor.peek();
    if (isBlank(unit)) {
      checkIndentation?.();
      cursor.offset++;
    } else if (isBreak(unit)) {
      breaks.push(cursor.readBreak());
    } else {
      return breaks.join('');
    }
  }
}

/** YAML 1.1 §9.1.2 and §9.1.1, from the opening quote to after the closing one. */
export function scanQuoted(cursor: Cursor, flavour: YamlFlavour): string {
  const start = cursor.offset;
  const quote = cursor.peek();
  const isDouble = quote === 0x22;
  const parts: string[] = [];
  cursor.offset++;
  for (;;) {
    if (cursor.isAtDocumentIndicator()) {
      throw cursor.problem('found unexpected document indicator', 'while scanning a quoted scalar', start);
    }
    if (cursor.isAtEnd) throw cursor.problem('found unexpected end of stream', 'while scanning a quoted scalar', start);
    let isBreakEscaped = false;
    while (!endsWord(cursor.peek())) {
      const runStart = cursor.offset;
      skipQuotedRun(cursor, quote, isDouble);
      parts.push(cursor.text.slice(runStart, cursor.offset));
      const unit = cursor.peek();
      if (unit === quote) {
        if (isDouble || cursor.peek(1) !== quote) {
          cursor.offset++;
          return parts.join('');
        }
        parts.push("'");
        cursor.offset += 2;
      } else if (isDouble && unit === BACKSLASH) {
        if (isBreak(cursor.peek(1))) {
          cursor.offset++;
          cursor.readBreak();
          isBreakEscaped = true;
          break;
        }
        parts.push(readEscape(cursor, start, flavour));
      }
    }
    parts.push(isBreakEscaped ? skipLines(cursor) : skipWhite(cursor).text);
  }
}

function skipQuotedRun(cursor: Cursor, quote: number, isDouble: boolean): void {
  for (;;) {
    const unit = cursor.peek();
    if (endsWord(unit) || unit === quote || (isDouble && unit === BACKSLASH)) return;
    cursor.offset++;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The cursor is on the backslash. */
function readEscape(cursor: Cursor, start: number, flavour: YamlFlavour): string {
  const context = 'while parsing a quoted scalar';
  const letter = cursor.text.charAt(cursor.offset + 1);
  const plain = ESCAPES[letter] ?? (letter === (flavour === 'go' ? "'" : '/') ? letter : undefined);
  if (plain !== undefined) {
    cursor.offset += 2;
    return plain;
  }
  const length = HEX_LENGTHS[letter];
  if (length === undefined) throw cursor.problem('found unknown escape character', context, start);
  cursor.offset += 2;
  const digits = cursor.text.slice(cursor.offset, cursor.offset + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
    const number = flavour === 'go' ? 'hexdecimal' : 'hexadecimal';
    throw cursor.problem(`did not find expected ${number} number`, context, start);
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw cursor.problem('found invalid Unicode character escape code', context, start);
  }
  cursor.offset += length;
  return String.fromCodePoint(code);
}

/** YAML 1.1 §9.2, from the `|` or `>`. `parentIndent` is the column of the enclosing collection, -1 at the top. */
export function scanBlock(cursor: Cursor, parentIndent: number): string {
  const start = cursor.offset;
  const isLiteral = cursor.peek() === 0x7c;
  cursor.offset++;
  const { chomping, increment } = readBlockHeader(cursor, start);
  const block = new BlockLines(cursor, start, parentIndent, increment);
  const parts: string[] = [];
  let firstBreak = '';
  let wasIndented = false;
  let otherBreaks = block.skipEmptyLines();
  while (cursor.column === block.indent && !cursor.isAtEnd) {
    const isIndented = isBlank(cursor.peek());
    const folds = !isLiteral && firstBreak === '\n' && !wasIndented && !isIndented;
    if (!folds) parts.push(firstBreak);
    else if (otherBreaks === '') parts.push(' ');
    parts.push(otherBreaks);
    wasIndented = isIndented;
    const lineStart = cursor.offset;
    cursor.skipToLineEnd();
    parts.push(cursor.text.slice(lineStart, cursor.offset));
    firstBreak = cursor.isAtEnd ? '' : cursor.readBreak();
    otherBreaks = block.skipEmptyLines();
  }
  if (chomping !== 'strip') parts.push(firstBreak);
  if (chomping === 'keep') parts.push(otherBreaks);
  return parts.join('');
}

interface BlockHeader {
  chomping: 'clip' | 'strip' | 'keep';
  /** The indentation indicator, 0 if there is none. */
  increment: number;
}

function readBlockHeader(cursor: Cursor, start: number): BlockHeader {
  const context = 'while scanning a block scalar';
  const header: BlockHeader = { chomping: 'clip', increment: 0 };
  let hasChomping = false;
  for (let count = 0; count < 2; count++) {
    const unit = cursor.peek();
    if (!hasChomping && (unit === 0x2b || unit === 0x2d)) {
      header.chomping = unit === 0x2b ? 'keep' : 'strip';
      hasChomping = true;
    } else if (header.increment === 0 && isDigit(unit)) {
      if (unit === 0x30) throw cursor.problem('found an indentation indicator equal to 0', context, start);
      header.increment = unit - 0x30;
    } else {
      break;
    }
    cursor.offset++;
  }
  while (isBlank(cursor.peek())) cursor.offset++;
  if (cursor.peek() === 0x23) cursor.skipToLineEnd();
  if (!cursor.isAtEnd) {
    if (!isBreak(cursor.peek())) throw cursor.problem('did not find expected comment or line break', context, start);
    cursor.readBreak();
  }
  return header;
}

/** The indentation of a block scalar: that of its first line, unless the header sets it. */
class BlockLines {
  /** 0 while unknown. */
  indent: number;
  readonly #cursor: Cursor;
  readonly #start: number;
  readonly #least: number;

  constructor(cursor: Cursor, start: number, parentIndent: number, increment: number) {
    this.#cursor = cursor;
    this.#start = start;
    this.#least = Math.max(parentIndent + 1, 1);
    this.indent = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  }

  /** Skips to the next line that has content, and returns the breaks before it. */
  skipEmptyLines(): string {
    const cursor = this.#cursor;
    const breaks: string[] = [];
    let deepest = 0;
    for (;;) {
      while (this.#isShort() && cursor.peek() === SPACE) cursor.offset++;
      deepest = Math.max(deepest, cursor.column);
      if (this.#isShort() && cursor.peek() === TAB) {
        const problem = 'found a tab character where an indentation space is expected';
        throw cursor.problem(problem, 'while scanning a block scalar', this.#start);
      }
      if (!isBreak(cursor.peek())) break;
      breaks.push(cursor.readBreak());
    }
    if (this.indent === 0) this.indent = Math.max(deepest, this.#least);
    return breaks.join('');
  }

  #isShort(): boolean {
    return this.indent === 0 || this.#cursor.column < this.indent;
  }
}
