// Which of a container image's manifests and layers count (OCI Image 1.1: "Image Index", "Image Layer Filesystem Changeset").
import { readRelease } from '@coreiso/iso/base';
import { packTar, type TarEntry } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { noise } from '../http/servers.ts';
import { FakeRegistry } from './fake-registry.ts';

const PATH = 'coreos/coreos-x86_64.iso';
const ISO = noise(300_000);
const TEXT = new TextEncoder().encode('something else');

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** A release whose live images are in the image of a manifest. */
async function releaseOf(registry: FakeRegistry, art: string, architecture = 'x86_64') {
  const name = `quay.example/ocp/release@${await registry.addRelease(`quay.example/ocp/art@${art}`)}`;
  return readRelease(name, { fetch: registry.fetch, retries: 0, architecture });
}

/** An image of plain layers of these entries. */
async function imageOf(registry: FakeRegistry, ...layers: TarEntry[][]): Promise<string> {
  const descriptors = [];
  for (const entries of layers) descriptors.push(registry.addBlob(new Uint8Array(await packTar(entries))));
  return registry.addManifest({ layers: descriptors });
}

const file = (name: string, body: Uint8Array): TarEntry => ({ header: { name, size: body.length }, body });

describe('of a list', () => {
  const MACHINES = [
    ['x86_64', 'amd64'],
    ['aarch64', 'arm64'],
    ['ppc64le', 'ppc64le'],
    ['s390x', 's390x'],
  ] as const;

  /** A release for every machine, and one for another system before them. */
  async function releases() {
    const registry = new FakeRegistry();
    const manifests: object[] = [
      {
        digest: await registry.addRelease('quay.example/none:1', 'for Windows'),
        platform: { architecture: 'amd64', os: 'windows' },
      },
      { digest: await registry.addRelease('quay.example/none:1', 'for nobody') },
    ];
    for (const [machine, architecture] of MACHINES) {
      const digest = await registry.addRelease('quay.example/none:1', `for ${machine}`);
      manifests.push({ digest, platform: { architecture, os: 'linux' } });
    }
    return { registry, manifests };
  }

  test.each(MACHINES.flatMap(([machine, name]) => [[machine, machine] as const, [name, machine] as const]))(
    'the member for %s is taken',
    async (asked, machine) => {
      const { registry, manifests } = await releases();
      const list = registry.addManifest({ manifests });
      const { version, architecture } = await readRelease(`quay.example/r@${list}`, {
        ...registry,
        architecture: asked,
      });
      expect([version, architecture]).toEqual([`for ${machine}`, machine]);
      const plain = await readRelease(`quay.example/r@${list}`, registry);
      expect([plain.version, plain.architecture]).toEqual(['for x86_64', 'x86_64']);
    },
  );

  test('what it lacks is told with what it has', async () => {
    const { registry, manifests } = await releases();
    const list = registry.addManifest({ manifests: manifests.slice(1, 5) });
    await expect(readRelease(`quay.example/r@${list}`, { ...registry, architecture: 's390x' })).rejects.toMatchObject({
      code: 'ISO_NOT_FOUND',
      message: `quay.example/r@${list} has no image for s390x, but for undefined, amd64, arm64, ppc64le`,
    });
  });

  test.each(['riscv64', 'X86_64', ''])('a machine is none of %s', async (architecture) => {
    await expect(readRelease('quay.example/r:1', { architecture })).rejects.toThrow(RangeError);
  });

  test('a list may be in a list, and no deeper', async () => {
    const { registry, manifests } = await releases();
    const platform = { architecture: 'amd64', os: 'linux' };
    const first = registry.addManifest({ manifests });
    const second = registry.addManifest({ manifests: [{ digest: first, platform }] });
    const third = registry.addManifest({ manifests: [{ digest: second, platform }] });
    expect((await readRelease(`quay.example/r@${second}`, registry)).version).toBe('for x86_64');
    await expect(readRelease(`quay.example/r@${third}`, registry)).rejects.toMatchObject({ code: 'ISO_UNSUPPORTED' });
  });
});

