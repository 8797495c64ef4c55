// `miniso.dat`, the recipe for rebuilding a minimal image from a full one: bincode with variable-length integers.
// Packing and unpacking are in other modules.

import { readRegion } from '../../bytes/region.ts';
import { concatBytes } from '../../bytes/source.ts';
import { IsoError, inContext } from '../../errors.ts';
import { SECTOR } from '../../iso9660/fields.ts';
import { type Iso, withCachedHead } from '../../iso9660/reader.ts';
import { fileOffset, findFile } from '../live-iso.ts';

/** A run of bytes that both images have. */
export type RecipeEntry = Recipe['entries'][number];

/** The recipe. */
export interface Recipe {
  /** Version of the program that wrote the recipe, for information. */
  readonly appVersion: string;
  /** In the order of the minimal image. */
  readonly entries: readonly {
    /** Its first sector in the minimal image. */
    readonly minimal: number;
    /** Its first sector in the full image. */
    readonly full: number;
    /** In bytes. */
    readonly length: number;
  }[];
  /** SHA-256 of the minimal image, before its kernel arguments are changed. */
  readonly digest: Uint8Array;
  /** All other bytes of the minimal image, as one .xz stream. */
  readonly packed: Uint8Array;
}

const MAGIC = new TextEncoder().encode('MINISO\0\0');
const VERSION = 1;
const DIGEST_LENGTH = 32;
/** The size limit of coreos-installer. */
const SIZE_LIMIT = 1024 * 1024;

/** Path of the recipe in the strict view. */
export const MINISO_DAT = 'COREOS/MINISO.DAT';

/** The recipe for the minimal image, or `undefined` if the image has none. */
export async function readRecipe(iso: Iso, signal?: AbortSignal): Promise<Recipe | undefined> {
  const file = await findFile(iso, MINISO_DAT, signal);
  if (file === undefined) return undefined;
  return inContext('reading miniso data file', async () => {
    const region = { offset: fileOffset(file), length: Math.min(file.size, SIZE_LIMIT) };
    return decodeRecipe(await readRegion(withCachedHead(iso), region, signal));
  });
}

/** Bytes to read for the table at the beginning; the largest real table has half of this. */
const TABLE = 8 * 1024;

/**
 * The recipe without its packed bytes, which are its largest part, may be on a server, and are only needed to make a
 * minimal image. If the table is damaged, `readRecipe` reports the fault.
 */
export async function readRecipeTable(
  iso: Iso,
  signal?: AbortSignal,
): Promise<Pick<Recipe, 'appVersion' | 'entries'> | undefined> {
  const file = await findFile(iso, MINISO_DAT, signal);
  if (file === undefined) return undefined;
  const offset = fileOffset(file);
  if (file.size > TABLE && offset + file.size <= iso.source.size) {
    const bytes = await inContext('reading miniso data file', () =>
      readRegion(withCachedHead(iso), { offset, length: TABLE }, signal),
    );
    try {
      return decodeTable(new Reader(bytes), Math.min(file.size, SIZE_LIMIT));
    } catch (error) {
      if (!(error instanceof IsoError)) throw error;
    }
  }
  return readRecipe(iso, signal);
}

/** The entries of a recipe's table: sorted, without empty entries and duplicates, and checked. */
export function recipeEntries(entries: Iterable<RecipeEntry>): RecipeEntry[] {
  const sorted = [...entries].filter(({ length }) => length > 0).sort((a, b) => a.minimal - b.minimal);
  const unique = sorted.filter((entry, index) => {
    const last = sorted[index - 1];
    return last?.minimal !== entry.minimal || last.full !== entry.full || last.length !== entry.length;
  });
  within('validating table', () => checkEntries(unique));
  return unique;
}

/** The bytes of a recipe, as short as the format allows. */
export function encodeRecipe({ appVersion, entries, digest, packed }: Recipe): Uint8Array {
  if (digest.length !== DIGEST_LENGTH)
    throw new RangeError(`digest must be ${DIGEST_LENGTH} bytes, not ${digest.length}`);
  const version = new TextEncoder().encode(appVersion);
  const bytes = concatBytes([
    MAGIC,
    varint(VERSION),
    varint(version.length),
    version,
    varint(entries.length),
    ...entries.flatMap(({ minimal, full, length }) => [varint(minimal), varint(full), varint(length)]),
    digest,
    varint(packed.length),
    packed,
  ]);
  if (bytes.length > SIZE_LIMIT) throw recipeError(`collision with data size limit at offset ${SIZE_LIMIT}`);
  return bytes;
}

