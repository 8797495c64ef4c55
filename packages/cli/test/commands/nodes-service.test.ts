import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, decodeDataUrl, parseConfigOrThrow } from '@coreiso/ignition';
import { authTokenSecret } from '@coreiso/nodes-config';
import { makeCredentials } from '@coreiso/openshift';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeWithKube, KubeEngine } from '../../../../test/support/engines.ts';
import { OpenShiftStandIn } from '../../../../test/support/openshift.ts';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

const FACTS = {
  name: 'harbor',
  clusterId: '6f1b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11',
  version: '4.20.3',
  releaseImage: `releases.example.test/release@sha256:${'5'.repeat(64)}`,
  platform: 'BareMetal',
  apiServerUrl: 'https://api.harbor.example.test:6443',
  pullSecret: '{"auths":{"q.test":{"auth":"aHVudGVyMg=="}}}',
  nodes: [{ name: 'cp-0', architecture: 'amd64', master: true }],
};
const HOUR = 3600 * 1000;
const MANIFEST = 'agent-auth-token.yaml';
const PRIVATE_KEY = /^-----BEGIN [A-Z ]*PRIVATE KEY-----$/m;

let cwd: string;
beforeEach(async () => {
  cwd = scratchFolder();
  writeFileSync(join(cwd, 'cluster.json'), JSON.stringify(FACTS));
  writeFileSync(
    join(cwd, 'nodes-config.yaml'),
    'sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRUumdNxUzz0Ux53zzPC0eg+K4Apj7/Q3kLt1+RmDLC ops\nhosts:\n- hostname: worker-0\n  interfaces: [{ name: eth0, macAddress: 52:54:00:ab:00:01 }]\n',
  );
  expect((await coreiso(['sample-iso', 'base.iso'], { cwd })).status).toBe(0);
});

const image = (...argv: string[]): Promise<CliResult> =>
  coreiso(['nodes', 'image', '--join', 'service', '--base', 'base.iso', '-o', 'node.iso', '--force', ...argv], { cwd });

async function embedded(): Promise<Config> {
  return parseConfigOrThrow((await coreiso(['iso', 'ignition', 'show', 'node.iso'], { cwd })).stdout);
}

function textOf({ storage }: Config, path: string): string {
  const source = storage?.files?.find((file) => file.path === path)?.contents?.source ?? '';
  return new TextDecoder().decode(decodeDataUrl(source));
}

/** Returns the token with which an image uses the service. */
async function tokenInImage(): Promise<string> {
  return /^USER_AUTH_TOKEN=(.*)$/m.exec(textOf(await embedded(), '/etc/assisted/rendezvous-host.env'))?.[1] ?? '';
}

/** Makes a Secret whose tokens expire in so many hours. */
async function secretFor(hours: number): Promise<{ readonly manifest: string; readonly token: string }> {
  const made = new Date(Date.now() + (hours - 48) * HOUR);
  const signerKey = { algorithm: 'ECDSA', curve: 'P-256' } as const;
  const { tokens } = await makeCredentials({ clock: () => made, workflow: 'add-nodes', signerKey });
  return { manifest: authTokenSecret(tokens, made), token: tokens.user };
}

