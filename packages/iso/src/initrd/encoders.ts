import type { Compression } from './archive-format.ts';

const NOTHING = new Uint8Array(0);

/**
 * The same bytes on every runtime, which the platforms' own compression streams do not promise. Loaded on use: many only
 * look into images.
 *
 * @example
 * ```ts
 * await edit(image, changes, { compression: gzip }); // what it does by default
 * ```
 */
export const gzip: Compression = async () => (await import('./gzip-encoder.ts')).gzipEncoder();

/**
 * No compression. The kernel wants such an archive at a multiple of four bytes.
 *
 * @example
 * ```ts
 * await edit(image, changes, { compression: plain });
 * ```
 */
export const plain: Compression = () => ({
  write: async (bytes) => bytes,
  endBlock: async () => NOTHING,
  finish: async () => NOTHING,
});
