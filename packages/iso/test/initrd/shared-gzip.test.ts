import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { compose } from '../../src/bytes/compose.ts';
import { plain, sharedGzip } from '../../src/initrd/encoders.ts';
import { archive, noise, utf8 } from './archives.ts';

const COMMON = utf8('all hosts have this line in common\n'.repeat(400));
const config = (own: string) => [{ path: 'config.ign', content: compose([COMMON, utf8(own), COMMON]) }];

test('an archive of shared and own parts unpacks to the archive', async () => {
  const compression = sharedGzip();
  for (const own of ['', 'host-1', 'host-2'.repeat(1000)]) {
    const packed = await archive(config(own), { compression });
    expect(gunzipSync(packed)).toEqual(Buffer.from(await archive(config(own), { compression: plain })));
    expect(packed.length).toBeLessThan(2000);
  }
});

test('the bytes are the same whatever was compressed before', async () => {
  const compression = sharedGzip();
  await archive(config('another host'), { compression });
  expect(await archive(config('host'), { compression })).toEqual(
    await archive(config('host'), { compression: sharedGzip() }),
  );
});

test('any pieces, short and long, come out again', async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    // Around the lengths from which on runs stand by themselves, and what is between them is compressed.
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

describeWith(['cpio', 'gzip'], 'GNU gzip and cpio', () => {
  test('unpack what runs were put together to', async () => {
    const packed = await archive(config('host'), { compression: sharedGzip() });
    output('gzip', ['-t'], { input: packed });
    const unpacked = output('gzip', ['-dc'], { input: packed });
    expect(output('cpio', ['--quiet', '-t'], { input: unpacked }).toString()).toBe('config.ign\n');
  });
});
