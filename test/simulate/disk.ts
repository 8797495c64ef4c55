// A disk in memory, as the kernel shows it to programs, and as it is after a loss of power. Contents and names reach the platter
// separately: contents by sector, in any order, unless a file is synced; names in the order of their changes, as on every file
// system with a journal, up to the sync of a directory at the latest.
import { posix } from 'node:path';
import type { Random } from '../support/random.ts';

/** The operating system of the disk, which determines the rules for names. */
export type Manners = 'posix' | 'windows' | 'macos';

export interface Inode {
  ino: bigint;
  readonly kind: 'file' | 'directory';
  /** As programs see it; the array may be longer than the file. */
  bytes: Uint8Array;
  size: number;
  /** The contents on the platter. */
  durable: Uint8Array;
  unsynced: Change[];
  mode: number;
  uid: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
  links: number;
  /** The number of open descriptors. */
  opened: number;
}

type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number };
interface Entry {
  readonly name: string;
  readonly inode: Inode;
}
type Names = Map<string, Entry>;
type NameChange = readonly (readonly [key: string, entry: Entry | undefined])[];

const SECTOR = 512;
export const USER = 1000;

/** A failure with Node's code for it. */
export class DiskError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export class Disk {
  readonly manners: Manners;
  /** Whether `clone` works, as on Btrfs, XFS and APFS. */
  readonly canClone: boolean;
  /** Whether `link` works; FAT has no links. */
  readonly canLink: boolean;
  /** Set while the file system refuses writes. */
  isReadOnly = false;
  /** Ignores every sync: simulates disks, and products, that do not sync. */
  ignoresSync = false;
  now: () => bigint = () => 0n;
  device = 1n;
  #names: Names = new Map();
  #durableNames: Names = new Map();
  #unsyncedNames: NameChange[] = [];
  #lastIno = 100n;
  /** Numbers of removed files: the next file gets one of these, as on ext4. */
  #freeInos: bigint[] = [];

  constructor(manners: Manners, abilities: { canClone: boolean; canLink: boolean }) {
    this.manners = manners;
    this.canClone = abilities.canClone;
    this.canLink = abilities.canLink;
    const root = this.#newInode('directory', 0o755);
    this.#names.set('/', { name: '/', inode: root });
    this.#durableNames = new Map(this.#names);
  }

