import { compose, slice } from '../../bytes/compose.ts';
import type { Region } from '../../bytes/region.ts';
import { type ByteSource, type Progress, sourceOf, toHex } from '../../bytes/source.ts';
import { readFiles } from '../../initrd/archive-files.ts';
import { comparePaths } from '../../initrd/archive-writer.ts';
import type { ImageEntry } from '../../iso9660/entry.ts';
import { type Iso, openIso } from '../../iso9660/reader.ts';
import { UNPACK_LIMIT } from '../initrd-area.ts';
import { type Inspection, inspect } from '../inspect.ts';
import { words } from '../kargs-editor.ts';
import { type DigestOptions, digestOf } from '../minimal/unpack.ts';

/** A difference in a property of two images. */
export interface Difference<T> {
  readonly before: T;
  readonly after: T;
}

/** A file that differs between two images, or exists in only one. */
export interface FileDifference {
  readonly path: string;
  /** Absent if only the second image has the file. */
  readonly before?: {
    readonly size: number;
    /** 64 hexadecimal digits. */
    readonly sha256: string;
  };
  readonly after?: FileDifference['before'];
  /** The area in the file; customising an image changes it. */
  readonly area?: 'initrd' | 'kargs';
}

type FileDigest = NonNullable<FileDifference['before']>;

/**
 * How two live images differ: a plain object, ready for JSON. Digests stand for contents, because contents hold
 * secrets.
 */
export interface ImageDifference {
  /** Whether the images are equal. */
  readonly equal: boolean;
  readonly volumeId?: Difference<string>;
  readonly architecture?: Difference<string | null>;
  readonly size?: Difference<number>;
  /** Whether each image is as it was built; `null` if unknown. */
  readonly pristine?: Difference<boolean | null>;
  readonly areas: {
    readonly initrd?: Difference<Region | null>;
    readonly kargs?: Difference<readonly Region[]>;
  };
  readonly kargs: {
    readonly default?: Difference<string | null>;
    readonly added: readonly string[];
    readonly removed: readonly string[];
  };
  /** Differences of the files in the initrd area. */
  readonly embedded: readonly FileDifference[];
  /** The files of the file system. */
  readonly files: readonly FileDifference[];
  /** Bytes outside of files: boot code, descriptors, directories and gaps. */
  readonly outside?: Difference<NonNullable<FileDifference['before']>>;
}

interface ComparedImage {
  readonly inspection: Inspection;
  readonly iso: Iso;
  readonly files: ReadonlyMap<string, ImageEntry>;
  readonly embedded: ReadonlyMap<string, ByteSource>;
}

/** The result of `diffImages`. */
export async function differenceOf(
  before: ByteSource,
  after: ByteSource,
  options: DigestOptions,
): Promise<ImageDifference> {
  const a = await inspectSide(before, options);
  const b = await inspectSide(after, options);
  const difference: Omit<ImageDifference, 'equal'> = {
    ...changed('volumeId', a.inspection.volumeId, b.inspection.volumeId),
    ...changed('architecture', a.inspection.architecture ?? null, b.inspection.architecture ?? null),
    ...changed('size', a.inspection.size, b.inspection.size),
    ...changed('pristine', a.inspection.pristine ?? null, b.inspection.pristine ?? null),
    areas: {
      ...changed('initrd', initrdRegion(a), initrdRegion(b)),
      ...changed('kargs', kargsRegions(a), kargsRegions(b)),
    },
    kargs: kargsDifference(a.inspection, b.inspection),
    embedded: await embeddedDifferences(a, b, options),
    files: await fileDifferences(a, b, options),
    ...changed('outside', await digestOutside(a, options), await digestOutside(b, options)),
  };
  return { equal: isEmpty(difference), ...difference };
}

async function inspectSide(source: ByteSource, options: DigestOptions): Promise<ComparedImage> {
  const inspection = await inspect(source, options);
  const iso = await openIso(source, options);
  const files = new Map<string, ImageEntry>();
  for await (const entry of iso.walk(options)) if (entry.kind === 'file') files.set(entry.path, entry);
  const { initrd } = inspection;
  const embedded = new Map<string, ByteSource>();
  if (initrd !== undefined && initrd.used > 0) {
    const area = slice(source, initrd.offset, initrd.length);
    for (const [path, { content }] of await readFiles(area, { ...options, limit: UNPACK_LIMIT })) {
      embedded.set(path, sourceOf(content, 'content'));
    }
  }
  return { inspection, iso, files, embedded };
}

function initrdRegion({ inspection: { initrd } }: ComparedImage): Region | null {
  return initrd === undefined ? null : { offset: initrd.offset, length: initrd.length };
}

function kargsRegions({ inspection: { kargs } }: ComparedImage): Region[] {
  return (kargs?.areas ?? []).map(({ offset, length }) => ({ offset, length }));
}

