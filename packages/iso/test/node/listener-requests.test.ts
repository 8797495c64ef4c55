// The data that a handler gets about a request, for all kinds of connections and missing fields.
import { type IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { FileServer } from '../../src/http/file-server.ts';
import { rangeResponse } from '../../src/http/range-response.ts';
import { nodeListener } from '../../src/node/listener.ts';
import { listen } from '../http/servers.ts';

interface Given {
  readonly method?: string;
  readonly url?: string;
  readonly host?: string;
  readonly socket?: object;
}

/** A request as from `node:http`, without a real connection. */
function incoming({ method, url, host, socket = {} }: Given): IncomingMessage {
  const plain = { destroyed: false, once: () => undefined, ...socket };
  const headers = host === undefined ? {} : { host };
  const rawHeaders = Object.entries(headers).flat();
  return { method, url, headers, headersDistinct: {}, rawHeaders, socket: plain } as unknown as IncomingMessage;
}

/** The data that a file server or a web handler gets about a request, or the status if neither is called. */
async function told(given: Given, kind: 'file server' | 'handler'): Promise<unknown> {
  const request = incoming(given);
  const outgoing = new ServerResponse(request);
  const seen = new Promise((resolve) => {
    const answer = (asked: { method: string; url: string }): void => resolve([asked.method, asked.url]);
    const listener =
      kind === 'handler'
        ? nodeListener((asked) => {
            answer(asked);
            return new Response(null);
          })
        : nodeListener({
            answer: (asked) => {
              answer(asked);
              return { status: 204, headers: {} };
            },
          });
    outgoing.end = () => {
      resolve(outgoing.statusCode);
      return outgoing;
    };
    listener(request, outgoing);
  });
  return seen;
}

describe.each(['file server', 'handler'] as const)('a %s gets', (kind) => {
  test.each<[string, Given, unknown]>([
    ['the address', { method: 'GET', url: '/a?b', host: 'h:8080' }, ['GET', 'http://h:8080/a?b']],
    ['encryption', { method: 'HEAD', url: '/a', host: 'h', socket: { encrypted: true } }, ['HEAD', 'https://h/a']],
    ['an address without a host', { method: 'GET', url: '/a' }, ['GET', 'http://localhost/a']],
    ['an address of an empty host', { method: 'GET', url: '/a', host: '' }, ['GET', 'http://localhost/a']],
    ['a whole address, as proxies send it', { method: 'GET', url: 'http://p/a', host: 'h' }, ['GET', 'http://p/a']],
    ['nothing that is left out', { host: 'h' }, ['GET', 'http://h/']],
    ['no address that is none', { method: 'GET', url: '/a', host: 'h:x' }, 400],
    ['no asterisk', { method: 'GET', url: '*', host: 'h' }, 400],
    ['no user in the place of a host', { method: 'GET', url: '/a', host: 'u@h' }, 400],
  ])('%s', async (_, given, expected) => {
    expect(await told(given, kind)).toEqual(expected);
  });
});

test('uses an empty address for clients without one, as on a Unix socket', async () => {
  const request = incoming({ method: 'GET', url: '/a', host: 'h' });
  const delivery = await new Promise<Parameters<FileServer['onEnd']>[0]>((resolve) => {
    nodeListener({ answer: () => ({ status: 204, headers: {} }), onEnd: resolve })(
      request,
      new ServerResponse(request),
    );
  });
  expect(delivery).toMatchObject({ client: '', outcome: 'complete', sent: 0 });
});

test('does not answer a client that has left before its request was handled', async () => {
  const request = incoming({ method: 'GET', url: '/a', host: 'h', socket: { destroyed: true } });
  const error = await new Promise((resolve) => {
    const answer = ({ signal }: { signal: AbortSignal }) => {
      expect(signal.aborted).toBe(true);
      return { status: 200, headers: {}, body: 'text' };
    };
    nodeListener({ answer }, { onError: resolve })(request, new ServerResponse(request));
  });
  expect(error).toMatchObject({ code: 'ISO_READER_GONE', message: 'the client went away' });
});

test('reports a failed read of a short file by its status, also from a web handler', async () => {
  const error = new Error('disk');
  const unreadable = { size: 100, read: () => Promise.reject(error) };
  const errors: unknown[] = [];
  const handler = (request: Request) => rangeResponse(request, unreadable, { etag: '"x"' });
  const url = await listen(nodeListener(handler, { onError: (reason) => errors.push(reason) }));
  const response = await fetch(url);
  expect([response.status, response.headers.get('etag'), await response.text(), errors]).toEqual([
    500,
    null,
    '',
    [error],
  ]);
});
