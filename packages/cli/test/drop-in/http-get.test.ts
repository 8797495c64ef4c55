import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyFailure, httpGet, readWhole } from '../../src/drop-in/download/http-get.ts';
import { Terminal } from '../../src/frame/terminal.ts';

const URL_ = 'http://store.example.test/a';

function open(answers: readonly (number | Error)[]) {
  const stderr = new PassThrough();
  const stopping = new AbortController();
  const asked: number[] = [];
  const io = { cwd: '/', env: {}, stderr, stdout: stderr, signal: stopping.signal } as unknown as Terminal['io'];
  const fetch = async (_url: unknown, init?: { headers?: unknown }): Promise<Response> => {
    expect(init?.headers).toEqual({ accept: '*/*', 'accept-encoding': 'identity' });
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? 200;
    asked.push(Date.now());
    if (answer instanceof Error) throw answer;
    return new Response(answer === 204 || answer === 304 ? null : 'body', { status: answer });
  };
  const get = (retries?: number, url = URL_): Promise<Response> =>
    httpGet(new Terminal(io), fetch as never, url, retries);
  return { get, asked, stopping, said: () => String(stderr.read() ?? '') };
}

/** Returns the messages of a failure, outermost first. */
async function chainOf(work: Promise<unknown>): Promise<string[]> {
  const chain: string[] = [];
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  for (let one = failure; one instanceof Error; one = one.cause) chain.push(one.message);
  return chain;
}

describe('a request of coreos-installer', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  test('is repeated after pauses that double up to ten minutes, and reports each', async () => {
    const { get, asked, said } = open([503]);
    const failing = chainOf(get(11));
    await vi.runAllTimersAsync();
    expect(await failing).toEqual([`fetching '${URL_}'`, 'HTTP 503 Service Unavailable']);
    const pauses = asked.slice(1).map((time, index) => (time - (asked[index] ?? 0)) / 1000);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600]);
    const lines = said().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      `Error fetching '${URL_}': HTTP 503 Service Unavailable`,
      'Sleeping 1s and retrying...',
    ]);
    expect(lines.filter((line) => line.startsWith('Sleeping'))).toEqual(
      pauses.map((pause) => `Sleeping ${pause}s and retrying...`),
    );
  });

  test.each([408, 429, 500, 502, 503, 504])('is repeated for %i until it succeeds', async (status) => {
    const { get, asked } = open([status, status, 200]);
    const getting = get(5);
    await vi.runAllTimersAsync();
    expect([(await getting).status, asked.length]).toEqual([200, 3]);
  });

  test.each([
    [400, 'HTTP status client error (400 Bad Request)'],
    [404, 'HTTP status client error (404 Not Found)'],
    [499, 'HTTP status client error (499)'],
    [501, 'HTTP status server error (501 Not Implemented)'],
    [505, 'HTTP status server error (505 HTTP Version Not Supported)'],
  ])('is not repeated for %i', async (status, words) => {
    const { get, asked } = open([status]);
    expect(await chainOf(get(5))).toEqual([`fetching '${URL_}'`, `${words} for url (${URL_})`]);
    expect(asked).toHaveLength(1);
  });

  test.each([200, 204, 304, 399])('accepts %i as a response', async (status) => {
    expect((await open([status]).get()).status).toBe(status);
  });

  test('is not repeated by default', async () => {
    const { get, asked } = open([503]);
    expect(await chainOf(get())).toHaveLength(2);
    expect(asked).toHaveLength(1);
  });

  test('reports a refused connection in the words of the HTTP library', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    for (const error of [refused, new TypeError('fetch failed', { cause: refused })])
      expect(await chainOf(open([error]).get())).toEqual([
        `fetching '${URL_}'`,
        `error sending request for url (${URL_})`,
        'client error (Connect)',
        'tcp connect error',
        'Connection refused (os error 111)',
      ]);
    const other = new TypeError('fetch failed', { cause: new Error('other side closed') });
    expect((await chainOf(open([other]).get())).slice(1)).toEqual([
      `error sending request for url (${URL_})`,
      'other side closed',
    ]);
  });

  test('uses only HTTP', async () => {
    const { get, asked } = open([200]);
    expect(await chainOf(get(0, 'file:///a'))).toEqual([
      "fetching 'file:///a'",
      'builder error for url (file:///a)',
      'URL scheme is not allowed',
    ]);
    expect(asked).toEqual([]);
  });

  test('stops waiting when the program is interrupted', async () => {
    const { get, stopping } = open([503]);
    const getting = chainOf(get(5));
    await vi.advanceTimersByTimeAsync(500);
    stopping.abort();
    expect((await getting)[0]).toContain('aborted');
  });
});

describe('a response body', () => {
  test('that breaks off is reported in the words of the HTTP library', async () => {
    for (const error of [new TypeError('terminated'), new Error('x', { cause: new Error('other side closed') })])
      expect(await chainOf(Promise.reject(bodyFailure(error)))).toEqual([
        'request or response body error',
        'error reading a body from connection',
        'end of file before message length reached',
      ]);
    const other = new Error('no room');
    expect(bodyFailure(other)).toBe(other);
    expect(bodyFailure('terminated')).toBe('terminated');
  });

  test('is read whole up to its limit', async () => {
    expect(Buffer.from(await readWhole(new Response('abc'), 3)).toString()).toBe('abc');
    expect(await readWhole(new Response(null), 3)).toHaveLength(0);
    await expect(readWhole(new Response('abcd'), 3)).rejects.toThrow('File too large (os error 27)');
  });
});
