import { type Composition, compose, slice } from '../bytes/compose.ts';
import { overlay } from '../bytes/overlay.ts';
import { SECTOR } from '../iso9660/fields.ts';
import { type WrittenIso, writeIso } from '../iso9660/writer/write.ts';
import { type RecipeEntry, recipeEntries } from '../live/minimal/recipe.ts';
import { systemAreaHeaders } from './headers.ts';
import type { SampleKind } from './kinds.ts';
import type { SampleTree } from './tree.ts';

/** The minimal image of a kind, which the builder makes beside the full image and packs into its recipe. */
export interface MinimalSample {
  readonly source: Composition;
  /** The recipe entries for the parts shared with a full image. */
  entries(full: WrittenIso): RecipeEntry[];
}

/** The image without recipe and root file system. */
export async function minimalSample(kind: SampleKind, tree: SampleTree): Promise<MinimalSample> {
  const minimal = await writeIso(tree.common, tree.options);
  const catalog = tree.options.boot?.catalogPath;
  const paths = [...(catalog === undefined ? [] : [catalog]), ...tree.common.map(({ path }) => path)];
  return {
    source: compose([overlay(minimal.source, systemAreaHeaders(kind, tree, minimal))]),
    entries: (full) =>
      recipeEntries(
        paths.map((path) => {
          const { offset, length } = minimal.extentOf(path);
          return { minimal: offset / SECTOR, full: full.extentOf(path).offset / SECTOR, length };
        }),
      ),
  };
}

/** The bytes of a minimal image that its recipe has to carry. */
export function unsharedBytes(minimal: Composition, entries: readonly RecipeEntry[]): Composition {
  let position = 0;
  const gaps = entries.map((entry) => {
    const gap = slice(minimal, position, entry.minimal * SECTOR - position);
    position = entry.minimal * SECTOR + entry.length;
    return gap;
  });
  return compose([...gaps, slice(minimal, position, minimal.size - position)]);
}
