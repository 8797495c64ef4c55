import { compose, type Segment, segmentsOf } from '../bytes/compose.ts';
import { type ByteSource, CHUNK_SIZE } from '../bytes/source.ts';
import { acquireBuffer, releaseBuffer } from './buffers.ts';
import { type FileSource, isFileSource, readFile, readFileAhead } from './file-source.ts';
import { allocate } from './io.ts';

/** Number of chunks, a few milliseconds of work, after which the event loop gets a turn. */
const BURST = 32;

/**
 * Passes the bytes of `source` to `use` in order, through one buffer: a chunk is valid until `use` has ended. The loop
 * awaits only real promises and allocates next to nothing, because 8 GiB are 65,536 chunks.
 */
export async function eachChunk(
  source: ByteSource,
  signal: AbortSignal | undefined,
  use: (chunk: Uint8Array, offset: number) => Promise<void> | undefined,
): Promise<void> {
  const buffer = allocate(Math.min(CHUNK_SIZE, source.size));
  const fill = filler(compose([source]).segments(), signal);
  let count = 0;
  for (let offset = 0; offset < source.size; offset += buffer.length) {
    if (++count % BURST === 0) await new Promise(setImmediate);
    signal?.throwIfAborted();
    const left = source.size - offset;
    const chunk = left < buffer.length ? buffer.subarray(0, left) : buffer;
    const filling = fill(chunk, offset);
    if (filling !== undefined) await filling;
    const using = use(chunk, offset);
    if (using !== undefined) await using;
  }
}

/**
 * The same for a slow `use`: reads the next chunk while `use` works on the current one. A chunk is valid until the
 * promise of `use` settles.
 */
export async function eachChunkAhead(
  source: ByteSource,
  signal: AbortSignal | undefined,
  use: (chunk: Uint8Array, offset: number) => Promise<void>,
): Promise<void> {
  const fill = filler(compose([source]).segments(), signal);
  let [buffer, other] = [acquireBuffer(source.size), undefined as Uint8Array | undefined];
  let using: Promise<void> = Promise.resolve();
  for (let offset = 0; offset < source.size; offset += buffer.length) {
    if (offset > 0) [buffer, other] = [other ?? acquireBuffer(source.size), buffer];
    signal?.throwIfAborted();
    const left = source.size - offset;
    const chunk = left < buffer.length ? buffer.subarray(0, left) : buffer;
    const filling = fill(chunk, offset);
    if (filling !== undefined) await filling;
    await using;
    using = use(chunk, offset);
    // If reading fails first, nothing awaits this promise.
    using.catch(() => undefined);
  }
  await using;
  // Not released after a failure, when they may still be in use.
  for (const each of [buffer, other]) if (each !== undefined) releaseBuffer(each);
}

/** Passes the bytes of a `source` of at most one chunk to `use`, in a buffer that is reused afterwards. */
export async function withChunk(
  source: ByteSource,
  signal: AbortSignal | undefined,
  use: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const buffer = acquireBuffer(source.size);
  const chunk = buffer.length === source.size ? buffer : buffer.subarray(0, source.size);
  const filling = filler(segmentsOf(source), signal)(chunk, 0);
  if (filling !== undefined) await filling;
  await use(chunk);
  // Not released after a failure, when it may still be in use.
  releaseBuffer(buffer);
}

/** The size of a piece: large enough to be worth a thread. */
const PIECE_SIZE = 1024 * 1024;

/**
 * The same for a synchronous `use`, such as writing to a file: a thread reads the next piece while `use` works on the
 * current one. A piece is valid until the promise of `use` settles.
 */
export async function eachPiece(
  source: ByteSource,
  signal: AbortSignal | undefined,
  use: (piece: Uint8Array, offset: number) => Promise<void> | undefined,
): Promise<void> {
  const fill = filler(compose([source]).segments(), signal, readFileAhead);
  const length = Math.min(PIECE_SIZE, source.size);
  const read = async (buffer: Uint8Array, offset: number): Promise<Uint8Array> => {
    const piece = buffer.subarray(0, Math.min(length, source.size - offset));
    await fill(piece, offset);
    return piece;
  };
  let [buffer, other] = [allocate(length), allocate(source.size > length ? length : 0)];
  let reading = read(buffer, 0);
  try {
    for (let offset = 0; offset < source.size; offset += length) {
      const piece = await reading;
      signal?.throwIfAborted();
      [buffer, other] = [other, buffer];
      if (offset + length < source.size) {
        reading = read(buffer, offset + length);
        // If `use` fails first, nothing awaits this promise.
        reading.catch(() => undefined);
      }
      await use(piece, offset);
    }
  } finally {
    // The file must stay open, and the memory unused, until the thread has finished.
    await reading.catch(() => undefined);
  }
}

/** Reads a file synchronously or in a thread. */
type ReadFile = (file: FileSource, into: Uint8Array, offset: number) => Promise<void> | undefined;

const readAtOnce: ReadFile = (file, into, offset) => {
  readFile(file, into, offset);
  return undefined;
};

/** Fills one chunk after another, and remembers the current segment. */
function filler(
  segments: readonly Segment[],
  signal: AbortSignal | undefined,
  readFrom: ReadFile = readAtOnce,
): (chunk: Uint8Array, offset: number) => Promise<unknown> | undefined {
  let index = 0;
  return (chunk, offset) => {
    const end = offset + chunk.length;
    const waiting: Promise<void>[] = [];
    for (let segment = segments[index]; segment !== undefined; segment = segments[++index]) {
      const from = Math.max(offset, segment.start);
      const to = Math.min(end, segment.start + segment.length);
      const place = to - from === chunk.length ? chunk : chunk.subarray(from - offset, to - offset);
      const filling = fillFrom(segment, from - segment.start, place, signal, readFrom);
      if (filling !== undefined) waiting.push(filling);
      if (segment.start + segment.length > end) break;
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting);
  };
}

function fillFrom(
  segment: Segment,
  skip: number,
  into: Uint8Array,
  signal: AbortSignal | undefined,
  readFrom: ReadFile,
): Promise<void> | undefined {
  if ('bytes' in segment) {
    into.set(segment.bytes.subarray(skip, skip + into.length));
    return undefined;
  }
  if (isFileSource(segment.source)) return readFrom(segment.source, into, segment.offset + skip);
  return segment.source.read(segment.offset + skip, into.length, signal).then((bytes) => into.set(bytes));
}
