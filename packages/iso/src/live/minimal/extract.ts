import { checkOptions, WORK } from '@coreiso/peers/arguments';
import { type Overlay, overlay, type Patch } from '../../bytes/overlay.ts';
import type { ByteSource, WorkOptions } from '../../bytes/source.ts';
import { IsoError, inContext } from '../../errors.ts';
import type { Iso } from '../../iso9660/reader.ts';
import { checkImage, type LiveImage } from '../image.ts';
import { KARGS_JSON, type KargsInfo, kargsPatches, locateKargs, readKargsInfo, requireKargs } from '../kargs-area.ts';
import { editKargs, words } from '../kargs-editor.ts';
import { fileOffset, findEntry, openLiveIso } from '../live-iso.ts';
import { type DigestOptions, unpackMinimal } from './unpack.ts';

/** Refuses a customised image, and one without areas for kernel arguments, which cannot be checked. */
async function requirePristine(image: LiveImage, options: Pick<WorkOptions, 'signal'> = {}): Promise<void> {
  const isEmpty = (await image.initrd.files(options)).size === 0;
  if (isEmpty) {
    const { current, default: pristine } = requireKargs(image.kargs);
    if (current === pristine) return;
  }
  throw new IsoError('ISO_CUSTOMIZED', 'the image has been customised: use the original, or reset it first');
}

/**
 * Extracts the minimal image, which fetches its root file system at boot. It can be customised like a full one. Its bytes are
 * read from the full image on demand.
 *
 * @example
 * ```ts
 * const minimal = await extractMinimal(image, { rootfsUrl: 'http://10.0.0.1/rootfs.img' });
 * await writeCopy(minimal, 'minimal.iso');
 * ```
 */
export async function extractMinimal(
  image: LiveImage,
  options: DigestOptions & {
    /** Address of the root file system for the booted image; without it, the address has to be given at boot. */
    readonly rootfsUrl?: string | undefined;
  } = {},
): Promise<Overlay> {
  checkImage(image);
  checkOptions(options, { rootfsUrl: 'text', sha256: 'function', ...WORK });
  await requirePristine(image, options);
  const recipe = await image.minimal(options);
  if (recipe === undefined) {
    throw new IsoError('ISO_NO_RECIPE', 'This ISO image does not support extracting a minimal ISO.');
  }
  const minimal = await inContext('unpacking miniso', () => unpackMinimal(image.source, recipe, options));
  return inContext('modifying miniso kernel args', () => withoutLiveIso(minimal, options));
}

const LIVEISO = 'coreos.liveiso=';

/** Removes the label of the full image, for which a minimal image must not look. */
async function withoutLiveIso(
  minimal: ByteSource,
  { rootfsUrl, signal }: NonNullable<Parameters<typeof extractMinimal>[1]>,
): Promise<Overlay> {
  const iso = await openLiveIso(minimal, signal);
  const kargs = requireKargs(await locateKargs(iso, signal));
  const liveiso = words(kargs.current).find((word) => word.startsWith(LIVEISO));
  if (liveiso === undefined) throw new IsoError('ISO_BAD_KARGS', `minimal ISO does not have ${LIVEISO} karg`);
  const pristine = editKargs(kargs.current, { delete: [liveiso] });
  const current = rootfsUrl === undefined ? pristine : editKargs(pristine, { append: [rootfsKarg(rootfsUrl)] });
  return overlay(minimal, [...kargsPatches(kargs, current), await kargsJsonPatch(iso, pristine, signal)]);
}

function rootfsKarg(url: string): string {
  if (words(url).length > 1) throw new IsoError('ISO_BAD_KARG', `forbidden whitespace found in '${url}'`);
  return `coreos.live.rootfs_url=${url}`;
}

/** `kargs.json` with other defaults, with the key order and the padding of coreos-installer. */
async function kargsJsonPatch(iso: Iso, pristine: string, signal?: AbortSignal): Promise<Patch> {
  const file = await findEntry(iso, KARGS_JSON, signal);
  const info = await readKargsInfo(iso, signal);
  const bytes = new TextEncoder().encode(kargsJson({ files: [], size: 0, ...info, default: pristine }));
  if (bytes.length > file.size) {
    const message = `New version of ${KARGS_JSON} does not fit in space (${bytes.length} vs ${file.size})`;
    throw new IsoError('ISO_AREA_TOO_SMALL', message, { offset: fileOffset(file) });
  }
  const filled = new Uint8Array(file.size).fill(0x20);
  filled.set(bytes);
  return { offset: fileOffset(file), bytes: filled };
}

function kargsJson(info: KargsInfo): string {
  const files = info.files.map(({ path, offset, pad, end }) => ({ path, offset, pad, end }));
  return JSON.stringify({ default: info.default, files, size: info.size }, null, 2);
}
