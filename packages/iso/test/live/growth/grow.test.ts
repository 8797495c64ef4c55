import { createHash, randomFillSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ByteSource,
  bytesSource,
  describeGrowth,
  edit,
  type LiveChanges,
  openLiveImage,
  reset,
  toReadableStream,
} from '@coreiso/iso';
import { openIso } from '@coreiso/iso/iso9660';
import { fileSource, patchInPlace, writeCopy } from '@coreiso/iso/node';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { afterEach, describe, expect, test } from 'vitest';
import { describeWith, output, run } from '../../../../../test/support/tools.ts';
import { describeWithFixtures, fixture } from '../../support/fixtures.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const KINDS = sampleKinds().map(({ name }) => name);
const growing = KINDS.filter((kind) => !kind.endsWith('s390x'));

/** Incompressible random bytes. */
const noise = (length: number): Uint8Array => randomFillSync(new Uint8Array(length));
const changesOf = (ignition: Uint8Array): LiveChanges => ({
  ignition,
  keyfiles: [{ name: 'a.nmconnection', content: '[connection]\n' }],
});
const bytesOf = async (source: ByteSource): Promise<Uint8Array> =>
  new Uint8Array(await new Response(toReadableStream(source)).arrayBuffer());
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function write(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-grow-'));
  folders.push(folder);
  writeFileSync(join(folder, 'image.iso'), bytes);
  return join(folder, 'image.iso');
}

async function grown(base: ByteSource, ignition: Uint8Array): Promise<ByteSource> {
  const { overlay, summary } = await edit(await openLiveImage(base), changesOf(ignition), { grow: true });
  expect(summary.grown).toBe(true);
  return overlay;
}

describe('an image grows when its archive does not fit', () => {
  test.each(growing)('%s: embedded files are found again, and reset restores the original', async (kind) => {
    const base = await sampleIso({ kind });
    const config = noise(300_000);
    const image = await openLiveImage(await grown(base, config));
    const files = await image.initrd.read();
    expect(files.get('config.ign')?.content).toEqual(config);
    expect(image.source.size % MIB).toBe(0);
    const { overlay } = await reset(image);
    expect(sha256(await bytesOf(overlay))).toBe(sha256(await bytesOf(base)));
  });

  test('every byte outside the patches keeps its place and the old area is cleared', async () => {
    const base = await sampleIso({ kind: '2023-07.x86_64' });
    const small = await edit(await openLiveImage(base), changesOf(noise(1000)));
    const { overlay, summary } = await edit(await openLiveImage(small.overlay), changesOf(noise(300_000)), {
      grow: true,
    });
    const before = await bytesOf(base);
    const after = await bytesOf(overlay);
    for (const { offset, length } of summary.regions) {
      before.fill(0, offset, offset + length);
      after.fill(0, offset, offset + length);
    }
    expect(sha256(after.subarray(0, before.length))).toBe(sha256(before));
    const area = summary.regions.find(({ kind }) => kind === 'initrd');
    expect(overlay.patches.filter(({ offset }) => offset === area?.offset)).toHaveLength(1);
    expect((await overlay.read(area?.offset ?? 0, area?.length ?? 0)).every((byte) => byte === 0)).toBe(true);
  });

  test('editing again replaces the tail, or removes it if everything fits', async () => {
    const base = await sampleIso({ kind: '2023-07.x86_64' });
    const [first, second] = [noise(3 * MIB), noise(400_000)];
    const once = await openLiveImage(await grown(base, first));
    const twice = await edit(once, { ignition: second }, { grow: true });
    const direct = await edit(await openLiveImage(base), changesOf(second), { grow: true });
    expect(sha256(await bytesOf(twice.overlay))).toBe(sha256(await bytesOf(direct.overlay)));
    expect(twice.overlay.size).toBeLessThan(once.source.size);
    const fits = await edit(await openLiveImage(twice.overlay), { ignition: first.subarray(0, 100) });
    expect(fits.summary.grown).toBe(false);
    expect(fits.overlay.size).toBe(base.size);
    const simple = await edit(await openLiveImage(base), changesOf(first.subarray(0, 100)));
    expect(sha256(await bytesOf(fits.overlay))).toBe(sha256(await bytesOf(simple.overlay)));
  });

  test('kernel arguments of a grown image can be changed without touching its tail', async () => {
    const image = await openLiveImage(await grown(await sampleIso({ kind: '2023-07.x86_64' }), noise(300_000)));
    const { overlay, summary } = await edit(image, { kargs: { append: ['marker'] } });
    expect(overlay.size).toBe(image.source.size);
    expect(summary.regions.map(({ kind }) => kind)).toEqual(['kargs', 'kargs']);
    expect((await openLiveImage(overlay)).kargs?.current).toMatch(/ marker$/);
  });

  test('above 8 MiB the archive is composed without reading', async () => {
    let read = 0;
    const big: ByteSource = {
      size: 300 * MIB,
      async read(_, length) {
        read += length;
        return new Uint8Array(length);
      },
    };
    const image = await openLiveImage(await sampleIso({ kind: '2023-07.x86_64' }));
    const { overlay, summary } = await edit(
      image,
      { ignition: null, files: [{ path: 'opt/big', content: big }] },
      { grow: true },
    );
    expect(read).toBe(0);
    expect(summary.growth?.archive).toBeGreaterThan(big.size);
    expect(overlay.size).toBeGreaterThan(image.source.size + big.size);
  });

  test('the plan describes it before writing', () => {
    expect(describeGrowth({ archive: 312 * 1024, area: 256 * 1024, added: MIB })).toBe(
      'archive 312 KiB, area 256 KiB, the image grows by 1 MiB',
    );
  });
});

