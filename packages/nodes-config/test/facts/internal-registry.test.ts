// Clusters that keep their release on the control plane: their facts, and the findings of a config.
import { factsFromObjects, parseNodesConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const REGISTRY = 'api-int.reef.example.test:22625';
const MCO = 'openshift-machine-config-operator';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Entry = Readonly<Record<string, unknown>>;
const object = (kind: string, name: string, more: Entry, namespace?: string): Entry => ({
  kind,
  metadata: { name, ...(namespace && { namespace }) },
  ...more,
});

const INFRASTRUCTURE = object('Infrastructure', 'cluster', {
  spec: { platformSpec: { type: 'None' } },
  status: { apiServerURL: 'https://api.reef.example.test:6443' },
});

function cluster(pullSecret: object, ...more: readonly Entry[]): readonly Entry[] {
  return [
    object('ClusterVersion', 'version', { status: { history: [{ version: '4.22.0', image: 'quay.io/r@sha256:1' }] } }),
    object('Proxy', 'cluster', { spec: {} }),
    object(
      'Secret',
      'pull-secret',
      { data: { '.dockerconfigjson': base64(JSON.stringify(pullSecret)) } },
      'openshift-config',
    ),
    object('Node', 'a', { status: { nodeInfo: { architecture: 'amd64' } } }),
    ...(more.some(({ kind }) => kind === 'Infrastructure') ? [] : [INFRASTRUCTURE]),
    ...more,
  ];
}

const OWN = object('InternalReleaseImage', 'cluster', { spec: { releases: [] } });
const ROOT = object('ConfigMap', 'root-ca', { data: { 'ca.crt': 'a root' } }, 'kube-system');
const auth = (data: Readonly<Record<string, string>>): Entry => {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)]));
  return object('Secret', 'internal-release-image-registry-auth', { data: encoded }, MCO);
};
const QUAY = { auths: { 'quay.io': { auth: 'YTpi' } } };
const read = (...objects: Parameters<typeof cluster>) => {
  const outcome = factsFromObjects(cluster(...objects));
  if (!outcome.ok) throw new Error(outcome.diagnostics.map(({ message }) => message).join('\n'));
  return outcome.value;
};

describe('a cluster that keeps its release in a registry of its own', () => {
  test('is recognized by its InternalReleaseImage', () => {
    expect(read(QUAY).internalRegistry).toBeUndefined();
    expect(read(QUAY, OWN).internalRegistry).toBe(REGISTRY);
    const named = { ...INFRASTRUCTURE, status: { apiServerInternalURI: 'https://inner.example.test:6443' } };
    const url = { ...named, status: { ...named.status, apiServerURL: 'https://api.reef.example.test:6443' } };
    expect(read(QUAY, OWN, url).internalRegistry).toBe('inner.example.test:22625');
  });

  test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ['its first user where no other is named', { password: 'p' }, 'openshift:p'],
    ['the user of its list', { password: 'p:q', htpasswd: 'openshift3:$2y$x\n' }, 'openshift3:p:q'],
    [
      'the last user while the password changes',
      { password: 'p', htpasswd: 'openshift:$2y$x\nopenshift1:$2y$y' },
      'openshift1:p',
    ],
    ['no one where there is no password', { htpasswd: 'openshift:$2y$x' }, undefined],
    ['no one where it is empty', { password: '' }, undefined],
  ])('has a pull secret with the credentials of %s', (_, data, user) => {
    const { auths } = JSON.parse(read(QUAY, OWN, auth(data)).pullSecret ?? '') as { auths: Record<string, unknown> };
    const expected = user === undefined ? QUAY.auths : { ...QUAY.auths, [REGISTRY]: { auth: base64(user) } };
    expect(auths).toEqual(expected);
  });

  test('keeps credentials that its pull secret already has', () => {
    const secret = { auths: { [REGISTRY]: { auth: 'b2xkOm9sZA==' } } };
    expect(JSON.parse(read(secret, OWN, auth({ password: 'new' })).pullSecret ?? '')).toEqual(secret);
  });

  test('trusts its registry by the cluster\u2019s root, unless another authority is named', () => {
    expect(read(QUAY, OWN, ROOT).registryTrust).toEqual({ [REGISTRY]: 'a root' });
    expect(read(QUAY, ROOT).registryTrust).toBeUndefined();
    const image = object('Image', 'cluster', { spec: { additionalTrustedCA: { name: 'cas' } } });
    const map = object(
      'ConfigMap',
      'cas',
      { data: { 'api-int.reef.example.test..22625': 'mine' } },
      'openshift-config',
    );
    expect(read(QUAY, OWN, ROOT, image, map).registryTrust).toEqual({ [REGISTRY]: 'mine' });
  });
});

describe('new nodes of such a cluster', () => {
  const CONFIG = 'hosts: [{ hostname: w, interfaces: [{ name: eno1, macAddress: 52:54:00:e7:05:72 }] }]\n';
  const told = (mode: 'strict' | 'compatible', ...objects: Parameters<typeof cluster>) =>
    parseNodesConfig(CONFIG, { mode, cluster: read(...objects) }).diagnostics.filter(
      ({ code }) => code === 'nodes-config/internal-registry',
    );

  test('get an info about the port that they have to reach', () => {
    expect(told('strict', QUAY, OWN, auth({ password: 'p' }))).toEqual([
      expect.objectContaining({
        severity: 'info',
        message: `the cluster keeps its release in a registry of its own: new nodes pull their system from ${REGISTRY}`,
        help: expect.stringContaining('has to forward port 22625 to the control plane'),
      }),
    ]);
  });

  test.each(['strict', 'compatible'] as const)('are refused without its credentials, %s', (mode) => {
    const [finding, ...more] = told(mode, QUAY, OWN);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: mode === 'strict' ? 'error' : 'warning' });
    expect(finding?.message).toContain(`${REGISTRY}, and the pull secret has no credentials for it`);
    expect(finding?.help).toContain('permission for Secret internal-release-image-registry-auth');
  });

  test('get no finding if the cluster has another registry', () => {
    expect(told('strict', QUAY)).toEqual([]);
  });
});
