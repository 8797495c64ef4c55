import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clusterFromKubeconfig } from '../../src/node/connect.ts';

const folder = mkdtempSync(join(tmpdir(), 'coreiso-proxy-'));
let api: Server;
let proxy: Server;
/** The targets requested from the proxy, and the credentials. */
let asked: string[] = [];

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

beforeAll(async () => {
  api = createServer((_, response) => void response.end('{"items":[],"metadata":{}}'));
  // The name of the cluster exists only behind the proxy.
  proxy = createServer().on('connect', (request, socket, head) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    const server = connect(portOf(api), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      server.write(head);
      socket.pipe(server).pipe(socket);
    });
    for (const end of [socket, server]) end.on('error', () => undefined);
  });
  await Promise.all([listen(api), listen(proxy)]);
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  for (const server of [api, proxy]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

async function listNodes(cluster: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    `current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\nclusters: [{name: c, cluster: {${cluster}}}]\n`,
  );
  await using connected = await clusterFromKubeconfig({ kubeconfig, env });
  return (await connected.list('/api/v1/nodes')).items;
}

const behind = 'server: "http://api.behind.test:6443"';

test('prefers the proxy of the kubeconfig to that of the environment', async () => {
  const cluster = `${behind}, proxy-url: "http://127.0.0.1:${portOf(proxy)}"`;
  expect(await listNodes(cluster, { HTTP_PROXY: 'http://127.0.0.1:1' })).toEqual([]);
  expect(asked).toEqual(['api.behind.test:6443']);
});

test.each([
  ['in capitals', 'HTTP_PROXY', 'http://user:p%40ss@'],
  ['in small letters', 'http_proxy', 'http://user:p%40ss@'],
  ['without a scheme', 'http_proxy', 'user:p%40ss@'],
])('uses the proxy of the environment %s', async (_, name, prefix) => {
  expect(await listNodes(behind, { [name]: `${prefix}127.0.0.1:${portOf(proxy)}` })).toEqual([]);
  expect(asked).toEqual([`api.behind.test:6443 Basic ${btoa('user:p@ss')}`]);
});

test.each(['*', '127.0.0.1', '127.0.0.0/8', 'other.test, 127.0.0.1'])(
  'bypasses the proxy with NO_PROXY=%s',
  async (around) => {
    const env = { HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}`, NO_PROXY: around };
    expect(await listNodes(`server: "http://127.0.0.1:${portOf(api)}"`, env)).toEqual([]);
    expect(asked).toEqual([]);
  },
);

test.each(['behind.test', '.behind.test', 'api.behind.test:6443'])(
  'bypasses the proxy for hosts of NO_PROXY=%s',
  async (around) => {
    const env = { HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}`, NO_PROXY: around };
    await expect(listNodes(behind, env)).rejects.toMatchObject({ code: 'CLUSTER_UNREACHABLE' });
    expect(asked).toEqual([]);
  },
);
