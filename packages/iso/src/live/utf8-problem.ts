/** The first byte of a sequence, its length, and the range of its second byte (Unicode 3.9, table 3-7). */
const SEQUENCES: readonly (readonly [first: number, last: number, length: number, low: number, high: number])[] = [
  [0xc2, 0xdf, 2, 0x80, 0xbf],
  [0xe0, 0xe0, 3, 0xa0, 0xbf],
  [0xe1, 0xec, 3, 0x80, 0xbf],
  [0xed, 0xed, 3, 0x80, 0x9f],
  [0xee, 0xef, 3, 0x80, 0xbf],
  [0xf0, 0xf0, 4, 0x90, 0xbf],
  [0xf1, 0xf3, 4, 0x80, 0xbf],
  [0xf4, 0xf4, 4, 0x80, 0x8f],
];

/** Why bytes are not UTF-8, in the words of Rust. */
export function utf8Problem(bytes: Uint8Array): string {
  let start = 0;
  let found = validSequenceBytes(bytes, start);
  while (found.isWhole) {
    start += found.count;
    found = validSequenceBytes(bytes, start);
  }
  return start + found.count === bytes.length
    ? `incomplete utf-8 byte sequence from index ${start}`
    : `invalid utf-8 sequence of ${Math.max(1, found.count)} bytes from index ${start}`;
}

/** The number of valid bytes of the sequence at `start`, and whether it is complete. */
function validSequenceBytes(bytes: Uint8Array, start: number): { count: number; isWhole: boolean } {
  const first = bytes[start] ?? 0xff;
  if (first < 0x80) return { count: 1, isWhole: true };
  const [, , length, low, high] = SEQUENCES.find(([from, to]) => first >= from && first <= to) ?? [0, 0, 0, 0, 0];
  if (length === 0) return { count: 0, isWhole: false };
  let count = 1;
  for (; count < length; count++) {
    const byte = bytes[start + count] ?? 0;
    if (count === 1 ? byte < low || byte > high : byte < 0x80 || byte > 0xbf) break;
  }
  return { count, isWhole: count === length };
}
