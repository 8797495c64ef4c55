import { type ByteSource, type OwnBytes, sha256 } from '@coreiso/iso';
import { hex } from '@coreiso/peers/go';
import { OpenshiftError } from '../errors.ts';

/** What an overlay leaves out of its base is shorter than this; larger gaps come from reading here and there. */
const LARGEST_GAP = 1024 * 1024;

/**
 * Compares a base image with its SHA-256 while it is read, so that copying it reads it once. What no one has read by the end of an
 * output is read then: no output can be had whole of a wrong base.
 */
export class DigestCheck {
  /** The base; what is read of it in order is hashed on the way. */
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

  /** An output whose last byte is only given away once the base has turned out to be the right one. */
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
      // A failure is the reader's to see; the hash goes on where it was.
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

  /** Ends once the whole base has been read, or fails where it is another one. */
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
