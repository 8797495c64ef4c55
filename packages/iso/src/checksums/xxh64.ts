/**
 * XXH64 with seed 0, as Zstandard frames carry it (RFC 8878 3.1.1). Numbers of 64 bits are pairs of 32-bit halves:
 * BigInt would be some twenty times slower, and an initramfs has hundreds of megabytes.
 */

/** A 64-bit number: the high half, then the low one. */
type Word = [high: number, low: number];

const PRIME1: Word = [0x9e3779b1, 0x85ebca87];
const PRIME2: Word = [0xc2b2ae3d, 0x27d4eb4f];
const PRIME3: Word = [0x165667b1, 0x9e3779f9];
const PRIME4: Word = [0x85ebca77, 0xc2b2ae63];
const PRIME5: Word = [0x27d4eb2f, 0x165667c5];
const STRIPE = 32;

/** Hashes bytes as they come. */
export class Xxh64 {
  // Lane n is at 2n (high) and 2n + 1 (low).
  readonly #lanes = new Int32Array(8);
  readonly #rest = new Uint8Array(STRIPE);
  #restLength = 0;
  #total: Word = [0, 0];
  /** Whether a whole stripe was hashed. */
  #striped = false;

  constructor() {
    const zero: Word = [0, 0];
    const seeds = [add(PRIME1, PRIME2), PRIME2, zero, add(zero, negate(PRIME1))];
    for (const [lane, seed] of seeds.entries()) this.#lanes.set(seed, 2 * lane);
  }

  update(bytes: Uint8Array): void {
    this.#total = add(this.#total, [0, bytes.length]);
    let at = 0;
    if (this.#restLength > 0) {
      at = Math.min(STRIPE - this.#restLength, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restLength);
      this.#restLength += at;
      if (this.#restLength < STRIPE) return;
      this.#stripes(this.#rest, 0, STRIPE);
    }
    const whole = bytes.length - ((bytes.length - at) % STRIPE);
    this.#stripes(bytes, at, whole);
    this.#rest.set(bytes.subarray(whole));
    this.#restLength = bytes.length - whole;
  }

  /** The low half of the hash: the part that a frame stores. */
  low32(): number {
    let hash = add(this.#striped ? this.#mergedLanes() : PRIME5, this.#total);
    const view = new DataView(this.#rest.buffer);
    let at = 0;
    for (; at + 8 <= this.#restLength; at += 8) {
      const lane: Word = [view.getUint32(at + 4, true), view.getUint32(at, true)];
      hash = add(multiply(rotate(xor(hash, round([0, 0], lane)), 27), PRIME1), PRIME4);
    }
    if (at + 4 <= this.#restLength) {
      const lane = multiply([0, view.getUint32(at, true)], PRIME1);
      hash = add(multiply(rotate(xor(hash, lane), 23), PRIME2), PRIME3);
      at += 4;
    }
    for (; at < this.#restLength; at++) {
      const lane = multiply([0, this.#rest[at] as number], PRIME5);
      hash = multiply(rotate(xor(hash, lane), 11), PRIME1);
    }
    hash = multiply(xor(hash, shiftRight(hash, 33)), PRIME2);
    hash = multiply(xor(hash, shiftRight(hash, 29)), PRIME3);
    return xor(hash, shiftRight(hash, 32))[1] >>> 0;
  }

  /** The inner loop: `round` written out without allocating, 8 bytes at a time. */
  #stripes(bytes: Uint8Array, start: number, end: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const lanes = this.#lanes;
    this.#striped ||= start < end;
    for (let at = start; at < end; at += 8) {
      const lane = ((at - start) >>> 2) & 6;
      // lane += input * PRIME2
      const low = view.getUint32(at, true);
      const high = view.getUint32(at + 4, true);
      const productLow = Math.imul(low, 0x27d4eb4f);
      const productHigh = (mulHigh(low, 0x27d4eb4f) + Math.imul(high, 0x27d4eb4f) + Math.imul(low, 0xc2b2ae3d)) | 0;
      const oldLow = lanes[lane + 1] as number;
      const sumLow = (oldLow + productLow) | 0;
      const carry = sumLow >>> 0 < oldLow >>> 0 ? 1 : 0;
      const sumHigh = ((lanes[lane] as number) + productHigh + carry) | 0;
      // rotated by 31, times PRIME1
      const turnedHigh = (sumHigh << 31) | (sumLow >>> 1);
      const turnedLow = (sumLow << 31) | (sumHigh >>> 1);
      lanes[lane] =
        mulHigh(turnedLow, 0x85ebca87) + Math.imul(turnedHigh, 0x85ebca87) + Math.imul(turnedLow, 0x9e3779b1);
      lanes[lane + 1] = Math.imul(turnedLow, 0x85ebca87);
    }
  }

  #mergedLanes(): Word {
    const lanes = [0, 2, 4, 6].map((at) => [...this.#lanes.subarray(at, at + 2)] as Word);
    let hash: Word = [0, 0];
    for (const [index, turn] of [1, 7, 12, 18].entries()) hash = add(hash, rotate(lanes[index] as Word, turn));
    for (const lane of lanes) hash = add(multiply(xor(hash, round([0, 0], lane)), PRIME1), PRIME4);
    return hash;
  }
}

function round(lane: Word, input: Word): Word {
  return multiply(rotate(add(lane, multiply(input, PRIME2)), 31), PRIME1);
}

/** The high half of the product of two 32-bit numbers, both taken as unsigned. */
function mulHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const cross = aLow * bHigh + (middle % 0x10000);
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(cross / 0x10000)) | 0;
}

function multiply([aHigh, aLow]: Word, [bHigh, bLow]: Word): Word {
  return [(mulHigh(aLow, bLow) + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) | 0, Math.imul(aLow, bLow)];
}

function add([aHigh, aLow]: Word, [bHigh, bLow]: Word): Word {
  const low = (aLow + bLow) | 0;
  return [(aHigh + bHigh + (low >>> 0 < aLow >>> 0 ? 1 : 0)) | 0, low];
}

function negate([high, low]: Word): Word {
  return add([~high, ~low], [0, 1]);
}

function xor([aHigh, aLow]: Word, [bHigh, bLow]: Word): Word {
  return [aHigh ^ bHigh, aLow ^ bLow];
}

/** Rotates left by fewer than 32 bits. */
function rotate([high, low]: Word, bits: number): Word {
  return [(high << bits) | (low >>> (32 - bits)), (low << bits) | (high >>> (32 - bits))];
}

function shiftRight([high, low]: Word, bits: number): Word {
  if (bits >= 32) return [0, high >>> (bits - 32)];
  return [high >>> bits, (low >>> bits) | (high << (32 - bits))];
}
