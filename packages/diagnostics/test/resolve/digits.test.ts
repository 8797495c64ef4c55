import { expect, test } from 'vitest';
import { type BasePrefix, readDigits } from '../../src/resolve/digits.ts';

test.each<[prefix: BasePrefix, digits: string, bits: number, value: bigint | undefined]>([
  ['', '0', 64, 0n],
  ['', '000', 2, 0n],
  ['', '0012', 2, 12n],
  ['', '123', 2, undefined],
  ['0x', 'ff', 2, 255n],
  ['0x', `${'0'.repeat(100)}ff`, 2, 255n],
  ['0o', '17', 64, 15n],
  ['0b', '1'.repeat(64), 64, 2n ** 64n - 1n],
  ['0b', '1'.repeat(65), 64, undefined],
  ['', '9'.repeat(1000), 64, undefined],
])('the digits %s%s of at most %i are %s', (prefix, digits, bits, value) => {
  expect(readDigits(prefix, digits, bits)).toBe(value);
});
