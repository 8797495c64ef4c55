import { describe, expect, test } from 'vitest';
import { overlay } from '../../src/bytes/overlay.ts';
import { type ByteSource, bytesSource, sizeOf, zeros } from '../../src/bytes/source.ts';
import { plain } from '../../src/initrd/encoders.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import type { LiveChanges } from '../../src/live/changes.ts';
import { edit, isPristine } from '../../src/live/edit.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { noise, utf8 } from '../initrd/archives.ts';
import { countingSource } from '../support/counting-source.ts';

const IMAGE = await openLiveImage(await sampleIso());
const LIMIT = 8 * 2 ** 20;

describe('an archive', () => {
  test.each([
    ['a source of 8 MiB', zeros(LIMIT), true, 'compressed'],
    ['a text of 8 MiB', 'a'.repeat(LIMIT), true, 'compressed'],
    ['a source of more', zeros(LIMIT + 1), true, 'composed'],
    ['a text of more', 'a'.repeat(LIMIT + 1), true, 'composed'],
    ['more that may not grow', zeros(LIMIT + 1), false, 'compressed'],
  ])('of %s is %s', async (_, content, grow, expected) => {
    const { summary } = await edit(IMAGE, { files: [{ path: 'big', content }] }, { grow });
    expect(summary.grown).toBe(expected === 'composed');
    if (expected === 'composed') expect(summary.growth?.archive).toBe(LIMIT + 4 + 116 + 124);
    else expect(summary.initrd.used).toBeLessThan(20_000);
  });

  test('of several files is composed by their total size', async () => {
    const files = ['a', 'b'].map((path) => ({ path, content: zeros(LIMIT / 2) }));
    const more = [...files, { path: 'c', content: 'x' }];
    expect((await edit(IMAGE, { files }, { grow: true })).summary.grown).toBe(false);
    expect((await edit(IMAGE, { files: more }, { grow: true })).summary.grown).toBe(true);
  });

  test('that fits exactly needs no growth, even if growing is allowed', async () => {
    const room = 262144 - 124 - 124;
    const grow = { grow: true, compression: plain };
    const { summary, overlay } = await edit(IMAGE, { ignition: noise('fits', room) }, grow);
    expect(summary).toMatchObject({ grown: false, initrd: { used: 262144, free: 0 } });
    expect(summary).not.toHaveProperty('growth');
    expect(overlay.size).toBe(IMAGE.source.size);
    const larger = await edit(IMAGE, { ignition: noise('fits', room + 1) }, grow);
    expect(larger.summary).toMatchObject({
      grown: true,
      initrd: { used: 262148, free: 0 },
      growth: { archive: 262148, area: 262144, added: larger.overlay.size - IMAGE.source.size },
    });
    // MBR, GPT and its first entry, two volume descriptors, two directory records, and the area, which is cleared.
    expect(larger.summary.regions.map(({ kind }) => kind)).toEqual([...new Array(7).fill('metadata'), 'initrd']);
    expect(larger.summary.regions.at(-1)).toMatchObject({ offset: IMAGE.initrd.offset, length: 262144 });
  });

  test('of 4 GiB is refused without reading, as too large for a file of an image (ECMA-119 9.1.4)', async () => {
    const filled = (size: number) => {
      const headers = 2 * 112 + 124;
      return [
        { path: 'a', content: zeros(2 ** 31) },
        { path: 'b', content: zeros(size - 2 ** 31 - headers) },
      ];
    };
    const { summary } = await edit(IMAGE, { files: filled(2 ** 32 - 4) }, { grow: true });
    expect(summary.growth?.archive).toBe(2 ** 32 - 4);
    await expect(edit(IMAGE, { files: filled(2 ** 32) }, { grow: true })).rejects.toMatchObject({
      code: 'ISO_CANNOT_GROW',
      message: expect.stringContaining('a file of an ISO image has at most 4294967295 bytes in one piece'),
    });
  });

  test('without files leaves the area empty', async () => {
    const { overlay, summary } = await edit(IMAGE, { files: [] });
    expect(summary.initrd).toEqual({ used: 0, free: 262144 });
    expect(await isPristine(await openLiveImage(overlay))).toBe(true);
  });
});

test('reads the area of an image only once for many edits', async () => {
  const { overlay } = await edit(IMAGE, { ignition: 'config' });
  const source = countingSource(overlay);
  const image = await openLiveImage(source);
  const isOfArea = ({ offset }: { offset: number }) => offset === image.initrd.offset;
  source.reset();
  await edit(image, { ignition: 'x', keyfiles: [], files: [] });
  await edit(image, { keyfiles: [], files: [] });
  await edit(image, { ignition: 'y' });
  await edit(image, { ignition: 'z', keyfiles: [], files: [] });
  // One read of the used part, and one of the members.
  expect(source.reads.filter(isOfArea)).toHaveLength(2);
});

