import {
  RECORD,
  RECORD_FLAG,
  SECTOR,
  STANDARD_IDENTIFIER,
  VOLUME,
  writeBoth16,
  writeBoth32,
  writeLatin1,
} from '../../src/iso9660/fields.ts';

/** A directory record to be laid out by `smallImage`; every field may lie. */
export interface SmallRecord {
  readonly name: string | readonly number[];
  readonly sector: number;
  readonly length: number;
  readonly flags?: number;
  readonly systemUse?: readonly number[];
}

/** The bytes of one record. */
function recordBytes({ name, sector, length, flags = 0, systemUse = [] }: SmallRecord): Uint8Array {
  const nameBytes = typeof name === 'string' ? [...name].map((character) => character.charCodeAt(0)) : name;
  const systemUseAt = RECORD.name + nameBytes.length + (nameBytes.length % 2 === 0 ? 1 : 0);
  const record = new Uint8Array(systemUseAt + systemUse.length + (systemUse.length % 2));
  record[RECORD.length] = record.length;
  writeBoth32(record, RECORD.extent, sector);
  writeBoth32(record, RECORD.dataLength, length);
  record[RECORD.flags] = flags;
  writeBoth16(record, RECORD.sequenceNumber, 1);
  record[RECORD.nameLength] = nameBytes.length;
  record.set(nameBytes, RECORD.name);
  record.set(systemUse, systemUseAt);
  return record;
}

/** A System Use field: two letters, its length, version 1, the data. */
export function systemUseField(signature: string, data: readonly number[]): number[] {
  return [signature.charCodeAt(0), signature.charCodeAt(1), data.length + 4, 1, ...data];
}

/** A number in both byte orders. */
export function both32(value: number): number[] {
  const bytes = new Uint8Array(8);
  writeBoth32(bytes, 0, value);
  return [...bytes];
}

/** SUSP 5.3: announces System Use fields; belongs into the root's own record. */
export const SP: readonly number[] = systemUseField('SP', [0xbe, 0xef, 0]);

/** Where `smallImage` puts the root directory. */
export const ROOT = 18;

/**
 * A volume of `sectors` sectors whose directories, by sector, hold the given records. The records of directories
 * themselves and of their parents come from the caller too, because hostile images get them wrong.
 */
export function smallImage(
  directories: Readonly<Record<number, readonly SmallRecord[]>>,
  { sectors = 32, rootLength = SECTOR }: { readonly sectors?: number; readonly rootLength?: number } = {},
): Uint8Array {
  const image = new Uint8Array(sectors * SECTOR);
  const primary = image.subarray(16 * SECTOR, 17 * SECTOR);
  primary[VOLUME.type] = 1;
  writeLatin1(primary, VOLUME.identifier, 5, STANDARD_IDENTIFIER);
  primary[VOLUME.version] = 1;
  writeLatin1(primary, VOLUME.systemId, 32, '');
  writeLatin1(primary, VOLUME.volumeId, 32, 'SMALL');
  writeBoth32(primary, VOLUME.spaceSize, sectors);
  writeBoth16(primary, VOLUME.blockSize, SECTOR);
  const root = { name: [0], sector: ROOT, length: rootLength, flags: RECORD_FLAG.directory };
  primary.set(recordBytes(root), VOLUME.rootRecord);
  image[17 * SECTOR] = 255;
  writeLatin1(image, 17 * SECTOR + 1, 5, STANDARD_IDENTIFIER);
  for (const [sector, records] of Object.entries(directories)) {
    let position = Number(sector) * SECTOR;
    for (const record of records.map(recordBytes)) {
      image.set(record, position);
      position += record.length;
    }
  }
  return image;
}
