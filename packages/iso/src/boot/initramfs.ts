// What the kernel makes of the initrds that a loader gives it: one tree (Linux, init/initramfs.c).
import { compose, slice } from '../bytes/compose.ts';
import type { Region } from '../bytes/region.ts';
import { type ByteSource, zeros } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { type ReadArchivesOptions, readArchives } from '../initrd/archive-reader.ts';
import { type ArchiveEntry, padding } from '../initrd/newc.ts';
import type { Boots, Chain } from './links.ts';
import { type BootFile, isStandIn, STAND_IN_LIMIT } from './places.ts';

/** The tree after everything was unpacked. */
export interface Tree {
  readonly nodes: ReadonlyMap<string, Node>;
  /** Files out of the initrd area. */
  readonly embedded: NonNullable<Boots['embedded']>;
}

interface Node {
  readonly kind: ArchiveEntry['kind'];
  readonly mode: number;
  readonly size: number;
  /** Where a symbolic link leads; of a program, its beginning. */
  readonly start: string;
  readonly isEmbedded: boolean;
}

const START_LENGTH = 256;
const MAX_LINKS = 40;
/** Everybody's kernel has these before anything is unpacked (usr/default_cpio_list). */
const BEFORE = ['dev', 'root'];

/** Compressions that the kernel knows and this package does not. */
const FOREIGN: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ['lz4', [0x02, 0x21, 0x4c, 0x18]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['lzma', [0x5d, 0x00, 0x00]],
  ['lzo', [0x89, 0x4c, 0x5a, 0x4f]],
];

/**
 * The tree of the initrds as the kernel gets them: one behind the other, each padded to a multiple of four.
 * `undefined` where it cannot be told.
 */
export async function unpackTree(
  chain: Chain,
  initrds: readonly BootFile[],
  area: Region | undefined,
  options: ReadArchivesOptions,
): Promise<Tree | undefined> {
  for (const file of initrds) {
    const before = beforeArea(file, area);
    // In trimmed images for s390x it is cut inside of its compression.
    const isCut = before.content.size < file.content.size && before.content.size <= STAND_IN_LIMIT;
    if (isCut || (await isStandIn(before, options.signal))) {
      chain.unknown(`${file.path} stands for an initramfs, as in trimmed images`);
      return undefined;
    }
  }
  const starts: number[] = [];
  let size = 0;
  const parts: ByteSource[] = [];
  for (const { content } of initrds) {
    starts.push(size);
    const fill = padding(content.size);
    parts.push(content, zeros(fill));
    size += content.size + fill;
  }
  const whole = compose(parts);
  const fileAt = (offset: number): BootFile | undefined => initrds[starts.findLastIndex((start) => start <= offset)];
  const isEmbedded = (offset: number): boolean => {
    const index = starts.findLastIndex((start) => start <= offset);
    const file = initrds[index];
    return file !== undefined && placeInArea(file, offset - (starts[index] ?? 0), area);
  };
  try {
    return await unpack(chain, whole, options, { fileAt, isEmbedded });
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    const where = fileAt(error.offset ?? 0);
    const foreign = await foreignFormat(whole, error.offset ?? 0, options.signal);
    if (foreign !== undefined) {
      chain.unknown(`${where?.path} is compressed with ${foreign}, which is not read`);
      return undefined;
    }
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return chain.fail(`the kernel cannot unpack ${where?.path}: ${reason}`, where?.regions[0]?.offset);
  }
}

interface Origins {
  readonly fileAt: (offset: number) => BootFile | undefined;
  readonly isEmbedded: (offset: number) => boolean;
}

async function unpack(
  chain: Chain,
  whole: ByteSource,
  options: ReadArchivesOptions,
  { fileAt, isEmbedded }: Origins,
): Promise<Tree> {
  const nodes = new Map<string, Node>();
  for (const path of BEFORE) nodes.set(path, { kind: 'directory', mode: 0o755, size: 0, start: '', isEmbedded: false });
  let lost: string | undefined;
  let archiveAt = -1;
  for await (const entry of readArchives(whole, options)) {
    const { archive, kind, size } = entry;
    if (archive.offset !== archiveAt) {
      archiveAt = archive.offset;
      await judgeArchive(chain, whole, archive, fileAt(archiveAt)?.path, options.signal);
    }
    const path = entry.path.replace(/^(\.?\/+)+/, '').replace(/\/+$/, '');
    if (path === '' || path === '.') continue;
    const parent = path.includes('/') ? resolvePath(nodes, path.slice(0, path.lastIndexOf('/'))) : '';
    if (parent === undefined || (parent !== '' && nodes.get(parent)?.kind !== 'directory')) {
      lost ??= path;
      continue;
    }
    const name = path.slice(path.lastIndexOf('/') + 1);
    const wantsStart = kind === 'symlink' || (kind === 'file' && (entry.mode & 0o111) !== 0);
    const known = nodes.get(parent === '' ? name : `${parent}/${name}`);
    // Directories stay as they are; a hard link's contents come with the last of its names.
    if (kind === 'directory' && known?.kind === 'directory') continue;
    nodes.set(parent === '' ? name : `${parent}/${name}`, {
      kind,
      mode: entry.mode & 0o7777,
      size,
      start: wantsStart ? await startOf(entry) : '',
      isEmbedded: isEmbedded(archive.offset),
    });
  }
  if (lost !== undefined) chain.broken(`the kernel loses ${lost}: no archive has its folder before it`);
  const embedded = [...nodes]
    .filter(([, node]) => node.isEmbedded && node.kind === 'file')
    .map(([path, { mode, size }]) => ({ path, mode, size }));
  return { nodes, embedded };
}

