import { applyEdits, type Change, editsFor, parseJson, parseYaml, valueOrThrow } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';

/** The text after a change, or the reason why the change is impossible. */
function changed(text: string, change: Change, parse: 'yaml' | 'json' = 'yaml'): string {
  const document = valueOrThrow(parse === 'json' ? parseJson(text) : parseYaml(text)[0]);
  const edits = editsFor(document, change);
  return edits.ok ? applyEdits(text, edits.value) : `refused: ${edits.diagnostics[0]?.message}`;
}

describe('renames a key', () => {
  test.each([
    ['where it stands', 'a: 1\nroel: x # c\n', 'a: 1\nrole: x # c\n'],
    ['in its quotes', `'roel': x`, `'role': x`],
    ['behind a dash', '- roel: x\n  b: 1\n', '- role: x\n  b: 1\n'],
    ['in braces', '{ roel: x, b: 1 }', '{ role: x, b: 1 }'],
  ])('%s', (_, text, expected) => {
    const path = text.startsWith('- ') ? [0, 'roel'] : ['roel'];
    expect(changed(text, { do: 'rename', path, name: 'role' })).toBe(expected);
  });

  test('adds the quotes that the new name needs', () => {
    expect(changed('a: 1', { do: 'rename', path: ['a'], name: 'yes: no' })).toBe('"yes: no": 1');
  });

  test('refuses a name that exists', () => {
    expect(changed('a: 1\nb: 2', { do: 'rename', path: ['a'], name: 'b' })).toBe(
      'refused: cannot change `a` in the text: `b` is there already',
    );
  });
});

describe('sets a value', () => {
  test.each<[string, string, (string | number)[], Change extends { value: infer V } ? V : never, string]>([
    ['keeping the comment', 'a: 1  # c\nb: 2', ['a'], 3n as never, 'a: 3  # c\nb: 2'],
    ['keeping single quotes', "a: 'x'", ['a'], "it's" as never, "a: 'it''s'"],
    ['of text that other readers take for something else', 'a: 1', ['a'], 'yes' as never, 'a: "yes"'],
    ['in the quotes of the file', "z: 'q'\na: 1", ['a'], '0644' as never, "z: 'q'\na: '0644'"],
    ['where there was none', 'a: # c\nb: 2\n', ['a'], 'x' as never, 'a: x # c\nb: 2\n'],
    ['of several lines', 'a: x\nb: 2\n', ['a'], 'l1\nl2\n' as never, 'a: |\n  l1\n  l2\nb: 2\n'],
    ['for a block', 'a: |\n  l1\n  l2\n\nb: 2\n', ['a'], 'x' as never, 'a: x\n\nb: 2\n'],
    ['for a mapping', 'a:\n  b: 1\n  c: 2\nd: 3\n', ['a'], 'x' as never, 'a: x\nd: 3\n'],
    ['keeping its anchor', 'a: &x 1\nb: *x\n', ['a'], 2n as never, 'a: &x 2\nb: *x\n'],
    ['on the line of its marker', '--- ~\n', [], { k: ['v'] } as never, '--- \nk:\n  - v\n'],
    ['on the line of its marker, a list', '--- &a x # c\n', [], ['v'] as never, '--- &a # c\n- v\n'],
    ['of several lines before blanks', 'b: \n', ['b', 'c'], 'l1\nl2\n' as never, 'b:\n  c: |\n    l1\n    l2\n'],
    ['of several lines before a line of blanks', 'a: x\n   \n', ['a'], 'l1\nl2\n' as never, 'a: "l1\\nl2\\n"\n   \n'],
    ['without an end', 'a: 1\n', ['a'], [Infinity, -Infinity, NaN] as never, 'a:\n  - .inf\n  - -.inf\n  - .nan\n'],
    ['without the tag of the old one', 'a: &x !!str 1\n', ['a'], 2n as never, 'a: &x 2\n'],
    ['instead of an alias', 'a: &x 1\nb: *x # c\n', ['b'], 2n as never, 'a: &x 1\nb: 2 # c\n'],
    ['that is a list', 'a: x # c\nb: 1\n', ['a'], ['p', 'q'] as never, 'a: # c\n  - p\n  - q\nb: 1\n'],
    ['of an item', '- a\n- b # c\n', [1], 'x' as never, '- a\n- x # c\n'],
    ['of an empty item', '- a\n-\n', [1], { k: 'v', l: [1n] } as never, '- a\n- k: v\n  l:\n    - 1\n'],
    ['in brackets', 'a: [1, {b: c}]', ['a', 1, 'b'], 'x, y' as never, 'a: [1, {b: "x, y"}]'],
    ['of a key alone in braces', '{a, b: 1}', ['a'], 2n as never, '{a: 2, b: 1}'],
  ])('%s', (_, text, path, value, expected) => {
    expect(changed(text, { do: 'set', path, value })).toBe(expected);
  });
});

