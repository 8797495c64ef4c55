import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeWithStore, Relay, StoreEngine } from '../../../../test/support/stores.ts';
import { coreiso, scratchFolder } from '../support.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/coreiso.cjs', import.meta.url));
const isBuilt = existsSync(fileURLToPath(new URL('../../dist/index.cjs', import.meta.url)));

const CONFIG = `hosts:
- { hostname: worker-0, interfaces: [{ name: eth0, macAddress: "52:54:00:ab:00:00" }] }
- { hostname: worker-1, interfaces: [{ name: eth0, macAddress: "52:54:00:ab:00:01" }] }
`;

async function inputs(): Promise<string> {
  const cwd = scratchFolder();
  await writeCopy(await sampleIso({ size: 24 << 20 }), join(cwd, 'base.iso'));
  writeFileSync(join(cwd, 'nodes-config.yaml'), CONFIG);
  return cwd;
}

describe('an invalid store or an unsuitable request', () => {
  test.each([
    ['one image for all hosts', ['nodes', 'image', '--base', 'base.iso', '-o', 's3://images/'], '--per-host'],
    ['an address without a bucket', ['fleet', 'status', 's3:///site-a/'], 'expected s3://BUCKET/PREFIX/, found'],
    ['a folder', ['fleet', 'prune', '/srv/images'], 'expected s3://BUCKET/PREFIX/, found'],
  ])('is refused: %s', async (_, argv, reason) => {
    const { status, stderr } = await coreiso(argv, { cwd: await inputs() });
    expect(status).toBe(2);
    expect(stderr).toContain(reason);
  });
});

