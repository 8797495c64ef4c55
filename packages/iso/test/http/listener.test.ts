import { getEventListeners } from 'node:events';
import { closeSync, openSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { overlay } from '@coreiso/iso';
import { createFileServer, rangeResponse } from '@coreiso/iso/http';
import { fileSource, nodeListener } from '@coreiso/iso/node';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import type { ByteSource } from '../../src/bytes/source.ts';
import { listen, noise } from './servers.ts';

const BYTES = noise(3_000_000);

const warnings: Error[] = [];
beforeAll(() => {
  const collect = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', collect);
  return () => process.off('warning', collect);
});
// Leaked listeners on a signal or a stream cause one warning.
afterEach(() => expect(warnings).toEqual([]));

function fileOf(bytes: Uint8Array): string {
  const directory = scratchFolder();
  writeFileSync(join(directory, 'base.iso'), bytes);
  return join(directory, 'base.iso');
}

/** Writes to a file without changing its size or modification time; returns once its change time differs. */
async function rewrite(path: string): Promise<void> {
  const { mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  await vi.waitUntil(() => {
    const file = openSync(path, 'r+');
    writeSync(file, Uint8Array.of(1), 0, 1, 2_000_000);
    closeSync(file);
    utimesSync(path, Number(mtimeNs / 1_000_000_000n), Number(mtimeNs / 1_000_000_000n));
    return statSync(path, { bigint: true }).ctimeNs !== ctimeNs;
  }, 60_000);
}

/** The answer of a server to exactly these bytes. */
async function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

describe('a file with patches', () => {
  const patches = [
    { offset: 0, bytes: Uint8Array.of(1, 2, 3) },
    { offset: 1_500_000, bytes: new Uint8Array(300_000).fill(7) },
  ];
  const patched = BYTES.slice();
  for (const { offset, bytes } of patches) patched.set(bytes, offset);

  test.each([
    ['whole', undefined, 0, BYTES.length],
    ['across a patch', 'bytes=1400000-1900000', 1_400_000, 1_900_001],
    ['at its end', 'bytes=-5', BYTES.length - 5, BYTES.length],
  ])('is served %s', async (_, range, start, end) => {
    await using base = await fileSource(fileOf(BYTES));
    const url = await listen(nodeListener((request) => rangeResponse(request, overlay(base, patches))));
    const response = await fetch(url, range === undefined ? {} : { headers: { range } });
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), patched.subarray(start, end))).toBe(0);
  });

  /** The tag that a server gives to the file with its patches. */
  async function tagOf(path: string, identity: 'file' | 'contents'): Promise<string | null> {
    await using base = await fileSource(path, { identity });
    const url = await listen(nodeListener((request) => rangeResponse(request, overlay(base, patches))));
    return (await fetch(url, { method: 'HEAD' })).headers.get('etag');
  }

  test('has the same tag on every replica that identifies it by its contents, and another tag after a change', async () => {
    const other = BYTES.map((byte, index) => (index === 2_999_999 ? byte ^ 1 : byte));
    const tags: unknown[] = [];
    for (const [bytes, seconds] of [[BYTES, 1e9] as const, [BYTES, 2e9] as const, [other, 1e9] as const]) {
      const path = fileOf(bytes);
      utimesSync(path, seconds, seconds);
      tags.push(await tagOf(path, 'contents'));
    }
    expect(tags[0]).toMatch(/^"[0-9a-f]+"$/);
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).not.toBe(tags[0]);
  });

  test('has a different tag than another file of the same size and time', async () => {
    const paths = [fileOf(BYTES), fileOf(BYTES)];
    for (const path of paths) utimesSync(path, 1e9, 1e9);
    const [one = '', two = ''] = paths;
    expect(await tagOf(one, 'file')).toBe(await tagOf(one, 'file'));
    expect(await tagOf(one, 'file')).not.toBe(await tagOf(two, 'file'));
  });

  test.each(['file', 'contents'] as const)(
    'has another tag after a write, even if its time is set back (%s)',
    async (identity) => {
      const path = fileOf(BYTES);
      utimesSync(path, 1e9, 1e9);
      await using base = await fileSource(path, { identity });
      const url = await listen(nodeListener((request) => rangeResponse(request, overlay(base, patches))));
      const tag = async (): Promise<string | null> => (await fetch(url, { method: 'HEAD' })).headers.get('etag');
      const before = await tag();
      await rewrite(path);
      expect(await tag()).not.toBe(before);
    },
  );

  test.each([
    ['a rangeResponse', (response: Response) => response],
    ['any other response', (response: Response) => new Response(response.body, response)],
  ])('breaks off if it changes during the answer: %s', async (_, wrap) => {
    const path = fileOf(BYTES);
    utimesSync(path, 1e9, 1e9);
    await using base = await fileSource(path);
    const onError = vi.fn();
    const handler = async (request: Request): Promise<Response> => {
      const response = await rangeResponse(request, overlay(base, patches));
      await rewrite(path);
      return wrap(response);
    };
    const response = await fetch(await listen(nodeListener(handler, { onError })));
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'ISO_CHANGED' })]]);
  });

  test('is refused if it changes while a short range is read', async () => {
    const path = fileOf(BYTES);
    utimesSync(path, 1e9, 1e9);
    await using base = await fileSource(path);
    const handler = async (request: Request): Promise<Response> => {
      const response = await rangeResponse(request, overlay(base, patches));
      await rewrite(path);
      return response;
    };
    const response = await fetch(await listen(nodeListener(handler)), { headers: { range: 'bytes=10-19' } });
    expect([response.status, await response.text()]).toEqual([500, '']);
  });

  test('is refused after the file has changed', async () => {
    const path = fileOf(BYTES);
    await using base = await fileSource(path);
    const onError = vi.fn();
    const url = await listen(nodeListener((request) => rangeResponse(request, overlay(base, patches)), { onError }));
    utimesSync(path, 1, 1);
    expect((await fetch(url)).status).toBe(500);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'ISO_CHANGED' })]]);
  });
});

