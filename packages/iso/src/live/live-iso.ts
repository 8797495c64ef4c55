import type { ByteSource } from '../bytes/source.ts';
import { withHead } from '../bytes/with-head.ts';
import { IsoError } from '../errors.ts';
import type { ImageEntry } from '../iso9660/entry.ts';
import { Image, type Oddity } from '../iso9660/image.ts';
import { Budget, DEFAULT_LIMITS } from '../iso9660/limits.ts';
import { strictTree } from '../iso9660/strict-tree.ts';
import { findEntry, walkTree } from '../iso9660/tree.ts';
import { readVolume, type Volume, type VolumeRules } from '../iso9660/volume.ts';
import { readRegion } from './region.ts';

/** The system area, the volume descriptors and, as a rule, all directories. */
const HEAD = 64 * 1024;
/** Real ones have a few hundred bytes. */
const METADATA_LIMIT = 256 * 1024;

/**
 * An ISO 9660 image by coreos-installer's rules: strict names in upper case, the primary tree and nothing else. The
 * reader of `@coreiso/iso/iso9660` knows more views; this one is all that live images need.
 */
export interface LiveIso {
  /** The image; its beginning is fetched only once. */
  readonly source: ByteSource;
  readonly volume: Volume;
  /** What was wrong with the parts read so far without standing in the way. */
  readonly oddities: readonly Oddity[];
  /** The entry at a path; one that is absent is an error of code `ISO_NOT_FOUND`. */
  find(path: string, signal?: AbortSignal): Promise<ImageEntry>;
  /** The file at a path, or `undefined` where there is nothing. */
  findFile(path: string, signal?: AbortSignal): Promise<ImageEntry | undefined>;
  /** The entries of a directory in on-disk order. */
  list(path: string, signal?: AbortSignal): Promise<readonly ImageEntry[]>;
  /** Every entry, directories before their contents. */
  walk(signal?: AbortSignal): AsyncIterable<ImageEntry>;
  /** A small file, whole. */
  readMetadata(file: ImageEntry, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Reads the volume descriptors, nothing else. Forgiving rules let an image pass whose end is missing. */
export async function openLiveIso(
  image: ByteSource,
  signal?: AbortSignal,
  rules: VolumeRules = 'strict',
): Promise<LiveIso> {
  const source = withHead(image, HEAD);
  const parsed = new Image(source);
  const volume = await readVolume(parsed, rules, signal);
  const tree = strictTree(parsed, volume.primary.root);
  const find = (path: string, signal?: AbortSignal) => findEntry(tree, path, DEFAULT_LIMITS, signal);
  return {
    source,
    volume,
    oddities: parsed.oddities,
    find,
    async findFile(path, signal) {
      try {
        const entry = await find(path, signal);
        fileOffset(entry);
        return entry;
      } catch (error) {
        if (error instanceof IsoError && error.code === 'ISO_NOT_FOUND') return undefined;
        throw error;
      }
    },
    async list(path, signal) {
      const directory = await find(path, signal);
      if (directory.kind !== 'directory') throw wrongKind(directory, 'file');
      const { records, failure } = await tree.list(directory, new Budget(DEFAULT_LIMITS), signal);
      if (failure !== undefined) throw failure;
      return records;
    },
    walk: (signal) => walkTree(tree, DEFAULT_LIMITS, signal),
    async readMetadata(file, signal) {
      if (file.size > METADATA_LIMIT) {
        const message = `${file.path} has ${file.size} bytes, more than ${METADATA_LIMIT}`;
        throw new IsoError('ISO_BAD_METADATA', message, { offset: file.recordOffset });
      }
      return readRegion(source, { offset: fileOffset(file), length: file.size }, signal);
    },
  };
}

/** Where a file's bytes begin; a directory is refused. */
export function fileOffset(entry: ImageEntry): number {
  if (entry.kind === 'directory') throw wrongKind(entry, 'directory');
  return entry.extents[0]?.offset ?? 0;
}

function wrongKind({ name, recordOffset }: ImageEntry, kind: 'file' | 'directory'): IsoError {
  return new IsoError('ISO_WRONG_KIND', `entry ${name} is a ${kind}`, { offset: recordOffset });
}
