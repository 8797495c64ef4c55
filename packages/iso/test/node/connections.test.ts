// Answers to clients that pipeline requests or never read, and their cost.
import { type EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import type { Answer, PlainRequest } from '../../src/http/answer.ts';
import { createFileServer } from '../../src/http/file-server.ts';
import { limitConnections, nodeListener } from '../../src/node/index.ts';

/** A timeout in milliseconds that is enough even for a busy machine. */
const PATIENCE = 60_000;
const HOST = 'Host: h.test\r\n\r\n';
const get = (path: string, ...lines: string[]): string => `GET ${path} HTTP/1.1\r\n${lines.join('')}${HOST}`;

interface Running {
  readonly server: Server;
  /** A connection that is closed after the test. */
  dial(): Promise<Socket>;
}

async function serve(handler: Parameters<typeof nodeListener>[0], limits: 'limited' | 'plain'): Promise<Running> {
  const server = createServer(nodeListener(handler));
  if (limits === 'limited') limitConnections(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    server,
    async dial() {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    },
  };
}

/** All bytes from a server until it closes the connection or sends `end`. */
async function received(socket: Socket, end?: string): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1');
    if (end !== undefined && text.includes(end)) break;
  }
  return text;
}

const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

const BYTES = Uint8Array.from({ length: 1000 }, (_, index) => 97 + (index % 26));

/** Answers each path with itself, later ones sooner; counts the maximum of parallel answers. */
function counting(): { answer(request: PlainRequest): Promise<Answer>; most: number; asked: string[] } {
  let now = 0;
  const counted = {
    most: 0,
    asked: [] as string[],
    async answer({ url, method }: PlainRequest): Promise<Answer> {
      const { pathname } = new URL(url);
      counted.asked.push(pathname);
      counted.most = Math.max(counted.most, ++now);
      for (let turns = counted.asked.length % 7; turns < 7; turns++) await new Promise(setImmediate);
      now--;
      if (pathname === '/fails') throw new Error('no disk');
      return {
        status: 200,
        headers: { 'content-length': String(pathname.length) },
        body: method === 'HEAD' ? '' : pathname,
      };
    },
  };
  return counted;
}

describe.each(['limited', 'plain'] as const)('pipelined requests on a %s server', (limits) => {
  test('are answered one at a time, in their order', async () => {
    const handler = counting();
    const socket = await (await serve(handler, limits)).dial();
    const paths = Array.from({ length: 300 }, (_, index) => `/${index}`);
    socket.write(`${paths.map((path) => get(path)).join('')}${get('/last', 'Connection: close\r\n')}`);
    const text = await received(socket);
    expect(text.match(/\/(?:\d+|last)$/gm)).toEqual([...paths, '/last'].slice(-1));
    expect([...text.matchAll(/\r\n\r\n(\/\d+)/g)].map(([, path]) => path)).toEqual(paths);
    expect([handler.most, handler.asked.length]).toEqual([1, 301]);
  });

  test('may be of every kind, and a failed one does not affect the others', async () => {
    let reads = 0;
    const bad = { size: 10, read: () => Promise.reject(new Error(`no disk ${++reads}`)) };
    const fileServer = createFileServer([
      { name: 'a.iso', open: () => bytesSource(BYTES) },
      { name: 'bad.iso', open: () => bad },
    ]);
    const { dial } = await serve(fileServer, limits);
    const probe = await dial();
    probe.end(`HEAD /a.iso HTTP/1.1\r\n${HOST}`);
    const [, etag = ''] = /^etag: (.*)\r$/im.exec(await received(probe)) ?? [];
    const socket = await dial();
    socket.write(
      [
        `HEAD /a.iso HTTP/1.1\r\n${HOST}`,
        get('/a.iso', `If-None-Match: ${etag}\r\n`),
        get('/a.iso', 'Range: bytes=1-3\r\n'),
        get('/a.iso', 'Range: bytes=1000-\r\n'),
        get('/bad.iso'),
        get('/nothing'),
        `PUT /a.iso HTTP/1.1\r\nContent-Length: 3\r\n${HOST}abc`,
        get('/a.iso', 'Content-Length: 2\r\n').concat('ab'),
        get('/a.iso', 'Range: bytes=0-0,999-\r\n'),
        get('/a.iso', 'Connection: close\r\n'),
      ].join(''),
    );
    const text = await received(socket);
    expect(statuses(text)).toEqual([200, 304, 206, 416, 500, 404, 405, 200, 206, 200]);
    expect(text).toContain('\r\n\r\nbcdHTTP/1.1 416');
    expect(text.endsWith(Buffer.from(BYTES).toString())).toBe(true);
  });

  test('are all answered after the client has half closed the connection', async () => {
    const handler = counting();
    const { server, dial } = await serve(handler, limits);
    // Without this, `node:http` ends a half-closed connection.
    Object.assign(server, { httpAllowHalfOpen: true });
    const socket = await dial();
    socket.end(Array.from({ length: 40 }, (_, index) => get(`/${index}`)).join(''));
    expect(statuses(await received(socket))).toHaveLength(40);
  });

  test('end at an invalid one, which closes the connection', async () => {
    const handler = counting();
    const socket = await (await serve(handler, limits)).dial();
    socket.write(`${get('/1')}${'x'.repeat(600)} /\r\n\r\n${get('/2')}`);
    const text = await received(socket);
    expect(handler.asked).not.toContain('/2');
    if (limits === 'limited') expect(statuses(text)).toEqual([200, 400]);
  });

  test('are not started after the client has left', async () => {
    const asked: string[] = [];
    const { dial, server } = await serve(
      {
        async answer({ url, signal }) {
          asked.push(new URL(url).pathname);
          client.destroy();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          throw signal.reason;
        },
      },
      limits,
    );
    const client = await dial();
    client.write(['/1', '/2', '/3'].map((path) => get(path)).join(''));
    await once(client, 'close');
    await vi.waitFor(async () => {
      const open = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
      expect(open).toBe(0);
    }, PATIENCE);
    expect(asked).toEqual(['/1']);
  });
});

