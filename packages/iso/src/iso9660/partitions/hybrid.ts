// The partition tables of `isohybrid --uefi`: an MBR whose first partition is the whole image and whose second is the EFI
// image, and a GPT that says the same. Both overlap on purpose; firmware and kernels have accepted it for years.

import { crc32 } from '../../checksums/crc32.ts';
import { SECTOR, writeU16Le, writeU32Le, writeU64Le } from '../fields.ts';
import type { IsoHybrid } from '../writer/entries.ts';

/** Sectors of a disk, which all numbers here count. */
const BLOCK = 512;
const BLOCKS_PER_SECTOR = SECTOR / BLOCK;

/** The geometry isohybrid assumes, so that a cylinder is 1 MiB. */
const HEADS = 64;
const SECTORS_PER_TRACK = 32;
const CYLINDER = HEADS * SECTORS_PER_TRACK * BLOCK;
const MOST_CYLINDERS = 1024;

const MBR = { bootImage: 432, diskSignature: 440, partitions: 446, signature: 510 };
const PARTITION_LENGTH = 16;

const GPT_ENTRIES = 128;
const GPT_ENTRY_LENGTH = 128;
const GPT_HEADER_LENGTH = 92;
const GPT_ENTRY_BLOCKS = (GPT_ENTRIES * GPT_ENTRY_LENGTH) / BLOCK;
/** The copy at the end: entries, then the header in the very last block. */
const BACKUP_BLOCKS = GPT_ENTRY_BLOCKS + 1;
/** UEFI's "Microsoft basic data", EBD0A0A2-B9E5-4433-87C0-68B6B72699C7 as it is stored. */
const BASIC_DATA = [0xa2, 0xa0, 0xd0, 0xeb, 0xe5, 0xb9, 0x33, 0x44, 0x87, 0xc0, 0x68, 0xb6, 0xb7, 0x26, 0x99, 0xc7];

/** What the tables describe. */
export interface HybridFacts {
  readonly volumeId: string;
  readonly volumeSectors: number;
  readonly efiSector: number;
  /** In blocks of 512 bytes, as the boot catalogue has it. */
  readonly efiBlocks: number;
  /** The sector of the BIOS boot image, if there is one. */
  readonly biosSector: number | undefined;
}

export interface HybridTables {
  /** For the beginning of the System Area. */
  readonly head: Uint8Array;
  /** Zero bytes between the volume and the backup table: the file ends on a whole cylinder. */
  readonly gap: number;
  readonly backup: Uint8Array;
}

/** Refuses boot code that would run into the tables. */
export function checkBootCode({ bootCode }: IsoHybrid): void {
  if (bootCode !== undefined && bootCode.length > MBR.bootImage) {
    throw new RangeError(`hybrid.bootCode: ${bootCode.length} bytes, and only ${MBR.bootImage} are free`);
  }
}

/** Both tables and the distance between them. */
export function encodeHybrid(facts: HybridFacts, { bootCode }: IsoHybrid): HybridTables {
  const volumeSize = facts.volumeSectors * SECTOR;
  const cylinders = Math.ceil((volumeSize + BACKUP_BLOCKS * BLOCK) / CYLINDER);
  const blocks = (cylinders * CYLINDER) / BLOCK;
  const entries = encodeGptEntries(facts);
  const head = new Uint8Array((2 + GPT_ENTRY_BLOCKS) * BLOCK);
  if (bootCode !== undefined) head.set(bootCode);
  writeMbr(head, facts, cylinders);
  const gpt = { blocks, volumeId: facts.volumeId, entries };
  head.set(encodeGptHeader(gpt, { at: 1, other: blocks - 1, entriesAt: 2 }), BLOCK);
  head.set(entries, 2 * BLOCK);
  const backup = new Uint8Array(BACKUP_BLOCKS * BLOCK);
  backup.set(entries);
  backup.set(encodeGptHeader(gpt, { at: blocks - 1, other: 1, entriesAt: blocks - BACKUP_BLOCKS }), entries.length);
  return { head, gap: blocks * BLOCK - volumeSize - backup.length, backup };
}