/** Reads a recipe; ignores bytes after it, which are usually zeros. */
export function decodeRecipe(bytes: Uint8Array): Recipe {
  const reader = new Reader(bytes.subarray(0, SIZE_LIMIT));
  const { packedLength, ...table } = decodeTable(reader, reader.size);
  return { ...table, packed: reader.take(packedLength) };
}

/** Reads everything but the packed bytes, which must end before `size`. */
function decodeTable(reader: Reader, size: number): Omit<Recipe, 'packed'> & { readonly packedLength: number } {
  const header = within('failed to deserialize header', () => ({
    magic: reader.take(MAGIC.length),
    version: reader.u32(),
    appVersion: reader.string(),
  }));
  within('validating header', () => {
    if (!header.magic.every((byte, index) => byte === MAGIC[index])) throw recipeError('not a miniso file!');
    if (header.version !== VERSION) {
      const versions = `${VERSION} vs ${header.version}`;
      throw recipeError(`incompatible miniso file version: ${versions} (created by ${header.appVersion})`);
    }
  });
  const data = within('failed to deserialize data', () => ({
    entries: reader.entries(),
    digest: reader.take(DIGEST_LENGTH),
    packedLength: reader.lengthWithin(size),
  }));
  within('validating table', () => checkEntries(data.entries));
  return { appVersion: header.appVersion, ...data };
}

function checkEntries(entries: readonly RecipeEntry[]): void {
  if (entries.length === 0) throw recipeError('table is empty; ISOs have no files in common?');
  for (const [index, { minimal, length }] of entries.entries()) {
    const next = entries[index + 1];
    if (next !== undefined && minimal * SECTOR + length > next.minimal * SECTOR) {
      throw recipeError(`Files at offsets ${minimal * SECTOR} and ${next.minimal * SECTOR} overlap`);
    }
  }
}

/** Reads values of a bincode stream; never allocates more than the stream holds. */
class Reader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  take(length: number): Uint8Array {
    const end = this.#position + length;
    if (end > this.#bytes.length) throw recipeError('io error: failed to fill whole buffer');
    const taken = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return taken;
  }

  u32(): number {
    const value = this.#varint();
    if (value > 0xffffffffn) throw recipeError(`Invalid u32 ${value}: you may have a version disagreement?`);
    return Number(value);
  }

  /** A count that is only compared with the remaining bytes, so rounding a huge one does no harm. */
  length(): number {
    return Number(this.#varint());
  }

  /** The length of a field that must end before `size`, which may be beyond the available bytes. */
  lengthWithin(size: number): number {
    const length = this.length();
    if (this.#position + length > size) throw recipeError('io error: failed to fill whole buffer');
    return length;
  }

  string(): string {
    const bytes = this.take(this.length());
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      throw recipeError('string is not valid utf8', cause);
    }
  }

  entries(): RecipeEntry[] {
    const count = this.length();
    const entries: RecipeEntry[] = [];
    // Each entry takes at least three bytes, so a false count fails at the end of the bytes.
    for (let index = 0; index < count; index++) {
      entries.push({ minimal: this.u32(), full: this.u32(), length: this.u32() });
    }
    return entries;
  }

  #varint(): bigint {
    const [first = 0] = this.take(1);
    if (first <= 250) return BigInt(first);
    if (first === 254)
      throw recipeError('Invalid value (u128 range): you may have a version or configuration disagreement?');
    if (first === 255) {
      throw recipeError(
        '\nByte 255 is treated as an extension point; it should not be encoding anything.\n' +
          'Do you have a mismatched bincode version or configuration?\n',
      );
    }
    const width = 2 ** (first - 250);
    return this.take(width).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  }
}

function varint(value: number): Uint8Array {
  if (value <= 250) return Uint8Array.of(value);
  const [marker, width] = value <= 0xffff ? [251, 2] : value <= 0xffffffff ? [252, 4] : [253, 8];
  const bytes = new Uint8Array(1 + width);
  bytes[0] = marker;
  for (let index = 0; index < width; index++) bytes[1 + index] = Math.floor(value / 256 ** index) % 256;
  return bytes;
}

function recipeError(message: string, cause?: unknown): IsoError {
  return new IsoError('ISO_BAD_RECIPE', message, cause === undefined ? {} : { cause });
}

/** An error of `work` becomes the cause of an error with `context`. */
function within<T>(context: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw recipeError(context, cause);
  }
}
