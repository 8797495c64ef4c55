// The tree that the kernel unpacks from all initrds (Linux, init/initramfs.c).
import { compose, slice } from '../../bytes/compose.ts';
import type { Region } from '../../bytes/region.ts';
import { type ByteSource, zeros } from '../../bytes/source.ts';
import { firstNonZero } from '../../bytes/zero-bytes.ts';
import { IsoError } from '../../errors.ts';
import { type ReadArchivesOptions, readArchives } from '../../initrd/archive-reader.ts';
import { type ArchiveEntry, padding } from '../../initrd/newc.ts';
import type { Chain } from '../links.ts';
import { type BootFile, isStandIn } from '../places.ts';
import { BEFORE, LIVE_MARKS, type Node, resolvePath, type Tree } from './tree.ts';

/** Enough of a program to hold its headers and the name of its interpreter. */
const START_LENGTH = 2048;
const CUT_LIMIT = 1024;
/** An archive in an area begins within these bytes. */
const FIRST_LOOK = 4096;

/** Compression formats that the kernel supports and this package does not. */
const FOREIGN: readonly (readonly [name: string, magic: readonly number[]])[] = [
  ['lz4', [0x02, 0x21, 0x4c, 0x18]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['lzma', [0x5d, 0x00, 0x00]],
  ['lzo', [0x89, 0x4c, 0x5a, 0x4f]],
];

/**
 * The tree that the kernel unpacks from the concatenated initrds, each padded to a multiple of four. `undefined` if it
 * cannot be determined.
 */
export async function unpackTree(
  chain: Chain,
  initrds: readonly BootFile[],
  area: Region | undefined,
  options: ReadArchivesOptions,
): Promise<Tree | undefined> {
  for (const file of initrds) {
    const before = beforeArea(file, area);
    // Trimmed images for s390x cut it within the compressed stream.
    const isCut = before.content.size < file.content.size && before.content.size <= CUT_LIMIT;
    if (isCut || (await isStandIn(before, options.signal))) {
      chain.unknown(`${file.path} is a placeholder for an initramfs, as in trimmed images`);
      const content = await areaContent(initrds, area, options.signal);
      if (content !== undefined) await judgeAreaAlone(chain, content, options);
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
      chain.unknown(`${where?.path} is compressed with ${foreign}, which is not supported`);
      return undefined;
    }
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return chain.fail(`the kernel cannot unpack ${where?.path}: ${reason}`, where?.regions[0]?.offset);
  }
}

/** The bytes of the area, if one of the initrds contains all of it. */
async function areaContent(
  initrds: readonly BootFile[],
  area: Region | undefined,
  signal: AbortSignal | undefined,
): Promise<ByteSource | undefined> {
  if (area === undefined || area.length === 0) return undefined;
  for (const { regions, content } of initrds) {
    let passed = 0;
    for (const { offset, length } of regions) {
      const from = passed + area.offset - offset;
      const isHere = area.offset >= offset && area.offset + area.length <= offset + length;
      if (isHere && from + area.length <= content.size) return withoutZeros(slice(content, from, area.length), signal);
      passed += length;
    }
  }
  return undefined;
}

/** The area from its first non-zero byte, because the kernel skips zeros; `undefined` for an empty area. */
async function withoutZeros(area: ByteSource, signal: AbortSignal | undefined): Promise<ByteSource | undefined> {
  const start = firstNonZero(await area.read(0, Math.min(area.size, FIRST_LOOK), signal));
  return start === -1 ? undefined : slice(area, start - (start % 4), area.size - start + (start % 4));
}

/** The folder that edits create and that no live initramfs has. */
const OURS = /^etc\/coreos-firstboot-network\//;

/** Judges the area alone, in an image whose initramfs is missing. */
async function judgeAreaAlone(chain: Chain, content: ByteSource, options: ReadArchivesOptions): Promise<void> {
  const folders = new Set<string>();
  let lost: string | undefined;
  try {
    for await (const { path, kind, archive } of readArchives(content, options)) {
      await judgeArchive(chain, content, archive, 'the initrd area', options.signal);
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (kind === 'directory') folders.add(path);
      else if (OURS.test(path) && !folders.has(parent)) lost ??= path;
    }
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return chain.broken(`the kernel cannot unpack the initrd area: ${reason}`);
  }
  if (lost !== undefined) chain.broken(lostMessage(lost));
}

/** Judges the contents of the area: an edit must not overwrite files that are not from an edit. */
export async function judgeAreaContent(
  chain: Chain,
  initrds: readonly BootFile[],
  area: Region | undefined,
  tree: Tree,
  options: ReadArchivesOptions,
): Promise<void> {
  const content = await areaContent(initrds, area, options.signal);
  if (content === undefined) return;
  const isAlone = [...tree.nodes].every(([path, { isEmbedded }]) => isEmbedded || BEFORE.includes(path));
  const isLive = LIVE_MARKS.some((path) => tree.nodes.get(path)?.isEmbedded === true);
  if (isLive || (isAlone && tree.nodes.has('init')))
    return chain.broken('the initrd area holds the initramfs itself, which an edit would overwrite', area?.offset);
  try {
    for await (const _ of readArchives(content, options)) break;
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    chain.broken('the initrd area begins inside other data, which an edit would overwrite', area?.offset);
  }
}

function lostMessage(path: string): string {
  return `the kernel loses ${path}: no archive has its folder before it`;
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
    // Existing directories stay; the last name of a hard link carries the contents.
    if (kind === 'directory' && known?.kind === 'directory') continue;
    nodes.set(parent === '' ? name : `${parent}/${name}`, {
      kind,
      mode: entry.mode & 0o7777,
      size,
      start: wantsStart ? await startOf(entry) : '',
      isEmbedded: isEmbedded(archive.offset),
    });
  }
  if (lost !== undefined) chain.broken(lostMessage(lost));
  const embedded = [...nodes]
    .filter(([, node]) => node.isEmbedded && node.kind === 'file')
    .map(([path, { mode, size }]) => ({ path, mode, size }));
  return { nodes, embedded };
}

/** Archives that this package reads but the kernel does not. */
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
  if (check > 1) chain.fail(`the kernel cannot unpack ${path}: it supports xz with CRC32 only`);
}

async function startOf(entry: ArchiveEntry): Promise<string> {
  let text = '';
  for await (const chunk of entry.content()) {
    text += String.fromCharCode(...chunk.subarray(0, START_LENGTH - text.length));
    if (text.length >= START_LENGTH) break;
  }
  return text;
}

/** The part of a file before the area; the whole file if the area is elsewhere. */
function beforeArea(file: BootFile, area: Region | undefined): BootFile {
  const [first] = file.regions;
  if (area === undefined || first === undefined || area.offset < first.offset) return file;
  const length = area.offset - first.offset;
  if (length >= file.content.size) return file;
  // A file that is only the area is no placeholder, even if it is empty.
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
