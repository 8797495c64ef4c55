import type { Compression } from './archive-format.ts';
import type { KnownRuns, runEncoder } from './run-encoder.ts';

const NOTHING = new Uint8Array(0);

/**
 * gzip with the same bytes on every runtime, unlike the compression streams of the platforms. Loaded on first use, because many
 * programs only read images.
 *
 * @example
 * ```ts
 * await edit(image, changes, { compression: gzip }); // what it does by default
 * ```
 */
export const gzip: Compression = async () => (await import('./gzip-encoder.ts')).gzipEncoder();

/**
 * No compression. The kernel requires such an archive to begin at a multiple of four bytes.
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

/**
 * gzip for many archives with common parts. Each part of 2 KiB or more is compressed separately, and only once as long
 * as it is in the same memory. The same parts give the same bytes on every runtime; the result is slightly larger than
 * with `gzip`.
 *
 * @example
 * ```ts
 * const compression = sharedGzip();
 * for (const host of hosts) await edit(image, { ignition: compose([common, host.part]) }, { compression });
 * ```
 */
export function sharedGzip(): Compression {
  const known: KnownRuns = new WeakMap();
  let encoder: typeof runEncoder | undefined;
  return async () => {
    encoder ??= (await import('./run-encoder.ts')).runEncoder;
    return encoder(known);
  };
}
