// Volume descriptors, ECMA-119 8.
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { bytesSource } from '../../src/bytes/source.ts';
import { IsoError } from '../../src/errors.ts';
import { Image } from '../../src/iso9660/image.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import { readVolume } from '../../src/iso9660/volume.ts';
import { countingSource } from '../support/counting-source.ts';
import { directory, file, open, ROOT, SECTOR, smallImage, text } from './small-image.ts';
import { describeError, errorChain, patched, paths, showIso } from './support.ts';

describe('the volume', () => {
  const primary = 16 * SECTOR;

  test('has its identifiers without padding', async () => {
    const image = smallImage({});
    const fields = {
      volumeSetId: 'SET',
      publisherId: 'PUBLISHER',
      preparerId: 'PREPARER',
      applicationId: 'APPLICATION',
    };
    for (const [index, value] of Object.values(fields).entries()) {
      image.set(text(value.padEnd(128)), primary + 190 + 128 * index);
    }
    const { volume } = await open(image);
    expect(volume.primary).toMatchObject({ ...fields, blockSize: SECTOR, spaceSize: 32 });
    expect(volume.primary.root).toEqual({
      name: '.',
      sector: ROOT,
      length: SECTOR,
      recordOffset: primary + 156,
    });
    expect(volume.primary).not.toHaveProperty('created');
    expect(volume.primary).not.toHaveProperty('modified');
  });

  test('with blocks of another size is refused when its files are requested', async () => {
    const iso = await open(patched(smallImage({}), primary + 128, [0, 4, 4, 0]));
    expect(await describeError(iso.list('/'))).toMatchObject({
      code: 'ISO_UNSUPPORTED',
      message: 'logical blocks of 1024 bytes are not supported',
      offset: primary,
    });
  });

  test('lists unsupported descriptors by number, and skips them', async () => {
    const image = smallImage({ [ROOT]: [file('A')] });
    const terminated = patched(patched(image, 17 * SECTOR, [3]), ROOT * SECTOR, [255]);
    expect((await open(terminated)).volume.descriptors).toMatchObject([
      { type: 'primary', offset: primary },
      { type: 'unknown', typeId: 3, offset: 17 * SECTOR },
    ]);
  });

  test('has a name of any characters, up to a NUL, for people', async () => {
    const named = (name: number[]) => open(patched(smallImage({}), primary + 40, name));
    expect((await named(text('Größe @1'))).volume.volumeId).toBe('Größe @1');
    expect((await named([0xe9, ...text('@')])).volume.volumeId).toBe('é@ALL');
    expect((await named([...text('AB'), 0])).volume.volumeId).toBe('AB');
    expect((await named([0])).volume.volumeId).toBe('');
    expect((await named(text('X'.repeat(33)))).volume).toMatchObject({ volumeId: 'X'.repeat(32), systemId: '' });
    expect((await open(patched(smallImage({}), primary + 8, text('S'.repeat(32))))).volume).toMatchObject({
      systemId: 'S'.repeat(32),
      volumeId: 'SMALL',
    });
  });

  test('stops after 4096 descriptors without a terminator', async () => {
    const endless = (sectors: number) => ({
      size: sectors * SECTOR,
      read: async (_: number, length: number) => new Uint8Array(length).fill(7),
    });
    const limit = 'more than 4096 volume descriptors';
    for (const [sectors, number, reason] of [
      [16 + 4095, 4096, ['reading volume descriptor', 'failed to fill whole buffer']],
      [16 + 4096, 4097, [limit]],
      [2 ** 40, 4125, [limit]],
    ] as const) {
      const error = await describeError(openIso(endless(sectors)));
      expect(errorChain(error)).toEqual([`getting volume descriptor #${number}`, ...reason]);
      expect(error).toMatchObject({ code: 'ISO_NOT_AN_IMAGE', offset: (15 + number) * SECTOR });
    }
  });

  test('fetches descriptors in growing pieces', async () => {
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

  test('fetches descriptors by whole sectors, even at the end of the image', async () => {
    const image = new Uint8Array(18 * SECTOR + 100);
    image.set(smallImage({}, { sectors: 18 }));
    const source = countingSource(bytesSource(image));
    await readVolume(new Image(source), 'forgiving');
    expect(source.reads.map(({ offset, length }) => [offset, length])).toEqual([[16 * SECTOR, 2 * SECTOR]]);
  });

  test('has a Joliet name of up to sixteen characters', async () => {
    const image = withDescriptor([...smallImage({}).subarray(primary, primary + SECTOR)]);
    const name = [...'ABCDEFGHIJKLMNÖP'].flatMap((character) => [0, character.charCodeAt(0)]);
    image.set([2], 17 * SECTOR);
    image.set([...name, 0, 0x58], 17 * SECTOR + 40);
    image.set(text('%/E'), 17 * SECTOR + 88);
    expect((await open(image)).volume.descriptors[1]).toMatchObject({ joliet: { volumeId: 'ABCDEFGHIJKLMNÖP' } });
    image.fill(0, 17 * SECTOR + 44, 17 * SECTOR + 72);
    expect((await open(image)).volume.descriptors[1]).toMatchObject({ joliet: { volumeId: 'AB' } });
  });

  test("recognises El Torito's boot record by its name", async () => {
    expect(await (await open(withDescriptor(boot('EL TORITO', '')))).bootCatalog()).toBeUndefined();
    const catalogue = (await open(withDescriptor(boot('EL TORITO SPECIFICATION', '')))).bootCatalog();
    await expect(catalogue).rejects.toMatchObject({ code: 'ISO_BAD_BOOT_CATALOG', offset: 0 });
  });

  test("has no names from a supplementary descriptor that is damaged or not Joliet's", async () => {
    const supplementary = (sequence: string, rootLength: number): Uint8Array => {
      const image = smallImage({ [ROOT]: [file('A')] });
      image.copyWithin(17 * SECTOR, primary, primary + SECTOR);
      image.set([2], 17 * SECTOR);
      image.set(text(sequence), 17 * SECTOR + 88);
      image.set([rootLength], 17 * SECTOR + 156);
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

  test('refuses an empty file, and one that ends within its descriptors', async () => {
    const whole = smallImage({});
    for (const length of [0, 1, primary, primary + SECTOR - 1, primary + SECTOR]) {
      await expect(open(whole.subarray(0, length))).rejects.toMatchObject({ code: 'ISO_NOT_AN_IMAGE' });
    }
    await expect(open(new Uint8Array(0))).rejects.toThrow('not an ISO image: the file is empty');
  });

  test('that is unreadable, or has strange identifiers, is still called an image', async () => {
    const remote = new IsoError('ISO_REMOTE', 'the server is gone');
    const source = (error: Error) => ({ size: 40 * SECTOR, read: () => Promise.reject(error) });
    await expect(openIso(source(remote))).rejects.toMatchObject({ code: 'ISO_REMOTE' });
    expect(errorChain(await describeError(openIso(source(new Error('disk on fire')))))).toContain('disk on fire');
    await expect(openIso(source(new Error('disk on fire')))).rejects.not.toHaveProperty('code', 'ISO_NOT_AN_IMAGE');
    const strange = open(patched(smallImage({}), primary + 40, '@'), 'strict');
    await expect(strange).rejects.toMatchObject({ code: 'ISO_BAD_NAME', offset: primary + 40 });
  });

  test('that ends with its last sector is complete', async () => {
    expect((await open(smallImage({}), 'strict')).oddities).toEqual([]);
    expect((await open(smallImage({}).subarray(0, -1))).oddities).toEqual([
      { message: 'the image is truncated: the volume has 32 sectors', offset: primary + 80 },
    ]);
  });
});

/** A volume descriptor of any type before the terminator. */
function withDescriptor(bytes: number[]): Uint8Array {
  const image = smallImage({ 19: [file('A')] });
  image.copyWithin(18 * SECTOR, 17 * SECTOR, 18 * SECTOR);
  image.fill(0, 17 * SECTOR, 18 * SECTOR);
  image.set(bytes, 17 * SECTOR);
  return patched(image, 16 * SECTOR + 156 + 2, [19]);
}

const boot = (systemId: string, bootId: string): number[] => [
  ...[0, ...text('CD001'), 1],
  ...text(systemId.padEnd(32, '\0')),
  ...text(bootId.padEnd(32, '\0')),
];
const first = 16 * SECTOR;
const root = first + 156;
const base = smallImage({ [ROOT]: [file('A.;1')] });

/** Faults, and the messages of coreos-installer; none if it accepts them. */
const VOLUMES: readonly [string, Uint8Array, string[]][] = [
  ['nothing', base, []],
  ['another identifier', patched(base, first + 1, 'CD002'), primaryProblem('unknown descriptor ID: b"CD002"')],
  [
    'the last letter of the identifier',
    patched(base, first + 5, 'x'),
    primaryProblem('unknown descriptor ID: b"CD00x"'),
  ],
  ['another version', patched(base, first + 6, [2]), primaryProblem('unknown descriptor version: 2')],
  ['version 0', patched(base, first + 6, [0]), primaryProblem('unknown descriptor version: 0')],
  [
    'a system id with a strange byte',
    patched(base, first + 8, '@'),
    ['getting volume descriptor #1', 'parsing system id', `invalid string name b"@${' '.repeat(31)}"`],
  ],
  [
    'a volume id with a strange byte at its end',
    patched(base, first + 71, '@'),
    ['getting volume descriptor #1', 'parsing volume id', `invalid string name b"SMALL${' '.repeat(26)}@"`],
  ],
  ['a strange byte behind the volume id', patched(base, first + 72, '@'), []],
  ['a root without a record', patched(base, root, [0]), noRoot()],
  ['a root that is a file', patched(base, root + 25, [0]), noRoot()],
  ['a root that is hidden', patched(base, root + 25, [3]), []],
  ['a root that is a parent', patched(base, root + 33, [1]), noRoot()],
  ['a root with a name', patched(base, root + 33, 'R'), []],
  [
    'a root with a strange name',
    patched(base, root + 33, '@'),
    ['getting volume descriptor #1', 'parsing record name', 'invalid string name b"@"'],
  ],
  ['a boot record', withDescriptor(boot('SYSTEM', 'BOOT')), []],
  [
    'a boot record of another version',
    withDescriptor([0, ...text('CD001'), 2]),
    ['getting volume descriptor #2', 'parsing boot descriptor', 'unknown descriptor version: 2'],
  ],
  [
    'a boot record with a strange system id',
    withDescriptor(boot(`${' '.repeat(31)}@`, '')),
    ['getting volume descriptor #2', 'parsing boot system ID', `invalid string name b"${' '.repeat(31)}@"`],
  ],
  [
    'a boot record with a strange boot id',
    withDescriptor(boot('', `${' '.repeat(31)}@`)),
    ['getting volume descriptor #2', 'parsing boot ID', `invalid string name b"${' '.repeat(31)}@"`],
  ],
  ['a strange byte behind the boot id', withDescriptor([...boot('', ''), 0x40]), []],
  ['a volume partition', withDescriptor([3]), []],
  ['a supplementary volume that says nothing', withDescriptor([2]), []],
  ['one sector too few', base.subarray(0, -SECTOR), ['ISO image is incomplete']],
  ['one byte too few', base.subarray(0, -1), ['ISO image is incomplete']],
  [
    'nothing behind its first descriptor',
    base.subarray(0, 17 * SECTOR),
    ['getting volume descriptor #2', 'reading volume descriptor', 'failed to fill whole buffer'],
  ],
];

function primaryProblem(problem: string): string[] {
  return ['getting volume descriptor #1', 'parsing primary descriptor', problem];
}

function noRoot(): string[] {
  return ['getting volume descriptor #1', 'failed to parse root directory record from primary descriptor'];
}

describe('a volume, strictly', () => {
  test.each(VOLUMES)('with %s', async (_, image, errors) => {
    const opened = open(image, 'strict').then((iso) => paths(iso.walk()));
    if (errors.length === 0) expect(await opened).toEqual(['A']);
    else expect(errorChain(await describeError(opened))).toEqual(errors);
  });

  describeWith(['coreos-installer'], 'to coreos-installer', () => {
    test.each(VOLUMES)('with %s', (_, image, errors) => {
      expect(showIso(image)).toEqual(errors.length === 0 ? { records: ['A'] } : { errors });
    });
  });

  test('may have a boot record with texts of the maximum length', async () => {
    const image = withDescriptor([...boot('S'.repeat(32), 'B'.repeat(32)), 1, 2, 3, 4]);
    expect((await open(image, 'strict')).volume.descriptors[1]).toEqual({
      type: 'boot',
      offset: 17 * SECTOR,
      systemId: 'S'.repeat(32),
      bootId: 'B'.repeat(32),
      catalogSector: 0x04030201,
    });
  });

  test('is the first of several primary volumes', async () => {
    const second = [...patched(base, first + 40, 'OTHER').subarray(first, first + SECTOR)];
    const { volume } = await open(withDescriptor(second), 'strict');
    expect([volume.volumeId, volume.primary.offset, volume.descriptors.length]).toEqual(['SMALL', first, 2]);
  });

  test('may have its directory anywhere', async () => {
    const image = smallImage({ [ROOT]: [directory('D', 31)], 31: [file('B')] });
    expect(await paths((await open(image, 'strict')).walk())).toEqual(['D', 'D/B']);
  });
});
