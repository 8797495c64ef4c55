import { expect, test } from 'vitest';
import { parseSize, sizeText } from '../../src/frame/size.ts';

test.each([
  ['1', 1],
  ['3000000', 3_000_000],
  ['1K', 1024],
  ['64M', 64 * 1024 ** 2],
  ['64MiB', 64 * 1024 ** 2],
  ['64MB', 64_000_000],
  ['1G', 1024 ** 3],
  ['1g', 1024 ** 3],
  ['1.5G', 1.5 * 1024 ** 3],
  ['2TB', 2_000_000_000_000],
])('%s is %i bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(['', '0', '-1', '1e3', 'G', '1 G', '1P', '1B', '1iB', '0.1', '99999999999T', '1G ', '１'])(
  '"%s" is refused',
  (text) => expect(() => parseSize(text)).toThrow('expected a size, such as 3000000, 64M or 1G'),
);

test('parses its own output', () => {
  for (const size of [1024 ** 3, 3 * 1024 ** 2]) expect(parseSize(sizeText(size).replace(' ', ''))).toBe(size);
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [1024 ** 2 - 1, '1024.0 KiB'],
  [1024 ** 2, '1.0 MiB'],
  [1.2 * 1024 ** 3, '1.2 GiB'],
  [5 * 1024 ** 4, '5.0 TiB'],
  [5 * 1024 ** 5, '5120.0 TiB'],
])('%d bytes are printed as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
