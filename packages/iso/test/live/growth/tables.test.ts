// Partition tables byte by byte: the MBR's entries are at 446, a GPT's header at 512 and its entries, here, at 1024.
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../../src/bytes/source.ts';
import { plain } from '../../../src/initrd/encoders.ts';
import { edit } from '../../../src/live/edit.ts';
import { layoutObstacle } from '../../../src/live/growth/tables.ts';
import { openLiveImage } from '../../../src/live/image.ts';
import { sampleIso } from '../../../src/sample/index.ts';
import { noise, utf8 } from '../../initrd/archives.ts';

const base = await sampleIso();
const BASE = await base.read(0, base.size);
const GROWING = { ignition: noise('tables', 300_000) };

type Spoil = (bytes: Uint8Array) => void;
const put =
  (at: number, ...values: (number | Uint8Array)[]): Spoil =>
  (bytes) =>
    bytes.set(
      values.flatMap((value) => (typeof value === 'number' ? [value] : [...value])),
      at,
    );
const put32 =
  (at: number, value: number): Spoil =>
  (bytes) =>
    new DataView(bytes.buffer).setUint32(at, value, true);
const put64 =
  (at: number, value: bigint): Spoil =>
  (bytes) =>
    new DataView(bytes.buffer).setBigUint64(at, value, true);
const both =
  (...changes: Spoil[]): Spoil =>
  (bytes) => {
    for (const change of changes) change(bytes);
  };
const spoiled = (change: Spoil): Uint8Array => {
  const bytes = BASE.slice();
  change(bytes);
  return bytes;
};

const noGpt = put(512, utf8('NO TABLE'));
const noMbr = put(510, 0, 0);
const noPartitions = put(446, new Uint8Array(64));
/** The first partition is in the second entry, and nothing in the first. */
const shifted: Spoil = (bytes) =>
  bytes
    .fill(0, 446 + 32, 510)
    .copyWithin(446 + 16, 446, 446 + 16)
    .fill(0, 446, 446 + 16);
const GPT = { size: 512 + 12, entries: 512 + 72, count: 512 + 80, entrySize: 512 + 84 };

describe('a layout can grow', () => {
  test.each<[string, Spoil]>([
    ["isohybrid's MBR and GPT", () => {}],
    ['an MBR alone', noGpt],
    ['no table at all', both(noGpt, noMbr)],
    ['an MBR without partitions', both(noGpt, noPartitions)],
    ['letters of which only one is of an Apple partition map', both(put(0, utf8('EX')), put(512, utf8('PX')))],
    ['a GPT whose first entry ends anywhere', put(1024 + 40, 1)],
    ['a GPT header of a whole sector', put32(GPT.size, 512)],
    ['a GPT of one entry', put32(GPT.count, 1)],
    ['a GPT whose entries end with the image', put64(GPT.entries, BigInt((BASE.length - 128 * 128) / 512))],
  ])('with %s', async (_, change) => {
    const bytes = spoiled(change);
    // All entries at the end are zero, including the start of the first one.
    bytes.fill(0, BASE.length - 33 * 512);
    expect(await layoutObstacle(bytesSource(bytes))).toBeUndefined();
  });

  const APPLE = 'it has an Apple partition map';
  const PROTECTIVE = 'it has a true GPT layout (a protective MBR)';
  const FIRST = "its first MBR partition is not one of type 0 that begins at the image's first byte";
  const LATER = 'it has a true GPT layout (entry 1 does not begin at 0)';
  const LENGTHS = 'the lengths in its GPT are wrong';

  test.each<[string, Spoil, string]>([
    ["an Apple driver's map", put(0, utf8('ER')), APPLE],
    ['an Apple partition map', put(512, utf8('PM')), APPLE],
    ['a GPT alone', noMbr, 'it has a GPT without an MBR'],
    ['a GPT beside an empty MBR', noPartitions, 'it has a GPT without an MBR'],
    ['a protective first partition', put(446 + 4, 0xee), PROTECTIVE],
    ['a protective second partition', put(446 + 16 + 4, 0xee), PROTECTIVE],
    ['nothing in the first entry', both(noGpt, shifted), FIRST],
    ['a first partition of another type', put(446 + 4, 0x17), FIRST],
    ['a first partition that begins later', put(446 + 8, 64), FIRST],
    ['a GPT whose first entry begins later', put(1024 + 32, 64), LATER],
    ['a GPT whose first entry begins far away', put(1024 + 39, 1), LATER],
    ['no GPT header to speak of', put32(GPT.size, 91), LENGTHS],
    ['a GPT header of more than a sector', put32(GPT.size, 513), LENGTHS],
    ['a GPT without entries', put32(GPT.count, 0), LENGTHS],
    ['GPT entries too short for a partition', put32(GPT.entrySize, 127), LENGTHS],
    ['a GPT of more entries than the image', put32(GPT.count, 0xffffffff), LENGTHS],
    ['GPT entries behind the image', put64(GPT.entries, 2n ** 63n), LENGTHS],
    [
      'a GPT whose entries end one sector behind the image',
      put64(GPT.entries, BigInt((BASE.length - 128 * 128) / 512 + 1)),
      LENGTHS,
    ],
  ])('but not with %s', async (_, change, reason) => {
    const bytes = spoiled(change);
    expect(await layoutObstacle(bytesSource(bytes))).toBe(reason);
    const image = await openLiveImage(bytesSource(bytes));
    await expect(edit(image, GROWING, { grow: true, compression: plain })).rejects.toMatchObject({
      code: 'ISO_CANNOT_GROW',
      offset: image.initrd.offset,
      message: expect.stringMatching(/^the archive has 30\d{4} bytes, the area 262144, and the image cannot grow: /),
    });
  });
});

