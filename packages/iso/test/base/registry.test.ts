// How registries are asked (OCI Distribution 1.1, "Pull"), and what becomes of the ways in which they answer.
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

/** A registry with a release, and all that it is asked. */
class RegistryUnderTest extends FakeRegistry {
  readonly requests: Asked[] = [];
  /** How a request is answered, if not as usual. */
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

  /** The name of a release of version 4.20.3 in here. */
  async release(host = 'quay.example'): Promise<string> {
    return `${host}/ocp/release@${await this.addRelease(`${host}/ocp/art:1`)}`;
  }

  async version(name: string, options: ReleaseOptions = {}): Promise<string> {
    return (await readRelease(name, { fetch: this.fetch, retries: 0, ...options })).version;
  }
}

/** An answer whose body tells whether it was let go. */
function unread(status: number): { response: Response; isLeft: () => boolean } {
  let isLeft = false;
  const cancel = (): void => {
    isLeft = true;
  };
  return { response: new Response(new ReadableStream({ cancel }), { status }), isLeft: () => isLeft };
}

test('a manifest is asked for in all its kinds, a blob as it is, each under its digest', async () => {
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
])('a registry that answers %d is told so, and not asked again', async (status, reason) => {
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
    // Only who was not known is asked for a second time, with the password.
    expect(answers.map(({ isLeft }) => isLeft())).toEqual(status === 401 ? [true, true] : [true]);
  }
});

test.each([500, 503, 408, 429])('a registry that answers %d is asked again', async (status) => {
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

describe('who asks', () => {
  const pullSecret = JSON.stringify({ auths: { 'quay.example/ocp': { auth: 'dTpw' } } });
  const isFor = (host: string, { url }: Asked): boolean => new URL(url).host === host;

  test('tells the password where it is wanted, and from then on unasked', async () => {
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

  test('gets a token by the same fetch, and a new one once it is not taken any more', async () => {
    const from = registry();
    const name = await from.release();
    let tokens = 0;
    from.answer = (asked) => {
      if (isFor('auth.example', asked)) return Response.json({ token: `t${++tokens}` });
      // Each is good for one answer.
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

describe('of mirrors', () => {
  const mirrors = [{ source: 'quay.example', mirrors: ['a.example/m', 'b.example/m'], tags: true }];
  const hosts = ({ urls }: RegistryUnderTest): string[] => urls.map((url) => new URL(url).host);

  test('the first that has an image is asked for all of it', async () => {
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

  test('one that gives something else is passed over', async () => {
    const from = registry();
    const name = await from.release();
    from.answer = ({ url }) => (url.includes('//a.example/') ? Response.json({}) : undefined);
    expect(await from.version(name, { mirrors })).toBe('4.20.3');
  });

  test.each([
    [5, ['a', 'a', 'b', 'b', 'quay', 'quay', 'quay', 'quay', 'quay', 'quay']],
    [0, ['a', 'b', 'quay']],
  ])('only the last is borne with for long: %d times', async (retries, expected) => {
    const from = registry();
    const name = await from.release();
    from.answer = () => new Response(null, { status: 503, headers: { 'retry-after': '0' } });
    const failure = from.version(name, { mirrors, retries });
    await expect(failure).rejects.toMatchObject({ code: 'ISO_REMOTE' });
    expect(hosts(from).map((host) => host.replace('.example', ''))).toEqual(expected);
  });

  test('none that has it is told with what each said', async () => {
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

  test('the only one, or the source alone, says what it is', async () => {
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
  ])('no place at all is told as well: %s', async (version, others, hint) => {
    const never = [{ source: 'quay.example', mirrors: others, sourcePolicy: 'NeverContactSource' }];
    await expect(registry().version(`quay.example/r${version}`, { mirrors: never })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: `could not fetch quay.example/r${version} from any registry: there is no registry to ask${hint}`,
    });
  });

  test('none is asked for anyone who does not wait', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    const from = registry();
    await expect(from.version(await from.release(), { mirrors, signal })).rejects.toBe(reason);
    expect(from.requests).toEqual([]);
  });
});

describe('without encryption', () => {
  const plainly = (from: RegistryUnderTest): void => {
    from.answer = ({ url }) => {
      if (url.startsWith('https:')) throw new TypeError('fetch failed');
      return undefined;
    };
  };

  test.each([['quay.example:5000'], ['quay.example'], ['*']])(
    'a registry is asked that may be: %s',
    async (insecure) => {
      const from = registry();
      const name = await from.release('quay.example:5000');
      plainly(from);
      expect(await from.version(name, { insecureRegistries: [insecure] })).toBe('4.20.3');
      // Once it is known which way leads there, no other is tried.
      expect(from.urls.map((url) => url.replace(/\/v2.*/, ''))).toEqual([
        'https://quay.example:5000',
        'http://quay.example:5000',
        'http://quay.example:5000',
      ]);
    },
  );

  test.each([[[]], [['other.example', 'quay.example:5001', 'example']]])(
    'no other registry is asked: %j',
    async (insecureRegistries) => {
      const from = registry();
      const name = await from.release('quay.example:5000');
      plainly(from);
      await expect(from.version(name, { insecureRegistries })).rejects.toMatchObject({ code: 'ISO_REMOTE' });
      expect(from.urls.filter((url) => url.startsWith('http:'))).toEqual([]);
    },
  );

  test('none is asked that answers with encryption, now or later', async () => {
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

  test('none is asked for anyone who does not want to know any more', async () => {
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

test('digests are computed by what is given for it, and by the platform-independent code otherwise', async () => {
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

test('the fetch of the platform is taken where no other is given', async () => {
  const from = registry();
  vi.stubGlobal('fetch', from.fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect((await readRelease(await from.release())).version).toBe('4.20.3');
});

test('a server that a registry redirects to gets no password by naming a token server', async () => {
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
  ])('that is %s is not a manifest', async (_, text) => {
    const from = registry();
    from.manifests.set('1', new TextEncoder().encode(text));
    await expect(from.version('quay.example/r:1')).rejects.toMatchObject({
      code: 'ISO_BAD_ANSWER',
      message: 'the manifest of quay.example/r:1 is not a JSON object',
    });
  });

  test('is known by its digest, whatever it was asked for by', async () => {
    const from = registry();
    const name = await from.release();
    const digest = DIGEST.exec(name)?.[0] ?? '';
    from.manifests.set('latest', from.manifests.get(digest) ?? new Uint8Array());
    const release = await readRelease('quay.example/ocp/release', from);
    expect([release.digest, release.version]).toEqual([digest, '4.20.3']);
    expect(from.urls[0]).toBe('https://quay.example/v2/ocp/release/manifests/latest');
  });
});
