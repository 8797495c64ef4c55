// Owners of objects and uploads: only those that a fleet made, or began, are aborted or removed.
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

/** A run that is killed while it sends an object whose key contains `what`. */
async function killedAt(what: string): Promise<void> {
  let isKilled = false;
  store.before = (command, { Key = '' }) => {
    isKilled ||= command === 'UploadPart' && Key.includes(what);
    if (isKilled) throw new Error('the process is gone');
  };
  await expect(write()).rejects.toMatchObject({ code: 'OPENSHIFT_STORE_FAILED' });
  store.before = () => undefined;
}

/** The store's copy of the image after it is assembled. */
function harmWhenDone(harm: (bytes: Uint8Array) => Uint8Array): void {
  let isDone = false;
  store.before = (command, { Key = '' }) => {
    const there = store.objects.get(IMAGE);
    if (isDone && there !== undefined) store.objects.set(IMAGE, { ...there, bytes: harm(there.bytes) });
    isDone = command === 'CompleteMultipartUpload' && Key === IMAGE;
  };
}

function changed(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at, (bytes[at] ?? 0) ^ 1);
}

async function told(listing: AsyncIterable<StoredObject>): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind, location } of listing) found.push(`${kind} ${location.replace('s3://images/', '')}`);
  return found;
}

const prune = (prefix: string, options: object = {}): Promise<string[]> =>
  told(pruneFleet(store.client, { bucket: 'images', prefix, ...options }));

test('refuses an object whose size the store does not report', async () => {
  const client = { send: async () => ({ ETag: '"a"' }) } as unknown as FakeStore['client'];
  await expect(s3Source(client, { bucket: 'images', key: 'a.iso' })).rejects.toMatchObject({
    code: 'OPENSHIFT_STORE_FAILED',
    message: 'cannot look at s3://images/a.iso: the store did not report its size',
  });
});

