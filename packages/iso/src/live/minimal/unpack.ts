import { type Composition, compose, slice } from '../../bytes/compose.ts';
import {
  type ByteSource,
  type Bytes,
  bytesSource,
  CHUNK_SIZE,
  concatBytes,
  toHex,
  type WorkOptions,
} from '../../bytes/source.ts';
import { type Hash, sha256 as portableSha256 } from '../../checksums/sha256.ts';
import { IsoError } from '../../errors.ts';
import { sourceReader } from '../../initrd/byte-reader.ts';
import { SECTOR } from '../../iso9660/fields.ts';
import type { Recipe } from './recipe.ts';

/** The packed part is directories, tables and padding: a few megabytes at most. */
const UNPACK_LIMIT = 256 * 1024 * 1024;

/** Options of computing digests. */
export interface DigestOptions extends WorkOptions {
  /** The SHA-256 implementation; `nativeSha256` of `@coreiso/iso/node` is several times faster. */
  readonly sha256?: (() => Hash) | undefined;
}

/**
 * The minimal image as a composition of the full image and the recipe's bytes, verified by its SHA-256. Reads only the
 * shared files of the full image.
 */
export async function unpackMinimal(
  full: ByteSource,
  recipe: Recipe,
  options: DigestOptions = {},
): Promise<Composition> {
  const minimal = compose(parts(full, recipe, await unpack(recipe.packed)));
  const [expected, found] = [recipe.digest, await digestOf(minimal, options)].map(toHex);
  if (expected === found) return minimal;
  throw new IsoError('ISO_WRONG_DIGEST', `wrong final digest: expected ${expected}, found ${found}`);
}

/** The SHA-256 of a whole source. */
export async function digestOf(
  source: ByteSource,
  { signal, onProgress, sha256 = portableSha256 }: DigestOptions = {},
): Promise<Uint8Array> {
  const hash = sha256();
  for (let at = 0; at < source.size; at += CHUNK_SIZE) {
    hash.update(await source.read(at, Math.min(CHUNK_SIZE, source.size - at), signal));
    onProgress?.({ done: Math.min(at + CHUNK_SIZE, source.size), total: source.size });
  }
  return hash.digest();
}

function* parts(full: ByteSource, { entries }: Recipe, rest: ByteSource): Generator<Bytes> {
  let position = 0;
  let taken = 0;
  for (const entry of entries) {
    const gap = entry.minimal * SECTOR - position;
    yield part(rest, taken, gap);
    yield part(full, entry.full * SECTOR, entry.length);
    taken += gap;
    position += gap + entry.length;
  }
  yield part(rest, taken, rest.size - taken);
}

function part(source: ByteSource, offset: number, length: number): Bytes {
  const available = Math.max(0, source.size - offset);
  if (length <= available) return slice(source, offset, length);
  const message = `expected to copy ${length} bytes but instead copied ${available} bytes`;
  throw new IsoError('ISO_BAD_RECIPE', message, { offset });
}

async function unpack(packed: Uint8Array): Promise<ByteSource> {
  const { unxz } = await import('../../initrd/unxz.ts');
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of unxz(sourceReader(bytesSource(packed)))) {
    total += chunk.length;
    if (total > UNPACK_LIMIT) {
      throw new IsoError('ISO_UNPACK_LIMIT', `the recipe unpacks to more than ${UNPACK_LIMIT} bytes`);
    }
    chunks.push(chunk);
  }
  return bytesSource(concatBytes(chunks));
}
