import { TextIndex } from '@coreiso/peers/text-index';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';

/** The simple, slow computation. */
function place(text: string, offset: number) {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r(?!\n)/);
  const last = lines.at(-1)!;
  return {
    line: lines.length,
    column: [...last].length + 1,
    byteColumn: new TextEncoder().encode(last).length + 1,
    byteOffset: new TextEncoder().encode(text.slice(0, offset)).length,
  };
}

const texts = fc
  .array(fc.constantFrom('a', 'é', '€', '😀', '\u{10000}', '\u{103ff}', '\n', '\r', '\r\n', '\t', 'word '), {
    maxLength: 60,
  })
  .chain((parts) => fc.constantFrom(1, 7, 60).map((times) => parts.join('').repeat(times)));

test('gives the same places as counting from the start', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, seed) => {
      let offset = text.length === 0 ? 0 : seed % (text.length + 1);
      // Offsets inside a pair or between CR and LF have the place of its start.
      while (/^[\udc00-\udfff\n]/.test(text.slice(offset)) && offset > 0) offset--;
      const index = new TextIndex(text);
      const { line, column } = index.position(offset);
      expect({ line, column, byteColumn: index.byteColumn(offset), byteOffset: index.byteOffset(offset) }).toEqual(
        place(text, offset),
      );
    }),
    { numRuns: 500 },
  );
});

test('gives the same places as counting from the start around each kilobyte of a long text', () => {
  // The lengths have no common factor with 1024, so that lines, pairs and CR LF cross its multiples.
  const text = 'a\u00e9\u20ac\u{1f600}\r\nb\r\u{10ffff}c\n\u07ff\u0800\ufffd\u0080d'.repeat(400);
  const index = new TextIndex(text);
  const offsets = [1024, 2048, 3072, 4096, 5120, 6144].flatMap((at) => [at - 2, at - 1, at, at + 1, at + 2, at + 700]);
  for (const offset of [...offsets, text.length].filter((at) => !/^[\udc00-\udfff\n]/.test(text.slice(at, at + 1)))) {
    const { line, column } = index.position(offset);
    expect({ line, column, byteColumn: index.byteColumn(offset), byteOffset: index.byteOffset(offset) }).toEqual(
      place(text, offset),
    );
  }
});

test('scans a text once for any number of places', () => {
  const text = 'a'.repeat(5000);
  const read = vi.spyOn(String.prototype, 'charCodeAt');
  try {
    const index = new TextIndex(text);
    index.position(4999);
    const first = read.mock.calls.length;
    index.position(4999);
    expect(read.mock.calls.length - first).toBeLessThanOrEqual(2048);
  } finally {
    read.mockRestore();
  }
});

/** Sizes as in Go's text: a kept stray byte is one byte, another lone surrogate is written as U+FFFD. */
test.each([
  ['\u007f', 1],
  ['\u0080', 2],
  ['\u07ff', 2],
  ['\u0800', 3],
  ['\ud7ff', 3],
  ['\ud800', 3],
  ['\udbff', 3],
  ['\udc00', 3],
  ['\udc7f', 3],
  ['\udc80', 1],
  ['\udcff', 1],
  ['\udd00', 3],
  ['\udfff', 3],
  ['\ue000', 3],
  ['\uffff', 3],
])('counts %j as one character of %i bytes', (character, bytes) => {
  for (const [before, after] of [
    ['', ''],
    ['a', 'b'],
    ['\ud7ff', '\ue000'],
  ] as const) {
    const index = new TextIndex(`${before}${character}${after}`);
    const at = before.length + 1;
    expect(index.byteOffset(at) - index.byteOffset(at - 1)).toBe(bytes);
    expect(index.position(at).column).toBe(at + 1);
  }
});

test.each(['\u{10000}', '\u{103ff}', '\u{10400}', '\u{10ffff}'])(
  'counts %j as one character of four bytes',
  (character) => {
    const index = new TextIndex(`a${character}b`);
    expect(index.position(3)).toEqual({ offset: 3, line: 1, column: 3 });
    expect([index.byteColumn(3), index.byteOffset(4)]).toEqual([6, 6]);
  },
);

test('takes offsets outside the text as its ends', () => {
  const index = new TextIndex('a\nbc');
  expect([index.position(-5), index.position(99)]).toEqual([
    { offset: 0, line: 1, column: 1 },
    { offset: 4, line: 2, column: 3 },
  ]);
});
