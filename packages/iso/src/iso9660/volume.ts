// ECMA-119 8: volume descriptors. Left out: path tables, volume partitions, enhanced descriptors (version 2).
import type { ByteSource } from '../bytes/source.ts';
import { IsoError, withContext } from '../errors.ts';
import { checkNameFits, parseRecord, type RawRecord } from './directory.ts';
import {
  BOOT_RECORD,
  DESCRIPTOR_TYPE,
  FIRST_DESCRIPTOR_SECTOR,
  RECORD_FLAG,
  readLatin1,
  readU8,
  readU16Le,
  readU32Le,
  readVolumeDate,
  SECTOR,
  STANDARD_IDENTIFIER,
  VOLUME,
} from './fields.ts';
import type { Image } from './image.ts';
import { identifier, isJoliet, jolietIdentifier, quoteBytes, strictIdentifier, strictName } from './names.ts';

/** The properties of the volume. */
export interface Volume {
  readonly volumeId: string;
  readonly systemId: string;
  /** Sectors of the volume; the source may be longer. */
  readonly spaceSize: number;
  /** The first primary descriptor, from which the volume is read. */
  readonly primary: Extract<VolumeDescriptor, { type: 'primary' }>;
  /** All descriptors in on-disk order, without the terminator. */
  readonly descriptors: readonly VolumeDescriptor[];
}

/** A volume descriptor; `offset` is its byte position in the image. */
export type VolumeDescriptor =
  /** ECMA-119 8.4. */
  | {
      readonly type: 'primary';
      readonly offset: number;
      readonly systemId: string;
      readonly volumeId: string;
      readonly volumeSetId: string;
      readonly publisherId: string;
      readonly preparerId: string;
      readonly applicationId: string;
      /** Sectors of the volume; the source may be longer. */
      readonly spaceSize: number;
      readonly blockSize: number;
      readonly created?: Date;
      readonly modified?: Date;
      /** The root directory; `recordOffset` is the byte position of its record in the image. */
      readonly root: {
        readonly name: string;
        readonly sector: number;
        readonly length: number;
        readonly recordOffset: number;
      };
    }
  /** ECMA-119 8.2; El Torito defines the catalogue's place. */
  | {
      readonly type: 'boot';
      readonly offset: number;
      readonly systemId: string;
      readonly bootId: string;
      readonly catalogSector: number;
    }
  /** ECMA-119 8.5; only Joliet is supported. */
  | {
      readonly type: 'supplementary';
      readonly offset: number;
      readonly joliet?: {
        readonly volumeId: string;
        readonly root: Extract<VolumeDescriptor, { type: 'primary' }>['root'];
      };
    }
  /** A descriptor type that ECMA-119 does not define or that is not used here. */
  | { readonly type: 'unknown'; readonly offset: number; readonly typeId: number };

type Descriptor<Type extends VolumeDescriptor['type']> = Extract<VolumeDescriptor, { type: Type }>;
type PrimaryDescriptor = Descriptor<'primary'>;
type BootDescriptor = Descriptor<'boot'>;
export type SupplementaryDescriptor = Descriptor<'supplementary'>;
export type RootRecord = PrimaryDescriptor['root'];

/** How to read identifiers: as in coreos-installer, which refuses some characters, or as they are. */
export type VolumeRules = 'strict' | 'forgiving';

/** Real volumes have up to five descriptors; the first read fetches four. */
const FIRST_READ = 4 * SECTOR;
const LARGEST_READ = 32 * SECTOR;
const MAX_DESCRIPTORS = 4096;

