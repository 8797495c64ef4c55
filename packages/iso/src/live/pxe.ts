import { checkArgument, checkOptions } from '@coreiso/peers/arguments';
import { type Composition, compose, slice } from '../bytes/compose.ts';
import { checkRegion } from '../bytes/region.ts';
import {
  type ByteSource,
  bytesOf,
  concatBytes,
  type ImageInput,
  type OwnBytes,
  sourceOf,
  type WorkOptions,
  zeros,
} from '../bytes/source.ts';
import { IsoError, inContext } from '../errors.ts';
import { readFiles } from '../initrd/archive-files.ts';
import type { ReadArchivesOptions } from '../initrd/archive-reader.ts';
import { writeArchive } from '../initrd/archive-writer.ts';
import type { ImageEntry } from '../iso9660/entry.ts';
import {
  applyChanges,
  checkChanges,
  IGNITION_PATH,
  isNetworkPath,
  type LiveChanges,
  NETWORK_DIRECTORY,
} from './changes.ts';
import type { EditOptions } from './edit.ts';
import { type Features, parseFeatures } from './features.ts';
import { unrecognized } from './initrd-area.ts';
import { fileOffset, findEntry, openLiveIso } from './live-iso.ts';

const PXE_DIRECTORY = 'IMAGES/PXEBOOT';
const ROOTFS = `${PXE_DIRECTORY}/ROOTFS.IMG`;

/**
 * Kernel, initramfs and root file system of a live image, in on-disk order; the embed areas are ignored.
 *
 * @example
 * ```ts
 * for (const { name, source } of await pxeFiles(await fileSource('rhcos-live.iso'))) await writeCopy(source, name);
 * ```
 */
export async function pxeFiles(
  image: ImageInput,
  options: Pick<WorkOptions, 'signal'> = {},
): Promise<
  {
    /** Name as in the image, in lower case: `vmlinuz`, `initrd.img`, `rootfs.img`. */
    readonly name: string;
    readonly source: ByteSource;
  }[]
> {
  checkOptions(options, { signal: 'signal' });
  const source = sourceOf(image, 'image');
  const iso = await openLiveIso(source, options.signal);
  const entries = await unrecognized(() => iso.list(PXE_DIRECTORY, options));
  return entries
    .filter(({ kind }) => kind === 'file')
    .map((entry) => ({ name: entry.name.toLowerCase(), source: contents(source, entry) }));
}

/**
 * The root file system of a live image, which minimal images fetch.
 *
 * @example
 * ```ts
 * await writeCopy(await rootfs(await fileSource('rhcos-live.iso')), 'rootfs.img');
 * ```
 */
export async function rootfs(image: ImageInput, options: Pick<WorkOptions, 'signal'> = {}): Promise<Composition> {
  checkOptions(options, { signal: 'signal' });
  const { signal } = options;
  const source = sourceOf(image, 'image');
  const iso = await openLiveIso(source, signal);
  return contents(source, await inContext(`looking up '${ROOTFS}'`, () => findEntry(iso, ROOTFS, signal)));
}

function contents(source: ByteSource, entry: ImageEntry): Composition {
  const region = { offset: fileOffset(entry), length: entry.size };
  checkRegion(source, region);
  return slice(source, region.offset, region.length);
}

/**
 * Makes an archive that a boot loader loads together with the initramfs.
 *
 * @example
 * ```ts
 * await writeFile('ignition.img', await wrap({ ignition: await readFile('worker.ign') }));
 * ```
 */
export async function wrap(
  changes: Omit<LiveChanges, 'kargs'>,
  options: Pick<EditOptions, 'compression' | 'signal' | 'onProgress'> = {},
): Promise<OwnBytes> {
  checkChanges(changes);
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeArchive(applyChanges([], changes), options)) chunks.push(chunk);
  return concatBytes(chunks);
}

const STAMP = 'etc/coreos-live-initramfs';
const FEATURES = 'etc/coreos/features.json';

/**
 * Reads an initramfs to its end; refuses one that is not from CoreOS or already customised.
 *
 * @example
 * ```ts
 * const initramfs = await openInitramfs(await fileSource('initrd.img'));
 * ```
 */
export async function openInitramfs(
  input: ImageInput,
  options: ReadArchivesOptions = {},
): Promise<{ readonly source: ByteSource; readonly features: Features }> {
  checkOptions(options, { signal: 'signal' });
  const source = sourceOf(input);
  const patterns = [IGNITION_PATH, `${NETWORK_DIRECTORY}/*`, STAMP, FEATURES];
  const files = await inContext('reading/copying input initrd', () =>
    readFiles(source, { limit: INITRAMFS_LIMIT, ...options, patterns }),
  );
  if (!files.has(STAMP)) throw new IsoError('ISO_NOT_LIVE', 'not a CoreOS live initramfs image');
  if ([...files.keys()].some((path) => path === IGNITION_PATH || isNetworkPath(path))) {
    throw new IsoError('ISO_CUSTOMIZED', 'input is already customized');
  }
  const list = files.get(FEATURES)?.content;
  return {
    source,
    features: await parseFeatures(list === undefined ? undefined : await bytesOf(list, options.signal)),
  };
}

/** A current initramfs unpacks to some 300 MB, which are not held in memory. */
const INITRAMFS_LIMIT = 2 ** 33;

/**
 * The initramfs followed by an archive with the changes, which the kernel unpacks over it.
 *
 * @example
 * ```ts
 * const initramfs = await openInitramfs(await fileSource('initrd.img'));
 * await writeCopy(await customizeInitramfs(initramfs, { ignition }), 'worker-initrd.img');
 * ```
 */
export async function customizeInitramfs(
  /** A live initramfs without additions, from `openInitramfs`. */
  initramfs: { readonly source: ByteSource },
  changes: Omit<LiveChanges, 'kargs'>,
  options: Pick<EditOptions, 'compression' | 'signal' | 'onProgress'> = {},
): Promise<Composition> {
  checkArgument('initramfs', initramfs, 'object');
  checkArgument('initramfs.source', initramfs.source, 'source');
  const archive = await wrap(changes, options);
  // Only an uncompressed archive must begin at a multiple of four; like coreos-installer, a compressed one follows
  // directly.
  const isPlain = archive[0] === 0x30;
  const gap = isPlain ? (4 - (initramfs.source.size % 4)) % 4 : 0;
  return compose([initramfs.source, zeros(gap), archive]);
}
