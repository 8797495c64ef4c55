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
