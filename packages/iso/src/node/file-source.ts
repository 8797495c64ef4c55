import { dirname } from 'node:path';
import { checkArgument, checkOptions, checkWord } from '@coreiso/peers/arguments';
import { setIdentity } from '../bytes/identity.ts';
import { type ByteSource, CHUNK_SIZE, checkRange, toHex } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { type FileStat, type FileSystem, nodeFileSystem, type OpenFile } from './file-system.ts';
import { allocate, ioError, namesIn, pieces, readFully } from './io.ts';
import { nativeSha256 } from './native.ts';
import { recover, refuseOtherName } from './recover.ts';
import { removeAbandoned } from './recovery/temporary.ts';

/** Options of opening a file. */
export interface FileSourceOptions {
  /** Whether to open the file for writing, as `patchInPlace` needs. */
  readonly writable?: boolean | undefined;
  /**
   * The identity of entity tags. `file`, the default, means this file on this machine until it changes. `contents` means any file
   * with the same bytes, for servers behind one address; it reads the file once, when the tag is first requested.
   */
  readonly identity?: 'file' | 'contents' | undefined;
}

/** An open file. Close it, or declare it with `await using`. */
export interface FileSource extends ByteSource, AsyncDisposable {
  /** The absolute path with links resolved. */
  readonly path: string;
  /** Whether opening the file undid an interrupted write. */
  readonly rolledBack: boolean;
  close(): Promise<void>;
}

/** The open file behind a file source, for sinks with shortcuts. */
export interface OpenedFile {
  readonly files: FileSystem;
  readonly file: OpenFile;
  readonly writable: boolean;
  /** The status at opening; `undefined` once the file was written to. */
  stat: FileStat | undefined;
  /**
   * Its cached name for entity tags, until the next turn of the event loop or the next read: one turn may make a
   * hundred answers.
   */
  name: Promise<string> | undefined;
}

const openedFiles = new WeakMap<ByteSource, OpenedFile>();

/** The open file behind `source`, if `fileSource` made it. */
export function openedFile(source: ByteSource): OpenedFile | undefined {
  return openedFiles.get(source);
}

/** Whether `fileSource` made `source`. */
export function isFileSource(source: ByteSource): source is FileSource {
  return openedFiles.has(source);
}

/**
 * Opens a file for random access. After an interrupted write, it is first restored from its journal.
 *
 * @example
 * ```ts
 * await using file = await fileSource('rhcos-live.iso');
 * const image = await openLiveImage(file);
 * ```
 */
export async function fileSource(path: string, options: FileSourceOptions = {}): Promise<FileSource> {
  return fileSourceOn(path, options, nodeFileSystem);
}