describe('the live image', () => {
  test('is looked for no further than it is found, and told with its place', async () => {
    const registry = new FakeRegistry();
    const art = await imageOf(registry, [file('other', TEXT)], [file(PATH, ISO)], [file('last', TEXT)]);
    const iso = await (await releaseOf(registry, art)).liveIso();
    expect(iso).toMatchObject({ path: '/coreos/coreos-x86_64.iso', size: 300_000, image: art });
    expect(Buffer.compare(await bytesOf(iso.bytes), ISO)).toBe(0);
    const [lowest] = registry.blobs.keys();
    expect(registry.asked.filter((path) => path.endsWith(lowest ?? '?'))).toEqual([]);
  });

  test('may have large files before and after it in its layer', async () => {
    const registry = new FakeRegistry();
    const large = noise(2_000_000);
    const art = await imageOf(registry, [file('a', large), file(PATH, ISO), file('b', large), file('c', large)]);
    expect(Buffer.compare(await bytesOf((await (await releaseOf(registry, art)).liveIso()).bytes), ISO)).toBe(0);
  });

  test('may be empty', async () => {
    const registry = new FakeRegistry();
    const { size, bytes } = await (
      await releaseOf(registry, await imageOf(registry, [file(PATH, new Uint8Array()), file('b', TEXT)]))
    ).liveIso();
    const chunks = [];
    for await (const chunk of bytes) chunks.push(chunk);
    expect([size, chunks]).toEqual([0, []]);
  });

  test.each<TarEntry['header']>([
    { name: PATH, size: 0, type: 'symlink', linkname: 'elsewhere.iso' },
    { name: PATH, size: 0, type: 'link', linkname: 'elsewhere.iso' },
  ])('is a file, and nothing else: %j', async (header) => {
    const registry = new FakeRegistry();
    const release = await releaseOf(registry, await imageOf(registry, [file(PATH, ISO)], [{ header }]));
    await expect(release.liveIso()).rejects.toMatchObject({ code: 'ISO_UNSUPPORTED' });
  });
});

describe('a layer that has another digest', () => {
  test.each<[string, TarEntry[]]>([
    ['removes', [file('.wh.coreos', TEXT), file('last', noise(500_000))]],
    ['lacks', [file('last', noise(500_000))]],
  ])('says nothing about what it %s', async (_, entries) => {
    const registry = new FakeRegistry();
    const art = await imageOf(registry, [file(PATH, ISO)], entries);
    const release = await releaseOf(registry, art);
    const largest = [...registry.blobs].find(([, { length }]) => length > 500_000)?.[0] ?? '';
    const wrong = registry.blobs.get(largest)?.slice() ?? new Uint8Array();
    wrong.set([(wrong[400_000] ?? 0) ^ 1], 400_000);
    registry.blobs.set(largest, wrong);
    await expect(release.liveIso()).rejects.toMatchObject({ code: 'ISO_WRONG_DIGEST' });
  });
});

test('a layer that no program can unpack is damaged', async () => {
  const registry = new FakeRegistry();
  const gzip = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, ...noise(5000).map((byte) => byte | 6));
  const art = registry.addManifest({ layers: [registry.addBlob(gzip)] });
  await expect((await releaseOf(registry, art)).liveIso()).rejects.toMatchObject({
    code: 'ISO_BAD_ARCHIVE',
    cause: expect.any(Error),
  });
});

describe('what a release consists of', () => {
  const REFERENCES = 'release-manifests/image-references';
  const tags = [{ name: 'machine-os-images', from: { name: 'quay.example/art:1' } }];

  async function read(text: string) {
    const registry = new FakeRegistry();
    const digest = await registry.add([{ [REFERENCES]: new TextEncoder().encode(text) }]);
    return readRelease(`quay.example/r@${digest}`, registry);
  }

  test('are images by their names', async () => {
    const { version, images } = await read(
      JSON.stringify({ spec: { tags: [...tags, { name: 'cli', from: { name: 'quay.example/cli:1' } }] } }),
    );
    expect(version).toBe('');
    expect([...images]).toEqual([
      ['machine-os-images', 'quay.example/art:1'],
      ['cli', 'quay.example/cli:1'],
    ]);
  });

  test('may be without live images', async () => {
    const release = await read(JSON.stringify({ metadata: { name: '4.8.1' }, spec: { tags: [] } }));
    await expect(release.liveIso()).rejects.toMatchObject({
      code: 'ISO_NOT_FOUND',
      message: 'release 4.8.1 has no machine-os-images',
    });
  });

  test.each([
    '',
    '{}',
    '{"spec":{"tags":[{"name":"a"}]}}',
    '{"spec":{"tags":[{"name":"a","from":{"name":"busybox"}}]}}',
  ])('cannot be read from %j', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'ISO_BAD_METADATA', cause: expect.any(Error) });
  });

  test('is told in 16 MiB at most', async () => {
    const text = (length: number): string => JSON.stringify({ spec: { tags } }).padEnd(length);
    expect((await read(text(2 ** 24))).images.size).toBe(1);
    await expect(read(text(2 ** 24 + 1))).rejects.toMatchObject({ code: 'ISO_LIMIT' });
  });

  test('is what other images do not tell', async () => {
    const registry = new FakeRegistry();
    const digest = await registry.add([{ other: TEXT }]);
    await expect(readRelease(`quay.example/r@${digest}`, registry)).rejects.toMatchObject({
      code: 'ISO_NOT_FOUND',
      message: `quay.example/r@${digest} is no release: it has no /release-manifests/image-references`,
    });
  });

  test.each(['rhel-8', 'toString', ''])('has no stream %j', async (stream) => {
    const release = await read(JSON.stringify({ spec: { tags } }));
    await expect(release.liveIso({ stream })).rejects.toThrow(RangeError);
  });
});
