import { IsoError, withContext } from '../errors.ts';
import { RECORD, readRecordDate, readU8, SECTOR } from './fields.ts';
import type { Image } from './image.ts';
import type { Budget } from './limits.ts';

/** ECMA-119 9.1: one directory record, its fields unchecked against the rest of the image. */
export interface RawRecord {
  /** Byte position of the record in the image. */
  readonly offset: number;
  /** Bytes of the record itself. */
  readonly recordLength: number;
  readonly sector: number;
  readonly length: number;
  readonly flags: number;
  /** Sectors of extended attributes before the data. */
  readonly attributeSectors: number;
  readonly interleaved: boolean;
  readonly modified: Date | undefined;
  readonly name: Uint8Array;
  /** The System Use area after the name. */
  readonly systemUse: Uint8Array;
  /** Byte position of the System Use area in the image. */
  readonly systemUseOffset: number;
}

/** The records of a directory up to its end, or up to the first unreadable one. */
export interface RecordList<T> {
  readonly records: readonly T[];
  /** The error that ended the list; a look-up ignores it if it finds an earlier record. */
  readonly failure?: unknown;
}

/** The place of a directory's records. */
export interface DirectoryExtent {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** Reads the whole extent of a directory. */
export async function readDirectory(
  image: Image,
  directory: DirectoryExtent,
  budget: Budget,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  try {
    image.checkBounds(directory.offset, directory.length);
    budget.spendBytes(directory.length, directory.offset);
    return await image.read(directory.offset, directory.length, signal);
  } catch (error) {
    throw withContext(error, `reading directory ${directory.name}`);
  }
}

/**
 * The records in `bytes`, the extent of a directory at `base`, each passed through `interpret`. Records may not cross a
 * sector unless `sectors` is `ignored`.
 */
export function parseRecords<T>(
  image: Image,
  bytes: Uint8Array,
  base: number,
  sectors: 'respected' | 'ignored',
  interpret: (record: RawRecord) => T | undefined,
): RecordList<T> {
  const records: T[] = [];
  try {
    let position = 0;
    while (position < bytes.length) {
      const length = readU8(bytes, position);
      if (length === 0) {
        position = nextSector(position);
        continue;
      }
      if (sectors === 'respected' && (position % SECTOR) + length > SECTOR) {
        throw new IsoError('ISO_BAD_RECORD', 'directory record crosses a sector', { offset: base + position });
      }
      const record = parseRecord(image, bytes, position, base);
      const interpreted = interpret(record);
      // Checked last, because coreos-installer reports an invalid name before an invalid length.
      checkNameFits(record);
      if (interpreted !== undefined) records.push(interpreted);
      position += length;
    }
    return { records };
  } catch (failure) {
    return { records, failure: withContext(failure, 'reading next record') };
  }
}

/** A zero length means that the next record is in the next sector (ECMA-119 6.8.1.1). */
function nextSector(position: number): number {
  // In coreos-installer, a single zero byte at the end of a sector skips one more sector; record lengths are even, so
  // that does not occur.
  return (Math.floor((position + 1) / SECTOR) + 1) * SECTOR;
}

/** The record at `position` of `bytes`, which are at `base` in the image. Call `checkNameFits` afterwards. */
export function parseRecord(image: Image, bytes: Uint8Array, position: number, base: number): RawRecord {
  const offset = base + position;
  const length = readU8(bytes, position);
  const rest = bytes.subarray(position);
  if (length > rest.length) {
    throw new IsoError('ISO_BAD_RECORD', 'incomplete directory record; corrupt ISO?', { offset });
  }
  if (rest.length < RECORD.name) {
    throw new IsoError('ISO_BAD_RECORD', `directory record of ${length} bytes is too short`, { offset });
  }
  const nameLength = readU8(rest, RECORD.nameLength);
  const nameEnd = RECORD.name + nameLength;
  if (nameEnd > rest.length) {
    const cause = new IsoError('ISO_BAD_RECORD', 'incomplete string name; corrupt ISO?', { offset });
    throw withContext(cause, 'parsing record name');
  }
  // The name is padded to an even length (ECMA-119 9.1.12).
  const systemUse = Math.min(nameEnd + (nameLength % 2 === 0 ? 1 : 0), length);
  return {
    offset,
    recordLength: length,
    sector: image.both32(rest, RECORD.extent, offset, 'extent of a directory record'),
    length: image.both32(rest, RECORD.dataLength, offset, 'data length of a directory record'),
    flags: readU8(rest, RECORD.flags),
    attributeSectors: readU8(rest, RECORD.attributeLength),
    interleaved: rest[RECORD.unitSize] !== 0 || rest[RECORD.gapSize] !== 0,
    modified: readRecordDate(rest, RECORD.date),
    name: rest.subarray(RECORD.name, nameEnd),
    systemUse: rest.subarray(systemUse, length),
    systemUseOffset: offset + systemUse,
  };
}

/** Refuses a record whose name extends into the next record. */
export function checkNameFits({ name, offset, recordLength }: RawRecord): void {
  if (RECORD.name + name.length > recordLength) {
    const message = `directory record of ${recordLength} bytes is too short for its name`;
    throw new IsoError('ISO_BAD_RECORD', message, { offset });
  }
}

/** ECMA-119 7.6.2: the names of the directory itself and its parent are byte 0 and byte 1. */
export function isSelfOrParent({ name }: RawRecord): boolean {
  return name.length === 1 && (name[0] === 0 || name[0] === 1);
}
