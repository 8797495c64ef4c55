// The partition tables that hybrid images carry in the System Area, so that they boot from USB sticks: MBR and GPT with
// sectors of 512 bytes. Left out: extended MBR partitions, Apple partition maps, tables with sectors of 4096 bytes.
import type { ByteSource } from '../../bytes/source.ts';
import { crc32 } from '../../checksums/crc32.ts';
import { readLatin1, readU16Le, readU32Le, readU64Le } from '../fields.ts';

/** Partition tables count in sectors of disks, not of CDs. */
export const DISK_SECTOR = 512;

/** Byte positions in a master boot record and its four entries. */
const MBR = { diskSignature: 440, entries: 446, entrySize: 16, signature: 510 } as const;

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
const GPT_ENTRY = { type: 0, guid: 16, firstSector: 32, lastSector: 40, attributes: 48, name: 56 } as const;

/** UEFI 5.3.2: the first eight bytes of a GPT header. */
const GPT_SIGNATURE = 'EFI PART';

const SHORTEST_GPT_HEADER = 92;
const SHORTEST_GPT_ENTRY = 128;
/** Everybody writes 128 entries of 128 bytes; eight times that is still a small read. */
const LARGEST_GPT_ENTRIES = 128 * 1024;

/** A used entry of a master boot record. */
export interface MbrPartition {
  /** Position in the table, from 1. */
  readonly number: number;
  readonly active: boolean;
  /** The type byte: 0xEF is an EFI system partition, 0xEE protects a GPT. */
  readonly type: number;
  /** Byte position in the image. */
  readonly offset: number;
  readonly length: number;
}

export interface Mbr {
  readonly diskSignature: number;
  readonly partitions: readonly MbrPartition[];
}

/** A used entry of a GPT. */
export interface GptPartition {
  /** Position in the table, from 1. */
  readonly number: number;
  readonly type: string;
  readonly guid: string;
  readonly name: string;
  /** Byte position in the image. */
  readonly offset: number;
  readonly length: number;
}

/** A GPT header as it is written, right or wrong. */
export interface GptHeader {
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
}

export interface Gpt {
  readonly header: GptHeader;
  readonly partitions: readonly GptPartition[];
  /** Whether the checksums of header and entries are right. */
  readonly intact: boolean;
  /** The copy at the end of the disk: whether it is there with right checksums, where the first one says. */
  readonly backup: 'intact' | 'damaged' | 'missing';
}

/** What the System Area says about the image as a disk. */
export interface PartitionTables {
  readonly mbr?: Mbr;
  readonly gpt?: Gpt;
}

/** The master boot record in the first 512 bytes; `undefined` without its signature. */
export function parseMbr(sector: Uint8Array): Mbr | undefined {
  if (sector.length < DISK_SECTOR || readU16Le(sector, MBR.signature) !== 0xaa55) return undefined;
  const partitions: MbrPartition[] = [];
  for (let index = 0; index < 4; index++) {
    const entry = sector.subarray(MBR.entries + index * MBR.entrySize, MBR.entries + (index + 1) * MBR.entrySize);
    const length = readU32Le(entry, 12) * DISK_SECTOR;
    // isohybrid gives the partition that covers the image type 0, so only the length tells a used entry.
    if (length === 0) continue;
    const offset = readU32Le(entry, 8) * DISK_SECTOR;
    partitions.push({ number: index + 1, active: entry[0] === 0x80, type: entry[4] ?? 0, offset, length });
  }
  return { diskSignature: readU32Le(sector, MBR.diskSignature), partitions };
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

/** UEFI 5.3.2: the checksum is made while its own field is zero. */
function headerCrc(sector: Uint8Array, headerSize: number): number | undefined {
  if (headerSize < SHORTEST_GPT_HEADER || headerSize > sector.length) return undefined;
  // Not `slice`, which copies nothing where a source hands out Node's kind of array.
  const header = new Uint8Array(sector.subarray(0, headerSize));
  header.fill(0, GPT_HEADER.headerCrc, GPT_HEADER.headerCrc + 4);
  return crc32(header);
}

/** The used entries of a GPT's table. */
function parseGptEntries(bytes: Uint8Array, entrySize: number): GptPartition[] {
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
  for (let at: number = GPT_ENTRY.name; at + 1 < SHORTEST_GPT_ENTRY; at += 2) {
    const unit = readU16Le(entry, at);
    if (unit === 0) break;
    name += String.fromCharCode(unit);
  }
  return name;
}

/** UEFI appendix A: the first three groups of a GUID are little-endian. */
function readGuid(bytes: Uint8Array, offset: number): string {
  const hex = (from: number, to: number) =>
    [...bytes.subarray(offset + from, offset + to)].map((byte) => byte.toString(16).padStart(2, '0'));
  const groups = [hex(0, 4).reverse(), hex(4, 6).reverse(), hex(6, 8).reverse(), hex(8, 10), hex(10, 16)];
  return groups
    .map((group) => group.join(''))
    .join('-')
    .toUpperCase();
}

/** The partition tables of an image, in three small reads at most. */
export async function readPartitions(source: ByteSource, signal?: AbortSignal): Promise<PartitionTables> {
  const start = await source.read(0, Math.min(source.size, 2 * DISK_SECTOR), signal);
  const mbr = parseMbr(start);
  const header = parseGptHeader(start.subarray(DISK_SECTOR));
  const gpt = header && (await readGpt(source, header, signal));
  return { ...(mbr && { mbr }), ...(gpt && { gpt }) };
}

async function readGpt(source: ByteSource, header: GptHeader, signal: AbortSignal | undefined): Promise<Gpt> {
  const { entriesSector, entryCount, entrySize, entriesCrc } = header;
  const length = entryCount * entrySize;
  const readable = entrySize >= SHORTEST_GPT_ENTRY && length <= LARGEST_GPT_ENTRIES;
  const entries = readable ? await readIfThere(source, entriesSector * DISK_SECTOR, length, signal) : undefined;
  return {
    header,
    partitions: entries === undefined ? [] : parseGptEntries(entries, entrySize),
    intact: header.intact && entries !== undefined && crc32(entries) === entriesCrc,
    backup: await readBackup(source, header, signal),
  };
}

async function readBackup(
  source: ByteSource,
  { otherSector, entryCount, entrySize, entriesCrc }: GptHeader,
  signal: AbortSignal | undefined,
): Promise<Gpt['backup']> {
  const sector = await readIfThere(source, otherSector * DISK_SECTOR, DISK_SECTOR, signal);
  const header = sector && parseGptHeader(sector);
  if (header === undefined) return 'missing';
  const length = header.entryCount * header.entrySize;
  if (!header.intact || header.entriesCrc !== entriesCrc || length !== entryCount * entrySize) return 'damaged';
  if (length > LARGEST_GPT_ENTRIES) return 'damaged';
  const entries = await readIfThere(source, header.entriesSector * DISK_SECTOR, length, signal);
  return entries !== undefined && crc32(entries) === entriesCrc ? 'intact' : 'damaged';
}

async function readIfThere(
  source: ByteSource,
  offset: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  return offset + length <= source.size ? source.read(offset, length, signal) : undefined;
}
