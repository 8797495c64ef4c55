// How partition tables follow a growing image. Only the layouts of CoreOS images: none at all, or isohybrid's MBR whose
// first partition is the image, alone or with a GPT that says the same. Everything else is refused.
import type { ByteSource } from '../../bytes/source.ts';
import { crc32 } from '../../checksums/crc32.ts';
import { readLatin1, SECTOR, writeU32Le, writeU64Le } from '../../iso9660/fields.ts';
import { CYLINDER, HEADS, SECTORS_PER_TRACK } from '../../iso9660/partitions/cylinder.ts';
import { DISK_SECTOR, GPT_HEADER, type GptHeader, parseGptHeader, parseMbr } from '../../iso9660/partitions/tables.ts';
import type { MetadataPatch } from './record.ts';

const MOST_CYLINDERS = 1024;

/** The first entry of a master boot record: the end in cylinder, head and sector, and the length. */
const MBR_FIRST = { offset: 446, chsEnd: 5, sectors: 12, length: 16 } as const;
const GPT_ENTRY_LAST = 40;
const PROTECTIVE = 0xee;

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
  const entry = await source.read(gpt.entriesSector * DISK_SECTOR, gpt.entrySize, signal);
  return entry.subarray(32, 40).some((byte) => byte !== 0)
    ? 'it has a true GPT layout (entry 1 does not begin at 0)'
    : undefined;
}

/** The tables of an image that will have `size` bytes, `volumeSectors` of them its volume. The layout has been checked. */
export async function growTables(
  source: ByteSource,
  size: number,
  volumeSectors: number,
  signal?: AbortSignal,
): Promise<GrownTables> {
  const start = await source.read(0, SECTOR, signal);
  if ((parseMbr(start)?.partitions.length ?? 0) === 0) return { patches: [], backup: new Uint8Array(0) };
  const mbr = { offset: MBR_FIRST.offset, bytes: growMbrEntry(start, size) };
  const header = parseGptHeader(start.subarray(DISK_SECTOR));
  if (header === undefined) return { patches: [mbr], backup: new Uint8Array(0) };

  const entriesOffset = header.entriesSector * DISK_SECTOR;
  const entries = new Uint8Array(await source.read(entriesOffset, header.entryCount * header.entrySize, signal));
  writeU64Le(entries, GPT_ENTRY_LAST, volumeSectors * (SECTOR / DISK_SECTOR) - 1);
  const lastLba = { offset: entriesOffset + GPT_ENTRY_LAST, bytes: entries.slice(GPT_ENTRY_LAST, GPT_ENTRY_LAST + 8) };
  const original = start.subarray(DISK_SECTOR, DISK_SECTOR + header.headerSize);
  const place = gptPlace(header, size);
  const primary = growHeader(original, entries, {
    ...place,
    own: 1,
    other: place.last,
    entriesAt: header.entriesSector,
  });
  const copy = growHeader(original, entries, { ...place, own: place.last, other: 1, entriesAt: place.backupEntries });
  const backup = new Uint8Array(size - place.backupEntries * DISK_SECTOR);
  backup.set(entries);
  backup.set(copy, backup.length - DISK_SECTOR);
  return { patches: [mbr, { offset: DISK_SECTOR, bytes: primary }, lastLba], backup };
}

function growMbrEntry(start: Uint8Array, size: number): Uint8Array {
  const entry = new Uint8Array(start.subarray(MBR_FIRST.offset, MBR_FIRST.offset + MBR_FIRST.length));
  const last = Math.min(size / CYLINDER, MOST_CYLINDERS) - 1;
  entry.set([HEADS - 1, SECTORS_PER_TRACK | ((last & 0x300) >> 2), last & 0xff], MBR_FIRST.chsEnd);
  writeU32Le(entry, MBR_FIRST.sectors, Math.min(size / DISK_SECTOR, 0xffffffff));
  return entry;
}

interface GptPlace {
  readonly last: number;
  readonly backupEntries: number;
}

/** In disk sectors: the last one holds the backup header, its entries end right in front of it. */
function gptPlace({ entryCount, entrySize }: GptHeader, size: number): GptPlace {
  const last = size / DISK_SECTOR - 1;
  return { last, backupEntries: last - Math.ceil((entryCount * entrySize) / DISK_SECTOR) };
}

function growHeader(
  original: Uint8Array,
  entries: Uint8Array,
  place: GptPlace & { readonly own: number; readonly other: number; readonly entriesAt: number },
): Uint8Array {
  const header = new Uint8Array(original);
  writeU64Le(header, GPT_HEADER.ownSector, place.own);
  writeU64Le(header, GPT_HEADER.otherSector, place.other);
  writeU64Le(header, GPT_HEADER.lastUsable, place.backupEntries - 1);
  writeU64Le(header, GPT_HEADER.entriesSector, place.entriesAt);
  writeU32Le(header, GPT_HEADER.entriesCrc, crc32(entries));
  writeU32Le(header, GPT_HEADER.headerCrc, 0);
  writeU32Le(header, GPT_HEADER.headerCrc, crc32(header));
  return header;
}
