import { dirname } from 'node:path';
import { checkArgument, checkOptions, WORK } from '@coreiso/peers/arguments';
import { isOverlay, type Overlay, overlay } from '../bytes/overlay.ts';
import { type ByteSource, CHUNK_SIZE, type Progress, sizeOf, type WorkOptions } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { eachPiece } from './chunks.ts';
import { isFileSource, isUnchanged, openedFile } from './file-source.ts';
import { type FileSystem, nodeFileSystem, type OpenFile } from './file-system.ts';
import {
  ioError,
  namesIn,
  pieces,
  publish,
  removeIfThere,
  statIfThere,
  syncName,
  withTargetName,
  writeFully,
  writeFullySync,
} from './io.ts';
import { recover } from './recover.ts';
import { removeAbandoned, temporaryBeside } from './recovery/temporary.ts';

/** Options of a copy. */
export interface CopyOptions extends WorkOptions {
  /** Whether an existing file may be replaced; it stays until the copy is complete. */
  readonly replace?: boolean | undefined;
  /**
   * Permissions of the copy: by default those of the replaced file, or else access only for the owner, because images
   * contain secrets. `public` means the usual permissions of new files.
   */
  readonly mode?: number | 'public' | undefined;
  /** Whether to sync the copy to disk, so that it survives a power loss. */
  readonly durable?: boolean | undefined;
}

interface Target {
  readonly path: string;
  readonly mode: number;
}

/**
 * Writes `source` to `path`. The file appears only when complete. If the file system supports it, an edited image
 * shares the blocks of its base. `files` replaces the operating system in tests.
 *
 * @example
 * ```ts
 * const { overlay } = await edit(image, { ignition });
 * await writeCopy(overlay, 'worker.iso');
 * ```
 */
export async function writeCopy(
  source: ByteSource,
  path: string,
  options: CopyOptions = {},
): Promise<{
  /** Number of bytes in blocks that the copy shares with its base; 0 if everything was written. */
  readonly shared: number;
}> {
  return writeCopyOn(source, path, options, nodeFileSystem);
}

/** The same with a stand-in for the operating system. */
export async function writeCopyOn(
  source: ByteSource,
  path: string,
  options: CopyOptions,
  files: FileSystem,
): ReturnType<typeof writeCopy> {
  checkArgument('source', source, 'source');
  checkArgument('path', path, 'text');
  checkOptions(options, { replace: 'flag', durable: 'flag', ...WORK });
  if (options.mode !== undefined && options.mode !== 'public') checkArgument('mode', options.mode, 'number');
  try {
    options.signal?.throwIfAborted();
    const target = await targetOf(files, path, options);
    const directory = dirname(target.path);
    await removeAbandoned(files, directory, await namesIn(files, directory));
    const temporary = temporaryBeside(target.path);
    let shared: number;
    try {
      shared = await writeTemporary(files, source, temporary, target.mode, options);
      options.signal?.throwIfAborted();
      if (options.replace) await files.rename(temporary, target.path);
      else await publish(files, temporary, target.path);
    } catch (error) {
      // A second failure must not hide the first.
      await removeIfThere(files, temporary).catch(() => undefined);
      throw withTargetName(error, temporary, target.path);
    }
    if (options.durable) await syncName(files, target.path);
    return { shared };
  } catch (error) {
    throw ioError(`cannot write ${path}`, error);
  }
}

async function targetOf(
  files: FileSystem,
  path: string,
  { replace = false, mode: given }: CopyOptions,
): Promise<Target> {
  const mode = given === 'public' ? 0o666 & ~umask() : given;
  const existing = await statIfThere(files, path);
  if (existing === undefined) {
    // Refuses the path if the journal of a removed or renamed image would count as the journal of the new one.
    await recover(files, path);
    return { path, mode: mode ?? 0o600 };
  }
  if (!replace) throw new IsoError('ISO_EXISTS', `${path} exists`);
  const realPath = await files.realpath(path);
  const replaced = await files.stat(realPath);
  if (replaced.kind !== 'file')
    throw new IsoError('ISO_EXISTS', `${path} is not a regular file and cannot be replaced`);
  await recover(files, realPath);
  return { path: realPath, mode: mode ?? replaced.mode };
}

