// How often, for how long and how many in parallel requests are sent to a server, whatever the request.
import { getEventListeners } from 'node:events';
import { IsoError } from '@coreiso/iso';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type AttemptOptions,
  Attempts,
  discard,
  TransientError,
  throwIfUnavailable,
  unlessAborted,
} from '../../src/http/attempts.ts';

type Attempt<T> = (signal: AbortSignal, alive: () => void) => Promise<T>;

const NAME = 'http://mirror.test/live.iso';
const attempts = (options: AttemptOptions = {}, failed = (): void => undefined): Attempts =>
  new Attempts(NAME, options, failed);

/** Work that ends only with its signal. */
const silent: Attempt<never> = (signal) => unlessAborted(new Promise<never>(() => undefined), signal);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => void vi.restoreAllMocks().useRealTimers();
});

/** The outcome of a promise, if it has settled. */
function watched<T>(promise: Promise<T>): { value?: T; error?: unknown } {
  const state: { value?: T; error?: unknown } = {};
  promise.then(
    (value) => Object.assign(state, { value }),
    (error) => Object.assign(state, { error }),
  );
  return state;
}

describe('a silent server', () => {
  test.each([
    [undefined, 30_000, '30 s'],
    [1500, 1500, '1.5 s'],
  ])('times out, by default after half a minute: %s', async (timeout, time, words) => {
    const state = watched(attempts({ retries: 0, ...(timeout && { timeout }) }).run(silent));
    await vi.advanceTimersByTimeAsync(time - 1);
    expect(state).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(state.error).toMatchObject({
      code: 'ISO_REMOTE',
      message: `cannot read ${NAME}: nothing came for ${words}`,
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not time out while it sends something', async () => {
    const state = watched(
      attempts({ retries: 0 }).run(async (_, alive) => {
        for (let count = 0; count < 5; count++) {
          await new Promise((resolve) => setTimeout(resolve, 29_999));
          alive();
        }
        return 'all';
      }),
    );
    await vi.advanceTimersByTimeAsync(5 * 29_999);
    expect(state).toEqual({ value: 'all' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a failure', () => {
  test.each([
    [undefined, 6, ' (tried 6 times)'],
    [1, 2, ' (tried 2 times)'],
    [0, 1, ''],
  ])('is retried, five times by default: %s', async (retries, count, often) => {
    const cause = new TypeError('fetch failed');
    const attempt = vi.fn(() => Promise.reject(cause));
    const failed = vi.fn();
    const state = watched(attempts(retries === undefined ? {} : { retries }, failed).run(attempt, { offset: 512 }));
    await vi.runAllTimersAsync();
    expect(attempt).toHaveBeenCalledTimes(count);
    expect(failed).toHaveBeenCalledTimes(count);
    expect(state.error).toMatchObject({
      code: 'ISO_REMOTE',
      message: `cannot read ${NAME}: the connection broke${often}`,
      cause,
      offset: 512,
    });
  });

  test('has no offset if the request has none', async () => {
    const state = watched(attempts({ retries: 0 }).run(() => Promise.reject(new TransientError('busy'))));
    await vi.runAllTimersAsync();
    expect(state.error).toMatchObject({ message: `cannot read ${NAME}: busy`, cause: new TransientError('busy') });
    expect((state.error as IsoError).offset).toBeUndefined();
  });

  test.each([
    [16_384, 10],
    [16_383, 2],
  ])('after %d more bytes resets the count of failures, or not', async (step, count) => {
    let done = 0;
    const state = watched(
      attempts({ retries: 1 }).run(
        async () => {
          if (done === 9 * step) return;
          done += step;
          throw new Error('broken');
        },
        { offset: 100, progress: () => done },
      ),
    );
    await vi.runAllTimersAsync();
    if (count === 10) expect(state).toEqual({ value: undefined });
    else expect(state.error).toMatchObject({ offset: 100 + count * step });
  });

  test('is reported at once if it is permanent', async () => {
    const error = new IsoError('ISO_CHANGED', 'another file');
    const attempt = vi.fn(() => Promise.reject(error));
    await expect(attempts().run(attempt)).rejects.toBe(error);
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['CERT_HAS_EXPIRED', 1],
    ['SELF_SIGNED_CERT_IN_CHAIN', 1],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 1],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 1],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 1],
    ['ECONNRESET', 2],
    ['UND_ERR_SOCKET', 2],
  ])('by %s leads to %d attempts', async (code, count) => {
    const cause = Object.assign(new Error(`because of ${code}`), { code });
    const attempt = vi.fn(() => Promise.reject(new TypeError('fetch failed', { cause })));
    const state = watched(attempts({ retries: 1 }).run(attempt));
    await vi.runAllTimersAsync();
    expect(attempt).toHaveBeenCalledTimes(count);
    const untrusted = `cannot read ${NAME}: its certificate is not trusted (because of ${code})`;
    if (count === 1) expect(state.error).toMatchObject({ code: 'ISO_REMOTE', message: untrusted, cause });
    else expect(state.error).toMatchObject({ code: 'ISO_REMOTE', message: expect.stringContaining(`broke (${code})`) });
  });

  test.each([
    ['ECONNREFUSED', 'the connection was refused (mirror.test)'],
    ['ENOTFOUND', 'the host is unknown (mirror.test)'],
    ['EHOSTUNREACH', 'the host cannot be reached (mirror.test)'],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'TLS with mirror.test failed (ERR_SSL_WRONG_VERSION_NUMBER); check that it speaks https',
    ],
  ])('by %s of a server that never answered is reported at once', async (code, why) => {
    const refused = Object.assign(new Error(''), { code });
    for (const cause of [refused, new AggregateError([refused, new Error('another')])]) {
      const attempt = vi.fn(() => Promise.reject(new TypeError('fetch failed', { cause })));
      const state = watched(attempts({ retries: 5 }).run(attempt));
      await vi.runAllTimersAsync();
      expect(attempt).toHaveBeenCalledTimes(1);
      expect(state.error).toMatchObject({ code: 'ISO_REMOTE', message: `cannot read ${NAME}: ${why}`, cause });
    }
  });

  test('of a server that answered before is retried, and each retry is reported', async () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const onRetry = vi.fn();
    const one = attempts({ retries: 2, onRetry });
    await one.run(async () => 'well');
    const attempt = vi.fn(() => Promise.reject(new TypeError('fetch failed', { cause })));
    const state = watched(one.run(attempt));
    await vi.runAllTimersAsync();
    expect(state.error).toMatchObject({
      message: `cannot read ${NAME}: the connection broke (ECONNREFUSED) (tried 3 times)`,
    });
    expect(onRetry.mock.calls).toEqual([
      [{ address: NAME, reason: 'the connection broke (ECONNREFUSED)', attempt: 2, attempts: 3 }],
      [{ address: NAME, reason: 'the connection broke (ECONNREFUSED)', attempt: 3, attempts: 3 }],
    ]);
  });

  test.each([['a text'], [undefined], [{ cause: { code: 'CERT_HAS_EXPIRED' } }]])(
    'may be of any kind: %s',
    async (thrown) => {
      const attempt = vi.fn(() => Promise.reject(thrown));
      const state = watched(attempts({ retries: 1 }).run(attempt));
      await vi.runAllTimersAsync();
      expect(attempt).toHaveBeenCalledTimes(2);
      expect(state.error).toMatchObject({ message: `cannot read ${NAME}: the connection broke (tried 2 times)` });
    },
  );
});

describe('a pause', () => {
  const after = (value: string): (() => Promise<Response>) => {
    const headers = { 'retry-after': value };
    return () => throwIfUnavailable(new Response(null, { status: 503, headers }));
  };

  test.each([
    ['60', 60_000, 'is borne with'],
    ['0', 0, 'is borne with'],
    ['61', 0, 'is too long'],
    ['Tue, 01 Jan 2030 00:00:10 GMT', 10_000, 'is borne with'],
    ['Mon, 31 Dec 2029 23:59:59 GMT', 0, 'is borne with'],
    ['Tue, 01 Jan 2030 00:01:01 GMT', 0, 'is too long'],
    ['-1', 0, 'is borne with'],
    ['1.5', 0, 'is borne with'],
  ])('of %s: %d ms, %s', async (value, pause, verdict) => {
    vi.setSystemTime(new Date('2030-01-01T00:00:00Z'));
    const times: number[] = [];
    const answer = after(value);
    const state = watched(
      attempts({ retries: 1 }).run(() => {
        times.push(Date.now());
        return answer();
      }),
    );
    await vi.runAllTimersAsync();
    expect(state.error).toMatchObject({ code: 'ISO_REMOTE' });
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual(verdict === 'is too long' ? [0] : [0, pause]);
  });

  test('is reported in whole seconds', async () => {
    vi.setSystemTime(new Date('2030-01-01T00:00:00.100Z'));
    const told = (value: string): Promise<unknown> => after(value)().catch((error: Error) => error.message);
    expect(await told('Tue, 01 Jan 2030 00:00:10 GMT')).toBe('the server answered 503 and asks to wait 10 s');
    expect(await told('7')).toBe('the server answered 503 and asks to wait 7 s');
    expect(await told('soon')).toBe('the server answered 503');
  });

  test('ends when the signal aborts', async () => {
    const abort = new AbortController();
    const attempt = vi.fn(after('20'));
    const state = watched(attempts({ signal: abort.signal }).run(attempt));
    await vi.advanceTimersByTimeAsync(10_000);
    abort.abort('enough');
    await vi.advanceTimersByTimeAsync(0);
    expect([state.error, attempt.mock.calls.length, vi.getTimerCount()]).toEqual(['enough', 1, 0]);
  });

  test('leaves no listener on the signal', async () => {
    const abort = new AbortController();
    const there = new Response('there');
    let failures = 3;
    const run = attempts({ signal: abort.signal }).run((signal) =>
      unlessAborted(failures-- > 0 ? after('1')() : Promise.resolve(there), signal),
    );
    await vi.runAllTimersAsync();
    expect(await run).toBe(there);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });
});

test.each([
  ...[200, 206, 304, 400, 401, 404, 407, 409, 416, 424, 426, 428, 430, 499].map((status) => [status, true] as const),
  ...[408, 425, 429, 500, 501, 502, 503, 504, 599].map((status) => [status, false] as const),
])('status %d is an answer: %s', async (status, isAnswer) => {
  const cancel = vi.fn();
  const response = new Response(status === 304 ? null : new ReadableStream({ cancel }), { status });
  if (isAnswer) expect(await throwIfUnavailable(response)).toBe(response);
  else await expect(throwIfUnavailable(response)).rejects.toMatchObject({ message: `the server answered ${status}` });
  expect(cancel).toHaveBeenCalledTimes(isAnswer ? 0 : 1);
});

test('ignores failures in the unused rest of an answer', async () => {
  const cancel = (): never => {
    throw new Error('broken');
  };
  await discard(new Response(new ReadableStream({ cancel })));
  await discard(new Response(null));
});

describe('parallel requests', () => {
  /** Requests that a test ends, and a list of the started ones. */
  function requests(shared: Attempts, count: number, signals: readonly AbortSignal[] = []) {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const states = Array.from({ length: count }, (_, index) => {
      const signal = signals[index];
      const attempt = (): Promise<number> => {
        begun.push(index);
        return new Promise((resolve) => {
          ends[index] = () => resolve(index);
        });
      };
      return watched(shared.run(attempt, signal === undefined ? {} : { signal }));
    });
    return { begun, ends, states };
  }

  test.each([
    [undefined, 4],
    [1, 1],
    [2, 2],
  ])('are limited, by default to four, and the others follow in order: %s', async (parallel, most) => {
    const { begun, ends, states } = requests(attempts(parallel === undefined ? {} : { parallel }), 7);
    for (let ended = 0; ended < 7; ended++) {
      await vi.advanceTimersByTimeAsync(0);
      expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6].slice(0, most + ended));
      ends[ended]?.();
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(states.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('make room when one fails or stops waiting', async () => {
    const shared = attempts({ parallel: 1, retries: 0 });
    const failing = watched(shared.run(() => Promise.reject(new Error('broken'))));
    const leaving = [new AbortController(), new AbortController(), new AbortController()] as const;
    const { begun, ends, states } = requests(
      shared,
      3,
      leaving.map(({ signal }) => signal),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect([failing.error instanceof IsoError, begun]).toEqual([true, [0]]);
    leaving[1].abort('enough');
    await vi.advanceTimersByTimeAsync(0);
    expect(states[1]?.error).toBe('enough');
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 2]);
    // A started request no longer listens for its turn.
    expect(getEventListeners(leaving[0].signal, 'abort')).toEqual([]);
  });

  test('are not affected when a started one aborts', async () => {
    const shared = attempts({ parallel: 1 });
    const leaving = new AbortController();
    const first = requests(shared, 1);
    const second = watched(shared.run(silent, { signal: leaving.signal }));
    const others = requests(shared, 2);
    await vi.advanceTimersByTimeAsync(0);
    first.ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    leaving.abort('enough');
    await vi.advanceTimersByTimeAsync(0);
    expect([second.error, others.begun]).toEqual(['enough', [0]]);
    others.ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(others.begun).toEqual([0, 1]);
  });

  test('do not start one that is aborted beforehand', async () => {
    const attempt = vi.fn(silent);
    for (const [options, own] of [
      [{ signal: AbortSignal.abort('before') }, {}],
      [{}, { signal: AbortSignal.abort('before') }],
    ] as const) {
      await expect(attempts(options).run(attempt, own)).rejects.toBe('before');
    }
    expect(attempt).not.toHaveBeenCalled();
  });

  test('reject with the abort, not with the outcome, when one is aborted', async () => {
    const abort = new AbortController();
    const attempt = vi.fn(silent);
    const state = watched(attempts().run(attempt, { signal: abort.signal }));
    await vi.advanceTimersByTimeAsync(10);
    abort.abort('enough');
    await vi.advanceTimersByTimeAsync(0);
    expect([state.error, attempt.mock.calls.length, vi.getTimerCount()]).toEqual(['enough', 1, 0]);
  });
});

describe('work that may ignore its signal', () => {
  test('is awaited', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
    expect(await unlessAborted(2, signal)).toBe(2);
    await expect(unlessAborted(Promise.reject(3), signal)).rejects.toBe(3);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('is not awaited if the signal aborts, before or later', async () => {
    await expect(unlessAborted(Promise.resolve(1), AbortSignal.abort('before'))).rejects.toBe('before');
    const abort = new AbortController();
    const state = watched(unlessAborted(new Promise(() => undefined), abort.signal));
    abort.abort('later');
    await vi.advanceTimersByTimeAsync(0);
    expect(state.error).toBe('later');
  });
});
