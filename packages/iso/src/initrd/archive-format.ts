/** Compression format of an archive. */
export type ArchiveFormat = 'plain' | 'gzip' | 'xz' | 'zstd';

/** Compresses an archive while it is written. Each call returns the bytes that are ready, possibly none. */
export interface ArchiveEncoder {
  write(bytes: Uint8Array): Promise<Uint8Array>;
  /** Marks the end of a padded member; xz begins a new block there, as coreos-installer does. */
  endBlock(): Promise<Uint8Array>;
  finish(): Promise<Uint8Array>;
}

/** Makes an encoder for one archive: `gzip`, `plain`, or `xz` from `@coreiso/iso/xz`. */
export type Compression = () => ArchiveEncoder | Promise<ArchiveEncoder>;

/** Detects the compression from the first six bytes of an archive; anything else is read as cpio. */
export function formatOf(magic: Uint8Array): ArchiveFormat {
  if (magic[0] === 0x1f && magic[1] === 0x8b) return 'gzip';
  const text = String.fromCharCode(...magic);
  if (text === '\xfd7zXZ\0') return 'xz';
  return magic.length > 4 && isZstd(magic) ? 'zstd' : 'plain';
}

/** Whether the first four bytes begin a Zstandard frame, skippable ones included (RFC 8878 3.1.2). */
export function isZstd(bytes: Uint8Array): boolean {
  return (
    isZstdData(bytes) || ((bytes[0] ?? 0) >> 4 === 5 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18)
  );
}

/** Whether the first four bytes begin a frame with data (RFC 8878 3.1.1). */
export function isZstdData([b0, b1, b2, b3]: Uint8Array): boolean {
  return b0 === 0x28 && b1 === 0xb5 && b2 === 0x2f && b3 === 0xfd;
}
