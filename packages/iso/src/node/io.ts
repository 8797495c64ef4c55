import { dirname } from 'node:path';
import { IsoError, type IsoErrorCode } from '../errors.ts';
import { errnoOf, type FileStat, type FileSystem, type OpenFile } from './file-system.ts';

const CODES: Readonly<Record<string, IsoErrorCode>> = {
  ENOSPC: 'ISO_NO_SPACE',
  EDQUOT: 'ISO_NO_SPACE',
  EFBIG: 'ISO_NO_SPACE',
  EEXIST: 'ISO_EXISTS',
  EPIPE: 'ISO_READER_GONE',
  ECONNRESET: 'ISO_READER_GONE',
};

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'the device is busy',
  EDQUOT: 'the disk quota is exceeded',
  EEXIST: 'the file exists',
  EFBIG: 'the file is too large',
  EIO: 'input/output error',
  EISDIR: 'it is a directory',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'a part of the path is not a directory',
  EPERM: 'operation not permitted',
  EPIPE: 'the reader went away',
  EROFS: 'the file system is read-only',
};

/**
 * Converts a failure of the operating system to an `IsoError` with the operation and the reason; other errors pass
 * unchanged.
 */
export function ioError(doing: string, error: unknown, code?: IsoErrorCode): unknown {
  const errno = errnoOf(error);
  if (error instanceof IsoError || errno === undefined || !(error instanceof Error && 'syscall' in error)) return error;
  return new IsoError(code ?? CODES[errno] ?? 'ISO_IO', `${doing}: ${REASONS[errno] ?? errno}`, { cause: error });
}

/** Fills `into` from `position`, as far as the file reaches. */
export async function readFully(file: OpenFile, into: Uint8Array, position: number): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const count = await file.read(done === 0 ? into : into.subarray(done), position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** Writes all of `bytes` at `position`. */
export async function writeFully(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += await file.write(done === 0 ? bytes : bytes.subarray(done), position + done);
}

/** The same, synchronously. */
export function writeFullySync(file: OpenFile, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) done += file.writeSync(done === 0 ? bytes : bytes.subarray(done), position + done);
}

/** Allocates memory for reads: not zeroed, and not from Node's pool, which would keep a larger buffer alive. */
export function allocate(length: number): Uint8Array<ArrayBuffer> {
  const { buffer } = Buffer.allocUnsafeSlow(length);
  return new Uint8Array(buffer as ArrayBuffer, 0, length);
}

/** Pieces of at most `size` bytes from `start` up to `end`. */
export function* pieces(start: number, end: number, size: number): Generator<{ offset: number; length: number }> {
  for (let offset = start; offset < end; offset += size) yield { offset, length: Math.min(size, end - offset) };
}

/** A unique random name. Loading `node:crypto` for it would take as long as a whole edit. */
export function randomName(): string {
  return `${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
}

/** Replaces the name of a temporary file in an error by the final name, which users know. */
export function withTargetName(error: unknown, temporary: string, path: string): unknown {
  if (error instanceof Error && errnoOf(error) !== undefined) {
    error.message = error.message.replaceAll(temporary, path);
    for (const key of ['path', 'dest'] as const) {
      if ((error as NodeJS.ErrnoException & { dest?: string })[key] === temporary)
        Object.assign(error, { [key]: path });
    }
  }
  return error;
}

/** The status of the file at `path`; `undefined` if there is none. */
export async function statIfThere(files: FileSystem, path: string): Promise<FileStat | undefined> {
  try {
    return await files.lstat(path);
  } catch (error) {
    // A name that is too long for the file system cannot exist either.
    if (['ENOENT', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** The names in a directory; empty if it is not readable. */
export async function namesIn(files: FileSystem, directory: string): Promise<string[]> {
  try {
    return await files.readdir(directory);
  } catch (error) {
    if (['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}

/** Removes a file that may be gone already. */
export async function removeIfThere(files: FileSystem, path: string): Promise<void> {
  try {
    await files.unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Windows cannot sync a directory, but flushing a file also writes all changes of names. */
export const flushesNames: boolean = process.platform === 'win32';

/** Waits until the name of a file would survive a power loss. */
export async function syncName(files: FileSystem, path: string): Promise<void> {
  if (!flushesNames) return files.syncDirectory(dirname(path));
  const file = await files.open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Moves a finished file to its final name; fails with `EEXIST` if the name is taken. */
export async function publish(files: FileSystem, temporary: string, path: string): Promise<void> {
  try {
    await files.link(temporary, path);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw error;
    // FAT and some network file systems have no hard links, and report that differently. A rename would replace an
    // existing file.
    if ((await statIfThere(files, path)) !== undefined) throw error;
    await files.rename(temporary, path);
    return;
  }
  await files.unlink(temporary);
}

/**
 * Takes the name of a lock for a finished file. If several processes try at once, only one succeeds, even without hard
 * links. With hard links, the file then has both names; without them, an empty file reserves the name until the
 * finished one is renamed to it. Fails with `EEXIST` if the name is taken, with the failure of the link as its cause.
 */
export async function takeName(files: FileSystem, temporary: string, path: string): Promise<'linked' | FileStat> {
  try {
    await files.link(temporary, path);
    return 'linked';
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw error;
    try {
      const reserved = await files.open(path, 'wx+', 0o600);
      try {
        return await reserved.stat();
      } finally {
        await reserved.close();
      }
    } catch (failure) {
      throw failure instanceof Error ? Object.assign(failure, { cause: error }) : failure;
    }
  }
}
