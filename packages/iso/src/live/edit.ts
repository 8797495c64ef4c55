import { checkOptions, checkWord, WORK } from '@coreiso/peers/arguments';
import { type Composition, compose, slice } from '../bytes/compose.ts';
import { type Overlay, overlay, type Patch } from '../bytes/overlay.ts';
import type { Region } from '../bytes/region.ts';
import { type ByteSource, bytesSource, concatBytes, sizeOf, type WorkOptions, zeros } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { UnpackedFile } from '../initrd/archive-files.ts';
import type { Compression } from '../initrd/archive-format.ts';
import type { ReadArchivesOptions } from '../initrd/archive-reader.ts';
import { type ArchiveFile, composeArchive, writeArchive } from '../initrd/archive-writer.ts';
import { applyChanges, checkChanges, keepsSomething, type LiveChanges, touchesInitrd } from './changes.ts';
import { type Growth, ungrown } from './growth/growth.ts';
import { checkImage, type LiveImage } from './image.ts';
import { occupied, usedLength } from './initrd-area.ts';
import { kargsPatches, requireKargs } from './kargs-area.ts';
import { editKargs, type KargsEdit } from './kargs-editor.ts';

/** Options of an edit. */
export interface EditOptions extends WorkOptions, Pick<ReadArchivesOptions, 'zstdFrames' | 'inflate'> {
  /** `gzip` by default. */
  readonly compression?: Compression | undefined;
  /** Permissions of kept files: unchanged by default, or 0600 for all, as coreos-installer sets them. */
  readonly modes?: 'kept' | 'private' | undefined;
  /** Whether the image may grow if the archive does not fit into the area. */
  readonly grow?: boolean | undefined;
}

/** The summary of an edit. */
type EditSummary = EditResult['summary'];
type AreaUse = EditSummary['initrd'];
type EditedRegion = EditSummary['regions'][number];

/** A computed edit; nothing is written yet. */
export interface EditResult {
  /** The edited image. */
  readonly overlay: Overlay;
  readonly summary: {
    /** In on-disk order. */
    readonly regions: readonly (Region & {
      /** `metadata` means bytes that growing changes: directory records, volume sizes, partition tables. */
      readonly kind: 'initrd' | 'kargs' | 'metadata';
    })[];
    /** Used and free bytes of the area. */
    readonly initrd: { readonly used: number; readonly free: number };
    /** The new kernel arguments; `undefined` if the image has no areas for them. */
    readonly kargs: { readonly used: number; readonly free: number; readonly text: string } | undefined;
    /** Whether bytes were added after the end of the image. */
    readonly grown: boolean;
    /** The growth of the image; `describeGrowth` formats it. */
    readonly growth?: Growth;
  };
}

/**
 * Computes the image with `changes`, without writing. Edits of edits accumulate.
 *
 * @example
 * ```ts
 * const image = await openLiveImage(await fileSource('rhcos-live.iso'));
 * const { overlay } = await edit(image, {
 *   ignition: { ignition: { version: '3.4.0' } },
 *   kargs: { append: ['console=ttyS0'] },
 * });
 * await writeCopy(overlay, 'worker.iso');
 * ```
 */
export async function edit(image: LiveImage, changes: LiveChanges, options: EditOptions = {}): Promise<EditResult> {
  checkImage(image);
  checkChanges(changes);
  checkEditOptions(options);
  // Editing a grown image again replaces its tail, or removes it if everything fits into the area now.
  const base = touchesInitrd(changes) ? await ungrown(image, options.signal) : image;
  const initrd = await editInitrd(image, base, changes, options);
  const kargs = editedKargs(image, changes.kargs);
  const patches = [...initrd.patches, ...kargs.patches];
  const regions = [
    ...initrd.patches.map((patch) => regionOf(isArea(patch, base.initrd) ? 'initrd' : 'metadata', patch)),
    ...kargs.patches.map((patch) => regionOf('kargs', patch)),
  ].sort((a, b) => a.offset - b.offset);
  refuseOverlap(regions);
  const edited = overlay(base.source, patches, { tail: initrd.tail && [initrd.tail] });
  if (regions.some(({ kind }) => kind === 'metadata')) {
    const { refuseUnbootable } = await import('./boot.ts');
    await refuseUnbootable(base, edited, options.signal);
  }
  return {
    overlay: edited,
    summary: {
      regions,
      initrd: initrd.use,
      kargs: kargs.use,
      grown: initrd.growth !== undefined,
      ...(initrd.growth && { growth: initrd.growth }),
    },
  };
}

const MODES: readonly NonNullable<EditOptions['modes']>[] = ['kept', 'private'];

function checkEditOptions(options: EditOptions): void {
  checkOptions(options, {
    compression: 'function',
    modes: 'text',
    grow: 'flag',
    zstdFrames: 'text',
    inflate: 'function',
    ...WORK,
  });
  if (options.modes !== undefined) checkWord('modes', options.modes, MODES);
}

/**
 * Computes the pristine image: nothing embedded, default kernel arguments.
 *
 * @example
 * ```ts
 * await using file = await fileSource('worker.iso', { writable: true });
 * const { overlay } = await reset(await openLiveImage(file));
 * ```
 */
export async function reset(image: LiveImage, options: EditOptions = {}): Promise<EditResult> {
  checkImage(image);
  const kargs = image.kargs === undefined ? {} : { kargs: { reset: true } };
  return edit(image, { ignition: null, keyfiles: [], files: [], ...kargs }, options);
}

