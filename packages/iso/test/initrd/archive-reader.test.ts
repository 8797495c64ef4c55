import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { type ByteSource, bytesOf, bytesSource, concatBytes } from '../../src/bytes/source.ts';
import { IsoError } from '../../src/errors.ts';
import { readFiles } from '../../src/initrd/archive-files.ts';
import { readArchives } from '../../src/initrd/archive-reader.ts';
import { plain } from '../../src/initrd/encoders.ts';
import { chainOf } from '../live/chain.ts';
import { describeWithFixtures } from '../support/fixtures.ts';
import { archive, collect, noise, sha256, text, utf8 } from './archives.ts';

/** The text of every file, by path. */
async function contents(bytes: Uint8Array, options?: Parameters<typeof readFiles>[1]): Promise<Record<string, string>> {
  const files = await readFiles(bytesSource(bytes), options);
  const texts = [...files.values()].map(async ({ path, content }) => [path, text(await bytesOf(content))]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Flips bits everywhere: the reader must fail with a code, or return the original contents. */
async function checkDamage(bytes: Uint8Array): Promise<void> {
  const undamaged = await contents(bytes);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const copy = Uint8Array.from(bytes);
      copy[at]! ^= flip;
      const result = await contents(copy, { limit: 10_000_000 }).catch((error) => error);
      if (result instanceof Error) expect(result).toBeInstanceOf(IsoError);
      else expect(result).toEqual(undamaged);
    }),
    { numRuns: 120 },
  );
}

const FILES = [
  { path: 'config.ign', content: utf8('{}') },
  { path: 'etc/hosts', content: noise('hosts', 200_003), mode: 0o644 },
];

const raw = await archive(FILES, { compression: plain });
const gz = await archive(FILES);
const zeros = (length: number): Uint8Array => new Uint8Array(length);

test.each([
  ['plain', raw],
  ['gzip', gz],
])('reads contents and modes of a %s archive', async (_, bytes) => {
  const files = await readFiles(bytesSource(bytes));
  expect([...files.values()].map(({ path, mode, size }) => [path, mode, size])).toEqual([
    ['config.ign', 0o600, 2],
    ['etc/hosts', 0o644, 200_003],
  ]);
  expect(sha256(await bytesOf(files.get('etc/hosts')!.content))).toBe(sha256(FILES[1]!.content));
});

test('reads an empty file as an empty initramfs', async () => {
  expect(await contents(zeros(0))).toEqual({});
});

test('reads archives with any number of zero bytes between them, and uses the last file of a name', async () => {
  const one = (value: string) => [{ path: 'data/file', content: utf8(value) }];
  const bytes = concatBytes([
    await archive(one('first')),
    await archive(one('second'), { compression: plain }),
    zeros(513),
    await archive(one('third')),
    zeros(100_000),
  ]);
  expect(await contents(bytes)).toEqual({ 'data/file': 'third' });
});

test('returns files in the order of their paths', async () => {
  const bytes = concatBytes([
    await archive([{ path: 'b', content: utf8('') }]),
    await archive([{ path: 'a', content: utf8('') }]),
  ]);
  expect(Object.keys(await contents(bytes))).toEqual(['a', 'b']);
});

test('selects files by patterns', async () => {
  expect(await contents(raw, { patterns: ['*.ign', 'nothing'] })).toEqual({ 'config.ign': '{}' });
});

test('reads little more than the headers to list a plain archive', async () => {
  const big = 2 ** 31;
  const parts = await archive([{ path: 'x', content: utf8('') }], { compression: plain });
  const head = parts.slice(0, 112);
  head.set(utf8(big.toString(16).padStart(8, '0')), 54);
  let read = 0;
  const source: ByteSource = {
    size: 112 + big + 124,
    async read(offset, length) {
      read += length;
      const bytes = new Uint8Array(length);
      if (offset === 0) bytes.set(head);
      if (offset > big) bytes.set(parts.slice(-124).slice(offset - 112 - big, offset - 112 - big + length));
      return bytes;
    },
  };
  const entries = [];
  for await (const entry of readArchives(source)) entries.push([entry.path, entry.size]);
  expect(entries).toEqual([['x', big]]);
  expect(read).toBeLessThan(64 * 1024);
});

test('lets contents be read once', async () => {
  const source = bytesSource(gz);
  const iterator = readArchives(source);
  const first = (await iterator.next()).value!;
  await iterator.next();
  await expect(collect(first.content())).rejects.toThrow(TypeError);
});

