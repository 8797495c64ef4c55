import { compose, type Segment, segmentsOf } from '../bytes/compose.ts';
import { type ByteSource, CHUNK_SIZE } from '../bytes/source.ts';
import { acquireBuffer, releaseBuffer } from './buffers.ts';
import { type FileSource, isFileSource, readFile, readFileAhead } from './file-source.ts';
import { allocate } from './io.ts';

/** After so many chunks other work of the program gets its turn: a few milliseconds. */
const BURST = 32;

/**
 * Passes the bytes of `source` to `use` in order, all through one buffer: a chunk is valid until `use` has ended. The
 * loop waits only where there is something to wait for, and allocates next to nothing: 8 GiB are 65,536 chunks.
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
 * The same for those who take their time: while `use` works on one chunk the next is read. A chunk is valid until what
 * `use` returns has ended.
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
    // Anyone who waits for it passes its failure on; where reading fails first, no one does.
    using.catch(() => undefined);
  }
  await using;
  // After a failure someone may still look at them.
  for (const each of [buffer, other]) if (each !== undefined) releaseBuffer(each);
}

/** Passes the bytes of a `source` that is no longer than a chunk to `use`, in memory that is used again once that has ended. */
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
  // After a failure someone may still look at it.
  releaseBuffer(buffer);
}

/** The size of a chunk: large enough to be worth a thread. */
const PIECE_SIZE = 1024 * 1024;

/**
 * The same for those who work without a pause, such as anyone who writes to a file: while `use` works on one piece a thread
 * reads the next. A piece is valid until what `use` returns has ended.
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
        // The next turn passes its failure on; where `use` fails first, no one does.
        reading.catch(() => undefined);
      }
      await use(piece, offset);
    }
  } finally {
    // No one may close the file, or use the memory for something else, while a thread is at it.
    await reading.catch(() => undefined);
  }
}

/** How a file is read: at once, or by a thread. */
type ReadFile = (file: FileSource, into: Uint8Array, offset: number) => Promise<void> | undefined;

const readAtOnce: ReadFile = (file, into, offset) => {
  readFile(file, into, offset);
  return undefined;
};

/** Fills one chunk after the other, and remembers in which segment it is. */
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
