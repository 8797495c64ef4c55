import { concatBytes } from '../bytes/concat.ts';

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

/** The same bytes on every runtime, which the platforms' own compression streams do not promise. */
export const gzip: Compression = async () => {
  // Loaded on use: many only look into images.
  const { Deflate } = await import('pako');
  const deflate = new Deflate({ gzip: true, level: 9 });
  let ready: Uint8Array[] = [];
  deflate.onData = (chunk) => {
    ready.push(chunk);
  };
  deflate.onEnd = () => {};
  const push = async (bytes: Uint8Array, last: boolean): Promise<Uint8Array> => {
    deflate.push(bytes, last);
    const bytesReady = concatBytes(ready);
    ready = [];
    return bytesReady;
  };
  return {
    write: (bytes) => push(bytes, false),
    endBlock: async () => NOTHING,
    finish: () => push(NOTHING, true),
  };
};

/** No compression. The kernel wants such an archive at a multiple of four bytes. */
export const plain: Compression = () => ({
  write: async (bytes) => bytes,
  endBlock: async () => NOTHING,
  finish: async () => NOTHING,
});
