import { createHash } from 'node:crypto';
import type { ByteSource } from '@coreiso/iso';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';

const NAMES = sampleKinds().map(({ name }) => name);

test('there is every generation since August 2020 on every architecture that could be changed', () => {
  const generations = ['2020-09', '2021-01', '2021-09', '2021-12', '2022-02', '2022-09', '2023-03', '2023-07'];
  const expected = generations.flatMap((generation) =>
    ['x86_64', 'aarch64', 'ppc64le', ...(generation >= '2023' ? ['s390x'] : [])].map((name) => `${generation}.${name}`),
  );
  expect(NAMES).toEqual(expected);
});

test('kinds are described by what sets them apart', () => {
  const descriptions = new Map(sampleKinds().map(({ name, description }) => [name, description]));
  expect(descriptions.get('2020-09.x86_64')).toBe('initrd area in ignition.img (coreiso+), no kargs areas');
  expect(descriptions.get('2023-07.s390x')).toBe(
    'initrd area in cdboot.img (igninfo.json), kargs areas (kargs.json), features, minimal ISO',
  );
});

async function digest(source: ByteSource): Promise<string> {
  return createHash('sha256')
    .update(await source.read(0, source.size))
    .digest('hex');
}

test('the same sample is the same bytes, and every kind is different', async () => {
  const digests = await Promise.all(NAMES.map(async (kind) => digest(await sampleIso({ kind }))));
  expect(new Set(digests).size).toBe(NAMES.length);
  expect(await digest(await sampleIso())).toBe(digests[NAMES.indexOf('2023-07.x86_64')]);
});

describe('a larger sample', () => {
  test.each([
    ['2020-09.x86_64', 5_000_000, 5_001_216],
    ['2023-07.s390x', 5_001_216, 5_001_216],
    ['2023-07.x86_64', 5_000_000, 5 << 20],
    ['2023-07.x86_64', 30 * 2 ** 30, 30 * 2 ** 30],
    ['2023-07.x86_64', 1, 1 << 20],
  ])('%s of at least %d bytes has %d', async (kind, size, expected) => {
    expect((await sampleIso({ kind, size })).size).toBe(expected);
  });

  test('has all areas where the small one has them', async () => {
    const [small, large] = [await sampleIso(), await sampleIso({ size: 6 * 2 ** 30 })];
    // Up to the room for the recipe, which is followed by the root file system, only descriptors and directories differ.
    const start = 131_072;
    const length = (await indexOf(small, 'MINISO\0\0')) - start;
    expect(Buffer.compare(await small.read(start, length), await large.read(start, length))).toBe(0);
  });

  async function indexOf(source: ByteSource, text: string): Promise<number> {
    return Buffer.from(await source.read(0, source.size)).indexOf(text);
  }
});

test.each([
  [{ kind: '2019-09.x86_64' }, 'kind: there is no sample called "2019-09.x86_64"'],
  [{ size: -1 }, 'size: -1 is not a byte count'],
  [{ size: 0.5 }, 'size: 0.5 is not a byte count'],
])('%j is refused', async (options, message) => {
  await expect(sampleIso(options)).rejects.toThrow(new RangeError(message));
});
