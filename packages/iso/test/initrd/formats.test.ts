// The fixed fields of newc and Zstandard, compared with their specifications, and the fetching of bytes.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesSource, zeros } from '../../src/bytes/source.ts';
import { formatOf, isZstd } from '../../src/initrd/archive-format.ts';
import { readArchives } from '../../src/initrd/archive-reader.ts';
import { comparePaths, composeArchive } from '../../src/initrd/archive-writer.ts';
import { ByteReader, chunkReader, sourceReader } from '../../src/initrd/byte-reader.ts';
import { plain } from '../../src/initrd/encoders.ts';
import { checkMagic, kindOf, padding, parseHeader, parseName } from '../../src/initrd/newc.ts';
import { unzstd } from '../../src/initrd/unzstd.ts';
import { chainOf } from '../live/chain.ts';
import { countingSource } from '../support/counting-source.ts';
import { archive, collect, noise, text, utf8 } from './archives.ts';

describe('newc', () => {
  const hex = (value: number): string => value.toString(16).padStart(8, '0');
  const header = (fields: readonly string[]): Uint8Array => utf8(`070701${fields.join('')}`);
  const FIELDS = Array.from({ length: 13 }, (_, index) => hex(0xa0000000 + index));

  test('has every field in its place', () => {
    const at = (index: number): number => 0xa0000000 + index;
    expect(parseHeader(header(FIELDS))).toEqual({
      header: {
        ino: at(0),
        mode: at(1),
        uid: at(2),
        gid: at(3),
        nlink: at(4),
        mtime: at(5),
        size: at(6),
        device: [at(7), at(8)],
        represents: [at(9), at(10)],
      },
      nameLength: at(11),
    });
  });

  test.each(Array.from({ length: 13 }, (_, index) => index))('has eight hexadecimal digits in field %d', (index) => {
    for (const wrong of ['0000000g', ' 0000000', '0000000 ', '+0000000', '0x000000']) {
      expect(() => parseHeader(header(FIELDS.with(index, wrong)))).toThrow('Invalid hex u32 header field');
    }
    expect(() => parseHeader(header(FIELDS.with(index, 'ABCDEF09')))).not.toThrow();
  });

  test.each(['070700', '070703', '07070', '0707011', ' 07070', '170701'])('refuses the magic %j', (magic) => {
    expect(() => checkMagic(utf8(magic))).toThrow('Invalid magic number');
    checkMagic(utf8('070701'));
    checkMagic(utf8('070702'));
  });

  test.each([
    [0o140777, 'socket'],
    [0o120777, 'symlink'],
    [0o100644, 'file'],
    [0o060000, 'block'],
    [0o040755, 'directory'],
    [0o020000, 'character'],
    [0o010000, 'fifo'],
    [0, 'unknown'],
    [0o150000, 'unknown'],
    [0x20000 | 0o100644, 'file'],
  ])('reads mode %o as a %s', (mode, kind) => {
    expect(kindOf(mode)).toBe(kind);
  });

  test.each([
    [0, 0],
    [1, 3],
    [2, 2],
    [3, 1],
    [4, 0],
    [0xffffffff, 1],
  ])('pads %d bytes with %d NULs', (length, expected) => {
    expect(padding(length)).toBe(expected);
  });

  test.each([
    ['a\0', 'a'],
    ['a\0\0\0', 'a'],
    ['\0', ''],
    ['a\0b\0', 'a\0b'],
    ['\ufeffa\0', '\ufeffa'],
    ['ä\0', 'ä'],
  ])('reads the name %j as %j', (bytes, name) => {
    expect(parseName(utf8(bytes))).toBe(name);
  });

  test('requires a name in UTF-8 with a NUL at its end', () => {
    for (const bytes of [utf8('a'), new Uint8Array(0)]) {
      expect(() => parseName(bytes)).toThrow(
        expect.objectContaining({ code: 'ISO_BAD_ARCHIVE', message: 'Entry name was not NUL-terminated' }),
      );
    }
    expect(() => parseName(Uint8Array.of(0xff, 0))).toThrow('Entry name was not valid UTF-8');
  });

  test.each([
    ['a/b/c', ['a', 'a/b', 'a/b/c']],
    ['/a/b', ['/', '/a', '/a/b']],
    ['./a/b', ['.', './a', './a/b']],
    ['a//b', ['a', 'a//b']],
    ['a/./b', ['a', 'a/./b']],
    ['a', ['a']],
  ])('creates the directories above %s before it', async (path, paths) => {
    const found: string[] = [];
    for await (const entry of readArchives(await archive([{ path, content: '' }], { compression: plain }))) {
      found.push(entry.path);
      expect(entry).toMatchObject({ ino: found.length - 1, uid: 0, gid: 0, nlink: 1, mtime: 0 });
      expect(entry.mode).toBe(entry.kind === 'directory' ? 0o040755 : 0o100600);
    }
    expect(found).toEqual(paths);
  });

  test('creates a directory once, and again after another one', async () => {
    const files = ['b/y', 'a/x', 'a/c/z', 'b/x', 'a/y'].map((path) => ({ path, content: 'x' }));
    const found: string[] = [];
    for await (const { path } of readArchives(await archive(files))) found.push(path);
    expect(found).toEqual(['a', 'a/c', 'a/c/z', 'a/x', 'a/y', 'b', 'b/x', 'b/y']);
  });

  test('allows sizes of at most eight digits, and only permissions as modes', () => {
    const made = (size: number, mode?: number) =>
      composeArchive([{ path: 'a', content: zeros(size), ...(mode !== undefined && { mode }) }]);
    expect(made(0xffffffff).size).toBe(112 + 0x100000000 + 124);
    expect(() => made(0x100000000)).toThrow(expect.objectContaining({ code: 'ISO_BAD_MEMBER' }));
    for (const mode of [0, 0o7777]) expect(made(0, mode).size).toBe(112 + 124);
    for (const mode of [-1, 0o10000, 0.5, Number.NaN]) expect(() => made(0, mode)).toThrow(RangeError);
  });

  test.each(['', 'TRAILER!!!', 'a\0b'])('refuses the member name %j', (path) => {
    expect(() => composeArchive([{ path, content: '' }])).toThrow(expect.objectContaining({ code: 'ISO_BAD_MEMBER' }));
  });

  test('orders paths by their bytes', () => {
    const paths = ['', 'a', 'a/b', 'ab', 'b', 'ä', '\uffff', '😀', '😁'];
    for (const one of paths) {
      for (const other of paths) {
        const theirs = Buffer.compare(Buffer.from(one), Buffer.from(other));
        expect(Math.sign(comparePaths(one, other))).toBe(theirs);
      }
    }
  });
});

