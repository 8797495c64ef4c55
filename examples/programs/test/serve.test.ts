import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openLiveImage } from '@coreiso/iso';
import { httpSource, rangeResponse } from '@coreiso/iso/http';
import { nodeListener } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { expect, onTestFinished, test } from 'vitest';

test('serve.ts gives each host its own image, from ranges of a base that is not downloaded', async () => {
  const sample = await sampleIso({ size: 3_000_000_000 });
  let asked = 0;
  const mirror = createServer(
    nodeListener(async (request) => {
      const response = await rangeResponse(request, sample, { etag: '"v1"' });
      asked += Number(response.headers.get('content-length'));
      return response;
    }),
  ).listen(0, '127.0.0.1');
  await once(mirror, 'listening');
  const argv = process.argv;
  process.argv = ['node', 'serve.ts', `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/live.iso`, '0'];
  const { server } = await import('../src/serve.ts');
  onTestFinished(() => {
    process.argv = argv;
    for (const each of [mirror, server]) {
      each.closeAllConnections();
      each.close();
    }
  });
  if (!server.listening) await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  for (const host of ['worker-1', 'worker-2']) {
    const remote = await httpSource(`${url}/${host}.iso`);
    const embedded = await (await openLiveImage(remote)).initrd.read();
    expect(new TextDecoder().decode(embedded.get('config.ign')?.content)).toContain(`data:,${host}`);
    expect(remote.size).toBe(sample.size);
  }
  expect(asked).toBeLessThan(1_000_000);
  const [one, again, two] = await Promise.all(
    ['worker-1', 'worker-1', 'worker-2'].map((host) => fetch(`${url}/${host}.iso`, { method: 'HEAD' })),
  );
  expect(one?.headers.get('etag')).toMatch(/^"/);
  expect(again?.headers.get('etag')).toBe(one?.headers.get('etag'));
  expect(two?.headers.get('etag')).not.toBe(one?.headers.get('etag'));
  expect((await fetch(`${url}/`)).status).toBe(404);
});
