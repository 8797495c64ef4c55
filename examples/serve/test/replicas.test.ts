import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeWithKube, KubeEngine } from '../../../test/support/engines.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { describeWithStore, StoreEngine } from '../../../test/support/stores.ts';
import { describeWith, hasProgram, run } from '../../../test/support/tools.ts';
import { freePort, planFolder, Replica } from './replica.ts';

const MANIFESTS = fileURLToPath(new URL('../k8s/', import.meta.url));
const SIZE = 24 << 20;
const FILE = '/worker-0.x86_64.iso';

describeWith(['nginx', 'curl'], 'replicas behind nginx', () => {
  const folder = scratchFolder();
  const replicas: Replica[] = [];
  let nginx: ChildProcess | undefined;
  let address: string;
  let old: string;

  beforeAll(async () => {
    const base = join(folder, 'base.iso');
    await writeCopy(await sampleIso({ size: SIZE }), base);
    utimesSync(base, 1e9, 1e9);
    old = planFolder(folder, 'old', '/dev/sda');
    const ports = [await freePort(), await freePort(), await freePort()];
    for (const port of ports.slice(0, 2)) replicas.push(new Replica(port, { COREISO_BASE: base, COREISO_PLAN: old }));
    for (const replica of replicas) await replica.ready();
    const [one, other, front] = ports;
    address = `http://127.0.0.1:${front}${FILE}`;
    const settings = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http { access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  upstream replicas { server 127.0.0.1:${one} max_fails=1 fail_timeout=60s; server 127.0.0.1:${other} max_fails=1 fail_timeout=60s; }
  server { listen 127.0.0.1:${front}; location / { proxy_pass http://replicas; proxy_buffering off; proxy_next_upstream error timeout http_503; } } }`;
    writeFileSync(join(folder, 'nginx.conf'), settings);
    nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
    await vi.waitFor(async () => expect((await fetch(address, { method: 'HEAD' })).status).toBe(200), {
      timeout: 60_000,
      interval: 50,
    });
  });
  afterAll(async () => {
    nginx?.kill('SIGTERM');
    for (const replica of replicas) await replica.end('SIGKILL');
  });

  const download = async (): Promise<Buffer> => Buffer.from(await (await fetch(address)).arrayBuffer());
  const partOf = (name: string, size: number, bytes: Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    truncateSync(path, size);
    return path;
  };

  test('both give the same entity tag, and curl resumes across them, even if one is gone', async () => {
    const tags = [];
    for (const { port } of replicas)
      tags.push((await fetch(`http://127.0.0.1:${port}${FILE}`, { method: 'HEAD' })).headers.get('etag'));
    expect(tags[0]).toMatch(/^"[0-9a-f]{32}"$/);
    expect(tags[1]).toBe(tags[0]);
    const whole = await download();
    expect(whole.length).toBe(SIZE);
    const path = partOf('resumed.iso', 0, whole);
    // Interrupted ten times: nginx takes turns, so that neighbouring ranges come from different replicas.
    for (let size = 2_000_000; statSync(path).size < SIZE; size += 2_500_000) {
      const range = `${statSync(path).size}-${Math.min(size, SIZE) - 1}`;
      const { status, stdout } = run('curl', ['-sf', '--noproxy', '*', '-r', range, address]);
      expect(status).toBe(0);
      writeFileSync(path, stdout, { flag: 'a' });
      if (size > 15_000_000) await replicas[0]?.end('SIGKILL');
    }
    expect(readFileSync(path).equals(whole)).toBe(true);
    const resumed = partOf('continued.iso', 9_999_999, whole);
    expect(run('curl', ['-sf', '--noproxy', '*', '-C', '-', '-o', resumed, address]).status).toBe(0);
    expect(readFileSync(resumed).equals(whole)).toBe(true);
  });

  test('a download continues with the old bytes after a rolling update, and a new one gets the new bytes', async () => {
    const before = await download();
    const etag = (await fetch(address, { method: 'HEAD' })).headers.get('etag') ?? '';
    const fresh = planFolder(folder, 'new', '/dev/sdb');
    const { port } = replicas[0] as Replica;
    const base = join(folder, 'base.iso');
    replicas.push(
      await new Replica(port, { COREISO_BASE: base, COREISO_PLAN: fresh, COREISO_PREVIOUS_PLAN: old }).ready(),
    );
    // A download that began on the old replica ends on it, although it was told to stop.
    const retiring = replicas[1] as Replica;
    const begun = await fetch(`http://127.0.0.1:${retiring.port}${FILE}`);
    const ended = retiring.end('SIGTERM');
    expect(Buffer.from(await begun.arrayBuffer()).equals(before)).toBe(true);
    await ended;
    const here = `http://127.0.0.1:${port}${FILE}`;
    const resumed = partOf('rolled.iso', 7_654_321, before);
    const argv = ['-sf', '--noproxy', '*', '-C', '-', '-H', `If-Range: ${etag}`, '-o', resumed, here];
    expect(run('curl', argv).status).toBe(0);
    expect(readFileSync(resumed).equals(before)).toBe(true);
    const after = Buffer.from(await (await fetch(here)).arrayBuffer());
    expect(after.length).toBe(SIZE);
    expect(after.equals(before)).toBe(false);
  });

  test('a replica with the wrong base never becomes ready', async () => {
    const wrong = { COREISO_BASE: join(folder, 'base.iso'), COREISO_PLAN: old, COREISO_BASE_SHA256: '0'.repeat(64) };
    const port = await freePort();
    const replica = new Replica(port, wrong);
    const answers: number[] = [];
    await vi.waitFor(
      async () => {
        const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
          (response) => response.status,
          () => 0,
        );
        if (status !== 0) answers.push(status);
        // It prints the reason before it exits, and the kubelet starts it again.
        expect([status, answers.length > 0]).toEqual([0, true]);
      },
      { timeout: 30_000, interval: 5 },
    );
    expect(new Set(answers)).toEqual(new Set([503]));
    await replica.end('SIGKILL');
  });
});

describeWithStore('versitygw', 'replicas whose base is in a store', () => {
  let engine: StoreEngine;
  beforeAll(async () => {
    engine = await StoreEngine.start('versitygw');
  });
  afterAll(() => engine.stop());

  test('give the same entity tags, and the bytes of a file', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'base.iso');
    await writeCopy(await sampleIso({ size: SIZE }), path);
    const { endpoint, region, credentials } = engine;
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'images' }));
    await client.send(new PutObjectCommand({ Bucket: 'images', Key: 'the base.iso', Body: readFileSync(path) }));
    client.destroy();
    const env = {
      COREISO_PLAN: planFolder(folder, 'plan', '/dev/sda'),
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    const images: { readonly etag: string | null; readonly bytes: Buffer }[] = [];
    for (const base of ['s3://images/the base.iso', 's3://images/the base.iso', path]) {
      const replica = await new Replica(await freePort(), { ...env, COREISO_BASE: base }).ready();
      const response = await fetch(`http://127.0.0.1:${replica.port}${FILE}`);
      images.push({ etag: response.headers.get('etag'), bytes: Buffer.from(await response.arrayBuffer()) });
      await replica.end('SIGTERM');
    }
    const [one, other, local] = images;
    expect(one?.etag).toBe(other?.etag);
    expect(one?.bytes.equals(local?.bytes ?? Buffer.alloc(0))).toBe(true);
    const lost = new Replica(await freePort(), { ...env, COREISO_BASE: 's3://images/lost.iso' });
    expect(await lost.ended).not.toBe(0);
  });
});

