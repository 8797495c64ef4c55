import type { Outcome } from './diagnostic.ts';
import { diagnostic, fail, succeed } from './outcome.ts';
import { isHighSurrogate, isLowSurrogate, STRAY_BYTE, TextIndex } from './text-index.ts';

/** Text and whether a byte order mark stood before it; the mark itself is not in the text. */
export interface DecodedText {
  readonly text: string;
  readonly hasMark: boolean;
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * Reads UTF-8, or UTF-16 where its mark says so.
 *
 * @example decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)) // { ok: true, value: { text: 'a', hasMark: true }, diagnostics: [] }
 */
export function decodeText(bytes: Uint8Array): Outcome<DecodedText> {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('bytes must be a Uint8Array');
  const { encoding, markLength } = detectEncoding(bytes);
  const content = bytes.subarray(markLength);
  const hasMark = markLength > 0;
  try {
    return succeed({ text: strictDecoder(encoding).decode(content), hasMark });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const badOffset = encoding === 'utf-8' ? findInvalidUtf8(content, 0) : findInvalidUtf16(content, encoding);
  const before = strictDecoder(encoding).decode(content.subarray(0, badOffset));
  const place = new TextIndex(before).position(before.length);
  const finding = {
    code: 'diagnostics/invalid-encoding',
    message: `invalid ${encoding.toUpperCase()} at byte offset ${markLength + badOffset}`,
    cure: 'Save the file as UTF-8.',
  };
  return fail(diagnostic(finding, { start: place, end: place }));
}

function strictDecoder(encoding: Encoding): TextDecoder {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
}

function detectEncoding(bytes: Uint8Array): { encoding: Encoding; markLength: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', markLength: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', markLength: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', markLength: 2 };
  return { encoding: 'utf-8', markLength: 0 };
}

/**
 * Reads UTF-8 and nothing else, as a reader of JSON in Go does: a mark stays in the text, and a byte that belongs to no character
 * becomes the lone surrogate U+DC00 + byte. `parseJson` reads those as U+FFFD and names the byte in its messages; `TextIndex` counts
 * each as the one byte it was.
 *
 * @example decodeLossless(Uint8Array.of(0x61, 0xff)) // 'a\udcff'
 */
export function decodeLossless(bytes: Uint8Array): string {
  const decoder = strictDecoder('utf-8');
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

/** The first byte at or after `start` that begins no character, or the length. */
function findInvalidUtf8(bytes: Uint8Array, start: number): number {
  let offset = start;
  while (offset < bytes.length) {
    const size = utf8Size(bytes, offset);
    if (size === 0) return offset;
    offset += size;
  }
  return offset;
}

/** RFC 3629 §4: bytes of the character at `offset`, 0 if it is none. */
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

function findInvalidUtf16(bytes: Uint8Array, encoding: Encoding): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = encoding === 'utf-16le';
  let offset = 0;
  while (offset + 1 < bytes.length) {
    const unit = view.getUint16(offset, littleEndian);
    if (isLowSurrogate(unit)) return offset;
    if (isHighSurrogate(unit)) {
      if (offset + 3 >= bytes.length || !isLowSurrogate(view.getUint16(offset + 2, littleEndian))) return offset;
      offset += 2;
    }
    offset += 2;
  }
  return offset;
}