describe('an edit of the initrd area', () => {
  const ALL = { keyfiles: [], files: [] };
  const area = async (source: ByteSource): Promise<Uint8Array> => {
    const { offset, length } = (await openLiveImage(source)).initrd;
    return source.read(offset, length);
  };
  const archiveOf = async (text: string | Uint8Array): Promise<number> => {
    const { overlay, summary } = await edit(IMAGE, { ...ALL, ignition: text });
    expect(overlay.patches.map(({ bytes }) => sizeOf(bytes))).toEqual([summary.initrd.used]);
    return summary.initrd.used;
  };

  test.each([
    ['longer', 'x'.repeat(50), noise('text', 8000)],
    ['shorter', noise('text', 8000), 'x'.repeat(50)],
    ['empty', noise('text', 8000), null],
  ])('covers only the used part if the new archive is %s', async (_, before, after) => {
    const used = { before: await archiveOf(before), after: after === null ? 0 : await archiveOf(after) };
    const first = (await edit(IMAGE, { ...ALL, ignition: before })).overlay;
    // As from a file, without overlays.
    const written = bytesSource(await first.read(0, first.size));
    const second = await edit(await openLiveImage(written), { ...ALL, ignition: after });
    const [patch, ...more] = second.overlay.patches.map(({ bytes }) => sizeOf(bytes));
    // The last bytes of gzip are a length, and mostly zero.
    expect(Math.max(used.before, used.after) - (patch ?? 0)).toBeOneOf([0, 1, 2, 3]);
    expect(more).toEqual([]);
    const pristine = (await edit(IMAGE, { ...ALL, ignition: after })).overlay;
    expect(Buffer.compare(await area(second.overlay), await area(pristine))).toBe(0);
  });

  test('also covers only the used part of an edited image', async () => {
    const first = (await edit(IMAGE, { ...ALL, ignition: noise('text', 8000) })).overlay;
    const second = (await edit(await openLiveImage(first), { ...ALL, ignition: 'x' })).overlay;
    expect(Buffer.compare(await area(second), await area((await edit(IMAGE, { ...ALL, ignition: 'x' })).overlay))).toBe(
      0,
    );
  });

  test('covers foreign bytes at the end of the area', async () => {
    const { offset, length } = IMAGE.initrd;
    const odd = overlay(IMAGE.source, [{ offset: offset + length - 1, bytes: Uint8Array.of(7) }]);
    const edited = (
      await edit(await openLiveImage(bytesSource(await odd.read(0, odd.size))), { ...ALL, ignition: 'x' })
    ).overlay;
    expect(edited.patches.map(({ bytes }) => sizeOf(bytes))).toEqual([length]);
    expect((await area(edited)).at(-1)).toBe(0);
  });

  test('changes nothing in an area that stays empty', async () => {
    expect((await edit(IMAGE, { ...ALL, ignition: null })).overlay.patches).toEqual([]);
  });
});

test('does not change an area of no bytes, and refuses contents for it', async () => {
  const sample = await sampleIso();
  const bytes = await sample.read(0, sample.size);
  const { extents, recordOffset } = await (await openIso(bytesSource(bytes))).entry('/coreos/igninfo.json');
  const info = utf8('{"file": "images/ignition.img", "offset": 262144}');
  bytes.set(info, extents[0]?.offset);
  const record = new DataView(bytes.buffer, recordOffset);
  record.setUint32(10, info.length, true);
  record.setUint32(14, info.length, false);
  const image = await openLiveImage(bytes);
  const { overlay, summary } = await edit(image, { ignition: null, keyfiles: [], files: [] });
  expect([overlay.patches, summary.regions, summary.initrd]).toEqual([[], [], { used: 0, free: 0 }]);
  await expect(edit(image, { ignition: 'x' })).rejects.toMatchObject({
    code: 'ISO_AREA_TOO_SMALL',
    offset: image.initrd.offset,
    message: expect.stringMatching(/^config does not fit: \d+ bytes > 0 bytes$/),
    cause: { message: expect.stringMatching(/^Compressed initramfs is too large: \d+ > 0$/) },
  });
});

test('accepts only kept or private modes', async () => {
  await expect(edit(IMAGE, {}, { modes: 'public' as 'kept' })).rejects.toThrow(
    new RangeError('modes must be one of kept, private, not "public"'),
  );
  const { overlay } = await edit(IMAGE, { files: [{ path: 'a', content: '', mode: 0o755 }] });
  for (const [modes, mode] of [
    ['kept', 0o755],
    ['private', 0o600],
    [undefined, 0o755],
  ] as const) {
    const image = await openLiveImage(overlay);
    const again = await edit(image, { ignition: 'x' }, modes === undefined ? {} : { modes });
    expect((await (await openLiveImage(again.overlay)).initrd.read()).get('a')?.mode).toBe(mode);
  }
});

test('reports the room for kernel arguments with every edit', async () => {
  const { current = '', capacity = 0 } = IMAGE.kargs ?? {};
  const use = (text: string) => ({ text, used: text.length, free: capacity - text.length });
  expect((await edit(IMAGE, {})).summary).toMatchObject({ kargs: use(current), regions: [] });
  const longer = await edit(IMAGE, { kargs: { append: ['a'] } });
  expect(longer.summary.kargs).toEqual(use(`${current} a`));
  const image = await openLiveImage(longer.overlay);
  expect((await edit(image, { kargs: { append: ['b'] } })).summary.kargs).toEqual(use(`${current} a b`));
  expect((await edit(image, { kargs: { reset: true, append: ['b'] } })).summary.kargs).toEqual(use(`${current} b`));
  expect(await isPristine(image)).toBe(false);
  const old = await openLiveImage(await sampleIso({ kind: '2020-09.x86_64' }));
  expect((await edit(old, {})).summary.kargs).toBeUndefined();
});

test.each([
  ['a config', { ignition: 3 }],
  ['a keyfile', { keyfiles: [3] }],
  ['a file', { files: [3] }],
  ['a list of arguments', { kargs: { append: 3 } }],
])('refuses an invalid %s before reading', async (_, changes) => {
  const source = countingSource(await sampleIso());
  const image = await openLiveImage(source);
  source.reset();
  await expect(edit(image, changes as unknown as LiveChanges)).rejects.toThrow(TypeError);
  expect(source.reads).toEqual([]);
});
