import { type ImageEntry, type Iso, type IsoView, openIso } from '@coreiso/iso/iso9660';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { IsoError } from '../../src/errors.ts';
import { countingSource } from '../support/counting-source.ts';
import {
  both32,
  directory,
  file,
  PX,
  ROOT,
  rooted,
  SECTOR,
  type SmallRecord,
  SP,
  self,
  smallImage,
  systemUseField,
} from './small-image.ts';
import { describeError, patched, paths } from './support.ts';

async function walk(image: Uint8Array, view: IsoView, limits = {}): Promise<string[]> {
  return paths((await openIso(bytesSource(image), { limits })).walk({ view }));
}

describe.each<IsoView>(['strict', 'plain'])('the %s view', (view) => {
  test.each<[string, Uint8Array, string, number]>([
    [
      'a directory that contains itself',
      smallImage({ [ROOT]: [directory('A', 20)], 20: [directory('B', 20)] }),
      'ISO_LOOP',
      20 * SECTOR,
    ],
    [
      'a directory that contains the root',
      smallImage({ [ROOT]: [directory('A', 20)], 20: [directory('B', ROOT)] }),
      'ISO_LOOP',
      20 * SECTOR,
    ],
    [
      'a directory that contains the first byte of the root',
      smallImage({ [ROOT]: [directory('A', 20)], 20: [directory('B', ROOT, 1)] }),
      'ISO_LOOP',
      20 * SECTOR,
    ],
    ['a directory past the end', smallImage({ [ROOT]: [directory('A', 4000)] }), 'ISO_SHORT_READ', 4000 * SECTOR],
    [
      'a directory longer than the image',
      smallImage({ [ROOT]: [directory('A', 20, 0xfffff800)] }),
      'ISO_SHORT_READ',
      20 * SECTOR,
    ],
    [
      'a record longer than its directory',
      patched(smallImage({}, { rootLength: 100 }), ROOT * SECTOR, [120]),
      'ISO_BAD_RECORD',
      ROOT * SECTOR,
    ],
    [
      'a record without room for its fields',
      patched(smallImage({}, { rootLength: 20 }), ROOT * SECTOR, [10]),
      'ISO_BAD_RECORD',
      ROOT * SECTOR,
    ],
    [
      'a record without room for its name',
      patched(smallImage({ [ROOT]: [file('ABC')] }), ROOT * SECTOR, [34]),
      'ISO_BAD_RECORD',
      ROOT * SECTOR,
    ],
    [
      'a name that runs out of its directory',
      patched(smallImage({ [ROOT]: [file('ABC')] }, { rootLength: 38 }), ROOT * SECTOR + 32, [200]),
      'ISO_BAD_RECORD',
      ROOT * SECTOR,
    ],
  ])('%s is an error with a code and the place', async (_, image, code, offset) => {
    const error = await describeError(walk(image, view));
    expect(error).toBeInstanceOf(IsoError);
    expect(error).toMatchObject({ code, offset });
  });

  test('stops at the limits for directories that multiply without a loop', async () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 12 }, (_, level) => [
        ROOT + level,
        [directory('A', ROOT + level + 1), directory('B', ROOT + level + 1)],
      ]),
    );
    const image = smallImage(doubling);
    await expect(walk(image, view, { entries: 1000 })).rejects.toMatchObject({ code: 'ISO_LIMIT' });
    await expect(walk(image, view, { bytes: 100 * SECTOR })).rejects.toMatchObject({ code: 'ISO_LIMIT' });
    await expect(walk(image, view, { depth: 5 })).rejects.toMatchObject({ code: 'ISO_LIMIT' });
    expect(await walk(image, view)).toHaveLength(2 ** 13 - 2);
  });

  test('lists a file past the end, and refuses it only when opened', async () => {
    const iso = await openIso(bytesSource(smallImage({ [ROOT]: [file('A', { sector: 31, length: 5000 })] })), { view });
    const entry = await iso.entry('A', { view });
    expect(() => iso.contents(entry)).toThrow(
      expect.objectContaining({ code: 'ISO_BAD_EXTENT', offset: ROOT * SECTOR }),
    );
  });
});

