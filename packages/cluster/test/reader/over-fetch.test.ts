import { ClusterError, clusterOverFetch, type Fetch } from '@coreiso/cluster';
import { describe, expect, test, vi } from 'vitest';

const server = 'https://api.example.test:6443';

function cluster(fetch: Fetch) {
  return clusterOverFetch({ server, fetch });
}

async function failure(promise: Promise<unknown>): Promise<ClusterError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof ClusterError)) throw new Error(`expected a ClusterError, not ${error}`);
  return error;
}

describe('a refusal keeps the words of whoever refused', () => {
  test.each([
    [401, { kind: 'Status', code: 401, message: 'Unauthorized' }, 'CLUSTER_UNAUTHORIZED', 'Unauthorized'],
    [403, { kind: 'Status', code: 403, message: 'nodes is forbidden' }, 'CLUSTER_FORBIDDEN', 'nodes is forbidden'],
    [404, { kind: 'Status', code: 404, message: 'nodes "a" not found' }, 'CLUSTER_NOT_FOUND', 'nodes "a" not found'],
    [410, { kind: 'Status', code: 410, message: 'too old' }, 'CLUSTER_EXPIRED', 'too old'],
    [500, { kind: 'Status', code: 500, reason: 'InternalError' }, 'CLUSTER_API', 'InternalError'],
  ])('%i', async (status, body, code, message) => {
    const error = await failure(cluster(async () => Response.json(body, { status })).get('/api/v1/nodes/a'));
    expect([error.code, error.message, error.status]).toEqual([code, message, status]);
  });

  test.each([200, 302, 401, 502])('a page of a proxy with status %i is called one', async (status) => {
    const page = () => new Response('<html>Log in</html>', { status, headers: { 'content-type': 'text/html' } });
    const error = await failure(cluster(async () => page()).get('/api/v1/nodes'));
    expect(error.code).toBe('CLUSTER_NOT_AN_API');
    expect(error.message).toMatch(/a web page instead of JSON .* proxy/);
  });

  test('nobody there, and a certificate that is not trusted, are two things', async () => {
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

  test('whose version is forgotten half-way are read again, whole', async () => {
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

test('an address that is none is refused where it enters', () => {
  expect(() => clusterOverFetch({ server: 'api' })).toThrow(/^options\.server must be/);
  expect(() => clusterOverFetch(undefined as never)).toThrow(TypeError);
});

test('an abort is the abort, not a failure of the cluster', async () => {
  const reason = new Error('enough');
  const fetch: Fetch = (_, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const controller = new AbortController();
  const answer = cluster(fetch).get('/version', { signal: controller.signal });
  controller.abort(reason);
  await expect(answer).rejects.toBe(reason);
});

describe('a connection whose other end is gone', () => {
  /** Sends the beginning of an answer and nothing after it. */
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

  test('ends a read with its time, even in the middle of an answer', async () => {
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
