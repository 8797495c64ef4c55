import {
  adviseNodes,
  type ClusterFacts,
  egressAssignableNodes,
  haproxySketch,
  manifestFiles,
  pinnedIngressController,
  remoteWorkerManifests,
  shardedIngressController,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

import { shellWord } from '../../src/advice/advice.ts';

import { advise, BARE_METAL, dhcpHost, host, manifestsOf, REMOTE, SINGLE_NODE } from './stories.ts';

const local = host('worker-0', 0);
const far = host('far-0', 1, REMOTE);

test('all recommended objects are written in full', () => {
  expect(pinnedIngressController({ zone: 'x' })).toEqual({
    apiVersion: 'operator.openshift.io/v1',
    kind: 'IngressController',
    metadata: { name: 'default', namespace: 'openshift-ingress-operator' },
    spec: { nodePlacement: { nodeSelector: { matchLabels: { zone: 'x' } } } },
  });
  const sharded = { name: 'far', domain: 'x.test', nodeLabels: { a: 'b' }, routeLabels: { c: 'd' } };
  expect(shardedIngressController(sharded)).toEqual({
    apiVersion: 'operator.openshift.io/v1',
    kind: 'IngressController',
    metadata: { name: 'far', namespace: 'openshift-ingress-operator' },
    spec: {
      domain: 'x.test',
      replicas: 1,
      nodePlacement: { nodeSelector: { matchLabels: { a: 'b' } } },
      routeSelector: { matchLabels: { c: 'd' } },
    },
  });
  expect(shardedIngressController({ ...sharded, replicas: 3 })).toMatchObject({ spec: { replicas: 3 } });
  const emptied = {
    ignition: { version: '3.4.0' },
    storage: {
      files: [
        {
          path: '/etc/kubernetes/manifests/keepalived.yaml',
          overwrite: true,
          contents: { compression: '', source: 'data:,' },
          mode: 0o644,
        },
      ],
    },
  };
  const pieces = remoteWorkerManifests('3.4.0', 'ns');
  expect(JSON.parse(pieces.ignitionOverride)).toEqual(emptied);
  expect([pieces.pool, pieces.machineConfig]).toEqual([
    {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfigPool',
      metadata: { name: 'remote-worker' },
      spec: {
        machineConfigSelector: {
          matchExpressions: [
            { key: 'machineconfiguration.openshift.io/role', operator: 'In', values: ['worker', 'remote-worker'] },
          ],
        },
        nodeSelector: { matchLabels: { 'node-role.kubernetes.io/remote-worker': '' } },
      },
    },
    {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfig',
      metadata: {
        name: '50-remote-worker-no-keepalived',
        labels: { 'machineconfiguration.openshift.io/role': 'remote-worker' },
      },
      spec: { config: emptied },
    },
  ]);
  expect(pieces.serviceSettings).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'assisted-service-remote-workers', namespace: 'ns' },
    data: { DISABLED_HOST_VALIDATIONS: 'belongs-to-majority-group,belongs-to-machine-cidr' },
  });
  expect(pieces.serviceAnnotations).toEqual({
    'unsupported.agent-install.openshift.io/assisted-service-configmap': 'assisted-service-remote-workers',
  });
  expect(remoteWorkerManifests('3.4.0').serviceSettings).toMatchObject({
    metadata: { namespace: 'multicluster-engine' },
  });
});

test('HAProxy forwards both ports, to addresses of both families', () => {
  const backends = [
    { name: 'a', address: '192.0.2.1' },
    { name: 'b', address: '2001:db8::1' },
  ];
  expect(haproxySketch('x.test', backends)).toBe(`# HAProxy in front of the routers for *.x.test
defaults
    mode tcp
    timeout connect 5s
    timeout client 1m
    timeout server 1m

frontend http
    bind :::80 v4v6
    default_backend routers-http

backend routers-http
    balance source
    server a 192.0.2.1:80 check
    server b [2001:db8::1]:80 check

frontend https
    bind :::443 v4v6
    default_backend routers-https

backend routers-https
    balance source
    server a 192.0.2.1:443 check
    server b [2001:db8::1]:443 check
`);
});

test.each<[string, () => unknown]>([
  ['domain', () => haproxySketch(7 as never, [])],
  ['backends', () => haproxySketch('x', 7 as never)],
  ['nodes', () => egressAssignableNodes(7 as never, 'x')],
  ['egressIP', () => egressAssignableNodes([], 7 as never)],
  ['options', () => shardedIngressController(7 as never)],
  ['nodeLabels', () => pinnedIngressController(7 as never)],
  ['advice', () => manifestFiles(7 as never)],
  ['advice[0].manifests', () => manifestFiles([{} as never])],
  ['facts', () => adviseNodes({ hosts: [] }, 7 as never)],
])('a wrong argument %s is named', (name, call) => {
  expect(call).toThrow(new RegExp(`^${name.replace(/[.[\]]/g, '\\$&')} must be `));
});

