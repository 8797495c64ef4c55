// One state machine: text to tokens, with the indentation and simple-key rules of libyaml (YAML 1.1). It decides nothing about
// meaning; the parser decides which token may follow which.
import type { ScalarNode } from '../node.ts';
import { endsWord, isBreak, isNameCharacter } from './characters.ts';
import { Cursor } from './cursor.ts';
import { scanDirective } from './directive.ts';
import type { YamlSyntaxError } from './problem.ts';
import { scanBlock, scanPlain, scanQuoted, type YamlFlavour } from './scalars.ts';
import { scanTag } from './tag.ts';
import type { MarkToken, Token } from './token.ts';

/** YAML 1.1 §9.1.3: a key without `?` is on one line and no longer than this. */
const LONGEST_SIMPLE_KEY = 1024;

/** A token that becomes a key if a `:` follows. */
interface SimpleKey {
  isPossible: boolean;
  /** In a block mapping only a key can be here. */
  isRequired: boolean;
  /** The token in front of which a `key` token would be inserted. */
  tokenNumber: number;
  offset: number;
  line: number;
  column: number;
}

export class Scanner {
  readonly #cursor: Cursor;
  readonly #flavour: YamlFlavour;
  #queue: Token[] = [];
  #next: Token | undefined;
  #head = 0;
  /** Tokens returned so far. */
  #taken = 0;
  #isDone = false;
  #flowLevel = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #isSimpleKeyAllowed = true;
  /** One for every flow level, and one for the block around them. */
  readonly #simpleKeys: SimpleKey[] = [noKey()];

  constructor(text: string, flavour: YamlFlavour) {
    this.#cursor = new Cursor(text);
    this.#flavour = flavour;
  }

  /** Returns the same token until it is taken. */
  peek(): Token {
    if (this.#next === undefined) {
      while (this.#needsMore()) this.#fetch();
      this.#next = this.#queue[this.#head] ?? this.#mark('stream-end', 0);
    }
    return this.#next;
  }

  take(): Token {
    const token = this.peek();
    this.#next = undefined;
    this.#taken++;
    this.#head++;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    }
    return token;
  }

  /** A token can be returned once no key can be inserted before it. */
  #needsMore(): boolean {
    if (this.#head === this.#queue.length) return !this.#isDone;
    this.#dropStaleKeys();
    if (this.#isDone) return false;
    for (const key of this.#simpleKeys) {
      if (key.isPossible && key.tokenNumber === this.#taken) return true;
    }
    return false;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#dropStaleKeys();
    this.#unrollIndent(cursor.column);
    const unit = cursor.peek();
    if (cursor.isAtEnd) this.#fetchStreamEnd();
    else if (cursor.column === 0 && unit === 0x25) this.#fetchDirective();
    else if (cursor.isAtDocumentIndicator()) this.#fetchDocumentIndicator(unit);
    else this.#fetchContent(unit);
  }

  #fetchContent(unit: number): void {
    const inFlow = this.#flowLevel > 0;
    const isAlone = endsWord(this.#cursor.peek(1));
    switch (unit) {
      case 0x5b: // [
        this.#fetchFlowStart('flow-sequence-start');
        break;
      case 0x7b: // {
        this.#fetchFlowStart('flow-mapping-start');
        break;
      case 0x5d: // ]
        this.#fetchFlowEnd('flow-sequence-end');
        break;
      case 0x7d: // }
        this.#fetchFlowEnd('flow-mapping-end');
        break;
      case 0x2c: // ,
        this.#fetchFlowEntry();
        break;
      case 0x2d: // -
        if (isAlone) this.#fetchBlockEntry();
        else this.#fetchPlain();
        break;
      case 0x3f: // ?
        if (inFlow || isAlone) this.#fetchKey();
        else this.#fetchPlain();
        break;
      case 0x3a: // :
        if (inFlow || isAlone) this.#fetchValue();
        else this.#fetchPlain();
        break;
      case 0x2a: // *
        this.#fetchName('alias');
        break;
      case 0x26: // &
        this.#fetchName('anchor');
        break;
      case 0x21: // !
        this.#fetchTag();
        break;
      case 0x27: // '
        this.#fetchQuoted('single');
        break;
      case 0x22: // "
        this.#fetchQuoted('double');
        break;
      case 0x7c: // |
      case 0x3e: // >
        if (inFlow) throw this.#cannotStart();
        this.#fetchBlockScalar(unit === 0x7c ? 'literal' : 'folded');
        break;
      case 0x09: // tab
      case 0x25: // %
      case 0x40: // @
      case 0x60: // `
        throw this.#cannotStart();
      default:
        this.#fetchPlain();
    }
  }

  #cannotStart(): YamlSyntaxError {
    const { offset } = this.#cursor;
    return this.#problem('found character that cannot start any token', 'while scanning for the next token', offset);
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.offset === 0 && cursor.peek() === 0xfeff) cursor.offset = cursor.lineStart = 1;
      const tabsToo = this.#flowLevel > 0 || !this.#isSimpleKeyAllowed;
      while (cursor.peek() === 0x20 || (tabsToo && cursor.peek() === 0x09)) cursor.offset++;
      if (cursor.peek() === 0x23) cursor.skipToLineEnd();
      if (!isBreak(cursor.peek())) return;
      cursor.readBreak();
      if (this.#flowLevel === 0) this.#isSimpleKeyAllowed = true;
    }
  }

  #fetchStreamEnd(): void {
    this.#isDone = true;
    // The end counts as a line of its own, so that a key without its colon is detected.
    if (this.#cursor.column > 0) this.#cursor.startLine();
    this.#unrollIndent(-1);
    this.#dropSimpleKey();
    this.#isSimpleKeyAllowed = false;
    this.#queue.push(this.#mark('stream-end', 0));
  }

  #fetchDirective(): void {
    this.#unrollIndent(-1);
    this.#dropSimpleKey();
    this.#isSimpleKeyAllowed = false;
    this.#queue.push(scanDirective(this.#cursor));
  }

