// All possible readings of a key, the likeliest first: later, another check of the text drops those that repair nothing.
import type { Path } from '@coreiso/diagnostics';
import type { LanguageKind } from '@coreiso/language';
import { expect, test } from 'vitest';
import { duplicateRepairs, keyRepairs, missingRepairs } from '../../src/repair/tree-repairs.ts';
import { changes, shown } from './shown.ts';
import { HOST, INTERFACE, ignition, type Row, subjectOf } from './subjects.ts';

test.each<Row>([
  [
    'network-state',
    `${INTERFACE}  mut: 1500\n`,
    ['interfaces', 0, 'mut'],
    ['Rename `mut` to `mtu`: ut → tu', 'Remove `mut`?:   mut: 1500\n → '],
  ],
  [
    'network-state',
    `${INTERFACE}  mut: 1500\n`,
    ['interfaces', 0, 'mut'],
    ['Rename `mut` to `mtu`: ut → tu', 'Remove `mut`?:   mut: 1500\n → '],
    'mtu',
  ],
  [
    'network-state',
    `${INTERFACE}  macAddress: a\n`,
    ['interfaces', 0, 'macAddress'],
    ['Remove `macAddress`?:   macAddress: a\n → '],
  ],
  [
    'network-state',
    `${INTERFACE}  ipv4:\n    addresses: []\n`,
    ['interfaces', 0, 'ipv4', 'addresses'],
    ['Rename `addresses` to `address`: es → ', 'Remove `addresses`?: \n    addresses: [] →  {}'],
  ],
  [
    'network-state',
    `${INTERFACE}  Ipv4:\n    enabled: true\n`,
    ['interfaces', 0, 'Ipv4'],
    ['Rename `Ipv4` to `ipv4`: I → i', 'Remove `Ipv4`?:   Ipv4:\n    enabled: true\n → '],
  ],
  [
    'network-state',
    `${INTERFACE}  enabled: true\n`,
    ['interfaces', 0, 'enabled'],
    [
      'Move `enabled` to `ipv4`?:  → ipv4:\n    ',
      'Move `enabled` to `ipv6`?:  → ipv6:\n    ',
      'Move `enabled` to `lldp`?:  → lldp:\n    ',
      'Remove `enabled`?:   enabled: true\n → ',
    ],
  ],
  [
    'network-state',
    `${INTERFACE}  ipv4:\n    enabled: true\n    mtu: 1500\n`,
    ['interfaces', 0, 'ipv4', 'mtu'],
    ['Remove `mtu`?:     mtu: 1500\n → '],
  ],
  [
    'network-state',
    `${INTERFACE}  ipv4:\n    enabled: true\n  dhcp: true\n`,
    ['interfaces', 0, 'dhcp'],
    ['Move `dhcp` to `ipv4`:  →   ', 'Move `dhcp` to `ipv6`?:  → ipv6:\n    ', 'Remove `dhcp`?:   dhcp: true\n → '],
  ],
  [
    'network-state',
    'spec:\n  interfaces: []\n',
    ['spec'],
    ['Move the keys below `spec` up: spec:\n   → ', 'Remove `spec`?: spec:\n  interfaces: [] → {}'],
  ],
  ['network-state', 'spec: {}\n', ['spec'], ['Remove `spec`?: spec:  → ']],
  ['network-state', 'server:\n- 192.0.2.1\n', ['server'], ['Remove `server`?: server:\n- 192.0.2.1 → {}']],
  [
    'network-state',
    'routes:\n- destination: 192.0.2.0/24\n',
    ['routes'],
    ['Remove `routes`?: routes:\n- destination: 192.0.2.0/24 → {}'],
  ],
  [
    'network-state',
    'routes:\n  config:\n  - gateway: 192.0.2.1\n    dest: 10.0.0.0/8\n',
    ['routes', 'config', 0, 'gateway'],
    [
      'Rename `gateway` to `next-hop-address`: gateway → next-hop-address',
      'Remove `gateway`?: gateway: 192.0.2.1\n     → ',
    ],
  ],
  [
    'network-state',
    'routes:\n  config:\n  - gateway: 192.0.2.1\n    next-hop-address: 192.0.2.1\n',
    ['routes', 'config', 0, 'gateway'],
    ['Remove `gateway`?: gateway: 192.0.2.1\n     → '],
  ],
  ['network-state', `${INTERFACE}  bo: 1\n`, ['interfaces', 0, 'bo'], ['Remove `bo`?:   bo: 1\n → ']],
  [
    'nodes-config',
    `${HOST}  bmc:\n    adress: redfish://192.0.2.1/x\n`,
    ['hosts', 0, 'bmc', 'adress'],
    ['Rename `adress` to `address`:  → d', 'Remove `adress`?: \n    adress: redfish://192.0.2.1/x →  {}'],
  ],
  ['nodes-config', `${HOST}    mac: 1\n`, ['hosts', 0, 'interfaces', 0, 'mac'], ['Remove `mac`?:     mac: 1\n → ']],
  [
    'nodes-config',
    `${HOST}  network:\n    interfaces: []\n`,
    ['hosts', 0, 'network'],
    ['Rename `network` to `networkConfig`:  → Config', 'Remove `network`?:   network:\n    interfaces: []\n → '],
  ],
  [
    'nodes-config',
    `${HOST}  deviceName: /dev/sda\n`,
    ['hosts', 0, 'deviceName'],
    [
      'Move `deviceName` to `rootDeviceHints`:  → rootDeviceHints:\n    ',
      'Remove `deviceName`?:   deviceName: /dev/sda\n → ',
    ],
  ],
  [
    'nodes-config',
    `${HOST}    hostname: b\n`,
    ['hosts', 0, 'interfaces', 0, 'hostname'],
    ['Remove `hostname`?:     hostname: b\n → '],
  ],
  [
    'nodes-config',
    `${HOST}    role: worker\n`,
    ['hosts', 0, 'interfaces', 0, 'role'],
    ['Remove `role`?:     role: worker\n → '],
  ],
  [
    'nodes-config',
    'nodes:\n- hostname: a\n',
    ['nodes'],
    ['Rename `nodes` to `hosts`: node → host', 'Remove `nodes`?: nodes:\n- hostname: a → {}'],
  ],
  [
    'ignition',
    ignition('"storage": {"files": [{"path": "/a", "contents": {"inline": "a b"}}]}'),
    ['storage', 'files', 0, 'contents', 'inline'],
    ['Write it as `source`: inline": "a  → source": "data:,a%20', 'Remove `inline`?: "inline": "a b" → '],
  ],
  [
    'ignition',
    ignition('"storage": {"files": [{"path": "/a", "contents": {"inline": "a", "source": "data:,"}}]}'),
    ['storage', 'files', 0, 'contents', 'inline'],
    ['Remove `inline`?: inline": "a", " → '],
  ],
  [
    'ignition',
    ignition('"storage": {"files": [{"path": "/a", "source": "data:,"}]}'),
    ['storage', 'files', 0, 'source'],
    [
      'Move `source` to `contents`: source": "data:," → contents": {"source": "data:,"}',
      'Remove `source`?: , "source": "data:," → ',
    ],
  ],
  [
    'ignition',
    ignition('"files": [{"path": "/a"}]'),
    ['files'],
    [
      'Move `files` to `storage`: files": [{"path": "/a"}] → storage": {"files": [{"path": "/a"}]}',
      'Remove `files`?: , "files": [{"path": "/a"}] → ',
    ],
  ],
  [
    'ignition',
    ignition('"storage": {"files": [{"path": "/a", "permissions": 420}]}'),
    ['storage', 'files', 0, 'permissions'],
    ['Rename `permissions` to `mode`: permissions → mode', 'Remove `permissions`?: , "permissions": 420 → '],
  ],
  [
    'ignition',
    ignition('"storage": {"files": [{"path": "/a", "owner": {"name": "core"}}]}'),
    ['storage', 'files', 0, 'owner'],
    ['Rename `owner` to `user`: own → us', 'Remove `owner`?: , "owner": {"name": "core"} → '],
  ],
  ['ignition', ignition('"storage": {"units": []}'), ['storage', 'units'], ['Remove `units`?: "units": [] → ']],
  [
    'ignition',
    ignition('"passwd": {"users": [{"name": "core", "ssh_keys": ["a"]}]}'),
    ['passwd', 'users', 0, 'ssh_keys'],
    ['Rename `ssh_keys` to `sshAuthorizedKeys`: _k → AuthorizedK', 'Remove `ssh_keys`?: , "ssh_keys": ["a"] → '],
  ],
  [
    'network-state',
    'interfaces:\n- name: b\n  type: bond\n  port:\n  - x\n\n  - y\n',
    ['interfaces', 0, 'port'],
    [
      'Move `port` to `link-aggregation`?: port:\n  - x\n\n → link-aggregation:\n    port:\n    - x\n\n  ',
      'Move `port` to `bond`?: port:\n  - x\n\n → bond:\n    port:\n    - x\n\n  ',
      'Remove `port`?:   port:\n  - x\n\n  - y\n → ',
    ],
  ],
  [
    'network-state',
    'interfaces:\r\n- name: b\r\n  type: bond\r\n  port:\r\n  - x\r\n  - y\r\n',
    ['interfaces', 0, 'port'],
    [
      'Move `port` to `link-aggregation`?: port:\r\n  - x\r\n → link-aggregation:\r\n    port:\r\n    - x\r\n  ',
      'Move `port` to `bond`?: port:\r\n  - x\r\n → bond:\r\n    port:\r\n    - x\r\n  ',
      'Remove `port`?:   port:\r\n  - x\r\n  - y\r\n → ',
    ],
  ],
  [
    'network-state',
    '{"interfaces": [{"name": "a", "dhcp": true}]}',
    ['interfaces', 0, 'dhcp'],
    [
      'Move `dhcp` to `ipv4`?: dhcp": true → ipv4": {"dhcp": true}',
      'Move `dhcp` to `ipv6`?: dhcp": true → ipv6": {"dhcp": true}',
      'Remove `dhcp`?: , "dhcp": true → ',
    ],
  ],
  [
    'nodes-config',
    'hosts:\n- hostname: a\n  cpuArchitecture: x86_64\n  role: worker\n',
    ['hosts', 0, 'cpuArchitecture'],
    [
      'Move `cpuArchitecture` to the top: cpuArchitecture: x86_64\n  role: worker → role: worker\ncpuArchitecture: x86_64',
      'Remove `cpuArchitecture`?: cpuArchitecture: x86_64\n   → ',
    ],
  ],
  [
    'network-state',
    'interfaces:\n- name: e\n  ipv4:\n    enabled: true\n    mtu: 1500\n    dhcp: true\n',
    ['interfaces', 0, 'ipv4', 'mtu'],
    [
      'Move `mtu` to `interfaces`: mtu: 1500\n    dhcp: true → dhcp: true\n  mtu: 1500',
      'Remove `mtu`?: mtu: 1500\n     → ',
    ],
  ],
  [
    'network-state',
    'interfaces:\n- name: e\n  ipv4:\n    address:\n    - ip: 192.0.2.1\n      mtu: 1500\n      prefix-length: 24\n',
    ['interfaces', 0, 'ipv4', 'address', 0, 'mtu'],
    [
      'Move `mtu` to `interfaces`: mtu: 1500\n      prefix-length: 24 → prefix-length: 24\n  mtu: 1500',
      'Remove `mtu`?: mtu: 1500\n       → ',
    ],
  ],
  // A wrapper inside others.
  [
    'network-state',
    'interfaces:\n- name: e\n  spec:\n    mtu: 1500\n    state: up\n  type: ethernet\n',
    ['interfaces', 0, 'spec'],
    [
      'Move the keys below `spec` up: spec:\n    mtu: 1500\n   → mtu: 1500\n',
      'Remove `spec`?: spec:\n    mtu: 1500\n    state: up\n   → ',
    ],
  ],
  // Not to its own place, nor to one of several.
  [
    'network-state',
    'interfaces:\n- name: e\n  ipv4:\n    state: up\n    enabled: true\n  state: up\n',
    ['interfaces', 0, 'ipv4', 'state'],
    ['Remove `state`?: state: up\n     → '],
  ],
  [
    'network-state',
    'mtu: 1500\ninterfaces:\n- name: e\n',
    ['mtu'],
    [
      'Move `mtu` to `interfaces`: mtu: 1500\ninterfaces:\n- name: e → interfaces:\n- name: e\n  mtu: 1500',
      'Remove `mtu`?: mtu: 1500\n → ',
    ],
  ],
  ['network-state', 'mtu: 1500\ninterfaces:\n- name: e\n  mtu: 1\n', ['mtu'], ['Remove `mtu`?: mtu: 1500\n → ']],
  ['network-state', 'mtu: 1500\ninterfaces:\n- name: e\n- name: f\n', ['mtu'], ['Remove `mtu`?: mtu: 1500\n → ']],
  // One letter turns short words into others.
  [
    'network-state',
    'interfaces:\n- name: e\n  Mt: 5\n',
    ['interfaces', 0, 'Mt'],
    ['Rename `Mt` to `mtu`?: Mt → mtu', 'Remove `Mt`?:   Mt: 5\n → '],
  ],
  [
    'network-state',
    'interfaces:\n- name: e\n  type: vlan\n  vlan:\n    base-iface: a\n    ID: 5\n',
    ['interfaces', 0, 'vlan', 'ID'],
    ['Rename `ID` to `id`: ID → id', 'Remove `ID`?:     ID: 5\n → '],
  ],
  [
    'network-state',
    'interfaces:\n- name: e\n  type: vlan\n  vlan:\n    base-iface: a\n    ie: 5\n',
    ['interfaces', 0, 'vlan', 'ie'],
    ['Rename `ie` to `id`?: e → d', 'Remove `ie`?:     ie: 5\n → '],
  ],
])('%s: the key at the end of %j', (kind, text, path, proposals, near) => {
  expect(changes(text, keyRepairs(subjectOf(kind, text), path, near))).toEqual(proposals);
});

