import zlib from 'node:zlib';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Compression } from '../../src/initrd/archive-format.ts';
import { gzip } from '../../src/initrd/encoders.ts';
import { nativeGzip } from '../../src/node/native-gzip.ts';
import { noise } from '../initrd/archives.ts';

async function encoded(compression: Compression, writes: readonly Uint8Array[]): Promise<Uint8Array> {
  const encoder = await compression();
  const parts: Uint8Array[] = [];
  for (const bytes of writes) parts.push(await encoder.write(bytes), await encoder.endBlock());
  return Buffer.concat([...parts, await encoder.finish()]);
}

/** Words with few letters repeat at every distance; random bytes never do. */
const chunk = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'abc', 'abcd', ' '), maxLength: 3000 }).map((s) => Buffer.from(s)),
  fc.string({ maxLength: 2000 }).map((s) => Buffer.from(s)),
  fc.uint8Array({ maxLength: 5000 }),
  fc.nat(5000).map((length) => new Uint8Array(length)),
);

test('gives the same bytes as pako, for any input and pieces', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), async (writes) => {
      expect(await encoded(nativeGzip, writes)).toEqual(await encoded(gzip, writes));
    }),
  );
});

test.each([
  ['words', Buffer.from('the same words again and again; '.repeat(40_000))],
  ['base64', Buffer.from(Buffer.from(noise('b', 600_000)).toString('base64'))],
  ['noise', noise('n', 700_000)],
  ['zeros', new Uint8Array(1_000_000)],
])('gives the same bytes as pako for a large member of %s', async (_, bytes) => {
  const writes = [bytes.subarray(0, 110), bytes.subarray(110, 140_000), bytes.subarray(140_000)];
  const ours = await encoded(nativeGzip, writes);
  expect(Buffer.compare(ours, await encoded(gzip, writes))).toBe(0);
});

// Otherwise the tests above would compare pako with itself.
test.skipIf(process.config.variables.node_shared_zlib)('is not pako if Node has its own zlib', async () => {
  const [small, large] = [vi.spyOn(zlib, 'gzipSync'), vi.spyOn(zlib, 'createGzip')];
  await encoded(nativeGzip, [new Uint8Array(1)]);
  await encoded(nativeGzip, [new Uint8Array(1_000_000)]);
  expect([small.mock.calls.length, large.mock.calls.length]).toEqual([1, 1]);
});
