import { type HttpSourceOptions, httpSource } from '@coreiso/iso/http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Exchange, noise, origin } from './servers.ts';

const BYTES = noise(400_000);
const PLACE = 200_000;
const LENGTH = 100_000;
/** For silent origins: others may be slow on a busy machine. */
/** Long enough for all answers, even on a busy machine. */
const IMPATIENT = { timeout: 1500 };

/** Opens an origin that is correct at first, and reads from it. */
async function read(act: (exchange: Exchange) => void, options = {}): Promise<Uint8Array> {
  const url = await origin(BYTES, (exchange) => (exchange.count === 0 ? exchange.answer() : act(exchange)));
  const source = await httpSource(url, { retries: 1, timeout: 20_000, ...options });
  return source.read(PLACE, LENGTH);
}

function isSilent(title: string): boolean {
  return /never answers|stalls/.test(title);
}

function cut({ response, headers, body }: Exchange, length: number): void {
  response.writeHead(206, headers).write(body.subarray(0, length), () => response.destroy());
}

describe('an origin, once open,', () => {
  test.each<[string, string, (exchange: Exchange) => void]>([
    ['cuts every answer short', 'ISO_REMOTE', (exchange) => cut(exchange, 100)],
    [
      'ends every answer early, as if all were well',
      'ISO_REMOTE',
      ({ answer, body }) => answer(206, { 'content-length': '10' }, body.subarray(0, 10)),
    ],
    ['closes connections without a word', 'ISO_REMOTE', ({ response }) => response.destroy()],
    ['never answers', 'ISO_REMOTE', () => undefined],
    ['stalls after the head', 'ISO_REMOTE', ({ response, headers }) => response.writeHead(206, headers).flushHeaders()],
    [
      'stalls in the middle',
      'ISO_REMOTE',
      ({ response, headers, body }) => response.writeHead(206, headers).write(body.subarray(0, 10)),
    ],
    ['fails', 'ISO_REMOTE', ({ answer }) => answer(500, {}, new Uint8Array(0))],
    ['is overloaded for an hour', 'ISO_REMOTE', ({ answer }) => answer(429, { 'retry-after': '3600' })],
    ['has lost the file', 'ISO_REMOTE', ({ answer }) => answer(404)],
    ['refuses', 'ISO_REMOTE', ({ answer }) => answer(403)],
    [
      'has another file and says so, as If-Range asks',
      'ISO_CHANGED',
      ({ answer }) => answer(200, { etag: '"v2"', 'content-range': undefined }, BYTES),
    ],
    ['has another file and heeds no If-Range', 'ISO_CHANGED', ({ answer }) => answer(206, { etag: '"v2"' })],
    [
      'does not say any more which version it sends',
      'ISO_BAD_ANSWER',
      ({ answer, body }) => answer(206, { etag: undefined }, body.slice().fill(0)),
    ],
    ['redirects in a circle', 'ISO_REMOTE', ({ response }) => response.writeHead(302, { location: '/' }).end()],
    [
      'redirects to a file of this machine',
      'ISO_REMOTE',
      ({ response }) => response.writeHead(302, { location: 'file:///etc/hostname' }).end(),
    ],
    ['redirects to nowhere', 'ISO_REMOTE', ({ response }) => response.writeHead(302).end()],
    ['says that nothing has changed', 'ISO_REMOTE', ({ response }) => response.writeHead(304).end()],
    ['says that there is nothing to say', 'ISO_REMOTE', ({ response }) => response.writeHead(204).end()],
    [
      'names two ranges for one part',
      'ISO_BAD_ANSWER',
      ({ answer, headers }) => answer(206, { 'content-range': `${headers['content-range']}, bytes 0-1/400000` }),
    ],
    [
      'has a longer file under the same tag',
      'ISO_CHANGED',
      ({ answer, start, end }) => answer(206, { 'content-range': `bytes ${start}-${end - 1}/500000` }),
    ],
    [
      'has a shorter file',
      'ISO_CHANGED',
      ({ answer }) => answer(416, { etag: undefined, 'content-range': 'bytes */1000' }),
    ],
    ['sends the whole file', 'ISO_NO_RANGES', ({ answer }) => answer(200, { 'content-length': '400000' }, BYTES)],
    [
      'says that there is no such range',
      'ISO_BAD_ANSWER',
      ({ answer }) => answer(416, { 'content-range': 'bytes */400000' }),
    ],
    [
      'sends another range',
      'ISO_BAD_ANSWER',
      ({ answer, end }) => answer(206, { 'content-range': `bytes ${PLACE + 1}-${end}/400000` }),
    ],
    [
      'sends a range that begins earlier',
      'ISO_BAD_ANSWER',
      ({ answer, end }) => answer(206, { 'content-range': `bytes 0-${end - 1}/400000` }),
    ],
    [
      'sends a longer range',
      'ISO_BAD_ANSWER',
      ({ answer, end }) => answer(206, { 'content-range': `bytes ${PLACE}-${end}/400000` }),
    ],
    [
      'does not say which range it sends',
      'ISO_BAD_ANSWER',
      ({ answer }) => answer(206, { 'content-range': undefined }),
    ],
    [
      'talks nonsense about the range',
      'ISO_BAD_ANSWER',
      ({ answer }) => answer(206, { 'content-range': 'bytes 9-1/5' }),
    ],
    [
      'does not say of how much',
      'ISO_BAD_ANSWER',
      ({ answer, start, end }) => answer(206, { 'content-range': `bytes ${start}-${end - 1}/*` }),
    ],
    ['sends more than it says', 'ISO_BAD_ANSWER', ({ answer }) => answer(206, { 'content-length': undefined }, BYTES)],
    ['compresses', 'ISO_BAD_ANSWER', ({ answer }) => answer(206, { 'content-encoding': 'zstd' })],
    [
      'answers with parts',
      'ISO_BAD_ANSWER',
      ({ answer }) => answer(206, { 'content-range': undefined, 'content-type': 'multipart/byteranges; boundary=x' }),
    ],
  ])('%s: %s', async (title, code, act) => {
    await expect(read(act, isSilent(title) ? IMPATIENT : {})).rejects.toMatchObject({ name: 'IsoError', code });
  });

  test.each<[string, (exchange: Exchange) => void]>([
    ['cuts answers short, after a while each time', (exchange) => cut(exchange, 20_000)],
    [
      'sends less than it was asked for, and says so',
      ({ answer, start, body }) =>
        answer(
          206,
          {
            'content-range': `bytes ${start}-${start + 19_999}/400000`,
            'content-length': String(Math.min(body.length, 20_000)),
          },
          body.subarray(0, 20_000),
        ),
    ],
    ['fails once', ({ count, answer }) => (count === 1 ? answer(503, { 'retry-after': '0' }) : answer())],
    [
      'is too busy once',
      ({ count, answer }) => (count === 1 ? answer(429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }) : answer()),
    ],
    [
      'breaks after the last byte, before the end of the answer',
      ({ response, headers: { 'content-length': _, ...headers }, body }) =>
        response.writeHead(206, headers).write(body, () => response.destroy()),
    ],
    [
      'stalls after the last byte',
      ({ response, headers, body }) =>
        response.writeHead(206, { ...headers, 'content-length': String(body.length + 1) }).write(body),
    ],
    ['breaks once', ({ count, response, answer }) => (count === 1 ? response.destroy() : answer())],
    ['stalls once', ({ count, answer }) => (count === 1 ? undefined : answer())],
  ])('%s, is read anyway', async (title, act) => {
    expect(
      Buffer.compare(await read(act, isSilent(title) ? IMPATIENT : {}), BYTES.subarray(PLACE, PLACE + LENGTH)),
    ).toBe(0);
  });

  test.each([408, 425, 429, 500, 502, 503, 504, 599])('is retried after status %i', async (status) => {
    const bytes = await read(({ count, answer }) => (count === 1 ? answer(status, { 'retry-after': '0' }) : answer()));
    expect(Buffer.compare(bytes, BYTES.subarray(PLACE, PLACE + LENGTH))).toBe(0);
  });

  test.each([400, 403, 404, 409, 424, 426, 428, 430, 499])('is not retried after status %i', async (status) => {
    let asked = 0;
    const reading = read(({ count, answer }) => {
      asked = count;
      if (count === 0) answer();
      else answer(status, { 'retry-after': '0' });
    });
    await expect(reading).rejects.toMatchObject({ code: expect.stringMatching(/^ISO_/) });
    // A signed address may have expired, which leads to one more request.
    expect(asked).toBeLessThanOrEqual([400, 403, 404].includes(status) ? 2 : 1);
  });

  test('gets the opened version in each request', async () => {
    const conditions: unknown[] = [];
    await read((exchange) => {
      conditions.push(exchange.request.headers['if-range'], exchange.request.headers['accept-encoding']);
      exchange.answer();
    });
    expect(conditions).toEqual(['"v1"', 'identity']);
  });

  test.each([
    ['a date that had passed', 'Sun, 06 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:38 GMT', true],
    ['a date that had not', 'Sun, 06 Nov 1994 08:49:38 GMT', 'Sun, 06 Nov 1994 08:49:38 GMT', false],
  ])('has its versions distinguished by %s if there is no tag', async (_, modified, date, isStrong) => {
    const conditions: unknown[] = [];
    const url = await origin(BYTES, ({ count, request, answer }) => {
      conditions.push(request.headers['if-range']);
      answer(206, { etag: undefined, 'last-modified': count < 2 ? modified : 'Sun, 06 Nov 1994 08:49:39 GMT', date });
    });
    const source = await httpSource(url);
    await source.read(PLACE, LENGTH);
    await expect(source.read(0, BYTES.length)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
    expect(conditions[1]).toBe(isStrong ? modified : undefined);
  });

  test('has its weak tag compared by the client, because If-Range must not contain it', async () => {
    const url = await origin(BYTES, ({ count, request, answer }) => {
      expect(request.headers['if-range']).toBeUndefined();
      answer(206, { etag: `W/"${count < 2 ? 1 : 2}"` });
    });
    const source = await httpSource(url);
    await source.read(PLACE, LENGTH);
    await expect(source.read(300_000, 10)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
  });

  test('also has its date compared if its tag is weak, because that may stand for other bytes', async () => {
    const url = await origin(BYTES, ({ count, answer }) =>
      answer(206, { etag: 'W/"1"', 'last-modified': `Sun, 06 Nov 1994 08:49:3${count < 2 ? 7 : 8} GMT` }),
    );
    const source = await httpSource(url);
    await source.read(PLACE, LENGTH);
    await expect(source.read(300_000, 10)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
  });
});

describe("a caller's function that never ends:", () => {
  const SHORT = { retries: 1, timeout: 50 };
  const silent = (): Promise<never> => new Promise(() => undefined);

  test.each<[string, HttpSourceOptions]>([
    ['a fetch that heeds no signal', { ...SHORT, fetch: silent }],
    ['request headers', { ...SHORT, headers: silent }],
    [
      'the body of an answer',
      {
        ...SHORT,
        fetch: async () => {
          const headers = { etag: '"v1"', 'content-range': 'bytes 32768-73727/400000' };
          return new Response(new ReadableStream(), { status: 206, headers });
        },
      },
    ],
  ])('%s', async (_, options) => {
    const message = 'cannot read http://mirror.test/live.iso: nothing came for 0.05 s (tried 2 times)';
    await expect(httpSource('http://mirror.test/live.iso', options)).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message,
    });
  });

  test('does not mix a late answer into the next one', async () => {
    let comeLate: (response: Response) => void = () => undefined;
    const part = (start: number, body: Uint8Array<ArrayBuffer>): Response =>
      new Response(body, {
        status: 206,
        headers: { etag: '"v1"', 'content-range': `bytes ${start}-${start + body.length - 1}/400000` },
      });
    const answers = [
      () => part(32_768, BYTES.slice(32_768, 33_768)),
      () =>
        new Promise<Response>((resolve) => {
          comeLate = resolve;
        }),
      () => {
        comeLate(part(PLACE, new Uint8Array(LENGTH)));
        return part(PLACE, BYTES.slice(PLACE, PLACE + LENGTH));
      },
    ];
    const source = await httpSource('http://mirror.test/live.iso', {
      ...SHORT,
      fetch: async () => answers.shift()?.() ?? Response.error(),
    });
    expect(Buffer.compare(await source.read(PLACE, LENGTH), BYTES.subarray(PLACE, PLACE + LENGTH))).toBe(0);
  });
});

