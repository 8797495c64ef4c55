// Which servers get the caller's headers after a redirect.
import { type Fetch, httpSource } from '@coreiso/iso/http';
import { describe, expect, test } from 'vitest';
import { listen, noise, origin } from './servers.ts';

const BYTES = noise(300_000);
const OWN = { authorization: 'Bearer secret', 'x-api-key': 'secret', cookie: 'session=secret' };

/** The secrets that reached a server. */
const secretsOf = (headers: object): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (String(value).includes('secret') ? [name] : []));

describe('a redirect of a request with own headers', () => {
  test('to another origin sends none of them, and to the same one all', async () => {
    const seen: [who: string, headers: string[]][] = [];
    const store = await origin(BYTES, ({ request, answer }) => {
      seen.push(['store', secretsOf(request.headers)]);
      answer();
    });
    const first = await listen(({ url, headers }, response) => {
      seen.push([`first ${url}`, secretsOf(headers)]);
      response.writeHead(302, { location: url === '/' ? 'live.iso' : `${store}live.iso?sig=1` }).end();
    });
    const source = await httpSource(first, { headers: OWN });
    expect(await source.read(200_000, 10)).toEqual(BYTES.slice(200_000, 200_010));
    const all = ['authorization', 'x-api-key', 'cookie'];
    expect(seen.map(([who, names]) => [who, names.sort()])).toEqual([
      ['first /', all.sort()],
      ['first /live.iso', all.sort()],
      ['store', []],
      ['store', []],
    ]);
  });

  test('and back again sends them only to their own origin', async () => {
    const seen: [who: string, headers: string[]][] = [];
    let first = '';
    const other = await listen(({ headers }, response) => {
      seen.push(['other', secretsOf(headers)]);
      response.writeHead(307, { location: `${first}file` }).end();
    });
    first = await origin(BYTES, ({ request, response, answer }) => {
      seen.push(['first', secretsOf(request.headers)]);
      if (request.url === '/') response.writeHead(307, { location: other }).end();
      else answer();
    });
    await httpSource(first, { headers: { 'x-api-key': 'secret' } });
    expect(seen).toEqual([
      ['first', ['x-api-key']],
      ['other', []],
      ['first', ['x-api-key']],
    ]);
  });

  test('to a server that needs credentials is reported as that', async () => {
    const store = await listen((_, response) => void response.writeHead(401).end());
    const first = await listen((_, response) => void response.writeHead(302, { location: store }).end());
    const place = new URL(store).origin;
    await expect(httpSource(first, { headers: OWN, retries: 0 })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: `cannot read ${first}: the server answered 401 (${place}, where it leads, gets none of the headers that were given)`,
    });
  });

  test.each<[string, string | undefined, string]>([
    ['in a circle', '/', 'the server redirects more than 20 times'],
    ['to a file of this machine', 'file:///etc/hostname', 'the server redirects to an invalid address'],
    ['to an address with a password', 'http://u:p@127.0.0.1/', 'the server redirects to an invalid address'],
    ['to nonsense', 'http://[', 'the server redirects to an invalid address'],
    ['to nowhere', undefined, 'the server answered 302'],
  ])('%s is refused', async (_, location, message) => {
    let requests = 0;
    const first = await listen((_request, response) => {
      requests++;
      response.writeHead(302, location === undefined ? {} : { location }).end();
    });
    await expect(httpSource(first, { headers: OWN, retries: 5 })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: `cannot read ${first}: ${message}`,
    });
    expect(requests).toBe(location === '/' ? 21 : 1);
  });

  test('is refused in a browser, which does not reveal its target', async () => {
    const modes: unknown[] = [];
    const opaque = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const fetch: Fetch = async (_, { redirect }) => {
      modes.push(redirect);
      return opaque;
    };
    await expect(httpSource('https://mirror.test/', { headers: OWN, fetch, retries: 0 })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: expect.stringContaining('give the final address'),
    });
    expect(modes).toEqual(['manual']);
  });
});

test('leaves redirects of requests without own headers to fetch, as browsers require', async () => {
  const store = await origin(BYTES, ({ answer }) => answer());
  const first = await listen((_, response) => void response.writeHead(302, { location: store }).end());
  const modes: unknown[] = [];
  const fetch: Fetch = (url, init) => {
    modes.push(init.redirect);
    return globalThis.fetch(url, init);
  };
  const source = await httpSource(first, { fetch });
  expect([source.size, modes]).toEqual([BYTES.length, [undefined]]);
});