test.each([
  ['plain-1.2/x:y=z@%+', 'plain-1.2/x:y=z@%+'],
  ['two words', "'two words'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
])('%j becomes %s for a shell', (word, written) => {
  expect(shellWord(word)).toBe(written);
});

test('manifests that cannot be read are refused, and findings have places if a locator is given', () => {
  expect(() => advise([local], BARE_METAL, { manifests: 'a: [b' })).toThrow(/cannot read the exported objects/);
  expect(advise([local], SINGLE_NODE, { locate: undefined }).get('router-floats')?.range).toBeUndefined();
});

describe('files of manifests', () => {
  const why = 'Because.';
  const advice = (help: object) => [{ manifests: [help] } as never];

  test('have a comment with the reason if their language has comments', () => {
    expect(manifestFiles(advice({ kind: 'manifest', name: 'a.yaml', object: { kind: 'A' }, why }))).toEqual({
      'a.yaml': '# Because.\nkind: A\n',
    });
    expect(manifestFiles(advice({ kind: 'file', name: 'a.cfg', text: 'x\n', why }))).toEqual({
      'a.cfg': '# Because.\nx\n',
    });
    expect(manifestFiles(advice({ kind: 'file', name: 'a.ign', text: '{}\n', why }))).toEqual({ 'a.ign': '{}\n' });
    expect(manifestFiles(advice({ kind: 'command', command: 'x', why }))).toEqual({});
  });
});

/** One finding as text: its subject, and its help. */
function told(facts: ClusterFacts, code: string, hosts = [local], options = {}): string[] {
  const found = advise(hosts, facts, options).get(code);
  if (found === undefined) return [];
  const manifests = found.manifests.map((help) => {
    if (help.kind === 'dns') return `dns ${help.name} ${help.addresses.join(' ')}`.trimEnd();
    return help.kind === 'command' ? help.command : `${help.kind} ${help.name}`;
  });
  return [`${found.severity} at [${found.path.join('.')}]: ${found.message}`, ...manifests];
}

describe('each rule reports a place, a message and help', () => {
  test.each<[string, string, ClusterFacts, string[], object, string[]]>([
    [
      'no-dns-server',
      'a single node',
      { ...SINGLE_NODE, ingress: { defaultPlacement: 'ControlPlane' } },
      [host('worker-0', 0, { dns: [] })],
      {},
      [
        'warning at [hosts.0.networkConfig]: worker-0 has no DNS server, and gets its config from api-int.reef.example.test: it will not find it',
        'dns api.reef.example.test 192.0.2.10',
        'dns api-int.reef.example.test 192.0.2.10',
        'dns *.apps.reef.example.test 192.0.2.10',
      ],
    ],
    [
      'no-dns-server',
      'a cluster with virtual addresses',
      BARE_METAL,
      [host('worker-0', 0, { dns: [] })],
      {},
      [
        'warning at [hosts.0.networkConfig]: worker-0 has no DNS server, and gets its config from api-int.reef.example.test: it will not find it',
        'dns api-int.reef.example.test 192.0.2.5',
      ],
    ],
    [
      'no-default-route',
      'a static host',
      BARE_METAL,
      [host('worker-0', 0, { gateway: undefined })],
      {},
      [
        'warning at [hosts.0.networkConfig]: worker-0 has no default route: the service refuses such hosts (has-default-route), and the node reaches nothing beyond its own network',
      ],
    ],
    [
      'private-names',
      'hosts that ask others',
      { ...SINGLE_NODE, controlPlaneDnsmasq: true },
      [local, host('worker-1', 1, { address: '192.0.2.51', dns: ['192.0.2.10'] }), dhcpHost('worker-2', 2)],
      {},
      [
        'warning at [hosts.0.networkConfig.dns-resolver]: api-int.reef.example.test may be known to the control plane alone, which has a dnsmasq of its own; worker-0 and worker-2 will ask 192.0.2.1',
        'dns api.reef.example.test 192.0.2.10',
        'dns api-int.reef.example.test 192.0.2.10',
        'dns *.apps.reef.example.test 192.0.2.10',
      ],
    ],
    [
      'private-names',
      'a host that asks its site',
      { ...SINGLE_NODE, controlPlaneDnsmasq: true, dnsRecords: { 'api.reef.example.test': ['192.0.2.10'] } },
      [dhcpHost('worker-0', 0)],
      {},
      [
        'warning at [hosts.0]: api-int.reef.example.test may be known to the control plane alone, which has a dnsmasq of its own; worker-0 will ask the DNS servers of its site',
        'dns api-int.reef.example.test 192.0.2.10',
        'dns *.apps.reef.example.test 192.0.2.10',
      ],
    ],
    [
      'router-floats',
      'a cluster of which little is known',
      { platform: 'None', controlPlaneTopology: 'SingleReplica' },
      [local],
      {},
      [
        'warning at [hosts.0]: the cluster has one router, and nothing keeps it on the control-plane node: it may move to worker-0, while *.apps leads to the control-plane node',
        'manifest ingresscontroller-default.yaml',
      ],
    ],
    [
      'router-on-remote-node',
      'routers without an address',
      { machineNetworks: ['192.0.2.0/24'] },
      [far],
      {},
      [
        'warning at [hosts.0.networkConfig]: routers may run on far-0, outside every machine network, where the address of the routers cannot follow',
        'manifest ingresscontroller-default.yaml',
      ],
    ],
    [
      'keepalived-on-remote-node',
      'a cluster whose addresses are one',
      { ...BARE_METAL, apiVIPs: ['192.0.2.5'], ingressVIPs: ['192.0.2.5'] },
      [far],
      {},
      [
        'warning at [hosts.0.networkConfig]: keepalived on far-0, outside every machine network, may claim 192.0.2.5 where no client can reach it',
        'file ignition-override-far-0.ign',
        'manifest machineconfigpool-remote-worker.yaml',
        'manifest machineconfig-50-remote-worker-no-keepalived.yaml',
        'oc label node far-0 node-role.kubernetes.io/remote-worker=',
      ],
    ],
    [
      'validations-left-on',
      'an installation',
      BARE_METAL,
      [far],
      { day: 'install' },
      [
        'warning at [hosts.0.networkConfig]: the service does not install far-0 while it checks belongs-to-majority-group and belongs-to-machine-cidr, which hosts outside every machine network cannot pass',
        'manifest configmap-assisted-service-remote-workers.yaml',
        'oc annotate agentserviceconfig agent unsupported.agent-install.openshift.io/assisted-service-configmap=assisted-service-remote-workers',
      ],
    ],
    [
      'node-manifest',
      'an installation',
      BARE_METAL,
      [local],
      { day: 'install', manifests: [{ kind: 'Node', metadata: { name: 'n', labels: { a: 'b' } } }] },
      [
        'error at []: a Node n among the manifests of an installation exists before the machine joins, and keeps the service from finishing',
        'oc label node n a=b',
      ],
    ],
    [
      'node-expressions',
      'a group that equality can place',
      {
        ...BARE_METAL,
        ingressControllers: [
          { name: 'default', nodeLabels: { a: 'b' }, nodeExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] },
        ],
      },
      [local],
      {},
      [
        'error at []: IngressController default places its routers by matchExpressions (c In), which the ingress operator cannot convert and refuses',
        `oc patch ingresscontroller/default -n openshift-ingress-operator --type merge -p '{"spec":{"nodePlacement":{"nodeSelector":{"matchExpressions":null,"matchLabels":{"a":"b","c":"d"}}}}}'`,
      ],
    ],
    [
      'node-expressions',
      'a group that it cannot',
      {
        ...BARE_METAL,
        ingressControllers: [{ name: 'default', nodeExpressions: [{ key: 'c', operator: 'In', values: ['d', 'e'] }] }],
      },
      [local],
      {},
      [
        'error at []: IngressController default places its routers by matchExpressions (c In), which the ingress operator cannot convert and refuses',
        `oc patch ingresscontroller/default -n openshift-ingress-operator --type merge -p '{"spec":{"nodePlacement":{"nodeSelector":{"matchExpressions":null,"matchLabels":{"node-role.kubernetes.io/master":""}}}}}'`,
      ],
    ],
    [
      'shard-without-selector',
      'a group that takes all',
      { ...BARE_METAL, ingressControllers: [{ name: 'far' }] },
      [local],
      {},
      [
        'warning at []: IngressController far takes every route of the cluster, because it selects none',
        `oc patch ingresscontroller/far -n openshift-ingress-operator --type merge -p '{"spec":{"routeSelector":{"matchLabels":{"shard":"far"}}}}'`,
        'oc label route ROUTE shard=far',
      ],
    ],
    [
      'unwatched-hosts',
      'hosts of others',
      {
        ...BARE_METAL,
        watchAllNamespaces: false,
        bareMetalHosts: [
          { name: 'a', namespace: 'b' },
          { name: 'a', namespace: 'b' },
        ],
      },
      [local],
      {},
      [
        'warning at []: the bare-metal operator watches only openshift-machine-api, and never sees b/a',
        'manifest provisioning-configuration.yaml',
      ],
    ],
    [
      'small-mtu',
      'another kind of network',
      { ...BARE_METAL, networkType: 'OpenShiftSDN', clusterNetworkMtu: 1451 },
      [local],
      {},
      [
        'warning at [hosts.0.networkConfig.interfaces.0]: eth0 of worker-0 has an MTU of 1500, and pods of this cluster send up to 1451 + 50 bytes: large packets to and from worker-0 are lost',
      ],
    ],
    [
      'small-mtu',
      'packets that just fit',
      { ...BARE_METAL, networkType: 'OVNKubernetes', clusterNetworkMtu: 1400 },
      [local],
      {},
      [],
    ],
    [
      'small-mtu',
      'a network that nobody knows',
      { ...BARE_METAL, networkType: 'Other', clusterNetworkMtu: 9000 },
      [local],
      {},
      [],
    ],
    [
      'other-vlan',
      'a host that is on one',
      { ...BARE_METAL, nodes: [{ name: 'a', networks: [{ address: '192.0.2.10/24', vlan: 0 }, { address: 'x' }] }] },
      [host('worker-0', 0, { vlan: 7 })],
      {},
      [
        'warning at [hosts.0.networkConfig.interfaces.1]: worker-0 has 192.0.2.50 on VLAN 7, and nodes in the same network are without a VLAN',
      ],
    ],
    [
      'other-vlan',
      'nodes elsewhere',
      { ...BARE_METAL, nodes: [{ name: 'a', networks: [{ address: '198.51.100.10/24', vlan: 7 }] }] },
      [local],
      {},
      [],
    ],
    [
      'other-mtu',
      'nodes of two kinds',
      {
        ...BARE_METAL,
        nodes: [
          {
            name: 'a',
            networks: [
              { address: '192.0.2.10/24', mtu: 9000 },
              { address: '192.0.2.11/24', mtu: 4000 },
            ],
          },
        ],
      },
      [local],
      {},
      [
        'warning at [hosts.0.networkConfig.interfaces.0]: eth0 of worker-0 has an MTU of 1500, and nodes in the same network have 9000 and 4000',
      ],
    ],
    [
      'egress-stranded',
      'no assignable node',
      {
        ...BARE_METAL,
        egressIPs: [{ name: 'e', addresses: ['203.0.113.1', 'x'] }],
        nodes: [{ name: 'a', networks: [{ address: '192.0.2.10/24' }] }],
      },
      [local],
      {},
      ['warning at []: the egress address 203.0.113.1 (EgressIP e) can be on no node: no node is assignable'],
    ],
    [
      'egress-path',
      'two nodes that can have it',
      {
        ...BARE_METAL,
        egressIPs: [{ name: 'e', addresses: ['192.0.2.77'] }],
        nodes: ['a', 'b'].map((name, index) => ({
          name,
          labels: { 'k8s.ovn.org/egress-assignable': '' },
          networks: [{ address: `192.0.2.1${index}/24` }],
        })),
      },
      [local],
      {},
      [
        'info at []: traffic with the egress address 192.0.2.77 (EgressIP e) leaves through a and b: that of pods on the node that has it directly, that of pods elsewhere inside the cluster to that node first, wherever its site is',
      ],
    ],
  ])('%s: %s', (code, _, facts, hosts, options, expected) => {
    expect(told(facts, code, hosts, options)).toEqual(expected);
  });

  test('the advice for a shard of several nodes has a load balancer, with present and new nodes as backends', () => {
    const nodes = [
      { name: 'a', labels: { zone: 'x' }, addresses: [{ type: 'InternalIP', address: '192.0.2.21' }] },
      { name: 'b', labels: { zone: 'y' }, addresses: [{ type: 'InternalIP', address: '192.0.2.22' }] },
      { name: 'c', labels: { zone: 'x' } },
    ];
    const shard = (nodeLabels: Record<string, string>) => ({
      ...BARE_METAL,
      nodes,
      ingressControllers: [{ name: 'far', domain: 'far.test', isShard: true, nodeLabels }],
    });
    const one = advise([local], shard({ zone: 'x' })).get('shard-unreachable');
    expect(one?.message).toContain('and its routers run on a');
    expect(one?.help).toBe('Let *.far.test lead to 192.0.2.21.');
    expect(manifestsOf(one, 'dns')).toMatchObject([{ addresses: ['192.0.2.21'] }]);
    const coming = advise([local], shard({ 'kubernetes.io/hostname': 'worker-0' })).get('shard-unreachable');
    expect(manifestsOf(coming, 'dns')).toMatchObject([{ addresses: ['192.0.2.50'] }]);
    const nobody = advise([local], shard({})).get('shard-unreachable');
    expect(manifestsOf(nobody, 'dns')).toMatchObject([{ addresses: [] }]);
    expect(nobody?.help).toContain('Put a load balancer in front of its nodes');
    expect(manifestsOf(nobody, 'file')).toEqual([]);
  });
});