describe('truncated contents', () => {
  test.each(['plain', 'gzip'])('fail at their end, in a %s archive', async (format) => {
    const whole = await archive([{ path: 'a', content: noise('cut', 1000) }], { compression: plain });
    const cut = format === 'plain' ? whole.slice(0, 600) : gzipSync(whole.subarray(0, 600));
    let found = 0;
    const reading = (async () => {
      for await (const entry of readArchives(cut)) for await (const chunk of entry.content()) found += chunk.length;
    })();
    expect(await chainOf(reading)).toEqual(['reading CPIO entry contents', 'failed to fill whole buffer']);
    expect(found).toBe(600 - 112);
    await expect(reading).rejects.toMatchObject({ code: 'ISO_BAD_ARCHIVE', offset: 600 });
  });
});

describe('the beginning of an archive', () => {
  test.each([
    ['gzip', '1f8b08000000'],
    ['plain', '1f8a08000000'],
    ['plain', '1e8b08000000'],
    ['xz', 'fd377a585a00'],
    ['plain', 'fd377a585a01'],
    ['plain', 'fd377a585a'],
    ['zstd', '28b52ffd0000'],
    ['zstd', '28b52ffd00'],
    ['plain', '28b52ffd'],
    ['plain', '28b52ffe0000'],
    ['zstd', '502a4d180000'],
    ['zstd', '5f2a4d180000'],
    ['plain', '602a4d180000'],
    ['plain', '4f2a4d180000'],
    ['plain', '502b4d180000'],
    ['plain', '502a4c180000'],
    ['plain', '502a4d190000'],
    ['plain', '303730373031'],
    ['plain', ''],
  ])('shows %s: %s', (format, bytes) => {
    expect(formatOf(Buffer.from(bytes, 'hex'))).toBe(format);
    if (format === 'zstd') expect(isZstd(Buffer.from(bytes, 'hex'))).toBe(true);
  });
});

/** A frame of one raw block, with the header that the options ask for (RFC 8878 3.1.1). */
function frame(
  content: Uint8Array,
  {
    single = true,
    sizeFlag = 0,
    dictionary = [] as number[],
    checksum = undefined as number | undefined,
    window = 0x40,
    descriptor = 0,
  } = {},
): Uint8Array {
  const dictionaryFlag = [0, 1, 2, 0, 3][dictionary.length] ?? 0;
  const flags = descriptor | (sizeFlag << 6) | (single ? 0x20 : 0) | (checksum === undefined ? 0 : 4) | dictionaryFlag;
  const sizeLength = [single ? 1 : 0, 2, 4, 8][sizeFlag] ?? 0;
  const value = BigInt(content.length - (sizeLength === 2 ? 256 : 0));
  const size = Array.from({ length: sizeLength }, (_, index) => Number((value >> BigInt(8 * index)) & 255n));
  return Uint8Array.of(
    ...[0x28, 0xb5, 0x2f, 0xfd, flags],
    ...(single ? [] : [window]),
    ...dictionary,
    ...size,
    ...block(0, content),
    ...(checksum === undefined ? [] : [0, 8, 16, 24].map((shift) => (checksum >>> shift) & 255)),
  );
}

