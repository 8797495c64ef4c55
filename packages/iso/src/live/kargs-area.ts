import type { Patch } from '../bytes/overlay.ts';
import { type Region, readRegion } from '../bytes/region.ts';
import type { ByteSource } from '../bytes/source.ts';
import { IsoError, inContext } from '../errors.ts';
import { type Iso, withCachedHead } from '../iso9660/reader.ts';
import { trim } from './kargs-editor.ts';
import { fileOffset, findEntry, findFile, readMetadata } from './live-iso.ts';
import { type JsonObject, parseMetadata } from './metadata.ts';
import { utf8Problem } from './utf8-problem.ts';

/** The kernel arguments of an image. */
export interface Kargs {
  /** The arguments of the pristine image. */
  readonly default: string;
  readonly current: string;
  /** Maximum size in bytes of UTF-8. */
  readonly capacity: number;
  /** Length of each area in bytes. */
  readonly length: number;
  /** The areas in the image. All hold the same text. */
  readonly areas: readonly (Region & {
    /** Pads the area after the text (default: `#`). */
    readonly pad?: string;
    /** Ends the text (default: a newline). */
    readonly end?: string;
  })[];
}

type KargsArea = Kargs['areas'][number];

/** `coreos/kargs.json`, which says where the areas are. */
export interface KargsInfo {
  readonly default: string;
  readonly files: readonly KargsFile[];
  readonly size: number;
}

interface KargsFile {
  readonly path: string;
  readonly offset: number;
  readonly pad?: string;
  readonly end?: string;
}

/** Where `kargs.json` is in the strict view. */
export const KARGS_JSON = 'COREOS/KARGS.JSO';
const SIZE_LIMIT = 2048;
const DEFAULT_PAD = '#';
const DEFAULT_END = '\n';

/** The image's kernel arguments, or `undefined` if it has no areas for them. */
export async function locateKargs(iso: Iso, signal?: AbortSignal): Promise<Kargs | undefined> {
  const info = await readKargsInfo(iso, signal);
  if (info !== undefined) return kargsByInfo(iso, info, signal);
  return kargsByHeader(withCachedHead(iso), signal);
}

/** `kargs.json`, or `undefined` if there is none. */
export async function readKargsInfo(iso: Iso, signal?: AbortSignal): Promise<KargsInfo | undefined> {
  const file = await findFile(iso, KARGS_JSON, signal);
  if (file === undefined) return undefined;
  const bytes = await inContext('reading kargs embed area info', () => readMetadata(iso, file, signal));
  return inContext('decoding kargs embed area info', () => kargsInfo(parseMetadata(bytes)));
}

function kargsInfo(json: JsonObject): KargsInfo {
  return {
    default: json.string('default'),
    files: json.objects('files').map((file) => ({
      path: file.string('path'),
      offset: file.size('offset'),
      ...marks(file.optionalCharacter('pad'), file.optionalCharacter('end')),
    })),
    size: json.size('size'),
  };
}

function marks(pad: string | undefined, end: string | undefined): { pad?: string; end?: string } {
  return { ...(pad === undefined ? {} : { pad }), ...(end === undefined ? {} : { end }) };
}

/** The areas according to `kargs.json`, without checking their contents. */
export async function kargsPlaces(iso: Iso, { size, files }: KargsInfo, signal?: AbortSignal): Promise<KargsArea[]> {
  const areas: KargsArea[] = [];
  for (const { path, offset, pad, end } of files) {
    const entry = await inContext(`looking up '${path}'`, () => findEntry(iso, path.toUpperCase(), signal));
    areas.push({ offset: fileOffset(entry) + offset, length: size, ...marks(pad, end) });
  }
  return areas;
}

async function kargsByInfo(iso: Iso, info: KargsInfo, signal?: AbortSignal): Promise<Kargs> {
  const { size } = info;
  if (size > SIZE_LIMIT) throw kargsError(`karg embed area size larger than ${SIZE_LIMIT} (found ${size})`);
  const defaultSize = new TextEncoder().encode(info.default).length;
  if (defaultSize > size) throw kargsError(`default kargs size ${defaultSize} larger than embed areas (${size})`);
  const areas: LoadedArea[] = [];
  for (const area of await kargsPlaces(iso, info, signal))
    areas.push(await loadArea(withCachedHead(iso), area, signal));
  areas.sort((a, b) => a.area.offset - b.area.offset);
  return kargs(info.default, size, areas);
}

