// Results of Rust 1.95 and serde_json 1.0.154 for the same inputs as Go, recorded by scripts/peers/rust.
import { describe, expect, test } from 'vitest';
import { canonicalAddress, canonicalAddressAsGo, isLinkLocal, networkOf, parseAddress } from '../src/ip.ts';
import { debugCharacter, debugList, debugOption, debugText, displayFloat, fileName, jsonFloat } from '../src/rust.ts';
import go from './goldens/go.json' with { type: 'json' };
import recorded from './goldens/rust.json' with { type: 'json' };

describe('the same results as Rust', () => {
  test('{:?} of texts and of characters', () => {
    const ours = recorded.quote.map(([text = '']) => [text, debugText(text), debugCharacter(text)]);
    expect(ours).toEqual(recorded.quote);
  });

  test('floats of serde_json and serde', () => {
    const ours = recorded.float.map(([text]) => [text, jsonFloat(Number(text)), displayFloat(Number(text))]);
    expect(ours).toEqual(recorded.float);
  });

  test('addresses, read and printed', () => {
    const ours = recorded.address.map(([text]) => [text, canonicalAddress(text ?? '') ?? null]);
    expect(ours).toEqual(recorded.address);
  });
});

test('reads the same addresses as Go, which prints mapped ones as IPv4', () => {
  for (const [text, { net }] of go.address as unknown as [string, { net: string | null }][]) {
    expect([text, canonicalAddressAsGo(text) ?? null]).toEqual([text, net]);
  }
});

test.each([
  ['10.1.2.3', 8, '10.0.0.0'],
  ['10.1.2.3', 32, '10.1.2.3'],
  ['10.1.2.3', 0, '0.0.0.0'],
  ['2001:db8::1', 64, '2001:db8::'],
])('%s lies in a network of %i bits', (text, bits, network) => {
  const address = parseAddress(text);
  expect(address && networkOf(address, bits)).toEqual(parseAddress(network));
});

test.each([
  ['fe80::1', true],
  ['febf::', true],
  ['fec0::', false],
  ['254.128.0.1', false],
])('%s is link-local: %s', (text, expected) => {
  const address = parseAddress(text);
  expect(address && isLinkLocal(address)).toBe(expected);
});

test('formats options and lists', () => {
  expect(debugOption(undefined)).toBe('None');
  expect(debugOption('a"')).toBe('Some("a\\"")');
  expect(debugOption(7n)).toBe('Some(7)');
  expect(debugList(['a', 'b'])).toBe('["a", "b"]');
});

test.each([
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'inf'],
  [Number.NEGATIVE_INFINITY, '-inf'],
  [-0, '-0.0'],
  [0, '0.0'],
  [1, '1.0'],
  [-1.5, '-1.5'],
  [0.1, '0.1'],
  [10, '10.0'],
])('%s is written %s', (value, text) => {
  expect([jsonFloat(value), displayFloat(value)]).toEqual([text, text]);
});

test.each([
  ['a/b', 'b'],
  ['/a/b/', 'b'],
  ['a/.', 'a'],
  ['a//./', 'a'],
  ['.a', '.a'],
  ['a/..', undefined],
  ['a/../.', undefined],
  ['..', undefined],
  ['...', '...'],
  ['/', undefined],
  ['.', undefined],
  ['', undefined],
])('the file name of %j is %j', (path, expected) => {
  expect(fileName(path)).toBe(expected);
});
