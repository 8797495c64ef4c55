import { type ClusterFacts, networksFromObjects } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

import { ObjectStore } from '../../src/facts/objects.ts';
import { nodeSurroundings, readIngressController, readSurroundings } from '../../src/facts/surroundings.ts';

const object = (kind: string, name: string, rest: object, metadata: object = {}): Record<string, unknown> => ({
  kind,
  metadata: { name, ...metadata },
  ...rest,
});

const around = (...objects: Record<string, unknown>[]): ClusterFacts => readSurroundings(new ObjectStore(objects));

const infrastructure = (status: object, spec: object = {}) => object('Infrastructure', 'cluster', { spec, status });

test('a cluster without any of these objects has no surroundings', () => {
  expect(around()).toEqual({});
});

describe('facts from the Infrastructure', () => {
  test('topologies and the address for nodes', () => {
    expect(
      around(
        infrastructure({
          controlPlaneTopology: 'SingleReplica',
          infrastructureTopology: 'HighlyAvailable',
          apiServerInternalURI: 'https://api-int.x.test:6443',
        }),
      ),
    ).toEqual({
      controlPlaneTopology: 'SingleReplica',
      infrastructureTopology: 'HighlyAvailable',
      apiServerInternalUrl: 'https://api-int.x.test:6443',
    });
  });

  test.each<[string, object, ClusterFacts]>([
    [
      'lists of virtual addresses',
      { apiServerInternalIPs: ['192.0.2.5', '2001:db8::5'], ingressIPs: ['192.0.2.6'] },
      { apiVIPs: ['192.0.2.5', '2001:db8::5'], ingressVIPs: ['192.0.2.6'] },
    ],
    [
      'single ones, as older releases have them',
      { apiServerInternalIP: '192.0.2.5', ingressIP: '192.0.2.6' },
      { apiVIPs: ['192.0.2.5'], ingressVIPs: ['192.0.2.6'] },
    ],
    [
      'the list where there are both',
      { apiServerInternalIPs: ['192.0.2.7'], apiServerInternalIP: '192.0.2.5', ingressIPs: [], ingressIP: '' },
      { apiVIPs: ['192.0.2.7'] },
    ],
    ['who balances the load', { loadBalancer: { type: 'UserManaged' } }, { loadBalancer: 'UserManaged' }],
    ['machine networks, texts only', { machineNetworks: ['192.0.2.0/24', 7] }, { machineNetworks: ['192.0.2.0/24'] }],
  ])('%s', (_, baremetal, facts) => {
    expect(around(infrastructure({ platformStatus: { type: 'BareMetal', baremetal } }))).toEqual(facts);
  });

  test('machine networks of the status, else of the spec, else of the install config', () => {
    const config = object(
      'ConfigMap',
      'cluster-config-v1',
      { data: { 'install-config': 'networking: {machineNetwork: [{cidr: 192.0.2.0/26}, {}, {cidr: ""}]}' } },
      { namespace: 'kube-system' },
    );
    const spec = { platformSpec: { type: 'BareMetal', baremetal: { machineNetworks: ['192.0.2.0/25'] } } };
    const status = { platformStatus: { type: 'BareMetal', baremetal: { machineNetworks: ['192.0.2.0/24'] } } };
    expect(around(infrastructure(status, spec), config).machineNetworks).toEqual(['192.0.2.0/24']);
    expect(around(infrastructure({}, spec), config).machineNetworks).toEqual(['192.0.2.0/25']);
    expect(around(infrastructure({}), config).machineNetworks).toEqual(['192.0.2.0/26']);
    const broken = object('ConfigMap', 'cluster-config-v1', { data: { 'install-config': 'a: [b' } });
    expect(around(broken)).toEqual({});
  });
});

