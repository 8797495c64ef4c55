// Places in a text and paths in its document: conversion in both directions, and the values of a finding there.
import { type Diagnostic, type Node, type Path, parseYaml, type TextDocument } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { withArguments } from '../src/arguments.ts';
import { nodesTo, pathAt } from '../src/path-at.ts';

function documentOf(text: string): TextDocument {
  const [outcome] = parseYaml(text);
  if (outcome?.ok !== true) throw new Error(`cannot be read: ${text}`);
  return outcome.value;
}

describe('the path at a place', () => {
  test.each<[marked: string, path: Path]>([
    ['¦a: b\n', ['a']],
    ['a¦: b\n', ['a']],
    ['a:¦ b\n', ['a']],
    ['a: ¦b\n', ['a']],
    ['a: b¦\n', ['a']],
    ['a: b ¦\n', []],
    ['x: 1\n¦\na: b\n', []],
    ['a¦:\n  b: c\n', ['a']],
    ['¦a:\n  b: c\n', ['a']],
    ['a: ¦\n  b: c\n', ['a']],
    ['a:\n  ¦b: c\n', ['a', 'b']],
    ['a:\n¦  b: c\n', ['a']],
    ['a:\n  b: ¦c\n', ['a', 'b']],
    ['a:\n  b:¦ {c: d}\n', ['a', 'b']],
    ['- ¦a\n- b\n', [0]],
    ['- a\n- b¦\n', [1]],
    ['-¦ a\n', []],
    ['[a,¦b]\n', [1]],
    ['[a¦,b]\n', [0]],
    ['[[a]¦,b]\n', [0]],
    ['- a: 1\n  b: ¦2\n', [0, 'b']],
    ['- a: 1\n- b: ¦2\n', [1, 'b']],
    ['- a: {b: [c, ¦d]}\n', [0, 'a', 'b', 1]],
    ['{a: b, a: ¦c}\n', ['a']],
    ['? [a]\n: ¦b\n', []],
    ['¦scalar\n', []],
  ])('%j', (marked, path) => {
    const offset = marked.indexOf('¦');
    expect(pathAt(documentOf(marked.replace('¦', '')).root, offset)).toEqual(path);
  });

  test('is empty without a document or a place', () => {
    expect(pathAt(undefined, 0)).toEqual([]);
    expect(pathAt(documentOf('a: b\n').root, undefined)).toEqual([]);
    expect(pathAt(documentOf('a: b\n').root, 99)).toEqual([]);
    expect(pathAt(documentOf('- b\n').root, 99)).toEqual([]);
  });
});

test.each<[path: Path, shown: string[]]>([
  [[], ['mapping']],
  [['a'], ['mapping', 'sequence']],
  [
    ['a', 1],
    ['mapping', 'sequence', 'y'],
  ],
  [
    ['a', 2],
    ['mapping', 'sequence'],
  ],
  [
    ['a', 1, 'b'],
    ['mapping', 'sequence', 'y'],
  ],
  [
    ['a', 0, 'b'],
    ['mapping', 'sequence', 'mapping', 'x'],
  ],
  // Readers use the last of two.
  [['c'], ['mapping', '2']],
  [['d', 'a'], ['mapping']],
])('the nodes on the way to %j', (path, shown) => {
  const document = documentOf('a: [{b: x}, y]\nc: 1\n? [d]\n: z\nc: 2\n');
  const kindOf = (node: Node): string => (node.kind === 'scalar' ? node.text : node.kind);
  expect(nodesTo(document, path).map(kindOf)).toEqual(shown);
  expect(nodesTo({ root: undefined }, path)).toEqual([]);
});

describe('the values in a finding, by name', () => {
  const document = documentOf(
    `a:\n- b: x\n  n: ${'y'.repeat(200)}\n  o: ${'z'.repeat(201)}\n  password: hunter2\nc: top\n`,
  );
  const named = (path: Path, message = 'm', help?: string, more: Partial<Diagnostic> = {}): unknown => {
    const finding: Diagnostic = { severity: 'error', code: 'a/b', message, path, ...(help && { help }), ...more };
    return withArguments(finding, document).arguments;
  };

  test.each<[name: string, found: unknown, wanted: unknown]>([
    ['nothing where there is nothing', named([]), undefined],
    ['place, key and value', named(['a', 0, 'b']), { place: 'a[0].b', key: 'b', value: 'x' }],
    ['the key around an item', named(['a', 0]), { place: 'a[0]', key: 'a' }],
    ['no key in a list alone', named([0]), { place: '[0]' }],
    ['no value that is not there', named(['a', 7, 'b']), { place: 'a[7].b', key: 'b' }],
    ['no value of a list', named(['a']), { place: 'a', key: 'a' }],
    ['long values', named(['a', 0, 'n']), { place: 'a[0].n', key: 'n', value: 'y'.repeat(200) }],
    ['no longer ones', named(['a', 0, 'o']), { place: 'a[0].o', key: 'o' }],
    [
      'no secret, and none that is near',
      named(['a', 0, 'password'], 'm', 'Did you mean `hunter3`?'),
      { place: 'a[0].password', key: 'password' },
    ],
    [
      'what was meant',
      named(['c'], 'm', 'Did you mean `tip`?'),
      { place: 'c', key: 'c', value: 'top', suggestion: 'tip' },
    ],
    ['what was meant, within a sentence', named([], 'm', 'Remove it; did you mean tip?'), { suggestion: 'tip' }],
    ['no other words of the help', named([], 'm', 'Do you mean `tip`?'), undefined],
    ['the numbers of a range in the message', named([], 'out of range (1–4094)'), { least: 1, most: 4094 }],
    ['the numbers of a range in the help', named([], 'm', 'Write 0 to 32.'), { least: 0, most: 32 }],
    ['the numbers of a range with dots', named([], 'expected 68..65535'), { least: 68, most: 65535 }],
    ['the numbers of a range with blanks', named([], 'expected 1 .. 2'), { least: 1, most: 2 }],
    ['ranges of ten digits', named([], '1 to 1234567890'), { least: 1, most: 1234567890 }],
    ['no longer ranges', named([], '1 to 12345678901'), undefined],
    ['no other numbers', named([], '1 and 2'), undefined],
    [
      'what the finding names itself comes first',
      named(['c'], '1 to 2', 'Did you mean `tip`?', {
        arguments: { place: 'p', key: 'k', value: 'v', suggestion: 's', least: 8, most: 9, more: true },
      }),
      { place: 'p', key: 'k', value: 'v', suggestion: 's', least: 8, most: 9, more: true },
    ],
  ])('%s', (_, found, wanted) => {
    expect(found).toEqual(wanted);
  });

  test('without a document there is no value', () => {
    const finding: Diagnostic = { severity: 'error', code: 'a/b', message: 'm', path: ['c'] };
    expect(withArguments(finding, undefined).arguments).toEqual({ place: 'c', key: 'c' });
    const bare: Diagnostic = { ...finding, path: [] };
    expect(withArguments(bare, document)).toBe(bare);
  });

  test('a document that is a single value has no place in it', () => {
    const finding: Diagnostic = { severity: 'error', code: 'a/b', message: 'm', path: [] };
    expect(withArguments(finding, documentOf('top\n'))).toBe(finding);
  });
});
