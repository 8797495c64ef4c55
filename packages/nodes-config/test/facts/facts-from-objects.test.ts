import { type ClusterFacts, factsFromObjects, isUpstream, parseClusterFactsOrThrow } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

import { kubeObjects } from './kube-objects.ts';

const PLAIN: ClusterFacts = {
  version: '4.20.3',
  clusterId: 'an id',
  releaseImage: 'r.test/ocp:4.20.3',
  platform: 'BareMetal',
  apiServerUrl: 'https://api.reef.example.test:6443',
  pullSecret: '{"auths":{"q.test":{"auth":"YTpi"}}}',
};

const object = (kind: string, name: string, rest: object, namespace?: string): object => ({
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...rest,
});

/** The plain cluster with these objects; of the same kind and name, the later one counts. */
function cluster(...objects: object[]): unknown[] {
  const key = (one: object): string => {
    const { kind, metadata } = one as { kind: string; metadata?: { name?: string } };
    return `${kind}/${metadata?.name}`;
  };
  const plain = [...kubeObjects(PLAIN).values()].filter((one) => !objects.some((other) => key(other) === key(one)));
  return [...plain, ...objects];
}

const facts = (...objects: object[]): ClusterFacts => parseClusterFactsOrThrow(cluster(...objects));
const messages = (...objects: object[]): string[] =>
  factsFromObjects(cluster(...objects)).diagnostics.map(({ message }) => message);

