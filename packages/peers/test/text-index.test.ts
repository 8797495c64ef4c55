import { TextIndex } from '@coreiso/peers/text-index';
import fc from 'fast-check';
import { expect, test } from 'vitest';

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
