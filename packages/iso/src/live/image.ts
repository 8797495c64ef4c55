import { checkOptions } from '@coreiso/peers/arguments';
import { type ByteSource, type ImageInput, sourceOf, type WorkOptions } from '../bytes/source.ts';
import { inContext } from '../errors.ts';
import type { Iso } from '../iso9660/reader.ts';
import { refuseEmpty } from '../iso9660/volume.ts';
import { type Architecture, architectureOf } from './architecture.ts';
import { type Features, isoFeatures } from './features.ts';
import { type InitrdArea, locateInitrd } from './initrd-area.ts';
import { type Kargs, locateKargs } from './kargs-area.ts';
import { openLiveIso } from './live-iso.ts';
import { type Recipe, readRecipe } from './minimal/recipe.ts';

/** A live image as it was when it was opened. */
export interface LiveImage {
  readonly source: ByteSource;
  /** The file system; calls without a view use the strict rules that find the areas. */
  readonly iso: Iso;
  readonly volumeId: string;
  /** `undefined` if the boot files do not show the architecture. */
  readonly architecture: Architecture | undefined;
  readonly initrd: InitrdArea;
  /** `undefined` if the image has no areas for kernel arguments. */
  readonly kargs: Kargs | undefined;
  features(options?: Pick<WorkOptions, 'signal'>): Promise<Features>;
  /** The recipe for the minimal image, or `undefined` if there is none. */
  minimal(options?: Pick<WorkOptions, 'signal'>): Promise<Recipe | undefined>;
}

/**
 * Finds the areas of a live image, of any generation since August 2020, in a few small reads. The initrd area, features
 * and recipe are read on demand, so a broken one only affects callers that need it.
 *
 * @example
 * ```ts
 * const image = await openLiveImage(await fileSource('rhcos-live.iso')); // or a File, or a Uint8Array
 * console.log(image.volumeId, image.kargs?.current);
 * ```
 */
export async function openLiveImage(
  input: ImageInput | Iso,
  options: Pick<WorkOptions, 'signal'> = {},
): Promise<LiveImage> {
  checkOptions(options, { signal: 'signal' });
  const { signal } = options;
  const isOpen = typeof input === 'object' && input !== null && 'volume' in input;
  const source = isOpen ? input.source : sourceOf(input);
  refuseEmpty(source);
  const iso = isOpen ? input : await inContext('parsing ISO9660 image', () => openLiveIso(source, signal));
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

/** Refuses arguments that `openLiveImage` did not return, such as a promise of an image, or its source. */
export function checkImage(image: LiveImage): void {
  if (typeof image === 'object' && image !== null && 'initrd' in image && 'iso' in image) return;
  throw new TypeError('image must be what openLiveImage returns, awaited');
}
