// FAT12, FAT16 and FAT32, read only, as far as a boot loader needs them (Microsoft's FAT specification 1.03). Left out:
// sectors that are not 512 bytes long, which are allowed but not used.

import { compose, slice } from '../bytes/compose.ts';
import type { Region } from '../bytes/region.ts';
import { type ByteSource, concatBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { readLatin1, readU8, readU16Le, readU32Le } from '../iso9660/fields.ts';
import { type BootFile, type Place, withStart } from './places.ts';

/** Byte positions in the first sector. */
const BOOT = {
  sectorSize: 11,
  clusterSectors: 13,
  reserved: 14,
  fats: 16,
  rootEntries: 17,
  sectors16: 19,
  media: 21,
  fatSectors16: 22,
  sectors32: 32,
  fatSectors32: 36,
  version32: 42,
  root32: 44,
  serial: 39,
  serial32: 67,
} as const;

const ENTRY_SIZE = 32;
const ATTRIBUTE = { volume: 0x08, directory: 0x10, longName: 0x0f } as const;
/** Directories of real boot images are far smaller. */
const LARGEST_DIRECTORY = 1024 * 1024;

interface Geometry {
  /** Length of the whole file system. */
  readonly length: number;
  readonly bits: 12 | 16 | 32;
  readonly fatOffset: number;
  readonly fatLength: number;
  readonly rootOffset: number;
  readonly rootLength: number;
  readonly rootCluster: number;
  readonly dataOffset: number;
  readonly clusterSize: number;
  readonly clusters: number;
  readonly serial: string;
}

interface FatEntry {
  readonly name: string;
  readonly shortName: string;
  readonly attributes: number;
  readonly cluster: number;
  readonly size: number;
}

/** The file system that begins at `offset` of the image and may use `length` bytes; `undefined` if there is none. */
export async function openFat(
  image: ByteSource,
  { offset, length }: Region,
  signal?: AbortSignal,
): Promise<(Place & Pick<Region, 'length'>) | undefined> {
  const end = Math.min(length, image.size - offset);
  if (end < 512) return undefined;
  const source = withStart(slice(image, offset, end));
  const geometry = parseGeometry(await source.read(0, 512, signal));
  if (geometry === undefined) return undefined;
  if (geometry.dataOffset > end)
    throw extentError(`the FAT file system needs more than the ${end} bytes that it has`, offset);
  const fat = new Fat(source, geometry, offset, signal);
  const label = await fat.label();
  return {
    kind: 'fat',
    length: geometry.length,
    label,
    udevLabel: label,
    uuid: geometry.serial,
    file: (path) => fat.file(path),
    names: (path) => fat.names(path),
  };
}

/** Reads the first sector; `undefined` if UEFI's driver would not accept it as FAT. */
function parseGeometry(sector: Uint8Array): Geometry | undefined {
  const sectorSize = readU16Le(sector, BOOT.sectorSize);
  const clusterSectors = readU8(sector, BOOT.clusterSectors);
  const reserved = readU16Le(sector, BOOT.reserved);
  const fats = readU8(sector, BOOT.fats);
  const rootEntries = readU16Le(sector, BOOT.rootEntries);
  const media = readU8(sector, BOOT.media);
  const fat16 = readU16Le(sector, BOOT.fatSectors16);
  const fatSectors = fat16 || readU32Le(sector, BOOT.fatSectors32);
  const sectors = readU16Le(sector, BOOT.sectors16) || readU32Le(sector, BOOT.sectors32);
  if (![512, 1024, 2048, 4096].includes(sectorSize) || !isPowerOfTwo(clusterSectors)) return undefined;
  if (reserved === 0 || fats === 0 || fatSectors === 0 || sectors === 0 || (media < 0xf8 && media !== 0xf0))
    return undefined;
  const rootLength = Math.ceil((rootEntries * ENTRY_SIZE) / sectorSize) * sectorSize;
  const rootOffset = (reserved + fats * fatSectors) * sectorSize;
  const dataOffset = rootOffset + rootLength;
  const clusters = Math.floor((sectors * sectorSize - dataOffset) / (clusterSectors * sectorSize));
  if (clusters < 1) return undefined;
  const is32 = fat16 === 0;
  if (is32 && readU16Le(sector, BOOT.version32) !== 0) return undefined;
  const serial = readU32Le(sector, is32 ? BOOT.serial32 : BOOT.serial)
    .toString(16)
    .padStart(8, '0')
    .toUpperCase();
  return {
    length: sectors * sectorSize,
    bits: is32 ? 32 : clusters < 4085 ? 12 : 16,
    fatOffset: reserved * sectorSize,
    fatLength: fatSectors * sectorSize,
    rootOffset,
    rootLength,
    rootCluster: is32 ? readU32Le(sector, BOOT.root32) : 0,
    dataOffset,
    clusterSize: clusterSectors * sectorSize,
    clusters,
    serial: `${serial.slice(0, 4)}-${serial.slice(4)}`,
  };
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

class Fat {
  readonly #source: ByteSource;
  readonly #geometry: Geometry;
  readonly #offset: number;
  readonly #signal: AbortSignal | undefined;

  constructor(source: ByteSource, geometry: Geometry, offset: number, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#geometry = geometry;
    this.#offset = offset;
    this.#signal = signal;
  }

  async label(): Promise<string> {
    const root = await this.#root();
    return root.find(({ attributes }) => (attributes & ATTRIBUTE.volume) !== 0)?.shortName.replace('.', '') ?? '';
  }

  async file(path: string): Promise<BootFile | undefined> {
    const entry = await this.#find(path);
    if (entry === undefined || (entry.attributes & ATTRIBUTE.directory) !== 0) return undefined;
    const regions = await this.#regions(entry.cluster, entry.size, path);
    return {
      path,
      content: this.#compose(regions),
      regions: regions.map(({ offset, length }) => ({ offset: offset + this.#offset, length })),
    };
  }

  async names(path: string): Promise<string[]> {
    const entry = await this.#find(path);
    if (entry === undefined || (entry.attributes & ATTRIBUTE.directory) === 0) return [];
    return (await this.#list(entry)).map(({ name }) => name);
  }

  async #find(path: string): Promise<FatEntry | undefined> {
    let entry: FatEntry = { name: '', shortName: '', attributes: ATTRIBUTE.directory, cluster: 0, size: 0 };
    for (const name of path.split('/').filter((part) => part !== '')) {
      if ((entry.attributes & ATTRIBUTE.directory) === 0) return undefined;
      const wanted = name.toLowerCase();
      const found = (await this.#list(entry)).find(
        (each) =>
          (each.attributes & ATTRIBUTE.volume) === 0 &&
          (each.name.toLowerCase() === wanted || each.shortName.toLowerCase() === wanted),
      );
      if (found === undefined) return undefined;
      entry = found;
    }
    return entry;
  }

  /** Cluster 0 is the root directory, also in the entry `..`. */
  async #list({ cluster, name }: FatEntry): Promise<FatEntry[]> {
    if (cluster === 0) return this.#root();
    return parseDirectory(await this.#read(this.#compose(await this.#regions(cluster, undefined, name))));
  }

  async #root(): Promise<FatEntry[]> {
    const { bits, rootOffset, rootLength, rootCluster } = this.#geometry;
    if (bits !== 32) return parseDirectory(await this.#source.read(rootOffset, rootLength, this.#signal));
    return parseDirectory(
      await this.#read(this.#compose(await this.#regions(rootCluster, undefined, 'the root directory'))),
    );
  }

  #read(content: ByteSource): Promise<Uint8Array> {
    return content.read(0, Math.min(content.size, LARGEST_DIRECTORY), this.#signal);
  }

  #compose(regions: readonly Region[]): ByteSource {
    return compose(regions.map(({ offset, length }) => slice(this.#source, offset, length)));
  }

  /** The regions of a chain of clusters, up to `size` bytes if that is given. */
  async #regions(first: number, size: number | undefined, name: string): Promise<Region[]> {
    const { clusterSize, clusters, dataOffset } = this.#geometry;
    const regions: { offset: number; length: number }[] = [];
    // A longer chain is a loop.
    const longest = Math.min(clusters, Math.ceil((this.#source.size - dataOffset) / clusterSize));
    let left = size ?? LARGEST_DIRECTORY;
    let cluster = first;
    for (let count = 0; left > 0; count++) {
      if (size === undefined && count > 0 && this.#isLast(cluster)) break;
      if (cluster < 2 || cluster >= clusters + 2 || count >= longest)
        throw extentError(`the clusters of ${name} are damaged`, this.#offset);
      const offset = dataOffset + (cluster - 2) * clusterSize;
      const length = Math.min(clusterSize, left);
      if (offset + length > this.#source.size)
        throw extentError(`${name} is past the end of the EFI image`, this.#offset);
      const last = regions.at(-1);
      if (last !== undefined && last.offset + last.length === offset) last.length += length;
      else regions.push({ offset, length });
      left -= length;
      if (left > 0) cluster = await this.#next(cluster);
    }
    return regions;
  }

  #isLast(cluster: number): boolean {
    return cluster >= { 12: 0xff8, 16: 0xfff8, 32: 0x0ffffff8 }[this.#geometry.bits];
  }

  async #next(cluster: number): Promise<number> {
    const { bits, fatOffset, fatLength } = this.#geometry;
    const at = Math.floor((cluster * bits) / 8);
    const length = bits === 32 ? 4 : 2;
    if (at + length > fatLength) throw extentError('the allocation table is too short', this.#offset + fatOffset);
    const bytes = await this.#source.read(fatOffset + at, length, this.#signal);
    if (bits === 32) return readU32Le(bytes, 0) & 0x0fffffff;
    const value = readU16Le(bytes, 0);
    if (bits === 16) return value;
    return cluster % 2 === 0 ? value & 0xfff : value >> 4;
  }
}

function parseDirectory(bytes: Uint8Array): FatEntry[] {
  const entries: FatEntry[] = [];
  let longName: Uint8Array[] = [];
  for (let at = 0; at + ENTRY_SIZE <= bytes.length; at += ENTRY_SIZE) {
    const entry = bytes.subarray(at, at + ENTRY_SIZE);
    const attributes = readU8(entry, 11);
    if (entry[0] === 0) break;
    if (entry[0] === 0xe5) longName = [];
    else if ((attributes & 0x3f) === ATTRIBUTE.longName) {
      longName.unshift(concatBytes([entry.subarray(1, 11), entry.subarray(14, 26), entry.subarray(28, 32)]));
    } else {
      const shortName = shortNameOf(entry);
      entries.push({
        name: longName.length > 0 ? longNameOf(concatBytes(longName)) : shortName,
        shortName,
        attributes,
        cluster: readU16Le(entry, 26) + readU16Le(entry, 20) * 0x10000,
        size: readU32Le(entry, 28),
      });
      longName = [];
    }
  }
  return entries;
}

function shortNameOf(entry: Uint8Array): string {
  // Only spaces pad a name: 0xa0 is a letter to firmware.
  const part = (at: number, length: number): string => readLatin1(entry, at, length).replace(/ +$/, '');
  const [name, extension] = [part(0, 8), part(8, 3)];
  return extension === '' ? name : `${name}.${extension}`;
}

function longNameOf(bytes: Uint8Array): string {
  const name = new TextDecoder('utf-16le').decode(bytes);
  const end = name.indexOf('\0');
  return end === -1 ? name : name.slice(0, end);
}

function extentError(message: string, offset: number): IsoError {
  return new IsoError('ISO_BAD_EXTENT', message, { offset });
}
