import { parseClusterFacts, parseClusterFactsOrThrow } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

/** Every fact that can be stored, with a value of its type. */
const EVERY_FACT = {
  name: 'reef',
  clusterId: 'an id',
  version: '4.20.3',
  releaseImage: 'r.test/ocp:4.20.3',
  platform: 'None',
  apiServerUrl: 'https://api.reef.example.test:6443',
  pullSecret: '{}',
  nodes: [
    {
      name: 'a',
      architecture: 'amd64',
      master: true,
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
      labels: { zone: 'x' },
      networks: [{ address: '192.0.2.1/24', mtu: 1500, vlan: 0 }],
    },
  ],
  proxy: { httpProxy: 'http://p.test', httpsProxy: 'http://p.test', noProxy: '.test' },
  imageDigestMirrors: [{ source: 'a.test', mirrors: ['b.test'], sourcePolicy: 'NeverContactSource' }],
  repositoryDigestMirrors: [{ source: 'a.test', mirrors: ['b.test'], sourcePolicy: 'NeverContactSource' }],
  trustBundle: 'PEM',
  workerUserData: { ignition: { version: 7 }, storage: { files: 7 }, systemd: { units: 7 }, passwd: { users: 7 } },
  sshKey: 'a key',
  fips: false,
  chronyConf: 'server x',
  registryTrust: { 'r.test': 'PEM' },
  insecureRegistries: ['r.test'],
  multiArchitecture: true,
  machineConfigAuthority: 'PEM',
  internalRegistry: 'api-int.reef.example.test:22625',
  controlPlaneTopology: 'SingleReplica',
  infrastructureTopology: 'SingleReplica',
  apiServerInternalUrl: 'https://api-int.reef.example.test:6443',
  apiVIPs: ['192.0.2.5'],
  ingressVIPs: ['192.0.2.6'],
  loadBalancer: 'UserManaged',
  machineNetworks: ['192.0.2.0/24'],
  serviceNetworks: ['172.30.0.0/16'],
  networkType: 'OVNKubernetes',
  clusterNetworkMtu: 1400,
  ingress: { domain: 'apps.reef.example.test', defaultPlacement: 'Workers' },
  ingressControllers: [
    {
      name: 'default',
      domain: 'apps.reef.example.test',
      replicas: 2,
      nodeLabels: { zone: 'x' },
      nodeExpressions: [{ key: 'zone', operator: 'In', values: ['x'] }],
      isShard: true,
      publishing: 'HostNetwork',
      dnsManaged: false,
    },
  ],
  egressIPs: [{ name: 'e', addresses: ['192.0.2.7'], assigned: { '192.0.2.7': 'a' } }],
  machineConfigPools: [{ name: 'worker', nodeLabels: { zone: 'x' }, sources: ['00-worker'], osStream: 'rhel-10' }],
  osStream: 'rhel-10',
  bootImages: [{ stream: 'rhel-10', architecture: 'x86_64', location: 'https://a.test/x.iso', sha256: 'a' }],
  bareMetalHosts: [{ name: 'b', namespace: 'n' }],
  watchAllNamespaces: true,
  controlPlaneDnsmasq: true,
  dnsRecords: { 'api.reef.example.test': ['192.0.2.5'] },
};

type Path = readonly (string | number)[];

/** Parts of the Ignition config, of which only the first level is checked. */
const isDeep = (path: Path): boolean => path[0] === 'workerUserData' && path.length > 2;

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return [path, ...inner].filter((one) => !isDeep(one));
}

