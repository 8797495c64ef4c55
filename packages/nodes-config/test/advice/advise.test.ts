import {
  type ClusterFacts,
  egressAssignableNodes,
  manifestFiles,
  shardedIngressController,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { expectReadAlike } from '../../../../test/support/js-yaml.ts';

import { advise, BARE_METAL, dhcpHost, host, manifestsOf, REMOTE, SINGLE_NODE } from './stories.ts';

const local = host('worker-0', 0);
const far = host('far-0', 1, REMOTE);
const PIN = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'IngressController',
  metadata: { name: 'default', namespace: 'openshift-ingress-operator' },
  spec: { nodePlacement: { nodeSelector: { matchLabels: { 'node-role.kubernetes.io/master': '' } } } },
};

/** A single node whose router stays in place. */
const QUIET: ClusterFacts = {
  ...SINGLE_NODE,
  ingress: { domain: 'apps.reef.example.test', defaultPlacement: 'ControlPlane' },
};

test('hosts that fit the cluster need no advice', () => {
  expect([...advise([local], BARE_METAL).keys()]).toEqual([]);
  expect([...advise([local], QUIET).keys()]).toEqual([]);
  expect([...advise([dhcpHost('worker-0', 0)], BARE_METAL).keys()]).toEqual([]);
});

test('without facts there is no advice', () => {
  expect([...advise([local, far], {}).keys()]).toEqual([]);
});

test('a wrong argument is refused with the name of the parameter', async () => {
  const { adviseNodes } = await import('../../src/advice/advise.ts');
  expect(() => adviseNodes({} as never, {})).toThrow(new TypeError('plan must be what planHosts returns'));
  expect(() => adviseNodes({ hosts: [] }, null as never)).toThrow(TypeError);
});

describe('the router of a single-node cluster', () => {
  test('may move to the first worker, away from the node that DNS names', () => {
    const found = advise([local], SINGLE_NODE).get('router-floats');
    expect(found).toMatchObject({ severity: 'warning', path: ['hosts', 0], range: { start: { line: 2 } } });
    expect(found?.message).toContain('it may move to worker-0, while *.apps.reef.example.test leads to 192.0.2.10');
    expect(manifestsOf(found, 'manifest')).toMatchObject([{ name: 'ingresscontroller-default.yaml', object: PIN }]);
    expect(manifestsOf(found, 'dns').map(({ name, addresses }) => [name, addresses])).toEqual([
      ['api.reef.example.test', ['192.0.2.10']],
      ['api-int.reef.example.test', ['192.0.2.10']],
      ['*.apps.reef.example.test', ['192.0.2.10']],
    ]);
  });

  test.each<[string, Partial<ClusterFacts>]>([
    ['the cluster was told to keep it', { ingress: { defaultPlacement: 'ControlPlane' } }],
    [
      'labels keep it on the control plane',
      { ingressControllers: [{ name: 'default', nodeLabels: { 'node-role.kubernetes.io/master': '' } }] },
    ],
    ['a load balancer follows it', { dnsRecords: { '*.apps.reef.example.test': ['192.0.2.200'] } }],
    ['the platform has addresses that follow it', { platform: 'BareMetal' }],
    ['the control plane has more nodes', { controlPlaneTopology: 'HighlyAvailable' }],
  ])('stays if %s', (_, change) => {
    expect(advise([local], { ...SINGLE_NODE, ...change }).has('router-floats')).toBe(false);
  });

  test('moves if any worker has the labels, or if the record is that of the node', () => {
    const labels = { 'node-role.kubernetes.io/worker': '' };
    const controllers = [{ name: 'default', nodeLabels: labels }];
    expect(advise([local], { ...QUIET, ingressControllers: controllers }).has('router-floats')).toBe(true);
    const dnsRecords = { '*.apps.reef.example.test': ['192.0.2.10'] };
    expect(advise([local], { ...SINGLE_NODE, dnsRecords }).has('router-floats')).toBe(true);
  });

  test('is only an info on an external platform', () => {
    const facts = { ...SINGLE_NODE, platform: 'External', ingress: { defaultPlacement: 'Workers' } };
    expect(advise([local], facts).get('router-floats')?.severity).toBe('info');
  });
});

