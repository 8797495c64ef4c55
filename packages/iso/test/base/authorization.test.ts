import { describe, expect, test, vi } from 'vitest';
import { Authorizations } from '../../src/base/authorization.ts';
import { placesFor, type RegistryMirror } from '../../src/base/mirrors.ts';
import { formatReference, parseReference, versionOf } from '../../src/base/reference.ts';

const PLACE = parseReference('quay.io/a/b:1');
const SECRET = JSON.stringify({ auths: { 'quay.io': { auth: 'dXNlcjpwdw==' } } });
const signal = new AbortController().signal;

/** The answer that a registry gets to `challenge`, and the requests to the token server. */
async function answered(
  challenge: string | undefined,
  {
    secret = SECRET,
    address = 'https://quay.io/v2/',
    from = address,
    token = () => Response.json({ token: 'abc' }),
  }: { secret?: string; address?: string; from?: string; token?: () => Response } = {},
) {
  const asked: { url: string; authorization: string | null }[] = [];
  const authorizations = new Authorizations(secret, async (url, { headers }) => {
    asked.push({ url, authorization: new Headers(headers).get('authorization') });
    return token();
  });
  const response = new Response(null, challenge === undefined ? {} : { headers: { 'www-authenticate': challenge } });
  Object.defineProperty(response, 'url', { value: from });
  expect(authorizations.known(PLACE)).toBeUndefined();
  const header = await authorizations.renew(PLACE, address, response, signal);
  expect(authorizations.known(PLACE)).toBe(header);
  expect(authorizations.known(parseReference('quay.io/a/c'))).toBeUndefined();
  return { header, asked };
}

describe('a registry that answers 401', () => {
  test.each([undefined, 'Basic realm="x"', 'Basic realm="a bearer of secrets"'])(
    'by %s gets the password',
    async (challenge) => {
      expect(await answered(challenge)).toEqual({ header: 'Basic dXNlcjpwdw==', asked: [] });
    },
  );

  test.each([
    ['Bearer realm="https://auth.example/token"', 'https://auth.example/token?scope=repository%3Aa%2Fb%3Apull'],
    ['bearer realm="/token",service="reg"', 'https://quay.io/token?service=reg&scope=repository%3Aa%2Fb%3Apull'],
    ['Basic realm="x", Bearer realm="https://a.example/"', 'https://a.example/?scope=repository%3Aa%2Fb%3Apull'],
    ['Bearer realm="https://a.example/t?k=v",scope="s"', 'https://a.example/t?k=v&scope=s'],
    // RFC 9110 §11.2: names of parameters and schemes are case-insensitive.
    ['BEARER Realm="https://a.example/",SERVICE="reg",Scope="s"', 'https://a.example/?service=reg&scope=s'],
  ])('by %s gets a token from its server', async (challenge, url) => {
    const { header, asked } = await answered(challenge);
    expect(header).toBe('Bearer abc');
    expect(asked).toEqual([{ url, authorization: 'Basic dXNlcjpwdw==' }]);
  });

  test('also gets a token without a password', async () => {
    const { asked } = await answered('Bearer realm="https://auth.example/"', { secret: JSON.stringify({ auths: {} }) });
    expect(asked[0]?.authorization).toBeNull();
  });

  test.each(['Bearer service="x"', 'Bearer realm="http://auth.example/"', 'Bearer realm="https://"'])(
    'is refused if it names no usable token server: %s',
    async (challenge) => {
      await expect(answered(challenge)).rejects.toMatchObject({
        code: 'ISO_BAD_ANSWER',
        message: 'quay.io names no usable token server',
      });
    },
  );

  test('without TLS may name a token server without TLS', async () => {
    const { header } = await answered('Bearer realm="http://auth.example/"', { address: 'http://localhost:5000/v2/' });
    expect(header).toBe('Bearer abc');
  });

  test.each([
    ['https://quay.io/v2/', 'https://blobs.example/v2/', 'https://blobs.example'],
    ['https://quay.io/v2/', 'https://quay.io:8443/v2/', 'https://quay.io:8443'],
    ['https://quay.io/v2/', 'http://quay.io/v2/', 'http://quay.io'],
    ['http://localhost:5000/v2/', 'http://localhost:5001/v2/', 'http://localhost:5001'],
  ])('gets no password after a redirect from %s to %s', async (address, from, place) => {
    const token = vi.fn(() => Response.json({ token: 'abc' }));
    for (const challenge of ['Bearer realm="https://evil.example/"', 'Bearer realm="/"', 'Basic realm="x"']) {
      await expect(answered(challenge, { address, from, token })).rejects.toMatchObject({
        code: 'ISO_REMOTE',
        message: `quay.io redirects to ${place}, which requires credentials and gets none`,
      });
    }
    expect(token).not.toHaveBeenCalled();
  });

  test('gets the password after a redirect to itself or to TLS', async () => {
    const challenge = 'Bearer realm="/token"';
    const within = await answered(challenge, { from: 'https://quay.io/v2/elsewhere' });
    const safer = await answered(challenge, { address: 'http://quay.io/v2/', from: 'https://quay.io/v2/' });
    const untold = await answered(challenge, { from: '' });
    const url = 'https://quay.io/token?scope=repository%3Aa%2Fb%3Apull';
    expect([within, safer, untold].map(({ asked }) => asked[0]?.url)).toEqual([url, url, url]);
  });

  test('is refused if the pull secret has no credentials for it', async () => {
    const message = 'quay.io requires credentials, and the pull secret has none for quay.io/a/b';
    const none = { secret: JSON.stringify({ auths: {} }) };
    await expect(answered('Basic', none)).rejects.toMatchObject({ code: 'ISO_REMOTE', message });
    const cancel = vi.fn();
    const token = () => new Response(new ReadableStream({ cancel }), { status: 401 });
    await expect(answered('Bearer realm="/"', { ...none, token })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message,
    });
    await expect(answered('Bearer realm="/"', { token })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message:
        'cannot get a token for quay.io/a/b: the token server does not take the credentials of the pull secret (401)',
    });
    // The rest of the token server's answer is not awaited.
    expect(cancel).toHaveBeenCalledTimes(2);
  });

  test("gets the token server's answer only if that is a token", async () => {
    const given = (body: unknown) => answered('Bearer realm="/"', { token: () => Response.json(body) });
    expect((await given({ access_token: '!~' })).header).toBe('Bearer !~');
    expect((await given({ token: 'a', access_token: 'b' })).header).toBe('Bearer a');
    for (const body of [{}, null, { token: '' }, { token: 3 }, { token: 'a b' }, { token: 'a\n' }, { token: 'ä' }]) {
      await expect(given(body)).rejects.toMatchObject({
        code: 'ISO_BAD_ANSWER',
        message: 'the answer of the token server is not a token for quay.io/a/b',
      });
    }
  });
});