describe('between two attempts', () => {
  test.each([
    [1, [500, 1000, 2000, 4000, 8000, 10_000, 10_000]],
    [0.5, [250, 500, 1000, 2000, 4000, 5000, 5000]],
  ])('the pause grows each time, with a random part: %f', async (random, pauses) => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(random);
    onTestFinished(() => void vi.restoreAllMocks().useRealTimers());
    const times: number[] = [];
    const opening = httpSource('http://mirror.test/live.iso', {
      retries: 7,
      fetch: async () => {
        times.push(Date.now());
        return new Response(null, { status: 503 });
      },
    });
    const failure = expect(opening).rejects.toMatchObject({ code: 'ISO_REMOTE' });
    await vi.runAllTimersAsync();
    await failure;
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(pauses);
  });

  test('the pause is as long as the server requests', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const times: number[] = [];
    const opening = httpSource('http://mirror.test/live.iso', {
      retries: 2,
      fetch: async () => {
        times.push(Date.now());
        const after = times.length === 1 ? '7' : new Date(Date.now() + 11_000).toUTCString();
        return new Response(null, { status: 429, headers: { 'retry-after': after } });
      },
    });
    const failure = expect(opening).rejects.toMatchObject({ code: 'ISO_REMOTE' });
    vi.setSystemTime(new Date('2030-01-01T00:00:00Z'));
    await vi.runAllTimersAsync();
    await failure;
    const [first = 0, second = 0, third = 0] = times;
    expect([second - first, third - second]).toEqual([7000, 11_000]);
  });
});

