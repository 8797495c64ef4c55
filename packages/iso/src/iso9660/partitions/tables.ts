// The partition tables in the System Area of hybrid images, for booting from USB sticks. Left out: Apple partition
// maps.
import type { ByteSource } from '../../bytes/source.ts';
import { crc32 } from '../../checksums/crc32.ts';
import { type Gpt, type GptHeader, parseGptEntries, parseGptHeader, SHORTEST_GPT_ENTRY } from './gpt.ts';
import { DISK_SECTOR, type Mbr, parseMbr } from './mbr.ts';

/** Common tools write 128 entries of 128 bytes; eight times that is still a small read. */
const LARGEST_GPT_ENTRIES = 128 * 1024;

/** The partition tables in the System Area. */
export interface PartitionTables {
  readonly mbr?: Mbr;
  readonly gpt?: Gpt;
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
