import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attempt } from '../../src/s3/attempts.ts';

/** The error of a store's client for an answer; the real ones contain the request, secrets included. */
function answer(status: number, code: string, headers: Record<string, string> = {}): Error {
  const error = new Error('Authorization: AWS4-HMAC-SHA256 Credential=…');
  return Object.assign(error, { Code: code, $metadata: { httpStatusCode: status }, $response: { headers } });
}

const REQUEST = { what: 'write s3://images/x', file: 'x' };

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2030-01-31T12:00:00Z') });
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The pauses before each retry. */
async function pauses(failure: Error, retries: number): Promise<{ pauses: number[]; error: unknown }> {
  const times: number[] = [];
  const trying = attempt(REQUEST, { retries }, async () => {
    times.push(Date.now());
    throw failure;
  }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { pauses: times.slice(1).map((time, index) => time - times[index]!), error: await trying };
}

test('doubles the pauses, up to ten seconds, and reports the last failure without the request', async () => {
  const { pauses: found, error } = await pauses(answer(500, 'InternalError'), 8);
  expect(found).toEqual([400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000]);
  expect(error).toMatchObject({
    code: 'OPENSHIFT_STORE_FAILED',
    file: 'x',
    message: 'cannot write s3://images/x: the store answers 500 InternalError (tried 9 times)',
  });
  expect(JSON.stringify(error)).not.toContain('Credential');
});

test('does not mention retries for a single attempt, and reports how a connection broke', async () => {
  const broken = Object.assign(new Error('secret'), { code: 'ECONNRESET' });
  for (const [failure, reason] of [
    [answer(500, ''), 'the store answers 500'],
    [broken, 'the connection broke (ECONNRESET)'],
    [new RangeError('secret'), 'the connection broke (RangeError)'],
  ] as const)
    expect((await pauses(failure, 0)).error).toMatchObject({ message: `cannot write s3://images/x: ${reason}` });
});

test.each([
  ['seconds', '7', 7000],
  ['a date that has passed', 'Thu, 31 Jan 2030 11:00:00 GMT', 0],
  ['a date', 'Thu, 31 Jan 2030 12:00:09 GMT', 9000],
  ['more than a minute', '86400', 60_000],
  ['nonsense', 'soon', 400],
])('waits as long as the store requests: %s', async (_, value, expected) => {
  const { pauses: found } = await pauses(answer(503, 'SlowDown', { 'retry-after': value }), 1);
  expect(found).toEqual([expected]);
});

test.each([
  [400, 'BadDigest', 'OPENSHIFT_STORE_FAILED'],
  [403, 'AccessDenied', 'OPENSHIFT_STORE_DENIED'],
  [403, 'QuotaExceeded', 'OPENSHIFT_STORE_FULL'],
  [404, 'NoSuchBucket', 'OPENSHIFT_NO_BUCKET'],
  [501, 'NotImplemented', 'OPENSHIFT_STORE_FAILED'],
  [507, 'InsufficientStorage', 'OPENSHIFT_STORE_FULL'],
  [503, 'XMinioStorageFull', 'OPENSHIFT_STORE_FULL'],
])('does not retry %i %s, and reports it as %s', async (status, name, code) => {
  const { pauses: found, error } = await pauses(answer(status, name), 5);
  expect([found, error]).toEqual([[], expect.objectContaining({ code })]);
});

test.each([408, 429, 500, 502, 503, 504])('retries %i', async (status) => {
  const { pauses: found } = await pauses(answer(status, ''), 1);
  expect(found).toHaveLength(1);
});

test('ends silence at the timeout, which is longer for copies', async () => {
  const waits: number[] = [];
  for (const bytes of [0, 40 * 1024 * 1024]) {
    const begun = Date.now();
    const trying = attempt({ ...REQUEST, bytes }, { retries: 0, timeout: 5000 }, (signal) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await trying).toMatchObject({
      code: 'OPENSHIFT_STORE_FAILED',
      message: expect.stringContaining('nothing came for'),
    });
    waits.push(Date.now() - begun);
  }
  expect(waits).toEqual([5000, 15_000]);
});

test('makes six attempts of a minute each by default', async () => {
  let tries = 0;
  const begun = Date.now();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const trying = attempt(REQUEST, {}, (signal) => {
    tries++;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await trying).toMatchObject({
    message: 'cannot write s3://images/x: nothing came for 60 s (tried 6 times)',
  });
  expect([tries, Date.now() - begun]).toEqual([6, 360_000]);
});

test('sends nothing after an abort', async () => {
  let tries = 0;
  const trying = attempt({ ...REQUEST, signal: AbortSignal.abort() }, {}, async () => tries++);
  await expect(trying).rejects.toMatchObject({ name: 'AbortError' });
  expect(tries).toBe(0);
});

test('ends a pause on abort', async () => {
  const controller = new AbortController();
  const begun = Date.now();
  const trying = attempt({ ...REQUEST, signal: controller.signal }, {}, async () => {
    setTimeout(() => controller.abort(), 10);
    throw answer(503, 'SlowDown', { 'retry-after': '30' });
  }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10);
  expect(await trying).toMatchObject({ name: 'AbortError' });
  expect(Date.now() - begun).toBe(10);
});

test('passes mistakes of the program on unchanged', async () => {
  await expect(
    attempt(REQUEST, {}, async () => {
      throw new TypeError('a bug');
    }),
  ).rejects.toThrow(TypeError);
});
