// Handmade streams in the .xz file format, which test the walk over their parts.
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { bytesSource, concatBytes } from '../../src/bytes/source.ts';
import { sourceReader } from '../../src/initrd/byte-reader.ts';
import { unxz } from '../../src/initrd/unxz.ts';
import { chainOf } from '../live/chain.ts';
import { collect, noise, sha256, text, utf8 } from './archives.ts';

const le32 = (value: number): number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255];
const withCrc = (bytes: readonly number[]): number[] => [...bytes, ...le32(crc32(Uint8Array.from(bytes)))];
const padded = (bytes: readonly number[]): number[] => [...bytes, ...new Array((4 - (bytes.length % 4)) % 4).fill(0)];
const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);

/** Stored LZMA2 chunks; the first one resets the dictionary. */
function stored(...contents: Uint8Array[]): number[] {
  return contents.flatMap((content, index) => {
    const size = content.length - 1;
    return [index === 0 ? 1 : 2, size >> 8, size & 255, ...content];
  });
}

interface Block {
  readonly chunks: readonly number[];
  readonly size: number;
}
const block = (...contents: Uint8Array[]): Block => ({
  chunks: [...stored(...contents), 0],
  size: contents.reduce((sum, { length }) => sum + length, 0),
});

/** A whole stream: header, blocks each with its check, index, footer (.xz file format 2 to 4). */
function stream(blocks: readonly Block[], { check = 0, checkLength = 0, count = blocks.length, records = true } = {}) {
  const flags = [0, check];
  // One filter, LZMA2, with one byte of properties: a dictionary of 64 KiB.
  const blockHeader = withCrc([2, 0, 0x21, 1, 8, 0, 0, 0]);
  const index: number[] = [0, ...varint(count)];
  const body: number[] = [];
  for (const { chunks, size } of blocks) {
    const start = body.length;
    for (const part of [blockHeader, padded(chunks), new Array(checkLength).fill(0x77)])
      for (const byte of part) body.push(byte);
    const padding = padded(chunks).length - chunks.length;
    if (records) index.push(...varint(body.length - start - padding), ...varint(size));
  }
  const wholeIndex = withCrc(padded(index));
  const ending = [...le32(wholeIndex.length / 4 - 1), ...flags];
  const footer = [...le32(crc32(Uint8Array.from(ending))), ...ending, 0x59, 0x5a];
  const header = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, ...flags, ...le32(crc32(Uint8Array.from(flags)))];
  return Uint8Array.from([...header, ...body, ...wholeIndex, ...footer]);
}

/** The unpacked contents of a stream, and the end of reading in the input. */
async function unpacked(bytes: Uint8Array): Promise<{ content: string; end: number }> {
  const input = sourceReader(bytesSource(bytes));
  const content = text(await collect(unxz(input)));
  return { content, end: input.position };
}

const TRUNCATED = 'xz compressed stream is truncated or otherwise corrupt';
const CORRUPT = 'lzma data error';
const HELLO = utf8('hello');

describe('a stream', () => {
  test.each([1, 2, 3, 4, 5, 255, 256, 257, 65536])(
    'of %d bytes is unpacked, and the bytes after it are left',
    async (length) => {
      const content = noise('xz', length).map((byte) => byte & 0x7f);
      const bytes = stream([block(content)]);
      expect(await unpacked(Uint8Array.of(...bytes, 9, 9, 9))).toEqual({ content: text(content), end: bytes.length });
    },
  );

  test.each([0, 1, 2, 3, 127, 128, 129])('of %d blocks has as many records in its index', async (count) => {
    const bytes = stream(Array.from({ length: count }, () => block(HELLO)));
    expect(await unpacked(Uint8Array.of(...bytes, 9))).toEqual({ content: 'hello'.repeat(count), end: bytes.length });
  });

  test('has blocks of several chunks, with and without their own dictionary', async () => {
    const bytes = stream([block(HELLO, utf8(' '), HELLO), block(utf8('!'), HELLO)]);
    expect((await unpacked(bytes)).content).toBe('hello hello!hello');
  });

  // .xz file format 2.1.1.2; upstream also supports SHA-256, and the kernel only CRC32.
  test.each([2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])(
    'with the check %d, which is neither CRC32 nor CRC64, is refused',
    async (check) => {
      const checkLength = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64][check] ?? 0;
      expect(await chainOf(unpacked(stream([block(HELLO)], { check, checkLength })))).toEqual([CORRUPT]);
    },
  );

  test('that is truncated anywhere is reported, after all its existing contents', async () => {
    const long = noise('cut', 200).map((byte) => byte & 0x7f);
    const bytes = stream([block(long, HELLO), block(HELLO)]);
    const whole = (await unpacked(bytes)).content;
    // The places of the contents: after the headers of stream, block and chunk.
    const places = [
      [12 + 12 + 3, 200],
      [12 + 12 + 3 + 200 + 3, 5],
      [12 + 12 + 212 + 12 + 3, 5],
    ] as const;
    for (let length = 0; length < bytes.length; length++) {
      const found: Uint8Array[] = [];
      const work = (async () => {
        for await (const chunk of unxz(sourceReader(bytesSource(bytes.subarray(0, length))))) found.push(chunk.slice());
      })();
      expect(await chainOf(work)).toEqual([TRUNCATED]);
      const there = places.reduce((sum, [at, size]) => sum + Math.min(size, Math.max(0, length - at)), 0);
      expect(text(concatBytes(found))).toBe(whole.slice(0, there));
    }
  });

  test.each<[string, Uint8Array]>([
    ['more records than blocks', stream([block(HELLO)], { count: 2 })],
    ['fewer records than blocks', stream([block(HELLO), block(HELLO)], { count: 1 })],
    ['a chunk of no kind', stream([{ chunks: [3, 0, 0, 0x61, 0], size: 1 }])],
    ['a chunk of another kind that there is not', stream([{ chunks: [0x7f, 0, 0, 0x61, 0], size: 1 }])],
    ['a number of more than nine bytes', Uint8Array.of(...stream([]).subarray(0, 13), ...new Array(20).fill(0x80))],
  ])('with %s is damaged', async (_, bytes) => {
    expect(await chainOf(unpacked(bytes))).toEqual([CORRUPT]);
  });
});

describeWith(['xz'], 'xz itself', () => {
  test('accepts these handmade streams', () => {
    const bytes = stream([block(HELLO, HELLO), ...new Array(130).fill(block(HELLO))]);
    expect(output('xz', ['-dc'], { input: bytes }).toString()).toBe('hello'.repeat(132));
  });

  const hex = (bytes: Uint8Array): Uint8Array => utf8(Buffer.from(bytes).toString('hex'));
  const hello = utf8('hello '.repeat(1000));
  test.each<[string, Uint8Array[]]>([
    ['e0', [hello]],
    ['01 02', [noise('a', 100_000)]],
    ['01 c0', [noise('a', 70_000), hello]],
    ['e1 81 81 80', [hex(noise('a', 200_000))]],
    ['e1 02 02 a0', [utf8('hello '.repeat(5000)), noise('b', 200_000), hello]],
  ])('makes chunks that begin with %s, in its version 5, which are read to the end', async (_, parts) => {
    const content = concatBytes(parts);
    for (const check of ['none', 'crc32', 'crc64']) {
      const bytes = output('xz', ['-6', '-T1', '-c', `--check=${check}`], { input: content });
      const input = sourceReader(bytesSource(concatBytes([bytes, utf8('after')])));
      expect(sha256(await collect(unxz(input)))).toBe(sha256(content));
      expect(input.position).toBe(bytes.length);
    }
  });
});
