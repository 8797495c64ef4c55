import { parseInstallFiles, readDirectory, renderManifests } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const release = { version: '4.20.3', image: 'quay.io/ocp/release@sha256:55' };
const SOURCES = {
  installConfig: `apiVersion: v1
baseDomain: example.test
metadata: {name: reef}
controlPlane: {replicas: 1}
compute: [{name: worker, replicas: 0}]
platform: {none: {}}
pullSecret: '{"auths":{"a.test":{"auth":"eDp5"}}}'
`,
  agentConfig: 'apiVersion: v1beta1\nrendezvousIP: 10.0.0.9\n',
};

function manifests(): Record<string, string> {
  const site = parseInstallFiles(SOURCES);
  if (!site.ok) throw new Error(site.diagnostics[0]?.message);
  return { ...renderManifests(site.value, release).files };
}

const errorsOf = (files: Record<string, string>, previous?: typeof SOURCES) =>
  readDirectory(files, { release, previous }).diagnostics.filter(({ severity }) => severity === 'error');

test('manifests that were written before are used unchanged', () => {
  expect(readDirectory(manifests(), { release, previous: SOURCES })).toMatchObject({
    ok: true,
    value: { rendezvousAddress: '10.0.0.9', domain: 'reef.example.test' },
  });
});

test('an edited manifest is kept if the install config has not changed since', () => {
  const path = 'cluster-manifests/agent-cluster-install.yaml';
  const files = manifests();
  const edited = { ...files, [path]: (files[path] ?? '').replace('controlPlaneAgents: 1', 'controlPlaneAgents: 3') };
  const all = { ...edited, 'install-config.yaml': SOURCES.installConfig, 'agent-config.yaml': SOURCES.agentConfig };
  const outcome = readDirectory(all, { release, previous: SOURCES });
  expect(outcome).toMatchObject({ ok: true, value: { clusterInstall: { counts: { controlPlane: 3 } } } });
  expect(outcome.diagnostics).toEqual([]);
});

test('every missing file of an empty directory is reported, the first one in the installer\u2019s words', () => {
  const [first, ...rest] = errorsOf({});
  expect(first).toMatchObject({ file: 'cluster-manifests/pull-secret.yaml', upstream: true });
  expect(rest.every(({ upstream }) => !upstream)).toBe(true);
});

test.each([
  ['quay.io/ocp/release:4.20.3-x86_64', 1],
  ['quay.io/ocp/release@sha256:55', 0],
  ['quay.io/ocp/other:4.20.3-x86_64', 0],
])('a release that is named by its tag is reported, because mirrors do not apply to it: %s', (image, count) => {
  const installConfig = `${SOURCES.installConfig}imageDigestSources:
- source: quay.io/ocp/release
  mirrors: [a.test/ocp]
`;
  const files = { 'install-config.yaml': installConfig, 'agent-config.yaml': SOURCES.agentConfig };
  const { diagnostics } = readDirectory(files, { release: { ...release, image } });
  const told = diagnostics.filter(({ message }) => message.includes('named by its tag'));
  expect(told.length).toBe(count);
  if (count === 0) return;
  expect(told[0]).toMatchObject({
    severity: 'warning',
    file: 'install-config.yaml',
    path: ['imageDigestSources', 0, 'source'],
    message: expect.stringContaining('fetches it from quay.io, not from a.test/ocp:4.20.3-x86_64'),
    help: expect.stringContaining('quay.io/ocp/release@sha256:…'),
  });
});

