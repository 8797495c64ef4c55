/** Compresses an archive as it is written. Each call returns the bytes that are ready, perhaps none. */
export interface ArchiveEncoder {
  write(bytes: Uint8Array): Promise<Uint8Array>;
  /** Marks the end of a padded member; xz begins a new block there, as coreos-installer does. */
  endBlock(): Promise<Uint8Array>;
  finish(): Promise<Uint8Array>;
}

/** Makes an encoder for one archive: `gzip`, `plain`, or `xz` of the entry `@coreiso/iso/xz`. */
export type Compression = () => ArchiveEncoder | Promise<ArchiveEncoder>;

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
