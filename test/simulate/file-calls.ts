// `node:fs` and `node:fs/promises` for a simulated process.
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { DiskError, type Inode, USER } from './disk.ts';
import type { SimulatedProcess } from './machine.ts';

const CONSTANTS = {
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_TRUNC: 512,
  O_APPEND: 1024,
  O_NONBLOCK: 2048,
  O_NOFOLLOW: 131072,
  COPYFILE_EXCL: 1,
  COPYFILE_FICLONE_FORCE: 4,
} as const;

const WORDS: Readonly<Record<string, number>> = { r: 0, 'r+': 2, w: 577, wx: 193, 'w+': 578, 'wx+': 194, a: 1089 };

interface Options {
  readonly bigint?: boolean;
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly mode?: number;
  readonly flag?: string;
  readonly encoding?: string;
  readonly throwIfNoEntry?: boolean;
  readonly withFileTypes?: boolean;
}

type Callback = (error: unknown, ...values: unknown[]) => void;

/** The part of `node:fs` that the product uses. */
export function fileCalls(process: SimulatedProcess) {
  const { machine } = process;
  const { disk } = machine;
  const inodeOf = (fd: number): Inode => {
    const inode = process.descriptors.get(fd);
    if (inode === undefined) throw new DiskError('EBADF');
    return inode;
  };
  const call = <T>(name: string, about: string, work: () => T, half?: () => unknown): T =>
    machine.call(process, name, about, work, half);
  const appending = new Set<number>();
  const positions = new Map<number, number>();

  const openSync = (path: string, given: string | number = 'r', mode = 0o666): number => {
    const flags = typeof given === 'number' ? given : (WORDS[given] ?? 0);
    return call((flags & CONSTANTS.O_CREAT) !== 0 ? 'create' : 'open', path, () => {
      let inode = disk.lookup(path);
      if (inode !== undefined && (flags & CONSTANTS.O_EXCL) !== 0) throw new DiskError('EEXIST');
      if (inode === undefined && (flags & CONSTANTS.O_CREAT) !== 0) inode = disk.create(path, 'file', mode & ~0o022);
      inode ??= disk.find(path);
      const isWriting = (flags & 3) !== 0;
      if (inode.kind === 'directory' && (isWriting || disk.manners === 'windows')) throw new DiskError('EISDIR');
      if (isWriting && disk.isReadOnly) throw new DiskError('EROFS');
      if ((flags & CONSTANTS.O_TRUNC) !== 0 && inode.size > 0) disk.truncate(inode, 0);
      const fd = process.describe(inode);
      if ((flags & CONSTANTS.O_APPEND) !== 0) appending.add(fd);
      return fd;
    });
  };

  const closeSync = (fd: number): void =>
    call('close', String(fd), () => {
      const inode = inodeOf(fd);
      process.descriptors.delete(fd);
      if (--inode.opened === 0) disk.release(inode);
    });

  const read = (fd: number, into: Uint8Array, offset: number, length: number, position: number | null): number => {
    const inode = inodeOf(fd);
    if (inode.kind === 'directory') throw new DiskError('EISDIR');
    const from = position ?? positions.get(fd) ?? 0;
    const bytes = inode.bytes.subarray(0, inode.size).subarray(from, from + length);
    into.set(bytes, offset);
    if (position === null) positions.set(fd, from + bytes.length);
    return bytes.length;
  };
  const readSync = (
    fd: number,
    into: Uint8Array,
    offset = 0,
    length = into.length - offset,
    position: number | null = null,
  ) =>
    call(
      'read',
      `${fd} ${length}@${position}`,
      () => read(fd, into, offset, length, position),
      () => read(fd, into, offset, Math.max(1, length >> 1), position),
    );

  const write = (fd: number, bytes: Uint8Array, offset: number, length: number, position: number | null): number => {
    const inode = inodeOf(fd);
    const from = appending.has(fd) ? inode.size : (position ?? positions.get(fd) ?? 0);
    disk.write(inode, bytes.subarray(offset, offset + length), from);
    if (position === null) positions.set(fd, from + length);
    return length;
  };
  const writeSync = (
    fd: number,
    bytes: Uint8Array,
    offset = 0,
    length = bytes.length - offset,
    position: number | null = null,
  ) =>
    call(
      'write',
      `${fd} ${length}@${position}`,
      () => write(fd, bytes, offset, length, position),
      () => write(fd, bytes, offset, Math.max(1, length >> 1), position),
    );

  const ftruncateSync = (fd: number, size = 0) =>
    call('truncate', `${fd} ${size}`, () => disk.truncate(inodeOf(fd), size));
  const fchmodSync = (fd: number, mode: number) => call('chmod', String(fd), () => disk.chmod(inodeOf(fd), mode));
  const syncOf = (fd: number): void => {
    const inode = inodeOf(fd);
    if (inode.kind === 'directory') disk.syncDirectory();
    else disk.sync(inode);
  };
  const fsyncSync = (fd: number) => call('sync', String(fd), () => syncOf(fd));

  const statSync = (path: string, options: Options = {}) =>
    call('stat', path, () => {
      if (options.throwIfNoEntry === false && disk.lookup(path) === undefined) return undefined;
      return statOf(disk.find(path), disk.device, options);
    });
  const fstatSync = (fd: number, options: Options = {}) =>
    call('stat', String(fd), () => statOf(inodeOf(fd), disk.device, options));
  const existsSync = (path: string) => call('stat', path, () => disk.lookup(path) !== undefined);
  const realpathSync = (path: string) => call('stat', path, () => disk.realpath(path));
  const readdirSync = (path: string) => call('readdir', path, () => disk.readdir(path));
  const linkSync = (path: string, another: string) =>
    call('link', `${path} -> ${another}`, () => disk.link(path, another));
  const renameSync = (path: string, target: string) =>
    call('rename', `${path} -> ${target}`, () => disk.rename(path, target));
  const unlinkSync = (path: string) => call('unlink', path, () => disk.unlink(path));

  const mkdirSync = (path: string, { recursive = false, mode = 0o777 }: Options = {}): string | undefined => {
    if (recursive) {
      if (disk.lookup(path)?.kind === 'directory') return undefined;
      const parent = posix.dirname(path);
      const above = disk.lookup(parent) === undefined ? mkdirSync(parent, { recursive, mode }) : undefined;
      call('mkdir', path, () => disk.create(path, 'directory', mode & ~0o022));
      return above ?? path;
    }
    call('mkdir', path, () => disk.create(path, 'directory', mode & ~0o022));
    return undefined;
  };
  const mkdtempSync = (prefix: string): string => {
    const path = `${prefix}${process.random
      .below(36 ** 6)
      .toString(36)
      .padStart(6, '0')}`;
    call('mkdir', path, () => disk.create(path, 'directory', 0o700));
    return path;
  };
  const rmSync = (path: string, { recursive = false, force = false }: Options = {}): void => {
    if (force && disk.lookup(path) === undefined) {
      call('stat', path, () => undefined);
      return;
    }
    for (const inside of recursive ? disk.below(path).reverse() : []) call('unlink', inside, () => removed(inside));
    call('unlink', path, () => disk.unlink(path));
  };
  /** Another process may have removed it in between. */
  const removed = (path: string): void => {
    if (disk.lookup(path) !== undefined) disk.unlink(path);
  };
  const copyFileSync = (path: string, copy: string, mode = 0) => {
    const isClone = (mode & CONSTANTS.COPYFILE_FICLONE_FORCE) !== 0;
    call('clone', `${path} -> ${copy}`, () => {
      if (isClone) disk.clone(path, copy);
      else writeTo(disk.lookup(copy) ?? disk.create(copy, 'file', disk.find(path).mode), disk.find(path));
    });
  };
  const writeTo = (copy: Inode, file: Inode): void => {
    // libuv detects a copy of a file to itself.
    if (copy === file) return;
    const { bytes, size } = file;
    disk.truncate(copy, 0);
    disk.write(copy, bytes.subarray(0, size), 0);
  };

  const readFileSync = (path: string, given?: string | Options): string | Buffer => {
    const system = systemFile(process, path);
    const encoding = typeof given === 'string' ? given : given?.encoding;
    let bytes: Buffer;
    if (system !== undefined) bytes = Buffer.from(system);
    else {
      const fd = openSync(path, 'r');
      try {
        bytes = Buffer.alloc(fstatSync(fd)?.size as number);
        for (let done = 0, count = -1; done < bytes.length && count !== 0; done += count)
          count = readSync(fd, bytes, done, bytes.length - done, done);
      } finally {
        closeSync(fd);
      }
    }
    return encoding === undefined ? bytes : bytes.toString('utf8');
  };
  const writeFileSync = (path: string, content: string | Uint8Array, { mode = 0o666, flag = 'w' }: Options = {}) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const fd = openSync(path, flag, mode);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    } finally {
      closeSync(fd);
    }
  };
  const readlinkSync = (path: string): string => {
    const target = systemFile(process, path);
    if (target === undefined) throw new DiskError('EINVAL');
    return target;
  };
  const chownSync = (path: string, uid: number) =>
    call('chown', path, () => {
      disk.find(path).uid = uid;
    });

  const sync = {
    openSync,
    closeSync,
    readSync,
    writeSync,
    ftruncateSync,
    fchmodSync,
    fsyncSync,
    fdatasyncSync: fsyncSync,
    statSync,
    lstatSync: statSync,
    fstatSync,
    existsSync,
    realpathSync: Object.assign(realpathSync, { native: realpathSync }),
    readdirSync,
    linkSync,
    renameSync,
    unlinkSync,
    mkdirSync,
    mkdtempSync,
    rmSync,
    copyFileSync,
    readFileSync,
    writeFileSync,
    readlinkSync,
    chownSync,
  };
  // biome-ignore lint/suspicious/noExplicitAny: every function of `node:fs` has other arguments.
  type Work = (...given: any[]) => unknown;
  const callback = (work: Work) => {
    const asked = (...given: unknown[]): void => {
      const done = given.pop() as Callback;
      process
        .later(() => work(...given))
        .then(
          (value) => done(null, value),
          (error) => done(error),
        );
    };
    return asked;
  };
  const counted = (work: Work, name: string) =>
    Object.assign(callback(work), {
      [promisify.custom]: (...given: unknown[]) =>
        process.later(() => work(...given)).then((count) => ({ [name]: count })),
    });
  const steps =
    (work: Work) =>
    async (...given: unknown[]) => {
      await process.later(() => undefined);
      return work(...given);
    };
  return {
    fs: {
      ...sync,
      constants: CONSTANTS,
      read: counted(readSync, 'bytesRead'),
      write: counted(writeSync, 'bytesWritten'),
      fsync: callback(fsyncSync),
      fdatasync: callback(fsyncSync),
      ftruncate: callback(ftruncateSync),
      rename: callback(renameSync),
      copyFile: callback(copyFileSync),
    },
    promises: Object.fromEntries(
      Object.entries(sync).map(([name, work]) => [name.replace(/Sync$/, ''), steps(work as Work)]),
    ),
  };
}

