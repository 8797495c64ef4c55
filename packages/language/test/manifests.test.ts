// Manifests in one folder: rules about several of them, shown in the one that has to change.
import { Workspace } from '@coreiso/language';
import { parseInstallFiles, renderManifests } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const ROOT = 'file:///site/';
const release = { version: '4.20.3', image: 'quay.io/ocp/release:4.20.3-x86_64' };

function manifests(): Record<string, string> {
  const site = parseInstallFiles({
    installConfig: `apiVersion: v1
baseDomain: example.test
metadata: {name: reef}
controlPlane: {replicas: 1}
compute: [{name: worker, replicas: 0}]
networking: {machineNetwork: [{cidr: 192.0.2.0/24}]}
platform: {none: {}}
pullSecret: '{"auths":{"a.test":{"auth":"dTpodW50ZXIy"}}}'
`,
    agentConfig: `apiVersion: v1beta1
rendezvousIP: 192.0.2.9
hosts:
- interfaces: [{name: eth0, macAddress: '52:54:00:00:00:01'}]
  networkConfig: {interfaces: [{name: eth0, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}}]}
`,
  });
  if (!site.ok) throw new Error(site.diagnostics[0]?.message);
  return { ...renderManifests(site.value, release).files };
}

const at = (name: string): string => `${ROOT}cluster-manifests/${name}.yaml`;

/** Lines with findings in the only open file, with the others on the disk. */
async function found(files: Readonly<Record<string, string>>, name: string): Promise<string[]> {
  const workspace = new Workspace({ readFile: (uri) => files[uri.slice(ROOT.length)] });
  const text = files[`cluster-manifests/${name}.yaml`] ?? '';
  await workspace.open(at(name), text);
  const findings = await workspace.findings(at(name));
  expect(JSON.stringify(findings)).not.toContain('dTpodW50ZXIy');
  return findings.map(({ code, range }) => `${code} ${text.split('\n')[(range?.start.line ?? 0) - 1]?.trim()}`);
}

function edited(name: string, from: string | RegExp, to: string): Record<string, string> {
  const files = manifests();
  const path = `cluster-manifests/${name}.yaml`;
  const text = (files[path] ?? '').replace(from, to);
  expect(text).not.toBe(files[path]);
  return { ...files, [path]: text };
}

describe('manifests of one folder', () => {
  test.each([
    'agent-cluster-install',
    'cluster-deployment',
    'cluster-image-set',
    'infraenv',
    'nmstateconfig',
    'pull-secret',
  ])('%s has no findings if all fit together', async (name) => {
    expect(await found(manifests(), name)).toEqual([]);
  });

  test('have findings in files whose own kind is unknown', async () => {
    const files = edited('agent-cluster-install', 'controlPlaneAgents: 1', 'controlPlaneAgents: one');
    const [finding] = await found(files, 'agent-cluster-install');
    expect(finding).toMatch(/ controlPlaneAgents: one$/);
    expect(await found(files, 'cluster-deployment')).toEqual([]);
  });

  test('report host labels that the selector does not match', async () => {
    const files = edited(
      'infraenv',
      /nmStateConfigLabelSelector:[\s\S]*/,
      'nmStateConfigLabelSelector: {matchLabels: {site: other}}\n',
    );
    const lines = await found(files, 'infraenv');
    expect(lines).toEqual(['nodes-config/labels nmStateConfigLabelSelector: {matchLabels: {site: other}}']);
  });

  test('are each checked alone if none names the release', async () => {
    const { 'cluster-manifests/cluster-image-set.yaml': _, ...files } = edited(
      'agent-cluster-install',
      'controlPlaneAgents: 1',
      'controlPlaneAgents: one',
    );
    expect(await found(files, 'agent-cluster-install')).toEqual([]);
  });

  test('use the text of open files, and are related to each other', async () => {
    const files = manifests();
    const workspace = new Workspace({ readFile: (uri) => files[uri.slice(ROOT.length)] });
    const name = 'agent-cluster-install';
    const broken = (files[`cluster-manifests/${name}.yaml`] ?? '').replace(
      'controlPlaneAgents: 1',
      'controlPlaneAgents: one',
    );
    await workspace.open(at(name), broken);
    await workspace.open(at('infraenv'), files['cluster-manifests/infraenv.yaml'] ?? '');
    await workspace.open('file:///elsewhere/cluster-manifests/infraenv.yaml', '');
    expect(await workspace.findings(at(name))).not.toEqual([]);
    expect(await workspace.related(at(name))).toEqual([at('infraenv')]);
    expect(await workspace.related(at('infraenv'))).toEqual([at(name)]);
  });
});