test.each<IsoView>(['strict', 'plain'])('fails only reads past the damage, in the %s view', async (view) => {
  const image = smallImage({ [ROOT]: [file('A'), file('BC'), file('D')] });
  const iso = await openIso(bytesSource(patched(image, ROOT * SECTOR + 34, [34])));
  expect(await iso.entry('A', { view })).toMatchObject({ kind: 'file' });
  const damaged = { code: 'ISO_BAD_RECORD', offset: ROOT * SECTOR + 34 };
  await expect(iso.entry('D', { view })).rejects.toMatchObject(damaged);
  await expect(iso.entry('D/E', { view })).rejects.toMatchObject(damaged);
  await expect(iso.list('/', { view })).rejects.toMatchObject(damaged);
});

test('refuses a record that crosses a sector, unless coreos-installer accepts it', async () => {
  // Fifty-one records of 40 bytes leave 8 bytes of the sector.
  const filler = Array.from({ length: 51 }, (_, n) => file(`FILE${String(n).padStart(3, '0')}`));
  const crossing = smallImage({ [ROOT]: [...filler, file('CROSSING')] }, { rootLength: 2 * SECTOR });
  await expect(walk(crossing, 'plain')).rejects.toMatchObject({ code: 'ISO_BAD_RECORD' });
  expect(await walk(crossing, 'strict')).toHaveLength(52);
});

describe('Rock Ridge', () => {
  const movedTo = (first: SmallRecord): Uint8Array =>
    smallImage({
      [ROOT]: [self(ROOT, [...SP, ...PX]), file('A', { systemUse: systemUseField('CL', both32(20)) })],
      20: [first, file('C')],
    });
  const continuation = (sector: number, offset: number, length: number): number[] =>
    systemUseField('CE', [...both32(sector), ...both32(offset), ...both32(length)]);

  test.each<[string, Uint8Array, string]>([
    ['a continuation area past the end', rooted(continuation(4000, 0, 100)), 'ISO_SHORT_READ'],
    ['a continuation area of absurd length', rooted(continuation(20, 0, 0xffffffff)), 'ISO_SHORT_READ'],
    ['a field without room for its header', rooted([0x4e, 0x4d, 2, 1]), 'ISO_BAD_EXTENSION'],
    ['a field longer than its area', rooted([0x4e, 0x4d, 200, 1, 0, 65]), 'ISO_BAD_EXTENSION'],
    ['a PX field that is cut', rooted(systemUseField('PX', [1, 2, 3])), 'ISO_BAD_EXTENSION'],
    ['a link component that does not fit', rooted(systemUseField('SL', [0, 0, 50, 65])), 'ISO_BAD_EXTENSION'],
    ['a moved directory that is none', rooted(systemUseField('CL', both32(25))), 'ISO_BAD_EXTENSION'],
    ['a moved directory that is another', movedTo(self(21)), 'ISO_BAD_EXTENSION'],
    ['a moved directory that begins with a file', movedTo({ ...self(20), name: 'B' }), 'ISO_BAD_EXTENSION'],
    ['a moved directory that begins with its parent', movedTo({ ...self(20), name: [1] }), 'ISO_BAD_EXTENSION'],
    ['a name with a slash', rooted(systemUseField('NM', [0, 65, 0x2f, 66])), 'ISO_BAD_NAME'],
    ['a name that leads upwards', rooted(systemUseField('NM', [0, 0x2e, 0x2e])), 'ISO_BAD_NAME'],
  ])('%s is an error with a code and the place', async (_, image, code) => {
    const error = await describeError(walk(image, 'rock-ridge'));
    expect(error).toBeInstanceOf(IsoError);
    expect(error).toMatchObject({ code, offset: expect.any(Number) });
  });

  test.each([
    ['compressed', 'ZF', [0x70, 0x7a, 4, 15, ...both32(100_000)]],
    ['sparse', 'SF', [...both32(0), ...both32(100_000), 1]],
  ])('lists a %s file, and refuses to read its contents', async (stored, signature, data) => {
    const iso = await openIso(
      bytesSource(rooted([...systemUseField('NM', [0, 65]), ...systemUseField(signature, data)])),
    );
    expect(await iso.entry('A')).toMatchObject({ kind: 'file', stored });
    const error = await describeError(iso.file('A'));
    expect(error).toMatchObject({ code: 'ISO_UNSUPPORTED', message: expect.stringContaining(stored) });
  });

  test('stops at an endless chain of continuation areas', async () => {
    const image = rooted(continuation(24, 0, 28));
    image.set(continuation(24, 0, 28), 24 * SECTOR);
    await expect(walk(image, 'natural')).rejects.toMatchObject({ code: 'ISO_LIMIT' });
  });

  test('reports a moved directory that contains itself as a loop', async () => {
    const cl = systemUseField('CL', both32(20));
    const image = smallImage({
      [ROOT]: [self(ROOT, [...SP, ...PX]), { ...file('A'), systemUse: cl }],
      20: [self(20), { ...file('B'), systemUse: cl }],
    });
    await expect(walk(image, 'natural')).rejects.toMatchObject({ code: 'ISO_LOOP' });
  });

  test('reports a missing view as not found', async () => {
    await expect(walk(smallImage({}), 'rock-ridge')).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
    await expect(walk(smallImage({}), 'joliet')).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
  });
});

