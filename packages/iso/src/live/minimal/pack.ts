import { concatBytes } from '../../bytes/concat.ts';
import { type Overlay, overlay } from '../../bytes/overlay.ts';
import { type ByteSource, CHUNK_SIZE, type WorkOptions } from '../../bytes/source.ts';
import { inContext } from '../../context.ts';
import { IsoError } from '../../errors.ts';
import type { Compression } from '../../initrd/encoders.ts';
import type { ImageEntry } from '../../iso9660/entry.ts';
import { SECTOR } from '../../iso9660/fields.ts';
import { fileOffset, openLiveIso } from '../live-iso.ts';
import { MINISO_DAT } from './read-recipe.ts';
import { encodeMiniso, type Miniso, type MinisoEntry, minisoEntries } from './recipe.ts';
import { digestOf, unpackMinimal } from './unpack.ts';

/** How to pack. */
export interface PackOptions extends WorkOptions {
  /** One .xz stream with a CRC64 check: `xzCrc64` of `@coreiso/iso/xz`. */
  readonly compression: Compression;
  /** Noted in the recipe; nothing depends on it. */
  readonly appVersion?: string;
}

/** A recipe, and what it saves. */
export interface PackedMinimal {
  readonly recipe: Miniso;
  /** Runs of bytes that the images have in common. */
  readonly matched: number;
  /** Files of the minimal image. */
  readonly files: number;
  /** Bytes that the full image provides. */
  readonly skipped: number;
  /** Bytes that the recipe has to carry. */
  readonly written: number;
}

/** The files of an image by their strict paths; of several records of one path the last counts. */
export async function isoFiles(source: ByteSource, { signal }: WorkOptions = {}): Promise<Map<string, ImageEntry>> {
  const files = new Map<string, ImageEntry>();
  const iso = await openLiveIso(source, signal);
  for await (const entry of iso.walk(signal)) if (entry.kind === 'file') files.set(entry.path, entry);
  return files;
}

/** The recipe by which `minimal` is rebuilt from `full`. Files count as equal if their paths and lengths are. */
export async function packMinimal(full: ByteSource, minimal: ByteSource, options: PackOptions): Promise<PackedMinimal> {
  const [fullFiles, minimalFiles] = [await isoFiles(full, options), await isoFiles(minimal, options)];
  return inContext('packing miniso', async () => {
    const entries = minisoEntries(commonRuns(fullFiles, minimalFiles));
    const skipped = entries.reduce((sum, { length }) => sum + length, 0);
    const digest = await digestOf(minimal, options);
    const packed = await pack(minimal, entries, options);
    return {
      recipe: { appVersion: options.appVersion ?? 'coreiso', entries, digest, packed },
      matched: entries.length,
      files: minimalFiles.size,
      skipped,
      written: minimal.size - skipped,
    };
  });
}

/** Refuses a recipe that does not rebuild the minimal image from the full one. */
export async function verifyMinimal(full: ByteSource, recipe: Miniso, options: WorkOptions = {}): Promise<void> {
  await inContext('unpacking miniso for verification', () => unpackMinimal(full, recipe, options));
}

/** The full image with the recipe in the file reserved for it. */
export async function embedRecipe(full: ByteSource, recipe: Miniso, { signal }: WorkOptions = {}): Promise<Overlay> {
  const iso = await openLiveIso(full, signal);
  const file = await inContext(`looking up '${MINISO_DAT}'`, () => iso.find(MINISO_DAT, signal));
  const offset = fileOffset(file);
  const bytes = encodeMiniso(recipe);
  if (bytes.length > file.size) {
    const message = `collision with end of file ${file.name} at offset ${file.size}`;
    throw new IsoError('ISO_AREA_TOO_SMALL', message, { offset });
  }
  return overlay(full, [{ offset, bytes }]);
}

function* commonRuns(
  full: ReadonlyMap<string, ImageEntry>,
  minimal: ReadonlyMap<string, ImageEntry>,
): Generator<MinisoEntry> {
  for (const [path, entry] of minimal) {
    const twin = full.get(path);
    if (twin === undefined) throw new IsoError('ISO_BAD_PAIR', `missing minimal file ${path} in full ISO`);
    if (twin.size !== entry.size) {
      throw new IsoError('ISO_BAD_PAIR', `File ${path} has different lengths in full and minimal ISOs`);
    }
    yield { minimal: fileOffset(entry) / SECTOR, full: fileOffset(twin) / SECTOR, length: entry.size };
  }
}

/** What lies between the entries and behind the last, compressed. */
async function pack(minimal: ByteSource, entries: readonly MinisoEntry[], options: PackOptions): Promise<Uint8Array> {
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
