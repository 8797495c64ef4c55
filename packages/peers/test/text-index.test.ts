import { TextIndex } from '@coreiso/peers/text-index';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';

/** The slow and obvious way. */
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

test('every place is what counting from the start gives', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, seed) => {
      let offset = text.length === 0 ? 0 : seed % (text.length + 1);
      // Inside a pair or between CR and LF there is no place of its own.
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

test('places around each kilobyte of a long text are what counting from the start gives', () => {
  // The lengths have no common factor with 1024, so that lines, pairs and line ends of two lie across its multiples.
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

test('a text is looked through once, however many places are asked for', () => {
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

/** As the bytes of Go's text: what is kept of a stray byte is one byte, half a pair is written as U+FFFD. */
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
])('%j is one character, of %i bytes', (character, bytes) => {
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

test.each(['\u{10000}', '\u{103ff}', '\u{10400}', '\u{10ffff}'])('%j is one character of four bytes', (character) => {
  const index = new TextIndex(`a${character}b`);
  expect(index.position(3)).toEqual({ offset: 3, line: 1, column: 3 });
  expect([index.byteColumn(3), index.byteOffset(4)]).toEqual([6, 6]);
});

test('offsets outside the text are its ends', () => {
  const index = new TextIndex('a\nbc');
  expect([index.position(-5), index.position(99)]).toEqual([
    { offset: 0, line: 1, column: 1 },
    { offset: 4, line: 2, column: 3 },
  ]);
});