test.each<Row>([
  ['nodes-config', 'hosts:\n- hostname: a\n', ['hosts', 0, 'interfaces'], ['Add `interfaces`?:  →   interfaces: []\n']],
  [
    'nodes-config',
    'hosts:\n- hostname: a\n  interfces: []\n',
    ['hosts', 0, 'interfaces'],
    ['Rename `interfces` to `interfaces`:  → a', 'Add `interfaces`?:  →   interfaces: []\n'],
  ],
  [
    'nodes-config',
    'hosts:\n- hostname: a\n  interfces: []\n  inerfaces: []\n',
    ['hosts', 0, 'interfaces'],
    [
      'Rename `interfces` to `interfaces`?:  → a',
      'Rename `inerfaces` to `interfaces`?:  → t',
      'Add `interfaces`?:  →   interfaces: []\n',
    ],
  ],
  [
    'nodes-config',
    'hosts:\n- hostname: a\n  interfaces:\n  - nam: eno1\n    macAddress: 52:54:00:00:00:01\n    x: 1\n',
    ['hosts', 0, 'interfaces', 0, 'name'],
    ['Rename `nam` to `name`:  → e', 'Add `name`?:  →     name: ""\n'],
  ],
  ['ignition', '{"ignition": {}}', ['ignition', 'version'], ['Add `version`?:  → "version": "3.6.0"']],
  ['ignition', '{"storage": {}}', ['ignition'], ['Add `ignition`?:  → , "ignition": {}']],
  ['ignition', ignition('"storage": {"files": [{}]}'), ['storage', 'files', 0, 'mode'], ['Add `mode`?:  → "mode": 0']],
  [
    'ignition',
    ignition('"storage": {"files": [{}]}'),
    ['storage', 'files', 0, 'overwrite'],
    ['Add `overwrite`?:  → "overwrite": true'],
  ],
  ['ignition', ignition('"storage": {"files": [{}]}'), ['storage', 'files', 0, 'path'], ['Add `path`?:  → "path": ""']],
  ['ignition', ignition('"storage": {"files": [{}]}'), ['storage', 'files', 0, 'zzz'], []],
  ['agent-config', 'metadata: {name: a}\n', ['apiVersion'], ['Add `apiVersion`?:  → apiVersion: v1beta1\n']],
  ['agent-config', 'metadata: {name: a}\n', ['kind'], ['Add `kind`?:  → kind: ""\n']],
  ['nmstateconfig', 'metadata: {name: a}\n', ['kind'], ['Add `kind`?:  → kind: ""\n']],
  ['install-config', 'platform: {}\n', ['metadata'], ['Add `metadata`?:  → metadata: {}\n']],
])('%s: adds the missing key in %j', (kind, text, path, proposals) => {
  expect(changes(text, missingRepairs(subjectOf(kind, text), path))).toEqual(proposals);
});

