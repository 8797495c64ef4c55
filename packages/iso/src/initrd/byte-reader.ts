import { type ByteSource, CHUNK_SIZE } from '../bytes/source.ts';
import { firstNonZero } from '../bytes/zero-bytes.ts';
import { IsoError } from '../errors.ts';

/** The input of a reader. */
export interface Feed {
  /** At least one byte, or `undefined` at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Skips up to `length` bytes without fetching them; returns the number skipped. */
  skip?(length: number): number;
  /** Frees the resources of an unfinished feed. */
  close?(): Promise<void>;
}

const EMPTY = new Uint8Array(0);

/** Reads bytes in order, in pieces of the caller's choice. */
export class ByteReader {
  readonly #feed: Feed;
  #chunk: Uint8Array = EMPTY;
  #position = 0;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** The number of consumed bytes. */
  get position(): number {
    return this.#position;
  }

  /** The buffered bytes, fetching some if there are none; empty at the end. Only `advance` consumes them. */
  async buffered(): Promise<Uint8Array> {
    if (this.#chunk.length === 0) this.#chunk = (await this.#feed.next()) ?? EMPTY;
    return this.#chunk;
  }

  /** Consumes `length` buffered bytes. */
  advance(length: number): void {
    this.#chunk = this.#chunk.subarray(length);
    this.#position += length;
  }

  /** The next `length` bytes without consuming them; fewer where the input ends. */
  async peek(length: number): Promise<Uint8Array> {
    while (this.#chunk.length < length) {
      const more = await this.#feed.next();
      if (more === undefined) break;
      const joined = new Uint8Array(this.#chunk.length + more.length);
      joined.set(this.#chunk);
      joined.set(more, this.#chunk.length);
      this.#chunk = joined;
    }
    return this.#chunk.subarray(0, length);
  }

  /** Consumes exactly `length` bytes. Callers limit `length`, because all bytes are held in memory. */
  async take(length: number): Promise<Uint8Array> {
    const bytes = await this.peek(length);
    if (bytes.length < length) throw this.#endsTooEarly();
    this.advance(length);
    return bytes;
  }

  /** Skips `length` bytes, fetching them only if the feed cannot skip. */
  async skip(length: number): Promise<void> {
    let left = length;
    while (left > 0) {
      if (this.#chunk.length === 0 && this.#feed.skip !== undefined) {
        if (this.#feed.skip(left) < left) throw this.#endsTooEarly();
        this.#position += left;
        return;
      }
      const step = Math.min(left, (await this.buffered()).length);
      if (step === 0) throw this.#endsTooEarly();
      this.advance(step);
      left -= step;
    }
  }

  /** Skips zero bytes; returns whether other bytes follow. */
  async skipZeros(): Promise<boolean> {
    for (;;) {
      const bytes = await this.buffered();
      if (bytes.length === 0) return false;
      const data = firstNonZero(bytes);
      this.advance(data === -1 ? bytes.length : data);
      if (data !== -1) return true;
    }
  }

  async close(): Promise<void> {
    await this.#feed.close?.();
  }

  #endsTooEarly(): IsoError {
    const offset = this.#position + this.#chunk.length;
    return new IsoError('ISO_BAD_ARCHIVE', 'failed to fill whole buffer', { offset });
  }
}

const FIRST_READ = 16 * 1024;

/**
 * Reads a source from its beginning. Sequential reads grow in size, and start small again after a skip, so that
 * listings fetch little.
 */
export function sourceReader(source: ByteSource, signal?: AbortSignal): ByteReader {
  let position = 0;
  let length = FIRST_READ;
  return new ByteReader({
    async next() {
      if (position === source.size) return undefined;
      const chunk = await source.read(position, Math.min(length, source.size - position), signal);
      position += chunk.length;
      length = Math.min(2 * length, CHUNK_SIZE);
      return chunk;
    },
    skip(wanted) {
      const skipped = Math.min(wanted, source.size - position);
      position += skipped;
      length = FIRST_READ;
      return skipped;
    },
  });
}

/** Reads the output of a decoder. */
export function chunkReader(chunks: AsyncGenerator<Uint8Array, void>): ByteReader {
  return new ByteReader({
    async next() {
      for (;;) {
        const { done, value } = await chunks.next();
        if (done) return undefined;
        if (value.length > 0) return value;
      }
    },
    async close() {
      await chunks.return();
    },
  });
}
