import { compose, type Segment } from '../bytes/compose.ts';
import { type ByteSource, CHUNK_SIZE } from '../bytes/source.ts';
import { giveBuffer, takeBuffer } from './buffers.ts';
import { isFileSource, readFile } from './file-source.ts';
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
  let [buffer, other] = [takeBuffer(source.size), undefined as Uint8Array | undefined];
  let using: Promise<void> = Promise.resolve();
  for (let offset = 0; offset < source.size; offset += buffer.length) {
    if (offset > 0) [buffer, other] = [other ?? takeBuffer(source.size), buffer];
    signal?.throwIfAborted();
    const left = source.size - offset;
    const chunk = left < buffer.length ? buffer.subarray(0, left) : buffer;
    const filling = fill(chunk, offset);
    if (filling !== undefined) await filling;
    await using;
    using = use(chunk, offset);
    // Whoever waits for it passes its failure on; where reading fails first, nobody does.
    using.catch(() => undefined);
  }
  await using;
  // After a failure somebody may still look at them.
  for (const each of [buffer, other]) if (each !== undefined) giveBuffer(each);
}

/** Fills one chunk after the other, and remembers in which segment it is. */
function filler(
  segments: readonly Segment[],
  signal: AbortSignal | undefined,
): (chunk: Uint8Array, offset: number) => Promise<unknown> | undefined {
  let index = 0;
  return (chunk, offset) => {
    const end = offset + chunk.length;
    const waiting: Promise<void>[] = [];
    for (let segment = segments[index]; segment !== undefined; segment = segments[++index]) {
      const from = Math.max(offset, segment.start);
      const to = Math.min(end, segment.start + segment.length);
      const place = to - from === chunk.length ? chunk : chunk.subarray(from - offset, to - offset);
      const filling = fillFrom(segment, from - segment.start, place, signal);
      if (filling !== undefined) waiting.push(filling);
      if (segment.start + segment.length > end) break;
    }
    return waiting.length === 0 ? undefined : Promise.all(waiting);
  };
}

function fillFrom(segment: Segment, skip: number, into: Uint8Array, signal?: AbortSignal): Promise<void> | undefined {
  if ('bytes' in segment) {
    into.set(segment.bytes.subarray(skip, skip + into.length));
  } else if (isFileSource(segment.source)) {
    readFile(segment.source, into, segment.offset + skip);
  } else {
    return segment.source.read(segment.offset + skip, into.length, signal).then((bytes) => into.set(bytes));
  }
  return undefined;
}