function written(path: Path): string {
  return path.reduce<string>((text, step) => {
    return typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`;
  }, '');
}

function valueAt(path: Path): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], EVERY_FACT);
}

/** All facts with another value at one place; undefined removes the member. */
function changed(path: Path, value: unknown): object {
  const copy = structuredClone(EVERY_FACT) as unknown as Record<string | number, unknown>;
  const parent = path.slice(0, -1).reduce((at, step) => at[step] as typeof copy, copy);
  const last = path.at(-1) ?? '';
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

function wanted(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  const names: Record<string, string> = {
    string: 'text',
    boolean: 'true or false',
    number: 'a number',
    object: 'a map',
  };
  return names[typeof value] ?? '';
}

const PATHS = pathsOf(EVERY_FACT).filter((path) => path.length > 0);
const cases = PATHS.map((path) => ({ where: written(path), path }));

test('every fact with a value of its type is accepted unchanged', () => {
  expect(parseClusterFacts(EVERY_FACT)).toEqual({ ok: true, value: EVERY_FACT, diagnostics: [] });
  expect(cases.length).toBeGreaterThan(100);
});

describe('a fact of another type is refused at its place', () => {
  test.each(cases)('$where', ({ where, path }) => {
    const right = valueAt(path);
    const others = [7, 'text', true, [], {}].filter((other) => wanted(other) !== wanted(right));
    for (const other of others) {
      const { ok, diagnostics } = parseClusterFacts(changed(path, other));
      expect(ok).toBe(false);
      const [first, ...rest] = diagnostics.filter(({ severity }) => severity === 'error');
      expect(rest).toEqual([]);
      expect(first).toMatchObject({ code: 'nodes-config/wrong-type', path });
      expect(first?.message).toBe(`${where} of the cluster facts must be ${wanted(right)}`);
    }
  });
});

/** The required members of entries. */
const REQUIRED = [
  ['nodes', 0, 'name'],
  ['nodes', 0, 'addresses', 0, 'address'],
  ['nodes', 0, 'networks', 0, 'address'],
  ['imageDigestMirrors', 0, 'source'],
  ['repositoryDigestMirrors', 0, 'source'],
  ['workerUserData', 'ignition'],
  ['ingressControllers', 0, 'name'],
  ['ingressControllers', 0, 'nodeExpressions', 0, 'key'],
  ['ingressControllers', 0, 'nodeExpressions', 0, 'operator'],
  ['egressIPs', 0, 'name'],
  ['egressIPs', 0, 'addresses'],
  ['machineConfigPools', 0, 'name'],
  ['bootImages', 0, 'architecture'],
  ['bootImages', 0, 'location'],
  ['bootImages', 0, 'sha256'],
  ['bareMetalHosts', 0, 'name'],
  ['bareMetalHosts', 0, 'namespace'],
];
const isRequired = (path: Path): boolean => REQUIRED.some((one) => written(one) === written(path));

describe('null stands only for an absent member', () => {
  test.each(cases)('$where', ({ path }) => {
    const parent = valueAt(path.slice(0, -1));
    const isMember =
      !Array.isArray(parent) &&
      !['labels', 'nodeLabels', 'assigned', 'registryTrust', 'dnsRecords'].includes(String(path.at(-2)));
    const outcome = parseClusterFacts(changed(path, null));
    if (isMember) expect(outcome).toEqual(parseClusterFacts(changed(path, undefined)));
    expect(outcome.ok).toBe(isMember && !isRequired(path));
  });
});

describe('a required member of an entry', () => {
  test.each(REQUIRED.map((path) => ({ where: written(path), path })))('$where is required', ({ path }) => {
    const parent = path.slice(0, -1);
    const message = `${written(parent)} of the cluster facts must be a map with \`${path.at(-1)}\``;
    expect(parseClusterFacts(changed(path, undefined))).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'nodes-config/wrong-type', message, path: parent }],
    });
  });

  test('is listed above, and no other member is required', () => {
    const members = PATHS.filter((path) => typeof path.at(-1) === 'string' && !isRequired(path));
    const missed = members.filter((path) => parseClusterFacts(changed(path, undefined)).diagnostics.length > 0);
    expect(missed.map(written)).toEqual([]);
  });
});

describe('an unknown name', () => {
  test.each([
    ['at the top', { plattform: 'None' }, ['plattform'], 'Did you mean `platform`?'],
    ['in an entry', { nodes: [{ name: 'a', adresses: [] }] }, ['nodes', 0, 'adresses'], 'Did you mean `addresses`?'],
    ['like nothing that is known', { colour: 'red' }, ['colour'], 'Remove it.'],
    ['that objects of JavaScript have', JSON.parse('{"toString": 7}') as object, ['toString'], expect.anything()],
  ])('%s is ignored with a warning', (_, facts, path, help) => {
    expect(parseClusterFacts(facts)).toMatchObject({
      ok: true,
      diagnostics: [{ severity: 'warning', code: 'nodes-config/unknown-key', path, help }],
    });
  });

  test('is not reported among members with free names', () => {
    expect(parseClusterFacts({ registryTrust: { 'any.test': 'PEM' } }).diagnostics).toEqual([]);
  });
});

describe('data that looks like exported objects', () => {
  test.each<[string, string | object]>([
    ['a list', []],
    ['a list of objects', { items: [] }],
    ['an object', { kind: 'Node' }],
    ['several documents', 'kind: Node\n---\nkind: Node\n'],
  ])('%s is read as objects', (_, source) => {
    const outcome = parseClusterFacts(source);
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics[0]).toMatchObject({ code: 'nodes-config/cluster-object' });
  });
});

test('text that is not YAML is refused as cluster facts, as text and as bytes', () => {
  for (const source of ['a: [b', new TextEncoder().encode('a: [b')]) {
    const { ok, diagnostics } = parseClusterFacts(source);
    expect(ok).toBe(false);
    expect(diagnostics[0]?.message).toMatch(/^cannot read the cluster facts: error converting YAML to JSON: yaml: /);
  }
});

test('an argument that is neither text nor data is refused', () => {
  expect(() => parseClusterFacts(null as never)).toThrow(/^source must be text, bytes or an object/);
  expect(() => parseClusterFactsOrThrow({ nodes: 7 })).toThrow('nodes of the cluster facts must be a list');
});