describe('a listener', () => {
  test('answers a failure before the head with status 500 and no details', async () => {
    const onError = vi.fn();
    const failing = () => {
      throw new Error('secret');
    };
    const response = await fetch(await listen(nodeListener(failing, { onError })));
    expect([response.status, await response.text()]).toEqual([500, '']);
    expect(onError.mock.calls).toEqual([[new Error('secret')]]);
  });

  test.each([
    ['a rangeResponse', (response: Response) => response],
    ['any other response', (response: Response) => new Response(response.body, response)],
  ])('breaks the connection on a failure after the head: %s', async (_, wrap) => {
    const source: ByteSource = {
      size: 1_000_000,
      async read(offset, length) {
        if (offset > 500_000) throw new Error('the disk is gone');
        return new Uint8Array(length);
      },
    };
    const onError = vi.fn();
    const url = await listen(nodeListener(async (request) => wrap(await rangeResponse(request, source)), { onError }));
    const response = await fetch(url);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(onError).toHaveBeenCalledOnce();
  });

  test('stops reading without an error if a client leaves', async () => {
    let reads = 0;
    const left = new Promise<void>((resolve) => {
      const source: ByteSource = {
        size: 1e12,
        async read(_, length, signal) {
          if (reads++ === 0) signal?.addEventListener('abort', () => resolve());
          return new Uint8Array(length);
        },
      };
      const onError = vi.fn(() => expect.unreachable());
      listen(nodeListener((asked) => rangeResponse(asked, source), { onError })).then((url) => {
        const client = request(url, (response) => response.once('data', () => client.destroy()));
        client.on('error', () => undefined).end();
      });
    });
    await left;
    // One read may have been under way; if reads continued, this loop would not end before the test's timeout.
    for (let before = -1; before !== reads; await new Promise((resolve) => setTimeout(resolve, 100))) before = reads;
  });

  test('stops reading if a client does not read', async () => {
    let reads = 0;
    const source: ByteSource = {
      size: 1e12,
      async read(_, length) {
        reads++;
        return new Uint8Array(length);
      },
    };
    const url = await listen(nodeListener((asked) => rangeResponse(asked, source)));
    await new Promise<void>((resolve) => {
      const client = request(url, (response) => {
        response.pause();
        onTestFinished(() => void client.destroy());
        resolve();
      });
      client.on('error', () => undefined).end();
    });
    let before = -1;
    while (reads !== before) {
      before = reads;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(reads).toBeLessThan(200);
  });
});

describe('requests', () => {
  const echo = async (request: Request) => {
    const cookies = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    return new Response(`${request.method} ${request.url} ${await request.text()}`, { headers: cookies });
  };

  test.each([
    [
      'a path that looks like a host',
      'GET //evil.test/a HTTP/1.0\r\nHost: h.test\r\n\r\n',
      'GET http://h.test//evil.test/a ',
    ],
    ['no host', 'GET /a?b HTTP/1.0\r\n\r\n', 'GET http://localhost/a?b '],
    ['a whole address', 'GET http://other.test/a HTTP/1.0\r\nHost: h.test\r\n\r\n', 'GET http://other.test/a '],
    ['a body', 'PUT /a HTTP/1.0\r\nHost: h.test\r\nContent-Length: 2\r\n\r\nok', 'PUT http://h.test/a ok'],
  ])('with %s', async (_, text, answer) => {
    const received = await raw(await listen(nodeListener(echo)), text);
    expect(received).toContain(answer);
    expect(received.match(/set-cookie: .*/g)).toEqual(['set-cookie: a=1', 'set-cookie: b=2']);
  });

  test.each([
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['an address that is none', 'OPTIONS * HTTP/1.1\r\nHost: h.test\r\n\r\n'],
    ['a method that nobody may use', 'TRACE / HTTP/1.1\r\nHost: h.test\r\n\r\n'],
  ])('with %s are refused', async (_, text) => {
    expect(await raw(await listen(nodeListener(echo)), text)).toMatch(/^HTTP\/1.1 400 /);
  });

  test('with HEAD get no body, even if the handler gives one', async () => {
    const url = await listen(nodeListener(() => new Response('body')));
    expect(await raw(url, 'HEAD / HTTP/1.0\r\n\r\n')).toMatch(/\r\n\r\n$/);
  });
});

describe('a file server', () => {
  const fileServer = (source: ByteSource) => createFileServer([{ name: 'a.iso', open: () => source }]);
  const ask = async (url: string, init?: RequestInit) => fetch(`${url}a.iso`, init);

  test.each([
    ['in one piece', 'bytes=100-65635', 206, BYTES.subarray(100, 65_636)],
    ['of exactly a chunk', 'bytes=0-131071', 206, BYTES.subarray(0, 131_072)],
    ['of a byte more', 'bytes=0-131072', 206, BYTES.subarray(0, 131_073)],
    ['whole', '', 200, BYTES],
    ['beyond the end', 'bytes=3000000-', 416, new Uint8Array()],
  ])('sends a file %s', async (_, range, status, expected) => {
    await using base = await fileSource(fileOf(BYTES));
    const url = await listen(nodeListener(fileServer(base)));
    // Twice on one connection: reused memory must not be sent.
    const [first, second] = [await ask(url, { headers: { range } }), await ask(url, { headers: { range } })];
    expect([first.status, second.status]).toEqual([status, status]);
    for (const answer of [first, second]) {
      expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), expected)).toBe(0);
    }
  });

  test('sends each of many clients its own range at the same time', async () => {
    await using base = await fileSource(fileOf(BYTES));
    const url = await listen(nodeListener(fileServer(base)));
    const starts = Array.from({ length: 200 }, (_, index) => (index * 14_983) % 2_900_000);
    await Promise.all(
      starts.map(async (start) => {
        const answer = await ask(url, { headers: { range: `bytes=${start}-${start + 65_535}` } });
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect(Buffer.compare(bytes, BYTES.subarray(start, start + 65_536))).toBe(0);
      }),
    );
  });

  test('joins lists in two header lines, as the web platform does', async () => {
    await using base = await fileSource(fileOf(BYTES));
    const url = await listen(nodeListener(fileServer(base)));
    const etag = (await ask(url, { method: 'HEAD' })).headers.get('etag');
    const twice = `GET /a.iso HTTP/1.0\r\nIf-None-Match: "x"\r\nIf-None-Match: ${etag}\r\n\r\n`;
    expect(await raw(url, twice)).toMatch(/^HTTP\/1.1 304 /);
  });

  test.each([
    ['Host: h.test', 'Host: h.test'],
    ['Host: h.test', 'hOST: evil.test'],
    ['Host:', 'Host: h.test'],
    ['Host: h.test\r\nRange: bytes=0-0', 'Range: bytes=1-1'],
    ['Host: h.test\r\nRange: bytes=0-0', 'Range: 2-2'],
    ['Host: h.test\r\nRange: bytes=0-0\r\nIf-Range: "a"', 'If-Range: "b"'],
    ['Host: h.test\r\nIf-Modified-Since: x', 'If-Modified-Since: y'],
    ['Host: h.test\r\nIf-Unmodified-Since: x', 'If-Unmodified-Since: y'],
    ['Host: h.test\r\nAuthorization: a', 'Authorization: b'],
    ['Host: h.test\r\nContent-Length: 0', 'Content-Length: 0'],
    ['Host: h.test\r\nContent-Length: 3', 'Transfer-Encoding: chunked'],
  ])('refuses %j followed by %j', async (first, second) => {
    await using base = await fileSource(fileOf(BYTES));
    for (const handler of [fileServer(base), (request: Request) => rangeResponse(request, base)]) {
      const url = await listen(nodeListener(handler));
      const text = `GET /a.iso HTTP/1.1\r\n${first}\r\n${second}\r\n\r\n`;
      expect(await raw(url, text)).toMatch(/^HTTP\/1.1 400 .*\r\nconnection: close\r\n/is);
    }
  });

  test.each([
    ['no host', 'GET /a.iso HTTP/1.1\r\n\r\n'],
    ['a host that is none', 'GET /a.iso HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a path in its host', 'GET /a.iso HTTP/1.1\r\nHost: h.test/x\r\n\r\n'],
    ['a port that is none', 'GET /a.iso HTTP/1.1\r\nHost: h.test:99999\r\n\r\n'],
    ['an address with a password', 'GET http://u:p@h.test/a.iso HTTP/1.1\r\nHost: h.test\r\n\r\n'],
    ['a name and a password', 'GET /a.iso HTTP/1.1\r\nHost: user:password@h.test\r\n\r\n'],
    ['an address that is none', 'OPTIONS * HTTP/1.1\r\nHost: h.test\r\n\r\n'],
  ])('refuses requests with %s', async (_, text) => {
    const url = await listen(nodeListener(fileServer({ size: 0, read: async () => new Uint8Array() })));
    expect(await raw(url, text)).toMatch(/^HTTP\/1.1 400 .*\r\nconnection: close\r\n/is);
  });

  test('leaves no listeners on the signal of a connection, even after many answers', async () => {
    await using base = await fileSource(fileOf(BYTES));
    const signals: AbortSignal[] = [];
    const open = (signal: AbortSignal): ByteSource => {
      signals.push(signal);
      return base;
    };
    const url = await listen(nodeListener(createFileServer([{ name: 'a.iso', open }])));
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const length = 200_000;
    const asked = `GET /a.iso HTTP/1.1\r\nHost: h.test\r\nRange: bytes=0-${length - 1}\r\n\r\n`;
    socket.write(asked.repeat(20));
    let received = 0;
    for await (const chunk of socket) {
      received += chunk.length;
      if (received > 20 * length && signals.length === 20) break;
    }
    expect(new Set(signals).size).toBe(1);
    await vi.waitFor(() => expect(getEventListeners(signals[0] as AbortSignal, 'abort')).toHaveLength(0), 60_000);
  });

  test('sends no body for HEAD', async () => {
    await using base = await fileSource(fileOf(BYTES));
    const url = await listen(nodeListener(fileServer(base)));
    for (const path of ['a.iso', 'healthz', 'nothing']) {
      expect(await raw(url, `HEAD /${path} HTTP/1.0\r\n\r\n`)).toMatch(/\r\n\r\n$/);
    }
  });

  test('reports a failure of a short answer by its status, without headers of the intended answer', async () => {
    const failing: ByteSource = {
      size: 1000,
      read: async () => {
        throw new Error('the disk is gone');
      },
    };
    const onError = vi.fn();
    for (const handler of [fileServer(failing), (asked: Request) => rangeResponse(asked, failing, { etag: '"v1"' })]) {
      const answer = await ask(await listen(nodeListener(handler, { onError })));
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([500, null, '']);
    }
    expect(onError).toHaveBeenCalledTimes(2);
  });

  test('is called with the outcome of each answer', async () => {
    const slow: ByteSource = {
      size: 1e9,
      read: async (offset, length) => {
        if (offset > 500_000_000) throw new Error('the disk is gone');
        return new Uint8Array(length);
      },
    };
    const ends: string[] = [];
    const served = fileServer(slow);
    const url = await listen(
      nodeListener({
        answer: served.answer,
        onEnd: ({ outcome, sent, client }) => ends.push(`${outcome} ${sent > 0} ${client}`),
      }),
    );
    await (await ask(url, { headers: { range: 'bytes=0-9' } })).arrayBuffer();
    await expect((await ask(url, { headers: { range: 'bytes=490000000-' } })).arrayBuffer()).rejects.toThrow();
    const leaving = request(`${url}a.iso`, (response) => response.once('data', () => leaving.destroy()));
    leaving.on('error', () => undefined).end();
    await vi.waitFor(() => expect(ends).toHaveLength(3), 60_000);
    expect(ends).toEqual(['complete true 127.0.0.1', 'broken true 127.0.0.1', 'left true 127.0.0.1']);
  });
});

test.each<[RegExp, unknown[]]>([
  [/^handler must be /, [undefined]],
  [/^handler\.answer must be /, [{}]],
  [/^onError must be /, [() => new Response(), { onError: 1 }]],
])('refuses with %s', (message, args) => {
  expect(() => nodeListener(...(args as Parameters<typeof nodeListener>))).toThrow(message);
});