describe('names that only the control plane resolves', () => {
  const dnsmasq = { ...QUIET, controlPlaneDnsmasq: true };

  test('are reported with the DNS servers of a host', () => {
    const found = advise([local], dnsmasq).get('private-names');
    expect(found?.message).toContain('worker-0 will ask 192.0.2.1');
    expect(found).toMatchObject({ path: ['hosts', 0, 'networkConfig', 'dns-resolver'], range: { start: {} } });
    expect(manifestsOf(found, 'dns').map(({ name }) => name)).toContain('api-int.reef.example.test');
    expect(advise([dhcpHost('worker-0', 0)], dnsmasq).get('private-names')?.message).toContain('of its site');
  });

  test.each<[string, string, ClusterFacts]>([
    ['that DNS is known to answer', local, { ...dnsmasq, dnsRecords: { 'api-int.reef.example.test': ['192.0.2.10'] } }],
    ['the host asks the control plane', host('worker-0', 0, { dns: ['192.0.2.10'] }), dnsmasq],
    ['there is no such dnsmasq', local, QUIET],
  ])('are no problem if %s', (_, text, facts) => {
    expect(advise([text], facts).has('private-names')).toBe(false);
  });

  test('are not resolved on a host without a DNS server', () => {
    const silent = host('worker-0', 0, { dns: [] });
    const found = advise([silent], QUIET).get('no-dns-server');
    expect(found?.message).toContain('api-int.reef.example.test');
    expect(found?.help).toContain('dns-resolver:');
    const merge = [{ source: 'https://192.0.2.5:22623/config/worker' }];
    const byAddress = { ...BARE_METAL, workerUserData: { ignition: { version: '3.2.0', config: { merge } } } };
    expect(advise([silent], byAddress).has('no-dns-server')).toBe(false);
    expect(advise([silent], BARE_METAL).has('no-dns-server')).toBe(true);
  });

  test('a host without a default route is reported', () => {
    const found = advise([host('worker-0', 0, { gateway: undefined })], BARE_METAL).get('no-default-route');
    expect(found?.message).toContain('has-default-route');
    expect(found?.help).toContain('0.0.0.0/0');
  });
});

