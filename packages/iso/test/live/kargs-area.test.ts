// Areas for kernel arguments according to `kargs.json`, or to the header of 2021 at byte 32672.
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import { edit } from '../../src/live/edit.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { inspect } from '../../src/live/inspect.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { text, utf8 } from '../initrd/archives.ts';
import { chainOf } from './chain.ts';

const bytesOf = async (kind: string): Promise<Uint8Array> => {
  const sample = await sampleIso({ kind });
  return sample.read(0, sample.size);
};

describe('areas of kargs.json', () => {
  const PATH = 'images/ignition.img';

  /** A sample whose areas are in a file of 256 KiB, which begins with `content`. */
  async function image(info: object, content: string | Uint8Array): Promise<Uint8Array> {
    const bytes = await bytesOf('2023-07.x86_64');
    const iso = await openIso(bytesSource(bytes));
    const { extents, recordOffset } = await iso.entry('/coreos/kargs.json');
    const json = utf8(JSON.stringify(info));
    bytes.set(json, extents[0]?.offset);
    const record = new DataView(bytes.buffer, recordOffset);
    record.setUint32(10, json.length, true);
    record.setUint32(14, json.length, false);
    bytes.set(typeof content === 'string' ? utf8(content) : content, (await iso.entry(PATH)).extents[0]?.offset);
    return bytes;
  }
  const opened = async (info: object, content: string | Uint8Array) => openLiveImage(await image(info, content));
  const at = (...offsets: number[]) => offsets.map((offset) => ({ path: PATH, offset }));

  test.each([
    ['text, its end and the filling', 'a b\n####', {}, 'a b'],
    ['text without an end', 'a b#####', {}, 'a b'],
    ['text without filling', 'a b c d\n', {}, 'a b c d'],
    ['nothing but text', 'a b c de', {}, 'a b c de'],
    ['nothing but filling', '########', {}, ''],
    ['filling within the text', 'a#b#\n###', {}, 'a#b#'],
    ['several ends', 'a\n\n\n####', {}, 'a'],
    ['white space around the text', ' a\t \n###', {}, 'a'],
    ['other marks', 'a#b!....', { pad: '.', end: '!' }, 'a#b'],
    ['marks that are NUL', 'a#b\0\0\0\0\0', { pad: '\0', end: '\0' }, 'a#b'],
    ['a mark of null, which is the usual one', 'a b\n####', { pad: null, end: null }, 'a b'],
  ])('hold %s', async (_, content, marks, expected) => {
    const files = at(0).map((file) => ({ ...file, ...marks }));
    const { kargs } = await opened({ default: 'd', files, size: 8 }, content);
    expect(kargs).toMatchObject({ default: 'd', current: expected, length: 8, capacity: 7 });
  });

  test('have padding and end characters only if the image declares them', async () => {
    const [file] = at(0);
    const files = [file, { ...file, offset: 8, pad: '#' }, { ...file, offset: 16, end: '\n' }];
    const { kargs, initrd } = await opened({ default: '', files, size: 8 }, 'a\n######'.repeat(3));
    expect(kargs?.areas).toStrictEqual([
      { offset: initrd.offset, length: 8 },
      { offset: initrd.offset + 8, length: 8, pad: '#' },
      { offset: initrd.offset + 16, length: 8, end: '\n' },
    ]);
  });

  test('are in on-disk order, may be adjacent, and are all written', async () => {
    const bytes = await image({ default: 'd', files: at(16, 0, 8), size: 8 }, 'a\n######'.repeat(3));
    const opened = await openLiveImage(bytes);
    const start = opened.initrd.offset;
    expect(opened.kargs?.areas.map(({ offset }) => offset - start)).toEqual([0, 8, 16]);
    const { overlay, summary } = await edit(opened, { kargs: { append: ['b'] } });
    expect(text(await overlay.read(start, 25))).toBe(`${'a b\n####'.repeat(3)}\0`);
    expect(summary.regions.map(({ kind, offset, length }) => [kind, offset - start, length])).toEqual([
      ['kargs', 0, 8],
      ['kargs', 8, 8],
      ['kargs', 16, 8],
    ]);
  });

  test('that overlap by one byte are refused when writing', async () => {
    const opened = await openLiveImage(await image({ default: '', files: at(0, 7), size: 8 }, '#'.repeat(16)));
    await expect(edit(opened, { kargs: {} })).rejects.toMatchObject({
      code: 'ISO_BAD_KARGS',
      offset: opened.initrd.offset + 7,
      message: `region starting at ${opened.initrd.offset + 7} precedes current offset ${opened.initrd.offset + 8}`,
    });
  });

  test('may be filled by text alone, without room for its end character', async () => {
    const bytes = await image({ default: '', files: at(0), size: 4 }, 'abcd');
    const { summary } = await edit(await openLiveImage(bytes), {});
    expect(summary.kargs).toEqual({ text: 'abcd', used: 4, free: 0 });
    expect((await inspect(bytes)).kargs).toMatchObject({ current: 'abcd', used: 4, free: 0 });
  });

  test.each([
    [0, 0],
    [1, 0],
    [2, 1],
  ])('of %d bytes have room for %d', async (size, capacity) => {
    const { kargs } = await opened({ default: '', files: at(0), size }, '###');
    expect(kargs).toMatchObject({ length: size, capacity, current: '' });
  });

  test.each([
    ['2048 bytes', { default: '', size: 2048 }, undefined],
    ['2049 bytes', { default: '', size: 2049 }, 'karg embed area size larger than 2048 (found 2049)'],
    ['a default as long as they are', { default: 'ü'.repeat(4), size: 8 }, undefined],
    ['a longer default', { default: `${'ü'.repeat(4)}x`, size: 8 }, 'default kargs size 9 larger than embed areas (8)'],
    ['no place', { default: '', files: [], size: 8 }, 'No karg embed areas found; corrupted CoreOS ISO image.'],
  ])('with %s are accepted or refused', async (_, info, refusal) => {
    const work = opened({ files: at(0), ...info }, '#'.repeat(3000));
    if (refusal === undefined) await expect(work).resolves.toBeDefined();
    else expect(await chainOf(work)).toEqual([refusal]);
  });

  test('that differ are refused with both texts and the place', async () => {
    const work = opened({ default: '', files: at(0, 4, 8), size: 4 }, 'a\n##a\n##b\n##');
    await expect(work).rejects.toMatchObject({
      code: 'ISO_BAD_KARGS',
      message: expect.stringMatching(/^kargs don't match at all offsets! \(expected 'a', but offset \d+ has: 'b'\)$/),
      offset: (await openLiveImage(await bytesOf('2023-07.x86_64'))).initrd.offset + 8,
    });
  });

  test('that are not UTF-8 are refused with the place', async () => {
    const { initrd } = await openLiveImage(await bytesOf('2023-07.x86_64'));
    const failure = await opened({ default: '', files: at(0), size: 4 }, Uint8Array.of(0x61, 0xff, 0, 0)).catch(
      (error) => error,
    );
    const wrong = { code: 'ISO_BAD_KARGS', offset: initrd.offset };
    expect(failure).toMatchObject({ ...wrong, message: 'invalid UTF-8 in karg area' });
    expect(failure.cause).toMatchObject({ ...wrong, message: 'invalid utf-8 sequence of 1 bytes from index 1' });
  });
});

describe('areas of the header', () => {
  const HEADER = 32672;
  /** Changes the header's 64-bit little-endian numbers: a length, the place of the default, and up to six areas. */
  async function withNumbers(change: (numbers: bigint[]) => void): Promise<Uint8Array> {
    const bytes = await bytesOf('2021-01.x86_64');
    const numbers = new BigUint64Array(bytes.slice(HEADER + 8, HEADER + 72).buffer);
    const changed = [...numbers];
    change(changed);
    bytes.set(new Uint8Array(BigUint64Array.from(changed).buffer), HEADER + 8);
    return bytes;
  }

  test('are up to six, ended by the first zero', async () => {
    const six = await openLiveImage(
      await withNumbers((numbers) => {
        for (let index = 2; index < 8; index++) numbers[index] = numbers[2] ?? 0n;
      }),
    );
    expect(six.kargs?.areas).toHaveLength(6);
    const one = await openLiveImage(
      await withNumbers((numbers) => {
        numbers[4] = numbers[3] ?? 0n;
        numbers[3] = 0n;
      }),
    );
    expect(one.kargs?.areas).toStrictEqual([six.kargs?.areas[0]]);
  });

  test.each([
    [2048n, undefined],
    [2049n, 'karg embed area length larger than 2048 (found 2049)'],
  ])('of %d bytes are accepted or refused', async (length, refusal) => {
    const bytes = await withNumbers((numbers) => {
      numbers[0] = length;
      numbers.fill(0n, 3);
    });
    const work = openLiveImage(bytes);
    if (refusal === undefined) expect((await work).kargs?.length).toBe(Number(length));
    else expect(await chainOf(work)).toEqual([refusal]);
  });

  test.each([0, 4, 7])('do not exist if letter %d of the magic differs', async (index) => {
    const bytes = await bytesOf('2021-01.x86_64');
    expect(text(bytes.subarray(HEADER, HEADER + 8))).toBe('coreKarg');
    bytes[HEADER + index] = 0x2e;
    expect((await openLiveImage(bytes)).kargs).toBeUndefined();
  });

  test('have the default at its place in the header', async () => {
    const bytes = await withNumbers(() => {});
    const place = Number(new DataView(bytes.buffer).getBigUint64(HEADER + 16, true));
    bytes.set(utf8('RANDOM'), place);
    const { kargs } = await openLiveImage(bytes);
    expect(kargs?.default).toBe(kargs?.current.replace('random', 'RANDOM'));
  });
});
