// Comparing images is loaded on use: edits do not need it.
import { checkOptions, WORK } from '@coreiso/peers/arguments';
import { type ImageInput, sourceOf } from '../../bytes/source.ts';
import type { DigestOptions } from '../minimal/unpack.ts';
import type { ImageDifference } from './diff.ts';
import type { Verification } from './verify.ts';

/**
 * Compares two live images: areas, kernel arguments, embedded files, and by digest the files of the file system and the bytes
 * outside of them.
 *
 * @example
 * ```ts
 * const { kargs, embedded } = await diffImages(await fileSource('rhcos-live.iso'), await fileSource('worker.iso'));
 * console.log(kargs.added, embedded.map(({ path }) => path));
 * ```
 */
export async function diffImages(
  before: ImageInput,
  after: ImageInput,
  options: DigestOptions = {},
): Promise<ImageDifference> {
  checkOptions(options, { sha256: 'function', ...WORK });
  const [a, b] = [sourceOf(before, 'before'), sourceOf(after, 'after')];
  return (await import('./diff.ts')).differenceOf(a, b, options);
}

/**
 * Verifies a live image: structures, areas and checksums. With `base`, also verifies that only its areas have changed since it
 * was built.
 *
 * @example
 * ```ts
 * const { sha256 } = pickStreamFile(await fetchStream('stable'));
 * const { ok, checks } = await verifyImage(await fileSource('worker.iso'), { base: [sha256] });
 * ```
 */
export async function verifyImage(
  image: ImageInput,
  options: DigestOptions & {
    /**
     * SHA-256 digests of base images: without its customisations, the image must be one of them. An empty list only
     * computes the digest.
     */
    readonly base?: readonly string[] | undefined;
  } = {},
): Promise<Verification> {
  checkOptions(options, { base: 'texts', sha256: 'function', ...WORK });
  return (await import('./verify.ts')).verificationOf(sourceOf(image, 'image'), options);
}
