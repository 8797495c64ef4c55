// The manifests and layers of a container image that count (OCI Image 1.1: "Image Index", "Image Layer Filesystem
// Changeset").

import { gzipSync } from 'node:zlib';
import { readRelease } from '@coreiso/iso/base';
import { packTar, type TarEntry } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { unpackLayer } from '../../src/base/unpack-layer.ts';
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

describe('a list of manifests', () => {
  const MACHINES = [
    ['x86_64', 'amd64'],
    ['aarch64', 'arm64'],
    ['ppc64le', 'ppc64le'],
    ['s390x', 's390x'],
  ] as const;

  /** A release for each architecture, preceded by one for another operating system. */
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
    'gives the member for %s',
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

  test('names its architectures if it lacks one', async () => {
    const { registry, manifests } = await releases();
    const list = registry.addManifest({ manifests: manifests.slice(1, 5) });
    await expect(readRelease(`quay.example/r@${list}`, { ...registry, architecture: 's390x' })).rejects.toMatchObject({
      code: 'ISO_NOT_FOUND',
      message: `quay.example/r@${list} has no image for s390x, but for undefined, amd64, arm64, ppc64le`,
    });
  });

  test.each(['riscv64', 'X86_64', ''])('refuses the architecture %s', async (architecture) => {
    await expect(readRelease('quay.example/r:1', { architecture })).rejects.toThrow(RangeError);
  });

  test('may contain one level of lists', async () => {
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
  test('is not looked for in further layers once found', async () => {
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
  ])('is a regular file: %j', async (header) => {
    const registry = new FakeRegistry();
    const release = await releaseOf(registry, await imageOf(registry, [file(PATH, ISO)], [{ header }]));
    await expect(release.liveIso()).rejects.toMatchObject({ code: 'ISO_UNSUPPORTED' });
  });
});

describe('a layer with another digest', () => {
  test.each<[string, TarEntry[]]>([
    ['removes', [file('.wh.coreos', TEXT), file('last', noise(500_000))]],
    ['lacks', [file('last', noise(500_000))]],
  ])('does not count for a file that it %s', async (_, entries) => {
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

test('refuses a layer that cannot be unpacked as damaged', async () => {
  const registry = new FakeRegistry();
  const gzip = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, ...noise(5000).map((byte) => byte | 6));
  const art = registry.addManifest({ layers: [registry.addBlob(gzip)] });
  await expect((await releaseOf(registry, art)).liveIso()).rejects.toMatchObject({
    code: 'ISO_BAD_ARCHIVE',
    cause: expect.any(Error),
  });
});

describe('the parts of a release', () => {
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

  test('have at most 16 MiB', async () => {
    const text = (length: number): string => JSON.stringify({ spec: { tags } }).padEnd(length);
    expect((await read(text(2 ** 24))).images.size).toBe(1);
    await expect(read(text(2 ** 24 + 1))).rejects.toMatchObject({ code: 'ISO_LIMIT' });
  });

  test('are missing in other images', async () => {
    const registry = new FakeRegistry();
    const digest = await registry.add([{ other: TEXT }]);
    await expect(readRelease(`quay.example/r@${digest}`, registry)).rejects.toMatchObject({
      code: 'ISO_NOT_FOUND',
      message: `quay.example/r@${digest} is not a release: it has no /release-manifests/image-references`,
    });
  });

  test.each(['rhel-8', 'toString', ''])('has no stream %j', async (stream) => {
    const release = await read(JSON.stringify({ spec: { tags } }));
    await expect(release.liveIso({ stream })).rejects.toThrow(RangeError);
  });
});

describe('unpacking layers', () => {
  const REFERENCES = 'release-manifests/image-references';
  const references = (name: string, path = REFERENCES): TarEntry =>
    file(path, new TextEncoder().encode(JSON.stringify({ metadata: { name }, spec: { tags: [] } })));
  const folder = (name: string): TarEntry => ({ header: { name, size: 0, type: 'directory' } });
  const whiteout = (name: string): TarEntry => file(name, new Uint8Array());

  async function versionIn(...layers: TarEntry[][]): Promise<string> {
    const registry = new FakeRegistry();
    const { version } = await readRelease(`quay.example/r@${await imageOf(registry, ...layers)}`, registry);
    return version;
  }

  test.each([
    ['its own folder, before', [whiteout('release-manifests/.wh..wh..opq'), references('new')]],
    ['its own folder, after', [references('new'), whiteout('release-manifests/.wh..wh..opq')]],
    ['the root', [whiteout('.wh..wh..opq'), references('new')]],
    ['the file by name', [whiteout('release-manifests/.wh.image-references'), references('new')]],
    ['the folder by name', [references('new'), whiteout('.wh.release-manifests')]],
  ])('keeps the own files of a layer that hides %s', async (_, entries) => {
    expect(await versionIn([references('old')], entries)).toBe('new');
  });

  test.each([
    ['opaque folder', [whiteout('release-manifests/.wh..wh..opq')]],
    ['opaque root', [whiteout('./.wh..wh..opq')]],
    ['file by name', [whiteout('./release-manifests/.wh.image-references')]],
    ['folder by name', [whiteout('.wh.release-manifests'), folder('release-manifests')]],
    ['folder that is a file now', [file('release-manifests', TEXT)]],
  ])('removes files of lower layers: %s', async (_, entries) => {
    await expect(versionIn([references('old')], [references('older')], entries)).rejects.toMatchObject({
      code: 'ISO_NOT_FOUND',
    });
  });

  test.each<[string, TarEntry[]]>([
    ['twice', [references('first'), references('last')]],
    ['three times', [references('first'), references('second'), file('b', noise(100_000)), references('last')]],
    [
      'under two spellings',
      [references('first'), references('last', './release-manifests/../release-manifests//image-references')],
    ],
    [
      'first as a link',
      [{ header: { name: REFERENCES, size: 0, type: 'symlink', linkname: 'x' } }, references('last')],
    ],
    ['then with its folder again', [folder('release-manifests'), references('last'), folder('release-manifests')]],
  ])('uses the last entry of a file that a layer has %s', async (_, entries) => {
    expect(await versionIn([references('old')], entries)).toBe('last');
  });

  test.each<[string, TarEntry[], string]>([
    [
      'a link',
      [references('first'), { header: { name: REFERENCES, size: 0, type: 'symlink', linkname: 'x' } }],
      'ISO_UNSUPPORTED',
    ],
    ['a folder', [references('first'), folder(REFERENCES)], 'ISO_UNSUPPORTED'],
    [
      'behind a link',
      [references('first'), { header: { name: 'release-manifests', size: 0, type: 'symlink', linkname: 'x' } }],
      'ISO_UNSUPPORTED',
    ],
    ['below a file', [references('first'), file('release-manifests', TEXT)], 'ISO_NOT_FOUND'],
  ])('ignores a file that is %s in the end', async (_, entries, code) => {
    await expect(versionIn([references('old')], entries)).rejects.toMatchObject({ code });
  });

  test('reads long names in either form', async () => {
    const path = `${'a'.repeat(90)}/${'b'.repeat(150)}/${REFERENCES}`;
    await expect(versionIn([references('old', path)])).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
    const long: TarEntry = {
      ...references('pax', 'x'),
      header: { ...references('pax').header, name: 'x', pax: { path: REFERENCES } },
    };
    expect(await versionIn([long])).toBe('pax');
  });

  test('reports a live image that occurs twice, and reads the last one the next time', async () => {
    const registry = new FakeRegistry();
    const later = noise(200_000).reverse();
    const release = await releaseOf(
      registry,
      await imageOf(registry, [file(PATH, ISO), file('b', TEXT), file(PATH, later)]),
    );
    await expect(bytesOf((await release.liveIso()).bytes)).rejects.toMatchObject({
      code: 'ISO_BAD_ARCHIVE',
      message: expect.stringContaining('read it again'),
    });
    const { size, bytes } = await release.liveIso();
    expect([size, Buffer.compare(await bytesOf(bytes), later)]).toEqual([200_000, 0]);
  });

  test('refuses a sparse file', async () => {
    const sparse: TarEntry = {
      ...references('x'),
      header: { ...references('x').header, pax: { 'GNU.sparse.major': '1' } },
    };
    await expect(versionIn([sparse])).rejects.toMatchObject({ code: 'ISO_UNSUPPORTED' });
  });
});

describe('limits', () => {
  async function readLayer(layer: Uint8Array, descriptor: object = {}) {
    const registry = new FakeRegistry();
    const digest = registry.addManifest({ layers: [{ ...registry.addBlob(layer), ...descriptor }] });
    return readRelease(`quay.example/r@${digest}`, { ...registry, retries: 0 });
  }

  /** A frame with this window and one block of a repeated byte. */
  const frame = (window: number): Uint8Array =>
    Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, window << 3, 0x43, 0x06, 0x00, 0x41);

  test('refuse a zstd layer that needs a gigabyte', async () => {
    const before = process.memoryUsage().arrayBuffers;
    await expect(readLayer(frame(20))).rejects.toMatchObject({
      code: 'ISO_BAD_ARCHIVE',
      message: 'Frame requires too much memory for decoding',
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
  });

  test.each(['-5', 'abc', '99999999999999999999'])('refuse a size of %j in an extended header', async (size) => {
    // The writer makes its own records, so this one is made by hand.
    const record = (text: string): string => `${String(text.length + 4).padStart(2, '0')} ${text}\n`;
    const body = new TextEncoder().encode(record(`size=${size}`));
    const [head] = [new Uint8Array(await packTar([file('x', body)]))];
    head[156] = 'x'.charCodeAt(0);
    const sum = head.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
    head.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
    const rest = new Uint8Array(await packTar([file('release-manifests/image-references', TEXT)]));
    const layer = new Uint8Array(Buffer.concat([head.subarray(0, 1024), rest]));
    await expect(readLayer(layer)).rejects.toMatchObject({ code: expect.stringMatching(/^ISO_BAD/) });
  });

  test('refuse data after the frames of a layer', async () => {
    await expect(readLayer(Uint8Array.of(...frame(0), 1, 2, 3, 4))).rejects.toMatchObject({ code: 'ISO_BAD_ARCHIVE' });
  });

  test.each([
    ['gzip', gzipSync(new Uint8Array(300_000))],
    ['zstd', Buffer.concat(Array.from({ length: 300 }, () => frame(10)))],
  ])('stop unpacking at the maximum size: %s', async (_, layer) => {
    const reader = (await unpackLayer(new Blob([new Uint8Array(layer)]).stream(), 50_000)).getReader();
    const drain = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(drain()).rejects.toMatchObject({ code: 'ISO_UNPACK_LIMIT' });
  });

  test.each([-1, 1.5, '5', null])('refuse a size of %j', async (size) => {
    await expect(readLayer(TEXT, { size })).rejects.toMatchObject({ code: 'ISO_UNSUPPORTED' });
  });

  test('refuse an image with thousands of layers', async () => {
    const registry = new FakeRegistry();
    const layer = registry.addBlob(new Uint8Array(await packTar([])));
    const digest = registry.addManifest({ layers: Array.from({ length: 501 }, () => layer) });
    await expect(readRelease(`quay.example/r@${digest}`, registry)).rejects.toMatchObject({ code: 'ISO_LIMIT' });
    expect(registry.asked).toHaveLength(1);
  });

  test('allow manifests of at most 4 MiB', async () => {
    const registry = new FakeRegistry();
    const digest = registry.addManifest({ layers: [], annotations: { a: 'x'.repeat(4 << 20) } });
    await expect(readRelease(`quay.example/r@${digest}`, registry)).rejects.toMatchObject({ code: 'ISO_LIMIT' });
  });

  test('name only a few architectures of a list with thousands', async () => {
    const registry = new FakeRegistry();
    const { digest } = registry.addBlob(TEXT);
    const manifests = Array.from({ length: 5000 }, (_, index) => ({
      digest,
      platform: { architecture: `m${index}`, os: 'linux' },
    }));
    const error = await readRelease(`quay.example/r@${registry.addManifest({ manifests })}`, registry).catch(String);
    expect(error).toMatch(/, m19, …$/);
  });
});
