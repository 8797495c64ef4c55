// HTTP: requests to file servers, and answers of servers.
import { bytesOf, bytesSource, slice } from '@coreiso/iso';
import { fetchStream, parseStream, pickStreamFile } from '@coreiso/iso/base';
import { createFileServer, httpSource, rangeResponse } from '@coreiso/iso/http';
import {
  formatContentRange,
  parseContentRange,
  parseRange,
  parseUnsatisfied,
} from '../../../packages/iso/src/http/ranges.ts';
import { formatDate, parseDate } from '../../../packages/iso/src/http/validators.ts';
import { addressOf } from '../../../packages/iso/src/node/http/request-address.ts';
import { scriptedFetch } from '../scripted-fetch.ts';
import { allowed, allowMisuse, assertHolds, jsonOf, type Target, textOf, textsOf } from '../target.ts';

const SIZE = 1000;
const CONTENT = Uint8Array.from({ length: SIZE }, (_, index) => index * 7);
const REMOTE = { retries: 0, timeout: 1000, minRate: 0 };

export const targets: readonly Target[] = [
  {
    name: 'http/range',
    shape: 'text',
    longest: 600,
    seeds: () => [
      'bytes=0-99',
      'bytes=-1',
      'bytes=5-,0-1, 900-2000',
      'bytes 0-9/1000',
      'bytes */1000',
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
    ],
    run: (input) => {
      const text = textOf(input);
      for (const size of [0, 1, SIZE]) {
        const ranges = parseRange(text, size);
        if (typeof ranges === 'string') continue;
        assertHolds(ranges.length > 0 && ranges.length <= 64, 'a request has 1 to 64 ranges');
        for (const { start, end } of ranges)
          assertHolds(0 <= start && start < end && end <= size, 'a range lies in the file');
        const sorted = ranges.toSorted((a, b) => a.start - b.start);
        for (const [index, { start }] of sorted.entries())
          assertHolds(index === 0 || start > (sorted[index - 1]?.end ?? 0), 'ranges do not touch');
      }
      const part = parseContentRange(text);
      if (part !== undefined)
        assertHolds(
          parseContentRange(formatContentRange(part, part.size))?.end === part.end,
          'a Content-Range is read as it is written',
        );
      const size = parseUnsatisfied(text);
      assertHolds(size === undefined || size >= 0, 'a size is not negative');
      const date = parseDate(text);
      if (date !== undefined && Math.abs(date) < 253402300800)
        assertHolds(parseDate(formatDate(date)) === date, 'a date is read as it is written');
    },
  },
  {
    name: 'http/request',
    shape: 'text',
    longest: 1500,
    seeds: () => [
      'GET\0range: bytes=0-9,20-29\nif-range: "x"',
      'HEAD\0if-none-match: "a", W/"b"\nif-modified-since: Sun, 06 Nov 1994 08:49:37 GMT',
      'GET\0if-match: *\nrange: bytes=-5',
    ],
    run: async (input) => {
      const [method = '', ...rest] = textsOf(input);
      const headers = new Headers();
      for (const line of rest.join('\n').split('\n')) {
        const [name = '', ...value] = line.split(':');
        try {
          headers.append(name, value.join(':').trim());
        } catch {}
      }
      const response = await rangeResponse(
        { method, headers, signal: new AbortController().signal },
        bytesSource(CONTENT),
        { etag: '"x"', lastModified: new Date(784111777000) },
      );
      const { status } = response;
      assertHolds(
        [200, 206, 304, 405, 412, 416].includes(status),
        () => `an answer has a status of RFC 9110, not ${status}`,
      );
      const body = new Uint8Array(await response.arrayBuffer());
      const length = response.headers.get('content-length');
      if (length !== null && method === 'GET' && status !== 304)
        assertHolds(body.length === Number(length), 'a body has its length');
      const range = parseContentRange(response.headers.get('content-range'));
      if (status === 206 && range !== undefined)
        assertHolds(
          Buffer.compare(body, CONTENT.subarray(range.start, range.end)) === 0,
          'the bytes are those of the range',
        );
      if (status === 200 && method === 'GET')
        assertHolds(Buffer.compare(body, CONTENT) === 0, 'the whole file has all bytes');
    },
  },
  {
    name: 'http/server',
    shape: 'text',
    longest: 1500,
    seeds: () => ['/a.iso', '/x/b', 'http://h/../a.iso?x=1#y', '/%2e%2e/a', '/index.html'],
    run: async (input) => {
      const [path = '', host = 'h'] = textsOf(input);
      server ??= createFileServer(
        [
          { name: 'a.iso', open: () => bytesSource(CONTENT) },
          { name: 'ü b', open: () => bytesSource(CONTENT) },
        ],
        { hosts: ['h'] },
      );
      const url = addressOf({ url: path, headers: { host }, socket: {} } as Parameters<typeof addressOf>[0]);
      if (url === undefined) return;
      const answer = await server.answer({
        method: 'GET',
        url,
        headers: { get: () => host },
        signal: new AbortController().signal,
      });
      assertHolds(
        answer.status >= 200 && answer.status < 500,
        () => `an address is no fault of the server: ${answer.status}`,
      );
    },
  },
  {
    name: 'http/answer',
    shape: 'tree',
    seeds: () => [
      JSON.stringify([{ status: 206, headers: { 'content-range': 'bytes 0-9/10', etag: '"a"' }, body: '0123456789' }]),
      JSON.stringify([
        {
          status: 200,
          headers: { 'content-length': '10', 'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT' },
          body: '0123456789',
        },
      ]),
      JSON.stringify([
        { status: 302, headers: { location: 'https://other.example/x' } },
        { status: 206, headers: { 'content-range': 'bytes 0-9/20' }, body: '0123456789' },
        { status: 206, headers: { 'content-range': 'bytes 10-19/20' }, body: '0123456789' },
      ]),
      JSON.stringify([
        { status: 416, headers: { 'content-range': 'bytes */0' } },
        { status: 503, headers: { 'retry-after': '0' } },
      ]),
    ],
    run: async (input) => {
      const script = jsonOf(input);
      const source = await allowed(() =>
        httpSource('https://files.example/x.iso', { ...REMOTE, fetch: scriptedFetch(script) }),
      );
      if (source === undefined || source.size > 1 << 20) return;
      const bytes = await allowed(() => bytesOf(slice(source, 0, Math.min(source.size, 4096))));
      assertHolds(
        bytes === undefined || bytes.length === Math.min(source.size, 4096),
        'a read gives as many bytes as it was asked for',
      );
    },
  },
  {
    name: 'http/stream-metadata',
    shape: 'tree',
    longest: 8192,
    seeds: () => [
      JSON.stringify({
        stream: 'stable',
        architectures: {
          x86_64: {
            artifacts: {
              metal: {
                release: '42.1',
                formats: {
                  iso: {
                    disk: { location: 'https://h/a.iso', signature: 'https://h/a.iso.sig', sha256: 'ab'.repeat(32) },
                  },
                  pxe: { kernel: { location: 'https://h/k', sha256: 'cd'.repeat(32) } },
                },
              },
            },
          },
        },
      }),
      JSON.stringify({
        kind: 'ConfigMap',
        data: {
          stream: '{"stream":"rhcos-4.20","architectures":{}}',
          streams: '{"rhel-9":{"stream":"x","architectures":{}}}',
        },
      }),
    ],
    run: async (input) => {
      const text = textOf(input);
      for (const read of [
        () => parseStream(text),
        () => fetchStream('https://h/s.json', { ...REMOTE, fetch: scriptedFetch({ body: text }) }),
      ]) {
        const stream = await allowed<unknown>(read);
        if (stream === undefined) continue;
        await allowMisuse(() => pickStreamFile(stream as ReturnType<typeof parseStream>, { architecture: 'x86_64' }));
      }
    },
  },
];

let server: ReturnType<typeof createFileServer> | undefined;
