import { type Node, parseYaml, valueOrThrow } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** Scalars as text, mappings as lists of pairs. */
function outline(node: Node | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'sequence') return node.items.map(outline);
  return { entries: node.entries.map(({ key, value }) => [outline(key), outline(value)]) };
}

function read(text: string): unknown {
  return outline(valueOrThrow(parseYaml(text)[0]).root);
}

test.each([
  ['a closing bracket at the column of its key', 'k: [\n  a,\n  b\n]\n', { entries: [['k', ['a', 'b']]] }],
  ['a closing brace at the column of its key', 'k: {\n  a: b\n}\n', { entries: [['k', { entries: [['a', 'b']] }]] }],
  [
    'duplicate keys, in order',
    'a: 1\na: 2',
    {
      entries: [
        ['a', '1'],
        ['a', '2'],
      ],
    },
  ],
  ['tabs between key and value', 'a:\tb', { entries: [['a', 'b']] }],
  ['a colon inside a word', 'a: b:c', { entries: [['a', 'b:c']] }],
  ['a hash inside a word', 'a: b#c', { entries: [['a', 'b#c']] }],
  [
    'adjacent JSON',
    '{"a":1,"b":[true]}',
    {
      entries: [
        ['a', '1'],
        ['b', ['true']],
      ],
    },
  ],
  ['folded plain lines', 'a\n b\n\n c', 'a b\nc'],
  ['folded quoted lines', '"a\n b\n\n c"', 'a b\nc'],
  ['an escaped line break', '"a\\\n   b"', 'ab'],
  ['escapes', '"\\x41\\u00e9\\U0001F600\\t\\e\\/"', 'A\u00e9\u{1f600}\t\x1b/'],
  ['a literal block', '|\n a\n  b\n\n c\n\n', 'a\n b\n\nc\n'],
  ['a literal block without final break', '|\n a', 'a'],
  ['a stripped block', '|-\n a\n\n', 'a'],
  ['a kept block', '|+\n a\n\n', 'a\n\n'],
  ['a folded block', '>\n a\n b\n\n c\n   d\n e\n', 'a b\nc\n  d\ne\n'],
  ['a block with an indentation indicator', 'k: |1\n   a\n', { entries: [['k', '  a\n']] }],
  ['an explicit key that is a list', '? - a\n  - b\n: c', { entries: [[['a', 'b'], 'c']] }],
  ['a mark before the text', '\ufeffa: b', { entries: [['a', 'b']] }],
  ['a directive', '%YAML 1.2\n---\na', 'a'],
  ['a document on the line of its marker', '--- a', 'a'],
])('reads %s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  ['a: [b\nc: d', "did not find expected ',' or ']' while parsing a flow sequence", '2:2'],
  ['a: {b: c', "did not find expected ',' or '}' while parsing a flow mapping", '1:9'],
  ['a: b: c', 'mapping values are not allowed in this context', '1:5'],
  ['a: b\n c: d', 'mapping values are not allowed in this context', '2:3'],
  ['a:\n\t- b', 'found character that cannot start any token while scanning for the next token', '2:1'],
  ['@a', 'found character that cannot start any token while scanning for the next token', '1:1'],
  ['a: - b', 'block sequence entries are not allowed in this context', '1:4'],
  ['- a\nb: c', "did not find expected '-' indicator while parsing a block collection", '2:1'],
  ['a: b\nc', "could not find expected ':' while scanning a simple key", '2:2'],
  ['a: "b', 'found unexpected end of stream while scanning a quoted scalar', '1:6'],
  ['a: "b\n---\n"', 'found unexpected document indicator while scanning a quoted scalar', '2:1'],
  ['"\\q"', 'found unknown escape character while parsing a quoted scalar', '1:2'],
  ['"\\ud83d"', 'found invalid Unicode character escape code while parsing a quoted scalar', '1:4'],
  ['"\\xg0"', 'did not find expected hexadecimal number while parsing a quoted scalar', '1:4'],
  ['|0\n a', 'found an indentation indicator equal to 0 while scanning a block scalar', '1:2'],
  ['| a', 'did not find expected comment or line break while scanning a block scalar', '1:3'],
  ['k: |\n \ta', 'found a tab character where an indentation space is expected while scanning a block scalar', '2:2'],
  ['&', 'did not find expected alphabetic or numeric character while scanning an anchor', '1:2'],
  ['!a!b c', 'found undefined tag handle while parsing a node', '1:1'],
  ['!<a b', "did not find the expected '>' while scanning a tag", '1:4'],
  ['%NEW\n---', 'found unknown directive name while scanning a directive', '1:5'],
  ['%YAML 2.0\n---', 'found incompatible YAML document', '1:1'],
  ['%YAML 1.1\n%YAML 1.1\n---', 'found duplicate %YAML directive', '2:1'],
  ['%TAG !e! tag:e\n%TAG !e! tag:e\n---', 'found duplicate %TAG directive', '2:1'],
  ['%YAML 1.1\na', 'did not find expected <document start>', '2:1'],
  ['a: \u0007', 'control characters are not allowed', '1:4'],
  ['# \u0000', 'control characters are not allowed', '1:3'],
  ['a: \ud800', 'control characters are not allowed', '1:4'],
  [`${'a'.repeat(2000)}: b`, 'mapping values are not allowed in this context', '1:2001'],
])('refuses %j', (text, message, place) => {
  const outcome = parseYaml(text).at(-1)!;
  expect(outcome.ok).toBe(false);
  const { code, message: said, range } = outcome.diagnostics[0]!;
  expect([code, said, `${range!.start.line}:${range!.start.column}`]).toEqual([
    'diagnostics/yaml-syntax',
    message,
    place,
  ]);
});

describe('the flavour of go-yaml', () => {
  test.each([
    ['%YAML 1.2\n---\na', true, false],
    ['"\\/"', true, false],
    ['"\\\'"', false, true],
    ['[a?b]', true, false],
    ['[a:, b]', false, true],
    ['!a,b c', false, true],
  ])('%j: libyaml %s, go %s', (text, libyaml, go) => {
    expect([parseYaml(text)[0].ok, parseYaml(text, { flavour: 'go' })[0].ok]).toEqual([libyaml, go]);
  });
});

test('any text gives a tree, or a diagnostic with a place in the text', () => {
  const pieces = '{ } [ ] , : - ? & * ! | > \' " # % @ ` \n \t \\ a 1 é 😀 --- ... &a *a !!str << ~'.split(' ');
  const text = fc
    .array(fc.constantFrom(...pieces, ' ', '\n', '\n  ', ': ', '- '), { maxLength: 30 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (source) => {
      for (const outcome of parseYaml(source)) {
        if (outcome.ok) continue;
        const [first] = outcome.diagnostics;
        expect(first!.code).toMatch(/^diagnostics\//);
        expect(first!.range!.start.offset).toBeLessThanOrEqual(source.length);
      }
    }),
    { numRuns: 5000 },
  );
});
