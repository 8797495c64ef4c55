import { describe, expect, test, vi } from 'vitest';
import { ClusterError } from '../../src/errors.ts';
import type { Fetch } from '../../src/reader/answer.ts';
import { clusterOverFetch } from '../../src/reader/over-fetch.ts';

const server = 'https://api.example.test:6443';

function cluster(fetch: Fetch) {
  return clusterOverFetch({ server, fetch });
}

async function failure(promise: Promise<unknown>): Promise<ClusterError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof ClusterError)) throw new Error(`expected a ClusterError, not ${error}`);
  return error;
}

describe('a failed request', () => {
  test.each([
    [401, { kind: 'Status', code: 401, message: 'Unauthorized' }, 'CLUSTER_UNAUTHORIZED', 'Unauthorized'],
    [403, { kind: 'Status', code: 403, message: 'nodes is forbidden' }, 'CLUSTER_FORBIDDEN', 'nodes is forbidden'],
    [404, { kind: 'Status', code: 404, message: 'nodes "a" not found' }, 'CLUSTER_NOT_FOUND', 'nodes "a" not found'],
    [410, { kind: 'Status', code: 410, message: 'too old' }, 'CLUSTER_EXPIRED', 'too old'],
    [500, { kind: 'Status', code: 500, reason: 'InternalError' }, 'CLUSTER_API', 'InternalError'],
  ])('with status %i keeps the message of the server', async (status, body, code, message) => {
    const error = await failure(cluster(async () => Response.json(body, { status })).get('/api/v1/nodes/a'));
    expect([error.code, error.message, error.status]).toEqual([code, message, status]);
  });

  test.each([200, 302, 401, 502])("with status %i from a proxy is reported as a proxy's page", async (status) => {
    const page = () => new Response('<html>Log in</html>', { status, headers: { 'content-type': 'text/html' } });
    const error = await failure(cluster(async () => page()).get('/api/v1/nodes'));
    expect(error.code).toBe('CLUSTER_NOT_AN_API');
    expect(error.message).toMatch(/a web page instead of JSON .* proxy/);
  });

  test('shows whether the server is unreachable or its certificate untrusted', async () => {
    const fails = (code: string, message: string) => async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
    };
    const refused = await failure(cluster(fails('ECONNREFUSED', 'connect ECONNREFUSED')).get('/version'));
    expect([refused.code, refused.message]).toEqual([
      'CLUSTER_UNREACHABLE',
      `${server} cannot be reached: connect ECONNREFUSED`,
    ]);
    const untrusted = await failure(
      cluster(fails('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify')).get('/version'),
    );
    expect(untrusted.code).toBe('CLUSTER_UNTRUSTED');
  });
});

describe('lists', () => {
  test('come in pages, all of one version', async () => {
    const asked: string[] = [];
    const fetch: Fetch = async (url) => {
      asked.push(new URL(url).search);
      const isFirst = !url.includes('continue');
      return Response.json({
        items: [{ metadata: { name: isFirst ? 'a' : 'b' } }],
        metadata: { resourceVersion: '7', ...(isFirst ? { continue: 'more' } : {}) },
      });
    };
    const { items, resourceVersion } = await cluster(fetch).list('/api/v1/nodes');
    expect(items.map((item) => item['metadata'])).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect([resourceVersion, asked]).toEqual(['7', ['?limit=500', '?limit=500&continue=more']]);
  });

  test('are read again completely if their version is forgotten halfway', async () => {
    const fetch: Fetch = async (url) => {
      if (url.includes('continue')) return Response.json({ kind: 'Status', code: 410 }, { status: 410 });
      const isPaged = url.includes('limit');
      return Response.json({
        items: [{}, {}],
        metadata: { resourceVersion: '9', ...(isPaged ? { continue: 'x' } : {}) },
      });
    };
    expect((await cluster(fetch).list('/api/v1/nodes')).items.length).toBe(2);
  });
});

