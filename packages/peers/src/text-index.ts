import { isStrayByte } from './utf8.ts';

/** A place in a text: offset in UTF-16 units from 0; line from 1; column in characters from 1. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A query scans at most this many characters after a checkpoint. */
const STRIDE = 1024;

/**
 * Converts offsets in a text to lines and columns without a table of lines: the first query makes one pass that sets a checkpoint
 * every 1024 characters, so a thousand findings on one line of 5 MB stay cheap. A line ends at LF, CR LF or CR.
 *
 * @example new TextIndex('a\nb').position(2) // { offset: 2, line: 2, column: 1 }
 */
export class TextIndex {
  readonly text: string;
  #checkpoints: Checkpoints | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** An offset outside the text counts as its nearest end. */
  position(offset: number): Position {
    const at = this.#measure(offset);
    return { offset: at.offset, line: at.line, column: at.characters - this.#measure(at.lineStart).characters + 1 };
  }

  /** The column in UTF-8 bytes from 1, as many programs print it. */
  byteColumn(offset: number): number {
    const at = this.#measure(offset);
    return at.bytes - this.#measure(at.lineStart).bytes + 1;
  }

  /** The number of UTF-8 bytes before `offset`. */
  byteOffset(offset: number): number {
    return this.#measure(offset).bytes;
  }

  #measure(wanted: number): Measure {
    const offset = Math.min(Math.max(wanted, 0), this.text.length);
    this.#checkpoints ??= markCheckpoints(this.text);
    const slot = Math.floor(offset / STRIDE);
    return advance(this.text, this.#checkpoints.read(slot), offset);
  }
}

/** The counts up to `offset`. */
interface Measure {
  readonly offset: number;
  readonly line: number;
  readonly lineStart: number;
  readonly characters: number;
  readonly bytes: number;
}

const START: Measure = { offset: 0, line: 1, lineStart: 0, characters: 0, bytes: 0 };

class Checkpoints {
  readonly #numbers: Float64Array;

  constructor(count: number) {
    this.#numbers = new Float64Array(count * 4);
  }

  write(slot: number, measure: Measure): void {
    this.#numbers.set([measure.line, measure.lineStart, measure.characters, measure.bytes], slot * 4);
  }

  read(slot: number): Measure {
    const [line = 1, lineStart = 0, characters = 0, bytes = 0] = this.#numbers.subarray(slot * 4, slot * 4 + 4);
    return { offset: slot * STRIDE, line, lineStart, characters, bytes };
  }
}

function markCheckpoints(text: string): Checkpoints {
  const count = Math.floor(text.length / STRIDE) + 1;
  const checkpoints = new Checkpoints(count);
  let measure = START;
  for (let slot = 0; slot < count; slot++) {
    measure = advance(text, measure, slot * STRIDE);
    checkpoints.write(slot, measure);
  }
  return checkpoints;
}

function advance(text: string, from: Measure, offset: number): Measure {
  let { line, lineStart, characters, bytes } = from;
  for (let index = from.offset; index < offset; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      characters++;
      bytes++;
      if (unit === LF || (unit === CR && text.charCodeAt(index + 1) !== LF)) {
        line++;
        lineStart = index + 1;
      }
    } else if (isPairedLow(text, index, unit)) {
      bytes += 2;
    } else {
      characters++;
      bytes += isPairedHigh(text, index, unit) ? 2 : loneUnitSize(unit);
    }
  }
  return { offset, line, lineStart, characters, bytes };
}

const LF = 0x0a;
const CR = 0x0d;

function isPairedLow(text: string, index: number, unit: number): boolean {
  return isLowSurrogate(unit) && isHighSurrogate(text.charCodeAt(index - 1));
}

function isPairedHigh(text: string, index: number, unit: number): boolean {
  return isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1));
}

/** The bytes of a character of one unit. A lone surrogate is a stray byte, or is written as U+FFFD. */
function loneUnitSize(unit: number): number {
  if (unit < 0x800) return 2;
  return isStrayByte(unit) ? 1 : 3;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
