// Ready-made manifests are registered with the service unchanged: its refusals are reported at their lines.
import { parseInstallFiles, readDirectory, renderManifests } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';

const release = { version: '4.20.3', image: 'quay.io/ocp/release@sha256:55' };
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRUumdNxUzz0Ux53zzPC0eg+K4Apj7/Q3kLt1+RmDLC';
const SOURCES = {
  installConfig: `apiVersion: v1
baseDomain: example.test
metadata: {name: reef}
controlPlane: {replicas: 3}
compute: [{name: worker, replicas: 0}]
networking: {machineNetwork: [{cidr: 192.0.2.0/24}]}
platform: {baremetal: {apiVIPs: [192.0.2.2], ingressVIPs: [192.0.2.3]}}
proxy: {httpProxy: 'http://proxy.example.test:3128', noProxy: example.test}
sshKey: ${KEY}
pullSecret: '{"auths":{"quay.io":{"auth":"eDp5"}}}'
`,
  agentConfig: 'apiVersion: v1beta1\nrendezvousIP: 192.0.2.10\nadditionalNTPSources: [ntp.example.test]\n',
};

function manifests(): Record<string, string> {
  const site = parseInstallFiles(SOURCES);
  if (!site.ok) throw new Error(site.diagnostics[0]?.message);
  return { ...renderManifests(site.value, release).files };
}

function refusals(file: string, from: string, to: string): unknown[] {
  const files = manifests();
  const path = `cluster-manifests/${file}`;
  const text = files[path] ?? '';
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  const { diagnostics } = readDirectory({ ...files, [path]: text.replace(from, to) }, { release, previous: SOURCES });
  return diagnostics.filter(({ code }) => code === 'nodes-config/service-refuses');
}

test('manifests that the service accepts get no finding of this kind', () => {
  expect(refusals('infraenv.yaml', 'ntp.example.test', '192.0.2.1')).toEqual([]);
  expect(refusals('cluster-deployment.yaml', 'example.test', 'lab.example.test')).toEqual([]);
});

test.each([
  ['agent-cluster-install.yaml', KEY, `no-pty ${KEY}`, ['spec', 'sshPublicKey'], 'does not match any supported type'],
  ['agent-cluster-install.yaml', '- 192.0.2.2', '- 198.51.100.2', ['spec', 'apiVIPs', 0], 'does not belong to machine'],
  ['agent-cluster-install.yaml', 'http://proxy.example', 'http://-proxy', ['spec', 'proxy', 'httpProxy'], 'Proxy URL'],
  [
    'agent-cluster-install.yaml',
    '- cidr: 192.0.2.0/24',
    '- cidr: 192.0.2.0/24\n    - cidr: 198.51.100.0/24',
    ['spec', 'networking', 'machineNetwork', 1],
    'cannot contain multiple Machine Networks',
  ],
  ['cluster-deployment.yaml', 'example.test', 'example.test.', ['spec', 'baseDomain'], 'DNS format mismatch'],
  ['cluster-deployment.yaml', 'clusterName: reef', 'clusterName: a.b', ['spec', 'clusterName'], 'Cluster name format'],
  ['infraenv.yaml', 'ntp.example.test', 'ntp.example.test.', ['spec', 'additionalNTPSources', 0], 'Invalid NTP source'],
  ['infraenv.yaml', KEY, 'ssh-foo AAAA', ['spec', 'sshAuthorizedKey'], 'does not match any supported type'],
  ['infraenv.yaml', 'http://proxy.example.test', 'http://a_b', ['spec', 'proxy', 'httpProxy'], 'Proxy URL format'],
  ['pull-secret.yaml', 'eDp5', 'eHk=', ['stringData', '.dockerconfigjson'], "is not in 'user:password' format"],
] as const)('%s with %j is refused as %j', (file, from, to, path, words) => {
  expect(refusals(file, from, to)).toEqual([
    expect.objectContaining({
      severity: 'error',
      upstream: false,
      file: `cluster-manifests/${file}`,
      path,
      range: expect.anything(),
      message: expect.stringContaining(words),
      help: expect.anything(),
    }),
  ]);
});
