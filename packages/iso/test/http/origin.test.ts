// Requests for a file on a server, and which answers are accepted as parts of it.
import { type Fetch, type HttpSourceOptions, httpSource } from '@coreiso/iso/http';
import { describe, expect, test, vi } from 'vitest';
import { noise } from './servers.ts';

const ADDRESS = 'http://mirror.test/live.iso';
const BYTES = noise(400_000);
const HONEST = { etag: '"v1"', 'last-modified': 'Tue, 01 Jan 2030 00:00:10 GMT' };

interface Ask {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  readonly start: number;
  readonly end: number;
}

type Reply = (ask: Ask) => Response | Promise<Response>;

const cancelled = vi.fn();

/** An answer like that of a correct server, except for the given changes. */
function answer(
  { start, end }: Pick<Ask, 'start' | 'end'>,
  { status = 206, headers = {}, body = BYTES.slice(start, end) }: AnswerChanges = {},
): Response {
  const usual = { ...HONEST, 'content-range': `bytes ${start}-${end - 1}/${BYTES.length}` };
  const kept = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
  return new Response(body, { status, headers: kept as [string, string][] });
}

interface AnswerChanges {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: BodyInit;
}

/** The difference between an answer and a correct one. */
interface Wrong extends Omit<AnswerChanges, 'body'> {
  /** The range of its bytes, if not the requested one. */
  readonly of?: readonly [start: number, end: number];
}

/** A correct answer with these changes, which shows whether its body was cancelled. */
const wrongly =
  ({ of, ...changes }: Wrong): Reply =>
  (ask) => {
    const [start, end] = of ?? [ask.start, ask.end];
    return answer({ start, end }, { ...changes, body: body() });
  };

/** A body that reports its cancellation. */
const body = (): ReadableStream<Uint8Array> => {
  cancelled.mockClear();
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10)), cancel: cancelled });
};

/** A server that gives these answers, one after another. */
function server(...replies: readonly Reply[]): { fetch: Fetch; asked: Ask[] } {
  const asked: Ask[] = [];
  return {
    asked,
    async fetch(url, init) {
      const headers = new Headers(init.headers);
      const [start = 0, last = BYTES.length - 1] = headers.get('range')?.match(/\d+/g)?.map(Number) ?? [];
      const ask = { url, init, headers, start, end: Math.min(last + 1, BYTES.length) };
      asked.push(ask);
      return (replies[asked.length - 1] ?? answer)(ask);
    },
  };
}

const open = (mirror: { fetch: Fetch }, options: HttpSourceOptions = {}) =>
  httpSource(ADDRESS, { ...mirror, retries: 0, ...options });

const NO_RANGE = { 'content-range': undefined };
const NO_VERSION = { etag: undefined, 'last-modified': undefined };

