// A small image byte by byte, by the numbers of ECMA-119, SUSP, RRIP and Joliet.
import { type IsoEntry, writeIso } from '@coreiso/iso/iso9660';
import { beforeAll, describe, expect, test } from 'vitest';
import { both32, systemUseField, text } from '../iso9660/small-image.ts';

const SECTOR = 2048;
const DATE = [124, 2, 29, 12, 34, 56, 0];
const OLDER = [101, 9, 9, 1, 46, 40, 0];

const ENTRIES: readonly IsoEntry[] = [
  { kind: 'file', path: '/file', content: 'hello', mode: 0o600 },
  { kind: 'symlink', path: '/link', target: '../a/./b' },
  { kind: 'directory', path: '/dir', mode: 0o750, modified: new Date('2001-09-09T01:46:40Z') },
  { kind: 'link', path: '/dir/again', to: '/file' },
];

const OPTIONS = {
  volumeId: 'Volume-1',
  systemId: 'LINUX',
  volumeSetId: 'SET',
  publisherId: 'PUBLISHER',
  preparerId: 'PREPARER',
  applicationId: 'APPLICATION',
  timestamp: new Date('2024-02-29T12:34:56.780Z'),
  padSectors: 2,
};

/** The layout: two descriptors and the terminator, four path tables, the directories of both trees, the file. */
const PLACE = {
  tables: { primary: [19, 20], joliet: [21, 22] },
  primary: { root: 23, continuation: 24, dir: 25 },
  joliet: { root: 26, dir: 27 },
  data: 28,
  end: 29,
} as const;

let image: Uint8Array;

beforeAll(async () => {
  const { source, volumeSize } = await writeIso(ENTRIES, OPTIONS);
  expect([source.size, volumeSize]).toEqual([(PLACE.end + 2) * SECTOR, (PLACE.end + 2) * SECTOR]);
  image = await source.read(0, source.size);
});

/** Compares sectors of the image with the expected bytes, followed by zeros. */
function expectSectors(
  first: number,
  count: number,
  expected: readonly (readonly [at: number, bytes: number[]])[],
): void {
  const wanted = new Uint8Array(count * SECTOR);
  for (const [at, bytes] of expected) wanted.set(bytes, at);
  const found = image.subarray(first * SECTOR, (first + count) * SECTOR);
  for (let at = 0; at < wanted.length; at++) {
    if (found[at] !== wanted[at]) expect([at, found[at]]).toEqual([at, wanted[at]]);
  }
}

/** ECMA-119 9.1. */
function record(
  name: number[],
  sector: number,
  length: number,
  flags: number,
  date: number[],
  systemUse: number[] = [],
) {
  const start = [0, 0, ...both32(sector), ...both32(length), ...date, flags, 0, 0, 1, 0, 0, 1, name.length, ...name];
  const bytes = [...start, ...(name.length % 2 === 0 ? [0] : []), ...systemUse];
  if (bytes.length % 2 === 1) bytes.push(0);
  return [bytes.length, ...bytes.slice(1)];
}

const ucs2 = (value: string): number[] => [...value].flatMap((character) => [0, character.charCodeAt(0)]);
const ucs2Field = (value: string, length: number): number[] => ucs2(value.padEnd(length / 2)).slice(0, length);

describe('the volume descriptors (ECMA-119 8.4, 8.5; Joliet)', () => {
  const common = (root: number, tables: readonly [number, number], tableSize: number): [number, number[]][] => [
    [1, [...text('CD001'), 1]],
    [80, both32(PLACE.end + 2)],
    [120, [1, 0, 0, 1]],
    [124, [1, 0, 0, 1]],
    [128, [0x00, 0x08, 0x08, 0x00]],
    [132, both32(tableSize)],
    [140, [tables[0], 0, 0, 0]],
    [148, [0, 0, 0, tables[1]]],
    [156, record([0], root, SECTOR, 2, DATE)],
    [813, [...text('2024022912345678'), 0]],
    [830, [...text('2024022912345678'), 0]],
    [847, [...text('0'.repeat(16)), 0]],
    [864, [...text('2024022912345678'), 0]],
    [881, [1]],
  ];

  test('of the primary volume', () => {
    expectSectors(16, 1, [
      [0, [1]],
      ...common(PLACE.primary.root, PLACE.tables.primary, 10 + 12),
      [8, text('LINUX'.padEnd(32))],
      [40, text('Volume-1'.padEnd(32))],
      [190, text('SET'.padEnd(128))],
      [318, text('PUBLISHER'.padEnd(128))],
      [446, text('PREPARER'.padEnd(128))],
      [574, text('APPLICATION'.padEnd(128))],
      [702, text(' '.repeat(37))],
      [739, text(' '.repeat(37))],
      [776, text(' '.repeat(37))],
    ]);
  });

  test('of the Joliet volume, whose texts are UCS-2 at level 3', () => {
    expectSectors(17, 1, [
      [0, [2]],
      ...common(PLACE.joliet.root, PLACE.tables.joliet, 10 + 14),
      [8, ucs2Field('LINUX', 32)],
      [40, ucs2Field('Volume-1', 32)],
      [88, text('%/E')],
      [190, ucs2Field('SET', 128)],
      [318, ucs2Field('PUBLISHER', 128)],
      [446, ucs2Field('PREPARER', 128)],
      [574, ucs2Field('APPLICATION', 128)],
      [702, ucs2Field('', 36)],
      [739, ucs2Field('', 36)],
      [776, ucs2Field('', 36)],
    ]);
  });

  test('have a terminator (8.3)', () => {
    expectSectors(18, 1, [[0, [255, ...text('CD001'), 1]]]);
  });
});

