import { sha256 as noble } from '@noble/hashes/sha2.js';
import { type OwnBytes, ownBytes } from '../bytes/source.ts';

/** Hashes bytes as they come. Nothing can be added after `digest`. */
export interface Hash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/**
 * SHA-256 of bytes that come in pieces: the platforms' own digest needs them all at once.
 *
 * @example
 * ```ts
 * const hash = sha256();
 * for await (const chunk of toReadableStream(source)) hash.update(chunk);
 * const digest = hash.digest();
 * ```
 */
export const sha256: () => Omit<Hash, 'digest'> & { digest(): OwnBytes } = () => {
  const hash = noble.create();
  return { update: (bytes) => hash.update(bytes), digest: () => ownBytes(hash.digest()) };
};
