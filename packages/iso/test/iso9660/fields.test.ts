import { describe, expect, test } from 'vitest';
import * as fields from '../../src/iso9660/fields.ts';
import {
  pathComponents,
  plainName,
  quoteBytes,
  quoteText,
  strictIdentifier,
  strictName,
} from '../../src/iso9660/names.ts';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('numbers', () => {
  type Read = (bytes: Uint8Array, offset: number) => number | fields.BothEndian;
  type Write = (bytes: Uint8Array, offset: number, value: number) => void;

  test.each<[string, Read, Write, number, number[]]>([
    ['7.2.1', fields.readU16Le, fields.writeU16Le, 0x1234, [0x34, 0x12]],
    ['7.2.2', fields.readU16Be, fields.writeU16Be, 0x1234, [0x12, 0x34]],
    ['7.2.3', fields.readU16Le, fields.writeBoth16, 0x1234, [0x34, 0x12, 0x12, 0x34]],
    ['7.3.1', fields.readU32Le, fields.writeU32Le, 0xfedcba98, [0x98, 0xba, 0xdc, 0xfe]],
    ['7.3.2', fields.readU32Be, fields.writeU32Be, 0xfedcba98, [0xfe, 0xdc, 0xba, 0x98]],
    [
      '7.3.3',
      fields.readBothEndian32,
      fields.writeBoth32,
      0xfedcba98,
      [0x98, 0xba, 0xdc, 0xfe, 0xfe, 0xdc, 0xba, 0x98],
    ],
    ['of a GPT', fields.readU64Le, fields.writeU64Le, 2 ** 40 + 5, [5, 0, 0, 0, 0, 1, 0, 0]],
  ])('read %s as written', (_, read, write, value, expected) => {
    const bytes = new Uint8Array(12).fill(0xaa);
    write(bytes, 2, value);
    expect([...bytes.subarray(2, 2 + expected.length)]).toEqual(expected);
    expect([bytes[1], bytes[2 + expected.length]]).toEqual([0xaa, 0xaa]);
    const found = read(bytes, 2);
    expect(typeof found === 'number' ? found : found.value).toBe(value);
  });

  test('report different copies and use the little-endian one', () => {
    expect(fields.readBothEndian32(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 2), 0)).toEqual({ value: 1, agrees: false });
    expect(fields.readBothEndian32(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 1), 0)).toEqual({ value: 1, agrees: true });
  });
});

