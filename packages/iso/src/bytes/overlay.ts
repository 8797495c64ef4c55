import { checkArgument, checkOptions, checkWhole } from '@coreiso/peers/arguments';
import { type Composition, compose, type Segment, slice } from './compose.ts';
import { type ByteSource, type Bytes, sizeOf } from './source.ts';

/** A patched base: its first `keep` bytes with patches, followed by a tail. */
export interface Overlay extends Composition {
  /** Never an overlay itself. */
  readonly base: ByteSource;
  /** Ordered by offset, without overlap, all within `keep`. */
  readonly patches: readonly {
    readonly offset: number;
    /** Replace the bytes of the base. */
    readonly bytes: Bytes;
  }[];
  readonly keep: number;
  readonly tail: Composition;
}

export type Patch = Overlay['patches'][number];

/**
 * A view of `base` with `patches` applied; nothing is written. Patches of one call must not overlap. An overlay of an overlay is
 * one overlay of the first base, in which later patches win.
 *
 * @example
 * ```ts
 * await using base = await fileSource('disk.iso');
 * const patched = overlay(base, [{ offset: 0, bytes: new Uint8Array(512) }]);
 * ```
 */
export function overlay(
  base: ByteSource,
  patches: Iterable<Overlay['patches'][number]>,
  options: {
    /** How many bytes of the base remain, counted from its beginning; all of them by default. */
    readonly keep?: number | undefined;
    /** The bytes after the kept ones. */
    readonly tail?: Iterable<Bytes> | undefined;
  } = {},
): Overlay {
  checkArgument('base', base, 'source');
  checkArgument('patches', patches, 'list');
  checkOptions(options, { keep: 'number', tail: 'list' });
  const { keep = base.size } = options;
  checkKeep(base.size, keep);
  const given = [...patches];
  for (const patch of given) checkArgument('patches', patch?.bytes, 'content');
  const inOrder = given.filter((patch) => lengthOf(patch) > 0).sort((a, b) => a.offset - b.offset);
  checkPatches(inOrder, keep);
  const tail = compose(options.tail ?? []);
  return isOverlay(base) ? collapse(base, inOrder, keep, tail) : build(base, inOrder, keep, tail);
}

/**
 * Whether `source` was made by `overlay`.
 *
 * @example
 * ```ts
 * if (isOverlay(source)) console.log(`${source.patches.length} patches`);
 * ```
 */
export function isOverlay(source: ByteSource): source is Overlay {
  checkArgument('source', source, 'object');
  return 'base' in source && 'patches' in source && 'keep' in source && 'tail' in source;
}

function build(base: ByteSource, patches: readonly Patch[], keep: number, tail: Composition): Overlay {
  const parts: Bytes[] = [];
  let position = 0;
  for (const patch of patches) {
    parts.push(slice(base, position, patch.offset - position), patch.bytes);
    position = endOf(patch);
  }
  parts.push(slice(base, position, keep - position), tail);
  const whole = compose(parts);
  return {
    base,
    patches,
    keep,
    tail,
    size: whole.size,
    segments: (start?: number, end?: number): Segment[] => whole.segments(start, end),
    read: (offset, length, signal) => whole.read(offset, length, signal),
  };
}

function collapse(lower: Overlay, patches: readonly Patch[], keep: number, tail: Composition): Overlay {
  const baseKeep = Math.min(lower.keep, keep);
  const patched = patchesBetween(patches, 0, baseKeep);
  const merged = [...without(patchesBetween(lower.patches, 0, baseKeep), patched), ...patched];
  const lowerTail = build(
    lower.tail,
    patchesBetween(patches, lower.keep, keep).map(({ offset, bytes }) => ({ offset: offset - lower.keep, bytes })),
    Math.max(0, keep - lower.keep),
    tail,
  );
  return build(
    lower.base,
    merged.sort((a, b) => a.offset - b.offset),
    baseKeep,
    compose([lowerTail]),
  );
}

/** The parts of `patches` from `start` up to `end`. */
function patchesBetween(patches: readonly Patch[], start: number, end: number): Patch[] {
  return patches.flatMap((patch) => {
    const from = Math.max(start, patch.offset);
    const to = Math.min(end, endOf(patch));
    return from < to ? [clipPatch(patch, from, to)] : [];
  });
}

/** The parts of `patches` that `covers` do not hide; both are sorted. */
function without(patches: readonly Patch[], covers: readonly Patch[]): Patch[] {
  const visible: Patch[] = [];
  let first = 0;
  for (const patch of patches) {
    let start = patch.offset;
    const end = endOf(patch);
    for (let cover = covers[first]; cover !== undefined && endOf(cover) <= start; cover = covers[first]) first++;
    for (let index = first; index < covers.length; index++) {
      const cover = covers[index] as Patch;
      if (cover.offset >= end) break;
      if (cover.offset > start) visible.push(clipPatch(patch, start, cover.offset));
      start = endOf(cover);
    }
    if (start < end) visible.push(clipPatch(patch, start, end));
  }
  return visible;
}

function clipPatch(patch: Patch, start: number, end: number): Patch {
  const { offset, bytes } = patch;
  if (start === offset && end === endOf(patch)) return patch;
  const part =
    bytes instanceof Uint8Array
      ? bytes.subarray(start - offset, end - offset)
      : slice(bytes, start - offset, end - start);
  return { offset: start, bytes: part };
}

function lengthOf({ bytes }: Patch): number {
  return sizeOf(bytes);
}

function endOf(patch: Patch): number {
  return patch.offset + lengthOf(patch);
}

function checkKeep(size: number, keep: number): void {
  checkWhole('keep', keep, 0, size);
}

function checkPatches(patches: readonly Patch[], keep: number): void {
  let free = 0;
  for (const patch of patches) {
    checkWhole('patches.offset', patch.offset);
    if (patch.offset < free) throw new RangeError(`patches must not overlap, as two do at ${patch.offset}`);
    free = endOf(patch);
    if (free > keep) throw new RangeError(`patches must end within ${keep} kept bytes, not at ${free}`);
  }
}
