import {
  BOOT_RECORD,
  DESCRIPTOR_TYPE,
  JOLIET_LEVEL_3,
  SECTOR,
  STANDARD_IDENTIFIER,
  VOLUME,
  writeBoth16,
  writeBoth32,
  writeLatin1,
  writeU32Be,
  writeU32Le,
  writeUcs2Be,
  writeVolumeDate,
} from '../fields.ts';
import type { IsoWriterOptions } from './entries.ts';

/** ECMA-119 8.4: the texts of a volume and their maximum lengths. */
const TEXT_FIELDS = [
  { option: 'systemId', offset: VOLUME.systemId, length: 32 },
  { option: 'volumeId', offset: VOLUME.volumeId, length: 32 },
  { option: 'volumeSetId', offset: VOLUME.volumeSetId, length: 128 },
  { option: 'publisherId', offset: VOLUME.publisherId, length: 128 },
  { option: 'preparerId', offset: VOLUME.preparerId, length: 128 },
  { option: 'applicationId', offset: VOLUME.applicationId, length: 128 },
] as const;

/** ECMA-119 8.4.20 to 8.4.22: file names that this writer leaves blank. */
const BLANK_FIELDS = [VOLUME.copyrightFileId, VOLUME.abstractFileId, VOLUME.bibliographicFileId];

/** Fields of a volume descriptor that are not options. */
export interface VolumeFacts {
  readonly joliet: boolean;
  readonly volumeSectors: number;
  readonly pathTableSize: number;
  readonly littlePathTable: number;
  readonly bigPathTable: number;
  readonly rootRecord: Uint8Array;
  readonly timestamp: Date;
}

/** Refuses identifiers that do not fit their field. */
export function checkIdentifiers(options: IsoWriterOptions): void {
  for (const { option, length } of TEXT_FIELDS) {
    const text = options[option];
    if (text !== undefined && (text.length > length || !/^[ -~]*$/.test(text))) {
      throw new RangeError(`${option} must be up to ${length} characters of ASCII, not ${JSON.stringify(text)}`);
    }
  }
}

/** ECMA-119 8.4 or, for Joliet, 8.5. */
export function encodeVolumeDescriptor(options: IsoWriterOptions, facts: VolumeFacts): Uint8Array {
  const bytes = emptyDescriptor(facts.joliet ? DESCRIPTOR_TYPE.supplementary : DESCRIPTOR_TYPE.primary);
  const write = facts.joliet ? writeUcs2Text : writeLatin1;
  for (const { option, offset, length } of TEXT_FIELDS) write(bytes, offset, length, options[option] ?? '');
  for (const offset of BLANK_FIELDS) write(bytes, offset, 37, '');
  writeBoth32(bytes, VOLUME.spaceSize, facts.volumeSectors);
  if (facts.joliet) writeLatin1(bytes, VOLUME.escapeSequences, 3, JOLIET_LEVEL_3);
  writeBoth16(bytes, VOLUME.setSize, 1);
  writeBoth16(bytes, VOLUME.sequenceNumber, 1);
  writeBoth16(bytes, VOLUME.blockSize, SECTOR);
  writeBoth32(bytes, VOLUME.pathTableSize, facts.pathTableSize);
  writeU32Le(bytes, VOLUME.littlePathTable, facts.littlePathTable);
  writeU32Be(bytes, VOLUME.bigPathTable, facts.bigPathTable);
  bytes.set(facts.rootRecord, VOLUME.rootRecord);
  writeVolumeDate(bytes, VOLUME.creationDate, facts.timestamp);
  writeVolumeDate(bytes, VOLUME.modificationDate, facts.timestamp);
  writeVolumeDate(bytes, VOLUME.expirationDate, undefined);
  writeVolumeDate(bytes, VOLUME.effectiveDate, facts.timestamp);
  bytes[VOLUME.fileStructureVersion] = 1;
  return bytes;
}

/** El Torito 3.0: it must be the descriptor after the primary one. */
export function encodeBootRecord(catalogSector: number): Uint8Array {
  const bytes = emptyDescriptor(DESCRIPTOR_TYPE.boot);
  const identifier = 'EL TORITO SPECIFICATION';
  // Filled with zeros, not spaces.
  writeLatin1(bytes, BOOT_RECORD.systemId, identifier.length, identifier);
  writeU32Le(bytes, BOOT_RECORD.catalogSector, catalogSector);
  return bytes;
}

/** ECMA-119 8.3. */
export function encodeTerminator(): Uint8Array {
  return emptyDescriptor(DESCRIPTOR_TYPE.terminator);
}

function emptyDescriptor(type: number): Uint8Array {
  const bytes = new Uint8Array(SECTOR);
  bytes[VOLUME.type] = type;
  writeLatin1(bytes, VOLUME.identifier, STANDARD_IDENTIFIER.length, STANDARD_IDENTIFIER);
  bytes[VOLUME.version] = 1;
  return bytes;
}

/** Half as many characters fit. Longer text is cut, because the primary volume has all of it. */
function writeUcs2Text(bytes: Uint8Array, offset: number, length: number, text: string): void {
  writeUcs2Be(bytes, offset, length, text.slice(0, Math.floor(length / 2)));
}
