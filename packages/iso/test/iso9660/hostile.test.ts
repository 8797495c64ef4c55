import { type IsoView, openIso } from '@coreiso/iso/iso9660';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { IsoError } from '../../src/errors.ts';
import { RECORD_FLAG, SECTOR } from '../../src/iso9660/fields.ts';
import { type CountingSource, countingSource } from '../support/counting-source.ts';
import { both32, ROOT, type SmallRecord, SP, smallImage, systemUseField } from './small-image.ts';
import { describeError, patched, paths } from './support.ts';

const VIEWS: readonly IsoView[] = ['natural', 'strict', 'rock-ridge', 'joliet', 'plain'];
const directory = (name: string, sector: number, length: number = SECTOR): SmallRecord => ({
  name,
  sector,
  length,
  flags: RECORD_FLAG.directory,
});
const self = (sector: number, systemUse: readonly number[] = []): SmallRecord => ({
  name: [0],
  sector,
  length: SECTOR,
  flags: RECORD_FLAG.directory,
  systemUse,
});
const file = (name: string, sector = 25, length = 3): SmallRecord => ({ name, sector, length });
const PX = systemUseField('PX', [...both32(0o100644), ...both32(1), ...both32(0), ...both32(0)]);

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

  test('directories that multiply without a loop are stopped by the limits', async () => {
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

  test('a file past the end is listed and refused only when it is opened', async () => {
    const iso = await openIso(bytesSource(smallImage({ [ROOT]: [file('A', 31, 5000)] })), { view });
    const entry = await iso.entry('A', { view });
    expect(() => iso.contents(entry)).toThrow(
      expect.objectContaining({ code: 'ISO_BAD_EXTENT', offset: ROOT * SECTOR }),
    );
  });
});

test('a record that crosses a sector is refused, except where coreos-installer takes it', async () => {
  // Fifty-one records of 40 bytes leave 8 bytes of the sector.
  const filler = Array.from({ length: 51 }, (_, n) => file(`FILE${String(n).padStart(3, '0')}`));
  const crossing = smallImage({ [ROOT]: [...filler, file('CROSSING')] }, { rootLength: 2 * SECTOR });
  await expect(walk(crossing, 'plain')).rejects.toMatchObject({ code: 'ISO_BAD_RECORD' });
  expect(await walk(crossing, 'strict')).toHaveLength(52);
});

describe('Rock Ridge', () => {
  const continuation = (sector: number, offset: number, length: number): number[] =>
    systemUseField('CE', [...both32(sector), ...both32(offset), ...both32(length)]);
  const rooted = (...fields: number[][]): Uint8Array =>
    smallImage({ [ROOT]: [self(ROOT, [...SP, ...PX]), { ...file('A'), systemUse: fields.flat() }] });

  test.each<[string, Uint8Array, string]>([
    ['a continuation area past the end', rooted(continuation(4000, 0, 100)), 'ISO_SHORT_READ'],
    ['a continuation area of absurd length', rooted(continuation(20, 0, 0xffffffff)), 'ISO_SHORT_READ'],
    ['a field without room for its header', rooted([0x4e, 0x4d, 2, 1]), 'ISO_BAD_EXTENSION'],
    ['a field longer than its area', rooted([0x4e, 0x4d, 200, 1, 0, 65]), 'ISO_BAD_EXTENSION'],
    ['a PX field that is cut', rooted(systemUseField('PX', [1, 2, 3])), 'ISO_BAD_EXTENSION'],
    ['a link component that does not fit', rooted(systemUseField('SL', [0, 0, 50, 65])), 'ISO_BAD_EXTENSION'],
    ['a moved directory that is none', rooted(systemUseField('CL', both32(25))), 'ISO_BAD_EXTENSION'],
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
  ])('a %s file is listed, and its bytes are not taken for its contents', async (stored, signature, data) => {
    const iso = await openIso(bytesSource(rooted(systemUseField('NM', [0, 65]), systemUseField(signature, data))));
    expect(await iso.entry('A')).toMatchObject({ kind: 'file', stored });
    const error = await describeError(iso.file('A'));
    expect(error).toMatchObject({ code: 'ISO_UNSUPPORTED', message: expect.stringContaining(stored) });
  });

  test('a chain of continuation areas that never ends is cut', async () => {
    const image = rooted(continuation(24, 0, 28));
    image.set(continuation(24, 0, 28), 24 * SECTOR);
    await expect(walk(image, 'natural')).rejects.toMatchObject({ code: 'ISO_LIMIT' });
  });

  test('a moved directory that contains itself is a loop', async () => {
    const cl = systemUseField('CL', both32(20));
    const image = smallImage({
      [ROOT]: [self(ROOT, [...SP, ...PX]), { ...file('A'), systemUse: cl }],
      20: [self(20), { ...file('B'), systemUse: cl }],
    });
    await expect(walk(image, 'natural')).rejects.toMatchObject({ code: 'ISO_LOOP' });
  });

  test('a view that the image does not have is not found', async () => {
    await expect(walk(smallImage({}), 'rock-ridge')).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
    await expect(walk(smallImage({}), 'joliet')).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
  });
});

