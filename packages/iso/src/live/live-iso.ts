import { readRegion } from '../bytes/region.ts';
import type { ByteSource } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { ImageEntry } from '../iso9660/entry.ts';
import { type Iso, openByRules, withCachedHead } from '../iso9660/reader.ts';
import type { VolumeRules } from '../iso9660/volume.ts';

/** Real metadata files have a few hundred bytes. */
const METADATA_LIMIT = 256 * 1024;

/**
 * Opens an image by coreos-installer's rules: strict names in upper case. Forgiving rules also accept a truncated
 * image.
 */
export function openLiveIso(source: ByteSource, signal?: AbortSignal, rules: VolumeRules = 'strict'): Promise<Iso> {
  return openByRules(source, rules, { view: 'strict', signal });
}

/** The entry at a path of the strict view; fails with `ISO_NOT_FOUND` if there is none. */
export function findEntry(iso: Iso, path: string, signal?: AbortSignal): Promise<ImageEntry> {
  return iso.entry(path, { view: 'strict', signal });
}

/** The file at a path, or `undefined` if there is none. */
export async function findFile(iso: Iso, path: string, signal?: AbortSignal): Promise<ImageEntry | undefined> {
  try {
    const entry = await findEntry(iso, path, signal);
    fileOffset(entry);
    return entry;
  } catch (error) {
    if (error instanceof IsoError && error.code === 'ISO_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The file that says where the area is, and the default file for the area. */
export const IGNINFO = 'COREOS/IGNINFO.JSO';
export const IGNITION_IMG = 'IMAGES/IGNITION.IMG';

/** Whether the image has one of these files. */
export async function hasAreaFile(iso: Iso, signal?: AbortSignal): Promise<boolean> {
  const files = [await findFile(iso, IGNINFO, signal), await findFile(iso, IGNITION_IMG, signal)];
  return files.some((file) => file !== undefined);
}

/** Reads a small file completely. */
export async function readMetadata(iso: Iso, file: ImageEntry, signal?: AbortSignal): Promise<Uint8Array> {
  if (file.size > METADATA_LIMIT) {
    const message = `${file.path} has ${file.size} bytes, more than ${METADATA_LIMIT}`;
    throw new IsoError('ISO_BAD_METADATA', message, { offset: file.recordOffset });
  }
  return readRegion(withCachedHead(iso), { offset: fileOffset(file), length: file.size }, signal);
}

/** Position of a file's first byte; refuses a directory. */
export function fileOffset({ kind, name, extents, recordOffset }: ImageEntry): number {
  if (kind !== 'directory') return extents[0]?.offset ?? 0;
  throw new IsoError('ISO_WRONG_KIND', `entry ${name} is a directory`, { offset: recordOffset });
}