function writeMbr(bytes: Uint8Array, facts: HybridFacts, cylinders: number): void {
  writeU64Le(bytes, MBR.bootImage, (facts.biosSector ?? 0) * BLOCKS_PER_SECTOR);
  writeU32Le(bytes, MBR.diskSignature, crc32(new TextEncoder().encode(facts.volumeId)));
  const lastCylinder = Math.min(cylinders, MOST_CYLINDERS) - 1;
  const ends = [HEADS - 1, SECTORS_PER_TRACK | ((lastCylinder & 0x300) >> 2), lastCylinder & 0xff];
  // Type 0: a partition that no partitioning tool takes for its own.
  bytes.set([0x80, 0, 1, 0, 0x00, ...ends], MBR.partitions);
  writeU32Le(bytes, MBR.partitions + 12, (cylinders * CYLINDER) / BLOCK);
  const second = MBR.partitions + PARTITION_LENGTH;
  bytes.set([0x00, 0xfe, 0xff, 0xff, 0xef, 0xfe, 0xff, 0xff], second);
  writeU32Le(bytes, second + 8, facts.efiSector * BLOCKS_PER_SECTOR);
  writeU32Le(bytes, second + 12, facts.efiBlocks);
  writeU16Le(bytes, MBR.signature, 0xaa55);
}

/** UEFI 5.3.3. */
function encodeGptEntries({ volumeId, volumeSectors, efiSector, efiBlocks }: HybridFacts): Uint8Array {
  const bytes = new Uint8Array(GPT_ENTRIES * GPT_ENTRY_LENGTH);
  const partitions = [
    { name: 'ISOHybrid ISO', start: 0, blocks: volumeSectors * BLOCKS_PER_SECTOR },
    { name: 'ISOHybrid', start: efiSector * BLOCKS_PER_SECTOR, blocks: efiBlocks },
  ];
  partitions.forEach(({ name, start, blocks }, index) => {
    const offset = index * GPT_ENTRY_LENGTH;
    bytes.set(BASIC_DATA, offset);
    bytes.set(guid(volumeId, name), offset + 16);
    writeU64Le(bytes, offset + 32, start);
    writeU64Le(bytes, offset + 40, start + blocks - 1);
    for (let at = 0; at < name.length; at++) writeU16Le(bytes, offset + 56 + at * 2, name.charCodeAt(at));
  });
  return bytes;
}

/** UEFI 5.3.2. */
function encodeGptHeader(
  { blocks, volumeId, entries }: { blocks: number; volumeId: string; entries: Uint8Array },
  place: { at: number; other: number; entriesAt: number },
): Uint8Array {
  const bytes = new Uint8Array(BLOCK);
  bytes.set(new TextEncoder().encode('EFI PART'));
  writeU32Le(bytes, 8, 0x00010000);
  writeU32Le(bytes, 12, GPT_HEADER_LENGTH);
  writeU64Le(bytes, 24, place.at);
  writeU64Le(bytes, 32, place.other);
  writeU64Le(bytes, 40, 2 + GPT_ENTRY_BLOCKS);
  writeU64Le(bytes, 48, blocks - BACKUP_BLOCKS - 1);
  bytes.set(guid(volumeId, 'disk'), 56);
  writeU64Le(bytes, 72, place.entriesAt);
  writeU32Le(bytes, 80, GPT_ENTRIES);
  writeU32Le(bytes, 84, GPT_ENTRY_LENGTH);
  writeU32Le(bytes, 88, crc32(entries));
  writeU32Le(bytes, 16, crc32(bytes.subarray(0, GPT_HEADER_LENGTH)));
  return bytes;
}

/** A GUID of the custom kind (version 8) from the volume's name: equal images must have equal bytes. */
function guid(volumeId: string, purpose: string): Uint8Array {
  const bytes = new Uint8Array(16);
  for (let word = 0; word < 4; word++) {
    writeU32Le(bytes, word * 4, crc32(new TextEncoder().encode(`${volumeId}\n${purpose}\n${word}`)));
  }
  bytes[7] = ((bytes[7] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}
