import { compareBytes } from '@coreiso/peers/rust';
import { describe, expect, test } from 'vitest';
import { formatGcListing, keyfileOf, settingOf } from '../../src/index.ts';
import { OpenProfile } from '../../src/keyfile/open-profile.ts';

function textOf(profile: OpenProfile): string {
  return keyfileOf(profile.close()).content;
}

describe('a keyfile', () => {
  test('has sections in a fixed order and keys sorted as bytes', () => {
    const text = new OpenProfile('x');
    text.section('ipv6').set('route1_options', 'c').set('route10', 'b').set('route1', 'a').set('route2', 'd');
    text.section('connection').set('id', 'x');
    expect(textOf(text)).toBe('[connection]\nid=x\n\n[ipv6]\nroute1=a\nroute10=b\nroute1_options=c\nroute2=d\n');
  });

  test('keeps empty sections and leaves out empty values', () => {
    const text = new OpenProfile('x');
    text.section('bond').set('primary', '').set('mode', undefined).setList('x', []);
    expect(textOf(text)).toBe('[bond]\n');
  });

  test('sorts keys with characters beyond the basic plane by their bytes', () => {
    const text = new OpenProfile('x');
    text.section('ovs-external-ids').set('data.\u{1f600}', '1').set('data.\uff5e', '2').set('data.z', '3');
    expect(textOf(text)).toBe('[ovs-external-ids]\ndata.z=3\ndata.\uff5e=2\ndata.\u{1f600}=1\n');
  });

  test('escapes nothing', () => {
    const text = new OpenProfile('x');
    text.section('user').set('note', ' a\\b;c#d=e\nf ');
    expect(textOf(text)).toBe('[user]\nnote= a\\b;c#d=e\nf \n');
  });

  test('writes lists with semicolons and digits for booleans', () => {
    const text = new OpenProfile('x');
    text.section('ipv4').setList('dns', ['a', 'b']).setDigit('forwarding', true).set('may-fail', false);
    expect(textOf(text)).toBe('[ipv4]\ndns=a;b\nforwarding=1\nmay-fail=false\n');
  });

  test('keeps comments above sections and settings, and settings without a header', () => {
    const settings = [{ key: 'b', value: 'c', comment: '# d\n; e' }];
    const sections = [
      { name: '', settings },
      { name: 'a', settings, comment: '# f' },
    ];
    expect(keyfileOf({ name: 'x', sections })).toEqual({
      name: 'x',
      content: '# d\n; e\nb=c\n\n# f\n[a]\n# d\n; e\nb=c\n',
    });
    expect(() => keyfileOf({ name: 'x' } as never)).toThrow(
      new TypeError('profile.sections must be an array, not undefined'),
    );
  });

  test('gives its settings', () => {
    const profile = { name: 'x', sections: [{ name: 'a', settings: [{ key: 'b', value: 'c' }] }] };
    expect([settingOf(profile, 'a', 'b'), settingOf(profile, 'a', 'c'), settingOf(profile, 'b', 'b')]).toEqual([
      'c',
      undefined,
      undefined,
    ]);
  });
});

test('compares texts by their UTF-8 bytes, also beyond the basic plane', () => {
  const texts = ['b', 'a', '\u{ffff}', '\u{1f600}', 'ab', 'é', ''];
  const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect([...texts].sort(compareBytes)).toEqual(byBytes);
});

describe('the listing of nmstatectl gc', () => {
  test.each([
    ['nothing', [], 'NetworkManager: []\n\n'],
    ['a file', [['a.x', '[a]\nb=c\n']], 'NetworkManager:\n- - a.x\n  - |\n    [a]\n    b=c\n\n'],
    ['an empty line', [['a', 'b\n\nc\n']], 'NetworkManager:\n- - a\n  - |\n    b\n\n    c\n\n'],
    ['a final empty line', [['a', 'b\n\n']], 'NetworkManager:\n- - a\n  - |+\n    b\n\n\n'],
    ['a tab', [['a', 'b\tc\n']], 'NetworkManager:\n- - a\n  - "b\\tc\n\n"\n\n'],
    ['a space at the end of a line', [['a', 'b \nc\n']], 'NetworkManager:\n- - a\n  - "b \n\nc\n\n"\n\n'],
    ['a name that needs quotes', [['@a: b #c', 'd\n']], "NetworkManager:\n- - '@a: b #c'\n  - |\n    d\n\n"],
    ['a backslash before an n, which breaks it', [['a', 'b\\nc\n']], 'NetworkManager:\n- - a\n  - |\n    b\n\nc\n\n'],
  ])('of %s', (_, files, listing) => {
    expect(formatGcListing(files.map(([name = '', content = '']) => ({ name, content })))).toBe(listing);
  });
});
