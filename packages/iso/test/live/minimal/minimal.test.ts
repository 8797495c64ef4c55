import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../../test/support/tools.ts';
import { bytesSource, toHex } from '../../../src/bytes/source.ts';
import { sha256 as portableSha256 } from '../../../src/checksums/sha256.ts';
import { edit, reset } from '../../../src/live/edit.ts';
import { openLiveImage } from '../../../src/live/image.ts';
import { extractMinimal } from '../../../src/live/minimal/extract.ts';
import { unpackMinimal } from '../../../src/live/minimal/unpack.ts';
import { nativeSha256 } from '../../../src/node/native.ts';
import { sha256, utf8 } from '../../initrd/archives.ts';
import { countingSource } from '../../support/counting-source.ts';
import { describeWithFixtures, fixture } from '../../support/fixtures.ts';
import { chainOf } from '../chain.ts';

test.each([
  ['everywhere', portableSha256],
  ['in Node', nativeSha256],
])("computes the platform's SHA-256 with %s for any pieces", (_, begin) => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), (pieces) => {
      const hash = begin();
      for (const piece of pieces) hash.update(piece);
      expect(toHex(hash.digest())).toBe(sha256(Buffer.concat(pieces)));
    }),
  );
});

const opened = (name: string) => openLiveImage(bytesSource(fixture(`embed-areas-${name}.iso`)));
const URL = 'https://example.com/rootfs';

const DIGESTS: [name: string, packed: string, extracted: string, withUrl: string][] = [
  [
    '2021-12',
    'df1ddfdb586c714e7f59d96f4bff582d13acc948a75bb0c4f29f4889806db226',
    '6158ad215448979f51c49e418efe02c04020467adeb99530b33b17c967f5cc43',
    '2c58aa8c76cdcb3361eac9766f5be72a1139c8d909475535ed4c2c89618c7923',
  ],
  [
    '2022-02',
    'c68b4a9a085eed2cdae1b6266a3d346c42b0d76f268af365bb9486a62075d55c',
    '1adee65e28f57ea2f3117d0aff0d7e30bd6e104f2e4c3c2be7f179473a7d0c10',
    '733d7e871a1ad2f6ae37d031465c0481d527e32d9ef4176df4d0cd1554a8773b',
  ],
  [
    '2022-09',
    '06c84908aee79920995e11d2c990b6e05385154e033b567c564ef5a3f9a98089',
    '75ab369efe0198ffa96aed855b10dc1a608148232c36299014bbff95f58aedac',
    '143cf6dfd68494484e44146354c93a00d88d1245aedb1dc51adbf9f62485973e',
  ],
  [
    '2023-07.x86_64',
    'b64f0261321433be7e437e95304481deb06736c19f052c3391b049d25d8f6411',
    '544c32c296a618d6eb2f6ff228abc2dbc2beb41bded341dcc43812b739e0538b',
    'ff74a08a251b1cd2a7923772b04bfed5be73e9b38de935a31873e7b0457d54d5',
  ],
  [
    '2023-07.s390x',
    'f6a39f14b30e1919cc797cdc044fd926e08fde7df5b9b358609f651e970f97a0',
    '53413c1ecec58c97a07f214d476cb7cec9c70da964c749f72d6133c59005e2cf',
    '89745926e046a76d8b94fe7a74c2e3a7e3a4f2da9a6129f0d951b9a7c802f631',
  ],
];

