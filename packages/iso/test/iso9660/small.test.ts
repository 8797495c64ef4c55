// Single fields of small images, each with the clause that says what it means.
import { describe, expect, test } from 'vitest';
import { bytesSource, zeros } from '../../src/bytes/source.ts';
import { RECORD, RECORD_FLAG, SECTOR, VOLUME, writeRecordDate, writeVolumeDate } from '../../src/iso9660/fields.ts';
import { Image } from '../../src/iso9660/image.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import type { IsoView } from '../../src/iso9660/tree.ts';
import { readVolume } from '../../src/iso9660/volume.ts';
import { countingSource } from '../support/counting-source.ts';
import { both32, ROOT, type SmallRecord, SP, smallImage, systemUseField } from './small-image.ts';
import { describeError, patched, paths } from './support.ts';

const file = (name: string, more: Partial<SmallRecord> = {}): SmallRecord => ({ name, sector: 25, length: 3, ...more });
const directory = (name: string, sector: number, length: number = SECTOR): SmallRecord => ({
  name,
  sector,
  length,
  flags: RECORD_FLAG.directory,
});
const PX = systemUseField('PX', [...both32(0o100644), ...both32(1), ...both32(0), ...both32(0)]);
const self = (sector: number, systemUse: readonly number[] = []): SmallRecord => ({
  name: [0],
  sector,
  length: SECTOR,
  flags: RECORD_FLAG.directory,
  systemUse,
});
const open = (image: Uint8Array, view?: IsoView) => openIso(bytesSource(image), view === undefined ? {} : { view });
const text = (value: string): number[] => [...new TextEncoder().encode(value)];

/** An image with Rock Ridge whose root has one file with these fields. */
const rooted = (fields: readonly number[], sp: readonly number[] = SP): Uint8Array =>
  smallImage({ [ROOT]: [self(ROOT, [...sp, ...PX]), file('A', { systemUse: fields })] });
