import { describe, expect, test } from 'vitest';
import { bytesSource, zeros } from '../../src/bytes/source.ts';
import { Image } from '../../src/iso9660/image.ts';
import { countingSource } from '../support/counting-source.ts';
import { SECTOR } from './small-image.ts';

describe('reading an image', () => {
  test('ends with the image, and allows empty runs anywhere', async () => {
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

  test('caches up to four mebibytes', async () => {
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
      expect(await image.read(offset, length)).toHaveLength(length);
    expect(reads).toEqual([
      [0, (4 << 20) - 1],
      [0, 1],
      [5, 1],
      [5, 1],
    ]);
  });

  test('fetches whole sectors for neighbouring reads', async () => {
    const bytes = Uint8Array.from({ length: 2 * SECTOR + 100 }, (_, index) => index % 251);
    const source = countingSource(bytesSource(bytes));
    const image = new Image(source);
    for (const [offset, length] of [
      [10, 20],
      [SECTOR - 3, 6],
      [SECTOR, SECTOR],
      [2 * SECTOR + 90, 10],
    ] as const) {
      expect(await image.readWithin(offset, length)).toEqual(bytes.subarray(offset, offset + length));
    }
    expect(source.reads.map(({ offset, length }) => [offset, length])).toEqual([
      [0, SECTOR],
      [0, 2 * SECTOR],
      [SECTOR, SECTOR],
      [2 * SECTOR, 100],
    ]);
    await expect(image.readWithin(2 * SECTOR + 90, 11)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  });

  test('notes oddities once per place, and at most a hundred', () => {
    const image = new Image(zeros(0));
    image.note('odd', 1);
    image.note('odd', 1);
    image.note('odder', 1);
    image.note('odd', 2);
    const places = image.oddities.map(({ message, offset }) => [message, offset]);
    expect(places).toEqual([
      ['odd', 1],
      ['odder', 1],
      ['odd', 2],
    ]);
    for (let at = 0; at < 200; at++) image.note('more', at);
    expect(image.oddities).toHaveLength(100);
  });
});
