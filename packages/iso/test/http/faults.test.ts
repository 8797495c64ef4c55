import { httpSource } from '@coreiso/iso/http';
import { describe, expect, test } from 'vitest';
import { type Exchange, noise, origin } from './servers.ts';

const BYTES = noise(400_000);
const PLACE = 200_000;
const LENGTH = 100_000;

/** Opens an origin that is honest at first, and reads from it. */
async function read(act: (exchange: Exchange) => void, options = {}): Promise<Uint8Array> {
  const url = await origin(BYTES, (exchange) => (exchange.count === 0 ? exchange.answer() : act(exchange)));
  const source = await httpSource(url, { retries: 1, timeout: 200, ...options });
  return source.read(PLACE, LENGTH);
}

function cut({ response, headers, body }: Exchange, length: number): void {
  response.writeHead(206, headers).write(body.subarray(0, length), () => response.destroy());
}

describe('an origin that, once it is open,', () => {
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
  ])('%s: %s', async (_, code, act) => {
    await expect(read(act)).rejects.toMatchObject({ name: 'IsoError', code });
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
    ['breaks once', ({ count, response, answer }) => (count === 1 ? response.destroy() : answer())],
    ['stalls once', ({ count, answer }) => (count === 1 ? undefined : answer())],
  ])('%s, is read nevertheless', async (_, act) => {
    expect(Buffer.compare(await read(act), BYTES.subarray(PLACE, PLACE + LENGTH))).toBe(0);
  });

  test('every request names the version that was opened', async () => {
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
  ])('without a tag %s tells versions apart', async (_, modified, date, isStrong) => {
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

  test('a weak tag is compared, since If-Range must not have it', async () => {
    const url = await origin(BYTES, ({ count, request, answer }) => {
      expect(request.headers['if-range']).toBeUndefined();
      answer(206, { etag: `W/"${count < 2 ? 1 : 2}"` });
    });
    const source = await httpSource(url);
    await source.read(PLACE, LENGTH);
    await expect(source.read(300_000, 10)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
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
      /asked for bytes 0 to 65535 and sends 5 to 9/,
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

  test('is not there', async () => {
    const error = await httpSource('http://127.0.0.1:1/a.iso', { retries: 0 }).catch((error) => error);
    expect(error).toMatchObject({
      code: 'ISO_REMOTE',
      message: 'cannot read http://127.0.0.1:1/a.iso: the connection broke',
    });
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe('fetched whole, where that is allowed,', () => {
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

  test('never a file that is shorter than its server says', async () => {
    const url = await origin(BYTES, ({ response }) => {
      response.writeHead(200, { 'content-length': '400000' }).write(BYTES.subarray(0, 1000), () => response.destroy());
    });
    await expect(httpSource(url, { whole: true, retries: 1 })).rejects.toMatchObject({ code: 'ISO_REMOTE' });
  });
});
