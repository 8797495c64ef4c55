import { expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { openIso, withCachedHead } from '../../src/iso9660/reader.ts';
import { countingSource } from '../support/counting-source.ts';
import { directory, file, open, PX, ROOT, rooted, SECTOR, smallImage, systemUseField, text } from './small-image.ts';
import { describeError, patched } from './support.ts';

const placesOf = (source: ReturnType<typeof countingSource>) =>
  source.reads.map(({ offset, length }) => [offset, length]);

test('fetches descriptors and the directories after them once, also for later readers', async () => {
  const image = smallImage({ [ROOT]: [directory('D', 40), file('A')], 40: [file('B')] }, { sectors: 60 });
  const source = countingSource(bytesSource(image));
  const iso = await openIso(source);
  await iso.list('/');
  expect(await withCachedHead(iso).read(16 * SECTOR, 6)).toEqual(image.subarray(16 * SECTOR, 16 * SECTOR + 6));
  expect(placesOf(source)).toEqual([[32_768, 40_960]]);
  await iso.list('d');
  await iso.list('d');
  expect(placesOf(source).slice(1)).toEqual([[40 * SECTOR, SECTOR]]);
  expect(iso.source).toBe(source);
});

test('uses the view with which the image was opened, or the view in a call', async () => {
  const image = rooted([...PX, ...systemUseField('NM', [0, ...text('Name')])]);
  const names = async (iso: Awaited<ReturnType<typeof open>>, view?: 'plain' | 'strict') =>
    (await iso.list('/', view && { view })).map(({ name }) => name);
  expect(await names(await open(image))).toEqual(['Name']);
  expect(await names(await open(image, 'plain'))).toEqual(['a']);
  const strict = await open(image, 'strict');
  expect(await names(strict)).toEqual(['A']);
  expect(await names(strict, 'plain')).toEqual(['a']);
});

test('refuses a file of another kind, and names that kind', async () => {
  const iso = await open(smallImage({ [ROOT]: [directory('D', 20), file('A', { sector: 31, length: 2048 })], 20: [] }));
  const offset = ROOT * SECTOR;
  expect(await describeError(iso.file('d'))).toMatchObject({
    code: 'ISO_WRONG_KIND',
    message: 'entry d is a directory',
    offset,
  });
  expect(await describeError(iso.list('a'))).toMatchObject({ code: 'ISO_WRONG_KIND', message: 'entry a is a file' });
  expect((await iso.file('a')).size).toBe(2048);
});

test('reads a file of one byte', async () => {
  const image = patched(
    smallImage({ [ROOT]: [file('A', { length: 1 }), file('B', { sector: 32, length: 1 })] }),
    25 * SECTOR,
    [9],
  );
  const iso = await open(image);
  expect(await (await iso.file('a')).read(0, 1)).toEqual(Uint8Array.of(9));
  await expect(iso.file('b')).rejects.toMatchObject({ code: 'ISO_BAD_EXTENT' });
});

test('reads a file at the end of the image', async () => {
  const image = smallImage({
    [ROOT]: [file('A', { sector: 31, length: 2048 }), file('B', { sector: 31, length: 2049 })],
  });
  image.fill(7, 31 * SECTOR);
  const iso = await open(image);
  expect(await (await iso.file('a')).read(0, 2048)).toEqual(new Uint8Array(2048).fill(7));
  expect(await describeError(iso.file('b'))).toMatchObject({
    code: 'ISO_BAD_EXTENT',
    message: 'file b lies outside the image',
    offset: ROOT * SECTOR + 34,
  });
});
