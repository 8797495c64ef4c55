// Tests against a real API server: its answers, restarts, access control, and the certificates that its signer issues.
import { createSign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { formatDiagnostics } from '@coreiso/diagnostics';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeWithKube, KubeEngine } from '../../../../test/support/engines.ts';
import { firstRequest, OpenShiftStandIn, secondRequest } from '../../../../test/support/openshift.ts';
import { judgeRequests } from '../../src/csr/approval.ts';
import { readRequest } from '../../src/csr/certificate-request.ts';
import { ClusterError } from '../../src/errors.ts';
import { factsRole } from '../../src/facts/cluster-role.ts';
import { factsFromCluster, readCluster } from '../../src/facts/read-cluster.ts';
import { monitorNodes } from '../../src/monitor/monitor.ts';
import { type ConnectedCluster, clusterFromKubeconfig } from '../../src/node/connect.ts';
import { follow } from '../../src/reader/follow.ts';
import type { ClusterReader } from '../../src/reader/port.ts';

const SECRET = 'planted-secret-never-shown';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

describeWithKube('on a real API server', () => {
  let engine: KubeEngine;
  let cluster: OpenShiftStandIn;
  let admin: ConnectedCluster;
  /** Its answer before it had OpenShift's kinds. */
  let bare: unknown;

  beforeAll(async () => {
    engine = await KubeEngine.start();
    admin = await clusterFromKubeconfig({ kubeconfig: engine.kubeconfig, env: {} });
    bare = await readCluster(admin).catch((error: unknown) => error);
    cluster = new OpenShiftStandIn(engine);
    await cluster.prepare({
      pullSecret: JSON.stringify({ auths: { 'releases.example.test': { auth: btoa(SECRET) } } }),
    });
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

  test('grants access by client certificates, in files and inline', async () => {
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

  test('refuses an unexpected server, unless the kubeconfig allows it, with a warning', async () => {
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

  test('takes tokens from the file, from a file that changes, and from a plugin', async () => {
    const token = await cluster.accountToken('lister');
    writeFileSync(engine.file('token'), 'wrong');
    await using rotating = await clusterFromKubeconfig({
      kubeconfig: kubeconfig('rotating', 'tokenFile: token'),
      env: {},
    });
    await expect(rotating.list('/api/v1/nodes')).rejects.toMatchObject({ code: 'CLUSTER_UNAUTHORIZED' });
    writeFileSync(engine.file('token'), `${token}\n`);
    expect((await rotating.list('/api/v1/nodes')).items).toEqual([]);
    expect(await codeWith(kubeconfig('token', `token: ${token}`))).toBe('ok');
    expect(await codeWith(kubeconfig('expired', `token: ${expired(token, engine)}`))).toBe('CLUSTER_UNAUTHORIZED');

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

  test('reports a cluster without OpenShift as such', () => {
    expect(bare).toMatchObject({
      code: 'CLUSTER_NOT_OPENSHIFT',
      message: expect.stringMatching(
        /^this is not an OpenShift cluster: it has no ClusterVersion, Proxy, Infrastructure;/,
      ),
    });
  });

  test('reads facts, and answers missing permissions with one role that grants them', async () => {
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
    expect(refused.diagnostics.length).toBeGreaterThan(3);
    expect(JSON.stringify(refused)).not.toContain(SECRET);

    // As printed, indented; the server itself parses it.
    const printed = formatDiagnostics(refused.diagnostics);
    const [, user = '', role = ''] = /coreiso-facts (\S+)\n([\s\S]*)$/.exec(printed) ?? [];
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    expect((await engine.request('POST', roles, role, 'application/yaml')).status).toBe(201);
    await cluster.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      kind: 'ClusterRoleBinding',
      metadata: { name: 'coreiso-facts' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'coreiso-facts' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
    await vi.waitFor(async () => expect(await factsFromCluster(forbidden)).toEqual(facts), { timeout: 60_000 });

    const whole = factsRole().replace('name: coreiso-facts', 'name: coreiso-facts-beforehand');
    expect((await engine.request('POST', roles, whole, 'application/yaml')).status).toBe(201);
  });

  test('keeps a followed list across a restart of the server and a version that it has forgotten', async () => {
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
    await cluster.call('POST', '/api/v1/namespaces/default/configmaps', configMap('before'));
    await engine.restart();
    await cluster.call('POST', '/api/v1/namespaces/default/configmaps', configMap('after'));
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

  test('continues a monitor across a restart of the server', async () => {
    const name = 'restarted';
    const told: string[] = [];
    const done = (async () => {
      const nodes = monitorNodes(admin, [{ name, nodeName: name, addresses: [] }], { pause: 50 });
      for await (const { message } of nodes) told.push(message.replace(/: .*/, ''));
    })();
    await cluster.call('POST', '/api/v1/nodes', { kind: 'Node', metadata: { name } });
    await vi.waitFor(() => expect(told).toContain('the node joined'), { timeout: 60_000 });
    await engine.restart();
    await cluster.setNodeStatus(name, { conditions: [{ type: 'Ready', status: 'True' }] });
    await done;
    await cluster.call('DELETE', `/api/v1/nodes/${name}`);
    expect(told.filter((message) => !/ list(ed)?\b/.test(message))).toEqual(['the node joined', 'the node is ready']);
    expect(told).toContain('could not list nodes; trying again');
    expect(told).toContain('nodes can be listed again');
  }, 120_000);

  test('approves the requests of a planned node, which the server then signs, and refuses look-alikes', async () => {
    await engine.signer();
    const bearer = await cluster.accountToken('node-bootstrapper');
    const planned = [{ name: 'worker-0', addresses: ['192.0.2.10'] }];
    await cluster.ask('own', firstRequest('worker-0'), { bearer });
    await cluster.ask('other-name', firstRequest('worker-00'), { bearer });
    await cluster.ask('with-names', firstRequest('worker-1', 'DNS:api.harbor.example.test'), { bearer });
    expect(await verdicts(admin, planned)).toEqual([['own', 'client', true, []]]);

    await cluster.ask('rival', firstRequest('worker-0'), { bearer });
    const twoKeys = 'no other request for this name has another key';
    expect(await verdicts(admin, planned)).toEqual([
      ['own', 'client', false, [twoKeys]],
      ['rival', 'client', false, [twoKeys]],
    ]);
    await cluster.call('DELETE', `${REQUESTS}/rival`);

    await cluster.ask('by-admin', firstRequest('worker-2'));
    const bootstrap = await cluster.bootstrapToken('abcdef', '0123456789abcdef');
    await cluster.ask('by-token', firstRequest('worker-3'), { bearer: bootstrap });
    for (const [request, name] of [
      ['by-admin', 'worker-2'],
      ['by-token', 'worker-3'],
    ] as const) {
      expect(await verdicts(admin, [{ name, addresses: [] }])).toEqual([
        [request, 'client', false, ['the requester is the node bootstrapper']],
      ]);
    }

    await approveAll(admin, planned);
    const node = await cluster.issued('own');
    await cluster.call('POST', '/api/v1/nodes', { kind: 'Node', metadata: { name: 'worker-0' } }, node);
    await cluster.ask('serving', secondRequest('worker-0', 'DNS:worker-0,IP:192.0.2.10'), node);
    expect(await verdicts(admin, planned)).toEqual([['serving', 'serving', true, []]]);
    await approveAll(admin, planned);
    expect((await cluster.issued('serving')).certificate).toContain('BEGIN CERTIFICATE');

    await cluster.ask('greedy', secondRequest('worker-0', 'DNS:worker-0,IP:192.0.2.1'), node);
    expect(await verdicts(admin, planned)).toEqual([
      ['greedy', 'serving', false, ['all names and addresses are its own']],
    ]);
  }, 120_000);

  test('refuses to approve a request that changed since it was read', async () => {
    await cluster.ask('changing', firstRequest('worker-4'));
    const read = await admin.get(`${REQUESTS}/changing`);
    const metadata = { ...(read['metadata'] as object), labels: { changed: 'yes' } };
    await cluster.call('PUT', `${REQUESTS}/changing`, { ...read, metadata });
    await expect(admin.approve(read, 'too late')).rejects.toMatchObject({ code: 'CLUSTER_CONFLICT' });
  });
});

type Planned = readonly { readonly name: string; readonly addresses: readonly string[] }[];

/** The same token, valid until an hour ago, signed by the server's own key. */
function expired(token: string, engine: KubeEngine): string {
  const [head, body = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const past = Math.floor(Date.now() / 1000) - 3600;
  const old = Buffer.from(JSON.stringify({ ...claims, iat: past - 600, nbf: past - 600, exp: past }));
  const signed = `${head}.${old.toString('base64url')}`;
  const signature = createSign('RSA-SHA256')
    .update(signed)
    .sign(readFileSync(engine.file('sa.key')), 'base64url');
  return `${signed}.${signature}`;
}

async function judged(cluster: ClusterReader, planned: Planned) {
  const [requests, nodes] = await Promise.all([cluster.list(REQUESTS), cluster.list('/api/v1/nodes')]);
  return judgeRequests(requests.items.map(readRequest), nodes.items, planned);
}

/** Request, kind, whether it passes, and the failed checks. */
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
