import { compose, slice } from '../bytes/compose.ts';
import { concatBytes } from '../bytes/concat.ts';
import { type Overlay, overlay, type Patch } from '../bytes/overlay.ts';
import { type WorkOptions, zeros } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import type { UnpackedFile } from '../initrd/archive-files.ts';
import { type ArchiveFile, type WriteArchiveOptions, writeArchive } from '../initrd/archive-writer.ts';
import type { Compression } from '../initrd/encoders.ts';
import { applyChanges, keepsSomething, type LiveChanges, touchesInitrd } from './changes.ts';
import type { LiveImage } from './image.ts';
import { readArea, unrecognized, usedLength } from './initrd-area.ts';
import { kargsPatches, requireKargs } from './kargs-area.ts';
import { editKargs, type KargsEdit } from './kargs-editor.ts';
import type { Region } from './region.ts';

/** How to write the changes. */
export interface EditOptions extends WorkOptions {
  /** `gzip` by default. */
  readonly compression?: Compression;
  /**
   * Permissions of files that stay: as they are by default, or 0600 for all, which is what coreos-installer makes of
   * them.
   */
  readonly modes?: 'kept' | 'private';
}

/** A region of the image that an edit writes. */
export interface EditedRegion extends Region {
  readonly kind: 'initrd' | 'kargs';
}

/** Room in an area, in bytes. */
export interface AreaUse {
  readonly used: number;
  readonly free: number;
}

/** What an edit does. */
export interface EditSummary {
  /** In the order in which they stand in the image. */
  readonly regions: readonly EditedRegion[];
  readonly initrd: AreaUse;
  /** Kernel arguments afterwards; `undefined` where the image has no areas for them. */
  readonly kargs: (AreaUse & { readonly text: string }) | undefined;
  /** Whether bytes were added behind the end of the image. */
  readonly grown: boolean;
}

/** An edit that nothing has been written of yet. */
export interface EditResult {
  /** The image as it will be. */
  readonly overlay: Overlay;
  readonly summary: EditSummary;
}

/** Computes the image with `changes`; neither it nor its source is touched. Edits of edits add up. */
export async function edit(image: LiveImage, changes: LiveChanges, options: EditOptions = {}): Promise<EditResult> {
  const initrd = await editInitrd(image, changes, options);
  const kargs = editedKargs(image, changes.kargs);
  const patches = [...initrd.patches, ...kargs.patches];
  const regions = [
    ...initrd.patches.map((patch) => regionOf('initrd', patch)),
    ...kargs.patches.map((patch) => regionOf('kargs', patch)),
  ].sort((a, b) => a.offset - b.offset);
  refuseOverlap(regions);
  return {
    overlay: overlay(image.source, patches),
    summary: { regions, initrd: initrd.use, kargs: kargs.use, grown: false },
  };
}

/** Computes the pristine image: nothing embedded, default kernel arguments. */
export function reset(image: LiveImage, options: EditOptions = {}): Promise<EditResult> {
  const kargs = image.kargs === undefined ? {} : { kargs: { reset: true } };
  return edit(image, { ignition: null, keyfiles: [], files: [], ...kargs }, options);
}

/** Whether nothing is embedded and the kernel arguments, if they can be changed, are the default ones. */
export async function isPristine(image: LiveImage, options: Pick<WorkOptions, 'signal'> = {}): Promise<boolean> {
  if (image.kargs !== undefined && image.kargs.current !== image.kargs.default) return false;
  return (await image.initrd.read(options)).size === 0;
}

interface AreaEdit {
  readonly patches: readonly Patch[];
  readonly use: AreaUse;
}

async function editInitrd(image: LiveImage, changes: LiveChanges, options: EditOptions): Promise<AreaEdit> {
  const { source, initrd } = image;
  if (!touchesInitrd(changes)) {
    const used = await usedLength(slice(source, initrd.offset, initrd.length), options.signal);
    return { patches: [], use: useOf(used, initrd.length) };
  }
  const before = keepsSomething(changes) ? await unrecognized(() => readArea(source, initrd, options)) : new Map();
  return placeInArea(initrd, applyChanges(withModes(before.values(), options.modes), changes), options);
}

function* withModes(files: Iterable<UnpackedFile>, modes: EditOptions['modes']): Generator<UnpackedFile> {
  for (const file of files) yield modes === 'private' ? { ...file, mode: 0o600 } : file;
}

/** The archive at the beginning of the area and zeros behind it; without members, zeros alone. */
async function placeInArea(
  area: Region,
  files: readonly ArchiveFile[],
  options: WriteArchiveOptions,
): Promise<AreaEdit> {
  const kept: Uint8Array[] = [];
  let used = 0;
  for await (const chunk of files.length === 0 ? [] : writeArchive(files, options)) {
    used += chunk.length;
    // What does not fit is only counted, so that the error can tell by how much.
    if (used <= area.length) kept.push(chunk);
  }
  if (used > area.length) {
    const message = `Compressed initramfs is too large: ${used} > ${area.length}`;
    throw new IsoError('ISO_AREA_TOO_SMALL', message, { offset: area.offset });
  }
  const bytes = compose([concatBytes(kept), zeros(area.length - used)]);
  return { patches: area.length === 0 ? [] : [{ offset: area.offset, bytes }], use: useOf(used, area.length) };
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

function regionOf(kind: EditedRegion['kind'], { offset, bytes }: Patch): EditedRegion {
  return { kind, offset, length: bytes instanceof Uint8Array ? bytes.length : bytes.size };
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
