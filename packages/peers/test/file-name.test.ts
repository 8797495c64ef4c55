import { describe, expect, test } from 'vitest';
import { fileNameFault, lineFault } from '../src/file-name.ts';

describe('the name of a file', () => {
  test.each([
    ['', 'it is empty'],
    ['.', 'it is a folder of its own'],
    ['..', 'it is a folder of its own'],
    ['../victim', 'it has a slash'],
    ['/etc', 'it has a slash'],
    ['a\0b', 'it has a control character'],
    ['a\nb', 'it has a control character'],
    ['a\x7fb', 'it has a control character'],
    ['a\u0085b', 'it has a control character'],
    ['é'.repeat(128), 'it has 256 bytes, and 255 is the most'],
  ])('%j: %s', (name, fault) => {
    expect(fileNameFault(name)).toBe(fault);
  });

  test.each(['worker-0', '...', '.hidden', 'ein Name', 'bond0.100', 'x'.repeat(255), 'é'.repeat(127)])(
    '%j is one',
    (name) => {
      expect(fileNameFault(name)).toBeUndefined();
    },
  );
});

test('a part of a line has no line end and no NUL', () => {
  expect(['x\n', 'x\ry', '\0', 'a b\tc', ''].map(lineFault)).toEqual([
    'it has a line end',
    'it has a line end',
    'it has a NUL character',
    undefined,
    undefined,
  ]);
});
