import {
  adviseNodes,
  manifestFiles,
  parseZtpSiteOrThrow,
  renderZtpSite,
  shardedIngressController,
} from '@coreiso/nodes-config';
// Applies all recommended and rendered objects to the real API server: with coreiso's definitions of the kinds, which
// have the required fields and enumerations of the public types, and with a server-side apply that changes nothing.

import { goYaml, parseYaml, toPlain, valueOrThrow } from '@coreiso/diagnostics';
import { memberOf, textOf } from '@coreiso/peers/members';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithKube, KubeEngine } from '../../../../test/support/engines.ts';

import { definitionOf, KINDS } from './crds.ts';
import { siteText } from './example.ts';

const CORE: Readonly<Record<string, string>> = { Namespace: 'namespaces', ConfigMap: 'configmaps' };

/** The path of an object in the API. */
function pathOf(object: unknown): string {
  const [kind, name] = [textOf(object, 'kind'), textOf(object, 'metadata', 'name')];
  const namespace = textOf(object, 'metadata', 'namespace');
  const place = namespace === '' ? '' : `/namespaces/${namespace}`;
  const core = CORE[kind];
  if (core !== undefined) return `/api/v1${place}/${core}/${name}`;
  const known = KINDS.find((one) => one.kind === kind);
  if (known === undefined) throw new Error(`no definition of ${kind}`);
  return `/apis/${known.group}/${known.version}${place}/${known.plural}/${name}`;
}

function parsed(text: string): unknown {
  const [document] = parseYaml(text, { flavour: 'go' });
  const { root } = valueOrThrow(document);
  return root && toPlain(root, goYaml);
}

describeWithKube('server-side apply without effect', () => {
  let engine: KubeEngine;

  beforeAll(async () => {
    engine = await KubeEngine.start();
    for (const kind of KINDS) {
      const made = await engine.request(
        'POST',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        JSON.stringify(definitionOf(kind)),
      );
      expect(made.status, made.body).toBe(201);
    }
    for (const name of ['reef', 'multicluster-engine', 'openshift-ingress-operator']) {
      await engine.request('POST', '/api/v1/namespaces', JSON.stringify({ kind: 'Namespace', metadata: { name } }));
    }
    // The API serves a kind a moment after its definition.
    for (const { group, version, plural } of KINDS) {
      for (let tries = 0; tries < 100; tries++) {
        if ((await engine.request('GET', `/apis/${group}/${version}/${plural}`)).status === 200) break;
        await new Promise((done) => setTimeout(done, 100));
      }
    }
  }, 180_000);

  afterAll(async () => {
    await engine?.stop();
  }, 60_000);

  async function dryRun(text: string, path = pathOf(parsed(text))): Promise<{ status: number; body: string }> {
    const query = 'dryRun=All&fieldManager=coreiso&force=true&fieldValidation=Strict';
    return await engine.request('PATCH', `${path}?${query}`, text, 'application/apply-patch+yaml');
  }

  async function refusals(texts: Readonly<Record<string, string>>): Promise<string[]> {
    const found: string[] = [];
    for (const [name, text] of Object.entries(texts)) {
      const { status, body } = await dryRun(text);
      if (status !== 200 && status !== 201) found.push(`${name}: ${status} ${body}`);
    }
    return found;
  }

  test('accepts all objects that are rendered for a site with a remote worker, and its cluster\u2019s manifests', async () => {
    const files = renderZtpSite(parseZtpSiteOrThrow(siteText()));
    expect(await refusals(files)).toEqual([]);
    const inner = memberOf(parsed(files['12-extra-manifests.yaml'] ?? ''), 'data') as Record<string, string>;
    expect(Object.keys(inner)).toHaveLength(4);
    expect(await refusals(inner)).toEqual([]);
  });

  test('accepts all objects that advice recommends', async () => {
    const hosts = [{ name: 'far-0', path: ['hosts', 0], role: 'worker', network: undefined }];
    const facts = {
      platform: 'BareMetal',
      controlPlaneTopology: 'HighlyAvailable',
      apiVIPs: ['192.0.2.5'],
      ingressVIPs: ['192.0.2.6'],
      bareMetalHosts: [{ name: 'far-0', namespace: 'reef' }],
      watchAllNamespaces: false,
    };
    const files = manifestFiles(adviseNodes({ hosts }, facts, { day: 'install', remoteHosts: ['far-0'] }));
    const manifests = Object.fromEntries(Object.entries(files).filter(([name]) => name.endsWith('.yaml')));
    expect(Object.keys(manifests)).toHaveLength(5);
    expect(await refusals(manifests)).toEqual([]);
    const shard = shardedIngressController({
      name: 'far',
      domain: 'apps-far.reef.example.test',
      nodeLabels: { 'kubernetes.io/hostname': 'far-0' },
      routeLabels: { site: 'far' },
    });
    expect((await dryRun(JSON.stringify(shard))).status).toBe(201);
  });

  test.each<[string, string, (text: string) => string]>([
    [
      'a BareMetalHost that says not whether it is on',
      '16-baremetalhost-far-0.yaml',
      (t) => t.replace('  online: true\n', ''),
    ],
    [
      'a BareMetalHost without credentials',
      '16-baremetalhost-far-0.yaml',
      (t) => t.replace(/ {4}credentialsName.*\n/, ''),
    ],
    [
      'a way to clean that there is not',
      '16-baremetalhost-far-0.yaml',
      (t) => t.replace('Mode: disabled', 'Mode: never'),
    ],
    ['an InfraEnv without a pull secret', '14-infraenv.yaml', (t) => t.replace(/ {2}pullSecretRef:\n.*\n/, '')],
    [
      'an interface without an address',
      '15-nmstateconfig-far-0.yaml',
      (t) => t.replace(/ {2}- macAddress: .*\n {4}name/, '  - name'),
    ],
    [
      'a MAC address with dashes',
      '15-nmstateconfig-far-0.yaml',
      (t) => t.replace(/52:54:00:00:01:05/, '52-54-00-00-01-05'),
    ],
    [
      'a platform that there is not',
      '13-agentclusterinstall.yaml',
      (t) => t.replace('Type: BareMetal', 'Type: baremetal'),
    ],
    [
      'a cluster of unknown size',
      '13-agentclusterinstall.yaml',
      (t) => t.replace(/ {2}provisionRequirements:\n(?: {4}.*\n)+/, ''),
    ],
    [
      'a service without storage',
      '03-agentserviceconfig.yaml',
      (t) => t.replace(/ {2}databaseStorage:\n(?: {4}.*\n)+/, ''),
    ],
    ['a live image without an address', '03-agentserviceconfig.yaml', (t) => t.replace(/ {4}url: .*\n/, '')],
    [
      'a deployment without a platform',
      '11-clusterdeployment.yaml',
      (t) => t.replace(/ {2}platform:\n(?: {4}.*\n)+/, ''),
    ],
    ['an image set without an image', '10-clusterimageset.yaml', (t) => t.replace(/ {2}releaseImage: .*\n/, '  {}\n')],
    ['a provisioning network that there is not', '01-provisioning.yaml', (t) => `${t}  provisioningNetwork: None\n`],
  ])('refuses %s with 422', async (_, name, damage) => {
    const text = renderZtpSite(parseZtpSiteOrThrow(siteText()))[name] ?? '';
    const damaged = damage(text);
    expect(damaged).not.toBe(text);
    const { status, body } = await dryRun(damaged, pathOf(parsed(text)));
    expect([status, body]).toEqual([422, expect.stringContaining('"reason":"Invalid"')]);
  });
});
