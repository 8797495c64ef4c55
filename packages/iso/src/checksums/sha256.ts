import { sha256 as noble } from '@noble/hashes/sha2.js';
import { type OwnBytes, ownBytes } from '../bytes/source.ts';

/** Hashes bytes as they come. Nothing can be added after `digest`. */
export interface Hash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Of the platform's own bytes; `extends`, because of two joined signatures the wider one would count. */
interface OwnHash extends Hash {
  digest(): OwnBytes;
}

/** Begins a hash: `sha256`, or `nativeSha256` of `@coreiso/iso/node`, which is several times faster. */
export type HashFactory = () => Hash;

/**
 * SHA-256 of bytes that come in pieces: the platforms' own digest wants them all at once.
 *
 * @example
 * ```ts
 * const hash = sha256();
 * for await (const chunk of toReadableStream(source)) hash.update(chunk);
 * const digest = hash.digest();
 * ```
 */
export const sha256: () => OwnHash = () => {
  const hash = noble.create();
  return { update: (bytes) => hash.update(bytes), digest: () => ownBytes(hash.digest()) };
};
