import { goYaml, type Plain, parseYaml, readAsGo, toPlain, valueOrThrow, writeGoYaml } from '@coreiso/diagnostics';
import { goText } from '@coreiso/peers/go';
import { describe, expect, test } from 'vitest';

function read(text: string): Plain {
  const { root } = valueOrThrow(readAsGo(valueOrThrow(parseYaml(text, { flavour: 'go' })[0])));
  return root === undefined ? null : toPlain(root, goYaml);
}

function firstFinding(text: string) {
  const outcome = readAsGo(valueOrThrow(parseYaml(text, { flavour: 'go' })[0]));
  return outcome.ok ? undefined : outcome.diagnostics[0];
}

describe('merge keys', () => {
  const base = 'b: &b {x: 1n, z: 2}\n';
  test.each([
    ['bring in what the mapping lacks', 'c: {<<: *b, w: 3}', { x: '1n', z: 2n, w: 3n }],
    ['yield to a key behind them', 'c: {<<: *b, x: 5}', { x: 5n, z: 2n }],
    ['override a key before them', 'c: {x: 5, <<: *b}', { x: '1n', z: 2n }],
    ['take a list, the first mapping strongest', 'c: {<<: [{x: 7}, *b]}', { x: 7n, z: 2n }],
    ['take a mapping written on the spot', 'c: {<<: {x: 7}}', { x: 7n }],
    ['merge what was merged', 'm: &m {<<: *b}\nc: {<<: *m}', { x: '1n', z: 2n }],
    ['are ordinary keys in quotes', 'c: {"<<": *b}', { '<<': { x: '1n', z: 2n } }],
    ['can be spelt out with their tag', 'c: {!!merge "<<": *b}', { x: '1n', z: 2n }],
  ])('%s', (_, text, expected) => {
    expect((read(base + text) as { c: Plain }).c).toEqual(expected);
  });

  test.each(['c: {<<: 5}', 'c: {<<: [*b, 5]}', 'c: {<<: }', 'l: &l [*b]\nc: {<<: *l}'])(
    'require mappings: %s',
    (text) => {
      expect(firstFinding(base + text)).toMatchObject({
        code: 'diagnostics/merge-not-mapping',
        message: 'map merge requires map or sequence of maps as the value',
        path: ['c'],
      });
    },
  );

  test('that multiply are refused', () => {
    // Each mapping is parsed once, so it would escape the limit on aliases if merges did not count.
    const lines = ['m0: &m0 {k0: v, k1: v, k2: v, k3: v}'];
    for (let level = 1; level <= 9; level++) {
      lines.push(
        `m${level}: &m${level} {<<: [${Array(5)
          .fill(`*m${level - 1}`)
          .join(', ')}]}`,
      );
    }
    const document = valueOrThrow(parseYaml(lines.join('\n'), { nodes: 100_000_000 })[0]);
    const outcome = readAsGo(document);
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics[0]?.code).toBe('diagnostics/too-many-nodes');
  });
});

test('returns a document without merge keys unchanged', () => {
  const document = valueOrThrow(parseYaml('a: [1, {b: c}]')[0]);
  expect(valueOrThrow(readAsGo(document))).toBe(document);
});

test.each([
  ['a: [{b: !!int x}]', 'diagnostics/tag-mismatch', 'cannot decode !!str `x` as a !!int', ['a', 0, 'b']],
  ['a: !!bool 12', 'diagnostics/tag-mismatch', 'cannot decode !!int `12` as a !!bool', ['a']],
  ['a: !!null 1.5', 'diagnostics/tag-mismatch', 'cannot decode !!float `1.5` as a !!null', ['a']],
  ['a: !!int yes', 'diagnostics/tag-mismatch', 'cannot decode !!bool `yes` as a !!int', ['a']],
  ['a: !!binary "*"', 'diagnostics/tag-mismatch', '!!binary value contains invalid base64 data', ['a']],
  ['? [a]\n: b', 'diagnostics/key-not-scalar', 'invalid map key: a key must be a single value', []],
  ['~: b', 'diagnostics/unsupported-key', 'unsupported map key: null', []],
  ['18446744073709551615: b', 'diagnostics/unsupported-key', 'unsupported map key: 18446744073709551615', []],
])('go-yaml refuses %j', (text, code, message, path) => {
  expect(firstFinding(text)).toMatchObject({ severity: 'error', code, message, path });
});

test.each([
  ['y', 'true'],
  ['No', 'false'],
  ['012', '10'],
  ['1e3', '1000'],
  ['34e5', '3.4e+06'],
  ['.inf', '.inf'],
  ['-.inf', '-.inf'],
  ['.nan', '.nan'],
  ['"012"', '012'],
])('the key %s becomes the member %s', (key, name) => {
  expect(read(`${key}: v`)).toEqual({ [name]: 'v' });
});

test.each([
  [true, 'true'],
  [15n, '15'],
  [1000, '1000'],
  [100000, '100000'],
  [1000000, '1e+06'],
  [3400000, '3.4e+06'],
  [1234567.5, '1.2345675e+06'],
  [0.1, '0.1'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [-1.5, '-1.5'],
  [-0, '-0'],
  [1.2345678901e23, '1.2345679e+23'],
  [1e300, '+Inf'],
  [-1e300, '-Inf'],
  [Number.NaN, 'NaN'],
  ['x', 'x'],
  [null, undefined],
])('reads %s in a text field as %s', (value, text) => {
  expect(goText(value)).toBe(text);
});

describe('a timestamp', () => {
  test.each([
    ['2001-12-14 12:24:43', true],
    ['2001-12-14 12:59:43', true],
    ['2001-12-14 23:59:59', true],
    ['2001-12-14 12:60:43', false],
    ['2001-12-14 24:00:00', false],
    ['2001-12-14 25:24:43', false],
  ])('%s: %s', (text, isOne) => {
    const [outcome] = parseYaml(`a: !!timestamp ${text}\n`, { flavour: 'go' });
    expect(outcome.ok && readAsGo(outcome.value).ok).toBe(isOne);
    // Text that a reader would take for a timestamp is written in quotes.
    expect(writeGoYaml(text)).toBe(isOne ? `"${text}"\n` : `${text}\n`);
  });
});

test.each<[text: string, isInstant: boolean]>([
  ['2001-1-1', true],
  ['2001-12-31', true],
  ['2001-13-01', false],
  ['2001-00-01', false],
  ['2001-01-00', false],
  ['2001-01-32', false],
  ['2001-04-31', false],
  ['2001-02-29', false],
  ['2000-02-29', true],
  ['1900-02-29', false],
  ['2004-02-29', true],
  ['2001-12-14t21:59:43Z', true],
  ['2001-12-14T23:59:59+01:00', true],
  ['2001-12-14T24:00:00Z', false],
  ['2001-12-14T23:60:00Z', false],
  ['2001-12-14T23:59:60Z', false],
  ['2001-12-14 21:59:43.1', true],
  ['2001-12-14 24:00:00', false],
  ['2001-12-14 21:60:43', false],
  ['2001-12-14 21:59:60', false],
  ['2001-12-14T21:59:43', false],
  ['0000-01-01', true],
  ['2001-12-14T1:2:3,5-05:00', true],
  ['20011214', false],
  ['2001-01-01x', false],
])('%s is an instant: %s', (text, isInstant) => {
  const [document] = parseYaml(`!!timestamp ${text}`);
  if (!document.ok) throw new Error(document.diagnostics[0]?.message);
  expect(readAsGo(document.value).ok).toBe(isInstant);
});
