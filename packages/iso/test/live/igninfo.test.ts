import { expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { writeBoth32 } from '../../src/iso9660/fields.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { areaFile } from '../../src/live/initrd-area.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { utf8 } from '../initrd/archives.ts';
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
  // What is said of the length counts, also behind the end of the file.
  [{ offset: 262145, length: 5 }, 262145, 5, false],
])('with %j the area is at %d and has %d bytes; it is the whole file: %s', async (more, offset, length, whole) => {
  const image = await openLiveImage(informed({ ...FILE, ...more }));
  expect([image.initrd.offset, image.initrd.length]).toEqual([AREA + offset, length]);
  expect((await areaFile(image.iso)).whole).toBe(whole);
});

test('an area that begins behind its file is refused', async () => {
  expect(await chainOf(openLiveImage(bytesSource(informed({ ...FILE, offset: 262145 }))))).toEqual([
    'Unrecognized CoreOS ISO image.',
    'offset 262145 is behind the end of images/ignition.img (262144 bytes)',
  ]);
});
