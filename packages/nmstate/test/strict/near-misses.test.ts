// All findings of strict mode about each state, with near misses.
import { expect, test } from 'vitest';
import { generateKeyfiles } from '../../src/index.ts';

function told(text: string): string[] {
  return generateKeyfiles(text, { mode: 'strict' }).diagnostics.map(
    ({ severity, code, path, message }) => `${severity} ${code.replace('nmstate/', '')} ${path.join('.')}: ${message}`,
  );
}

/** Two unused cards after the interface of a case. */
const CARDS = '- {name: e1, type: ethernet}\n- {name: e2, type: ethernet}\n';

test.each<[iface: string, findings: string[]]>([
  ['name: a, type: dummy', []],
  [
    'name: a, type: etherent',
    ['error unknown-type type: `etherent` is not a type of interface, and nmstate treats it as ethernet'],
  ],
  [
    'name: a, type: veht',
    ['error unknown-type type: `veht` is not a type of interface, and nmstate treats it as ethernet'],
  ],
  ['name: a', ['info assumed-type : a has no type and is treated as ethernet']],
  ['name: a, state: absent', []],
  [
    'name: a, type: nonsense, state: absent',
    ['error unknown-type type: `nonsense` is not a type of interface, and nmstate treats it as ethernet'],
  ],
  ...['ipvlan', 'ip-tunnel', 'xfrm'].flatMap((type): [string, string[]][] => [
    [
      `name: a, type: ${type}`,
      [
        `warning incomplete-profile type: nmstate writes no settings of a ${type} interface, so NetworkManager cannot create a`,
      ],
    ],
    [`name: a, type: ${type}, state: down`, []],
    [`name: a, type: ${type}, state: absent`, []],
  ]),
  // Names. An interface outside the kernel or with another identifier may have one that the kernel refuses.
  ['name: a b, type: dummy', ['error interface-name name: the kernel has no interface `a b`']],
  ['name: a b, type: dummy, state: absent', []],
  ['name: a b, type: dummy, state: ignore', []],
  ['name: a b, type: dummy, state: unknown', []],
  ['name: a b, type: dummy, state: down', ['error interface-name name: the kernel has no interface `a b`']],
  ['name: a b, type: ethernet, identifier: name', ['error interface-name name: the kernel has no interface `a b`']],
  ['name: a b, type: ethernet, identifier: mac-address, mac-address: 52:54:00:00:00:01', []],
  ['name: a b, type: ethernet, identifier: pci-address, pci-address: "0000:00:00.0"', []],
  ['name: a b, type: ipsec, libreswan: {right: 192.0.2.1}', []],
  [
    'name: a, type: ethernet, identifier: mac-address',
    ['error missing-identifier identifier: without `mac-address` the profile matches any interface'],
  ],
  [
    'name: a, type: ethernet, identifier: pci-address',
    ['error missing-identifier identifier: without `pci-address` the profile matches any interface'],
  ],
  [
    'name: a, type: ethernet, identifier: pci-address, mac-address: 52:54:00:00:00:01',
    ['error missing-identifier identifier: without `pci-address` the profile matches any interface'],
  ],
  // MAC addresses.
  ['name: a, type: dummy, mac-address: 52:54:00:aa:BB:01', []],
  ...['52:54:00:00:01', '52:54:00:00:00:01:02', '52-54-00-00-00-01', '5254.0000.0001', '52:54:00:00:00:0g'].map(
    (mac): [string, string[]] => [
      `name: a, type: dummy, mac-address: "${mac}"`,
      [`error mac-address mac-address: \`${mac}\` is not a MAC address`],
    ],
  ),
  ...['preserve', 'PERMANENT', 'Random', 'stable', 'stable-ssid'].map((word): [string, string[]] => [
    `name: a, type: dummy, mac-address: ${word}`,
    [],
  ]),
  ['name: a, type: infiniband, mac-address: "80:00", infiniband: {mode: datagram, pkey: 1}', []],
  [
    'name: a, type: dummy, copy-mac-from: e1',
    ['warning unused-key copy-mac-from: `copy-mac-from` has no effect on dummy interfaces'],
  ],
  // Waiting for addresses.
  ['name: a, type: dummy, wait-ip: any', []],
  ['name: a, type: dummy, wait-ip: ipv4', ['warning wait-ip ipv4: a waits for IPv4, which is off']],
  ['name: a, type: dummy, wait-ip: ipv6', ['warning wait-ip ipv6: a waits for IPv6, which is off']],
  [
    'name: a, type: dummy, wait-ip: ipv4+ipv6',
    ['warning wait-ip ipv4: a waits for IPv4, which is off', 'warning wait-ip ipv6: a waits for IPv6, which is off'],
  ],
  [
    'name: a, type: dummy, wait-ip: ipv4, ipv4: {enabled: false}',
    ['warning wait-ip ipv4: a waits for IPv4, which is off'],
  ],
  [
    'name: a, type: dummy, wait-ip: ipv4+ipv6, ipv4: {enabled: true, dhcp: true}, ipv6: {enabled: true, dhcp: true, autoconf: true}',
    [],
  ],
  [
    'name: a, type: dummy, wait-ip: ipv4+ipv6, ipv4: {enabled: true, dhcp: true}',
    ['warning wait-ip ipv6: a waits for IPv6, which is off'],
  ],
  // Families that are off although they have settings.
  ['name: a, type: dummy, ipv4: {}', []],
  ['name: a, type: dummy, ipv4: {dhcp: false}', []],
  ['name: a, type: dummy, ipv4: {address: []}', []],
  ['name: a, type: dummy, ipv4: {dhcp: true}', ['warning ip-not-enabled ipv4: IPv4 stays off without `enabled: true`']],
  [
    'name: a, type: dummy, ipv6: {autoconf: true}',
    ['warning ip-not-enabled ipv6: IPv6 stays off without `enabled: true`'],
  ],
  ['name: a, type: dummy, ipv6: {autoconf: false}', []],
  [
    'name: a, type: dummy, ipv6: {address: [{ip: "2001:db8::1", prefix-length: 64}]}',
    ['warning ip-not-enabled ipv6: IPv6 stays off without `enabled: true`'],
  ],
  ['name: a, type: dummy, ipv4: {enabled: false, dhcp: true}', []],
  ['name: lo, type: loopback, ipv4: {address: [{ip: 127.0.0.1, prefix-length: 8}]}', []],
  // Addresses that are left out.
  [
    'name: a, type: dummy, ipv4: {enabled: true, address: [{ip: 192.0.2.1, prefix-length: 24, valid-life-time: forever}]}',
    [],
  ],
  [
    'name: a, type: dummy, ipv4: {enabled: true, address: [{ip: 192.0.2.1, prefix-length: 24}, {ip: 192.0.2.2, prefix-length: 24, valid-life-time: 60sec}]}',
    ['warning dropped-address ipv4.address.1: 192.0.2.2 is left out because it has a lifetime'],
  ],
  [
    'name: a, type: dummy, ipv6: {enabled: true, address: [{ip: "fe80::1", prefix-length: 64}]}',
    ['warning dropped-address ipv6.address.0: fe80::1 is left out because it is link-local'],
  ],
  ['name: a, type: dummy, ipv6: {enabled: false, address: [{ip: "fe80::1", prefix-length: 64}]}', []],
  [
    'name: a, type: dummy, ipv4: {enabled: true, address: [{ip: 192.0.2.1, prefix-length: 24, protocol: 9}]}',
    ['warning dropped-address ipv4.address.0: 192.0.2.1 is left out because its `protocol` belongs to another program'],
  ],
  ['name: a, type: dummy, ipv4: {enabled: true, address: [{ip: 192.0.2.1, prefix-length: 24, protocol: ra}]}', []],
  // Types that need their own section.
  ...[
    ['vlan', 'vlan'],
    ['vxlan', 'vxlan'],
    ['mac-vlan', 'mac-vlan'],
    ['mac-vtap', 'mac-vtap'],
    ['infiniband', 'infiniband'],
    ['macsec', 'macsec'],
    ['ipsec', 'libreswan'],
  ].map(([type, section]): [string, string[]] => [
    `name: a, type: ${type}`,
    [`error missing-section : without \`${section}\` NetworkManager refuses the profile of a`],
  ]),
  ['name: a, type: ethernet', []],
  ['name: a, type: vlan, state: absent', []],
  // Numbers of VLANs and VXLANs.
  ...[1, 4094].map((id): [string, string[]] => [`name: a, type: vlan, vlan: {base-iface: e1, id: ${id}}`, []]),
  ...[0, 4095].map((id): [string, string[]] => [
    `name: a, type: vlan, vlan: {base-iface: e1, id: ${id}}`,
    [`error vlan-id vlan.id: VLAN ID ${id} is out of range (1–4094)`],
  ]),
  ['name: a, type: vxlan, vxlan: {base-iface: e1, id: 16777215}', []],
  [
    'name: a, type: vxlan, vxlan: {base-iface: e1, id: 16777216}',
    ['error vxlan-id vxlan.id: there is no VXLAN 16777216'],
  ],
  ...['linux-bridge', 'ovs-bridge'].flatMap((type): [string, string[]][] => [
    [
      `name: a, type: ${type}, bridge: {port: [{name: e1, vlan: {mode: access, tag: 0}}, {name: e2, vlan: {mode: access, tag: 4094}}]}`,
      [],
    ],
    [
      `name: a, type: ${type}, bridge: {port: [{name: e1}, {name: e2, vlan: {mode: access, tag: 4095}}]}`,
      ['error vlan-id bridge.port.1.vlan.tag: VLAN ID 4095 is out of range (1–4094)'],
    ],
    [
      `name: a, type: ${type}, bridge: {port: [{name: e1, vlan: {mode: trunk, trunk-tags: [{id: 0}, {id: 4}, {id-range: {min: 5, max: 4095}}]}}]}`,
      ['error vlan-id bridge.port.0.vlan.trunk-tags.2: VLAN ID 4095 is out of range (1–4094)'],
    ],
  ]),
  // Speed, and virtual functions.
  ['name: a, type: ethernet, ethernet: {auto-negotiation: false, speed: 1000, duplex: full}', []],
  ['name: a, type: ethernet, ethernet: {auto-negotiation: true}', []],
  ['name: a, type: ethernet, ethernet: {}', []],
  ...['speed: 1000', 'duplex: half', 'auto-negotiation: true, speed: 1000'].map((own): [string, string[]] => [
    `name: a, type: ethernet, ethernet: {${own}}`,
    ['warning unused-key ethernet: speed and duplex have no effect'],
  ]),
  [
    'name: a, type: ethernet, ethernet: {sr-iov: {total-vfs: 2, vfs: [{id: 0, vlan-id: 4094}, {id: 1, vlan-id: 0}]}}',
    [],
  ],
  ['name: a, type: ethernet, ethernet: {sr-iov: {total-vfs: 0, vfs: [{id: 7}]}}', []],
  [
    'name: a, type: ethernet, ethernet: {sr-iov: {vfs: [{id: 0}]}}',
    ['error missing-vf ethernet.sr-iov.vfs.0.id: there is no virtual function 0'],
  ],
  [
    'name: a, type: ethernet, ethernet: {sr-iov: {total-vfs: 1, vfs: [{id: 0}, {id: 1, vlan-id: 4095}]}}',
    [
      'error missing-vf ethernet.sr-iov.vfs.1.id: there is no virtual function 1',
      'error vlan-id ethernet.sr-iov.vfs.1.vlan-id: VLAN ID 4095 is out of range (1–4094)',
    ],
  ],
  // References between interfaces.
  ['name: a, type: bond, bond: {mode: 1, port: [e1, e2], options: {primary: e2}}', []],
  [
    'name: a, type: bond, bond: {mode: 1, port: [e1], options: {primary: e2}}',
    ['warning primary-port link-aggregation.options.primary: e2 is not a port of a'],
  ],
  ['name: a, type: bond, bond: {mode: 1, options: {primary: e2}}', []],
  [
    'name: a, type: bond, bond: {mode: 1, port: [e1, e3]}',
    [
      'warning undeclared-port link-aggregation.port.1: e3 is not declared, and nmstate treats it as an ethernet interface',
    ],
  ],
  [
    'name: a, type: vlan, vlan: {base-iface: e3, id: 1}',
    ['warning undeclared-parent : a needs e3, which is not declared'],
  ],
  ['name: a, type: vlan, vlan: {base-iface: "", id: 1}', []],
])('{%s}', (iface, findings) => {
  const own = findings.map((one) =>
    one.replace(/ (\S*): /, (_, path) => ` interfaces.0${path === '' ? '' : `.${path}`}: `),
  );
  expect(told(`interfaces:\n- {${iface}}\n${CARDS}`)).toEqual(own);
});

