import { endsWord, isBreak } from './characters.ts';
import { YamlSyntaxError } from './problem.ts';

/** A place in the text that only moves forward and counts lines. */
export class Cursor {
  readonly text: string;
  offset = 0;
  /** Counts from 0. */
  line = 0;
  lineStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.offset - this.lineStart;
  }

  get isAtEnd(): boolean {
    return this.offset >= this.text.length;
  }

  /** NaN past the end. */
  peek(ahead = 0): number {
    return this.text.charCodeAt(this.offset + ahead);
  }

  /** Takes one line break and returns its value: a line feed, or one of the two Unicode separators unchanged. */
  readBreak(): string {
    const unit = this.peek();
    this.offset += unit === 0x0d && this.peek(1) === 0x0a ? 2 : 1;
    this.startLine();
    return unit === 0x2028 || unit === 0x2029 ? String.fromCharCode(unit) : '\n';
  }

  startLine(): void {
    this.line++;
    this.lineStart = this.offset;
  }

  skipToLineEnd(): void {
    while (!this.isAtEnd && !isBreak(this.peek())) this.offset++;
  }

  /** `---` or `...` at the start of a line, followed by a blank, a break or the end. */
  isAtDocumentIndicator(): boolean {
    if (this.offset !== this.lineStart) return false;
    const unit = this.peek();
    if (unit !== 0x2d && unit !== 0x2e) return false;
    return this.peek(1) === unit && this.peek(2) === unit && endsWord(this.peek(3));
  }

  problem(problem: string, context?: string, contextOffset?: number, isAtEnd = false): YamlSyntaxError {
    return new YamlSyntaxError({ problem, offset: this.offset, context, contextOffset, stage: 'scanner', isAtEnd });
  }
}

/** Folds line breaks between two parts of a text: a single one becomes a space, of several the first is dropped. */
export function fold(firstBreak: string, otherBreaks: string): string {
  if (firstBreak !== '\n') return firstBreak + otherBreaks;
  return otherBreaks === '' ? ' ' : otherBreaks;
}
