import { showControls, showLine } from '@coreiso/peers/controls';
import { describe, expect, test } from 'vitest';

/** ECMA-48 C0, DEL and C1; line and paragraph separators; Unicode's direction controls (UAX #9); the byte order mark. */
const OBEYED = [
  ...Array.from({ length: 0x20 }, (_, code) => code).filter((code) => code !== 0x09 && code !== 0x0a),
  ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at),
  ...[0x2028, 0x2029, 0x061c, 0x200e, 0x200f, 0xfeff],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
];

describe('foreign text', () => {
  test.each(OBEYED)('shows character %i instead of sending it', (code) => {
    for (const show of [showControls, showLine]) {
      const shown = show(`a${String.fromCharCode(code)}b`);
      expect(shown).toMatch(/^a[\u2400-\u2421\ufffd]b$/);
    }
  });

  test.each([
    [0x00, 0x2400],
    [0x1b, 0x241b],
    [0x1f, 0x241f],
    [0x7f, 0x2421],
    [0x80, 0xfffd],
    [0x2028, 0xfffd],
    [0xfeff, 0xfffd],
  ])('shows %i as the picture %i', (code, picture) => {
    expect(showControls(String.fromCharCode(code))).toBe(String.fromCharCode(picture));
  });

  test('has to be a string', () => {
    expect(() => showControls(7 as never)).toThrow(new TypeError('text must be a string, not a number'));
  });

  test('keeps everything else', () => {
    const text = 'tab\tline\nCR LF\r\nZ\u00fcrich \u6771\u4eac \u{1f468}\u200d\u{1f469} e\u0301';
    expect(showControls(text)).toBe(text);
  });

  test('shows a carriage return, which could overwrite its line', () => {
    expect(showControls('FAIL\rok  ')).toBe('FAIL\u240dok  ');
  });

  test('stays on one line in showLine', () => {
    expect(showLine('csr-1\r\n  ok\tall\n')).toBe('csr-1\u240d\u240a  ok\tall\u240a');
  });
});
