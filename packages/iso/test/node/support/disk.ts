import { posix } from 'node:path';
import type { FileStat, FileSystem, OpenFile } from '../../../src/node/file-system.ts';

/** The fault at an operation. After a crash all operations fail, even cleanup. */
export type Fault =
  | 'crash before'
  | 'crash after'
  | 'crash halfway'
  | 'EIO before'
  | 'EIO after'
  | 'ENOSPC halfway'
  | 'abort';

/** Selects the unsynced changes that survive a crash. */
export type Survival = (changes: number) => boolean;

/** Contents are immutable: every change makes new ones, so that copies of a disk can share them. */
interface Inode {
  readonly ino: bigint;
  bytes: Uint8Array;
  synced: Uint8Array;
  /** Changes since the last sync, each a function of the contents before it. */
  unsynced: ((bytes: Uint8Array) => Uint8Array)[];
  mode: number;
  uid: number;
  mtimeNs: bigint;
}

type Names = Map<string, Inode>;

/** A disk in memory that tracks which changes would survive a power loss, and fails on request. */
export class Disk implements FileSystem {
  /** Whether `clone` works, as on Btrfs or XFS. */
  canClone = false;
  /** The number of the device. */
  device = 1;
  /** Whether `link` works; FAT has no links. */
  canLink = true;
  /** The names of all operations so far. */
  readonly operations: string[] = [];
  /** Number of open files. */
  openFiles = 0;
  /** Called at the fault `abort`. */
  onAbort: () => void = () => undefined;
  #names: Names = new Map();
  #syncedNames: Names = new Map();
  #unsyncedNames: ((names: Names) => void)[] = [];
  #dead = false;
  #fault: { at: number; kind: Fault } | undefined;
  #clock = 1n;

  /** Adds a durable file to the disk. */
  put(path: string, bytes: Uint8Array, mode = 0o644): this {
    const inode = this.#inode(mode);
    inode.bytes = bytes.slice();
    inode.synced = inode.bytes;
    this.#names.set(path, inode);
    this.#syncedNames.set(path, inode);
    return this;
  }

  /** Overwrites an existing file, as `cp` does. */
  overwrite(path: string, bytes: Uint8Array): this {
    const inode = this.#find(path);
    inode.bytes = bytes.slice();
    inode.synced = inode.bytes;
    return this;
  }

  /** The contents of a file as seen by a program. */
  get(path: string): Uint8Array | undefined {
    return this.#names.get(path)?.bytes;
  }

  modeOf(path: string): number | undefined {
    return this.#names.get(path)?.mode;
  }

  chown(path: string, uid: number): void {
    this.#find(path).uid = uid;
  }