function block(kind: number, content: Uint8Array, { last = true, size = content.length } = {}): number[] {
  const header = (size << 3) | (kind << 1) | (last ? 1 : 0);
  return [header & 255, (header >> 8) & 255, (header >> 16) & 255, ...content];
}

describe('a Zstandard frame', () => {
  const reader = (bytes: Uint8Array): ByteReader => sourceReader(bytesSource(bytes));
  const unpacked = async (bytes: Uint8Array): Promise<string> => text(await collect(unzstd(reader(bytes), () => true)));
  const words = utf8('the contents '.repeat(25));

  test.each([
    ['one segment, 1 byte', words.subarray(0, 255), { single: true, sizeFlag: 0 }],
    ['one segment, 2 bytes', words, { single: true, sizeFlag: 1 }],
    ['one segment, 4 bytes', words, { single: true, sizeFlag: 2 }],
    ['one segment, 8 bytes', words, { single: true, sizeFlag: 3 }],
    ['a window, no size', words, { single: false, sizeFlag: 0 }],
    ['a window, 2 bytes', words, { single: false, sizeFlag: 1 }],
    ['a window, 8 bytes', words, { single: false, sizeFlag: 3 }],
    ['dictionary 0 in 1 byte', words, { sizeFlag: 1, dictionary: [0] }],
    ['dictionary 0 in 2 bytes', words, { sizeFlag: 1, dictionary: [0, 0] }],
    ['dictionary 0 in 4 bytes behind a window', words, { single: false, dictionary: [0, 0, 0, 0] }],
  ])('with %s in its header is unpacked, and the bytes after it are left', async (_, content, options) => {
    const bytes = frame(content, options);
    const input = reader(Uint8Array.of(...bytes, 9, 9));
    expect(text(await collect(unzstd(input, () => true)))).toBe(text(content));
    expect(input.position).toBe(bytes.length);
  });

  test.each([
    ['1 byte', { sizeFlag: 1, dictionary: [1] }],
    ['2 bytes', { sizeFlag: 1, dictionary: [0, 1] }],
    ['4 bytes', { single: false, dictionary: [0, 0, 0, 1] }],
  ])('with another dictionary, in %s, is refused', async (_, options) => {
    await expect(unpacked(frame(words, options))).rejects.toMatchObject({
      code: 'ISO_BAD_ARCHIVE',
      message: 'Dictionary mismatch',
      offset: 0,
    });
  });

  const TOO_MUCH = 'Frame requires too much memory for decoding';
  test.each([
    ['2^27 bytes', 17 << 3, false],
    ['an eighth more', (17 << 3) | 1, true],
    ['2^28 bytes', 18 << 3, true],
    ['15/8 of 2^26 bytes', (16 << 3) | 7, false],
  ])('with a window of %s is accepted or refused as by zstd', async (_, window, refused) => {
    const outcome = await unpacked(frame(words, { single: false, window })).catch((error) => error.message);
    expect(outcome).toBe(refused ? TOO_MUCH : text(words));
  });

  test.each([
    [2 ** 27, false],
    [2 ** 27 + 1, true],
  ])('with a single segment of %d bytes is refused if that is too large: %s', async (size, refused) => {
    const bytes = frame(new Uint8Array(0), { sizeFlag: 2 });
    new DataView(bytes.buffer).setUint32(5, size, true);
    const message = await unpacked(bytes).then(
      () => 'unpacked',
      (error) => error.message,
    );
    expect(message === TOO_MUCH).toBe(refused);
  });

  test('must have the right checksum', async () => {
    const { Xxh64 } = await import('../../src/checksums/xxh64.ts');
    const hash = new Xxh64();
    hash.update(words);
    expect(await unpacked(frame(words, { sizeFlag: 1, checksum: hash.low32() }))).toBe(text(words));
    await expect(unpacked(frame(words, { sizeFlag: 1, checksum: hash.low32() ^ 1 }))).rejects.toMatchObject({
      message: "Restored data doesn't match checksum",
      offset: 0,
    });
  });

  test('has raw or repeated-byte blocks of up to 128 KiB', async () => {
    const head = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x40];
    const raw = block(0, utf8('raw '), { last: false });
    const repeated = block(1, utf8('x'), { size: 5 });
    expect(await unpacked(Uint8Array.of(...head, ...raw, ...repeated))).toBe('raw xxxxx');
    const large = (size: number) => Uint8Array.of(...head, ...block(1, utf8('y'), { size }));
    expect((await unpacked(large(128 * 1024))).length).toBe(128 * 1024);
    await expect(unpacked(large(128 * 1024 + 1))).rejects.toThrow('Data corruption detected');
    await expect(unpacked(Uint8Array.of(...head, ...block(3, utf8('z'))))).rejects.toThrow('Data corruption detected');
  });

  test.each([0x50, 0x5a, 0x5f])('that is skippable, beginning with %d, may be anywhere', async (first) => {
    const skipped = [first, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7];
    const one = frame(utf8('one '), {});
    const two = frame(utf8('two'), {});
    expect(await unpacked(Uint8Array.of(...skipped, ...one, ...skipped, ...two, ...skipped))).toBe('one two');
  });

  test('is followed by the next one only on request', async () => {
    const one = frame(utf8('one'), {});
    const input = reader(Uint8Array.of(...one, ...frame(utf8('two'), {})));
    expect(text(await collect(unzstd(input, () => false)))).toBe('one');
    expect(input.position).toBe(one.length);
  });

  test('that is truncated anywhere is reported, after its existing contents', async () => {
    const bytes = frame(words, { sizeFlag: 1, checksum: 0 });
    for (let length = 4; length < bytes.length; length++) {
      await expect(unpacked(bytes.subarray(0, length))).rejects.toThrow('premature EOF reading zstd frame');
    }
  });
});

