import { expect, test } from 'vitest';
import { formatReport } from '../../src/validate/format.ts';
import { validate, validateConfig } from '../../src/validate/validate.ts';

test('writes a report to stdout, and an error without a report to stderr', () => {
  const warned = '{"ignition":{"version":"3.6.0"},"x":1}';
  expect(formatReport(validate(warned))).toEqual({
    stdout: 'warning at $.x, line 1 col 33: unused key x\n',
    stderr: '',
    exitCode: 0,
  });
  expect(formatReport(validate(''))).toEqual({
    stdout: '',
    stderr: "couldn't parse config: not a config (empty)\n",
    exitCode: 1,
  });
  expect(formatReport(validate('{"ignition":{"version":"3.6.0"}}'))).toEqual({ stdout: '', stderr: '', exitCode: 0 });
});

test('reports an invalid version of a config in memory as an ordinary entry', () => {
  const report = validateConfig({ ignition: { version: '' } }, { version: '3.6.0' });
  expect(formatReport(report).stdout).toBe("error at $.ignition.version: invalid config version (couldn't parse)\n");
});

test.each([
  ['a tab', '\t', 'warning at $.a\t, line 1 col 33: unused key a\n'],
  ['a next-line character', '\u0085', 'warning at $.a\u0085, line 1 col 33: unused key a\n'],
  ['a zero-width space', '\ufeff', 'warning at $.a\ufeff, line 1 col 33: unused key a\ufeff\n'],
])('removes white space at the end of the block, and %s', (_, character, expected) => {
  const text = `{"ignition":{"version":"3.6.0"},${JSON.stringify(`a${character}`)}:1}`;
  expect(formatReport(validate(text)).stdout).toBe(expected);
});
