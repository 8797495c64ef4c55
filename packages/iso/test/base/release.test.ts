import { readRelease } from '@coreiso/iso/base';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { noise } from '../http/servers.ts';
import { FakeRegistry } from './fake-registry.ts';

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const ISO = noise(3_000_000);
const TEXT = new TextEncoder().encode('something else');
const PATH = 'coreos/coreos-x86_64.iso';

type Layers = Parameters<FakeRegistry['add']>[0];

/** A release whose container image of live images has these layers. */
async function released(layers: Layers, version = '4.20.3', pack?: Parameters<FakeRegistry['add']>[1]) {
  const registry = new FakeRegistry();
  const art = await registry.add(layers, pack);
  const digest = await registry.addRelease(`quay.example/ocp/art@${art}`, version);
  return { registry, art, name: `quay.example/ocp/release@${digest}` };
}

async function isoOf({ registry, name }: Awaited<ReturnType<typeof released>>, stream?: string): Promise<Uint8Array> {
  const release = await readRelease(name, { fetch: registry.fetch, retries: 2 });
  return bytesOf((await release.liveIso(stream === undefined ? {} : { stream })).bytes);
}

describe('the live image', () => {
  test.each<[string, Layers]>([
    ['alone in its layer', [{ [PATH]: ISO }]],
    [
      'among others, under layers without it',
      [{ a: TEXT }, { 'coreos/a': TEXT, [PATH]: ISO, last: TEXT }, { b: TEXT }],
    ],
    ['written with a dot before it', [{ [`./${PATH}`]: ISO }]],
    ['in several layers: the uppermost counts', [{ [PATH]: TEXT }, { [PATH]: ISO }]],
    ['before a file that says that others are gone', [{ [PATH]: ISO }, { 'coreos/.wh.other': TEXT }]],
  ])('is found %s', async (_, layers) => {
    expect(Buffer.compare(await isoOf(await released(layers)), ISO)).toBe(0);
  });

  test.each<[string, Layers]>([
    ['a layer above removes it', [{ [PATH]: ISO }, { 'coreos/.wh.coreos-x86_64.iso': TEXT }]],
    ['a layer above removes its folder', [{ [PATH]: ISO }, { '.wh.coreos': TEXT }]],
    ['a layer above replaces its folder', [{ [PATH]: ISO }, { 'coreos/.wh..wh..opq': TEXT }]],
    ['there is none', [{ 'coreos/coreos-aarch64.iso': ISO }]],
  ])('is missing if %s', async (_, layers) => {
    await expect(isoOf(await released(layers))).rejects.toMatchObject({
      code: 'ISO_NOT_FOUND',
      message: expect.stringContaining('/coreos/coreos-x86_64.iso'),
    });
  });

  test.each([
    ['4.20.3', undefined, PATH],
    ['5.0.0', undefined, 'coreos/coreos10-x86_64.iso'],
    ['4.21.0', 'rhel-10', 'coreos/coreos10-x86_64.iso'],
    ['5.1.0', 'rhel-9', PATH],
  ])('of release %s and stream %s is /%s', async (version, stream, path) => {
    expect(Buffer.compare(await isoOf(await released([{ [path]: ISO }], version), stream), ISO)).toBe(0);
  });

  test('comes out of a plain layer', async () => {
    expect(Buffer.compare(await isoOf(await released([{ [PATH]: ISO }], '4.20.3', (tar) => tar)), ISO)).toBe(0);
  });
});

describeWith(['zstd'], 'a layer that zstd compressed', () => {
  test('is also read', async () => {
    const zstd = (tar: Uint8Array): Uint8Array => output('zstd', ['-q', '-c'], { input: tar });
    expect(Buffer.compare(await isoOf(await released([{ [PATH]: ISO }], '4.20.3', zstd)), ISO)).toBe(0);
  });
});

test('continues a layer that breaks off', async () => {
  const made = await released([{ [PATH]: ISO }]);
  const ranges: (string | null)[] = [];
  made.registry.instead = (url, init, usual) => {
    const response = usual();
    if (!url.pathname.includes('/blobs/') || Number(response.headers.get('content-length')) < 100_000) return undefined;
    ranges.push(new Headers(init.headers).get('range'));
    if (ranges.length > 2) return undefined;
    const length = response.headers.get('content-length') ?? '';
    return new Response(cut(response, 1_000_000), { status: response.status, headers: { 'content-length': length } });
  };
  expect(Buffer.compare(await isoOf(made), ISO)).toBe(0);
  expect(ranges[0]).toBe(null);
  expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
  expect(ranges).toHaveLength(3);
});

