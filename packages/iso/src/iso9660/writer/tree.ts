import { checkArgument, checkWhole, checkWord } from '@coreiso/peers/arguments';
import { type Bytes, sizeOf } from '../../bytes/source.ts';
import { SECTOR } from '../fields.ts';
import type { IsoEntry, IsoFileEntry } from './entries.ts';

/** The content of a file and its place; shared by all names of the file. */
export interface FileData {
  readonly content: Bytes;
  readonly size: number;
  readonly align: number;
  readonly modified: Date;
  readonly mode: number;
  /** Number of its names. */
  links: number;
}

interface NodePlace {
  /** Empty only for the root. */
  readonly name: string;
  readonly path: string;
}

export interface DirectoryNode extends NodePlace {
  readonly kind: 'directory';
  /** `undefined` for the root. */
  readonly parent: DirectoryNode | undefined;
  readonly children: Map<string, TreeNode>;
  subdirectories: number;
  mode: number;
  modified: Date;
}

interface FileNode extends NodePlace {
  readonly kind: 'file';
  readonly data: FileData;
}

interface SymlinkNode extends NodePlace {
  readonly kind: 'symlink';
  readonly target: string;
  readonly modified: Date;
}

export type TreeNode = DirectoryNode | FileNode | SymlinkNode;

export interface Tree {
  readonly root: DirectoryNode;
  /** In the order of the entries: the order on the medium. */
  readonly data: readonly FileData[];
  /** By normalised path. */
  readonly files: ReadonlyMap<string, FileData>;
}

const DEFAULT_FILE_MODE = 0o644;
const DEFAULT_DIRECTORY_MODE = 0o755;
/** RRIP sets no limit, but all readers do. */
const LONGEST_NAME = 255;
/** PATH_MAX without its NUL. */
const LONGEST_TARGET = 4095;

const KINDS: readonly IsoEntry['kind'][] = ['file', 'directory', 'symlink', 'link'];

/** Builds the tree of the entries, and refuses all invalid paths. */
export function buildTree(entries: Iterable<IsoEntry>, timestamp: Date): Tree {
  const root = makeDirectory('', undefined, timestamp);
  const listed = new Map<string, { readonly entry: IsoEntry; readonly names: string[] }>();
  const files = new Map<string, FileData>();
  checkArgument('entries', entries, 'list');
  let position = -1;
  for (const entry of entries) {
    position++;
    checkArgument(`entries[${position}]`, entry, 'object');
    checkArgument(`entries[${position}].path`, entry.path, 'text');
    checkArgument(`entries[${position}].kind`, entry.kind, 'text');
    checkWord(`entries[${position}].kind`, entry.kind, KINDS);
    const names = components(entry.path);
    const path = `/${names.join('/')}`;
    if (listed.has(path)) throw new RangeError(`entries must list ${path} once`);
    listed.set(path, { entry, names });
    if (entry.kind === 'file') files.set(path, makeData(entry, timestamp));
  }
  for (const [path, { entry, names }] of listed) {
    if (entry.kind === 'directory') {
      const directory = makeDirectories(root, names, timestamp);
      directory.mode = checkMode(path, entry.mode ?? DEFAULT_DIRECTORY_MODE);
      directory.modified = checkDate(entry.modified ?? timestamp);
      continue;
    }
    const name = names.at(-1);
    if (name === undefined) throw new RangeError(`entries must have a directory as their root, not a ${entry.kind}`);
    const { children } = makeDirectories(root, names.slice(0, -1), timestamp);
    if (children.has(name)) throw new RangeError(`entries must not have ${path} beside what is inside it`);
    if (entry.kind === 'symlink') {
      const modified = checkDate(entry.modified ?? timestamp);
      children.set(name, { kind: 'symlink', name, path, target: checkTarget(path, entry.target), modified });
      continue;
    }
    const data = files.get(entry.kind === 'file' ? path : normalPath(entry.to));
    if (data === undefined) throw new RangeError(`entries must list the file that ${path} links to`);
    data.links++;
    children.set(name, { kind: 'file', name, path, data });
    files.set(path, data);
  }
  return { root, data: [...new Set(files.values())], files };
}

/** A normalised path such as `/a/b`. */
export function normalPath(path: string): string {
  return `/${components(path).join('/')}`;
}

function components(path: string): string[] {
  const names = path.replace(/^\//, '').split('/');
  if (names.length === 1 && names[0] === '') return [];
  for (const name of names) {
    if (name === '' || name === '.' || name === '..' || name.includes('\0')) {
      throw new RangeError(`path must be plain and from the root, not ${JSON.stringify(path)}`);
    }
    checkText(`path ${JSON.stringify(path)}`, name);
    if (utf8Length(name) > LONGEST_NAME) {
      throw new RangeError(`path must have names of at most ${LONGEST_NAME} bytes, not ${JSON.stringify(path)}`);
    }
  }
  return names;
}

function makeDirectory(name: string, parent: DirectoryNode | undefined, modified: Date): DirectoryNode {
  const path = parent?.parent === undefined ? `/${name}` : `${parent.path}/${name}`;
  const mode = DEFAULT_DIRECTORY_MODE;
  return { kind: 'directory', name, path, parent, children: new Map(), subdirectories: 0, mode, modified };
}

function makeDirectories(root: DirectoryNode, names: readonly string[], modified: Date): DirectoryNode {
  let directory = root;
  for (const name of names) {
    let child = directory.children.get(name);
    if (child === undefined) {
      child = makeDirectory(name, directory, modified);
      directory.children.set(name, child);
      directory.subdirectories++;
    }
    if (child.kind !== 'directory')
      throw new RangeError(`entries must have ${child.path} as a directory, because others are inside it`);
    directory = child;
  }
  return directory;
}

function makeData(entry: IsoFileEntry, timestamp: Date): FileData {
  const { align = SECTOR } = entry;
  const content = typeof entry.content === 'string' ? ENCODER.encode(entry.content) : entry.content;
  checkArgument(`content of ${entry.path}`, content, 'content');
  if (!Number.isSafeInteger(align) || align <= 0 || align % SECTOR !== 0) {
    throw new RangeError(`align must be a multiple of ${SECTOR}, not ${align}`);
  }
  return {
    content,
    size: sizeOf(content),
    align,
    modified: checkDate(entry.modified ?? timestamp),
    mode: checkMode(entry.path, entry.mode ?? DEFAULT_FILE_MODE),
    links: 0,
  };
}

function checkMode(path: string, mode: number): number {
  checkWhole(`mode of ${path}`, mode, 0, 0o7777);
  return mode;
}

/** ECMA-119 9.1.5 counts years in one byte. */
export function checkDate(date: Date): Date {
  checkArgument('modified', date, 'date');
  const year = date.getUTCFullYear();
  if (!(year >= 1900 && year <= 2155)) throw new RangeError('modified must be in the years 1900 to 2155');
  return date;
}

function checkTarget(path: string, target: string): string {
  checkArgument(`target of ${path}`, target, 'text');
  const length = utf8Length(target);
  if (length === 0 || length > LONGEST_TARGET || target.includes('\0')) {
    throw new RangeError(`target of ${path} must be 1 to ${LONGEST_TARGET} bytes without NUL`);
  }
  checkText(`target of ${path}`, target);
  return target;
}

/** A lone surrogate has no UTF-8: it would become U+FFFD, and different names could become equal. */
function checkText(what: string, text: string): void {
  if (/\p{Surrogate}/u.test(text)) throw new RangeError(`${what} must be well-formed Unicode`);
}

const ENCODER = new TextEncoder();

function utf8Length(text: string): number {
  return ENCODER.encode(text).length;
}
