import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { fileSource } from '@coreiso/iso/node';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { Builder, makeCertificates, PASSWORD, pullSecret, type RunningRegistry, startRegistry } from '../registry.ts';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

const ROOTFS = 'https://mirror.example.test/rootfs.img';

describeWith(['docker-registry', 'skopeo', 'openssl', 'tar', 'gzip'], 'a base from a release', () => {
  const folder = scratchFolder();
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
    const kinds = (architecture: string): readonly string[] =>
      sampleKinds().flatMap((each) => (each.architecture === architecture && each.minimal ? [each.name] : []));
    const samples = { x86_64: kinds('x86_64')[0], aarch64: kinds('aarch64')[0], 'rhel-10': kinds('x86_64')[1] };
    for (const [name, kind] of Object.entries(samples)) {
      const iso = await sampleIso({ kind });
      isos[name] = await iso.read(0, iso.size);
    }
    const builder = new Builder(join(folder, 'images'));
    const system = { 'etc/os-release': 'ID=rhel\n' };
    const osImages = (architecture: string) => [
      system,
      { [`coreos/coreos-${architecture}.iso`]: 'an older one, which the next layer replaces' },
      {
        [`coreos/coreos-${architecture}.iso`]: isos[architecture] ?? '',
        [`coreos/coreos10-${architecture}.iso`]: isos['rhel-10'] ?? '',
        'coreos/coreos-stream.json': '{}',
        'manifests/last': 'what comes behind the image in its layer',
      },
      { 'usr/bin/copy-metal': '#!/bin/sh\n' },
    ];
    const bootImages = (name: string): string => {
      const disk = { location: 'http://127.0.0.1:1/live.iso', sha256: 'a'.repeat(64) };
      const formats = { iso: { disk }, pxe: { rootfs: { ...disk, location: ROOTFS } } };
      // Only the release of the mirror has an image of the build that it names.
      const build = name === '4.19.1' ? `${samples.x86_64}` : 'another';
      const architectures = { x86_64: { artifacts: { metal: { release: build, formats } } } };
      return `kind: ConfigMap\ndata:\n  stream: |\n    ${JSON.stringify({ stream: 'rhel-9.6', architectures })}\n`;
    };
    const release = (name: string, images: string) => [
      system,
      {
        'release-manifests/image-references': JSON.stringify({
          kind: 'ImageStream',
          metadata: { name },
          spec: { tags: [{ name: 'machine-os-images', from: { kind: 'DockerImage', name: images } }] },
        }),
        'release-manifests/0000_50_installer_coreos-bootimages.yaml': bootImages(name),
      },
    ];
    const push = (target: string, images: Parameters<Builder['push']>[1], format: 'oci' | 'v2s2'): Promise<string> =>
      builder.push(target, images, { format, certificates });
    // With Docker manifests: one image per architecture under one name.
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
      // The mirror's content goes by the name of its source.
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
    const bare = await push(`${basic.name}/ocp/bare:1`, { amd64: [system] }, 'oci');
    digests['bare'] = await push(
      `${basic.name}/ocp/without:1`,
      { amd64: release('4.20.9', `${basic.name}/ocp/bare@${bare}`) },
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
  });

  const trusted = () => ['--registry-config', join(folder, 'auth.json'), '--registry-ca', join(folder, 'ca.pem')];
  const fetchBase = (cwd: string, spec: string, ...more: string[]): Promise<CliResult> =>
    coreiso(['base', 'fetch', '--cache-dir', 'cache', ...trusted(), ...more, `release:${spec}`], { cwd });

  test.each([
    ['x86_64', 'a list of Docker manifests', '4.20.3-multi'],
    ['aarch64', 'a list of Docker manifests', '4.20.3-multi'],
    ['x86_64', 'an OCI index', '4.20.3-index'],
    ['aarch64', 'an OCI index', '4.20.3-index'],
  ])('is the pushed file, for %s from %s', async (architecture, _, tag) => {
    const cwd = scratchFolder();
    const spec = `${basic.name}/ocp/release:${tag}`;
    const { status, stdout, stderr } = await fetchBase(cwd, spec, '--architecture', architecture, '-o', 'base.iso');
    expect(stderr).toBe('');
    expect([status, stdout.toString()]).toEqual([0, 'base.iso\n']);
    expect(Buffer.compare(readFileSync(join(cwd, 'base.iso')), isos[architecture] ?? Buffer.alloc(0))).toBe(0);
  });

  test('comes from a mirror of another name that needs a token, and then from the cache', async () => {
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
    // No server is contacted again: the mirror, the certificate and the password are not given.
    const again = await coreiso(['base', 'fetch', '--cache-dir', 'cache', `release:${spec}`], { cwd });
    expect(again.stdout.toString()).toBe(`${path}\n`);
    const listed = await coreiso(['base', 'list', '--cache-dir', 'cache', '--json'], { cwd });
    expect(JSON.parse(listed.stdout.toString())).toMatchObject([{ path, sha256 }]);
    const verified = await coreiso(['base', 'verify', '--cache-dir', 'cache', path, `release:${spec}`], { cwd });
    expect([verified.status, verified.stdout.toString()]).toEqual([
      0,
      expect.stringContaining('matches the live image of'),
    ]);
  });

  test('has its version in base list', async () => {
    const spec = `release:${basic.name}/ocp/release:4.20.3-multi`;
    const { stdout } = await coreiso(['base', 'list', '--json', ...trusted(), spec], { cwd: scratchFolder() });
    expect(JSON.parse(stdout.toString())).toMatchObject({ version: '4.20.3', architecture: 'x86_64', images: 1 });
  });

  test('is taken from the place in the cluster facts', async () => {
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

  describe('without --base', () => {
    const mirrors = () => [{ source: 'quay.example.test/ocp', mirrors: [`${token.name}/mirror`] }];
    const image = () => `quay.example.test/ocp/release@${digests['mirrored']}`;
    const facts = () => ({
      platform: 'BareMetal',
      version: '4.19.1',
      releaseImage: image(),
      pullSecret: pullSecret(token.name),
      imageDigestMirrors: mirrors(),
      trustBundle: readFileSync(join(folder, 'ca.pem'), 'utf8'),
      nodes: [{ name: 'control-0', architecture: 'amd64', master: true }],
    });
    const isoOf = (name: string): Buffer => Buffer.from(isos[name] ?? '');
    const prefixOf = (path: string): string => readFileSync(path).subarray(0, 0x8000).toString('latin1');

    async function nodesImage(cwd: string, given: object, ...more: string[]): Promise<CliResult> {
      writeFileSync(
        join(cwd, 'nodes-config.yaml'),
        'hosts: [{ interfaces: [{ name: eno1, macAddress: 52:54:00:e7:05:72 }] }]\n',
      );
      writeFileSync(join(cwd, 'facts.json'), JSON.stringify(given), { mode: 0o600 });
      return coreiso(['nodes', 'image', '--cluster', 'facts.json', '-o', 'node.iso', '--force', ...more], {
        cwd,
        env: { COREISO_CACHE: join(cwd, 'cache'), HOME: cwd },
      });
    }

    test('nodes image uses the release that the cluster runs, and says so', async () => {
      const cwd = scratchFolder();
      const first = await nodesImage(cwd, facts());
      expect(first).toMatchObject({ status: 0 });
      expect(first.stderr).toMatch(
        /^Fetching the x86_64 live image of release:quay\.example\.test\/ocp\/release@sha256:\w+, [\d.]+ [KM]iB, into the cache$/m,
      );
      expect(readFileSync(join(cwd, 'node.iso')).length).toBe(isoOf('x86_64').length);
      const again = await nodesImage(cwd, facts());
      expect(again.stderr).toMatch(/^Using the x86_64 live image of release:\S+, [\d.]+ [KM]iB, from the cache$/m);
    });

    test.each<[string, object, readonly string[], string]>([
      ['the pool of workers asks for', { osStream: 'rhel-10' }, [], 'rhel-10'],
      ['was asked for', {}, ['--os-stream', 'rhel-10'], 'rhel-10'],
      ['was asked for, whatever the pool says', { osStream: 'rhel-10' }, ['--os-stream', 'rhel-9'], 'x86_64'],
    ])('nodes image uses the operating system that %s', async (_, more, argv, name) => {
      const cwd = scratchFolder();
      const { status, stderr } = await nodesImage(cwd, { ...facts(), ...more }, ...argv);
      expect([status, stderr]).toEqual([
        0,
        expect.stringContaining(name === 'x86_64' ? 'rhel-9 x86_64' : 'rhel-10 x86_64'),
      ]);
      expect(prefixOf(join(cwd, 'node.iso'))).toBe(isoOf(name).subarray(0, 0x8000).toString('latin1'));
    });

    test('nodes image uses the boot image that the cluster names if the release is out of reach', async () => {
      const cwd = scratchFolder();
      const live = isoOf('x86_64');
      const server = createServer((_, response) => response.end(live)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const sha256 = createHash('sha256').update(live).digest('hex');
      const bootImages = [
        { stream: 'rhel-10', architecture: 'x86_64', location: 'http://127.0.0.1:1/ten.iso', sha256 },
        { stream: 'rhel-9', architecture: 'x86_64', location: `http://127.0.0.1:${port}/live.iso`, sha256 },
      ];
      const unreachable = {
        ...facts(),
        imageDigestMirrors: [],
        releaseImage: `${token.name}/mirror/release@sha256:${'0'.repeat(64)}`,
      };
      const { status, stderr } = await nodesImage(cwd, { ...unreachable, bootImages });
      server.close();
      server.closeAllConnections();
      expect([status, stderr]).toEqual([0, expect.stringContaining('using the boot image that the cluster names')]);
      expect(stderr).toContain(`live image of http://127.0.0.1:${port}/live.iso`);
      expect(existsSync(join(cwd, 'cache', `${sha256}.iso`))).toBe(true);
    });

    test('nodes image asks for a base or a cluster, and leaves no file', async () => {
      const cwd = scratchFolder();
      const { releaseImage: _, ...less } = facts();
      const { status, stderr } = await nodesImage(cwd, less);
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining('pass --base, or the cluster with --live or --cluster'),
      ]);
      expect(existsSync(join(cwd, 'node.iso'))).toBe(false);
    });

    const installConfig = (): string =>
      JSON.stringify({
        apiVersion: 'v1',
        baseDomain: 'example.test',
        metadata: { name: 'reef' },
        networking: { networkType: 'OVNKubernetes', machineNetwork: [{ cidr: '10.0.0.0/24' }] },
        controlPlane: { replicas: 1 },
        compute: [{ name: 'worker', replicas: 0 }],
        platform: { none: {} },
        pullSecret: pullSecret(token.name),
        imageDigestSources: [
          { source: 'quay.example.test/ocp/release', mirrors: [`${token.name}/mirror/release`] },
          { source: 'quay.example.test/ocp/art', mirrors: [`${token.name}/mirror/art`] },
        ],
        additionalTrustBundle: readFileSync(join(folder, 'ca.pem'), 'utf8'),
        additionalTrustBundlePolicy: 'Always',
      });
    const agentConfig = JSON.stringify({
      apiVersion: 'v1beta1',
      rendezvousIP: '10.0.0.9',
      hosts: [
        {
          hostname: 'node0',
          interfaces: [{ name: 'eno1', macAddress: '52:54:00:e7:05:72' }],
          networkConfig: {
            interfaces: [
              {
                name: 'eno1',
                type: 'ethernet',
                state: 'up',
                ipv4: { enabled: true, dhcp: false, address: [{ ip: '10.0.0.9', 'prefix-length': 24 }] },
              },
            ],
          },
        },
      ],
    });
    const agent = (cwd: string, ...argv: string[]): Promise<CliResult> =>
      coreiso(['agent', 'create', ...argv, '--dir', 'site'], {
        cwd,
        env: { OPENSHIFT_INSTALL_SKIP_HOSTCRYPT_VALIDATION: '1', COREISO_CACHE: join(cwd, 'cache'), HOME: cwd },
      });
    function site(): string {
      const cwd = scratchFolder();
      mkdirSync(join(cwd, 'site'));
      writeFileSync(join(cwd, 'site', 'install-config.yaml'), installConfig());
      writeFileSync(join(cwd, 'site', 'agent-config.yaml'), agentConfig);
      return cwd;
    }

    test.each([
      ['image', [], 'agent.x86_64.iso'],
      ['pxe-files', ['--base', 'release:'], 'boot-artifacts/agent.x86_64-rootfs.img'],
    ])('agent create %s %j uses the release and the settings in the install config', async (what, more, made) => {
      const cwd = site();
      const release = ['--release-image', image(), '--openshift-version', '4.19.1'];
      const { status, stderr } = await agent(cwd, what, ...release, ...more);
      expect([status, stderr]).toEqual([
        0,
        expect.stringMatching(/^Fetching the rhel-9 x86_64 live image of release:/m),
      ]);
      expect(stderr).not.toContain(PASSWORD);
      expect(existsSync(join(cwd, 'site', made))).toBe(true);
    });

    test('agent create image makes a minimal image fetch the root file system that the release names', async () => {
      const cwd = site();
      writeFileSync(
        join(cwd, 'site', 'agent-config.yaml'),
        JSON.stringify({ ...JSON.parse(agentConfig), minimalISO: true }),
      );
      const release = ['--release-image', image(), '--openshift-version', '4.19.1'];
      const { status, stderr } = await agent(cwd, 'image', ...release);
      expect([status, stderr]).toEqual([0, expect.any(String)]);
      const iso = await fileSource(join(cwd, 'site', 'agent.x86_64.iso'));
      const { kargs } = await openLiveImage(iso);
      await iso.close();
      expect(kargs?.current).toContain(`coreos.live.rootfs_url=${ROOTFS}`);
    });

    test('uses the root file system of a release only for the same build', async () => {
      const cwd = scratchFolder();
      const { Bases } = await import('../../src/frame/base.ts');
      const { Terminal } = await import('../../src/frame/terminal.ts');
      const { rootfsUrlOf } = await import('../../src/commands/base/rootfs-url.ts');
      const env = { COREISO_REGISTRY_CA: join(folder, 'ca.pem'), REGISTRY_AUTH_FILE: join(folder, 'auth.json') };
      const bases = new Bases(new Terminal({ cwd, env, signal: new AbortController().signal } as never));
      const base = `release:${basic.name}/ocp/release:4.20.3-multi`;
      const image = { volumeId: 'rhcos-9.6.20250523-0' };
      await expect(rootfsUrlOf(bases, { base, image })).rejects.toThrow(/rhcos-9\.6\.20250523-0$/);
      expect(await rootfsUrlOf(bases, { base, image: { volumeId: 'rhcos-another' } })).toBe(ROOTFS);
    });

    test('uses the release that a directory of manifests names', async () => {
      const cwd = site();
      const release = ['--release-image', image(), '--openshift-version', '4.19.1'];
      expect(await agent(cwd, 'cluster-manifests', ...release, '--consume')).toMatchObject({ status: 0 });
      rmSync(join(cwd, 'site', '.coreiso-agent-state.json'));
      const { status, stderr } = await agent(cwd, 'image');
      expect([status, stderr]).toEqual([0, expect.stringContaining(`rhel-9 x86_64 live image of release:${image()}`)]);
      expect(existsSync(join(cwd, 'site', 'agent.x86_64.iso'))).toBe(true);
    });

    test('reports a release out of reach in one sentence, and makes nothing', async () => {
      const cwd = site();
      const release = ['--release-image', `${token.name}/mirror/release:4.19.0-x86_64`];
      const { status, stderr } = await agent(cwd, 'image', ...release);
      expect([status, stderr]).toEqual([1, expect.stringContaining('cannot take the live image of the cluster')]);
      expect(readdirSync(join(cwd, 'site')).sort()).toEqual(['agent-config.yaml', 'install-config.yaml']);
    });
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
        /requires credentials, and the pull secret has none for 127\.0\.0\.1:\d+\/ocp\/release/,
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
        /is not a release: it has no \/release-manifests\/image-references/,
      ],
      [
        'where its images are gone',
        () => fetchBase(scratchFolder(), `${basic.name}/ocp/empty:1`),
        /ocp\/empty:0: the registry does not have it/,
      ],
      [
        'where it has no image',
        () => fetchBase(scratchFolder(), `${basic.name}/ocp/without:1`),
        /release 4\.20\.9 has no \/coreos\/coreos-x86_64\.iso in machine-os-images: check its architecture, and the stream/,
      ],
      [
        'where no mirror has its digest',
        () =>
          fetchBase(
            scratchFolder(),
            `quay.example.test/ocp/release@sha256:${'0'.repeat(64)}`,
            ...['--registries-conf', join(folder, 'registries.conf')],
          ),
        /could not fetch quay\.example\.test\/ocp\/release@sha256:0+ from any registry: .*127\.0\.0\.1:1.*does not have it \(404\)/,
      ],
      [
        'where the name is none',
        () => fetchBase(scratchFolder(), 'ocp-release'),
        /is not the name of a container image/,
      ],
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

/** Changes one byte in the middle of the largest file in a registry's storage. */
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
