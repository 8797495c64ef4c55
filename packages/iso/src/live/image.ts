import type { ByteSource, WorkOptions } from '../bytes/source.ts';
import { inContext } from '../context.ts';
import { type Architecture, architectureOf } from './architecture.ts';
import { type Features, isoFeatures } from './features.ts';
import { type InitrdArea, locateInitrd } from './initrd-area.ts';
import { type Kargs, locateKargs } from './kargs-area.ts';
import { type LiveIso, openLiveIso } from './live-iso.ts';
import { readRecipe } from './minimal/read-recipe.ts';
import type { Miniso } from './minimal/recipe.ts';

/** A live image as it was when it was opened. */
export interface LiveImage {
  readonly source: ByteSource;
  /** The file system, by the rules that the areas are found with. */
  readonly iso: LiveIso;
  readonly volumeId: string;
  /** `undefined` where the boot files do not tell. */
  readonly architecture: Architecture | undefined;
  readonly initrd: InitrdArea;
  /** `undefined` where the image has no areas for kernel arguments. */
  readonly kargs: Kargs | undefined;
  features(options?: Pick<WorkOptions, 'signal'>): Promise<Features>;
  /** The recipe for the minimal image, or `undefined` where there is none. */
  minimal(options?: Pick<WorkOptions, 'signal'>): Promise<Miniso | undefined>;
}

/**
 * Finds the areas of a live image, of any generation since August 2020, in a few small reads. What the initrd area
 * holds, the features and the recipe are read when asked for: a broken one stops nobody who does not need it.
 */
export async function openLiveImage(source: ByteSource, options: Pick<WorkOptions, 'signal'> = {}): Promise<LiveImage> {
  const { signal } = options;
  const iso = await inContext('parsing ISO9660 image', () => openLiveIso(source, signal));
  const initrd = await locateInitrd(iso, signal);
  const kargs = await locateKargs(iso, signal);
  const architecture = await architectureOf(iso, signal);
  return Object.freeze({
    source,
    iso,
    volumeId: iso.volume.volumeId,
    architecture,
    initrd,
    kargs,
    features: (later: Pick<WorkOptions, 'signal'> = {}) => isoFeatures(iso, later.signal),
    minimal: (later: Pick<WorkOptions, 'signal'> = {}) => readRecipe(iso, later.signal),
  });
}
