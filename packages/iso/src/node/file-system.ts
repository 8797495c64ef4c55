import { type BigIntStats, constants, read, readSync, write, writeSync } from 'node:fs';
import { copyFile, type FileHandle, link, lstat, open, realpath, rename, stat, unlink } from 'node:fs/promises';

/** What this package asks of an open file. */
export interface OpenFile {
  /** Fewer bytes than fit, down to 0 at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** As `read`, but at once: for a chunk from the cache a switch of threads costs more than the reading. */
  readSync(into: Uint8Array, position: number): number;
  /** How many bytes were written, perhaps not all. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** As `write`, but at once: a chunk goes to the cache. */
  writeSync(bytes: Uint8Array, position: number): number;
  stat(): Promise<FileStat>;
  truncate(size: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  /** Waits until the contents would survive a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** What this package wants to know of a file. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mtimeNs: bigint;
}

/** Every way in which this package touches a disk, so that tests can stop it at each. Failures are Node's own errors. */
export interface FileSystem {
  /** `wx+` creates, for reading and writing, what must not exist. */
  open(path: string, flags: 'r' | 'r+' | 'wx+', mode?: number): Promise<OpenFile>;
  stat(path: string): Promise<FileStat>;
  /** As `stat`, but of a link itself. */
  lstat(path: string): Promise<FileStat>;
  realpath(path: string): Promise<string>;
  link(path: string, another: string): Promise<void>;
  rename(path: string, target: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Shares the blocks of a file with a new one, or fails where the file system cannot. */
  clone(path: string, copy: string): Promise<void>;
  /** Waits until names made, changed or removed in a directory would survive a loss of power. */
  syncDirectory(path: string): Promise<void>;
}

/** The operating system's files. */
export const nodeFileSystem: FileSystem = {
  open: async (path, flags, mode) => openFile(await open(path, flags, mode)),
  stat: async (path) => describe(await stat(path, { bigint: true })),
  lstat: async (path) => describe(await lstat(path, { bigint: true })),
  realpath: (path) => realpath(path),
  link,
  rename,
  unlink,
  clone: (path, copy) => copyFile(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE),
  async syncDirectory(path) {
    try {
      const directory = await open(path, 'r');
      try {
        await directory.sync();
      } finally {
        await directory.close();
      }
    } catch (error) {
      // Windows and some network file systems have no such thing as the sync of a directory.
      if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
    }
  },
};

type Move = (
  fd: number,
  bytes: Uint8Array,
  start: number,
  length: number,
  position: number,
  done: (error: Error | null, count: number) => void,
) => void;

/** A descriptor that no process has: the operating system answers EBADF. */
const CLOSED = 2 ** 31 - 1;

function openFile(handle: FileHandle): OpenFile {
  const fd = (): number => (handle.fd === -1 ? CLOSED : handle.fd);
  // The callback functions move a chunk in two thirds of the time that the methods of FileHandle take.
  const mover =
    (move: Move): OpenFile['read'] =>
    (bytes, position) =>
      new Promise((resolve, reject) => {
        move(fd(), bytes, 0, bytes.length, position, (error, count) => (error ? reject(error) : resolve(count)));
      });
  return {
    read: mover(read),
    readSync: (into, position) => readSync(fd(), into, 0, into.length, position),
    write: mover(write),
    writeSync: (bytes, position) => writeSync(fd(), bytes, 0, bytes.length, position),
    stat: async () => describe(await handle.stat({ bigint: true })),
    truncate: (size) => handle.truncate(size),
    chmod: (mode) => handle.chmod(mode),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

function describe(stats: BigIntStats): FileStat {
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other',
    size: Number(stats.size),
    mode: Number(stats.mode & 0o7777n),
    uid: Number(stats.uid),
    dev: stats.dev,
    ino: stats.ino,
    mtimeNs: stats.mtimeNs,
  };
}

/** The name the operating system gives to a failure, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