describe('dates', () => {
  const date = new Date('2024-02-29T12:34:56.789Z');

  test('keep seconds in a record (9.1.5), and hundredths in a volume descriptor (8.4.26.1)', () => {
    const record = new Uint8Array(9).fill(0xaa);
    fields.writeRecordDate(record, 1, date);
    expect([...record]).toEqual([0xaa, 124, 2, 29, 12, 34, 56, 0, 0xaa]);
    expect(fields.readRecordDate(record, 1)?.toISOString()).toBe('2024-02-29T12:34:56.000Z');
    const volume = new Uint8Array(19).fill(0xaa);
    fields.writeVolumeDate(volume, 1, date);
    expect([...volume]).toEqual([0xaa, ...ascii('2024022912345678'), 0, 0xaa]);
    expect(fields.readVolumeDate(volume, 1)?.toISOString()).toBe('2024-02-29T12:34:56.780Z');
  });

  test('count the zone in quarter hours east of Greenwich', () => {
    expect(fields.readRecordDate(Uint8Array.of(123, 7, 18, 12, 0, 0, 8), 0)?.toISOString()).toBe(
      '2023-07-18T10:00:00.000Z',
    );
    expect(fields.readRecordDate(Uint8Array.of(123, 7, 18, 12, 0, 0, 0xec), 0)?.toISOString()).toBe(
      '2023-07-18T17:00:00.000Z',
    );
    const volume = Uint8Array.of(...ascii('2023071812000050'), 0xec);
    expect(fields.readVolumeDate(volume, 0)?.toISOString()).toBe('2023-07-18T17:00:00.500Z');
  });

  test('write an unspecified date as zeros, and read it as no date', () => {
    const bytes = new Uint8Array(19).fill(1);
    fields.writeVolumeDate(bytes, 1, undefined);
    expect([...bytes]).toEqual([1, ...ascii('0'.repeat(16)), 0, 1]);
    expect(fields.readVolumeDate(bytes, 1)).toBeUndefined();
    bytes.fill(1);
    fields.writeRecordDate(bytes, 1, undefined);
    expect([...bytes.subarray(0, 9)]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(fields.readRecordDate(bytes, 1)).toBeUndefined();
  });

  test.each(['202402291234567', ' 024022912345678', '2024-02-29 12:34'])(
    'refuse %j as the date of a volume',
    (text) => {
      expect(fields.readVolumeDate(Uint8Array.of(...ascii(text), 0, 0, 0), 0)).toBeUndefined();
    },
  );
});

describe('text', () => {
  test('is padded with spaces', () => {
    const bytes = new Uint8Array(6);
    fields.writeLatin1(bytes, 1, 4, 'AB');
    expect([...bytes]).toEqual([0, 0x41, 0x42, 0x20, 0x20, 0]);
    fields.writeUcs2Be(bytes, 0, 6, 'ü');
    expect([...bytes]).toEqual([0, 0xfc, 0, 0x20, 0, 0x20]);
    expect(fields.readUcs2Be(bytes, 0, 6)).toBe('ü  ');
  });

  test('of UCS-2 ignores a last odd byte', () => {
    expect(fields.readUcs2Be(Uint8Array.of(0, 0x41, 0, 0x42), 0, 3)).toBe('A');
    const bytes = new Uint8Array(5).fill(0xaa);
    fields.writeUcs2Be(bytes, 0, 3, '');
    expect([...bytes]).toEqual([0, 0x20, 0xaa, 0xaa, 0xaa]);
  });
});

describe('strict names', () => {
  test.each([
    ['VMLINUZ.;1', 'VMLINUZ'],
    ['KARGS.JSO;1', 'KARGS.JSO'],
    ['_CMDLINE.;1', '_CMDLINE'],
    ['FILE.TXT;2', 'FILE.TXT.2'],
    ['A..;1', 'A.'],
    ['A/B;1', 'A.B'],
    ['lower Case', 'lower Case'],
    ['CUT\0@', 'CUT'],
    ['SPACE ', 'SPACE '],
    [`!"%&'()*+,-.:<=>?`, `!"%&'()*+,-.:<=>?`],
    [';1', ''],
  ])('read %j as %j', (name, expected) => {
    expect(strictName(ascii(name), 0)).toBe(expected);
  });

  test.each([...'#$@[]^{}~|\\`', '\x7f', '\xe9', '\n'])('refuse %j in a name', (character) => {
    expect(() => strictName(ascii(`A${character}`), 77)).toThrow(
      expect.objectContaining({ code: 'ISO_BAD_NAME', offset: 77 }),
    );
  });

  test('keeps separators in identifiers and removes padding', () => {
    expect(strictIdentifier(ascii('EL TORITO; 1/2   '), 0)).toBe('EL TORITO; 1/2');
  });
});

test.each([
  ['README.TXT;1', 'readme.txt'],
  ['NODOT.;1', 'nodot'],
  ['OLD.;12', 'old'],
  ['.', ''],
  ['\xe9T\xe9;1', 'été'],
  ['\xef\xbb\xbfA', '\ufeffa'],
  ['\xc3\xa9T\xc3\xa9;1', 'été'],
])('reads %j as %j for people', (name, expected) => {
  expect(plainName(ascii(name))).toBe(expected);
});

test.each([
  ['', []],
  ['/', []],
  ['..', []],
  ['.', []],
  ['a', ['a']],
  ['/a//b/', ['a', 'b']],
  ['./a/../b/.', ['b']],
  ['../../a', ['a']],
])('splits the path %j into %j', (path, expected) => {
  expect(pathComponents(path)).toEqual(expected);
});

test('quotes text and bytes as Rust prints them', () => {
  expect(quoteText('a"b\\\n\u0001é')).toBe('"a\\"b\\\\\\n\\u{1}é"');
  expect(quoteText('\r\t\0')).toBe('"\\r\\t\\0"');
  // Invisible, private, unassigned, combining and outside the first plane: as `format!("{:?}")` prints them.
  expect(quoteText("\u00ad\u200b\u2028\ue000\u0301 \u00a0'😀\u{e0001}")).toBe(
    '"\\u{ad}\\u{200b}\\u{2028}\\u{e000}\\u{301} \\u{a0}\'😀\\u{e0001}"',
  );
  expect(quoteBytes(Uint8Array.of(0, 0x41, 0x22, 0x5c, 0x0a, 0x80, 0x7f))).toBe('b"\\0A\\"\\\\\\n\\x80\\x7f"');
});
