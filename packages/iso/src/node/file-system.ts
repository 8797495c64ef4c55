import {
  type BigIntStats,
  closeSync,
  constants,
  copyFile,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncate,
  linkSync,
  lstatSync,
  openSync,
  read,
  readdirSync,
  readSync,
  realpathSync,
  rename,
  statSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

/** The methods of an open file that this package uses. */
export interface OpenFile {
  /** Returns the number of bytes read, which may be fewer than fit, and is 0 at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Like `read`, but synchronous: for a cached chunk, switching threads costs more than reading. */
  readSync(into: Uint8Array, position: number): number;
  /** Returns the number of bytes written, perhaps not all. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** Like `write`, but synchronous: a chunk goes to the cache. */
  writeSync(bytes: Uint8Array, position: number): number;
  stat(): Promise<FileStat>;
  truncate(size: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  /** Waits until the contents would survive a power loss. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The properties of a file that this package uses. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly dev: bigint;
  readonly ino: bigint;
  /** Number of its names. */
  readonly links: number;
  readonly mtimeNs: bigint;
  /** Time of the last change to contents or properties; unlike the modification time, it cannot be set. */
  readonly ctimeNs: bigint;
}

/** All disk operations of this package, so that tests can interrupt each. Failures are Node's own errors. */
export interface FileSystem {
  /** `wx+` creates a file for reading and writing; it must not exist. */
  open(path: string, flags: 'r' | 'r+' | 'wx+', mode?: number): Promise<OpenFile>;
  stat(path: string): Promise<FileStat>;
  /** Like `stat`, but of a link itself. */
  lstat(path: string): Promise<FileStat>;
  realpath(path: string): Promise<string>;
  /** The names in a directory. */
  readdir(path: string): Promise<string[]>;
  link(path: string, another: string): Promise<void>;
  rename(path: string, target: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Creates a file that shares the blocks of another; fails if the file system cannot do that. */
  clone(path: string, copy: string): Promise<void>;
  /** Waits until names created, changed or removed in a directory would survive a power loss. */
  syncDirectory(path: string): Promise<void>;
}

// Only slow operations run in threads: switching threads takes longer than the operating system needs for a name or a
// few kilobytes, and an edit consists of dozens of these.
const inThread = {
  copyFile: promisify(copyFile),
  fdatasync: promisify(fdatasync),
  fsync: promisify(fsync),
  ftruncate: promisify(ftruncate),
  read: promisify(read),
  rename: promisify(rename),
  write: promisify(write),
};

/** The operating system's files. */
export const nodeFileSystem: FileSystem = {
  open: async (path, flags, mode) => openFile(openSync(path, flags, mode)),
  stat: async (path) => describe(statSync(path, { bigint: true })),
  lstat: async (path) => describe(lstatSync(path, { bigint: true })),
  realpath: async (path) => realpathSync.native(path),
  readdir: async (path) => readdirSync(path),
  link: async (path, another) => linkSync(path, another),
  rename: inThread.rename,
  unlink: async (path) => unlinkSync(path),
  clone: (path, copy) => inThread.copyFile(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE),
  async syncDirectory(path) {
    try {
      const directory = openSync(path, 'r');
      try {
        await inThread.fsync(directory);
      } finally {
        closeSync(directory);
      }
    } catch (error) {
      // Windows and some network file systems cannot sync a directory.
      if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
    }
  },
};

/** An invalid descriptor, for which the operating system reports EBADF. */
const CLOSED = 2 ** 31 - 1;
/** The largest size that is copied synchronously, such as an initrd area. */
const SMALL = 256 * 1024;
/** One in so many small operations runs in a thread, so that the event loop gets a turn. */
const BURST = 16;

function openFile(descriptor: number): OpenFile {
  let fd = descriptor;
  let count = 0;
  const isQuick = ({ length }: Uint8Array): boolean => length <= SMALL && ++count % BURST !== 0;
  return {
    read: async (into, position) =>
      isQuick(into)
        ? readSync(fd, into, 0, into.length, position)
        : (await inThread.read(fd, into, 0, into.length, position)).bytesRead,
    readSync: (into, position) => readSync(fd, into, 0, into.length, position),
    write: async (bytes, position) =>
      isQuick(bytes)
        ? writeSync(fd, bytes, 0, bytes.length, position)
        : (await inThread.write(fd, bytes, 0, bytes.length, position)).bytesWritten,
    writeSync: (bytes, position) => writeSync(fd, bytes, 0, bytes.length, position),
    stat: async () => describe(fstatSync(fd, { bigint: true })),
    truncate: (size) => inThread.ftruncate(fd, size),
    chmod: async (mode) => fchmodSync(fd, mode),
    // Syncs contents and size; also waiting for the timestamps can take ten times as long.
    sync: () => inThread.fdatasync(fd),
    async close() {
      if (fd !== CLOSED) closeSync(fd);
      fd = CLOSED;
    },
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
    links: Number(stats.nlink),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
  };
}

/** The name the operating system gives to a failure, such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