describe('a host outside every machine network', () => {
  test('must not run the default routers', () => {
    const found = advise([local, far], BARE_METAL).get('router-on-remote-node');
    expect(found?.message).toContain('routers may run on far-0, outside every machine network, where 192.0.2.6');
    expect(found?.path).toEqual(['hosts', 1, 'networkConfig']);
    const [pin] = manifestsOf(found, 'manifest');
    expect(pin?.object).toMatchObject(PIN);
    expect(JSON.stringify(pin?.object)).not.toContain('matchExpressions');
  });

  test('gets no routers that labels keep elsewhere, in the cluster or in objects that will be applied', () => {
    const ingressControllers = [{ name: 'default', nodeLabels: { 'node-role.kubernetes.io/infra': '' } }];
    expect(advise([far], { ...BARE_METAL, ingressControllers }).has('router-on-remote-node')).toBe(false);
    expect(advise([far], BARE_METAL, { manifests: [PIN] }).has('router-on-remote-node')).toBe(false);
  });

  test('must not run keepalived, neither at its first boot nor later', () => {
    const found = advise([local, far], BARE_METAL).get('keepalived-on-remote-node');
    expect(found?.message).toContain('keepalived on far-0');
    const [override, ...others] = manifestsOf(found, 'file');
    expect(others).toEqual([]);
    expect(override?.name).toBe('ignition-override-far-0.ign');
    const emptied = {
      path: '/etc/kubernetes/manifests/keepalived.yaml',
      overwrite: true,
      contents: { source: 'data:,' },
    };
    expect(JSON.parse(override?.text ?? '')).toMatchObject({
      ignition: { version: '3.2.0' },
      storage: { files: [emptied] },
    });
    const [pool, config] = manifestsOf(found, 'manifest').map(({ object }) => object);
    expect(pool).toMatchObject({
      kind: 'MachineConfigPool',
      spec: { nodeSelector: { matchLabels: { 'node-role.kubernetes.io/remote-worker': '' } } },
    });
    expect(config).toMatchObject({
      kind: 'MachineConfig',
      metadata: { labels: { 'machineconfiguration.openshift.io/role': 'remote-worker' } },
      spec: { config: { storage: { files: [emptied] } } },
    });
    expect(manifestsOf(found, 'command').map(({ command }) => command)).toEqual([
      'oc label node far-0 node-role.kubernetes.io/remote-worker=',
    ]);
  });

  test('needs no second pool', () => {
    const machineConfigPools = [{ name: 'remote-worker', sources: ['00-worker', '50-remote-worker-no-keepalived'] }];
    const found = advise([far], { ...BARE_METAL, machineConfigPools }).get('keepalived-on-remote-node');
    expect(manifestsOf(found, 'manifest')).toEqual([]);
    expect(manifestsOf(found, 'file')).toHaveLength(1);
  });

  test.each<[string, Partial<ClusterFacts>]>([
    ['the site balances the load itself', { loadBalancer: 'UserManaged' }],
    ['there are no virtual addresses', { apiVIPs: [], ingressVIPs: [] }],
    ['the host is in one of the networks after all', { machineNetworks: ['192.0.2.0/24', '198.51.100.0/24'] }],
  ])('does not run keepalived if %s', (_, change) => {
    expect(advise([far], { ...BARE_METAL, ...change }).has('keepalived-on-remote-node')).toBe(false);
  });

  test('is not recognized if the machine networks are invalid', () => {
    expect(advise([far], { ...BARE_METAL, machineNetworks: ['nonsense'] }).size).toBe(0);
  });

  test('is recognized by name if its addresses do not show it', () => {
    const hosts = [dhcpHost('far-0', 0)];
    expect(advise(hosts, BARE_METAL).size).toBe(0);
    const codes = [...advise(hosts, BARE_METAL, { remoteHosts: ['far-0'] }).keys()];
    expect(codes).toEqual(['router-on-remote-node', 'keepalived-on-remote-node']);
  });

  test('is outside the networks of the control plane if machine networks are unknown', () => {
    const { machineNetworks, ...rest } = BARE_METAL;
    expect(machineNetworks).toBeDefined();
    expect(advise([far], rest).size).toBe(0);
    const nodes = rest.nodes?.map((node) => ({ ...node, networks: [{ address: '192.0.2.10/24' }] }));
    expect(advise([far], { ...rest, nodes: nodes ?? [] }).has('router-on-remote-node')).toBe(true);
  });

  test('cannot be installed while two validations are on', () => {
    const found = advise([far], BARE_METAL, { day: 'install' }).get('validations-left-on');
    expect(found?.message).toContain('belongs-to-majority-group and belongs-to-machine-cidr');
    const [map] = manifestsOf(found, 'manifest');
    expect(map?.object).toMatchObject({
      kind: 'ConfigMap',
      data: { DISABLED_HOST_VALIDATIONS: 'belongs-to-majority-group,belongs-to-machine-cidr' },
    });
    expect(manifestsOf(found, 'command')[0]?.command).toContain('unsupported.agent-install.openshift.io/');
    // Hosts that are added later are exempt.
    expect(advise([far], BARE_METAL).has('validations-left-on')).toBe(false);
    expect(advise([local], BARE_METAL, { day: 'install' }).has('validations-left-on')).toBe(false);
  });

  test('can be installed only with an annotation and settings that switch both off', () => {
    const settings = (ids: string) => ({
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { DISABLED_HOST_VALIDATIONS: ids },
    });
    const annotations = { 'unsupported.agent-install.openshift.io/assisted-service-configmap': 'settings' };
    const service = { kind: 'AgentServiceConfig', metadata: { name: 'agent', annotations } };
    const verdict = (manifests: unknown) =>
      advise([far], BARE_METAL, { day: 'install', manifests }).get('validations-left-on')?.message;
    expect(verdict([settings('belongs-to-majority-group, belongs-to-machine-cidr'), service])).toBeUndefined();
    expect(verdict([settings('belongs-to-majority-group,belongs-to-machine-cidr')])).toBeDefined();
    expect(verdict([settings('belongs-to-majority-group'), service])).toContain('checks belongs-to-machine-cidr,');
  });
});

