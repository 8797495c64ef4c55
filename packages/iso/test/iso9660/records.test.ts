// Directory records of small images, each field with its clause of ECMA-119.
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { bytesSource } from '../../src/bytes/source.ts';
import { Budget, DEFAULT_LIMITS } from '../../src/iso9660/limits.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import type { IsoView } from '../../src/iso9660/tree.ts';
import {
  directory,
  file,
  open,
  PX,
  ROOT,
  rooted,
  SECTOR,
  type SmallRecord,
  smallImage,
  systemUseField,
  text,
} from './small-image.ts';
import { describeError, patched, paths, showIso } from './support.ts';

describe('flags of a directory record (ECMA-119 9.1.6)', () => {
  const meaning = async (flags: number, view: IsoView) => {
    const image = smallImage({ [ROOT]: [file('A', { flags, sector: 20, length: SECTOR }), file('B')], 20: [] });
    const iso = await open(image);
    return [
      (await iso.list('/', { view })).map(({ name, kind }) => `${name.toLowerCase()} ${kind}`),
      iso.oddities.length,
    ];
  };

  test.each<[string, number, string[], number]>([
    ['nothing', 0, ['a file', 'b file'], 0],
    ['hidden', 0x01, ['a file', 'b file'], 0],
    ['a directory', 0x02, ['a directory', 'b file'], 0],
    ['an associated file', 0x04, ['b file'], 0],
    ['structured', 0x08, ['a file', 'b file'], 0],
    ['protected', 0x10, ['a file', 'b file'], 0],
    ['a file that goes on in the next record, which is of another', 0x80, ['a file', 'b file'], 1],
  ])('%s', async (_, flags, entries, oddities) => {
    expect(await meaning(flags, 'plain')).toEqual([entries, oddities]);
    // coreos-installer evaluates only the directory flag.
    const strict = flags === 0x04 ? ['a file', ...entries] : entries;
    expect(await meaning(flags, 'strict')).toEqual([strict, 0]);
  });

  test('joins adjacent sections of one file, the last of which is not marked (6.5.1)', async () => {
    const image = smallImage({
      [ROOT]: [
        file('A', { flags: 0x80, sector: 20, length: SECTOR }),
        file('A', { flags: 0x80, sector: 22, length: SECTOR }),
        file('A', { sector: 21, length: 7 }),
        file('A', { sector: 23, length: 9 }),
      ],
    });
    const iso = await open(image);
    expect((await iso.list('/')).map(({ extents, size }) => [extents, size])).toEqual([
      [
        [20, 22, 21].map((sector, index) => ({ offset: sector * SECTOR, length: index < 2 ? SECTOR : 7 })),
        2 * SECTOR + 7,
      ],
      [[{ offset: 23 * SECTOR, length: 9 }], 9],
    ]);
    expect(iso.oddities).toEqual([]);
  });

  test.each([
    ['A', 'AB'],
    ['AB', 'A'],
    ['AB', 'AC'],
  ])('does not continue a section of %s with %s', async (first, second) => {
    const image = smallImage({ [ROOT]: [file(first, { flags: 0x80 }), file(second)] });
    const iso = await open(image);
    expect(await paths(iso.walk())).toEqual([first.toLowerCase(), second.toLowerCase()]);
    expect(iso.oddities).toEqual([{ message: 'the last section of a file is missing', offset: ROOT * SECTOR }]);
  });

  test('treats a file as interleaved if any of its sections is', async () => {
    const image = smallImage({ [ROOT]: [file('A', { flags: 0x80 }), file('A')] });
    const [length = 0] = image.subarray(ROOT * SECTOR);
    expect(await (await open(patched(image, ROOT * SECTOR + length + 26, [1]))).entry('a')).toMatchObject({
      stored: 'interleaved',
    });
  });

  test('notes a missing last section, even at the end of the directory', async () => {
    const iso = await open(smallImage({ [ROOT]: [file('A', { flags: 0x80 })] }));
    expect(await iso.list('/')).toHaveLength(1);
    expect(iso.oddities).toEqual([{ message: 'the last section of a file is missing', offset: ROOT * SECTOR }]);
  });

  test('skips extended attributes before the data (9.1.3), which coreos-installer does not', async () => {
    const iso = await open(patched(smallImage({ [ROOT]: [file('A')] }), ROOT * SECTOR + 1, [2]));
    expect((await iso.entry('a')).extents).toEqual([{ offset: 27 * SECTOR, length: 3 }]);
    expect((await iso.entry('A', { view: 'strict' })).extents).toEqual([{ offset: 25 * SECTOR, length: 3 }]);
  });

  test.each([
    ['units', 26],
    ['gaps', 27],
  ])('lists a file in interleaved %s, but does not read it (6.4.3)', async (_, at) => {
    const iso = await open(patched(smallImage({ [ROOT]: [file('A')] }), ROOT * SECTOR + at, [1]));
    expect(await iso.entry('a')).toMatchObject({ stored: 'interleaved', size: 3 });
    expect(await describeError(iso.file('a'))).toMatchObject({
      code: 'ISO_UNSUPPORTED',
      message: 'file a is interleaved',
      offset: ROOT * SECTOR,
    });
  });
});

