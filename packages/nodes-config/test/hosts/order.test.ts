import { compareBytes } from '@coreiso/peers/go';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinPath } from '../../src/hosts/file-tree.ts';

test('text is compared by its bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    {
      examples: [
        ['\u{1f600}', '\uffee'],
        ['a', 'ab'],
        ['', ''],
      ],
    },
  );
});

describe('paths are joined as Go joins them', () => {
  test.each([
    [['/etc/assisted', 'hostconfig', '../up/role'], '/etc/assisted/up/role'],
    [['/etc', '../../../x'], '/x'],
    [['host0', 'a/b.nmconnection'], 'host0/a/b.nmconnection'],
    [['host0', '../../b'], '../b'],
    [['a', '', './b//c/'], 'a/b/c'],
    [['a', '..'], '.'],
    [['', ''], ''],
  ])('%j', (parts, joined) => {
    expect(joinPath(...parts)).toBe(joined);
  });
});
