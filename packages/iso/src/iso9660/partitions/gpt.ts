// GUID partition tables (UEFI 5.3) with sectors of 512 bytes. Left out: tables with sectors of 4096 bytes.
import { toHex } from '../../bytes/source.ts';
import { crc32 } from '../../checksums/crc32.ts';
import { readLatin1, readU16Le, readU32Le, readU64Le, writeU32Le, writeU64Le } from '../fields.ts';
import { DISK_SECTOR } from './mbr.ts';

/** Byte positions in a GPT header, UEFI 5.3.2. */
export const GPT_HEADER = {
  signature: 0,
  revision: 8,
  headerSize: 12,
  headerCrc: 16,
  ownSector: 24,
  otherSector: 32,
  firstUsable: 40,
  lastUsable: 48,
  diskGuid: 56,
  entriesSector: 72,
  entryCount: 80,
  entrySize: 84,
  entriesCrc: 88,
} as const;

/** Byte positions in a GPT partition entry, UEFI 5.3.3. */
export const GPT_ENTRY = { type: 0, guid: 16, firstSector: 32, lastSector: 40, attributes: 48, name: 56 } as const;

/** UEFI 5.3.2: the first eight bytes of a GPT header. */
export const GPT_SIGNATURE = 'EFI PART';

/** The header length without additions of later revisions. */
export const SHORTEST_GPT_HEADER = 92;
/** UEFI 5.3.3: the length of an entry is this, times a power of two. */
export const SHORTEST_GPT_ENTRY = 128;

/** A used entry of a GPT. */
type GptPartition = Gpt['partitions'][number];

/** A GPT header with unchecked values. */
export type GptHeader = Gpt['header'];

/** A GPT, read from its first copy. */
export interface Gpt {
  readonly header: {
    readonly revision: number;
    readonly headerSize: number;
    readonly ownSector: number;
    readonly otherSector: number;
    readonly firstUsable: number;
    readonly lastUsable: number;
    readonly diskGuid: string;
    readonly entriesSector: number;
    readonly entryCount: number;
    readonly entrySize: number;
    readonly entriesCrc: number;
    /** Whether the header's own checksum is right. */
    readonly intact: boolean;
  };
  readonly partitions: readonly {
    /** Position in the table, from 1. */
    readonly number: number;
    readonly type: string;
    readonly guid: string;
    readonly name: string;
    /** Byte position in the image. */
    readonly offset: number;
    readonly length: number;
  }[];
  /** Whether the checksums of header and entries are right. */
  readonly intact: boolean;
  /** The state of the backup copy at the end of the disk: its place and checksums. */
  readonly backup: 'intact' | 'damaged' | 'missing';
}

/** The GPT header in one disk sector; `undefined` without its signature. */
export function parseGptHeader(sector: Uint8Array): GptHeader | undefined {
  if (sector.length < SHORTEST_GPT_HEADER || readLatin1(sector, 0, 8) !== GPT_SIGNATURE) return undefined;
  const headerSize = readU32Le(sector, GPT_HEADER.headerSize);
  return {
    revision: readU32Le(sector, GPT_HEADER.revision),
    headerSize,
    ownSector: readU64Le(sector, GPT_HEADER.ownSector),
    otherSector: readU64Le(sector, GPT_HEADER.otherSector),
    firstUsable: readU64Le(sector, GPT_HEADER.firstUsable),
    lastUsable: readU64Le(sector, GPT_HEADER.lastUsable),
    diskGuid: readGuid(sector, GPT_HEADER.diskGuid),
    entriesSector: readU64Le(sector, GPT_HEADER.entriesSector),
    entryCount: readU32Le(sector, GPT_HEADER.entryCount),
    entrySize: readU32Le(sector, GPT_HEADER.entrySize),
    entriesCrc: readU32Le(sector, GPT_HEADER.entriesCrc),
    intact: headerCrc(sector, headerSize) === readU32Le(sector, GPT_HEADER.headerCrc),
  };
}

