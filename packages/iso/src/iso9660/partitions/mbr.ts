// Master boot records in the System Area of hybrid images. Left out: extended partitions.
import { readU8, readU16Le, readU32Le, writeU32Le } from '../fields.ts';

/** Partition tables count in disk sectors, not CD sectors. */
export const DISK_SECTOR = 512;

/** The geometry isohybrid assumes: a cylinder is 1 MiB. Images are padded to whole cylinders. */
const HEADS = 64;
const SECTORS_PER_TRACK = 32;
export const CYLINDER: number = HEADS * SECTORS_PER_TRACK * DISK_SECTOR;
/** The maximum for a field of ten bits. */
const MOST_CYLINDERS = 1024;

/** Byte positions in a master boot record; isohybrid's boot code has its own field for the place of its image. */
export const MBR = { bootImage: 432, diskSignature: 440, entries: 446, entrySize: 16, signature: 510 } as const;

/** Byte positions in one of its four entries. */
export const MBR_ENTRY = { active: 0, type: 4, chsEnd: 5, firstSector: 8, sectorCount: 12 } as const;

/** A used entry of a master boot record. */
type MbrPartition = Mbr['partitions'][number];

/** The contents of a master boot record. */
export interface Mbr {
  readonly diskSignature: number;
  readonly partitions: readonly {
    /** Position in the table, from 1. */
    readonly number: number;
    readonly active: boolean;
    /** The type byte: 0xEF is an EFI system partition, 0xEE protects a GPT. */
    readonly type: number;
    /** Byte position in the image. */
    readonly offset: number;
    readonly length: number;
  }[];
}

/** The master boot record in the first 512 bytes; `undefined` without its signature. */
export function parseMbr(sector: Uint8Array): Mbr | undefined {
  if (sector.length < DISK_SECTOR || readU16Le(sector, MBR.signature) !== 0xaa55) return undefined;
  const partitions: MbrPartition[] = [];
  for (let index = 0; index < 4; index++) {
    const entry = sector.subarray(MBR.entries + index * MBR.entrySize, MBR.entries + (index + 1) * MBR.entrySize);
    const length = readU32Le(entry, MBR_ENTRY.sectorCount) * DISK_SECTOR;
    // isohybrid gives type 0 to the partition that covers the image, so only the length shows whether an entry is used.
    if (length === 0) continue;
    const offset = readU32Le(entry, MBR_ENTRY.firstSector) * DISK_SECTOR;
    partitions.push({
      number: index + 1,
      active: entry[MBR_ENTRY.active] === 0x80,
      type: readU8(entry, MBR_ENTRY.type),
      offset,
      length,
    });
  }
  return { diskSignature: readU32Le(sector, MBR.diskSignature), partitions };
}

/** Extends an entry from the first sector to the end of a disk with whole cylinders. */
export function coverDisk(entry: Uint8Array, size: number): void {
  const last = Math.min(size / CYLINDER, MOST_CYLINDERS) - 1;
  entry.set([HEADS - 1, SECTORS_PER_TRACK | ((last >> 2) & 0xc0), last & 0xff], MBR_ENTRY.chsEnd);
  writeU32Le(entry, MBR_ENTRY.sectorCount, Math.min(size / DISK_SECTOR, 0xffffffff));
}
