import { copyFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { FileServer } from '@coreiso/iso/http';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { imageServer } from '../../src/sinks/http.ts';
import { baseFile, imagesOf, openBase, planOf } from './support.ts';

const SECRET = 'a secret that nobody can guess';

async function get(site: FileServer, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await site.handler(new Request(`http://images.example.test${path}`, { headers }));
}

const bytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

/** The same base on two machines. */
async function twins(): Promise<[string, string]> {
  const path = await baseFile(24 << 20);
  const copy = join(scratchFolder(), 'copy.iso');
  copyFileSync(path, copy);
  utimesSync(copy, 1e9, 1e9);
  return [path, copy];
}

test('serves the same paths, tags and bytes from every replica, and any range from any of them', async () => {
  const replicas = [];
  for (const path of await twins()) {
    const base = await openBase(path, { identity: 'contents' });
    replicas.push(await imageServer(await imagesOf(base, planOf(3)), { secret: SECRET }));
  }
  const [one, other] = replicas as [FileServer, FileServer];
  expect(one.paths).toEqual(other.paths);
  expect(one.paths.map(({ name }) => name)).toEqual([0, 1, 2].map((number) => `worker-${number}.x86_64.iso`));
  const { path } = one.paths[2]!;
  const whole = await get(one, path);
  const etag = whole.headers.get('etag')!;
  const expected = await bytes(whole);
  const begun = await get(one, path, { range: 'bytes=0-9999999' });
  const resumed = await get(other, path, { range: 'bytes=10000000-', 'if-range': etag });
  expect([begun.status, resumed.status, resumed.headers.get('etag')]).toEqual([206, 206, etag]);
  expect(Buffer.concat([await bytes(begun), await bytes(resumed)]).equals(expected)).toBe(true);
  expect((await get(one, path.replace(/^\/[^/]+/, ''))).status).toBe(404);
});

test('continues a download under an earlier plan, and starts a new one under the new plan', async () => {
  const base = await openBase(await baseFile(0));
  const [before, after] = [planOf(2), planOf(2, '2031-01-31T12:00:00Z')];
  const old = await imageServer(await imagesOf(base, before));
  const rolled = await imageServer([await imagesOf(base, after), await imagesOf(base, before)]);
  const path = '/worker-1.x86_64.iso';
  const begun = await get(old, path);
  const [etag, expected] = [begun.headers.get('etag')!, await bytes(begun)];
  const fresh = await get(rolled, path);
  expect(fresh.headers.get('etag')).not.toBe(etag);
  expect((await bytes(fresh)).equals(expected)).toBe(false);
  for (const condition of ['if-range', 'if-match']) {
    const resumed = await get(rolled, path, { range: 'bytes=1000-', [condition]: etag });
    expect([resumed.status, resumed.headers.get('etag')]).toEqual([206, etag]);
    expect((await bytes(resumed)).equals(expected.subarray(1000))).toBe(true);
  }
  const stranger = await get(rolled, path, { range: 'bytes=1000-', 'if-range': '"another"' });
  expect([stranger.status, stranger.headers.get('etag')]).toEqual([200, fresh.headers.get('etag')]);
});

test('serves PXE sets under their names, with the root file system beside them', async () => {
  const base = await openBase(await baseFile(0));
  const site = await imageServer(
    await imagesOf(base, planOf(2), { form: 'pxe', bootArtifactsBaseURL: 'http://images.example.test' }),
  );
  const script = await (await get(site, '/worker-1.x86_64.ipxe')).text();
  const addresses = [...script.matchAll(/http:\/\/images\.example\.test(\/\S+)/g)].map(([, path = '']) => path);
  expect(addresses.length).toBe(3);
  for (const path of addresses) expect([path, (await get(site, path)).status]).toEqual([path, 200]);
});
