// The field types and fixed offsets of ECMA-119, as read/write pairs; the code that uses the fields explains their
// meaning.

/** ECMA-119 6.1.2: size of logical sectors and blocks in all supported images. */
export const SECTOR = 2048;

/** ECMA-119 6.2.1: the first sector after the System Area, where the volume descriptors start. */
export const FIRST_DESCRIPTOR_SECTOR = 16;

/** ECMA-119 8.1.2: the five bytes after the type of every descriptor. */
export const STANDARD_IDENTIFIER = 'CD001';

/** ECMA-119 8.1.1: the first byte of a descriptor. */
export const DESCRIPTOR_TYPE = {
  boot: 0,
  primary: 1,
  supplementary: 2,
  terminator: 255,
} as const;

/** Byte positions in a boot record descriptor: ECMA-119 8.2, and El Torito figure 7 for the catalogue. */
export const BOOT_RECORD = {
  systemId: 7,
  bootId: 39,
  catalogSector: 71,
} as const;

/** Byte positions in a primary or supplementary descriptor, ECMA-119 8.4 and 8.5. */
export const VOLUME = {
  type: 0,
  identifier: 1,
  version: 6,
  systemId: 8,
  volumeId: 40,
  spaceSize: 80,
  escapeSequences: 88,
  setSize: 120,
  sequenceNumber: 124,
  blockSize: 128,
  pathTableSize: 132,
  littlePathTable: 140,
  bigPathTable: 148,
  rootRecord: 156,
  volumeSetId: 190,
  publisherId: 318,
  preparerId: 446,
  applicationId: 574,
  copyrightFileId: 702,
  abstractFileId: 739,
  bibliographicFileId: 776,
  creationDate: 813,
  modificationDate: 830,
  expirationDate: 847,
  effectiveDate: 864,
  fileStructureVersion: 881,
} as const;

/** Byte positions in a directory record, ECMA-119 9.1. */
export const RECORD = {
  length: 0,
  attributeLength: 1,
  extent: 2,
  dataLength: 10,
  date: 18,
  flags: 25,
  unitSize: 26,
  gapSize: 27,
  sequenceNumber: 28,
  nameLength: 32,
  name: 33,
} as const;

/** ECMA-119 9.1.6: the bits of a directory record's flags that matter here. */
export const RECORD_FLAG = { directory: 0x02, associated: 0x04, multiExtent: 0x80 } as const;

/** Joliet 3: the escape sequences that announce UCS-2 names at level 1, 2 and 3. */
export const JOLIET_LEVEL_3 = '%/E';
export const JOLIET_ESCAPES: readonly string[] = ['%/@', '%/C', JOLIET_LEVEL_3];

