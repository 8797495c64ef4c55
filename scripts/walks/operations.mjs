// The four paths that docs/architecture.md draws, each with a realistic input: the output of `template`.
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { createFileServer } from '@coreiso/iso/http';
import { fileSource, nodeListener } from '@coreiso/iso/node';
import { run } from '../../packages/cli/src/main.ts';
import { CERTIFICATES } from '../../test/support/certificates.ts';

async function coreiso(cwd, argv, env = {}) {
  let text = '';
  const sink = () =>
    new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
  const stdin = new PassThrough().end();
  const io = {
    cwd,
    env,
    stdin,
    stdout: sink(),
    stderr: sink(),
    invokedAs: 'coreiso',
    signal: new AbortController().signal,
  };
  const status = await run(argv, io);
  if (status !== 0 || text.includes('warning:')) throw new Error(`coreiso ${argv.join(' ')}: ${status}\n${text}`);
  return text;
}

async function listening(listener) {
  const server = createServer(listener);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

/** The facts of a cluster that its workers need. */
const OBJECTS = {
  '/apis/config.openshift.io/v1/clusterversions/version': {
    spec: { clusterID: '5d3ab2ee-6b5d-4d63-9b40-a9e8f5b6c1f0' },
    status: {
      history: [{ state: 'Completed', version: '4.20.3', image: `quay.example.test/ocp@sha256:${'5'.repeat(64)}` }],
    },
  },
  '/apis/config.openshift.io/v1/infrastructures/cluster': {
    spec: { platformSpec: { type: 'BareMetal' } },
    status: {
      apiServerURL: 'https://api.harbor.example.test:6443',
      apiServerInternalURI: 'https://api-int.harbor.example.test:6443',
      platform: 'BareMetal',
    },
  },
  '/apis/config.openshift.io/v1/proxies/cluster': { spec: {} },
  '/api/v1/namespaces/openshift-config/secrets/pull-secret': {
    data: { '.dockerconfigjson': btoa('{"auths":{"quay.example.test":{"auth":"c2FtcGxlOnNhbXBsZQ=="}}}') },
  },
  '/api/v1/namespaces/kube-system/configmaps/root-ca': { data: { 'ca.crt': CERTIFICATES.longLived } },
  '/api/v1/nodes': {
    items: [
      {
        metadata: { name: 'cp-0', labels: { 'node-role.kubernetes.io/master': '' } },
        status: { nodeInfo: { architecture: 'amd64' }, addresses: [{ type: 'InternalIP', address: '192.0.2.9' }] },
      },
    ],
  },
};

function answerAsApi(request, response) {
  const path = request.url.replace(/\?.*$/, '');
  const object = OBJECTS[path] && { metadata: { name: path.replace(/^.*\//, '') }, ...OBJECTS[path] };
  const missing = { kind: 'Status', code: 404, message: 'not found' };
  response.writeHead(object ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(object ?? missing));
}

const RELEASE = `quay.example.test/ocp@sha256:${'5'.repeat(64)}`;

/** By name: makes the input in an empty folder, and returns the operation to follow. */
export const operations = {
  async embed(folder) {
    await coreiso(folder, ['sample-iso', 'live.iso']);
    writeFileSync(join(folder, 'worker.ign'), '{"ignition":{"version":"3.4.0"}}');
    return { go: () => coreiso(folder, ['iso', 'ignition', 'embed', '-i', 'worker.ign', 'live.iso']) };
  },

  async nodes(folder) {
    await coreiso(folder, ['sample-iso', 'live.iso']);
    const template = await coreiso(folder, ['nodes', 'template']);
    const key = `ssh-ed25519 ${btoa('\0\0\0\vssh-ed25519\0\0\0 '.padEnd(51, 'k'))} sample`;
    writeFileSync(join(folder, 'nodes-config.yaml'), template.replace(/^# sshKey: .*$/m, `sshKey: ${key}`));
    const { url, stop } = await listening(answerAsApi);
    const clusters = `clusters: [{name: c, cluster: {server: "${url}"}}]\nusers: [{name: u, user: {token: t}}]\n`;
    const contexts = 'current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\n';
    writeFileSync(join(folder, 'kubeconfig'), contexts + clusters);
    chmodSync(join(folder, 'kubeconfig'), 0o600);
    const env = { KUBECONFIG: join(folder, 'kubeconfig') };
    return { go: () => coreiso(folder, ['nodes', 'image', '--live', '--base', 'live.iso'], env), stop };
  },

  async agent(folder) {
    await coreiso(folder, ['sample-iso', 'live.iso']);
    await coreiso(folder, ['agent', 'template', '--dir', 'site']);
    const base = ['--base', 'live.iso', '--release-image', RELEASE, '--openshift-version', '4.20.3'];
    const env = { OPENSHIFT_INSTALL_SKIP_HOSTCRYPT_VALIDATION: '1' };
    return { go: () => coreiso(folder, ['agent', 'create', 'image', '--dir', 'site', ...base], env) };
  },

  async range(folder) {
    await coreiso(folder, ['sample-iso', 'live.iso']);
    const source = await fileSource(join(folder, 'live.iso'));
    const { url, stop } = await listening(nodeListener(createFileServer([{ name: 'live.iso', open: () => source }])));
    const go = async () => {
      const response = await fetch(`${url}/live.iso`, { headers: { range: 'bytes=100-200000' } });
      if (response.status !== 206) throw new Error(await response.text());
      await response.arrayBuffer();
    };
    return {
      go,
      async stop() {
        stop();
        await source.close();
      },
    };
  },
};