describe('routers with conditions other than equal labels', () => {
  const controller = (matchExpressions: object[], name = 'default') =>
    `apiVersion: operator.openshift.io/v1
kind: IngressController
metadata: {name: ${name}, namespace: openshift-ingress-operator}
spec:
  nodePlacement:
    nodeSelector:
      matchExpressions: ${JSON.stringify(matchExpressions)}
`;

  test('are refused by the ingress operator; the advice has equal labels instead', () => {
    const manifests = controller([{ key: 'site', operator: 'In', values: ['harbor'] }]);
    const found = advise([local], BARE_METAL, { manifests }).get('node-expressions');
    expect(found?.message).toContain('(site In), which the ingress operator cannot convert');
    expect(found?.help).toContain('{"site":"harbor"}');
    expect(manifestsOf(found, 'command')[0]?.command).toBe(
      `oc patch ingresscontroller/default -n openshift-ingress-operator --type merge -p '{"spec":{"nodePlacement":{"nodeSelector":{"matchExpressions":null,"matchLabels":{"site":"harbor"}}}}}'`,
    );
  });

  test('go to the control plane if equal labels cannot express the conditions', () => {
    const nodeExpressions = [{ key: 'remote', operator: 'DoesNotExist' }];
    const facts = { ...BARE_METAL, ingressControllers: [{ name: 'default', nodeExpressions }] };
    expect(advise([local], facts).get('node-expressions')?.help).toContain('{"node-role.kubernetes.io/master":""}');
    expect(advise([local], BARE_METAL).has('node-expressions')).toBe(false);
  });
});

test('Node objects among the manifests of an installation keep it from finishing', () => {
  const node = { kind: 'Node', metadata: { name: 'far-0', labels: { site: 'far', "it's": '' } } };
  const found = advise([local], BARE_METAL, { day: 'install', manifests: [node] }).get('node-manifest');
  expect(found?.severity).toBe('error');
  expect(manifestsOf(found, 'command')[0]?.command).toBe("oc label node far-0 site=far 'it'\\''s='");
  expect(manifestsOf(found, 'command')[0]?.why).toContain('bmac.agent-install.openshift.io.node-label.site: "far"');
  expect(advise([local], BARE_METAL, { manifests: [node] }).has('node-manifest')).toBe(false);
  const bare = { kind: 'Node', metadata: { name: 'far-0' } };
  expect(advise([local], BARE_METAL, { day: 'install', manifests: [bare] }).has('node-manifest')).toBe(false);
});

