import { edit, inspect, openLiveImage, toReadableStream } from '@coreiso/iso';
import { httpSource, rangeResponse } from '@coreiso/iso/http';
import { nodeListener } from '@coreiso/iso/node';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';
import { type ByteSource, bytesSource } from '../../src/bytes/source.ts';
import { describeWithFixtures, FIXTURES, fixture } from '../support/fixtures.ts';
import { countingFetch, listen, noise, origin } from './servers.ts';

const KIB = 1024;
const ADDRESS = 'http://mirror.test/live.iso';

/** Opening takes 3 requests and 60 KiB; inspecting and all possible edits take 4 more and its area. */
async function expectBudget(source: ByteSource | Uint8Array, requests = 3): Promise<void> {
  const counted = countingFetch(source);
  const remote = await httpSource(ADDRESS, counted);
  const image = await openLiveImage(remote);
  expect(counted.requests).toBeLessThanOrEqual(requests);
  expect(counted.bytes).toBeLessThanOrEqual((30 + 10 * requests) * KIB);
  await inspect(remote);
  const { overlay } = await edit(image, {
    ignition: new TextEncoder().encode('{"ignition":{"version":"3.4.0"}}'),
    ...(image.kargs === undefined ? {} : { kargs: { append: ['console=ttyS0'] } }),
  });
  expect(counted.requests).toBeLessThanOrEqual(requests + 4);
  expect(counted.bytes).toBeLessThanOrEqual(120 * KIB + image.initrd.length);
  expect((await openLiveImage(overlay)).volumeId).toBe(image.volumeId);
}

test.each(sampleKinds().map(({ name }) => name))(
  'opens a remote %s with 3 requests and 60 KiB, and inspects and edits it with 4 more and its area',
  async (kind) => expectBudget(await sampleIso({ kind, size: 5_000_000_000 })),
);

describeWithFixtures('real images', () => {
  test.each(FIXTURES.filter((name) => name.startsWith('embed-areas')))(
    'opens %s remotely with 3 requests and 60 KiB, and inspects and edits it with 4 more and its area',
    // The first image with areas for kernel arguments gives their places before its descriptors.
    async (name) => expectBudget(fixture(name), name.includes('2021-01') ? 5 : 3),
  );
});

describe('reads', () => {
  const BYTES = noise(12_000_000);

  test('give the right bytes for any place and length, in any order and in parallel', async () => {
    const source = await httpSource(ADDRESS, countingFetch(BYTES));
    const places = Array.from({ length: 200 }, (_, index) => {
      const offset = (index * 7_368_787) % BYTES.length;
      return [offset, Math.min(BYTES.length - offset, [1, 100, 9000, 70_000, 3_000_000][index % 5] ?? 0)] as const;
    });
    const answers = await Promise.all(places.map(([offset, length]) => source.read(offset, length)));
    for (const [index, [offset, length]] of places.entries()) {
      expect(Buffer.compare(answers[index]!, BYTES.subarray(offset, offset + length))).toBe(0);
    }
  });

  test('in sequence are prefetched in large requests', async () => {
    const counted = countingFetch(BYTES);
    const source = await httpSource(ADDRESS, counted);
    for (let offset = 0; offset < BYTES.length; offset += 50_000) {
      const bytes = await source.read(offset, 50_000);
      expect(Buffer.compare(bytes, BYTES.subarray(offset, offset + 50_000))).toBe(0);
    }
    expect(counted.requests).toBeLessThan(60);
    expect(counted.bytes).toBeLessThan(BYTES.length + 64 * KIB);
  });

  test('of the whole file fetch each byte once', async () => {
    const counted = countingFetch(BYTES);
    const whole = new Response(toReadableStream(await httpSource(ADDRESS, counted)));
    expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), BYTES)).toBe(0);
    expect(counted.bytes).toBe(BYTES.length);
    expect(counted.requests).toBeLessThan(20);
  });

  test('of the same place share a request', async () => {
    const counted = countingFetch(BYTES);
    const source = await httpSource(ADDRESS, counted);
    const [a, b] = await Promise.all([source.read(5_000_000, 100), source.read(5_000_050, 100)]);
    expect([counted.requests, a?.[60]]).toEqual([2, b?.[10]]);
  });

  test('never send more parallel requests than allowed', async () => {
    let now = 0;
    let most = 0;
    const { fetch } = countingFetch(BYTES);
    const source = await httpSource(ADDRESS, {
      parallel: 2,
      async fetch(url, init) {
        most = Math.max(most, ++now);
        await new Promise(setImmediate);
        now--;
        return fetch(url, init);
      },
    });
    await Promise.all(Array.from({ length: 20 }, (_, index) => source.read(index * 500_000, 10)));
    expect(most).toBe(2);
  });

  test('end when aborted, without harm to others', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { fetch } = countingFetch(BYTES);
    let aborted = 0;
    let isOpened = false;
    const source = await httpSource(ADDRESS, {
      async fetch(url, init) {
        init.signal?.addEventListener('abort', () => aborted++);
        if (isOpened) await gate;
        init.signal?.throwIfAborted();
        return fetch(url, init);
      },
    });
    isOpened = true;
    const leaving = new AbortController();
    const alone = source.read(9_000_000, 10, leaving.signal);
    const first = source.read(5_000_000, 10, leaving.signal);
    const second = source.read(5_000_000, 10);
    await new Promise(setImmediate);
    leaving.abort(new Error('enough'));
    await expect(alone).rejects.toThrow('enough');
    await expect(first).rejects.toThrow('enough');
    expect(aborted).toBe(1);
    open();
    expect(Buffer.compare(await second, BYTES.subarray(5_000_000, 5_000_010))).toBe(0);
    expect(Buffer.compare(await source.read(9_000_000, 10), BYTES.subarray(9_000_000, 9_000_010))).toBe(0);
  });

  test('end with the signal of the source', async () => {
    const stop = new AbortController();
    const source = await httpSource(ADDRESS, { ...countingFetch(BYTES), signal: stop.signal });
    const reading = source.read(5_000_000, 10);
    stop.abort(new Error('over'));
    await expect(reading).rejects.toThrow('over');
    await expect(source.read(0, 10)).rejects.toThrow('over');
  });

  test.each([
    [12_000_000, 1],
    [11_999_999, 2],
  ])('outside the file are refused: %i+%i', async (offset, length) => {
    const source = await httpSource(ADDRESS, countingFetch(BYTES));
    await expect(source.read(offset, length)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  });
});

