// Comparing images with unusual places of files: inside one another, past the end, up to the next one.
import { expect, test } from 'vitest';
import { bytesSource, type Progress } from '../../src/bytes/source.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import { diffImages, verifyImage } from '../../src/live/compare/index.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { sha256 } from '../initrd/archives.ts';

const sample = await sampleIso();
const BASE = await sample.read(0, sample.size);
const entryOf = async (path: string) => (await openIso(bytesSource(BASE))).entry(path);

/** The image with a changed place in the directory record of a file (ECMA-119 9.1.3 and 9.1.4). */
async function moved(path: string, place: { sector?: number; length?: number }): Promise<Uint8Array> {
  const bytes = BASE.slice();
  const record = new DataView(bytes.buffer, (await entryOf(path)).recordOffset);
  const both = (at: number, value: number | undefined): void => {
    if (value === undefined) return;
    record.setUint32(at, value, true);
    record.setUint32(at + 4, value, false);
  };
  both(2, place.sector);
  both(10, place.length);
  return bytes;
}

/** The digest of all bytes outside of files, computed byte by byte. */
async function outsideOf(bytes: Uint8Array): Promise<{ size: number; sha256: string }> {
  const claimed = new Uint8Array(bytes.length);
  for await (const { kind, extents } of (await openIso(bytesSource(bytes))).walk()) {
    if (kind !== 'file') continue;
    for (const { offset, length } of extents) claimed.fill(1, offset, offset + length);
  }
  const rest = bytes.filter((_, index) => claimed[index] === 0);
  return { size: rest.length, sha256: sha256(rest) };
}

const CONFIG = 'isolinux/isolinux.cfg';
const { offset: START } = (await entryOf(CONFIG)).extents[0] ?? { offset: 0 };
const { offset: AREA } = (await entryOf('images/ignition.img')).extents[0] ?? { offset: 0 };
const { size: SIZE } = await entryOf(CONFIG);

test.each<[string, { sector?: number; length?: number }]>([
  ['reaches into the next', { length: AREA - START + 5000 }],
  ['reaches over the next', { length: AREA - START + 262144 + 2048 }],
  ['is empty, within another', { sector: AREA / 2048 + 3, length: 0 }],
  ['is empty, between others', { sector: 20, length: 0 }],
  ['is empty, behind the image', { sector: 0xfffffff, length: 0 }],
])('does not change the bytes outside of files if a file %s', async (_, place) => {
  const bytes = await moved('zipl.prm', { sector: START / 2048, ...place });
  const { outside, files } = await diffImages(BASE, bytes);
  expect(outside).toEqual({ before: await outsideOf(BASE), after: await outsideOf(bytes) });
  expect(files.map(({ path }) => path)).toEqual(['zipl.prm']);
});

test('assigns an area to the file that it begins in, not to one that ends there', async () => {
  for (const [length, area] of [
    [AREA - START, 'kargs'],
    [AREA - START + 1, 'initrd'],
  ] as const) {
    const { files } = await diffImages(await moved(CONFIG, { length }), BASE);
    expect(files).toEqual([
      { path: CONFIG, area, before: expect.objectContaining({ size: length }), after: expect.anything() },
    ]);
  }
});

test('assigns no area to a file that begins in the area of another', async () => {
  const bytes = await moved('zipl.prm', { sector: AREA / 2048 + 1, length: SIZE });
  const [file] = (await diffImages(BASE, bytes)).files;
  expect(file).toMatchObject({ path: 'zipl.prm' });
  expect(file).not.toHaveProperty('area');
});

test('reports an empty file past the image in a verification, but not one at its end', async () => {
  const checkOf = async (sector: number) =>
    (await verifyImage(await moved('zipl.prm', { sector, length: 0 }))).checks.find(({ name }) => name === 'files');
  expect(await checkOf(BASE.length / 2048)).toMatchObject({ ok: true });
  expect(await checkOf(BASE.length / 2048 + 1)).toEqual({
    name: 'files',
    ok: false,
    detail: 'zipl.prm ends past the end of the image',
  });
});

test('also reports progress for files of only one image, up to their last byte', async () => {
  const other = await sampleIso({ kind: '2020-09.aarch64' });
  let total = 0;
  for (const image of [other, sample]) {
    for await (const { kind, size } of (await openIso(image)).walk()) if (kind === 'file') total += size;
  }
  const reports: Progress[] = [];
  await diffImages(other, sample, { onProgress: (progress) => reports.push(progress) });
  expect(reports.at(-1)).toEqual({ done: total, total });
  expect(reports.map(({ done }) => done)).toEqual(reports.map(({ done }) => done).toSorted((a, b) => a - b));
});

test('reports every problem of the areas in a verification', async () => {
  const bytes = Buffer.from(BASE.slice());
  for (const start of ['"installer-config": true', '"default": "mit']) bytes.write('!', bytes.indexOf(start));
  const { checks } = await verifyImage(bytes);
  expect(checks.find(({ name }) => name === 'areas')).toEqual({
    name: 'areas',
    ok: false,
    detail: 'decoding kargs embed area info: invalid JSON; parsing OS features: invalid JSON',
  });
});