describe('a group of routers for a remote site', () => {
  const nodeLabels = { 'kubernetes.io/hostname': 'far-0' };
  const shard = (change: object = {}) =>
    shardedIngressController({
      name: 'far',
      domain: 'apps-far.reef.example.test',
      nodeLabels,
      routeLabels: { site: 'far' },
      ...change,
    });
  const pinned = { ...BARE_METAL, ingressControllers: [{ name: 'default', nodeLabels: { pool: 'local' } }] };

  test('needs a DNS record', () => {
    const found = advise([far], pinned, { manifests: [shard()] }).get('shard-unreachable');
    expect(found?.message).toContain('nothing leads to *.apps-far.reef.example.test');
    expect(manifestsOf(found, 'dns')).toMatchObject([
      { name: '*.apps-far.reef.example.test', addresses: ['198.51.100.7'] },
    ]);
    expect(manifestsOf(found, 'file')).toEqual([]);
  });

  test('needs a load balancer if it has several nodes', () => {
    const nodes = ['a', 'b'].map((name, index) => ({
      name,
      labels: { site: 'far' },
      addresses: [{ type: 'InternalIP', address: `198.51.100.2${index}` }],
    }));
    const manifests = [shard({ nodeLabels: { site: 'far' } })];
    const found = advise([far], { ...pinned, nodes }, { manifests }).get('shard-unreachable');
    const [balancer] = manifestsOf(found, 'file');
    expect(balancer?.name).toBe('haproxy-far.cfg');
    expect(balancer?.text).toContain('    server a 198.51.100.20:443 check');
    expect(balancer?.text).toContain('    server b 198.51.100.21:80 check');
    expect(manifestsOf(found, 'dns')[0]?.addresses).toEqual([]);
  });

  test('needs nothing if it is private, and only a DNS record if the cluster provides its load balancer', () => {
    const far = (publishing: string) => ({
      ...pinned,
      ingressControllers: [
        ...pinned.ingressControllers,
        { name: 'far', domain: 'apps-far.reef.example.test', nodeLabels, isShard: true, publishing },
      ],
    });
    expect(advise([local], far('Private')).size).toBe(0);
    const found = advise([local], far('LoadBalancerService')).get('shard-unreachable');
    expect(manifestsOf(found, 'file')).toEqual([]);
    expect(manifestsOf(found, 'dns')).toMatchObject([{ name: '*.apps-far.reef.example.test', addresses: [] }]);
  });

  test('needs routes of its own', () => {
    const ingressControllers = [
      ...pinned.ingressControllers,
      { name: 'far', domain: 'apps-far.reef.example.test', dnsManaged: true },
    ];
    const advice = advise([far], { ...pinned, ingressControllers });
    const found = advice.get('shard-without-selector');
    expect(manifestsOf(found, 'command').map(({ command }) => command)).toContain('oc label route ROUTE shard=far');
    expect(advice.has('shard-unreachable')).toBe(false);
  });

  test('is complete with records and labels', () => {
    const dnsRecords = { '*.apps-far.reef.example.test': ['198.51.100.7'] };
    const codes = [...advise([far], { ...pinned, dnsRecords }, { manifests: [shard()] }).keys()];
    expect(codes.filter((code) => code.startsWith('shard'))).toEqual([]);
  });
});

describe('objects that will be applied', () => {
  const kube = (kind: string, name: string, rest: object) => ({ kind, metadata: { name }, ...rest });

  test('count as applied: an EgressIP replaces the one with its name', () => {
    const manifests = [kube('EgressIP', 'shop', { spec: { egressIPs: ['192.0.2.99'] } })];
    const facts = { ...BARE_METAL, egressIPs: [{ name: 'shop', addresses: ['198.51.100.77'] }] };
    const messages = [...advise([local], facts, { manifests }).values()].map(({ message }) => message).join('\n');
    expect(messages).toContain('192.0.2.99 (EgressIP shop)');
    expect(messages).not.toContain('198.51.100.77');
  });

  test('count as applied: a label of a node', () => {
    const networks = [{ name: 'br-ex', address: '198.51.100.7/24' }];
    const nodes = [...(BARE_METAL.nodes ?? []), { name: 'far-9', networks }];
    const facts = { ...BARE_METAL, nodes, egressIPs: [{ name: 'shop', addresses: ['198.51.100.77'] }] };
    expect(advise([local], facts).has('egress-stranded')).toBe(true);
    const labels = { 'k8s.ovn.org/egress-assignable': '' };
    const manifests = [{ kind: 'Node', metadata: { name: 'far-9', labels } }];
    expect([...advise([local], facts, { manifests }).keys()]).toContain('egress-path');
  });

  test('count as applied: Infrastructure with virtual addresses', () => {
    const { apiVIPs: _api, ingressVIPs: _ingress, ...without } = BARE_METAL;
    expect(advise([far], without).has('keepalived-on-remote-node')).toBe(false);
    const platformStatus = { type: 'BareMetal', baremetal: { apiServerInternalIPs: ['192.0.2.5'] } };
    const manifests = [kube('Infrastructure', 'cluster', { status: { platformStatus } })];
    expect(advise([far], without, { manifests }).has('keepalived-on-remote-node')).toBe(true);
  });

  test('do not need a second pool of remote workers', () => {
    const names = (manifests: readonly object[]) =>
      advise([far], BARE_METAL, { manifests })
        .get('keepalived-on-remote-node')
        ?.manifests.map((one) => 'name' in one && one.name);
    const pool = 'machineconfigpool-remote-worker.yaml';
    const config = kube('MachineConfig', '50-remote-worker-no-keepalived', {});
    expect(names([config])).toContain(pool);
    expect(names([config, kube('MachineConfigPool', 'remote-worker', {})])).not.toContain(pool);
  });
});

