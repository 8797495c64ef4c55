import { createHash } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { crc32 } from '../../src/checksums/crc32.ts';
import { sha256 } from '../../src/checksums/sha256.ts';
import { Xxh64 } from '../../src/checksums/xxh64.ts';
import { noise, utf8 } from '../initrd/archives.ts';

const BYTES = noise('checksums', 300);
/** The lengths below this one have every remainder of four, eight and thirty-two bytes several times. */
const LENGTHS = Array.from({ length: 150 }, (_, length) => length);

describe('CRC-32', () => {
  test.each([0, 1, 2, 3])("equals zlib's for every length, from byte %d of an array on", (start) => {
    for (const length of LENGTHS) {
      const bytes = BYTES.subarray(start, start + length);
      expect(crc32(bytes)).toBe(zlibCrc32(bytes));
    }
  });

  test('continues after earlier bytes', () => {
    const whole = zlibCrc32(BYTES);
    for (const cut of LENGTHS) expect(crc32(BYTES.subarray(cut), crc32(BYTES.subarray(0, cut)))).toBe(whole);
  });

  test('handles every value of a byte', () => {
    for (let value = 0; value < 256; value++) expect(crc32(Uint8Array.of(value))).toBe(zlibCrc32(Uint8Array.of(value)));
  });
});

describe('XXH64', () => {
  const low32 = (...pieces: readonly Uint8Array[]): number => {
    const hash = new Xxh64();
    for (const piece of pieces) hash.update(piece);
    return hash.low32();
  };

  test.each([
    ['', 0x51d8e999],
    ['abc', 0xad770999],
  ])('of %j is the published one', (text, value) => {
    expect(low32(utf8(text))).toBe(value);
  });

  test('matches its specification for every length', () => {
    for (const length of LENGTHS) {
      const bytes = BYTES.subarray(1, 1 + length);
      expect(low32(bytes)).toBe(Number(specifiedXxh64(bytes) & 0xffffffffn));
    }
  });

  test('does not depend on the pieces', () => {
    const whole = low32(BYTES);
    for (const cut of LENGTHS) {
      expect(low32(BYTES.subarray(0, cut), BYTES.subarray(cut, cut + 7), BYTES.subarray(cut + 7))).toBe(whole);
      expect(low32(BYTES.subarray(0, cut), BYTES.subarray(cut, cut + 64), BYTES.subarray(cut + 64))).toBe(whole);
    }
  });

  test('does not depend on a few bytes after whole stripes', () => {
    for (const more of [0, 1, 31]) {
      expect(low32(BYTES.subarray(0, 64), BYTES.subarray(64, 64 + more))).toBe(low32(BYTES.subarray(0, 64 + more)));
    }
  });

  test('handles numbers with every carry', () => {
    for (const filling of [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff]) {
      const bytes = new Uint8Array(77).fill(filling);
      expect(low32(bytes)).toBe(Number(specifiedXxh64(bytes) & 0xffffffffn));
    }
  });
});

/** The algorithm of the xxHash specification, with 64-bit numbers. */
function specifiedXxh64(bytes: Uint8Array): bigint {
  const [P1, P2, P3, P4, P5] = [
    0x9e3779b185ebca87n,
    0xc2b2ae3d27d4eb4fn,
    0x165667b19e3779f9n,
    0x85ebca77c2b2ae63n,
    0x27d4eb2f165667c5n,
  ] as const;
  const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
  const rotate = (value: bigint, bits: bigint): bigint => u64((value << bits) | (value >> (64n - bits)));
  const round = (lane: bigint, input: bigint): bigint => u64(rotate(u64(lane + input * P2), 31n) * P1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash: bigint = P5;
  if (bytes.length >= 32) {
    const lanes = [u64(P1 + P2), P2, 0n, u64(-P1)];
    for (; at + 32 <= bytes.length; at += 32) {
      for (const lane of [0, 1, 2, 3]) lanes[lane] = round(lanes[lane]!, view.getBigUint64(at + 8 * lane, true));
    }
    hash = u64([1n, 7n, 12n, 18n].reduce((sum, turn, lane) => sum + rotate(lanes[lane]!, turn), 0n));
    for (const lane of lanes) hash = u64((hash ^ round(0n, lane)) * P1 + P4);
  }
  hash = u64(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = u64(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4);
  }
  if (at + 4 <= bytes.length) {
    hash = u64(rotate(hash ^ u64(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < bytes.length; at++) hash = u64(rotate(hash ^ u64(BigInt(bytes[at]!) * P5), 11n) * P1);
  hash = u64((hash ^ (hash >> 33n)) * P2);
  hash = u64((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}

test("equals the platform's SHA-256 for all pieces", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 299]) {
    const hash = sha256();
    hash.update(BYTES.subarray(0, length >> 1));
    hash.update(BYTES.subarray(length >> 1, length));
    const theirs = createHash('sha256').update(BYTES.subarray(0, length)).digest();
    expect(Buffer.from(hash.digest())).toEqual(theirs);
  }
});