test('networks are read without any other object, and invalid text is refused', () => {
  const baremetal = { apiServerInternalIPs: ['192.0.2.5'], machineNetworks: ['192.0.2.0/24'] };
  const objects = [
    infrastructure({ platformStatus: { type: 'BareMetal', baremetal } }),
    object('Network', 'cluster', { status: { networkType: 'X', serviceNetwork: ['172.30.0.0/16'] } }),
  ];
  expect(networksFromObjects(objects)).toMatchObject({
    ok: true,
    value: { apiVIPs: ['192.0.2.5'], machineNetworks: ['192.0.2.0/24'], serviceNetworks: ['172.30.0.0/16'] },
  });
  expect(networksFromObjects([])).toMatchObject({ ok: true, value: {} });
  expect(networksFromObjects('a: [b').ok).toBe(false);
});

describe('facts from other objects', () => {
  test.each<[string, Record<string, unknown>[], ClusterFacts]>([
    [
      'the kind of network, of the object that has a status',
      [
        object('Network', 'cluster', { spec: {} }),
        object('Network', 'cluster', {
          status: { networkType: 'OVNKubernetes', clusterNetworkMTU: 1400, serviceNetwork: ['172.30.0.0/16', 7] },
        }),
      ],
      { networkType: 'OVNKubernetes', clusterNetworkMtu: 1400, serviceNetworks: ['172.30.0.0/16'] },
    ],
    [
      'no size of packets that is no number',
      [object('Network', 'cluster', { status: { networkType: 'X', clusterNetworkMTU: '1400' } })],
      { networkType: 'X' },
    ],
    [
      'the domain of applications',
      [object('Ingress', 'cluster', { spec: { domain: 'apps.x.test' }, status: {} })],
      { ingress: { domain: 'apps.x.test' } },
    ],
    [
      'where routers run',
      [object('Ingress', 'cluster', { status: { defaultPlacement: 'Workers' } })],
      { ingress: { defaultPlacement: 'Workers' } },
    ],
    ['nothing of an ingress that says nothing', [object('Ingress', 'cluster', {})], {}],
    [
      'routers of the operator, and of no other namespace',
      [
        object('IngressController', 'a', {}, { namespace: 'openshift-ingress-operator' }),
        object('IngressController', 'b', {}, { namespace: 'x' }),
        object('IngressController', 'c', {}),
      ],
      { ingressControllers: [{ name: 'a' }, { name: 'c' }] },
    ],
    [
      'egress addresses and who has them',
      [
        object('EgressIP', 'a', {
          spec: { egressIPs: ['192.0.2.7', '192.0.2.8'] },
          status: { items: [{ egressIP: '192.0.2.7', node: 'w' }] },
        }),
        object('EgressIP', 'b', { spec: { egressIPs: ['192.0.2.9'] } }),
      ],
      {
        egressIPs: [
          { name: 'a', addresses: ['192.0.2.7', '192.0.2.8'], assigned: { '192.0.2.7': 'w' } },
          { name: 'b', addresses: ['192.0.2.9'] },
        ],
      },
    ],
    [
      'pools of machine configs',
      [
        object('MachineConfigPool', 'far', {
          spec: {
            nodeSelector: { matchLabels: { 'node-role.kubernetes.io/far': '', odd: 7 } },
            configuration: { source: [{ name: '00-worker' }] },
          },
        }),
        object('MachineConfigPool', 'worker', {}),
      ],
      {
        machineConfigPools: [
          { name: 'far', nodeLabels: { 'node-role.kubernetes.io/far': '' }, sources: ['00-worker'] },
          { name: 'worker' },
        ],
      },
    ],
    [
      'bare-metal hosts',
      [object('BareMetalHost', 'a', {}, { namespace: 'b' })],
      { bareMetalHosts: [{ name: 'a', namespace: 'b' }] },
    ],
    [
      'that all namespaces are watched',
      [object('Provisioning', 'provisioning-configuration', { spec: { watchAllNamespaces: true } })],
      { watchAllNamespaces: true },
    ],
    [
      'that not all are',
      [object('Provisioning', 'provisioning-configuration', { spec: { watchAllNamespaces: 'true' } })],
      { watchAllNamespaces: false },
    ],
    ['nothing of another provisioning', [object('Provisioning', 'x', {})], {}],
    [
      'a dnsmasq of the control plane',
      [object('MachineConfig', '50-master-dnsmasq-configuration', {})],
      { controlPlaneDnsmasq: true },
    ],
  ])('%s', (_, objects, facts) => {
    expect(around(...objects)).toEqual(facts);
  });

  const own = (namespace: string) =>
    object('ConfigMap', 'machine-config-server-ca', { data: { 'ca-bundle.crt': 'own' } }, { namespace });
  const root = (namespace: string) => object('ConfigMap', 'root-ca', { data: { 'ca.crt': 'root' } }, { namespace });

  test.each([
    ['an authority of its own', [own('openshift-machine-config-operator'), root('kube-system')], 'own'],
    ['the root of older clusters', [root('kube-system')], 'root'],
    ['neither from other namespaces', [own('x'), root('y')], undefined],
  ])('the authority of the machine config server: %s', (_, objects, authority) => {
    expect(around(...objects).machineConfigAuthority).toBe(authority);
  });
});

