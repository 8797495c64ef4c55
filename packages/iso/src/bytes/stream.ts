import { type ByteSource, CHUNK_SIZE, checkRange, type WorkOptions } from './source.ts';

/** Which bytes to stream; all of them by default. */
export interface StreamOptions extends WorkOptions {
  readonly start?: number;
  /** The position after the last byte. */
  readonly end?: number;
}

/** The bytes in order, read as the consumer asks for them; cancelling the stream stops the read under way. */
export function toReadableStream(source: ByteSource, options: StreamOptions = {}): ReadableStream<Uint8Array> {
  const { start = 0, end = source.size, onProgress } = options;
  checkRange(source.size, start, end - start);
  const cancelled = new AbortController();
  const signal = AbortSignal.any([cancelled.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  let position = start;
  return new ReadableStream({
    async pull(controller) {
      signal.throwIfAborted();
      if (position < end) {
        const chunk = await source.read(position, Math.min(CHUNK_SIZE, end - position), signal);
        signal.throwIfAborted();
        position += chunk.length;
        controller.enqueue(chunk);
        onProgress?.({ done: position - start, total: end - start });
      }
      if (position === end) controller.close();
    },
    cancel(reason) {
      cancelled.abort(reason);
    },
  });
}