test.each<[what: string, interfaces: string[], findings: string[]]>([
  [
    'the first of two of a name',
    ['name: a, type: dummy', 'name: a, type: dummy, mtu: 1500'],
    ['error duplicate-interface interfaces.0.name: a is declared again below, and only the last one is used'],
  ],
  [
    'all but the last of three of a name',
    ['name: a, type: dummy', 'name: a, type: dummy', 'name: a, type: ethernet'],
    [0, 1].map(
      (index) =>
        `error duplicate-interface interfaces.${index}.name: a is declared again below, and only the last one is used`,
    ),
  ],
  [
    'no bridge of Open vSwitch beside its interface',
    ['name: a, type: ovs-bridge, bridge: {port: [{name: a}]}', 'name: a, type: ovs-interface'],
    [],
  ],
  [
    'the first of two bridges of Open vSwitch',
    ['name: a, type: ovs-bridge', 'name: a, type: ovs-bridge'],
    ['error duplicate-interface interfaces.0.name: a is declared again below, and only the last one is used'],
  ],
  [
    'a parent that goes by its profile',
    ['name: a, type: vlan, vlan: {base-iface: up, id: 1}', 'name: e1, type: ethernet, profile-name: up'],
    [],
  ],
  [
    'a port that has a misspelt name',
    ['name: a, type: vrf, vrf: {route-table-id: 5, port: [eno1s]}', 'name: eno1, type: ethernet'],
    [
      'warning undeclared-port interfaces.0.vrf.port.0: eno1s is not declared, and nmstate treats it as an ethernet interface',
    ],
  ],
  [
    'a port that only an IPsec connection has the name of',
    [
      'name: a, type: vrf, vrf: {route-table-id: 5, port: [i1]}',
      'name: i1, type: ipsec, libreswan: {right: 192.0.2.1}',
    ],
    [
      'warning undeclared-port interfaces.0.vrf.port.0: i1 is not declared, and nmstate treats it as an ethernet interface',
      'error duplicate-profile interfaces.0.vrf.port.0: there is a second file i1.nmconnection',
    ],
  ],
  [
    'the second of two files of a name',
    ['name: a, type: dummy, profile-name: p', 'name: p, type: dummy'],
    ['error duplicate-profile interfaces.1: there is a second file p.nmconnection'],
  ],
])('%s', (_, interfaces, findings) => {
  expect(told(`interfaces:\n${interfaces.map((one) => `- {${one}}\n`).join('')}`)).toEqual(findings);
});

