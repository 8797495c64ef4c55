import { constants, deflateRawSync, gzipSync, type ZlibOptions } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../src/bytes/source.ts';
import { ByteReader } from '../../src/initrd/byte-reader.ts';
import { gunzip } from '../../src/initrd/gunzip.ts';
import { inflate } from '../../src/initrd/inflate.ts';
import { chainOf } from '../live/chain.ts';
import { collect, noise, sha256, utf8 } from './archives.ts';

/** Bytes that arrive in pieces of a given length. */
function inPieces(bytes: Uint8Array, length: number): ByteReader {
  let at = 0;
  return new ByteReader({
    async next() {
      const piece = bytes.subarray(at, at + length);
      at += piece.length;
      return piece.length > 0 ? piece : undefined;
    },
  });
}

const words = Array.from({ length: 300 }, (_, index) => Buffer.from(noise(`w${index}`, 4)).toString('hex'));
/** Text with matches near and far, runs, and stretches that do not compress. */
const MIXED = concatBytes(
  Array.from({ length: 120 }, (_, index) =>
    index % 10 === 7
      ? noise(`n${index}`, 3000)
      : index % 10 === 3
        ? new Uint8Array(5000 + index)
        : utf8(Array.from({ length: 400 }, (__, at) => words[(at * at * 7 + index * 31) % 300]).join(' ')),
  ),
);

describe('streams of zlib', () => {
  const strategies = ['Z_DEFAULT_STRATEGY', 'Z_HUFFMAN_ONLY', 'Z_RLE', 'Z_FIXED', 'Z_FILTERED'] as const;
  const settings: [string, ZlibOptions][] = [
    ...[0, 1, 6, 9].map((level): [string, ZlibOptions] => [`level ${level}`, { level }]),
    ...strategies.map((name): [string, ZlibOptions] => [name, { strategy: constants[name] }]),
    ['a small window and little memory', { windowBits: 9, memLevel: 1 }],
  ];
  test.each(settings)('are decoded whole and in pieces, exactly up to the last byte: %s', async (_, options) => {
    const packed = gzipSync(MIXED, options);
    for (const pieces of [packed.length + 9, 1000, 7]) {
      const input = inPieces(concatBytes([packed, utf8('after it')]), pieces);
      expect(sha256(await collect(gunzip(input)))).toBe(sha256(MIXED));
      expect(input.position).toBe(packed.length);
    }
  });

  test('restore any bytes from any setting', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      fc.array(fc.constantFrom(...words, '\0', 'aaaa'), { maxLength: 900 }).map((list) => utf8(list.join(''))),
    );
    const options = fc.record({
      level: fc.integer({ min: 0, max: 9 }),
      strategy: fc.integer({ min: 0, max: 4 }),
      memLevel: fc.integer({ min: 1, max: 9 }),
      windowBits: fc.integer({ min: 9, max: 15 }),
    });
    await fc.assert(
      fc.asyncProperty(bytes, options, fc.integer({ min: 1, max: 40 }), async (original, setting, length) => {
        const input = inPieces(deflateRawSync(original, setting), length);
        expect(await collect(inflate(input))).toEqual(original);
      }),
      { numRuns: 150 },
    );
  });

  test('may have empty blocks from a flush in the middle', async () => {
    const part = (text: string) => deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
    const whole = concatBytes([part('one '), part('two '), deflateRawSync('three')]);
    expect(await collect(inflate(inPieces(whole, 3)))).toEqual(utf8('one two three'));
  });

  test('may have headers with names, comments and extra fields', async () => {
    const packed = gzipSync('x');
    const header = [0x1f, 0x8b, 8, 2 + 4 + 8 + 16, 0, 0, 0, 0, 0, 3, 3, 0, 7, 7, 7, ...utf8('name\0comment\0'), 9, 9];
    const input = inPieces(concatBytes([Uint8Array.from(header), packed.subarray(10)]), 4);
    expect(await collect(gunzip(input))).toEqual(utf8('x'));
  });
});

describe('damage', () => {
  const packed = gzipSync('hello hello hello hello');
  const flipped = (at: number, value: number) =>
    Uint8Array.from(packed, (byte, index) => (index === at ? value : byte));
  test.each<[string, Uint8Array, string]>([
    ['another method', flipped(2, 9), 'invalid gzip header'],
    ['reserved flags', flipped(3, 0x80), 'invalid gzip header'],
    ['a wrong checksum', flipped(packed.length - 8, 1), 'corrupt gzip stream does not have a matching checksum'],
    ['a wrong length', flipped(packed.length - 4, 1), 'corrupt gzip stream does not have a matching checksum'],
    ['a block of no type', flipped(10, 0x07), 'corrupt deflate stream: invalid block type'],
    ['a stored block that lies', flipped(10, 0x01), 'corrupt deflate stream: invalid stored block lengths'],
    ['too many symbols', flipped(10, 0xfd), 'corrupt deflate stream: too many length or distance symbols'],
    ['no end', packed.subarray(0, packed.length - 9), 'failed to fill whole buffer'],
    ['no checksum', packed.subarray(0, packed.length - 3), 'failed to fill whole buffer'],
    ['no data', packed.subarray(0, 10), 'failed to fill whole buffer'],
  ])('%s', async (_, bytes, message) => {
    expect(await chainOf(collect(gunzip(inPieces(bytes, 5))))).toEqual([message]);
  });

  test('may be a match that reaches back before the beginning', async () => {
    // One fixed block: length 3 (code 257), distance 1, and nothing before it.
    const bytes = Uint8Array.of(0b0000_0011, 0b0000_0010, 0, 0);
    expect(await chainOf(collect(inflate(inPieces(bytes, 9))))).toEqual([
      'corrupt deflate stream: invalid distance too far back',
    ]);
  });

  test('decodes the same streams as zlib', async () => {
    const { inflateRawSync } = await import('node:zlib');
    const original = deflateRawSync(MIXED.subarray(0, 5000), { level: 9 });
    const random = fc.uint8Array({ minLength: 1, maxLength: 60 });
    const damaged = fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { minLength: 1, maxLength: 3 }).map((damage) => {
      const copy = Uint8Array.from(original);
      for (const [at, value] of damage) copy[at] = value;
      return copy;
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(random, damaged), async (bytes) => {
        let theirs: string;
        try {
          theirs = sha256(inflateRawSync(bytes));
        } catch {
          theirs = 'refused';
        }
        const ours = await collect(inflate(inPieces(bytes, 1000))).then(sha256, () => 'refused');
        expect(ours).toBe(theirs);
      }),
      { numRuns: 1500 },
    );
  });
});