test('where the two byte orders differ the little-endian one counts and the difference is reported', async () => {
  const image = smallImage({ [ROOT]: [file('A', 25, 3)] });
  const record = ROOT * SECTOR;
  const iso = await openIso(bytesSource(patched(image, record + 14, [9, 9, 9, 9])));
  expect(await iso.entry('a')).toMatchObject({ size: 3, extents: [{ offset: 25 * SECTOR, length: 3 }] });
  expect(iso.oddities).toEqual([
    { message: 'the two byte orders of the data length of a directory record differ', offset: record + 10 },
  ]);
});

test('a volume that claims more than the image has is an oddity for people and a refusal for the strict view', async () => {
  const image = smallImage({ [ROOT]: [file('A')] }).subarray(0, 26 * SECTOR);
  const iso = await openIso(bytesSource(image));
  expect(await paths(iso.walk())).toEqual(['a']);
  expect(iso.oddities).toHaveLength(1);
  await expect(openIso(bytesSource(image), { view: 'strict' })).rejects.toMatchObject({ code: 'ISO_INCOMPLETE' });
});

test('a source that is not an image is given up after a bounded number of reads', async () => {
  const source = countingSource({ size: 2 ** 40, read: async (_, length) => new Uint8Array(length).fill(7) });
  await expect(openIso(source)).rejects.toMatchObject({ code: 'ISO_NOT_AN_IMAGE' });
  expect(source.reads.length).toBeLessThan(200);
});

test('an aborted walk stops with the reason', async () => {
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

describe('any damage', () => {
  /** Rock Ridge, a continuation area, a moved directory, several sections, an associated file. */
  const rich = smallImage({
    [ROOT]: [
      self(ROOT, [...SP, ...PX]),
      { ...self(ROOT), name: [1] },
      { ...directory('DIR', 19), systemUse: systemUseField('NM', [0, 0x64]) },
      { ...file('LINK'), systemUse: systemUseField('SL', [0, 8, 0, 0, 2, 0x65, 0x66]) },
      { ...file('MOVED'), systemUse: systemUseField('CL', both32(20)) },
      { ...file('PART', 25, SECTOR), flags: RECORD_FLAG.multiExtent },
      file('PART', 26, 10),
      { ...file('LONG'), systemUse: systemUseField('CE', [...both32(22), ...both32(8), ...both32(45)]) },
    ],
    19: [self(19), file('A'), file('B')],
    20: [self(20), directory('INNER', 21)],
    21: [self(21), file('C')],
  });
  rich.set([...PX, 0x4e, 0x4d, 9, 1, 0, 0x6c, 0x6f, 0x6e, 0x67], 22 * SECTOR + 8);

  test('the undamaged image reads', async () => {
    expect(await walk(rich, 'natural')).toEqual([
      'd',
      'd/a',
      'd/b',
      'link',
      'moved',
      'moved/inner',
      'moved/inner/c',
      'part',
      'long',
    ]);
  });

  async function exercise(source: CountingSource): Promise<void> {
    try {
      const iso = await openIso(source, { limits: { entries: 500, bytes: 100 * SECTOR } });
      await iso.bootCatalog();
      await iso.partitions();
      for (const view of VIEWS) {
        try {
          for await (const entry of iso.walk({ view })) if (entry.kind === 'file') iso.contents(entry);
        } catch (error) {
          expect(error).toBeInstanceOf(IsoError);
        }
      }
    } catch (error) {
      expect(error).toBeInstanceOf(IsoError);
    }
  }

  const place = fc.oneof(
    fc.integer({ min: 16 * SECTOR, max: 16 * SECTOR + 200 }),
    fc.tuple(fc.integer({ min: ROOT, max: 22 }), fc.nat({ max: 500 })).map(([sector, at]) => sector * SECTOR + at),
    fc.nat({ max: rich.length - 1 }),
  );

  test('by flips ends in entries or in a coded error, within counted work', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
        async (flips) => {
          const image = rich.slice();
          for (const [offset, value] of flips) image[offset] = value;
          const source = countingSource(bytesSource(image));
          await exercise(source);
          expect(source.reads.length).toBeLessThan(200);
          expect(source.bytesRead).toBeLessThan(20 * rich.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('by a cut ends in entries or in a coded error, within counted work', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: rich.length }), async (length) => {
        const source = countingSource(bytesSource(rich.subarray(0, length)));
        await exercise(source);
        expect(source.reads.length).toBeLessThan(200);
      }),
      { numRuns: 200 },
    );
  });
});