describe('extra manifests', () => {
  test('a Node object is refused with the reason', () => {
    const files = { ...manifests(), 'openshift/n.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n' };
    expect(errorsOf(files, SOURCES)).toMatchObject([{ file: 'openshift/n.yaml', upstream: false }]);
  });

  test('a name that is invalid for a file of an image is refused', () => {
    const broken = { ...manifests(), 'openshift/a\nb.yaml': 'kind: ConfigMap\n' };
    expect(errorsOf(broken, SOURCES)).toMatchObject([
      { message: 'invalid file name "a\\nb-0.yaml": it has a control character', upstream: false },
    ]);
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
  ['proxy', { httpProxy: 'http://p.test\n[Service]' }, ['proxy', 'httpProxy'], 'it has a line end'],
  ['additionalNTPSources', ['a.test', 'b.test\0'], ['additionalNTPSources', 1], 'it has a NUL character'],
])('%s of an InfraEnv cannot add a line to a file of the live system', (key, value, at, fault) => {
  const path = 'cluster-manifests/infraenv.yaml';
  const text = (manifests()[path] ?? '').replace('spec:\n', `spec:\n  ${key}: ${JSON.stringify(value)}\n`);
  expect(errorsOf({ ...manifests(), [path]: text }, SOURCES)).toMatchObject([
    { code: 'nodes-config/line-break', file: path, path: ['spec', ...at], message: expect.stringContaining(fault) },
  ]);
});

test('a negative number of machines is refused at its place', () => {
  const path = 'cluster-manifests/agent-cluster-install.yaml';
  const text = (manifests()[path] ?? '').replace('controlPlaneAgents: 1', 'controlPlaneAgents: -1');
  expect(errorsOf({ ...manifests(), [path]: text }, SOURCES)).toMatchObject([
    { code: 'nodes-config/machine-count', path: ['spec', 'provisionRequirements', 'controlPlaneAgents'] },
  ]);
});

test.each([
  ['an unclosed table', '[[registry]\n', 1],
  ['no value', 'unqualified-search-registries =\n', 1],
  ['a value that is none', 'a = "b"\nlocation = quay.io\n', 2],
])('registries.conf with %s is refused at its line', (_, text, line) => {
  const [error] = errorsOf({ ...manifests(), 'mirror/registries.conf': text }, SOURCES);
  expect(error).toMatchObject({ file: 'mirror/registries.conf', help: expect.stringContaining(`line ${line}:`) });
});

test('a second document gets a warning, and no message contains the pull secret', () => {
  const path = 'cluster-manifests/pull-secret.yaml';
  const broken = 'stringData:\n  .dockerconfigjson: "{hunter2"\n---\nkind: Other\n';
  const { diagnostics } = readDirectory({ ...manifests(), [path]: broken }, { release, previous: SOURCES });
  expect(diagnostics.filter(({ file }) => file === path).map(({ code }) => code)).toContain(
    'nodes-config/ignored-document',
  );
  expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
});

describe('mirrors of the release image', () => {
  const entry = (location: string, mirror: string) =>
    `[[registry]]\nlocation = "${location}"\n${mirror === '' ? '' : `[[registry.mirror]]\nlocation = "${mirror}"\n`}`;
  const read = (text: string) =>
    readDirectory({ ...manifests(), 'mirror/registries.conf': text }, { release, previous: SOURCES });

  test('are reported as missing if there are only mirrors of other images', () => {
    expect(read(entry('other.test/x', 'm.test/x')).diagnostics).toMatchObject([
      {
        severity: 'warning',
        message: `mirror/registries.conf should have an entry matching the releaseImage ${release.image}`,
      },
    ]);
    expect(read(entry('quay.io/ocp/release', 'm.test/x'))).toMatchObject({ ok: true, diagnostics: [] });
  });

  test('cannot be an empty list: the installer would crash', () => {
    expect(read(entry('quay.io/ocp/release', ''))).toMatchObject({ ok: false, diagnostics: [{ upstream: false }] });
  });
});

describe('a new install config in a directory with remembered files', () => {
  const host = (network: string) =>
    `apiVersion: v1beta1\nrendezvousIP: 10.0.0.9\nhosts:\n- interfaces: [{name: eno1, macAddress: "52:54:00:aa:00:01"}]\n${network}`;
  const installConfig = SOURCES.installConfig.replace('reef', 'shoal');

  test.each([
    ['a host without a network', host(''), 'nodes-config/forgotten-network'],
    ['no hosts', SOURCES.agentConfig, undefined],
  ])('and %s', (_, agentConfig, code) => {
    const outcome = readDirectory(
      { 'install-config.yaml': installConfig },
      { release, previous: { ...SOURCES, agentConfig } },
    );
    expect(outcome.diagnostics.find(({ severity }) => severity === 'error')?.code).toBe(code);
  });

  test.each([
    ['which the installer cannot read', `${installConfig}fips: [`, 0],
    ['with hosts that it refuses afterwards', installConfig, 7],
  ])('%s', (_, text, discarded) => {
    const files = { ...manifests(), 'install-config.yaml': text, 'agent-config.yaml': host('').replace('aa', 'zz') };
    const { ok, diagnostics } = readDirectory(files, { release, previous: SOURCES });
    expect(ok).toBe(false);
    const told = diagnostics.filter(({ code, upstream }) => code === 'nodes-config/discarded' && upstream);
    expect(told).toHaveLength(discarded);
    expect(diagnostics.some(({ severity, upstream }) => severity === 'error' && upstream)).toBe(true);
  });

  test('the installer reports discarded manifests before it fails at hosts without a network', () => {
    const files = { ...manifests(), 'install-config.yaml': installConfig };
    const { diagnostics } = readDirectory(files, { release, previous: { ...SOURCES, agentConfig: host('') } });
    expect(diagnostics.filter(({ upstream }) => upstream).map(({ code }) => code)).toEqual([
      ...new Array<string>(7).fill('nodes-config/discarded'),
      'nodes-config/forgotten-network',
    ]);
  });
});

test.each([
  ['- a\n', 'array'],
  ['just text\n', 'string'],
])('extra manifests that are not maps are refused in the installer\u2019s words: %j', (text, kind) => {
  const path = 'openshift/m.yaml';
  expect(errorsOf({ ...manifests(), [path]: text }, SOURCES)).toMatchObject([
    {
      upstream: true,
      message: `could not decode YAML for ${path}: Error reading multiple YAMLs: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go value of type image.unstructured`,
    },
  ]);
});

test('other fields of an AgentClusterInstall are kept when it is written again', () => {
  const path = 'cluster-manifests/agent-cluster-install.yaml';
  const files = manifests();
  const more = `  ignitionEndpoint:\n    url: https://a.test\n  loadBalancer:\n    type: UserManaged\n  manifestsConfigMapRefs:\n  - name: more\n`;
  const status =
    'status:\n  conditions:\n  - type: Completed\n  debugInfo:\n    eventsURL: https://a.test\n    logsURL: ""\n';
  const text = (files[path] ?? '').replace('spec:\n', `spec:\n${more}`).replace(/status:.*$/s, status);
  const outcome = readDirectory({ ...files, [path]: text }, { release, previous: SOURCES });
  const written = outcome.ok ? outcome.value.manifests['agent-cluster-install.yaml'] : '';
  for (const line of more.trimEnd().split('\n')) expect(written).toContain(`${line}\n`);
  expect(written?.endsWith(`${status}  progress:\n    totalPercentage: 0\n`)).toBe(true);
});

test.each([
  ['{enableOn: all}', 'spec.diskEncryption.mode: Unsupported value: "null": supported values: "tpmv2", "tang"'],
])('disk encryption %s is refused as incomplete', (value, message) => {
  const path = 'cluster-manifests/agent-cluster-install.yaml';
  const files = manifests();
  const text = (files[path] ?? '').replace('spec:\n', `spec:\n  diskEncryption: ${value}\n`);
  expect(errorsOf({ ...files, [path]: text }, SOURCES)).toMatchObject([{ message, upstream: true }]);
});

test('the installer reports an error of networks and stops before it checks the platform', () => {
  const path = 'cluster-manifests/agent-cluster-install.yaml';
  const files = manifests();
  const text = (files[path] ?? '')
    .replace('hostPrefix: 23', 'hostPrefix: 30')
    .replace('platformType: None', 'platformType: AWS');
  expect(errorsOf({ ...files, [path]: text }, SOURCES).map(({ code, upstream }) => `${code} ${upstream}`)).toEqual([
    'nodes-config/network true',
    'nodes-config/platform false',
  ]);
});
