import { checkArgument, checkWhole, isBlob, isBytes } from '@coreiso/peers/arguments';
import { IsoError } from '../errors.ts';

/**
 * Bytes that this package returns: not in shared memory, so `new Blob`, `crypto.subtle` and `writable.write` accept them
 * (`Uint8Array<ArrayBuffer>` since TypeScript 5.7).
 */
export type OwnBytes = ReturnType<Uint8Array['slice']>;

/** Random access to bytes, local or remote. */
export interface ByteSource {
  readonly size: number;
  /** Preferred size of sequential reads (default: 128 KiB). */
  readonly pieceSize?: number;
  /**
   * Resolves to exactly `length` bytes from `offset`, or rejects. The result is read-only and may be kept: the source never
   * changes or reuses it.
   */
  read(offset: number, length: number, signal?: AbortSignal): Promise<OwnBytes>;
}

/** Contents in any form. Bytes in memory are not copied: do not change them afterwards. */
export type Bytes = Uint8Array | ByteSource;

/** An image, or an initramfs, in any form. */
export type ImageInput = Bytes | Blob;

/**
 * Size of the pieces in which bytes are copied: larger ones do not fit into the processor's cache and take twice as
 * long.
 */
export const CHUNK_SIZE: number = 128 * 1024;

/** Options of long operations. */
export interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

export type Progress = Parameters<NonNullable<WorkOptions['onProgress']>>[0];

/** Rejects reads outside `0 … size`, which an adapter might silently shorten. */
export function checkRange(size: number, offset: number, length: number): void {
  checkWhole('offset', offset);
  checkWhole('length', length);
  if (offset + length > size) {
    const available = Math.max(0, size - offset);
    throw new IsoError('ISO_SHORT_READ', `wanted ${length} bytes at ${offset}, got ${available}`, { offset });
  }
}

/** The same bytes, copied if they are in a `SharedArrayBuffer`, which platform functions do not accept. */
export function ownBytes(bytes: Uint8Array): OwnBytes {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as OwnBytes) : new Uint8Array(bytes);
}

const memories = new WeakMap<ByteSource, OwnBytes>();

/**
 * Bytes already in memory; reads are views, never copies.
 *
 * @example
 * ```ts
 * const image = await openLiveImage(bytesSource(await readFile('rhcos-live.iso')));
 * ```
 */
export function bytesSource(bytes: Uint8Array): ByteSource {
  checkArgument('bytes', bytes, 'bytes');
  const own = ownBytes(bytes);
  const source: ByteSource = {
    size: own.length,
    async read(offset, length, signal) {
      signal?.throwIfAborted();
      checkRange(own.length, offset, length);
      return own.subarray(offset, offset + length);
    },
  };
  memories.set(source, own);
  return source;
}

/** The bytes behind a source that was made by `bytesSource`. */
export function bytesBehind(source: ByteSource): OwnBytes | undefined {
  return memories.get(source);
}

/** Browsers send every read of a file to another process; with pieces of this size, the cost is negligible. */
const BLOB_PIECE = 8 * 1024 * 1024;

const blobs = new WeakMap<ByteSource, Blob>();

/**
 * Any `Blob`: a dropped `File`, `fs.openAsBlob()`, a `Response`'s blob.
 *
 * @example
 * ```ts
 * const [file] = document.querySelector('input').files;
 * const image = await openLiveImage(blobSource(file));
 * ```
 */
export function blobSource(blob: Blob): ByteSource {
  checkArgument('blob', blob, 'blob');
  const source: ByteSource = {
    size: blob.size,
    pieceSize: BLOB_PIECE,
    async read(offset, length, signal) {
      signal?.throwIfAborted();
      checkRange(blob.size, offset, length);
      const bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
      // A file on disk may have shrunk since the Blob was made.
      checkRange(offset + bytes.length, offset, length);
      return bytes;
    },
  };
  blobs.set(source, blob);
  return source;
}

/** The Blob behind a source that was made by `blobSource`. */
export function blobBehind(source: ByteSource): Blob | undefined {
  return blobs.get(source);
}

const runsOfZeros = new WeakSet<ByteSource>();

/**
 * A run of zeros that costs no memory until it is read.
 *
 * @example
 * ```ts
 * const padded = compose([archive, zeros(4096 - archive.size)]);
 * ```
 */
export function zeros(length: number): ByteSource {
  checkRange(Number.MAX_SAFE_INTEGER, 0, length);
  const source: ByteSource = {
    size: length,
    async read(offset, count, signal) {
      signal?.throwIfAborted();
      checkRange(length, offset, count);
      return new Uint8Array(count);
    },
  };
  runsOfZeros.add(source);
  return source;
}

/** Whether a source was made by `zeros`. */
export function isZeros(source: ByteSource): boolean {
  return runsOfZeros.has(source);
}

/** Converts an argument to a source. */
export function sourceOf(input: ImageInput, parameter = 'source'): ByteSource {
  checkArgument(parameter, input, 'input');
  if (isBytes(input)) return bytesSource(input);
  return isBlob(input) ? blobSource(input) : input;
}

/** Size of the content in bytes. */
export function sizeOf(content: Bytes): number {
  return isBytes(content) ? content.length : content.size;
}

/**
 * Reads contents into memory, unless they are there already.
 *
 * @example
 * ```ts
 * const files = await readFiles(initrd);
 * const config = await bytesOf(files.get('config.ign').content);
 * ```
 */
export async function bytesOf(content: Bytes, signal?: AbortSignal): Promise<OwnBytes> {
  checkArgument('content', content, 'content');
  return isBytes(content) ? ownBytes(content) : content.read(0, content.size, signal);
}

/** All chunks in one array; a single chunk is returned as it is. */
export function concatBytes(chunks: readonly Uint8Array[]): OwnBytes {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return ownBytes(first);
  const whole = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    whole.set(chunk, position);
    position += chunk.length;
  }
  return whole;
}

/** Bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The same bytes, with those from `start` up to `end` fetched once and cached: the metadata of an image takes many
 * small reads close together, and each may be a trip to a disk or a server.
 */
export function withKept(source: ByteSource, start: number, end: number): ByteSource {
  const keptEnd = Math.min(end, source.size);
  let kept: Promise<OwnBytes> | undefined;
  return {
    size: source.size,
    async read(offset, count, signal) {
      if (offset < start || offset + count > keptEnd) return source.read(offset, count, signal);
      checkRange(keptEnd, offset, count);
      signal?.throwIfAborted();
      kept ??= source.read(start, keptEnd - start, signal);
      try {
        return (await kept).subarray(offset - start, offset - start + count);
      } catch {
        // The failure may come from another reader's signal, or from bytes outside this read.
        kept = undefined;
        return source.read(offset, count, signal);
      }
    },
  };
}