test('leaves nothing pending if the loop is left', async () => {
  for await (const entry of readArchives(bytesSource(gz))) {
    expect(entry.path).toBe('config.ign');
    break;
  }
  expect(Object.keys(await contents(gz))).toHaveLength(2);
});

describe('refuses data that is no archive, with the message of coreos-installer', () => {
  const lies = (at: number, bytes: string) => {
    const copy = raw.slice();
    copy.set(utf8(bytes), at);
    return copy;
  };
  test.each<[string, Uint8Array, string[]]>([
    ['junk', utf8('junk junk'), ['reading CPIO entry', 'Invalid magic number']],
    ['a little junk', utf8('junk'), ['reading CPIO entry', 'failed to fill whole buffer']],
    ['lz4', Uint8Array.of(2, 0x21, 0x4c, 0x18, 0x4c, 0x5a, 0x34), ['reading CPIO entry', 'Invalid magic number']],
    ['long junk', utf8('junk '.repeat(99)), ['reading CPIO entry', 'Invalid magic number']],
    ['leading zeros', concatBytes([zeros(200), raw]), ['reading CPIO entry', 'Invalid magic number']],
    ['junk behind', concatBytes([gz, utf8('junk'.repeat(99))]), ['reading CPIO entry', 'Invalid magic number']],
    ['no trailer', raw.slice(0, -124), ['reading CPIO entry', 'failed to fill whole buffer']],
    ['a cut header', raw.slice(0, -20), ['reading CPIO entry', 'failed to fill whole buffer']],
    ['cut contents', raw.slice(0, 10_000), ['reading CPIO entry contents', 'failed to fill whole buffer']],
    ['letters for digits', lies(20, 'x'), ['reading CPIO entry', 'Invalid hex u32 header field']],
    ['a sign for a digit', lies(14, '+0000001'), ['reading CPIO entry', 'Invalid hex u32 header field']],
    ['a name without end', lies(120, 'x'), ['reading CPIO entry', 'Entry name was not NUL-terminated']],
    ['a huge name', lies(94, 'ffffffff'), ['reading CPIO entry', 'Entry name has 4294967295 bytes']],
  ])('%s', async (_, bytes, messages) => {
    expect(await chainOf(contents(bytes))).toEqual(messages);
  });

  test('a name that is not UTF-8', async () => {
    const copy = raw.slice();
    copy[110] = 0xff;
    expect((await chainOf(contents(copy))).slice(0, 2)).toEqual([
      'reading CPIO entry',
      'Entry name was not valid UTF-8',
    ]);
  });

  test('reports errors with the offset of the member', async () => {
    const copy = raw.slice();
    const second = raw.length - 124 - 200_004 - 120;
    copy[second] = 0x78;
    await expect(contents(copy)).rejects.toMatchObject({ code: 'ISO_BAD_ARCHIVE', offset: second });
  });
});

test('refuses archives that unpack to more than the limit', async () => {
  const bomb = await archive([{ path: 'zeros', content: zeros(3_000_000) }]);
  expect(bomb.length).toBeLessThan(5_000);
  const refused = { code: 'ISO_UNPACK_LIMIT', offset: 0 };
  await expect(contents(bomb, { limit: 1_000_000 })).rejects.toMatchObject(refused);
  expect(Object.keys(await contents(bomb, { limit: 3_001_000 }))).toEqual(['zeros']);
});

test('reports damage to a gzip archive with a code, unless the bits are unused', async () => {
  await checkDamage(await archive([{ path: 'a', content: utf8('some text, some text') }]));
});

test('reports an archive that is truncated anywhere with a code', async () => {
  const bytes = concatBytes([await archive([{ path: 'a', content: utf8('abc') }], { compression: plain }), gz]);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: bytes.length - 1 }), async (length) => {
      fc.pre(length < 236 || length > 236);
      await expect(contents(bytes.slice(0, length))).rejects.toBeInstanceOf(IsoError);
    }),
    { numRuns: 60 },
  );
});

test('never crashes on random bytes', async () => {
  const magics = ['', '070701', '\x1f\x8b\x08'].map((magic) => Uint8Array.from(magic, (c) => c.charCodeAt(0)));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...magics),
      fc.uint8Array({ minLength: 1, maxLength: 400 }),
      async (magic, rest) => {
        const failure = await contents(concatBytes([magic, rest])).catch((error) => error);
        if (failure instanceof Error) expect(failure).toBeInstanceOf(IsoError);
      },
    ),
    { numRuns: 300 },
  );
});

