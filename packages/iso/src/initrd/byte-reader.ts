import { type ByteSource, CHUNK_SIZE } from '../bytes/source.ts';
import { firstNonZero } from '../bytes/zero-bytes.ts';
import { IsoError } from '../errors.ts';

/** Where a reader gets its bytes from. */
export interface Feed {
  /** At least one byte, or `undefined` at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Leaves bytes out without fetching them; returns how many there were to leave out. */
  skip?(length: number): number;
  /** Frees what an unfinished feed holds. */
  close?(): Promise<void>;
}

const EMPTY = new Uint8Array(0);

/** Reads bytes in order, in whatever pieces the caller needs, however they arrive. */
export class ByteReader {
  readonly #feed: Feed;
  #chunk: Uint8Array = EMPTY;
  #position = 0;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** How many bytes were consumed. */
  get position(): number {
    return this.#position;
  }

  /** The bytes at hand, fetching some if there are none; empty at the end. They stay until `advance`. */
  async buffered(): Promise<Uint8Array> {
    if (this.#chunk.length === 0) this.#chunk = (await this.#feed.next()) ?? EMPTY;
    return this.#chunk;
  }

  /** Consumes `length` of the bytes at hand. */
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

  /** Exactly `length` bytes. Callers bound `length`: that much is held in memory. */
  async take(length: number): Promise<Uint8Array> {
    const bytes = await this.peek(length);
    if (bytes.length < length) throw this.#endsTooEarly();
    this.advance(length);
    return bytes;
  }

  /** Passes over `length` bytes, fetching them only where the feed cannot leave them out. */
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

  /** Passes over zero bytes and tells whether anything follows them. */
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

/** Reads a source from its beginning. Reads grow while they continue one another, so that listings fetch little. */
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

/** Reads what a decoder puts out. */
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
