// Results of a fleet in a store, and the work that a second run repeats.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { compose, slice } from '@coreiso/iso';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Bucket } from '../../src/s3/bucket.ts';
import { listFleet, pruneFleet, type StoredObject, s3Sink, s3Source } from '../../src/s3/index.ts';
import { planParts } from '../../src/s3/parts.ts';
import { servedFiles } from '../../src/sinks/http.ts';
import type { Stored } from '../../src/sinks/sink.ts';
import { baseFile, collect, imagesOf, openBase, planOf } from '../sinks/support.ts';
import { FakeStore } from './fake-store.ts';

const SIZE = 12 << 20;
const PLACE = { bucket: 'images', prefix: 'site-a/' };

let path: string;
let store: FakeStore;
beforeAll(async () => {
  path = await baseFile(SIZE);
});
afterAll(() => rmSync(dirname(path), { recursive: true }));
beforeEach(() => {
  store = new FakeStore();
});

const sink = (options: object = {}) => s3Sink(store.client, { ...PLACE, retries: 0, parallel: 1, ...options });
const write = async (hosts = 2, options: object = {}, expires?: string): Promise<Stored[]> =>
  collect(sink(options), await imagesOf(await openBase(path), planOf(hosts, expires)));
const told = async (listing: AsyncIterable<StoredObject>): Promise<StoredObject[]> => {
  const found: StoredObject[] = [];
  for await (const one of listing) found.push(one);
  return found;
};

describe('a run', () => {
  test('yields every image, then the base that it sent', async () => {
    const stored = await write();
    const of = (host: string | undefined, name: string) => ({
      ...{ name, host, location: `s3://images/site-a/${name}`, size: SIZE, outcome: 'written' },
    });
    expect(stored).toMatchObject([
      of('worker-0', 'worker-0.x86_64.iso'),
      of('worker-1', 'worker-1.x86_64.iso'),
      of(undefined, `.coreiso/base/${stored[2]?.digest}.iso`),
    ]);
    expect(stored.map(({ digest }) => /^1-[0-9a-f]{32}$/.test(digest))).toEqual([true, true, true]);
    expect(new Set(stored.map(({ digest }) => digest)).size).toBe(3);
    expect(stored[2]?.sent).toBe(SIZE);
    for (const { sent } of stored.slice(0, 2)) expect([sent > 0, sent < SIZE]).toEqual([true, true]);
  });

  test('skips finished work, and reports it', async () => {
    const before = await write();
    store.log.length = 0;
    const again = await write();
    expect(again).toEqual(before.slice(0, 2).map((one) => ({ ...one, outcome: 'present', sent: 0 })));
    expect(store.log.filter((line) => /^(?:Put|Upload|Create|Complete|Delete)/.test(line))).toEqual([]);
  });

  test('writes objects again that have another digest, size or base', async () => {
    await write(1);
    const key = 'site-a/worker-0.x86_64.iso';
    const whole = store.objects.get(key);
    if (whole === undefined) throw new Error('there is no image');
    for (const harmed of [
      { ...whole, bytes: whole.bytes.subarray(1) },
      { ...whole, metadata: { ...whole.metadata, 'coreiso-digest': '1-0' } },
      { ...whole, metadata: { ...whole.metadata, 'coreiso-base': 'another' } },
    ]) {
      store.objects.set(key, harmed);
      expect((await write(1)).map(({ outcome }) => outcome)).toEqual(['written']);
      expect(store.objects.get(key)?.bytes.length).toBe(SIZE);
    }
  });

  test('replaces objects of others only if requested', async () => {
    store.put('site-a/worker-0.x86_64.iso', 'of somebody');
    await expect(write(1)).rejects.toMatchObject({
      ...{ code: 'OPENSHIFT_OUTPUT_EXISTS', file: 'worker-0.x86_64.iso' },
      message: 's3://images/site-a/worker-0.x86_64.iso exists and belongs to no fleet',
    });
    expect((await write(1, { replace: 'any' }))[0]?.outcome).toBe('written');
  });

  test.each([
    ['is another', 'OPENSHIFT_BASE_CHANGED', 's3://images/base.iso was changed', () => store.put('base.iso', 'x')],
    ['is gone', 'OPENSHIFT_NO_BASE', 's3://images/base.iso is gone', () => void store.objects.delete('base.iso')],
  ])('fails if the base %s after its parts are copied', async (_, code, message, harm) => {
    const file = await openBase(path);
    store.objects.set('base.iso', { bytes: await file.read(0, SIZE), metadata: {} });
    const base = await s3Source(store.client, { bucket: 'images', key: 'base.iso' });
    const images = await imagesOf(base, planOf(1));
    let copied = 0;
    store.before = (command) => {
      if (command === 'UploadPartCopy') copied++;
      else if (copied > 0 && command === 'HeadObject') harm();
    };
    await expect(collect(sink(), images)).rejects.toMatchObject({ code, message });
    expect(store.objects.has('site-a/worker-0.x86_64.iso')).toBe(false);
    expect(store.unfinished).toEqual([]);
  });
});

