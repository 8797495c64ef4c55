import { crc32 } from '../checksums/crc32.ts';
import { IsoError } from '../errors.ts';
import type { ByteReader } from './byte-reader.ts';

/** RFC 1952 2.3.1. */
const DEFLATE = 8;
const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/**
 * Unpacks the deflate stream at the start of `input`; returns `undefined` if it is truncated or damaged; the portable
 * decoder then reports the fault.
 */
export type Inflate = (input: Uint8Array) =>
  | {
      /** Length of the deflate stream. */
      readonly length: number;
      /** The unpacked bytes. */
      readonly bytes: Uint8Array;
      /** The CRC-32 of `bytes`. */
      readonly crc: number;
    }
  | undefined;

/** The input size for an `Inflate`: enough for every area that has not grown. */
const AT_ONCE = 1024 * 1024;

/** Decodes one gzip member (RFC 1952) and leaves `input` after it. */
export async function* gunzip(input: ByteReader, inflateAtOnce?: Inflate): AsyncGenerator<Uint8Array, void> {
  const start = input.position;
  await skipHeader(input);
  let crc = 0;
  let length = 0;
  const stream = inflateAtOnce?.(await input.peek(AT_ONCE));
  if (stream !== undefined) {
    input.advance(stream.length);
    crc = stream.crc;
    length = stream.bytes.length;
    yield stream.bytes;
  } else {
    // Loaded on use: with a faster `Inflate`, most programs never need this decoder.
    const { inflate } = await import('./inflate.ts');
    for await (const bytes of inflate(input)) {
      crc = crc32(bytes, crc);
      length += bytes.length;
      yield bytes;
    }
  }
  const trailer = await input.take(8);
  const view = new DataView(trailer.buffer, trailer.byteOffset, trailer.byteLength);
  if (view.getUint32(0, true) !== crc || view.getUint32(4, true) !== length % 2 ** 32) {
    throw gzipError('corrupt gzip stream does not have a matching checksum', start);
  }
}

async function skipHeader(input: ByteReader): Promise<void> {
  const start = input.position;
  const [, , method = 0, flags = 0] = await input.take(10);
  if (method !== DEFLATE || (flags & FLAG.reserved) !== 0) throw gzipError('invalid gzip header', start);
  if (flags & FLAG.extra) {
    const [low = 0, high = 0] = await input.take(2);
    await input.skip(low | (high << 8));
  }
  if (flags & FLAG.name) await skipText(input);
  if (flags & FLAG.comment) await skipText(input);
  if (flags & FLAG.headerCrc) await input.skip(2);
}

async function skipText(input: ByteReader): Promise<void> {
  while ((await input.take(1))[0] !== 0);
}

function gzipError(message: string, offset: number): IsoError {
  return new IsoError('ISO_BAD_ARCHIVE', message, { offset });
}
