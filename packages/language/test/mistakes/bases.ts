// Valid documents of many shapes: each seed gives another one.
import type { LanguageKind } from '@coreiso/language';
import type { Random } from '../../../../test/support/random.ts';

const hex = (random: Random): string => random.below(256).toString(16).padStart(2, '0');
const mac = (random: Random): string => `52:54:00:${hex(random)}:${hex(random)}:${hex(random)}`;

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl core@example';

interface Host {
  readonly name: string;
  readonly macs: readonly string[];
  readonly address: string;
}

function hostsOf(random: Random, count: number, name: string): Host[] {
  const subnet = 10 + random.below(200);
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}-${index}`,
    macs: [mac(random), mac(random)],
    address: `192.168.${subnet}.${80 + index}`,
  }));
}

function staticNetwork(host: Host, nic: string, pad: string): string {
  const gateway = host.address.replace(/\d+$/, '1');
  return [
    'interfaces:',
    `  - name: ${nic}`,
    '    type: ethernet',
    '    state: up',
    `    mac-address: ${host.macs[0]}`,
    '    ipv4:',
    '      enabled: true',
    '      address:',
    `        - ip: ${host.address}`,
    '          prefix-length: 24',
    '      dhcp: false',
    'dns-resolver:',
    '  config:',
    '    server:',
    `      - ${gateway}`,
    'routes:',
    '  config:',
    '    - destination: 0.0.0.0/0',
    `      next-hop-address: ${gateway}`,
    `      next-hop-interface: ${nic}`,
  ]
    .map((line) => pad + line)
    .join('\n');
}

function bondNetwork(host: Host, pad: string, vlan: number): string {
  const gateway = host.address.replace(/\d+$/, '1');
  return [
    'interfaces:',
    `  - name: bond0.${vlan}`,
    '    type: vlan',
    '    state: up',
    '    vlan:',
    '      base-iface: bond0',
    `      id: ${vlan}`,
    '    ipv4:',
    '      enabled: true',
    '      dhcp: false',
    '      address:',
    `        - ip: ${host.address}`,
    '          prefix-length: 24',
    '  - name: bond0',
    '    type: bond',
    '    state: up',
    '    link-aggregation:',
    '      mode: active-backup',
    '      options:',
    "        miimon: '100'",
    '      port:',
    '        - eth0',
    '        - eth1',
    '  - name: eth0',
    '    type: ethernet',
    '    state: up',
    '    mtu: 9000',
    '  - name: eth1',
    '    type: ethernet',
    '    state: up',
    '    mtu: 9000',
    'routes:',
    '  config:',
    '    - destination: 0.0.0.0/0',
    `      next-hop-address: ${gateway}`,
    `      next-hop-interface: bond0.${vlan}`,
    '      table-id: 254',
    'dns-resolver:',
    '  config:',
    '    search:',
    '      - example.test',
    '    server:',
    `      - ${gateway}`,
  ]
    .map((line) => pad + line)
    .join('\n');
}

function hostText(random: Random, host: Host, role: string, indent: string): string {
  const isBond = random.below(3) === 0;
  const nics = isBond ? ['eth0', 'eth1'] : [random.pick(['eth0', 'eno1', 'enp3s0'])];
  const lines = [
    `- hostname: ${host.name}`,
    `  role: ${role}`,
    '  rootDeviceHints:',
    `    deviceName: ${random.pick(['/dev/sda', '/dev/nvme0n1', '/dev/vda'])}`,
    '  interfaces:',
    ...nics.flatMap((nic, index) => [`    - name: ${nic}`, `      macAddress: ${host.macs[index]}`]),
  ];
  const network = isBond
    ? bondNetwork(host, '    ', 100 + random.below(800))
    : staticNetwork(host, nics[0] ?? 'eth0', '    ');
  return [...lines.map((line) => indent + line), `${indent}  networkConfig:`, network.replaceAll(/^/gm, indent)].join(
    '\n',
  );
}

function nodesConfig(random: Random): string {
  const hosts = hostsOf(random, 1 + random.below(3), 'extra-worker');
  const indent = random.pick(['', '  ']);
  const head = random.pick(['', '# added in spring\n', 'cpuArchitecture: amd64\n', `sshKey: '${KEY}'\n`]);
  return `${head}hosts:\n${hosts.map((host) => hostText(random, host, 'worker', indent)).join('\n')}\n`;
}

function agentConfig(random: Random): string {
  const hosts = hostsOf(random, 3, 'master');
  const indent = random.pick(['', '  ']);
  return [
    'apiVersion: v1beta1',
    'kind: AgentConfig',
    'metadata:',
    '  name: example-cluster',
    `rendezvousIP: ${hosts[0]?.address}`,
    ...(random.below(2) === 0 ? ['additionalNTPSources:', '  - 0.pool.ntp.org', '  - 192.0.2.123'] : []),
    'hosts:',
    ...hosts.map((host) => hostText(random, host, 'master', indent)),
    '',
  ].join('\n');
}

function installConfig(random: Random): string {
  const workers = random.below(3) === 0 ? 0 : 2;
  const net = 10 + random.below(200);
  const isNone = random.below(3) === 0;
  const masters = isNone ? 1 : 3;
  const platform = isNone
    ? ['platform:', '  none: {}']
    : [
        'platform:',
        '  baremetal:',
        '    apiVIPs:',
        `      - 192.168.${net}.5`,
        '    ingressVIPs:',
        `      - 192.168.${net}.6`,
      ];
  return [
    'apiVersion: v1',
    'baseDomain: example.test',
    'metadata:',
    '  name: example-cluster',
    'compute:',
    '  - name: worker',
    '    architecture: amd64',
    '    hyperthreading: Enabled',
    `    replicas: ${isNone ? 0 : workers}`,
    'controlPlane:',
    '  name: master',
    '  architecture: amd64',
    '  hyperthreading: Enabled',
    `  replicas: ${masters}`,
    'networking:',
    '  networkType: OVNKubernetes',
    '  clusterNetwork:',
    '    - cidr: 10.128.0.0/14',
    '      hostPrefix: 23',
    '  machineNetwork:',
    `    - cidr: 192.168.${net}.0/24`,
    '  serviceNetwork:',
    '    - 172.30.0.0/16',
    ...platform,
    ...(random.below(3) === 0 ? ['fips: false'] : []),
    `pullSecret: '{"auths": {"quay.example.test": {"auth": "dXNlcjpwYXNz", "email": "me@example.test"}}}'`,
    `sshKey: '${KEY}'`,
    '',
  ].join('\n');
}

function networkState(random: Random): string {
  const [host] = hostsOf(random, 1, 'host');
  if (host === undefined) throw new Error('no host');
  switch (random.below(3)) {
    case 0:
      return `${staticNetwork(host, random.pick(['eth0', 'eno1', 'enp3s0']), '')}\n`;
    case 1:
      return `${bondNetwork(host, '', 100 + random.below(800))}\n`;
    default:
      return [
        'interfaces:',
        '  - name: br-ex',
        '    type: linux-bridge',
        '    state: up',
        '    ipv4:',
        '      enabled: true',
        '      dhcp: true',
        '      auto-dns: true',
        '    ipv6:',
        '      enabled: false',
        '    bridge:',
        '      options:',
        '        stp:',
        '          enabled: false',
        '      port:',
        '        - name: eth1',
        '  - name: eth1',
        '    type: ethernet',
        '    state: up',
        `    mtu: ${random.pick([1500, 9000])}`,
        '    ipv4:',
        '      enabled: false',
        '',
      ].join('\n');
  }
}

function ignition(random: Random): string {
  const config = {
    ignition: {
      version: random.pick(['3.2.0', '3.4.0']),
      ...(random.below(3) === 0 ? { config: { merge: [{ source: 'https://config.example.test/worker.ign' }] } } : {}),
    },
    passwd: { users: [{ name: 'core', sshAuthorizedKeys: [KEY] }] },
    storage: {
      files: [
        { path: '/etc/motd', mode: 420, overwrite: true, contents: { source: 'data:,hello' } },
        {
          path: `/etc/sysctl.d/${10 + random.below(80)}-net.conf`,
          mode: 384,
          contents: { source: 'https://files.example.test/net.conf', compression: 'gzip' },
        },
      ],
      directories: [{ path: '/var/lib/example', mode: 493 }],
      links: [{ path: '/etc/localtime', target: '/usr/share/zoneinfo/UTC', hard: false }],
    },
    systemd: {
      units: [
        {
          name: 'example.service',
          enabled: true,
          contents:
            '[Unit]\nDescription=x\n[Service]\nType=oneshot\nExecStart=/usr/bin/true\n[Install]\nWantedBy=multi-user.target\n',
        },
      ],
    },
  };
  return `${JSON.stringify(config, null, random.pick([2, 4]))}\n`;
}

export const BASES: Readonly<Partial<Record<LanguageKind, (random: Random) => string>>> = {
  'nodes-config': nodesConfig,
  'agent-config': agentConfig,
  'install-config': installConfig,
  'network-state': networkState,
  ignition,
};