describe('prune', () => {
  test('removes a base that no image was made from, and no other', async () => {
    await write(1);
    const [used = ''] = [...store.objects.keys()].filter((key) => key.includes('/base/'));
    const kept = store.objects.get(used);
    if (kept === undefined) throw new Error('there is no base');
    const unused = 'site-a/.coreiso/base/1-0.iso';
    store.objects.set(unused, { bytes: kept.bytes.subarray(0, 7), metadata: kept.metadata });
    expect(await told(pruneFleet(store.client, PLACE))).toEqual([
      { kind: 'base', location: `s3://images/${unused}`, size: 7, digest: kept.metadata['coreiso-digest'] },
    ]);
    expect([store.objects.has(used), store.objects.has(unused)]).toEqual([true, false]);
    const listed = await told(listFleet(store.client, PLACE));
    expect(listed.map(({ kind }) => kind).sort()).toEqual(['base', 'image']);
  });

  test('removes the whole fleet on request, and nothing in a dry run', async () => {
    await write(2);
    const all = [...store.objects.keys()].sort();
    const pretended = await told(pruneFleet(store.client, { ...PLACE, remove: 'all', pretend: true }));
    expect(pretended.map(({ location }) => location.replace('s3://images/', '')).sort()).toEqual(all);
    expect([...store.objects.keys()].sort()).toEqual(all);
    await told(pruneFleet(store.client, { ...PLACE, remove: 'all' }));
    expect(store.objects.size).toBe(0);
  });
});

describe('lists of a store', () => {
  /** A client that gives these answers in order, and the requests it received. */
  function pages(answers: readonly object[]) {
    const asked: object[] = [];
    const client = { send: async ({ input }: { input: object }) => answers[asked.push(input) - 1] ?? {} };
    return { bucket: new Bucket(client as never, 'images'), asked };
  }
  const all = async (listing: AsyncIterable<unknown>): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const one of listing) found.push(one);
    return found;
  };
  const upload = (Key: string | undefined, UploadId?: string) => ({ Key, UploadId });

  test('of uploads are read to their end', async () => {
    const { bucket, asked } = pages([
      {
        Uploads: [upload('a/1', 'x'), upload('b', 'y')],
        IsTruncated: true,
        NextKeyMarker: 'b',
        NextUploadIdMarker: 'y',
      },
      { Uploads: [upload('a/2', 'z'), upload('a/3'), upload(undefined, 'w')], IsTruncated: false, NextKeyMarker: 'c' },
    ]);
    expect(await all(bucket.uploads('a/'))).toEqual([
      { key: 'a/1', id: 'x' },
      { key: 'a/2', id: 'z' },
    ]);
    expect(asked).toEqual([
      { Bucket: 'images', Prefix: 'a/' },
      { Bucket: 'images', Prefix: 'a/', KeyMarker: 'b', UploadIdMarker: 'y' },
    ]);
  });

  test.each([undefined, ''])('of uploads end if a store reports more without a marker: %j', async (marker) => {
    const { bucket, asked } = pages([{ IsTruncated: true, NextKeyMarker: marker }]);
    expect(await all(bucket.uploads(''))).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test('of objects are read to their end', async () => {
    const { bucket, asked } = pages([
      { Contents: [{ Key: 'a', Size: 7 }, { Size: 1 }], IsTruncated: true, NextContinuationToken: 't' },
      { Contents: [{ Key: 'b' }], IsTruncated: false, NextContinuationToken: 'u' },
    ]);
    expect(await all(bucket.objects('p'))).toEqual([
      { key: 'a', size: 7 },
      { key: 'b', size: 0 },
    ]);
    expect(asked).toEqual([
      { Bucket: 'images', Prefix: 'p' },
      { Bucket: 'images', Prefix: 'p', ContinuationToken: 't' },
    ]);
  });
});

test('sends everything without a base in the store', () => {
  const base = { size: 64 << 20, read: async () => new Uint8Array() };
  const parts = planParts(compose([slice(base, 0, 32 << 20)]), undefined, 'x');
  expect(parts.map(({ kind, start, length }) => [kind, start >> 20, length >> 20])).toEqual([
    ['sent', 0, 16],
    ['sent', 16, 16],
  ]);
  expect(planParts({ size: 0, read: base.read }, undefined, 'x')).toEqual([]);
  expect(planParts({ size: 7, read: base.read }, base, 'x')).toEqual([{ kind: 'sent', start: 0, length: 7 }]);
});

test('serves only files of the result of openImages', async () => {
  await expect(servedFiles({} as never)).rejects.toThrow('images must be what openImages returns');
});
