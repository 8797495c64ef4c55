import { closest } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const KEYS = ['hostname', 'interfaces', 'rootDeviceHints', 'role', 'networkConfig', 'mac-address', 'mtu'];

test.each<[string, string | undefined, string]>([
  ['hostnme', 'hostname', 'a letter missing'],
  ['hosstname', 'hostname', 'a letter too many'],
  ['hostmane', 'hostname', 'two letters changed'],
  ['hsotname', 'hostname', 'neighbours swapped'],
  ['HostName', 'hostname', 'another case'],
  ['rootdevicehints', 'rootDeviceHints', 'another case'],
  ['mac_address', 'mac-address', 'another separator'],
  ['rloe', 'role', 'a swap in a short word'],
  ['umt', undefined, 'too far in a short word'],
  ['bond', undefined, 'another word'],
  ['', undefined, 'nothing'],
])('%s: %s (%s)', (word, expected) => {
  expect(closest(word, KEYS)).toBe(expected);
});

test('the nearest wins, and the first of equally near ones', () => {
  expect(closest('abcdex', ['abcxyx', 'abcdef', 'abcdeg'])).toBe('abcdef');
});

// One typo for every three letters, and at least one.
test.each<[word: string, words: string[], nearest: string | undefined]>([
  ['cab', ['abc', 'cba'], 'cba'],
  ['ab', ['xy', 'ba'], 'ba'],
  ['abcde', ['abdce'], 'abdce'],
  ['abcde', ['badce'], undefined],
  ['abcdef', ['badcef'], 'badcef'],
  ['abcdef', ['badcfe'], undefined],
  ['abcdefgh', ['abcdef'], 'abcdef'],
  ['abcdefgh', ['xabcdefghx'], 'xabcdefghx'],
  ['abcdefgh', ['abcde'], undefined],
  ['abcdefgh', ['xabcdefghxy'], undefined],
])('nearest to %j in %j: %j', (word, words, nearest) => {
  expect(closest(word, words)).toBe(nearest);
});

test('every word is closest to itself', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 }), { minLength: 1 }), (words) => {
      const word = words.at(-1)!;
      expect(closest(word, words)?.toLowerCase()).toBe(word.toLowerCase());
    }),
  );
});

test('very long words are no typos', () => {
  expect(closest('a'.repeat(100_000), ['a'.repeat(100_000)])).toBeUndefined();
});