describe('the first answer', () => {
  test.each<[string, string, RegExp, Wrong]>([
    ['is whole', 'ISO_NO_RANGES', /the server does not answer Range requests; /, { status: 200 }],
    ['begins elsewhere', 'ISO_BAD_ANSWER', /asked for bytes 32768 to 73727 and sends 1 to 9; /, { of: [1, 10] }],
    ['is of more than was asked for', 'ISO_BAD_ANSWER', /and sends 32768 to 73728; /, { of: [32_768, 73_729] }],
    ['does not say what it is of', 'ISO_BAD_ANSWER', /not say which it sends \(a page of /, { headers: NO_RANGE }],
    ['is of any size', 'ISO_BAD_ANSWER', /does not say which/, { headers: { 'content-range': 'bytes 0-65535/*' } }],
    ['is compressed', 'ISO_BAD_ANSWER', /with a content encoding/, { headers: { 'content-encoding': 'br' } }],
    ['has no version', 'ISO_BAD_ANSWER', /neither an ETag nor a Last-Modified date/, { headers: NO_VERSION }],
    ['is of no such range', 'ISO_BAD_ANSWER', /answered 416; /, { status: 416, headers: NO_RANGE }],
    [
      'is no range of some',
      'ISO_BAD_ANSWER',
      /answered 416; /,
      { status: 416, headers: { 'content-range': 'bytes */400000' } },
    ],
    ['is no', 'ISO_REMOTE', /the server answered 404$/, { status: 404 }],
    [
      'is longer than it says',
      'ISO_BAD_ANSWER',
      /the server sends more bytes than it announces; /,
      { of: [32_768, 32_783] },
    ],
  ])('that %s is refused, and not read', async (_, code, message, wrong) => {
    const mirror = server(wrongly(wrong));
    await expect(open(mirror)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(mirror.asked.map(({ headers }) => headers.get('range'))).toEqual(['bytes=32768-73727']);
    expect(cancelled).toHaveBeenCalledTimes(1);
  });

  test('that is of an empty file is accepted and not read', async () => {
    const source = await open(server(wrongly({ status: 416, headers: { 'content-range': 'bytes */0' } })));
    expect([source.size, source.etag, (await source.read(0, 0)).length]).toEqual([0, '"v1"', 0]);
    expect(cancelled).toHaveBeenCalledTimes(1);
  });

  test('of a file that is too short is followed by a request for its beginning', async () => {
    const small = BYTES.slice(0, 20_000);
    const mirror = server(
      () => new Response(body(), { status: 416, headers: { 'content-range': 'bytes */20000' } }),
      ({ start }) =>
        new Response(small, { status: 206, headers: { ...HONEST, 'content-range': `bytes ${start}-19999/20000` } }),
    );
    const source = await open(mirror);
    expect(Buffer.compare(await source.read(0, 20_000), small)).toBe(0);
    expect(mirror.asked.map(({ headers }) => headers.get('range'))).toEqual(['bytes=32768-73727', 'bytes=0-40959']);
    expect(cancelled).toHaveBeenCalledTimes(1);
  });

  test.each<[string, Reply]>([
    ['is of less than was asked for', () => answer({ start: 32_768, end: 32_778 })],
    ['says that it is not compressed', (ask) => answer(ask, { headers: { 'content-encoding': 'Identity' } })],
    ['has a date alone', (ask) => answer(ask, { headers: { etag: undefined } })],
    ['has a tag alone', (ask) => answer(ask, { headers: { 'last-modified': undefined } })],
  ])('that %s is accepted', async (_, reply) => {
    expect((await open(server(reply))).size).toBe(400_000);
  });

  test('that ends early is requested once more', async () => {
    const mirror = server((ask) => answer(ask, { body: BYTES.slice(0, 100) }));
    const source = await open(mirror, { retries: 1 });
    expect(Buffer.compare(await source.read(0, 65_536), BYTES.subarray(0, 65_536))).toBe(0);
    await expect(open(server((ask) => answer(ask, { body: BYTES.slice(0, 100) })))).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: `cannot read ${ADDRESS}: the answer ended after 100 of 40960 bytes`,
    });
  });
});

