import { expect, test } from 'vitest';
import { openFat } from '../../src/boot/fat.ts';
import { bytesSource } from '../../src/bytes/source.ts';

/** A FAT12 that declares a thousand sectors but has eight; `next` chains the clusters of its only file. */
function fat12(size: number, next: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * 512);
  const view = new DataView(bytes.buffer);
  view.setUint16(11, 512, true);
  bytes.set([1, 1, 0, 1], 13);
  view.setUint16(17, 16, true);
  view.setUint16(19, 1000, true);
  bytes[21] = 0xf8;
  view.setUint16(22, 1, true);
  for (const [index, value] of next.entries()) {
    const cluster = index + 2;
    const at = 512 + Math.floor(cluster * 1.5);
    const old = view.getUint16(at, true);
    view.setUint16(at, cluster % 2 === 0 ? (old & 0xf000) | value : (old & 0x000f) | (value << 4), true);
  }
  bytes.set(new TextEncoder().encode('FILE    BIN '), 1024);
  view.setUint16(1024 + 26, 2, true);
  view.setUint32(1024 + 28, size, true);
  return bytes;
}

const open = async (size: number, next: readonly number[]) => {
  const source = bytesSource(fat12(size, next));
  const place = await openFat(source, { offset: 0, length: source.size });
  return place?.file('/FILE.BIN');
};

test('reads a file from the clusters of its chain', async () => {
  expect((await open(5 * 512, [3, 4, 5, 6, 0xfff]))?.content.size).toBe(5 * 512);
});

test.each([
  ['itself', [2]],
  ['an earlier one', [3, 4, 2]],
])('does not make a file larger than the image if a cluster is followed by %s', async (_, next) => {
  await expect(open(100 * 512, next)).rejects.toMatchObject({
    code: 'ISO_BAD_EXTENT',
    message: expect.stringContaining('the clusters of /FILE.BIN are damaged'),
  });
});
