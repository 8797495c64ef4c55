import { checkOptions } from '@coreiso/peers/arguments';
import { type Bytes, concatBytes, type ImageInput, sizeOf } from '../bytes/source.ts';
import { type ReadArchivesOptions, readArchives } from './archive-reader.ts';
import { type ArchiveFile, comparePaths } from './archive-writer.ts';
import { globMatcher } from './glob.ts';
import type { ArchiveEntry } from './newc.ts';

/** A regular file after the kernel has unpacked all archives. */
export interface UnpackedFile extends ArchiveFile {
  readonly content: Bytes;
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
}

/**
 * The regular files of all archives in `source`, by path, ordered by the bytes of their paths; a later file replaces an
 * earlier one with the same path. Contents of uncompressed archives are read on demand, others are kept in memory.
 *
 * @example
 * ```ts
 * const files = await readFiles(await fileSource('initrd.img'), { patterns: ['etc/coreos/*'] });
 * ```
 */
export async function readFiles(
  source: ImageInput,
  options: ReadArchivesOptions & {
    /**
     * A file is returned if one of these matches its whole path; all files by default. `*` and `?` match any character,
     * also `/` and a leading dot; `**` stands for whole components; `[a-z]` and `[!a-z]` are classes.
     */
    readonly patterns?: readonly string[] | undefined;
  } = {},
): Promise<Map<string, UnpackedFile>> {
  checkOptions(options, { patterns: 'texts' });
  const matchers = options.patterns?.map(globMatcher);
  const wanted = (path: string): boolean => matchers?.some((matches) => matches(path)) ?? true;
  const found = new Map<string, HardLinkGroup>();
  const links = new Map<string, HardLinkGroup>();
  for await (const entry of readArchives(source, options)) {
    if (entry.kind !== 'file') continue;
    const keep = wanted(entry.path);
    if (!keep && entry.nlink < 2) continue;
    const holder = hardLinkGroupOf(entry, links);
    if (keep) found.set(entry.path, holder);
    // Any one of several links may carry the contents; the others are empty.
    if (entry.size > 0 || entry.nlink < 2) holder.content = await contentOf(entry);
  }
  const inOrder = [...found].sort(([a], [b]) => comparePaths(a, b));
  return new Map(
    inOrder.map(([path, { mode, content = new Uint8Array(0) }]) => [
      path,
      { path, mode, size: sizeOf(content), content },
    ]),
  );
}

interface HardLinkGroup {
  readonly mode: number;
  content?: Bytes;
}

/** Links of one file within one archive share their contents. */
function hardLinkGroupOf(entry: ArchiveEntry, links: Map<string, HardLinkGroup>): HardLinkGroup {
  const mode = entry.mode & 0o7777;
  if (entry.nlink < 2) return { mode };
  const key = [entry.archive.offset, ...entry.device, entry.ino].join(':');
  const known = links.get(key);
  if (known !== undefined) return known;
  const holder: HardLinkGroup = { mode };
  links.set(key, holder);
  return holder;
}

async function contentOf(entry: ArchiveEntry): Promise<Bytes> {
  if (entry.place !== undefined) return entry.place;
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.content()) chunks.push(chunk);
  // Copies a small file, so that it does not keep its whole decoded chunk in memory.
  return chunks.length === 1 ? concatBytes(chunks).slice() : concatBytes(chunks);
}