describe('a group of routers', () => {
  const router = (spec: object, status: object = {}) =>
    readIngressController(object('IngressController', 'far', { spec, status }));

  test.each<[string, object, object, object]>([
    ['that says nothing', {}, {}, {}],
    ['has the domain that is asked for', { domain: 'a.test' }, { domain: 'b.test' }, { domain: 'a.test' }],
    ['has the domain that it was given', {}, { domain: 'b.test' }, { domain: 'b.test' }],
    ['has so many routers', { replicas: 3 }, {}, { replicas: 3 }],
    ['may have none', { replicas: 0 }, {}, { replicas: 0 }],
    [
      'is placed by labels',
      { nodePlacement: { nodeSelector: { matchLabels: { zone: 'x' } } } },
      {},
      { nodeLabels: { zone: 'x' } },
    ],
    [
      'is placed by more than labels',
      {
        nodePlacement: {
          nodeSelector: {
            matchExpressions: [
              { key: 'a', operator: 'Exists' },
              { key: 'b', operator: 'In', values: ['c', 7] },
            ],
          },
        },
      },
      {},
      {
        nodeExpressions: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'In', values: ['c'] },
        ],
      },
    ],
    ['takes some routes', { routeSelector: { matchLabels: {} } }, {}, { isShard: true }],
    ['takes routes of some namespaces', { namespaceSelector: { matchLabels: {} } }, {}, { isShard: true }],
    ['takes all routes where the selector is empty', { routeSelector: {}, namespaceSelector: null }, {}, {}],
    [
      'is reached as it is now',
      { endpointPublishingStrategy: { type: 'Private' } },
      { endpointPublishingStrategy: { type: 'HostNetwork' } },
      { publishing: 'HostNetwork' },
    ],
    ['is reached as it will be', { endpointPublishingStrategy: { type: 'Private' } }, {}, { publishing: 'Private' }],
    [
      'has DNS of the cluster',
      {},
      {
        conditions: [
          { type: 'Other', status: 'False' },
          { type: 'DNSManaged', status: 'True' },
        ],
      },
      { dnsManaged: true },
    ],
    ['has none', {}, { conditions: [{ type: 'DNSManaged', status: 'Unknown' }] }, { dnsManaged: false }],
  ])('%s', (_, spec, status, facts) => {
    expect(router(spec, status)).toEqual({ name: 'far', ...facts });
  });
});

