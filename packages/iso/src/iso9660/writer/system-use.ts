// Fields of the System Use Sharing Protocol, and continuation areas for those that do not fit into a record.

import { SECTOR, writeBoth32 } from '../fields.ts';

/** SUSP 4: signature, length and version before the data. */
const FIELD_HEADER = 4;
/** SUSP 4: the length is one byte. */
export const LONGEST_FIELD_DATA: number = 255 - FIELD_HEADER;
/** SUSP 5.1. */
const POINTER_LENGTH = 28;

/** One field: two letters, its length, version 1, data. */
export function systemUseField(signature: string, data: Uint8Array): Uint8Array {
  const field = new Uint8Array(FIELD_HEADER + data.length);
  field.set([signature.charCodeAt(0), signature.charCodeAt(1), field.length, 1]);
  field.set(data, FIELD_HEADER);
  return field;
}

/** A run of fields. If more follow, it ends with a pointer (`CE`) to the next run. */
export interface FieldRun {
  readonly fields: readonly Uint8Array[];
  readonly length: number;
  readonly next: ContinuedRun | undefined;
}

interface ContinuedRun extends FieldRun {
  /** Offset from the beginning of the directory's continuation area. */
  readonly offset: number;
}

/** The continuation area of one directory: the sectors after its records. */
export class ContinuationArea {
  #size = 0;
  readonly #runs: ContinuedRun[] = [];

  get sectors(): number {
    return Math.ceil(this.#size / SECTOR);
  }

  /** Splits fields into those that fit into `room` bytes and those that go into this area. */
  place(fields: readonly Uint8Array[], room: number): FieldRun {
    if (totalLength(fields) <= room) return { fields, length: totalLength(fields), next: undefined };
    let count = 0;
    let length = POINTER_LENGTH;
    for (const field of fields) {
      if (length + field.length > room) break;
      length += field.length;
      count++;
    }
    return { fields: fields.slice(0, count), length, next: this.#continue(fields.slice(count)) };
  }

  /** Writes every run at its place in `area`, which begins at `sector` of the image. */
  write(area: Uint8Array, sector: number): void {
    for (const run of this.#runs) writeRun(area, run.offset, run, sector);
  }

  /** A run never crosses a sector: Linux reads only one sector per pointer. */
  #continue(fields: readonly Uint8Array[]): ContinuedRun {
    const left = SECTOR - (this.#size % SECTOR);
    const fits = totalLength(fields) <= left;
    const offset = fits ? this.#size : Math.ceil(this.#size / SECTOR) * SECTOR;
    // Reserves space before placing the rest after it.
    this.#size = offset + Math.min(totalLength(fields), SECTOR);
    const run = { ...this.place(fields, SECTOR), offset };
    this.#runs.push(run);
    return run;
  }
}

/** Writes one run, pointer included. */
export function writeRun(into: Uint8Array, offset: number, run: FieldRun, areaSector: number): void {
  let position = offset;
  for (const field of run.fields) {
    into.set(field, position);
    position += field.length;
  }
  if (run.next === undefined) return;
  const data = new Uint8Array(POINTER_LENGTH - FIELD_HEADER);
  writeBoth32(data, 0, areaSector + Math.floor(run.next.offset / SECTOR));
  writeBoth32(data, 8, run.next.offset % SECTOR);
  writeBoth32(data, 16, run.next.length);
  into.set(systemUseField('CE', data), position);
}

function totalLength(fields: readonly Uint8Array[]): number {
  return fields.reduce((total, field) => total + field.length, 0);
}
