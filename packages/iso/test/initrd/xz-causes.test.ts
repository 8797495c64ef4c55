import { sampleIso } from '@coreiso/iso/sample';
import { expect, test } from 'vitest';
import { ByteReader } from '../../src/initrd/byte-reader.ts';
import { unxz } from '../../src/initrd/unxz.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { collect } from './archives.ts';

/** A genuine .xz stream, wherever these tests run. */
const { packed } = (await (await openLiveImage(await sampleIso())).minimal())!;

/** The beginning of the stream, and then what `next` comes to. */
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

test("a source's own failure is told as it is", async () => {
  const failure = new Error('the network is gone');
  await expect(collect(unxz(reader(100, () => Promise.reject(failure))))).rejects.toBe(failure);
});
