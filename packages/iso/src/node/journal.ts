import { basename, dirname, join } from 'node:path';
import { concatBytes } from '../bytes/concat.ts';
import { CHUNK_SIZE } from '../bytes/source.ts';
import { crc32 } from '../checksums/crc32.ts';
import type { FileSystem, OpenFile } from './file-system.ts';
import { allocate, pieces, publish, readFully, removeIfThere, temporaryBeside, writeFully } from './io.ts';
import type { Writer } from './writer.ts';

/** `length` bytes of the image at `offset`; the journal holds what was there and, right after it, what shall be. */
export interface JournalPiece {
  readonly offset: number;
  readonly length: number;
}

/** What whoever finds the journal has to do. */
export type JournalEntry =
  /** Put the old bytes back and return to `size`; while at work the image grows to `grown` bytes at most. */
  | {
      readonly do: 'roll-back';
      readonly size: number;
      readonly grown: number;
      readonly pieces: readonly JournalPiece[];
    }
  /** All is written: cut the image of `size` bytes to `to`. */
  | { readonly do: 'cut'; readonly size: number; readonly to: number };

/** The journal of an image stands beside it, under a name that both can find. */
export function journalPath(image: string): string {
  return join(dirname(image), `.${basename(image)}.coreiso-journal`);
}

/** Forgets how to undo; once this is on the disk the work is done. */
export async function removeJournal(files: FileSystem, image: string): Promise<void> {
  await removeIfThere(files, journalPath(image));
  await files.syncDirectory(dirname(image));
}

// Old and new bytes of each piece, the index as JSON, then: length of the index, CRC-32 of all before it, magic.
const MAGIC = 'coreiso-journal1';
const TRAILER = { length: 0, crc: 8, magic: 12, size: 12 + MAGIC.length } as const;

/** A journal under a temporary name: it gets its own once it is whole and on the disk. */
export class JournalDraft {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #file: OpenFile;
  readonly #pieces: JournalPiece[] = [];
  #isNamed = false;
  #crc = 0;
  #written = 0;
  #waiting: Uint8Array[] = [];

  private constructor(files: FileSystem, path: string, file: OpenFile) {
    this.#files = files;
    this.#path = path;
    this.#file = file;
  }

  static async begin(files: FileSystem, image: string): Promise<JournalDraft> {
    const path = temporaryBeside(image);
    return new JournalDraft(files, path, await files.open(path, 'wx+', 0o600));
  }

  get pieces(): readonly JournalPiece[] {
    return this.#pieces;
  }

  async add(offset: number, before: Uint8Array, after: Uint8Array): Promise<void> {
    this.#pieces.push({ offset, length: before.length });
    this.#append(before);
    this.#append(after);
    if (this.#waiting.reduce((sum, { length }) => sum + length, 0) >= CHUNK_SIZE) await this.#flush();
  }

  /** Completes the journal and waits until it is on the disk. */
  async seal(writer: Writer, entry: JournalEntry): Promise<void> {
    const index = Buffer.from(JSON.stringify({ writer, entry }));
    this.#append(index);
    const trailer = Buffer.alloc(TRAILER.size);
    trailer.writeBigUInt64BE(BigInt(index.length), TRAILER.length);
    trailer.writeUInt32BE(this.#crc, TRAILER.crc);
    trailer.write(MAGIC, TRAILER.magic, 'latin1');
    this.#append(trailer);
    await this.#flush();
    await this.#file.sync();
  }

  /** Fails with `EEXIST` where the image has a journal. */
  async publish(image: string): Promise<void> {
    await publish(this.#files, this.#path, journalPath(image));
    this.#isNamed = true;
    await this.#files.syncDirectory(dirname(image));
  }

  /** Takes the place of the journal that the image has, and closes itself: Windows renames no open file. */
  async replace(image: string): Promise<void> {
    await this.#file.close();
    await this.#files.rename(this.#path, journalPath(image));
    this.#isNamed = true;
    await this.#files.syncDirectory(dirname(image));
  }

  /** The new bytes of every piece, in order. */
  async *replacements(): AsyncGenerator<{ offset: number; bytes: Uint8Array }> {
    let position = 0;
    for (const { offset, length } of this.#pieces) {
      const bytes = allocate(length);
      await readFully(this.#file, bytes, position + length);
      position += 2 * length;
      yield { offset, bytes };
    }
  }

  /** Closes the journal, and removes it if it never got its name. A failure here only leaves litter behind. */
  async close(): Promise<void> {
    try {
      await this.#file.close();
      if (!this.#isNamed) await removeIfThere(this.#files, this.#path);
    } catch {}
  }

  #append(bytes: Uint8Array): void {
    this.#crc = crc32(bytes, this.#crc);
    this.#waiting.push(bytes);
  }

  async #flush(): Promise<void> {
    const bytes = concatBytes(this.#waiting);
    await writeFully(this.#file, bytes, this.#written);
    this.#written += bytes.length;
    this.#waiting = [];
  }
}

/** A journal that was found. */
export interface Journal {
  readonly writer: Writer;
  readonly entry: JournalEntry;
  /** Every piece with both of its contents, in order. */
  contents(): AsyncGenerator<{ offset: number; before: Uint8Array; after: Uint8Array }>;
}

/** Reads and checks a journal; `undefined` if it is damaged or no journal. */
export async function readJournal(file: OpenFile): Promise<Journal | undefined> {
  const { size } = await file.stat();
  const end = size - TRAILER.size;
  if (end < 0) return undefined;
  const trailer = await readAt(file, end, TRAILER.size);
  const indexLength = Number(trailer.readBigUInt64BE(TRAILER.length));
  const dataLength = end - indexLength;
  if (trailer.toString('latin1', TRAILER.magic) !== MAGIC || dataLength < 0) return undefined;
  let crc = 0;
  for (const { offset, length } of pieces(0, end, CHUNK_SIZE)) crc = crc32(await readAt(file, offset, length), crc);
  if (crc !== trailer.readUInt32BE(TRAILER.crc)) return undefined;
  const index: unknown = JSON.parse((await readAt(file, dataLength, indexLength)).toString());
  if (!isIndex(index, dataLength)) return undefined;
  const { writer, entry } = index;
  return {
    writer,
    entry,
    async *contents() {
      let position = 0;
      for (const { offset, length } of entry.do === 'roll-back' ? entry.pieces : []) {
        const both = await readAt(file, position, 2 * length);
        position += both.length;
        yield { offset, before: both.subarray(0, length), after: both.subarray(length) };
      }
    },
  };
}

async function readAt(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, await readFully(file, bytes, position));
}

/** The checksum tells that the index is as it was written, not that it makes sense. */
function isIndex(index: unknown, dataLength: number): index is Pick<Journal, 'writer' | 'entry'> {
  const { writer, entry } = index as Partial<Pick<Journal, 'writer' | 'entry'>>;
  if (writer === undefined || entry === undefined || !isCount(writer.pid) || !isCount(entry.size)) return false;
  if (entry.do === 'cut') return isCount(entry.to) && entry.to <= entry.size;
  if (entry.do !== 'roll-back' || !isCount(entry.grown) || !Array.isArray(entry.pieces)) return false;
  const sane = entry.pieces.every(
    ({ offset, length }) => isCount(offset) && isCount(length) && offset + length <= entry.size && length <= CHUNK_SIZE,
  );
  return sane && 2 * entry.pieces.reduce((total, { length }) => total + length, 0) === dataLength;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
