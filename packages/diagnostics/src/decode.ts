import { checkArgument } from '@coreiso/peers/arguments';
import { isHighSurrogate, isLowSurrogate, TextIndex } from '@coreiso/peers/text-index';
import { findInvalidUtf8 } from '@coreiso/peers/utf8';
import { type OwnFinding, ownDiagnostic } from './codes.ts';
import type { Outcome } from './diagnostic.ts';
import { fail, succeed } from './outcome.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * Decodes UTF-8, or UTF-16 if the text has its byte order mark.
 *
 * @example decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)) // { ok: true, value: { text: 'a', hasMark: true }, diagnostics: [] }
 */
export function decodeText(bytes: Uint8Array): Outcome<{
  readonly text: string;
  readonly hasMark: boolean;
}> {
  checkArgument('bytes', bytes, 'bytes');
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
  const finding: OwnFinding = {
    code: 'diagnostics/invalid-encoding',
    message: `invalid ${encoding.toUpperCase()} at byte offset ${markLength + badOffset}`,
    help: 'Save the file as UTF-8.',
  };
  return fail(ownDiagnostic(finding, { start: place, end: place }));
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
