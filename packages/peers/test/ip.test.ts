import { describe, expect, test } from 'vitest';
import {
  addressBits,
  canonicalAddress,
  canonicalIpv4,
  canonicalIpv6,
  cidrContains,
  formatAddress,
  formatCidr,
  isLinkLocal,
  networkOf,
  parseAddress,
  parseAddressAsGo,
  parseCidr,
} from '../src/ip.ts';

describe('an address, as in Rust', () => {
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
  ])('%s is refused', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

test('clears the host bits of an address', () => {
  expect(formatAddress(networkOf(parseAddress('192.0.3.1')!, 23))).toBe('192.0.2.0');
  expect(formatAddress(networkOf(parseAddress('2001:db8::1')!, 0))).toBe('::');
});

test('takes fe80::/10 as link-local', () => {
  expect(['fe80::1', 'febf::1', 'fec0::1', '169.254.0.1'].map((text) => isLinkLocal(parseAddress(text)!))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('gives each family its own spelling and length', () => {
  expect(['10.0.0.1', 'FE80::1', 'x', '::1%lo'].map(canonicalIpv6)).toEqual([
    undefined,
    'fe80::1',
    undefined,
    undefined,
  ]);
  expect(['10.0.0.1', '::1', '010.0.0.1'].map(canonicalIpv4)).toEqual(['10.0.0.1', undefined, undefined]);
  expect([addressBits(4), addressBits(6)]).toEqual([32, 128]);
});

test('reads a mapped address as IPv4, as Go does', () => {
  expect(['::ffff:10.0.0.1', '::10.0.0.1', '10.0.0.1', 'x'].map(parseAddressAsGo)).toEqual([
    { version: 4, value: 0x0a000001n },
    { version: 6, value: 0x0a000001n },
    { version: 4, value: 0x0a000001n },
    undefined,
  ]);
});

test.each([
  ['10.0.0.1/8', '10.0.0.1/8'],
  ['10.0.0.1/32', '10.0.0.1/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::/128', '2001:db8::/128'],
  ['10.0.0.1/33', undefined],
  ['::/129', undefined],
  ['::/0064', undefined],
  ['10.0.0.1/', undefined],
  ['10.0.0.1/+8', undefined],
  ['10.0.0.1/8/8', undefined],
  ['10.0.0.1', undefined],
  ['1', undefined],
  ['/8', undefined],
])('%s is the network %s', (text, printed) => {
  const cidr = parseCidr(text);
  expect(cidr && formatCidr(cidr)).toBe(printed);
});

test.each([
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.1/8', '11.0.0.0', false],
  ['10.0.0.1/32', '10.0.0.1', true],
  ['10.0.0.1/32', '10.0.0.0', false],
  ['2001:db8::/32', '2001:db8:ffff::', true],
  ['2001:db8::/32', '2001:db9::', false],
  ['::/0', '10.0.0.1', false],
])('%s holds %s: %s', (network, address, expected) => {
  expect(cidrContains(parseCidr(network)!, parseAddress(address)!)).toBe(expected);
});
