// Whose objects and uploads are whose: only what a fleet made, or began, is given up or removed.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listFleet, pruneFleet, type StoredObject, s3Sink, s3Source } from '../../src/s3/index.ts';
import { recordedUpload, recordOf } from '../../src/s3/upload-records.ts';
import { baseFile, collect, imagesOf, openBase, planOf } from '../sinks/support.ts';
import { FakeStore } from './fake-store.ts';

const SIZE = 12 << 20;
const IMAGE = 'site-a/worker-0.x86_64.iso';

let path: string;
let store: FakeStore;
beforeAll(async () => {
  path = await baseFile(SIZE);
});
afterAll(() => rmSync(dirname(path), { recursive: true }));
beforeEach(() => {
  store = new FakeStore();
});

const write = async (options: object = {}): Promise<unknown> =>
  collect(
    s3Sink(store.client, { bucket: 'images', prefix: 'site-a/', retries: 0, ...options }),
    await imagesOf(await openBase(path), planOf(1)),
  );

/** A run that is killed while it sends an object whose key has `what` in it. */
async function killedAt(what: string): Promise<void> {
  let isKilled = false;
  store.before = (command, { Key = '' }) => {
    isKilled ||= command === 'UploadPart' && Key.includes(what);
    if (isKilled) throw new Error('the process is gone');
  };
  await expect(write()).rejects.toMatchObject({ code: 'OPENSHIFT_STORE_FAILED' });
  store.before = () => undefined;
}

async function told(listing: AsyncIterable<StoredObject>): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind, location } of listing) found.push(`${kind} ${location.replace('s3://images/', '')}`);
  return found;
}

const prune = (prefix: string, options: object = {}): Promise<string[]> =>
  told(pruneFleet(store.client, { bucket: 'images', prefix, ...options }));

test('an object whose size the store does not report is refused', async () => {
  const client = { send: async () => ({ ETag: '"a"' }) } as unknown as FakeStore['client'];
  await expect(s3Source(client, { bucket: 'images', key: 'a.iso' })).rejects.toMatchObject({
    code: 'OPENSHIFT_STORE_FAILED',
    message: 'cannot look at s3://images/a.iso: the store did not report its size',
  });
});

describe('prune', () => {
  test('leaves the uploads of other programs alone, whatever their keys', async () => {
    await write();
    const others = ['backups/db.tar', 'site-a/.other-app/x.bin', IMAGE, 'site-a/.coreiso/base/x.iso'];
    for (const key of others) store.begin(key);
    expect(await prune('')).toEqual([]);
    expect(await prune('site-a/')).toEqual([]);
    expect((await prune('', { remove: 'all' })).sort()).toEqual([
      expect.stringMatching(/^image site-a\/\.coreiso\/base\//),
      `image ${IMAGE}`,
    ]);
    expect(store.unfinished).toEqual(others);
  });

  test.each(['', 'site-a/'])('of %j gives up what a killed run began, and nothing else', async (prefix) => {
    await killedAt('worker-0');
    store.begin(IMAGE);
    store.put('site-a/letter', 'of somebody');
    const listed = await told(listFleet(store.client, { bucket: 'images', prefix }));
    expect(listed.filter((each) => !each.includes('/base/'))).toEqual([
      'other site-a/letter',
      `upload ${IMAGE}`,
      `other ${IMAGE}`,
    ]);
    const before = [...store.objects.keys()];
    expect(await prune(prefix, { pretend: true })).toContain(`upload ${IMAGE}`);
    expect([store.uploads.length, [...store.objects.keys()]]).toEqual([2, before]);
    expect(await prune(prefix)).toContain(`upload ${IMAGE}`);
    expect(store.uploads.map(({ id }) => id)).toEqual([expect.stringMatching(/^other/)]);
    expect([...store.objects.keys()].filter((key) => key.includes('uploads'))).toEqual([]);
    expect(store.objects.has('site-a/letter')).toBe(true);
  });

  test('believes no record that somebody else has put there', async () => {
    const id = store.begin('site-a/theirs.bin');
    store.put(recordOf('site-a/', { key: 'site-a/theirs.bin', id }), '');
    expect(await prune('site-a/', { remove: 'all' })).toEqual([]);
    expect([store.unfinished, store.objects.size]).toEqual([['site-a/theirs.bin'], 1]);
  });
});

describe('writing', () => {
  test('gives up what a killed run began of the same object, and what others began stays', async () => {
    await killedAt('worker-0');
    store.begin(IMAGE);
    await write();
    expect(store.uploads.map(({ id }) => id)).toEqual([expect.stringMatching(/^other/)]);
    expect([...store.objects.keys()].sort()).toEqual([expect.stringContaining('.coreiso/base/'), IMAGE]);
  });

  test('records an upload before its first part, and forgets it with its end', async () => {
    await write();
    const about = store.log.filter((line) => line.includes('worker-0') && !/^(?:Head|Get)Object/.test(line));
    expect(about.map((line) => line.replace(/ .*uploads.*/, ' RECORD').replace(/ site-a.*/, ''))).toEqual([
      'CreateMultipartUpload',
      'PutObject RECORD',
      expect.stringMatching(/^UploadPart/),
      ...about.slice(3, -2).map(() => expect.stringMatching(/^UploadPart/)),
      'CompleteMultipartUpload',
      'DeleteObject RECORD',
    ]);
    expect(store.log.filter((line) => line.startsWith('ListMultipartUploads'))).toEqual([]);
  });

  test('is done although the record cannot be removed', async () => {
    store.before = (command) => {
      if (command === 'DeleteObject') throw Object.assign(new Error(), { $metadata: { httpStatusCode: 403 } });
    };
    await write();
    store.before = () => undefined;
    expect(store.objects.get(IMAGE)?.bytes.length).toBe(SIZE);
    const listed = await told(listFleet(store.client, { bucket: 'images', prefix: 'site-a/' }));
    expect(listed.map((each) => each.split(' ')[0]).sort()).toEqual(['base', 'image']);
    expect(await prune('site-a/')).toEqual([]);
    expect([...store.objects.keys()].filter((key) => key.includes('uploads'))).toEqual([]);
  });

  test('removes no object that another program has put there in the meantime', async () => {
    let isDone = false;
    store.before = (command, { Key = '' }) => {
      if (isDone && command === 'HeadObject' && Key === IMAGE) store.put(IMAGE, 'of somebody');
      isDone ||= command === 'CompleteMultipartUpload' && Key === IMAGE;
    };
    await expect(write()).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BYTES' });
    expect(Buffer.from(store.objects.get(IMAGE)?.bytes ?? '').toString()).toBe('of somebody');
  });
});

test.each([
  ['', 'w.iso', 'a/b+=~'],
  ['site-a/', 'site-a/.coreiso/base/1.iso', '..'],
  ['a b/', 'a b/c/d%20.iso', '%2F'],
])('a record under %j of %j and %j says which upload it is of', (prefix, key, id) => {
  expect(recordedUpload(recordOf(prefix, { key, id }))).toEqual({ key, id });
});

test.each(['x', 'site-a/.coreiso/base/1.iso', '.coreiso/uploads/x', '.coreiso/uploads/%/x', 'my.coreiso/uploads/1/x'])(
  '%j is no record',
  (key) => {
    expect(recordedUpload(key)).toBeUndefined();
  },
);