/** Reads all descriptors up to the terminator. */
export async function readVolume(image: Image, rules: VolumeRules, signal?: AbortSignal): Promise<Volume> {
  if (rules === 'forgiving') refuseEmpty(image.source);
  const descriptors: VolumeDescriptor[] = [];
  const sectors = descriptorSectors(image, signal);
  for (;;) {
    try {
      const { offset, sector } = await sectors();
      if (sector[VOLUME.type] === DESCRIPTOR_TYPE.terminator) break;
      descriptors.push(parseDescriptor(image, sector, offset, rules));
    } catch (error) {
      throw withContext(notAnImageError(error), `getting volume descriptor #${descriptors.length + 1}`);
    }
  }
  const primary = descriptors.find((descriptor) => descriptor.type === 'primary');
  if (primary === undefined) throw new IsoError('ISO_NOT_AN_IMAGE', 'no primary volume descriptor found in ISO');
  checkSize(image, primary, rules);
  return {
    volumeId: primary.volumeId,
    systemId: primary.systemId,
    spaceSize: primary.spaceSize,
    primary,
    descriptors,
  };
}

/** The error for a source that ends within its descriptors, or has too many of them: the source is not an image. */
function notAnImageError(error: unknown): unknown {
  if (!(error instanceof IsoError) || (error.code !== 'ISO_SHORT_READ' && error.code !== 'ISO_LIMIT')) return error;
  const { message, cause, offset } = error;
  return new IsoError('ISO_NOT_AN_IMAGE', message, { cause, offset });
}

/** Refuses an empty file with a clear message; coreos-installer reports an unreadable volume descriptor. */
export function refuseEmpty({ size }: ByteSource): void {
  if (size === 0) throw new IsoError('ISO_NOT_AN_IMAGE', 'not an ISO image: the file is empty');
}

function checkSize(image: Image, { spaceSize, offset }: PrimaryDescriptor, rules: VolumeRules): void {
  if (spaceSize * SECTOR <= image.source.size) return;
  const place = offset + VOLUME.spaceSize;
  if (rules === 'strict') throw new IsoError('ISO_INCOMPLETE', 'ISO image is incomplete', { offset: place });
  image.note(`the image is truncated: the volume has ${spaceSize} sectors`, place);
}

/** Returns one sector per call, from reads that grow until the terminator is found. */
function descriptorSectors(
  image: Image,
  signal: AbortSignal | undefined,
): () => Promise<{ offset: number; sector: Uint8Array }> {
  let chunk: Uint8Array = new Uint8Array(0);
  let chunkOffset = FIRST_DESCRIPTOR_SECTOR * SECTOR;
  let position = 0;
  let size = FIRST_READ;
  return async () => {
    if (position === chunk.length) {
      chunkOffset += chunk.length;
      if (chunkOffset >= (FIRST_DESCRIPTOR_SECTOR + MAX_DESCRIPTORS) * SECTOR) {
        throw new IsoError('ISO_LIMIT', `more than ${MAX_DESCRIPTORS} volume descriptors`, { offset: chunkOffset });
      }
      const available = Math.floor((image.source.size - chunkOffset) / SECTOR) * SECTOR;
      try {
        chunk = await image.read(chunkOffset, Math.max(SECTOR, Math.min(size, available)), signal);
      } catch (error) {
        throw withContext(error, 'reading volume descriptor');
      }
      position = 0;
      size = Math.min(size * 2, LARGEST_READ);
    }
    const found = { offset: chunkOffset + position, sector: chunk.subarray(position, position + SECTOR) };
    position += SECTOR;
    return found;
  };
}

function parseDescriptor(image: Image, sector: Uint8Array, offset: number, rules: VolumeRules): VolumeDescriptor {
  const typeId = readU8(sector, VOLUME.type);
  switch (typeId) {
    case DESCRIPTOR_TYPE.boot:
      return parseBoot(sector, offset, rules);
    case DESCRIPTOR_TYPE.primary:
      return parsePrimary(image, sector, offset, rules);
    case DESCRIPTOR_TYPE.supplementary:
      return parseSupplementary(image, sector, offset);
    default:
      return { type: 'unknown', offset, typeId };
  }
}

function checkHeader(sector: Uint8Array, offset: number, context: string): void {
  const id = sector.subarray(VOLUME.identifier, VOLUME.version);
  const version = sector[VOLUME.version];
  const problem =
    readLatin1(id, 0, id.length) !== STANDARD_IDENTIFIER
      ? `unknown descriptor ID: ${quoteBytes(id)}`
      : version !== 1
        ? `unknown descriptor version: ${version}`
        : undefined;
  if (problem !== undefined) throw withContext(new IsoError('ISO_NOT_AN_IMAGE', problem, { offset }), context);
}

