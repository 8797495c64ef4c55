import zlib, { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import type { IsoError } from '../../src/errors.ts';
import { type ReadArchivesOptions, readArchives } from '../../src/initrd/archive-reader.ts';
import { sourceReader } from '../../src/initrd/byte-reader.ts';
import { gunzip, type Inflate } from '../../src/initrd/gunzip.ts';
import { nativeInflate } from '../../src/node/native.ts';
import { archive, collect, noise } from '../initrd/archives.ts';

/** The outcome for a gzip member with data after it: the unpacked bytes, the failure, and the end of reading. */
async function outcome(bytes: Uint8Array, inflate?: Inflate): Promise<unknown> {
  const input = sourceReader(bytesSource(bytes));
  try {
    const unpacked = await collect(gunzip(input, inflate));
    return { unpacked: Buffer.from(unpacked).toString('hex'), end: input.position };
  } catch (error) {
    const { code, message, offset } = error as IsoError;
    return { code, message, offset };
  }
}

const content = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'abc', ' '), maxLength: 2000 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 1000 }),
  fc.nat(3000).map((length) => new Uint8Array(length)),
);
const member = fc
  .tuple(content, fc.record({ level: fc.integer({ min: 0, max: 9 }), strategy: fc.integer({ min: 0, max: 4 }) }))
  .map(([bytes, options]) => gzipSync(bytes, options));
const behind = fc.oneof(fc.constant(new Uint8Array(500)), fc.uint8Array({ maxLength: 50 }), member);

test('unpacks the same as the library, up to the same byte', async () => {
  await fc.assert(
    fc.asyncProperty(member, behind, async (packed, rest) => {
      const bytes = Buffer.concat([packed, rest]);
      expect(await outcome(bytes, nativeInflate)).toEqual(await outcome(bytes));
    }),
  );
});

test('leaves errors for damaged and truncated members to the library', async () => {
  const damage = fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(member, damage, fc.option(fc.nat(3000)), async (packed, changes, cut) => {
      const bytes = Uint8Array.from(packed).subarray(0, cut ?? packed.length);
      for (const [at, value] of changes) if (at < bytes.length && at > 1) bytes[at] = value;
      expect(await outcome(bytes, nativeInflate)).toEqual(await outcome(bytes));
    }),
    { numRuns: 500 },
  );
});

async function pathsOf(bytes: Uint8Array, options?: ReadArchivesOptions): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of readArchives(bytesSource(bytes), options)) paths.push(path);
  return paths;
}

test('keeps adjacent archives separate', async () => {
  const bytes = Buffer.concat([
    await archive([{ path: 'one', content: noise('one', 2000) }]),
    await archive([{ path: 'two', content: noise('two', 2_000_000) }]),
    new Uint8Array(7),
    await archive([{ path: 'three', content: new Uint8Array(20_000_000) }]),
  ]);
  expect(await pathsOf(bytes, { inflate: nativeInflate })).toEqual(['one', 'two', 'three']);
});

test('respects the unpack limit', async () => {
  const bytes = await archive([{ path: 'zeros', content: new Uint8Array(1_000_000) }]);
  await expect(pathsOf(bytes, { inflate: nativeInflate, limit: 500_000 })).rejects.toMatchObject({
    code: 'ISO_UNPACK_LIMIT',
  });
});

// Otherwise the tests above would compare the library with itself.
test('is zlib', async () => {
  const unpacking = vi.spyOn(zlib, 'inflateRawSync');
  expect(await outcome(gzipSync('text'), nativeInflate)).toEqual(await outcome(gzipSync('text')));
  expect(unpacking).toHaveBeenCalledOnce();
});
