import { Xxh64 } from '../checksums/xxh64.ts';
import { IsoError } from '../errors.ts';
import { isZstd, isZstdData } from './archive-format.ts';
import type { ByteReader } from './byte-reader.ts';
import { CutStream, inBlocks } from './in-blocks.ts';

/** Frame sizes and limits of RFC 8878 3.1.1. */
const BLOCK_LIMIT = 128 * 1024;
const DICTIONARY_ID_LENGTHS = [0, 1, 2, 4];
const CONTENT_SIZE_LENGTHS = [0, 2, 4, 8];
/** The window limit of the reference decoder: 2^27. */
const WINDOW_LIMIT = 128 * 1024 * 1024;

/**
 * Decodes adjacent frames and leaves `input` after the last one. Between two frames, `goesOn` decides whether to decode
 * the next.
 */
export async function* unzstd(input: ByteReader, goesOn: () => boolean): AsyncGenerator<Uint8Array, void> {
  do {
    if (isZstdData(await readExactly(input, 4))) yield* inBlocks(frame(input));
    else await input.skip(littleEndian(await readExactly(input, 4)));
  } while (goesOn() && isZstd(await input.peek(4)));
}

async function* frame(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  const start = input.position - 4;
  const { Decompress } = await import('fzstd');
  const hash = new Xxh64();
  const output: Uint8Array[] = [];
  const decoder = new Decompress((bytes) => {
    output.push(bytes);
  });
  const { header, hasChecksum } = await frameHeader(input, start);
  feed(decoder, header, start);
  for (let last = false; !last; ) {
    const [b0 = 0, b1 = 0, b2 = 0] = await peek(input, 3);
    const kind = (b0 >> 1) & 3;
    const size = (b0 | (b1 << 8) | (b2 << 16)) >>> 3;
    if (kind === 3 || size > BLOCK_LIMIT) throw corrupt(input.position);
    last = (b0 & 1) === 1;
    const repeated = kind === 1;
    feed(decoder, await readExactly(input, 3 + (repeated ? 1 : size)), start, last);
    for (const bytes of output.splice(0)) {
      if (hasChecksum) hash.update(bytes);
      yield bytes;
    }
  }
  if (hasChecksum && littleEndian(await readExactly(input, 4)) !== hash.low32()) {
    throw new IsoError('ISO_BAD_ARCHIVE', "Restored data doesn't match checksum", { offset: start });
  }
}

/** The frame header without the checksum flag: the decoder would not verify the checksum, so it never gets it. */
async function frameHeader(input: ByteReader, start: number): Promise<{ header: Uint8Array; hasChecksum: boolean }> {
  const [descriptor = 0, windowByte = 0] = await peek(input, 2);
  const singleSegment = (descriptor & 0x20) !== 0;
  const contentSizeLength = CONTENT_SIZE_LENGTHS[descriptor >> 6] || (singleSegment ? 1 : 0);
  const idLength = DICTIONARY_ID_LENGTHS[descriptor & 3] ?? 0;
  const rest = await readExactly(input, 1 + (singleSegment ? 0 : 1) + idLength + contentSizeLength);
  if (littleEndian(rest.subarray(singleSegment ? 1 : 2).subarray(0, idLength)) !== 0) {
    throw new IsoError('ISO_BAD_ARCHIVE', 'Dictionary mismatch', { offset: start });
  }
  const windowSize = singleSegment
    ? littleEndian(rest.subarray(1 + idLength)) + (contentSizeLength === 2 ? 256 : 0)
    : 2 ** (10 + (windowByte >> 3)) * (1 + (windowByte & 7) / 8);
  if (windowSize > WINDOW_LIMIT) {
    throw new IsoError('ISO_BAD_ARCHIVE', 'Frame requires too much memory for decoding', { offset: start });
  }
  const header = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, ...rest);
  header[4] = descriptor & ~0x04;
  return { header, hasChecksum: (descriptor & 0x04) !== 0 };
}

function feed(
  decoder: { push(bytes: Uint8Array, last?: boolean): void },
  bytes: Uint8Array,
  start: number,
  last = false,
): void {
  try {
    decoder.push(bytes, last);
  } catch (cause) {
    throw new IsoError('ISO_BAD_ARCHIVE', CORRUPT, { offset: start, cause });
  }
}

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}

async function peek(input: ByteReader, length: number): Promise<Uint8Array> {
  const bytes = await input.peek(length);
  if (bytes.length < length) throw new CutStream('premature EOF reading zstd frame', input.position);
  return bytes;
}

async function readExactly(input: ByteReader, length: number): Promise<Uint8Array> {
  const bytes = await peek(input, length);
  input.advance(length);
  return bytes;
}

const CORRUPT = 'Data corruption detected';

function corrupt(offset: number): IsoError {
  return new IsoError('ISO_BAD_ARCHIVE', CORRUPT, { offset });
}
