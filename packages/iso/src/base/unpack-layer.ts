import { IsoError } from '../errors.ts';
import { isZstd } from '../initrd/archive-format.ts';
import { type ByteReader, chunkReader } from '../initrd/byte-reader.ts';

/** The layer with a release's live images has 3 GB. The limit stops gzip bombs. */
const MOST_UNPACKED = 32 * 1024 ** 3;

const GZIP = [0x1f, 0x8b];

/** The tar archive of a layer, detected by its first bytes: media types are not always right. */
export async function unpackLayer(
  stream: ReadableStream<Uint8Array>,
  limit: number = MOST_UNPACKED,
): Promise<ReadableStream<Uint8Array>> {
  const input = chunkReader(chunksOf(stream));
  const head = await input.peek(4);
  if (GZIP.every((byte, index) => head[index] === byte)) {
    // The platform's types do not accept the stream without a cast.
    const gunzip = new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>;
    return streamOf(limitLength(chunksOf(streamOf(remainingChunks(input)).pipeThrough(gunzip)), limit));
  }
  return streamOf(isZstd(head) ? limitLength(zstdFrames(input), limit) : remainingChunks(input));
}

async function* zstdFrames(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  try {
    const { unzstd } = await import('../initrd/unzstd.ts');
    yield* unzstd(input, () => true);
    if ((await input.peek(1)).length > 0) {
      throw new IsoError('ISO_BAD_ARCHIVE', 'data follows the last zstd frame', { offset: input.position });
    }
  } finally {
    await input.close();
  }
}

/** The remaining bytes of the reader. */
async function* remainingChunks(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  try {
    for (let bytes = await input.buffered(); bytes.length > 0; bytes = await input.buffered()) {
      input.advance(bytes.length);
      yield bytes;
    }
  } finally {
    await input.close();
  }
}

async function* limitLength(chunks: AsyncGenerator<Uint8Array, void>, limit: number): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limit) throw new IsoError('ISO_UNPACK_LIMIT', `a layer unpacks to more than ${limit} bytes`);
    yield chunk;
  }
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // Its failure does not matter any more.
    reader.cancel().catch(() => undefined);
  }
}

/** A stream that pulls each chunk on demand. */
function streamOf(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}