test.each<[text: string, place: number, proposals: string[]]>([
  ['a: 1\na: 1\nb: 2\n', 5, ['Remove the second `a`: a: 1\nb: 2\n']],
  ['a: 1\na: 2\n', 5, ['Remove the second `a`?: a: 1\n']],
  ['a: 1\nb: 1\na: 1\n', 10, ['Remove the second `a`?: a: 1\nb: 1\n']],
  ['a: 1\na: 1', 5, ['Remove the second `a`: a: 1\n']],
  ['{a: 1, a: 1}\n', 7, []],
  ['a: 1\na: 1\na: 1\n', 5, []],
  ['x:\n- a: 1\n  a: 1\n', 12, ['Remove the second `a`: x:\n- a: 1\n']],
  ['x:\n  a: [1,\n  2]\n  a: [1,\n  2]\n  b: 3\n', 20, ['Remove the second `a`: x:\n  a: [1,\n  2]\n  b: 3\n']],
  ['a: 1\nb: 2\n', 5, []],
  ['a: |\n  x\na: |\n  x\nb: 1\n', 9, ['Remove the second `a`: a: |\n  x\nb: 1\n']],
  ['a: 1\n\na: 1\n', 6, ['Remove the second `a`: a: 1\n\n']],
])('repairs a duplicate key in %j', (text, place, proposals) => {
  expect(shown(text, duplicateRepairs(subjectOf('nodes-config', text), place))).toEqual(proposals);
});