const entryOf = async (...fields: readonly number[][]) => {
  const [entry] = await (await open(rooted(fields.flat()))).list('/');
  return entry;
};

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
    // coreos-installer knows directories only.
    const strict = flags === 0x04 ? ['a file', ...entries] : entries;
    expect(await meaning(flags, 'strict')).toEqual([strict, 0]);
  });

  test('sections of one file follow one another, and the last is not marked (6.5.1)', async () => {
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

  test('a last section that is missing is noted at the end of the directory, too', async () => {
    const iso = await open(smallImage({ [ROOT]: [file('A', { flags: 0x80 })] }));
    expect(await iso.list('/')).toHaveLength(1);
    expect(iso.oddities).toEqual([{ message: 'the last section of a file is missing', offset: ROOT * SECTOR }]);
  });

  test('extended attributes stand before the data (9.1.3), which coreos-installer overlooks', async () => {
    const iso = await open(patched(smallImage({ [ROOT]: [file('A')] }), ROOT * SECTOR + RECORD.attributeLength, [2]));
    expect((await iso.entry('a')).extents).toEqual([{ offset: 27 * SECTOR, length: 3 }]);
    expect((await iso.entry('A', { view: 'strict' })).extents).toEqual([{ offset: 25 * SECTOR, length: 3 }]);
  });

  test.each([
    ['units', RECORD.unitSize],
    ['gaps', RECORD.gapSize],
  ])('a file in interleaved %s is listed and not read (6.4.3)', async (_, at) => {
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

  test.each<IsoView>(['strict', 'plain'])('of a record are there where it has one, in the %s view', async (view) => {
    const image = smallImage({ [ROOT]: [file('A'), file('B')] });
    writeRecordDate(image, ROOT * SECTOR + RECORD.date, date);
    const [a, b] = await (await open(image)).list('/', { view });
    expect(a?.modified).toEqual(date);
    expect(b && 'modified' in b).toBe(false);
  });

  test.each([
    ['month 0', [124, 0, 1]],
    ['month 13', [124, 13, 1]],
    ['day 0', [124, 1, 0]],
    ['day 32', [124, 1, 32]],
  ])('of %s is none (9.1.5)', async (_, start) => {
    const image = patched(smallImage({ [ROOT]: [file('A')] }), ROOT * SECTOR + RECORD.date, start);
    expect((await (await open(image)).entry('a')).modified).toBeUndefined();
  });

  test.each([
    ['the first of January', [0, 1, 1], '1900-01-01T00:00:00.000Z'],
    ['the last of December', [255, 12, 31], '2155-12-31T00:00:00.000Z'],
  ])('reach from %s', async (_, start, expected) => {
    const image = patched(smallImage({ [ROOT]: [file('A')] }), ROOT * SECTOR + RECORD.date, start);
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
    writeVolumeDate(image, 16 * SECTOR + VOLUME.creationDate, date);
    const changed = patched(image, 16 * SECTOR + VOLUME.modificationDate, `${year}${day}00000000`);
    const { primary } = (await open(changed)).volume;
    expect(primary.created).toEqual(date);
    expect(primary.modified?.toISOString()).toBe(expected);
  });
});

describe('directories', () => {
  test('an empty one takes no place: neither the one of its parent nor one outside the image', async () => {
    const image = smallImage({ [ROOT]: [directory('A', ROOT, 0), directory('B', 4000, 0), file('C')] });
    for (const view of ['plain', 'strict'] as const) {
      expect(await paths((await open(image)).walk({ view }))).toHaveLength(3);
      expect(await (await open(image)).list('B', { view })).toEqual([]);
    }
  });

  test('are found from the root by any spelling, and the root is one', async () => {
    const iso = await open(smallImage({ [ROOT]: [directory('A', 20)], 20: [file('B')] }));
    expect((await iso.entry('/a/./../a/b')).path).toBe('a/b');
    expect(await iso.entry('')).toMatchObject({ path: '', kind: 'directory', extents: [{ offset: ROOT * SECTOR }] });
  });

  test('may be as deep as the limit, and a walk may meet as many entries and bytes', async () => {
    const image = smallImage({ [ROOT]: [directory('A', 20)], 20: [directory('B', 21)], 21: [file('C')] });
    const walk = (limits: object) =>
      openIso(bytesSource(image), { limits }).then((iso) => paths(iso.walk({ view: 'plain' })));
    expect(await walk({ depth: 2, entries: 3, bytes: 3 * SECTOR })).toEqual(['a', 'a/b', 'a/b/c']);
    for (const limits of [{ depth: 1 }, { entries: 2 }, { bytes: 3 * SECTOR - 1 }]) {
      await expect(walk(limits)).rejects.toMatchObject({ code: 'ISO_LIMIT', offset: expect.any(Number) });
    }
  });

  test('a record may end with its sector and not one byte behind', async () => {
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

  test('zeros up to the end of a sector are followed by the next one (6.8.1.1)', async () => {
    const image = smallImage({ [ROOT]: [file('A')], [ROOT + 1]: [file('B')] }, { rootLength: 2 * SECTOR });
    for (const view of ['plain', 'strict'] as const) {
      expect((await (await open(image)).list('/', { view })).map(({ path }) => path.toLowerCase())).toEqual(['a', 'b']);
    }
  });

  test('names are compared without regard to case where they have none, and exactly elsewhere', async () => {
    const iso = await open(rooted([...PX, ...systemUseField('NM', [0, ...text('Name')])]));
    expect((await iso.entry('Name')).kind).toBe('file');
    await expect(iso.entry('name')).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
    expect((await iso.entry('A', { view: 'plain' })).name).toBe('a');
  });

  test.each<[string, string, IsoView]>([
    ['.', 'an empty name', 'plain'],
    ['A/B', 'a slash', 'plain'],
    ['..;1', 'a name that is left with a dot', 'plain'],
  ])('the name %j has %s and is refused', async (name, _, view) => {
    const error = await describeError(paths((await open(smallImage({ [ROOT]: [file(name)] }))).walk({ view })));
    expect(error).toMatchObject({ code: 'ISO_BAD_NAME', offset: ROOT * SECTOR });
  });

  test('an unknown view is refused by name, when opening and later', async () => {
    const wrong = 'rockridge' as IsoView;
    await expect(open(smallImage({}), wrong)).rejects.toThrow(/^view: "rockridge" is none of natural, strict,/);
    const iso = await open(smallImage({}));
    await expect(iso.list('/', { view: wrong })).rejects.toThrow(RangeError);
  });
});

describe('the volume', () => {
  const primary = 16 * SECTOR;

  test('says who made it, without the filling', async () => {
    const image = smallImage({});
    const fields = {
      volumeSetId: 'SET',
      publisherId: 'PUBLISHER',
      preparerId: 'PREPARER',
      applicationId: 'APPLICATION',
    };
    for (const [name, value] of Object.entries(fields)) {
      image.fill(
        0x20,
        primary + VOLUME[name as keyof typeof fields],
        primary + VOLUME[name as keyof typeof fields] + 128,
      );
      image.set(text(value), primary + VOLUME[name as keyof typeof fields]);
    }
    expect((await open(image)).volume.primary).toMatchObject({ ...fields, blockSize: SECTOR, spaceSize: 32 });
  });

  test('with blocks of another size is refused where its files are asked for', async () => {
    const iso = await open(patched(smallImage({}), primary + VOLUME.blockSize, [0, 4, 4, 0]));
    expect(await describeError(iso.list('/'))).toMatchObject({
      code: 'ISO_UNSUPPORTED',
      message: 'logical blocks of 1024 bytes are not supported',
      offset: primary,
    });
  });

  test('descriptors that are of no use here are listed by their number, and passed over', async () => {
    const image = smallImage({ [ROOT]: [file('A')] });
    const terminated = patched(patched(image, 17 * SECTOR, [3]), ROOT * SECTOR, [255]);
    expect((await open(terminated)).volume.descriptors).toMatchObject([
      { type: 'primary', offset: primary },
      { type: 'unknown', typeId: 3, offset: 17 * SECTOR },
    ]);
  });

  test('descriptors are fetched a few at a time, and more the longer they go on', async () => {
    const image = smallImage({}, { sectors: 40 });
    for (let sector = 17; sector < 38; sector++) image.set([3], sector * SECTOR);
    image.set([255], 38 * SECTOR);
    const source = countingSource(bytesSource(image));
    expect((await readVolume(new Image(source), 'forgiving')).descriptors).toHaveLength(22);
    expect(source.reads.map(({ offset, length }) => [offset / SECTOR, length / SECTOR])).toEqual([
      [16, 4],
      [20, 8],
      [28, 12],
    ]);
  });

  test('a supplementary one that is not Joliet’s, or is damaged, has no names', async () => {
    const supplementary = (sequence: string, rootLength: number): Uint8Array => {
      const image = smallImage({ [ROOT]: [file('A')] });
      image.copyWithin(17 * SECTOR, primary, primary + SECTOR);
      image.set([2], 17 * SECTOR);
      image.set(text(sequence), 17 * SECTOR + VOLUME.escapeSequences);
      image.set([rootLength], 17 * SECTOR + VOLUME.rootRecord);
      return patched(image, ROOT * SECTOR, [255]);
    };
    const look = async (image: Uint8Array) => {
      const { volume, oddities } = await open(image);
      return [volume.descriptors[1], oddities];
    };
    const place = { type: 'supplementary', offset: 17 * SECTOR };
    expect(await look(supplementary('%/X', 34))).toEqual([place, []]);
    expect(await look(supplementary('%/E', 0))).toEqual([
      place,
      [{ message: 'the Joliet descriptor is damaged', offset: 17 * SECTOR }],
    ]);
    for (const sequence of ['%/@', '%/C', '%/E']) {
      const [descriptor] = await look(supplementary(sequence, 34));
      expect(descriptor).toMatchObject({ ...place, joliet: { root: { sector: ROOT, length: SECTOR } } });
    }
  });

  test('an empty file, and one that ends within its descriptors, are no images', async () => {
    const whole = smallImage({});
    for (const length of [0, 1, primary, primary + SECTOR - 1, primary + SECTOR]) {
      await expect(open(whole.subarray(0, length))).rejects.toMatchObject({ code: 'ISO_NOT_AN_IMAGE' });
    }
    await expect(open(new Uint8Array(0))).rejects.toThrow('not an ISO image: the file is empty');
  });

  test('that ends with its last sector is complete', async () => {
    expect((await open(smallImage({}), 'strict')).oddities).toEqual([]);
    expect((await open(smallImage({}).subarray(0, -1))).oddities).toEqual([
      { message: 'the image is cut: the volume has 32 sectors', offset: primary + VOLUME.spaceSize },
    ]);
  });
});

describe('System Use fields (SUSP)', () => {
  const NM = systemUseField('NM', [0, ...text('name')]);

  test('begin behind as many bytes as SP says, also for where an error is (5.3)', async () => {
    const skipping = systemUseField('SP', [0xbe, 0xef, 5]);
    const named = rooted([9, 9, 9, 9, 9, ...PX, ...NM], skipping);
    expect((await (await open(named)).list('/'))[0]?.name).toBe('name');
    const damaged = rooted([9, 9, 9, 9, 9, ...systemUseField('NM', [])], skipping);
    const [own = 0] = damaged.subarray(ROOT * SECTOR);
    const systemUse = ROOT * SECTOR + own + RECORD.name + 1;
    expect(await describeError((await open(damaged)).list('/'))).toMatchObject({
      code: 'ISO_BAD_EXTENSION',
      message: 'NM field has 0 bytes of 1',
      offset: systemUse + 5,
    });
  });

  test.each([
    ['another length', [0x53, 0x50, 8, 1, 0xbe, 0xef, 0]],
    ['another version', [0x53, 0x50, 7, 2, 0xbe, 0xef, 0]],
    ['another first check byte', systemUseField('SP', [0xbf, 0xef, 0])],
    ['another second check byte', systemUseField('SP', [0xbe, 0xee, 0])],
    ['another signature', systemUseField('SQ', [0xbe, 0xef, 0])],
    ['another signature, too', systemUseField('RP', [0xbe, 0xef, 0])],
  ])('are not looked for behind an SP of %s', async (_, sp) => {
    const iso = await open(rooted([...PX, ...NM], sp));
    expect((await iso.list('/'))[0]?.name).toBe('a');
    await expect(iso.list('/', { view: 'rock-ridge' })).rejects.toThrow('the image has no Rock Ridge names');
  });

  test('end at ST, and at a zero (4, 5.4)', async () => {
    expect((await entryOf(PX, systemUseField('ST', []), NM))?.name).toBe('a');
    expect((await entryOf(PX, [0, 0, 0, 0], NM))?.name).toBe('a');
    expect((await entryOf(PX, NM, [1, 2, 3]))?.name).toBe('name');
  });

  test('may fill their area to the last byte, and have nothing but a header', async () => {
    expect((await entryOf(PX, systemUseField('XX', []), NM))?.name).toBe('name');
    expect(await describeError(entryOf([0x58, 0x58, 3, 1]))).toMatchObject({ code: 'ISO_BAD_EXTENSION' });
  });

  test('go on in as many areas as real images have, wherever in a sector (5.1)', async () => {
    const link = (offset: number, length: number) =>
      systemUseField('CE', [...both32(24), ...both32(offset), ...both32(length)]);
    const image = rooted(link(100, 28));
    for (let at = 0; at < 63; at++) image.set(link(100 + 30 * (at + 1), 28), 24 * SECTOR + 100 + 30 * at);
    image.set(NM, 24 * SECTOR + 100 + 30 * 63);
    image.set(link(100 + 30 * 63, NM.length), 24 * SECTOR + 100 + 30 * 62);
    expect((await (await open(image)).list('/'))[0]?.name).toBe('name');
    image.set(link(100 + 30 * 64, NM.length), 24 * SECTOR + 100 + 30 * 63);
    image.set(link(100 + 30 * 63, 28), 24 * SECTOR + 100 + 30 * 62);
    await expect((await open(image)).list('/')).rejects.toMatchObject({
      code: 'ISO_LIMIT',
      offset: 24 * SECTOR + 100 + 30 * 64,
    });
  });

  test.each([
    ['RR', systemUseField('RR', [0x81]), true],
    ['PX', PX, true],
    ['TF', systemUseField('TF', [0]), true],
    ['NM', systemUseField('NM', [2]), true],
    ['ER of 1991', systemUseField('ER', [10, 0, 0, 1, ...text('RRIP_1991A')]), true],
    ['ER of the draft', systemUseField('ER', [10, 0, 0, 1, ...text('IEEE_P1282')]), true],
    ['ER of the standard', systemUseField('ER', [9, 0, 0, 1, ...text('IEEE_1282')]), true],
    ['ER of something else', systemUseField('ER', [4, 0, 0, 1, ...text('ASPI')]), false],
    ['nothing', [], false],
  ])('announce Rock Ridge by %s in the record of the root', async (_, field, announced) => {
    const image = smallImage({
      [ROOT]: [self(ROOT, [...SP, ...field]), file('A', { systemUse: NM })],
    });
    expect((await (await open(image)).list('/'))[0]?.name).toBe(announced ? 'name' : 'a');
  });
});

describe('Rock Ridge', () => {
  test('modes, owners and groups are those of PX (4.1.1)', async () => {
    const field = systemUseField('PX', [...both32(0o100750), ...both32(1), ...both32(1000), ...both32(2000)]);
    expect(await entryOf(field)).toMatchObject({ kind: 'file', mode: 0o100750, uid: 1000, gid: 2000 });
  });

  test.each([
    [0o140000, 'special'],
    [0o120000, 'symlink'],
    [0o100000, 'file'],
    [0o060000, 'special'],
    [0o040000, 'file'],
    [0o020000, 'special'],
    [0o010000, 'special'],
    [0, 'file'],
  ])('the type of mode %o is %s', async (type, kind) => {
    const px = systemUseField('PX', [...both32(type | 0o644), ...both32(1), ...both32(0), ...both32(0)]);
    const iso = await open(rooted(px));
    const [entry] = await iso.list('/');
    expect(entry?.kind).toBe(kind);
    const words = { special: 'special file', symlink: 'symbolic link' }[kind];
    if (words !== undefined) {
      const error = await describeError(iso.file('a'));
      expect(error).toMatchObject({ code: 'ISO_WRONG_KIND', message: `entry a is a ${words}` });
    }
  });

  test('a directory is one by its record, whatever its mode says', async () => {
    const image = smallImage({
      [ROOT]: [self(ROOT, [...SP, ...PX]), { ...directory('A', 20), systemUse: PX }],
      20: [self(20), file('B')],
    });
    expect(await paths((await open(image)).walk())).toEqual(['a', 'a/b']);
  });

  test('the parts of a name are joined, those of the directories themselves are none (4.1.4)', async () => {
    const nm = (flags: number, part: string) => systemUseField('NM', [flags, ...text(part)]);
    expect((await entryOf(nm(1, 'long '), PX, nm(0, 'name')))?.name).toBe('long name');
    expect((await entryOf(nm(2, 'x')))?.name).toBe('a');
    expect((await entryOf(nm(4, 'x')))?.name).toBe('a');
  });

  test.each<[string, [flags: number, text: string][][], string]>([
    ['one component', [[[0, 'a']]], 'a'],
    [
      'several',
      [
        [
          [0, 'a'],
          [0, 'b'],
          [0, 'c'],
        ],
      ],
      'a/b/c',
    ],
    [
      'from the root',
      [
        [
          [8, ''],
          [0, 'etc'],
        ],
      ],
      '/etc',
    ],
    ['the root', [[[8, '']]], '/'],
    [
      'upwards',
      [
        [
          [4, ''],
          [4, ''],
          [2, ''],
          [0, 'x'],
        ],
      ],
      '../.././x',
    ],
    [
      'a component in parts',
      [
        [
          [1, 'ab'],
          [0, 'cd'],
          [0, 'e'],
        ],
      ],
      'abcd/e',
    ],
    ['over two fields', [[[0, 'a']], [[0, 'b']]], 'a/b'],
    ['a component over two fields', [[[1, 'a']], [[0, 'b']]], 'ab'],
    ['nothing', [[]], ''],
  ])('a link leads to %s (4.1.3)', async (_, fields, target) => {
    const encoded = fields.map((components) =>
      systemUseField('SL', [0, ...components.flatMap(([flags, part]) => [flags, part.length, ...text(part)])]),
    );
    expect(await entryOf(...encoded)).toMatchObject({ kind: 'symlink', target });
  });

  test.each([
    ['modified alone', [0x02], [1], 1],
    ['created and modified', [0x03], [0, 1], 1],
    ['modified and accessed', [0x06], [1, 0], 1],
    ['accessed alone', [0x04], [0], undefined],
    ['created alone', [0x01], [0], undefined],
  ])('of the dates of TF the one of modification counts: %s (4.1.6)', async (_, flags, which, expected) => {
    const dates = [new Date('2001-01-01T00:00:00Z'), new Date('2024-02-29T01:02:03Z')] as const;
    const short = new Uint8Array(7 * which.length);
    const long = new Uint8Array(17 * which.length);
    for (const [index, date] of which.entries()) {
      writeRecordDate(short, 7 * index, dates[date as 0 | 1]);
      writeVolumeDate(long, 17 * index, dates[date as 0 | 1]);
    }
    const found = expected === undefined ? undefined : dates[1];
    expect((await entryOf(systemUseField('TF', [...flags, ...short])))?.modified).toEqual(found);
    expect((await entryOf(systemUseField('TF', [(flags[0] ?? 0) | 0x80, ...long])))?.modified).toEqual(found);
    if (expected === undefined) return;
    for (const cut of [
      systemUseField('TF', [...flags, ...short.slice(0, -1)]),
      systemUseField('TF', [(flags[0] ?? 0) | 0x80, ...long.slice(0, 7 * which.length)]),
    ]) {
      if (which.at(-1) === 1) await expect(entryOf(cut)).rejects.toMatchObject({ code: 'ISO_BAD_EXTENSION' });
    }
  });

  test('a field that is a byte too short is refused with both lengths', async () => {
    expect(await describeError(entryOf(systemUseField('PX', new Array(31).fill(0))))).toMatchObject({
      message: 'PX field has 31 bytes of 32',
    });
    expect(await describeError(entryOf(systemUseField('CL', new Array(7).fill(0))))).toMatchObject({
      message: 'CL field has 7 bytes of 8',
    });
    expect(await describeError(entryOf(systemUseField('SL', [])))).toMatchObject({
      message: 'SL field has 0 bytes of 1',
    });
    expect(await describeError(entryOf(systemUseField('CE', new Array(23).fill(0))))).toMatchObject({
      message: 'CE field has 23 bytes of 24',
    });
  });

  const moved = (name: string, inner: readonly SmallRecord[]): Uint8Array =>
    smallImage({
      [ROOT]: [
        self(ROOT, [...SP, ...PX]),
        { ...directory('STORE', 20), systemUse: systemUseField('NM', [0, ...text(name)]) },
        file('LINK', { systemUse: systemUseField('CL', both32(21)) }),
      ],
      20: [self(20), ...inner],
      21: [{ ...self(21), systemUse: PX }, file('X')],
    });
  const relocated: SmallRecord = { ...directory('M', 21), systemUse: systemUseField('RE', []) };

  test.each([
    ['rr_moved', [relocated], ['link', 'link/x']],
    ['.rr_moved', [relocated], ['link', 'link/x']],
    ['RR_MOVED', [relocated], ['link', 'link/x']],
    ['rr_moved', [], ['rr_moved', 'link', 'link/x']],
    ['rr_moved', [relocated, file('OWN')], ['rr_moved', 'rr_moved/own', 'link', 'link/x']],
    ['xrr_moved', [relocated], ['xrr_moved', 'link', 'link/x']],
    ['rr_moved2', [relocated], ['rr_moved2', 'link', 'link/x']],
  ])('the directory %s is shown unless it only holds what was moved (4.1.5)', async (name, inner, expected) => {
    const iso = await open(moved(name, inner));
    expect(await paths(iso.walk())).toEqual(expected);
    expect(await iso.entry('link')).toMatchObject({
      kind: 'directory',
      size: SECTOR,
      mode: 0o100644,
      extents: [{ offset: 21 * SECTOR, length: SECTOR }],
    });
  });
});

describe('what is read of an image', () => {
  test('ends with the image, and a run of nothing is nowhere', async () => {
    const image = new Image(zeros(3 * SECTOR));
    expect(await image.read(2 * SECTOR, SECTOR)).toHaveLength(SECTOR);
    await expect(image.read(2 * SECTOR, SECTOR + 1)).rejects.toMatchObject({
      code: 'ISO_SHORT_READ',
      offset: 2 * SECTOR,
    });
    expect(await image.read(9 * SECTOR, 0)).toHaveLength(0);
    image.checkBounds(9 * SECTOR, 0);
    image.checkBounds(0, 3 * SECTOR);
    expect(() => image.checkBounds(0, 3 * SECTOR + 1)).toThrow('failed to fill whole buffer');
  });

  test('is kept up to four mebibytes', async () => {
    const reads: [number, number][] = [];
    const source = zeros(8 << 20);
    const image = new Image({
      size: source.size,
      read: (offset, length) => {
        reads.push([offset, length]);
        return source.read(offset, length);
      },
    });
    await image.read(0, (4 << 20) - 1);
    await image.read(0, 1);
    await image.read(5, 1);
    for (const [offset, length] of [
      [0, (4 << 20) - 1],
      [0, 1],
      [5, 1],
    ] as const)
      await image.read(offset, length);
    expect(reads).toEqual([
      [0, (4 << 20) - 1],
      [0, 1],
      [5, 1],
      [5, 1],
    ]);
  });

  test('is fetched by whole sectors where neighbours follow', async () => {
    const bytes = Uint8Array.from({ length: 2 * SECTOR + 100 }, (_, index) => index % 251);
    const image = new Image(bytesSource(bytes));
    for (const [offset, length] of [
      [10, 20],
      [SECTOR - 3, 6],
      [SECTOR, SECTOR],
      [2 * SECTOR + 90, 10],
    ] as const) {
      expect(await image.readWithin(offset, length)).toEqual(bytes.subarray(offset, offset + length));
    }
    await expect(image.readWithin(2 * SECTOR + 90, 11)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  });

  test('is noted once per place, and a hundred times at most', () => {
    const image = new Image(zeros(0));
    image.note('odd', 1);
    image.note('odd', 1);
    image.note('odder', 1);
    image.note('odd', 2);
    expect(image.oddities).toHaveLength(3);
    for (let at = 0; at < 200; at++) image.note('more', at);
    expect(image.oddities).toHaveLength(100);
  });
});
