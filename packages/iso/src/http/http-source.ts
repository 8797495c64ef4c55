import { checkArgument, checkOptions, checkWhole } from '@coreiso/peers/arguments';
import { setIdentity } from '../bytes/identity.ts';
import { type ByteSource, bytesSource, checkRange, concatBytes, type OwnBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { entityTag } from './entity-tag.ts';
import { Origin, type WholeSink } from './origin.ts';
import type { ByteRange } from './ranges.ts';
import type { HttpSourceOptions } from './remote-options.ts';
import { type PinnedVersion, parseDate } from './validators.ts';

/** A file on a server, as it was when it was opened. */
export interface HttpSource extends ByteSource {
  readonly pieceSize: number;
  /** The server's entity tag. */
  readonly etag: string | undefined;
  readonly lastModified: Date | undefined;
}

/**
 * The first request: the descriptors of an ISO 9660 image and, in real live images, all directories. The bytes before
 * are rarely read.
 */
const HEAD: ByteRange = { start: 32 * 1024, end: 72 * 1024 };
/** Smaller reads are for metadata, which is close together but not read in order. */
const SMALL = 8 * 1024;
/**
 * Small reads fetch this much around their first sector. Directories are read backwards, and in images of 2023 a boot
 * menu is 6 KiB before `igninfo.json`, which is read first.
 */
const WINDOW = 10 * 1024;
const WINDOW_BEFORE = 6 * 1024;
const SECTOR = 2048;
/** The maximum of one request, and the size of each read of a whole file. */
const SPAN = 1024 * 1024;
/** Prefetching begins after this many bytes of sequential reads. */
const SEQUENTIAL = SPAN / 2;
/** Number of bytes to prefetch. */
const AHEAD = 4 * SPAN;
const CACHE = 16 * SPAN;

/**
 * Opens a file on a server for random access by Range requests. Its size, entity tag and date are pinned: reads are of the
 * file as it was opened, or fail with `ISO_CHANGED`.
 *
 * @example
 * ```ts
 * const base = await httpSource('https://mirror.example/rhcos-live.iso');
 * const image = await openLiveImage(base); // a few requests, whatever the size
 * ```
 */
export async function httpSource(url: string | URL, options: HttpSourceOptions = {}): Promise<HttpSource> {
  const origin = new Origin(checkUrl(url), checkHttpOptions(options));
  let opened: Awaited<ReturnType<Origin['open']>>;
  try {
    opened = await origin.open(HEAD);
  } catch (error) {
    if (!(error instanceof IsoError) || !['ISO_NO_RANGES', 'ISO_BAD_ANSWER'].includes(error.code)) throw error;
    if (options.whole !== true) {
      throw new IsoError(error.code, `${error.message}; fetch it whole into memory (whole: true)`);
    }
    const chunks: Uint8Array[] = [];
    const sink: WholeSink = {
      restart() {
        chunks.length = 0;
      },
      write(chunk) {
        chunks.push(chunk);
      },
    };
    const pinned = await origin.whole(sink, options.onProgress);
    const memory = bytesSource(concatBytes(chunks));
    const source = describe(pinned, (offset, length, signal) => memory.read(offset, length, signal));
    setIdentity(source, () => entityTag(memory));
    return source;
  }
  const { pinned, start, bytes } = opened;
  const cache = new ExtentCache(origin, pinned);
  cache.keep({ start, end: start + bytes.length }, bytes);
  const source = describe(pinned, async (offset, length, signal) => {
    signal?.throwIfAborted();
    options.signal?.throwIfAborted();
    checkRange(pinned.size, offset, length);
    return cache.read(offset, offset + length, signal);
  });
  const { validator, size } = pinned;
  setIdentity(source, async () => (validator === undefined ? undefined : `${origin.href} ${validator} ${size}`));
  return source;
}

/** Fetches a whole file from a server without ranges into a sink. */
export async function fetchWhole(url: string, options: HttpSourceOptions, sink: WholeSink): Promise<void> {
  await new Origin(checkUrl(url), checkHttpOptions(options)).whole(sink, options.onProgress);
}

function describe({ size, etag, lastModified }: PinnedVersion, read: ByteSource['read']): HttpSource {
  const seconds = parseDate(lastModified ?? null);
  return {
    size,
    pieceSize: SPAN,
    etag,
    lastModified: seconds === undefined ? undefined : new Date(seconds * 1000),
    read,
  };
}

function checkUrl(url: string | URL): URL {
  const text = url instanceof URL ? url.href : url;
  checkArgument('url', text, 'text');
  // On a page, the address may be relative.
  const page = globalThis.location?.href;
  const parsed = URL.canParse(text, page) ? new URL(text, page) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new TypeError('url must be an address that begins with http:// or https://');
  }
  return parsed;
}

/** Timers count in 31 bits. */
const LONGEST_TIMER = 2 ** 31 - 1;

function checkHttpOptions(options: HttpSourceOptions): HttpSourceOptions {
  checkOptions(options, {
    fetch: 'function',
    retries: 'number',
    timeout: 'number',
    minRate: 'number',
    parallel: 'number',
    signal: 'signal',
    whole: 'flag',
    onProgress: 'function',
    onRetry: 'function',
  });
  const { retries = 0, timeout = 1, minRate = 0, parallel = 1 } = options;
  checkWhole('retries', retries);
  checkWhole('parallel', parallel, 1);
  if (!(minRate >= 0)) throw new RangeError(`minRate must be a number of bytes per second, not ${minRate}`);
  if (!(timeout >= 1 && timeout <= LONGEST_TIMER)) {
    throw new RangeError(`timeout must be 1 to ${LONGEST_TIMER} milliseconds, not ${timeout}`);
  }
  return options;
}

