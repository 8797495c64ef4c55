import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ByteSource, bytesSource } from '@coreiso/iso';
import { type Fetch, rangeResponse } from '@coreiso/iso/http';
import { onTestFinished } from 'vitest';

/** Bytes without repetition. */
export function noise(length: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = 1;
  for (let index = 0; index < words.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words[index] = state;
  }
  return new Uint8Array(words.buffer).subarray(0, length);
}

/** Serves on a free loopback port until the test ends; returns the address. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A request for a range of `bytes`, and the answer of a correct server. */
export interface Exchange {
  /** Number of earlier requests. */
  readonly count: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: number;
  readonly end: number;
  /** The headers of a correct answer. */
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
  /** Sends a correct answer, except for the given changes. */
  answer(status?: number, headers?: Record<string, string | undefined>, body?: Uint8Array): void;
}

/** An origin that calls `act` for each request. */
export async function origin(bytes: Uint8Array, act: (exchange: Exchange) => void): Promise<string> {
  let count = 0;
  return listen((request, response) => {
    const [, first = '0', last = ''] = request.headers.range?.match(/^bytes=(\d+)-(\d*)$/) ?? [];
    const start = Number(first);
    const end = last === '' ? bytes.length : Math.min(Number(last) + 1, bytes.length);
    const body = bytes.subarray(start, end);
    const headers = {
      etag: '"v1"',
      'content-range': `bytes ${start}-${end - 1}/${bytes.length}`,
      'content-length': String(body.length),
    };
    act({
      count: count++,
      request,
      response,
      start,
      end,
      headers,
      body,
      answer(status = 206, changes = {}, content = body) {
        const head = Object.entries({ ...headers, ...changes }).filter(([, value]) => value !== undefined);
        response.writeHead(status, Object.fromEntries(head) as Record<string, string>).end(content);
      },
    });
  });
}

/** A `fetch` that reads `source` without a network, and counts. */
export function countingFetch(source: ByteSource | Uint8Array): { fetch: Fetch; requests: number; bytes: number } {
  const counted = {
    requests: 0,
    bytes: 0,
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const file = source instanceof Uint8Array ? bytesSource(source) : source;
      const response = await rangeResponse(new Request(url, init), file, { etag: '"v1"' });
      counted.requests++;
      counted.bytes += Number(response.headers.get('content-length'));
      return response;
    },
  };
  return counted;
}