describe('if the two byte orders differ, the little-endian number counts and the difference is reported', () => {
  const unknown = systemUseField('XX', [1]);
  const continued = systemUseField('CE', [...both32(24), ...both32(8), ...both32(unknown.length + PX.length)]);
  const image = smallImage({
    [ROOT]: [
      self(ROOT, [...SP, ...PX]),
      file('A', { systemUse: [...unknown, ...continued] }),
      file('B', { systemUse: [...unknown, ...systemUseField('CL', both32(20))] }),
    ],
    20: [self(20), file('C')],
  });
  image.set([...unknown, ...PX], 24 * SECTOR + 8);
  const records = ROOT * SECTOR;
  const [own = 0] = image.subarray(records);
  const [a = 0] = image.subarray(records + own);
  const fields = records + own + 34 + unknown.length;
  const area = 24 * SECTOR + 8 + unknown.length + 4;

  test.each([
    ['volume space size', 16 * SECTOR + 80],
    ['extent of a directory record', records + own + 2],
    ['data length of a directory record', records + own + 10],
    ['sector of a continuation area', fields + 4],
    ['offset of a continuation area', fields + 12],
    ['length of a continuation area', fields + 20],
    ['mode of a file', area],
    ['owner of a file', area + 16],
    ['group of a file', area + 24],
    ['position of a moved directory', records + own + a + 34 + unknown.length + 4],
  ])('%s', async (field, offset) => {
    const [right, wrong] = [image, patched(image, offset + 4, [9, 9, 9, 9])].map((bytes) =>
      openIso(bytesSource(bytes)),
    );
    const iso = await wrong!;
    expect(await entries(iso)).toEqual(await entries(await right!));
    expect(iso.volume.spaceSize).toBe(32);
    expect(iso.oddities).toEqual([{ message: `the two byte orders of the ${field} differ`, offset }]);
  });
});

async function entries(iso: Iso): Promise<ImageEntry[]> {
  const found: ImageEntry[] = [];
  for await (const entry of iso.walk()) found.push(entry);
  return found;
}

test('notes a truncated image as an oddity, and refuses it in the strict view', async () => {
  const image = smallImage({ [ROOT]: [file('A')] }).subarray(0, 26 * SECTOR);
  const iso = await openIso(bytesSource(image));
  expect(await paths(iso.walk())).toEqual(['a']);
  expect(iso.oddities).toHaveLength(1);
  await expect(openIso(bytesSource(image), { view: 'strict' })).rejects.toMatchObject({ code: 'ISO_INCOMPLETE' });
});

test('gives up on other data after a bounded number of reads', async () => {
  const source = countingSource({ size: 2 ** 40, read: async (_, length) => new Uint8Array(length).fill(7) });
  await expect(openIso(source)).rejects.toMatchObject({ code: 'ISO_NOT_AN_IMAGE' });
  expect(source.reads.length).toBeLessThan(200);
});

test('stops an aborted walk with the reason', async () => {
  const controller = new AbortController();
  const image = smallImage({ [ROOT]: [directory('A', 20), file('B')], 20: [file('C')] });
  const iso = await openIso(bytesSource(image));
  const seen: string[] = [];
  const aborted = (async () => {
    for await (const { path } of iso.walk({ signal: controller.signal })) {
      seen.push(path);
      controller.abort(new Error('enough'));
    }
  })();
  await expect(aborted).rejects.toThrow('enough');
  expect(seen).toEqual(['a']);
});