test('writes the root and the directory into path tables in both byte orders (9.4)', () => {
  const joliet = ucs2('dir');
  for (const [sector, root, dir, name] of [
    [PLACE.tables.primary[0], PLACE.primary.root, PLACE.primary.dir, text('DIR')],
    [PLACE.tables.joliet[0], PLACE.joliet.root, PLACE.joliet.dir, joliet],
  ] as const) {
    expectSectors(sector, 2, [
      [0, [1, 0, root, 0, 0, 0, 1, 0, 0, 0]],
      [10, [name.length, 0, dir, 0, 0, 0, 1, 0, ...name]],
      [SECTOR, [1, 0, 0, 0, 0, root, 0, 1, 0, 0]],
      [SECTOR + 10, [name.length, 0, 0, 0, 0, dir, 0, 1, ...name]],
    ]);
  }
});

describe('the directories', () => {
  const rr = (flags: number) => systemUseField('RR', [flags]);
  const px = (mode: number, links: number) =>
    systemUseField('PX', [...both32(mode), ...both32(links), ...both32(0), ...both32(0)]);
  const tf = (date: number[]) => systemUseField('TF', [0x0e, ...date, ...date, ...date]);
  const nm = (name: string) => systemUseField('NM', [0, ...text(name)]);
  const er = systemUseField('ER', [
    ...[10, 84, 135, 1],
    ...text('RRIP_1991A'),
    ...text('THE ROCK RIDGE INTERCHANGE PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS'),
    ...text('PLEASE CONTACT DISC PUBLISHER FOR SPECIFICATION SOURCE.  SEE PUBLISHER IDENTIFIER IN PRIMARY VOLUME '),
    ...text('DESCRIPTOR FOR CONTACT INFORMATION.'),
  ]);

  test('of the primary volume have Rock Ridge fields, which continue after them (SUSP 5.1, RRIP 4.1)', () => {
    const { root, dir, continuation } = PLACE.primary;
    const rootFields = [...rr(0x81), ...px(0o40755, 3), ...tf(DATE)];
    const dirFields = [...rr(0x81), ...px(0o40750, 2), ...tf(OLDER)];
    const fileFields = (name: string) => [...rr(0x89), ...nm(name), ...px(0o100600, 2), ...tf(DATE)];
    const target = systemUseField('SL', [0, 4, 0, 0, 1, 0x61, 2, 0, 0, 1, 0x62]);
    const pointer = systemUseField('CE', [...both32(continuation), ...both32(0), ...both32(er.length)]);
    expectSectors(root, 1, [
      [
        0,
        [
          ...record([0], root, SECTOR, 2, DATE, [...systemUseField('SP', [0xbe, 0xef, 0]), ...rootFields, ...pointer]),
          ...record([1], root, SECTOR, 2, DATE, rootFields),
          ...record(text('DIR'), dir, SECTOR, 2, OLDER, [...rr(0x89), ...nm('dir'), ...px(0o40750, 2), ...tf(OLDER)]),
          ...record(text('FILE.;1'), PLACE.data, 5, 0, DATE, fileFields('file')),
          ...record(text('LINK.;1'), 0, 0, 0, DATE, [
            ...rr(0x8d),
            ...nm('link'),
            ...px(0o120777, 1),
            ...target,
            ...tf(DATE),
          ]),
        ],
      ],
    ]);
    expectSectors(continuation, 1, [[0, er]]);
    expectSectors(dir, 1, [
      [
        0,
        [
          ...record([0], dir, SECTOR, 2, OLDER, dirFields),
          ...record([1], root, SECTOR, 2, DATE, rootFields),
          ...record(text('AGAIN.;1'), PLACE.data, 5, 0, DATE, fileFields('again')),
        ],
      ],
    ]);
  });

  test('of the Joliet volume have only names', () => {
    const { root, dir } = PLACE.joliet;
    expectSectors(root, 1, [
      [
        0,
        [
          ...record([0], root, SECTOR, 2, DATE),
          ...record([1], root, SECTOR, 2, DATE),
          ...record(ucs2('dir'), dir, SECTOR, 2, OLDER),
          ...record(ucs2('file'), PLACE.data, 5, 0, DATE),
        ],
      ],
    ]);
    expectSectors(dir, 1, [
      [
        0,
        [
          ...record([0], dir, SECTOR, 2, OLDER),
          ...record([1], root, SECTOR, 2, DATE),
          ...record(ucs2('again'), PLACE.data, 5, 0, DATE),
        ],
      ],
    ]);
  });
});

test('leaves the system area empty, and writes only padding after the file', () => {
  expectSectors(0, 16, []);
  expectSectors(PLACE.data, 3, [[0, text('hello')]]);
});
