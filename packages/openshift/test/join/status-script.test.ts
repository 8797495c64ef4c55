import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { FakeRoot, SHELLS } from './fake-root.ts';

const SCRIPT = fileURLToPath(new URL('../../src/join/scripts/coreiso-status.sh', import.meta.url));
const TOKEN = '0123456789abcdef0123456789abcdef';
const STATUS = '{"version":1,"stage":"waiting","host":"wörker"}\n';
const BEARER = `Authorization: Bearer ${TOKEN}`;

const NOTHING = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n';
const FOUND = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(STATUS)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${STATUS}`;

const request = (line: string, ...headers: readonly string[]) => `${[line, ...headers, '', ''].join('\r\n')}`;

for (const [shell, ...args] of SHELLS) {
  describeWith([shell, 'dd'], `the status port under ${[shell, ...args].join(' ')}`, () => {
    let root: FakeRoot;
    let server: Server;
    let ended: Promise<unknown>[];
    let complaints: string;

    beforeEach(async () => {
      root = new FakeRoot();
      root.write('/credentials/token', `${TOKEN}\n`);
      root.write('/credentials/status', STATUS);
      ended = [];
      complaints = '';
      // As the socket unit does: one process per connection, with the connection as its input and output.
      server = createServer({ pauseOnConnect: true }, (socket) => {
        const env = { PATH: process.env['PATH'], CREDENTIALS_DIRECTORY: `${root.path}/credentials` };
        const responder = spawn(shell, [...args, SCRIPT], { stdio: [socket, socket, 'pipe'], env });
        const done = Promise.all([once(responder, 'exit'), text(responder.stderr as Readable)]);
        ended.push(done.then(([, complaint]) => (complaints += complaint)).then(() => socket.destroy()));
      });
      await new Promise<void>((done) => server.listen(0, '::', done));
    });
    afterEach(async () => {
      server.close();
      await Promise.all(ended);
      expect(complaints).toBe('');
      root[Symbol.dispose]();
    });

    function client(host = '127.0.0.1'): Socket {
      return connect((server.address() as AddressInfo).port, host);
    }

    /** The response; a connection reset also ends it. */
    async function answer(pieces: readonly string[], host?: string): Promise<string> {
      const socket = client(host);
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      const closed = new Promise<void>((done) => socket.on('error', () => undefined).on('close', () => done()));
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((done) => setTimeout(done, 20));
      }
      await closed;
      return received;
    }

    test.each([
      ['the token of the image', request('GET /status HTTP/1.1', 'Host: a', BEARER, 'Accept: */*')],
      ['an older protocol', request('GET /status HTTP/1.0', BEARER)],
      ['another spelling of the header', request('GET /status HTTP/1.1', `aUTHORIZATION:bearer   ${TOKEN}  `)],
      ['bare line ends', request('GET /status HTTP/1.1', BEARER).replaceAll('\r', '')],
    ])('answers a request with %s with the status, while the client still listens', async (_, head) => {
      expect(await answer([head])).toBe(FOUND);
    });

    test('answers over IPv6', async () => {
      expect(await answer([request('GET /status HTTP/1.1', BEARER)], '::1')).toBe(FOUND);
    });

    test('waits for a client that sends its request in pieces', async () => {
      expect(await answer(['GET /sta', 'tus HTTP/1.1\r', `\n${BEARER}`, '\r\n\r', '\n'])).toBe(FOUND);
    });

    test.each([
      ['no token', request('GET /status HTTP/1.1', 'Host: a')],
      ['an empty token', request('GET /status HTTP/1.1', 'Authorization: Bearer ')],
      ['a token that is a pattern', request('GET /status HTTP/1.1', 'Authorization: Bearer *')],
      ['the beginning of the token', request('GET /status HTTP/1.1', `Authorization: Bearer ${TOKEN.slice(0, -1)}`)],
      ['more than the token', request('GET /status HTTP/1.1', `${BEARER}0`)],
      ['the token in another scheme', request('GET /status HTTP/1.1', `Authorization: Basic ${TOKEN}`)],
      ['the token in another header', request('GET /status HTTP/1.1', `X-Authorization: Bearer ${TOKEN}`)],
      ['the token in the address', request(`GET /status?token=${TOKEN} HTTP/1.1`)],
      ['another path', request('GET / HTTP/1.1', BEARER)],
      ['a path that leads elsewhere', request('GET /../token HTTP/1.1', BEARER)],
      ['another method and no token', request('DELETE /status HTTP/1.1')],
      ['another protocol', request('GET /status SPDY/3', BEARER)],
      ['commands of a shell', request('$(id) `id` ;id', 'Authorization: Bearer $(cat token)')],
      ['something that is no HTTP', '\u0016\u0003\u0001\u0000\r\n\r\n'],
    ])('answers 404 to %s', async (_, head) => {
      expect(await answer([head])).toBe(NOTHING);
    });

    test.each(['HEAD', 'POST', 'PUT', 'OPTIONS', 'get'])('refuses method %s', async (method) => {
      expect(await answer([request(`${method} /status HTTP/1.1`, BEARER)])).toMatch(
        /^HTTP\/1\.1 405 Method Not Allowed\r\nAllow: GET\r\nContent-Length: 0\r\n/,
      );
    });

    test.each([
      ['a line', `GET /${'x'.repeat(100_000)}`],
      ['a header', request('GET /status HTTP/1.1', `X: ${'x'.repeat(9000)}`, BEARER)],
      ['all headers', request('GET /status HTTP/1.1', ...Array(400).fill('X: xxxxxxxxxxxxxxxxxxx'), BEARER)],
    ])('reads no more than 8 KiB of %s', async (_, head) => {
      // Unread bytes may reset the connection before the answer arrives.
      expect([NOTHING, '']).toContain(await answer([head]));
    });

    test('accepts a request of 8 KiB', async () => {
      const bare = request('GET /status HTTP/1.1', BEARER, 'X: ');
      const head = bare.replace('X: ', `X: ${'x'.repeat(8192 - bare.length)}`);
      expect(await answer([head])).toBe(FOUND);
    });

    test('ends with a client that disconnects before its request is complete', async () => {
      const socket = client();
      socket.end(`GET /status HTTP/1.1\r\n${BEARER}\r\n`);
      expect(await text(socket)).toBe(NOTHING);
    });

    test.each(['', '\n'])('refuses every request if the token is %j', async (token) => {
      root.write('/credentials/token', token);
      expect(await answer([request('GET /status HTTP/1.1', 'Authorization: Bearer ')])).toBe(NOTHING);
      expect(await answer([request('GET /status HTTP/1.1', BEARER)])).toBe(NOTHING);
    });
  });
}