  #key(path: string): string {
    return this.manners === 'posix' ? path : path.toLowerCase();
  }

  lookup(path: string): Inode | undefined {
    return this.#names.get(this.#key(path))?.inode;
  }

  find(path: string): Inode {
    const inode = this.lookup(path);
    if (inode !== undefined) return inode;
    const parent = this.lookup(posix.dirname(path));
    throw new DiskError(parent?.kind === 'file' ? 'ENOTDIR' : 'ENOENT');
  }

  /** Paths of files and directories below a directory, nearest first. */
  below(directory: string): string[] {
    const prefix = this.#key(directory === '/' ? '/' : `${directory}/`);
    return [...this.#names]
      .filter(([key]) => key.startsWith(prefix) && key !== '/')
      .map(([, { name }]) => name)
      .sort();
  }

  readdir(path: string): string[] {
    if (this.find(path).kind !== 'directory') throw new DiskError('ENOTDIR');
    return this.below(path)
      .filter((name) => this.#key(posix.dirname(name)) === this.#key(path))
      .map((name) => posix.basename(name));
  }

  /** The spelling of a name in its directory, for any accepted spelling. */
  realpath(path: string): string {
    this.find(path);
    return this.#names.get(this.#key(path))?.name ?? path;
  }

  create(path: string, kind: Inode['kind'], mode: number): Inode {
    this.#checkWritable();
    if (this.lookup(path) !== undefined) throw new DiskError('EEXIST');
    if (this.find(posix.dirname(path)).kind !== 'directory') throw new DiskError('ENOTDIR');
    const inode = this.#newInode(kind, mode);
    this.#commitLater([[this.#key(path), { name: path, inode }]]);
    return inode;
  }

  link(path: string, another: string): void {
    this.#checkWritable();
    const inode = this.find(path);
    if (!this.canLink) throw new DiskError(this.manners === 'windows' ? 'EISDIR' : 'EPERM');
    if (this.lookup(another) !== undefined) throw new DiskError('EEXIST');
    this.find(posix.dirname(another));
    this.#commitLater([[this.#key(another), { name: another, inode }]]);
  }

  rename(path: string, target: string): void {
    this.#checkWritable();
    const inode = this.find(path);
    const replaced = this.lookup(target);
    this.find(posix.dirname(target));
    if (inode.kind === 'directory' || replaced?.kind === 'directory') throw new DiskError('EPERM');
    // Two names of one file: POSIX does nothing then.
    if (replaced === inode && this.#key(path) !== this.#key(target)) return;
    if (this.manners === 'windows' && (inode.opened > 0 || (replaced?.opened ?? 0) > 0)) throw new DiskError('EPERM');
    this.#commitLater([
      ...(this.#key(path) === this.#key(target) ? [] : [[this.#key(path), undefined] as const]),
      [this.#key(target), { name: target, inode }],
    ]);
  }

  unlink(path: string): void {
    this.#checkWritable();
    const inode = this.find(path);
    if (inode.kind === 'directory' && this.below(path).length > 0) throw new DiskError('ENOTEMPTY');
    this.#commitLater([[this.#key(path), undefined]]);
  }

  clone(path: string, copy: string): Inode {
    if (!this.canClone) throw new DiskError('ENOTSUP');
    const from = this.find(path);
    const inode = this.create(copy, 'file', from.mode);
    this.write(inode, from.bytes.subarray(0, from.size), 0);
    return inode;
  }

  write(inode: Inode, bytes: Uint8Array, offset: number): void {
    this.#checkWritable();
    if (bytes.length === 0) return;
    const end = offset + bytes.length;
    if (end > inode.bytes.length) inode.bytes = grown(inode.bytes, end * 2);
    // Bytes that were cut off before read as zeros.
    if (offset > inode.size) inode.bytes.fill(0, inode.size, offset);
    inode.bytes.set(bytes, offset);
    inode.size = Math.max(inode.size, end);
    inode.unsynced.push({ offset, bytes: bytes.slice() });
    this.#touch(inode);
  }

  truncate(inode: Inode, size: number): void {
    this.#checkWritable();
    if (size > inode.bytes.length) inode.bytes = grown(inode.bytes, size);
    inode.bytes.fill(0, Math.min(size, inode.size));
    inode.size = size;
    inode.unsynced.push({ size });
    this.#touch(inode);
  }

  chmod(inode: Inode, mode: number): void {
    this.#checkWritable();
    inode.mode = mode;
    inode.ctimeNs = this.now();
  }

  sync(inode: Inode): void {
    if (this.ignoresSync) return;
    for (const change of inode.unsynced) inode.durable = applied(inode.durable, change);
    inode.unsynced = [];
    // NTFS writes its log in order, and a flushed file needs the earlier entries.
    if (this.manners === 'windows') this.#syncNames();
  }

  syncDirectory(): void {
    if (!this.ignoresSync) this.#syncNames();
  }

  /** Puts a file, and its folders, on the platter. */
  put(path: string, bytes: Uint8Array, mode = 0o644): Inode {
    for (let folder = posix.dirname(path); folder !== '/'; folder = posix.dirname(folder)) this.#ensure(folder);
    const inode = this.create(path, 'file', mode);
    this.write(inode, bytes, 0);
    this.sync(inode);
    this.#syncNames();
    return inode;
  }

  #ensure(folder: string): void {
    if (this.lookup(folder) !== undefined) return;
    const parent = posix.dirname(folder);
    if (parent !== '/') this.#ensure(parent);
    this.create(folder, 'directory', 0o755);
    this.#syncNames();
  }

  contents(path: string): Uint8Array | undefined {
    const inode = this.lookup(path);
    return inode?.kind === 'file' ? inode.bytes.subarray(0, inode.size) : undefined;
  }

  /** The platter after a loss of power: each sector that was not synced may be there or not. */
  cutPower(random: Random): void {
    const names = new Map(this.#durableNames);
    const kept = random.pick([0, this.#unsyncedNames.length, random.below(this.#unsyncedNames.length + 1)]);
    for (const change of this.#unsyncedNames.slice(0, kept)) apply(names, change);
    const share = random.pick([0, 1, random.next()]);
    const seen = new Set<Inode>();
    for (const { inode } of [...this.#names.values(), ...names.values()]) {
      if (seen.has(inode)) continue;
      seen.add(inode);
      inode.opened = 0;
      inode.links = 0;
      if (inode.unsynced.length > 0) inode.durable = survivors(inode, share, random);
      inode.unsynced = [];
      inode.bytes = inode.durable.slice();
      inode.size = inode.bytes.length;
    }
    for (const { inode } of names.values()) inode.links++;
    this.#names = names;
    this.#durableNames = new Map(names);
    this.#unsyncedNames = [];
    const inUse = new Set([...names.values()].map(({ inode }) => inode.ino));
    this.#freeInos = this.#freeInos.filter((ino) => !inUse.has(ino));
    this.isReadOnly = false;
    // Device numbers change at every start; Windows has the serial number of the volume.
    if (this.manners !== 'windows') this.device = BigInt(random.between(1, 3));
  }

  #newInode(kind: Inode['kind'], mode: number): Inode {
    const ino = this.#freeInos.pop() ?? ++this.#lastIno;
    const [mtimeNs, ctimeNs] = [this.now(), this.now()];
    const none = new Uint8Array();
    const counts = { size: 0, links: 0, opened: 0, uid: USER };
    return { ino, kind, bytes: none, durable: none, unsynced: [], mode, mtimeNs, ctimeNs, ...counts };
  }

  #commitLater(change: NameChange): void {
    const replaced = change.map(([key]) => this.#names.get(key)?.inode);
    for (const [, entry] of change) {
      if (entry === undefined) continue;
      entry.inode.links++;
      entry.inode.ctimeNs = this.now();
    }
    for (const inode of replaced)
      if (inode !== undefined && --inode.links === 0 && inode.opened === 0) this.release(inode);
    apply(this.#names, change);
    this.#unsyncedNames.push(change);
  }

  /** The last reference to a file is gone: its number is free. */
  release(inode: Inode): void {
    if (inode.links === 0 && inode.kind === 'file') this.#freeInos.push(inode.ino);
  }

  #syncNames(): void {
    for (const change of this.#unsyncedNames) apply(this.#durableNames, change);
    this.#unsyncedNames = [];
  }

  #touch(inode: Inode): void {
    inode.mtimeNs = this.now();
    inode.ctimeNs = inode.mtimeNs;
  }

  #checkWritable(): void {
    if (this.isReadOnly) throw new DiskError('EROFS');
  }
}

function apply(names: Names, change: NameChange): void {
  for (const [key, entry] of change) {
    if (entry === undefined) names.delete(key);
    else names.set(key, entry);
  }
}

function grown(bytes: Uint8Array, length: number): Uint8Array {
  const copy = new Uint8Array(length);
  copy.set(bytes);
  return copy;
}

function applied(bytes: Uint8Array, change: Change): Uint8Array {
  if ('size' in change) return change.size <= bytes.length ? bytes.slice(0, change.size) : grown(bytes, change.size);
  const end = change.offset + change.bytes.length;
  const result = end > bytes.length ? grown(bytes, end) : bytes;
  result.set(change.bytes, change.offset);
  return result;
}

/** A random choice of the unsynced sectors. */
function survivors({ durable, unsynced }: Inode, share: number, random: Random): Uint8Array {
  let bytes: Uint8Array = durable.slice();
  for (const change of unsynced) {
    if ('size' in change) {
      if (random.chance(share)) bytes = applied(bytes, change);
      continue;
    }
    for (let start = 0; start < change.bytes.length; ) {
      const end = Math.min(change.bytes.length, start + SECTOR - ((change.offset + start) % SECTOR));
      if (random.chance(share))
        bytes = applied(bytes, { offset: change.offset + start, bytes: change.bytes.subarray(start, end) });
      start = end;
    }
  }
  return bytes;
}
