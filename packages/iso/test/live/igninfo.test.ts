import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { plain } from '../../src/initrd/encoders.ts';
import { writeBoth32 } from '../../src/iso9660/fields.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import { edit, reset } from '../../src/live/edit.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { areaFile, usedLength } from '../../src/live/initrd-area.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { noise, utf8 } from '../initrd/archives.ts';
import { countingSource } from '../support/counting-source.ts';
import { chainOf } from './chain.ts';

const sample = await sampleIso();
const SAMPLE = await sample.read(0, sample.size);
const AREA = (await openLiveImage(sample)).initrd.offset;
const INFO = await (await openIso(sample)).entry('/coreos/igninfo.json');

/** The sample with another `igninfo.json`. */
function informed(info: object): Uint8Array {
  const bytes = SAMPLE.slice();
  const text = utf8(JSON.stringify(info));
  bytes.set(text, INFO.extents[0]?.offset);
  writeBoth32(bytes, INFO.recordOffset + 10, text.length);
  return bytes;
}

const FILE = { file: 'images/ignition.img' };

test.each([
  [{}, 0, 262144, true],
  [{ offset: 0 }, 0, 262144, true],
  [{ offset: null, length: null }, 0, 262144, true],
  [{ length: 262144 }, 0, 262144, true],
  [{ length: 100 }, 0, 100, false],
  [{ offset: 100 }, 100, 262044, false],
  [{ offset: 100, length: 262044 }, 100, 262044, false],
  [{ offset: 262144 }, 262144, 0, false],
  // The declared length counts, even past the end of the file.
  [{ offset: 262145, length: 5 }, 262145, 5, false],
])('with %j finds the area at %d with %d bytes; whole file: %s', async (more, offset, length, whole) => {
  const image = await openLiveImage(informed({ ...FILE, ...more }));
  expect([image.initrd.offset, image.initrd.length]).toEqual([AREA + offset, length]);
  expect((await areaFile(image.iso)).whole).toBe(whole);
});

test('refuses an area that begins past its file', async () => {
  expect(await chainOf(openLiveImage(bytesSource(informed({ ...FILE, offset: 262145 }))))).toEqual([
    'Unrecognized CoreOS ISO image.',
    'offset 262145 is past the end of images/ignition.img (262144 bytes)',
  ]);
});

describe('the contents of an area', () => {
  test('are decoded once, and again only with other options', async () => {
    const { overlay } = await edit(await openLiveImage(sample), { ignition: 'config' });
    const source = countingSource(overlay);
    const { initrd } = await openLiveImage(source);
    const files = await initrd.files();
    source.reset();
    expect(await initrd.files()).toBe(files);
    expect((await initrd.read()).get('config.ign')?.content).toEqual(utf8('config'));
    expect(source.reads).toEqual([]);
    expect(await chainOf(initrd.files({ limit: 10 }))).toEqual([
      'Unrecognized CoreOS ISO image.',
      'decoding initrd embed area',
      'reading CPIO entry',
      'the archives unpack to more than 10 bytes',
    ]);
    expect(await initrd.files({ zstdFrames: 'joined' })).not.toBe(files);
  });

  test('are fetched at once up to a mebibyte, and in pieces above', async () => {
    const image = await openLiveImage(sample);
    const mebibyte = 2 ** 20;
    for (const more of [0, 4]) {
      // A header with its name, contents and the trailer, so that the archive is as long as the area.
      const ignition = noise('area', mebibyte - 124 - 124 + more);
      const { overlay } = await edit(image, { ignition }, { grow: true, compression: plain });
      const source = countingSource(overlay);
      const { initrd } = await openLiveImage(source);
      expect(initrd.length).toBe(mebibyte + more);
      source.reset();
      await initrd.files();
      const largest = Math.max(...source.reads.map(({ length }) => length));
      expect(largest).toBe(more === 0 ? mebibyte : 64 * 1024);
    }
  });

  test('are empty if a large area is zero up to its last byte', async () => {
    const large = await sampleIso({ size: 3 * 2 ** 20 });
    const bytes = await large.read(0, large.size);
    const rootfs = await (await openIso(large)).entry('/images/pxeboot/rootfs.img');
    const info = await (await openIso(large)).entry('/coreos/igninfo.json');
    const area = { offset: 4096, length: 2 ** 20 + 65536 + 1 };
    const json = utf8(JSON.stringify({ file: 'images/pxeboot/rootfs.img', ...area }));
    bytes.set(json, info.extents[0]?.offset);
    writeBoth32(bytes, info.recordOffset + 10, json.length);
    expect((await (await openLiveImage(bytes)).initrd.files()).size).toBe(0);
    bytes[(rootfs.extents[0]?.offset ?? 0) + area.offset + area.length - 1] = 1;
    await expect((await openLiveImage(bytes)).initrd.files()).rejects.toMatchObject({ code: 'ISO_NOT_LIVE' });
  });

  test.each([
    [0, []],
    [1, [0]],
    [65536, [0]],
    [65536, [65535]],
    [65537, [0]],
    [65537, [65536]],
    [200_000, []],
    [200_000, [70_000, 3]],
    [200_000, [134_464]],
    [200_000, [134_463]],
  ])('of %d bytes end with the last of %j, and are searched from the end', async (size, places) => {
    const bytes = new Uint8Array(size);
    for (const place of places) bytes[place] = 7;
    const source = countingSource(bytesSource(bytes));
    const used = places.length === 0 ? 0 : Math.max(...places) + 1;
    expect(await usedLength(source)).toBe(used);
    expect(source.bytesRead).toBeLessThan(size - used + 65536 + 1);
    expect(source.reads.every(({ length }) => length <= 65536)).toBe(true);
  });

  test.each([0, 1, 262143])('are not empty if byte %d is not zero', async (at) => {
    const bytes = SAMPLE.slice();
    bytes[AREA + at] = 1;
    await expect((await openLiveImage(bytes)).initrd.files()).rejects.toMatchObject({ code: 'ISO_NOT_LIVE' });
  });

  test('that cannot be decoded are reported with their offset', async () => {
    const bytes = SAMPLE.slice();
    bytes.set(utf8('070701'), AREA);
    const failure = await (await openLiveImage(bytes)).initrd.files().catch((error) => error);
    expect(failure).toMatchObject({ code: 'ISO_NOT_LIVE', offset: 0, cause: { code: 'ISO_BAD_ARCHIVE', offset: 0 } });
  });
});

