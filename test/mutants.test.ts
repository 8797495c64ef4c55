import { expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { mutantsOf } from '../scripts/mutants/sites.mjs';

const mutated = (source: string): string[] =>
  mutantsOf('a.ts', source).map(
    ({ start, end, text }: { start: number; end: number; text: string }) =>
      source.slice(0, start) + text + source.slice(end),
  );

test.each<[string, string[]]>([
  ['a < b', ['a <= b']],
  ['a && !b', ['a || !b', 'a && b']],
  ['x = a ? 1 : -b', ['x = true ? 1 : -b', 'x = false ? 1 : -b', 'x = a ? (1 + 1) : -b', 'x = a ? 1 : b']],
  ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
  ["await close('x')", [';', "await close('')"]],
  ['i++', ['i--']],
])('%s becomes each of its mutants', (source, expected) => {
  expect(mutated(source)).toEqual(expected);
});

test.each([
  "import a from 'a';",
  "type A = 'a' | 1;",
  'interface A { readonly a: 1 }',
  "throw new RangeError('message');",
])('%s has none', (source) => {
  expect(mutated(source)).toEqual([]);
});

test('the code of an error is behaviour, its message is text', () => {
  expect(mutated("throw new IsoError('ISO_IO', 'message');")).toEqual(["throw new IsoError('', 'message');"]);
});