test('suggests a declared name for an undeclared one', () => {
  const helpOf = (text: string): (string | undefined)[] =>
    generateKeyfiles(text, { mode: 'strict' }).diagnostics.map(({ help }) => help);
  const vlan = (base: string): string =>
    `interfaces:\n- {name: v, type: vlan, vlan: {base-iface: ${base}, id: 1}}\n- {name: uplink, type: ethernet}\n`;
  expect([vlan('upilnk'), vlan('other')].map(helpOf)).toEqual([
    ['Declare upilnk, or did you mean uplink?'],
    ['Declare other.'],
  ]);
  const many = Array.from({ length: 99 }, (_, index) => `- {name: x${index}, type: dummy}\n`).join('');
  expect(
    helpOf(
      `interfaces:\n${many}- {name: uplink, type: dummy}\n- {name: v, type: vrf, vrf: {route-table-id: 5, port: [upilnk]}}\n`,
    ),
  ).toEqual(['Declare upilnk, or did you mean uplink?']);
  // Only the first hundred names are compared.
  expect(
    helpOf(
      `interfaces:\n${many}- {name: y, type: dummy}\n- {name: uplink, type: dummy}\n- {name: v, type: vrf, vrf: {route-table-id: 5, port: [upilnk]}}\n`,
    ),
  ).toEqual(['Declare upilnk.']);
});

