import { createHash } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { toReadableStream } from '@coreiso/iso';
import { fileSource } from '@coreiso/iso/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Random } from '../../../../test/support/random.ts';
import { type Fault, Relay, StoreEngine, type StoreName } from '../../../../test/support/stores.ts';
import { listFleet, presignedUrl, pruneFleet, type StoredObject, s3Sink, s3Source } from '../../src/s3/index.ts';
import type { Stored } from '../../src/sinks/sink.ts';
import { baseFile, collect, imagesOf, openBase, planOf } from '../sinks/support.ts';

/** Random faults of requests; each also has its own test. */
const MIXTURE: readonly Fault[] = [
  { status: 500, code: 'InternalError' },
  { status: 503, code: 'SlowDown', headers: { 'retry-after': '0' } },
  'cut',
  'cut-answer',
  'late',
  'twice',
];
const SEED = Number(process.env['COREISO_SEED'] ?? 1);
const MIB = 1 << 20;
const SIZE = 24 * MIB;
const HOSTS = 4;

/** Tests that apply to every store. Returns the engine, for tests of one store. */
export function storeTests(name: StoreName): { readonly setup: () => Setup } {
  let setup: Setup;
  let path: string;
  let round = 0;

  beforeAll(async () => {
    const engine = await StoreEngine.start(name);
    const relay = await Relay.start(engine.endpoint);
    const client = clientOf(engine, relay.endpoint);
    const bucket = 'images';
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    setup = { engine, relay, client, bucket, prefix: () => `${name}-${round}/` };
    path = await baseFile(SIZE);
  }, 240_000);
  afterEach(() => {
    setup.relay.fault = () => undefined;
    setup.relay.sent.clear();
    round++;
  });
  afterAll(async () => {
    setup.client.destroy();
    await setup.relay.stop();
    await setup.engine.stop();
  });

  const sinkOf = (options: Partial<Parameters<typeof s3Sink>[1]> = {}) =>
    s3Sink(setup.client, { bucket: setup.bucket, prefix: setup.prefix(), retries: 2, ...options });

  test('stores every image exactly, sends only a few megabytes, and finds it present the second time', async () => {
    const base = await openBase(path);
    const images = await imagesOf(base, planOf(HOSTS));
    const stored = await collect(sinkOf(), images);
    const sentBase = stored.find(({ name }) => name.startsWith('.coreiso/base/'));
    expect(stored.map(({ outcome }) => outcome)).toEqual(Array(HOSTS + 1).fill('written'));
    expect(sentBase).toMatchObject({ host: undefined, size: SIZE, sent: SIZE });
    for await (const { outputs } of images) {
      const [file] = outputs;
      const key = `${setup.prefix()}${file!.name}`;
      expect(await digestOfObject(setup, key)).toBe(await digestOfSource(file!.source));
      expect(setup.relay.sent.get(`/${setup.bucket}/${key}`)).toBeLessThan(6 * MIB);
      expect(setup.relay.sent.get(`/${setup.bucket}/${key}`)).toBeGreaterThanOrEqual(stored[0]!.sent);
    }
    expect(await unfinished(setup)).toEqual([]);
    setup.relay.sent.clear();
    const again = await collect(sinkOf(), await imagesOf(base, planOf(HOSTS)));
    expect(again.map(({ outcome, sent }) => [outcome, sent])).toEqual(Array(HOSTS).fill(['present', 0]));
    expect([...setup.relay.sent.values()].reduce((sum, bytes) => sum + bytes, 0)).toBe(0);
  });

  test('leaves a base in the store, and copies PXE sets and minimal images from it', async () => {
    await using file = await fileSource(path);
    const key = `${setup.prefix()}base.iso`;
    const Body = await file.read(0, file.size);
    await setup.client.send(new PutObjectCommand({ Bucket: setup.bucket, Key: key, Body }));
    setup.relay.sent.clear();
    const base = await s3Source(setup.client, { bucket: setup.bucket, key });
    for (const form of ['pxe', 'minimal-iso'] as const) {
      const images = await imagesOf(base, planOf(1), { form });
      await collect(sinkOf({ prefix: `${setup.prefix()}${form}/` }), images);
      for await (const { outputs } of images) {
        for (const { name: output, source } of outputs) {
          const there = await digestOfObject(setup, `${setup.prefix()}${form}/${output}`);
          expect([output, there]).toEqual([output, await digestOfSource(source)]);
        }
      }
    }
    // The root file system is nearly all of the base, and was copied.
    const rootfs = setup.relay.sent.get(`/${setup.bucket}/${setup.prefix()}pxe/node.x86_64-rootfs.img`) ?? 0;
    expect(rootfs).toBeLessThan(MIB);
  });

  test('replaces objects of another plan, and not those of other programs', async () => {
    const base = await openBase(path);
    const key = `${setup.prefix()}worker-0.x86_64.iso`;
    await setup.client.send(new PutObjectCommand({ Bucket: setup.bucket, Key: key, Body: 'a letter' }));
    const writing = collect(sinkOf(), await imagesOf(base, planOf(1)));
    await expect(writing).rejects.toMatchObject({ code: 'OPENSHIFT_OUTPUT_EXISTS', file: 'worker-0.x86_64.iso' });
    await collect(sinkOf({ replace: 'any' }), await imagesOf(base, planOf(1)));
    const before = await digestOfObject(setup, key);
    const [stored] = await collect(sinkOf(), await imagesOf(base, planOf(1, '2031-01-01T00:00:00Z')));
    expect(stored?.outcome).toBe('written');
    expect(await digestOfObject(setup, key)).not.toBe(before);
  });

  test('ends in the same objects after a run that stops anywhere and is repeated', async () => {
    const base = await openBase(path);
    let broken = 0;
    for (let fate = 1; fate < 40; fate += 4) {
      let requests = 0;
      // As if the process were killed: from here on no request reaches the store.
      setup.relay.fault = () => (++requests > fate ? 'cut' : undefined);
      const sink = sinkOf({ retries: 0, parallel: 1 + (fate % 3) });
      await collect(sink, await imagesOf(base, planOf(3))).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'OPENSHIFT_STORE_FAILED' });
        broken++;
      });
      setup.relay.fault = () => undefined;
      // A part that the store still writes would outlive the next run's abort of its upload.
      await setup.relay.idle();
      for (const { size } of await objects(setup)) expect(size).toBe(SIZE);
    }
    expect(broken).toBeGreaterThan(3);
    const images = await imagesOf(base, planOf(3));
    await collect(sinkOf(), images);
    for await (const { outputs } of images) {
      const there = await digestOfObject(setup, `${setup.prefix()}${outputs[0]!.name}`);
      expect(there).toBe(await digestOfSource(outputs[0]!.source));
    }
    expect(await unfinished(setup)).toEqual([]);
  });

  test.each([
    ['500', { status: 500, code: 'InternalError' }],
    ['503 with Retry-After', { status: 503, code: 'SlowDown', headers: { 'retry-after': '0' } }],
    ['a broken connection', 'cut'],
    ['silence', 'stall'],
  ] as const)('retries %s, or fails without a partial object', async (_, fault) => {
    const base = await openBase(path);
    // All other faults have the time they need.
    const patience = fault === 'stall' ? { timeout: 1000 } : {};
    let left = 2;
    const isSent = ({ url = '', headers }: IncomingMessage): boolean =>
      url.includes('partNumber') && !url.includes('base') && headers['x-amz-copy-source'] === undefined;
    setup.relay.fault = (request) => (isSent(request) && left-- > 0 ? fault : undefined);
    await collect(sinkOf(patience), await imagesOf(base, planOf(1)));
    setup.relay.fault = (request) => (isSent(request) ? fault : undefined);
    const writing = collect(sinkOf({ ...patience, retries: 1 }), await imagesOf(base, planOf(2)));
    await expect(writing).rejects.toMatchObject({ code: 'OPENSHIFT_STORE_FAILED' });
    setup.relay.fault = () => undefined;
    expect((await objects(setup)).map(({ key }) => key)).toEqual([`${setup.prefix()}worker-0.x86_64.iso`]);
    expect(await unfinished(setup)).toEqual([]);
  });

  test('reports only stored images as stored under any mixture of faults, and a quiet run ends in the same objects', async () => {
    const base = await openBase(path);
    const images = await imagesOf(base, planOf(3));
    const wanted = new Map<string, string>();
    for await (const { outputs } of images)
      for (const { name: output, source } of outputs) wanted.set(output, await digestOfSource(source));
    const faults = new Set<string>();
    for (let seed = SEED; seed < SEED + 4; seed++) {
      const random = new Random(seed);
      const rate = random.pick([0.1, 0.3]);
      setup.relay.fault = () => {
        const fault = random.chance(rate) ? random.pick(MIXTURE) : undefined;
        faults.add(JSON.stringify(fault));
        return fault;
      };
      const told: Stored[] = [];
      try {
        for await (const one of sinkOf({ timeout: 5000 }).write(images)) told.push(one);
      } catch (error) {
        expect([seed, error]).toMatchObject([seed, { code: 'OPENSHIFT_STORE_FAILED' }]);
      }
      setup.relay.fault = () => undefined;
      for (const { name: output, host } of told)
        if (host !== undefined)
          expect([seed, output, await digestOfObject(setup, `${setup.prefix()}${output}`)]).toEqual([
            seed,
            output,
            wanted.get(output),
          ]);
      for (const { size } of await objects(setup)) expect([seed, size]).toEqual([seed, SIZE]);
      // The next one begins with nothing of it, or with its remains.
      if (!random.chance(0.5)) continue;
      const place = { bucket: setup.bucket, prefix: setup.prefix(), remove: 'all' } as const;
      for await (const { kind } of pruneFleet(setup.client, place)) expect(kind).not.toBe('other');
    }
    expect(faults.size).toBeGreaterThan(MIXTURE.length / 2);
    await collect(sinkOf(), images);
    for (const [output, digest] of wanted)
      expect([output, await digestOfObject(setup, `${setup.prefix()}${output}`)]).toEqual([output, digest]);
    expect(await unfinished(setup)).toEqual([]);
  });

  test("aborts a killed run's upload of the base, and sends the base again", async () => {
    const base = await openBase(path);
    setup.relay.fault = ({ url = '' }) => (url.includes('partNumber=2') || isGivenUp(url) ? 'cut' : undefined);
    await expect(collect(sinkOf({ retries: 0 }), await imagesOf(base, planOf(1)))).rejects.toMatchObject({
      code: 'OPENSHIFT_STORE_FAILED',
    });
    setup.relay.fault = () => undefined;
    expect(await unfinished(setup)).toEqual([expect.stringContaining('/base/')]);
    await collect(sinkOf(), await imagesOf(base, planOf(1)));
    expect(await unfinished(setup)).toEqual([]);
  });

  test('stops without delay while the base is sent', async () => {
    const base = await openBase(path);
    const controller = new AbortController();
    setup.relay.fault = ({ url = '' }) => {
      if (!url.includes('partNumber=1')) return undefined;
      controller.abort();
      return 'stall';
    };
    const writing = collect(sinkOf(), await imagesOf(base, planOf(2)), { signal: controller.signal });
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(await unfinished(setup)).toEqual([]);
  });

  test.each([
    ['begin', ({ method, url = '' }: IncomingMessage) => method === 'POST' && url.includes('uploads')],
    ['send', ({ url = '', headers }: IncomingMessage) => url.includes('partNumber') && !isCopied(headers)],
    ['copy', ({ headers }: IncomingMessage) => isCopied(headers)],
    ['finish', ({ method, url = '' }: IncomingMessage) => method === 'POST' && url.includes('uploadId')],
  ] as const)('makes no second object and leaves no parts if an answer to "%s" is lost', async (_, isMeant) => {
    const base = await openBase(path);
    let lost = 0;
    setup.relay.fault = (request) => {
      if (!request.url?.includes('worker-0') || !isMeant(request) || lost > 0) return undefined;
      lost++;
      return 'cut-answer';
    };
    const images = await imagesOf(base, planOf(1));
    await collect(sinkOf(), images);
    expect(lost).toBe(1);
    for await (const { outputs } of images) {
      const there = await digestOfObject(setup, `${setup.prefix()}${outputs[0]!.name}`);
      expect(there).toBe(await digestOfSource(outputs[0]!.source));
    }
    expect(await unfinished(setup)).toEqual([]);
  });

  test('sends checksums, and the store detects a flipped bit', async () => {
    const base = await openBase(path);
    const checksums: unknown[] = [];
    setup.relay.fault = ({ url = '', headers }) => {
      if (!url.includes('partNumber') || isCopied(headers)) return undefined;
      checksums.push(headers['x-amz-checksum-crc32']);
      return url.includes('worker-0') ? 'damage' : undefined;
    };
    const writing = collect(sinkOf(), await imagesOf(base, planOf(1)));
    await expect(writing).rejects.toMatchObject({ code: 'OPENSHIFT_STORE_FAILED' });
    expect(checksums.length).toBeGreaterThan(2);
    for (const checksum of checksums) expect(checksum).toMatch(/^[\w+/]{6}==$/);
    expect(await objects(setup)).toEqual([]);
    expect(await unfinished(setup)).toEqual([]);
  });

  test('removes an image that reads back differently', async () => {
    const base = await openBase(path);
    const isSample = ({ method, url = '', headers }: IncomingMessage): boolean =>
      method === 'GET' && url.includes('worker-1') && headers.range !== undefined;
    setup.relay.fault = (request) => (isSample(request) ? 'damage-answer' : undefined);
    const writing = collect(sinkOf({ parallel: 1 }), await imagesOf(base, planOf(2)));
    await expect(writing).rejects.toMatchObject({ code: 'OPENSHIFT_WRONG_BYTES', file: 'worker-1.x86_64.iso' });
    expect((await objects(setup)).map(({ key }) => key)).toEqual([`${setup.prefix()}worker-0.x86_64.iso`]);
  });

  test('reports a refusal even if it is lost with the connection', async () => {
    const base = await openBase(path);
    setup.relay.fault = ({ method, url = '', headers }) => {
      if (method !== 'PUT' || !url.includes('partNumber=') || headers['x-amz-copy-source'] !== undefined)
        return undefined;
      const isLong = Number(headers['x-amz-decoded-content-length'] ?? headers['content-length']) > 1;
      return isLong ? 'cut' : { status: 403, code: 'QuotaExceeded' };
    };
    const writing = collect(sinkOf({ retries: 1 }), await imagesOf(base, planOf(1)));
    await expect(writing).rejects.toMatchObject({
      code: 'OPENSHIFT_STORE_FULL',
      message: expect.stringContaining('QuotaExceeded'),
    });
    setup.relay.fault = () => undefined;
    expect(await unfinished(setup)).toEqual([]);
  });

  test('repeats a request whose answer stops in the middle', async () => {
    const base = await openBase(path);
    let stalled = 0;
    setup.relay.fault = ({ method, headers }) =>
      method === 'GET' && headers.range !== undefined && stalled++ === 0 ? 'stall-answer' : undefined;
    await collect(sinkOf({ timeout: 1000 }), await imagesOf(base, planOf(1)));
    expect(stalled).toBeGreaterThan(1);
  });

  test.each([
    ['lost', 'OPENSHIFT_NO_BASE', (at: Place) => setup.client.send(new DeleteObjectCommand(at))],
    [
      'changed',
      'OPENSHIFT_BASE_CHANGED',
      (at: Place) => setup.client.send(new PutObjectCommand({ ...at, Body: new Uint8Array(SIZE) })),
    ],
  ] as const)('stops if a base is %s while it is copied, with %s', async (_, code, harm) => {
    await using file = await fileSource(path);
    const at = { Bucket: setup.bucket, Key: `${setup.prefix()}the base.iso` };
    await setup.client.send(new PutObjectCommand({ ...at, Body: await file.read(0, file.size) }));
    const base = await s3Source(setup.client, { bucket: at.Bucket, key: at.Key });
    let harmed = false;
    // Opened before the change.
    const images = await imagesOf(base, planOf(2));
    const sink = s3Sink(setup.client, { bucket: setup.bucket, prefix: setup.prefix(), retries: 0, parallel: 1 });
    const stored: Stored[] = [];
    await expect(async () => {
      for await (const one of sink.write(images)) {
        stored.push(one);
        if (!harmed) await harm(at);
        harmed = true;
      }
    }).rejects.toMatchObject({ code });
    expect(stored).toHaveLength(1);
    expect((await objects(setup)).filter(({ key }) => key.includes('worker-1'))).toEqual([]);
    expect(await unfinished(setup)).toEqual([]);
  });

  test('stops if a local base changes', async () => {
    const own = await baseFile(SIZE);
    const base = await openBase(own);
    const images = await imagesOf(base, planOf(1));
    utimesSync(own, 1, 1);
    writeFileSync(own, 'x', { flag: 'a' });
    await expect(collect(sinkOf(), images)).rejects.toMatchObject({ code: 'OPENSHIFT_BASE_CHANGED' });
    expect(await objects(setup)).toEqual([]);
  });

  test('reports a missing bucket and wrong credentials with codes, and no secrets', async () => {
    const base = await openBase(path);
    const nowhere = collect(s3Sink(setup.client, { bucket: 'nowhere' }), await imagesOf(base, planOf(1)));
    await expect(nowhere).rejects.toMatchObject({ code: 'OPENSHIFT_NO_BUCKET' });
    const stranger = new S3Client({
      endpoint: setup.relay.endpoint,
      region: setup.engine.region,
      forcePathStyle: true,
      credentials: { accessKeyId: 'access', secretAccessKey: 'a wrong secret' },
    });
    const denied = collect(s3Sink(stranger, { bucket: setup.bucket }), await imagesOf(base, planOf(1)));
    const error = await denied.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'OPENSHIFT_STORE_DENIED' });
    expect(String(error)).not.toContain('secret');
    stranger.destroy();
  });

  test('lists objects, removes leftovers, and reads an image at an address that expires', async () => {
    const place = { bucket: setup.bucket, prefix: setup.prefix() };
    const [image] = await collect(sinkOf(), await imagesOf(await openBase(path), planOf(1)));
    await collect(sinkOf(), await imagesOf(await openBase(await baseFile(12 * MIB)), planOf(1)));
    await setup.client.send(new PutObjectCommand({ Bucket: place.bucket, Key: `${place.prefix}z`, Body: 'a letter' }));
    await setup.client.send(
      new CreateMultipartUploadCommand({ Bucket: place.bucket, Key: `${place.prefix}worker-7.x86_64.iso` }),
    );
    const kinds = async (listing: AsyncIterable<StoredObject>): Promise<string[]> => {
      const found: string[] = [];
      for await (const { kind } of listing) found.push(kind);
      return found.toSorted();
    };
    setup.relay.fault = ({ url = '' }) => (/partNumber|uploadId/.test(url) ? 'cut' : undefined);
    await expect(
      collect(sinkOf({ retries: 0 }), await imagesOf(await openBase(await baseFile(16 * MIB)), planOf(1))),
    ).rejects.toMatchObject({ code: 'OPENSHIFT_STORE_FAILED' });
    setup.relay.fault = () => undefined;
    const all = ['base', 'base', 'image', 'other', 'other', 'upload'];
    expect(await kinds(listFleet(setup.client, place))).toEqual(all);
    const leftovers = ['base', 'upload'];
    expect(await kinds(pruneFleet(setup.client, { ...place, pretend: true }))).toEqual(leftovers);
    expect(await kinds(listFleet(setup.client, place))).toEqual(all);
    expect(await kinds(pruneFleet(setup.client, place))).toEqual(leftovers);
    expect(await kinds(listFleet(setup.client, place))).toEqual(['base', 'image', 'other', 'other']);
    const url = await presignedUrl(setup.client, image!, { seconds: 60 });
    expect((await fetch(url, { headers: { range: 'bytes=0-9' } })).status).toBe(206);
    await expect(presignedUrl(setup.client, image!, { seconds: 3601 })).rejects.toThrow(RangeError);
    expect(await kinds(pruneFleet(setup.client, { ...place, remove: 'all' }))).toEqual(['base', 'image']);
    expect(await kinds(listFleet(setup.client, place))).toEqual(['other', 'other']);
  });

  test('aborts uploads of killed runs, and leaves those of others', async () => {
    const base = await openBase(path);
    setup.relay.fault = ({ method, url = '' }) =>
      url.includes('worker-0') && url.includes('uploadId') && method !== 'PUT' ? 'cut' : undefined;
    await expect(collect(sinkOf({ retries: 0 }), await imagesOf(base, planOf(1)))).rejects.toMatchObject({
      code: 'OPENSHIFT_STORE_FAILED',
    });
    setup.relay.fault = () => undefined;
    const image = `${setup.prefix()}worker-0.x86_64.iso`;
    expect(await unfinished(setup)).toEqual([image]);
    const others = [`${setup.prefix()}of-somebody-else`, image];
    for (const Key of others) {
      const at = { Bucket: setup.bucket, Key };
      const { UploadId } = await setup.client.send(new CreateMultipartUploadCommand(at));
      await setup.client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'a letter' }));
    }
    await collect(sinkOf(), await imagesOf(base, planOf(1)));
    expect((await unfinished(setup)).toSorted()).toEqual(others);
  });

  return { setup: () => setup };
}

