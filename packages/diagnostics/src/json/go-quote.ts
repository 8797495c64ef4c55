import { isStrayByte, STRAY_BYTE } from '../text-index.ts';

const NAMED: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  39: "\\'",
  92: '\\\\',
};

/** A character as Go's JSON decoder names it: one *byte* of the text, in single quotes, with Go's escapes. */
export function quoteFirstByte(text: string, offset: number): string {
  const byte = firstByte(text.codePointAt(offset) ?? 0);
  const named = NAMED[byte];
  if (named !== undefined) return `'${named}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  if (!PRINTABLE.test(String.fromCharCode(byte))) return `'\\u${byte.toString(16).padStart(4, '0')}'`;
  return `'${String.fromCharCode(byte)}'`;
}

/** Go prints letters, marks, numbers, punctuation, symbols and the plain space as they are. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The lead byte of a character in UTF-8 (RFC 3629 §3), or the stray byte itself. */
function firstByte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint;
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6);
  if (isStrayByte(codePoint)) return codePoint - STRAY_BYTE;
  if (codePoint < 0x10000) return 0xe0 | (codePoint >> 12);
  return 0xf0 | (codePoint >> 18);
}