/** Deno reports the umask only with `--allow-sys`; otherwise the usual one is assumed. */
function umask(): number {
  try {
    return process.umask();
  } catch {
    return 0o022;
  }
}

async function writeTemporary(
  files: FileSystem,
  source: ByteSource,
  path: string,
  mode: number,
  { durable = false, signal, onProgress }: CopyOptions,
): Promise<number> {
  let done = 0;
  const written = (count: number): void => {
    done += count;
    onProgress?.({ done, total: source.size } satisfies Progress);
  };
  const image = isOverlay(source) ? source : overlay(source, []);
  const cloned = await cloneBase(files, image, path);
  // Only the owner may read the file until it is complete and has its final permissions.
  const file = cloned ?? (await files.open(path, 'wx+', 0o600));
  try {
    if (cloned === undefined) await writeAll(file, source, durable ? new SyncBehind(file) : undefined, written, signal);
    else await writeChanges(file, image, written, signal);
    await file.chmod(mode);
    if (durable) await file.sync();
    return cloned === undefined ? 0 : image.keep - image.patches.reduce((sum, { bytes }) => sum + sizeOf(bytes), 0);
  } finally {
    await file.close();
  }
}

async function writeAll(
  file: OpenFile,
  source: ByteSource,
  behind: SyncBehind | undefined,
  written: (count: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await eachPiece(source, signal, (piece, offset) => {
      writeFullySync(file, piece, offset);
      written(piece.length);
      return behind?.wrote(piece.length);
    });
    await behind?.done();
  } finally {
    // The file must not close during a sync.
    await behind?.done().catch(() => undefined);
  }
}

/** Number of bytes to write before starting a sync. */
const BEHIND = 64 * 1024 * 1024;

/**
 * Syncs in the background while more is written: otherwise the final sync would take as long as all writes before it.
 */
class SyncBehind {
  readonly #file: OpenFile;
  #unsynced = 0;
  #syncing: Promise<void> = Promise.resolve();

  constructor(file: OpenFile) {
    this.#file = file;
  }

  wrote(count: number): Promise<void> | undefined {
    this.#unsynced += count;
    return this.#unsynced < BEHIND ? undefined : this.#next();
  }

  /** Waits for the running sync, and fails if that fails. */
  done(): Promise<void> {
    return this.#syncing;
  }

  async #next(): Promise<void> {
    this.#unsynced = 0;
    await this.#syncing;
    this.#syncing = this.#file.sync();
    // The failure is kept for later: the operating system reports it once, and `done` passes it on.
    this.#syncing.catch(() => undefined);
  }
}

/** A new file that shares the blocks of the overlay's base, or `undefined` if that is impossible. */
async function cloneBase(files: FileSystem, { base }: Overlay, path: string): Promise<OpenFile | undefined> {
  const opened = openedFile(base);
  if (opened === undefined || opened.files !== files || !isFileSource(base)) return undefined;
  try {
    await files.clone(base.path, path);
    if (await isUnchanged(base, opened)) {
      const file = await files.open(path, 'r+');
      try {
        await file.chmod(0o600);
        return file;
      } catch (error) {
        await file.close();
        throw error;
      }
    }
  } catch {
    // File systems refuse with different errors; copying works on all of them and reports real faults.
  }
  await removeIfThere(files, path);
  return undefined;
}

async function writeChanges(
  file: OpenFile,
  image: Overlay,
  written: (count: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const write = async (start: number, end: number): Promise<void> => {
    for (const { offset, length } of pieces(start, end, CHUNK_SIZE)) {
      await writeFully(file, await image.read(offset, length, signal), offset);
    }
  };
  for (const { offset, bytes } of image.patches) {
    await write(offset, offset + sizeOf(bytes));
  }
  if (image.keep < image.base.size) await file.truncate(image.keep);
  written(image.keep);
  await write(image.keep, image.size);
  written(image.tail.size);
}
