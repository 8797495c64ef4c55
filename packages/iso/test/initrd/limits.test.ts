// Limits of archives, and the sizes of reads.
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesSource, concatBytes, type Progress } from '../../src/bytes/source.ts';
import { readFiles } from '../../src/initrd/archive-files.ts';
import { type ReadArchivesOptions, readArchives } from '../../src/initrd/archive-reader.ts';
import { writeArchive } from '../../src/initrd/archive-writer.ts';
import { sourceReader } from '../../src/initrd/byte-reader.ts';
import { plain } from '../../src/initrd/encoders.ts';
import { gunzip, type Inflate } from '../../src/initrd/gunzip.ts';
import { unzstd } from '../../src/initrd/unzstd.ts';
import { edit } from '../../src/live/edit.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { openInitramfs } from '../../src/live/pxe.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { chainOf } from '../live/chain.ts';
import { countingSource } from '../support/counting-source.ts';
import { archive, collect, noise, text, utf8 } from './archives.ts';

const raw = await archive([{ path: 'a', content: noise('limit', 1000) }], { compression: plain });

/** Claims to have unpacked this many bytes, and fails when the first one is read. */
const claiming =
  (length: number): Inflate =>
  () => {
    const bytes = {
      length,
      get 0(): number {
        throw new Error('was taken');
      },
    };
    return { length: 0, bytes: bytes as unknown as Uint8Array, crc: 0 };
  };

describe('the unpack limit of compressed archives', () => {
  const packed = gzipSync(raw);
  const live = async (inflate: Inflate) => {
    const { overlay } = await edit(await openLiveImage(await sampleIso()), { ignition: 'x' });
    return (await openLiveImage(overlay)).initrd.files({ inflate });
  };

  test.each<[string, (inflate: Inflate) => Promise<unknown>, number]>([
    ['2 GiB', (inflate) => readFiles(packed, { inflate }), 2 ** 31],
    ['64 MiB in an initrd area', live, 64 * 2 ** 20],
    ['8 GiB in an initramfs', (inflate) => openInitramfs(packed, { inflate }), 2 ** 33],
  ])('is %s', async (_, work, limit) => {
    expect((await chainOf(work(claiming(limit + 1)))).at(-1)).toBe(`the archives unpack to more than ${limit} bytes`);
  });

  test('can be set to the byte, for all of them together, and does not count plain ones', async () => {
    const bytes = concatBytes([packed, raw, packed]);
    const read = (limit: number) => chainOf(readFiles(bytes, { limit }));
    expect(await read(2 * raw.length)).toEqual(['did not fail']);
    expect((await read(2 * raw.length - 1)).at(-1)).toBe(
      `the archives unpack to more than ${2 * raw.length - 1} bytes`,
    );
    await expect(readFiles(bytes, { limit: 2 * raw.length - 1 })).rejects.toMatchObject({
      code: 'ISO_UNPACK_LIMIT',
      offset: packed.length + raw.length,
    });
  });
});

