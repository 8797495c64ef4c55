import { describe, expect, test } from 'vitest';
import { overlay } from '../../src/bytes/overlay.ts';
import { type ByteSource, bytesSource, type Progress } from '../../src/bytes/source.ts';
import { fileSourceOn } from '../../src/node/file-source.ts';
import { writeCopyOn } from '../../src/node/write-copy.ts';
import { Disk } from './support/disk.ts';
import { pattern } from './support/images.ts';

describe('a copy by shared blocks', () => {
  const shared = async (disk: Disk, image: (base: ByteSource) => ByteSource, target = disk): Promise<number> => {
    await using base = await fileSourceOn('/images/base.iso', {}, disk);
    const source = image(base);
    const told: Progress[] = [];
    const result = await writeCopyOn(source, '/images/copy.iso', { onProgress: (step) => told.push(step) }, target);
    expect(target.get('/images/copy.iso')).toEqual(await source.read(0, source.size));
    expect(told.at(-1)).toEqual({ done: source.size, total: source.size });
    return result.shared;
  };
  const cloning = (): Disk => Object.assign(new Disk().put('/images/base.iso', pattern(5000)), { canClone: true });

  test.each<[string, (base: ByteSource) => ByteSource, number]>([
    ['of the base itself', (base) => base, 5000],
    [
      'with patches',
      (base) =>
        overlay(base, [
          { offset: 10, bytes: pattern(30, 2) },
          { offset: 900, bytes: bytesSource(pattern(70, 3)) },
        ]),
      4900,
    ],
    ['with a tail', (base) => overlay(base, [], { tail: [pattern(300, 4)] }), 5000],
    [
      'with another end',
      (base) => overlay(base, [{ offset: 0, bytes: pattern(5, 5) }], { keep: 4000, tail: [pattern(300, 4)] }),
      3995,
    ],
    ['that is cut', (base) => overlay(base, [], { keep: 4000 }), 4000],
    ['of something else', () => bytesSource(pattern(77)), 0],
  ])('%s', async (_, image, expected) => {
    expect(await shared(cloning(), image)).toBe(expected);
  });

  test('is not made if the base is on another file system', async () => {
    const disk = cloning();
    const elsewhere = cloning().put('/images/base.iso', pattern(5000, 9));
    expect(await shared(disk, (base) => base, elsewhere)).toBe(0);
    expect(elsewhere.operations).not.toContain('clone');
  });

  test('is not made of a changed base', async () => {
    const disk = cloning();
    const clone = disk.clone.bind(disk);
    disk.clone = async (path, copy) => {
      await clone(path, copy);
      disk.put('/images/base.iso', pattern(5000));
    };
    expect(await shared(disk, (base) => base)).toBe(0);
  });
});