  list(): string[] {
    return [...this.#names.keys()].sort();
  }

  /** Arms a fault at the `at`th operation from now on, counted from 1. */
  failAt(at: number, kind: Fault): void {
    this.operations.length = 0;
    this.#fault = { at, kind };
  }

  /** Whether the armed fault has happened. */
  get failed(): boolean {
    return this.#fault !== undefined && this.operations.length >= this.#fault.at;
  }

  /** The disk after a power loss. Names may have reached it before contents. */
  afterCrash(survives: Survival, namesSurvive: Survival = survives): Disk {
    const disk = new Disk();
    const copies = new Map<Inode, Inode>();
    const copy = (inode: Inode): Inode => {
      let bytes = inode.synced;
      for (const change of inode.unsynced) if (survives(inode.unsynced.length)) bytes = change(bytes);
      return { ...inode, bytes, synced: bytes, unsynced: [] };
    };
    const names = new Map(this.#syncedNames);
    // Names change in order, as on every journalling file system.
    for (const change of this.#unsyncedNames) {
      if (!namesSurvive(this.#unsyncedNames.length)) break;
      change(names);
    }
    for (const [path, inode] of names) {
      const found = copies.get(inode) ?? copy(inode);
      copies.set(inode, found);
      disk.#names.set(path, found);
      disk.#syncedNames.set(path, found);
    }
    disk.#clock = this.#clock + 1n;
    disk.canClone = this.canClone;
    disk.canLink = this.canLink;
    return disk;
  }

  async open(path: string, flags: 'r' | 'r+' | 'wx+', mode = 0o666): Promise<OpenFile> {
    if (flags === 'wx+') {
      const created = this.#perform('create', () => {
        if (this.#names.has(path)) throw systemError('EEXIST', 'open');
        const inode = this.#inode(mode);
        this.#rename((names) => names.set(path, inode));
        return this.#file(inode);
      });
      return this.#counted(created);
    }
    return this.#counted(this.#perform('open', () => this.#file(this.#find(path))));
  }

  #counted(file: OpenFile): OpenFile {
    this.openFiles++;
    let isOpen = true;
    return {
      ...file,
      close: async () => {
        if (isOpen) this.openFiles--;
        isOpen = false;
      },
    };
  }

  async stat(path: string): Promise<FileStat> {
    return this.#perform('stat', () => this.#describe(this.#find(path)));
  }

  lstat(path: string): Promise<FileStat> {
    return this.stat(path);
  }

  async readdir(path: string): Promise<string[]> {
    return this.list()
      .filter((name) => posix.dirname(name) === path)
      .map((name) => posix.basename(name));
  }

  async realpath(path: string): Promise<string> {
    this.#find(path);
    return path;
  }

  async link(path: string, another: string): Promise<void> {
    return this.#perform('link', () => {
      if (!this.canLink) throw systemError('EPERM', 'link');
      if (this.#names.has(another)) throw systemError('EEXIST', 'link');
      const inode = this.#find(path);
      this.#rename((names) => names.set(another, inode));
    });
  }

  async rename(path: string, target: string): Promise<void> {
    return this.#perform('rename', () => {
      const inode = this.#find(path);
      this.#rename((names) => names.set(target, inode).delete(path));
    });
  }

  async unlink(path: string): Promise<void> {
    return this.#perform('unlink', () => {
      this.#find(path);
      this.#rename((names) => names.delete(path));
    });
  }

  async clone(path: string, copy: string): Promise<void> {
    return this.#perform('clone', () => {
      if (!this.canClone) throw systemError('EOPNOTSUPP', 'copyfile');
      const { bytes, mode } = this.#find(path);
      const inode = this.#inode(mode);
      this.#change(inode, () => bytes);
      this.#rename((names) => names.set(copy, inode));
    });
  }

  async syncDirectory(path: string): Promise<void> {
    return this.#perform('sync directory', () => {
      if (posix.dirname(`${path}/x`) !== path) throw new Error(`not a directory: ${path}`);
      this.#syncedNames = new Map(this.#names);
      this.#unsyncedNames = [];
    });
  }

  #file(inode: Inode): OpenFile {
    const read = (into: Uint8Array, position: number): number =>
      this.#perform('read', () => {
        const bytes = inode.bytes.subarray(position, position + into.length);
        into.set(bytes);
        return bytes.length;
      });
    const write = (bytes: Uint8Array, position: number): number => {
      const part = (length: number): number => {
        const written = bytes.slice(0, length);
        this.#change(inode, (old) => {
          const grown = new Uint8Array(Math.max(old.length, position + length));
          grown.set(old);
          grown.set(written, position);
          return grown;
        });
        return length;
      };
      return this.#perform(
        'write',
        () => part(bytes.length),
        () => part(bytes.length >> 1),
      );
    };
    return {
      read: async (into, position) => read(into, position),
      readSync: read,
      write: async (bytes, position) => write(bytes, position),
      writeSync: write,
      truncate: async (size) =>
        this.#perform('truncate', () =>
          this.#change(inode, (old) => {
            const cut = new Uint8Array(size);
            cut.set(old.subarray(0, size));
            return cut;
          }),
        ),
      chmod: async (mode) =>
        this.#perform('chmod', () => {
          inode.mode = mode;
        }),
      sync: async () =>
        this.#perform('sync', () => {
          inode.synced = inode.bytes;
          inode.unsynced = [];
        }),
      stat: async () => this.#perform('stat', () => this.#describe(inode)),
      close: async () => undefined,
    };
  }

  #perform<T>(name: string, work: () => T, half: () => unknown = () => undefined): T {
    if (this.#dead) throw systemError('EIO', name);
    this.operations.push(name);
    const kind = this.#fault?.at === this.operations.length ? this.#fault.kind : undefined;
    if (kind?.startsWith('crash')) this.#dead = true;
    if (kind === 'crash after' || kind === 'EIO after') work();
    if (kind === 'crash halfway' || kind === 'ENOSPC halfway') half();
    if (kind === 'abort') this.onAbort();
    else if (kind !== undefined) throw systemError(kind.startsWith('ENOSPC') ? 'ENOSPC' : 'EIO', name);
    return work();
  }

  #rename(change: (names: Names) => void): void {
    change(this.#names);
    this.#unsyncedNames.push(change);
  }

  #change(inode: Inode, change: (bytes: Uint8Array) => Uint8Array): void {
    inode.bytes = change(inode.bytes);
    inode.unsynced.push(change);
    inode.mtimeNs = ++this.#clock;
  }

  #inode(mode: number): Inode {
    const clock = ++this.#clock;
    const uid = process.getuid?.() ?? 0;
    return { ino: clock, bytes: new Uint8Array(), synced: new Uint8Array(), unsynced: [], mode, uid, mtimeNs: clock };
  }

  #describe(inode: Inode): FileStat {
    const { bytes, ino, mode, mtimeNs, uid } = inode;
    const links = [...this.#names.values()].filter((other) => other === inode).length;
    return {
      kind: 'file',
      size: bytes.length,
      mode,
      uid,
      dev: BigInt(this.device),
      ino,
      links,
      mtimeNs,
      ctimeNs: mtimeNs,
    };
  }

  #find(path: string): Inode {
    const inode = this.#names.get(path);
    if (inode === undefined) throw systemError('ENOENT', 'open');
    return inode;
  }
}

/** An error like those of Node. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
}
