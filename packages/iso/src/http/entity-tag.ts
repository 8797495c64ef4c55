import { checkArgument } from '@coreiso/peers/arguments';
import { type Segment, segmentsOf } from '../bytes/compose.ts';
import { identityOf } from '../bytes/identity.ts';
import { type ByteSource, bytesBehind, isZeros, toHex } from '../bytes/source.ts';
import { sha256 } from '../checksums/sha256.ts';
import { IsoError } from '../errors.ts';

/** Digits of the digest that are kept: 128 bits. */
const DIGITS = 32;

const encoder = new TextEncoder();

/** The version of a source: the current names of its bases, `undefined` for bases without a name. */
export type Version = ReadonlyMap<ByteSource, string | undefined>;

/** The bases of a source, and its last tag with the version that it is for: most requests repeat an earlier one. */
interface TaggedSource {
  readonly bases: readonly ByteSource[];
  tagged?: { readonly version: Version; readonly tag: string };
}

const known = new WeakMap<ByteSource, TaggedSource>();

/**
 * A strong entity tag from the parts of an image: the digest of its patches, and the names of its bases. The same
 * patches over the same base give the same tag, without reading the base. `undefined` if a part has no name: files have
 * their place, size and times, `httpSource` the server's validators, bytes in memory their digest.
 *
 * @example
 * ```ts
 * const { overlay } = await edit(image, { ignition });
 * console.log(await entityTag(overlay)); // "5f1d…", also of another file of the same bytes over the same base
 * ```
 */
export async function entityTag(source: ByteSource, signal?: AbortSignal): Promise<string | undefined> {
  checkArgument('source', source, 'source');
  return tagOf(source, await versionOf(source, signal));
}

/** The current version of `source`. */
export async function versionOf(source: ByteSource, signal?: AbortSignal): Promise<Version> {
  const version = new Map<ByteSource, string | undefined>();
  for (const base of taggedSourceOf(source).bases) version.set(base, await identityOf(base, signal));
  return version;
}

/** The strong entity tag of that version of `source`. */
export function tagOf(source: ByteSource, version: Version): string | undefined {
  const found = taggedSourceOf(source);
  if (found.tagged !== undefined && isSame(found.tagged.version, version)) return found.tagged.tag;
  if ([...version.values()].includes(undefined)) return undefined;
  const tag = digest(segmentsOf(source), version);
  found.tagged = { version, tag };
  return tag;
}

/** Fails if the bases have changed: the bytes read since may mix both versions. */
export async function checkUnchanged(version: Version, signal?: AbortSignal): Promise<void> {
  for (const [base, name] of version) {
    if ((await identityOf(base, signal)) === name) continue;
    throw new IsoError('ISO_CHANGED', 'the file was changed while it was read');
  }
}

function isSame(one: Version, other: Version): boolean {
  for (const [base, name] of one) if (other.get(base) !== name) return false;
  return true;
}

function taggedSourceOf(source: ByteSource): TaggedSource {
  const before = known.get(source);
  if (before !== undefined) return before;
  const bases = segmentsOf(source).flatMap((segment) =>
    'source' in segment && !isContained(segment) ? [segment.source] : [],
  );
  const found: TaggedSource = { bases: [...new Set(bases)] };
  known.set(source, found);
  return found;
}

/** Whether the bytes of a segment are in memory, so that it needs no name. */
function isContained(segment: Segment): boolean {
  return 'bytes' in segment || bytesBehind(segment.source) !== undefined || isZeros(segment.source);
}

function digest(segments: readonly Segment[], names: Version): string {
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