export interface Setup {
  readonly engine: StoreEngine;
  readonly relay: Relay;
  readonly client: S3Client;
  readonly bucket: string;
  readonly prefix: () => string;
}

const isCopied = (headers: IncomingMessage['headers']): boolean => headers['x-amz-copy-source'] !== undefined;
/** Any request after it, if the process is killed: the upload is not aborted. */
const isGivenUp = (url: string): boolean => url.includes('uploadId') && !url.includes('partNumber');

interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

function clientOf({ region, credentials }: StoreEngine, endpoint: string): S3Client {
  return new S3Client({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 });
}

async function digestOfSource(source: Parameters<typeof toReadableStream>[0]): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of toReadableStream(source)) hash.update(chunk);
  return hash.digest('hex');
}

async function digestOfObject({ client, bucket }: Setup, key: string): Promise<string> {
  await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  const hash = createHash('sha256');
  for await (const chunk of Body as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

/** The images and other objects, without bases and records. */
export async function objects({ client, bucket, prefix }: Setup): Promise<{ key: string; size: number }[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix() }));
  return Contents.map(({ Key = '', Size = 0 }) => ({ key: Key, size: Size })).filter(
    ({ key }) => !/base|\.coreiso\/uploads/.test(key),
  );
}

/** The keys of uploads that take space. One without parts may remain if the answer to its start was lost. */
export async function unfinished({ client, bucket, prefix }: Setup): Promise<string[]> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix() }));
  const found: string[] = [];
  for (const { Key = '', UploadId } of Uploads) {
    if (!Key.startsWith(prefix())) continue;
    const { Parts = [] } = await client.send(new ListPartsCommand({ Bucket: bucket, Key, UploadId }));
    if (Parts.length > 0) found.push(Key);
  }
  return found;
}