describe('nodes image --join service', () => {
  test('writes new tokens, and their Secret beside the image for an administrator', async () => {
    const { status, stdout, stderr } = await image('--cluster', 'cluster.json');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toContain(`oc apply -f ${MANIFEST}\n`);
    for (const name of ['node.iso', MANIFEST]) expect(statSync(join(cwd, name)).mode & 0o777).toBe(0o600);
    const token = await tokenInImage();
    expect(readFileSync(join(cwd, MANIFEST), 'utf8')).toContain(`userAuthToken: ${btoa(token)}\n`);
    expect(stdout.toString() + stderr).not.toMatch(/eyJ|PRIVATE KEY|aHVudGVyMg/);
  });

  test('contains the keys of the four signers and no other key', async () => {
    await image('--cluster', 'cluster.json');
    const config = await embedded();
    const files = config.storage?.files ?? [];
    const withKeys = files.filter(({ path }) => PRIVATE_KEY.test(textOf(config, path)));
    expect(withKeys.map(({ path, mode }) => [path, mode])).toEqual(
      ['admin-kubeconfig', 'kube-apiserver-lb', 'kube-apiserver-localhost', 'kube-apiserver-service-network'].map(
        (name) => [`/opt/agent/tls/${name}-signer.key`, 0o600],
      ),
    );
    expect(JSON.stringify(config.systemd) + JSON.stringify(config.passwd)).not.toContain('PRIVATE KEY');
  });

  test.each([
    [25, 'used again'],
    [23, 'not used again'],
  ])('tokens of a file that expire in %i hours are %s', async (hours, use) => {
    const { manifest, token } = await secretFor(hours);
    writeFileSync(join(cwd, 'kept.yaml'), manifest, { mode: 0o600 });
    const { status, stderr } = await image('--cluster', 'cluster.json', '--auth-token', 'kept.yaml');
    expect(status).toBe(0);
    expect((await tokenInImage()) === token).toBe(use === 'used again');
    expect(existsSync(join(cwd, MANIFEST))).toBe(use !== 'used again');
    expect(stderr).toMatch(use === 'used again' ? /^$/ : /holds tokens that are valid only until .*; making new ones/);
  });
});

describe('nodes image --join service with an expiry', () => {
  const claims = async (): Promise<{ exp?: number }> => JSON.parse(atob((await tokenInImage()).split('.')[1] ?? ''));

  test('makes tokens that expire at the given time, and says so in the summary', async () => {
    const { status, stdout } = await image('--cluster', 'cluster.json', '--valid-until', '2031-02-03T04:05:06+01:00');
    expect(status).toBe(0);
    expect(stdout.toString()).toContain('The image stops installing after 2031-02-03T03:05:06Z.\n');
    expect((await claims()).exp).toBe(Date.UTC(2031, 1, 3, 3, 5, 6) / 1000);
    expect(readFileSync(join(cwd, MANIFEST), 'utf8')).toContain('expiresAt: "2031-02-03T03:05:06Z"');
    expect(textOf(await embedded(), '/etc/assisted/add-nodes.env')).toContain(
      'AUTH_TOKEN_EXPIRY=2031-02-03T03:05:06Z\n',
    );
  });

  test('counts a duration from now', async () => {
    const before = Date.now();
    expect((await image('--cluster', 'cluster.json', '--valid-for', '90m')).status).toBe(0);
    const seconds = ((await claims()).exp ?? 0) - before / 1000;
    expect(seconds).toBeGreaterThan(5398);
    expect(seconds).toBeLessThan(5520);
  });

  test('reuses tokens of the cluster only if they expire at that time', async () => {
    const { manifest, token } = await secretFor(30);
    writeFileSync(join(cwd, 'kept.yaml'), manifest, { mode: 0o600 });
    const kept = /expiresAt: "?([^"\n]+)/.exec(manifest)?.[1] ?? '';
    const again = ['--cluster', 'cluster.json', '--auth-token', 'kept.yaml', '--valid-until'];
    expect(await image(...again, kept)).toMatchObject({ status: 0, stderr: '' });
    expect(await tokenInImage()).toBe(token);
    const other = await image(...again, '2031-02-03T04:05:06Z');
    expect(other.stderr).toBe(`kept.yaml: its tokens expire at ${kept}; making new ones\n`);
    expect(await tokenInImage()).not.toBe(token);
  });
});

