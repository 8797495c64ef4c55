import {
  type Advice,
  type AdviceOptions,
  adviseNodes,
  type ClusterFacts,
  parseNodesConfigOrThrow,
  planHosts,
} from '@coreiso/nodes-config';

export interface NetworkOptions {
  readonly address?: string;
  readonly length?: number;
  readonly dns?: readonly string[];
  readonly gateway?: string | undefined;
  readonly mtu?: number;
  readonly vlan?: number;
}

/** The text of a host with a static network. */
export function host(name: string, index: number, options: NetworkOptions = {}): string {
  const { address = '192.0.2.50', length = 24, dns = ['192.0.2.1'], mtu, vlan } = options;
  const gateway = 'gateway' in options ? options.gateway : '192.0.2.1';
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const link = vlan === undefined ? 'eth0' : `eth0.${vlan}`;
  const lines = [
    `- hostname: ${name}`,
    '  role: worker',
    '  interfaces:',
    '  - name: eth0',
    `    macAddress: 52:54:00:00:00:0${index}`,
    '  networkConfig:',
    '    interfaces:',
    ...(vlan === undefined ? [] : ['    - {name: eth0, type: ethernet, state: up}']),
    `    - name: ${link}`,
    `      type: ${vlan === undefined ? 'ethernet' : 'vlan'}`,
    '      state: up',
    ...(vlan === undefined ? [] : [`      vlan: {base-iface: eth0, id: ${vlan}}`]),
    ...(mtu === undefined ? [] : [`      mtu: ${mtu}`]),
    `      ${family}:`,
    '        enabled: true',
    '        dhcp: false',
    '        address:',
    `        - {ip: "${address}", prefix-length: ${length}}`,
    ...(dns.length === 0 ? [] : [`    dns-resolver: {config: {server: [${dns.join(', ')}]}}`]),
    ...(gateway === undefined
      ? []
      : [
          '    routes:',
          '      config:',
          `      - {destination: ${family === 'ipv6' ? '"::/0"' : '0.0.0.0/0'}, next-hop-address: "${gateway}", next-hop-interface: ${link}}`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A host that gets everything by DHCP. */
export function dhcpHost(name: string, index: number): string {
  return `- hostname: ${name}\n  interfaces:\n  - name: eth0\n    macAddress: 52:54:00:00:00:0${index}\n`;
}

/** The advice about these hosts, by code. */
export function advise(
  hosts: readonly string[],
  facts: ClusterFacts,
  options: AdviceOptions = {},
): ReadonlyMap<string, Advice> {
  const config = parseNodesConfigOrThrow(`hosts:\n${hosts.join('')}`);
  const { locate } = config.source;
  const advice = adviseNodes(planHosts(config), facts, { locate, ...options });
  return new Map(advice.map((one) => [one.code.replace('nodes-config/', ''), one]));
}

export function manifestsOf<Kind extends Advice['manifests'][number]['kind']>(
  advice: Advice | undefined,
  kind: Kind,
): Extract<Advice['manifests'][number], { kind: Kind }>[] {
  return (advice?.manifests ?? []).filter(
    (help): help is Extract<Advice['manifests'][number], { kind: Kind }> => help.kind === kind,
  );
}

/** One node, platform none, as older releases install it: the router has no placement. */
export const SINGLE_NODE: ClusterFacts = {
  name: 'reef',
  platform: 'None',
  apiServerUrl: 'https://api.reef.example.test:6443',
  apiServerInternalUrl: 'https://api-int.reef.example.test:6443',
  controlPlaneTopology: 'SingleReplica',
  infrastructureTopology: 'SingleReplica',
  ingress: { domain: 'apps.reef.example.test' },
  ingressControllers: [{ name: 'default', domain: 'apps.reef.example.test', replicas: 1 }],
  nodes: [
    {
      name: 'sno',
      master: true,
      architecture: 'amd64',
      addresses: [{ type: 'InternalIP', address: '192.0.2.10' }],
      networks: [{ address: '192.0.2.10/24' }],
    },
  ],
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.reef.example.test:22623/config/worker' }] },
    },
  },
};

/** Three nodes with virtual addresses, and workers that routers run on. */
export const BARE_METAL: ClusterFacts = {
  ...SINGLE_NODE,
  platform: 'BareMetal',
  controlPlaneTopology: 'HighlyAvailable',
  infrastructureTopology: 'HighlyAvailable',
  apiVIPs: ['192.0.2.5'],
  ingressVIPs: ['192.0.2.6'],
  machineNetworks: ['192.0.2.0/24'],
  ingress: { domain: 'apps.reef.example.test', defaultPlacement: 'Workers' },
  nodes: [0, 1, 2].map((index) => ({
    name: `master-${index}`,
    master: true,
    architecture: 'amd64',
    addresses: [{ type: 'InternalIP', address: `192.0.2.1${index}` }],
  })),
};

export const REMOTE: NetworkOptions = { address: '198.51.100.7', dns: ['198.51.100.1'], gateway: '198.51.100.1' };