/** A place for each name of other tools and versions. */
const SYNONYMS: readonly (readonly [kind: LanguageKind, text: string, path: Path, names: Record<string, string>])[] = [
  [
    'network-state',
    '§: []\n',
    [],
    { dns: 'dns-resolver', dnsresolver: 'dns-resolver', ethernets: 'interfaces', 'dns resolver': 'dns-resolver' },
  ],
  [
    'network-state',
    'interfaces:\n- §: x\n',
    ['interfaces', 0],
    { hwaddress: 'mac-address', 'hw-address': 'mac-address' },
  ],
  ['network-state', 'interfaces:\n- ipv4: {§: []}\n', ['interfaces', 0, 'ipv4'], { addresses: 'address' }],
  [
    'network-state',
    'interfaces:\n- ipv4: {address: [{§: x}]}\n',
    ['interfaces', 0, 'ipv4', 'address', 0],
    {
      ...{ address: 'ip', ipaddress: 'ip', ipaddr: 'ip', ips: 'ip', 'ip-address': 'ip' },
      ...{ netmask: 'prefix-length', prefix: 'prefix-length' },
    },
  ],
  [
    'network-state',
    'interfaces:\n- type: bond\n  link-aggregation: {§: x}\n',
    ['interfaces', 0, 'link-aggregation'],
    { bondmode: 'mode', members: 'port', slaves: 'port' },
  ],
  [
    'network-state',
    'interfaces:\n- type: vlan\n  vlan: {§: x}\n',
    ['interfaces', 0, 'vlan'],
    { vlanid: 'id', parent: 'base-iface' },
  ],
  [
    'network-state',
    'routes: {config: [{§: x}]}\n',
    ['routes', 'config', 0],
    {
      ...{ gateway: 'next-hop-address', gateway4: 'next-hop-address', nexthop: 'next-hop-address' },
      ...{ nexthopip: 'next-hop-address', 'next-hop-ip': 'next-hop-address' },
      ...{ interface: 'next-hop-interface', table: 'table-id' },
    },
  ],
  [
    'network-state',
    'dns-resolver: {config: {§: []}}\n',
    ['dns-resolver', 'config'],
    { nameserver: 'server', nameservers: 'server' },
  ],
  ['nodes-config', '§: []\n', [], { nodes: 'hosts' }],
  ['nodes-config', 'hosts:\n- §: x\n', ['hosts', 0], { hostnames: 'hostname', network: 'networkConfig' }],
  [
    'nodes-config',
    'hosts:\n- interfaces: [{§: x}]\n',
    ['hosts', 0, 'interfaces', 0],
    { mac: 'macAddress', macaddr: 'macAddress' },
  ],
  ['nodes-config', 'hosts:\n- rootDeviceHints: {§: x}\n', ['hosts', 0, 'rootDeviceHints'], { device: 'deviceName' }],
  ['agent-config', '§: []\n', [], { ntpservers: 'additionalNTPSources' }],
  [
    'ignition',
    '{"storage": {"files": [{"§": "x"}]}}',
    ['storage', 'files', 0],
    { filename: 'path', content: 'contents', permissions: 'mode', owner: 'user' },
  ],
  [
    'ignition',
    '{"passwd": {"users": [{"§": "x"}]}}',
    ['passwd', 'users', 0],
    { sshkey: 'sshAuthorizedKeys', sshkeys: 'sshAuthorizedKeys', sshauthorizedkey: 'sshAuthorizedKeys' },
  ],
];

test.each(
  SYNONYMS.flatMap(([kind, text, path, names]) =>
    Object.entries(names).map(([written, meant]) => ({ kind, text, path, written, meant })),
  ),
)('$kind $path: $written means $meant', ({ kind, text, path, written, meant }) => {
  const found = keyRepairs(subjectOf(kind, text.replace('§', written)), [...path, written], undefined);
  expect(found.filter(({ certain }) => certain).map(({ title }) => title)).toContain(
    `Rename \`${written}\` to \`${meant}\``,
  );
});