describe('a later answer', () => {
  const read = async (...replies: Reply[]): Promise<Uint8Array> =>
    (await open(server(answer, ...replies))).read(200_000, 100_000);
  const GONE = /the server no longer has the file that was opened$/;
  const sized = (length: string) => ({ ...NO_RANGE, 'content-length': length });
  const none = (size: number) => ({ status: 416, headers: { 'content-range': `bytes */${size}` } });

  test.each<[string, string, RegExp, Wrong]>([
    ['is of another version', 'ISO_CHANGED', GONE, { headers: { etag: '"v2"' } }],
    ['is of another size', 'ISO_CHANGED', GONE, { headers: { 'content-range': 'bytes 200000-299999/400001' } }],
    ['is whole, of another version', 'ISO_CHANGED', GONE, { status: 200, headers: { ...NO_RANGE, etag: '"v2"' } }],
    ['is whole, of another length', 'ISO_CHANGED', GONE, { status: 200, headers: sized('400001') }],
    [
      'is whole, of this length',
      'ISO_NO_RANGES',
      /no longer answers Range requests$/,
      { status: 200, headers: sized('400000') },
    ],
    [
      'is whole, of no length',
      'ISO_NO_RANGES',
      /no longer answers Range requests$/,
      { status: 200, headers: NO_RANGE },
    ],
    ['is no range of a shorter file', 'ISO_CHANGED', GONE, none(150_000)],
    ['is no range of this file', 'ISO_BAD_ANSWER', /answered 416$/, none(400_000)],
    ['has lost its tag', 'ISO_BAD_ANSWER', /no longer gives an ETag$/, { headers: { etag: undefined } }],
    ['is compressed', 'ISO_BAD_ANSWER', /content encoding/, { headers: { 'content-encoding': 'gzip' } }],
    ['does not say what it is of', 'ISO_BAD_ANSWER', /bytes 200000 to 299999 and does not say/, { headers: NO_RANGE }],
    ['begins earlier', 'ISO_BAD_ANSWER', /and sends 199999 to 299999$/, { of: [199_999, 300_000] }],
    ['begins later', 'ISO_BAD_ANSWER', /and sends 200001 to 299999$/, { of: [200_001, 300_000] }],
    ['ends later', 'ISO_BAD_ANSWER', /and sends 200000 to 300000$/, { of: [200_000, 300_001] }],
  ])('that %s is refused with its offset, and not read', async (_, code, message, wrong) => {
    const failure = { code, message: expect.stringMatching(message), offset: 200_000 };
    await expect(read(wrongly(wrong))).rejects.toMatchObject(failure);
    expect(cancelled).toHaveBeenCalledTimes(1);
  });

  test('that is longer than it says is refused', async () => {
    const longer = (ask: Ask): Response => answer(ask, { body: new Uint8Array(100_001) });
    await expect(read(longer)).rejects.toMatchObject({
      code: 'ISO_BAD_ANSWER',
      message: expect.stringMatching(/more bytes than it announces$/),
    });
  });

  test('with fewer bytes than requested is followed by the rest, without a pause', async () => {
    const mirror = server(
      answer,
      ({ start }) => answer({ start, end: start + 20_000 }),
      ({ start }) => answer({ start, end: start + 20_000 }),
    );
    const source = await open(mirror, { retries: 1 });
    expect(Buffer.compare(await source.read(200_000, 100_000), BYTES.subarray(200_000, 300_000))).toBe(0);
    expect(mirror.asked.map(({ headers }) => headers.get('range'))).toEqual([
      'bytes=32768-73727',
      'bytes=200000-299999',
      'bytes=220000-299999',
      'bytes=240000-299999',
    ]);
  });

  test('that repeatedly ends early is reported with the actual and the expected length of the last one', async () => {
    const early = ({ start, end }: Ask): Response => answer({ start, end }, { body: BYTES.slice(start, start + 300) });
    const source = await open(server(answer, early, early), { retries: 1 });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await expect(source.read(200_000, 100_000)).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: expect.stringMatching(/the answer ended after 300 of 99700 bytes/),
    });
  });

  test('that breaks after its last byte is complete', async () => {
    const broken = ({ start, end }: Ask): Response => {
      let isSent = false;
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
        if (isSent) controller.error(new TypeError('terminated'));
        else controller.enqueue(BYTES.subarray(start, end));
        isSent = true;
      };
      return answer({ start, end }, { body: new ReadableStream({ pull }, { highWaterMark: 0 }) });
    };
    const mirror = server(answer, broken);
    const source = await open(mirror, { retries: 1 });
    vi.spyOn(Math, 'random').mockReturnValueOnce(0);
    expect(Buffer.compare(await source.read(200_000, 100_000), BYTES.subarray(200_000, 300_000))).toBe(0);
    expect(mirror.asked).toHaveLength(2);
  });
});