describe('growth is refused with both sizes', () => {
  test.each(KINDS.filter((kind) => kind.endsWith('s390x')))('%s: the area lies inside another file', async (kind) => {
    const image = await openLiveImage(await sampleIso({ kind }));
    await expect(edit(image, { ignition: noise(300_000) }, { grow: true })).rejects.toMatchObject({
      code: 'ISO_CANNOT_GROW',
      message: expect.stringMatching(/^the archive has 30\d{4} bytes, the area 262144, .*CDBOOT\.IMG/),
    });
  });

  test.each<[string, (image: Uint8Array) => void]>([
    ['a protective MBR', (image) => image.set([0xee], 446 + 4)],
    ['a first partition of another type', (image) => image.set([0x17], 446 + 4)],
    ['a first partition that begins later', (image) => image.set([64], 446 + 8)],
    ['a GPT whose first entry begins later', (image) => image.set([64], 1024 + 32)],
    ['an Apple partition map', (image) => image.set([0x45, 0x52], 0)],
  ])('%s', async (_, spoil) => {
    const bytes = await bytesOf(await sampleIso({ kind: '2023-07.x86_64' }));
    spoil(bytes);
    const image = await openLiveImage(bytesSource(bytes));
    await expect(edit(image, { ignition: noise(300_000) }, { grow: true })).rejects.toMatchObject({
      code: 'ISO_CANNOT_GROW',
    });
  });

  test('without grow it is refused, with help', async () => {
    const image = await openLiveImage(await sampleIso({ kind: '2023-07.x86_64' }));
    await expect(edit(image, { ignition: noise(300_000) })).rejects.toMatchObject({
      code: 'ISO_AREA_TOO_SMALL',
      message: 'config does not fit: 294 KiB > 256 KiB',
      help: 'pass grow: true',
      cause: { message: expect.stringMatching(/^Compressed initramfs is too large: 30\d{4} > 262144$/) },
    });
  });
});

describe('igninfo.json with a length', () => {
  test('is rewritten in both trees, and restored', async () => {
    const bytes = await bytesOf(await sampleIso({ kind: '2023-07.aarch64' }));
    const iso = await openIso(bytesSource(bytes));
    const info = await iso.entry('/coreos/igninfo.json');
    const text = Buffer.from('{"file":"images/ignition.img","length":262144}\n');
    bytes.set(text, info.extents[0]?.offset);
    for (const view of ['rock-ridge', 'joliet'] as const) {
      const { recordOffset } = await iso.entry('/coreos/igninfo.json', { view });
      const field = new DataView(bytes.buffer, bytes.byteOffset + recordOffset + 10, 8);
      field.setUint32(0, text.length, true);
      field.setUint32(4, text.length, false);
    }
    const base = bytesSource(bytes);
    const config = noise(300_000);
    const result = await grown(base, config);
    for (const view of ['rock-ridge', 'joliet'] as const) {
      const file = await (await openIso(result)).file('/coreos/igninfo.json', { view });
      const { length } = JSON.parse(Buffer.from(await file.read(0, file.size)).toString());
      expect(length).toBe((await openLiveImage(result)).initrd.length);
    }
    const { overlay } = await reset(await openLiveImage(result));
    expect(sha256(await bytesOf(overlay))).toBe(sha256(bytes));
  });
});

