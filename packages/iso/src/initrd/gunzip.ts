import { Z_DATA_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { IsoError } from '../errors.ts';
import type { ByteReader } from './byte-reader.ts';

/** Window of 32 KiB, and a gzip header and no other (zlib manual, inflateInit2). */
const GZIP_ONLY = 15 + 16;
const OUTPUT_LENGTH = 64 * 1024;

/**
 * Decodes one gzip member (RFC 1952) and leaves `input` right behind it. The low-level stream is used because the
 * comfortable one runs on into the next member.
 */
export async function* gunzip(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  const stream = new ZStream();
  zlibInflateInit2(stream, GZIP_ONLY);
  let status: number = Z_OK;
  while (status !== Z_STREAM_END) {
    const bytes = await input.buffered();
    if (bytes.length === 0) {
      throw new IsoError('ISO_BAD_ARCHIVE', 'failed to fill whole buffer', { offset: input.position });
    }
    stream.input = bytes;
    stream.next_in = 0;
    stream.avail_in = bytes.length;
    do {
      stream.output = new Uint8Array(OUTPUT_LENGTH);
      stream.next_out = 0;
      stream.avail_out = OUTPUT_LENGTH;
      status = zlibInflate(stream, Z_NO_FLUSH);
      if (stream.next_out > 0) yield stream.output.subarray(0, stream.next_out);
    } while (status === Z_OK && stream.avail_out === 0);
    if (status < 0 && !(stream.avail_in === 0 && status !== Z_DATA_ERROR)) {
      throw new IsoError('ISO_BAD_ARCHIVE', `corrupt gzip stream: ${stream.msg}`, { offset: input.position });
    }
    input.advance(stream.next_in);
  }
}
