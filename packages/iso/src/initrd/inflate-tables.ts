import type { BitCursor } from './bit-cursor.ts';
import { type HuffmanTable, huffmanTable } from './huffman.ts';

/** The codes of a compressed block: literals and lengths in one, distances in the other. */
export interface BlockTables {
  readonly literals: HuffmanTable;
  readonly distances: HuffmanTable;
}

/** The symbol that ends a block. */
export const END_OF_BLOCK = 256;
/** RFC 1951 3.2.7: the order in which the lengths of the code for code lengths come. */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The codes of RFC 1951 3.2.6. */
export function fixedTables(): BlockTables {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return tables(lengths, new Uint8Array(32).fill(5)) as BlockTables;
}

/** The codes that a block brings along (RFC 1951 3.2.7), or what is wrong with them. */
export function readTables(bits: BitCursor): BlockTables | string {
  const literalCount = bits.take(5) + 257;
  const distanceCount = bits.take(5) + 1;
  const codeLengthCount = bits.take(4) + 4;
  if (literalCount > 286 || distanceCount > 30) return 'too many length or distance symbols';
  const codeLengths = new Uint8Array(CODE_LENGTH_ORDER.length);
  for (const symbol of CODE_LENGTH_ORDER.slice(0, codeLengthCount)) codeLengths[symbol] = bits.take(3);
  const code = huffmanTable(codeLengths, 'refused');
  if (code === undefined) return 'invalid code lengths set';
  const lengths = new Uint8Array(literalCount + distanceCount);
  for (let filled = 0; filled < lengths.length; ) {
    const entry = code[bits.peek() & (code.length - 1)] ?? 0;
    bits.take(entry & 15);
    const run = runOf(entry >> 4, bits, lengths[filled - 1]);
    if (run === undefined || filled + run.count > lengths.length) return 'invalid bit length repeat';
    lengths.fill(run.length, filled, filled + run.count);
    filled += run.count;
  }
  if (lengths[END_OF_BLOCK] === 0) return 'invalid code -- missing end-of-block';
  return tables(lengths.subarray(0, literalCount), lengths.subarray(literalCount));
}

/** How often a code length is repeated. */
function runOf(
  symbol: number,
  bits: BitCursor,
  previous: number | undefined,
): { readonly length: number; readonly count: number } | undefined {
  switch (symbol) {
    case 16:
      return previous === undefined ? undefined : { length: previous, count: 3 + bits.take(2) };
    case 17:
      return { length: 0, count: 3 + bits.take(3) };
    case 18:
      return { length: 0, count: 11 + bits.take(7) };
    default:
      return { length: symbol, count: 1 };
  }
}

function tables(literalLengths: Uint8Array, distanceLengths: Uint8Array): BlockTables | string {
  const literals = huffmanTable(literalLengths, 'allowed');
  if (literals === undefined) return 'invalid literal/lengths set';
  const distances = huffmanTable(distanceLengths, 'allowed');
  return distances === undefined ? 'invalid distances set' : { literals, distances };
}