describe('is not opened: an origin that', () => {
  test.each<[string, string, RegExp, (exchange: Exchange) => void]>([
    [
      'knows no ranges',
      'ISO_NO_RANGES',
      /does not answer Range requests; .*whole: true/,
      ({ answer }) => answer(200, { 'content-range': undefined }, BYTES),
    ],
    ['gives no validator', 'ISO_BAD_ANSWER', /neither an ETag nor/, ({ answer }) => answer(206, { etag: undefined })],
    ['compresses', 'ISO_BAD_ANSWER', /content encoding/, ({ answer }) => answer(206, { 'content-encoding': 'br' })],
    [
      'begins elsewhere',
      'ISO_BAD_ANSWER',
      /asked for bytes 32768 to 73727 and sends 5 to 9/,
      ({ answer }) => answer(206, { 'content-range': 'bytes 5-9/400000' }),
    ],
    ['has no such file', 'ISO_REMOTE', /answered 404$/, ({ answer }) => answer(404)],
    [
      'wants to be left alone for longer than anybody waits',
      'ISO_REMOTE',
      /answered 503 and asks to wait 3600 s$/,
      ({ answer }) => answer(503, { 'retry-after': '3600' }),
    ],
    ['always fails', 'ISO_REMOTE', /answered 502 \(tried 2 times\)$/, ({ answer }) => answer(502)],
  ])('%s: %s', async (_, code, message, act) => {
    const url = `${await origin(BYTES, act)}image.iso?token=secret`;
    const error = await httpSource(url, { retries: 1 }).catch((error) => error);
    expect(error).toMatchObject({ name: 'IsoError', code, message: expect.stringMatching(message) });
    expect(error.message).toContain('/image.iso');
    expect(error.message).not.toContain('secret');
  });

  test('does not exist', async () => {
    const error = await httpSource('http://127.0.0.1:1/a.iso', { retries: 0 }).catch((error) => error);
    expect(error).toMatchObject({
      code: 'ISO_REMOTE',
      message: 'cannot read http://127.0.0.1:1/a.iso: fetch does not allow port 1',
    });
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe('fetched whole, if allowed,', () => {
  test.each<[string, (exchange: Exchange) => void]>([
    [
      'is a file of a server without ranges',
      ({ answer }) => answer(200, { 'content-range': undefined, 'content-length': '400000' }, BYTES),
    ],
    [
      'is a file without a length',
      ({ answer }) => answer(200, { 'content-range': undefined, 'content-length': undefined }, BYTES),
    ],
    [
      'is a file without a validator',
      ({ request, answer }) => answer(request.headers.range === undefined ? 200 : 206, { etag: undefined }),
    ],
    [
      'is a file that broke off once',
      ({ count, response, answer }) =>
        count === 1 ? response.destroy() : answer(200, { 'content-length': '400000' }, BYTES),
    ],
  ])('%s', async (_, act) => {
    const source = await httpSource(await origin(BYTES, act), { whole: true });
    expect(Buffer.compare(await source.read(0, source.size), BYTES)).toBe(0);
  });

  test('is refused if it is shorter than its server says', async () => {
    const url = await origin(BYTES, ({ response }) => {
      response.writeHead(200, { 'content-length': '400000' }).write(BYTES.subarray(0, 1000), () => response.destroy());
    });
    await expect(httpSource(url, { whole: true, retries: 1 })).rejects.toMatchObject({ code: 'ISO_REMOTE' });
  });
});
