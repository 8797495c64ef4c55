import { bytesSource } from '@coreiso/iso';
import { createFileServer, type Transfer } from '@coreiso/iso/http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

const FILES = ['worker-1.iso', 'worker-2.iso', 'rootfs.img'].map((name) => ({
  name,
  open: () => bytesSource(new Uint8Array(100_000)),
}));

describe('pages of the file server itself', () => {
  const fileServer = createFileServer(FILES, { hosts: ['127.0.0.1'] });
  test.each([
    ['http://127.0.0.1/healthz', 200, 'text/plain; charset=utf-8', 'ok\n'],
    ['http://other.test/healthz', 200, 'text/plain; charset=utf-8', 'ok\n'],
    ['http://other.test/metrics', 421, 'text/plain; charset=utf-8', 'this server is not known by that name\n'],
    ['http://127.0.0.1/none', 404, 'text/plain; charset=utf-8', 'no such file\n'],
    [
      'http://127.0.0.1/metrics',
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      /^# HELP coreiso_http_requests_total /,
    ],
    ['http://127.0.0.1/', 200, 'text/plain; charset=utf-8', '/worker-1.iso\n/worker-2.iso\n/rootfs.img\n'],
  ])('%s: %d, %s', async (url, expected, type, text) => {
    const response = await fileServer.handler(new Request(url));
    const body = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([expected, type]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(Number(response.headers.get('content-length'))).toBe(body.length);
    if (typeof text === 'string') expect(body).toBe(text);
    else expect(body).toMatch(text);
  });

  test('list the allowed methods', async () => {
    const response = await fileServer.handler(new Request('http://127.0.0.1/', { method: 'POST' }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('show when, how much and how often a file was read, and ignore requests for pages', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const told: Transfer[] = [];
    const watched = createFileServer(FILES, { onRead: (run) => told.push(run) });
    const deliver = async (path: string, range: string | undefined, sent: number): Promise<void> => {
      const request = new Request(`http://127.0.0.1${path}`, range === undefined ? {} : { headers: { range } });
      watched.onEnd({ request, answer: await watched.answer(request), sent, outcome: 'complete', client: 'c' });
    };
    for (const page of ['/', '/healthz', '/metrics']) await deliver(page, undefined, 5);
    expect(told).toEqual([]);
    await deliver('/worker-1.iso', 'bytes=1000-2999', 2000);
    // An answer with several ranges does not show which bytes were sent.
    await deliver('/worker-2.iso', 'bytes=0-9,50-59', 300);
    vi.setSystemTime(new Date('2030-01-01T00:01:30Z'));
    const index = await watched.handler(new Request('http://127.0.0.1/'));
    expect(await index.text()).toBe('/worker-1.iso  2 % read, last range 90 s ago\n/worker-2.iso\n/rootfs.img\n');
    const data = await watched.handler(new Request('http://127.0.0.1/', { headers: { accept: 'application/json' } }));
    expect([data.status, data.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await data.json()).toMatchObject([
      { path: '/worker-1.iso', read: 0.02, sent: 2000, last: '2030-01-01T00:00:00.000Z' },
      { path: '/worker-2.iso', read: 0, sent: 0, last: null },
      { path: '/rootfs.img', read: 0, sent: 0, last: null },
    ]);
    const metrics = await (await watched.handler(new Request('http://127.0.0.1/metrics'))).text();
    expect(metrics.replace(/^# HELP .*\n/gm, '')).toBe(`# TYPE coreiso_http_requests_total counter
coreiso_http_requests_total{file="worker-1.iso",code="206"} 1
coreiso_http_requests_total{file="worker-2.iso",code="206"} 1
# TYPE coreiso_http_sent_bytes_total counter
coreiso_http_sent_bytes_total{file="worker-1.iso"} 2000
coreiso_http_sent_bytes_total{file="worker-2.iso"} 0
coreiso_http_sent_bytes_total{file="rootfs.img"} 0
# TYPE coreiso_file_read_ratio gauge
coreiso_file_read_ratio{file="worker-1.iso"} 0.02
coreiso_file_read_ratio{file="worker-2.iso"} 0
coreiso_file_read_ratio{file="rootfs.img"} 0
# TYPE coreiso_file_last_read_timestamp_seconds gauge
coreiso_file_last_read_timestamp_seconds{file="worker-1.iso"} 1893456000
`);
  });
});
