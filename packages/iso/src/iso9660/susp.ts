// The System Use Sharing Protocol (SUSP 1.12, IEEE P1281): a list of fields behind the name of a directory record,
// continued elsewhere in the image.
import { IsoError, withContext } from '../errors.ts';
import { readLatin1, readU8, SECTOR } from './fields.ts';
import type { Image } from './image.ts';
import type { Budget } from './limits.ts';

/** One System Use field: its two letters, and the data after length and version. */
export interface SystemUseField {
  readonly signature: string;
  readonly data: Uint8Array;
  /** Byte position in the image, or of the continuation area that holds it. */
  readonly offset: number;
}

/** SUSP 4: signature, length and version before the data. */
const HEADER = 4;
/** Real chains have one or two links; each costs a read. */
const MAX_CONTINUATIONS = 64;
/** SUSP 5.3: the check bytes of an `SP` field. */
const SP_CHECK = [0xbe, 0xef];

/** The fields of one System Use area that lies at `offset`, continuation areas (`CE`, SUSP 5.1) included. */
export async function readSystemUse(
  image: Image,
  area: Uint8Array,
  offset: number,
  budget: Budget,
  signal?: AbortSignal,
): Promise<SystemUseField[]> {
  const fields: SystemUseField[] = [];
  let next = parseArea(image, area, offset, fields);
  for (let links = 0; next !== undefined; links++) {
    if (links === MAX_CONTINUATIONS) {
      throw new IsoError('ISO_LIMIT', `more than ${MAX_CONTINUATIONS} continuation areas`, { offset: next.offset });
    }
    try {
      image.checkBounds(next.offset, next.length);
      budget.spendBytes(next.length, next.offset);
      const bytes = await image.readWithin(next.offset, next.length, signal);
      next = parseArea(image, bytes, next.offset, fields);
    } catch (error) {
      throw withContext(error, 'reading continuation area');
    }
  }
  return fields;
}

interface Continuation {
  readonly offset: number;
  readonly length: number;
}

/** Adds the fields of one area to `fields`, and returns the place where the list continues. */
function parseArea(image: Image, area: Uint8Array, offset: number, fields: SystemUseField[]): Continuation | undefined {
  let continuation: Continuation | undefined;
  let position = 0;
  while (position + HEADER <= area.length) {
    const length = readU8(area, position + 2);
    // Zero bytes pad an area; SUSP 4 also ignores up to three other bytes at the end.
    if (area[position] === 0) break;
    if (length < HEADER || position + length > area.length) {
      throw new IsoError('ISO_BAD_EXTENSION', `System Use field of ${length} bytes does not fit`, {
        offset: offset + position,
      });
    }
    const field: SystemUseField = {
      signature: readLatin1(area, position, 2),
      data: area.subarray(position + HEADER, position + length),
      offset: offset + position,
    };
    if (field.signature === 'ST') break;
    if (field.signature === 'CE') continuation = parseContinuation(image, field);
    else fields.push(field);
    position += length;
  }
  return continuation;
}

function parseContinuation(image: Image, field: SystemUseField): Continuation {
  requireLength(field, 24);
  const base = field.offset + HEADER;
  return {
    offset:
      image.both32(field.data, 0, base, 'sector of a continuation area') * SECTOR +
      image.both32(field.data, 8, base, 'offset of a continuation area'),
    length: image.both32(field.data, 16, base, 'length of a continuation area'),
  };
}

/** Refuses a field whose data is shorter than its definition. */
export function requireLength({ signature, data, offset }: SystemUseField, length: number): void {
  if (data.length < length) {
    throw new IsoError('ISO_BAD_EXTENSION', `${signature} field has ${data.length} bytes of ${length}`, { offset });
  }
}

/**
 * SUSP 5.3: the number of bytes to skip at the start of all other System Use areas, read from the root's own record;
 * `undefined` if the image does not use the protocol.
 */
export function systemUseSkip(area: Uint8Array): number | undefined {
  const [s, p, length, version, check1, check2, skip] = area;
  const isSp = s === 0x53 && p === 0x50 && length === 7 && version === 1;
  return isSp && check1 === SP_CHECK[0] && check2 === SP_CHECK[1] ? skip : undefined;
}