describe('igninfo.json of a growing image', () => {
  const CONFIG = noise('growing', 300_000);
  const PATH = '/coreos/igninfo.json';
  const VIEWS = ['rock-ridge', 'joliet'] as const;

  /** The image with a text as its `igninfo.json`, in both trees. */
  async function withText(text: string): Promise<Uint8Array> {
    const bytes = SAMPLE.slice();
    bytes.set(utf8(text), INFO.extents[0]?.offset);
    for (const view of VIEWS) {
      const { recordOffset } = await (await openIso(sample)).entry(PATH, { view });
      writeBoth32(bytes, recordOffset + 10, text.length);
    }
    return bytes;
  }
  const grown = async (bytes: Uint8Array) =>
    (await edit(await openLiveImage(bytes), { ignition: CONFIG }, { grow: true, compression: plain })).overlay;

  test('gets the new length if it had the old one', async () => {
    const bytes = await withText('{"file":"images/ignition.img","length":262144,"more":"members stay"}');
    const overlay = await grown(bytes);
    const { initrd } = await openLiveImage(overlay);
    expect(initrd.length).toBe(CONFIG.length + 124 + 124);
    expect((await initrd.read()).get('config.ign')?.content).toEqual(CONFIG);
    for (const view of VIEWS) {
      const file = await (await openIso(overlay)).file(PATH, { view });
      expect(JSON.parse(Buffer.from(await file.read(0, file.size)).toString())).toEqual({
        file: 'images/ignition.img',
        length: initrd.length,
        more: 'members stay',
      });
    }
    const { overlay: back } = await reset(await openLiveImage(overlay));
    expect(Buffer.compare(await back.read(0, back.size), bytes)).toBe(0);
  });

  test('stays unchanged if it had no length', async () => {
    const overlay = await grown(SAMPLE);
    const { offset = 0 } = INFO.extents[0] ?? {};
    expect(await overlay.read(offset, 2048)).toEqual(SAMPLE.slice(offset, offset + 2048));
  });

  test.each([
    [1500, undefined],
    // The old text must also fit into the growth record, which is one sector.
    [2047, /^the growth record needs \d+ bytes, and there is room for 2048$/],
    [2048, /^igninfo\.json would have 2049 bytes, and there is room for 2048$/],
  ])('must fit: %d bytes', async (size, refusal) => {
    const info = (more: number) => `{"file":"images/ignition.img","length":262144,"more":"${'x'.repeat(more)}"}`;
    const work = grown(await withText(info(size - info(0).length)));
    if (refusal === undefined) expect((await openLiveImage(await work)).initrd.length).toBe(CONFIG.length + 248);
    else {
      const message = expect.stringMatching(refusal);
      await expect(work).rejects.toMatchObject({ code: 'ISO_CANNOT_GROW', message });
    }
  });
});

test('does not open an open image again', async () => {
  const iso = await openIso(sample, { view: 'strict' });
  expect((await openLiveImage(iso)).iso).toBe(iso);
});
