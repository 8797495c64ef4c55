import { checkWhole } from '@coreiso/peers/arguments';
import { compose, slice } from '../../bytes/compose.ts';
import { type Bytes, bytesSource, CHUNK_SIZE } from '../../bytes/source.ts';
import { FIRST_DESCRIPTOR_SECTOR, readU16Le, readU32Le, SECTOR, writeU16Le, writeU32Le } from '../fields.ts';
import type { IsoBootImage } from './entries.ts';

/** El Torito figure 2: the platform of a validation entry or section header. */
const PLATFORM = { bios: 0x00, efi: 0xef };

const ENTRY_LENGTH = 32;
const BOOTABLE = 0x88;
const HEADER = { moreFollow: 0x90, last: 0x91 };
/** Firmware counts in disk sectors on every medium. */
const VIRTUAL_SECTOR = 512;
/** One validation and one default entry, then a header and an entry for each further image. */
const MOST_IMAGES = (SECTOR / ENTRY_LENGTH - 2) / 2 + 1;

/** A boot image and its place. */
export interface PlacedBootImage {
  readonly image: IsoBootImage;
  readonly sector: number;
  readonly size: number;
}

/** The catalogue fills one sector. */
export function encodeBootCatalog(images: readonly PlacedBootImage[]): Uint8Array {
  const [first, ...others] = images;
  if (first === undefined || images.length > MOST_IMAGES) {
    throw new RangeError(`boot.images must be 1 to ${MOST_IMAGES} images, not ${images.length}`);
  }
  const bytes = new Uint8Array(SECTOR);
  writeValidationEntry(bytes, first);
  writeEntry(bytes, ENTRY_LENGTH, first);
  others.forEach((placed, index) => {
    const offset = 2 * ENTRY_LENGTH * (index + 1);
    bytes[offset] = index === others.length - 1 ? HEADER.last : HEADER.moreFollow;
    bytes[offset + 1] = PLATFORM[placed.image.platform];
    writeU16Le(bytes, offset + 2, 1);
    writeEntry(bytes, offset + ENTRY_LENGTH, placed);
  });
  return bytes;
}

/** El Torito 2.1: all sixteen words of the entry add up to zero. */
function writeValidationEntry(bytes: Uint8Array, { image }: PlacedBootImage): void {
  bytes[0] = 1;
  bytes[1] = PLATFORM[image.platform];
  bytes[30] = 0x55;
  bytes[31] = 0xaa;
  let sum = 0;
  for (let offset = 0; offset < ENTRY_LENGTH; offset += 2) sum += readU16Le(bytes, offset);
  writeU16Le(bytes, 28, (0x10000 - (sum & 0xffff)) & 0xffff);
}

/** El Torito 2.2 and 2.4, without emulation. */
function writeEntry(bytes: Uint8Array, offset: number, placed: PlacedBootImage): void {
  bytes[offset] = BOOTABLE;
  writeU16Le(bytes, offset + 6, loadSectors(placed));
  writeU32Le(bytes, offset + 8, placed.sector);
}

/** The catalogue's number of sectors to load; for a larger image, the maximum of 16 bits. */
export function loadSectors({ image, size }: PlacedBootImage): number {
  const sectors = image.loadSectors ?? Math.min(0xffff, Math.ceil(size / SECTOR) * (SECTOR / VIRTUAL_SECTOR));
  checkWhole('loadSectors', sectors, 0, 0xffff);
  return sectors;
}

const INFO_TABLE = { start: 8, end: 64 };

/**
 * The image with the boot information table of mkisofs in bytes 8 to 63: the sectors of the volume descriptor and of
 * the image, its length, and the sum of all words after the table.
 */
export async function withBootInfoTable(content: Bytes, sector: number, signal?: AbortSignal): Promise<Bytes> {
  const source = content instanceof Uint8Array ? bytesSource(content) : content;
  if (source.size < INFO_TABLE.end) {
    throw new RangeError(
      `bootInfoTable must be absent from an image of ${source.size} bytes, which has no room for it`,
    );
  }
  let sum = 0;
  for (let offset = INFO_TABLE.end; offset < source.size; offset += CHUNK_SIZE) {
    const chunk = await source.read(offset, Math.min(CHUNK_SIZE, source.size - offset), signal);
    sum = (sum + wordSum(chunk)) >>> 0;
  }
  const table = new Uint8Array(INFO_TABLE.end - INFO_TABLE.start);
  writeU32Le(table, 0, FIRST_DESCRIPTOR_SECTOR);
  writeU32Le(table, 4, sector);
  writeU32Le(table, 8, source.size);
  writeU32Le(table, 12, sum);
  return compose([
    slice(source, 0, INFO_TABLE.start),
    table,
    slice(source, INFO_TABLE.end, source.size - INFO_TABLE.end),
  ]);
}

/** The sum of little-endian words; zeros pad the last one. */
function wordSum(bytes: Uint8Array): number {
  const whole = bytes.length - (bytes.length % 4);
  let sum = 0;
  for (let offset = 0; offset < whole; offset += 4) sum = (sum + readU32Le(bytes, offset)) >>> 0;
  const rest = new Uint8Array(4);
  rest.set(bytes.subarray(whole));
  return (sum + readU32Le(rest, 0)) >>> 0;
}