describe('dates', () => {
  const date = new Date('2024-02-29T12:34:56Z');

  test.each<IsoView>(['strict', 'plain'])('of a record are available if it has one, in the %s view', async (view) => {
    const image = smallImage({ [ROOT]: [file('A'), file('B')] });
    image.set([124, 2, 29, 12, 34, 56, 0], ROOT * SECTOR + 18);
    const [a, b] = await (await open(image)).list('/', { view });
    expect(a?.modified).toEqual(date);
    expect(b && 'modified' in b).toBe(false);
  });

  test.each([
    ['month 0', [124, 0, 1]],
    ['month 13', [124, 13, 1]],
    ['day 0', [124, 1, 0]],
    ['day 32', [124, 1, 32]],
  ])('of %s are ignored (9.1.5)', async (_, start) => {
    const image = patched(smallImage({ [ROOT]: [file('A')] }), ROOT * SECTOR + 18, start);
    expect((await (await open(image)).entry('a')).modified).toBeUndefined();
  });

  test.each([
    ['the first of January', [0, 1, 1], '1900-01-01T00:00:00.000Z'],
    ['the last of December', [255, 12, 31], '2155-12-31T00:00:00.000Z'],
  ])('reach from %s', async (_, start, expected) => {
    const image = patched(smallImage({ [ROOT]: [file('A')] }), ROOT * SECTOR + 18, start);
    expect((await (await open(image)).entry('a')).modified?.toISOString()).toBe(expected);
  });

  test.each([
    ['2024', '0001', undefined],
    ['2024', '1301', undefined],
    ['2024', '0100', undefined],
    ['2024', '0132', undefined],
    ['2024', '0101', '2024-01-01T00:00:00.000Z'],
    ['2024', '1231', '2024-12-31T00:00:00.000Z'],
  ])('of a volume in the year %s on %s are %s (8.4.26.1)', async (year, day, expected) => {
    const image = smallImage({});
    image.set([...text('2024022912345600'), 0], 16 * SECTOR + 813);
    const changed = patched(image, 16 * SECTOR + 830, `${year}${day}00000000`);
    const { primary } = (await open(changed)).volume;
    expect(primary.created).toEqual(date);
    expect(primary.modified?.toISOString()).toBe(expected);
  });
});

