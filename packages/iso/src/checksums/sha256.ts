import { sha256 as noble } from '@noble/hashes/sha2.js';
import { type OwnBytes, ownBytes } from '../bytes/source.ts';

/** An incremental hash. Nothing can be added after `digest`. */
export interface Hash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/**
 * Incremental SHA-256; the platforms' own digest needs all bytes at once.
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
