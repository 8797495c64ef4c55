import { describe, expect, test } from 'vitest';
import { canonicalAddress, formatAddress, isLinkLocal, networkOf, parseAddress } from '../src/ip.ts';

describe('addresses are read and printed as Rust does', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:0DB8:0:0::000A', '2001:db8::a'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['0:0:0:0:0:ffff:0:1', '::ffff:0.0.0.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['::1.2.3.4', '::102:304'],
    ['::', '::'],
    ['1::', '1::'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });

  test.each([
    '',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4/24',
    ' 1.2.3.4',
    '1.2.3.256',
    '::1%lo',
    '::1/64',
    '1::2::3',
    '1:2:3:4:5:6:7::8',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::1.2.3',
    '1.2.3.4::',
    '::1.2.3.04',
    ':1::',
    '0x1::',
    '12345::',
    ':::',
    'x',
  ])('%s is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

test('a network is its address without host bits', () => {
  expect(formatAddress(networkOf(parseAddress('192.0.3.1')!, 23))).toBe('192.0.2.0');
  expect(formatAddress(networkOf(parseAddress('2001:db8::1')!, 0))).toBe('::');
});

test('fe80::/10 is link-local', () => {
  expect(['fe80::1', 'febf::1', 'fec0::1', '169.254.0.1'].map((text) => isLinkLocal(parseAddress(text)!))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