describe('the networks of a node', () => {
  const address = (ip: string, length: unknown = 24) => ({ address: [{ ip, 'prefix-length': length }] });
  const networks = (interfaces: unknown[], annotations: object = {}) => {
    const node = object('Node', 'w', {}, { annotations });
    const state = object('NodeNetworkState', 'w', { status: { currentState: { interfaces } } });
    return nodeSurroundings(node, new ObjectStore([node, state])).networks;
  };

  test.each<[string, unknown[], unknown]>([
    [
      'of an interface that is up',
      [{ name: 'a', type: 'ethernet', state: 'up', mtu: 9000, ipv4: address('192.0.2.1') }],
      [{ address: '192.0.2.1/24', mtu: 9000, vlan: 0 }],
    ],
    [
      'without a size of packets',
      [{ name: 'a', type: 'ethernet', state: 'up', ipv6: address('2001:db8::1', 64) }],
      [{ address: '2001:db8::1/64', vlan: 0 }],
    ],
    [
      'of a VLAN',
      [{ name: 'a.7', type: 'vlan', state: 'up', vlan: { id: 7 }, ipv4: address('192.0.2.1') }],
      [{ address: '192.0.2.1/24', vlan: 7 }],
    ],
    [
      'of a bridge above a VLAN',
      [
        { name: 'other', type: 'ovs-bridge', bridge: { port: [{ name: 'b.9' }] } },
        { name: 'b.9', type: 'vlan', vlan: { id: 9 } },
        { name: 'br', type: 'ovs-bridge', bridge: { port: [{ name: 'br' }, { name: 'eth0' }, { name: 'a.7' }] } },
        { name: 'eth0', type: 'ethernet', vlan: { id: 3 } },
        { name: 'a.7', type: 'vlan', vlan: { id: 7 } },
        { name: 'br', type: 'ovs-interface', state: 'up', ipv4: address('192.0.2.1') },
      ],
      [{ address: '192.0.2.1/24', vlan: 7 }],
    ],
    [
      'of a bridge above a card',
      [
        { name: 'br', type: 'linux-bridge', bridge: { port: [{ name: 'br' }, { name: 'a.7' }] } },
        { name: 'a.7', type: 'vlan', vlan: { id: 7 } },
        { name: 'br', type: 'ovs-interface', state: 'up', ipv4: address('192.0.2.1') },
      ],
      [{ address: '192.0.2.1/24', vlan: 0 }],
    ],
    [
      'but not of one that is down',
      [{ name: 'a', type: 'ethernet', state: 'down', ipv4: address('192.0.2.1') }],
      undefined,
    ],
    ['nor of the loopback', [{ name: 'lo', type: 'loopback', state: 'up', ipv4: address('127.0.0.1') }], undefined],
    ['nor link-local ones', [{ name: 'a', type: 'ethernet', state: 'up', ipv6: address('FE80::1', 64) }], undefined],
    ['nor without an address', [{ name: 'a', type: 'ethernet', state: 'up', ipv4: address('') }], undefined],
    [
      'nor without a length',
      [{ name: 'a', type: 'ethernet', state: 'up', ipv4: address('192.0.2.1', '24') }],
      undefined,
    ],
    ['nor of what is no interface', [7, null], undefined],
  ])('%s', (_, interfaces, expected) => {
    expect(networks(interfaces)).toEqual(expected);
  });

  const CIDRS = 'k8s.ovn.org/host-cidrs';
  const PRIMARY = 'k8s.ovn.org/node-primary-ifaddr';

  test.each<[string, object, string[] | undefined]>([
    [
      'all that OVN-Kubernetes wrote',
      { [CIDRS]: '["192.0.2.1/24","",7]', [PRIMARY]: '{"ipv4":"x"}' },
      ['192.0.2.1/24'],
    ],
    [
      'the primary ones, where there is nothing else',
      { [PRIMARY]: '{"ipv4":"192.0.2.1/24","ipv6":""}' },
      ['192.0.2.1/24'],
    ],
    ['none where that is no JSON', { [CIDRS]: '[', [PRIMARY]: 'x' }, undefined],
    ['none where nothing is written', {}, undefined],
  ])('by annotations: %s', (_, annotations, addresses) => {
    expect(networks([], annotations)).toEqual(addresses?.map((one) => ({ address: one })));
  });

  test('come from the state if both are known', () => {
    const interfaces = [{ name: 'a', type: 'ethernet', state: 'up', ipv4: address('192.0.2.1') }];
    expect(networks(interfaces, { [CIDRS]: '["198.51.100.1/24"]' })).toEqual([{ address: '192.0.2.1/24', vlan: 0 }]);
  });

  test('are returned with its labels that are texts', () => {
    const node = object('Node', 'w', {}, { labels: { zone: 'x', odd: 7 } });
    expect(nodeSurroundings(node, new ObjectStore([node]))).toEqual({ labels: { zone: 'x' } });
  });
});
