import { describe, expect, test } from 'vitest';
import { type ByteSource, bytesSource, type Progress } from '../../src/bytes/source.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import type { IsoView } from '../../src/iso9660/tree.ts';
import type { LiveChanges } from '../../src/live/changes.ts';
import { diffImages, verifyImage } from '../../src/live/compare/index.ts';
import { edit } from '../../src/live/edit.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { noise, sha256, utf8 } from '../initrd/archives.ts';

const all = (source: ByteSource): Promise<Uint8Array> => source.read(0, source.size);

/** Whole, because every test reads it from beginning to end. */
async function sample(kind = '2023-07.x86_64'): Promise<Uint8Array> {
  return all(await sampleIso({ kind }));
}

const BASE = await sample();
const IMAGE = await openLiveImage(bytesSource(BASE));

async function customised(changes: LiveChanges, base = BASE): Promise<Uint8Array> {
  return all((await edit(await openLiveImage(bytesSource(base)), changes)).overlay);
}

/** A copy with some bytes changed. */
function patched(bytes: Uint8Array, offset: number, change: Uint8Array | readonly number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(change, offset);
  return copy;
}

const flipped = (bytes: Uint8Array, offset: number): Uint8Array => patched(bytes, offset, [(bytes[offset] ?? 0) ^ 1]);

async function placeOf(path: string, bytes = BASE): Promise<number> {
  return (await (await openIso(bytesSource(bytes))).entry(path)).extents[0]?.offset ?? Number.NaN;
}

async function digestIn(bytes: Uint8Array, path: string): Promise<{ size: number; sha256: string }> {
  const contents = await all(await (await openIso(bytesSource(bytes))).file(path));
  return { size: contents.length, sha256: sha256(contents) };
}

async function entryCount(bytes: Uint8Array, view: IsoView = 'natural'): Promise<number> {
  let count = 0;
  for await (const _ of (await openIso(bytesSource(bytes))).walk({ view })) count++;
  return count;
}

const digestOf = (text: string) => ({ size: utf8(text).length, sha256: sha256(utf8(text)) });
const NOTHING = { areas: {}, kargs: { added: [], removed: [] }, embedded: [], files: [] };
const FILES_WITH_AREAS = [
  ['EFI/sample/grub.cfg', 'kargs'],
  ['images/ignition.img', 'initrd'],
  ['isolinux/isolinux.cfg', 'kargs'],
] as const;

