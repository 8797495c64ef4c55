import { checkArgument, checkOptions, WORK } from '@coreiso/peers/arguments';
import { segmentsOf } from './compose.ts';
import {
  type ByteSource,
  blobBehind,
  CHUNK_SIZE,
  checkRange,
  isZeros,
  type OwnBytes,
  type WorkOptions,
} from './source.ts';

/** Number of reads under way while the consumer works: enough to keep another process or a server busy. */
const AHEAD = 3;

/**
 * A stream of the bytes in order, read a few pieces ahead. Cancelling the stream stops pending reads.
 *
 * @example
 * ```ts
 * const { overlay } = await edit(image, { ignition });
 * return new Response(toReadableStream(overlay));
 * ```
 */
export function toReadableStream(
  source: ByteSource,
  options: WorkOptions & {
    readonly start?: number | undefined;
    /** The position after the last byte. */
    readonly end?: number | undefined;
  } = {},
): ReadableStream<OwnBytes> {
  checkArgument('source', source, 'source');
  checkOptions(options, { start: 'number', end: 'number', ...WORK });
  const { start = 0, end = source.size, onProgress } = options;
  checkRange(source.size, start, end - start);
  const cancelled = new AbortController();
  const signal = AbortSignal.any([cancelled.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const pieces = piecesOf(source, start, end);
  const ahead: Promise<OwnBytes>[] = [];
  let done = 0;
  return new ReadableStream({
    async pull(controller) {
      signal.throwIfAborted();
      while (ahead.length < AHEAD) {
        const { value: piece } = pieces.next();
        if (piece === undefined) break;
        const reading = source.read(piece.offset, piece.length, signal);
        // If the stream is cancelled, nothing awaits this read.
        reading.catch(() => undefined);
        ahead.push(reading);
      }
      const chunk = await ahead.shift();
      if (chunk !== undefined) {
        signal.throwIfAborted();
        done += chunk.length;
        controller.enqueue(chunk);
        onProgress?.({ done, total: end - start });
      }
      if (done === end - start) controller.close();
    },
    cancel(reason) {
      cancelled.abort(reason);
    },
  });
}

/**
 * The range of each read: as large as the part's own source prefers, and never across parts with different preferences.
 */
function* piecesOf(
  source: ByteSource,
  start: number,
  end: number,
): Generator<{ offset: number; length: number }, void> {
  let offset = start;
  for (const run of runsOf(source)) {
    const runEnd = Math.min(end, run.end);
    for (; offset < runEnd; offset += Math.min(run.pieceSize, runEnd - offset)) {
      yield { offset, length: Math.min(run.pieceSize, runEnd - offset) };
    }
  }
}

/** Runs of parts with the same piece size; small parts in memory join the run before them. */
function* runsOf(source: ByteSource): Generator<{ end: number; pieceSize: number }, void> {
  let run: { end: number; pieceSize: number } | undefined;
  for (const segment of segmentsOf(source)) {
    const end = segment.start + segment.length;
    const isSmall = 'bytes' in segment && segment.length <= CHUNK_SIZE;
    const own = 'source' in segment ? segment.source.pieceSize : undefined;
    const pieceSize = isSmall && run !== undefined ? run.pieceSize : (own ?? CHUNK_SIZE);
    if (run !== undefined && run.pieceSize !== pieceSize) yield run;
    run = { end, pieceSize };
  }
  if (run !== undefined) yield run;
}

/**
 * Converts a source to a Blob, which a page can save or send. Parts from a Blob, such as a picked file, are referenced without
 * reading; zeros cost nothing; all other parts are read.
 *
 * @example
 * ```ts
 * const { overlay } = await edit(await openLiveImage(file), { ignition });
 * link.href = URL.createObjectURL(await toBlob(overlay));
 * ```
 */
export async function toBlob(
  source: ByteSource,
  options: WorkOptions & {
    /** The media type of the Blob (default: `application/octet-stream`). */
    readonly type?: string | undefined;
  } = {},
): Promise<Blob> {
  checkArgument('source', source, 'source');
  checkOptions(options, { type: 'text', ...WORK });
  const { type = 'application/octet-stream', signal, onProgress } = options;
  const parts: (Blob | OwnBytes)[] = [];
  for (const segment of segmentsOf(source)) {
    signal?.throwIfAborted();
    const end = segment.start + segment.length;
    if ('bytes' in segment) parts.push(segment.bytes);
    else if (isZeros(segment.source)) parts.push(zeroBlob(segment.length));
    else {
      const blob = blobBehind(segment.source);
      if (blob !== undefined) parts.push(blob.slice(segment.offset, segment.offset + segment.length));
      else {
        for (const { offset, length } of piecesOf(source, segment.start, end)) {
          // A Blob of its own for each piece lets the browser keep it on disk.
          parts.push(new Blob([await source.read(offset, length, signal)]));
          onProgress?.({ done: offset + length, total: source.size });
        }
      }
    }
    onProgress?.({ done: end, total: source.size });
  }
  return new Blob(parts, { type });
}

/** A Blob of zeros, made by repeating a small one. */
function zeroBlob(length: number): Blob {
  const block = new Blob([new Uint8Array(Math.min(length, CHUNK_SIZE))]);
  const blocks: Blob[] = new Array(Math.floor(length / CHUNK_SIZE)).fill(block);
  return new Blob([...blocks, block.slice(0, length % CHUNK_SIZE)]);
}
