import { createHash } from 'node:crypto';
import { type ByteSource, bytesSource, compose, overlay, slice } from '@coreiso/iso';
import { expect, test } from 'vitest';
import { DigestCheck } from '../../src/images/digest-check.ts';

const BYTES = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 31) % 251);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

function counted(source: ByteSource): { source: ByteSource; bytes: () => number } {
  let total = 0;
  return {
    source: {
      size: source.size,
      read: (offset, length, signal) => {
        total += length;
        return source.read(offset, length, signal);
      },
    },
    bytes: () => total,
  };
}

async function drain(source: ByteSource, chunk = 128 * 1024): Promise<number> {
  let offset = 0;
  for (; offset < source.size; offset += chunk) await source.read(offset, Math.min(chunk, source.size - offset));
  return offset;
}

test('passes an output of the expected base, and reads the base once', async () => {
  const base = counted(bytesSource(BYTES));
  const check = new DigestCheck(base.source, SHA256.toUpperCase());
  const output = check.guard(overlay(check.source, [{ offset: 1_000_000, bytes: new Uint8Array(262_144) }]));
  await drain(output);
  expect(base.bytes()).toBe(BYTES.length);
});

test('withholds the last bytes of an output of another base', async () => {
  const check = new DigestCheck(bytesSource(BYTES.map((byte) => byte ^ 1)), SHA256);
  const output = check.guard(overlay(check.source, [{ offset: 0, bytes: BYTES.slice(0, 16) }]));
  await expect(output.read(0, output.size - 1)).resolves.toHaveLength(output.size - 1);
  await expect(output.read(output.size - 1, 1)).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BASE' });
});

test.each([
  ['a part from the middle', (base: ByteSource) => slice(base, 3_000_000, 1000)],
  ['bytes that are none of the base', () => bytesSource(new Uint8Array(10))],
  ['parts in another order', (base: ByteSource) => compose([slice(base, 2_000_000, 99), slice(base, 0, 77)])],
])('also withholds an output of %s', async (_, make) => {
  const wrong = new DigestCheck(bytesSource(BYTES.map((byte) => byte ^ 1)), SHA256);
  await expect(drain(wrong.guard(make(wrong.source)))).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BASE' });
  const right = new DigestCheck(bytesSource(BYTES), SHA256);
  await expect(drain(right.guard(make(right.source)))).resolves.toBeGreaterThan(0);
});

test('hashes correctly when reads overlap or overtake each other', async () => {
  const check = new DigestCheck(bytesSource(BYTES), SHA256);
  const output = check.guard(check.source);
  await Promise.all([output.read(100, 300_000), output.read(0, 200_000), output.read(250_000, 700_000)]);
  await expect(drain(output, 999_983)).resolves.toBeGreaterThan(0);
});

test('refuses an invalid checksum at once', () => {
  expect(() => new DigestCheck(bytesSource(BYTES), 'abc')).toThrow(TypeError);
});
