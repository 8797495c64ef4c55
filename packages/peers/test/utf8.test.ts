import { decodeLossless, findInvalidUtf8, isStrayByte } from '@coreiso/peers/utf8';
import { expect, test } from 'vitest';

/** Both ends of every range of RFC 3629 §4 for the first and the second byte of a character. */
const EDGES = [
  ...[0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf],
  ...[0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff],
];
/** The same for the third and fourth byte. */
const LATER = [0x7f, 0x80, 0xbf, 0xc0];

test('agrees with the platform at every edge of every range', () => {
  const lenient = new TextDecoder('utf-8');
  const encoder = new TextEncoder();
  const differing: string[] = [];
  const compare = (...sequence: number[]) => {
    const bytes = Uint8Array.from(sequence);
    const replaced = lenient.decode(bytes);
    const bad = replaced.indexOf('\ufffd');
    const expected = bad < 0 ? bytes.length : encoder.encode(replaced.slice(0, bad)).length;
    if (findInvalidUtf8(bytes, 0) !== expected) differing.push(sequence.map((byte) => byte.toString(16)).join(' '));
  };
  for (const lead of EDGES) {
    compare(lead);
    for (const second of EDGES) {
      compare(lead, second);
      for (const third of LATER) {
        compare(lead, second, third);
        for (const fourth of LATER) compare(lead, second, third, fourth);
      }
    }
  }
  expect(differing).toEqual([]);
});

test('searches from the given offset', () => {
  const bytes = Uint8Array.of(0xff, 0x61, 0xc3, 0xa9, 0xff);
  expect([0, 1, 2, 4, 5].map((start) => findInvalidUtf8(bytes, start))).toEqual([0, 4, 4, 4, 5]);
});

test('keeps a byte that is not part of a character, and a byte order mark', () => {
  const decode = (...bytes: number[]) => decodeLossless(Uint8Array.from(bytes));
  expect(decode(0x61, 0xff, 0x80, 0x62)).toBe('a\udcff\udc80b');
  expect(decode(0xe2, 0x82)).toBe('\udce2\udc82');
  expect(decode(0xef, 0xbb, 0xbf, 0x61)).toBe('\ufeffa');
  expect(decode()).toBe('');
  expect([0xdc7f, 0xdc80, 0xdcff, 0xdd00].map(isStrayByte)).toEqual([false, true, true, false]);
});