describe('adds a member', () => {
  test.each<[string, string, (string | number)[], string]>([
    ['behind the last line, comments left where they are', 'a: 1 # c\n# d\n', ['b'], 'a: 1 # c\nb: x\n# d\n'],
    ['to a file that ends without a line end', 'a: 1', ['b'], 'a: 1\nb: x'],
    ['with the line ends of the file', 'a: 1\r\n', ['b'], 'a: 1\r\nb: x\r\n'],
    [
      'behind a nested one',
      'a:\n    b:\n        c: 1\nd: 2\n',
      ['a', 'e'],
      'a:\n    b:\n        c: 1\n    e: x\nd: 2\n',
    ],
    ['in mappings that are not there', 'a:\n    b: 1\n', ['c', 'd'], 'a:\n    b: 1\nc:\n    d: x\n'],
    ['where nothing is', 'a:  # c\nb: 1\n', ['a', 'k'], 'a:  # c\n  k: x\nb: 1\n'],
    ['where null is', 'a: null\nb: 1\n', ['a', 'k'], 'a:\n  k: x\nb: 1\n'],
    ['to an empty mapping', 'a: {} # c\nb: 1\n', ['a', 'k'], 'a: # c\n  k: x\nb: 1\n'],
    ['to an item', '- a: 1\n- a: 2\n', [0, 'b'], '- a: 1\n  b: x\n- a: 2\n'],
    ['behind a block that keeps its line ends', 'a: |+\n  t\n\nb: 1\n', ['c'], 'a: |+\n  t\n\nb: 1\nc: x\n'],
    ['behind a block', 'k:\n  a: |\n    t\n\nb: 1\n', ['k', 'c'], 'k:\n  a: |\n    t\n  c: x\n\nb: 1\n'],
    ['behind a block that ends with the file', 'a: |\n  t', ['b'], 'a: |-\n  t\nb: x'],
    ['in braces', 'k: {a: 1}', ['k', 'b'], 'k: {a: 1, b: x}'],
    ['in braces over lines', '{\n  a: 1, # c\n  b: 2 # d\n}', ['c'], '{\n  a: 1, # c\n  b: 2, # d\n  c: x\n}'],
    ['behind a last comma', '[\n  {a: 1},\n]', [1, 'm'], '[\n  {a: 1},\n  {m: x},\n]'],
    ['to a text of comments', '# c\n', ['a', 'b'], '# c\na:\n  b: x\n'],
    ['to nothing', '', ['a'], 'a: x\n'],
  ])('%s', (_, text, path, expected) => {
    expect(changed(text, { do: 'set', path, value: 'x' })).toBe(expected);
  });

  test.each<[string, string, (string | number)[], string]>([
    ['compact', '{"a":1}', ['b'], '{"a":1,"b":"x"}'],
    ['on one line', '{"a": 1, "k": {}}', ['k', 'b'], '{"a": 1, "k": {"b": "x"}}'],
    ['in lines', '{\n    "a": 1\n}\n', ['b', 'c'], '{\n    "a": 1,\n    "b": {\n        "c": "x"\n    }\n}\n'],
    ['in empty braces', '{\n  "a": {}\n}\n', ['a', 'b'], '{\n  "a": {\n    "b": "x"\n  }\n}\n'],
  ])('to JSON %s', (_, text, path, expected) => {
    expect(changed(text, { do: 'set', path, value: 'x' }, 'json')).toBe(expected);
  });

  test('before another member', () => {
    const change = { do: 'set', path: ['a'], value: 'x', before: 'b' } as const;
    expect(changed('# c\nb: 1\n', change)).toBe('# c\na: x\nb: 1\n');
    expect(changed('{b: 1}', change)).toBe('{a: x, b: 1}');
    expect(changed('- b: 1\n', { ...change, path: [0, 'a'] })).toBe('- a: x\n  b: 1\n');
  });
});