describe('directories', () => {
  test('may be empty, with the place of the parent or a place outside the image', async () => {
    const image = smallImage({ [ROOT]: [directory('A', ROOT, 0), directory('B', 4000, 0), file('C')] });
    for (const view of ['plain', 'strict'] as const) {
      expect(await paths((await open(image)).walk({ view }))).toHaveLength(3);
      expect(await (await open(image)).list('B', { view })).toEqual([]);
    }
  });

  test('are walked up to 512 deep by default', async () => {
    const nested = (depth: number) => {
      const levels = Array.from({ length: depth }, (_, n): [number, SmallRecord[]] => [
        ROOT + n,
        [directory('D', ROOT + n + 1)],
      ]);
      return open(smallImage(Object.fromEntries(levels), { sectors: ROOT + depth + 1 }));
    };
    for (const view of ['plain', 'strict'] as const) {
      expect(await paths((await nested(512)).walk({ view }))).toHaveLength(512);
      await expect(paths((await nested(513)).walk({ view }))).rejects.toMatchObject({ code: 'ISO_LIMIT' });
    }
  });

  test('are read up to 256 MiB in all, with four million entries', () => {
    const budget = new Budget(DEFAULT_LIMITS);
    budget.spendBytes(268_435_455, 1);
    budget.spendBytes(1, 2);
    expect(() => budget.spendBytes(1, 3)).toThrow(expect.objectContaining({ code: 'ISO_LIMIT', offset: 3 }));
    for (let entry = 0; entry < 4_194_304; entry++) budget.spendEntry(entry);
    expect(() => budget.spendEntry(5)).toThrow(expect.objectContaining({ code: 'ISO_LIMIT', offset: 5 }));
  });

  test('are found from the root by any spelling, including the root itself', async () => {
    const iso = await open(smallImage({ [ROOT]: [directory('A', 20)], 20: [file('B')] }));
    expect((await iso.entry('/a/./../a/b')).path).toBe('a/b');
    expect(await iso.entry('')).toMatchObject({ path: '', kind: 'directory', extents: [{ offset: ROOT * SECTOR }] });
  });

  test('may reach the limits of depth, entries and bytes', async () => {
    const image = smallImage({ [ROOT]: [directory('A', 20)], 20: [directory('B', 21)], 21: [file('C')] });
    const walk = (limits: object) =>
      openIso(bytesSource(image), { limits }).then((iso) => paths(iso.walk({ view: 'plain' })));
    expect(await walk({ depth: 2, entries: 3, bytes: 3 * SECTOR })).toEqual(['a', 'a/b', 'a/b/c']);
    for (const limits of [{ depth: 1 }, { entries: 2 }, { bytes: 3 * SECTOR - 1 }]) {
      await expect(walk(limits)).rejects.toMatchObject({ code: 'ISO_LIMIT', offset: expect.any(Number) });
    }
  });

  test('accepts an empty file at any place', async () => {
    const iso = await open(smallImage({ [ROOT]: [file('A', { sector: 4000, length: 0 })] }));
    expect((await iso.file('a')).size).toBe(0);
  });

  test('accepts a record that ends with its sector, but not one byte later', async () => {
    // Fifty records of 40 bytes and one of 48 fill a sector.
    const filler = Array.from({ length: 50 }, (_, n) => file(`FILE${String(n).padStart(3, '0')}`));
    const longest = (name: string) =>
      smallImage({ [ROOT]: [...filler, file(name), file('Z')] }, { rootLength: 2 * SECTOR });
    expect(await paths((await open(longest('A'.repeat(15)))).walk())).toHaveLength(52);
    await expect(paths((await open(longest('A'.repeat(17)))).walk())).rejects.toMatchObject({
      code: 'ISO_BAD_RECORD',
      offset: ROOT * SECTOR + 2000,
    });
  });

  test('continues in the next sector after zeros (6.8.1.1)', async () => {
    const image = smallImage({ [ROOT]: [file('A')], [ROOT + 1]: [file('B')] }, { rootLength: 2 * SECTOR });
    for (const view of ['plain', 'strict'] as const) {
      expect((await (await open(image)).list('/', { view })).map(({ path }) => path.toLowerCase())).toEqual(['a', 'b']);
    }
  });

  test('compares names case-insensitively in views without case, and exactly in others', async () => {
    const iso = await open(rooted([...PX, ...systemUseField('NM', [0, ...text('Name')])]));
    expect((await iso.entry('Name')).kind).toBe('file');
    await expect(iso.entry('name')).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
    expect((await iso.entry('A', { view: 'plain' })).name).toBe('a');
  });

  test.each<[string, string, IsoView]>([
    ['.', 'an empty name', 'plain'],
    ['A/B', 'a slash', 'plain'],
    ['..;1', 'a name that is left with a dot', 'plain'],
  ])('refuses the name %j, which has %s', async (name, _, view) => {
    const error = await describeError(paths((await open(smallImage({ [ROOT]: [file(name)] }))).walk({ view })));
    expect(error).toMatchObject({ code: 'ISO_BAD_NAME', offset: ROOT * SECTOR });
  });

  test('refuses an unknown view by name, when opening and later', async () => {
    const wrong = 'rockridge' as IsoView;
    await expect(open(smallImage({}), wrong)).rejects.toThrow(
      /^view must be one of natural, strict, .*, not "rockridge"$/,
    );
    const iso = await open(smallImage({}));
    await expect(iso.list('/', { view: wrong })).rejects.toThrow(RangeError);
  });
});

/** Directories at the limits of readability, and coreos-installer's findings in them. */
const DIRECTORIES: readonly [string, Uint8Array, string[]][] = [
  ['ends with its record', smallImage({ [ROOT]: [file('A')] }, { rootLength: 34 }), ['A']],
  ['ends with a name of no letters', patched(smallImage({}, { rootLength: 33 }), ROOT * SECTOR, [33]), ['']],
  ['ends with a zero', smallImage({ [ROOT]: [file('A')] }, { rootLength: 35 }), ['A']],
  // Fifty records of 40 bytes and one of 46: two zeros end the sector.
  [
    'has two zeros at the end of a sector',
    smallImage(
      {
        [ROOT]: [...Array.from({ length: 50 }, (_, n) => file(`FILE${100 + n}`)), file('A'.repeat(13))],
        [ROOT + 1]: [file('B')],
      },
      { rootLength: 2 * SECTOR },
    ),
    [...Array.from({ length: 50 }, (_, n) => `FILE${100 + n}`), 'A'.repeat(13), 'B'],
  ],
  // Fifty records of 40 bytes and one of 47: the zero behind them is the last byte of the sector.
  [
    'has one zero at the end of a sector',
    patched(
      smallImage(
        {
          [ROOT]: [...Array.from({ length: 50 }, (_, n) => file(`FILE${100 + n}`)), file('A'.repeat(14))],
          [ROOT + 1]: [file('B')],
          [ROOT + 2]: [file('C')],
        },
        { rootLength: 3 * SECTOR },
      ),
      ROOT * SECTOR + 2000,
      [47],
    ),
    [...Array.from({ length: 50 }, (_, n) => `FILE${100 + n}`), 'A'.repeat(14), 'C'],
  ],
];

describe('a directory, strictly', () => {
  test.each(DIRECTORIES)('that %s', async (_, image, expected) => {
    expect(await paths((await open(image, 'strict')).walk())).toEqual(expected);
  });

  describeWith(['coreos-installer'], 'to coreos-installer', () => {
    test.each(DIRECTORIES)('that %s', (_, image, expected) => {
      expect(showIso(image)).toEqual({ records: expected });
    });
  });
});