test('reads an empty file', async () => {
  const source = await httpSource(ADDRESS, countingFetch(new Uint8Array(0)));
  expect([source.size, (await source.read(0, 0)).length]).toEqual([0, 0]);
});

describe('requests', () => {
  test('go directly to the target of a redirect, without the headers for the first server, until the target refuses', async () => {
    const bytes = noise(300_000);
    const seen: string[] = [];
    let uses = 0;
    const store = await origin(bytes, ({ request, response, answer }) => {
      seen.push(`store ${request.headers.authorization ?? '-'} ${request.headers['x-own'] ?? '-'}`);
      if (++uses % 3 === 0) response.writeHead(403).end();
      else answer();
    });
    const first = await listen((request, response) => {
      seen.push(`first ${request.headers.authorization ?? '-'}`);
      response.writeHead(307, { location: `${store}signed?by=${uses}` }).end();
    });
    const source = await httpSource(first.replace('127', 'user:pa%C3%9F@127'), { headers: () => ({ 'x-own': '1' }) });
    await source.read(100_000, 10);
    await source.read(200_000, 10);
    const own = `first Basic ${Buffer.from('user:paß').toString('base64')}`;
    expect(seen).toEqual([own, 'store - -', 'store - -', 'store - -', own, 'store - -']);
  });

  test('that find an expired address at the same time all get the new one, without a retry', async () => {
    const bytes = noise(12_000_000);
    let signature = 1;
    const store = await origin(bytes, ({ request, response, answer }) => {
      if (request.url === `/signed-${signature}`) answer();
      else response.writeHead(403).end();
    });
    const first = await listen((_, response) => {
      response.writeHead(307, { location: `${store}signed-${signature}` }).end();
    });
    const source = await httpSource(first, { retries: 0 });
    signature++;
    const places = [2_000_000, 4_000_000, 6_000_000, 8_000_000];
    const parts = await Promise.all(places.map((place) => source.read(place, 10)));
    expect(parts).toEqual(places.map((place) => bytes.slice(place, place + 10)));
  });

  test('have newly made headers each time', async () => {
    const tokens: unknown[] = [];
    const url = await origin(noise(300_000), ({ request, answer }) => {
      tokens.push(request.headers.authorization);
      answer();
    });
    let count = 0;
    const source = await httpSource(url, { headers: async () => ({ authorization: `Bearer ${count++}` }) });
    await source.read(200_000, 1);
    expect(tokens).toEqual(['Bearer 0', 'Bearer 1']);
  });

  test('are not sent if their headers cannot be made', async () => {
    const failing = httpSource(ADDRESS, {
      headers: () => {
        throw new Error('no token');
      },
    });
    await expect(failing).rejects.toMatchObject({ code: 'ISO_REMOTE', cause: new Error('no token') });
  });
});

test.each<[RegExp, unknown, object]>([
  [/^url must /, 1, {}],
  [/^url must /, 'live.iso', {}],
  [/^url must /, 'file:///live.iso', {}],
  [/^url must /, 'http://a:%ff@mirror.test/', {}],
  [/^options must /, ADDRESS, []],
  [/^fetch must /, ADDRESS, { fetch: 1 }],
  [/^retries must /, ADDRESS, { retries: -1 }],
  [/^timeout must /, ADDRESS, { timeout: 0 }],
  [/^timeout must /, ADDRESS, { timeout: Number.NaN }],
  [/^parallel must /, ADDRESS, { parallel: 0.5 }],
  [/^minRate must /, ADDRESS, { minRate: -1 }],
  [/^minRate must /, ADDRESS, { minRate: Number.NaN }],
  [/^whole must /, ADDRESS, { whole: 'yes' }],
])('refuses with %s: %j %j', async (message, url, options) => {
  await expect(httpSource(url as string, options)).rejects.toThrow(message);
});

test('gives the same bytes and tag through a chain of two of our servers', async () => {
  const bytes = noise(5_000_000);
  const first = await listen(nodeListener((request) => rangeResponse(request, bytesSource(bytes))));
  const proxy = async (): Promise<string> => {
    const remote = await httpSource(first);
    return listen(nodeListener((request) => rangeResponse(request, remote)));
  };
  const [second, replica] = [await proxy(), await proxy()];
  const whole = await fetch(second);
  expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), bytes)).toBe(0);
  const etag = whole.headers.get('etag') ?? '';
  const rest = await fetch(replica, { headers: { range: 'bytes=4000000-', 'if-range': etag } });
  expect([rest.status, rest.headers.get('etag')]).toEqual([206, etag]);
  expect(Buffer.compare(Buffer.from(await rest.arrayBuffer()), bytes.subarray(4_000_000))).toBe(0);
  const third = await httpSource(second);
  expect(Buffer.compare(await third.read(1_000_000, 3_000_000), bytes.subarray(1_000_000, 4_000_000))).toBe(0);
});