describe('inserts an item', () => {
  test.each<[string, string, (string | number)[], string]>([
    ['at the end', 'a:\n- 1\n- 2 # c\nb: 1\n', ['a', 2], 'a:\n- 1\n- 2 # c\n- x\nb: 1\n'],
    ['in front', 'a:\n  - 1\n', ['a', 0], 'a:\n  - x\n  - 1\n'],
    ['between', '- 1\n# c\n- 2\n', [1], '- 1\n# c\n- x\n- 2\n'],
    ['before one whose dash stands alone', '- 1\n-\n  a: 1\n', [1], '- 1\n- x\n-\n  a: 1\n'],
    ['into a list in a list', '- - 1\n  - 2\n', [0, 1], '- - 1\n  - x\n  - 2\n'],
    ['into an empty list', 'a: []\n', ['a', 0], 'a:\n  - x\n'],
    ['into an empty list in a list', '- []\n', [0, 0], '- - x\n'],
    ['in brackets', '[a, b]', [1], '[a, x, b]'],
    ['behind a last comma', '[\n  a,\n]', [1], '[\n  a,\n  x,\n]'],
  ])('%s', (_, text, path, expected) => {
    expect(changed(text, { do: 'insert', path, value: 'x' })).toBe(expected);
  });
});

describe('removes', () => {
  test.each<[string, string, (string | number)[], string]>([
    ['a line', 'a: 1\n# about b\nb: 2 # b\nc: 3\n', ['b'], 'a: 1\n# about b\nc: 3\n'],
    ['the first of an item', '- a: 1 # c\n  b: 2\n', [0, 'a'], '- b: 2\n'],
    ['a nested mapping', 'a:\n  b:\n    c: 1\n  d: 1\n', ['a', 'b'], 'a:\n  d: 1\n'],
    ['the last of a mapping', 'a:\n  b: 1\nc: 1\n', ['a', 'b'], 'a: {}\nc: 1\n'],
    ['the last of a list', 'a:\n- b\nc: 1\n', ['a', 0], 'a: []\nc: 1\n'],
    ['an item', '- a\n- b: 1\n  c: 2\n- d\n', [1], '- a\n- d\n'],
    ['the end of a file without a line end', 'a: 1\r\nb: 2', ['b'], 'a: 1'],
    ['a block', 'a: |\n  x\n\n  y\n\nb: 1\n', ['a'], '\nb: 1\n'],
    ['from braces', '{a: 1, b: 2, c: 3}', ['b'], '{a: 1, c: 3}'],
    ['the last from braces', '{a: 1, b: 2}', ['b'], '{a: 1}'],
    ['the only one from braces', '{ a: 1 }', ['a'], '{}'],
    ['a line from brackets', '[\n  a, # x\n  b, # y\n  c # z\n]', [1], '[\n  a, # x\n  c # z\n]'],
    ['the last line from brackets', '[\n  a,\n  b\n]', [1], '[\n  a\n]'],
    ['behind a block, where the text has no last line end', '- |\n  a\n- b', [1], '- |\n  a\n'],
    ['behind a key without a value', '{a: \n, b: 1}\n', ['b'], '{a: }\n'],
    ['an alias', 'a: &x 1\nb: *x\nc: 2\n', ['b'], 'a: &x 1\nc: 2\n'],
  ])('%s', (_, text, path, expected) => {
    expect(changed(text, { do: 'remove', path })).toBe(expected);
  });
});

