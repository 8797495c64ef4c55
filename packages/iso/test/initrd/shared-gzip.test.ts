import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { compose } from '../../src/bytes/compose.ts';
import { concatBytes } from '../../src/bytes/source.ts';
import { plain, sharedGzip } from '../../src/initrd/encoders.ts';
import { archive, noise, sha256, text, utf8 } from './archives.ts';

const DIGESTS: readonly (readonly [length: number, digest: string])[] = [
  [1024, '36ac0b865c3c819d544dfe060fd33078e192150a2828902bf8c180d6901aa798'],
  [1025, '4c1b136c614c2353523a30bc7087136b114dc58f51b49d09b2460a3ab0d60169'],
  [2049, 'a1ce7cd17ade0874b113e404850976d4e83a23dcf4771533fb68ca628dd230e7'],
  [20_000, '3e43195309ac553b78716aa6c0b437bd511e90f0de70913c0d8820ee2e96ae2b'],
  [40_000, '3a164bb55df8ef633c2d3aae6ffc701245bdfe80249707a900fdd049809f1f94'],
];
const COMMON = utf8('all hosts have this line in common\n'.repeat(400));
const config = (own: string) => [{ path: 'config.ign', content: compose([COMMON, utf8(own), COMMON]) }];

test('writes archives of shared and own parts that unpack correctly', async () => {
  const compression = sharedGzip();
  for (const own of ['', 'host-1', 'host-2'.repeat(1000)]) {
    const packed = await archive(config(own), { compression });
    expect(gunzipSync(packed)).toEqual(Buffer.from(await archive(config(own), { compression: plain })));
    expect(packed.length).toBeLessThan(2000);
  }
});

test('writes the same bytes whatever was compressed before', async () => {
  const compression = sharedGzip();
  await archive(config('another host'), { compression });
  expect(await archive(config('host'), { compression })).toEqual(
    await archive(config('host'), { compression: sharedGzip() }),
  );
});

test('restores any short and long pieces', async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    // Lengths around the limits for separate runs, and for compressing the parts between them.
    fc.integer({ min: 900, max: 1100 }).map((length) => noise('run', length)),
    fc.integer({ min: 2000, max: 5000 }).map((length) => noise('run', length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 9 }), async (pieces) => {
      const encoder = await sharedGzip()();
      const packed: Uint8Array[] = [];
      for (const each of pieces) packed.push(await encoder.write(each));
      packed.push(await encoder.finish());
      expect(gunzipSync(Buffer.concat(packed))).toEqual(Buffer.concat(pieces));
    }),
    { numRuns: 100 },
  );
});

/**
 * Size of the blocks for pieces, which come after a header of 10 bytes and before an end of 5 and a trailer of 8 (RFC
 * 1952 2.3).
 */
async function packedLength(...pieces: Uint8Array[]): Promise<number> {
  const encoder = await sharedGzip()();
  const packed: Uint8Array[] = [];
  for (const piece of pieces) packed.push(await encoder.write(piece), await encoder.endBlock());
  packed.push(await encoder.finish());
  expect(gunzipSync(concatBytes(packed))).toEqual(Buffer.from(concatBytes(pieces)));
  return concatBytes(packed).length - 10 - 5 - 8;
}

describe('a separate run', () => {
  const letters = (length: number) => new Uint8Array(length).fill(0x61);

  test('has 1024 bytes or more', async () => {
    // Stored, with a header of 5 bytes before it (RFC 1951 3.2.4).
    expect(await packedLength(letters(1023))).toBe(5 + 1023);
    expect(await packedLength(letters(1024))).toBeLessThan(40);
  });

  test('is not made of short pieces, which are compressed from 4096 bytes on', async () => {
    const short = (last: number) => [1000, 1000, 1000, 1000, last].map(letters);
    expect(await packedLength(...short(95))).toBe(5 + 4095);
    expect(await packedLength(...short(96))).toBeLessThan(40);
    expect(await packedLength()).toBe(0);
  });

  test('is compressed once as long as it is the same part of the same memory', async () => {
    const known = utf8('one two three four five six '.repeat(200));
    const encode = sharedGzip();
    const packed = async (piece: Uint8Array): Promise<Uint8Array> => {
      const encoder = await encode();
      return concatBytes([await encoder.write(piece), await encoder.finish()]);
    };
    const first = await packed(known.subarray(0, 2000));
    expect(gunzipSync(await packed(known.subarray(0, 2001))).length).toBe(2001);
    expect(gunzipSync(await packed(known.subarray(1, 2001))).toString()).toBe(text(known.subarray(1, 2001)));
    // A known run is not read again: only the checksum shows that its bytes have changed.
    known[7] = 0x2e;
    const again = await packed(known.subarray(0, 2000));
    expect(again.subarray(0, -8)).toEqual(first.subarray(0, -8));
    expect(again.subarray(-8, -4)).not.toEqual(first.subarray(-8, -4));
  });

  // The same parts give the same bytes in every version of every runtime; their digests are recorded.
  test.each(DIGESTS)('is the same on every runtime: %d bytes', async (length, digest) => {
    const words = Array.from({ length: 64 }, (_, index) => text(noise(`w${index}`, 6)).replaceAll(/\W/g, '.'));
    const order = noise('order', length);
    const piece = utf8(Array.from(order, (byte) => words[byte & 63]).join(' ')).slice(0, length);
    const encoder = await sharedGzip()();
    expect(sha256(concatBytes([await encoder.write(piece), await encoder.finish()]))).toBe(digest);
  });
});

describeWith(['cpio', 'gzip'], 'GNU gzip and cpio', () => {
  test('unpack archives of runs', async () => {
    const packed = await archive(config('host'), { compression: sharedGzip() });
    output('gzip', ['-t'], { input: packed });
    const unpacked = output('gzip', ['-dc'], { input: packed });
    expect(output('cpio', ['--quiet', '-t'], { input: unpacked }).toString()).toBe('config.ign\n');
  });
});
