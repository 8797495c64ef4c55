// The Rock Ridge Interchange Protocol (RRIP 1.12, IEEE P1282), and the detection of zisofs (ZF). Left out: the contents
// of both sparse (SF) and compressed files, and device numbers (PN).
import { concatBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { ImageEntry } from './entry.ts';
import { readRecordDate, readU8, readVolumeDate, SECTOR } from './fields.ts';
import type { Image } from './image.ts';
import { decodeText } from './names.ts';
import { requireLength, type SystemUseField } from './susp.ts';

/** The Rock Ridge fields of one directory record; missing fields are absent. */
export interface RockRidge {
  readonly name: string | undefined;
  /** File type and permissions, as in `st_mode`. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly modified?: Date;
  readonly target: string | undefined;
  readonly stored?: NonNullable<ImageEntry['stored']>;
  /** Byte position of the relocated directory that this record stands for (CL). */
  readonly relocatedTo?: number;
  /** Whether the directory was relocated here from elsewhere (RE). */
  readonly relocated: boolean;
}

/** Fields in the root that prove the use of Rock Ridge. */
const TELLING = new Set(['RR', 'PX', 'TF', 'NM']);
/** RRIP 4.3: the identifiers in an `ER` field, over three versions. */
const EXTENSION_IDS = ['RRIP_1991A', 'IEEE_P1282', 'IEEE_1282'];

/** Whether the fields of the root's own record announce Rock Ridge. */
export function announcesRockRidge(fields: readonly SystemUseField[]): boolean {
  return fields.some(
    ({ signature, data }) =>
      TELLING.has(signature) ||
      (signature === 'ER' && EXTENSION_IDS.some((id) => decodeText(data.subarray(4)).startsWith(id))),
  );
}

/** The meaning of a record's System Use fields. */
export function parseRockRidge(image: Image, fields: readonly SystemUseField[]): RockRidge {
  const found: { -readonly [Key in keyof RockRidge]: RockRidge[Key] } = {
    name: parseName(fields),
    target: parseTarget(fields),
    relocated: false,
  };
  for (const field of fields) {
    const base = field.offset + 4;
    if (field.signature === 'PX') {
      requireLength(field, 32);
      found.mode = image.both32(field.data, 0, base, 'mode of a file');
      found.uid = image.both32(field.data, 16, base, 'owner of a file');
      found.gid = image.both32(field.data, 24, base, 'group of a file');
    } else if (field.signature === 'TF') {
      const modified = parseModified(field);
      if (modified !== undefined) found.modified = modified;
    } else if (field.signature === 'CL') {
      requireLength(field, 8);
      found.relocatedTo = image.both32(field.data, 0, base, 'position of a moved directory') * SECTOR;
    } else if (field.signature === 'ZF') {
      found.stored = 'compressed';
    } else if (field.signature === 'SF') {
      found.stored = 'sparse';
    } else if (field.signature === 'RE') {
      found.relocated = true;
    }
  }
  return found;
}

/** RRIP 4.1.4: flags, then bytes of the name; a longer name continues in the next field. */
function parseName(fields: readonly SystemUseField[]): string | undefined {
  const parts: Uint8Array[] = [];
  for (const field of fields) {
    if (field.signature !== 'NM') continue;
    requireLength(field, 1);
    // CURRENT and PARENT name the directory and its parent; their plain names identify those records.
    if ((readU8(field.data, 0) & 0x06) === 0) parts.push(field.data.subarray(1));
  }
  return parts.length === 0 ? undefined : decodeText(concatBytes(parts));
}

/** RRIP 4.1.3.1: flags of a component of a symbolic link. */
const COMPONENT = { continues: 0x01, current: 0x02, parent: 0x04, root: 0x08 } as const;

/** RRIP 4.1.3: the target of a symbolic link, in components over one or more fields. */
function parseTarget(fields: readonly SystemUseField[]): string | undefined {
  const parts: Uint8Array[] = [];
  let joins = true;
  let isLink = false;
  for (const field of fields) {
    if (field.signature !== 'SL') continue;
    requireLength(field, 1);
    isLink = true;
    for (let position = 1; position + 1 < field.data.length; ) {
      const flags = readU8(field.data, position);
      const length = readU8(field.data, position + 1);
      const end = position + 2 + length;
      if (end > field.data.length) {
        throw new IsoError('ISO_BAD_EXTENSION', 'component of a symbolic link does not fit', { offset: field.offset });
      }
      if (!joins) parts.push(SLASH);
      parts.push(componentText(flags, field.data.subarray(position + 2, end)));
      joins = (flags & (COMPONENT.continues | COMPONENT.root)) !== 0;
      position = end;
    }
  }
  return isLink ? decodeText(concatBytes(parts)) : undefined;
}

const SLASH = Uint8Array.of(0x2f);
const DOT = Uint8Array.of(0x2e);
const DOTS = Uint8Array.of(0x2e, 0x2e);

function componentText(flags: number, text: Uint8Array): Uint8Array {
  if (flags & COMPONENT.root) return SLASH;
  if (flags & COMPONENT.parent) return DOTS;
  return flags & COMPONENT.current ? DOT : text;
}

/**
 * RRIP 4.1.6: the timestamps that the flags announce, in the order of their bits; the second one is the modification
 * time.
 */
function parseModified(field: SystemUseField): Date | undefined {
  const flags = field.data[0] ?? 0;
  if ((flags & 0x02) === 0) return undefined;
  const long = (flags & 0x80) !== 0;
  const at = 1 + (flags & 0x01 ? (long ? 17 : 7) : 0);
  requireLength(field, at + (long ? 17 : 7));
  return long ? readVolumeDate(field.data, at) : readRecordDate(field.data, at);
}
