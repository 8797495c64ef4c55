import { segmentsOf } from '../bytes/compose.ts';
import { identityOf } from '../bytes/identity.ts';
import { type ByteSource, bytesBehind, isZeros, toHex } from '../bytes/source.ts';
import { sha256 } from '../checksums/sha256.ts';

/** Digits of the digest that are kept: 128 bits. */
const DIGITS = 32;

const encoder = new TextEncoder();

/**
 * A strong entity tag from what an image is made of: the digest of its patches, and the names of its bases. Whoever lays
 * the same patches over the same base gets the same tag, without reading the base. `undefined` where a part has no name.
 */
export async function entityTag(source: ByteSource, signal?: AbortSignal): Promise<string | undefined> {
  const hash = sha256();
  const line = (text: string): unknown => hash.update(encoder.encode(`${text}\n`));
  for (const segment of segmentsOf(source)) {
    const bytes = 'bytes' in segment ? segment.bytes : bytesBehind(segment.source);
    const offset = 'bytes' in segment ? 0 : segment.offset;
    if (bytes !== undefined) {
      line(`bytes ${segment.length}`);
      hash.update(bytes.subarray(offset, offset + segment.length));
    } else if ('source' in segment && isZeros(segment.source)) {
      line(`zeros ${segment.length}`);
    } else if ('source' in segment) {
      const name = await identityOf(segment.source, signal);
      if (name === undefined) return undefined;
      line(`from ${offset} ${segment.length} ${JSON.stringify(name)}`);
    }
  }
  return `"${toHex(hash.digest()).slice(0, DIGITS)}"`;
}
