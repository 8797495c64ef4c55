// Packing with the program xz instead of the optional peer.
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../../test/support/tools.ts';
import { type ByteSource, bytesSource, concatBytes, type Progress } from '../../../src/bytes/source.ts';
import type { IsoError } from '../../../src/errors.ts';
import type { Compression } from '../../../src/initrd/archive-format.ts';
import { openIso } from '../../../src/iso9660/reader.ts';
import { openLiveImage } from '../../../src/live/image.ts';
import { extractMinimal } from '../../../src/live/minimal/extract.ts';
import { packMinimal } from '../../../src/live/minimal/pack.ts';
import { unpackMinimal } from '../../../src/live/minimal/unpack.ts';
import { sampleIso, sampleKinds } from '../../../src/sample/index.ts';
import { minimalSample } from '../../../src/sample/minimal.ts';
import { sampleTree } from '../../../src/sample/tree.ts';
import { sha256, text, utf8 } from '../../initrd/archives.ts';
import { countingSource } from '../../support/counting-source.ts';
import { chainOf } from '../chain.ts';

const compression: Compression = () => {
  const parts: Uint8Array[] = [];
  return {
    async write(bytes) {
      parts.push(bytes.slice());
      return new Uint8Array(0);
    },
    endBlock: async () => new Uint8Array(0),
    finish: async () => output('xz', ['-9', '-T1', '--check=crc64', '--stdout'], { input: concatBytes(parts) }),
  };
};

const all = (source: ByteSource): Promise<Uint8Array> => source.read(0, source.size);

async function pair(name = '2023-07.x86_64'): Promise<{ full: Uint8Array; minimal: Uint8Array }> {
  const kind = sampleKinds().find((candidate) => candidate.name === name);
  if (kind === undefined) throw new Error(name);
  const { source } = await minimalSample(kind, await sampleTree(kind));
  return { full: await all(await sampleIso({ kind: name })), minimal: await all(source) };
}

async function entryOf(bytes: Uint8Array, path: string) {
  return (await openIso(bytesSource(bytes))).entry(path);
}

/** Changes the length in the directory record of a file (ECMA-119 9.1.4). */
async function setLength(bytes: Uint8Array, path: string, length: number): Promise<void> {
  const record = new DataView(bytes.buffer, (await entryOf(bytes, path)).recordOffset);
  record.setUint32(10, length, true);
  record.setUint32(14, length, false);
}

/** Makes the same change to a file of both images. */
async function rewrite(images: readonly Uint8Array[], path: string, change: (content: string) => string) {
  for (const image of images) {
    const { extents, size } = await entryOf(image, path);
    const { offset = 0 } = extents[0] ?? {};
    const content = utf8(change(text(image.subarray(offset, offset + size))));
    image.set(content, offset);
    await setLength(image, path, content.length);
  }
}

describeWith(['xz'], 'a recipe that is packed', () => {
  test.each(['2021-12.ppc64le', '2022-02.x86_64', '2023-07.aarch64', '2023-07.s390x'])(
    'equals the recipe in the sample of %s, and embedding it gives that sample',
    async (kind) => {
      const { full, minimal } = await pair(kind);
      const recipe = await (await openLiveImage(full)).minimal();
      const empty = full.slice();
      const { extents, size } = await entryOf(full, '/coreos/miniso.dat');
      empty.fill(0, extents[0]?.offset, (extents[0]?.offset ?? 0) + size);
      const packed = await packMinimal(empty, minimal, { compression });
      expect(packed.recipe).toEqual(recipe);
      expect(packed.recipe.appVersion).toBe('coreiso');
      expect(sha256(await all(await packed.embed()))).toBe(sha256(full));
      let files = 0;
      for await (const entry of (await openIso(bytesSource(minimal))).walk()) if (entry.kind === 'file') files++;
      const skipped = packed.recipe.entries.reduce((sum, { length }) => sum + length, 0);
      expect(packed).toMatchObject({
        files,
        matched: recipe?.entries.length,
        skipped,
        written: minimal.length - skipped,
      });
    },
  );

  test('names its packing program', async () => {
    const { full, minimal } = await pair();
    const { recipe } = await packMinimal(full, minimal, { compression, appVersion: '0.27.0' });
    expect(recipe.appVersion).toBe('0.27.0');
  });

  test('may fill its file to the last byte', async () => {
    const { full, minimal } = await pair();
    const whole = await packMinimal(full, minimal, { compression });
    const { bytes } = (await whole.embed()).patches[0] ?? {};
    const length = (bytes as Uint8Array).length;
    const exact = full.slice();
    await setLength(exact, '/coreos/miniso.dat', length);
    await expect((await packMinimal(exact, minimal, { compression })).embed()).resolves.toBeDefined();
    await setLength(exact, '/coreos/miniso.dat', length - 1);
    await expect((await packMinimal(exact, minimal, { compression })).embed()).rejects.toMatchObject({
      code: 'ISO_AREA_TOO_SMALL',
      message: `collision with end of file MINISO.DAT at offset ${length - 1}`,
      offset: (await entryOf(full, '/coreos/miniso.dat')).extents[0]?.offset,
    });
  });

  test('is verified before it is embedded, with the given hash and progress', async () => {
    const { full, minimal } = await pair();
    const source = bytesSource(full);
    const packed = await packMinimal(source, minimal, { compression });
    const reports: Progress[] = [];
    await packed.embed({ onProgress: (progress) => reports.push(progress) });
    expect(reports.at(-1)).toEqual({ done: minimal.length, total: minimal.length });
    const { extents } = await entryOf(full, '/images/pxeboot/vmlinuz');
    full[extents[0]?.offset ?? 0] = 0;
    expect(await chainOf(packed.embed())).toEqual([
      'unpacking miniso for verification',
      expect.stringMatching(/^wrong final digest: /),
    ]);
    await expect(packed.embed()).rejects.toMatchObject({ code: 'ISO_WRONG_DIGEST' });
  });

  test('needs every file of the minimal image in the full one, with the same length', async () => {
    const { full, minimal } = await pair();
    const longer = full.slice();
    await setLength(longer, '/images/pxeboot/vmlinuz', 5);
    expect(await chainOf(packMinimal(longer, minimal, { compression }))).toEqual([
      'packing miniso',
      'File IMAGES/PXEBOOT/VMLINUZ has different lengths in full and minimal ISOs',
    ]);
    await expect(packMinimal(longer, minimal, { compression })).rejects.toMatchObject({ code: 'ISO_BAD_PAIR' });
    expect(await chainOf(packMinimal(minimal, full, { compression }))).toEqual([
      'packing miniso',
      'missing minimal file COREOS/MINISO.DAT in full ISO',
    ]);
    await expect(packMinimal(minimal, full, { compression })).rejects.toMatchObject({ code: 'ISO_BAD_PAIR' });
  });

  test('is made of pieces of at most 128 KiB', async () => {
    const { full, minimal } = await pair('2023-07.s390x');
    const source = countingSource(bytesSource(minimal));
    await packMinimal(full, source, { compression });
    expect(Math.max(...source.reads.map(({ length }) => length))).toBeLessThanOrEqual(128 * 1024);
  });
});

