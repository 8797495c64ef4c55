// The file systems that boot loaders read: the ISO's own, and the FAT image for UEFI.
import type { Region } from '../bytes/region.ts';
import { type ByteSource, withKept } from '../bytes/source.ts';
import { lastNonZero } from '../bytes/zero-bytes.ts';
import { IsoError } from '../errors.ts';
import { readLatin1, SECTOR, VOLUME } from '../iso9660/fields.ts';
import { type Iso, withCachedHead } from '../iso9660/reader.ts';

/** A file that a boot loader finds. */
export interface BootFile {
  readonly path: string;
  readonly content: ByteSource;
  /** Where it is in the image, in order. */
  readonly regions: readonly Region[];
}

/** A file system that a boot loader reads. */
export interface Place {
  readonly kind: 'iso' | 'fat';
  readonly label: string;
  /** The label in udev, which also reads Joliet. */
  readonly udevLabel: string;
  /** The UUID in GRUB: the modification date of an ISO, the serial number of a FAT. */
  readonly uuid: string;
  file(path: string): Promise<BootFile | undefined>;
  /** The names in a directory; empty if it does not exist. */
  names(path: string): Promise<readonly string[]>;
}

/** Boot menus and loaders are smaller; larger files are hostile. */
const READ_LIMIT = 16 * 1024 * 1024;

/** The ISO as GRUB and isolinux see it: the names of Rock Ridge, or else those of the primary tree, ignoring case. */
export async function isoPlace(iso: Iso, signal?: AbortSignal): Promise<Place> {
  const { primary } = iso.volume;
  const descriptor = await withCachedHead(iso).read(primary.offset, SECTOR, signal);
  const digits = readLatin1(descriptor, VOLUME.modificationDate, 16);
  const hasRockRidge = await exists(() => iso.entry('/', { view: 'rock-ridge', signal }));
  const view = hasRockRidge ? 'rock-ridge' : 'plain';
  const place: Place = {
    kind: 'iso',
    label: iso.volume.volumeId,
    udevLabel: udevLabel(iso),
    uuid: digits.replace(/^(....)(..)(..)(..)(..)(..)(..)$/, '$1-$2-$3-$4-$5-$6-$7'),
    async file(path) {
      const entry = await undefinedIfMissing(() => iso.entry(path, { view, signal }));
      if (entry === undefined || entry.kind === 'directory') return undefined;
      if (entry.kind === 'symlink' && entry.target !== undefined) {
        const target = entry.target.startsWith('/') ? entry.target : `${path.replace(/[^/]*$/, '')}${entry.target}`;
        return (await undefinedIfMissing(() => iso.entry(target, { view, signal })))?.kind === 'file'
          ? place.file(target)
          : undefined;
      }
      return { path: `/${entry.path}`, content: iso.contents(entry), regions: entry.extents };
    },
    async names(path) {
      const entries = await undefinedIfMissing(() => iso.list(path, { view, signal }));
      return entries?.map(({ name }) => name) ?? [];
    },
  };
  return place;
}

/** The label that libblkid chooses: Joliet's, completed from the longer primary one if both begin alike. */
function udevLabel({ volume: { volumeId: plain, descriptors } }: Iso): string {
  const joliet = descriptors.find((each) => each.type === 'supplementary')?.joliet?.volumeId ?? '';
  if (joliet === '') return plain;
  const isAlike = [...joliet].every((character, index) => plain[index] === character || plain[index] === '_');
  return isAlike ? joliet + plain.slice(joliet.length) : joliet;
}

/** The result of `look`, or `undefined` if the path does not exist. */
async function undefinedIfMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof IsoError && (error.code === 'ISO_NOT_FOUND' || error.code === 'ISO_WRONG_KIND'))
      return undefined;
    throw error;
  }
}

async function exists(look: () => Promise<unknown>): Promise<boolean> {
  return (await undefinedIfMissing(look)) !== undefined;
}

/** Reads a small file completely. */
export async function readWhole({ path, content }: BootFile, signal?: AbortSignal): Promise<Uint8Array> {
  if (content.size <= READ_LIMIT) return content.read(0, content.size, signal);
  throw new IsoError('ISO_LIMIT', `${path} has ${content.size} bytes, more than ${READ_LIMIT}`);
}

/** The first bytes of a file, or as many as there are. */
export function readStart({ content }: BootFile, length: number, signal?: AbortSignal): Promise<Uint8Array> {
  return content.read(0, Math.min(length, content.size), signal);
}

/** The text of a boot menu. It may hold any bytes, because boot loaders know no encoding. */
export async function readText(file: BootFile, signal?: AbortSignal): Promise<string> {
  return new TextDecoder().decode(await readWhole(file, signal));
}

/** Kernels, loaders and initramfs of real images are larger. */
const STAND_IN_LIMIT = 4096;
/** A boot information table may precede the text. */
const BOOT_INFO_LENGTH = 64;

/** Whether a file is a placeholder of a trimmed image: empty, or a few lines of text followed by zeros. */
export async function isStandIn(file: BootFile, signal?: AbortSignal): Promise<boolean> {
  const { content } = file;
  if (content.size === 0) return true;
  if (content.size > STAND_IN_LIMIT) return false;
  const bytes = await content.read(0, content.size, signal);
  const text = bytes.subarray(0, lastNonZero(bytes) + 1);
  return isText(text) || (text.length > BOOT_INFO_LENGTH && isText(text.subarray(BOOT_INFO_LENGTH)));
}

/** The same source with its beginning cached. */
export function withStart(source: ByteSource): ByteSource {
  return withKept(source, 0, 64 * 1024);
}

/** Whether all bytes are printable ASCII or newlines. */
export function isText(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte === 0x0a || (byte >= 0x20 && byte < 0x7f));
}
