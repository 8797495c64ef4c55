import { documentOf } from '@coreiso/diagnostics';
import { type ClusterFacts, remoteHosts } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { type AdvisedHost, isInside, viewHost } from '../../src/advice/host-view.ts';
import { joinNames, Surroundings } from '../../src/advice/surroundings.ts';

const PATH = ['hosts', 0, 'networkConfig'];

function advised(state: object | undefined, change: Partial<AdvisedHost> = {}): AdvisedHost {
  const base = { name: 'w', path: ['hosts', 0], role: undefined, network: undefined };
  if (state === undefined) return { ...base, ...change };
  const outcome = documentOf(state);
  const node = outcome.ok ? outcome.value.root : undefined;
  if (node === undefined) throw new Error('no state');
  return { ...base, network: { state: { node, path: PATH } }, ...change };
}

const view = (state: object | undefined) => viewHost(advised(state));
const ipv4 = (ip: string, length: unknown = 24) => ({ enabled: true, address: [{ ip, 'prefix-length': length }] });
const one = (iface: object) => ({ interfaces: [{ name: 'eth0', type: 'ethernet', state: 'up', ...iface }] });

test('a host without a network gets everything from its site', () => {
  expect(view(undefined)).toEqual({
    name: 'w',
    path: ['hosts', 0],
    role: undefined,
    networkPath: ['hosts', 0],
    addresses: [],
    dynamic: new Set([4, 6]),
    dnsServers: [],
    isToldServers: true,
    hasDefaultRoute: true,
    gateways: [],
  });
});

describe('the addresses of a host', () => {
  test.each<[string, object, unknown[]]>([
    [
      'stand at their places',
      {
        interfaces: [
          { name: 'a' },
          { name: 'b', ipv4: { enabled: true, address: [{}, { ip: '192.0.2.1', 'prefix-length': 24 }] } },
        ],
      },
      [
        {
          text: '192.0.2.1',
          prefixLength: 24,
          link: 'b',
          mtu: undefined,
          vlan: 0,
          path: [...PATH, 'interfaces', 1, 'ipv4', 'address', 1, 'ip'],
        },
      ],
    ],
    [
      'are of both families',
      one({ ipv4: ipv4('192.0.2.1'), ipv6: ipv4('2001:db8::1', 64) }),
      [
        { text: '192.0.2.1', prefixLength: 24 },
        { text: '2001:db8::1', prefixLength: 64, path: [...PATH, 'interfaces', 0, 'ipv6', 'address', 0, 'ip'] },
      ],
    ],
    ['are none of an interface that is down', one({ state: 'down', ipv4: ipv4('192.0.2.1') }), []],
    ['are none of a family that is off', one({ ipv4: { ...ipv4('192.0.2.1'), enabled: false } }), []],
    ['are none that is no address', one({ ipv4: ipv4('x') }), []],
    ['are none without a length', one({ ipv4: ipv4('192.0.2.1', '24') }), []],
    ['are none of the link alone', one({ ipv6: ipv4('fe80::1', 64) }), []],
    ['have the MTU of their link', one({ mtu: 9000, ipv4: ipv4('192.0.2.1') }), [{ mtu: 9000 }]],
    [
      'have the MTU and the VLAN of what their link stands on',
      {
        interfaces: [
          { name: 'br', bridge: { port: [{ name: 'bond.7' }] }, ipv4: ipv4('192.0.2.1') },
          { name: 'bond.7', vlan: { 'base-iface': 'bond', id: 7 } },
          { name: 'bond', 'link-aggregation': { port: ['eth0'] } },
          { name: 'eth0', mtu: 9000 },
          { name: 'eth1', mtu: 1 },
        ],
      },
      [{ mtu: 9000, vlan: 7, link: 'br' }],
    ],
    [
      'have the VLAN of a port in a list called by its alias',
      {
        interfaces: [
          { name: 'br', type: 'linux-bridge', bridge: { ports: [{ name: 'bond.7' }] }, ipv4: ipv4('192.0.2.1') },
          { name: 'bond.7', type: 'vlan', vlan: { 'base-iface': 'bond', id: 7 } },
          { name: 'bond', type: 'bond', mtu: 9000, bond: { ports: ['eth0'] } },
        ],
      },
      [{ mtu: 9000, vlan: 7 }],
    ],
    [
      'have those nearest to their link',
      {
        interfaces: [
          { name: 'a.7', mtu: 1400, vlan: { 'base-iface': 'a', id: 7 }, ipv4: ipv4('192.0.2.1') },
          { name: 'a', mtu: 9000, vlan: { 'base-iface': 'a.7', id: 8 } },
        ],
      },
      [{ mtu: 1400, vlan: 7 }],
    ],
    [
      'have none of a port that has no name',
      {
        interfaces: [
          { name: 'br', bridge: { port: [{}] }, ipv4: ipv4('192.0.2.1') },
          { name: '', mtu: 7 },
        ],
      },
      [{ mtu: undefined }],
    ],
  ])('%s', (_, state, expected) => {
    const { addresses } = view(state);
    expect(addresses).toMatchObject(expected);
    expect(addresses).toHaveLength(expected.length);
  });
});