describeWithKube('the manifests', () => {
  let kube: KubeEngine;
  beforeAll(async () => {
    kube = await KubeEngine.start();
  }, 120_000);
  afterAll(() => kube.stop());

  test.skipIf(!hasProgram('kubectl'))('kubectl apply --dry-run=server accepts all of them', () => {
    const argv = ['--kubeconfig', kube.kubeconfig, 'apply', '--dry-run=server', '-f', MANIFESTS];
    const { status, stdout, stderr } = run('kubectl', argv);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString().match(/ created \(server dry run\)$/gm)).toHaveLength(5);
  });

  test.each([
    ['deployment.yaml', ['/apis/apps/v1/namespaces/default/deployments']],
    [
      'service.yaml',
      ['/api/v1/namespaces/default/services', '/apis/policy/v1/namespaces/default/poddisruptionbudgets'],
    ],
    ['secrets.yaml', ['/api/v1/namespaces/default/secrets', '/api/v1/namespaces/default/secrets']],
  ])('a real API server accepts %s with every field', (file, paths) => {
    const documents = readFileSync(join(MANIFESTS, file), 'utf8').split(/^---$/m);
    expect(documents).toHaveLength(paths.length);
    for (const [index, path] of paths.entries()) {
      // The request of kubectl apply --dry-run=server.
      const url = `${kube.server}${path}?dryRun=All&fieldValidation=Strict`;
      const tls = ['--cacert', kube.file('ca.crt'), '--cert', kube.file('admin.crt'), '--key', kube.file('admin.key')];
      const argv = ['-s', '--noproxy', '*', ...tls, '-H', 'Content-Type: application/yaml', '--data-binary', '@-', url];
      const answer = JSON.parse(run('curl', argv, { input: Buffer.from(documents[index] ?? '') }).stdout.toString());
      expect([path, answer.kind === 'Status' ? answer.message : 'created']).toEqual([path, 'created']);
    }
  });
});