describeWith(['xz'], 'a minimal image', () => {
  /** The failure of extracting a minimal image after a change to files of both images. */
  async function failure(paths: readonly string[], change: (content: string) => string): Promise<IsoError | undefined> {
    const { full, minimal } = await pair();
    for (const path of paths) await rewrite([full, minimal], path, change);
    const packed = await packMinimal(full, minimal, { compression });
    const image = await openLiveImage(await packed.embed());
    return extractMinimal(image).then(
      () => undefined,
      (error) => error,
    );
  }

  test('needs room for its kernel arguments as written by coreos-installer', async () => {
    const short = (json: string) => JSON.stringify(JSON.parse(json));
    const tooShort = await failure(['/coreos/kargs.json'], short);
    expect(tooShort).toMatchObject({ code: 'ISO_AREA_TOO_SMALL', message: 'modifying miniso kernel args' });
    const message = String((tooShort?.cause as Error | undefined)?.message);
    expect(message).toMatch(/^New version of COREOS\/KARGS\.JSO does not fit in space \(\d+ vs \d+\)$/);
    const needed = Number(/\((\d+)/.exec(message)?.[1]);
    expect(await failure(['/coreos/kargs.json'], (json) => short(json).padEnd(needed))).toBeUndefined();
    expect(await failure(['/coreos/kargs.json'], (json) => short(json).padEnd(needed - 1))).toBeDefined();
  });

  test('must have an argument with the label of the full one', async () => {
    const paths = ['/EFI/sample/grub.cfg', '/isolinux/isolinux.cfg', '/coreos/kargs.json'];
    const renamed = (content: string) => content.replaceAll('coreos.liveiso', 'coreos.livedvd');
    expect(await failure(paths, renamed)).toMatchObject({
      code: 'ISO_BAD_KARGS',
      message: 'modifying miniso kernel args',
      cause: { message: 'minimal ISO does not have coreos.liveiso= karg' },
    });
  });
});

test.each(['two words', 'one\u00a0other'])('refuses the URL %j', async (rootfsUrl) => {
  const work = extractMinimal(await openLiveImage(await sampleIso()), { rootfsUrl });
  await expect(work).rejects.toMatchObject({ code: 'ISO_BAD_KARG' });
});

describe('a recipe that refers to missing bytes', () => {
  test.each([
    ['a file behind the end of the full image', { full: 100_000 }, 0],
    ['a file that ends behind it', { full: 511 }, 2048],
  ])('%s', async (_, change, available) => {
    const { full } = await pair();
    const recipe = await (await openLiveImage(full)).minimal();
    if (recipe === undefined) throw new Error('no recipe');
    const [first, ...rest] = recipe.entries;
    const entry = { minimal: first?.minimal ?? 0, length: 4096, ...change };
    const wrong = { ...recipe, entries: [entry, ...rest] };
    const short = bytesSource(full.subarray(0, 512 * 2048));
    await expect(unpackMinimal(short, wrong)).rejects.toMatchObject({
      code: 'ISO_BAD_RECIPE',
      offset: change.full * 2048,
      message: `expected to copy 4096 bytes but instead copied ${available} bytes`,
    });
  });

  test('more bytes between the files than it carries', async () => {
    const { full } = await pair();
    const recipe = await (await openLiveImage(full)).minimal();
    if (recipe === undefined) throw new Error('no recipe');
    const wrong = { ...recipe, entries: [{ minimal: 500_000, full: 0, length: 1 }] };
    await expect(unpackMinimal(bytesSource(full), wrong)).rejects.toMatchObject({
      code: 'ISO_BAD_RECIPE',
      message: expect.stringMatching(/^expected to copy 1024000000 bytes but instead copied \d+ bytes$/),
    });
  });
});
