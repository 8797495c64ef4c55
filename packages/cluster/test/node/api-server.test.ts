// A real API server is the judge: what it answers, how it restarts, whom it lets in, what its signer issues.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import {
  ClusterError,
  type ClusterReader,
  factsFromCluster,
  follow,
  judgeRequests,
  type KubeObject,
  readCluster,
  readRequest,
} from '@coreiso/cluster';
import { type ConnectedCluster, clusterFromKubeconfig } from '@coreiso/cluster/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithKube, KubeEngine } from '../../../../test/support/engines.ts';

const SECRET = 'planted-secret-never-shown';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

describeWithKube('on a real API server', () => {
  let engine: KubeEngine;
  let admin: ConnectedCluster;

  beforeAll(async () => {
    engine = await KubeEngine.start();
    admin = await clusterFromKubeconfig({ kubeconfig: engine.kubeconfig, env: {} });
    await prepare(engine);
  }, 180_000);

  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await engine?.stop();
  }, 60_000);

  /** A kubeconfig of our own for this server. */
  function kubeconfig(name: string, user: string, cluster = `certificate-authority: ca.crt`): string {
    const file = engine.file(`${name}.kubeconfig`);
    const text = `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: test
  cluster:
    server: ${engine.server}
    ${cluster}
contexts:
- name: ${name}
  context: { cluster: test, user: ${name} }
users:
- name: ${name}
  user:
    ${user}
`;
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  async function codeWith(file: string): Promise<string> {
    await using cluster = await clusterFromKubeconfig({ kubeconfig: file, env: { PATH: process.env['PATH'] } });
    return cluster.list('/api/v1/nodes').then(
      () => 'ok',
      (error: unknown) => (error instanceof ClusterError ? error.code : String(error)),
    );
  }

  test('client certificates, by file and inline, let in whom they should', async () => {
    expect(await codeWith(kubeconfig('file', 'client-certificate: admin.crt\n    client-key: admin.key'))).toBe('ok');
    const inline = `client-certificate-data: ${engine.base64('admin.crt')}\n    client-key-data: ${engine.base64('admin.key')}`;
    expect(await codeWith(kubeconfig('inline', inline, `certificate-authority-data: ${engine.base64('ca.crt')}`))).toBe(
      'ok',
    );
    expect(await codeWith(kubeconfig('reader', 'client-certificate: reader.crt\n    client-key: reader.key'))).toBe(
      'CLUSTER_FORBIDDEN',
    );
    expect(
      await codeWith(kubeconfig('stranger', 'client-certificate: stranger.crt\n    client-key: stranger.key')),
    ).toBe('CLUSTER_UNAUTHORIZED');
  });

  test('a server that is not the one expected is not spoken to, unless the kubeconfig says so, loudly', async () => {
    const user = 'client-certificate: admin.crt\n    client-key: admin.key';
    expect(await codeWith(kubeconfig('other-ca', user, 'certificate-authority: other-ca.crt'))).toBe(
      'CLUSTER_UNTRUSTED',
    );
    expect(
      await codeWith(
        kubeconfig('other-name', user, 'certificate-authority: ca.crt\n    tls-server-name: elsewhere.test'),
      ),
    ).toBe('CLUSTER_UNTRUSTED');
    expect(
      await codeWith(kubeconfig('own-name', user, 'certificate-authority: ca.crt\n    tls-server-name: localhost')),
    ).toBe('ok');
    const warnings: string[] = [];
    await using careless = await clusterFromKubeconfig({
      kubeconfig: kubeconfig('careless', user, 'insecure-skip-tls-verify: true'),
      env: {},
      onWarning: (message) => warnings.push(message),
    });
    await careless.list('/api/v1/nodes');
    expect(warnings).toEqual([
      `the certificate of ${engine.server} is not checked: the kubeconfig says insecure-skip-tls-verify`,
    ]);
  });

  test('tokens are taken from the file, from a file that changes, and from a program', async () => {
    const token = await accountToken(engine, 'lister');
    writeFileSync(engine.file('token'), 'wrong');
    await using rotating = await clusterFromKubeconfig({
      kubeconfig: kubeconfig('rotating', 'tokenFile: token'),
      env: {},
    });
    await expect(rotating.list('/api/v1/nodes')).rejects.toMatchObject({ code: 'CLUSTER_UNAUTHORIZED' });
    writeFileSync(engine.file('token'), `${token}\n`);
    expect((await rotating.list('/api/v1/nodes')).items).toEqual([]);
    expect(await codeWith(kubeconfig('token', `token: ${token}`))).toBe('ok');

    const plugin = (body: string) => {
      writeFileSync(engine.file('plugin'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
      return 'exec: { apiVersion: client.authentication.k8s.io/v1, command: ./plugin, args: ["a b"], interactiveMode: Never }';
    };
    const answer = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token },
    });
    expect(await codeWith(kubeconfig('exec', plugin(`[ "$1" = "a b" ] && echo '${answer}'`)))).toBe('ok');
    const failing = kubeconfig('exec-fails', plugin('echo "log in first" >&2; exit 3'));
    await using locked = await clusterFromKubeconfig({ kubeconfig: failing, env: { PATH: process.env['PATH'] } });
    await expect(locked.list('/api/v1/nodes')).rejects.toMatchObject({
      code: 'CLUSTER_CREDENTIALS',
      message: 'no credentials from ./plugin: it failed with status 3; it said: log in first',
    });
  });

  test('facts are read, and each missing permission is named with the rule that grants it', async () => {
    const facts = await factsFromCluster(admin);
    expect(facts).toMatchObject({
      name: 'harbor',
      version: '4.20.3',
      platform: 'BareMetal',
      sshKey: 'ssh-ed25519 AAAA one@example',
    });
    const reader = kubeconfig('reader', 'client-certificate: reader.crt\n    client-key: reader.key');
    await using forbidden = await clusterFromKubeconfig({ kubeconfig: reader, env: {} });
    const { facts: refused } = await readCluster(forbidden);
    expect(refused.ok).toBe(false);
    const cures = refused.diagnostics.map(({ cure }) => cure ?? '');
    expect(cures[0]).toBe(
      'Grant it in a ClusterRole: {"apiGroups":["config.openshift.io"],"resources":["clusterversions"],"resourceNames":["version"],"verbs":["get"]}',
    );
    expect(cures.length).toBeGreaterThan(3);
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });

  test('a followed list survives a restart of the server and a version that it has forgotten', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const done = (async () => {
      const path = '/api/v1/namespaces/default/configmaps';
      for await (const state of follow(admin, path, { signal: controller.signal, labelSelector: 'story=follow' })) {
        seen.push(
          state.ok
            ? state.items.map((item) => (item['metadata'] as { name: string }).name).join('+')
            : state.error.code,
        );
        if (seen.at(-1) === 'before+after') return;
      }
    })();
    const configMap = (name: string) => ({ kind: 'ConfigMap', metadata: { name, labels: { story: 'follow' } } });
    await api(engine, 'POST', '/api/v1/namespaces/default/configmaps', configMap('before'));
    await engine.restart();
    await api(engine, 'POST', '/api/v1/namespaces/default/configmaps', configMap('after'));
    await done;
    controller.abort();
    expect(seen.at(-1)).toBe('before+after');
    const old = admin.watch('/api/v1/namespaces/default/configmaps', { resourceVersion: '1' });
    const first = await (async () => {
      for await (const event of old) return event.type === 'ERROR' ? event.object['code'] : event.type;
      return 'nothing';
    })().catch((error: unknown) => (error as ClusterError).status);
    expect(first).toBe(410);
  }, 120_000);

  test('the requests of a planned node are approved and issued; look-alikes stay out', async () => {
    await engine.signer();
    const bootstrapper = await accountToken(engine, 'node-bootstrapper');
    const planned = [{ name: 'worker-0', addresses: ['192.0.2.10'] }];
    const own = keyAndRequest(engine, 'own', '/O=system:nodes/CN=system:node:worker-0');
    await createRequest(
      engine,
      'own',
      own,
      'kubernetes.io/kube-apiserver-client-kubelet',
      ['digital signature', 'client auth'],
      { bearer: bootstrapper },
    );
    const hostile: readonly [string, string, string][] = [
      ['other-name', '/O=system:nodes/CN=system:node:worker-00', ''],
      ['with-names', '/O=system:nodes/CN=system:node:worker-1', 'DNS:api.harbor.example.test'],
    ];
    for (const [name, subject, names] of hostile) {
      const pem = keyAndRequest(engine, name, subject, names);
      await createRequest(
        engine,
        name,
        pem,
        'kubernetes.io/kube-apiserver-client-kubelet',
        ['digital signature', 'client auth'],
        { bearer: bootstrapper },
      );
    }
    expect(await verdicts(admin, planned)).toEqual([['own', 'client', true, []]]);

    const rival = keyAndRequest(engine, 'rival', '/O=system:nodes/CN=system:node:worker-0');
    await createRequest(
      engine,
      'rival',
      rival,
      'kubernetes.io/kube-apiserver-client-kubelet',
      ['digital signature', 'client auth'],
      { bearer: bootstrapper },
    );
    const twoKeys = 'no other request for this name has another key';
    expect(await verdicts(admin, planned)).toEqual([
      ['own', 'client', false, [twoKeys]],
      ['rival', 'client', false, [twoKeys]],
    ]);
    await api(engine, 'DELETE', `${REQUESTS}/rival`);

    const byAdmin = keyAndRequest(engine, 'by-admin', '/O=system:nodes/CN=system:node:worker-2');
    await createRequest(
      engine,
      'by-admin',
      byAdmin,
      'kubernetes.io/kube-apiserver-client-kubelet',
      ['digital signature', 'client auth'],
      {},
    );
    expect(await verdicts(admin, [{ name: 'worker-2', addresses: [] }])).toEqual([
      ['by-admin', 'client', false, ['the requester is the node bootstrapper']],
    ]);

    await approveAll(admin, planned);
    const certificate = await issued(admin, 'own');
    writeFileSync(engine.file('node.crt'), certificate);
    await api(
      engine,
      'POST',
      '/api/v1/nodes',
      { kind: 'Node', metadata: { name: 'worker-0' } },
      { certificate, key: readFileSync(engine.file('own.key'), 'utf8') },
    );

    const node = { certificate, key: readFileSync(engine.file('own.key'), 'utf8') };
    const usages = ['digital signature', 'server auth'];
    const serving = keyAndRequest(
      engine,
      'serving',
      '/O=system:nodes/CN=system:node:worker-0',
      'DNS:worker-0,IP:192.0.2.10',
    );
    await createRequest(engine, 'serving', serving, 'kubernetes.io/kubelet-serving', usages, node);
    expect(await verdicts(admin, planned)).toEqual([['serving', 'serving', true, []]]);
    await approveAll(admin, planned);
    expect(await issued(admin, 'serving')).toContain('BEGIN CERTIFICATE');

    const greedy = keyAndRequest(
      engine,
      'greedy',
      '/O=system:nodes/CN=system:node:worker-0',
      'DNS:worker-0,IP:192.0.2.1',
    );
    await createRequest(engine, 'greedy', greedy, 'kubernetes.io/kubelet-serving', usages, node);
    expect(await verdicts(admin, planned)).toEqual([
      ['greedy', 'serving', false, ['all names and addresses are its own']],
    ]);
  }, 120_000);
});