describe('a site gives a host', () => {
  test.each<[string, object, object]>([
    [
      'addresses by DHCP',
      one({ ipv4: { enabled: true, dhcp: true } }),
      { dynamic: [4], isToldServers: true, hasDefaultRoute: true },
    ],
    [
      'addresses from routers',
      one({ ipv6: { enabled: true, autoconf: true } }),
      { dynamic: [6], isToldServers: true, hasDefaultRoute: true },
    ],
    [
      'nothing where that is off',
      one({ ipv4: { enabled: false, dhcp: true } }),
      { dynamic: [], isToldServers: false, hasDefaultRoute: false },
    ],
    [
      'nothing on a link that is down',
      one({ state: 'down', ipv4: { enabled: true, dhcp: true } }),
      { dynamic: [], isToldServers: false, hasDefaultRoute: false },
    ],
    [
      'nothing to a static one',
      one({ ipv4: ipv4('192.0.2.1') }),
      { dynamic: [], isToldServers: false, hasDefaultRoute: false },
    ],
    [
      'no servers where it does not ask',
      one({ ipv4: { enabled: true, dhcp: true, 'auto-dns': false } }),
      { isToldServers: false, hasDefaultRoute: true },
    ],
    [
      'no routes where it does not ask',
      one({ ipv4: { enabled: true, dhcp: true, 'auto-routes': false } }),
      { isToldServers: true, hasDefaultRoute: false },
    ],
  ])('%s', (_, state, expected) => {
    const { dynamic, ...rest } = view(state);
    expect({ ...rest, dynamic: [...dynamic] }).toMatchObject(expected);
  });

  test('servers in the network state have to be texts', () => {
    expect(view({ 'dns-resolver': { config: { server: ['192.0.2.1', 7] } } }).dnsServers).toEqual(['192.0.2.1']);
  });

  test.each<[object, boolean]>([
    [{ destination: '0.0.0.0/0' }, true],
    [{ destination: '::/0' }, true],
    [{ destination: '0.0.0.0/0', 'table-id': 0 }, true],
    [{ destination: '0.0.0.0/0', 'table-id': 254 }, true],
    [{ destination: '0.0.0.0/0', 'table-id': 200 }, false],
    [{ destination: '0.0.0.0/0', state: 'absent' }, false],
    [{ destination: '192.0.2.0/24' }, false],
  ])('whether the route %j is a default route: %s', (route, isDefault) => {
    expect(view({ routes: { config: [route] } }).hasDefaultRoute).toBe(isDefault);
  });
});

test('an address is found in one of several networks, of which some may be invalid', () => {
  const [address] = view(one({ ipv4: ipv4('192.0.2.1') })).addresses;
  const inside = (...networks: string[]) => isInside(address!.address, networks);
  expect(inside('x', '192.0.2.0/24')).toBe(true);
  expect(inside('198.51.100.0/24', '2001:db8::/32')).toBe(false);
  expect(inside()).toBe(false);
});

