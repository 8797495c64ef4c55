// Requests to registries (OCI Distribution 1.1, "Pull"), and the handling of their answers.
import { type Hash, sha256 } from '@coreiso/iso';
import { type ReleaseOptions, readRelease } from '@coreiso/iso/base';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../http/servers.ts';
import { FakeRegistry } from './fake-registry.ts';

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const DIGEST = /sha256:[0-9a-f]{64}/;
const registry = () => new RegistryUnderTest();

/** A registry with a release, and all its requests. */
class RegistryUnderTest extends FakeRegistry {
  readonly requests: Asked[] = [];
  /** Replaces the usual answer to a request. */
  answer: ((asked: Asked, usual: () => Response) => Response | undefined) | undefined;

  constructor() {
    super();
    this.instead = (url, init, usual) => {
      const headers: Record<string, string> = {};
      new Headers(init.headers).forEach((value, name) => {
        headers[name] = value;
      });
      const asked = { url: url.href, headers };
      this.requests.push(asked);
      return this.answer?.(asked, usual);
    };
  }

  get urls(): string[] {
    return this.requests.map(({ url }) => url);
  }

  /** Adds a release of version 4.20.3; returns its name. */
  async release(host = 'quay.example'): Promise<string> {
    return `${host}/ocp/release@${await this.addRelease(`${host}/ocp/art:1`)}`;
  }

  async version(name: string, options: ReleaseOptions = {}): Promise<string> {
    return (await readRelease(name, { fetch: this.fetch, retries: 0, ...options })).version;
  }
}

/** An answer that shows whether its body was cancelled. */
function unread(status: number): { response: Response; isLeft: () => boolean } {
  let isLeft = false;
  const cancel = (): void => {
    isLeft = true;
  };
  return { response: new Response(new ReadableStream({ cancel }), { status }), isLeft: () => isLeft };
}

test('requests a manifest in all its types and a blob uncompressed, each by its digest', async () => {
  const from = registry();
  const name = await from.release();
  expect(await from.version(name)).toBe('4.20.3');
  const [blob] = from.blobs.keys();
  expect(from.requests).toEqual([
    {
      url: `https://quay.example/v2/ocp/release/manifests/${DIGEST.exec(name)?.[0]}`,
      headers: {
        accept:
          'application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json, ' +
          'application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.docker.distribution.manifest.v2+json',
      },
    },
    { url: `https://quay.example/v2/ocp/release/blobs/${blob}`, headers: { 'accept-encoding': 'identity' } },
  ]);
});

test.each([
  [206, 'the registry answered (206)'],
  [401, 'the registry does not take the credentials of the pull secret (401)'],
  [403, 'the registry refuses to give it (403)'],
  [404, 'the registry does not have it (404)'],
  [418, 'the registry answered (418)'],
])("reports a registry's answer %d without a retry", async (status, reason) => {
  for (const kind of ['manifests', 'blobs']) {
    const from = registry();
    const name = await from.release();
    const answers: ReturnType<typeof unread>[] = [];
    from.answer = ({ url }) => {
      if (!url.includes(`/${kind}/`)) return undefined;
      answers.push(unread(status));
      return answers.at(-1)?.response;
    };
    const pullSecret = JSON.stringify({ auths: { 'quay.example': { auth: 'dTpw' } } });
    const what = kind === 'manifests' ? name : `quay.example/ocp/release@${[...from.blobs.keys()][0]}`;
    await expect(from.version(name, { pullSecret, retries: 3 })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: `cannot read ${what}: ${reason}`,
    });
    // Only 401 leads to a second request, with the password.
    expect(answers.map(({ isLeft }) => isLeft())).toEqual(status === 401 ? [true, true] : [true]);
  }
});

test.each([500, 503, 408, 429])("retries after a registry's answer %d", async (status) => {
  for (const kind of ['manifests', 'blobs']) {
    const from = registry();
    const name = await from.release();
    let failures = 2;
    from.answer = ({ url }) =>
      url.includes(`/${kind}/`) && failures-- > 0
        ? new Response(null, { status, headers: { 'retry-after': '0' } })
        : undefined;
    expect(await from.version(name, { retries: 2 })).toBe('4.20.3');
    expect(from.requests).toHaveLength(4);
  }
});

