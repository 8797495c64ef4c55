import { checkArgument, checkOptions } from '../arguments.ts';
import { setIdentity } from '../bytes/identity.ts';
import { type ByteSource, checkRange } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { type FileStat, type FileSystem, nodeFileSystem, type OpenFile } from './file-system.ts';
import { allocate, ioError, readFully } from './io.ts';
import { recover, refuseOtherName } from './recover.ts';

/** How a file is opened. */
export interface FileSourceOptions {
  /** For `patchInPlace`. */
  readonly writable?: boolean;
}

/** An open file. Close it, or declare it with `await using`. */
export interface FileSource extends ByteSource, AsyncDisposable {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** Writing to the file had been interrupted; opening it brought the old contents back. */
  readonly rolledBack: boolean;
  close(): Promise<void>;
}

/** What stands behind a file source, for the sinks that take short cuts. */
export interface Opened {
  readonly files: FileSystem;
  readonly file: OpenFile;
  readonly writable: boolean;
  /** As it was when it was opened; `undefined` once it was written to. */
  stat: FileStat | undefined;
}

const openedFiles = new WeakMap<ByteSource, Opened>();

/** What stands behind `source` if it came from `fileSource`. */
export function openedFile(source: ByteSource): Opened | undefined {
  return openedFiles.get(source);
}

/** Whether `source` came from `fileSource`. */
export function isFileSource(source: ByteSource): source is FileSource {
  return openedFiles.has(source);
}

/**
 * Opens a file for random access. Where writing to it was interrupted, it is first restored from its journal. `files`
 * stands for the operating system.
 *
 * @example
 * ```ts
 * await using file = await fileSource('rhcos-live.iso');
 * const image = await openLiveImage(file);
 * ```
 */
export async function fileSource(
  path: string,
  options: FileSourceOptions = {},
  files: FileSystem = nodeFileSystem,
): Promise<FileSource> {
  checkArgument('path', path, 'text');
  checkOptions(options, { writable: 'flag' });
  const { writable = false } = options;
  try {
    const realPath = await files.realpath(path);
    const rolledBack = (await recover(files, realPath)) === 'rolled-back';
    // Opening a pipe would wait for whoever writes to it.
    if ((await files.stat(realPath)).kind === 'other') throw irregular(path);
    const file = await files.open(realPath, writable ? 'r+' : 'r');
    try {
      const stat = await file.stat();
      // The operating system says best what is wrong with a directory.
      if (stat.kind === 'directory') await file.read(new Uint8Array(1), 0);
      if (stat.kind !== 'file') throw irregular(path);
      await refuseOtherName(files, realPath, stat);
      const source = sourceOf(file, stat.size, realPath, rolledBack);
      const opened: Opened = { files, file, writable, stat };
      openedFiles.set(source, opened);
      setIdentity(
        source,
        oncePerTurn(() => sizeAndTime(opened, path)),
      );
      return source;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw ioError(`cannot open ${path}`, error);
  }
}

/** Copies that keep the time of a file, as most tools that mirror files do, have the same. */
async function sizeAndTime({ file, stat }: Opened, path: string): Promise<string> {
  const { size, mtimeNs } = await file.stat();
  if (stat !== undefined && (stat.size !== size || stat.mtimeNs !== mtimeNs)) {
    throw new IsoError('ISO_CHANGED', `${path} was changed after it was opened`);
  }
  return `file ${size} ${mtimeNs}`;
}

/** Asks once for all who want to know before the event loop goes on: a hundred answers may be made in one turn. */
function oncePerTurn<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined) {
      answer = ask();
      setImmediate(() => {
        answer = undefined;
      });
    }
    return answer;
  };
}

function irregular(path: string): IsoError {
  return new IsoError('ISO_IO', `${path} is not a regular file`);
}

function closed(path: string): IsoError {
  return new IsoError('ISO_IO', `cannot read ${path}: it was closed`);
}

function sourceOf(file: OpenFile, size: number, path: string, rolledBack: boolean): FileSource {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= file.close());
  return {
    size,
    path,
    rolledBack,
    async read(offset, length, signal) {
      signal?.throwIfAborted();
      if (closing !== undefined) throw closed(path);
      checkRange(size, offset, length);
      const bytes = allocate(length);
      try {
        // The file may have shrunk since it was opened.
        checkRange(offset + (await readFully(file, bytes, offset)), offset, length);
      } catch (error) {
        throw ioError(`cannot read ${path}`, error);
      }
      return bytes;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Fills `into` at once from a source that came from `fileSource`. */
export function readFile(source: FileSource, into: Uint8Array, offset: number): void {
  const file = openedFile(source)?.file;
  let done = 0;
  try {
    for (let count = -1; done < into.length && count !== 0; done += count) {
      count = file?.readSync(done === 0 ? into : into.subarray(done), offset + done) ?? 0;
    }
  } catch (error) {
    throw ioError(`cannot read ${source.path}`, error);
  }
  checkRange(offset + done, offset, into.length);
}

/** The same by a thread, if it is much. */
export async function readFileAhead(source: FileSource, into: Uint8Array, offset: number): Promise<void> {
  const file = openedFile(source)?.file;
  try {
    const done = file === undefined ? 0 : await readFully(file, into, offset);
    checkRange(offset + done, offset, into.length);
  } catch (error) {
    throw ioError(`cannot read ${source.path}`, error);
  }
}

/** Whether the file at the path of `source` is still the one that was opened, as it was then. */
export async function isUnchanged({ path }: FileSource, { files, stat }: Opened): Promise<boolean> {
  const now = await files.stat(path);
  return (
    stat !== undefined &&
    now.dev === stat.dev &&
    now.ino === stat.ino &&
    now.size === stat.size &&
    now.mtimeNs === stat.mtimeNs
  );
}
