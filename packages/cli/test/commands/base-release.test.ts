import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { Builder, makeCertificates, PASSWORD, pullSecret, type RunningRegistry, startRegistry } from '../registry.ts';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

describeWith(['docker-registry', 'skopeo', 'openssl', 'tar', 'gzip'], 'a base from a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coreiso-registry-'));
  const certificates = join(folder, 'certs.d');
  const isos: Record<string, Uint8Array> = {};
  let basic: RunningRegistry;
  let token: RunningRegistry;
  let digests: Record<string, string> = {};

  beforeAll(async () => {
    mkdirSync(certificates, { recursive: true });
    makeCertificates(folder);
    copyFileSync(join(folder, 'ca.pem'), join(certificates, 'ca.crt'));
    basic = await startRegistry(join(folder, 'basic'), folder, 'password');
    token = await startRegistry(join(folder, 'token'), folder, 'token');
    for (const architecture of ['x86_64', 'aarch64']) {
      const kind = sampleKinds().find((each) => each.architecture === architecture)?.name ?? '';
      const iso = await sampleIso({ kind });
      isos[architecture] = await iso.read(0, iso.size);
    }
    const builder = new Builder(join(folder, 'images'));
    const system = { 'etc/os-release': 'ID=rhel\n' };
    const osImages = (architecture: string) => [
      system,
      { [`coreos/coreos-${architecture}.iso`]: 'an older one, which the next layer replaces' },
      {
        [`coreos/coreos-${architecture}.iso`]: isos[architecture] ?? '',
        'coreos/coreos-stream.json': '{}',
        'manifests/last': 'what comes behind the image in its layer',
      },
      { 'usr/bin/copy-metal': '#!/bin/sh\n' },
    ];
    const release = (name: string, images: string) => [
      system,
      {
        'release-manifests/image-references': JSON.stringify({
          kind: 'ImageStream',
          metadata: { name },
          spec: { tags: [{ name: 'machine-os-images', from: { kind: 'DockerImage', name: images } }] },
        }),
      },
    ];
    const push = (target: string, images: Parameters<Builder['push']>[1], format: 'oci' | 'v2s2'): Promise<string> =>
      builder.push(target, images, { format, certificates });
    // With the manifests of Docker, one image per machine behind one name.
    const list = await push(
      `${basic.name}/ocp/art:list`,
      { amd64: osImages('x86_64'), arm64: osImages('aarch64') },
      'v2s2',
    );
    const direct = `${basic.name}/ocp/art@${list}`;
    const index = await push(
      `${basic.name}/ocp/art:index`,
      { amd64: osImages('x86_64'), arm64: osImages('aarch64') },
      'oci',
    );
    const oci = `${basic.name}/ocp/art@${index}`;
    digests = {
      multi: await push(
        `${basic.name}/ocp/release:4.20.3-multi`,
        { amd64: release('4.20.3', direct), arm64: release('4.20.3', direct) },
        'v2s2',
      ),
      index: await push(
        `${basic.name}/ocp/release:4.20.3-index`,
        { amd64: release('4.20.3', oci), arm64: release('4.20.3', oci) },
        'oci',
      ),
      // What the mirror has is known by the name of its source.
      art: await push(`${token.name}/mirror/art:x86_64`, { amd64: osImages('x86_64') }, 'oci'),
    };
    const mirrored = `quay.example.test/ocp/art@${digests['art']}`;
    digests['mirrored'] = await push(
      `${token.name}/mirror/release:4.19.1`,
      { amd64: release('4.19.1', mirrored) },
      'oci',
    );
    digests['empty'] = await push(
      `${basic.name}/ocp/empty:1`,
      { amd64: release('4.18.0', `${basic.name}/ocp/empty:0`) },
      'oci',
    );
    writeFileSync(join(folder, 'auth.json'), pullSecret(basic.name, `${token.name}/mirror`), { mode: 0o600 });
    writeFileSync(
      join(folder, 'registries.conf'),
      `unqualified-search-registries = []
[[registry]]
prefix = "quay.example.test/ocp"
location = "quay.example.test/ocp"
mirror-by-digest-only = true
  [[registry.mirror]]
  location = "127.0.0.1:1/gone"
  [[registry.mirror]]
  location = "${token.name}/mirror"
`,
    );
  }, 120_000);
  afterAll(async () => {
    await basic?.stop();
    await token?.stop();
    rmSync(folder, { recursive: true });
  });

  const trusted = () => ['--registry-config', join(folder, 'auth.json'), '--registry-ca', join(folder, 'ca.pem')];
  const fetchBase = (cwd: string, spec: string, ...more: string[]): Promise<CliResult> =>
    coreiso(['base', 'fetch', '--cache-dir', 'cache', ...trusted(), ...more, `release:${spec}`], { cwd });

  test.each([
    ['x86_64', 'a list of Docker manifests', '4.20.3-multi'],
    ['aarch64', 'a list of Docker manifests', '4.20.3-multi'],
    ['x86_64', 'an OCI index', '4.20.3-index'],
    ['aarch64', 'an OCI index', '4.20.3-index'],
  ])('is the file that was pushed, for %s from %s', async (architecture, _, tag) => {
    const cwd = scratchFolder();
    const spec = `${basic.name}/ocp/release:${tag}`;
    const { status, stdout, stderr } = await fetchBase(cwd, spec, '--architecture', architecture, '-o', 'base.iso');
    expect(stderr).toBe('');
    expect([status, stdout.toString()]).toEqual([0, 'base.iso\n']);
    expect(Buffer.compare(readFileSync(join(cwd, 'base.iso')), isos[architecture] ?? Buffer.alloc(0))).toBe(0);
  });

  test('comes from a mirror of another name that wants a token, and then from the cache', async () => {
    const cwd = scratchFolder();
    const spec = `quay.example.test/ocp/release@${digests['mirrored']}`;
    const conf = ['--registries-conf', join(folder, 'registries.conf')];
    const first = await fetchBase(cwd, spec, ...conf, '--json');
    expect(first.stderr).toBe('');
    const { path, sha256 } = JSON.parse(first.stdout.toString());
    expect(sha256).toBe(
      createHash('sha256')
        .update(isos['x86_64'] ?? '')
        .digest('hex'),
    );
    expect(Buffer.compare(readFileSync(path), isos['x86_64'] ?? Buffer.alloc(0))).toBe(0);
    // Nobody is asked any more: without mirror, certificate and password there is nobody.
    const again = await coreiso(['base', 'fetch', '--cache-dir', 'cache', `release:${spec}`], { cwd });
    expect(again.stdout.toString()).toBe(`${path}\n`);
    const listed = await coreiso(['base', 'list', '--cache-dir', 'cache', '--json'], { cwd });
    expect(JSON.parse(listed.stdout.toString())).toMatchObject([{ path, sha256 }]);
    const verified = await coreiso(['base', 'verify', '--cache-dir', 'cache', path, `release:${spec}`], { cwd });
    expect([verified.status, verified.stdout.toString()]).toEqual([0, expect.stringContaining('is the live image of')]);
  });

  test('is named by its version', async () => {
    const spec = `release:${basic.name}/ocp/release:4.20.3-multi`;
    const { stdout } = await coreiso(['base', 'list', '--json', ...trusted(), spec], { cwd: scratchFolder() });
    expect(JSON.parse(stdout.toString())).toMatchObject({ version: '4.20.3', architecture: 'x86_64', images: 1 });
  });

  test('is taken from where the cluster facts say', async () => {
    const cwd = scratchFolder();
    writeFileSync(
      join(cwd, 'nodes-config.yaml'),
      'hosts: [{ interfaces: [{ name: eno1, macAddress: 52:54:00:e7:05:72 }] }]\n',
    );
    const facts = {
      platform: 'BareMetal',
      version: '4.19.1',
      releaseImage: `quay.example.test/ocp/release@${digests['mirrored']}`,
      pullSecret: pullSecret(token.name),
      imageDigestMirrors: [{ source: 'quay.example.test/ocp', mirrors: [`${token.name}/mirror`] }],
      trustBundle: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    };
    writeFileSync(join(cwd, 'facts.json'), JSON.stringify(facts));
    const args = ['--cluster', 'facts.json', '--cache-dir', 'cache', '--base', 'release:', '-o', 'node.iso'];
    const { status, stderr } = await coreiso(['nodes', 'image', ...args], { cwd });
    expect([status, stderr]).toEqual([0, expect.anything()]);
    expect(readFileSync(join(cwd, 'node.iso')).length).toBe(isos['x86_64']?.length);
  });

  describe('is refused', () => {
    test.each<[string, () => Promise<CliResult>, RegExp]>([
      [
        'without credentials',
        () =>
          coreiso(
            [
              'base',
              'fetch',
              '--registry-ca',
              join(folder, 'ca.pem'),
              `release:${basic.name}/ocp/release:4.20.3-multi`,
            ],
            {
              cwd: scratchFolder(),
              env: { HOME: '/nowhere' },
            },
          ),
        /wants credentials, and the pull secret has none for 127\.0\.0\.1:\d+\/ocp\/release/,
      ],
      [
        'where the certificate is not trusted',
        () =>
          coreiso(
            [
              'base',
              'fetch',
              '--registry-config',
              join(folder, 'auth.json'),
              `release:${basic.name}/ocp/release:4.20.3-multi`,
            ],
            {
              cwd: scratchFolder(),
            },
          ),
        /its certificate is not trusted/,
      ],
      [
        'for a machine that it is not for',
        () => fetchBase(scratchFolder(), `${basic.name}/ocp/release:4.20.3-multi`, '--architecture', 's390x'),
        /has no image for s390x, but for amd64, arm64/,
      ],
      [
        'where nothing of that name is',
        () => fetchBase(scratchFolder(), `${basic.name}/ocp/release:no`),
        /does not have it \(404\)/,
      ],
      [
        'where it is no release',
        () => fetchBase(scratchFolder(), `${token.name}/mirror/art:x86_64`),
        /is no release: it has no \/release-manifests\/image-references/,
      ],
      [
        'where its images are gone',
        () => fetchBase(scratchFolder(), `${basic.name}/ocp/empty:1`),
        /ocp\/empty:0: the registry does not have it/,
      ],
      ['where the name is none', () => fetchBase(scratchFolder(), 'ocp-release'), /names no container image/],
      [
        'where a mirror has other bytes under the same digest',
        async () => {
          damageLargestBlob(token.storage);
          return fetchBase(
            scratchFolder(),
            `quay.example.test/ocp/release@${digests['mirrored']}`,
            ...['--registries-conf', join(folder, 'registries.conf')],
          );
        },
        /has digest sha256:|is damaged/,
      ],
    ])('%s', async (_, attempt, reason) => {
      const { status, stdout, stderr } = await attempt();
      expect([status, stdout.toString(), stderr]).toEqual([1, '', expect.stringMatching(reason)]);
      expect(stderr).not.toContain(PASSWORD);
    });
  });
});

/** Changes one byte in the middle of the largest file that a registry keeps. */
function damageLargestBlob(storage: string): void {
  const blobs = readdirSync(storage, { recursive: true, encoding: 'utf8' })
    .filter((name) => /blobs\/sha256\/.*\/data$/.test(name))
    .map((name) => join(storage, name))
    .sort((a, b) => readFileSync(b).length - readFileSync(a).length);
  const [largest = ''] = blobs;
  const bytes = readFileSync(largest);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(largest, bytes);
}
