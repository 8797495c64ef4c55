// Partition tables of a growing image. Supports only the layouts of CoreOS images: no tables, or isohybrid's MBR whose
// first partition is the image, alone or with a matching GPT. Refuses all others.
import type { ByteSource } from '../../bytes/source.ts';
import { readLatin1, SECTOR, writeU64Le } from '../../iso9660/fields.ts';
import {
  encodeGpt,
  GPT_ENTRY,
  type GptHeader,
  parseGptHeader,
  SHORTEST_GPT_ENTRY,
  SHORTEST_GPT_HEADER,
} from '../../iso9660/partitions/gpt.ts';
import { coverDisk, DISK_SECTOR, MBR, parseMbr } from '../../iso9660/partitions/mbr.ts';
import type { MetadataPatch } from './growth.ts';

/** The type of an MBR partition that protects a GPT. */
const PROTECTIVE = 0xee;

/** The bytes to write, and their offsets. */
export interface GrownTables {
  readonly patches: readonly MetadataPatch[];
  /** The backup GPT for the very end of the image; empty without a GPT. */
  readonly backup: Uint8Array;
}

/** Why the image's layout cannot grow, or `undefined` if it can. */
export async function layoutObstacle(source: ByteSource, signal?: AbortSignal): Promise<string | undefined> {
  const start = await source.read(0, SECTOR, signal);
  if (readLatin1(start, 0, 2) === 'ER' || readLatin1(start, DISK_SECTOR, 2) === 'PM')
    return 'it has an Apple partition map';
  const [first, ...others] = parseMbr(start)?.partitions ?? [];
  const gpt = parseGptHeader(start.subarray(DISK_SECTOR));
  if ([first, ...others].some((partition) => partition?.type === PROTECTIVE))
    return 'it has a true GPT layout (a protective MBR)';
  if (first === undefined) return gpt === undefined ? undefined : 'it has a GPT without an MBR';
  if (first.number !== 1 || first.offset !== 0 || first.type !== 0) {
    return "its first MBR partition is not one of type 0 that begins at the image's first byte";
  }
  if (gpt === undefined) return undefined;
  if (!isUsable(gpt, source.size)) return 'the lengths in its GPT are wrong';
  const entry = await source.read(gpt.entriesSector * DISK_SECTOR, gpt.entrySize, signal);
  return entry.subarray(GPT_ENTRY.firstSector, GPT_ENTRY.lastSector).some((byte) => byte !== 0)
    ? 'it has a true GPT layout (entry 1 does not begin at 0)'
    : undefined;
}

/** Whether a header and its entries have valid lengths (UEFI 5.3.2 and 5.3.3) and are inside the image. */
function isUsable({ headerSize, entriesSector, entryCount, entrySize }: GptHeader, size: number): boolean {
  const isLong = headerSize >= SHORTEST_GPT_HEADER && entrySize >= SHORTEST_GPT_ENTRY && entryCount > 0;
  return isLong && headerSize <= DISK_SECTOR && entriesSector * DISK_SECTOR + entryCount * entrySize <= size;
}

/**
 * The tables of an image that grows to `size` bytes, with a volume of `volumeSectors` sectors. Callers have checked the
 * layout.
 */
export async function growTables(
  source: ByteSource,
  size: number,
  volumeSectors: number,
  signal?: AbortSignal,
): Promise<GrownTables> {
  const start = await source.read(0, SECTOR, signal);
  if ((parseMbr(start)?.partitions.length ?? 0) === 0) return { patches: [], backup: new Uint8Array(0) };
  const entry = new Uint8Array(start.subarray(MBR.entries, MBR.entries + MBR.entrySize));
  coverDisk(entry, size);
  const mbr = { offset: MBR.entries, bytes: entry };
  const header = parseGptHeader(start.subarray(DISK_SECTOR));
  if (header === undefined) return { patches: [mbr], backup: new Uint8Array(0) };

  const entriesOffset = header.entriesSector * DISK_SECTOR;
  const entries = new Uint8Array(await source.read(entriesOffset, header.entryCount * header.entrySize, signal));
  writeU64Le(entries, GPT_ENTRY.lastSector, volumeSectors * (SECTOR / DISK_SECTOR) - 1);
  const lastSector = {
    offset: entriesOffset + GPT_ENTRY.lastSector,
    bytes: entries.slice(GPT_ENTRY.lastSector, GPT_ENTRY.attributes),
  };
  const gpt = encodeGpt(start.subarray(DISK_SECTOR, DISK_SECTOR + header.headerSize), entries, size);
  return { patches: [mbr, { offset: DISK_SECTOR, bytes: gpt.header }, lastSector], backup: gpt.backup };
}
