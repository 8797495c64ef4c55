// DEFLATE (RFC 1951), decoding only. pako, which compresses for us, could do this as well, but its decoder weighs more
// than everything else that reads archives, and has to be kept from running on into what follows the stream.
import { IsoError } from '../errors.ts';
import { BitCursor } from './bit-cursor.ts';
import type { ByteReader } from './byte-reader.ts';
import { type BlockTables, END_OF_BLOCK, fixedTables, readTables } from './inflate-tables.ts';

/** RFC 1951 3.2.5: extra bits and smallest values, of lengths from symbol 257 on and of distances. */
const LENGTH_EXTRA = Uint8Array.from({ length: 29 }, (_, at) => (at < 28 ? Math.max(0, (at >> 2) - 1) : 0));
const LENGTH_BASE = Uint16Array.from({ length: 29 }, (_, at) => (at < 28 ? smallest(at, 2) + 3 : 258));
const DISTANCE_EXTRA = Uint8Array.from({ length: 30 }, (_, at) => Math.max(0, (at >> 1) - 1));
const DISTANCE_BASE = Uint16Array.from({ length: 30 }, (_, at) => smallest(at, 1) + 1);

/** Values double in range every `2 ** step` symbols. */
function smallest(symbol: number, step: number): number {
  const group = 1 << step;
  if (symbol < group) return symbol;
  return (group + (symbol % group)) << ((symbol >> step) - 1);
}

const WINDOW = 32 * 1024;
const OUTPUT = 64 * 1024;
const LONGEST_MATCH = 258;
/** A length and a distance take 48 bits at most, and looking at the last of them reaches over three bytes. */
const SYMBOL_BYTES = 9;
/** The description of a block's codes takes at most 17 + 19 * 3 + 316 * 14 bits. */
const TABLES_BYTES = 570;

/** Decodes one stream and leaves `input` right behind it. */
export async function* inflate(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  const decoder = new Inflater(input);
  while (await decoder.nextBlock()) {
    while (await decoder.fill()) yield decoder.flush();
  }
  decoder.alignToByte();
  yield decoder.flush();
}

class Inflater {
  readonly #input: ByteReader;
  /** How many bits of the input's next byte are used up. */
  #bit = 0;
  /** The 32 KiB that matches may refer to, and room for more. */
  readonly #output = new Uint8Array(WINDOW + OUTPUT);
  /** Where the bytes begin that were not yet handed out. */
  #start = 0;
  #end = 0;
  #isLast = false;
  /** What the block is made of: codes, or so many bytes as they are. */
  #block: BlockTables | number = 0;

  constructor(input: ByteReader) {
    this.#input = input;
  }