test('disconnects clients with too many pipelined requests, if nothing delays reading them', async () => {
  const { dial } = await serve({ answer: () => new Promise(() => undefined) }, 'plain');
  const socket = await dial();
  socket.write(get('/').repeat(1500));
  expect(await received(socket)).toBe('');
});

test('does not parse a pipelined request before the previous answer was sent', async () => {
  const { server, dial } = await serve({ answer: () => new Promise(() => undefined) }, 'limited');
  let parsed = 0;
  server.on('request', () => parsed++);
  const [socket, other] = [await dial(), await dial()];
  const taken = new Promise<boolean>((resolve) => {
    const wrote = socket.write(`GET / HTTP/1.1\r\nHost:a\r\n\r\n`.repeat(400_000), () => resolve(true));
    setImmediate(() => resolve(wrote));
  });
  await taken;
  await vi.waitFor(() => expect(parsed).toBeGreaterThan(0), PATIENCE);
  other.write(get('/'));
  const before = parsed;
  await vi.waitFor(() => expect(parsed).toBeGreaterThan(before), PATIENCE);
  expect(parsed).toBeLessThan(40);
  expect(socket.writableLength).toBeGreaterThan(1_000_000);
});

describe('automatic answers of `node:http`', () => {
  test('wait until the client has read earlier answers', async () => {
    const { server, dial } = await serve(counting(), 'limited');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = await dial();
    const [inner] = await accepted;
    socket.write(get('/', 'Expect: something\r\n').repeat(500_000));
    let before = -1;
    await vi.waitUntil(
      () => {
        const isStill = inner.bytesRead === before;
        before = inner.bytesRead;
        return isStill && before > 0;
      },
      { interval: 200, timeout: PATIENCE },
    );
    const other = await dial();
    other.write(get('/'));
    expect(await received(other, '\r\n\r\n/')).toMatch(/^HTTP\/1\.1 200 /);
    expect(inner.writableLength).toBeLessThan(200_000);
    expect(socket.writableLength).toBeGreaterThan(1_000_000);
  });

  test('end the connection at the first one that does', async () => {
    const handler = counting();
    const { dial } = await serve(handler, 'limited');
    const socket = await dial();
    socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(20_000));
    expect(statuses(await received(socket).catch(() => 'HTTP/1.1 400 '))).toContain(400);
    expect(handler.asked).toEqual([]);
  });
});