describe('an object as a base', () => {
  const SMALL = 3 << 20;
  const open = async () => {
    store.objects.set('a.iso', { bytes: new Uint8Array(SMALL).fill(7), metadata: {} });
    return s3Source(store.client, { bucket: 'images', key: 'a.iso' }, { retries: 0 });
  };

  test('is read in pieces of a mebibyte, and only within its size', async () => {
    const source = await open();
    expect([source.size, source.pieceSize]).toEqual([SMALL, 1 << 20]);
    expect(await source.read(SMALL - 2, 2)).toEqual(Uint8Array.of(7, 7));
    expect(await source.read(SMALL, 0)).toEqual(new Uint8Array(0));
    expect(store.log).toEqual(['HeadObject a.iso', 'GetObject a.iso']);
    for (const [offset, length] of [
      [-1, 1],
      [0, -1],
      [SMALL - 1, 2],
    ] as const)
      await expect(source.read(offset, length)).rejects.toThrow(`offset must be inside the object, not ${offset}`);
  });

  test.each([
    [412, 'PreconditionFailed', 'OPENSHIFT_BASE_CHANGED', 's3://images/a.iso was changed'],
    [416, 'InvalidRange', 'OPENSHIFT_BASE_CHANGED', 's3://images/a.iso was changed'],
    [400, 'InvalidRange', 'OPENSHIFT_BASE_CHANGED', 's3://images/a.iso was changed'],
    [404, 'NoSuchKey', 'OPENSHIFT_NO_BASE', 's3://images/a.iso is gone'],
    [
      403,
      'AccessDenied',
      'OPENSHIFT_STORE_DENIED',
      'cannot read s3://images/a.iso: the store answers 403 AccessDenied',
    ],
  ])('reports an answer %i %s as %s', async (status, Code, code, message) => {
    const source = await open();
    store.before = () => {
      throw Object.assign(new Error(), { Code, $metadata: { httpStatusCode: status } });
    };
    await expect(source.read(0, 1)).rejects.toMatchObject({ code, message, file: 'a.iso' });
  });

  test('that does not exist is refused', async () => {
    const opening = s3Source(store.client, { bucket: 'images', key: 'b.iso' });
    await expect(opening).rejects.toMatchObject({
      ...{ code: 'OPENSHIFT_NO_BASE', file: 'b.iso' },
      message: 's3://images/b.iso does not exist',
    });
  });

  test('retries a read that returns too few bytes, then gives up', async () => {
    const source = await open();
    store.objects.set('a.iso', { bytes: new Uint8Array(1), metadata: {} });
    await expect(source.read(0, 2)).rejects.toMatchObject({ code: 'OPENSHIFT_STORE_FAILED' });
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

  test.each(['', 'site-a/'])('with %j aborts the uploads of a killed run, and nothing else', async (prefix) => {
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

  test('lists objects that vanish meanwhile as those of other programs', async () => {
    await write();
    store.before = (command, { Key = '' }) => {
      if (command === 'HeadObject') store.objects.delete(Key);
    };
    const listed: StoredObject[] = [];
    for await (const one of listFleet(store.client, { bucket: 'images', prefix: 'site-a/w' })) listed.push(one);
    expect(listed).toEqual([{ kind: 'other', location: `s3://images/${IMAGE}`, size: SIZE }]);
  });

  test('ignores records that another program wrote', async () => {
    const id = store.begin('site-a/theirs.bin');
    store.put(recordOf('site-a/', { key: 'site-a/theirs.bin', id }), '');
    expect(await prune('site-a/', { remove: 'all' })).toEqual([]);
    expect([store.unfinished, store.objects.size]).toEqual([['site-a/theirs.bin'], 1]);
  });
});

describe('writing', () => {
  test("aborts a killed run's upload of the same object, and leaves those of others", async () => {
    await killedAt('worker-0');
    store.begin(IMAGE);
    await write();
    expect(store.uploads.map(({ id }) => id)).toEqual([expect.stringMatching(/^other/)]);
    expect([...store.objects.keys()].sort()).toEqual([expect.stringContaining('.coreiso/base/'), IMAGE]);
  });

  test('records an upload before its first part, and removes the record at its end', async () => {
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

  test('succeeds although the record cannot be removed', async () => {
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

  test.each([
    ['another length', (bytes: Uint8Array) => bytes.subarray(1), `it has ${SIZE - 1} bytes, not ${SIZE}`],
    ['another end', (bytes: Uint8Array) => changed(bytes, SIZE - 1), `the bytes from ${SIZE - 65536} on differ`],
  ])('fails for an object with %s, and removes it', async (_, harm, what) => {
    harmWhenDone(harm);
    await expect(write()).rejects.toMatchObject({
      ...{ code: 'OPENSHIFT_WRONG_BYTES', file: 'worker-0.x86_64.iso' },
      message: `s3://images/${IMAGE} is not what was stored: ${what}`,
    });
    expect(store.objects.has(IMAGE)).toBe(false);
  });

  test('reads back the start of the first sent part, and its end', async () => {
    for (const edge of [0, 65535]) {
      store = new FakeStore();
      let sent: [number, number] = [0, 0];
      let at = 0;
      store.before = (command, { Key, Body, CopySourceRange }) => {
        if (Key !== IMAGE || !/^UploadPart/.test(command)) return;
        const [, from = 0, to = -1] = /(\d+)-(\d+)/.exec(CopySourceRange ?? '') ?? [];
        const length = Body === undefined ? Number(to) - Number(from) + 1 : Body.length;
        if (Body !== undefined && sent[1] === 0) sent = [at, at + length];
        at += length;
      };
      await write();
      const [begin, end] = sent;
      store = new FakeStore();
      harmWhenDone((bytes) => changed(bytes, edge === 0 ? begin : end - 1));
      await expect(write()).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BYTES' });
    }
  });

  test('fails for a missing object', async () => {
    let isDone = false;
    store.before = (command, { Key = '' }) => {
      if (isDone && command === 'HeadObject') store.objects.delete(Key);
      isDone ||= command === 'CompleteMultipartUpload' && Key === IMAGE;
    };
    await expect(write()).rejects.toMatchObject({
      ...{ code: 'OPENSHIFT_STORE_FAILED', file: 'worker-0.x86_64.iso' },
      message: `s3://images/${IMAGE} is not there`,
    });
  });

  test('leaves an object that another program has put there meanwhile', async () => {
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
])('identifies the upload by a record under %j for %j and %j', (prefix, key, id) => {
  expect(recordedUpload(recordOf(prefix, { key, id }))).toEqual({ key, id });
});

test.each(['x', 'site-a/.coreiso/base/1.iso', '.coreiso/uploads/x', '.coreiso/uploads/%/x', 'my.coreiso/uploads/1/x'])(
  '%j is not a record',
  (key) => {
    expect(recordedUpload(key)).toBeUndefined();
  },
);
