// Text as Go and Rust handle it: as bytes.

/**
 * Bytes in a buffer of their own, which every platform function accepts: the result of `slice`, as each TypeScript version types
 * it.
 */
export type OwnBytes = ReturnType<Uint8Array['slice']>;

/**
 * Compares texts by their UTF-8 bytes, which is the order of code points. JavaScript compares UTF-16 units.
 *
 * @example ['\u{1f600}', '\uffff'].sort(compareBytes) // ['\uffff', '\u{1f600}']
 */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    // Surrogates belong to code points above all other units.
    return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

/**
 * Sorts texts in place by their bytes; the native order, which is faster, is the same as long as no text leaves the basic plane.
 *
 * @example sortByBytes(['b', 'a']) // ['a', 'b']
 */
export function sortByBytes(texts: string[]): string[] {
  return texts.some(hasSurrogates) ? texts.sort(compareBytes) : texts.sort();
}

function hasSurrogates(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isSurrogate(text.charCodeAt(at))) return true;
  return false;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/**
 * How many bytes a text has in UTF-8.
 *
 * @example utf8Length('é') // 2
 */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A pair of units takes four bytes; a lone surrogate counts as the U+FFFD that is written for it.
    const isPair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) at++;
  }
  return length;
}

/**
 * Formats bytes as hexadecimal digits, two per byte, in lower case.
 *
 * @example hex(Uint8Array.of(10, 255)) // '0aff'
 */
export function hex(bytes: Uint8Array): string {
  let digits = '';
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0');
  return digits;
}

const SPACE = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const BLANK = new RegExp(`^${SPACE}*$`);
const IS_SPACE = new RegExp(SPACE);

/**
 * Removes white space at both ends as Unicode, Go and Rust define it. Unlike `String.prototype.trim` it removes U+0085 and keeps
 * U+FEFF.
 *
 * @example trimSpace('\x85 a ') // 'a'
 */
export function trimSpace(text: string): string {
  return trimSpaceEnd(trimSpaceStart(text));
}

/**
 * Removes white space at the start, as `trimSpace` does.
 *
 * @example trimSpaceStart(' a ') // 'a '
 */
export function trimSpaceStart(text: string): string {
  return text.replace(LEADING, '');
}

/** Searches from the end, because a pattern that ends in `$` would be tried at every blank of the text. */
function trimSpaceEnd(text: string): string {
  let end = text.length;
  while (end > 0 && IS_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/**
 * Whether a text has nothing but white space.
 *
 * @example isBlank(' \n') // true
 */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