describe('an egress address', () => {
  const egressIPs = [{ name: 'shop', addresses: ['198.51.100.77'] }];
  const assignable = { 'k8s.ovn.org/egress-assignable': '' };
  const node = (name: string, address: string, labels = {}) => ({ name, labels, networks: [{ address }] });

  test('outside the networks of all assignable nodes can be on no node', () => {
    const nodes = [node('worker-9', '192.0.2.90/24', assignable)];
    const found = advise([local], { ...BARE_METAL, egressIPs, nodes }).get('egress-stranded');
    expect(found?.message).toBe(
      'the egress address 198.51.100.77 (EgressIP shop) can be on no node: it is in no network of worker-9',
    );
    expect(found?.help).toContain('192.0.2.90/24');
  });

  test('can move to the new node that is attached to its network', () => {
    const nodes = [node('worker-9', '192.0.2.90/24', assignable)];
    const found = advise([far], { ...BARE_METAL, egressIPs, nodes }).get('egress-stranded');
    expect(manifestsOf(found, 'command').map(({ command }) => command)).toEqual([
      'oc label node far-0 k8s.ovn.org/egress-assignable=',
    ]);
  });

  test('inside a network of a node is reported with the node that its traffic leaves through', () => {
    const nodes = [node('far-9', '198.51.100.90/24', assignable), node('worker-9', '192.0.2.90/24')];
    const found = advise([local], { ...BARE_METAL, egressIPs, nodes }).get('egress-path');
    expect(found?.severity).toBe('info');
    expect(found?.message).toContain(
      'leaves through far-9: that of pods on that node directly, that of pods elsewhere',
    );
    expect(found?.help).toContain('k8s.ovn.org/egress-assignable on far-9');
  });

  test('is not checked without networks, and there is no advice without egress addresses', () => {
    expect(advise([dhcpHost('worker-0', 0)], { ...BARE_METAL, egressIPs }).size).toBe(0);
    const nodes = [node('far-9', '198.51.100.90/24', assignable)];
    expect([...advise([local], { ...BARE_METAL, nodes }).keys()].filter((code) => code.startsWith('egress'))).toEqual(
      [],
    );
  });

  test('can be checked without a plan', () => {
    const nodes = [
      { name: 'a', networks: ['10.0.0.1/8', '2001:db8::1/64'] },
      { name: 'b', networks: ['192.0.2.1/24'] },
    ];
    expect(egressAssignableNodes(nodes, '2001:db8::77').map(({ name }) => name)).toEqual(['a']);
    expect(egressAssignableNodes(nodes, '192.0.2.1').map(({ name }) => name)).toEqual(['b']);
    expect(egressAssignableNodes(nodes, 'none')).toEqual([]);
  });
});

test('BareMetalHosts in other namespaces are found once all namespaces are watched', () => {
  const bareMetalHosts = [
    { name: 'far-0', namespace: 'reef' },
    { name: 'worker-0', namespace: 'openshift-machine-api' },
  ];
  const found = advise([local], { ...BARE_METAL, bareMetalHosts, watchAllNamespaces: false }).get('unwatched-hosts');
  expect(found?.message).toMatch(/never sees reef\/far-0$/);
  expect(manifestsOf(found, 'manifest')[0]?.object).toEqual({
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'Provisioning',
    metadata: { name: 'provisioning-configuration' },
    spec: { watchAllNamespaces: true },
  });
  const quiet = [
    { bareMetalHosts, watchAllNamespaces: true },
    { bareMetalHosts },
    { bareMetalHosts: bareMetalHosts.slice(1), watchAllNamespaces: false },
  ];
  for (const change of quiet) expect(advise([local], { ...BARE_METAL, ...change }).size).toBe(0);
  const given = { kind: 'BareMetalHost', metadata: { name: 'far-1', namespace: 'reef' } };
  const facts = { ...BARE_METAL, watchAllNamespaces: false };
  expect(advise([local], facts, { manifests: [given] }).has('unwatched-hosts')).toBe(true);
  const patch = manifestsOf(found, 'manifest')[0]?.object;
  expect(advise([local], facts, { manifests: [given, patch] }).has('unwatched-hosts')).toBe(false);
});

