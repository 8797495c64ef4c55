import { basename, dirname, join } from 'node:path';
import { CHUNK_SIZE, concatBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { errnoOf, type FileStat, type FileSystem, type OpenFile } from './file-system.ts';
import {
  allocate,
  flushesNames,
  pieces,
  readFully,
  removeIfThere,
  statIfThere,
  syncName,
  takeName,
  withTargetName,
  writeFully,
} from './io.ts';
import { nativeCrc32 } from './native.ts';
import {
  type JournalEntry,
  type JournalFile,
  type JournalIndex,
  type JournalPiece,
  LONGEST_INDEX,
  parseIndex,
  parseNeeds,
} from './recovery/journal-index.ts';
import { JOURNAL_SUFFIX, temporaryBeside } from './recovery/temporary.ts';
import type { Writer } from './writer.ts';

/** The path of an image's journal, beside the image. */
export function journalPath(image: string): string {
  return join(dirname(image), `.${basename(image)}${JOURNAL_SUFFIX}`);
}

/** The name of the image whose journal is called `name`; `undefined` if that is not the name of a journal. */
export function imageOfJournal(name: string): string | undefined {
  return name.startsWith('.') && name.endsWith(JOURNAL_SUFFIX) ? name.slice(1, -JOURNAL_SUFFIX.length) : undefined;
}

/** Whether the file at `path` is the open one. As long as it is open, no other file gets its inode number. */
async function isInPlace(files: FileSystem, path: string, file: FileStat): Promise<boolean> {
  const there = await statIfThere(files, path);
  return there !== undefined && there.dev === file.dev && there.ino === file.ino;
}

/** Removes the journal; once that is on the disk, the work is done. A file that is not the open journal stays. */
async function removeJournal(files: FileSystem, path: string, file: FileStat): Promise<void> {
  if (await isInPlace(files, path, file)) await removeIfThere(files, path);
  await files.syncDirectory(dirname(path));
}

// Format: old and new bytes of each piece, the index as JSON, the length of the index, the CRC-32 of everything before
// it, and the magic. Future formats keep this end with another digit, and name the program that they need in the index:
// `"needs": "coreiso 0.4"`.
const MAGIC = 'coreiso-journal2';
const ANY_MAGIC = /^coreiso-journal\d$/;
const TRAILER = { length: 0, crc: 8, magic: 12, size: 12 + MAGIC.length } as const;

/**
 * A journal under a temporary name, which gets its final name once it is complete and on the disk. With both names, it
 * is a lock and means that nothing was written yet; it counts once the temporary name is removed.
 */
export class JournalDraft {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #file: OpenFile;
  readonly #pieces: JournalPiece[] = [];
  /** Whether it still has its temporary name. */
  #isTemporary = true;
  /** The file with the journal's final name: this one, or an empty one that reserves the name. */
  #lock: FileStat | undefined;
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
    try {
      return new JournalDraft(files, path, await files.open(path, 'wx+', 0o600));
    } catch (error) {
      throw withTargetName(error, path, journalPath(image));
    }
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
  async seal(writer: Writer, { dev, ino }: Pick<FileStat, 'dev' | 'ino'>, entry: JournalEntry): Promise<void> {
    const file: JournalFile = { dev: String(dev), ino: String(ino) };
    const index = Buffer.from(JSON.stringify({ writer, file, entry, draft: basename(this.#path) }));
    if (index.length > LONGEST_INDEX) {
      throw new IsoError('ISO_LIMIT', `a journal cannot list the ${entry.pieces.length} places that the edit changes`);
    }
    this.#append(index);
    const trailer = Buffer.alloc(TRAILER.size);
    trailer.writeBigUInt64BE(BigInt(index.length), TRAILER.length);
    trailer.writeUInt32BE(this.#crc, TRAILER.crc);
    trailer.write(MAGIC, TRAILER.magic, 'latin1');
    this.#append(trailer);
    await this.#flush();
    await this.#file.sync();
  }

  /** Keeps other processes from writing. Fails with `EEXIST` if the image has a journal. */
  async lock(image: string): Promise<void> {
    const path = journalPath(image);
    try {
      const taken = await takeName(this.#files, this.#path, path);
      this.#lock = taken === 'linked' ? await this.#file.stat() : taken;
    } catch (error) {
      const own = await this.#file.stat();
      // A link may exist although creating it failed.
      const isMade = await isInPlace(this.#files, path, own);
      if (isMade) this.#lock = own;
      const reason = isMade && error instanceof Error ? (error.cause ?? error) : error;
      throw withTargetName(reason, this.#path, path);
    }
  }

  /** Makes the journal count: a process that finds it restores the image. */
  async arm(image: string): Promise<void> {
    const own = await this.#file.stat();
    if (this.#lock?.ino === own.ino) await this.#files.unlink(this.#path);
    else await this.#files.rename(this.#path, journalPath(image));
    this.#lock = own;
    this.#isTemporary = false;
    await syncName(this.#files, journalPath(image));
  }

  /** Replaces the image's current journal, after closing its own file: Windows cannot rename an open file. */
  async replace(image: string): Promise<void> {
    await this.#file.close();
    await this.#files.rename(this.#path, journalPath(image));
    this.#isTemporary = false;
    await syncName(this.#files, journalPath(image));
  }

  /** Removes the file with the journal's name, if this draft made it. */
  async remove(image: string): Promise<void> {
    if (this.#lock === undefined) return;
    await removeJournal(this.#files, journalPath(image), this.#lock);
    this.#lock = undefined;
    if (flushesNames) await this.#file.sync();
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

  /**
   * Closes the journal, and removes it if it never got its final name. A failure leaves a useless file, nothing worse.
   */
  async close(): Promise<void> {
    try {
      await this.#file.close();
      // A locked journal must keep its temporary name, or else it would count.
      if (this.#isTemporary && this.#lock === undefined) await removeIfThere(this.#files, this.#path);
    } catch {}
  }

  #append(bytes: Uint8Array): void {
    this.#crc = nativeCrc32(bytes, this.#crc);
    this.#waiting.push(bytes);
  }

  async #flush(): Promise<void> {
    const bytes = concatBytes(this.#waiting);
    await writeFully(this.#file, bytes, this.#written);
    this.#written += bytes.length;
    this.#waiting = [];
  }
}

/** A journal that was found; close it after use. */
export interface Journal extends Omit<JournalIndex, 'draft'> {
  readonly path: string;
  /** User ID of its owner. */
  readonly uid: number;
  /** All pieces with their old and new contents, in order. */
  contents(): AsyncGenerator<{ offset: number; before: Uint8Array; after: Uint8Array }>;
  /** Whether it is still the file under its name. */
  isInPlace(): Promise<boolean>;
  /** Its temporary name, which it has as long as nothing was written to the image. */
  draft(): Promise<string | undefined>;
  /** Removes it, if it is still the file under its name. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

/** The journal at `path`, checked, or `undefined` if there is none. */
export async function openJournal(files: FileSystem, path: string): Promise<Journal | undefined> {
  const found = await statIfThere(files, path);
  if (found === undefined) return undefined;
  if (found.kind !== 'file') throw unusable(path, 'is not a file');
  const file = await openIfThere(files, path);
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat();
    // In a folder that others can write to, another file or a link may have taken the name in between.
    if (stat.dev !== found.dev || stat.ino !== found.ino) throw unusable(path, 'was replaced while it was opened');
    const index = await readIndex(file);
    if (typeof index === 'string') throw unusable(path, `needs ${index}`, `recover the image with ${index}`);
    if (stat.size === 0)
      throw new IsoError('ISO_BUSY', `${path} is empty; if no other program is at work there, remove it`);
    if (index === undefined) throw unusable(path, 'is damaged');
    return {
      ...index,
      path,
      uid: stat.uid,
      contents: () => contentsOf(file, index.entry),
      isInPlace: () => isInPlace(files, path, stat),
      async draft() {
        const draft = index.draft === undefined ? undefined : join(dirname(path), index.draft);
        return draft !== undefined && (await isInPlace(files, draft, stat)) ? draft : undefined;
      },
      remove: () => removeJournal(files, path, stat),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const REPLACE = 'compare the image with its base, or fetch it again, and then remove the journal';

function unusable(path: string, why: string, cure: string = REPLACE): IsoError {
  return new IsoError('ISO_NEEDS_ROLLBACK', `writing was interrupted, and its journal ${why}: ${path}; ${cure}`);
}

async function openIfThere(files: FileSystem, path: string): Promise<OpenFile | undefined> {
  try {
    return await files.open(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function* contentsOf(file: OpenFile, entry: JournalEntry): ReturnType<Journal['contents']> {
  let position = 0;
  for (const { offset, length } of entry.do === 'roll-back' ? entry.pieces : []) {
    const both = await readAt(file, position, 2 * length);
    position += both.length;
    yield { offset, before: both.subarray(0, length), after: both.subarray(length) };
  }
}

/** The index, or the program that a later format needs. */
async function readIndex(file: OpenFile): Promise<JournalIndex | string | undefined> {
  const { size } = await file.stat();
  const end = size - TRAILER.size;
  if (end < 0) return undefined;
  const trailer = await readAt(file, end, TRAILER.size);
  if (trailer.length < TRAILER.size) return undefined;
  const indexLength = Number(trailer.readBigUInt64BE(TRAILER.length));
  const dataLength = end - indexLength;
  const magic = trailer.toString('latin1', TRAILER.magic);
  if (!ANY_MAGIC.test(magic) || dataLength < 0) return undefined;
  if (indexLength > LONGEST_INDEX) return undefined;
  let crc = 0;
  for (const { offset, length } of pieces(0, end, CHUNK_SIZE))
    crc = nativeCrc32(await readAt(file, offset, length), crc);
  if (crc !== trailer.readUInt32BE(TRAILER.crc)) return undefined;
  const text = (await readAt(file, dataLength, indexLength)).toString();
  return magic > MAGIC ? parseNeeds(text) : magic === MAGIC ? parseIndex(text, dataLength) : undefined;
}

async function readAt(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, await readFully(file, bytes, position));
}