describe('a server that redirects requests', () => {
  const target = 'https://login.example.test/oauth/authorize';
  const redirect: Fetch = async (_, { redirect }) => {
    expect(redirect).toBe('manual');
    const location = `${target.replace('//', '//user:pass@')}?state=secret`;
    return new Response(null, { status: 302, headers: { location } });
  };
  const expected = {
    code: 'CLUSTER_REDIRECTED',
    message: `/api/v1/nodes: the server redirects to ${target}, where credentials are not sent; use the address of the API server itself`,
  };

  test('is not followed by reads and lists', async () => {
    expect(await failure(cluster(redirect).get('/api/v1/nodes'))).toMatchObject(expected);
    expect(await failure(cluster(redirect).list('/api/v1/nodes'))).toMatchObject(expected);
  });

  test('is not followed by watches and approvals', async () => {
    const watch = cluster(redirect).watch('/api/v1/nodes', { resourceVersion: '1' })[Symbol.asyncIterator]();
    expect(await failure(watch.next())).toMatchObject(expected);
    expect((await failure(cluster(redirect).approve({ metadata: { name: 'a' } }, 'planned'))).code).toBe(
      'CLUSTER_REDIRECTED',
    );
  });

  test('is not followed in browsers, which hide the address', async () => {
    const opaque = Object.defineProperties(new Response(null), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
      ok: { value: false },
    });
    expect((await failure(cluster(async () => opaque).get('/version'))).message).toMatch(
      /redirects to another address/,
    );
  });
});

describe('answers that exceed their limits', () => {
  /** Sends blanks for ever, and records whether its reader has left. */
  function endless(beginning: string) {
    const seen = { cancelled: false };
    const fetch: Fetch = async () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
        pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
        cancel: () => {
          seen.cancelled = true;
        },
      });
      return new Response(body);
    };
    return { fetch, seen };
  }

  const LIMIT = 1024 * 1024;
  const limited = (fetch: Fetch) => clusterOverFetch({ server, fetch, maxAnswerBytes: LIMIT });

  test('are aborted in the middle, with their name and the limit', async () => {
    const { fetch, seen } = endless('{"items":[');
    expect(await failure(limited(fetch).list('/api/v1/nodes'))).toMatchObject({
      code: 'CLUSTER_TOO_LARGE',
      message:
        '/api/v1/nodes: the answer is longer than 1 MiB; if the cluster is that large, set maxAnswerBytes (COREISO_MAX_ANSWER on the command line)',
    });
    expect(seen.cancelled).toBe(true);
  });

  test('do not become the message of a refusal', async () => {
    const { fetch, seen } = endless('{"kind":"Status","message":"');
    const refused: Fetch = async (url, init) => new Response((await fetch(url, init)).body, { status: 403 });
    expect((await failure(cluster(refused).get('/version'))).message).toBe('/version: HTTP status 403');
    expect(seen.cancelled).toBe(true);
  });

  test.each([
    ['a line of a watch', '{"type":"ADDED","object":{', 16, 64 * LIMIT],
    ['a watch', '{"type":"BOOKMARK","object":{}}\n', 4, LIMIT],
  ])('%s has a limit', async (_, beginning, mebibytes, maxAnswerBytes) => {
    const { fetch, seen } = endless(beginning);
    const watch = clusterOverFetch({ server, fetch, maxAnswerBytes }).watch('/api/v1/nodes', { resourceVersion: '1' });
    const read = (async () => {
      for await (const event of watch) expect(event.type).toBe('BOOKMARK');
    })();
    expect(await failure(read)).toMatchObject({
      code: 'CLUSTER_TOO_LARGE',
      message: expect.stringContaining(`is longer than ${mebibytes} MiB`),
    });
    expect(seen.cancelled).toBe(true);
  });

  test('lines of a watch are complete, however they are split', async () => {
    const text = ['a', 'ü', 'c'].map((name) => `{"type":"ADDED","object":{"name":"${name}"}}\n`).join('');
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 7, 1000]) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
      const names: unknown[] = [];
      const watch = cluster(async () => new Response(body)).watch('/api/v1/nodes', { resourceVersion: '1' });
      for await (const { object } of watch) names.push(object['name']);
      expect(names).toEqual(['a', 'ü', 'c']);
    }
  });

  test('a list that begins again is refused', async () => {
    let page = 0;
    const fetch: Fetch = async () => Response.json({ items: [], metadata: { continue: `token-${page++ % 3}` } });
    expect(await failure(cluster(fetch).list('/api/v1/nodes'))).toMatchObject({
      code: 'CLUSTER_NOT_AN_API',
      message: '/api/v1/nodes: the list does not end: the server gave a continue token twice',
    });
    expect(page).toBe(4);
  });

  test('an endless list of pages has a limit', async () => {
    let page = 0;
    const fetch: Fetch = async () => Response.json({ items: [], metadata: { continue: String(page++) } });
    expect(await failure(cluster(fetch).list('/api/v1/nodes'))).toMatchObject({
      code: 'CLUSTER_TOO_LARGE',
      message: '/api/v1/nodes: the list has more than 1000 pages; narrow it with a selector',
    });
    expect(page).toBe(1000);
  });

  test('all pages together have a limit', async () => {
    let page = 0;
    const fetch: Fetch = async () =>
      Response.json({ items: [{ filler: 'x'.repeat(LIMIT - 1000) }], metadata: { continue: String(page++) } });
    expect(await failure(limited(fetch).list('/api/v1/nodes'))).toMatchObject({
      code: 'CLUSTER_TOO_LARGE',
      message: expect.stringContaining('the list is longer than 4 MiB'),
    });
    expect(page).toBe(5);
  });

  test('all pages together have a timeout', async () => {
    vi.useFakeTimers();
    try {
      let page = 0;
      const fetch: Fetch = async () => {
        await new Promise((done) => setTimeout(done, 29_000));
        return Response.json({ items: [], metadata: { continue: String(page++) } });
      };
      const ended = failure(cluster(fetch).list('/api/v1/nodes'));
      await vi.advanceTimersByTimeAsync(330_000);
      expect(await ended).toMatchObject({
        code: 'CLUSTER_TIMEOUT',
        message: '/api/v1/nodes: the pages of the list did not end in 300 s',
      });
    } finally {
      vi.useRealTimers();
    }
  });

  test('a page of very many objects is accepted', async () => {
    const items = `{"items":[${'{},'.repeat(200_000)}{}]}`;
    expect((await cluster(async () => new Response(items)).list('/api/v1/nodes')).items.length).toBe(200_001);
  });
});

