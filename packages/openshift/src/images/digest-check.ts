import { type ByteSource, type OwnBytes, sha256 } from '@coreiso/iso';
import { hex } from '@coreiso/peers/go';
import { OpenshiftError } from '../errors.ts';

/** Overlays skip fewer bytes of their base than this; larger gaps come from random access. */
const LARGEST_GAP = 1024 * 1024;

/**
 * Compares a base image with its SHA-256 while it is read, so that a copy reads it only once. At the end of an output the rest of
 * the base is read: no output of a wrong base is ever complete.
 */
export class DigestCheck {
  /** The base; bytes that are read in order are hashed. */
  readonly source: ByteSource;
  readonly #base: ByteSource;
  readonly #expected: string;
  readonly #hash = sha256();
  #hashed = 0;
  #queue: Promise<void> = Promise.resolve();
  #verdict: Promise<void> | undefined;

  constructor(base: ByteSource, sha256: string) {
    if (!/^[0-9a-f]{64}$/i.test(sha256)) throw new TypeError('baseSha256 must be 64 hexadecimal digits');
    this.#base = base;
    this.#expected = sha256.toLowerCase();
    this.source = { size: base.size, read: (offset, length, signal) => this.#read(offset, length, signal) };
  }

  /** An output that withholds its last byte until the base has proved to be the expected one. */
  guard(output: ByteSource): ByteSource {
    return {
      size: output.size,
      read: async (offset, length, signal) => {
        const bytes = await output.read(offset, length, signal);
        if (offset + length >= output.size) await this.verify(signal);
        return bytes;
      },
    };
  }

  #read(offset: number, length: number, signal: AbortSignal | undefined): Promise<OwnBytes> {
    const reading = this.#base.read(offset, length, signal);
    if (this.#verdict === undefined) {
      // The caller gets the error of a failed read; hashing continues at its last position.
      this.#queue = this.#queue.then(async () => this.#take(offset, await reading, signal)).catch(() => undefined);
    }
    return reading;
  }

  async #take(offset: number, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    if (offset > this.#hashed + LARGEST_GAP) return;
    if (offset > this.#hashed) await this.#hashUpTo(offset, signal);
    const fresh = bytes.subarray(this.#hashed - offset);
    if (offset + bytes.length <= this.#hashed) return;
    this.#hash.update(fresh);
    this.#hashed += fresh.length;
  }

  async #hashUpTo(end: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.#hashed < end) {
      const bytes = await this.#base.read(this.#hashed, Math.min(LARGEST_GAP, end - this.#hashed), signal);
      this.#hash.update(bytes);
      this.#hashed += bytes.length;
    }
  }

  /** Ends when the whole base has been read; fails if it is another one. */
  verify(signal: AbortSignal | undefined): Promise<void> {
    this.#verdict ??= this.#judge(signal);
    return this.#verdict;
  }

  async #judge(signal: AbortSignal | undefined): Promise<void> {
    await this.#queue;
    await this.#hashUpTo(this.#base.size, signal);
    const found = hex(this.#hash.digest());
    if (found === this.#expected) return;
    const message = `wrong base image: its SHA-256 is ${found}, not ${this.#expected}`;
    throw new OpenshiftError('OPENSHIFT_WRONG_BASE', message);
  }
}
