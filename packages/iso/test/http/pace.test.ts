// Servers that send something now and then, but never enough. The tests set the clock.
import { fetchStream, readRelease } from '@coreiso/iso/base';
import { type Fetch, httpSource } from '@coreiso/iso/http';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Attempts, TransientError } from '../../src/http/attempts.ts';
import { bodyOf } from '../../src/http/body.ts';
import { Pace } from '../../src/http/pace.ts';

const ADDRESS = 'http://mirror.test/live.iso';
let now = 0;
beforeEach(() => {
  now = 1_000_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  return () => clock.mockRestore();
});

/** A body of pieces, each with a delay. */
const dripping = (
  length: number,
  milliseconds: number,
  pieces = Number.POSITIVE_INFINITY,
): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull(controller) {
        now += milliseconds;
        if (pieces-- > 0) controller.enqueue(new Uint8Array(length));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );

describe('a server', () => {
  test.each<[string, [length: number, waited: number][], boolean]>([
    ['of less than a minute is given time', [[0, 59_999]], true],
    ['that sends what it has to is fast enough', [[60_000, 60_000]], true],
    ['that sends a byte less is not', [[59_999, 60_000]], false],
    [
      'that was fast before is not fast for ever',
      [
        [10 ** 9, 60_000],
        [59_999, 60_000],
      ],
      false,
    ],
    [
      'that was slow within a minute may catch up',
      [
        [1, 59_000],
        [60_000, 1000],
      ],
      true,
    ],
    ['that pauses for longer than a minute has to send as much more', [[119_999, 120_000]], false],
  ])('%s', (_, pieces, isFast) => {
    const pace = new Pace(ADDRESS, 1000);
    const all = (): void => pieces.forEach(([length, waited]) => void pace.arrived(length, waited));
    if (isFast) expect(all).not.toThrow();
    else expect(all).toThrow(expect.objectContaining({ code: 'ISO_TOO_SLOW' }));
  });

  test('without a minimum rate is awaited as long as it sends', () => {
    const pace = new Pace(ADDRESS, 0);
    for (let count = 0; count < 10; count++) pace.arrived(1, 100_000);
    expect(pace.least).toBe(0);
  });
});

test('counts only the time spent waiting for the server', async () => {
  const waits: unknown[] = [];
  const signal = new AbortController().signal;
  const alive = (length?: number, waited?: number): void => void waits.push([length, waited]);
  for await (const _ of bodyOf(new Response(dripping(10, 50, 3)), { signal, alive })) now += 1_000_000;
  expect(waits).toEqual([
    [10, 50],
    [10, 50],
    [10, 50],
  ]);
});

test('cancels a body that is left early', async () => {
  const cancel = vi.fn();
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)), cancel });
  const signal = new AbortController().signal;
  for await (const _ of bodyOf(new Response(body), { signal, alive: () => undefined })) break;
  expect(cancel).toHaveBeenCalledTimes(1);
});

describe('a server that sends too slowly is given up', () => {
  const slow = {
    code: 'ISO_TOO_SLOW',
    message: expect.stringMatching(/^cannot read .*: the server sent 300 bytes in 60 s; the minimum is 1000 a second$/),
  };
  const head = { etag: '"v1"', 'content-range': 'bytes 32768-73727/400000' };
  const ranges: Fetch = async () => new Response(dripping(100, 20_000), { status: 206, headers: head });

  test('for a file that is read by ranges', async () => {
    const asked = vi.fn(ranges);
    await expect(httpSource(ADDRESS, { fetch: asked })).rejects.toMatchObject(slow);
    // Another attempt would take just as long.
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('unless a lower rate is allowed', async () => {
    await expect(httpSource(ADDRESS, { fetch: ranges, minRate: 6 })).rejects.toMatchObject({
      code: 'ISO_TOO_SLOW',
      message: expect.stringContaining('the minimum is 6 a second'),
    });
    const body = (): ReadableStream => dripping(100, 20_000, 4);
    const fetch: Fetch = async () =>
      new Response(body(), { status: 206, headers: { etag: '"v1"', 'content-range': 'bytes 32768-33167/33168' } });
    expect((await httpSource(ADDRESS, { fetch, minRate: 5 })).size).toBe(33_168);
    expect((await httpSource(ADDRESS, { fetch, minRate: 0 })).size).toBe(33_168);
  });

  test('for a file that is read whole', async () => {
    const fetch: Fetch = async () => new Response(dripping(100, 20_000), { headers: { etag: '"v1"' } });
    await expect(httpSource(ADDRESS, { fetch, whole: true })).rejects.toMatchObject(slow);
  });

  test('for stream metadata', async () => {
    const fetch: Fetch = async () => new Response(dripping(100, 20_000));
    await expect(fetchStream('stable', { fetch })).rejects.toMatchObject(slow);
  });

  test('for a registry', async () => {
    const fetch: Fetch = async () => new Response(dripping(100, 20_000));
    await expect(readRelease('quay.example/r:1', { fetch })).rejects.toMatchObject(slow);
  });

  test('even if it breaks off in time, repeatedly', async () => {
    let done = 0;
    let count = 0;
    const attempts = new Attempts(ADDRESS, { retries: 3 }, () => undefined);
    const work = attempts.run(
      async (_, alive) => {
        count++;
        // More than resets the count of failures, and less than 1,000 bytes a second.
        alive(20_000, 40_000);
        done += 20_000;
        throw new TransientError('broke', { pause: 0 });
      },
      { progress: () => done },
    );
    await expect(work).rejects.toMatchObject({ code: 'ISO_REMOTE', message: expect.stringContaining('tried 4 times') });
    expect(count).toBe(4);
  });
});