describe('the tables of a grown image', () => {
  async function grown(bytes: Uint8Array): Promise<DataView> {
    const image = await openLiveImage(bytesSource(bytes));
    const { overlay } = await edit(image, GROWING, { grow: true, compression: plain });
    return new DataView((await overlay.read(0, overlay.size)).slice().buffer);
  }
  const bytesOf = (view: DataView, at: number, length: number) => new Uint8Array(view.buffer, at, length);

  test.each<[string, Spoil]>([
    ['with a GPT', () => {}],
    ['without one', noGpt],
  ])('the first partition of an MBR %s reaches to the end, and its other bytes stay', async (_, change) => {
    const bytes = spoiled(change);
    const view = await grown(bytes);
    const size = view.byteLength;
    expect(view.getUint32(446 + 12, true)).toBe(size / 512);
    // The last head, the last sector of a track, the last cylinder of 64 heads and 32 sectors.
    expect([...bytesOf(view, 446 + 5, 3)]).toEqual([63, 32, size / (64 * 32 * 512) - 1]);
    expect(bytesOf(view, 0, 446 + 5)).toEqual(bytes.subarray(0, 446 + 5));
    expect(bytesOf(view, 446 + 8, 4)).toEqual(bytes.subarray(446 + 8, 446 + 12));
    expect(bytesOf(view, 446 + 16, 50)).toEqual(bytes.subarray(446 + 16, 512));
  });

  test('have nothing at the end without a GPT', async () => {
    const view = await grown(spoiled(noGpt));
    expect(bytesOf(view, view.byteLength - 33 * 512, 33 * 512).every((byte) => byte === 0)).toBe(true);
  });

  test.each<[string, Spoil]>([
    ['an MBR without partitions', noPartitions],
    ['nothing', noMbr],
  ])('of %s do not exist afterwards', async (_, change) => {
    const bytes = spoiled(both(noGpt, change));
    const view = await grown(bytes);
    expect(bytesOf(view, 0, 32768)).toEqual(bytes.subarray(0, 32768));
    expect(bytesOf(view, view.byteLength - 33 * 512, 33 * 512).every((byte) => byte === 0)).toBe(true);
  });

  test('have two GPT copies that refer to each other, and a first partition that ends with the volume', async () => {
    const view = await grown(BASE);
    const last = view.byteLength / 512 - 1;
    const header = (at: number) => ({
      own: view.getBigUint64(at + 24, true),
      other: view.getBigUint64(at + 32, true),
      lastUsable: view.getBigUint64(at + 48, true),
      entries: view.getBigUint64(at + 72, true),
    });
    const lastUsable = BigInt(last - 33);
    expect(header(512)).toEqual({ own: 1n, other: BigInt(last), lastUsable, entries: 2n });
    expect(header(last * 512)).toEqual({ own: BigInt(last), other: 1n, lastUsable, entries: BigInt(last - 32) });
    for (const at of [512, last * 512]) {
      const copy = bytesOf(view, at, 92).slice();
      copy.fill(0, 16, 20);
      expect(view.getUint32(at + 16, true)).toBe(crc32(copy));
      expect(view.getUint32(at + 88, true)).toBe(crc32(bytesOf(view, 1024, 128 * 128)));
    }
    expect(bytesOf(view, (last - 32) * 512, 128 * 128)).toEqual(bytesOf(view, 1024, 128 * 128));
    const volumeSectors = view.getUint32(16 * 2048 + 80, true);
    expect(view.getBigUint64(1024 + 40, true)).toBe(BigInt(volumeSectors * 4 - 1));
    expect(bytesOf(view, 1024 + 48, 128 * 128 - 48)).toEqual(BASE.subarray(1024 + 48, 1024 + 128 * 128));
  });
});