/** In images of 2021: 72 bytes before the legacy initrd header at the end of the System Area. */
const HEADER_OFFSET = 32768 - 24 - 72;
const HEADER_LENGTH = 72;
const HEADER_MAGIC = 'coreKarg';
const HEADER_AREAS = 24;

async function kargsByHeader(source: ByteSource, signal?: AbortSignal): Promise<Kargs | undefined> {
  const bytes = await readRegion(source, { offset: HEADER_OFFSET, length: HEADER_LENGTH }, signal);
  if (String.fromCharCode(...bytes.subarray(0, HEADER_MAGIC.length)) !== HEADER_MAGIC) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_LENGTH);
  const length = readU64(view, 8);
  if (length > SIZE_LIMIT) throw kargsError(`karg embed area length larger than ${SIZE_LIMIT} (found ${length})`);
  const pristine = await loadArea(source, { offset: readU64(view, 16), length }, signal);
  const areas: LoadedArea[] = [];
  for (let at = HEADER_AREAS; at < HEADER_LENGTH; at += 8) {
    const offset = readU64(view, at);
    if (offset === 0) break;
    areas.push(await loadArea(source, { offset, length }, signal));
  }
  return kargs(pristine.text, length, areas);
}

/** Positions beyond 2^53 lose precision, but are outside any image anyway. */
function readU64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

interface LoadedArea {
  readonly area: KargsArea;
  readonly text: string;
}

async function loadArea(source: ByteSource, area: KargsArea, signal?: AbortSignal): Promise<LoadedArea> {
  const bytes = await inContext('reading kargs embed area', () => readRegion(source, area, signal));
  return { area, text: parseArea(bytes, area) };
}

function parseArea(bytes: Uint8Array, { offset, pad = DEFAULT_PAD, end = DEFAULT_END }: KargsArea): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const cause = new IsoError('ISO_BAD_KARGS', utf8Problem(bytes), { offset });
    throw new IsoError('ISO_BAD_KARGS', 'invalid UTF-8 in karg area', { cause, offset });
  }
  return trim(trimEnd(trimEnd(text, pad), end));
}

function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (text.endsWith(character, end)) end -= character.length;
  return text.slice(0, end);
}

function kargs(pristine: string, length: number, areas: readonly LoadedArea[]): Kargs {
  const [first] = areas;
  if (first === undefined) throw kargsError('No karg embed areas found; corrupted CoreOS ISO image.');
  for (const { area, text } of areas) {
    if (text === first.text) continue;
    const found = `(expected '${first.text}', but offset ${area.offset} has: '${text}')`;
    throw kargsError(`kargs don't match at all offsets! ${found}`, area.offset);
  }
  return {
    default: pristine,
    current: first.text,
    capacity: Math.max(0, length - 1),
    length,
    areas: areas.map(({ area }) => area),
  };
}

/** The image's kernel arguments; refuses an image without areas for them. */
export function requireKargs(kargs: Kargs | undefined): Kargs {
  if (kargs !== undefined) return kargs;
  throw new IsoError('ISO_NO_KARGS', 'No karg embed areas found; old or corrupted CoreOS ISO image.');
}

/** The patches that write `text` into every area. */
export function kargsPatches({ areas, length }: Kargs, text: string): Patch[] {
  const bytes = new TextEncoder().encode(trim(text));
  if (bytes.length >= length) {
    throw new IsoError('ISO_AREA_TOO_SMALL', `kargs too large for area: ${bytes.length + 1} vs ${length}`);
  }
  return areas.map(({ offset, pad = DEFAULT_PAD, end = DEFAULT_END }) => {
    const area = new Uint8Array(length).fill(pad.charCodeAt(0));
    area.set(bytes);
    area[bytes.length] = end.charCodeAt(0);
    return { offset, bytes: area };
  });
}

function kargsError(message: string, offset?: number): IsoError {
  return new IsoError('ISO_BAD_KARGS', message, { offset });
}
