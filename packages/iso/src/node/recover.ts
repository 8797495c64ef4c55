import { IsoError } from '../errors.ts';
import type { FileSystem, OpenFile } from './file-system.ts';
import { ioError, readFully, statIfThere, writeFully } from './io.ts';
import { type Journal, journalPath, readJournal, removeJournal } from './journal.ts';
import { isAtWork, type Writer } from './writer.ts';

/** What was done to an image before it could be opened. */
export type Recovery = 'none' | 'rolled-back' | 'cut';

/**
 * Does what the journal of an image asks for, if it has one. Doing it twice, or half and then again, comes to the same.
 * `own` is the writer who asks about its own journal.
 */
export async function recover(files: FileSystem, image: string, own?: Writer): Promise<Recovery> {
  const path = journalPath(image);
  try {
    const found = await statIfThere(files, path);
    if (found === undefined) return 'none';
    if (found.kind !== 'file') throw refusal(image, 'its journal is no file');
    const file = await files.open(path, 'r');
    let recovery: Recovery;
    try {
      recovery = await follow(files, image, file, own);
    } finally {
      await file.close();
    }
    await removeJournal(files, image);
    return recovery;
  } catch (error) {
    throw ioError(`${image} is half written and cannot be restored`, error, 'ISO_NEEDS_ROLLBACK');
  }
}

async function follow(files: FileSystem, image: string, file: OpenFile, own: Writer | undefined): Promise<Recovery> {
  const journal = await readJournal(file);
  if (journal === undefined) throw refusal(image, 'its journal is damaged');
  if (journal.writer.token !== own?.token && isAtWork(journal.writer)) {
    throw new IsoError('ISO_BUSY', `process ${journal.writer.pid} is writing to ${image}`);
  }
  const there = await statIfThere(files, image);
  if (there === undefined) return 'none';
  // In a directory that others may write to, a journal is a way to put bytes into someone else's image.
  const { uid } = await file.stat();
  if (process.getuid !== undefined && ![0, thisUser(), there.uid].includes(uid)) {
    throw refusal(image, 'its journal belongs to another user');
  }
  const target = await files.open(image, 'r+');
  try {
    await apply(target, image, journal);
    await target.sync();
  } finally {
    await target.close();
  }
  return journal.entry.do === 'cut' ? 'cut' : 'rolled-back';
}

/** Undefined in Deno without `--allow-sys`. */
function thisUser(): number | undefined {
  try {
    return process.getuid?.();
  } catch {
    return undefined;
  }
}

async function apply(target: OpenFile, image: string, { entry, contents }: Journal): Promise<void> {
  const { size } = await target.stat();
  if (entry.do === 'cut') {
    if (size === entry.to) return;
    if (size !== entry.size) throw stranger(image);
    return target.truncate(entry.to);
  }
  if (size < entry.size || size > Math.max(entry.size, entry.grown)) throw stranger(image);
  for await (const { offset, before, after } of contents()) {
    const now = Buffer.alloc(before.length);
    await readFully(target, now, offset);
    if (!isMixtureOf(now, before, after)) throw stranger(image);
  }
  for await (const { offset, before } of contents()) await writeFully(target, before, offset);
  if (size !== entry.size) await target.truncate(entry.size);
}

/** An interrupted write leaves some sectors old and some new, but none with a third content. */
function isMixtureOf(now: Uint8Array, before: Uint8Array, after: Uint8Array): boolean {
  for (let index = 0; index < now.length; index++) {
    if (now[index] !== before[index] && now[index] !== after[index]) return false;
  }
  return true;
}

function refusal(image: string, why: string): IsoError {
  return new IsoError('ISO_NEEDS_ROLLBACK', `${image} is half written and ${why}: ${journalPath(image)}`);
}

/** The image was replaced or changed after its writer was interrupted: the old bytes would spoil it. */
function stranger(image: string): IsoError {
  return new IsoError(
    'ISO_NEEDS_ROLLBACK',
    `${image} is not the file that its journal was written for; if it is whole, remove ${journalPath(image)}`,
  );
}