describeWith(['xorriso', 'isoinfo', 'bsdtar', 'sgdisk'], 'other people read a grown image', () => {
  const archiveOf = async (source: ByteSource): Promise<Uint8Array> => {
    const { initrd } = await openLiveImage(source);
    return source.read(initrd.offset, initrd.length);
  };

  test.each(['2021-09.x86_64', '2023-07.x86_64', '2023-07.aarch64', '2023-07.ppc64le'])('%s', async (kind) => {
    const base = await sampleIso({ kind });
    const source = await grown(base, noise(MIB));
    const expected = sha256(await archiveOf(source));
    const [before, after] = [write(await bytesOf(base)), write(await bytesOf(source))];
    expect(sha256(output('isoinfo', ['-i', after, '-J', '-x', '/images/ignition.img']))).toBe(expected);
    expect(sha256(output('isoinfo', ['-i', after, '-R', '-x', '/images/ignition.img']))).toBe(expected);
    expect(sha256(output('bsdtar', ['-xOf', after, 'images/ignition.img']))).toBe(expected);
    const extracted = join(after, '..', 'ignition.img');
    output('xorriso', ['-osirrox', 'on', '-indev', after, '-extract', '/images/ignition.img', extracted]);
    expect(sha256(readFileSync(extracted))).toBe(expected);
    // Equal except for sizes and places.
    const report = (file: string): string =>
      output('xorriso', ['-indev', file, '-report_el_torito', 'plain', '-report_system_area', 'plain'], {})
        .toString()
        .replaceAll(/\d{2,}/g, 'N');
    expect(report(after)).toBe(report(before));
    if (!kind.endsWith('x86_64') || kind === '2021-09.x86_64') return;
    const complaints = (file: string): string => run('sgdisk', ['-v', file]).stdout.toString().replaceAll(/\d+/g, 'N');
    expect(complaints(after)).toBe(complaints(before));
    expect((await (await openIso(source)).partitions()).gpt).toMatchObject({ intact: true, backup: 'intact' });
  });
});

describeWith(['isoinfo', 'bsdtar', 'sha256sum'], 'configs of any size are extracted as they were', () => {
  test.each([1, 20, 300])('%i MiB', async (mib) => {
    let largest = 0;
    const config: ByteSource = {
      size: mib * MIB,
      async read(offset, length) {
        largest = Math.max(largest, length);
        // The same bytes at each place, in any reads.
        const bytes = new Uint8Array(length);
        for (let at = offset - (offset % KIB); at < offset + length; at += KIB) {
          bytes.fill((at / KIB) % 251, Math.max(0, at - offset), at + KIB - offset);
        }
        return bytes;
      },
    };
    const { overlay } = await edit(await openLiveImage(await sampleIso({})), { ignition: config }, { grow: true });
    const file = write(new Uint8Array());
    await writeCopy(overlay, file, { replace: true });
    const { initrd, source } = await openLiveImage(overlay);
    const hash = createHash('sha256');
    for await (const chunk of toReadableStream(source, { start: initrd.offset, end: initrd.offset + initrd.length }))
      hash.update(chunk);
    const expected = hash.digest('hex');
    const sumOf = (command: string): string =>
      output('sh', ['-c', `${command} | sha256sum`, 'sh', file])
        .toString()
        .slice(0, 64);
    expect(sumOf('isoinfo -i "$1" -J -x /images/ignition.img')).toBe(expected);
    expect(sumOf('bsdtar -xOf "$1" images/ignition.img')).toBe(expected);
    // Nothing is read as a whole, so memory does not depend on the size.
    expect(largest).toBeLessThanOrEqual(MIB);
  });
});

describeWithFixtures('real images grow', () => {
  test.each(['embed-areas-2020-09.iso', 'embed-areas-2022-02.iso', 'embed-areas-2023-07.x86_64.iso'])(
    '%s',
    async (name) => {
      const base = bytesSource(fixture(name));
      const config = noise(300_000);
      const image = await openLiveImage(await grown(base, config));
      expect((await image.initrd.read()).get('config.ign')?.content).toEqual(config);
      const { overlay } = await reset(image);
      expect(sha256(await bytesOf(overlay))).toBe(sha256(fixture(name)));
    },
  );
});

describeWith(['coreos-installer'], 'the real coreos-installer reads a grown image', () => {
  test.each(growing.filter((kind) => kind.startsWith('202')))('%s', async (kind) => {
    const config = noise(300_000);
    const file = write(await bytesOf(await grown(await sampleIso({ kind }), config)));
    expect(sha256(output('coreos-installer', ['iso', 'ignition', 'show', file]))).toBe(sha256(config));
  });
});

describe('a grown image in place', () => {
  test('moves its own tail without reading what it has just written', async () => {
    const file = write(await bytesOf(await sampleIso({ kind: '2023-07.x86_64' })));
    const original = sha256(readFileSync(file));
    const big = noise(9 * MIB);
    const apply = async (changes: LiveChanges): Promise<void> => {
      await using source = await fileSource(file, { writable: true });
      const { overlay } = await edit(await openLiveImage(source), changes, { grow: true });
      await patchInPlace(overlay, source);
    };
    await apply({ files: [{ path: 'opt/big', content: big }] });
    // The config is before the big file, so every byte of the tail moves.
    for (const length of [10_001, 3, 70_000]) {
      const ignition = noise(length);
      await apply({ ignition });
      await using source = await fileSource(file);
      const files = await (await openLiveImage(source)).initrd.read();
      expect(sha256(files.get('config.ign')?.content ?? new Uint8Array())).toBe(sha256(ignition));
      expect(sha256(files.get('opt/big')?.content ?? new Uint8Array())).toBe(sha256(big));
    }
    await using source = await fileSource(file, { writable: true });
    await patchInPlace((await reset(await openLiveImage(source))).overlay, source);
    expect(sha256(readFileSync(file))).toBe(original);
  });
});
