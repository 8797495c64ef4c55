import type { ByteSource } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { readBothEndian32, SECTOR } from './fields.ts';

/** A fault that this reader tolerates and a strict reader may not. */
export interface Oddity {
  readonly message: string;
  /** Byte position in the image. */
  readonly offset: number;
}

/** Size of the cache for directories and continuation areas: a whole live image needs a few dozen kilobytes. */
const CACHE_BYTES = 4 << 20;
/** Enough to describe a broken image, too few to fill the memory. */
const MAX_ODDITIES = 100;

/** The image for its parsers: checks reads against its end, caches them, and collects oddities. */
export class Image {
  readonly source: ByteSource;
  readonly oddities: Oddity[] = [];
  readonly #cache = new Map<string, Uint8Array>();
  #cached = 0;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /** Refuses a range outside the image before reading or allocating. */
  checkBounds(offset: number, length: number): void {
    if (length > 0 && offset + length > this.source.size) {
      throw new IsoError('ISO_SHORT_READ', 'failed to fill whole buffer', { offset });
    }
  }

  /** Reads `length` bytes at a position that comes from the image. */
  async read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const key = `${offset}:${length}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    this.checkBounds(offset, length);
    const bytes = await this.source.read(offset, length, signal);
    if (this.#cached + length <= CACHE_BYTES) {
      this.#cache.set(key, bytes);
      this.#cached += length;
    }
    return bytes;
  }

  /** Reads `length` bytes at `offset`, by whole sectors, because the neighbouring bytes are usually read next. */
  async readWithin(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    const start = offset - (offset % SECTOR);
    const end = Math.min(Math.ceil((offset + length) / SECTOR) * SECTOR, Math.max(this.source.size, offset + length));
    const sectors = await this.read(start, end - start, signal);
    return sectors.subarray(offset - start, offset - start + length);
  }

  note(message: string, offset: number): void {
    const known = this.oddities.some((oddity) => oddity.offset === offset && oddity.message === message);
    if (!known && this.oddities.length < MAX_ODDITIES) this.oddities.push({ message, offset });
  }

  /**
   * The little-endian copy of a number; notes an oddity if the other copy differs. `base` is the position of `bytes` in
   * the image.
   */
  both32(bytes: Uint8Array, at: number, base: number, field: string): number {
    const { value, agrees } = readBothEndian32(bytes, at);
    if (!agrees) this.note(`the two byte orders of the ${field} differ`, base + at);
    return value;
  }
}
