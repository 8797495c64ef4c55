import { describe, expect, test } from 'vitest';
import { globMatcher } from '../../src/initrd/glob.ts';

describe('patterns', () => {
  test.each<[pattern: string, matching: string[], others: string[]]>([
    ['config.ign', ['config.ign'], ['./config.ign', 'config.ignx', 'xconfig.ign', 'CONFIG.IGN']],
    ['*', ['', 'a', 'a/b', '.hidden'], []],
    ['etc/*', ['etc/', 'etc/a', 'etc/a/b', 'etc/.x'], ['etc', 'xetc/a']],
    ['a?c', ['abc', 'a/c', 'a.c', 'aüc', 'a\u{1f600}c'], ['ac', 'abbc']],
    ['**/hello', ['hello', 'a/hello', 'a/b/hello'], ['ahello', 'a/xhello']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'x/a/b']],
    ['a/**', ['a/', 'a/b', 'a/b/c'], ['a', 'ab']],
    ['**', ['', 'a', 'a/b'], []],
    ['[abc]x', ['ax', 'cx'], ['dx', 'x']],
    ['[a-c]x', ['ax', 'bx'], ['dx', '-x']],
    ['[!a-c]x', ['dx', '-x', '/x'], ['ax', 'x']],
    ['[]]', [']'], ['[', '[]]']],
    ['[!]]', ['a'], [']']],
    ['[a-]', ['a', '-'], ['b']],
    ['[*]', ['*'], ['a']],
    ['*a*b', ['ab', 'xaxb', 'aabb'], ['ba', 'abx']],
    ['a]', ['a]'], ['a']],
  ])('%s', (pattern, matching, others) => {
    const matches = globMatcher(pattern);
    expect(matching.filter((name) => !matches(name))).toEqual([]);
    expect(others.filter((name) => matches(name))).toEqual([]);
  });

  test.each([
    ['a**b', 0, 'recursive wildcards must form a single path component'],
    ['**b', 2, 'recursive wildcards must form a single path component'],
    ['a/b**', 2, 'recursive wildcards must form a single path component'],
    ['a/***', 4, 'wildcards are either regular `*` or recursive `**`'],
    ['[a', 0, 'invalid range pattern'],
    ['x[', 1, 'invalid range pattern'],
    ['[]', 0, 'invalid range pattern'],
    ['[!]', 0, 'invalid range pattern'],
  ])('%s is refused', (pattern, position, message) => {
    const text = `Pattern syntax error near position ${position}: ${message}`;
    expect(() => globMatcher(pattern)).toThrow(expect.objectContaining({ code: 'ISO_BAD_PATTERN', message: text }));
  });

  test('match many stars in at most their number times the length of the name', () => {
    const matches = globMatcher(`${'*a'.repeat(200)}*b`);
    expect(matches('a'.repeat(5000))).toBe(false);
  });
});
