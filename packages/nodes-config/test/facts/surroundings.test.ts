import { parseClusterFacts, parseClusterFactsOrThrow } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';

import { kubeObjects } from './kube-objects.ts';

const PLAIN = {
  version: '4.20.3',
  platform: 'BareMetal',
  apiServerUrl: 'https://api.reef.example.test:6443',
  pullSecret: '{"auths":{"q.test":{"auth":"YTpi"}}}',
};

function object(kind: string, name: string, rest: object, metadata: object = {}): object {
  return { kind, metadata: { name, ...metadata }, ...rest };
}

const INFRASTRUCTURE = object('Infrastructure', 'cluster', {
  spec: { platformSpec: { type: 'BareMetal', baremetal: {} } },
  status: {
    apiServerURL: PLAIN.apiServerUrl,
    apiServerInternalURI: 'https://api-int.reef.example.test:6443',
    controlPlaneTopology: 'HighlyAvailable',
    infrastructureTopology: 'HighlyAvailable',
    platform: 'BareMetal',
    platformStatus: {
      type: 'BareMetal',
      baremetal: {
        apiServerInternalIPs: ['192.0.2.5'],
        ingressIPs: ['192.0.2.6'],
        machineNetworks: ['192.0.2.0/24'],
        loadBalancer: { type: 'OpenShiftManagedDefault' },
      },
    },
  },
});

const AROUND = [
  INFRASTRUCTURE,
  object('Ingress', 'cluster', { spec: { domain: 'apps.reef.example.test' }, status: { defaultPlacement: 'Workers' } }),
  object('Network', 'cluster', { status: { networkType: 'OVNKubernetes', clusterNetworkMTU: 1400 } }),
  object(
    'IngressController',
    'default',
    {
      spec: {
        replicas: 2,
        nodePlacement: {
          nodeSelector: {
            matchLabels: { pool: 'edge' },
            matchExpressions: [{ key: 'far', operator: 'DoesNotExist' }],
          },
        },
      },
      status: {
        domain: 'apps.reef.example.test',
        endpointPublishingStrategy: { type: 'HostNetwork' },
        conditions: [{ type: 'DNSManaged', status: 'False' }],
      },
    },
    { namespace: 'openshift-ingress-operator' },
  ),
  object('IngressController', 'stranger', {}, { namespace: 'elsewhere' }),
  object('EgressIP', 'shop', {
    spec: { egressIPs: ['198.51.100.77'] },
    status: { items: [{ node: 'far-0', egressIP: '198.51.100.77' }] },
  }),
  object('MachineConfigPool', 'far', {
    spec: {
      nodeSelector: { matchLabels: { 'node-role.kubernetes.io/far': '' } },
      configuration: { source: [{ name: '00-worker' }, { name: '50-far' }] },
    },
  }),
  object('BareMetalHost', 'far-0', {}, { namespace: 'reef' }),
  object('Provisioning', 'provisioning-configuration', { spec: { provisioningNetwork: 'Disabled' } }),
  object('MachineConfig', '50-master-dnsmasq-configuration', {}),
  object('ConfigMap', 'root-ca', { data: { 'ca.crt': 'a root' } }, { namespace: 'kube-system' }),
  object(
    'Node',
    'far-0',
    { status: { addresses: [{ type: 'InternalIP', address: '198.51.100.7' }] } },
    {
      labels: { 'k8s.ovn.org/egress-assignable': '' },
      annotations: { 'k8s.ovn.org/host-cidrs': '["198.51.100.7/24","10.1.0.7/16"]' },
    },
  ),
];

/** The plain objects, with the given ones in place of those of the same kind. */
function cluster(...objects: object[]): unknown[] {
  const plain = [...kubeObjects(PLAIN).values()].filter(
    ({ kind }) => !objects.some((one) => (one as { kind: string }).kind === kind),
  );
  return [...plain, ...objects];
}