  /** Reads the header of the next block, if there is one. */
  async nextBlock(): Promise<boolean> {
    if (this.#isLast) return false;
    const bytes = await this.#input.peek(TABLES_BYTES);
    const bits = new BitCursor(bytes, this.#bit);
    this.#isLast = bits.take(1) === 1;
    const kind = bits.take(2);
    const block =
      kind === 0 ? 'stored' : kind === 1 ? fixedTables() : kind === 2 ? readTables(bits) : 'invalid block type';
    this.#consume(bits.position, bytes.length);
    if (block === 'stored') this.#block = await this.#storedLength();
    else if (typeof block === 'string') throw this.#corrupt(block);
    else this.#block = block;
    return true;
  }

  /** Decodes until the output is full, or to the end of the block. Tells whether the block goes on. */
  fill(): Promise<boolean> {
    return typeof this.#block === 'number' ? this.#copy(this.#block) : this.#decode(this.#block);
  }

  /** What was decoded since the last time. */
  flush(): Uint8Array {
    const bytes = this.#output.slice(this.#start, this.#end);
    if (this.#end > WINDOW) {
      this.#output.copyWithin(0, this.#end - WINDOW, this.#end);
      this.#end = WINDOW;
    }
    this.#start = this.#end;
    return bytes;
  }

  alignToByte(): void {
    if (this.#bit > 0) this.#input.advance(1);
    this.#bit = 0;
  }

  /** RFC 1951 3.2.4. */
  async #storedLength(): Promise<number> {
    this.alignToByte();
    const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = await this.#input.take(4);
    const length = b0 | (b1 << 8);
    if ((length ^ 0xffff) !== (b2 | (b3 << 8))) throw this.#corrupt('invalid stored block lengths');
    return length;
  }

  async #copy(length: number): Promise<boolean> {
    let left = length;
    while (left > 0 && this.#end < this.#output.length) {
      const bytes = (await this.#input.buffered()).subarray(0, Math.min(left, this.#output.length - this.#end));
      if (bytes.length === 0) throw this.#truncated();
      this.#output.set(bytes, this.#end);
      this.#end += bytes.length;
      left -= bytes.length;
      this.#input.advance(bytes.length);
    }
    this.#block = left;
    return left > 0;
  }

  async #decode(tables: BlockTables): Promise<boolean> {
    for (;;) {
      const isTail = (await this.#input.peek(SYMBOL_BYTES)).length < SYMBOL_BYTES;
      const bytes = await this.#input.buffered();
      // The end of the input is decoded as if zeros followed; whether they were needed is seen afterwards.
      const { position, isEnd } = this.#symbols(isTail ? withZeros(bytes) : bytes, tables);
      this.#consume(position, bytes.length);
      if (isEnd) return false;
      if (this.#isFull) return true;
      if (isTail) throw this.#truncated();
    }
  }

  get #isFull(): boolean {
    return this.#end > this.#output.length - LONGEST_MATCH;
  }

  /** The inner loop: goes on while a whole symbol is surely there and there is room for what it stands for. */
  #symbols(bytes: Uint8Array, { literals, distances }: BlockTables): { position: number; isEnd: boolean } {
    const output = this.#output;
    const literalMask = literals.length - 1;
    const distanceMask = distances.length - 1;
    const lastPosition = 8 * (bytes.length - SYMBOL_BYTES) + 7;
    const lastEnd = output.length - LONGEST_MATCH;
    let position = this.#bit;
    let end = this.#end;
    let isEnd = false;
    while (position <= lastPosition && end <= lastEnd) {
      const entry = literals[bitsAt(bytes, position) & literalMask] as number;
      if (entry === 0) throw this.#corrupt('invalid literal/length code');
      position += entry & 15;
      const symbol = entry >> 4;
      if (symbol < END_OF_BLOCK) {
        output[end++] = symbol;
        continue;
      }
      if (symbol === END_OF_BLOCK) {
        isEnd = true;
        break;
      }
      const lengthExtra = LENGTH_EXTRA[symbol - END_OF_BLOCK - 1];
      if (lengthExtra === undefined) throw this.#corrupt('invalid literal/length code');
      const stop =
        end + (LENGTH_BASE[symbol - END_OF_BLOCK - 1] as number) + (bitsAt(bytes, position) & ((1 << lengthExtra) - 1));
      position += lengthExtra;
      const far = distances[bitsAt(bytes, position) & distanceMask] as number;
      const distanceExtra = DISTANCE_EXTRA[far >> 4];
      if (far === 0 || distanceExtra === undefined) throw this.#corrupt('invalid distance code');
      position += far & 15;
      const distance = (DISTANCE_BASE[far >> 4] as number) + (bitsAt(bytes, position) & ((1 << distanceExtra) - 1));
      position += distanceExtra;
      if (distance > end) throw this.#corrupt('invalid distance too far back');
      for (; end < stop; end++) output[end] = output[end - distance] as number;
    }
    this.#end = end;
    return { position, isEnd };
  }

  /** Moves on to `position`, in bits from the input's next byte, of which there are `available` bytes. */
  #consume(position: number, available: number): void {
    if (position > 8 * available) throw this.#truncated();
    this.#input.advance(position >> 3);
    this.#bit = position & 7;
  }

  #corrupt(message: string): IsoError {
    return new IsoError('ISO_BAD_ARCHIVE', `corrupt deflate stream: ${message}`, { offset: this.#input.position });
  }

  #truncated(): IsoError {
    return new IsoError('ISO_BAD_ARCHIVE', 'failed to fill whole buffer', { offset: this.#input.position });
  }
}

function withZeros(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(bytes.length + SYMBOL_BYTES);
  longer.set(bytes);
  return longer;
}

/** At least 16 bits from `position` on; three bytes have to be there. */
function bitsAt(bytes: Uint8Array, position: number): number {
  const at = position >> 3;
  const three = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
  return three >> (position & 7);
}
