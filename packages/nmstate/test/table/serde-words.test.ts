// Names of values in our messages, in those of serde, and in debug output of Rust.
import { parseYaml, serdeYaml } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';
import { Reader } from '../../src/table/reader.ts';
import { compactJson, debugJson, expectedOneOf, plainName, upstreamName } from '../../src/table/serde-words.ts';

test.each<[text: string, plain: string, json: string, yaml: string, debug: string, compact: string]>([
  ['~', 'nothing', 'null', 'unit value', 'Null', 'null'],
  ['"a\\"b"', 'the text `a"b`', 'string "a\\"b"', 'string "a\\"b"', 'String("a\\"b")', '"a\\"b"'],
  ['true', '`true`', 'boolean `true`', 'boolean `true`', 'Bool(true)', 'true'],
  ['0x10', '`0x10`', 'integer `16`', 'integer `16`', 'Number(16)', '16'],
  ['-7', '`-7`', 'integer `-7`', 'integer `-7`', 'Number(-7)', '-7'],
  ['1.50', '`1.50`', 'floating point `1.5`', 'floating point `1.5`', 'Number(1.5)', '1.5'],
  ['2.0', '`2.0`', 'floating point `2.0`', 'floating point `2.0`', 'Number(2.0)', '2.0'],
  ['[]', 'a list', 'sequence', 'sequence', 'Array []', '[]'],
  ['[a, 1, [~]]', 'a list', 'sequence', 'sequence', 'Array [String("a"), Number(1), Array [Null]]', '["a",1,[null]]'],
  ['{}', 'a map', 'map', 'map', 'Object {}', '{}'],
  [
    '{b: no, a: {c: d}}',
    'a map',
    'map',
    'map',
    'Object {"b": String("no"), "a": Object {"c": String("d")}}',
    '{"b":"no","a":{"c":"d"}}',
  ],
])('%s', (text, plain, json, yaml, debug, compact) => {
  const [outcome] = parseYaml(text);
  const root = outcome.ok ? outcome.value.root : undefined;
  if (root === undefined) throw new Error(text);
  const value = root.kind === 'scalar' ? serdeYaml(root) : undefined;
  const reader = new Reader('json', []);
  expect([plainName(root, value), upstreamName(root, value, 'json'), upstreamName(root, value, 'yaml')]).toEqual([
    plain,
    json,
    yaml,
  ]);
  expect([debugJson(root, reader), compactJson(root, reader)]).toEqual([debug, compact]);
});

test.each<[groups: string[][], words: string]>([
  [[['a']], 'expected `a`'],
  [[['b'], ['a']], 'expected `b` or `a`'],
  [[['b', 'a']], 'expected `a` or `b`'],
  [[['c'], ['b', 'a']], 'expected one of `c`, `a`, `b`'],
])('writes %j as serde does: %s', (groups, words) => {
  expect(expectedOneOf(groups)).toBe(words);
});
