import { slice } from '../bytes/compose.ts';
import { checkRegion, type Region } from '../bytes/region.ts';
import { type ByteSource, bytesOf, bytesSource } from '../bytes/source.ts';
import { lastNonZero } from '../bytes/zero-bytes.ts';
import { IsoError, inContext } from '../errors.ts';
import { readFiles, type UnpackedFile } from '../initrd/archive-files.ts';
import type { ReadArchivesOptions } from '../initrd/archive-reader.ts';
import type { ImageEntry } from '../iso9660/entry.ts';
import type { Iso } from '../iso9660/reader.ts';
import { fileOffset, findEntry, findFile, IGNINFO, IGNITION_IMG, readMetadata } from './live-iso.ts';
import { type JsonObject, parseMetadata } from './metadata.ts';

/** The area of an image for additions to its initramfs. */
export interface InitrdArea extends Region {
  /** The regular files in the area, by path and in the order of their paths' bytes. They are decoded once. */
  files(options?: ReadArchivesOptions): Promise<ReadonlyMap<string, UnpackedFile>>;
  /** Reads the same files into memory. */
  read(options?: ReadArchivesOptions): Promise<
    ReadonlyMap<
      string,
      {
        readonly path: string;
        readonly content: Uint8Array;
        /** Permission bits. */
        readonly mode: number;
      }
    >
  >;
}

type EmbeddedFile = Awaited<ReturnType<InitrdArea['read']>> extends ReadonlyMap<string, infer File> ? File : never;

/** An area of 256 KiB can unpack to gigabytes; real embedded files are far below this limit. */
export const UNPACK_LIMIT: number = 64 * 1024 * 1024;

/** Finds the area without reading it. */
export async function locateInitrd(iso: Iso, signal?: AbortSignal): Promise<InitrdArea> {
  const help = async () => {
    const { helpWithoutArea } = await import('./instead.ts');
    return helpWithoutArea(iso, signal);
  };
  return unrecognized(async () => {
    const region = await findRegion(iso, signal);
    await inContext('reading initrd embed area', () => checkRegion(iso.source, region));
    let used: number | undefined;
    const files = cacheLastRead((options = {}) =>
      unrecognized(async () => {
        const bytes = await readArea(iso.source, region, options.signal);
        used = await usedLength(bytes, options.signal);
        return used === 0 ? new Map() : decodeArea(bytes, options);
      }),
    );
    const area: InitrdArea = {
      ...region,
      files,
      read: async (options = {}) => {
        const loaded = new Map<string, EmbeddedFile>();
        for (const { path, content, mode } of (await files(options)).values()) {
          loaded.set(path, { path, content: await bytesOf(content, options.signal), mode });
        }
        return loaded;
      },
    };
    uses.set(area, async (signal) => {
      if (region.length > FETCH_LIMIT) return region.length;
      used ??= await usedLength(await readArea(iso.source, region, signal), signal);
      return used;
    });
    return area;
  }, help);
}

const uses = new WeakMap<InitrdArea, (signal?: AbortSignal) => Promise<number>>();

/** The part of the area that may be non-zero, determined once: the whole area if it is too large to read. */
export async function occupied(area: InitrdArea, signal?: AbortSignal): Promise<number> {
  return (await uses.get(area)?.(signal)) ?? area.length;
}

/** Caches the last result for calls with the same options. */
function cacheLastRead(read: InitrdArea['files']): InitrdArea['files'] {
  let known: { key: string; files: ReadonlyMap<string, UnpackedFile> } | undefined;
  return async (options = {}) => {
    const key = `${options.limit} ${options.zstdFrames}`;
    if (known?.key !== key) known = { key, files: await read(options) };
    return known.files;
  };
}

async function findRegion(iso: Iso, signal?: AbortSignal): Promise<Region> {
  const { entry, info } = await locateFile(iso, signal);
  const { path, offset, length } = info;
  const start = fileOffset(entry);
  if (length === undefined && offset > entry.size) {
    throw new IsoError('ISO_BAD_METADATA', `offset ${offset} is past the end of ${path} (${entry.size} bytes)`);
  }
  return { offset: start + offset, length: length ?? entry.size - offset };
}

/** The file that holds the area, and whether the area is the whole file. */
export async function areaFile(iso: Iso, signal?: AbortSignal): Promise<{ entry: ImageEntry; whole: boolean }> {
  const { entry, info } = await locateFile(iso, signal);
  return { entry, whole: info.offset === 0 && (info.length ?? entry.size) === entry.size };
}

async function locateFile(iso: Iso, signal?: AbortSignal): Promise<{ entry: ImageEntry; info: IgnInfo }> {
  const file = await findFile(iso, IGNINFO, signal);
  const info: IgnInfo = file === undefined ? { path: IGNITION_IMG, offset: 0 } : await readInfo(iso, file, signal);
  const entry = await inContext('finding initrd embed area', () => findEntry(iso, info.path.toUpperCase(), signal));
  return { entry, info };
}

/** `igninfo.json` for an area of another length; `undefined` if it has no length. */
export function grownInfo(bytes: Uint8Array, length: number): Uint8Array | undefined {
  if (ignInfo(parseMetadata(bytes)).length === undefined) return undefined;
  const members: object = JSON.parse(new TextDecoder().decode(bytes));
  return new TextEncoder().encode(`${JSON.stringify({ ...members, length })}\n`);
}

async function readInfo(iso: Iso, file: ImageEntry, signal?: AbortSignal): Promise<IgnInfo> {
  const bytes = await inContext('reading igninfo', () => readMetadata(iso, file, signal));
  return inContext('decoding igninfo', () => ignInfo(parseMetadata(bytes)));
}

interface IgnInfo {
  readonly path: string;
  readonly offset: number;
  readonly length?: number | undefined;
}

function ignInfo(json: JsonObject): IgnInfo {
  return { path: json.string('file'), offset: json.optionalSize('offset') ?? 0, length: json.optionalSize('length') };
}

async function readArea(source: ByteSource, { offset, length }: Region, signal?: AbortSignal): Promise<ByteSource> {
  return inContext('reading initrd embed area', () => prefetched(slice(source, offset, length), signal));
}

/** The regular files in a non-empty area. */
async function decodeArea(area: ByteSource, options: ReadArchivesOptions): Promise<Map<string, UnpackedFile>> {
  return inContext('decoding initrd embed area', () => readFiles(area, { limit: UNPACK_LIMIT, ...options }));
}

/** Areas that have not grown are smaller. */
const FETCH_LIMIT = 1024 * 1024;

/** The area in one read, unless it is too large for that. */
export async function prefetched(area: ByteSource, signal?: AbortSignal): Promise<ByteSource> {
  return area.size > FETCH_LIMIT ? area : bytesSource(await area.read(0, area.size, signal));
}

const SCAN_LENGTH = 64 * 1024;

/** Number of bytes up to the last non-zero one. */
export async function usedLength(area: ByteSource, signal?: AbortSignal): Promise<number> {
  for (let end = area.size; end > 0; ) {
    const start = Math.max(0, end - SCAN_LENGTH);
    const last = lastNonZero(await area.read(start, end - start, signal));
    if (last !== -1) return start + last + 1;
    end = start;
  }
  return 0;
}

/** Reports any failure to find the area as an unrecognized image. */
export async function unrecognized<T>(
  work: () => Promise<T>,
  help: () => Promise<string | undefined> = async () => undefined,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof IsoError)) throw cause;
    const message = 'Unrecognized CoreOS ISO image.';
    throw new IsoError('ISO_NOT_LIVE', message, { cause, offset: cause.offset, help: cause.help ?? (await help()) });
  }
}
