import { checkMembers, checkOptions, checkWhole } from '@coreiso/peers/arguments';
import { type Composition, compose } from '../bytes/compose.ts';
import { overlay, type Patch } from '../bytes/overlay.ts';
import { zeros } from '../bytes/source.ts';
import { SECTOR } from '../iso9660/fields.ts';
import { type WrittenIso, writeIso } from '../iso9660/writer/write.ts';
import { encodeRecipe } from '../live/minimal/recipe.ts';
import { RECIPES } from './generated/recipes.ts';
import { systemAreaHeaders } from './headers.ts';
import { DEFAULT_KIND, type SampleKind, sampleKind } from './kinds.ts';
import { minimalSample } from './minimal.ts';
import { fullEntries, RECIPE, type SampleTree, sampleTree } from './tree.ts';

/**
 * Makes a live image with genuine areas and metadata; its kernel, initramfs and root file system are a few lines of
 * text. A large image takes no memory until it is read.
 *
 * @example
 * ```ts
 * const image = await openLiveImage(await sampleIso({ kind: '2023-07.aarch64' }));
 * ```
 */
export async function sampleIso(
  options: {
    /** One of the names of `sampleKinds()`; the newest one for x86_64 by default. */
    readonly kind?: string | undefined;
    /**
     * Minimum size of the image in bytes, rounded up to a sector, or to a mebibyte if it has partition tables; zeros
     * after the root file system fill the space.
     */
    readonly size?: number | undefined;
  } = {},
): Promise<Composition> {
  checkOptions(options, { kind: 'text', size: 'number' });
  checkMembers('options', options, ['kind', 'size']);
  const { size = 0 } = options;
  checkWhole('size', size);
  const kind = sampleKind(options.kind ?? DEFAULT_KIND);
  const tree = await sampleTree(kind);
  const full = await writeFull(kind, tree, size);
  const patches = [...systemAreaHeaders(kind, tree, full), ...(await recipe(kind, tree, full))];
  return compose([overlay(full.source, patches)]);
}

async function writeFull(kind: SampleKind, tree: SampleTree, size: number): Promise<WrittenIso> {
  let full = await writeIso(fullEntries(kind, tree, tree.rootfs), tree.options);
  let padding = (SECTOR - (tree.rootfs.size % SECTOR)) % SECTOR;
  // The padding at the end of a hybrid image may absorb a part of the first addition.
  while (full.source.size < size) {
    padding += size - full.source.size;
    full = await writeIso(fullEntries(kind, tree, compose([tree.rootfs, zeros(padding)])), tree.options);
  }
  return full;
}

async function recipe(kind: SampleKind, tree: SampleTree, full: WrittenIso): Promise<Patch[]> {
  const packed = RECIPES[kind.name];
  if (packed === undefined) return [];
  const minimal = await minimalSample(kind, tree);
  const bytes = encodeRecipe({
    appVersion: 'coreiso',
    entries: minimal.entries(full),
    digest: fromBase64(packed.digest),
    packed: fromBase64(packed.packed),
  });
  return [{ offset: full.extentOf(RECIPE.path).offset, bytes }];
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
