// The System Use Sharing Protocol (SUSP 1.12) and Rock Ridge (RRIP 1.12), field by field.
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import {
  both32,
  directory,
  entryOf,
  file,
  open,
  PX,
  ROOT,
  rooted,
  SECTOR,
  type SmallRecord,
  SP,
  self,
  smallImage,
  systemUseField,
  text,
} from './small-image.ts';
import { describeError, paths } from './support.ts';

describe('System Use fields (SUSP)', () => {
  const NM = systemUseField('NM', [0, ...text('name')]);

  test('begin after the number of bytes in SP, also for the place of an error (5.3)', async () => {
    const skipping = systemUseField('SP', [0xbe, 0xef, 5]);
    const named = rooted([9, 9, 9, 9, 9, ...PX, ...NM], skipping);
    expect((await (await open(named)).list('/'))[0]?.name).toBe('name');
    const damaged = rooted([9, 9, 9, 9, 9, ...systemUseField('NM', [])], skipping);
    const [own = 0] = damaged.subarray(ROOT * SECTOR);
    const systemUse = ROOT * SECTOR + own + 33 + 1;
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
  ])('are not read after an SP of %s', async (_, sp) => {
    const iso = await open(rooted([...PX, ...NM], sp));
    expect((await iso.list('/'))[0]?.name).toBe('a');
    await expect(iso.list('/', { view: 'rock-ridge' })).rejects.toThrow('the image has no Rock Ridge names');
  });

  test('are not read if the root does not begin with itself', async () => {
    for (const name of ['B', [1], [0, 0]]) {
      const image = smallImage({ [ROOT]: [{ ...self(ROOT, [...SP, ...PX]), name }, file('A', { systemUse: NM })] });
      await expect((await open(image)).list('/', { view: 'rock-ridge' })).rejects.toThrow('no Rock Ridge names');
    }
  });

  test('end at ST, and at a zero (4, 5.4)', async () => {
    expect((await entryOf(PX, systemUseField('ST', []), NM))?.name).toBe('a');
    expect((await entryOf(PX, [0, 0, 0, 0], NM))?.name).toBe('a');
    expect((await entryOf(PX, NM, [1, 2, 3]))?.name).toBe('name');
  });

  test('may fill their area to the last byte, and consist of only a header', async () => {
    expect((await entryOf(PX, systemUseField('XX', []), NM))?.name).toBe('name');
    const image = rooted([...PX, 0x58, 0x58, 3, 1]);
    const [own = 0] = image.subarray(ROOT * SECTOR);
    expect(await describeError((await open(image)).list('/'))).toMatchObject({
      code: 'ISO_BAD_EXTENSION',
      offset: ROOT * SECTOR + own + 34 + PX.length,
    });
  });

  test('begin after a name of odd or even length (ECMA-119 9.1.12)', async () => {
    for (const name of ['A', 'AB', 'ABC', 'ABCD']) {
      const image = smallImage({ [ROOT]: [self(ROOT, [...SP, ...PX]), file(name, { systemUse: NM })] });
      expect(await paths((await open(image)).walk())).toEqual(['name']);
    }
  });

  test('in continuation areas count towards the limit of directories', async () => {
    const link = systemUseField('CE', [...both32(24), ...both32(0), ...both32(NM.length)]);
    const image = rooted(link);
    image.set(NM, 24 * SECTOR);
    const list = async (bytes: number) => (await openIso(bytesSource(image), { limits: { bytes } })).list('/');
    expect((await list(SECTOR + NM.length))[0]?.name).toBe('name');
    await expect(list(SECTOR + NM.length - 1)).rejects.toMatchObject({ code: 'ISO_LIMIT', offset: 24 * SECTOR });
  });

  test('continue in as many areas as in real images, anywhere in a sector (5.1)', async () => {
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
  test('leaves out properties without a field', async () => {
    const entry = await entryOf(systemUseField('NM', [0, ...text('name')]));
    expect(Object.keys(entry ?? {}).sort()).toEqual(['extents', 'kind', 'name', 'path', 'recordOffset', 'size']);
    const root = await (await open(rooted(PX.slice()))).entry('/');
    expect(root).toMatchObject({ path: '', kind: 'directory', mode: 0o100644, uid: 0, gid: 0 });
  });

  test.each([
    ['a slash', [0x61, 0x2f]],
    ['a NUL', [0x61, 0]],
    ['nothing', []],
    ['a dot', [0x2e]],
    ['two dots', [0x2e, 0x2e]],
  ])('refuses a name of %s with its place', async (_, name) => {
    const image = rooted(systemUseField('NM', [0, ...name]));
    const [own = 0] = image.subarray(ROOT * SECTOR);
    const expected = { code: 'ISO_BAD_NAME', offset: ROOT * SECTOR + own };
    await expect((await open(image)).list('/')).rejects.toMatchObject(expected);
  });

  test('reads modes, owners and groups from PX (4.1.1)', async () => {
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
  ])('reads the type of mode %o as %s', async (type, kind) => {
    const px = systemUseField('PX', [...both32(type | 0o755), ...both32(1), ...both32(0), ...both32(0)]);
    const iso = await open(rooted(px));
    const [entry] = await iso.list('/');
    expect(entry?.kind).toBe(kind);
    const words = { special: 'special file', symlink: 'symbolic link' }[kind];
    if (words !== undefined) {
      const error = await describeError(iso.file('a'));
      expect(error).toMatchObject({ code: 'ISO_WRONG_KIND', message: `entry a is a ${words}` });
    }
  });

  test('recognises a directory by its record, not by its mode', async () => {
    const image = smallImage({
      [ROOT]: [self(ROOT, [...SP, ...PX]), { ...directory('A', 20), systemUse: PX }],
      20: [self(20), file('B')],
    });
    expect(await paths((await open(image)).walk())).toEqual(['a', 'a/b']);
  });

  test('joins the parts of a name, and ignores those for `.` and `..` (4.1.4)', async () => {
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
  ])('reads a link to %s (4.1.3)', async (_, fields, target) => {
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
  ])('uses the modification date of TF: %s (4.1.6)', async (_, flags, which, expected) => {
    const dates = [
      { short: [101, 1, 1, 0, 0, 0, 0], long: '2001010100000000' },
      { short: [124, 2, 29, 1, 2, 3, 0], long: '2024022901020300' },
    ];
    const short = which.flatMap((date) => dates[date]?.short ?? []);
    const long = which.flatMap((date) => [...text(dates[date]?.long ?? ''), 0]);
    const found = expected === undefined ? undefined : new Date('2024-02-29T01:02:03Z');
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

  test('keeps the date of a first TF if the second has none', async () => {
    const dated = systemUseField('TF', [0x02, 124, 2, 29, 1, 2, 3, 0]);
    const entry = await entryOf(dated, systemUseField('TF', [0x04, 101, 1, 1, 0, 0, 0, 0]), systemUseField('TF', []));
    expect(entry?.modified).toEqual(new Date('2024-02-29T01:02:03Z'));
  });

  test('ignores a truncated component at the end of a link', async () => {
    expect(await entryOf(systemUseField('SL', [0, 0, 1, 0x61, 0]))).toMatchObject({ target: 'a' });
  });

  test('refuses a field that is a byte too short, with both lengths', async () => {
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

  test('shows a directory of that name elsewhere, and a file with it', async () => {
    const named = (record: SmallRecord) => ({ ...record, systemUse: systemUseField('NM', [0, ...text('rr_moved')]) });
    const image = smallImage({
      [ROOT]: [self(ROOT, [...SP, ...PX]), directory('D', 20), named(file('F', { sector: 4000 }))],
      20: [self(20), named(directory('STORE', 21))],
      21: [self(21), relocated],
    });
    expect(await paths((await open(image)).walk())).toEqual(['d', 'd/rr_moved', 'rr_moved']);
  });

  test.each([
    ['rr_moved', [relocated], ['link', 'link/x']],
    ['.rr_moved', [relocated], ['link', 'link/x']],
    ['RR_MOVED', [relocated], ['link', 'link/x']],
    ['rr_moved', [], ['rr_moved', 'link', 'link/x']],
    ['rr_moved', [relocated, file('OWN')], ['rr_moved', 'rr_moved/own', 'link', 'link/x']],
    ['xrr_moved', [relocated], ['xrr_moved', 'link', 'link/x']],
    ['rr_moved2', [relocated], ['rr_moved2', 'link', 'link/x']],
  ])('shows the directory %s unless it only holds moved directories (4.1.5)', async (name, inner, expected) => {
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
