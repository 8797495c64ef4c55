// UTF-8 as Go keeps it: a text can hold bytes that are not part of a character.

/** A text keeps a byte that is not part of a character as this plus the byte. */
export const STRAY_BYTE = 0xdc00;

/** Whether a unit is a kept byte. The unit must not be the second half of a pair. */
export function isStrayByte(unit: number): boolean {
  return unit >= STRAY_BYTE + 0x80 && unit <= STRAY_BYTE + 0xff;
}

/**
 * Decodes UTF-8 as Go's JSON reader does: a byte order mark stays in the text, and a byte that is not part of a character becomes
 * the lone surrogate U+DC00 + byte. `parseJson` reads these as U+FFFD and names the byte in its messages; `TextIndex` counts each
 * as one byte.
 *
 * @example decodeLossless(Uint8Array.of(0x61, 0xff)) // 'a\udcff'
 */
export function decodeLossless(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  let start = 0;
  while (start < bytes.length) {
    const bad = findInvalidUtf8(bytes, start);
    parts.push(decoder.decode(bytes.subarray(start, bad)));
    const byte = bytes[bad];
    if (byte !== undefined) parts.push(String.fromCharCode(STRAY_BYTE + byte));
    start = bad + 1;
  }
  return parts.join('');
}

/** The offset of the first byte at or after `start` that begins no character, or the length. */
export function findInvalidUtf8(bytes: Uint8Array, start: number): number {
  let offset = start;
  while (offset < bytes.length) {
    const size = utf8Size(bytes, offset);
    if (size === 0) return offset;
    offset += size;
  }
  return offset;
}

/** RFC 3629 §4: the number of bytes of the character at `offset`; 0 if there is none. */
function utf8Size(bytes: Uint8Array, offset: number): number {
  const lead = bytes[offset] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[offset + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let index = 2; index < size; index++) {
    const next = bytes[offset + index] ?? 0;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return size;
}
