// SHA-256 (FIPS 180-4) of bytes that come in pieces: the platforms' own digest wants them all at once.

const BLOCK = 64;

/** Fractional parts of the cube roots of the first 64 primes (FIPS 180-4 4.2.2). */
const ROUND_CONSTANTS = fractions(64, Math.cbrt);
/** Fractional parts of the square roots of the first eight primes (FIPS 180-4 5.3.3). */
const INITIAL = fractions(8, Math.sqrt);

function fractions(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Int32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}

/** Hashes bytes as they come. */
export class Sha256 {
  readonly #state = INITIAL.slice();
  readonly #schedule = new Int32Array(BLOCK);
  readonly #rest = new Uint8Array(BLOCK);
  #total = 0;

  update(bytes: Uint8Array): this {
    let at = 0;
    const held = this.#total % BLOCK;
    this.#total += bytes.length;
    if (held > 0) {
      at = Math.min(BLOCK - held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), held);
      if (held + at < BLOCK) return this;
      this.#blocks(this.#rest, 0, BLOCK);
    }
    const whole = bytes.length - ((bytes.length - at) % BLOCK);
    this.#blocks(bytes, at, whole);
    this.#rest.set(bytes.subarray(whole));
    return this;
  }

  /** The 32 bytes of the hash. Nothing can be added afterwards. */
  digest(): Uint8Array {
    const bits = this.#total * 8;
    const held = this.#total % BLOCK;
    const ending = new Uint8Array(held < BLOCK - 8 ? BLOCK - held : 2 * BLOCK - held);
    ending[0] = 0x80;
    const view = new DataView(ending.buffer);
    view.setUint32(ending.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(ending.length - 4, bits % 2 ** 32);
    this.update(ending);
    const digest = new DataView(new ArrayBuffer(32));
    for (const [index, word] of this.#state.entries()) digest.setInt32(4 * index, word);
    return new Uint8Array(digest.buffer);
  }

  /** FIPS 180-4 6.2.2. */
  #blocks(bytes: Uint8Array, start: number, end: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const w = this.#schedule;
    for (let at = start; at < end; at += BLOCK) {
      for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
      for (let t = 16; t < 64; t++) {
        const w15 = w[t - 15] as number;
        const w2 = w[t - 2] as number;
        const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
        const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
        w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0;
      }
      this.#compress();
    }
  }

  #compress(): void {
    const state = this.#state;
    const w = this.#schedule;
    let a = state[0] as number;
    let b = state[1] as number;
    let c = state[2] as number;
    let d = state[3] as number;
    let e = state[4] as number;
    let f = state[5] as number;
    let g = state[6] as number;
    let h = state[7] as number;
    for (let t = 0; t < 64; t++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[t] as number) + (w[t] as number)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0] = (state[0] as number) + a;
    state[1] = (state[1] as number) + b;
    state[2] = (state[2] as number) + c;
    state[3] = (state[3] as number) + d;
    state[4] = (state[4] as number) + e;
    state[5] = (state[5] as number) + f;
    state[6] = (state[6] as number) + g;
    state[7] = (state[7] as number) + h;
  }
}

/** Bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
