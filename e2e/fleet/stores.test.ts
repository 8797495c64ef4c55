// Fleets in full size on real stores. Prints measurements, but checks no times.
import { execFile, spawn } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { type ByteSource, toReadableStream } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { s3Sink } from '@coreiso/openshift/s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fleetText, imagesOf, planOf } from '../../packages/openshift/test/sinks/support.ts';
import { Relay, StoreEngine } from '../../test/support/stores.ts';

const MIB = 1 << 20;
const CLI = fileURLToPath(new URL('../../packages/cli/bin/coreiso.cjs', import.meta.url));
const run = promisify(execFile);
/** More hosts than ten killed runs can store: each run makes at most this many requests. */
const KILLED_HOSTS = 60;
const KILLED_REQUESTS = 40;
/** The same plan in each run. */
const UNTIL = '2030-01-31T12:00:00Z';

describe.each(['versitygw', 'ceph'] as const)('%s', (name) => {
  let engine: StoreEngine;
  let relay: Relay;
  let client: S3Client;
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-fleet-'));

  beforeAll(async () => {
    engine = await StoreEngine.start(name);
    relay = await Relay.start(engine.endpoint);
    const { region, credentials } = engine;
    client = new S3Client({ endpoint: relay.endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 });
    await client.send(new CreateBucketCommand({ Bucket: 'images' }));
  });
  afterAll(async () => {
    client.destroy();
    await relay.stop();
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    [200, 24 * MIB],
    [5, 1200 * 1000 * 1000],
  ])('%i images of a base of %i bytes are correct to the byte, and send less than 6 MiB each', async (hosts, size) => {
    const path = join(folder, `${size}.iso`);
    await writeCopy(await sampleIso({ size }), path);
    await using base = await fileSource(path);
    const images = await imagesOf(base, planOf(hosts));
    const prefix = `${hosts}/`;
    relay.sent.clear();
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    let stored = 0;
    for await (const { outcome } of s3Sink(client, { bucket: 'images', prefix }).write(images)) {
      expect(outcome).toBe('written');
      stored++;
    }
    const [seconds, used] = [(performance.now() - start) / 1000, process.cpuUsage(cpu)];
    expect(stored).toBe(hosts);
    const sent = [...relay.sent].filter(([key]) => key.includes('/worker-')).map(([, bytes]) => bytes);
    expect(sent).toHaveLength(hosts);
    expect(Math.max(...sent)).toBeLessThan(6 * MIB);
    const each = (value: number): string => (value / hosts).toFixed(3);
    console.log(
      `FIGURES ${name} ${hosts} x ${base.size}: ${each(seconds)} s, ${each((used.user + used.system) / 1e6)} s CPU, ${Math.max(...sent)} bytes sent per image at most`,
    );
    for await (const { outputs } of images) {
      for (const { name: file, source } of outputs) {
        const there = await digestOfObject(client, `${prefix}${file}`);
        expect([file, there]).toEqual([file, await digestOfSource(source)]);
      }
    }
    expect(await unfinished(client)).toEqual([]);
  });

  test('repeating a run that was killed ten times at random gives the same objects', async () => {
    const cwd = mkdtempSync(join(folder, 'killed-'));
    await writeCopy(await sampleIso({ size: 24 * MIB }), join(cwd, 'base.iso'));
    writeFileSync(join(cwd, 'nodes-config.yaml'), fleetText(KILLED_HOSTS));
    const env = {
      ...process.env,
      AWS_ENDPOINT_URL: relay.endpoint,
      AWS_REGION: engine.region,
      AWS_ACCESS_KEY_ID: engine.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: engine.credentials.secretAccessKey,
    };
    const argv = [CLI, 'nodes', 'image', '--base', 'base.iso', '--per-host', '--compatible', '--valid-until', UNTIL];
    const images = async (): Promise<(readonly [key: string | undefined, size: number | undefined])[]> => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'images', Prefix: 'killed/' }));
      return Contents.filter(({ Key }) => !Key?.includes('/uploads/')).map(({ Key, Size }) => [Key, Size]);
    };
    let there = await images();
    for (let kills = 0; kills < 10; kills++) {
      const child = spawn(process.execPath, [...argv, '-o', 's3://images/killed/'], { cwd, env, stdio: 'ignore' });
      const ended = new Promise<NodeJS.Signals | null>((done) => child.once('exit', (_, signal) => done(signal)));
      // Counts requests, and kills the process during one after the listing: a timer would mostly hit the start of a slow process.
      let left = there.length + 1 + Math.floor(Math.random() * KILLED_REQUESTS);
      const fate = left;
      relay.fault = () => void (--left === 0 && child.kill('SIGKILL'));
      expect(await ended).toBe('SIGKILL');
      relay.fault = () => undefined;
      there = await images();
      for (const [key, size] of there) expect([key, size]).toEqual([key, 24 * MIB]);
      const open = (await unfinished(client)).length;
      console.log(`FIGURES ${name}: killed at request ${fate}, ${there.length} objects, ${open} unfinished uploads`);
    }
    await run(process.execPath, [...argv, '-o', 's3://images/killed/'], { cwd, env });
    await run(process.execPath, [...argv, '-o', 'out/', '--no-status'], { cwd, env });
    for (let host = 0; host < KILLED_HOSTS; host++) {
      const file = `worker-${host}.x86_64.iso`;
      await using expected = await fileSource(join(cwd, 'out', file));
      expect(await digestOfObject(client, `killed/${file}`)).toBe(await digestOfSource(expected));
    }
    expect(await unfinished(client)).toEqual([]);
  });
});

async function digestOfObject(client: S3Client, key: string): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'images', Key: key }));
  return await digest(Body as AsyncIterable<Uint8Array>);
}

async function digestOfSource(source: ByteSource): Promise<string> {
  return await digest(toReadableStream(source));
}

async function digest(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash: Hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * The keys of uploads that take space. An upload without parts remains if a run was killed before it could record it.
 */
async function unfinished(client: S3Client): Promise<string[]> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'images' }));
  const found: string[] = [];
  for (const { Key = '', UploadId } of Uploads) {
    const { Parts = [] } = await client.send(new ListPartsCommand({ Bucket: 'images', Key, UploadId }));
    if (Parts.length > 0) found.push(Key);
  }
  return found;
}