/** A number stored in both byte orders; the little-endian copy is the value, as in all common readers. */
export interface BothEndian {
  readonly value: number;
  /** Whether the big-endian copy is equal. */
  readonly agrees: boolean;
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** ECMA-119 7.1.1. */
export function readU8(bytes: Uint8Array, offset: number): number {
  return view(bytes).getUint8(offset);
}

/** ECMA-119 7.2.1. */
export function readU16Le(bytes: Uint8Array, offset: number): number {
  return view(bytes).getUint16(offset, true);
}

/** ECMA-119 7.2.2. */
export function readU16Be(bytes: Uint8Array, offset: number): number {
  return view(bytes).getUint16(offset, false);
}

/** ECMA-119 7.3.1. */
export function readU32Le(bytes: Uint8Array, offset: number): number {
  return view(bytes).getUint32(offset, true);
}

/** ECMA-119 7.3.2. */
export function readU32Be(bytes: Uint8Array, offset: number): number {
  return view(bytes).getUint32(offset, false);
}

/** A 64-bit number of a partition table. It is rounded beyond 2^53, which no real sector number reaches. */
export function readU64Le(bytes: Uint8Array, offset: number): number {
  return readU32Le(bytes, offset) + readU32Le(bytes, offset + 4) * 2 ** 32;
}

/** ECMA-119 7.3.3: a 32-bit number, little-endian then big-endian. */
export function readBothEndian32(bytes: Uint8Array, offset: number): BothEndian {
  const value = readU32Le(bytes, offset);
  return { value, agrees: value === readU32Be(bytes, offset + 4) };
}

/** ECMA-119 7.2.1. */
export function writeU16Le(bytes: Uint8Array, offset: number, value: number): void {
  view(bytes).setUint16(offset, value, true);
}

/** ECMA-119 7.2.2. */
export function writeU16Be(bytes: Uint8Array, offset: number, value: number): void {
  view(bytes).setUint16(offset, value, false);
}

/** ECMA-119 7.3.1. */
export function writeU32Le(bytes: Uint8Array, offset: number, value: number): void {
  view(bytes).setUint32(offset, value, true);
}

/** ECMA-119 7.3.2. */
export function writeU32Be(bytes: Uint8Array, offset: number, value: number): void {
  view(bytes).setUint32(offset, value, false);
}

/** A 64-bit number of a partition table, exact below 2^53. */
export function writeU64Le(bytes: Uint8Array, offset: number, value: number): void {
  writeU32Le(bytes, offset, value % 2 ** 32);
  writeU32Le(bytes, offset + 4, Math.floor(value / 2 ** 32));
}

/** ECMA-119 7.2.3: both copies of a 16-bit number. */
export function writeBoth16(bytes: Uint8Array, offset: number, value: number): void {
  writeU16Le(bytes, offset, value);
  writeU16Be(bytes, offset + 2, value);
}

/** ECMA-119 7.3.3: both copies of a 32-bit number. */
export function writeBoth32(bytes: Uint8Array, offset: number, value: number): void {
  writeU32Le(bytes, offset, value);
  writeU32Be(bytes, offset + 4, value);
}

/** Bytes as text, one character per byte: a- and d-characters of ECMA-119, and all other bytes found in practice. */
export function readLatin1(bytes: Uint8Array, offset: number, length: number): string {
  let text = '';
  for (const byte of bytes.subarray(offset, offset + length)) text += String.fromCharCode(byte);
  return text;
}

/**
 * ECMA-119 7.4.3.2: text, padded to `length` with spaces. The caller has checked that it fits and has one byte per
 * character.
 */
export function writeLatin1(bytes: Uint8Array, offset: number, length: number, text: string): void {
  bytes.fill(0x20, offset, offset + length);
  for (let index = 0; index < text.length; index++) bytes[offset + index] = text.charCodeAt(index);
}

/** Joliet 2: UCS-2, big-endian. A last odd byte is not a character. */
export function readUcs2Be(bytes: Uint8Array, offset: number, length: number): string {
  let text = '';
  for (let at = offset; at + 1 < offset + length; at += 2) text += String.fromCharCode(readU16Be(bytes, at));
  return text;
}

/** Joliet 2: text as UCS-2, padded to `length` bytes with spaces. The caller has checked that it fits. */
export function writeUcs2Be(bytes: Uint8Array, offset: number, length: number, text: string): void {
  for (let at = offset; at + 1 < offset + length; at += 2) writeU16Be(bytes, at, 0x20);
  for (let index = 0; index < text.length; index++) writeU16Be(bytes, offset + index * 2, text.charCodeAt(index));
}

/** ECMA-119 9.1.5: seven bytes; all zero means "not specified". */
export function readRecordDate(bytes: Uint8Array, offset: number): Date | undefined {
  const part = (at: number) => readU8(bytes, offset + at);
  return zoned(1900 + part(0), part(1), part(2), part(3), part(4), part(5) * 1000, readZone(bytes, offset + 6));
}

/** ECMA-119 9.1.5, in UTC, rounded down to seconds; `undefined` is written as "not specified". */
export function writeRecordDate(bytes: Uint8Array, offset: number, date: Date | undefined): void {
  if (date === undefined) {
    bytes.fill(0, offset, offset + 7);
    return;
  }
  bytes.set(
    [
      date.getUTCFullYear() - 1900,
      date.getUTCMonth() + 1,
      date.getUTCDate(),
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds(),
      0,
    ],
    offset,
  );
}

/** ECMA-119 8.4.26.1: sixteen digits and a zone; all digits `0` means "not specified". */
export function readVolumeDate(bytes: Uint8Array, offset: number): Date | undefined {
  const digits = readLatin1(bytes, offset, 16);
  if (!/^\d{16}$/.test(digits)) return undefined;
  const part = (start: number, end: number) => Number(digits.slice(start, end));
  // Seconds and hundredths are read as one number in units of 10 ms.
  const [time, zone] = [part(12, 16) * 10, readZone(bytes, offset + 16)];
  return zoned(part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12), time, zone);
}

/** ECMA-119 8.4.26.1, in UTC; `undefined` is written as "not specified". */
export function writeVolumeDate(bytes: Uint8Array, offset: number, date: Date | undefined): void {
  const digits = date === undefined ? '0'.repeat(16) : date.toISOString().replace(/\D/g, '').slice(0, 16);
  writeLatin1(bytes, offset, 16, digits);
  bytes[offset + 16] = 0;
}

/** The time zone: a signed number of quarter hours east of Greenwich. */
function readZone(bytes: Uint8Array, offset: number): number {
  return view(bytes).getInt8(offset);
}

function zoned(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  milliseconds: number,
  quarters: number,
): Date | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return new Date(Date.UTC(year, month - 1, day, hour, minute - quarters * 15, 0, milliseconds));
}
