import { checkArgument, checkOptions, checkWhole, WORK } from '@coreiso/peers/arguments';
import { type Composition, compose, segmentsOf } from '../bytes/compose.ts';
import {
  type ByteSource,
  type Bytes,
  CHUNK_SIZE,
  type OwnBytes,
  ownBytes,
  sourceOf,
  type WorkOptions,
} from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { Compression } from './archive-format.ts';
import { gzip } from './encoders.ts';
import { directoryHeader, fileHeader, padding, TRAILER, trailer } from './newc.ts';

/** A regular file to put into an archive. */
export interface ArchiveFile {
  /** Path from the root without a leading slash, such as `etc/hosts`. */
  readonly path: string;
  readonly content: string | Bytes;
  /** Permission bits; 0600 by default, because NetworkManager refuses keyfiles that others can read. */
  readonly mode?: number;
}

/** newc has 8 hexadecimal digits for a size. */
const SIZE_LIMIT = 0xffffffff;
const DEFAULT_MODE = 0o600;
const NUL_BYTES = new Uint8Array(4);

/**
 * Writes a compressed cpio archive (newc) of `files`, piece by piece; contents are read on demand. Members are ordered by the
 * bytes of their paths, directories before their contents.
 *
 * @example
 * ```ts
 * const archive: Uint8Array[] = [];
 * for await (const chunk of writeArchive([{ path: 'etc/motd', content: 'hello' }])) archive.push(chunk);
 * ```
 */
export async function* writeArchive(
  files: Iterable<ArchiveFile>,
  options: WorkOptions & {
    /** `gzip` by default. */
    readonly compression?: Compression | undefined;
  } = {},
): AsyncGenerator<OwnBytes, void> {
  checkOptions(options, { compression: 'function', ...WORK });
  const { compression = gzip, signal, onProgress } = options;
  const members = sorted(files);
  const total = members.reduce((sum, { content }) => sum + content.size, 0);
  let done = 0;
  const encoder = await compression();
  for (const piece of pieces(members)) {
    if ('header' in piece) {
      const ready = await encoder.write(piece.header);
      if (ready.length > 0) yield ownBytes(ready);
      continue;
    }
    const { content } = piece;
    for (const { offset, length } of chunks(content)) {
      const bytes = await content.read(offset, length, signal);
      const ready = await encoder.write(bytes);
      if (ready.length > 0) yield ownBytes(ready);
      done += bytes.length;
      onProgress?.({ done, total });
    }
    const fill = padding(content.size);
    if (fill === 0) continue;
    for (const ready of [await encoder.write(NUL_BYTES.subarray(0, fill)), await encoder.endBlock()]) {
      if (ready.length > 0) yield ownBytes(ready);
    }
  }
  const rest = await encoder.finish();
  if (rest.length > 0) yield ownBytes(rest);
}

/**
 * The pieces in which contents are read; none spans two segments, so that encoders recognise shared parts of
 * compositions.
 */
function* chunks(content: ByteSource): Generator<{ readonly offset: number; readonly length: number }> {
  for (const { start, length } of segmentsOf(content)) {
    for (let done = 0; done < length; done += CHUNK_SIZE) {
      yield { offset: start + done, length: Math.min(CHUNK_SIZE, length - done) };
    }
  }
}

/**
 * Composes an uncompressed archive from the sources of the files: its size is known, and nothing is read.
 *
 * @example
 * ```ts
 * const archive = composeArchive([{ path: 'usr/share/big.img', content: await fileSource('big.img') }]);
 * ```
 */
export function composeArchive(files: Iterable<ArchiveFile>): Composition {
  const parts: Bytes[] = [];
  for (const piece of pieces(sorted(files))) {
    if ('header' in piece) parts.push(piece.header);
    else parts.push(piece.content, NUL_BYTES.subarray(0, padding(piece.content.size)));
  }
  return compose(parts);
}

type Piece = { readonly header: Uint8Array } | { readonly content: ByteSource };

/** Headers and contents in the order of the archive; contents are padded to a multiple of four. */
function* pieces(members: readonly Member[]): Generator<Piece> {
  let ino = 0;
  const open: string[] = [];
  for (const { path, content, mode } of members) {
    for (const directory of openDirectories(open, parents(path))) yield { header: directoryHeader(ino++, directory) };
    yield { header: fileHeader(ino++, path, mode, content.size) };
    yield { content };
  }
  yield { header: trailer() };
}

interface Member {
  readonly path: string;
  readonly content: ByteSource;
  readonly mode: number;
}

function sorted(files: Iterable<ArchiveFile>): Member[] {
  checkArgument('files', files, 'list');
  const members = [...files].map((file, index) => {
    checkArchiveFile(`files[${index}]`, file);
    const { path, content, mode = DEFAULT_MODE } = file;
    return { path, content: sourceOf(typeof content === 'string' ? encoder.encode(content) : content), mode };
  });
  members.sort((a, b) => comparePaths(a.path, b.path));
  let previous: string | undefined;
  for (const { path, content, mode } of members) {
    checkMember(path, content.size, mode);
    if (path === previous) throw new IsoError('ISO_BAD_MEMBER', `two members are named ${path}`);
    previous = path;
  }
  return members;
}

const encoder = new TextEncoder();

/** Refuses an invalid archive file. */
export function checkArchiveFile(parameter: string, file: ArchiveFile): void {
  checkArgument(parameter, file, 'object');
  checkArgument(`${parameter}.path`, file.path, 'text');
  if (typeof file.content !== 'string') checkArgument(`${parameter}.content`, file.content, 'content');
  if (file.mode !== undefined) checkArgument(`${parameter}.mode`, file.mode, 'number');
}

function checkMember(path: string, size: number, mode: number): void {
  // A lone surrogate has no UTF-8: it would become U+FFFD, and different names could become equal.
  if (path === '' || path === TRAILER || /[\0\ud800-\udfff]/u.test(path)) {
    throw new IsoError('ISO_BAD_MEMBER', `a member cannot be named ${JSON.stringify(path)}`);
  }
  if (size > SIZE_LIMIT) {
    throw new IsoError('ISO_BAD_MEMBER', `${path} has ${size} bytes, more than a member can have (${SIZE_LIMIT})`);
  }
  checkWhole('mode', mode, 0, 0o7777);
}

/** The components above the last one. As in coreos-installer, a leading `/` or `.` counts as a component. */
function parents(path: string): string[] {
  const components = path.split('/').filter((name, index) => name !== '' && (name !== '.' || index === 0));
  if (path.startsWith('/')) components.unshift('/');
  return components.slice(0, -1);
}

/** Changes the open directories to `wanted` and returns the paths of the new ones. */
function openDirectories(open: string[], wanted: readonly string[]): string[] {
  const shared = wanted.findIndex((name, index) => open[index] !== name);
  open.splice(shared === -1 ? wanted.length : shared);
  const made: string[] = [];
  for (const name of wanted.slice(open.length)) {
    open.push(name);
    made.push(open.join('/').replace(/^\/+/, '/'));
  }
  return made;
}

/** Compares paths by their UTF-8 bytes, which means by code points and not by UTF-16 units. */
export function comparePaths(a: string, b: string): number {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const [one, other] = [left.next().value, right.next().value];
    if (one === undefined || other === undefined) return Number(other === undefined) - Number(one === undefined);
    const difference = (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}
