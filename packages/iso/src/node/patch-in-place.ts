import { checkArgument, checkOptions, WORK } from '@coreiso/peers/arguments';
import type { Overlay } from '../bytes/overlay.ts';
import { CHUNK_SIZE, type WorkOptions } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { type FileSource, isUnchanged, type OpenedFile, openedFile } from './file-source.ts';
import { errnoOf } from './file-system.ts';
import { ioError, pieces, writeFully } from './io.ts';
import { JournalDraft } from './journal.ts';
import { nativeCrc32 } from './native.ts';
import { type Recovery, recover, refuseOtherName } from './recover.ts';
import type { JournalPiece } from './recovery/journal-index.ts';
import { giveUp, newWriter, type Writer } from './writer.ts';

interface Job {
  readonly file: FileSource;
  readonly opened: OpenedFile;
  readonly overlay: Overlay;
  readonly signal: AbortSignal | undefined;
  /** Counts bytes that are in place. */
  readonly settled: (count: number) => void;
}

/**
 * Writes the changes of `overlay` into `file`, its base. After a failure the file is unchanged; after an interruption,
 * it is restored the next time it is opened. Only `ISO_NOT_DURABLE` means that the file was edited, although a power
 * loss may undo it. The source still describes the old file: open it again to continue.
 *
 * @example
 * ```ts
 * await using file = await fileSource('worker.iso', { writable: true });
 * const { overlay } = await edit(await openLiveImage(file), { ignition });
 * await patchInPlace(overlay, file);
 * ```
 */
export async function patchInPlace(
  overlay: Overlay,
  file: FileSource,
  options: WorkOptions & {
    /**
     * `false` writes without a journal, and so without a rollback, for example if no journal can be kept beside the
     * image.
     */
    readonly journal?: boolean | undefined;
  } = {},
): Promise<void> {
  checkArgument('overlay', overlay, 'source');
  checkArgument('file', file, 'source');
  checkOptions(options, { journal: 'flag', ...WORK });
  const opened = openedFile(file);
  if (opened === undefined) throw new TypeError('file must be what fileSource returns');
  if (!opened.writable) throw new TypeError('file must be opened with writable: true');
  if (overlay.base !== file) throw new TypeError('overlay must be based on the file');
  const { journal = true, signal, onProgress } = options;
  const total =
    Math.max(0, overlay.size - file.size) + overwritten(overlay).reduce((sum, { length }) => sum + length, 0);
  let done = 0;
  const settled = (count: number): void => {
    done += count;
    onProgress?.({ done, total });
  };
  try {
    signal?.throwIfAborted();
    await checkUnchanged(file, opened);
    await (journal ? withJournal : withoutJournal)({ file, opened, overlay, signal, settled });
  } catch (error) {
    throw ioError(`cannot write to ${file.path}`, error);
  }
}

/**
 * The pieces of the overlay that replace bytes of the file, small enough for memory; all other changes are after its
 * end.
 */
function overwritten({ base, patches, keep, tail }: Overlay): JournalPiece[] {
  const ranges = patches.map(({ offset, bytes }) => ({
    start: offset,
    end: offset + (bytes instanceof Uint8Array ? bytes.length : bytes.size),
  }));
  ranges.push({ start: keep, end: Math.min(base.size, keep + tail.size) });
  return ranges.flatMap(({ start, end }) => [...pieces(start, end, CHUNK_SIZE)]);
}

async function withJournal(job: Job): Promise<void> {
  const { file, opened, overlay, signal, settled } = job;
  const draft = await beginJournal(job);
  try {
    for (const { offset, length } of overwritten(overlay)) {
      const before = await file.read(offset, length, signal);
      const after = await overlay.read(offset, length, signal);
      const { start, end } = difference(before, after);
      if (end - start < length) settled(length - (end - start));
      if (start < end) await draft.add(offset + start, before.subarray(start, end), after.subarray(start, end));
    }
    if (draft.pieces.length === 0 && overlay.size === file.size) return;
    const writer = newWriter();
    const crc = await tailChecksum(job);
    const entry = { do: 'roll-back', size: file.size, to: overlay.size, pieces: draft.pieces, crc } as const;
    await draft.seal(writer, await opened.file.stat(), entry);
    try {
      await writeUndoably(job, draft, writer);
    } catch (error) {
      giveUp(writer);
      throw error;
    }
  } finally {
    await draft.close();
  }
}

const PAGE = 4096;

/** The range from the first to the last differing page: most of an area is zero before and after. */
function difference(before: Uint8Array, after: Uint8Array): { start: number; end: number } {
  const isSame = (from: number, to: number): boolean =>
    Buffer.compare(before.subarray(from, to), after.subarray(from, to)) === 0;
  let start = 0;
  while (start < before.length && isSame(start, start + PAGE)) start += PAGE;
  let end = before.length;
  while (end > start && isSame(Math.max(start, end - PAGE), end)) end -= PAGE;
  return { start, end: Math.max(start, end) };
}

