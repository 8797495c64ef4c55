import { dirname, join } from 'node:path';
import { checkArgument } from '@coreiso/peers/arguments';
import { CHUNK_SIZE } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { thisUser } from './cache/own-file.ts';
import { Claim } from './claim.ts';
import { errnoOf, type FileStat, type FileSystem, nodeFileSystem, type OpenFile } from './file-system.ts';
import { ioError, namesIn, pieces, readFully, removeIfThere, writeFully } from './io.ts';
import { imageOfJournal, type Journal, journalPath, openJournal } from './journal.ts';
import { nativeCrc32 } from './native.ts';
import type { JournalPiece } from './recovery/journal-index.ts';
import { isOfThisBoot, type Writer, writerStatus } from './writer.ts';

/** The recovery of an image before it was opened: an interrupted edit was undone, or found to be complete. */
export type Recovery = 'none' | 'rolled-back' | 'finished';

/** The authority for following a journal. */
export type Authority =
  /** The journal itself, and the state of its writer. */
  | 'journal'
  /** The user, who confirms that the writer is gone and that the image is the one it wrote to. */
  | 'user'
  /** The writer itself, about its own journal. */
  | Writer;

/**
 * Follows the journal of an image, if it has one. Repeating that, even after an interruption, gives the same result. If
 * several processes find the journal of a dead writer, only one follows it.
 */
export async function recover(files: FileSystem, image: string, authority: Authority = 'journal'): Promise<Recovery> {
  try {
    for (;;) {
      const journal = await openJournal(files, journalPath(image));
      if (journal === undefined) return 'none';
      try {
        const recovery = await settle(files, image, journal, authority);
        if (recovery !== undefined) return recovery;
      } finally {
        await journal.close();
      }
    }
  } catch (error) {
    throw ioError(`${image} is half written and cannot be restored`, error, 'ISO_NEEDS_ROLLBACK');
  }
}

/**
 * Restores an image after an interrupted edit, even if its writer cannot be checked (on another host, in another
 * container), or if the file system has renumbered its files. Call it only if no program writes to the image. Returns
 * false if there was nothing to restore.
 *
 * @example
 * ```ts
 * if (await recoverImage('rhcos-live.iso')) console.log('The interrupted edit was undone.');
 * ```
 */
export async function recoverImage(path: string): Promise<boolean> {
  return recoverImageOn(path, nodeFileSystem);
}

/** The same with a stand-in for the operating system. */
export async function recoverImageOn(path: string, files: FileSystem): Promise<boolean> {
  checkArgument('path', path, 'text');
  try {
    return (await recover(files, await files.realpath(path), 'user')) !== 'none';
  } catch (error) {
    throw ioError(`cannot restore ${path}`, error);
  }
}

/** Follows and removes a journal; `undefined` if another process has done that in the meantime. */
async function settle(
  files: FileSystem,
  image: string,
  journal: Journal,
  authority: Authority,
): Promise<Recovery | undefined> {
  if (typeof authority === 'object' && authority.token === journal.writer.token) {
    const recovery = await follow(files, image, journal, authority);
    await journal.remove();
    return recovery;
  }
  refuseUnlessGone(image, journal.writer, authority);
  const claim = await Claim.take(files, image, journal.writer.token);
  let isSettled = false;
  try {
    // Between reading the journal and the claim, another process may have followed it and started a new one.
    if (!(await journal.isInPlace())) return undefined;
    const draft = await journal.draft();
    if (draft !== undefined) {
      // Its writer had written nothing. With the names removed in the other order, the journal would count in between.
      await journal.remove();
      await removeIfThere(files, draft);
      isSettled = true;
      return undefined;
    }
    const recovery = await follow(files, image, journal, authority);
    await journal.remove();
    isSettled = true;
    return recovery;
  } finally {
    await (isSettled ? claim.end() : claim.release());
  }
}

function refuseUnlessGone(image: string, writer: Writer, authority: Authority): void {
  const presence = writerStatus(writer);
  if (presence === 'at work') throw new IsoError('ISO_BUSY', `process ${writer.pid} is writing to ${image}`);
  if (presence === 'unknown' && authority !== 'user') {
    throw refusal(
      `process ${writer.pid} of ${writer.host}, which cannot be seen from here, was writing to ${image}; ` +
        'if it has ended, restore the image there, or here with recoverImage (coreiso iso recover)',
    );
  }
}

async function follow(files: FileSystem, image: string, journal: Journal, authority: Authority): Promise<Recovery> {
  const target = await openTarget(files, image, journal);
  try {
    const there = await target.stat();
    // In a directory that others can write to, a forged journal could put bytes into another user's image.
    if (process.getuid !== undefined && ![0, thisUser(), there.uid].includes(journal.uid)) {
      throw refusal(`${image} is half written and its journal belongs to another user: ${journal.path}`);
    }
    if (authority !== 'user' && !isJournalOf(journal, there)) throw changedImageError(image, journal);
    const recovery = await apply(target, image, journal, authority);
    await target.sync();
    return recovery;
  } finally {
    await target.close();
  }
}