describe('the difference of two images', () => {
  test('is empty for equal images, also after an edit was undone', async () => {
    expect(await diffImages(BASE, BASE)).toEqual({ equal: true, ...NOTHING });
    const there = await customised({ ignition: 'x', kargs: { append: ['x'] } });
    const back = await customised({ ignition: null, kargs: { reset: true } }, there);
    expect(await diffImages(BASE, back)).toEqual({ equal: true, ...NOTHING });
  });

  test('is complete and symmetric, with digests of embedded files', async () => {
    const worker = await customised({
      ignition: 'config',
      keyfiles: [{ name: 'a.nmconnection', content: 'keyfile' }],
      kargs: { append: ['console=ttyS0', 'console=ttyS0'], delete: ['ignition.firstboot'] },
    });
    const files = await Promise.all(
      FILES_WITH_AREAS.map(async ([path, area]) => ({
        path,
        before: await digestIn(BASE, path),
        after: await digestIn(worker, path),
        area,
      })),
    );
    const embedded = [
      { path: 'config.ign', after: digestOf('config') },
      { path: 'etc/coreos-firstboot-network/a.nmconnection', after: digestOf('keyfile') },
    ];
    expect(await diffImages(BASE, worker)).toEqual({
      equal: false,
      pristine: { before: true, after: false },
      areas: {},
      kargs: { added: ['console=ttyS0', 'console=ttyS0'], removed: ['ignition.firstboot'] },
      embedded,
      files,
    });
    expect(await diffImages(worker, BASE)).toEqual({
      equal: false,
      pristine: { before: false, after: true },
      areas: {},
      kargs: { added: ['ignition.firstboot'], removed: ['console=ttyS0', 'console=ttyS0'] },
      embedded: embedded.map(({ path, after }) => ({ path, before: after })),
      files: files.map(({ before, after, ...file }) => ({ ...file, before: after, after: before })),
    });
  });

  test('names only embedded files that differ', async () => {
    const files = [{ path: 'opt/same', content: 'same' }];
    const [one, two] = [await customised({ ignition: '1', files }), await customised({ ignition: '2', files })];
    const { embedded, pristine, equal } = await diffImages(one, two);
    expect(embedded).toEqual([{ path: 'config.ign', before: digestOf('1'), after: digestOf('2') }]);
    expect({ pristine, equal }).toEqual({ pristine: undefined, equal: false });
  });

  test('counts repeated kernel arguments', async () => {
    const append = (...words: string[]) => customised({ kargs: { append: words } });
    const { kargs } = await diffImages(await append('a', 'b', 'a', 'c'), await append('a', 'c', 'd', 'c'));
    expect(kargs).toEqual({ added: ['d', 'c'], removed: ['b', 'a'] });
  });

  test('names a file that was changed outside the areas', async () => {
    const path = 'images/pxeboot/rootfs.img';
    const changed = flipped(BASE, await placeOf(path));
    expect(await diffImages(BASE, changed)).toEqual({
      equal: false,
      ...NOTHING,
      files: [{ path, before: await digestIn(BASE, path), after: await digestIn(changed, path) }],
    });
  });

  test('includes bytes outside of files: boot code, directories, the end', async () => {
    const record = (await (await openIso(bytesSource(BASE))).entry('images/pxeboot/rootfs.img')).recordOffset;
    for (const at of [0, 16 * 2048 + 600, record + 20, BASE.length - 1]) {
      const changed = flipped(BASE, at);
      const { equal, outside, files } = await diffImages(BASE, changed);
      expect({ equal, files }).toEqual({ equal: false, files: [] });
      expect(outside?.before.size).toBe(outside?.after.size);
      expect(outside?.before.sha256).not.toBe(outside?.after.sha256);
    }
    const { outside } = await diffImages(flipped(BASE, 0), BASE);
    const inFiles = new Uint8Array(BASE.length);
    for await (const { kind, extents } of (await openIso(bytesSource(BASE))).walk()) {
      if (kind !== 'file') continue;
      for (const { offset, length } of extents) inFiles.fill(1, offset, offset + length);
    }
    const rest = BASE.filter((_, index) => inFiles[index] === 0);
    expect(outside?.after).toEqual({ size: rest.length, sha256: sha256(rest) });
  });

  test('of different systems includes names, sizes, areas, defaults, and parts of only one of them', async () => {
    const old = await sample('2020-09.aarch64');
    const before = await openLiveImage(bytesSource(old));
    const difference = await diffImages(old, BASE);
    expect(difference).toMatchObject({
      equal: false,
      volumeId: { before: before.volumeId, after: IMAGE.volumeId },
      architecture: { before: 'aarch64', after: 'x86_64' },
      size: { before: old.length, after: BASE.length },
      areas: {
        initrd: {
          before: { offset: before.initrd.offset, length: 262144 },
          after: { offset: IMAGE.initrd.offset, length: 262144 },
        },
        kargs: { before: [], after: IMAGE.kargs?.areas.map(({ offset, length }) => ({ offset, length })) },
      },
      kargs: { default: { before: null, after: IMAGE.kargs?.default }, removed: [] },
    });
    expect(difference.pristine).toBeUndefined();
    const path = 'isolinux/isolinux.bin';
    const only = await digestIn(BASE, path);
    expect(difference.files).toContainEqual({ path, after: only });
    expect((await diffImages(BASE, old)).files).toContainEqual({ path, before: only });
    const grub = 'EFI/sample/grub.cfg';
    expect(difference.files.find((file) => file.path === grub)).toMatchObject({ area: 'kargs' });
  });

  test('is null for unknown properties', async () => {
    const area = IMAGE.initrd;
    const broken = patched(BASE, area.offset, utf8('garbage in the area'));
    expect(await diffImages(BASE, broken)).toMatchObject({
      pristine: { before: true, after: null },
      areas: { initrd: { before: { offset: area.offset, length: area.length }, after: null } },
      embedded: [],
    });
  });

  test('reports progress up to the last byte of both, and never backwards', async () => {
    const reports: Progress[] = [];
    await diffImages(BASE, await customised({ ignition: noise('big', 200_000) }), {
      onProgress: (progress) => reports.push(progress),
    });
    let sizes = 0;
    for await (const { kind, size } of (await openIso(bytesSource(BASE))).walk()) if (kind === 'file') sizes += size;
    expect(new Set(reports.map(({ total }) => total))).toEqual(new Set([2 * sizes]));
    expect(reports.map(({ done }) => done)).toEqual(reports.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(reports.at(-1)?.done).toBe(2 * sizes);
    expect(reports.every(({ done }) => done > 0)).toBe(true);
  });

  test('is computed with the given hash, and can be aborted', async () => {
    const hash = () => ({ update: () => undefined, digest: () => Uint8Array.of(1) });
    expect(await diffImages(BASE, flipped(BASE, await placeOf('images/pxeboot/rootfs.img')), { sha256: hash })).toEqual(
      {
        equal: true,
        ...NOTHING,
      },
    );
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(diffImages(BASE, BASE, { signal })).rejects.toThrow('enough');
  });
});

type Verification = Awaited<ReturnType<typeof verifyImage>>;
const failures = ({ checks }: Verification) => checks.filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]);
const detailsOf = ({ checks }: Verification) => Object.fromEntries(checks.map(({ name, detail }) => [name, detail]));