describe('mirrors', () => {
  const DIGEST = `sha256:${'0'.repeat(64)}`;
  const places = (name: string, ...mirrors: RegistryMirror[]): string[] =>
    placesFor(parseReference(`${name}@${DIGEST}`), mirrors).map((place) => formatReference(place).replace(/@.*/, ''));

  test.each<[string, RegistryMirror, string[]]>([
    [
      'a.example.com:5000/x/y',
      { source: '*.example.com', mirrors: ['m.io/p/'] },
      ['m.io/p/x/y', 'a.example.com:5000/x/y'],
    ],
    ['a.b.example.com/x', { source: '*.example.com', mirrors: ['m.io'] }, ['m.io/x', 'a.b.example.com/x']],
    ['example.com/x', { source: '*.example.com', mirrors: ['m.io'] }, ['example.com/x']],
    ['badexample.com/x', { source: '*.example.com', mirrors: ['m.io'] }, ['badexample.com/x']],
    ['example.com/x', { source: 'example.com/x', mirrors: ['m.io/y//'] }, ['m.io/y', 'example.com/x']],
    ['example.com/x', { source: 'example.com', location: 'real.io/z', mirrors: [] }, ['real.io/z/x']],
    ['example.com/x', { source: 'example.com', sourcePolicy: 'AllowContactingSource' }, ['example.com/x']],
    ['example.com/x', { source: 'example.com', sourcePolicy: 'NeverContactSource' }, []],
  ])('resolve %s with %j to %j', (name, mirror, expected) => {
    expect(places(name, mirror)).toEqual(expected);
  });

  test('requests the digest, the tag, or the latest version', () => {
    expect(versionOf(parseReference(`quay.io/a:1@${DIGEST}`))).toBe(DIGEST);
    expect(versionOf(parseReference('quay.io/a:1'))).toBe('1');
    expect(versionOf(parseReference('quay.io/a'))).toBe('latest');
  });
});
