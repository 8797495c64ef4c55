import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { httpSource, rangeResponse } from '@coreiso/iso/http';
import { nodeListener, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'coreiso-serve-'));
const servers: Server[] = [];
const argv = process.argv;
let mirror = '';

async function addressOf(server: Server): Promise<string> {
  servers.push(server);
  if (!server.listening) await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const sample = await sampleIso({ size: 100_000_000 });
  await writeCopy(sample, join(folder, 'live.iso'));
  const listener = nodeListener((request) => rangeResponse(request, sample, { etag: '"v1"' }));
  mirror = await addressOf(createServer(listener).listen(0, '127.0.0.1'));
});
afterAll(() => {
  process.argv = argv;
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

/** The headers of a host's image, and a range of it compared with the whole. */
async function judge(fetch: (url: string, init: RequestInit) => Promise<Response>, url: string): Promise<void> {
  const tags = new Set<string | null>();
  for (const host of ['worker-1', 'worker-2', 'worker-1']) {
    const remote = await httpSource(`${url}/${host}.iso`, { fetch });
    tags.add(remote.etag ?? null);
    const { initrd } = await openLiveImage(remote);
    const config = (await initrd.read()).get('config.ign')?.content;
    expect(new TextDecoder().decode(config as Uint8Array)).toContain(`data:,${host}`);
    const part = await fetch(`${url}/${host}.iso`, { headers: { range: `bytes=${initrd.offset}-` } });
    expect([part.status, part.headers.get('content-length')]).toEqual([206, String(remote.size - initrd.offset)]);
    await part.body?.cancel();
  }
  expect(tags.size).toBe(2);
}

test('on node:http, from a base on its mirror', async () => {
  process.argv = ['node', 'node-http.js', `${mirror}/live.iso`, '0'];
  const url = await addressOf((await import('../src/node-http.ts')).server);
  await judge(fetch, url);
  expect((await fetch(`${url}/`)).status).toBe(404);
});

test('on Hono, from a file', async () => {
  process.argv = ['node', 'hono.js', join(folder, 'live.iso'), '0'];
  const url = await addressOf((await import('../src/hono.ts')).server);
  await judge(fetch, url);
  expect((await fetch(`${url}/WORKER.txt`)).status).toBe(404);
});

test('in a service worker, from the server of the page', async () => {
  const worker = new EventTarget();
  vi.stubGlobal('addEventListener', worker.addEventListener.bind(worker));
  await import('../src/service-worker.ts');
  const passedOn: string[] = [];
  /** Acts as a browser does: asks the worker, and the network if the worker does not answer. */
  const browser = async (address: string, init: RequestInit): Promise<Response> => {
    let answer: Promise<Response> | undefined;
    const respondWith = (response: Promise<Response>): void => {
      answer = response;
    };
    worker.dispatchEvent(Object.assign(new Event('fetch'), { request: new Request(address, init), respondWith }));
    if (answer === undefined) passedOn.push(address);
    return answer ?? fetch(address, init);
  };
  await judge(browser, mirror);
  await (await browser(`${mirror}/rhcos-live.iso`, { method: 'HEAD' })).text();
  expect(passedOn).toEqual([`${mirror}/rhcos-live.iso`]);
});
