import type { OwnBytes } from './bytes.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PAD = 0x3d;
const LF = 0x0a;
const CR = 0x0d;
const letters = new TextEncoder().encode(ALPHABET);
const NO_DIGIT = 0xff;
const digitOf = new Uint8Array(128).fill(NO_DIGIT);
letters.forEach((letter, digit) => {
  digitOf[letter] = digit;
});

/**
 * Encodes bytes, or the UTF-8 bytes of a text, as padded base64 (RFC 4648 section 4). It needs no `Buffer`, and no `btoa`, which
 * takes only strings of bytes.
 *
 * @example encodeBase64(Uint8Array.of(1, 2)) // 'AQI='
 */
export function encodeBase64(content: Uint8Array | string): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const out = new Uint8Array(base64Length(bytes.length)).fill(PAD);
  let to = 0;
  for (let from = 0; from < bytes.length; from += 3) {
    const left = bytes.length - from;
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    for (let digit = 0; digit <= Math.min(left, 3); digit++) {
      out[to + digit] = letters[(group >> (18 - 6 * digit)) & 63] ?? 0;
    }
    to += 4;
  }
  return new TextDecoder('latin1').decode(out);
}

/**
 * The length of the base64 of that many bytes.
 *
 * @example base64Length(4) // 8
 */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Selects one of Go's encodings. */
export interface Base64Options {
  /** `url` has `-` and `_` where the standard alphabet has `+` and `/`. */
  readonly alphabet?: 'standard' | 'url' | undefined;
  /** `optional` also accepts text without padding, which Go calls raw. */
  readonly padding?: 'required' | 'optional' | undefined;
}

/** The bytes, or the offset of the byte at which Go stops. */
export type Base64Reading =
  | { readonly ok: true; readonly bytes: OwnBytes }
  | { readonly ok: false; readonly offset: number };

/**
 * Decodes as Go's `encoding/base64` does: skips line breaks anywhere and ignores leftover bits of the last digit.
 *
 * @example decodeBase64('AQ!=') // { ok: false, offset: 2 }
 */
export function decodeBase64(text: string, options: Base64Options = {}): Base64Reading {
  const { alphabet = 'standard', padding = 'required' } = options;
  const digits = alphabet === 'url' ? fromUrlAlphabet(text) : text;
  const out = new Uint8Array(Math.ceil((digits.length * 3) / 4));
  let length = 0;
  let group = 0;
  let filled = 0;
  for (let at = 0; at < digits.length; at++) {
    const code = digits.charCodeAt(at);
    const digit = digitOf[code] ?? NO_DIGIT;
    if (digit !== NO_DIGIT) {
      group = (group << 6) | digit;
      filled = (filled + 1) % 4;
      if (filled === 0) {
        out[length++] = group >> 16;
        out[length++] = group >> 8;
        out[length++] = group;
        group = 0;
      }
    } else if (code !== LF && code !== CR) {
      const offset = code === PAD ? paddingFault(digits, at, filled) : at;
      return offset === undefined ? finished(out, length, group, filled) : { ok: false, offset };
    }
  }
  const isWhole = filled === 0 || (padding === 'optional' && filled > 1);
  return isWhole ? finished(out, length, group, filled) : { ok: false, offset: digits.length - filled };
}

/**
 * Decodes base64 with white space anywhere, as in PEM files and Kubernetes objects. Undefined if the text is not base64.
 *
 * @example bytesOfBase64('AQ\n I=') // Uint8Array.of(1, 2)
 */
export function bytesOfBase64(text: string): OwnBytes | undefined {
  const reading = decodeBase64(text.replace(/\s/g, ''), { padding: 'optional' });
  return reading.ok ? reading.bytes : undefined;
}

/** The offset of the error in the padding that begins at `start`, after `filled` digits of its group; undefined if it has none. */
function paddingFault(text: string, start: number, filled: number): number | undefined {
  if (filled < 2) return start;
  let at = afterBreaks(text, start + 1);
  if (filled === 2) {
    if (at === text.length) return at;
    if (text.charCodeAt(at) !== PAD) return at - 1;
    at = afterBreaks(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function afterBreaks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === LF || text.charCodeAt(at) === CR) at++;
  return at;
}

function finished(out: OwnBytes, whole: number, group: number, filled: number): Base64Reading {
  let length = whole;
  const bits = group << (6 * (4 - filled));
  if (filled > 1) out[length++] = bits >> 16;
  if (filled > 2) out[length++] = bits >> 8;
  return { ok: true, bytes: out.subarray(0, length) };
}

/** `+` and `/` of the standard alphabet are not digits of this one. */
function fromUrlAlphabet(text: string): string {
  return text.replace(/[-_+/]/g, (letter) => (letter === '-' ? '+' : letter === '_' ? '/' : '!'));
}