/** A state with one card, its address, and its routes and DNS. */
const card = (ipv4: string, rest: string, more = ''): string =>
  `interfaces:\n- {name: e1, type: ethernet, ipv4: {enabled: true, ${ipv4}}${more}}\n${rest}`;
const STATIC = 'address: [{ip: 192.0.2.10, prefix-length: 24}]';
const SIX = ', ipv6: {enabled: true, address: [{ip: "2001:db8::10", prefix-length: 64}]}';
const routes = (...list: string[]): string =>
  `routes:\n  config:\n${list.map((one) => `  - {next-hop-interface: e1, ${one}}\n`).join('')}`;
const OUTSIDE = (gateway: string): string[] => [
  `warning unreachable-gateway routes.config.0.next-hop-address: ${gateway} lies outside every network of e1`,
];
const NO_ADDRESS = (family: string): string =>
  `error routes-without-address interfaces.0.${family}: e1 has routes but no address, and NetworkManager refuses its profile`;
const servers = (...list: string[]): string => `dns-resolver: {config: {server: [${list.map((one) => `"${one}"`)}]}}\n`;
const NO_WAY = (server: string, index = 0): string =>
  `warning unreachable-server dns-resolver.config.server.${index}: no network and no route leads to the name server ${server}`;

test.each<[what: string, text: string, findings: string[]]>([
  ['a gateway in the network', card(STATIC, routes('destination: 0.0.0.0/0, next-hop-address: 192.0.2.1')), []],
  [
    'a gateway outside',
    card(STATIC, routes('destination: 0.0.0.0/0, next-hop-address: 198.51.100.1')),
    OUTSIDE('198.51.100.1'),
  ],
  [
    'a gateway just outside',
    card(STATIC, routes('destination: 0.0.0.0/0, next-hop-address: 192.0.3.0')),
    OUTSIDE('192.0.3.0'),
  ],
  ['the last address as a gateway', card(STATIC, routes('destination: 0.0.0.0/0, next-hop-address: 192.0.2.255')), []],
  [
    'a gateway of the other family',
    card(STATIC, routes('destination: "::/0", next-hop-address: "2001:db8::1"'), SIX),
    [],
  ],
  [
    'a gateway of the other family outside',
    card(STATIC, routes('destination: "::/0", next-hop-address: "2001:db8:1::1"'), SIX),
    OUTSIDE('2001:db8:1::1'),
  ],
  ['a link-local gateway', card(STATIC, routes('destination: "::/0", next-hop-address: "fe80::1"'), SIX), []],
  ['no gateway at all', card(STATIC, routes('destination: 0.0.0.0/0, next-hop-address: 0.0.0.0')), []],
  [
    'a gateway where DHCP may tell the network',
    card('dhcp: true', routes('destination: 0.0.0.0/0, next-hop-address: 198.51.100.1')),
    [],
  ],
  [
    'a gateway that another route leads to',
    card(STATIC, routes('destination: 0.0.0.0/0, next-hop-address: 198.51.100.1', 'destination: 198.51.100.0/24')),
    [],
  ],
  [
    'a gateway that another route leads to through a gateway',
    card(
      STATIC,
      routes(
        'destination: 0.0.0.0/0, next-hop-address: 198.51.100.1',
        'destination: 198.51.100.0/24, next-hop-address: 192.0.2.1',
      ),
    ),
    OUTSIDE('198.51.100.1'),
  ],
  [
    'a gateway of a route that goes',
    card(STATIC, routes('state: absent, destination: 0.0.0.0/0, next-hop-address: 198.51.100.1')),
    [],
  ],
  [
    'a gateway of a route that is left',
    card(STATIC, routes('state: ignore, destination: 0.0.0.0/0, next-hop-address: 198.51.100.1')),
    [],
  ],
  ['routes without an address', card('dhcp: false', routes('destination: 0.0.0.0/0')), [NO_ADDRESS('ipv4')]],
  ['routes without an address, which DHCP gives', card('dhcp: true', routes('destination: 0.0.0.0/0')), []],
  ['routes of the other family', card('dhcp: false', routes('destination: "::/0"'), SIX), []],
  [
    'routes of the other family without an address',
    card(STATIC, routes('destination: "::/0"'), ', ipv6: {enabled: true}'),
    [NO_ADDRESS('ipv6')],
  ],
  ['a server in the network', card(STATIC, servers('192.0.2.53')), []],
  ['a server outside', card(STATIC, servers('192.0.2.53', '198.51.100.53')), [NO_WAY('198.51.100.53', 1)]],
  ['a server of the other family', card(STATIC, servers('2001:db8::53'), SIX), []],
  ['a server of the other family outside', card(STATIC, servers('2001:db8:1::53'), SIX), [NO_WAY('2001:db8:1::53')]],
  [
    'a server that a route leads to',
    card(STATIC, `${routes('destination: 0.0.0.0/0, next-hop-address: 192.0.2.1')}${servers('198.51.100.53')}`),
    [],
  ],
  ['a server that DHCP tells the way to', card('dhcp: true', servers('198.51.100.53')), []],
  [
    'a server that DHCP does not tell the way to',
    card('dhcp: true, auto-gateway: false', servers('198.51.100.53')),
    [NO_WAY('198.51.100.53')],
  ],
  [
    'a server that DHCP tells the way to of another family',
    card('dhcp: true', servers('2001:db8:1::53'), SIX),
    [NO_WAY('2001:db8:1::53')],
  ],
  ['a server on the link', card(STATIC, servers('fe80::53%e1'), SIX), []],
  [
    'a server that is none',
    card(STATIC, servers('192.0.2.53', 'x:y%e1'), SIX),
    ['error dropped-server dns-resolver.config.server.1: `x:y%e1` is not an address and is left out'],
  ],
])('%s', (_, text, findings) => {
  expect(told(text)).toEqual(findings);
});

test('reports how many virtual functions a missing one requires', () => {
  const text = 'interfaces: [{name: a, type: ethernet, ethernet: {sr-iov: {total-vfs: 2, vfs: [{id: 7}]}}}]\n';
  const [finding] = generateKeyfiles(text, { mode: 'strict' }).diagnostics;
  expect(finding?.help).toContain(' 8');
});