describeWithStore('versitygw', 'coreiso nodes image -o s3://', () => {
  let engine: StoreEngine;
  let client: S3Client;
  let env: Record<string, string>;

  beforeAll(async () => {
    engine = await StoreEngine.start('versitygw');
    const { endpoint, region, credentials } = engine;
    client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'images' }));
    env = {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
  });
  afterAll(async () => {
    client.destroy();
    await engine.stop();
  });

  test('stores an image for each host, lists the contents, and removes leftovers', async () => {
    const cwd = await inputs();
    const argv = [
      'nodes',
      'image',
      '--base',
      'base.iso',
      '--per-host',
      '-o',
      's3://images/site-a',
      '--presigned',
      'urls',
    ];
    const first = await coreiso([...argv, '--report'], { cwd, env });
    expect([first.status, first.stderr]).toEqual([0, expect.any(String)]);
    expect(first.stdout.toString()).toContain('s3://images/site-a/worker-1.x86_64.iso  24.0 MiB  5.0 MiB sent');
    // The base was stored, too, although no machine boots it.
    expect(first.stdout.toString()).toMatch(
      /s3:\/\/images\/site-a\/\.coreiso\/base\/[\w-]+\.iso {2}24\.0 MiB {2}24\.0 MiB sent/,
    );
    expect(readFileSync(join(cwd, 'urls'), 'utf8')).not.toContain('base');
    const written = await coreiso(['nodes', 'image', '--base', 'base.iso', '--per-host', '-o', 'out/'], { cwd, env });
    expect(written.status).toBe(0);
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'images', Key: 'site-a/worker-1.x86_64.iso' }));
    const stored = Buffer.from(await Body!.transformToByteArray());
    expect(stored.equals(readFileSync(join(cwd, 'out', 'worker-1.x86_64.iso')))).toBe(true);

    expect(statSync(join(cwd, 'urls')).mode & 0o777).toBe(0o600);
    const [, url = ''] = /^worker-0\S+ (\S+)$/m.exec(readFileSync(join(cwd, 'urls'), 'utf8')) ?? [];
    expect((await fetch(url, { headers: { range: 'bytes=0-0' } })).status).toBe(206);
    expect(Number(new URL(url).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(3600);
    const told = `${first.stdout}${first.stderr}${readFileSync(join(cwd, 'report.json'), 'utf8')}`;
    expect(told).not.toMatch(/X-Amz-Signature|secretsecret/);

    const refused = await coreiso([...argv.slice(0, -3), 's3://images/site-b', ...argv.slice(-2)], { cwd, env });
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('urls exists\nhelp: pass --force to replace it'),
    ]);
    const nothing = await coreiso(['fleet', 'status', '--json', 's3://images/site-b/'], { cwd, env });
    expect(JSON.parse(nothing.stdout.toString())).toEqual({ objects: [] });

    chmodSync(join(cwd, 'urls'), 0o644);
    const again = await coreiso([...argv, '--json', '--force'], { cwd, env });
    expect(statSync(join(cwd, 'urls')).mode & 0o777).toBe(0o600);
    expect(again.stdout.toString()).not.toContain('X-Amz-Signature');
    const { outputs } = JSON.parse(again.stdout.toString());
    expect(outputs.map(({ outcome, sent }: { outcome: string; sent: number }) => [outcome, sent])).toEqual([
      ['present', 0],
      ['present', 0],
    ]);

    const at = { Bucket: 'images', Key: 'site-a/worker-2.x86_64.iso' };
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand(at));
    // The record that a killed run leaves.
    const record = `site-a/.coreiso/uploads/${UploadId}/worker-2.x86_64.iso`;
    await client.send(new PutObjectCommand({ Bucket: 'images', Key: record, Metadata: { 'coreiso-digest': '1-x' } }));
    await client.send(new CreateMultipartUploadCommand({ Bucket: 'images', Key: 'site-a/of-others' }));
    const status = await coreiso(['fleet', 'status', 's3://images/site-a/'], { cwd, env });
    expect(status.stdout.toString()).toBe(
      '2 images, 48.0 MiB\n1 base, 24.0 MiB\n1 unfinished upload\n1 object or upload of others\nRemove unfinished uploads: coreiso fleet prune s3://images/site-a/\n',
    );
    const pretended = await coreiso(['fleet', 'prune', '--dry-run', 's3://images/site-a'], { cwd, env });
    const line = 'remove unfinished upload s3://images/site-a/worker-2.x86_64.iso\n';
    expect(pretended.stdout.toString()).toBe(`would ${line}`);
    const pruned = await coreiso(['fleet', 'prune', 's3://images/site-a'], { cwd, env });
    expect(pruned.stdout.toString()).toBe(line.replace('remove', 'removed'));
    const all = await coreiso(['fleet', 'prune', '--all', '--json', 's3://images/site-a'], { cwd, env });
    expect(JSON.parse(all.stdout.toString()).removed).toHaveLength(3);
    const empty = await coreiso(['fleet', 'prune', 's3://images/site-a'], { cwd, env });
    expect(empty.stdout.toString()).toBe('Nothing to remove.\n');
  });

  test('survives a kill at any point: the next run makes the same images and leaves nothing else', async (context) => {
    context.skip(!isBuilt, 'the program is not built');
    const cwd = await inputs();
    const relay = await Relay.start(engine.endpoint);
    onTestFinished(() => relay.stop());
    const through = { ...env, AWS_ENDPOINT_URL: relay.endpoint };
    // The validity in an image begins when it is made.
    const argv = ['nodes', 'image', '--base', 'base.iso', '--per-host', '--no-status', '-o', 's3://images/killed/'];
    /** Kills the program at its n-th request, before the store receives it or after the store has answered. */
    const killedAt = async (request: number, when: 'cut' | 'cut-answer'): Promise<string | null> => {
      const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd, env: { ...process.env, ...through } });
      const ended = new Promise<string | null>((resolve) => child.on('exit', (_, signal) => resolve(signal)));
      let requests = 0;
      relay.fault = () => {
        requests++;
        if (requests < request) return undefined;
        if (when === 'cut') child.kill('SIGKILL');
        else setImmediate(() => child.kill('SIGKILL'));
        return when;
      };
      return await ended;
    };
    const ends: (string | null)[] = [];
    for (const request of [2, 4, 6, 9, 13])
      ends.push(await killedAt(request, request % 2 === 0 ? 'cut' : 'cut-answer'));
    expect(ends.filter((signal) => signal === 'SIGKILL').length).toBeGreaterThan(2);
    relay.fault = () => undefined;
    const last = await coreiso(argv, { cwd, env });
    expect([last.status, last.stderr]).toEqual([0, expect.any(String)]);
    const { stdout } = await coreiso(['fleet', 'status', '--json', 's3://images/killed/'], { cwd, env });
    const kinds = JSON.parse(stdout.toString()).objects.map(({ kind }: { kind: string }) => kind);
    // A killed run may have begun an upload without a record of it. It has no parts, and its owner is unknown.
    expect(kinds.filter((kind: string) => kind !== 'other').toSorted()).toEqual(['base', 'image', 'image']);
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: 'images', Prefix: 'killed/' }),
    );
    for (const { Key, UploadId } of Uploads) {
      const { Parts = [] } = await client.send(new ListPartsCommand({ Bucket: 'images', Key, UploadId }));
      expect([Key, Parts]).toEqual([Key, []]);
    }
    const written = ['nodes', 'image', '--base', 'base.iso', '--per-host', '--no-status', '-o', 'killed/'];
    expect((await coreiso(written, { cwd, env })).status).toBe(0);
    for (const name of ['worker-0.x86_64.iso', 'worker-1.x86_64.iso']) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'images', Key: `killed/${name}` }));
      const stored = Buffer.from(await Body!.transformToByteArray());
      expect([name, stored.equals(readFileSync(join(cwd, 'killed', name)))]).toEqual([name, true]);
    }
  });

  test('uses a base in the store, and explains errors of a bucket', async () => {
    const cwd = await inputs();
    const upload = ['nodes', 'image', '--base', 'base.iso', '--per-host', '-o', 's3://images/one/'];
    expect((await coreiso(upload, { cwd, env })).status).toBe(0);
    const { stdout } = await coreiso(['fleet', 'status', '--json', 's3://images/one/'], { cwd, env });
    const { objects } = JSON.parse(stdout.toString());
    const base = objects.find(({ kind }: { kind: string }) => kind === 'base').location;
    const copied = ['nodes', 'image', '--base', base, '--per-host', '-o', 's3://images/two/', '--json'];
    const result = await coreiso(copied, { cwd, env });
    expect([result.status, JSON.parse(result.stdout.toString()).outputs.length]).toEqual([0, 2]);
    const nowhere = await coreiso([...upload.slice(0, -1), 's3://nowhere/'], { cwd, env });
    expect(nowhere.status).toBe(1);
    expect(nowhere.stderr).toMatch(/NoSuchBucket/);
    const lost = await coreiso(['nodes', 'image', '--base', 's3://images/lost.iso', ...upload.slice(4)], { cwd, env });
    expect(lost.stderr).toContain('s3://images/lost.iso does not exist');
  });
});