test('reads all written files back', async () => {
  const path = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }).filter((name) => !name.includes('\0'));
  const files = fc.uniqueArray(fc.record({ path, content: fc.uint8Array({ maxLength: 300 }) }), {
    selector: (file) => file.path,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (input, compressed) => {
      const bytes = await archive(input, compressed ? {} : { compression: plain });
      const found = await readFiles(bytesSource(bytes));
      expect(found.size).toBe(input.length);
      for (const file of input) expect(await bytesOf(found.get(file.path)!.content)).toEqual(file.content);
    }),
    { numRuns: 60 },
  );
});

/** A tree with all kinds of members that an unprivileged user can make. */
describe('files of several names', () => {
  /** A newc member; `ino`, `nlink` and `device` decide whose names belong together. */
  function member(path: string, content: string, { ino = 1, nlink = 1, device = 0, mode = 0o100644 } = {}): Uint8Array {
    const numbers = [ino, mode, 0, 0, nlink, 0, content.length, 0, device, 0, 0, path.length + 1, 0];
    const header = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}${path}\0`;
    const padded = (text: string): string => text + '\0'.repeat(-text.length & 3);
    return utf8(padded(header) + padded(content));
  }
  const END = member('TRAILER!!!', '', { ino: 0, mode: 0 });
  const link = (ino: number, device = 0) => ({ ino, nlink: 2, device });

  test.each<[string, Uint8Array[], Record<string, string>]>([
    [
      'two groups of one archive',
      [
        member('a1', '', link(1)),
        member('b1', '', link(2)),
        member('a2', 'of a', link(1)),
        member('b2', 'of b', link(2)),
        END,
      ],
      { a1: 'of a', a2: 'of a', b1: 'of b', b2: 'of b' },
    ],
    [
      'one number on two devices',
      [
        member('a1', '', link(1, 7)),
        member('b1', '', link(1, 8)),
        member('b2', 'of b', link(1, 8)),
        member('a2', 'of a', link(1, 7)),
        END,
      ],
      { a1: 'of a', a2: 'of a', b1: 'of b', b2: 'of b' },
    ],
    [
      'numbers that are the same digits in a row',
      [
        member('a1', '', link(11, 1)),
        member('b1', '', link(1, 11)),
        member('a2', 'a', link(11, 1)),
        member('b2', 'b', link(1, 11)),
        END,
      ],
      { a1: 'a', a2: 'a', b1: 'b', b2: 'b' },
    ],
    [
      'one number in two archives',
      [
        member('a1', 'of a', link(1)),
        member('a2', '', link(1)),
        END,
        member('b1', '', link(1)),
        member('b2', 'of b', link(1)),
        END,
      ],
      { a1: 'of a', a2: 'of a', b1: 'of b', b2: 'of b' },
    ],
    [
      'one number of files that have one name each',
      [member('a', 'of a', { ino: 1 }), member('b', '', { ino: 1 }), END],
      { a: 'of a', b: '' },
    ],
  ])('share contents within their group: %s', async (_, members, expected) => {
    expect(await contents(concatBytes(members))).toEqual(expected);
  });

  test('have their contents even if only another, unselected name carries them', async () => {
    const bytes = concatBytes([member('kept', '', link(1)), member('other', 'shared', link(1)), END]);
    expect(await contents(bytes, { patterns: ['kept'] })).toEqual({ kept: 'shared' });
  });
});

test('keeps nothing but a small file of a compressed archive in memory', async () => {
  const packed = await archive([
    { path: 'big', content: utf8('x'.repeat(30_000)) },
    { path: 'small', content: utf8('few') },
  ]);
  const small = await bytesOf((await readFiles(bytesSource(packed))).get('small')!.content);
  expect([text(small), small.buffer.byteLength]).toEqual(['few', 3]);
});

function tree(): string {
  const root = scratchFolder();
  mkdirSync(join(root, 'dir/sub'), { recursive: true });
  writeFileSync(join(root, 'dir/sub/big'), noise('big', 300_001));
  writeFileSync(join(root, 'dir/small'), 'small\n');
  writeFileSync(join(root, 'dir/empty'), '');
  linkSync(join(root, 'dir/sub/big'), join(root, 'dir/link'));
  linkSync(join(root, 'dir/sub/big'), join(root, 'dir/zlink'));
  symlinkSync('sub/big', join(root, 'dir/symlink'));
  output('mkfifo', [join(root, 'dir/fifo')]);
  return root;
}

async function checkTree(bytes: Uint8Array): Promise<void> {
  const files = await readFiles(bytesSource(bytes));
  expect([...files.keys()]).toEqual(['dir/empty', 'dir/link', 'dir/small', 'dir/sub/big', 'dir/zlink']);
  const big = sha256(noise('big', 300_001));
  for (const path of ['dir/link', 'dir/sub/big', 'dir/zlink']) {
    expect(sha256(await bytesOf(files.get(path)!.content))).toBe(big);
  }
  expect(text(await bytesOf(files.get('dir/small')!.content))).toBe('small\n');
  const kinds: Record<string, string> = {};
  for await (const entry of readArchives(bytesSource(bytes))) {
    kinds[entry.path] = entry.kind === 'symlink' ? text(await collect(entry.content())) : entry.kind;
  }
  expect(kinds).toMatchObject({ dir: 'directory', 'dir/symlink': 'sub/big', 'dir/fifo': 'fifo', 'dir/link': 'file' });
}

describeWith(['cpio', 'gzip', 'xz', 'zstd'], 'archives of other programs', () => {
  test.each([
    ['cpio', 'cat'],
    ['cpio and gzip -1', 'gzip -1'],
    ['cpio and xz', 'xz --check=crc32'],
    ['cpio and xz -9 with CRC64 in small blocks', 'xz -9 --check=crc64 --block-size=65536 -T2'],
    ['cpio and xz without a check', 'xz --check=none'],
    ['cpio and zstd', 'zstd -q'],
    ['cpio and zstd -19 without a checksum', 'zstd -q -19 --no-check'],
    ['cpio and zstd with a long window', 'zstd -q --long=25'],
  ])('are read, links included: %s', async (_, filter) => {
    const command = `find dir | sort | cpio --quiet -o -H newc | ${filter}`;
    const bytes = output('sh', ['-c', command], { cwd: tree() });
    await checkTree(bytes);
    await checkTree(concatBytes([bytes, zeros(515)]));
  });

  test('reads headers with checksums', async () => {
    await checkTree(output('sh', ['-c', 'find dir | sort | cpio --quiet -o -H crc'], { cwd: tree() }));
  });

  const compressors = {
    gzip: ['gzip', '-c'],
    xz: ['xz', '-c', '--check=crc32'],
    zstd: ['zstd', '-qc'],
    plain: ['cat'],
  };
  const compressed = (name: keyof typeof compressors, bytes: Uint8Array): Buffer =>
    execFileSync(compressors[name][0]!, compressors[name].slice(1), { input: bytes });

  test('reads formats in any order, with and without zeros between', async () => {
    const names = fc.shuffledSubarray(['gzip', 'xz', 'zstd', 'plain', 'zstd', 'xz'] as const, { minLength: 2 });
    await fc.assert(
      fc.asyncProperty(names, fc.array(fc.nat(9), { minLength: 6, maxLength: 6 }), async (order, gaps) => {
        const parts: Uint8Array[] = [];
        for (const [index, name] of order.entries()) {
          const inner = await archive([{ path: `${index}`, content: noise(name, 1000 * index) }], {
            compression: plain,
          });
          parts.push(compressed(name, inner), zeros(gaps[index]!));
        }
        const files = await readFiles(bytesSource(concatBytes(parts)));
        expect([...files.values()].map(({ size }) => size)).toEqual(order.map((_, index) => 1000 * index));
      }),
      { numRuns: 12 },
    );
  });

  test('reads an archive in several zstd frames, including skippable ones', async () => {
    const skippable = concatBytes([Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 5, 0, 0, 0), utf8('hello')]);
    const halves = [raw.slice(0, 1000), raw.slice(1000), zeros(300)].map((part) => compressed('zstd', part));
    const bytes = concatBytes([skippable, halves[0]!, skippable, halves[1]!, halves[2]!]);
    expect(Object.keys(await contents(bytes))).toEqual(['config.ign', 'etc/hosts']);
  });

  test('reads two adjacent zstd archives as two, unless it imitates coreos-installer', async () => {
    const [one, other] = await Promise.all(
      ['a', 'b'].map((path) => archive([{ path, content: utf8(path) }], { compression: plain })),
    );
    const bytes = concatBytes([compressed('zstd', one!), compressed('zstd', other!)]);
    expect(await contents(bytes)).toEqual({ a: 'a', b: 'b' });
    expect(await chainOf(contents(bytes, { zstdFrames: 'joined' }))).toEqual([
      'found trailing garbage inside compressed archive',
    ]);
  });

  test.each(['gzip', 'xz', 'zstd'] as const)('allows only zeros after the trailer inside %s', async (name) => {
    const padded = compressed(name, concatBytes([raw, zeros(1000)]));
    expect(Object.keys(await contents(padded))).toHaveLength(2);
    const dirty = compressed(name, concatBytes([raw, zeros(1000), utf8('x')]));
    expect(await chainOf(contents(dirty))).toEqual(['found trailing garbage inside compressed archive']);
  });

  test.each([
    ['xz', 'xz compressed stream is truncated or otherwise corrupt', 'lzma data error'],
    ['zstd', 'premature EOF reading zstd frame', "Restored data doesn't match checksum"],
  ] as const)('distinguishes a truncated %s stream from a damaged one', async (name, cut, damaged) => {
    const bytes = compressed(name, raw);
    const short = bytes.subarray(0, bytes.length - 4);
    expect((await chainOf(contents(short))).at(-1)).toBe(cut);
    expect(await chainOf(contents(concatBytes([short, zeros(1000)])))).toContain(damaged);
  });

  // The step of coreos-installer 0.27.0 that met a wrong checksum at the end of an archive.
  test.each([
    ['gzip', 1000, 'finishing reading compressed archive'],
    ['gzip', 100_000, 'finishing reading compressed archive'],
    ['xz', 1000, 'reading CPIO entry'],
    ['xz', 100_000, 'reading CPIO entry contents'],
    ['zstd', 1000, 'reading CPIO entry'],
    ['zstd', 100_000, 'reading CPIO entry contents'],
  ] as const)('meets the end of a damaged %s archive of %d bytes while %s', async (name, length, doing) => {
    const inner = await archive([{ path: 'a', content: noise('end', length) }], { compression: plain });
    const bytes = compressed(name, inner);
    const fromEnd = { gzip: 6, xz: 30, zstd: 3 }[name];
    bytes[bytes.length - fromEnd]! ^= 1;
    expect((await chainOf(contents(concatBytes([bytes, zeros(1000)]))))[0]).toBe(doing);
  });

  test.each(['xz', 'zstd'] as const)('reports damage to %s with a code, unless the bits are unused', async (name) => {
    const inner = await archive([{ path: 'a', content: noise('damage', 600) }], { compression: plain });
    await checkDamage(compressed(name, inner));
  });

  test.each(['xz', 'zstd'] as const)('stops a bomb in %s at the limit', async (name) => {
    const inner = await archive([{ path: 'zeros', content: zeros(20_000_000) }], { compression: plain });
    const bytes = compressed(name, inner);
    const before = sha256(bytes);
    await expect(contents(bytes, { limit: 1_000_000 })).rejects.toMatchObject({ code: 'ISO_UNPACK_LIMIT' });
    expect(sha256(bytes)).toBe(before);
    expect(Object.keys(await contents(bytes))).toEqual(['zeros']);
  });
});

describeWith(['bsdtar'], 'bsdtar', () => {
  test('writes archives that we read, links included', async () => {
    await checkTree(output('bsdtar', ['-c', '--format', 'newc', '-f', '-', 'dir'], { cwd: tree() }));
  });
});

describeWithFixtures('real archives', () => {
  const fixture = (name: string): Uint8Array =>
    readFileSync(join(process.env['COREISO_FIXTURES'] ?? '', 'coreos-data/initrd', name));
  const unpacked = (name: string): Uint8Array => output('xz', ['-dc'], { input: fixture(name) });

  test('reads every compression in one file', async () => {
    const directories = ['gzip', 'uncompressed-1', 'uncompressed-2', 'xz', 'zstd'];
    const expected = directories.flatMap((directory) => [
      [`${directory}/hello`, 'HELLO\n'],
      [`${directory}/world`, 'WORLD\n'],
    ]);
    expect(Object.entries(await contents(unpacked('compressed.img.xz')))).toEqual(expected);
  });

  test("reads archives that replace one another's files", async () => {
    expect(await contents(unpacked('redundant.img.xz'))).toEqual({ 'data/file': 'third\n' });
  });

  test('reads names padded to a page', async () => {
    const found = await contents(unpacked('padded-names.img.xz'));
    expect(found).toEqual({ 'dir/hello': 'z'.repeat(5000), 'dir/world': 'q'.repeat(4500) });
  });

  test('reads names that lead outside unchanged', async () => {
    expect(Object.keys(await contents(fixture('traversal-absolute.img')))).toEqual(['/etc/adjtime']);
    expect(Object.keys(await contents(fixture('traversal-relative.img')))).toEqual(['../f']);
  });
});
