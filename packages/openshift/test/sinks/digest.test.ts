import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isOverlay } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { buildNodesImage } from '@coreiso/openshift';
import { expect, test } from 'vitest';
import { digestOf } from '../../src/sinks/digest.ts';

import { baseFile, imagesOf, openBase, planOf } from './support.ts';

test('gives each host the names, bytes and report of nodes image --per-host', async () => {
  const base = await sampleIso();
  const now = (): Date => new Date(1e12);
  const { outputs: all, report } = await buildNodesImage(base, planOf(3), { perHost: true, now });
  const images = await imagesOf(base, planOf(3), { now });
  let position = 0;
  for await (const { host, outputs } of images) {
    const [file] = outputs;
    const expected = all[position]!;
    expect([host, file?.name]).toEqual([`worker-${position}`, expected.name]);
    const bytes = await file!.source.read(0, file!.source.size);
    expect(Buffer.from(bytes).equals(await expected.source.read(0, expected.source.size))).toBe(true);
    position++;
  }
  expect(position).toBe(3);
  expect(await images.report()).toEqual(report);
});

test.each([
  ['pxe', ['node.x86_64-rootfs.img', 'node.x86_64-vmlinuz'], 'worker-0.x86_64.ipxe'],
  ['minimal-iso', ['node.x86_64-rootfs.img'], 'worker-0.x86_64.iso'],
] as const)('puts shared files first with form %s, and files that name others last', async (form, shared, last) => {
  const all = [];
  for await (const image of await imagesOf(await sampleIso(), planOf(2), { form })) all.push(image);
  expect(all.map(({ host }) => host)).toEqual([undefined, 'worker-0', 'worker-1']);
  expect(all[0]?.outputs.map(({ name }) => name).toSorted()).toEqual(shared);
  expect(all[1]?.outputs.at(-1)?.name).toBe(last);
});

test('keeps only the area of each image in memory, for any number of hosts', async () => {
  const base = await openBase(await baseFile(24 << 20));
  let hosts = 0;
  for await (const { outputs } of await imagesOf(base, planOf(50))) {
    const source = outputs[0]!.source;
    expect(isOverlay(source) && source.base === base).toBe(true);
    expect(isOverlay(source) && source.patches).toHaveLength(1);
    hosts++;
  }
  expect(hosts).toBe(50);
});

test('forgets an image that is no longer referenced', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const seen: WeakRef<object>[] = [];
  const images = await imagesOf(await openBase(await baseFile(0)), planOf(100));
  for await (const { outputs } of images) seen.push(new WeakRef(outputs[0]!.source));
  // A WeakRef that was made or read keeps its target until the end of the current job.
  await new Promise((done) => setImmediate(done));
  collectGarbage();
  expect(seen.filter((image) => image.deref() !== undefined).length).toBeLessThan(5);
  expect(await images.report()).toBeDefined();
});

test('depends on base, plan and version, and nothing else', async () => {
  const digest = async (size: number, expires?: string): Promise<string> => {
    const images = await imagesOf(await sampleIso({ size }), planOf(1, expires));
    for await (const { outputs } of images) return digestOf(outputs[0]!);
    return '';
  };
  expect(await digest(0)).toBe(await digest(0));
  expect(await digest(0)).toMatch(/^1-[0-9a-f]{32}$/);
  expect(await digest(0, '2031-01-31T12:00:00Z')).not.toBe(await digest(0));
  expect(await digest(40 << 20)).not.toBe(await digest(0));
});

test('refuses a base without an identity', async () => {
  const sample = await sampleIso();
  const anonymous = { size: sample.size, read: sample.read.bind(sample) };
  for await (const { outputs } of await imagesOf(anonymous, planOf(1))) {
    await expect(digestOf(outputs[0]!)).rejects.toMatchObject({ code: 'OPENSHIFT_NO_IDENTITY' });
  }
});

test('stops at a wrong base before the first image', async () => {
  const opening = imagesOf(await sampleIso(), planOf(1), { baseSha256: '0'.repeat(64) });
  await expect(opening).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BASE' });
});

test.each([
  ['base', () => imagesOf(undefined as never, planOf(1))],
  ['plan', () => imagesOf({ size: 0, read: async () => new Uint8Array() }, {} as never)],
])('names the misused parameter %s', async (name, call) => {
  await expect(call()).rejects.toThrow(new RegExp(`^${name} must be`));
});
