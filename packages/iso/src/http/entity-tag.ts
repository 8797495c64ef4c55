import { checkArgument } from '../arguments.ts';
import { type Segment, segmentsOf } from '../bytes/compose.ts';
import { identityOf } from '../bytes/identity.ts';
import { type ByteSource, bytesBehind, isZeros, toHex } from '../bytes/source.ts';
import { sha256 } from '../checksums/sha256.ts';

/** Digits of the digest that are kept: 128 bits. */
const DIGITS = 32;

const encoder = new TextEncoder();

/** The tag that a source got under the names that its bases had then: most requests are for what was asked for before. */
const known = new WeakMap<ByteSource, { readonly names: ReadonlyMap<ByteSource, string>; readonly tag: string }>();

/**
 * A strong entity tag from what an image is made of: the digest of its patches, and the names of its bases. Whoever lays
 * the same patches over the same base gets the same tag, without reading the base. `undefined` where a part has no name:
 * files have their size and time, `httpSource` what the server said, bytes in memory their digest.
 *
 * @example
 * ```ts
 * const { overlay } = await edit(image, { ignition });
 * console.log(await entityTag(overlay)); // "5f1d…", also on another machine with a copy of the base
 * ```
 */
export async function entityTag(source: ByteSource, signal?: AbortSignal): Promise<string | undefined> {
  checkArgument('source', source, 'source');
  const before = known.get(source);
  if (before !== undefined && (await areStill(before.names, signal))) return before.tag;
  const segments = segmentsOf(source);
  const names = new Map<ByteSource, string>();
  for (const segment of segments) {
    if (!('source' in segment) || names.has(segment.source) || isContained(segment)) continue;
    const name = await identityOf(segment.source, signal);
    if (name === undefined) return undefined;
    names.set(segment.source, name);
  }
  const tag = digest(segments, names);
  known.set(source, { names, tag });
  return tag;
}

async function areStill(names: ReadonlyMap<ByteSource, string>, signal: AbortSignal | undefined): Promise<boolean> {
  for (const [source, name] of names) if ((await identityOf(source, signal)) !== name) return false;
  return true;
}

/** Whether the bytes of a segment are at hand, and need no name. */
function isContained(segment: Segment): boolean {
  return 'bytes' in segment || bytesBehind(segment.source) !== undefined || isZeros(segment.source);
}

function digest(segments: readonly Segment[], names: ReadonlyMap<ByteSource, string>): string {
  const hash = sha256();
  const line = (text: string): unknown => hash.update(encoder.encode(`${text}\n`));
  for (const segment of segments) {
    const bytes = 'bytes' in segment ? segment.bytes : bytesBehind(segment.source);
    const offset = 'bytes' in segment ? 0 : segment.offset;
    if (bytes !== undefined) {
      line(`bytes ${segment.length}`);
      hash.update(bytes.subarray(offset, offset + segment.length));
    } else if ('source' in segment && isZeros(segment.source)) {
      line(`zeros ${segment.length}`);
    } else if ('source' in segment) {
      line(`from ${offset} ${segment.length} ${JSON.stringify(names.get(segment.source))}`);
    }
  }
  return `"${toHex(hash.digest()).slice(0, DIGITS)}"`;
}