describe('the surroundings of a plan', () => {
  const around = (facts: ClusterFacts, hosts: AdvisedHost[] = [], objects: Record<string, unknown>[] = []) =>
    new Surroundings({ hosts, facts, day: 'add', objects, remoteHosts: [] });
  const node = (name: string, change: object = {}) => ({ name, master: true, ...change });

  test.each<[ClusterFacts, boolean]>([
    [{ controlPlaneTopology: 'SingleReplica', nodes: [] }, true],
    [{ controlPlaneTopology: 'HighlyAvailable', nodes: [node('a')] }, false],
    [{ nodes: [node('a'), { name: 'w' }] }, true],
    [{ nodes: [node('a'), node('b')] }, false],
    [{}, false],
  ])('whether %j is a single node: %s', (facts, isSingle) => {
    expect(around(facts).isSingleNode).toBe(isSingle);
  });

  test.each<[string, ClusterFacts, boolean]>([
    ...['BareMetal', 'VSphere', 'Nutanix', 'OpenStack'].map((platform): [string, ClusterFacts, boolean] => [
      platform,
      { platform, apiVIPs: ['192.0.2.5'] },
      true,
    ]),
    ['the address of routers alone', { platform: 'BareMetal', ingressVIPs: ['192.0.2.6'] }, true],
    ['no addresses', { platform: 'BareMetal', apiVIPs: [], ingressVIPs: [] }, false],
    [
      'a load balancer of the site',
      { platform: 'BareMetal', apiVIPs: ['192.0.2.5'], loadBalancer: 'UserManaged' },
      false,
    ],
    ['another platform', { platform: 'None', apiVIPs: ['192.0.2.5'] }, false],
    ['no platform', { apiVIPs: ['192.0.2.5'] }, false],
  ])('%s: whether the cluster keeps virtual addresses', (_, facts, isKept) => {
    expect(around(facts).hasVirtualAddresses).toBe(isKept);
  });

  const merge = (source: string) => ({
    workerUserData: { ignition: { version: '3.2.0', config: { merge: [{ source }] } } },
  });
  const API = { apiServerUrl: 'https://api.reef.example.test:6443' };

  test.each<[string, ClusterFacts, string[]]>([
    ['nothing', {}, []],
    ['the config', merge('https://mcs.test:22623/config/worker'), ['mcs.test']],
    ['an address', merge('https://[2001:db8::1]:22623/config/worker'), []],
    ['the API, by what is known', { ...API, apiServerInternalUrl: 'https://inner.test:6443' }, ['inner.test']],
    ['the API, by its name', API, ['api-int.reef.example.test']],
    ['both, once', { ...API, ...merge('https://api-int.reef.example.test:22623/x') }, ['api-int.reef.example.test']],
    ['not the API, where nodes answer for it', { ...API, platform: 'BareMetal', apiVIPs: ['192.0.2.5'] }, []],
  ])('a node resolves %s', (_, facts, names) => {
    expect(around(facts).namesToResolve).toEqual(names);
  });

  test('the domain of applications comes from the ingress, or from the API', () => {
    expect(around({ ingress: { domain: 'x.test' }, ...API }).appsDomain).toBe('x.test');
    expect(around(API).appsDomain).toBe('apps.reef.example.test');
    expect(around({}).appsDomain).toBeUndefined();
    expect(around({ apiServerUrl: 'https://other.test' }).domain).toBeUndefined();
  });

  test('nodes reach each other by their internal addresses', () => {
    const addresses = [
      { type: 'Hostname', address: 'a' },
      { type: 'InternalIP', address: '192.0.2.1' },
    ];
    expect(around({}).addressesOf([{ name: 'a', addresses }, { name: 'b' }])).toEqual(['192.0.2.1']);
  });

  test('a record is found by its name or by a wildcard', () => {
    const records = around({ dnsRecords: { 'a.x.test': ['192.0.2.1'], '*.x.test': ['192.0.2.2'] } });
    expect(records.record('a.x.test')).toEqual(['192.0.2.1']);
    expect(records.record('b.x.test')).toEqual(['192.0.2.2']);
    expect(records.record('b.a.x.test')).toBeUndefined();
    expect(around({}).record('x')).toBeUndefined();
  });

  test.each<[string, ClusterFacts, boolean]>([
    ['where nothing is said', {}, true],
    ['where the cluster keeps them', { ingress: { defaultPlacement: 'ControlPlane' } }, false],
    [
      'by labels of every worker',
      {
        ingressControllers: [
          {
            name: 'default',
            nodeLabels: {
              'node-role.kubernetes.io/worker': '',
              'kubernetes.io/os': 'linux',
              'node.openshift.io/os_id': 'rhel',
            },
          },
        ],
      },
      true,
    ],
    [
      'not by another label among them',
      { ingressControllers: [{ name: 'default', nodeLabels: { 'kubernetes.io/os': 'linux', zone: 'x' } }] },
      false,
    ],
    [
      'not by another value',
      { ingressControllers: [{ name: 'default', nodeLabels: { 'kubernetes.io/os': 'windows' } }] },
      false,
    ],
    ['whatever other groups do', { ingressControllers: [{ name: 'far', nodeLabels: { zone: 'x' } }] }, true],
  ])('whether routers may run on workers: %s', (_, facts, may) => {
    expect(around(facts).mayRouteOnWorkers).toBe(may);
  });

  test('routers that will be applied replace those with the same name', () => {
    const objects = [{ kind: 'IngressController', metadata: { name: 'default' }, spec: { replicas: 7 } }];
    const facts = { ingressControllers: [{ name: 'default', replicas: 1 }, { name: 'far' }] };
    expect(around(facts, [], objects).controllers).toEqual([{ name: 'far' }, { name: 'default', replicas: 7 }]);
  });

  test('workers are hosts with that role or without a role', () => {
    const hosts = ['worker', '', undefined, 'master', 'arbiter'].map((role) =>
      advised(undefined, { role, name: String(role) }),
    );
    expect(around({}, hosts).workers.map(({ name }) => name)).toEqual(['worker', '', 'undefined']);
  });

  test('only a host whose addresses are all known can be remote', () => {
    const facts = { machineNetworks: ['192.0.2.0/24'] };
    const far = advised(one({ ipv4: ipv4('198.51.100.1') }), { name: 'far' });
    const near = advised(one({ ipv4: ipv4('192.0.2.1') }), { name: 'near' });
    const both = advised(one({ ipv4: ipv4('198.51.100.1'), ipv6: { enabled: true, autoconf: true } }), {
      name: 'both',
    });
    const control = advised(one({ ipv4: ipv4('198.51.100.1') }), { name: 'control', role: 'master' });
    const silent = advised(undefined, { name: 'silent' });
    const plan = { hosts: [far, near, both, control, silent] };
    expect(remoteHosts(plan, facts)).toEqual(['far']);
    expect(remoteHosts(plan, facts, ['silent', 'control'])).toEqual(['far', 'silent']);
    expect(remoteHosts(plan, {})).toEqual([]);
    expect(remoteHosts(plan, { nodes: [node('a', { networks: [{ address: '192.0.2.9/24' }] })] })).toEqual(['far']);
    expect(remoteHosts(plan, { nodes: [{ name: 'a', networks: [{ address: '192.0.2.9/24' }] }] })).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ['plan.hosts', () => remoteHosts({} as never, {})],
    ['facts', () => remoteHosts({ hosts: [] }, 7 as never)],
    ['known', () => remoteHosts({ hosts: [] }, {}, 7 as never)],
  ])('a wrong argument %s is named', (name, call) => {
    expect(call).toThrow(new RegExp(`^${name.replace('.', '\\.')} must be `));
  });

  test.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('%j is listed as %j', (names, text) => {
    expect(joinNames(names)).toBe(text);
  });
});
