import { checkArgument, isBytes } from '@coreiso/peers/arguments';
import { type ByteSource, type Bytes, checkRange, type OwnBytes, ownBytes, sizeOf } from './source.ts';

/** A source composed of parts, with the origin of each of its bytes. */
export interface Composition extends ByteSource {
  /** The origins of the bytes from `start` (0) up to `end` (the size), in order and without gaps. */
  segments(
    start?: number,
    end?: number,
  ): ({
    /** Where the segment begins in the composition. */
    readonly start: number;
    readonly length: number;
  } & ({ readonly bytes: OwnBytes } | { readonly source: ByteSource; readonly offset: number }))[];
}

/** A run of bytes with one origin: memory, or what another source holds from `offset` on. */
export type Segment = ReturnType<Composition['segments']>[number];

/**
 * Concatenates `parts` into one source. Compositions among them are replaced by their segments.
 *
 * @example
 * ```ts
 * const initramfs = compose([await fileSource('initrd.img'), archive]);
 * ```
 */
export function compose(parts: Iterable<Bytes>): Composition {
  checkArgument('parts', parts, 'list');
  const segments: Segment[] = [];
  let size = 0;
  for (const part of parts) {
    checkArgument('parts', part, 'content');
    for (const segment of segmentsOf(part)) {
      append(segments, segmentAt(segment, size));
      size += segment.length;
    }
  }
  if (!Number.isSafeInteger(size))
    throw new RangeError(`parts must be at most ${Number.MAX_SAFE_INTEGER} bytes, not ${size}`);
  return new SegmentedSource(segments, size);
}

/**
 * A source of `length` bytes of `source` from `offset`.
 *
 * @example
 * ```ts
 * const systemArea = slice(image, 0, 32768);
 * ```
 */
export function slice(source: ByteSource, offset: number, length: number): Composition {
  checkArgument('source', source, 'source');
  checkRange(source.size, offset, length);
  const segments = segmentsOf(source, offset, offset + length);
  return new SegmentedSource(
    segments.map((segment) => segmentAt(segment, segment.start - offset)),
    length,
  );
}

class SegmentedSource implements Composition {
  readonly size: number;
  readonly #segments: readonly Segment[];

  constructor(segments: readonly Segment[], size: number) {
    this.#segments = segments;
    this.size = size;
  }

  segments(start: number = 0, end: number = this.size): Segment[] {
    checkRange(this.size, start, end - start);
    return clipped(this.#segments, start, end);
  }

  async read(offset: number, length: number, signal?: AbortSignal): Promise<OwnBytes> {
    signal?.throwIfAborted();
    checkRange(this.size, offset, length);
    const segments = clipped(this.#segments, offset, offset + length);
    const [only] = segments;
    if (only !== undefined && segments.length === 1) return readSegment(only, signal);
    const bytes = new Uint8Array(length);
    for (const segment of segments) bytes.set(await readSegment(segment, signal), segment.start - offset);
    return bytes;
  }
}

async function readSegment(segment: Segment, signal: AbortSignal | undefined): Promise<OwnBytes> {
  return 'bytes' in segment ? segment.bytes : segment.source.read(segment.offset, segment.length, signal);
}

/** The origins of the bytes of `part` from `start` up to `end`. */
export function segmentsOf(part: Bytes, start = 0, end: number = sizeOf(part)): Segment[] {
  if (!isBytes(part) && isComposition(part)) return part.segments(start, end);
  const whole: Segment = isBytes(part)
    ? { start: 0, length: part.length, bytes: ownBytes(part) }
    : { start: 0, length: part.size, source: part, offset: 0 };
  return clipped([whole], start, end);
}

function isComposition(source: ByteSource): source is Composition {
  return 'segments' in source && typeof source.segments === 'function';
}

/**
 * Appends a segment, merging it with its neighbour if it continues it, so that slicing and rejoining leaves no extra
 * segments.
 */
function append(segments: Segment[], next: Segment): void {
  const last = segments.at(-1);
  if (
    last !== undefined &&
    'source' in last &&
    'source' in next &&
    last.source === next.source &&
    last.offset + last.length === next.offset
  ) {
    segments[segments.length - 1] = { ...last, length: last.length + next.length };
  } else {
    segments.push(next);
  }
}

function clipped(segments: readonly Segment[], start: number, end: number): Segment[] {
  const found: Segment[] = [];
  if (start === end) return found;
  for (let index = indexAt(segments, start); index < segments.length; index++) {
    const segment = segments[index] as Segment;
    if (segment.start >= end) break;
    found.push(clip(segment, start, end));
  }
  return found;
}

/** The last segment that begins at or before `position`. */
function indexAt(segments: readonly Segment[], position: number): number {
  let low = 0;
  let high = segments.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((segments[middle] as Segment).start <= position) low = middle;
    else high = middle;
  }
  return low;
}

/** The same bytes at another place. */
function segmentAt(segment: Segment, start: number): Segment {
  return 'bytes' in segment
    ? { start, length: segment.length, bytes: segment.bytes }
    : { start, length: segment.length, source: segment.source, offset: segment.offset };
}

function clip(segment: Segment, start: number, end: number): Segment {
  const skipped = Math.max(0, start - segment.start);
  const length = Math.min(segment.length, end - segment.start) - skipped;
  if (length === segment.length) return segment;
  const from = segment.start + skipped;
  return 'bytes' in segment
    ? { start: from, length, bytes: segment.bytes.subarray(skipped, skipped + length) }
    : { start: from, length, source: segment.source, offset: segment.offset + skipped };
}
