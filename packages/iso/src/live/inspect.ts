import { checkOptions } from '@coreiso/peers/arguments';
import { slice } from '../bytes/compose.ts';
import type { Region } from '../bytes/region.ts';
import { type ImageInput, sourceOf, type WorkOptions } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { readArchives } from '../initrd/archive-reader.ts';
import type { ArchiveEntry } from '../initrd/newc.ts';
import { SECTOR } from '../iso9660/fields.ts';
import type { Iso } from '../iso9660/reader.ts';
import { type Architecture, architectureOf } from './architecture.ts';
import { type Features, isoFeatures } from './features.ts';
import { type InitrdArea, locateInitrd, prefetched, UNPACK_LIMIT, usedLength } from './initrd-area.ts';
import { type Kargs, locateKargs } from './kargs-area.ts';
import { openLiveIso } from './live-iso.ts';
import { readRecipeTable } from './minimal/recipe.ts';

/** The description of an image: a plain object, ready for JSON. */
export interface Inspection {
  readonly volumeId: string;
  readonly architecture: Architecture | undefined;
  /** Size of the source in bytes. */
  readonly size: number;
  /** Size of the volume in bytes; a smaller source is truncated. */
  readonly volumeSize: number;
  readonly complete: boolean;
  /** `undefined` if unknown, because parts could not be read. */
  readonly pristine: boolean | undefined;
  readonly initrd:
    | (Region & {
        readonly used: number;
        readonly free: number;
        /** The compression of each archive in the area. */
        readonly formats: readonly ArchiveEntry['archive']['format'][];
        /** In the order of the archives; if several have one path, the last one counts. */
        readonly members: readonly {
          readonly path: string;
          readonly kind: ArchiveEntry['kind'];
          /** Permission bits. */
          readonly mode: number;
          readonly size: number;
        }[];
      })
    | undefined;
  readonly kargs:
    | {
        readonly used: number;
        readonly free: number;
        readonly default: string;
        readonly current: string;
        readonly areas: Kargs['areas'];
      }
    | undefined;
  readonly features: Features | undefined;
  readonly minimal: { readonly createdBy: string; readonly entries: number } | undefined;
  /** Failures to read parts of the image, each from the outermost message to its first cause. */
  readonly problems: readonly (readonly string[])[];
  /** Harmless faults. */
  readonly oddities: Iso['oddities'];
}

export type InspectedInitrd = NonNullable<Inspection['initrd']>;
export type InspectedKargs = NonNullable<Inspection['kargs']>;

/** A member of an archive in the initrd area. */
export type InspectedMember = InspectedInitrd['members'][number];

/**
 * Describes a live image, even if it is damaged or truncated: unreadable parts are listed in `problems`.
 *
 * @example
 * ```ts
 * console.log(formatInspection(await inspect(await fileSource('rhcos-live.iso'))));
 * ```
 */
export async function inspect(image: ImageInput, options: Pick<WorkOptions, 'signal'> = {}): Promise<Inspection> {
  checkOptions(options, { signal: 'signal' });
  const source = sourceOf(image, 'image');
  const { signal } = options;
  const iso = await openLiveIso(source, signal, 'forgiving');
  const problems: string[][] = [];
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IsoError)) throw error;
      problems.push(messagesOf(error));
      return undefined;
    }
  };
  const oddities: Iso['oddities'][number][] = [];
  const area = await attempt(() => locateInitrd(iso, signal));
  const initrd = area && (await attempt(() => inspectInitrd(iso, area, oddities, signal)));
  const kargs = await attempt(() => inspectKargs(iso, signal));
  const features = await attempt(() => isoFeatures(iso, signal));
  const minimal = await attempt(() => inspectRecipe(iso, signal));
  const volumeSize = iso.volume.spaceSize * SECTOR;
  return {
    volumeId: iso.volume.volumeId,
    architecture: await architectureOf(iso, signal),
    size: source.size,
    volumeSize,
    complete: volumeSize <= source.size,
    pristine: problems.length > 0 ? undefined : initrd?.used === 0 && kargs?.current === kargs?.default,
    initrd,
    kargs,
    features,
    minimal,
    problems,
    oddities: [...iso.oddities, ...oddities],
  };
}

async function inspectInitrd(
  iso: Iso,
  area: InitrdArea,
  oddities: Iso['oddities'][number][],
  signal: AbortSignal | undefined,
): Promise<InspectedInitrd> {
  const { offset, length } = area;
  const bytes = await prefetched(slice(iso.source, offset, length), signal);
  const used = await usedLength(bytes, signal);
  const formats = new Map<number, ArchiveEntry['archive']['format']>();
  const members: InspectedMember[] = [];
  const limits = { limit: UNPACK_LIMIT, signal };
  for await (const { path, kind, mode, size, archive } of used === 0 ? [] : readArchives(bytes, limits)) {
    formats.set(archive.offset, archive.format);
    members.push({ path, kind, mode: mode & 0o7777, size });
    const place = offset + archive.offset;
    if (/^\.?\/|(^|\/)\.\.?(\/|$)|\/\//.test(path)) {
      oddities.push({ message: `${path} is not how other programs spell that path`, offset: place });
    }
    if (kind !== 'file' && kind !== 'directory') {
      oddities.push({ message: `${path} is not a regular file, and an edit drops it`, offset: place });
    }
  }
  return { offset, length, used, free: length - used, formats: [...formats.values()], members };
}

async function inspectKargs(iso: Iso, signal?: AbortSignal): Promise<InspectedKargs | undefined> {
  const kargs = await locateKargs(iso, signal);
  if (kargs === undefined) return undefined;
  const { current, capacity, areas } = kargs;
  const used = new TextEncoder().encode(current).length;
  return { default: kargs.default, current, used, free: Math.max(0, capacity - used), areas };
}

async function inspectRecipe(iso: Iso, signal?: AbortSignal): Promise<Inspection['minimal']> {
  const recipe = await readRecipeTable(iso, signal);
  return recipe && { createdBy: recipe.appVersion, entries: recipe.entries.length };
}

/** The messages of an error and its causes, outermost first. */
export function messagesOf(error: Error): string[] {
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) messages.push(at.message);
  return messages;
}