async function beginJournal({ file, opened }: Job): Promise<JournalDraft> {
  try {
    return await JournalDraft.begin(opened.files, file.path);
  } catch (error) {
    const forbidden = ['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '');
    throw forbidden ? ioError(`cannot create a journal beside ${file.path}`, error, 'ISO_NO_JOURNAL') : error;
  }
}

async function writeUndoably(job: Job, draft: JournalDraft, writer: Writer): Promise<void> {
  const { file, opened, overlay } = job;
  const { files } = opened;
  const isCut = overlay.size < file.size;
  let isWritten = false;
  try {
    await draft.lock(file.path);
    await checkUnchanged(file, opened);
    await refuseOtherWriter(job);
    await draft.arm(file.path);
    opened.stat = undefined;
    await writeTail(job);
    for await (const { offset, bytes } of draft.replacements()) await write(job, bytes, offset);
    await opened.file.sync();
    isWritten = true;
    if (isCut) await commitCut(job, draft, writer);
    else await draft.remove(file.path);
  } catch (error) {
    // Nothing was written, so nothing must be undone, especially not in a file that others have changed.
    if (opened.stat !== undefined) await draft.remove(file.path).catch(() => undefined);
    else if (!(await isRolledBack(job, writer, error, isWritten))) return;
    if (errnoOf(error) === 'EEXIST') throw ioError(`another program is writing to ${file.path}`, error, 'ISO_BUSY');
    throw error;
  }
  // The edit can only be completed now: opening the file would do the same.
  if (isCut) await recover(files, file.path, writer);
}

/** Whether the file has its old contents; if not, the edit succeeded in spite of the error. */
async function isRolledBack(
  { file, opened }: Job,
  writer: Writer,
  error: unknown,
  isWritten: boolean,
): Promise<boolean> {
  let recovery: Recovery;
  try {
    recovery = await recover(opened.files, file.path, writer);
  } catch {
    const message = `writing to ${file.path} failed; it is restored when it is next opened`;
    throw new IsoError('ISO_NEEDS_ROLLBACK', message, { cause: error });
  }
  // The journal was removed, but perhaps not yet on the disk.
  if (isWritten && recovery === 'none')
    throw ioError(`${file.path} was edited, but a loss of power may undo that`, error, 'ISO_NOT_DURABLE');
  return recovery !== 'finished';
}

async function commitCut({ file, opened, overlay }: Job, draft: JournalDraft, writer: Writer): Promise<void> {
  const record = await JournalDraft.begin(opened.files, file.path);
  try {
    let crc = 0;
    for await (const { bytes } of draft.replacements()) crc = nativeCrc32(bytes, crc);
    const entry = { do: 'cut', size: file.size, to: overlay.size, pieces: draft.pieces, crc } as const;
    await record.seal(writer, await opened.file.stat(), entry);
    await record.replace(file.path);
  } finally {
    await record.close();
  }
}

async function withoutJournal(job: Job): Promise<void> {
  const { file, opened, overlay, signal } = job;
  const comesFromFile = ({ offset, length }: JournalPiece): boolean =>
    overlay.segments(offset, offset + length).some((segment) => 'source' in segment && segment.source === file);
  const targets = overwritten(overlay);
  // Bytes that come from the file itself are read before they can be overwritten.
  const held = new Map<JournalPiece, Uint8Array>();
  for (const target of targets) {
    if (comesFromFile(target)) held.set(target, await overlay.read(target.offset, target.length, signal));
  }
  opened.stat = undefined;
  await writeTail(job);
  for (const target of targets) {
    await write(job, held.get(target) ?? (await overlay.read(target.offset, target.length, signal)), target.offset);
  }
  await opened.file.sync();
  if (overlay.size < file.size) {
    await opened.file.truncate(overlay.size);
    await opened.file.sync();
  }
}

/** Writes the bytes after the old end first, because they may be copies of bytes that will be overwritten. */
async function writeTail(job: Job): Promise<void> {
  const { file, overlay, signal } = job;
  for (const { offset, length } of pieces(file.size, overlay.size, CHUNK_SIZE)) {
    await write(job, await overlay.read(offset, length, signal), offset);
  }
}

/** CRC-32 of the bytes after the old end. */
async function tailChecksum({ file, overlay, signal }: Job): Promise<number> {
  let crc = 0;
  for (const { offset, length } of pieces(file.size, overlay.size, CHUNK_SIZE)) {
    crc = nativeCrc32(await overlay.read(offset, length, signal), crc);
  }
  return crc;
}

async function write({ opened, signal, settled }: Job, bytes: Uint8Array, offset: number): Promise<void> {
  signal?.throwIfAborted();
  await writeFully(opened.file, bytes, offset);
  settled(bytes.length);
}

/** Another process could write to a file with several names under another name, with another journal. */
async function refuseOtherWriter({ file, opened }: Job): Promise<void> {
  if (opened.stat !== undefined && opened.stat.links > 1) {
    await refuseOtherName(opened.files, file.path, opened.stat);
  }
}

async function checkUnchanged(file: FileSource, opened: OpenedFile): Promise<void> {
  if (!(await isUnchanged(file, opened))) {
    throw new IsoError('ISO_CHANGED', `${file.path} has changed since it was opened`);
  }
}
