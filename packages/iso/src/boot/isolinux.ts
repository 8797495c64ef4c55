// isolinux itself: the program that firmware loads, and the modules that isolinux loads.
import { readLatin1, readU16Le, readU32Le, SECTOR } from '../iso9660/fields.ts';
import type { Chain } from './links.ts';
import { type BootFile, isStandIn, type Place, readStart, readWhole } from './places.ts';

/** The table that `-boot-info-table` writes into the first 64 bytes. */
const BOOT_INFO = { fileSector: 12, length: 16, checksum: 20, end: 64 } as const;
/** Follows the table; the boot code of hybrid images looks for it. */
const HYBRID_MAGIC = 0x7078c0fb;
const FIRST_READ = 2048;

/** The loader that firmware starts, as a file of the image. */
export interface LoaderFile extends BootFile {
  readonly offset: number;
}

/** Judges an isolinux, or the stand-in for it in a trimmed image; `undefined` for another program. */
export async function judgeIsolinux(
  chain: Chain,
  file: LoaderFile,
  place: Place,
  folder: string,
  signal?: AbortSignal,
): Promise<'isolinux' | 'stand-in' | undefined> {
  const bytes = await readWhole(file, signal);
  const text = readLatin1(bytes, 0, bytes.length);
  const version = /ISOLINUX (\d+)\.\d+/.exec(text);
  if (version === null) {
    const isEmpty = isEmptyHybrid(bytes);
    if (isEmpty || hasBootInfo(bytes, file)) judgeBootInfo(chain, bytes, file);
    if (isEmpty || (await isStandIn(file, signal))) {
      chain.unknown(`${file.path} is a placeholder for a loader, as in trimmed images`);
      return 'stand-in';
    }
    return undefined;
  }
  judgeBootInfo(chain, bytes, file);
  if (Number(version[1]) >= 5) await judgeModule(chain, place, `${folder}/ldlinux.c32`, folder, signal);
  chain.ok(`${version[0]} at ${file.path}`);
  return 'isolinux';
}

/** Checks the table, from which isolinux reads its own place, length and checksum. */
function judgeBootInfo(chain: Chain, bytes: Uint8Array, { path, offset }: LoaderFile): void {
  const sector = readU32Le(bytes, BOOT_INFO.fileSector);
  if (sector === 0) return;
  const length = readU32Le(bytes, BOOT_INFO.length);
  if (sector * SECTOR !== offset)
    chain.fail(`${path} declares sector ${sector}, but is in ${offset / SECTOR}`, offset + BOOT_INFO.fileSector);
  if (length !== bytes.length)
    chain.fail(`${path} declares ${length} bytes, but has ${bytes.length}`, offset + BOOT_INFO.length);
  if (sumOf(bytes) !== readU32Le(bytes, BOOT_INFO.checksum))
    chain.fail(`the checksum in ${path} is wrong: the program was changed`, offset + BOOT_INFO.checksum);
}

/** Whether the sector or the length in the table is right. Text and code never look like that by chance. */
function hasBootInfo(bytes: Uint8Array, { offset }: LoaderFile): boolean {
  if (bytes.length < BOOT_INFO.end) return false;
  return (
    readU32Le(bytes, BOOT_INFO.fileSector) * SECTOR === offset || readU32Le(bytes, BOOT_INFO.length) === bytes.length
  );
}

function sumOf(bytes: Uint8Array): number {
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  let sum = 0;
  for (let at = BOOT_INFO.end; at < padded.length; at += 4) sum = (sum + readU32Le(padded, at)) >>> 0;
  return sum;
}

/** Whether the file holds only the boot information table, and perhaps the hybrid magic, as in trimmed images. */
function isEmptyHybrid(bytes: Uint8Array): boolean {
  if (bytes.length < FIRST_READ) return false;
  const mark = readU32Le(bytes, BOOT_INFO.end);
  return (mark === 0 || mark === HYBRID_MAGIC) && bytes.subarray(BOOT_INFO.end + 4).every((byte) => byte === 0);
}

const MAX_MODULES = 32;

/** Judges a module and the modules that it needs, which isolinux looks for in its folder. */
export async function judgeModule(
  chain: Chain,
  place: Place,
  path: string,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  const open = [path];
  const seen = new Set(open);
  for (let next = open.pop(); next !== undefined && seen.size < MAX_MODULES; next = open.pop()) {
    const file = await place.file(next);
    if (file === undefined) return chain.fail(`isolinux finds no ${next}`);
    const needed = await neededModules(file, signal);
    if (needed === undefined)
      return chain.fail(`${next} is damaged: it is not a module of isolinux`, file.regions[0]?.offset);
    for (const name of needed) {
      const other = `${folder}/${name}`;
      if (!seen.has(other)) open.push(other);
      seen.add(other);
    }
  }
}

/** The modules that a 32-bit ELF module needs; `undefined` if it is not one, or is truncated. */
async function neededModules(file: BootFile, signal?: AbortSignal): Promise<string[] | undefined> {
  const head = await readStart(file, 52, signal);
  if (head.length < 52 || readLatin1(head, 0, 6) !== '\x7fELF\x01\x01' || readU16Le(head, 18) !== 3) return undefined;
  const bytes = await readWhole(file, signal);
  const [start, size, count] = [readU32Le(bytes, 28), readU16Le(bytes, 42), readU16Le(bytes, 44)];
  if (size < 32 || count === 0 || start + size * count > bytes.length) return undefined;
  const segments = Array.from({ length: count }, (_, index) => {
    const at = start + index * size;
    const [type, offset, address, length] = [0, 4, 8, 16].map((field) => readU32Le(bytes, at + field));
    return { type: type ?? 0, offset: offset ?? 0, address: address ?? 0, length: length ?? 0 };
  });
  if (segments.some(({ offset, length }) => offset + length > bytes.length)) return undefined;
  const dynamic = segments.find(({ type }) => type === 2);
  if (dynamic === undefined) return [];
  const places: number[] = [];
  let strings = 0;
  for (let at = dynamic.offset; at + 8 <= dynamic.offset + dynamic.length; at += 8) {
    const [tag, value] = [readU32Le(bytes, at), readU32Le(bytes, at + 4)];
    if (tag === 1) places.push(value);
    if (tag === 5) strings = value;
  }
  const load = segments.find(
    ({ type, address, length }) => type === 1 && strings >= address && strings < address + length,
  );
  if (load === undefined) return places.length === 0 ? [] : undefined;
  const base = strings - load.address + load.offset;
  return places.map((place) =>
    readLatin1(bytes, base + place, Math.min(64, Math.max(0, bytes.length - base - place))).replace(/\0[\s\S]*$/, ''),
  );
}
