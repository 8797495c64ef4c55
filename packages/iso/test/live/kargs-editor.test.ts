import { describe, expect, test } from 'vitest';
import { editKargs, trim } from '../../src/live/kargs-editor.ts';

describe('kernel arguments are edited as in coreos-installer', () => {
  test.each<[string, string, Parameters<typeof editKargs>[1], string]>([
    ['nothing asked', 'foo bar', {}, 'foo bar'],
    ['delete the first', 'foo bar foobar', { delete: ['foo'] }, 'bar foobar'],
    ['delete one in the middle', 'foo bar foobar', { delete: ['bar'] }, 'foo foobar'],
    ['delete two at once', 'foo bar foobar', { delete: ['foo bar'] }, 'foobar'],
    ['delete two one by one', 'foo bar foobar', { delete: ['bar', 'foo'] }, 'foobar'],
    ['delete with spaces around', 'foo=val bar baz=val', { delete: ['   foo=val'] }, 'bar baz=val'],
    ['delete what is not there', 'foo', { delete: ['bar', 'fo'] }, 'foo'],
    ['delete adjacent duplicates', 'foo foo', { delete: ['foo'] }, 'foo'],
    ['delete separated duplicates', 'foo bar foo', { delete: ['foo'] }, 'bar'],
    ['delete the only one', 'foo', { delete: ['foo'] }, ''],
    ['append to nothing', '', { append: ['a'] }, 'a'],
    ['append a second time', 'a', { append: ['a', ' b c '] }, 'a a b c'],
    ['append what is deleted', 'foo', { delete: ['x'], append: ['x'] }, 'foo x'],
    ['replace', 'a=1 b a=1', { replace: ['a=1=2'] }, 'a=2 b a=2'],
    ['replace what was appended', '', { append: ['a=1'], replace: ['a=1=2'] }, 'a=2'],
    ['replace what is not there', 'a=1', { replace: ['a=2=3'] }, 'a=1'],
    ['text that means something to a replacement pattern', 'a=1 $&', { replace: ['a=1=$&'], delete: ['$&'] }, 'a=$&'],
    ['inner white space stays', 'a   b', { append: ['c'] }, 'a   b c'],
    [
      'all at once',
      'foo mitigations=auto,nosmt console=tty0 bar console=ttyS0,115200n8 baz',
      {
        append: ['console=ttyS1,115200n8'],
        replace: ['mitigations=auto,nosmt=auto'],
        delete: ['console=ttyS0,115200n8'],
      },
      'foo mitigations=auto console=tty0 bar baz console=ttyS1,115200n8',
    ],
  ])('%s', (_, before, change, after) => {
    expect(editKargs(before, change)).toBe(after);
  });

  test.each(['abc', 'a=b', 'a=b=', 'a==b', '=a=b', 'a=b=c=d', ''])('%s is not a replacement', (replacement) => {
    expect(() => editKargs('', { replace: [replacement] })).toThrow(
      expect.objectContaining({ code: 'ISO_BAD_KARG', message: 'Wrong input, format should be: KEY=OLD=NEW' }),
    );
  });

  test('uses white space as defined by Unicode', () => {
    expect(trim('\u0085\u3000\t a \ufeff\n')).toBe('a \ufeff');
  });
});