async function openTarget(files: FileSystem, image: string, journal: Journal): Promise<OpenFile> {
  try {
    return await files.open(image, 'r+');
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' ? changedImageError(image, journal) : error;
  }
}

/** Device numbers are valid until the machine restarts, inode numbers as long as the file exists. */
function isJournalOf({ file, writer }: Journal, { dev, ino }: Pick<FileStat, 'dev' | 'ino'>): boolean {
  return file.ino === String(ino) && (file.dev === String(dev) || !isOfThisBoot(writer));
}

async function apply(target: OpenFile, image: string, journal: Journal, authority: Authority): Promise<Recovery> {
  const { entry } = journal;
  const { size } = await target.stat();
  if (entry.do === 'cut') {
    if (size === entry.to) return 'finished';
    if (size !== entry.size || (await checksum(target, entry.pieces)) !== entry.crc)
      throw changedImageError(image, journal);
    await target.truncate(entry.to);
    return 'finished';
  }
  const { isMixture, isBefore, isAfter } = await compare(target, size, journal);
  if (isAfter && typeof authority === 'string') return 'finished';
  if (!isMixture || size < entry.size || size > Math.max(entry.size, entry.to)) throw changedImageError(image, journal);
  if (isBefore) return 'rolled-back';
  for await (const { offset, before } of journal.contents()) await writeFully(target, before, offset);
  if (size !== entry.size) await target.truncate(entry.size);
  return 'rolled-back';
}

interface Comparison {
  /** Whether each piece consists only of old and new bytes, as after an interrupted write. */
  readonly isMixture: boolean;
  /** Whether nothing was written. */
  readonly isBefore: boolean;
  /** Whether everything was written. */
  readonly isAfter: boolean;
}

async function compare(target: OpenFile, size: number, { entry, contents }: Journal): Promise<Comparison> {
  let isMixture = true;
  let isBefore = size === entry.size;
  let isAfter = size === entry.to;
  for await (const { offset, before, after } of contents()) {
    const now = Buffer.alloc(before.length);
    await readFully(target, now, offset);
    isMixture &&= now.every((byte, index) => byte === before[index] || byte === after[index]);
    isBefore &&= now.equals(before);
    isAfter &&= now.equals(after);
  }
  if (isAfter) isAfter = (await checksum(target, [...pieces(entry.size, entry.to, CHUNK_SIZE)])) === entry.crc;
  return { isMixture, isBefore, isAfter };
}

async function checksum(target: OpenFile, places: readonly JournalPiece[]): Promise<number> {
  let crc = 0;
  for (const { offset, length } of places) {
    const bytes = Buffer.alloc(length);
    await readFully(target, bytes, offset);
    crc = nativeCrc32(bytes, crc);
  }
  return crc;
}

/**
 * Refuses a file that another process is writing to, or was when it was interrupted, under another name in the
 * directory: a hard link, or the name before a rename.
 */
export async function refuseOtherName(
  files: FileSystem,
  image: string,
  stat: FileStat,
  names?: readonly string[],
): Promise<void> {
  const directory = dirname(image);
  for (const name of names ?? (await namesIn(files, directory))) {
    const other = imageOfJournal(name);
    if (other === undefined || join(directory, other) === image) continue;
    // Unreadable journals belong to images of other users.
    const journal = await openJournal(files, join(directory, name)).catch(() => undefined);
    if (journal === undefined) continue;
    const hasBegun = (await journal.draft()) === undefined;
    await journal.close();
    if (!isJournalOf(journal, stat)) continue;
    const { pid } = journal.writer;
    const presence = writerStatus(journal.writer);
    if (presence === 'gone' && !hasBegun) continue;
    if (presence === 'at work')
      throw new IsoError('ISO_BUSY', `process ${pid} is writing to ${image}, which is also called ${other}`);
    throw refusal(
      `${image} is half written: it was called ${other} when writing to it was interrupted; ` +
        `give it that name back, if it has lost it, and open ${other}`,
    );
  }
}

function refusal(message: string): IsoError {
  return new IsoError('ISO_NEEDS_ROLLBACK', message);
}

/**
 * The image was replaced, renamed or changed after its writer was interrupted: restoring the old bytes would damage it.
 */
function changedImageError(image: string, { path }: Journal): IsoError {
  return refusal(
    `${path} belongs to a file other than ${image}, or that file has changed since: ` +
      'if the image was moved, move it back; if it is whole, or gone, remove the journal',
  );
}