  #fetchDocumentIndicator(unit: number): void {
    this.#unrollIndent(-1);
    this.#dropSimpleKey();
    this.#isSimpleKeyAllowed = false;
    this.#queue.push(this.#mark(unit === 0x2d ? 'document-start' : 'document-end', 3));
  }

  #fetchFlowStart(kind: 'flow-sequence-start' | 'flow-mapping-start'): void {
    this.#saveSimpleKey();
    this.#simpleKeys.push(noKey());
    this.#flowLevel++;
    this.#isSimpleKeyAllowed = true;
    this.#queue.push(this.#mark(kind, 1));
  }

  #fetchFlowEnd(kind: 'flow-sequence-end' | 'flow-mapping-end'): void {
    this.#dropSimpleKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#simpleKeys.pop();
    }
    this.#isSimpleKeyAllowed = false;
    this.#queue.push(this.#mark(kind, 1));
  }

  #fetchFlowEntry(): void {
    this.#dropSimpleKey();
    this.#isSimpleKeyAllowed = true;
    this.#queue.push(this.#mark('flow-entry', 1));
  }

  #fetchBlockEntry(): void {
    if (this.#flowLevel === 0) {
      this.#requireKeyAllowed('block sequence entries are not allowed in this context');
      this.#rollIndent(this.#cursor.column, 'block-sequence-start', this.#cursor.offset, this.#queue.length);
    }
    this.#dropSimpleKey();
    this.#isSimpleKeyAllowed = true;
    this.#queue.push(this.#mark('block-entry', 1));
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      this.#requireKeyAllowed('mapping keys are not allowed in this context');
      this.#rollIndent(this.#cursor.column, 'block-mapping-start', this.#cursor.offset, this.#queue.length);
    }
    this.#dropSimpleKey();
    this.#isSimpleKeyAllowed = this.#flowLevel === 0;
    this.#queue.push(this.#mark('key', 1));
  }

  #fetchValue(): void {
    const key = this.#simpleKey();
    if (key.isPossible) {
      const position = this.#head + key.tokenNumber - this.#taken;
      this.#queue.splice(position, 0, { kind: 'key', start: key.offset, end: key.offset });
      this.#rollIndent(key.column, 'block-mapping-start', key.offset, position);
      key.isPossible = false;
      this.#isSimpleKeyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        this.#requireKeyAllowed('mapping values are not allowed in this context');
        this.#rollIndent(this.#cursor.column, 'block-mapping-start', this.#cursor.offset, this.#queue.length);
      }
      this.#isSimpleKeyAllowed = this.#flowLevel === 0;
    }
    this.#queue.push(this.#mark('value', 1));
  }

  #fetchName(kind: 'alias' | 'anchor'): void {
    this.#saveSimpleKey();
    this.#isSimpleKeyAllowed = false;
    const cursor = this.#cursor;
    const start = cursor.offset;
    cursor.offset++;
    while (isNameCharacter(cursor.peek())) cursor.offset++;
    const name = cursor.text.slice(start + 1, cursor.offset);
    if (name === '' || !(endsWord(cursor.peek()) || '?:,]}%@`'.includes(cursor.text.charAt(cursor.offset)))) {
      const context = kind === 'alias' ? 'while scanning an alias' : 'while scanning an anchor';
      throw this.#problem('did not find expected alphabetic or numeric character', context, start);
    }
    this.#queue.push({ kind, start, end: cursor.offset, name });
  }

  #fetchTag(): void {
    this.#saveSimpleKey();
    this.#isSimpleKeyAllowed = false;
    this.#queue.push(scanTag(this.#cursor, this.#flowLevel > 0, this.#flavour));
  }

  #fetchBlockScalar(style: ScalarNode['style']): void {
    this.#dropSimpleKey();
    this.#isSimpleKeyAllowed = true;
    const start = this.#cursor.offset;
    const text = scanBlock(this.#cursor, this.#indent);
    // The indentation of the line that ended the scalar has been read; it is not part of the scalar.
    const end = this.#cursor.isAtEnd ? this.#cursor.offset : this.#cursor.lineStart;
    this.#queue.push({ kind: 'scalar', start, end, text, style });
  }

  #fetchQuoted(style: ScalarNode['style']): void {
    this.#saveSimpleKey();
    this.#isSimpleKeyAllowed = false;
    const start = this.#cursor.offset;
    const text = scanQuoted(this.#cursor, this.#flavour);
    this.#queue.push({ kind: 'scalar', start, end: this.#cursor.offset, text, style });
  }

  #fetchPlain(): void {
    this.#saveSimpleKey();
    this.#isSimpleKeyAllowed = false;
    const start = this.#cursor.offset;
    const scalar = scanPlain(this.#cursor, this.#indent + 1, this.#flowLevel > 0, this.#flavour);
    if (scalar.endsInBreak) this.#isSimpleKeyAllowed = true;
    this.#queue.push({ kind: 'scalar', start, end: scalar.end, text: scalar.text, style: 'plain' });
  }

  #requireKeyAllowed(problem: string): void {
    if (!this.#isSimpleKeyAllowed) throw this.#problem(problem);
  }

  #simpleKey(): SimpleKey {
    return this.#simpleKeys.at(-1) ?? noKey();
  }

  #saveSimpleKey(): void {
    if (!this.#isSimpleKeyAllowed) return;
    this.#dropSimpleKey();
    const { offset, line, column } = this.#cursor;
    const key = this.#simpleKey();
    key.isPossible = true;
    key.isRequired = this.#flowLevel === 0 && this.#indent === column;
    key.tokenNumber = this.#taken + this.#queue.length - this.#head;
    key.offset = offset;
    key.line = line;
    key.column = column;
  }

  #dropSimpleKey(): void {
    const key = this.#simpleKey();
    if (key.isPossible && key.isRequired) throw this.#missingColon(key);
    key.isPossible = false;
  }

  #dropStaleKeys(): void {
    const { line, offset } = this.#cursor;
    for (const key of this.#simpleKeys) {
      if (!key.isPossible || (key.line === line && key.offset + LONGEST_SIMPLE_KEY >= offset)) continue;
      if (key.isRequired) throw this.#missingColon(key);
      key.isPossible = false;
    }
  }

  #missingColon(key: SimpleKey): YamlSyntaxError {
    return this.#problem("could not find expected ':'", 'while scanning a simple key', key.offset);
  }

  /** Opens a block collection if its entry is deeper than the collections around it. */
  #rollIndent(column: number, kind: MarkToken['kind'], offset: number, position: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    this.#queue.splice(position, 0, { kind, start: offset, end: offset });
  }

  #unrollIndent(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#queue.push(this.#mark('block-end', 0));
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  /** Reads the next token. */
  #mark(kind: MarkToken['kind'], length: number): MarkToken {
    const start = this.#cursor.offset;
    this.#cursor.offset += length;
    return { kind, start, end: this.#cursor.offset };
  }

  #problem(problem: string, context?: string, contextOffset?: number): YamlSyntaxError {
    return this.#cursor.problem(problem, context, contextOffset, this.#isDone);
  }
}

function noKey(): SimpleKey {
  return { isPossible: false, isRequired: false, tokenNumber: 0, offset: 0, line: 0, column: 0 };
}
