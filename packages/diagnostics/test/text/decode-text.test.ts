import { decodeText, valueOrThrow } from '@coreiso/diagnostics';
import { decodeLossless } from '@coreiso/peers/utf8';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const utf8 = new TextEncoder();

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), littleEndian);
  return new Uint8Array(view.buffer);
}

function bytes(...parts: (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

test.each([
  ['UTF-8', bytes(utf8.encode('a😀é')), false],
  ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], utf8.encode('a😀é')), true],
  ['UTF-16 LE', bytes([0xff, 0xfe], utf16('a😀é', true)), true],
  ['UTF-16 BE', bytes([0xfe, 0xff], utf16('a😀é', false)), true],
])('decodes %s without its mark', (_, encoded, hasMark) => {
  expect(valueOrThrow(decodeText(encoded))).toEqual({ text: 'a😀é', hasMark });
});

test('names the parameter if the value is not bytes', () => {
  expect(() => decodeText('a' as never)).toThrow(/^bytes must be/);
});

test('removes only the first mark', () => {
  expect(valueOrThrow(decodeText(utf8.encode('\ufeff\ufeffa')))).toEqual({ text: '\ufeffa', hasMark: true });
});

test('reads only the view of a larger buffer', () => {
  const whole = bytes([0x41, 0x41], [0xfe, 0xff, 0x00, 0x62, 0xd8], [0x41]);
  expect(decodeText(whole.subarray(2, 6))).toMatchObject({ ok: true, value: { text: 'b' } });
  expect(decodeText(whole.subarray(2, 7)).diagnostics[0]?.message).toBe('invalid UTF-16BE at byte offset 4');
});

describe('refuses an invalid sequence with its offset', () => {
  test.each([
    ['a stray continuation', [0x61, 0x0a, 0x62, 0x80], 'invalid UTF-8 at byte offset 3', '2:2'],
    ['an overlong form', [0xc0, 0x80], 'invalid UTF-8 at byte offset 0', '1:1'],
    ['an overlong form of three', [0xe0, 0x80, 0x80], 'invalid UTF-8 at byte offset 0', '1:1'],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 'invalid UTF-8 at byte offset 1', '1:2'],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80], 'invalid UTF-8 at byte offset 0', '1:1'],
    ['a cut character', [0xc3, 0xa9, 0xe2, 0x82], 'invalid UTF-8 at byte offset 2', '1:2'],
    ['behind a mark', [0xef, 0xbb, 0xbf, 0xff], 'invalid UTF-8 at byte offset 3', '1:1'],
    ['half a UTF-16 unit', [0xff, 0xfe, 0x61, 0x00, 0x62], 'invalid UTF-16LE at byte offset 4', '1:2'],
    ['a lone high surrogate', [0xff, 0xfe, 0x3d, 0xd8, 0x61, 0x00], 'invalid UTF-16LE at byte offset 2', '1:1'],
    [
      'a lone high surrogate behind a pair',
      [0xff, 0xfe, 0x3d, 0xd8, 0x00, 0xde, 0x61, 0x00, 0x3d, 0xd8],
      'invalid UTF-16LE at byte offset 8',
      '1:3',
    ],
    [
      'two high surrogates',
      [0xfe, 0xff, 0xd8, 0x3d, 0xd8, 0x3d, 0xde, 0x00],
      'invalid UTF-16BE at byte offset 2',
      '1:1',
    ],
    ['a lone low surrogate', [0xfe, 0xff, 0xde, 0x00], 'invalid UTF-16BE at byte offset 2', '1:1'],
  ])('%s', (_, content, message, place) => {
    const outcome = decodeText(Uint8Array.from(content));
    expect(outcome.ok).toBe(false);
    const { code, message: said, range } = outcome.diagnostics[0]!;
    expect([code, said, `${range!.start.line}:${range!.start.column}`]).toEqual([
      'diagnostics/invalid-encoding',
      message,
      place,
    ]);
  });

  test('refuses exactly the texts that the platform refuses', () => {
    const mixed = fc.array(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xff),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(mixed, (content) => {
        const encoded = Uint8Array.from(content);
        expect(/[\udc80-\udcff]/.test(decodeLossless(encoded))).toBe(!isUtf8(encoded));
      }),
      { numRuns: 2000 },
    );
  });
});

test('encodes a decoded text to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (content) => {
      const back = [...decodeLossless(content)].flatMap((character) => {
        const unit = character.charCodeAt(0);
        return character.length === 1 && unit >= 0xdc80 && unit <= 0xdcff
          ? [unit - 0xdc00]
          : [...utf8.encode(character)];
      });
      expect(back).toEqual([...content]);
    }),
  );
});

function isUtf8(content: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
