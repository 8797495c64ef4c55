import { sampleIso } from '@coreiso/iso/sample';
import { expect, test } from 'vitest';
import { ByteReader } from '../../src/initrd/byte-reader.ts';
import { unxz } from '../../src/initrd/unxz.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { collect } from './archives.ts';

/** A real .xz stream, available everywhere. */
const { packed } = (await (await openLiveImage(await sampleIso())).minimal())!;

/** The beginning of the stream, then the result of `next`. */
function reader(length: number, next: () => Promise<Uint8Array | undefined>): ByteReader {
  let isFirst = true;
  return new ByteReader({
    next() {
      if (!isFirst) return next();
      isFirst = false;
      return Promise.resolve(packed.subarray(0, length));
    },
  });
}

test("passes on a source's own failure unchanged", async () => {
  const failure = new Error('the network is gone');
  await expect(collect(unxz(reader(100, () => Promise.reject(failure))))).rejects.toBe(failure);
});
