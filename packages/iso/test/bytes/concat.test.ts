import { expect, test } from 'vitest';
import { concatBytes } from '../../src/bytes/source.ts';

test.each([
  ['no chunks', [], []],
  ['one chunk', [[1, 2]], [1, 2]],
  ['several, empty ones among them', [[1, 2], [], [3], [4, 5]], [1, 2, 3, 4, 5]],
])('%s become one array', (_, chunks, whole) => {
  expect([...concatBytes(chunks.map((chunk) => Uint8Array.from(chunk)))]).toEqual(whole);
});

test('does not copy a single chunk', () => {
  const chunk = Uint8Array.of(1);
  expect(concatBytes([chunk])).toBe(chunk);
});
