import { checkArgument, checkOptions, WORK } from '@coreiso/peers/arguments';
import { type Overlay, overlay } from '../../bytes/overlay.ts';
import {
  type ByteSource,
  CHUNK_SIZE,
  concatBytes,
  type ImageInput,
  sourceOf,
  type WorkOptions,
} from '../../bytes/source.ts';
import { IsoError, inContext } from '../../errors.ts';
import type { Compression } from '../../initrd/archive-format.ts';
import type { ImageEntry } from '../../iso9660/entry.ts';
import { SECTOR } from '../../iso9660/fields.ts';
import { fileOffset, findEntry, openLiveIso } from '../live-iso.ts';
import { encodeRecipe, MINISO_DAT, type Recipe, type RecipeEntry, recipeEntries } from './recipe.ts';
import { type DigestOptions, digestOf, unpackMinimal } from './unpack.ts';

/**
 * Makes the recipe that rebuilds `minimal` from `full`. Files with equal paths and lengths are treated as equal.
 *
 * @example
 * ```ts
 * const packed = await packMinimal(full, minimal, { compression: xzCrc64 });
 * await writeCopy(await packed.embed(), 'packed.iso');
 * ```
 */
export async function packMinimal(
  full: ImageInput,
  minimal: ImageInput,
  options: DigestOptions & {
    /** Writes one .xz stream with a CRC64 check: `xzCrc64` of `@coreiso/iso/xz`. */
    readonly compression: Compression;
    /** Stored in the recipe for information. */
    readonly appVersion?: string | undefined;
  },
): Promise<{
  readonly recipe: Recipe;
  /** Number of runs of bytes that both images share. */
  readonly matched: number;
  /** Number of files in the minimal image. */
  readonly files: number;
  /** Number of bytes that the full image provides. */
  readonly skipped: number;
  /** Number of bytes that the recipe has to carry. */
  readonly written: number;
  /**
   * Returns the full image with the recipe in the file reserved for it, after checking that the recipe rebuilds the
   * minimal image.
   */
  embed(options?: DigestOptions): Promise<Overlay>;
}> {
  checkOptions(options, { compression: 'function', appVersion: 'text', sha256: 'function', ...WORK });
  checkArgument('compression', options.compression, 'function');
  const [fullSource, minimalSource] = [sourceOf(full, 'full'), sourceOf(minimal, 'minimal')];
  const [fullFiles, minimalFiles] = [await isoFiles(fullSource, options), await isoFiles(minimalSource, options)];
  return inContext('packing miniso', async () => {
    const entries = recipeEntries(commonRuns(fullFiles, minimalFiles));
    const skipped = entries.reduce((sum, { length }) => sum + length, 0);
    const digest = await digestOf(minimalSource, options);
    const packed = await pack(minimalSource, entries, options);
    const recipe = { appVersion: options.appVersion ?? 'coreiso', entries, digest, packed };
    return {
      recipe,
      matched: entries.length,
      files: minimalFiles.size,
      skipped,
      written: minimalSource.size - skipped,
      embed: (later: DigestOptions = {}) => embedRecipe(fullSource, recipe, later),
    };
  });
}

async function embedRecipe(full: ByteSource, recipe: Recipe, options: DigestOptions): Promise<Overlay> {
  await inContext('unpacking miniso for verification', () => unpackMinimal(full, recipe, options));
  const iso = await openLiveIso(full, options.signal);
  const file = await inContext(`looking up '${MINISO_DAT}'`, () => findEntry(iso, MINISO_DAT, options.signal));
  const offset = fileOffset(file);
  const bytes = encodeRecipe(recipe);
  if (bytes.length > file.size) {
    const message = `collision with end of file ${file.name} at offset ${file.size}`;
    throw new IsoError('ISO_AREA_TOO_SMALL', message, { offset });
  }
  return overlay(full, [{ offset, bytes }]);
}

/** The files of an image by their strict paths; if several records have one path, the last one counts. */
async function isoFiles(source: ByteSource, { signal }: WorkOptions): Promise<Map<string, ImageEntry>> {
  const files = new Map<string, ImageEntry>();
  const iso = await openLiveIso(source, signal);
  for await (const entry of iso.walk(signal && { signal })) if (entry.kind === 'file') files.set(entry.path, entry);
  return files;
}

function* commonRuns(
  full: ReadonlyMap<string, ImageEntry>,
  minimal: ReadonlyMap<string, ImageEntry>,
): Generator<RecipeEntry> {
  for (const [path, entry] of minimal) {
    const twin = full.get(path);
    if (twin === undefined) throw new IsoError('ISO_BAD_PAIR', `missing minimal file ${path} in full ISO`);
    if (twin.size !== entry.size) {
      throw new IsoError('ISO_BAD_PAIR', `File ${path} has different lengths in full and minimal ISOs`);
    }
    yield { minimal: fileOffset(entry) / SECTOR, full: fileOffset(twin) / SECTOR, length: entry.size };
  }
}

/** The bytes between the entries and after the last one, compressed. */
async function pack(
  minimal: ByteSource,
  entries: readonly RecipeEntry[],
  options: Parameters<typeof packMinimal>[2],
): Promise<Uint8Array> {
  const encoder = await options.compression();
  const packed: Uint8Array[] = [];
  let position = 0;
  for (const { start, next } of [
    ...entries.map((entry) => ({ start: entry.minimal * SECTOR, next: entry.minimal * SECTOR + entry.length })),
    { start: minimal.size, next: minimal.size },
  ]) {
    for (; position < start; position += Math.min(CHUNK_SIZE, start - position)) {
      const chunk = await minimal.read(position, Math.min(CHUNK_SIZE, start - position), options.signal);
      packed.push(await encoder.write(chunk));
    }
    position = next;
  }
  packed.push(await encoder.finish());
  return concatBytes(packed);
}
