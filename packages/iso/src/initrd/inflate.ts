// DEFLATE (RFC 1951) by pako's low-level stream, which stops at the end of a stream and does not read the bytes after
// it.
import { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { IsoError } from '../errors.ts';
import type { ByteReader } from './byte-reader.ts';

/** No header and no trailer around the stream; the largest window. */
const RAW = -15;
const OUTPUT = 64 * 1024;

/** Decodes one stream and leaves `input` after it. */
export async function* inflate(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  const stream = new ZStream();
  zlibInflateInit2(stream, RAW);
  // Input may come in small pieces, so each one's output is appended to the same buffer.
  let output = new Uint8Array(0);
  stream.avail_out = 0;
  for (;;) {
    const bytes = await input.buffered();
    stream.input = bytes;
    stream.next_in = 0;
    stream.avail_in = bytes.length;
    do {
      if (stream.avail_out === 0) {
        output = new Uint8Array(OUTPUT);
        stream.output = output;
        stream.next_out = 0;
        stream.avail_out = OUTPUT;
      }
      const { next_in: read, next_out: start } = stream;
      const status = zlibInflate(stream, Z_NO_FLUSH);
      input.advance(stream.next_in - read);
      if (status !== Z_OK && status !== Z_STREAM_END && status !== Z_BUF_ERROR) {
        throw deflateError(`corrupt deflate stream: ${stream.msg}`, input.position);
      }
      yield output.subarray(start, stream.next_out);
      if (status === Z_STREAM_END) return;
    } while (stream.avail_out === 0);
    if (bytes.length === 0) throw deflateError('failed to fill whole buffer', input.position);
  }
}

function deflateError(message: string, offset: number): IsoError {
  return new IsoError('ISO_BAD_ARCHIVE', message, { offset });
}
