import type { Region } from '../bytes/region.ts';

/** A file or directory of the image, in one of its views. */
export interface ImageEntry {
  /** Path from the root, without a leading slash; the root's is empty. */
  readonly path: string;
  readonly name: string;
  /** `special` is a device, a pipe or a socket. */
  readonly kind: 'file' | 'directory' | 'symlink' | 'special';
  /** Bytes of a file; of a directory's records. */
  readonly size: number;
  /** The places of the bytes: one run, or several in order for a file over 4 GiB. */
  readonly extents: readonly Region[];
  /** Byte position of the (first) directory record: the sector is at +2, the length at +10, each in both byte orders. */
  readonly recordOffset: number;
  readonly modified?: Date;
  /** File type and permissions as in `st_mode`, if Rock Ridge has them. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** The target of a symbolic link. */
  readonly target?: string;
  /**
   * An unsupported storage form of the data, which `file` refuses: with gaps between its parts (ECMA-119 6.4.3),
   * compressed by zisofs, or without its zeros (RRIP 4.1.7).
   */
  readonly stored?: 'interleaved' | 'compressed' | 'sparse';
}

/** The path of `name` in a directory. */
export function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** Byte position of a directory's records, which are contiguous. */
export function directoryOffset({ extents }: ImageEntry): number {
  return (extents[0] as Region).offset;
}
