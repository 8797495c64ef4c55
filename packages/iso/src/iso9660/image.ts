import type { ByteSource } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { readBothEndian32, SECTOR } from './fields.ts';

/** Something a strict reader would stumble over and this one does not. */
export interface Oddity {
  readonly message: string;
  /** Byte position in the image. */
  readonly offset: number;
}

/** Directories and continuation areas worth keeping: a whole live image needs a few dozen kilobytes. */
const CACHE_BYTES = 4 << 20;
/** Enough to describe a broken image, too few to fill the memory. */
const MAX_ODDITIES = 100;

/** The image as its parsers see it: reads are checked against its end and remembered, oddities are collected. */
export class Image {
  readonly source: ByteSource;
  readonly oddities: Oddity[] = [];
  readonly #cache = new Map<string, Uint8Array>();
  #cached = 0;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /** Refuses what lies outside the image, before anything is spent on it. */
  checkBounds(offset: number, length: number): void {
    if (length > 0 && offset + length > this.source.size) {
      throw new IsoError('ISO_SHORT_READ', 'failed to fill whole buffer', { offset });
    }
  }

  /** `length` bytes at a position that the image itself named. */
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

  /** `length` bytes at `offset`, fetched by whole sectors because its neighbours are usually asked for next. */
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

  /** The little-endian copy of a number; that the other one differs is noted. `base` is where `bytes` lies in the image. */
  both32(bytes: Uint8Array, at: number, base: number, field: string): number {
    const { value, agrees } = readBothEndian32(bytes, at);
    if (!agrees) this.note(`the two byte orders of the ${field} differ`, base + at);
    return value;
  }
}
