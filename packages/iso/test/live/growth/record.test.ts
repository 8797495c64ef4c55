// The growth record of an image is trusted only if all of it is valid; otherwise the image counts as never grown.
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../../src/bytes/source.ts';
import { crc32 } from '../../../src/checksums/crc32.ts';
import { writeU16Le, writeU32Le, writeU64Le } from '../../../src/iso9660/fields.ts';
import { edit } from '../../../src/live/edit.ts';
import { recordOffset, ungrown } from '../../../src/live/growth/growth.ts';
import { type LiveImage, openLiveImage } from '../../../src/live/image.ts';
import { sampleIso } from '../../../src/sample/index.ts';
import { noise, sha256, text } from '../../initrd/archives.ts';
import { countingSource } from '../../support/counting-source.ts';

const base = await sampleIso();
const { overlay } = await edit(await openLiveImage(base), { ignition: noise('grow', 300_000) }, { grow: true });
const GROWN = await overlay.read(0, overlay.size);
const AT = recordOffset(GROWN.length, 33 * 512);
const FIELD = { magic: 0, count: 14, originalSize: 16, crc: 24, originals: 28 };

/** The image before it grew, after a change to its record with a new checksum. */
async function imageBefore(change: (note: Uint8Array) => void): Promise<LiveImage> {
  const bytes = GROWN.slice();
  const note = bytes.subarray(AT, AT + 2048);
  change(note);
  writeU32Le(note, FIELD.crc, 0);
  writeU32Le(note, FIELD.crc, crc32(note));
  return ungrown(await openLiveImage(bytesSource(bytes)));
}

async function sizeBefore(change: (note: Uint8Array) => void): Promise<number> {
  return (await imageBefore(change)).source.size;
}

const NOTE = new DataView(GROWN.buffer, AT, 2048);
/** The end of the record's runs; each has a position, a length and that many bytes. */
const END = Array.from({ length: NOTE.getUint16(FIELD.count, true) }).reduce<number>(
  (at) => at + 10 + NOTE.getUint16(at + 8, true),
  FIELD.originals,
);
const ROOM = 2048 - END;

/** An unused part of the System Area. */
const UNUSED = 20_000;

/** Adds runs of a repeated byte, up to the end of the record or beyond. */
function addRuns(note: Uint8Array, ...lengths: number[]): void {
  writeU16Le(note, FIELD.count, NOTE.getUint16(FIELD.count, true) + lengths.length);
  let at = END;
  for (const length of lengths) {
    if (at + 10 <= note.length) {
      writeU64Le(note, at, UNUSED + at - END);
      writeU16Le(note, at + 8, length);
    }
    note.fill(0x5a, at + 10, at + 10 + length);
    at += 10 + length;
  }
}

describe('the growth record of an image', () => {
  test('describes the original', async () => {
    expect(await sizeBefore(() => {})).toBe(base.size);
  });

  test.each<[string, (note: Uint8Array) => void]>([
    ['another magic', (note) => note.set([0x43], FIELD.magic)],
    ['more runs than fit', (note) => writeU16Le(note, FIELD.count, 65535)],
    ['a run longer than the sector', (note) => writeU16Le(note, FIELD.originals + 8, 2048)],
    ['a run behind the image', (note) => writeU64Le(note, FIELD.originals, base.size)],
    ['a run that ends one byte behind the sector', (note) => addRuns(note, ROOM - 10 + 1)],
    ['a run whose head does not fit', (note) => addRuns(note, ROOM - 10 - 9, 0)],
    ['a run that ends one byte behind the image', (note) => writeU64Le(note, FIELD.originals, base.size - 16 + 1)],
    ['an image longer than what is before the note', (note) => writeU64Le(note, FIELD.originalSize, AT + 1)],
  ])('with %s is ignored', async (_, change) => {
    expect(await sizeBefore(change)).toBe(GROWN.length);
  });

  test.each<[string, (note: Uint8Array) => void, size: number]>([
    ['a run up to the last byte of the image', (note) => writeU64Le(note, FIELD.originals, base.size - 16), base.size],
    ['an image up to the note', (note) => writeU64Le(note, FIELD.originalSize, AT), AT],
  ])('is valid with %s', async (_, change, size) => {
    expect(await sizeBefore(change)).toBe(size);
  });

  test('may be full, up to the last byte of its sector', async () => {
    const { source } = await imageBefore((note) => addRuns(note, ROOM - 10 - 10, 0));
    expect(source.size).toBe(base.size);
    const one = await imageBefore((note) => addRuns(note, ROOM - 10));
    const unused = await one.source.read(UNUSED, ROOM - 9);
    expect(unused.lastIndexOf(0x5a)).toBe(ROOM - 11);
  });

  test('is read once for many edits of the image', async () => {
    const source = countingSource(bytesSource(GROWN));
    const image = await openLiveImage(source);
    const before = await ungrown(image);
    source.reset();
    expect(await ungrown(image)).toBe(before);
    expect(source.reads).toEqual([]);
  });

  test('restores every byte that growing changed', async () => {
    const { source } = await imageBefore(() => {});
    expect(sha256(await source.read(0, source.size))).toBe(sha256(await base.read(0, base.size)));
  });

  // Four entries are a sector of 512 bytes, and the header is one more.
  test.each([
    [204, 51 + 1],
    [208, 52 + 1],
  ])('is before the backup of a GPT of %d entries and its %d sectors', async (count, sectors) => {
    const many = await base.read(0, base.size);
    new DataView(many.buffer).setUint32(512 + 80, count, true);
    const changes = { ignition: noise('grow', 300_000) };
    const { overlay: longer } = await edit(await openLiveImage(bytesSource(many)), changes, { grow: true });
    const at = Math.floor((longer.size - sectors * 512) / 2048) * 2048 - 2048;
    expect(text(await longer.read(at, 14))).toBe('coreiso grown\n');
    expect((await ungrown(await openLiveImage(longer))).source.size).toBe(base.size);
  });

  test('is ignored if a GPT claims all of the image for its backup', async () => {
    const bytes = GROWN.slice();
    new DataView(bytes.buffer).setUint32(512 + 80, 0xffffffff, true);
    const image = await openLiveImage(bytesSource(bytes));
    expect(await ungrown(image)).toBe(image);
  });

  test('with a wrong checksum is ignored', async () => {
    const bytes = GROWN.slice();
    bytes.set([(bytes[AT + FIELD.crc] ?? 0) ^ 1], AT + FIELD.crc);
    const image = await openLiveImage(bytesSource(bytes));
    expect(await ungrown(image)).toBe(image);
  });
});
