// The growth record in a grown image: the original size, and the original bytes of all patches outside the areas. With
// it an edit can replace the tail, and a reset can restore the original file byte for byte.
import { checkArgument } from '@coreiso/peers/arguments';
import { overlay } from '../../bytes/overlay.ts';
import type { ByteSource } from '../../bytes/source.ts';
import { crc32 } from '../../checksums/crc32.ts';
import { IsoError } from '../../errors.ts';
import {
  readLatin1,
  readU16Le,
  readU32Le,
  readU64Le,
  SECTOR,
  writeLatin1,
  writeU16Le,
  writeU32Le,
  writeU64Le,
} from '../../iso9660/fields.ts';
import { parseGptHeader } from '../../iso9660/partitions/gpt.ts';
import { CYLINDER, DISK_SECTOR } from '../../iso9660/partitions/mbr.ts';
import { withCachedHead } from '../../iso9660/reader.ts';
import { type LiveImage, openLiveImage } from '../image.ts';

/** The sizes of a growth in bytes, known before writing. */
export interface Growth {
  readonly archive: number;
  readonly area: number;
  /** Number of bytes that the image grows by. */
  readonly added: number;
}

/**
 * Formats a growth: `archive 312 KiB, area 256 KiB, the image grows by 1 MiB`.
 *
 * @example
 * ```ts
 * const { summary } = await edit(image, changes, { grow: true });
 * if (summary.growth) console.log(describeGrowth(summary.growth));
 * ```
 */
export function describeGrowth(growth: Growth): string {
  checkArgument('growth', growth, 'object');
  const { archive, area, added } = growth;
  return `archive ${readable(archive)}, area ${readable(area)}, the image grows by ${readable(added)}`;
}

function readable(bytes: number): string {
  return bytes < CYLINDER ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / CYLINDER)} MiB`;
}

/** The size and patches of an image before it grew. */
export interface GrowthRecord {
  readonly originalSize: number;
  readonly originals: readonly MetadataPatch[];
}

/** A few bytes of the image's metadata. */
export interface MetadataPatch {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const MAGIC = 'coreiso grown\n';
const FIELD = { magic: 0, count: 14, originalSize: 16, crc: 24, originals: 28 } as const;
/** Length of the header before each run of original bytes: its offset and its length. */
const RUN_HEADER = 10;

/**
 * isohybrid's backup GPT: 32 sectors of entries and the header. This much stays free at the end, even without a GPT.
 */
const USUAL_BACKUP_SECTORS = 33;

/** Bytes at the end of a grown image that belong to the backup GPT. */
export async function reservedEnd(source: ByteSource, signal?: AbortSignal): Promise<number> {
  const header = parseGptHeader(await source.read(DISK_SECTOR, DISK_SECTOR, signal));
  const entries = header === undefined ? 0 : Math.ceil((header.entryCount * header.entrySize) / DISK_SECTOR) + 1;
  return Math.max(USUAL_BACKUP_SECTORS, entries) * DISK_SECTOR;
}

/** The last whole sector before the reserved end. */
export function recordOffset(size: number, reserved: number): number {
  return (Math.floor((size - reserved) / SECTOR) - 1) * SECTOR;
}

/** Encodes the record in one sector; fails if the originals do not fit. */
export function encodeGrowthRecord({ originalSize, originals }: GrowthRecord): Uint8Array {
  const length = originals.reduce<number>((sum, { bytes }) => sum + RUN_HEADER + bytes.length, FIELD.originals);
  if (length > SECTOR) {
    throw new IsoError('ISO_CANNOT_GROW', `the growth record needs ${length} bytes, and there is room for ${SECTOR}`);
  }
  const sector = new Uint8Array(SECTOR);
  writeLatin1(sector, FIELD.magic, MAGIC.length, MAGIC);
  writeU16Le(sector, FIELD.count, originals.length);
  writeU64Le(sector, FIELD.originalSize, originalSize);
  let at: number = FIELD.originals;
  for (const { offset, bytes } of originals) {
    writeU64Le(sector, at, offset);
    writeU16Le(sector, at + 8, bytes.length);
    sector.set(bytes, at + RUN_HEADER);
    at += RUN_HEADER + bytes.length;
  }
  writeU32Le(sector, FIELD.crc, crc32(sector));
  return sector;
}

/** The growth record of an image; `undefined` if there is none, or if it is damaged. */
async function readGrowthRecord(source: ByteSource, signal?: AbortSignal): Promise<GrowthRecord | undefined> {
  const offset = recordOffset(source.size, await reservedEnd(source, signal));
  if (offset < SECTOR) return undefined;
  const record = decodeGrowthRecord(await source.read(offset, SECTOR, signal));
  if (record === undefined || record.originalSize > offset) return undefined;
  const inside = record.originals.every((run) => run.offset + run.bytes.length <= record.originalSize);
  return inside ? record : undefined;
}

function decodeGrowthRecord(bytes: Uint8Array): GrowthRecord | undefined {
  if (readLatin1(bytes, FIELD.magic, MAGIC.length) !== MAGIC) return undefined;
  const sector = new Uint8Array(bytes);
  sector.fill(0, FIELD.crc, FIELD.originals);
  if (crc32(sector) !== readU32Le(bytes, FIELD.crc)) return undefined;
  const originals: MetadataPatch[] = [];
  let at: number = FIELD.originals;
  for (let left = readU16Le(sector, FIELD.count); left > 0; left--) {
    if (at + RUN_HEADER > SECTOR) return undefined;
    const end = at + RUN_HEADER + readU16Le(sector, at + 8);
    if (end > SECTOR) return undefined;
    originals.push({ offset: readU64Le(sector, at), bytes: sector.subarray(at + RUN_HEADER, end) });
    at = end;
  }
  return { originalSize: readU64Le(sector, FIELD.originalSize), originals };
}

/** Cached original images, because one image is often edited many times. */
const known = new WeakMap<LiveImage, LiveImage>();

/** The image before it grew, whose area is empty; the image itself if it has never grown. */
export async function ungrown(image: LiveImage, signal?: AbortSignal): Promise<LiveImage> {
  const found = known.get(image) ?? (await readUngrown(image, signal));
  known.set(image, found);
  return found;
}

async function readUngrown(image: LiveImage, signal?: AbortSignal): Promise<LiveImage> {
  const record = await readGrowthRecord(withCachedHead(image.iso), signal);
  if (record === undefined) return image;
  const original = overlay(image.source, record.originals, { keep: record.originalSize });
  return openLiveImage(original, { signal });
}