test('handles requests of other connections between pipelined ones', async () => {
  const asked: string[] = [];
  const answer = ({ url }: PlainRequest): Answer => {
    asked.push(new URL(url).pathname);
    return { status: 204, headers: {} };
  };
  const { dial } = await serve({ answer }, 'limited');
  const [greedy, other] = [await dial(), await dial()];
  greedy.write(get('/greedy').repeat(1000));
  other.write(get('/other', 'Connection: close\r\n'));
  expect(statuses(await received(other))).toEqual([204]);
  expect(asked.indexOf('/other')).toBeLessThan(500);
});

test('causes no warning for thousands of requests on one connection', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const { dial } = await serve(counting(), 'limited');
  const socket = await dial();
  socket.write(`${get('/1').repeat(5000)}${get('/last', 'Connection: close\r\n')}`);
  expect(statuses(await received(socket))).toHaveLength(5001);
  expect(warned).not.toHaveBeenCalled();
});

describe('a body', () => {
  test('reaches its reader completely, even a slow one', async () => {
    const body = Buffer.alloc(3_000_000, 'body ');
    let seen = 0;
    const handler = async (request: Request): Promise<Response> => {
      for await (const chunk of request.body ?? []) {
        seen += (chunk as Uint8Array).length;
        await new Promise(setImmediate);
      }
      return new Response(String(seen));
    };
    const socket = await (await serve(handler, 'limited')).dial();
    socket.write(`PUT / HTTP/1.1\r\nContent-Length: ${body.length}\r\n${HOST}`);
    socket.write(body);
    socket.write(get('/next', 'Connection: close\r\n'));
    const text = await received(socket);
    expect(statuses(text)).toEqual([200, 200]);
    expect(text).toContain('3000000');
  });

  test('that is not read stays with the client', async () => {
    const requests: IncomingMessage[] = [];
    const { server, dial } = await serve({ answer: () => new Promise(() => undefined) }, 'limited');
    server.on('request', (incoming) => requests.push(incoming));
    const socket = await dial();
    socket.write(get('/', 'Content-Length: 99999999\r\n'));
    socket.write(Buffer.alloc(30_000_000));
    await vi.waitFor(() => expect(requests[0]?.readableLength).toBeGreaterThan(10_000), PATIENCE);
    const other = await dial();
    other.write(get('/'));
    await vi.waitFor(() => expect(requests).toHaveLength(2), PATIENCE);
    expect(requests[0]?.readableLength).toBeLessThan(200_000);
    expect(socket.writableLength).toBeGreaterThan(1_000_000);
  });

  test('that has not ended at the time of the answer ends the connection', async () => {
    const socket = await (await serve(counting(), 'limited')).dial();
    socket.write(`${get('/1', 'Content-Length: 10\r\n')}abc`);
    const text = await received(socket);
    expect(text).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  });
});

describe('connections from one address', () => {
  /** Lets clients of these addresses connect, without a network. */
  function clients(perClient: number): { connect(address: string): Duplex; refused: string[] } {
    const server = new Server();
    server.removeAllListeners('connection');
    const refused: string[] = [];
    limitConnections(server, { perClient, onRefused: (client) => refused.push(client) });
    const dial = (remoteAddress: string): Duplex => {
      const socket = Object.assign(new Duplex({ read: () => undefined }), { remoteAddress });
      (server as EventEmitter).emit('connection', socket);
      return socket;
    };
    return { connect: dial, refused };
  }

  test('are limited, and allow one more when one closes', async () => {
    const { connect: dial, refused } = clients(2);
    const first = dial('192.0.2.1');
    expect(dial('192.0.2.1').destroyed).toBe(false);
    expect(dial('192.0.2.1').destroyed).toBe(true);
    expect(dial('192.0.2.2').destroyed).toBe(false);
    expect(refused).toEqual(['192.0.2.1']);
    first.destroy();
    await once(first, 'close');
    expect(dial('192.0.2.1').destroyed).toBe(false);
    expect(dial('192.0.2.1').destroyed).toBe(true);
  });

  test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('are not counted for %s', (address) => {
    const { connect: dial, refused } = clients(1);
    for (let count = 0; count < 5; count++) expect(dial(address).destroyed).toBe(false);
    expect(refused).toEqual([]);
  });
});

test.each<[RegExp, unknown[]]>([
  [/^server must /, [undefined]],
  [/^perClient must /, [new Server(), { perClient: 0 }]],
  [/^onRefused must /, [new Server(), { onRefused: 1 }]],
])('refuses with %s', (message, args) => {
  expect(() => limitConnections(...(args as Parameters<typeof limitConnections>))).toThrow(message);
});