test('continues a layer that stalls, even if fetch ignores its signal', async () => {
  const { registry, name } = await released([{ [PATH]: ISO }]);
  let stops = 1;
  registry.instead = (url, _, usual) => {
    const response = usual();
    if (!url.pathname.includes('/blobs/') || Number(response.headers.get('content-length')) < 100_000) return undefined;
    if (stops-- === 0) return undefined;
    const start = (controller: ReadableStreamDefaultController): void => controller.enqueue(new Uint8Array(0));
    return new Response(new ReadableStream({ start }), { headers: response.headers });
  };
  const { fetch } = registry;
  const { liveIso } = await readRelease(name, { fetch, timeout: 50, retries: 1 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await liveIso()).bytes) chunks.push(chunk);
  expect(Buffer.compare(Buffer.concat(chunks), ISO)).toBe(0);
});

function cut({ body }: Response, length: number): ReadableStream<Uint8Array> {
  let left = length;
  return (body as ReadableStream<Uint8Array>).pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        const part = chunk.subarray(0, left);
        left -= part.length;
        if (part.length > 0) controller.enqueue(part);
        else controller.error(new Error('cut'));
      },
    }),
  );
}

describe('never wrong bytes:', () => {
  test('a wrong digest is reported before the last bytes', async () => {
    const made = await released([{ [PATH]: ISO, last: TEXT }]);
    const other = new FakeRegistry();
    const wrong = ISO.slice();
    wrong[1_500_000] = (wrong[1_500_000] ?? 0) ^ 1;
    await other.add([{ [PATH]: wrong, last: TEXT }]);
    const [bytes] = [...other.blobs.values()];
    const largest = [...made.registry.blobs].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? '';
    made.registry.blobs.set(largest, bytes ?? new Uint8Array());
    const { liveIso } = await readRelease(made.name, made.registry);
    const { bytes: chunks, size } = await liveIso();
    let came = 0;
    const reading = (async () => {
      for await (const chunk of chunks) came += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ISO_WRONG_DIGEST' });
    expect(came).toBeLessThan(size);
  });

  test('a manifest that has another digest is refused', async () => {
    const made = await released([{ [PATH]: ISO }]);
    made.registry.manifests.set(made.art, new TextEncoder().encode('{"layers":[]}'));
    await expect(isoOf(made)).rejects.toMatchObject({ code: 'ISO_WRONG_DIGEST' });
  });

  test.each<[string, string, (registry: FakeRegistry) => object]>([
    ['is no tar archive', 'ISO_BAD_ARCHIVE', (registry) => ({ layers: [registry.addBlob(noise(100_000))] })],
    ['is of an old kind', 'ISO_UNSUPPORTED', () => ({ schemaVersion: 1, fsLayers: [] })],
    ['has a layer without a digest', 'ISO_UNSUPPORTED', () => ({ layers: [{ digest: 'md5:0' }] })],
    ['has a layer that is not there', 'ISO_REMOTE', () => ({ layers: [{ digest: `sha256:${'0'.repeat(64)}` }] })],
  ])('an image that %s', async (_, code, manifestIn) => {
    const registry = new FakeRegistry();
    const art = registry.addManifest(manifestIn(registry));
    const name = `quay.example/ocp/release@${await registry.addRelease(`quay.example/ocp/art@${art}`)}`;
    await expect(isoOf({ registry, art, name })).rejects.toMatchObject({ code });
  });

  test('a reader that has left causes no more requests', async () => {
    const made = await released([{ [PATH]: ISO }]);
    const { liveIso } = await readRelease(made.name, made.registry);
    for await (const _ of (await liveIso()).bytes) break;
    const { length } = made.registry.asked;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made.registry.asked).toHaveLength(length);
  });
});

describe('the manifest of the boot images', () => {
  const manifest = async (files: Layers[number]): Promise<Uint8Array | undefined> => {
    const registry = new FakeRegistry();
    const references = JSON.stringify({ metadata: { name: '4.20.3' }, spec: { tags: [] } });
    const digest = await registry.add([
      { 'release-manifests/image-references': new TextEncoder().encode(references), ...files },
    ]);
    const release = await readRelease(`quay.example/ocp/release@${digest}`, { fetch: registry.fetch });
    return await release.bootImages();
  };
  const PLACE = 'release-manifests/0000_50_installer_coreos-bootimages.yaml';

  test('is part of the release', async () => {
    expect(await manifest({ [PLACE]: TEXT })).toEqual(TEXT);
  });

  test('is undefined if the release has none', async () => {
    expect(await manifest({ 'release-manifests/other.yaml': TEXT })).toBeUndefined();
  });
});