/** What the kernel takes less of than this package does. */
async function judgeArchive(
  chain: Chain,
  whole: ByteSource,
  { format, offset }: ArchiveEntry['archive'],
  path: string | undefined,
  signal?: AbortSignal,
): Promise<void> {
  if (format === 'plain' && offset % 4 !== 0)
    chain.fail(`the kernel cannot unpack ${path}: its archive does not begin at a multiple of four bytes`);
  if (format !== 'xz') return;
  const check = (await whole.read(offset, 8, signal))[7] ?? 0;
  if (check > 1) chain.fail(`the kernel cannot unpack ${path}: it takes xz with CRC32 only`);
}

async function startOf(entry: ArchiveEntry): Promise<string> {
  let text = '';
  for await (const chunk of entry.content()) {
    text += String.fromCharCode(...chunk.subarray(0, START_LENGTH - text.length));
    if (text.length >= START_LENGTH) break;
  }
  return text;
}

/** The path after all symbolic links; `undefined` if they lead nowhere. */
function resolvePath(nodes: ReadonlyMap<string, Node>, path: string): string | undefined {
  let left = path.split('/');
  const done: string[] = [];
  for (let links = 0; left.length > 0; ) {
    const [name = '', ...rest] = left;
    left = rest;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      done.pop();
      continue;
    }
    const node = nodes.get([...done, name].join('/'));
    if (node === undefined) return undefined;
    if (node.kind !== 'symlink') done.push(name);
    else {
      if (++links > MAX_LINKS) return undefined;
      if (node.start.startsWith('/')) done.length = 0;
      left = [...node.start.split('/'), ...left];
    }
  }
  return done.join('/');
}

/** Judges the program that the kernel starts. */
export function judgeInit(chain: Chain, { nodes }: Tree, kernelArguments: readonly string[]): void {
  const wanted = kernelArguments.findLast((word) => word.startsWith('rdinit='))?.slice(7) ?? '/init';
  const path = resolvePath(nodes, wanted.slice(1));
  const node = path === undefined ? undefined : nodes.get(path);
  if (node === undefined) {
    chain.broken(`the initramfs has no ${wanted}, which the kernel starts`);
    return;
  }
  if (node.kind !== 'file' || (node.mode & 0o111) === 0) {
    chain.broken(`${wanted} of the initramfs cannot be executed`);
    return;
  }
  const [, interpreter] = /^#!\s*(\S+)/.exec(node.start) ?? [];
  if (interpreter !== undefined) {
    const program = nodes.get(resolvePath(nodes, interpreter.slice(1)) ?? '');
    if (program?.kind !== 'file') {
      chain.broken(`the initramfs has no ${interpreter}, which runs its ${wanted}`);
      return;
    }
    if ((program.mode & 0o111) === 0) {
      chain.broken(`${interpreter} of the initramfs cannot be executed`);
      return;
    }
  } else if (!node.start.startsWith('\x7fELF')) {
    chain.broken(`${wanted} of the initramfs is no program`);
    return;
  }
  chain.ok(`${nodes.size - BEFORE.length} files and folders, starts ${wanted}`);
}

/** What a file has in front of the area: all of it where the area is elsewhere. */
function beforeArea(file: BootFile, area: Region | undefined): BootFile {
  const [first] = file.regions;
  if (area === undefined || first === undefined || area.offset < first.offset) return file;
  const length = area.offset - first.offset;
  if (length >= file.content.size) return file;
  // A file that is nothing but the area stands for nothing, however empty it is.
  return { ...file, content: slice(file.content, 0, length === 0 ? file.content.size : length) };
}

/** Whether byte `at` of a file lies in the area. */
function placeInArea({ regions }: BootFile, at: number, area: Region | undefined): boolean {
  let passed = 0;
  for (const { offset, length } of regions) {
    if (at < passed + length) {
      const position = offset + at - passed;
      return area !== undefined && position >= area.offset && position < area.offset + area.length;
    }
    passed += length;
  }
  return false;
}

async function foreignFormat(
  whole: ByteSource,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (offset + 4 > whole.size) return undefined;
  const bytes = await whole.read(offset, 4, signal);
  return FOREIGN.find(([, magic]) => magic.every((byte, index) => bytes[index] === byte))?.[0];
}