describe('reading bytes in order', () => {
  const inPieces = (...pieces: string[]): ByteReader => {
    const left = pieces.map(utf8);
    return new ByteReader({ next: async () => left.shift() });
  };

  test('looks ahead over pieces and consumes the requested bytes', async () => {
    const reader = inPieces('ab', 'c', 'defg');
    expect(text(await reader.peek(4))).toBe('abcd');
    expect(reader.position).toBe(0);
    expect(text(await reader.take(3))).toBe('abc');
    expect(text(await reader.buffered())).toBe('defg');
    await reader.skip(2);
    expect([reader.position, text(await reader.peek(9))]).toEqual([5, 'fg']);
    await expect(reader.take(3)).rejects.toMatchObject({ code: 'ISO_BAD_ARCHIVE', offset: 7 });
    await expect(reader.skip(3)).rejects.toMatchObject({ message: 'failed to fill whole buffer', offset: 7 });
  });

  test('skips zeros and returns whether anything follows', async () => {
    const reader = inPieces('\0\0', '\0', '\0a\0');
    expect([await reader.skipZeros(), reader.position]).toEqual([true, 4]);
    await reader.skip(1);
    expect([await reader.skipZeros(), reader.position]).toEqual([false, 6]);
  });

  test('reads more of a source each time, and little again after a gap', async () => {
    const source = countingSource(zeros(1024 * 1024));
    const reader = sourceReader(source);
    const read = async () => reader.advance((await reader.buffered()).length);
    for (let count = 0; count < 5; count++) await read();
    await reader.skip(1000);
    await read();
    await read();
    const kib = (length: number) => length * 1024;
    expect(source.reads.map(({ length }) => length)).toEqual([16, 32, 64, 128, 128, 16, 32].map(kib));
    expect(source.reads.at(-2)?.offset).toBe(kib(368) + 1000);
    const left = 1024 * 1024 - reader.position;
    await expect(reader.skip(left + 1)).rejects.toMatchObject({ code: 'ISO_BAD_ARCHIVE' });
  });

  test('reads up to the last byte of a source, without one more read', async () => {
    const source = countingSource(bytesSource(noise('end', 20_000)));
    const reader = sourceReader(source);
    await reader.skip(0);
    expect((await reader.take(20_000)).length).toBe(20_000);
    expect(await reader.buffered()).toHaveLength(0);
    expect(source.reads.map(({ length }) => length)).toEqual([16384, 20_000 - 16384]);
  });

  test('skips empty pieces of a decoder, and frees it', async () => {
    let isFreed = false;
    async function* pieces() {
      try {
        yield new Uint8Array(0);
        yield utf8('a');
        yield new Uint8Array(0);
        yield utf8('b');
      } finally {
        isFreed = true;
      }
    }
    const reader = chunkReader(pieces());
    expect(text(await reader.buffered())).toBe('a');
    await reader.close();
    expect(isFreed).toBe(true);
  });
});
