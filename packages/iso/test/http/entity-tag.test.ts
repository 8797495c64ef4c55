import { type ByteSource, bytesSource, compose, identified, overlay, zeros } from '@coreiso/iso';
import { entityTag } from '@coreiso/iso/http';
import { expect, test } from 'vitest';

const BYTES = Uint8Array.from({ length: 5000 }, (_, index) => index % 251);

/** A remote base; `name()` is called each time. */
const base = (name: () => string, bytes = BYTES): ByteSource => identified(bytesSource(bytes), async () => name());
const patched = (source: ByteSource, ...bytes: number[]): ByteSource =>
  overlay(source, [{ offset: 100, bytes: Uint8Array.from(bytes) }]);

test('gives equal images one tag, as long as their base keeps its name', async () => {
  const image = patched(base(() => 'v1'));
  const tag = await entityTag(image);
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(await entityTag(image)).toBe(tag);
  expect(await entityTag(patched(base(() => 'v1')))).toBe(tag);
});

test('gives another tag if the base has another name, and the first tag again with the first name', async () => {
  let name = 'v1';
  const image = patched(
    base(() => name),
    1,
  );
  const first = await entityTag(image);
  name = 'v2';
  const second = await entityTag(image);
  expect(second).not.toBe(first);
  expect(await entityTag(image)).toBe(second);
  name = 'v1';
  expect(await entityTag(image)).toBe(first);
});

test('depends on each of several bases', async () => {
  let second = 'b1';
  const image = compose([base(() => 'a'), base(() => second)]);
  const before = await entityTag(image);
  second = 'b2';
  expect(await entityTag(image)).not.toBe(before);
});

test('differs for other patches, places, lengths and orders', async () => {
  const [a, b] = [base(() => 'a'), base(() => 'b')];
  const images = [
    a,
    b,
    patched(a, 1),
    patched(a, 2),
    patched(a, 1, 2),
    overlay(a, [{ offset: 101, bytes: Uint8Array.of(1) }]),
    overlay(a, [], { keep: 4999 }),
    compose([a, b]),
    compose([b, a]),
    compose([a, zeros(5)]),
    compose([a, zeros(6)]),
    compose([a, new Uint8Array(5)]),
  ];
  const tags = await Promise.all(images.map((image) => entityTag(image)));
  expect(new Set(tags).size).toBe(images.length);
});

test('gives no tag if a base has no name', async () => {
  const nameless: ByteSource = { size: 10, read: async (_, length) => new Uint8Array(length) };
  expect(await entityTag(compose([base(() => 'a'), nameless]))).toBeUndefined();
  expect(await entityTag(identified(bytesSource(BYTES), async () => undefined))).toBeUndefined();
});

test('reports a changed base, even for an image that had a tag', async () => {
  let isChanged = false;
  const image = patched(
    identified(bytesSource(BYTES), async () => {
      if (isChanged) throw new Error('the base was changed');
      return 'v1';
    }),
  );
  await entityTag(image);
  isChanged = true;
  await expect(entityTag(image)).rejects.toThrow('the base was changed');
});