describe('moves', () => {
  test.each<[string, string, (string | number)[], (string | number)[], string]>([
    ['a member out', 'a:\n  b: # c\n    d: 1\n  e: 2\n', ['a', 'b'], ['b'], 'a:\n  e: 2\nb: # c\n  d: 1\n'],
    ['a member in', 'b: |\n  x\n  y\na:\n    c: 1\n', ['b'], ['a', 'b'], 'a:\n    c: 1\n    b: |\n      x\n      y\n'],
    ['an item up', '- a\n- b: 1\n  c: 2\n', [1], [0], '- b: 1\n  c: 2\n- a\n'],
    ['an item down', '- a: 1\n  b: 1\n- c\n- d\n', [0], [1], '- c\n- a: 1\n  b: 1\n- d\n'],
    ['an item to the end', '- a\n- c\n- d', [0], [2], '- c\n- d\n- a'],
    ['in brackets', '[a, {b: 1}, c]', [1], [0], '[{b: 1}, a, c]'],
  ])('%s', (_, text, path, to, expected) => {
    expect(changed(text, { do: 'move', path, to })).toBe(expected);
  });

  test('moves a member before another', () => {
    expect(changed('a: 1\nb: 2\nc: 3\n', { do: 'move', path: ['c'], to: ['c'], before: 'b' })).toBe(
      'a: 1\nc: 3\nb: 2\n',
    );
  });
});

describe('unwraps', () => {
  test.each<[string, string, string]>([
    [
      'lines',
      'a: 1\nspec:\n  b: # c\n    d: |\n      x\n\n  # e\n  f: 2\ng: 3\n',
      'a: 1\nb: # c\n  d: |\n    x\n\n# e\nf: 2\ng: 3\n',
    ],
    ['braces', '{"a": 1, "spec": {"b": [1], "c": 2}, "d": 3}', '{"a": 1, "b": [1], "c": 2, "d": 3}'],
  ])('%s', (_, text, expected) => {
    expect(changed(text, { do: 'unwrap', path: ['spec'] })).toBe(expected);
  });

  test('refuses to hide a member of the same name', () => {
    expect(changed('b: 1\nspec:\n  b: 2\n', { do: 'unwrap', path: ['spec'] })).toMatch(/refused.*one name/);
  });
});

test.each<[string, string, Change]>([
  ['the inside of an alias', 'a: &x {b: 1}\nc: *x\n', { do: 'set', path: ['c', 'b'], value: 1n }],
  ['a text in the way', 'a: x\n', { do: 'set', path: ['a', 'b'], value: 1n }],
  ['what is not there', 'a: x\n', { do: 'remove', path: ['b'] }],
  ['an index too far', '- a\n', { do: 'insert', path: [3], value: 1n }],
  ['an explicit key', '? a\n: b\n', { do: 'rename', path: ['a'], name: 'c' }],
  ['the root', 'a: 1', { do: 'remove', path: [] }],
  ['an explicit key in braces', '{a: 1,? b: 2}', { do: 'remove', path: ['b'] }],
  ['a key beside explicit ones', '? a\n', { do: 'set', path: ['b'], value: 1n }],
  ['a move onto its own line', 's: []\nal:\n', { do: 'move', path: ['s'], to: ['al', 0] }],
  ['a move into itself', 'a:\n  b:\n    c: 1\n', { do: 'move', path: ['a', 'b'], to: ['a', 'b', 'd'] }],
  ['a number that JSON does not have', '{"a": 1}', { do: 'set', path: ['a'], value: Infinity }],
])('refuses %s', (_, text, change) => {
  expect(changed(text, change)).toMatch(/^refused: cannot change /);
});
