// The note of a grown image is trusted only where everything in it is right; otherwise the image counts as it is.
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../../src/bytes/source.ts';
import { crc32 } from '../../../src/checksums/crc32.ts';
import { writeU16Le, writeU32Le, writeU64Le } from '../../../src/iso9660/fields.ts';
import { edit } from '../../../src/live/edit.ts';
import { recordOffset, ungrown } from '../../../src/live/growth/growth.ts';
import { openLiveImage } from '../../../src/live/image.ts';
import { sampleIso } from '../../../src/sample/index.ts';
import { noise } from '../../initrd/archives.ts';

const base = await sampleIso();
const { overlay } = await edit(await openLiveImage(base), { ignition: noise('grow', 300_000) }, { grow: true });
const GROWN = await overlay.read(0, overlay.size);
const AT = recordOffset(GROWN.length, 33 * 512);
const FIELD = { magic: 0, count: 14, originalSize: 16, crc: 24, originals: 28 };

/** What the image was, after a change to its note, whose checksum is made anew. */
async function sizeBefore(change: (note: Uint8Array) => void): Promise<number> {
  const bytes = GROWN.slice();
  const note = bytes.subarray(AT, AT + 2048);
  change(note);
  writeU32Le(note, FIELD.crc, 0);
  writeU32Le(note, FIELD.crc, crc32(note));
  return (await ungrown(await openLiveImage(bytesSource(bytes)))).source.size;
}

describe('the note of a grown image', () => {
  test('says what it was', async () => {
    expect(await sizeBefore(() => {})).toBe(base.size);
  });

  test.each<[string, (note: Uint8Array) => void]>([
    ['another magic', (note) => note.set([0x43], FIELD.magic)],
    ['more runs than fit', (note) => writeU16Le(note, FIELD.count, 65535)],
    ['a run longer than the sector', (note) => writeU16Le(note, FIELD.originals + 8, 2048)],
    ['a run behind the image', (note) => writeU64Le(note, FIELD.originals, base.size)],
    ['an image longer than what is before the note', (note) => writeU64Le(note, FIELD.originalSize, AT + 1)],
  ])('with %s is none', async (_, change) => {
    expect(await sizeBefore(change)).toBe(GROWN.length);
  });

  test('with a wrong checksum is none', async () => {
    const bytes = GROWN.slice();
    bytes.set([(bytes[AT + FIELD.crc] ?? 0) ^ 1], AT + FIELD.crc);
    const image = await openLiveImage(bytesSource(bytes));
    expect(await ungrown(image)).toBe(image);
  });
});