describe('links', () => {
  const jumbo: ClusterFacts = { ...BARE_METAL, networkType: 'OVNKubernetes', clusterNetworkMtu: 8900 };
  const nodes = BARE_METAL.nodes?.map((node) => ({
    ...node,
    networks: [{ address: '192.0.2.10/24', mtu: 9000, vlan: 7 }],
  }));

  test('with an MTU that is too small lose packets of pods', () => {
    const found = advise([local], jumbo).get('small-mtu');
    expect(found?.message).toContain('eth0 of worker-0 has an MTU of 1500');
    expect(found?.help).toContain('9000');
    expect(found?.path).toEqual(['hosts', 0, 'networkConfig', 'interfaces', 0]);
    expect(advise([host('worker-0', 0, { mtu: 9000 })], jumbo).has('small-mtu')).toBe(false);
    expect(advise([local], { ...jumbo, clusterNetworkMtu: 1400 }).has('small-mtu')).toBe(false);
  });

  test('need the VLAN and MTU of nodes in the same network', () => {
    const facts = { ...BARE_METAL, nodes: nodes ?? [] };
    const plain = advise([local], facts);
    expect(plain.get('other-vlan')?.message).toBe(
      'worker-0 has 192.0.2.50 without a VLAN, and nodes in the same network are on VLAN 7',
    );
    expect(plain.get('other-vlan')?.help).toContain('id 7');
    expect(plain.get('other-mtu')?.help).toBe('Set its mtu to 9000.');
    expect(advise([host('worker-0', 0, { vlan: 7, mtu: 9000 })], facts).size).toBe(0);
  });

  test('need addresses of the families that nodes have', () => {
    const both = BARE_METAL.nodes?.map((node) => ({
      ...node,
      addresses: [...(node.addresses ?? []), { type: 'InternalIP', address: '2001:db8::10' }],
    }));
    const found = advise([local], { ...BARE_METAL, nodes: both ?? [] }).get('missing-family');
    expect(found?.message).toBe('the nodes of the cluster have IPv6 addresses, and worker-0 has none');
    const six = host('worker-0', 0, {
      address: '2001:db8::50',
      length: 64,
      dns: ["'2001:db8::1'"],
      gateway: '2001:db8::1',
    });
    const { machineNetworks: _, ...rest } = BARE_METAL;
    expect(advise([six], rest).get('missing-family')?.message).toContain('IPv4');
  });
});

test('each file is written once and explains its purpose', () => {
  const files = manifestFiles([
    ...advise([far, host('far-1', 2, { ...REMOTE, address: '198.51.100.8' })], BARE_METAL).values(),
  ]);
  expect(Object.keys(files).sort()).toEqual([
    'ignition-override-far-0.ign',
    'ignition-override-far-1.ign',
    'ingresscontroller-default.yaml',
    'machineconfig-50-remote-worker-no-keepalived.yaml',
    'machineconfigpool-remote-worker.yaml',
  ]);
  for (const [name, text] of Object.entries(files)) if (name.endsWith('.yaml')) expectReadAlike(text);
  expect(
    files['ingresscontroller-default.yaml'],
  ).toBe(`# Keeps the default routers in the machine network, because their address cannot move elsewhere.
apiVersion: operator.openshift.io/v1
kind: IngressController
metadata:
  name: default
  namespace: openshift-ingress-operator
spec:
  nodePlacement:
    nodeSelector:
      matchLabels:
        node-role.kubernetes.io/master: ""
    tolerations:
    - effect: NoSchedule
      key: node-role.kubernetes.io/master
      operator: Exists
`);
});
