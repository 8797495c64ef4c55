import type { ByteSource } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { ArchiveFormat } from './archive-format.ts';

/** A member of an archive. */
export interface ArchiveEntry {
  /** Verbatim: `./config.ign` and `config.ign` differ. */
  readonly path: string;
  /** The file type, as in `st_mode`. */
  readonly kind: 'file' | 'directory' | 'symlink' | 'block' | 'character' | 'fifo' | 'socket' | 'unknown';
  readonly ino: number;
  /** File type and permissions, as in `st_mode`. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly nlink: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  /** Length of the contents in bytes. */
  readonly size: number;
  /** Major and minor number of the device that the member came from. */
  readonly device: readonly [major: number, minor: number];
  /** Major and minor number of the device that the member is, for block and character nodes. */
  readonly represents: readonly [major: number, minor: number];
  readonly archive: {
    readonly format: ArchiveFormat;
    /** Position of the archive in the source. */
    readonly offset: number;
  };
  /** The contents, or the target of a symlink. They can be read once, before the next entry is requested. */
  content(): AsyncIterable<Uint8Array>;
  /** The contents as a part of the source, if the archive is not compressed. */
  readonly place: ByteSource | undefined;
}

type EntryKind = ArchiveEntry['kind'];

/** The fields of a newc header, without the name. */
export type NewcHeader = Omit<ArchiveEntry, 'path' | 'kind' | 'archive' | 'content' | 'place'>;

export const MAGIC_LENGTH = 6;
/** The fixed part of a header: magic and 13 fields of 8 hexadecimal digits. */
export const HEADER_LENGTH = 110;
/** The name of the member that ends an archive. */
export const TRAILER = 'TRAILER!!!';

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;

const KINDS: ReadonlyMap<number, EntryKind> = new Map([
  [REGULAR, 'file'],
  [DIRECTORY, 'directory'],
  [0o120000, 'symlink'],
  [0o060000, 'block'],
  [0o020000, 'character'],
  [0o010000, 'fifo'],
  [0o140000, 'socket'],
]);

/** The file type in `mode`. */
export function kindOf(mode: number): EntryKind {
  return KINDS.get(mode & FILE_TYPE) ?? 'unknown';
}

/** Bytes of NUL that bring `length` to a multiple of four. */
export function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}

/** Refuses bytes that do not begin with a header. The magic 070702 announces checksums, which are not verified. */
export function checkMagic(bytes: Uint8Array): void {
  if (!/^07070[12]$/.test(String.fromCharCode(...bytes))) throw new IsoError('ISO_BAD_ARCHIVE', 'Invalid magic number');
}

/** A header's fields and the length of the name that follows it, its NUL included. */
export function parseHeader(bytes: Uint8Array): { readonly header: NewcHeader; readonly nameLength: number } {
  const text = String.fromCharCode(...bytes);
  const fields: number[] = [];
  for (let at = MAGIC_LENGTH; at < HEADER_LENGTH; at += 8) {
    const digits = text.slice(at, at + 8);
    if (!/^[\da-f]{8}$/i.test(digits)) throw new IsoError('ISO_BAD_ARCHIVE', 'Invalid hex u32 header field');
    fields.push(Number.parseInt(digits, 16));
  }
  const field = (index: number): number => fields[index] ?? 0;
  return {
    header: {
      ino: field(0),
      mode: field(1),
      uid: field(2),
      gid: field(3),
      nlink: field(4),
      mtime: field(5),
      size: field(6),
      device: [field(7), field(8)],
      represents: [field(9), field(10)],
    },
    nameLength: field(11),
  };
}

/** Decodes a name without NULs at its end: dracut pads names with them to whole pages. */
export function parseName(bytes: Uint8Array): string {
  if (bytes.at(-1) !== 0) throw new IsoError('ISO_BAD_ARCHIVE', 'Entry name was not NUL-terminated');
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end));
  } catch {
    throw new IsoError('ISO_BAD_ARCHIVE', 'Entry name was not valid UTF-8');
  }
}

/**
 * A regular file's header, name and padding. With owner root, no time and one link, so that equal input gives equal
 * bytes.
 */
export function fileHeader(ino: number, path: string, permissions: number, size: number): Uint8Array {
  return header(path, [ino, REGULAR | permissions, 0, 0, 1, 0, size]);
}

/** A directory's header, name and padding, mode 0755. */
export function directoryHeader(ino: number, path: string): Uint8Array {
  return header(path, [ino, DIRECTORY | 0o755, 0, 0, 1, 0, 0]);
}

/** The member that ends an archive. */
export function trailer(): Uint8Array {
  return header(TRAILER, [0, 0, 0, 0, 1, 0, 0]);
}

const encoder = new TextEncoder();

function header(path: string, fields: readonly number[]): Uint8Array {
  const name = encoder.encode(path);
  const devices = [0, 0, 0, 0];
  const check = 0;
  const numbers = [...fields, ...devices, name.length + 1, check];
  const text = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}`;
  const length = HEADER_LENGTH + name.length + 1;
  const bytes = new Uint8Array(length + padding(length));
  encoder.encodeInto(text, bytes);
  bytes.set(name, HEADER_LENGTH);
  return bytes;
}
