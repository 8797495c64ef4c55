import { createHash } from 'node:crypto';
import type { ByteSource } from '@coreiso/iso';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';

const NAMES = sampleKinds().map(({ name }) => name);

test('has every generation since August 2020 on every architecture with areas', () => {
  const generations = [
    '2020-09',
    '2021-01',
    '2021-09',
    '2021-12',
    '2022-02',
    '2022-09',
    '2023-03',
    '2023-07',
    '2025-04',
  ];
  const expected = generations.flatMap((generation) =>
    ['x86_64', 'aarch64', 'ppc64le', ...(generation >= '2023' ? ['s390x'] : [])].map((name) => `${generation}.${name}`),
  );
  expect(NAMES).toEqual(expected);
});

test.each([
  ['2020-09.x86_64', 'initrd area in ignition.img (coreiso+), no kargs areas'],
  ['2021-01.x86_64', 'initrd area in ignition.img (coreiso+), kargs areas (coreKarg)'],
  ['2021-09.x86_64', 'initrd area in ignition.img (coreiso+), kargs areas (kargs.json, coreKarg)'],
  [
    '2021-12.x86_64',
    'initrd area in ignition.img (coreiso+), kargs areas (kargs.json, coreKarg), features, minimal ISO',
  ],
  ['2022-02.x86_64', 'initrd area in ignition.img, kargs areas (kargs.json), features, minimal ISO, USB boot'],
  ['2022-02.ppc64le', 'initrd area in ignition.img, kargs areas (kargs.json), features, minimal ISO'],
  ['2022-09.x86_64', 'initrd area in ignition.img, kargs areas (kargs.json), features, minimal ISO, USB boot'],
  [
    '2023-03.x86_64',
    'initrd area in ignition.img (igninfo.json), kargs areas (kargs.json), features, minimal ISO, USB boot',
  ],
  ['2023-03.s390x', 'initrd area in cdboot.img (igninfo.json), no kargs areas, features, minimal ISO'],
  [
    '2023-07.x86_64',
    'initrd area in ignition.img (igninfo.json), kargs areas (kargs.json), features, minimal ISO, USB boot',
  ],
  ['2023-07.s390x', 'initrd area in cdboot.img (igninfo.json), kargs areas (kargs.json), features, minimal ISO'],
  [
    '2025-04.aarch64',
    'initrd area in ignition.img (igninfo.json), kargs areas (kargs.json), features, minimal ISO, EROFS root',
  ],
])('describes %s by its distinguishing features: %s', (name, description) => {
  expect(sampleKinds().find((kind) => kind.name === name)?.description).toBe(description);
});

async function digest(source: ByteSource): Promise<string> {
  return createHash('sha256')
    .update(await source.read(0, source.size))
    .digest('hex');
}

/**
 * The beginnings of the samples' digests: recordings on a sample stay valid, because its bytes are the same in every
 * version.
 */
const DIGESTS = new Map([
  ['2020-09.x86_64', '815c0a88015034d2'],
  ['2020-09.aarch64', 'd00e7ff4482fcbd7'],
  ['2020-09.ppc64le', 'c61565e44dd12b8b'],
  ['2021-01.x86_64', '77ccffc6e151684f'],
  ['2021-01.aarch64', '33f3b43297d9acc4'],
  ['2021-01.ppc64le', '052b784f2ba04e2f'],
  ['2021-09.x86_64', 'dd59132103fec525'],
  ['2021-09.aarch64', '9edf5d094a1ad6c0'],
  ['2021-09.ppc64le', 'e5d378e16b1dc39f'],
  ['2021-12.x86_64', 'db1c1bb17d88ead3'],
  ['2021-12.aarch64', '8c97e627b929eeb6'],
  ['2021-12.ppc64le', '22bdff2cf9fa4fd2'],
  ['2022-02.x86_64', 'e0f5381dafaa5ed4'],
  ['2022-02.aarch64', 'a7d0f931f6e934fe'],
  ['2022-02.ppc64le', 'c680582be7bda4d9'],
  ['2022-09.x86_64', 'df0e35b62adc1416'],
  ['2022-09.aarch64', '9725d16d35763527'],
  ['2022-09.ppc64le', '0f05c9b9fc7bc292'],
  ['2023-03.x86_64', '9bfe8d3b09f14bae'],
  ['2023-03.aarch64', '096d33cec4056aa6'],
  ['2023-03.ppc64le', '6f0dfaef23308c15'],
  ['2023-03.s390x', '1f2bca8e8be6cf7b'],
  ['2023-07.x86_64', '39cdb0935a4f9d3d'],
  ['2023-07.aarch64', 'e331a04ebcc68273'],
  ['2023-07.ppc64le', '583075c95f82b3ac'],
  ['2023-07.s390x', '4dd44211b89830d6'],
  ['2025-04.x86_64', '461c96320f6d6f6a'],
  ['2025-04.aarch64', '66c3f99dac26ddbd'],
  ['2025-04.ppc64le', 'cfdab3babffcff8b'],
  ['2025-04.s390x', 'b90a452bbdb3c3f4'],
]);

test('gives the same bytes for the same sample, and different ones for each kind', async () => {
  const digests = await Promise.all(NAMES.map(async (kind) => digest(await sampleIso({ kind }))));
  expect(new Map(NAMES.map((name, index) => [name, digests[index]?.slice(0, 16)]))).toEqual(DIGESTS);
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

  test('has all areas in the same places as the small one', async () => {
    const [small, large] = [await sampleIso(), await sampleIso({ size: 6 * 2 ** 30 })];
    // Up to the file for the recipe, before the root file system, only descriptors and directories differ.
    const start = 131_072;
    const length = (await indexOf(small, 'MINISO\0\0')) - start;
    expect(Buffer.compare(await small.read(start, length), await large.read(start, length))).toBe(0);
  });

  async function indexOf(source: ByteSource, text: string): Promise<number> {
    return Buffer.from(await source.read(0, source.size)).indexOf(text);
  }
});

test.each([
  [{ kind: '2019-09.x86_64' }, 'kind must be the name of a sample, not "2019-09.x86_64"'],
  [{ size: -1 }, 'size must be a whole number of at least 0, not -1'],
  [{ size: 0.5 }, 'size must be a whole number of at least 0, not 0.5'],
])('refuses %j', async (options, message) => {
  await expect(sampleIso(options)).rejects.toThrow(new RangeError(message));
});
