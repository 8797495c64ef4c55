import type * as Diagnostics from '@coreiso/diagnostics';
import { type ClusterDirectory, makeManifests, readDirectory } from '@coreiso/nodes-config';
import { beforeEach, expect, test, vi } from 'vitest';

const parsed: string[] = [];

vi.mock('@coreiso/diagnostics', async (original) => {
  const real = await original<typeof Diagnostics>();
  const parseYaml: typeof real.parseYaml = (text, options) => {
    parsed.push(text);
    return real.parseYaml(text, options);
  };
  return { ...real, parseYaml };
});

const release = { version: '4.20.3', image: 'quay.io/ocp/release@sha256:55' };
const previous = {
  installConfig: `apiVersion: v1
baseDomain: example.test
metadata: {name: reef}
controlPlane: {replicas: 1}
compute: [{name: worker, replicas: 0}]
platform: {none: {}}
pullSecret: '{"auths":{"a.test":{"auth":"eDp5"}}}'
`,
  agentConfig: `apiVersion: v1beta1
rendezvousIP: 10.0.0.9
hosts:
- hostname: m
  interfaces: [{name: eth0, macAddress: "52:54:00:00:00:09"}]
  networkConfig: {interfaces: [{name: eth0, type: ethernet, state: up}]}
`,
};
const inputs = { 'install-config.yaml': previous.installConfig, 'agent-config.yaml': previous.agentConfig };

const ONCE = [previous.installConfig, previous.agentConfig];

function made(): Record<string, string> {
  const outcome = makeManifests(inputs, { release });
  if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
  return { ...outcome.value.files };
}

/** A network without its text positions. */
function shown({ name, namespace, labels, interfaces, config }: ClusterDirectory['networks'][number]): object {
  const rows = interfaces.map((each) => [each.name, each.macAddress]);
  return { name, namespace, labels, rows, text: config?.text, profiles: config?.profiles };
}

beforeEach(() => {
  parsed.length = 0;
});

test('manifests that are made for an image are not parsed', () => {
  expect(readDirectory(inputs, { release })).toMatchObject({ ok: true, diagnostics: [] });
  expect(parsed).toEqual(ONCE);
});

test('manifests that were written before and not edited are not parsed', () => {
  const files = made();
  parsed.length = 0;
  const outcome = readDirectory({ ...files, ...inputs }, { release, previous });
  expect(outcome).toMatchObject({ ok: true, diagnostics: [] });
  expect(parsed).toEqual(ONCE);
});

test('each edited manifest is parsed once', () => {
  const path = 'cluster-manifests/agent-cluster-install.yaml';
  const files = made();
  const edited = (files[path] ?? '').replace('controlPlaneAgents: 1', 'controlPlaneAgents: 3');
  parsed.length = 0;
  const outcome = readDirectory({ ...files, ...inputs, [path]: edited }, { release, previous });
  expect(outcome).toMatchObject({ ok: true, value: { clusterInstall: { counts: { controlPlane: 3 } } } });
  expect(parsed).toEqual([...ONCE, edited]);
});

test('manifests that are made give the same values as their texts', () => {
  const commented = Object.entries(made()).map(([path, text]) => [
    path,
    path.endsWith('.yaml') ? `# read\n${text}` : text,
  ]);
  const fromValues = readDirectory(inputs, { release });
  const fromTexts = readDirectory({ ...Object.fromEntries(commented), ...inputs }, { release, previous });
  if (!fromValues.ok || !fromTexts.ok) throw new Error('refused');
  const { clusterInstall, infraEnv, domain, pullSecret, networks } = fromValues.value;
  expect(fromTexts.value).toMatchObject({ clusterInstall, infraEnv, domain, pullSecret });
  expect(networks.map(shown)).toEqual(fromTexts.value.networks.map(shown));
});