describe('authorization', () => {
  const pullSecret = JSON.stringify({ auths: { 'quay.example/ocp': { auth: 'dTpw' } } });
  const isFor = (host: string, { url }: Asked): boolean => new URL(url).host === host;

  test('sends the password when the registry requires it, and from then on always', async () => {
    const from = registry();
    const name = await from.release();
    from.answer = ({ headers }) =>
      headers['authorization'] === 'Basic dTpw' ? undefined : new Response(null, { status: 401 });
    expect(await from.version(name, { pullSecret })).toBe('4.20.3');
    expect(from.requests.map(({ headers }) => headers['authorization'])).toEqual([
      undefined,
      'Basic dTpw',
      'Basic dTpw',
    ]);
  });

  test('fetches a token by the same fetch, and a new one once the registry refuses it', async () => {
    const from = registry();
    const name = await from.release();
    let tokens = 0;
    from.answer = (asked) => {
      if (isFor('auth.example', asked)) return Response.json({ token: `t${++tokens}` });
      // Each token is valid for one answer.
      if (
        asked.headers['authorization'] === `Bearer t${tokens}` &&
        asked.url.includes(['manifests', 'blobs'][tokens - 1] ?? '')
      )
        return undefined;
      const challenge = 'Bearer realm="https://auth.example/token",service="quay"';
      const response = new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
      return Object.defineProperty(response, 'url', { value: asked.url });
    };
    expect(await from.version(name, { pullSecret })).toBe('4.20.3');
    expect(tokens).toBe(2);
    expect(from.requests.filter((asked) => isFor('auth.example', asked))).toEqual(
      Array(2).fill({
        url: 'https://auth.example/token?service=quay&scope=repository%3Aocp%2Frelease%3Apull',
        headers: { authorization: 'Basic dTpw' },
      }),
    );
  });
});

describe('mirrors', () => {
  const mirrors = [{ source: 'quay.example', mirrors: ['a.example/m', 'b.example/m'], tags: true }];
  const hosts = ({ urls }: RegistryUnderTest): string[] => urls.map((url) => new URL(url).host);

  test('the first one that has an image provides all of it', async () => {
    const from = registry();
    const name = await from.release();
    from.answer = ({ url }) => (url.includes('//a.example/') ? new Response(null, { status: 404 }) : undefined);
    expect(await from.version(name, { mirrors })).toBe('4.20.3');
    expect(from.urls.map((url) => url.replace(/sha256:.*/, ''))).toEqual([
      'https://a.example/v2/m/ocp/release/manifests/',
      'https://b.example/v2/m/ocp/release/manifests/',
      'https://b.example/v2/m/ocp/release/blobs/',
    ]);
  });

  test('one with other contents is skipped', async () => {
    const from = registry();
    const name = await from.release();
    from.answer = ({ url }) => (url.includes('//a.example/') ? Response.json({}) : undefined);
    expect(await from.version(name, { mirrors })).toBe('4.20.3');
  });

  test.each([
    [5, ['a', 'a', 'b', 'b', 'quay', 'quay', 'quay', 'quay', 'quay', 'quay']],
    [0, ['a', 'b', 'quay']],
  ])('only the last one gets all retries: %d', async (retries, expected) => {
    const from = registry();
    const name = await from.release();
    from.answer = () => new Response(null, { status: 503, headers: { 'retry-after': '0' } });
    const failure = from.version(name, { mirrors, retries });
    await expect(failure).rejects.toMatchObject({ code: 'ISO_REMOTE' });
    expect(hosts(from).map((host) => host.replace('.example', ''))).toEqual(expected);
  });

  test('the error lists the answers of all if none has the image', async () => {
    const from = registry();
    const version = `@sha256:${'0'.repeat(64)}`;
    const lacks = (place: string): string => `cannot read ${place}: the registry does not have it (404)`;
    await expect(from.version(`quay.example/r${version}`, { mirrors })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: `could not fetch quay.example/r${version} from any registry: ${[
        'a.example/m/r',
        'b.example/m/r',
        'quay.example/r',
      ]
        .map((place) => lacks(place + version))
        .join('; ')}`,
    });
  });

  test('the error of a single one, or of the source alone, is reported directly', async () => {
    const alone = [
      { source: 'quay.example', mirrors: ['a.example/m'], sourcePolicy: 'NeverContactSource', tags: true },
    ];
    for (const [place, given] of [['a.example/m/r:1', alone] as const, ['quay.example/r:1', []] as const]) {
      await expect(registry().version('quay.example/r:1', { mirrors: given })).rejects.toMatchObject({
        message: `cannot read ${place}: the registry does not have it (404)`,
      });
    }
  });

  test.each([
    [`@sha256:${'0'.repeat(64)}`, [], ''],
    [':1', ['a.example/m'], ' (its mirrors count for images that are named by digest)'],
  ])('having no place at all is reported: %s', async (version, others, hint) => {
    const never = [{ source: 'quay.example', mirrors: others, sourcePolicy: 'NeverContactSource' }];
    await expect(registry().version(`quay.example/r${version}`, { mirrors: never })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: `could not fetch quay.example/r${version} from any registry: there is no registry to ask${hint}`,
    });
  });

  test('an aborted call sends no request to any', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    const from = registry();
    await expect(from.version(await from.release(), { mirrors, signal })).rejects.toBe(reason);
    expect(from.requests).toEqual([]);
  });
});

