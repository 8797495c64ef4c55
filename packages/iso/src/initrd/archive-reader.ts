import { checkOptions, checkWord } from '@coreiso/peers/arguments';
import { type Composition, slice } from '../bytes/compose.ts';
import { type ByteSource, type ImageInput, sourceOf } from '../bytes/source.ts';
import { IsoError, inContext, withContext } from '../errors.ts';
import { type ArchiveFormat, formatOf } from './archive-format.ts';
import { type ByteReader, chunkReader, sourceReader } from './byte-reader.ts';
import type { Inflate } from './gunzip.ts';
import {
  type ArchiveEntry,
  checkMagic,
  HEADER_LENGTH,
  kindOf,
  MAGIC_LENGTH,
  type NewcHeader,
  padding,
  parseHeader,
  parseName,
  TRAILER,
} from './newc.ts';

/** One of the archives in an initramfs. */
type ArchivePlace = ArchiveEntry['archive'];

/** Options of reading archives. */
export interface ReadArchivesOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum size of all compressed archives together after unpacking (default: 2 GiB). */
  readonly limit?: number | undefined;
  /**
   * Whether adjacent zstd frames may be separate archives, as in the kernel (default), or are always one, as in
   * coreos-installer.
   */
  readonly zstdFrames?: 'separate' | 'joined' | undefined;
  /** A faster way to unpack gzip: `nativeInflate` of `@coreiso/iso/node`. */
  readonly inflate?: Inflate | undefined;
}

const DEFAULT_LIMIT = 2 ** 31;
/** dracut pads names to a page; no file system allows names longer than a few thousand bytes. */
const NAME_LIMIT = 64 * 1024;

/**
 * Yields the members of all archives in `source`, in order. Each archive is plain or compressed, with only zero bytes
 * between and after them. Only one loop at a time can decode xz; others wait for its end.
 *
 * @example
 * ```ts
 * for await (const { path, kind, size } of readArchives(await fileSource('initrd.img'))) console.log(kind, size, path);
 * ```
 */
export async function* readArchives(
  input: ImageInput,
  options: ReadArchivesOptions = {},
): AsyncGenerator<ArchiveEntry, void> {
  checkOptions(options, { signal: 'signal', limit: 'number', zstdFrames: 'text', inflate: 'function' });
  const source = sourceOf(input);
  const { signal, limit = DEFAULT_LIMIT, zstdFrames = 'separate', inflate } = options;
  checkWord('zstdFrames', zstdFrames, ['separate', 'joined']);
  const reader = sourceReader(source, signal);
  const budget = { left: limit, limit };
  let zstdEnd: number | undefined;
  while ((await inContext('checking for data in initrd', () => reader.peek(1))).length > 0) {
    const archive: ArchivePlace = { format: formatOf(await reader.peek(MAGIC_LENGTH)), offset: reader.position };
    if (archive.format === 'plain') {
      yield* entries(reader, archive, source);
    } else {
      let trailerSeen = false;
      const wantsMore = () => zstdFrames === 'joined' || !trailerSeen;
      const chunks = await decoder(reader, archive.format, { wantsMore, inflate });
      const decoded = chunkReader(limitLength(chunks, budget, archive));
      try {
        // Frames after the one with the trailer may hold the rest of the padding.
        const isRest = zstdEnd === reader.position && !(await decoded.skipZeros());
        if (!isRest) {
          yield* entries(decoded, archive);
          trailerSeen = true;
          if (await inContext('finishing reading compressed archive', () => decoded.skipZeros())) {
            throw archiveError('found trailing garbage inside compressed archive', archive.offset);
          }
        }
      } finally {
        await decoded.close();
      }
    }
    zstdEnd = archive.format === 'zstd' ? reader.position : undefined;
    if (!(await reader.skipZeros())) return;
  }
}

/** Decoders are loaded on first use: a pristine image needs none. */
async function decoder(
  input: ByteReader,
  format: Exclude<ArchiveFormat, 'plain'>,
  { wantsMore, inflate }: { readonly wantsMore: () => boolean; readonly inflate: Inflate | undefined },
): Promise<AsyncGenerator<Uint8Array, void>> {
  switch (format) {
    case 'gzip':
      return (await import('./gunzip.ts')).gunzip(input, inflate);
    case 'xz':
      return (await import('./unxz.ts')).unxz(input);
    case 'zstd':
      return (await import('./unzstd.ts')).unzstd(input, wantsMore);
  }
}

async function* limitLength(
  chunks: AsyncGenerator<Uint8Array, void>,
  budget: { left: number; readonly limit: number },
  { offset }: ArchivePlace,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    budget.left -= chunk.length;
    if (budget.left < 0) {
      const message = `the archives unpack to more than ${budget.limit} bytes`;
      throw new IsoError('ISO_UNPACK_LIMIT', message, { offset });
    }
    yield chunk;
  }
}

async function* entries(
  reader: ByteReader,
  archive: ArchivePlace,
  source?: ByteSource,
): AsyncGenerator<ArchiveEntry, void> {
  for (;;) {
    const start = source === undefined ? archive.offset : reader.position;
    const { header, path } = await inContext('reading CPIO entry', () => readHead(reader, start));
    if (path === TRAILER) return;
    const from = reader.position;
    const end = from + header.size;
    yield {
      ...header,
      path,
      kind: kindOf(header.mode),
      archive,
      place: source === undefined ? undefined : placeIn(source, from, header.size),
      content: () => content(reader, from, end),
    };
    await inContents(() => reader.skip(end - reader.position));
    await inContext('finishing reading CPIO entry', () => reader.skip(padding(header.size)));
  }
}

async function readHead(reader: ByteReader, start: number): Promise<{ header: NewcHeader; path: string }> {
  try {
    const magic = await reader.peek(MAGIC_LENGTH);
    if (magic.length === MAGIC_LENGTH) checkMagic(magic);
    const { header, nameLength } = parseHeader(await reader.take(HEADER_LENGTH));
    if (nameLength > NAME_LIMIT) throw archiveError(`Entry name has ${nameLength} bytes`, start);
    const path = parseName(await reader.take(nameLength));
    await reader.skip(padding(HEADER_LENGTH + nameLength));
    return { header, path };
  } catch (error) {
    if (!(error instanceof IsoError) || error.offset !== undefined) throw error;
    throw new IsoError(error.code, error.message, { cause: error.cause, offset: start });
  }
}

async function* content(reader: ByteReader, from: number, end: number): AsyncGenerator<Uint8Array, void> {
  if (reader.position !== from) throw new TypeError('content must be read once, and before the next entry');
  while (reader.position < end) {
    const bytes = await inContents(() => reader.buffered());
    if (bytes.length === 0) {
      throw withContext(archiveError('failed to fill whole buffer', reader.position), CONTENTS);
    }
    const part = bytes.subarray(0, end - reader.position);
    reader.advance(part.length);
    yield part;
  }
}

const CONTENTS = 'reading CPIO entry contents';

function inContents<T>(work: () => Promise<T>): Promise<T> {
  return inContext(CONTENTS, work);
}

/** Members that claim to end past the source fail only when their contents are skipped. */
function placeIn(source: ByteSource, from: number, size: number): Composition {
  return slice(source, from, Math.min(size, source.size - from));
}

function archiveError(message: string, offset: number): IsoError {
  return new IsoError('ISO_BAD_ARCHIVE', message, { offset });
}