describeWithFixtures('minimal images of real ones', () => {
  test.each(DIGESTS)(
    '%s: every stage has the same bytes as in coreos-installer',
    async (name, packed, plain, withUrl) => {
      const image = await opened(name);
      const unpacked = await unpackMinimal(image.source, (await image.minimal())!);
      const minimal = await extractMinimal(image);
      const remote = await extractMinimal(image, { rootfsUrl: URL });
      const digests = await Promise.all(
        [unpacked, minimal, remote].map(async (source) => sha256(await source.read(0, source.size))),
      );
      expect(digests).toEqual([packed, plain, withUrl]);
    },
  );

  test('the minimal image is a live image without a root file system, and can be customised', async () => {
    const minimal = await openLiveImage(await extractMinimal(await opened('2023-07.x86_64'), { rootfsUrl: URL }));
    expect(minimal.kargs?.current).toContain(`coreos.live.rootfs_url=${URL}`);
    expect(minimal.kargs?.default).not.toMatch(/rootfs_url|coreos\.liveiso/);
    expect(await minimal.minimal()).toBeUndefined();
    await expect(minimal.iso.entry('IMAGES/PXEBOOT/ROOTFS.IMG')).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
    const { overlay } = await edit(minimal, { ignition: utf8('{}') });
    expect((await (await openLiveImage(overlay)).initrd.read()).has('config.ign')).toBe(true);
    await expect(extractMinimal(minimal)).rejects.toMatchObject({ code: 'ISO_CUSTOMIZED' });
    const pristine = await openLiveImage((await reset(minimal)).overlay);
    await expect(extractMinimal(pristine)).rejects.toMatchObject({
      code: 'ISO_NO_RECIPE',
      message: 'This ISO image does not support extracting a minimal ISO.',
    });
  });

  test('reads only the shared ranges of the full image', async () => {
    const source = countingSource(bytesSource(fixture('embed-areas-2023-07.x86_64.iso')));
    const image = await openLiveImage(source);
    const rootfs = await image.iso.entry('IMAGES/PXEBOOT/ROOTFS.IMG');
    const minimal = await extractMinimal(image);
    await minimal.read(0, minimal.size);
    const { offset, length } = rootfs.extents[0]!;
    expect(source.reads.filter((read) => read.offset < offset + length && offset < read.offset + read.length)).toEqual(
      [],
    );
  });

  test('reports progress, which can stop the work', async () => {
    const image = await opened('2023-07.x86_64');
    const abort = new AbortController();
    const work = extractMinimal(image, { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  });

  const damaged = (at: number, bytes: Uint8Array | string) => {
    const copy = fixture('embed-areas-2023-07.x86_64.iso').slice();
    copy.set(typeof bytes === 'string' ? utf8(bytes) : bytes, at);
    return openLiveImage(bytesSource(copy));
  };
  const RECIPE = 417792;
  test.each<[string, () => Promise<Awaited<ReturnType<typeof opened>>>, string | undefined, string[]]>([
    [
      'an image without kernel arguments',
      () => opened('2020-09'),
      undefined,
      ['No karg embed areas found; old or corrupted CoreOS ISO image.'],
    ],
    [
      'an image without a recipe',
      () => opened('2021-09'),
      undefined,
      ['This ISO image does not support extracting a minimal ISO.'],
    ],
    [
      'a customised image',
      async () => openLiveImage((await edit(await opened('2022-02'), { ignition: utf8('{}') })).overlay),
      undefined,
      ['the image has been customised: use the original, or reset it first'],
    ],
    [
      'another magic',
      () => damaged(RECIPE, 'X'),
      undefined,
      ['reading miniso data file', 'validating header', 'not a miniso file!'],
    ],
    [
      'another version',
      () => damaged(RECIPE + 8, Uint8Array.of(2)),
      undefined,
      ['reading miniso data file', 'validating header', 'incompatible miniso file version: 1 vs 2 (created by 0.17.0)'],
    ],
    [
      'a file that is not the one that was packed',
      () => damaged(44 * 2048 + 100, 'changed'),
      undefined,
      ['unpacking miniso', expect.stringMatching(/^wrong final digest: expected b64f0261\w{56}, found \w{64}$/)],
    ],
    [
      'a URL of two words',
      () => opened('2023-07.x86_64'),
      'two words',
      ['modifying miniso kernel args', "forbidden whitespace found in 'two words'"],
    ],
    [
      'a URL that is too long',
      () => opened('2023-07.x86_64'),
      'u'.repeat(1100),
      ['modifying miniso kernel args', expect.stringMatching(/^kargs too large for area: \d+ vs 1139$/)],
    ],
  ])('refuses %s with the message of coreos-installer', async (_, make, rootfsUrl, messages) => {
    const image = await make();
    expect(await chainOf(extractMinimal(image, rootfsUrl === undefined ? {} : { rootfsUrl }))).toEqual(messages);
  });

  test('reports damage to the recipe with a code, unless it changes nothing', async () => {
    const original = fixture('embed-areas-2023-07.x86_64.iso');
    const [, , intact] = DIGESTS.find(([name]) => name === '2023-07.x86_64')!;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2663 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const copy = original.slice();
        copy[RECIPE + at]! ^= flip;
        const result = await openLiveImage(bytesSource(copy))
          .then((image) => extractMinimal(image))
          .catch((error) => error);
        // The version of the packing program is not checked, and a file may come from any sector with the same bytes:
        // in a trimmed image most are zeros.
        if (result instanceof Error) expect(result).toMatchObject({ name: 'IsoError' });
        else expect(sha256(await result.read(0, result.size))).toBe(intact);
      }),
      { numRuns: 60, examples: [[102, 1]] },
    );
  });
});

describeWith(['coreos-installer'], 'coreos-installer', () => {
  describeWithFixtures('on real images', () => {
    test.each(DIGESTS)('%s: accepts our minimal image', async (name) => {
      const directory = scratchFolder();
      const minimal = await extractMinimal(await opened(name), { rootfsUrl: URL });
      writeFileSync(join(directory, 'min.iso'), await minimal.read(0, minimal.size));
      writeFileSync(join(directory, 'full.iso'), fixture(`embed-areas-${name}.iso`));
      expect(output('coreos-installer', ['iso', 'kargs', 'show', 'min.iso'], { cwd: directory }).toString()).toContain(
        URL,
      );
      const theirs = ['iso', 'extract', 'minimal-iso', '--rootfs-url', URL, 'full.iso', 'theirs.iso'];
      output('coreos-installer', theirs, { cwd: directory });
      const [a, b] = ['min.iso', 'theirs.iso'].map((file) => sha256(readFileSync(join(directory, file))));
      expect(a).toBe(b);
    });
  });
});
