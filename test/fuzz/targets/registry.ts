// Container registries and the contents of their images: answers, layers, references, pull secrets, and signatures of
// files.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { readRelease } from '@coreiso/iso/base';
import { DetachedSignature } from '../../../packages/cli/src/frame/signatures/verify.ts';
import { Layers } from '../../../packages/iso/src/base/layers.ts';
import { formatReference, parseReference } from '../../../packages/iso/src/base/reference.ts';
import { Registry } from '../../../packages/iso/src/base/registry.ts';
import { unpackLayer } from '../../../packages/iso/src/base/unpack-layer.ts';
import { FakeRegistry } from '../../../packages/iso/test/base/fake-registry.ts';
import { scriptedFetch } from '../scripted-fetch.ts';
import { allowed, assertHolds, jsonOf, type Target, textOf } from '../target.ts';

const REMOTE = { retries: 0, timeout: 1000, minRate: 0 };
const LIMIT = 1 << 20;
const DIGEST = `sha256:${'ab'.repeat(32)}`;

const digestOf = (bytes: Uint8Array | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A layer before compression. */
async function tar(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const registry = new FakeRegistry();
  await registry.add(
    [Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))],
    (bytes) => bytes,
  );
  const [bytes] = registry.blobs.values();
  return bytes ?? new Uint8Array();
}

export const targets: readonly Target[] = [
  {
    name: 'registry/reference',
    shape: 'text',
    longest: 600,
    seeds: () => [
      'quay.io/a/b:tag',
      `registry.example:5000/a/b/c@${DIGEST}`,
      `localhost/x:1@${DIGEST}`,
      '[::1]:5000/a',
    ],
    run: (input) => {
      const reference = allowed(() => parseReference(textOf(input)));
      if (reference === undefined) return;
      const again = parseReference(formatReference(reference));
      assertHolds(
        again.registry === reference.registry && again.repository === reference.repository,
        'a reference is read as it is written',
      );
    },
  },
  {
    name: 'registry/answers',
    shape: 'tree',
    seeds: () => [
      JSON.stringify({
        manifest: { schemaVersion: 2, layers: [{ digest: DIGEST, size: 10 }] },
        answer: { status: 200 },
        secret: '{"auths":{"quay.io":{"auth":"YTpi"}}}',
      }),
      JSON.stringify({
        manifest: { manifests: [{ digest: DIGEST, platform: { architecture: 'amd64', os: 'linux' } }] },
        answer: { status: 401, headers: { 'www-authenticate': 'Bearer realm="https://auth.example/t",service="s"' } },
      }),
      JSON.stringify({
        manifest: { layers: [] },
        answer: { status: 404, body: { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'x' }] } },
        mirrors: [{ source: 'quay.io', mirrors: ['m.example/q'] }],
      }),
    ],
    run: async (input) => {
      const value = (jsonOf(input) ?? {}) as { manifest?: unknown; answer?: object; secret?: unknown };
      const body = JSON.stringify(value.manifest) ?? '';
      const name = `quay.io/a/b@${digestOf(body)}`;
      await allowed(async () => {
        const release = await readRelease(name, {
          ...REMOTE,
          ...(typeof value.secret === 'string' ? { pullSecret: value.secret } : {}),
          fetch: scriptedFetch([
            { ...value.answer, body: (value.answer as { body?: unknown } | undefined)?.body ?? body },
          ]),
        });
        await release.bootImages();
      });
    },
  },
  {
    name: 'registry/layers',
    shape: 'bytes',
    longest: 16 * 1024,
    memory: 64 * 1024 * 1024,
    seeds: async () => {
      const small = await tar({ 'etc/a': 'hello', 'etc/.wh.b': '', 'release-manifests/x': 'x' });
      return [
        small,
        Uint8Array.from(gzipSync(small)),
        await tar({ [`long/${'n'.repeat(120)}`]: 'x', './etc//a': 'y' }),
      ];
    },
    // The digest always matches the bytes, so that mutations get past it.
    run: async (input) => {
      const digest = digestOf(input);
      const registry = new Registry({
        ...REMOTE,
        fetch: async () => new Response(Uint8Array.from(input), { status: 200 }),
      });
      const place = parseReference('quay.io/a/b');
      const image = { place, digest, layers: [{ digest, size: input.length }] };
      await allowed(async () => {
        const found = await new Layers(registry).readSmall(
          image as Parameters<Layers['readSmall']>[0],
          '/etc/a',
          LIMIT,
        );
        assertHolds(found === undefined || found.length <= LIMIT, 'a small file is no larger than its limit');
      });
    },
  },
  {
    name: 'registry/unpack',
    shape: 'bytes',
    longest: 16 * 1024,
    memory: 64 * 1024 * 1024,
    seeds: () => [
      Uint8Array.from(gzipSync('x'.repeat(5000))),
      Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x24, 1, 9, 0, 0, 0x61),
      'plain',
    ],
    run: async (input) => {
      let length = 0;
      try {
        for await (const chunk of (await unpackLayer(
          new Response(Uint8Array.from(input)).body as ReadableStream<Uint8Array>,
          LIMIT,
        )) as unknown as AsyncIterable<Uint8Array>)
          length += chunk.length;
      } catch (error) {
        // Where layers are read, errors of the platform's decoder become errors of the package.
        const isDamage =
          error instanceof TypeError || (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)));
        if (!isDamage) throw error;
      }
      assertHolds(length <= LIMIT, 'a layer unpacks to no more than the limit');
    },
  },
  {
    name: 'registry/signature',
    shape: 'bytes',
    longest: 2000,
    seeds: () => [
      Uint8Array.from(Buffer.from(SIGNATURE, 'base64')),
      `-----BEGIN PGP SIGNATURE-----\n\n${SIGNATURE}\n-----END PGP SIGNATURE-----\n`,
    ],
    run: async (input) => {
      const signature = await DetachedSignature.read(input);
      if (signature === undefined) return;
      const verdicts = await signature.verdicts(new Response('a file').body as ReadableStream<Uint8Array>);
      for (const { outcome } of verdicts) assertHolds(outcome !== 'good', 'no signature that is made up is good');
    },
  },
];

/** Signed by a key that does not exist: version 4, EdDSA, SHA-256, an issuer fingerprint and a date. */
const SIGNATURE =
  'iHUEABYIAB0WIQQBI0VniavN7wEjRWeJq83vASNFZwUCZVPxAAAKCRCJq83vASNFZ6sYAQDerb7v3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+7wEA3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8=';
