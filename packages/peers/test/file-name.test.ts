import { describe, expect, test } from 'vitest';
import { fileNameFault, lineFault, localNameFault, sameFile } from '../src/file-name.ts';

describe('a file name', () => {
  test.each([
    ['', 'it is empty'],
    ['.', 'it is the name of a directory'],
    ['..', 'it is the name of a directory'],
    ['../victim', 'it has a slash'],
    ['/etc', 'it has a slash'],
    ['a\0b', 'it has a control character'],
    ['a\nb', 'it has a control character'],
    ['a\x7fb', 'it has a control character'],
    ['a\u0085b', 'it has a control character'],
    ['é'.repeat(128), 'it has 256 bytes; at most 255 are allowed'],
  ])('%j: %s', (name, fault) => {
    expect(fileNameFault(name)).toBe(fault);
  });

  test.each(['worker-0', '...', '.hidden', 'ein Name', 'bond0.100', 'x'.repeat(255), 'é'.repeat(127)])(
    '%j is accepted',
    (name) => {
      expect(fileNameFault(name)).toBeUndefined();
    },
  );
});

test('refuses line ends and NUL in part of a line', () => {
  expect(['x\n', 'x\ry', '\0', 'a b\tc', ''].map(lineFault)).toEqual([
    'it has a line end',
    'it has a line end',
    'it has a NUL character',
    undefined,
    undefined,
  ]);
});

describe('a file name on Windows', () => {
  test.each([
    ['a/b', 'it has a slash'],
    ...['"', '*', ':', '<', '>', '?', '\\', '|'].map((sign) => [
      `a${sign}b`,
      `Windows does not allow ${sign} in names`,
    ]),
    ...['con', 'PRN', 'aux', 'nul.iso', 'com1', 'lpt9.tar.gz', 'com\u00b9'].map((name) => [
      name,
      'Windows has a device of that name',
    ]),
    ...['a.', 'a '].map((name) => [name, 'Windows drops the dot or space at its end']),
    ...['a', 'con1', 'com0', 'com', 'null', 'a.con', '.a'].map((name) => [name, undefined]),
  ])('%j: %s', (name = '', fault) => {
    expect(localNameFault(name, 'win32')).toBe(fault);
  });

  test('is checked only there', () => {
    for (const name of ['a:b', 'con', 'a.']) expect(localNameFault(name, 'linux')).toBeUndefined();
    expect(localNameFault('a/b', 'linux')).toBe('it has a slash');
  });
});

test.each<[platform: string, names: string[], same: [string, string] | undefined]>([
  ['win32', ['a', 'b', 'A'], ['a', 'A']],
  ['darwin', ['x', 'e\u0301', '\u00c9'], ['e\u0301', '\u00c9']],
  ['darwin', ['a', 'a', 'b'], undefined],
  ['linux', ['a', 'A'], undefined],
])('on %s, %j has two names of one file: %j', (platform, names, same) => {
  expect(sameFile(names, platform)).toEqual(same);
});

test('refuses names, platforms and lines that are not strings', () => {
  const given = ' must be a string, not a number';
  expect(() => fileNameFault(7 as never)).toThrow(new TypeError(`name${given}`));
  expect(() => localNameFault('a', 7 as never)).toThrow(new TypeError(`platform${given}`));
  expect(() => lineFault(7 as never)).toThrow(new TypeError(`text${given}`));
});
