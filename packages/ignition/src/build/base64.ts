const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PAD = 0x3d;
const encodeTable = new TextEncoder().encode(ALPHABET);
const decodeTable = new Uint8Array(128).fill(0xff);
encodeTable.forEach((letter, value) => {
  decodeTable[letter] = value;
});

/** RFC 4648 section 4, padded. Neither `Buffer` nor `btoa`, which wants a string of bytes first. */
export function encodeBase64(bytes: Uint8Array): string {
  const out = new Uint8Array(base64Length(bytes.length)).fill(PAD);
  let to = 0;
  for (let from = 0; from < bytes.length; from += 3) {
    const left = bytes.length - from;
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    for (let digit = 0; digit <= Math.min(left, 3); digit++) {
      out[to + digit] = encodeTable[(group >> (18 - 6 * digit)) & 63] ?? 0;
    }
    to += 4;
  }
  return new TextDecoder('latin1').decode(out);
}

/** The length of `encodeBase64` of that many bytes. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** The bytes of a base64 text, its padding complete or absent, or undefined if it is none. `url` takes `-` and `_` for `+` and `/`. */
export function decodeBase64(text: string, alphabet: 'standard' | 'url' = 'standard'): Uint8Array | undefined {
  const plain = alphabet === 'url' ? text.replaceAll('-', '+').replaceAll('_', '/') : text;
  const digits = plain.endsWith('==') ? plain.length - 2 : plain.endsWith('=') ? plain.length - 1 : plain.length;
  if (digits % 4 === 1 || (digits !== plain.length && plain.length % 4 !== 0)) return undefined;
  const out = new Uint8Array(Math.floor((digits * 3) / 4));
  let group = 0;
  let to = 0;
  for (let at = 0; at < digits; at++) {
    const value = decodeTable[plain.charCodeAt(at)] ?? 0xff;
    if (value === 0xff) return undefined;
    group = ((group << 6) | value) & 0xffffff;
    const filled = at % 4;
    if (filled > 0) out[to++] = (group >> (6 - 2 * filled)) & 0xff;
  }
  return out;
}
