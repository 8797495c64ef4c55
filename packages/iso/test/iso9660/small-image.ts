// Small volumes built independently by the numbers of ECMA-119. The standard counts bytes from 1, this file from 0.
import { bytesSource } from '../../src/bytes/source.ts';
import type { ImageEntry } from '../../src/iso9660/entry.ts';
import { type Iso, openIso } from '../../src/iso9660/reader.ts';
import type { IsoView } from '../../src/iso9660/tree.ts';

/** 6.1.2: the size of a sector, and of a logical block. */
export const SECTOR = 2048;

/** 9.1.6: the flag of a directory's record, and of a record that continues in another. */
const DIRECTORY = 0x02;
export const MULTI_EXTENT = 0x80;

/** A directory record for `smallImage`; every field may be false. */
export interface SmallRecord {
  readonly name: string | readonly number[];
  readonly sector: number;
  readonly length: number;
  readonly flags?: number;
  readonly systemUse?: readonly number[];
}

/** The bytes of one record (9.1). */
function recordBytes({ name, sector, length, flags = 0, systemUse = [] }: SmallRecord): Uint8Array {
  const nameBytes = typeof name === 'string' ? text(name) : name;
  const systemUseAt = 33 + nameBytes.length + (nameBytes.length % 2 === 0 ? 1 : 0);
  const record = new Uint8Array(systemUseAt + systemUse.length + (systemUse.length % 2));
  record[0] = record.length;
  record.set(both32(sector), 2);
  record.set(both32(length), 10);
  record[25] = flags;
  record.set([1, 0, 0, 1], 28);
  record[32] = nameBytes.length;
  record.set(nameBytes, 33);
  record.set(systemUse, systemUseAt);
  return record;
}

/** A System Use field: two letters, its length, version 1, the data. */
export function systemUseField(signature: string, data: readonly number[]): number[] {
  return [signature.charCodeAt(0), signature.charCodeAt(1), data.length + 4, 1, ...data];
}

/** A number in both byte orders (7.3.3). */
export function both32(value: number): number[] {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, value, true);
  view.setUint32(4, value, false);
  return [...new Uint8Array(view.buffer)];
}

/** SUSP 5.3: announces System Use fields, in the root's own record. */
export const SP: readonly number[] = systemUseField('SP', [0xbe, 0xef, 0]);

/** The sector of the root directory in `smallImage`. */
export const ROOT = 18;

/**
 * A volume of `sectors` sectors whose directories, by sector, hold the given records. The caller also provides the
 * records of directories themselves and of their parents, because hostile images have wrong ones.
 */
export function smallImage(
  directories: Readonly<Record<number, readonly SmallRecord[]>>,
  { sectors = 32, rootLength = SECTOR }: { readonly sectors?: number; readonly rootLength?: number } = {},
): Uint8Array {
  const image = new Uint8Array(sectors * SECTOR);
  // 8.4 and 8.3.
  const primary = image.subarray(16 * SECTOR, 17 * SECTOR);
  primary.set([1, ...text('CD001'), 1]);
  primary.fill(0x20, 8, 72);
  primary.set(text('SMALL'), 40);
  primary.set(both32(sectors), 80);
  primary.set([0x00, 0x08, 0x08, 0x00], 128);
  primary.set(recordBytes({ name: [0], sector: ROOT, length: rootLength, flags: DIRECTORY }), 156);
  image.set([255, ...text('CD001'), 1], 17 * SECTOR);
  for (const [sector, records] of Object.entries(directories)) {
    let position = Number(sector) * SECTOR;
    for (const record of records.map(recordBytes)) {
      image.set(record, position);
      position += record.length;
    }
  }
  return image;
}

/** A file of three bytes. */
export function file(name: string, more: Partial<SmallRecord> = {}): SmallRecord {
  return { name, sector: 25, length: 3, ...more };
}

/** The record of a directory in its parent. */
export function directory(name: string, sector: number, length: number = SECTOR): SmallRecord {
  return { name, sector, length, flags: DIRECTORY };
}

/** The record of a directory in itself. */
export function self(sector: number, systemUse: readonly number[] = []): SmallRecord {
  return { name: [0], sector, length: SECTOR, flags: DIRECTORY, systemUse };
}

/** RRIP 4.1.1: a regular file that everyone may read. */
export const PX: readonly number[] = systemUseField('PX', [
  ...both32(0o100644),
  ...both32(1),
  ...both32(0),
  ...both32(0),
]);

/** An image with Rock Ridge whose root has one file with these fields. */
export function rooted(fields: readonly number[], sp: readonly number[] = SP): Uint8Array {
  return smallImage({ [ROOT]: [self(ROOT, [...sp, ...PX]), file('A', { systemUse: fields })] });
}

export function open(image: Uint8Array, view?: IsoView): Promise<Iso> {
  return openIso(bytesSource(image), view === undefined ? {} : { view });
}

/** The one file of such an image. */
export async function entryOf(...fields: readonly (readonly number[])[]): Promise<ImageEntry | undefined> {
  const [entry] = await (await open(rooted(fields.flat()))).list('/');
  return entry;
}

/** Text as it is in an image. */
export function text(value: string): number[] {
  return [...new TextEncoder().encode(value)];
}
