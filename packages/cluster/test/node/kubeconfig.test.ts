import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ClusterError } from '@coreiso/cluster';
import { clusterFromKubeconfig } from '@coreiso/cluster/node';
import { describe, expect, test } from 'vitest';

const SECRET = 'planted-secret-never-shown';
const folder = mkdtempSync(join(tmpdir(), 'coreiso-kubeconfig-'));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function refusal(options: Parameters<typeof clusterFromKubeconfig>[0]): Promise<string> {
  const error = await clusterFromKubeconfig({ env: { HOME: folder }, ...options }).catch((reason: unknown) => reason);
  if (!(error instanceof ClusterError)) throw new Error(`expected a ClusterError, not ${error}`);
  expect(error.code).toBe('CLUSTER_KUBECONFIG');
  expect(error.message).not.toContain(SECRET);
  return error.message.replaceAll(folder, '');
}

const whole = (user: string, cluster = 'server: https://api.example.test:6443') => `apiVersion: v1
clusters:
- name: harbor
  cluster:
    ${cluster}
contexts:
- name: admin
  context: { cluster: harbor, user: me }
current-context: admin
users:
- name: me
  user:
    ${user}
`;

describe('a kubeconfig that cannot be used is refused with its place and the cure', () => {
  test.each([
    [
      'a login that only its own program knows',
      whole('auth-provider: { name: oidc }'),
      '/c:13:5: error: auth-provider is not supported',
    ],
    [
      'a certificate that is no base64',
      whole('client-certificate-data: "%%"'),
      '/c:13:30: error: client-certificate-data is not base64',
    ],
    [
      'a cluster without an address',
      whole(`token: ${SECRET}`, 'insecure-skip-tls-verify: true'),
      '/c:5:5: error: the cluster has no address',
    ],
    [
      'a proxy of another kind',
      whole('token: x', 'server: https://a.test\n    proxy-url: socks5://p:1'),
      '/c:6:16: error: only http and https proxies are spoken',
    ],
    [
      'a user that does not exist',
      whole('token: x').replace('user: me', 'user: you'),
      '/c:8:37: error: there is no user "you"',
    ],
    ['text that is no YAML', 'clusters: [', '/c:1:12: error:'],
  ])('%s', async (_, text, expected) => {
    expect(await refusal({ kubeconfig: file('c', text) })).toContain(expected);
  });

  test('no file at all says where it was looked for and what to do', async () => {
    expect(await refusal({})).toBe(
      'there is no kubeconfig at /.kube/config; name one with --kubeconfig or KUBECONFIG, or log in with `oc login`',
    );
  });

  test('an unknown context names those that there are', async () => {
    const kubeconfig = file('contexts', whole('token: x'));
    expect(await refusal({ kubeconfig, context: 'other' })).toBe(
      '/contexts: there is no context "other"; there is: admin',
    );
  });
});

test('of several files the first that names something wins', async () => {
  const one = file('one', whole('token: x'));
  const two = file(
    'two',
    whole('token: y', 'server: https://other.example.test:6443').replace(
      'current-context: admin',
      'current-context: none',
    ),
  );
  const env = { KUBECONFIG: [one, join(folder, 'absent'), two].join(delimiter) };
  await using cluster = await clusterFromKubeconfig({ env });
  expect([cluster.server, cluster.context]).toEqual(['https://api.example.test:6443', 'admin']);
});