function statOf(inode: Inode, device: bigint, { bigint = false }: Options) {
  const { ino, size, mode, uid, links, mtimeNs, ctimeNs } = inode;
  const number = (value: bigint | number): bigint | number => (bigint ? BigInt(value) : Number(value));
  return {
    dev: number(device),
    ino: number(ino),
    size: number(size),
    mode: number(mode),
    uid: number(uid),
    gid: number(USER),
    nlink: number(links),
    mtimeNs,
    ctimeNs,
    mtimeMs: Number(mtimeNs) / 1e6,
    ctimeMs: Number(ctimeNs) / 1e6,
    isFile: () => inode.kind === 'file',
    isDirectory: () => inode.kind === 'directory',
    isSymbolicLink: () => false,
  };
}

/** Files of the kernel about processes and itself; only Linux has them. */
function systemFile({ machine, pid }: SimulatedProcess, path: string): string | undefined {
  const isSystem = /^\/(?:proc\/|etc\/machine-id$)/.test(path);
  if (!isSystem) return undefined;
  if (machine.disk.manners !== 'posix') throw Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'open' });
  if (path === '/proc/sys/kernel/hostname') return machine.host;
  if (path === '/etc/machine-id') return '5b1d0c9c4f2e4a6f8f7c0b1d2e3f4a5b';
  if (path === '/proc/sys/kernel/random/boot_id')
    return `00000000-0000-4000-8000-${String(machine.boot).padStart(12, '0')}`;
  if (path === '/proc/self/ns/pid') return 'pid:[4026531836]';
  const asked = Number(/^\/proc\/(\d+)\/stat$/.exec(path)?.[1] ?? pid);
  const other = machine.processes.get(asked);
  if (other === undefined || !other.isAlive)
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'open' });
  return `${asked} (node) ${Array.from({ length: 30 }, (_, index) => (index === 19 ? other.started : 0)).join(' ')}`;
}
