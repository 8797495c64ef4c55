import { IsoError } from '../errors.ts';

/** Random access to bytes that may be far away. */
export interface ByteSource {
  readonly size: number;
  /**
   * Exactly `length` bytes from `offset`, or a rejection. What comes back is read-only for the caller and may be kept:
   * the source never changes or reuses it.
   */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Contents in whichever form the caller has them. Bytes in memory are not copied: leave them alone afterwards. */
export type Bytes = Uint8Array | ByteSource;

/** The piece in which bytes are moved: larger ones fall out of the processor's cache and take twice as long. */
export const CHUNK_SIZE: number = 128 * 1024;

/** What long work reports to its caller. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Options of everything long. */
export interface WorkOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Rejects reads outside `0 … size` before any adapter turns them into something shorter. */
export function checkRange(size: number, offset: number, length: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) throw new RangeError(`offset: ${offset} is not a byte position`);
  if (!Number.isSafeInteger(length) || length < 0) throw new RangeError(`length: ${length} is not a byte count`);
  if (offset + length > size) {
    const available = Math.max(0, size - offset);
    throw new IsoError('ISO_SHORT_READ', `wanted ${length} bytes at ${offset}, got ${available}`, { offset });
  }
}

/** Bytes already in memory; reads are views, never copies. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    async read(offset, length, signal) {
      signal?.throwIfAborted();
      checkRange(bytes.length, offset, length);
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** Any `Blob`: a dropped `File`, `fs.openAsBlob()`, a `Response`'s blob. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    async read(offset, length, signal) {
      signal?.throwIfAborted();
      checkRange(blob.size, offset, length);
      const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
      // A file on disk may have shrunk since the Blob was made.
      checkRange(offset + bytes.length, offset, length);
      return bytes;
    },
  };
}

/** A run of zeros that costs no memory until it is read. */
export function zeros(length: number): ByteSource {
  checkRange(Number.MAX_SAFE_INTEGER, 0, length);
  return {
    size: length,
    async read(offset, count, signal) {
      signal?.throwIfAborted();
      checkRange(length, offset, count);
      return new Uint8Array(count);
    },
  };
}
