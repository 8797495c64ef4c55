import { TextIndex } from '@coreiso/peers/text-index';
import { decodeLossless } from '@coreiso/peers/utf8';

/** The text of a config with the places of its characters in the original bytes. */
export class MarkedText {
  /** Bytes that are not UTF-8 are as `decodeLossless` returns them, so that each counts as one byte. */
  readonly text: string;
  readonly #index: TextIndex;
  #lineStarts: number[] | undefined;

  constructor(input: Uint8Array | string) {
    this.text = typeof input === 'string' ? input : decodeLossless(input);
    this.#index = new TextIndex(this.text);
  }

  /** A place as reports print it: lines end only at LF, columns count bytes, and both start at 1. */
  mark(offset: number): { readonly line: number; readonly column: number } {
    this.#lineStarts ??= findLineStarts(this.text);
    const line = countUpTo(this.#lineStarts, offset);
    const lineStart = this.#lineStarts[line - 1] ?? 0;
    return { line, column: this.#index.byteOffset(offset) - this.#index.byteOffset(lineStart) + 1 };
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The number of items that are at most `limit`. The items are ascending. */
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