/** UEFI 5.3.2: the checksum is computed with its own field set to zero. */
function headerCrc(sector: Uint8Array, headerSize: number): number | undefined {
  if (headerSize < SHORTEST_GPT_HEADER || headerSize > sector.length) return undefined;
  // Not `slice`, which does not copy a Node `Buffer`.
  const header = new Uint8Array(sector.subarray(0, headerSize));
  header.fill(0, GPT_HEADER.headerCrc, GPT_HEADER.headerCrc + 4);
  return crc32(header);
}

/** The used entries of a GPT's table. */
export function parseGptEntries(bytes: Uint8Array, entrySize: number): GptPartition[] {
  const partitions: GptPartition[] = [];
  for (let index = 0; (index + 1) * entrySize <= bytes.length; index++) {
    const entry = bytes.subarray(index * entrySize, (index + 1) * entrySize);
    if (entry.subarray(GPT_ENTRY.type, GPT_ENTRY.guid).every((byte) => byte === 0)) continue;
    const first = readU64Le(entry, GPT_ENTRY.firstSector);
    const last = readU64Le(entry, GPT_ENTRY.lastSector);
    partitions.push({
      number: index + 1,
      type: readGuid(entry, GPT_ENTRY.type),
      guid: readGuid(entry, GPT_ENTRY.guid),
      name: readGptName(entry),
      offset: first * DISK_SECTOR,
      length: Math.max(0, last - first + 1) * DISK_SECTOR,
    });
  }
  return partitions;
}

function readGptName(entry: Uint8Array): string {
  let name = '';
  for (let at: number = GPT_ENTRY.name; at < SHORTEST_GPT_ENTRY; at += 2) {
    const unit = readU16Le(entry, at);
    if (unit === 0) break;
    name += String.fromCharCode(unit);
  }
  return name;
}

/** UEFI appendix A: the first three groups of a GUID are little-endian. */
function readGuid(bytes: Uint8Array, offset: number): string {
  const hex = (from: number, to: number) => toHex(bytes.subarray(offset + from, offset + to));
  const swapped = (from: number, to: number) =>
    toHex(new Uint8Array(bytes.subarray(offset + from, offset + to)).reverse());
  return [swapped(0, 4), swapped(4, 6), swapped(6, 8), hex(8, 10), hex(10, 16)].join('-').toUpperCase();
}

/**
 * Both copies of a table for a disk of `size` bytes. `header` has all fields that do not depend on the place of a copy,
 * and the sector of the first copy's entries. The second copy is at the end of the disk: entries, then the header.
 */
export function encodeGpt(
  header: Uint8Array,
  entries: Uint8Array,
  size: number,
): { readonly header: Uint8Array; readonly backup: Uint8Array } {
  const last = size / DISK_SECTOR - 1;
  const backupEntries = last - Math.ceil(entries.length / DISK_SECTOR);
  const copy = (own: number, other: number, entriesSector: number): Uint8Array => {
    const bytes = new Uint8Array(header);
    writeU64Le(bytes, GPT_HEADER.ownSector, own);
    writeU64Le(bytes, GPT_HEADER.otherSector, other);
    writeU64Le(bytes, GPT_HEADER.lastUsable, backupEntries - 1);
    writeU64Le(bytes, GPT_HEADER.entriesSector, entriesSector);
    writeU32Le(bytes, GPT_HEADER.entriesCrc, crc32(entries));
    writeU32Le(bytes, GPT_HEADER.headerCrc, 0);
    writeU32Le(bytes, GPT_HEADER.headerCrc, crc32(bytes));
    return bytes;
  };
  const backup = new Uint8Array(size - backupEntries * DISK_SECTOR);
  backup.set(entries);
  backup.set(copy(last, 1, backupEntries), backup.length - DISK_SECTOR);
  return { header: copy(1, last, readU64Le(header, GPT_HEADER.entriesSector)), backup };
}
