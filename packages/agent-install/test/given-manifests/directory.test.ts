import { parseSite, readDirectory, renderManifests } from '@coreiso/agent-install';
import { describe, expect, test } from 'vitest';

const release = { version: '4.20.3', image: 'quay.io/ocp/release@sha256:55' };
const SOURCES = {
  installConfig: `apiVersion: v1
baseDomain: example.test
metadata: {name: reef}
controlPlane: {replicas: 1}
compute: [{name: worker, replicas: 0}]
platform: {none: {}}
pullSecret: '{"auths":{"a.test":{"auth":"eA=="}}}'
`,
  agentConfig: 'apiVersion: v1beta1\nrendezvousIP: 10.0.0.9\n',
};

function manifests(): Record<string, string> {
  const site = parseSite(SOURCES);
  if (!site.ok) throw new Error(site.diagnostics[0]?.message);
  return { ...renderManifests(site.value, release).files };
}

const errorsOf = (files: Record<string, string>, previous?: typeof SOURCES) =>
  readDirectory(files, { release, previous }).diagnostics.filter(({ severity }) => severity === 'error');

test('manifests that were written before are taken as they are', () => {
  expect(readDirectory(manifests(), { release, previous: SOURCES })).toMatchObject({
    ok: true,
    value: { rendezvousAddress: '10.0.0.9', domain: 'reef.example.test' },
  });
});

test('an install config that has not changed since does not discard an edited manifest', () => {
  const path = 'cluster-manifests/agent-cluster-install.yaml';
  const files = manifests();
  const edited = { ...files, [path]: (files[path] ?? '').replace('controlPlaneAgents: 1', 'controlPlaneAgents: 3') };
  const all = { ...edited, 'install-config.yaml': SOURCES.installConfig, 'agent-config.yaml': SOURCES.agentConfig };
  const outcome = readDirectory(all, { release, previous: SOURCES });
  expect(outcome).toMatchObject({ ok: true, value: { clusterInstall: { counts: { controlPlane: 3 } } } });
  expect(outcome.diagnostics).toEqual([]);
});

test('an empty directory is told of by every file that is missing, the first in the words of the installer', () => {
  const [first, ...rest] = errorsOf({});
  expect(first).toMatchObject({ file: 'cluster-manifests/pull-secret.yaml', upstream: true });
  expect(rest.every(({ upstream }) => !upstream)).toBe(true);
});

describe('extra manifests', () => {
  test('a Node is refused with the reason', () => {
    const files = { ...manifests(), 'openshift/n.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n' };
    expect(errorsOf(files, SOURCES)).toMatchObject([{ file: 'openshift/n.yaml', upstream: false }]);
  });

  test('empty documents do not count, and keys are sorted', () => {
    const text = '---\n# nothing\n---\nkind: A\napiVersion: v1\n---\nkind: B\n';
    const outcome = readDirectory({ ...manifests(), 'openshift/m.yml': text }, { release, previous: SOURCES });
    expect(outcome.ok && outcome.value.extraManifests).toEqual({
      'm-0.yml': 'apiVersion: v1\nkind: A\n',
      'm-1.yml': 'kind: B\n',
    });
  });
});

test.each([
  ['an unclosed table', '[[registry]\n', 1],
  ['no value', 'unqualified-search-registries =\n', 1],
  ['a value that is none', 'a = "b"\nlocation = quay.io\n', 2],
])('registries.conf with %s is refused by its line', (_, text, line) => {
  const [error] = errorsOf({ ...manifests(), 'mirror/registries.conf': text }, SOURCES);
  expect(error).toMatchObject({ file: 'mirror/registries.conf', cure: expect.stringContaining(`line ${line}:`) });
});

test('a further document is warned of, and no message holds the pull secret', () => {
  const path = 'cluster-manifests/pull-secret.yaml';
  const broken = 'stringData:\n  .dockerconfigjson: "{hunter2"\n---\nkind: Other\n';
  const { diagnostics } = readDirectory({ ...manifests(), [path]: broken }, { release, previous: SOURCES });
  expect(diagnostics.filter(({ file }) => file === path).map(({ code }) => code)).toContain(
    'nodes-config/ignored-document',
  );
  expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
});