function readIdentifier(
  sector: Uint8Array,
  at: number,
  length: number,
  offset: number,
  rules: VolumeRules,
  context: string,
): string {
  const bytes = sector.subarray(at, at + length);
  if (rules === 'forgiving') return identifier(bytes);
  try {
    return strictIdentifier(bytes, offset + at);
  } catch (error) {
    throw withContext(error, context);
  }
}

function parseBoot(sector: Uint8Array, offset: number, rules: VolumeRules): BootDescriptor {
  checkHeader(sector, offset, 'parsing boot descriptor');
  return {
    type: 'boot',
    offset,
    systemId: readIdentifier(sector, BOOT_RECORD.systemId, 32, offset, rules, 'parsing boot system ID'),
    bootId: readIdentifier(sector, BOOT_RECORD.bootId, 32, offset, rules, 'parsing boot ID'),
    catalogSector: readU32Le(sector, BOOT_RECORD.catalogSector),
  };
}

function parsePrimary(image: Image, sector: Uint8Array, offset: number, rules: VolumeRules): PrimaryDescriptor {
  checkHeader(sector, offset, 'parsing primary descriptor');
  const text = (at: number, length: number) => identifier(sector.subarray(at, at + length));
  const created = readVolumeDate(sector, VOLUME.creationDate);
  const modified = readVolumeDate(sector, VOLUME.modificationDate);
  return {
    type: 'primary',
    offset,
    systemId: readIdentifier(sector, VOLUME.systemId, 32, offset, rules, 'parsing system id'),
    volumeId: readIdentifier(sector, VOLUME.volumeId, 32, offset, rules, 'parsing volume id'),
    volumeSetId: text(VOLUME.volumeSetId, 128),
    publisherId: text(VOLUME.publisherId, 128),
    preparerId: text(VOLUME.preparerId, 128),
    applicationId: text(VOLUME.applicationId, 128),
    spaceSize: image.both32(sector, VOLUME.spaceSize, offset, 'volume space size'),
    blockSize: readU16Le(sector, VOLUME.blockSize),
    ...(created && { created }),
    ...(modified && { modified }),
    root: parseRoot(image, sector, offset),
  };
}

function parseSupplementary(image: Image, sector: Uint8Array, offset: number): SupplementaryDescriptor {
  const isStandard = readLatin1(sector, VOLUME.identifier, 5) === STANDARD_IDENTIFIER;
  if (!isStandard || !isJoliet(sector)) return { type: 'supplementary', offset };
  try {
    const volumeId = jolietIdentifier(sector.subarray(VOLUME.volumeId, VOLUME.volumeId + 32));
    return { type: 'supplementary', offset, joliet: { volumeId, root: parseRoot(image, sector, offset) } };
  } catch {
    // A damaged Joliet tree must not affect callers that do not use it.
    image.note('the Joliet descriptor is damaged', offset);
    return { type: 'supplementary', offset };
  }
}

function parseRoot(image: Image, sector: Uint8Array, offset: number): RootRecord {
  const recordOffset = offset + VOLUME.rootRecord;
  if (sector[VOLUME.rootRecord] !== 0) {
    const record = parseRecord(image, sector, VOLUME.rootRecord, offset);
    if ((record.flags & RECORD_FLAG.directory) !== 0 && !isParent(record)) {
      const name = rootName(record);
      checkNameFits(record);
      return { name, sector: record.sector, length: record.length, recordOffset };
    }
  }
  throw new IsoError('ISO_NOT_AN_IMAGE', 'failed to parse root directory record from primary descriptor', {
    offset: recordOffset,
  });
}

function isParent({ name }: RawRecord): boolean {
  return name.length === 1 && name[0] === 1;
}

function rootName({ name, offset }: RawRecord): string {
  if (name.length === 1 && name[0] === 0) return '.';
  try {
    return strictName(name, offset);
  } catch (error) {
    throw withContext(error, 'parsing record name');
  }
}
