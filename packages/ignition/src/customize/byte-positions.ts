import type { Position } from '@coreiso/diagnostics';

const LF = 0x0a;
const CR = 0x0d;

/** The positions of ascending byte offsets in UTF-8 text, counted in one pass. */
export function positionsOf(bytes: Uint8Array, offsets: readonly number[]): Position[] {
  let at = 0;
  let offset = 0;
  let line = 1;
  let column = 1;
  return offsets.map((wanted) => {
    for (; at < Math.min(wanted, bytes.length); at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) {
        line += 1;
        column = 1;
        offset += 1;
      } else if ((byte & 0xc0) !== 0x80) {
        column += 1;
        offset += byte >= 0xf0 ? 2 : 1;
      }
    }
    return { offset, line, column };
  });
}

/** The place as coreos-installer prints it: lines end at LF alone, columns count bytes before the offset. */
export function bytePlace(bytes: Uint8Array, offset: number): { line: number; column: number } {
  const before = bytes.subarray(0, offset);
  const lineStart = before.lastIndexOf(LF) + 1;
  let line = 1;
  for (const byte of before.subarray(0, lineStart)) if (byte === LF) line += 1;
  return { line, column: offset - lineStart };
}