/** A run of the file that is cached or being fetched. */
interface Extent extends ByteRange {
  readonly bytes: Promise<OwnBytes>;
  /** Counts the reads that wait for the bytes. */
  wait(change: 1 | -1): void;
}

/** Recent, pending and prefetched spans. */
class ExtentCache {
  readonly #origin: Origin;
  readonly #pinned: PinnedVersion;
  /** Ordered by use, the most recent last. */
  #extents: Extent[] = [];
  /** The end of the last read, and the number of bytes read sequentially so far. */
  #next = -1;
  #run = 0;

  constructor(origin: Origin, pinned: PinnedVersion) {
    this.#origin = origin;
    this.#pinned = pinned;
  }

  keep({ start, end }: ByteRange, bytes: OwnBytes): void {
    if (start < end) this.#extents.push({ start, end, bytes: Promise.resolve(bytes), wait: () => undefined });
  }

  async read(start: number, end: number, signal: AbortSignal | undefined): Promise<OwnBytes> {
    const needed = this.#cover(start, end);
    this.#run = start === this.#next ? this.#run + end - start : 0;
    this.#next = end;
    if (this.#run >= SEQUENTIAL) this.#readAhead(end);
    this.#forget();
    const pieces = await waitFor(needed, signal);
    const [only] = needed;
    const [first] = pieces;
    if (only !== undefined && first !== undefined && needed.length === 1) {
      return first.subarray(start - only.start, end - only.start);
    }
    const bytes = new Uint8Array(end - start);
    for (const [index, extent] of needed.entries()) {
      const from = Math.max(start, extent.start);
      const to = Math.min(end, extent.end);
      const piece = pieces[index]?.subarray(from - extent.start, to - extent.start);
      if (piece !== undefined) bytes.set(piece, from - start);
    }
    return bytes;
  }

  /** The extents that hold the bytes from `start` up to `end`; requests the missing ones. */
  #cover(start: number, end: number): Extent[] {
    const found: Extent[] = [];
    for (let position = start; position < end; ) {
      const extent = this.#at(position) ?? this.#fetch(this.#gap(position, end));
      found.push(extent);
      position = extent.end;
    }
    this.#extents = [...this.#extents.filter((extent) => !found.includes(extent)), ...found];
    return found;
  }

  /** Prefetches more once half of the prefetched bytes are used: topping up at each read would send many requests. */
  #readAhead(position: number): void {
    let covered = position;
    for (let extent = this.#at(covered); extent !== undefined; extent = this.#at(covered)) covered = extent.end;
    if (covered - position <= AHEAD / 2) this.#cover(covered, Math.min(this.#pinned.size, position + AHEAD));
  }

  #at(position: number): Extent | undefined {
    return this.#extents.find((extent) => extent.start <= position && position < extent.end);
  }

  /** The range to fetch for missing bytes at `position`: at most a span, or a window for a few bytes. */
  #gap(position: number, end: number): ByteRange {
    const wanted = Math.min(end, position + SPAN);
    const isSmall = wanted - position < SMALL;
    const before = this.#extents.filter((extent) => extent.end <= position).map((extent) => extent.end);
    const start = isSmall ? Math.max(position - (position % SECTOR) - WINDOW_BEFORE, 0, ...before) : position;
    const after = this.#extents.filter((extent) => extent.start > position).map((extent) => extent.start);
    return { start, end: Math.min(isSmall ? Math.max(wanted, start + WINDOW) : wanted, this.#pinned.size, ...after) };
  }

  #fetch(range: ByteRange): Extent {
    const unwanted = new AbortController();
    let waiting = 0;
    let isHere = false;
    const drop = (): void => {
      this.#extents = this.#extents.filter((other) => other !== extent);
    };
    const bytes = this.#origin.read(this.#pinned, range, unwanted.signal);
    const extent: Extent = {
      ...range,
      bytes,
      wait(change) {
        waiting += change;
        if (waiting > 0 || isHere) return;
        // Drops it first, so that no new read finds the aborted extent.
        drop();
        unwanted.abort();
      },
    };
    bytes.then(() => {
      isHere = true;
    }, drop);
    return extent;
  }

  #forget(): void {
    let total = this.#extents.reduce((sum, { start, end }) => sum + end - start, 0);
    while (total > CACHE) {
      const oldest = this.#extents.shift();
      if (oldest === undefined) return;
      total -= oldest.end - oldest.start;
    }
  }
}

/** Waits for the bytes of all `extents` or for `signal`, which does not affect other reads of them. */
async function waitFor(extents: readonly Extent[], signal: AbortSignal | undefined): Promise<OwnBytes[]> {
  for (const extent of extents) extent.wait(1);
  let stop: () => void = () => undefined;
  try {
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
    });
    return await Promise.race([Promise.all(extents.map(({ bytes }) => bytes)), aborted]);
  } finally {
    signal?.removeEventListener('abort', stop);
    for (const extent of extents) extent.wait(-1);
  }
}
