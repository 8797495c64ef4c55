// Reading a damaged image always ends with entries or with a coded error, after a bounded number of reads.
import { type IsoView, openIso } from '@coreiso/iso/iso9660';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { IsoError } from '../../src/errors.ts';
import { type CountingSource, countingSource } from '../support/counting-source.ts';
import {
  both32,
  directory,
  file,
  MULTI_EXTENT,
  open,
  PX,
  ROOT,
  SECTOR,
  SP,
  self,
  smallImage,
  systemUseField,
} from './small-image.ts';
import { paths } from './support.ts';

const VIEWS: readonly IsoView[] = ['natural', 'strict', 'rock-ridge', 'joliet', 'plain'];

describe('any damage', () => {
  /** Rock Ridge, a continuation area, a moved directory, several sections, an associated file. */
  const rich = smallImage({
    [ROOT]: [
      self(ROOT, [...SP, ...PX]),
      { ...self(ROOT), name: [1] },
      { ...directory('DIR', 19), systemUse: systemUseField('NM', [0, 0x64]) },
      { ...file('LINK'), systemUse: systemUseField('SL', [0, 8, 0, 0, 2, 0x65, 0x66]) },
      { ...file('MOVED'), systemUse: systemUseField('CL', both32(20)) },
      file('PART', { length: SECTOR, flags: MULTI_EXTENT }),
      file('PART', { sector: 26, length: 10 }),
      { ...file('LONG'), systemUse: systemUseField('CE', [...both32(22), ...both32(8), ...both32(45)]) },
    ],
    19: [self(19), file('A'), file('B')],
    20: [self(20), directory('INNER', 21)],
    21: [self(21), file('C')],
  });
  rich.set([...PX, 0x4e, 0x4d, 9, 1, 0, 0x6c, 0x6f, 0x6e, 0x67], 22 * SECTOR + 8);

  test('the undamaged image reads', async () => {
    expect(await paths((await open(rich)).walk())).toEqual([
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

  test('by flips gives entries or a coded error within limited work', async () => {
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

  test('by truncation gives entries or a coded error within limited work', async () => {
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
