import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/reader/answer.ts';
import { ServiceClient, type ServiceOptions } from '../../src/service/client.ts';

const SECRET = 'planted-secret-never-shown';
const MIB = 1024 * 1024;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

async function look(port: number, options: Partial<ServiceOptions> = {}) {
  return (await new ServiceClient(`127.0.0.1:${port}`, { token: SECRET, ...options }).observe({})).infraEnvs;
}

describe('a service that redirects', () => {
  test.each([301, 302, 303, 307, 308])('with %i receives no token for another host', async (status) => {
    const shown: unknown[] = [];
    const other = await listening((request, response) => {
      shown.push(request.headers);
      response.end('[]');
    });
    const port = await listening((_, response) => {
      response.writeHead(status, { location: `http://localhost:${other}/elsewhere?state=${SECRET}` }).end();
    });
    const answer = await look(port);
    expect(answer).toEqual({
      ok: false,
      status,
      reason: `[GET /v2/infra-envs][${status}] it redirects to http://localhost:${other}/elsewhere, where the token is not sent`,
    });
    expect(shown).toEqual([]);
  });

  test('receives no user token for logs on another host', async () => {
    let asked = 0;
    const other = await listening((_, response) => {
      asked++;
      response.end('tar');
    });
    const port = await listening((_, response) => {
      response.writeHead(302, { location: `http://localhost:${other}/` }).end();
    });
    const logs = await new ServiceClient(`127.0.0.1:${port}`, { token: '' }).logs('id', SECRET);
    expect([logs.ok, asked]).toEqual([false, 0]);
  });
});

describe('an answer without end', () => {
  test('is cut off when its unpacked bytes exceed the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * MIB, ' '));
    const port = await listening((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(await look(port)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(
        /^\[GET \/v2\/infra-envs\] the answer is longer than 16 MiB; .*maxAnswerBytes \(COREISO_MAX_ANSWER/,
      ),
    });
    expect(await look(port, { maxAnswerBytes: 21 * MIB })).toEqual({ ok: false, reason: 'its answer is not JSON' });
  });

  test('closes the connection', async () => {
    let isClosed: () => void;
    const closed = new Promise<void>((done) => {
      isClosed = done;
    });
    const port = await listening((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(MIB, ' ')));
      };
      response.on('drain', more).on('close', () => isClosed());
      more();
    });
    expect((await look(port)).ok).toBe(false);
    await closed;
  });

  test('of a refusal does not become its reason', async () => {
    const port = await listening((_, response) => {
      response.writeHead(500).end(JSON.stringify({ reason: 'x'.repeat(MIB) }));
    });
    expect(await look(port)).toEqual({ ok: false, status: 500, reason: '[GET /v2/infra-envs][500] failed' });
  });
});

test('does not send or quote a token that no header can contain', async () => {
  let asked = 0;
  const fetch: Fetch = async () => {
    asked++;
    return Response.json([]);
  };
  const client = new ServiceClient('192.0.2.1', { token: `${SECRET}\nx: y`, fetch });
  const { infraEnvs } = await client.observe({});
  expect(infraEnvs).toEqual({ ok: false, reason: 'the token has characters that are invalid in a header' });
  expect(await client.logs('id', `${SECRET}\r\n`)).toEqual(infraEnvs);
  expect(asked).toBe(0);
});
