import { type ByteSource, checkRange } from './source.ts';

/**
 * The same bytes, with the first `length` fetched once and kept: where an image describes itself many small reads lie
 * close together, and each of them may be a trip to a disk or a server.
 */
export function withHead(source: ByteSource, length: number): ByteSource {
  const headLength = Math.min(length, source.size);
  let head: Promise<Uint8Array> | undefined;
  return {
    size: source.size,
    async read(offset, count, signal) {
      if (offset + count > headLength) return source.read(offset, count, signal);
      checkRange(headLength, offset, count);
      signal?.throwIfAborted();
      head ??= source.read(0, headLength, signal);
      try {
        return (await head).subarray(offset, offset + count);
      } catch {
        // Of another reader's signal, or of bytes that this one did not ask for.
        head = undefined;
        return source.read(offset, count, signal);
      }
    },
  };
}