const forbidden = (kind: string, name?: string): object => ({
  kind: 'Status',
  reason: 'Forbidden',
  message: `${kind} forbidden`,
  details: { kind, ...(name === undefined ? {} : { name }) },
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const installConfig = (text: string): object =>
  object('ConfigMap', 'cluster-config-v1', { data: { 'install-config': text } }, 'kube-system');

test('the plain facts of a cluster contain only values that it has', () => {
  expect(facts()).toEqual({ name: 'reef', nodes: [], proxy: {}, ...PLAIN });
});

test('the newest entry of the history counts', () => {
  const history = [
    { version: '4.21.0', image: 'r.test/new' },
    { version: '4.20.3', image: 'r.test/old' },
  ];
  const version = object('ClusterVersion', 'version', { spec: { clusterID: 'x' }, status: { history } });
  expect(facts(version)).toMatchObject({ version: '4.21.0', releaseImage: 'r.test/new' });
});

test('a history without entries is refused, and an entry without an image gives no release image', () => {
  const version = (history: object[]) => object('ClusterVersion', 'version', { status: { history } });
  expect(messages(version([]))).toContain('the history of ClusterVersion version is empty');
  expect(facts(version([{ version: '4.20.3' }]))).not.toHaveProperty('releaseImage');
});

describe('the proxy', () => {
  const proxy = (spec: object): ClusterFacts['proxy'] => facts(object('Proxy', 'cluster', { spec })).proxy;

  test('has the values of the spec, without empty ones', () => {
    expect(proxy({ httpProxy: 'http://a', httpsProxy: 'http://b', noProxy: 'c,d' })).toEqual({
      ...{ httpProxy: 'http://a', httpsProxy: 'http://b', noProxy: 'c,d' },
    });
    expect(proxy({ httpProxy: '', httpsProxy: '', noProxy: ' , ' })).toEqual({});
  });

  test('names every exception once, and repeats are reported', () => {
    const noProxy = ' a , b,a,,b,a,c';
    expect(proxy({ noProxy })).toEqual({ noProxy: 'a,b,c' });
    const { diagnostics } = factsFromObjects(cluster(object('Proxy', 'cluster', { spec: { noProxy } })));
    expect(diagnostics).toMatchObject([
      { severity: 'info', code: 'nodes-config/no-proxy', message: 'Duplicates detected in noProxy: [a b a]' },
    ]);
    expect(messages(object('Proxy', 'cluster', { spec: { noProxy: 'a,b' } }))).toEqual([]);
  });
});

describe('mirrors', () => {
  const entry = { source: 'a.test', mirrors: ['b.test', 7], sourcePolicy: 'NeverContactSource' };

  test.each([
    ['ImageDigestMirrorSet', 'imageDigestMirrors'],
    ['ImageContentSourcePolicy', 'repositoryDigestMirrors'],
  ] as const)('of %s objects keep their order, without their policy', (kind, key) => {
    const objects = ['x', 'y'].map((name) => object(kind, name, { spec: { [key]: [entry, { source: name }] } }));
    const plain = { source: 'a.test', mirrors: ['b.test'] };
    expect(facts(...objects)[key]).toEqual([plain, { source: 'x', mirrors: [] }, plain, { source: 'y', mirrors: [] }]);
  });

  test.each([
    ['imagedigestmirrorsets', 'imageDigestMirrors', 'imageDigestSources'],
    ['imagecontentsourcepolicies', 'repositoryDigestMirrors', 'imageContentSources'],
  ] as const)('come from the install config if listing is forbidden (%s)', (resource, key, fallback) => {
    const config = installConfig(JSON.stringify({ [fallback]: [entry, { source: 'c.test' }] }));
    const read = facts(forbidden(resource), config);
    expect(read[key]).toEqual([
      { source: 'a.test', mirrors: ['b.test'], sourcePolicy: 'NeverContactSource' },
      { source: 'c.test', mirrors: [] },
    ]);
    expect(facts(config)).not.toHaveProperty(key);
    expect(facts(forbidden(resource))).not.toHaveProperty(key);
  });
});

describe('settings of machine configs, or of the install config if reading is forbidden', () => {
  const SSH = '99-worker-ssh';
  const FIPS = '99-worker-fips';
  const CHRONY = '50-workers-chrony-configuration';
  const users = (list: object[]) => object('MachineConfig', SSH, { spec: { config: { passwd: { users: list } } } });
  const config = installConfig('sshKey: from the install config\nfips: true\n');

  test('the first key of the first user', () => {
    const core = { name: 'core', sshAuthorizedKeys: ['first', 'second'] };
    expect(facts(users([core, { name: 'x', sshAuthorizedKeys: ['third'] }])).sshKey).toBe('first');
    expect(facts(users([core]), config).sshKey).toBe('first');
  });

  test.each([
    ['no user', [], 'no user found'],
    ['a user without keys', [{ name: 'core' }], 'no SSH key found for user core'],
    ['a user with a key that is none', [{ name: 'core', sshAuthorizedKeys: [7] }], 'no SSH key found for user core'],
  ])('%s is refused', (_, list, reason) => {
    expect(messages(users(list))).toEqual([`cannot retrieve SSH key from machineconfig/99-worker-ssh: ${reason}`]);
  });

  test('the key of the install config, if the machine config is forbidden', () => {
    expect(facts(forbidden('machineconfigs', SSH), config)).toMatchObject({ sshKey: 'from the install config' });
    expect(facts(forbidden('machineconfigs', SSH), config)).not.toHaveProperty('fips');
    expect(facts(forbidden('machineconfigs', SSH))).not.toHaveProperty('sshKey');
    expect(facts(config)).not.toHaveProperty('sshKey');
  });

  test('FIPS mode, from either', () => {
    const fips = (value: unknown) => object('MachineConfig', FIPS, { spec: { fips: value } });
    expect(facts(fips(true))).toMatchObject({ fips: true });
    expect(facts(fips('true'))).not.toHaveProperty('fips');
    expect(facts(fips(false))).not.toHaveProperty('fips');
    expect(facts(forbidden('machineconfigs', FIPS), config)).toMatchObject({ fips: true });
    expect(facts(forbidden('machineconfigs', FIPS), installConfig('fips: false\n'))).not.toHaveProperty('fips');
  });

  test.each<[string, object[], string]>([
    [
      'no install config',
      [object('ConfigMap', 'cluster-config-v1', { data: {} }, 'kube-system')],
      'cannot find install-config data',
    ],
    [
      'one that is no text',
      [object('ConfigMap', 'cluster-config-v1', { data: { 'install-config': 7 } })],
      'cannot find install-config data',
    ],
    ['one that is no YAML', [installConfig('a: [b')], 'yaml: '],
  ])('%s is refused only if it is needed', (_, objects, reason) => {
    expect(messages(forbidden('machineconfigs', SSH), ...objects)).toEqual([expect.stringContaining(reason)]);
    expect(messages(...objects)).toEqual([]);
  });

  test('the time servers, if the config contains their text', () => {
    const chrony = (files: object[]) => object('MachineConfig', CHRONY, { spec: { config: { storage: { files } } } });
    const file = { path: '/etc/chrony.conf', contents: { source: `data:;base64,${base64('server x\n')}` } };
    expect(facts(chrony([{ path: '/etc/other' }, file])).chronyConf).toBe('server x\n');
    expect(facts(forbidden('machineconfigs', CHRONY), chrony([file]))).not.toHaveProperty('chronyConf');
    expect(messages(chrony([{ path: '/etc/other' }]))).toEqual([]);
    for (const contents of [{ source: 'https://x.test' }, { ...file.contents, compression: 'gzip' }, {}]) {
      const outcome = factsFromObjects(cluster(chrony([{ ...file, contents }])));
      expect(outcome).toMatchObject({ ok: true, diagnostics: [{ severity: 'warning', code: 'nodes-config/chrony' }] });
      expect(outcome.ok && outcome.value).not.toHaveProperty('chronyConf');
    }
  });
});

describe('trust', () => {
  const image = (spec: object) => object('Image', 'cluster', { spec });
  const map = object(
    'ConfigMap',
    'mine',
    { data: { 'a.test..5000': 'PEM a', 'b.test': 'PEM b', bad: 7 } },
    'openshift-config',
  );

  test('in registries comes from the image config', () => {
    const trusting = image({
      additionalTrustedCA: { name: 'mine' },
      registrySources: { insecureRegistries: ['c.test', 7] },
    });
    expect(facts(trusting, map)).toMatchObject({
      registryTrust: { 'a.test:5000': 'PEM a', 'b.test': 'PEM b' },
      insecureRegistries: ['c.test'],
    });
    expect(facts(trusting)).not.toHaveProperty('registryTrust');
    const silent = facts(image({}), map);
    expect(silent).not.toHaveProperty('registryTrust');
    expect(silent).not.toHaveProperty('insecureRegistries');
  });

  test('in registries reads only the first `..` of a name as a colon', () => {
    const odd = object('ConfigMap', 'mine', { data: { 'a..b..c': 'PEM' } }, 'openshift-config');
    expect(facts(image({ additionalTrustedCA: { name: 'mine' } }), odd).registryTrust).toEqual({ 'a:b..c': 'PEM' });
  });

  test('is read from the config map of the cluster, in its own namespace', () => {
    const bundle = (namespace: string) =>
      object('ConfigMap', 'user-ca-bundle', { data: { 'ca-bundle.crt': 'PEM' } }, namespace);
    expect(facts(bundle('openshift-config')).trustBundle).toBe('PEM');
    expect(facts(bundle('elsewhere'))).not.toHaveProperty('trustBundle');
  });
});

describe('the user data of workers', () => {
  const secret = (text: string) =>
    object('Secret', 'worker-user-data-managed', { data: { userData: base64(text) } }, 'openshift-machine-api');

  test('is an Ignition config, or none', () => {
    const config = { ignition: { version: '3.2.0' }, storage: {} };
    expect(facts(secret(JSON.stringify(config))).workerUserData).toEqual(config);
    expect(facts(secret('{"ignition":7}'))).not.toHaveProperty('workerUserData');
    expect(facts(secret('[]'))).not.toHaveProperty('workerUserData');
  });

  test('that is not JSON is refused without quoting it', () => {
    expect(messages(secret('x'))).toEqual(["invalid character '<redacted>' looking for beginning of value"]);
    expect(messages(secret(''))).toEqual(['unexpected end of JSON input']);
  });
});

test('nodes are masters if they have the label', () => {
  const node = (name: string, labels?: object) => ({
    kind: 'Node',
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    status: { nodeInfo: { architecture: 'amd64' }, addresses: [{ type: 'Hostname', address: name }] },
  });
  const nodes = facts(node('a', { 'node-role.kubernetes.io/master': '' }), node('b', { x: 'y' }), node('c')).nodes;
  const addresses = (name: string) => [{ type: 'Hostname', address: name }];
  expect(nodes).toEqual([
    {
      name: 'a',
      architecture: 'amd64',
      master: true,
      addresses: addresses('a'),
      labels: { 'node-role.kubernetes.io/master': '' },
    },
    { name: 'b', architecture: 'amd64', master: false, addresses: addresses('b'), labels: { x: 'y' } },
    { name: 'c', architecture: 'amd64', master: false, addresses: addresses('c') },
  ]);
});

test('a release is multi-architecture only if it says so', () => {
  const version = (architecture?: string) =>
    object('ClusterVersion', 'version', { status: { history: [{ version: '4.20.3' }], desired: { architecture } } });
  expect(facts(version('Multi')).multiArchitecture).toBe(true);
  expect(facts(version('x86_64'))).not.toHaveProperty('multiArchitecture');
});

test('pull secrets in base64 may have line ends, and other text counts as empty', () => {
  const secret = (text: string) =>
    object('Secret', 'pull-secret', { data: { '.dockerconfigjson': text } }, 'openshift-config');
  const lines = base64(PLAIN.pullSecret ?? '').replace(/.{8}/g, '$&\n');
  expect(facts(secret(lines)).pullSecret).toBe(PLAIN.pullSecret);
  expect(facts(secret('?')).pullSecret).toBe('');
});

test('an address that does not name the cluster leaves it without a name', () => {
  const infrastructure = object('Infrastructure', 'cluster', {
    spec: { platformSpec: { type: 'None' } },
    status: { apiServerURL: 'https://192.0.2.1:6443' },
  });
  expect(factsFromObjects(cluster(infrastructure))).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'nodes-config/api-server-url' }],
  });
});

test('the installer reports the first of several missing objects, coreiso reports all', () => {
  const { diagnostics } = factsFromObjects([]);
  expect(diagnostics.map((one) => [one.message, isUpstream(one)]).slice(0, 3)).toEqual([
    ['clusterversions.config.openshift.io "version" not found', true],
    ['proxies.config.openshift.io "cluster" not found', false],
    ['secrets "pull-secret" not found', false],
  ]);
});