function changed<K extends string, T>(name: K, before: T, after: T): { [key in K]?: Difference<T> } {
  const isEqual = JSON.stringify(before) === JSON.stringify(after);
  return (isEqual ? {} : { [name]: { before, after } }) as { [key in K]?: Difference<T> };
}

function kargsDifference({ kargs: before }: Inspection, { kargs: after }: Inspection): ImageDifference['kargs'] {
  const [old, now] = [words(before?.current ?? ''), words(after?.current ?? '')];
  return {
    ...changed('default', before?.default ?? null, after?.default ?? null),
    added: without(now, old),
    removed: without(old, now),
  };
}

/** The items that `list` has more often than `other`. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((word) => {
    const at = left.indexOf(word);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

async function embeddedDifferences(
  a: ComparedImage,
  b: ComparedImage,
  options: DigestOptions,
): Promise<FileDifference[]> {
  const paths = [...new Set([...a.embedded.keys(), ...b.embedded.keys()])].sort(comparePaths);
  const { onProgress: _, ...quiet } = options;
  const differences: FileDifference[] = [];
  for (const path of paths) {
    differences.push(...(await fileDifference(path, a.embedded.get(path), b.embedded.get(path), quiet)));
  }
  return differences;
}

async function fileDifferences(a: ComparedImage, b: ComparedImage, options: DigestOptions): Promise<FileDifference[]> {
  const paths = [...new Set([...a.files.keys(), ...b.files.keys()])].sort(comparePaths);
  const sizeOf = ({ files }: ComparedImage): number => [...files.values()].reduce((sum, { size }) => sum + size, 0);
  const total = sizeOf(a) + sizeOf(b);
  let done = 0;
  const differences: FileDifference[] = [];
  for (const path of paths) {
    const [before, after] = [contents(a, path), contents(b, path)];
    const area = areaOf(a, path) ?? areaOf(b, path);
    const found = await fileDifference(path, before, after, {
      ...options,
      onProgress: (progress) => options.onProgress?.({ done: done + progress.done, total }),
    });
    done += (before?.size ?? 0) + (after?.size ?? 0);
    differences.push(...found.map((difference) => ({ ...difference, ...(area && { area }) })));
  }
  return differences;
}

function contents({ iso, files }: ComparedImage, path: string): ByteSource | undefined {
  const entry = files.get(path);
  return entry && iso.contents(entry);
}

function areaOf({ inspection: { initrd, kargs }, files }: ComparedImage, path: string): FileDifference['area'] {
  const extents = files.get(path)?.extents ?? [];
  const holds = ({ offset }: Region): boolean =>
    extents.some((extent) => extent.offset <= offset && offset < extent.offset + extent.length);
  if (initrd !== undefined && holds(initrd)) return 'initrd';
  return kargs?.areas.some(holds) === true ? 'kargs' : undefined;
}

async function digestOutside({ iso: { source }, files }: ComparedImage, options: DigestOptions): Promise<FileDigest> {
  const extents = [...files.values()].flatMap((file) => file.extents).sort((a, b) => a.offset - b.offset);
  const gaps: ByteSource[] = [];
  let position = 0;
  for (const { offset, length } of [...extents, { offset: source.size, length: 0 }]) {
    if (offset > position) gaps.push(slice(source, position, Math.min(offset, source.size) - position));
    position = Math.min(source.size, Math.max(position, offset + length));
  }
  const { onProgress: _, ...quiet } = options;
  const outside = compose(gaps);
  return { size: outside.size, sha256: toHex(await digestOf(outside, quiet)) };
}

async function fileDifference(
  path: string,
  before: ByteSource | undefined,
  after: ByteSource | undefined,
  options: DigestOptions,
): Promise<FileDifference[]> {
  let done = 0;
  const digest = async (source: ByteSource | undefined): Promise<FileDigest | undefined> => {
    if (source === undefined) return undefined;
    const onProgress = (progress: Progress): void => options.onProgress?.({ ...progress, done: done + progress.done });
    const sha256 = toHex(await digestOf(source, { ...options, onProgress }));
    done += source.size;
    return { size: source.size, sha256 };
  };
  const [old, now] = [await digest(before), await digest(after)];
  if (old?.sha256 === now?.sha256) return [];
  return [{ path, ...(old && { before: old }), ...(now && { after: now }) }];
}

function isEmpty({ areas, kargs, embedded, files, ...rest }: Omit<ImageDifference, 'equal'>): boolean {
  const lists = [embedded, files, kargs.added, kargs.removed];
  const members = [rest, areas, kargs.default === undefined ? {} : kargs];
  return lists.every(({ length }) => length === 0) && members.every((each) => Object.keys(each).length === 0);
}