describe('a sound image', () => {
  test('passes every check, and each has a finding', async () => {
    const verification = await verifyImage(BASE);
    expect(verification.ok).toBe(true);
    expect(verification.pristineSha256).toBeUndefined();
    expect(verification.checks.every(({ ok }) => ok)).toBe(true);
    expect(Object.entries(detailsOf(verification))).toEqual([
      ['volume', `${IMAGE.volumeId}, ${BASE.length} bytes`],
      ['files', `${await entryCount(BASE)} files and directories`],
      ['areas', '0 embedded files, kernel arguments: default'],
      ['partitions', 'GPT with 2, and its backup'],
      ['boot', expect.stringMatching(/^unknown \(BIOS from CD: loader: .* is a placeholder for a loader/)],
      ['minimal', expect.stringMatching(/^\d+ bytes, whose digest is right$/)],
    ]);
  });

  test('is sound after customising, and still matches its base', async () => {
    const worker = await customised({
      ignition: '1',
      files: [{ path: 'opt/x', content: '2' }],
      kargs: { append: ['x'] },
    });
    const digest = sha256(BASE);
    const verification = await verifyImage(worker, { base: ['0'.repeat(64), digest.toUpperCase()] });
    expect(failures(verification)).toEqual([]);
    expect(verification).toMatchObject({ ok: true, pristineSha256: digest });
    expect(detailsOf(verification)).toMatchObject({
      areas: '2 embedded files, kernel arguments: changed',
      base: `without its customisations the image has the SHA-256 digest ${digest}`,
    });
  });

  test.each([
    ['2020-09.x86_64', { areas: '0 embedded files, kernel arguments: none', partitions: 'none' }, false],
    ['2021-12.ppc64le', { areas: '0 embedded files, kernel arguments: default', partitions: 'none' }, true],
    [
      '2023-07.s390x',
      {
        areas: '0 embedded files, kernel arguments: default',
        boot: expect.stringMatching(/^unknown \(s390x from CD: kernel: .* is a placeholder for a kernel/),
      },
      true,
    ],
  ])('of kind %s reports its missing parts', async (kind, details, hasMinimal) => {
    const verification = await verifyImage(await sample(kind));
    expect(failures(verification)).toEqual([]);
    expect(detailsOf(verification)).toMatchObject(details);
    expect('minimal' in detailsOf(verification)).toBe(hasMinimal);
  });

  test('may have only an MBR, or no boot catalogue', async () => {
    expect(detailsOf(await verifyImage(patched(BASE, 512, utf8('NO TABLE'))))['partitions']).toBe('MBR with 2');
    const other = patched(BASE, 17 * 2048 + 7, utf8('ANOTHER BOOT SYSTEM    '));
    expect(detailsOf(await verifyImage(other))['boot']).toMatch(
      /^BIOS from CD: boot catalogue: the image has isolinux but no boot catalogue/,
    );
  });

  test('is only digested if no base is named', async () => {
    const verification = await verifyImage(BASE, { base: [] });
    expect(verification).toMatchObject({ ok: true, pristineSha256: sha256(BASE) });
    expect(verification.checks.at(-1)).toMatchObject({ name: 'base', ok: true });
  });
});

describe('a failed check reports', () => {
  const WRONG_TABLE = 'a checksum of the GUID partition table is wrong';
  const backup = (state: string) => `the backup of the GUID partition table is ${state}`;

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, [name: string, detail: unknown][]]>([
    [
      'a flipped bit in the GPT',
      () => flipped(BASE, 1024 + 40),
      [
        ['partitions', WRONG_TABLE],
        ['boot', 'UEFI from disk: GPT: the checksum of the GPT entries is wrong'],
      ],
    ],
    [
      'a flipped bit in the header of the backup',
      () => flipped(BASE, BASE.length - 512 + 60),
      [['partitions', backup('damaged')]],
    ],
    ['no backup', () => patched(BASE, BASE.length - 512, new Uint8Array(8)), [['partitions', backup('missing')]]],
    [
      'a flipped bit in the kernel',
      async () => flipped(BASE, await placeOf('images/pxeboot/vmlinuz')),
      [['minimal', expect.stringMatching(/^wrong final digest: expected \w{64}, found \w{64}$/)]],
    ],
    [
      'garbage in the area',
      () => patched(BASE, IMAGE.initrd.offset, utf8('garbage in the area')),
      [
        ['areas', 'reading CPIO entry: Invalid magic number'],
        [
          'boot',
          expect.stringMatching(/initramfs: the kernel cannot unpack \/images\/ignition.img: Invalid magic number$/),
        ],
      ],
    ],
    [
      'a catalogue without its signature',
      async () => patched(BASE, (await placeOf('isolinux/boot.cat')) + 30, [0, 0]),
      [
        ['boot', 'BIOS from CD, UEFI from CD: boot catalogue: boot catalogue has no validation entry'],
        ['minimal', expect.stringContaining('wrong final digest')],
      ],
    ],
  ])('%s', async (_, make, expected) => {
    const verification = await verifyImage(await make());
    expect(verification.ok).toBe(false);
    expect(failures(verification)).toEqual(expected);
  });

  test('a missing end', async () => {
    const { spaceSize } = (await openIso(bytesSource(BASE))).volume;
    const missing = 70_000;
    const cut = BASE.slice(0, spaceSize * 2048 - missing);
    const found = Object.fromEntries(failures(await verifyImage(cut)));
    expect(found['volume']).toBe(`the volume has ${spaceSize * 2048} bytes, and ${missing} of them are missing`);
    expect(found['partitions']).toBe(backup('missing'));
    expect(found['minimal']).toBe('parsing ISO9660 image: ISO image is incomplete');
  });

  test('a file that ends past the image, but not one that ends with it', async () => {
    const path = 'images/pxeboot/rootfs.img';
    const { extents, recordOffset } = await (await openIso(bytesSource(BASE))).entry(path);
    const room = BASE.length - (extents[0]?.offset ?? 0);
    const lasting = (length: number): Uint8Array => {
      const field = new DataView(new ArrayBuffer(8));
      field.setUint32(0, length, true);
      field.setUint32(4, length, false);
      return patched(BASE, recordOffset + 10, new Uint8Array(field.buffer));
    };
    const found = Object.fromEntries(failures(await verifyImage(lasting(room + 1))));
    expect(found['files']).toBe(`${path} ends past the end of the image`);
    expect(Object.fromEntries(failures(await verifyImage(lasting(room))))['files']).toBeUndefined();
  });

  test('another base, with up to three expected digests', async () => {
    const bases = ['1', '2', '3', '4'].map((digit) => digit.repeat(64));
    const detail = async (base: string[]) => {
      const { checks, ok } = await verifyImage(BASE, { base });
      expect(ok).toBe(false);
      return checks.find(({ name }) => name === 'base')?.detail;
    };
    const start = `without its customisations the image has the SHA-256 digest ${sha256(BASE)}, but should have`;
    expect(await detail(bases.slice(0, 1))).toBe(`${start} ${bases[0]}`);
    expect(await detail(bases.slice(0, 3))).toBe(`${start} ${bases[0]} or ${bases[1]} or ${bases[2]}`);
    expect(await detail(bases)).toBe(`${start} ${bases[0]} or ${bases[1]} or ${bases[2]} or another`);
  });

  test('but not the failure of a disk', async () => {
    const failing: ByteSource = {
      size: BASE.length,
      read: async (offset, length) => {
        if (offset + length > BASE.length - 1024) throw new Error('the disk is gone');
        return bytesSource(BASE).read(offset, length);
      },
    };
    await expect(verifyImage(failing)).rejects.toThrow('the disk is gone');
  });
});