describe('a member', () => {
  /** A plain archive of one empty file whose name is padded to `length` bytes, as dracut pads them. */
  function named(length: number): Uint8Array {
    const numbers = [1, 0o100644, 0, 0, 1, 0, 0, 0, 0, 0, 0, length, 0];
    const header = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}`;
    const bytes = new Uint8Array(Math.ceil((110 + length) / 4) * 4);
    bytes.set(utf8(`${header}name`));
    return concatBytes([bytes, raw.subarray(-124)]);
  }

  test('has a name of at most 64 KiB', async () => {
    expect([...(await readFiles(named(65536))).keys()]).toEqual(['name']);
    expect(await chainOf(readFiles(named(65537)))).toEqual(['reading CPIO entry', 'Entry name has 65537 bytes']);
    await expect(readFiles(named(65537))).rejects.toMatchObject({ code: 'ISO_BAD_ARCHIVE', offset: 0 });
  });

  test.each([1, 5, 6, 7, 109, 110, 111])('that is truncated after %d bytes is incomplete', async (length) => {
    const cut = concatBytes([raw.subarray(0, -124), raw.subarray(0, length)]);
    expect(await chainOf(readFiles(cut))).toEqual(['reading CPIO entry', 'failed to fill whole buffer']);
    await expect(readFiles(gzipSync(cut))).rejects.toMatchObject({ code: 'ISO_BAD_ARCHIVE' });
  });

  test('that is damaged is reported with its offset, or that of its archive if compressed', async () => {
    const damaged = concatBytes([raw.subarray(0, -124), utf8('junk of six bytes and more')]);
    const at = async (bytes: Uint8Array) => (await readFiles(bytes).catch((error) => error)).offset;
    expect(await at(damaged)).toBe(raw.length - 124);
    expect(await at(gzipSync(damaged))).toBe(0);
    expect(await at(concatBytes([raw, new Uint8Array(8), gzipSync(damaged)]))).toBe(raw.length + 8);
  });

  test('with several names and no contents is empty under each', async () => {
    const member = (path: string) => {
      const numbers = [7, 0o100640, 0, 0, 2, 0, 0, 0, 0, 0, 0, path.length + 1, 0];
      return utf8(`070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}${path}\0`);
    };
    const files = await readFiles(concatBytes([member('a'), member('b'), raw.subarray(-124)]));
    expect([...files.values()].map(({ path, size, mode }) => [path, size, mode])).toEqual([
      ['a', 0, 0o640],
      ['b', 0, 0o640],
    ]);
  });

  test('is read once, and only up to its end', async () => {
    for await (const entry of readArchives(raw)) {
      expect((await collect(entry.content())).length).toBe(1000);
      await expect(collect(entry.content())).rejects.toThrow('content must be read once, and before the next entry');
      expect(entry.place?.size).toBe(1000);
    }
    for await (const { place } of readArchives(gzipSync(raw))) expect(place).toBeUndefined();
  });
});

test.each([
  ['another text', 'both', RangeError],
  ['nothing', '', RangeError],
])('refuses %s for zstdFrames', async (_, zstdFrames, error) => {
  const options = { zstdFrames } as unknown as ReadArchivesOptions;
  await expect(readArchives(raw, options).next()).rejects.toThrow(error);
});

describe('gzip', () => {
  test('gives a faster decoder at most a mebibyte, and decodes the rest itself', async () => {
    const content = noise('large', 1_100_000);
    const packed = gzipSync(content, { level: 0 });
    const seen: number[] = [];
    const input = sourceReader(bytesSource(packed));
    const inflate: Inflate = (bytes) => {
      seen.push(bytes.length);
      return undefined;
    };
    expect((await collect(gunzip(input, inflate))).length).toBe(content.length);
    expect(seen).toEqual([1024 * 1024]);
  });

  test('has the length of its contents modulo 4 GiB', async () => {
    const stream = (said: number): Uint8Array => {
      const bytes = new Uint8Array(18);
      bytes.set([0x1f, 0x8b, 8]);
      new DataView(bytes.buffer).setUint32(14, said, true);
      return bytes;
    };
    const lengths = async (said: number): Promise<number[]> => {
      const found: number[] = [];
      const input = sourceReader(bytesSource(stream(said)));
      for await (const { length } of gunzip(input, claiming(2 ** 32 + 5))) found.push(length);
      return found;
    };
    expect(await lengths(5)).toEqual([2 ** 32 + 5]);
    await expect(lengths(6)).rejects.toThrow('corrupt gzip stream does not have a matching checksum');
  });

  test('uses the checksum from the faster decoder', async () => {
    const content = utf8('hello');
    const packed = gzipSync(content);
    const inflate =
      (crc: number): Inflate =>
      () => ({ length: packed.length - 18, bytes: content, crc });
    const read = (crc: number) => collect(gunzip(sourceReader(bytesSource(packed)), inflate(crc)));
    expect(await read(crc32(content))).toEqual(content);
    await expect(read(crc32(content) ^ 1)).rejects.toMatchObject({ code: 'ISO_BAD_ARCHIVE', offset: 0 });
  });
});

describe('zstd', () => {
  test.each([
    [32768, 5],
    [32769, 5],
    [65537, 40_000],
    [1, 1],
  ])('joins blocks of %d and %d bytes', async (first, second) => {
    const contents = noise('blocks', first + second).map((byte) => byte & 0x7f);
    const block = (bytes: Uint8Array, last: number) => {
      const header = (bytes.length << 3) | last;
      return [header & 255, (header >> 8) & 255, header >> 16, ...bytes];
    };
    const head = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x40];
    const bytes = Uint8Array.from([
      ...head,
      ...block(contents.subarray(0, first), 0),
      ...block(contents.subarray(first), 1),
    ]);
    const found = await collect(unzstd(sourceReader(bytesSource(bytes)), () => true));
    expect(text(found) === text(contents)).toBe(true);
  });
});

describe('writing', () => {
  test.each([
    [0, []],
    [1, [1]],
    [131_072, [131_072]],
    [131_073, [131_072, 1]],
  ])('reads contents of %d bytes in pieces of %j, and reports each', async (size, pieces) => {
    const source = countingSource(bytesSource(noise('pieces', size)));
    const reports: Progress[] = [];
    const files = [
      { path: 'a', content: source },
      { path: 'b', content: 'text' },
    ];
    await collect(writeArchive(files, { onProgress: (progress) => reports.push(progress) }));
    expect(source.reads.map(({ length }) => length)).toEqual(pieces);
    const total = size + 4;
    const done = pieces.map((_, index) => pieces.slice(0, index + 1).reduce((sum, piece) => sum + piece, 0));
    expect(reports).toEqual([...done, total].map((each) => ({ done: each, total })));
  });

  test('ends a block after every padded member, and yields no empty pieces', async () => {
    const calls: string[] = [];
    const compression = () => ({
      write: async (bytes: Uint8Array) => {
        calls.push(`${bytes.length}`);
        return new Uint8Array(0);
      },
      endBlock: async () => {
        calls.push('end');
        return Uint8Array.of(1);
      },
      finish: async () => new Uint8Array(0),
    });
    const files = ['', '1', '22', '333', '4444'].map((content, index) => ({ path: `${index}`, content }));
    const found: number[] = [];
    for await (const { length } of writeArchive(files, { compression })) found.push(length);
    expect(found).toEqual([1, 1, 1]);
    expect(calls.join(' ')).toBe('112 112 1 3 end 112 2 2 end 112 3 1 end 112 4 124');
  });
});