type Planned = readonly { readonly name: string; readonly addresses: readonly string[] }[];

async function judged(cluster: ClusterReader, planned: Planned) {
  const [requests, nodes] = await Promise.all([cluster.list(REQUESTS), cluster.list('/api/v1/nodes')]);
  return judgeRequests(requests.items.map(readRequest), nodes.items, planned);
}

/** Request, kind, whether it passes, and what does not. */
async function verdicts(cluster: ClusterReader, planned: Planned) {
  return (await judged(cluster, planned)).map(({ request: { name }, kind, isApprovable, checks }) => [
    name,
    kind,
    isApprovable,
    checks.filter(({ passed }) => !passed).map(({ what }) => what),
  ]);
}

async function approveAll(cluster: ConnectedCluster, planned: Planned): Promise<void> {
  for (const { request: approvable, isApprovable } of await judged(cluster, planned)) {
    if (isApprovable) await cluster.approve(approvable.object, 'planned in nodes-config.yaml');
  }
}

async function issued(cluster: ClusterReader, name: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { status } = await cluster.get(`${REQUESTS}/${name}`);
    const certificate = (status as { certificate?: string }).certificate;
    if (certificate !== undefined) return Buffer.from(certificate, 'base64').toString();
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${name} was never issued`);
}

function keyAndRequest(engine: KubeEngine, name: string, subject: string, names = ''): string {
  const extension = names === '' ? [] : ['-addext', `subjectAltName=${names}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', engine.file(`${name}.key`)];
  execFileSync('openssl', ['req', '-new', ...key, '-subj', subject, ...extension, '-out', engine.file(`${name}.csr`)], {
    stdio: 'ignore',
  });
  return readFileSync(engine.file(`${name}.csr`)).toString('base64');
}