/** The same with a stand-in for the operating system. */
export async function fileSourceOn(path: string, options: FileSourceOptions, files: FileSystem): Promise<FileSource> {
  checkArgument('path', path, 'text');
  checkOptions(options, { writable: 'flag', identity: 'text' });
  const { writable = false, identity = 'file' } = options;
  checkWord('identity', identity, ['file', 'contents']);
  try {
    const realPath = await files.realpath(path);
    const rolledBack = (await recover(files, realPath)) === 'rolled-back';
    // Opening a pipe would wait for a writer.
    if ((await files.stat(realPath)).kind === 'other') throw irregular(path);
    const file = await files.open(realPath, writable ? 'r+' : 'r');
    try {
      const stat = await file.stat();
      // For a directory, the operating system's own error is the clearest.
      if (stat.kind === 'directory') await file.read(new Uint8Array(1), 0);
      if (stat.kind !== 'file') throw irregular(path);
      const names = await namesIn(files, dirname(realPath));
      await refuseOtherName(files, realPath, stat, names);
      await removeAbandoned(files, dirname(realPath), names);
      const source = sourceOf(file, stat.size, realPath, rolledBack);
      const opened: OpenedFile = { files, file, writable, stat, name: undefined };
      openedFiles.set(source, opened);
      const digest = identity === 'contents' ? onceDigested(source) : undefined;
      setIdentity(source, () => nameNow(opened, path, digest));
      return source;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw ioError(`cannot open ${path}`, error);
  }
}

/**
 * Asks the operating system, unless it has just answered and no bytes were read since, which may be of another version.
 */
function nameNow(opened: OpenedFile, path: string, digest: (() => Promise<string>) | undefined): Promise<string> {
  if (opened.name === undefined) {
    opened.name = nameOf(opened, path, digest);
    setImmediate(() => {
      opened.name = undefined;
    });
  }
  return opened.name;
}

async function nameOf(
  { file, stat: before }: OpenedFile,
  path: string,
  digest: (() => Promise<string>) | undefined,
): Promise<string> {
  const contents = digest === undefined ? undefined : `contents ${await digest()}`;
  const { size, mtimeNs, ctimeNs, dev, ino } = await file.stat();
  if (before !== undefined && (before.size !== size || before.mtimeNs !== mtimeNs)) {
    throw new IsoError('ISO_CHANGED', `${path} was changed after it was opened`);
  }
  // The modification time can be set back, but not the change time: if that differs, the digest may be of older
  // contents.
  if (contents !== undefined && before?.ctimeNs === ctimeNs) return contents;
  return `file ${size} ${mtimeNs} ${dev} ${ino} ${ctimeNs}`;
}

/** Computes the digest of a file once for all callers. */
function onceDigested(source: FileSource): () => Promise<string> {
  const read = async (): Promise<string> => {
    const hash = nativeSha256();
    for (const { offset, length } of pieces(0, source.size, CHUNK_SIZE)) hash.update(await source.read(offset, length));
    return toHex(hash.digest());
  };
  let digest: Promise<string> | undefined;
  return () => {
    digest ??= read();
    digest.catch(() => {
      digest = undefined;
    });
    return digest;
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
  const close = (): Promise<void> =>
    (closing ??= file.close().catch((error) => {
      throw ioError(`cannot close ${path}`, error);
    }));
  const source: FileSource = {
    size,
    path,
    rolledBack,
    async read(offset, length, signal) {
      signal?.throwIfAborted();
      if (closing !== undefined) throw closed(path);
      checkRange(size, offset, length);
      const bytes = allocate(length);
      await readFileAhead(source, bytes, offset);
      return bytes;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return source;
}

/** Fills `into` synchronously from a source of `fileSource`. */
export function readFile(source: FileSource, into: Uint8Array, offset: number): void {
  const opened = openedFile(source);
  let done = 0;
  try {
    for (let count = -1; done < into.length && count !== 0; done += count) {
      count = opened?.file.readSync(done === 0 ? into : into.subarray(done), offset + done) ?? 0;
    }
  } catch (error) {
    throw ioError(`cannot read ${source.path}`, error);
  }
  forgetName(opened);
  // The file may have shrunk since it was opened.
  checkRange(offset + done, offset, into.length);
}

/** The same, in a thread for large reads. */
export async function readFileAhead(source: FileSource, into: Uint8Array, offset: number): Promise<void> {
  const opened = openedFile(source);
  try {
    const done = opened === undefined ? 0 : await readFully(opened.file, into, offset);
    forgetName(opened);
    checkRange(offset + done, offset, into.length);
  } catch (error) {
    throw ioError(`cannot read ${source.path}`, error);
  }
}

/** Forgets the cached name: the bytes read now may be of another version. */
function forgetName(opened: OpenedFile | undefined): void {
  if (opened !== undefined) opened.name = undefined;
}

/** Whether the file at the path of `source` is still the opened one, unchanged. */
export async function isUnchanged({ path }: FileSource, { files, stat }: OpenedFile): Promise<boolean> {
  const now = await files.stat(path);
  return (
    stat !== undefined &&
    now.dev === stat.dev &&
    now.ino === stat.ino &&
    now.size === stat.size &&
    now.mtimeNs === stat.mtimeNs &&
    now.ctimeNs === stat.ctimeNs
  );
}