describe('a request', () => {
  /** The headers of the first two requests. */
  async function sent(
    address: string,
    options: HttpSourceOptions = {},
    headers = {},
  ): Promise<Record<string, string>[]> {
    const mirror = server((ask) => answer(ask, { headers }));
    const source = await httpSource(address, { ...mirror, ...options }).catch(() => undefined);
    await source?.read(200_000, 10_000).catch(() => undefined);
    return mirror.asked.map((ask) => {
      const own: Record<string, string> = {};
      ask.headers.forEach((value, name) => {
        own[name] = value;
      });
      return own;
    });
  }

  test('has only a range and its version', async () => {
    expect(await sent(ADDRESS)).toEqual([
      { range: 'bytes=32768-73727' },
      { range: 'bytes=200000-209999', 'if-range': '"v1"' },
    ]);
  });

  test.each<[string, Record<string, string | undefined>, string | undefined]>([
    ['a weak tag', { etag: 'W/"v1"' }, undefined],
    [
      'a date of an earlier answer',
      { etag: undefined, date: 'Tue, 01 Jan 2030 00:00:11 GMT' },
      HONEST['last-modified'],
    ],
    ['a date of this very second', { etag: undefined, date: 'Tue, 01 Jan 2030 00:00:10 GMT' }, undefined],
  ])('by %s has a strong validator', async (_, headers, expected) => {
    expect((await sent(ADDRESS, {}, headers))[1]?.['if-range']).toBe(expected);
  });

  test.each([
    ['http://user:pw@mirror.test/', 'user:pw'],
    ['http://user@mirror.test/', 'user:'],
    ['http://:pw@mirror.test/', ':pw'],
    ['http://%C3%BC:%3A%40@mirror.test/', 'ü::@'],
  ])('to %s has its password in a header, not in the address', async (address, credentials) => {
    const mirror = server();
    await httpSource(address, mirror);
    expect(mirror.asked[0]?.headers.get('authorization')).toBe(`Basic ${Buffer.from(credentials).toString('base64')}`);
    expect(mirror.asked[0]?.url).toBe('http://mirror.test/');
  });

  test("has the caller's headers, which outweigh the address", async () => {
    const headers = { authorization: 'Bearer t', 'x-own': '1', range: 'bytes=1-2' };
    const [first] = await sent('http://user:pw@mirror.test/', { headers });
    expect(first).toEqual({ authorization: 'Bearer t', 'x-own': '1', range: 'bytes=32768-73727' });
  });

  test('bypasses caches, and contains no fragment', async () => {
    const mirror = server();
    await httpSource(new URL(`${ADDRESS}?a=1#part`), mirror);
    expect([mirror.asked[0]?.url, mirror.asked[0]?.init.cache]).toEqual([`${ADDRESS}?a=1`, 'no-store']);
  });

  test("uses the platform's fetch by default", async () => {
    const { fetch } = server();
    vi.stubGlobal('fetch', fetch);
    try {
      expect((await httpSource(ADDRESS)).size).toBe(400_000);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('a file that is fetched whole', () => {
  const whole =
    (changes: AnswerChanges): Reply =>
    () =>
      answer({ start: 0, end: 0 }, { status: 200, body: BYTES.slice(0, 1000), ...changes });

  test('is requested without a range or compression', async () => {
    const mirror = server(whole({}), whole({ headers: { 'content-length': '1000' } }));
    expect((await open(mirror, { whole: true })).size).toBe(1000);
    const { headers } = mirror.asked[1] ?? {};
    expect([headers?.get('range'), headers?.get('accept-encoding')]).toEqual([null, 'identity']);
  });

  test.each<[string, RegExp, AnswerChanges]>([
    ['shorter', /the answer ended after 1000 of 1001 bytes$/, { headers: { 'content-length': '1001' } }],
    ['longer', /the answer ended after 1000 of 999 bytes$/, { headers: { 'content-length': '999' } }],
    ['compressed', /content encoding/, { headers: { 'content-encoding': 'gzip' } }],
    ['a part', /the server answered 206$/, { status: 206 }],
  ])('must not be %s than it should be', async (_, message, changes) => {
    await expect(open(server(whole({}), whole(changes)), { whole: true })).rejects.toThrow(message);
  });

  test('is fetched again from the beginning after it broke off', async () => {
    const mirror = server(whole({}), whole({ headers: { 'content-length': '2000' } }), whole({}));
    vi.spyOn(Math, 'random').mockReturnValueOnce(0);
    expect((await open(mirror, { whole: true, retries: 1 })).size).toBe(1000);
  });
});
