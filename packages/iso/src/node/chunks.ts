import { isComposition, type Segment } from '../bytes/compose.ts';
import { type ByteSource, CHUNK_SIZE } from '../bytes/source.ts';
import { isFileSource, readFile } from './file-source.ts';
import { allocate, pieces } from './io.ts';

/** After so many chunks other work of the program gets its turn: a few milliseconds. */
const BURST = 32;

/** Passes the bytes of `source` to `use` in order, all through one buffer: a chunk is valid until `use` has ended. */
export async function eachChunk(
  source: ByteSource,
  signal: AbortSignal | undefined,
  use: (chunk: Uint8Array, offset: number) => Promise<void> | undefined,
): Promise<void> {
  const buffer = allocate(Math.min(CHUNK_SIZE, source.size));
  let count = 0;
  for (const { offset, length } of pieces(0, source.size, CHUNK_SIZE)) {
    if (++count % BURST === 0) await new Promise(setImmediate);
    signal?.throwIfAborted();
    const chunk = length === buffer.length ? buffer : buffer.subarray(0, length);
    // In a long loop even waiting for nothing takes its time.
    const filling = fill(chunk, source, offset, signal);
    if (filling !== undefined) await filling;
    const using = use(chunk, offset);
    if (using !== undefined) await using;
  }
}

/** `undefined` where nothing has to be waited for. */
function fill(into: Uint8Array, source: ByteSource, offset: number, signal?: AbortSignal): Promise<void> | undefined {
  if (isFileSource(source)) {
    readFile(source, into, offset);
    return undefined;
  }
  return isComposition(source)
    ? fillFromSegments(into, source.segments(offset, offset + into.length), offset, signal)
    : source.read(offset, into.length, signal).then((bytes) => into.set(bytes));
}

function fillFromSegments(
  into: Uint8Array,
  segments: readonly Segment[],
  offset: number,
  signal?: AbortSignal,
): Promise<void> | undefined {
  const waiting: Promise<void>[] = [];
  for (const segment of segments) {
    const start = segment.start - offset;
    // A view of its own for every chunk would be the most of what this loop leaves to the garbage collector.
    const place = segment.length === into.length ? into : into.subarray(start, start + segment.length);
    if ('bytes' in segment) {
      place.set(segment.bytes);
    } else {
      const filling = fill(place, segment.source, segment.offset, signal);
      if (filling !== undefined) waiting.push(filling);
    }
  }
  return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
}