/**
 * Whether nothing is embedded and the kernel arguments, if they can be changed, are the defaults.
 *
 * @example
 * ```ts
 * if (!(await isPristine(image))) console.log('somebody was here before');
 * ```
 */
export async function isPristine(image: LiveImage, options: Pick<WorkOptions, 'signal'> = {}): Promise<boolean> {
  checkImage(image);
  checkOptions(options, { signal: 'signal' });
  if (image.kargs !== undefined && image.kargs.current !== image.kargs.default) return false;
  return (await image.initrd.files(options)).size === 0;
}

interface AreaEdit {
  readonly patches: readonly Patch[];
  readonly use: AreaUse;
  readonly tail?: Composition;
  readonly growth?: Growth;
}

async function editInitrd(
  image: LiveImage,
  base: LiveImage,
  changes: LiveChanges,
  options: EditOptions,
): Promise<AreaEdit> {
  const { source, initrd } = image;
  if (!touchesInitrd(changes)) {
    const used = await usedLength(slice(source, initrd.offset, initrd.length), options.signal);
    return { patches: [], use: useOf(used, initrd.length) };
  }
  const kept = keepsSomething(changes) ? await initrd.files(options) : new Map<string, UnpackedFile>();
  const files = applyChanges(withModes(kept.values(), options.modes), changes);
  const area = base.initrd;
  const archive = await packArchive(files, area.length, options);
  if (archive.size > area.length) {
    if (options.grow !== true) throw tooLarge(archive.size, area);
    // Loaded on use: most edits never grow anything.
    const { grow } = await import('./growth/grow.ts');
    return { ...(await grow(base, archive, options.signal)), use: { used: archive.size, free: 0 } };
  }
  // Zeros replace only the old contents, so that each of many edited images differs in few bytes.
  const before = Math.max(0, (await occupied(area, options.signal)) - archive.size);
  const bytes = compose([archive, zeros(before)]);
  return { patches: bytes.size === 0 ? [] : [{ offset: area.offset, bytes }], use: useOf(archive.size, area.length) };
}

function* withModes(files: Iterable<UnpackedFile>, modes: EditOptions['modes']): Generator<UnpackedFile> {
  for (const file of files) yield modes === 'private' ? { ...file, mode: 0o600 } : file;
}

/**
 * Limit for compressing: an archive with larger contents is composed of the files' own sources, so that nothing is held
 * in memory.
 */
const COMPRESS_LIMIT = 8 * 1024 * 1024;

/**
 * The archive of `files`, empty without files. If it does not fit and the image may not grow, only its size is
 * computed.
 */
async function packArchive(files: readonly ArchiveFile[], room: number, options: EditOptions): Promise<ByteSource> {
  if (files.length === 0) return zeros(0);
  const contents = files.reduce(
    (sum, { content }) => sum + (typeof content === 'string' ? content.length : sizeOf(content)),
    0,
  );
  if (options.grow === true && contents > COMPRESS_LIMIT) return composeArchive(files);
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of writeArchive(files, options)) {
    size += chunk.length;
    if (options.grow === true || size <= room) kept.push(chunk);
  }
  return size <= room || options.grow === true ? bytesSource(concatBytes(kept)) : zeros(size);
}

function tooLarge(size: number, area: Region): IsoError {
  const message = `config does not fit: ${sizesText(size, area.length)}`;
  const cause = new Error(`Compressed initramfs is too large: ${size} > ${area.length}`);
  return new IsoError('ISO_AREA_TOO_SMALL', message, { cause, offset: area.offset, help: 'pass grow: true' });
}

/** The sizes in KiB, or in bytes if they are too close. */
function sizesText(size: number, room: number): string {
  const [needed, free] = [Math.ceil(size / 1024), Math.floor(room / 1024)];
  return size - room < 1024 ? `${size} bytes > ${room} bytes` : `${needed} KiB > ${free} KiB`;
}

interface KargsOutcome {
  readonly patches: readonly Patch[];
  readonly use: EditSummary['kargs'];
}

function editedKargs(image: LiveImage, change: KargsEdit | undefined): KargsOutcome {
  if (change === undefined && image.kargs === undefined) return { patches: [], use: undefined };
  const kargs = requireKargs(image.kargs);
  const text = change === undefined ? kargs.current : editKargs(change.reset ? kargs.default : kargs.current, change);
  const used = new TextEncoder().encode(text).length;
  return {
    patches: change === undefined ? [] : kargsPatches(kargs, text),
    use: { text, ...useOf(used, kargs.capacity) },
  };
}

function useOf(used: number, capacity: number): AreaUse {
  return { used, free: Math.max(0, capacity - used) };
}

function isArea({ offset }: Patch, area: Region): boolean {
  return offset === area.offset;
}

function regionOf(kind: EditedRegion['kind'], { offset, bytes }: Patch): EditedRegion {
  return { kind, offset, length: sizeOf(bytes) };
}

function refuseOverlap(regions: readonly Region[]): void {
  let end = 0;
  for (const { offset, length } of regions) {
    if (offset < end) {
      const message = `region starting at ${offset} precedes current offset ${end}`;
      throw new IsoError('ISO_BAD_KARGS', message, { offset });
    }
    end = offset + length;
  }
}
