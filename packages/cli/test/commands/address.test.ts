import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { edit, openLiveImage } from '@coreiso/iso';
import { rangeResponse } from '@coreiso/iso/http';
import { fileSource, nodeListener, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { makeCertificates } from '../registry.ts';
import { startServing } from '../serving.ts';
import { coreiso, scratchFolder } from '../support.ts';

const CONFIG = new TextEncoder().encode('{"ignition":{"version":"3.4.0"}}');
const KEYFILE = { name: 'a.nmconnection', content: '[connection]\nid=a\n' };

const image = edit(await openLiveImage(await sampleIso({ size: 1_000_000_000 })), {
  ignition: CONFIG,
  keyfiles: [KEYFILE],
});
let sent = 0;
const server = createServer(
  nodeListener(async (request) => {
    if (!request.url.includes('/live.iso')) return new Response(null, { status: 404 });
    const response = await rangeResponse(request, (await image).overlay, { etag: '"v1"' });
    sent += Number(response.headers.get('content-length'));
    return response;
  }),
);
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('an image on a server', () => {
  test.each([
    [['iso', 'inspect'], [], 'ignition'],
    [['iso', 'inspect', '--json'], [], '"pristine"'],
    [['iso', 'ls'], ['/coreos'], 'coreos/'],
    [['iso', 'cat'], ['/coreos/kargs.json'], '"default"'],
    [['iso', 'ignition', 'show'], [], '3.4.0'],
    [['iso', 'kargs', 'show'], [], 'ignition.platform.id=metal'],
    [['iso', 'network', 'extract'], [], 'id=a'],
    [['dev', 'show', 'iso'], [], ''],
  ])('is read by %j %j like a file, with a fraction of its bytes', async (command, rest, part) => {
    sent = 0;
    const { status, stdout, stderr } = await coreiso([...command, `${origin}/live.iso?sig=secret`, ...rest]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.toString()).toContain(part);
    expect(stdout.toString()).not.toContain('secret');
    expect(sent).toBeLessThan(512 * 1024);
  });

  test('is named without its secrets in errors', async () => {
    for (const command of [
      ['iso', 'inspect'],
      ['iso', 'ignition', 'show'],
    ]) {
      const { status, stderr } = await coreiso([...command, `${origin.replace('//', '//me:pw@')}/none.iso?sig=secret`]);
      expect(status).toBe(1);
      expect(stderr).toContain(`${origin}/none.iso`);
      expect(stderr).toContain('the server answered 404');
      expect(stderr).not.toMatch(/secret|me:pw/);
    }
  });

  test('is never written to', async () => {
    const { status, stderr } = await coreiso(['iso', 'reset', `${origin}/live.iso?sig=secret`]);
    expect(status).toBe(1);
    expect(stderr).toContain(`${origin}/live.iso cannot be changed in place\n\nhelp: pass --output FILE`);
  });

  test.each(['http://me:pw@', 'http://me:pw@[x/?sig=secret'])('is refused at the address %s', async (address) => {
    const { status, stderr } = await coreiso(['iso', 'inspect', address]);
    expect(status).toBe(1);
    expect(stderr).toContain('url must be an address');
    expect(stderr).not.toMatch(/secret|me:pw/);
  });
});

describeWith(['openssl'], 'an image on a server with a private CA', () => {
  test.each([[['iso', 'inspect']], [['iso', 'kargs', 'show']]])('is read by %j if the CA is given', async (command) => {
    const cwd = scratchFolder();
    makeCertificates(cwd);
    await writeCopy(await sampleIso(), join(cwd, 'live.iso'));
    const tls = ['--tls-cert', 'tls.pem', '--tls-key', 'tls.key'];
    const { addresses } = await startServing(['serve', ...tls, 'live.iso'], { cwd });
    const words = [...command, addresses[0] ?? ''];
    const { status, stderr } = await coreiso(words, { cwd, env: { COREISO_REGISTRY_CA: 'ca.pem' } });
    expect([status, stderr]).toEqual([0, '']);
    const distrusted = await coreiso(words, { cwd });
    expect([distrusted.status, distrusted.stderr]).toEqual([1, expect.stringContaining('certificate is not trusted')]);
  });
});

test('edits a small image on a server into a file', async () => {
  const cwd = scratchFolder();
  const small = createServer(
    nodeListener(async (request) => rangeResponse(request, await sampleIso(), { etag: '"v1"' })),
  );
  await new Promise<void>((resolve) => small.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(small.address() as AddressInfo).port}/live.iso`;
  try {
    const { status, stderr } = await coreiso(['iso', 'ignition', 'embed', '-o', 'out.iso', url], {
      cwd,
      input: CONFIG,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    await writeCopy(
      (await edit(await openLiveImage(await sampleIso()), { ignition: CONFIG })).overlay,
      join(cwd, 'our.iso'),
    );
    await using out = await fileSource(join(cwd, 'out.iso'));
    await using ours = await fileSource(join(cwd, 'our.iso'));
    expect(Buffer.compare(await out.read(0, out.size), await ours.read(0, ours.size))).toBe(0);
  } finally {
    small.closeAllConnections();
    small.close();
  }
});
