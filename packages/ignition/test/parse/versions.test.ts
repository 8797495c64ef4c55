import { isCoreisoError } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { IgnitionError } from '../../src/errors.ts';
import { merge } from '../../src/merge/merge.ts';
import { parseConfig, parseConfigOrThrow } from '../../src/parse/parse.ts';
import type { Config } from '../../src/spec/generated/types.ts';
import { stringifyConfig } from '../../src/spec/stringify.ts';
import { readVersion, SPEC_VERSIONS } from '../../src/spec/version.ts';
import { translateOrThrow } from '../../src/translate/translate.ts';
import { validate, validateOrThrow } from '../../src/validate/validate.ts';

const withVersion = (version: string) => JSON.stringify({ ignition: { version } });

describe('a version text', () => {
  test.each([
    ...SPEC_VERSIONS.map((version): [string, string] => [version, version]),
    ['03.06.00', '3.6.0'],
    ['3.6.0-', '3.6.0'],
    ['3.6.0+', '3.6.0'],
    ['3.7.0', 'newer'],
    ['3.7.0-beta.1', 'newer'],
    ['3.7.1', 'newer'],
    ['3.8.0-experimental', 'newer'],
    ['3.99.0', 'newer'],
    ['3.6.1', 'unsupported'],
    ['3.6.0+build', 'unsupported'],
    ['3.6.0-experimental', 'unsupported'],
    ['2.2.0', 'unsupported'],
    ['4.0.0', 'unsupported'],
    ['3.9223372036854775807.0', 'newer'],
    ['3.9223372036854775808.0', 'unreadable'],
    ['', 'unreadable'],
    ['3.6', 'unreadable'],
    ['3.6.0.1', 'unreadable'],
    ['3.6.0-a..b', 'unreadable'],
    ['3.6.0+ü', 'unreadable'],
    [' 3.6.0', 'unreadable'],
    ['0'.repeat(100_000), 'unreadable'],
  ])('%j is %s', (text, expected) => {
    const reading = readVersion(text);
    expect(reading.kind === 'known' ? reading.version : reading.kind).toBe(expected);
  });
});

describe('a newer version', () => {
  const text = '{"ignition": {"version": "3.8.0", "novelty": [1, 9007199254740993]}, "storage": {"files": 7}}';

  test('passes with a warning, and keeps everything', () => {
    const outcome = validate(text);
    expect(outcome.diagnostics.map(({ severity, code, path, mark }) => ({ severity, code, path, mark }))).toEqual([
      {
        severity: 'warning',
        code: 'ignition/version-newer',
        path: ['ignition', 'version'],
        mark: { line: 1, column: 26 },
      },
    ]);
    expect(outcome.ok && stringifyConfig(outcome.value)).toBe(text.replaceAll(' ', ''));
  });

  test('is refused on request, as by the real tool', () => {
    const outcome = validate(text, { newer: 'refuse' });
    expect(outcome.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['ignition/version-unsupported', 'unsupported config version'],
    ]);
  });

  test('cannot be merged or translated', () => {
    const config = parseConfigOrThrow(text);
    const known: Config = { ignition: { version: '3.6.0' } };
    for (const operation of [
      () => merge(config, known),
      () => merge(known, config),
      () => translateOrThrow(config, '3.6.0'),
    ]) {
      expect(operation).toThrow(expect.objectContaining({ code: 'IGNITION_UNKNOWN_VERSION' }));
    }
  });
});

test.each([
  ['2.4.0', /ign-converter/],
  ['1.0.0', /ign-converter/],
  ['4.0.0', /3\.6\.0/],
])('refuses version %s with help', (version, help) => {
  const outcome = parseConfig(withVersion(version));
  expect(outcome.ok).toBe(false);
  expect(outcome.diagnostics[0]?.help).toMatch(help);
});

test('throws errors with the findings from the throwing variants', () => {
  const bad = '{"ignition":{"version":"3.6.0"},"storage":{"files":[{"path":"a"},{"path":"b"}]}}';
  try {
    validateOrThrow(bad);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(IgnitionError);
    expect(isCoreisoError(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'IGNITION_INVALID',
      message: 'config is not valid: path not absolute (and 1 more)',
    });
    expect((error as IgnitionError).diagnostics).toHaveLength(2);
  }
  expect(parseConfigOrThrow(bad).storage?.files).toHaveLength(2);
});

test('throws a TypeError that names a wrong option', () => {
  expect(() => validate('{}', { newer: 'maybe' as 'pass' })).toThrow(/newer/);
});
