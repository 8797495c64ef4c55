import { TextIndex } from '@coreiso/diagnostics';

/** A place as reports print it: lines end at LF alone, columns count bytes, both from 1. */
export interface Mark {
  readonly line: number;
  readonly column: number;
}

/** The text of a config and where its characters stand in the bytes it came from. */
export class Input {
  readonly text: string;
  /** Offsets in `text` of characters that stand for one byte that is no UTF-8. */
  readonly #replaced: readonly number[];
  #index: TextIndex | undefined;
  #lineStarts: number[] | undefined;

  constructor(input: Uint8Array | string) {
    if (typeof input === 'string') {
      this.text = input;
      this.#replaced = [];
    } else {
      [this.text, this.#replaced] = decodeBytes(input);
    }
  }

  mark(offset: number): Mark {
    this.#lineStarts ??= findLineStarts(this.text);
    const line = countUpTo(this.#lineStarts, offset);
    const lineStart = this.#lineStarts[line - 1] ?? 0;
    return { line, column: this.#byteOffset(offset) - this.#byteOffset(lineStart) + 1 };
  }

  #byteOffset(offset: number): number {
    this.#index ??= new TextIndex(this.text);
    // A replacement character takes three bytes of UTF-8, the byte it replaces one.
    return this.#index.byteOffset(offset) - 2 * countUpTo(this.#replaced, offset - 1);
  }
}

/** A byte-order mark stays in the text: JSON may not begin with one. Each byte that is no UTF-8 becomes U+FFFD. */
function decodeBytes(bytes: Uint8Array): [text: string, replaced: number[]] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return [decoder.decode(bytes), []];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const parts: string[] = [];
  const replaced: number[] = [];
  let length = 0;
  const add = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  let valid = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = characterSize(bytes, at);
    if (size === 0) {
      add(decoder.decode(bytes.subarray(valid, at)));
      replaced.push(length);
      add('\ufffd');
      valid = at + 1;
    }
    at += size || 1;
  }
  add(decoder.decode(bytes.subarray(valid)));
  return [parts.join(''), replaced];
}

/** RFC 3629 §4: bytes of the character at an offset, 0 where none begins. */
function characterSize(bytes: Uint8Array, at: number): number {
  const [lead = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  if (lead < 0xe0) return 2;
  if (!isTail(third)) return 0;
  if (lead < 0xf0) return 3;
  return isTail(fourth) ? 4 : 0;
}

function isTail(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