describeWithKube('nodes image --join service --kubeconfig, on a real API server', () => {
  const SECRET = '/api/v1/namespaces/openshift-config/secrets/agent-auth-token';
  let engine: KubeEngine;
  let cluster: OpenShiftStandIn;

  beforeAll(async () => {
    engine = await KubeEngine.start();
    cluster = new OpenShiftStandIn(engine);
    await cluster.prepare({ pullSecret: FACTS.pullSecret });
    await cluster.addControlPlane('cp-0', '192.0.2.1');
  }, 120_000);
  afterAll(() => engine?.stop());

  const apply = async (manifest: string): Promise<void> => {
    const applied = await engine.request(
      'PATCH',
      `${SECRET}?fieldManager=administrator&force=true`,
      manifest,
      'application/apply-patch+yaml',
    );
    expect([applied.status, applied.status < 300 ? '' : applied.body]).toEqual([expect.any(Number), '']);
  };

  test('reads the Secret, reuses it as long as upstream does, and never writes it', async () => {
    const live = ['--kubeconfig', engine.kubeconfig];
    const first = await image(...live);
    expect([first.status, first.stderr]).toEqual([
      0,
      expect.stringContaining('the cluster: there is no Secret openshift-config/agent-auth-token; making new ones\n'),
    ]);
    expect((await engine.request('GET', SECRET)).status).toBe(404);
    expect(statSync(join(cwd, MANIFEST)).mode & 0o777).toBe(0o600);

    const token = await tokenInImage();
    await apply(readFileSync(join(cwd, MANIFEST), 'utf8'));
    writeFileSync(join(cwd, MANIFEST), 'not touched');
    const version = async (): Promise<string> =>
      JSON.parse((await engine.request('GET', SECRET)).body).metadata.resourceVersion;
    const before = await version();
    const second = await image(...live);
    expect([second.status, second.stderr]).toEqual([0, expect.not.stringContaining('new ones')]);
    expect(await tokenInImage()).toBe(token);
    expect(readFileSync(join(cwd, MANIFEST), 'utf8')).toBe('not touched');

    const late = await secretFor(23);
    await apply(late.manifest);
    const third = await image(...live);
    expect([third.status, third.stderr]).toEqual([0, expect.stringMatching(/valid only until .*; making new ones/)]);
    expect([token, late.token]).not.toContain(await tokenInImage());
    expect(readFileSync(join(cwd, MANIFEST), 'utf8')).toContain(btoa(await tokenInImage()));
    expect(JSON.parse((await engine.request('GET', SECRET)).body).data.userAuthToken).toBe(btoa(late.token));
    expect(await version()).not.toBe(before);
    expect(`${first.stderr}${second.stderr}${third.stderr}`).not.toMatch(/eyJ/);
  }, 120_000);

  test('names the missing permission, and works without it for other joins', async () => {
    const rules = [
      { apiGroups: ['*'], resources: ['*'], verbs: ['list'] },
      { apiGroups: ['config.openshift.io', 'machineconfiguration.openshift.io'], resources: ['*'], verbs: ['get'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: ['pull-secret', 'worker-user-data-managed'],
        verbs: ['get'],
      },
    ];
    await cluster.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      kind: 'ClusterRole',
      metadata: { name: 'almost' },
      rules,
    });
    await cluster.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      kind: 'ClusterRoleBinding',
      metadata: { name: 'almost' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'almost' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
    });
    const reader = readFileSync(engine.kubeconfig, 'utf8').replaceAll('admin.', 'reader.');
    writeFileSync(engine.file('reader-kubeconfig'), reader);
    chmodSync(engine.file('reader-kubeconfig'), 0o600);
    const live = ['--kubeconfig', engine.file('reader-kubeconfig')];
    const { status, stderr } = await image(...live);
    expect(status).toBe(1);
    expect(stderr).toContain('secrets "agent-auth-token" is forbidden');
    expect(stderr).toMatch(/kind: ClusterRole\n[\s\S]*resources: \[secrets\]\n +resourceNames: \["agent-auth-token"/);
    expect(existsSync(join(cwd, 'node.iso'))).toBe(false);
    const { manifest } = await secretFor(40);
    writeFileSync(join(cwd, 'kept.yaml'), manifest, { mode: 0o600 });
    expect((await image(...live, '--auth-token', 'kept.yaml')).status).toBe(0);
  }, 120_000);
});
