// The index of a journal. Its checksum proves only that the text is unchanged, not that it is valid or where it begins,
// so every value is checked.
import { CHUNK_SIZE } from '../../bytes/source.ts';
import { isWriter, type Writer } from '../writer.ts';
import { isTemporaryName } from './temporary.ts';

/** `length` bytes of the image at `offset`; the journal holds the old bytes, directly followed by the new ones. */
export interface JournalPiece {
  readonly offset: number;
  readonly length: number;
}

/** The steps to recover with the journal. */
export type JournalEntry =
  /**
   * Unless everything was written, restore the old bytes, and the size from `to` bytes to `size`. `crc` is the CRC-32
   * of the bytes after the old end.
   */
  | JournalWork<'roll-back'>
  /** Everything is written, and the CRC-32 of the pieces is `crc`: truncate the image from `size` bytes to `to`. */
  | JournalWork<'cut'>;

interface JournalWork<Verb> {
  readonly do: Verb;
  readonly size: number;
  readonly to: number;
  readonly pieces: readonly JournalPiece[];
  readonly crc: number;
}

/** The file that the journal is for. */
export interface JournalFile {
  readonly dev: string;
  readonly ino: string;
}

export interface JournalIndex {
  readonly writer: Writer;
  readonly file: JournalFile;
  readonly entry: JournalEntry;
  /** The journal's second, temporary name until the writer begins to write; absent in journals of earlier versions. */
  readonly draft?: string;
}

/** Maximum length of the index in bytes: a piece takes 40 bytes of it, and is usually a megabyte of the image. */
export const LONGEST_INDEX: number = 16 * 1024 * 1024;

/** The program that a journal of a later format needs, in printable characters. */
export function parseNeeds(text: string): string {
  try {
    const { needs } = JSON.parse(text);
    if (typeof needs === 'string' && /^[\w. -]{1,64}$/.test(needs)) return needs;
  } catch {}
  return 'a newer version of coreiso';
}

/** Parses an index; `undefined` unless it fits a journal with `dataLength` bytes of contents. */
export function parseIndex(text: string, dataLength: number): JournalIndex | undefined {
  try {
    const index: unknown = JSON.parse(text);
    return isIndex(index, dataLength) ? index : undefined;
  } catch {
    return undefined;
  }
}

function isIndex(index: unknown, dataLength: number): index is JournalIndex {
  if (!isObject(index) || !isWriter(index['writer']) || !isObject(index['file']) || !isObject(index['entry']))
    return false;
  const { dev, ino } = index['file'];
  if (index['draft'] !== undefined && !isTemporaryName(index['draft'])) return false;
  const { do: verb, size, to, pieces, crc } = index['entry'];
  if (![dev, ino].every((number) => typeof number === 'string' && /^\d+$/.test(number))) return false;
  if (!isCount(size) || !isCount(to) || !isCount(crc) || !Array.isArray(pieces)) return false;
  if (!pieces.every((piece) => isPiece(piece, size))) return false;
  if (verb === 'cut') return to <= size && dataLength === 0;
  const total = pieces.reduce((sum: number, { length }: JournalPiece) => sum + length, 0);
  return verb === 'roll-back' && 2 * total === dataLength;
}

function isPiece(piece: unknown, size: number): piece is JournalPiece {
  if (!isObject(piece)) return false;
  const { offset, length } = piece;
  return isCount(offset) && isCount(length) && offset + length <= size && length <= CHUNK_SIZE;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