describe('unencrypted connections', () => {
  const plainly = (from: RegistryUnderTest): void => {
    from.answer = ({ url }) => {
      if (url.startsWith('https:')) throw new TypeError('fetch failed');
      return undefined;
    };
  };

  test.each([['quay.example:5000'], ['quay.example'], ['*']])('an allowed registry is used: %s', async (insecure) => {
    const from = registry();
    const name = await from.release('quay.example:5000');
    plainly(from);
    expect(await from.version(name, { insecureRegistries: [insecure] })).toBe('4.20.3');
    // Once the scheme is known, no other is tried.
    expect(from.urls.map((url) => url.replace(/\/v2.*/, ''))).toEqual([
      'https://quay.example:5000',
      'http://quay.example:5000',
      'http://quay.example:5000',
    ]);
  });

  test.each([[[]], [['other.example', 'quay.example:5001', 'example']]])(
    'no other registry is used: %j',
    async (insecureRegistries) => {
      const from = registry();
      const name = await from.release('quay.example:5000');
      plainly(from);
      await expect(from.version(name, { insecureRegistries })).rejects.toMatchObject({ code: 'ISO_REMOTE' });
      expect(from.urls.filter((url) => url.startsWith('http:'))).toEqual([]);
    },
  );

  test('a registry that answers with TLS is not used, now or later', async () => {
    const from = registry();
    const name = await from.release();
    let failures = 2;
    from.answer = () => {
      if (failures-- === 2) return new Response(null, { status: 503, headers: { 'retry-after': '0' } });
      if (failures === 0) throw new TypeError('fetch failed');
      return undefined;
    };
    expect(await from.version(name, { insecureRegistries: ['quay.example'], retries: 2 })).toBe('4.20.3');
    expect(from.urls.filter((url) => url.startsWith('http:'))).toEqual([]);
  });

  test('an aborted call sends no request', async () => {
    const from = registry();
    const abort = new AbortController();
    from.answer = () => {
      abort.abort(new Error('enough'));
      throw new TypeError('fetch failed');
    };
    const options = { insecureRegistries: ['quay.example'], signal: abort.signal };
    await expect(from.version(await from.release(), options)).rejects.toThrow('enough');
    expect(from.requests).toHaveLength(1);
  });
});

test('computes digests with the given hash, or else with the portable code', async () => {
  const from = registry();
  const name = await from.release();
  let made = 0;
  const counting: () => Hash = () => {
    made++;
    return sha256();
  };
  expect(await from.version(name, { sha256: counting })).toBe('4.20.3');
  expect(made).toBe(2);
});

test("uses the platform's fetch by default", async () => {
  const from = registry();
  vi.stubGlobal('fetch', from.fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect((await readRelease(await from.release())).version).toBe('4.20.3');
});

test('sends no password to a token server that a redirect target names', async () => {
  const seen: string[] = [];
  const evil = await listen(({ url, headers }, response) => {
    seen.push(`evil ${url} ${headers.authorization ?? '-'}`);
    response.writeHead(401, { 'www-authenticate': 'Bearer realm="/token"' }).end();
  });
  const own = await listen(({ headers }, response) => {
    seen.push(`registry ${headers.authorization ?? '-'}`);
    response.writeHead(302, { location: `${evil}manifest` }).end();
  });
  const { host } = new URL(own);
  const pullSecret = JSON.stringify({ auths: { [host]: { auth: btoa('user:secret') } } });
  const options = { insecureRegistries: [host], pullSecret, retries: 0 };
  await expect(readRelease(`${host}/r:1`, options)).rejects.toMatchObject({
    code: 'ISO_REMOTE',
    message: `${host} redirects to ${new URL(evil).origin}, which requires credentials and gets none`,
  });
  expect(seen).toEqual(['registry -', 'evil /manifest -']);
});

describe('a manifest', () => {
  test.each([
    ['no JSON', '<html>'],
    ['JSON, but no object', '3'],
    ['nothing', 'null'],
  ])('is refused if it is %s', async (_, text) => {
    const from = registry();
    from.manifests.set('1', new TextEncoder().encode(text));
    await expect(from.version('quay.example/r:1')).rejects.toMatchObject({
      code: 'ISO_BAD_ANSWER',
      message: 'the manifest of quay.example/r:1 is not a JSON object',
    });
  });

  test('is identified by its digest, even if requested by tag', async () => {
    const from = registry();
    const name = await from.release();
    const digest = DIGEST.exec(name)?.[0] ?? '';
    from.manifests.set('latest', from.manifests.get(digest) ?? new Uint8Array());
    const release = await readRelease('quay.example/ocp/release', from);
    expect([release.digest, release.version]).toEqual([digest, '4.20.3']);
    expect(from.urls[0]).toBe('https://quay.example/v2/ocp/release/manifests/latest');
  });
});