test('the surroundings of new nodes are among the facts, and survive storage as JSON', () => {
  const facts = parseClusterFactsOrThrow(cluster(...AROUND));
  expect(facts).toMatchObject({
    controlPlaneTopology: 'HighlyAvailable',
    infrastructureTopology: 'HighlyAvailable',
    apiServerInternalUrl: 'https://api-int.reef.example.test:6443',
    apiVIPs: ['192.0.2.5'],
    ingressVIPs: ['192.0.2.6'],
    loadBalancer: 'OpenShiftManagedDefault',
    machineNetworks: ['192.0.2.0/24'],
    networkType: 'OVNKubernetes',
    clusterNetworkMtu: 1400,
    ingress: { domain: 'apps.reef.example.test', defaultPlacement: 'Workers' },
    ingressControllers: [
      {
        name: 'default',
        domain: 'apps.reef.example.test',
        replicas: 2,
        nodeLabels: { pool: 'edge' },
        nodeExpressions: [{ key: 'far', operator: 'DoesNotExist' }],
        publishing: 'HostNetwork',
        dnsManaged: false,
      },
    ],
    egressIPs: [{ name: 'shop', addresses: ['198.51.100.77'], assigned: { '198.51.100.77': 'far-0' } }],
    machineConfigPools: [
      { name: 'far', nodeLabels: { 'node-role.kubernetes.io/far': '' }, sources: ['00-worker', '50-far'] },
    ],
    bareMetalHosts: [{ name: 'far-0', namespace: 'reef' }],
    watchAllNamespaces: false,
    controlPlaneDnsmasq: true,
    machineConfigAuthority: 'a root',
    nodes: [
      {
        name: 'far-0',
        labels: { 'k8s.ovn.org/egress-assignable': '' },
        networks: [{ address: '198.51.100.7/24' }, { address: '10.1.0.7/16' }],
      },
    ],
  });
  expect(facts.ingressControllers).toHaveLength(1);
  const kept = parseClusterFacts(JSON.stringify(facts));
  expect(kept).toEqual({ ok: true, value: facts, diagnostics: [] });
});

test('a cluster without that data has no such facts', () => {
  expect(Object.keys(parseClusterFactsOrThrow(cluster())).sort()).toEqual(
    ['apiServerUrl', 'clusterId', 'name', 'nodes', 'platform', 'proxy', 'pullSecret', 'version'].sort(),
  );
});

test('machine networks of a platform that stores none come from the install config', () => {
  const data = {
    'install-config': 'networking:\n  machineNetwork:\n  - cidr: 192.0.2.0/24\n  - cidr: 2001:db8::/64\n',
  };
  const config = object('ConfigMap', 'cluster-config-v1', { data }, { namespace: 'kube-system' });
  expect(parseClusterFactsOrThrow(cluster(config)).machineNetworks).toEqual(['192.0.2.0/24', '2001:db8::/64']);
});

test('MTU and VLAN of nodes come from the network operator, even below the bridge of OVN-Kubernetes', () => {
  const node = object('Node', 'w-0', {}, { annotations: { 'k8s.ovn.org/host-cidrs': '["10.9.9.9/8"]' } });
  const address = (ip: string, length: number) => ({ address: [{ ip, 'prefix-length': length }] });
  const interfaces = [
    { name: 'lo', type: 'loopback', state: 'up', mtu: 65536, ipv4: address('127.0.0.1', 8) },
    { name: 'eno1.7', type: 'vlan', state: 'up', mtu: 9000, vlan: { id: 7, 'base-iface': 'eno1' } },
    { name: 'br-ex', type: 'ovs-bridge', state: 'up', bridge: { port: [{ name: 'br-ex' }, { name: 'eno1.7' }] } },
    {
      name: 'br-ex',
      type: 'ovs-interface',
      state: 'up',
      mtu: 9000,
      ipv4: address('192.0.2.20', 24),
      ipv6: address('fe80::1', 64),
    },
    { name: 'eno2', type: 'ethernet', state: 'up', mtu: 1500, ipv6: address('2001:db8::20', 64) },
    { name: 'eno3', type: 'ethernet', state: 'down', ipv4: address('10.0.0.1', 8) },
  ];
  const state = object('NodeNetworkState', 'w-0', { status: { currentState: { interfaces } } });
  expect(parseClusterFactsOrThrow(cluster(node, state)).nodes?.[0]?.networks).toEqual([
    { address: '192.0.2.20/24', mtu: 9000, vlan: 7 },
    { address: '2001:db8::20/64', mtu: 1500, vlan: 0 },
  ]);
});

test('facts of the wrong type are reported at their place, in YAML, too', () => {
  const text = 'clusterNetworkMtu: 1400\nnodes:\n- {name: a, networks: [{address: 192.0.2.1/24, mtu: big}]}\n';
  const { diagnostics } = parseClusterFacts(text);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'nodes[0].networks[0].mtu of the cluster facts must be a number',
  ]);
  expect(parseClusterFactsOrThrow('clusterNetworkMtu: 1400\n')).toEqual({ clusterNetworkMtu: 1400 });
});
