import { checkArgument } from '@coreiso/peers/arguments';
import type { ByteSource } from './source.ts';

/** Returns the name of a source's contents without reading them; fails if they have changed. */
type Identify = (signal?: AbortSignal) => Promise<string | undefined>;

const identities = new WeakMap<ByteSource, Identify>();

/**
 * Names the contents of `source`: different contents must have different names, and the same file always the same name.
 */
export function setIdentity(source: ByteSource, identify: Identify): void {
  identities.set(source, identify);
}

/** The name of the contents of `source`, or `undefined` if they have none. */
export async function identityOf(source: ByteSource, signal?: AbortSignal): Promise<string | undefined> {
  return identities.get(source)?.(signal);
}

/**
 * Gives a source an identity for entity tags. Different contents must have different identities. `identify` is called each time,
 * and fails if the bytes have changed.
 *
 * @example
 * ```ts
 * const base = identified(objectSource, async () => `images/rhcos-live.iso ${etag}`);
 * ```
 */
export function identified(
  source: ByteSource,
  identify: (signal?: AbortSignal) => Promise<string | undefined>,
): ByteSource {
  checkArgument('source', source, 'source');
  checkArgument('identify', identify, 'function');
  const named: ByteSource = {
    size: source.size,
    ...(source.pieceSize === undefined ? {} : { pieceSize: source.pieceSize }),
    read: (offset, length, signal) => source.read(offset, length, signal),
  };
  setIdentity(named, identify);
  return named;
}