test('refuses an invalid address at once', () => {
  expect(() => clusterOverFetch({ server: 'api' })).toThrow(/^options\.server must be/);
  expect(() => clusterOverFetch(undefined as never)).toThrow(TypeError);
  expect(() => clusterOverFetch({ server: 'https://me:hidden@api.test' })).toThrow(/^options\.server must not hold/);
  expect(() => clusterOverFetch({ server, maxAnswerBytes: 0.5 })).toThrow(
    /^options\.maxAnswerBytes must be .* not 0\.5$/,
  );
});

test('reports an abort as an abort, not as a failure of the cluster', async () => {
  const reason = new Error('enough');
  const fetch: Fetch = (_, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const controller = new AbortController();
  const answer = cluster(fetch).get('/version', { signal: controller.signal });
  controller.abort(reason);
  await expect(answer).rejects.toBe(reason);
});

describe('a broken connection', () => {
  /** Sends the beginning of an answer, then nothing. */
  const halfOpen = (beginning: string): Fetch => {
    return async (_, { signal }) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(beginning));
          signal?.addEventListener('abort', () => controller.error(signal.reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    };
  };

  test('ends a read at its timeout, even in the middle of an answer', async () => {
    const half = clusterOverFetch({ server, fetch: halfOpen('{"items":['), timeout: 30 });
    expect(await failure(half.list('/api/v1/nodes'))).toMatchObject({
      code: 'CLUSTER_TIMEOUT',
      message: `${server} did not answer in 0.03 s`,
    });
  });

  test('ends a watch that the server should have ended', async () => {
    vi.useFakeTimers();
    try {
      const asked: string[] = [];
      const fetch: Fetch = (url, init) => {
        asked.push(url);
        return halfOpen('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n')(url, init);
      };
      const watch = cluster(fetch).watch('/api/v1/nodes', { resourceVersion: '7' })[Symbol.asyncIterator]();
      expect((await watch.next()).value).toMatchObject({ type: 'ADDED' });
      const end = failure(watch.next());
      await vi.advanceTimersByTimeAsync(151_000);
      expect((await end).code).toBe('CLUSTER_TIMEOUT');
      expect(asked).toEqual([
        `${server}/api/v1/nodes?resourceVersion=7&watch=true&allowWatchBookmarks=true&timeoutSeconds=120`,
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});
