// The partition tables of `isohybrid --uefi`: an MBR whose first partition is the whole image and whose second is the
// EFI image, and a GPT with the same partitions. Both overlap on purpose; firmware and kernels have accepted it for
// years.

import { crc32 } from '../../checksums/crc32.ts';
import { readU8, SECTOR, writeLatin1, writeU16Le, writeU32Le, writeU64Le } from '../fields.ts';
import {
  encodeGpt,
  GPT_ENTRY,
  SHORTEST_GPT_ENTRY as GPT_ENTRY_LENGTH,
  GPT_HEADER,
  SHORTEST_GPT_HEADER as GPT_HEADER_LENGTH,
  GPT_SIGNATURE,
} from './gpt.ts';
import { CYLINDER, coverDisk, DISK_SECTOR, MBR, MBR_ENTRY } from './mbr.ts';

const DISK_SECTORS_PER_SECTOR = SECTOR / DISK_SECTOR;
const GPT_ENTRIES = 128;
const GPT_ENTRY_SECTORS = (GPT_ENTRIES * GPT_ENTRY_LENGTH) / DISK_SECTOR;
/** Length of the backup copy: entries, then the header in the very last sector. */
const BACKUP_LENGTH = (GPT_ENTRY_SECTORS + 1) * DISK_SECTOR;
/** UEFI's "Microsoft basic data", EBD0A0A2-B9E5-4433-87C0-68B6B72699C7 as it is stored. */
const BASIC_DATA = [0xa2, 0xa0, 0xd0, 0xeb, 0xe5, 0xb9, 0x33, 0x44, 0x87, 0xc0, 0x68, 0xb6, 0xb7, 0x26, 0x99, 0xc7];

/** The layout that the tables describe. */
export interface HybridFacts {
  readonly volumeId: string;
  readonly volumeSectors: number;
  readonly efiSector: number;
  /** In blocks of 512 bytes, as in the boot catalogue. */
  readonly efiBlocks: number;
  /** The sector of the BIOS boot image, if there is one. */
  readonly biosSector: number | undefined;
}

export interface HybridTables {
  /** The beginning of the System Area. */
  readonly head: Uint8Array;
  /** Number of zero bytes between the volume and the backup table, so that the file ends at a whole cylinder. */
  readonly gap: number;
  readonly backup: Uint8Array;
}

/** Maximum size of boot code in bytes. */
export const BOOT_CODE_LIMIT: number = MBR.bootImage;

/** Both tables and the distance between them. */
export function encodeHybrid(facts: HybridFacts, bootCode: Uint8Array | undefined): HybridTables {
  const volumeSize = facts.volumeSectors * SECTOR;
  const size = Math.ceil((volumeSize + BACKUP_LENGTH) / CYLINDER) * CYLINDER;
  const entries = encodeGptEntries(facts);
  const gpt = encodeGpt(gptHeader(facts), entries, size);
  const head = new Uint8Array((2 + GPT_ENTRY_SECTORS) * DISK_SECTOR);
  if (bootCode !== undefined) head.set(bootCode);
  writeMbr(head, facts, size);
  head.set(gpt.header, DISK_SECTOR);
  head.set(entries, 2 * DISK_SECTOR);
  return { head, gap: size - volumeSize - gpt.backup.length, backup: gpt.backup };
}

function writeMbr(bytes: Uint8Array, facts: HybridFacts, size: number): void {
  writeU64Le(bytes, MBR.bootImage, (facts.biosSector ?? 0) * DISK_SECTORS_PER_SECTOR);
  writeU32Le(bytes, MBR.diskSignature, crc32(new TextEncoder().encode(facts.volumeId)));
  const [image, efi] = [bytes.subarray(MBR.entries), bytes.subarray(MBR.entries + MBR.entrySize)];
  // Type 0: partitioning tools ignore the partition.
  image.set([0x80, 0, 1, 0, 0x00]);
  coverDisk(image, size);
  efi.set([0x00, 0xfe, 0xff, 0xff, 0xef, 0xfe, 0xff, 0xff]);
  writeU32Le(efi, MBR_ENTRY.firstSector, facts.efiSector * DISK_SECTORS_PER_SECTOR);
  writeU32Le(efi, MBR_ENTRY.sectorCount, facts.efiBlocks);
  writeU16Le(bytes, MBR.signature, 0xaa55);
}

function encodeGptEntries({ volumeId, volumeSectors, efiSector, efiBlocks }: HybridFacts): Uint8Array {
  const bytes = new Uint8Array(GPT_ENTRIES * GPT_ENTRY_LENGTH);
  const partitions = [
    { name: 'ISOHybrid ISO', start: 0, length: volumeSectors * DISK_SECTORS_PER_SECTOR },
    { name: 'ISOHybrid', start: efiSector * DISK_SECTORS_PER_SECTOR, length: efiBlocks },
  ];
  partitions.forEach(({ name, start, length }, index) => {
    const entry = bytes.subarray(index * GPT_ENTRY_LENGTH);
    entry.set(BASIC_DATA, GPT_ENTRY.type);
    entry.set(guid(volumeId, name), GPT_ENTRY.guid);
    writeU64Le(entry, GPT_ENTRY.firstSector, start);
    writeU64Le(entry, GPT_ENTRY.lastSector, start + length - 1);
    for (let at = 0; at < name.length; at++) writeU16Le(entry, GPT_ENTRY.name + at * 2, name.charCodeAt(at));
  });
  return bytes;
}

/** Fields of both headers. */
function gptHeader({ volumeId }: HybridFacts): Uint8Array {
  const bytes = new Uint8Array(GPT_HEADER_LENGTH);
  writeLatin1(bytes, GPT_HEADER.signature, GPT_SIGNATURE.length, GPT_SIGNATURE);
  writeU32Le(bytes, GPT_HEADER.revision, 0x00010000);
  writeU32Le(bytes, GPT_HEADER.headerSize, GPT_HEADER_LENGTH);
  writeU64Le(bytes, GPT_HEADER.firstUsable, 2 + GPT_ENTRY_SECTORS);
  bytes.set(guid(volumeId, 'disk'), GPT_HEADER.diskGuid);
  writeU64Le(bytes, GPT_HEADER.entriesSector, 2);
  writeU32Le(bytes, GPT_HEADER.entryCount, GPT_ENTRIES);
  writeU32Le(bytes, GPT_HEADER.entrySize, GPT_ENTRY_LENGTH);
  return bytes;
}

/** A custom GUID (version 8) made from the volume's name, so that equal images have equal bytes. */
function guid(volumeId: string, purpose: string): Uint8Array {
  const bytes = new Uint8Array(16);
  for (let word = 0; word < 4; word++) {
    writeU32Le(bytes, word * 4, crc32(new TextEncoder().encode(`${volumeId}\n${purpose}\n${word}`)));
  }
  bytes[7] = (readU8(bytes, 7) & 0x0f) | 0x80;
  bytes[8] = (readU8(bytes, 8) & 0x3f) | 0x80;
  return bytes;
}
