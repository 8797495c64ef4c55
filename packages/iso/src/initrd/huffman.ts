/**
 * A set of Huffman codes as one table. Its index is the next bits of the input, as many as the longest code has; an
 * entry is `symbol << 4 | length`, or zero where no code begins like that.
 */
export type HuffmanTable = Uint16Array;

const LONGEST_CODE = 15;

/**
 * The table for codes of the given lengths (RFC 1951 3.2.2), or `undefined` if there is no such set: too many codes for
 * their lengths, or too few. A single code of one bit, or none at all, is too few only where `few` is refused.
 */
export function huffmanTable(lengths: Uint8Array, few: 'allowed' | 'refused'): HuffmanTable | undefined {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  let longest = 0;
  for (const length of lengths) {
    if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
    longest = Math.max(longest, length);
  }
  const next = new Uint16Array(LONGEST_CODE + 1);
  let code = 0;
  for (let length = 1; length <= longest; length++) {
    code <<= 1;
    next[length] = code;
    code += counts[length] ?? 0;
    if (code > 1 << length) return undefined;
  }
  const isComplete = longest > 0 && code === 1 << longest;
  if (!isComplete && (few === 'refused' || longest > 1)) return undefined;
  const table = new Uint16Array(1 << longest);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const canonical = next[length] ?? 0;
    next[length] = canonical + 1;
    // A code is sent from its highest bit on, everything else from its lowest.
    for (let index = reversed(canonical, length); index < table.length; index += 1 << length) {
      table[index] = (symbol << 4) | length;
    }
  }
  return table;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}