interface Identity {
  readonly bearer?: string;
  readonly certificate?: string;
  readonly key?: string;
}

async function createRequest(
  engine: KubeEngine,
  name: string,
  pem: string,
  signerName: string,
  usages: readonly string[],
  identity: Identity,
): Promise<void> {
  await api(
    engine,
    'POST',
    REQUESTS,
    { kind: 'CertificateSigningRequest', metadata: { name }, spec: { request: pem, signerName, usages } },
    identity,
  );
}

/** A service account's token; accounts of the machine config operator's namespace may ask for certificates. */
async function accountToken(engine: KubeEngine, name: string): Promise<string> {
  const path = '/api/v1/namespaces/openshift-machine-config-operator/serviceaccounts';
  await api(engine, 'POST', path, { kind: 'ServiceAccount', metadata: { name } });
  const subject = { kind: 'ServiceAccount', name, namespace: 'openshift-machine-config-operator' };
  await api(engine, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    kind: 'ClusterRoleBinding',
    metadata: { name: `story-${name}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'story' },
    subjects: [subject],
  });
  const answer = await api(engine, 'POST', `${path}/${name}/token`, { kind: 'TokenRequest', spec: {} });
  return (answer['status'] as { token: string }).token;
}

const PLURALS: readonly [string, string, string, string][] = [
  ['config.openshift.io', 'v1', 'ClusterVersion', 'clusterversions'],
  ['config.openshift.io', 'v1', 'Proxy', 'proxies'],
  ['config.openshift.io', 'v1', 'Infrastructure', 'infrastructures'],
  ['config.openshift.io', 'v1', 'ImageDigestMirrorSet', 'imagedigestmirrorsets'],
  ['operator.openshift.io', 'v1alpha1', 'ImageContentSourcePolicy', 'imagecontentsourcepolicies'],
  ['machineconfiguration.openshift.io', 'v1', 'MachineConfig', 'machineconfigs'],
];

/** Kinds of OpenShift and objects of ours, and a role that lets accounts list nodes and ask for certificates. */
async function prepare(engine: KubeEngine): Promise<void> {
  for (const [group, version, kind, plural] of PLURALS) {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
    const spec = { group, scope: 'Cluster', names, versions: [{ name: version, served: true, storage: true, schema }] };
    await api(engine, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec,
    });
  }
  for (const name of ['openshift-config', 'openshift-machine-api', 'openshift-machine-config-operator']) {
    await api(engine, 'POST', '/api/v1/namespaces', { kind: 'Namespace', metadata: { name } });
  }
  const config = '/apis/config.openshift.io/v1';
  const image = `releases.example.test/release@sha256:${'5'.repeat(64)}`;
  await create(engine, `${config}/clusterversions`, 'config.openshift.io/v1', 'ClusterVersion', 'version', {
    spec: { clusterID: '6f1b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11' },
    status: { history: [{ state: 'Completed', version: '4.20.3', image }] },
  });
  await create(engine, `${config}/proxies`, 'config.openshift.io/v1', 'Proxy', 'cluster', { spec: {} });
  await create(engine, `${config}/infrastructures`, 'config.openshift.io/v1', 'Infrastructure', 'cluster', {
    spec: { platformSpec: { type: 'BareMetal' } },
    status: { apiServerURL: 'https://api.harbor.example.test:6443' },
  });
  await create(
    engine,
    '/apis/machineconfiguration.openshift.io/v1/machineconfigs',
    'machineconfiguration.openshift.io/v1',
    'MachineConfig',
    '99-worker-ssh',
    {
      spec: { config: { passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA one@example'] }] } } },
    },
  );
  const pullSecret = JSON.stringify({ auths: { 'releases.example.test': { auth: btoa(SECRET) } } });
  await api(engine, 'POST', '/api/v1/namespaces/openshift-config/secrets', {
    kind: 'Secret',
    metadata: { name: 'pull-secret' },
    stringData: { '.dockerconfigjson': pullSecret },
  });
  await api(engine, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    kind: 'ClusterRole',
    metadata: { name: 'story' },
    rules: [
      { apiGroups: [''], resources: ['nodes'], verbs: ['list'] },
      { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] },
    ],
  });
}

/** A kind is served a moment after it was defined. */
async function create(
  engine: KubeEngine,
  path: string,
  apiVersion: string,
  kind: string,
  name: string,
  rest: KubeObject,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await api(engine, 'POST', path, { apiVersion, kind, metadata: { name }, ...rest });
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/** A call of our own, so that what is judged does not prepare its own judge. */
function api(
  engine: KubeEngine,
  method: string,
  path: string,
  body?: KubeObject,
  identity: Identity = {},
): Promise<KubeObject> {
  const { bearer, certificate, key } = identity;
  const client =
    bearer === undefined
      ? {
          cert: certificate ?? readFileSync(engine.file('admin.crt')),
          key: key ?? readFileSync(engine.file('admin.key')),
        }
      : {};
  const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) };
  return new Promise((done, reject) => {
    const sent = request(
      `${engine.server}${path}`,
      { method, headers, ca: readFileSync(engine.file('ca.crt')), ...client },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        if ((response.statusCode ?? 0) < 300) done(JSON.parse(text));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
