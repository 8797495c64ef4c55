import { type Bytes, zeros } from '../../bytes/source.ts';
import { SECTOR } from '../fields.ts';
import type { FileData } from './tree.ts';

/** The largest whole number of sectors whose length fits the 32 bits of a record: larger files need several extents. */
const LONGEST_EXTENT = 2 ** 32 - SECTOR;

/** The extent of a file's data in one directory record. */
export interface Extent {
  readonly sector: number;
  readonly length: number;
  /** Whether the file ends here; otherwise it continues in the next record (ECMA-119 9.1.6, multi-extent). */
  readonly last: boolean;
}

/** Number of records that a file of this size needs. */
export function extentCount(size: number): number {
  return Math.max(1, Math.ceil(size / LONGEST_EXTENT));
}

/** The data of all files and their sectors. */
export class PlacedData {
  readonly #sectors = new Map<FileData, number>();
  readonly #start: number;
  /** The sector after the last one. */
  readonly end: number;

  /** Places files one after another from sector `start`, in the given order. */
  constructor(files: Iterable<FileData>, start: number) {
    this.#start = start;
    let next = start;
    const empty: FileData[] = [];
    for (const data of files) {
      if (data.size === 0) {
        empty.push(data);
        continue;
      }
      const step = data.align / SECTOR;
      next = Math.ceil(next / step) * step;
      this.#sectors.set(data, next);
      next += Math.ceil(data.size / SECTOR);
    }
    // Empty files share one sector of their own: a place inside the image without other files' bytes.
    for (const data of empty) this.#sectors.set(data, next);
    this.end = empty.length > 0 ? next + 1 : next;
  }

  sectorOf(data: FileData): number {
    return this.#sectors.get(data) as number;
  }

  extentOf(data: FileData, part: number): Extent {
    const skipped = part * LONGEST_EXTENT;
    return {
      sector: this.sectorOf(data) + skipped / SECTOR,
      length: Math.min(LONGEST_EXTENT, data.size - skipped),
      last: part === extentCount(data.size) - 1,
    };
  }

  /** The bytes from `start` to `end`; `replaced` has the contents that replace a file's own. */
  *parts(replaced: ReadonlyMap<FileData, Bytes>): Generator<Bytes> {
    let position = this.#start * SECTOR;
    for (const [data, sector] of this.#sectors) {
      if (data.size === 0) continue;
      yield zeros(sector * SECTOR - position);
      yield replaced.get(data) ?? data.content;
      position = sector * SECTOR + data.size;
    }
    yield zeros(this.end * SECTOR - position);
  }
}
