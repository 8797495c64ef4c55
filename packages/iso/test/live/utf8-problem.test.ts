import { expect, test } from 'vitest';
import { utf8Problem } from '../../src/live/utf8-problem.ts';

// As Rust's `str::from_utf8` words them.
test.each([
  ['ff', 'invalid utf-8 sequence of 1 bytes from index 0'],
  ['61 80 62', 'invalid utf-8 sequence of 1 bytes from index 1'],
  ['c3 a4 c0 af', 'invalid utf-8 sequence of 1 bytes from index 2'],
  ['c3 28', 'invalid utf-8 sequence of 1 bytes from index 0'],
  ['e0 80 80', 'invalid utf-8 sequence of 1 bytes from index 0'],
  ['ed a0 80', 'invalid utf-8 sequence of 1 bytes from index 0'],
  ['e2 82 28', 'invalid utf-8 sequence of 2 bytes from index 0'],
  ['f0 9f 98 28', 'invalid utf-8 sequence of 3 bytes from index 0'],
  ['f0 80 80 80', 'invalid utf-8 sequence of 1 bytes from index 0'],
  ['f4 90 80 80', 'invalid utf-8 sequence of 1 bytes from index 0'],
  ['f5 80 80 80', 'invalid utf-8 sequence of 1 bytes from index 0'],
  ['61 c3', 'incomplete utf-8 byte sequence from index 1'],
  ['e2 82', 'incomplete utf-8 byte sequence from index 0'],
  ['f0 9f 98', 'incomplete utf-8 byte sequence from index 0'],
])('%s: %s', (bytes, problem) => {
  expect(utf8Problem(Buffer.from(bytes.replaceAll(' ', ''), 'hex'))).toBe(problem);
});

/** The problem according to the platform's decoder: the longest accepted beginning, and its complete part. */
function platformProblem(bytes: Uint8Array): string {
  let [sound, whole] = [0, 0];
  for (let length = 0; length <= bytes.length; length++) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      [sound, whole] = [length, new TextEncoder().encode(text).length];
    } catch {
      return `invalid utf-8 sequence of ${Math.max(1, sound - whole)} bytes from index ${whole}`;
    }
  }
  return `incomplete utf-8 byte sequence from index ${whole}`;
}

test('judges any first byte with any limit of the others like the platform', () => {
  const limits = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
  for (let first = 0x7f; first <= 0xff; first++) {
    for (const second of limits) {
      for (const third of [0x7f, 0x80, 0xbf, 0xc0]) {
        const bytes = Uint8Array.of(0x61, first, second, third, third, 0xff);
        for (const length of [3, 4, 6]) {
          const start = bytes.subarray(0, length);
          const isSound = !Buffer.from(start).toString().includes('\ufffd');
          if (!isSound) expect(utf8Problem(start)).toBe(platformProblem(start));
        }
      }
    }
  }
});
