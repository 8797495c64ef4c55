// Each mistake that a form can have, with its field, and near misses.
import { expect, test } from 'vitest';
import { formFindings } from '../../src/form/checks.ts';
import type { AddressForm, InterfaceForm, NetworkForm, RouteForm, RuleForm } from '../../src/forms.ts';

const told = (form: Partial<NetworkForm>): string[] =>
  formFindings({ interfaces: [], routes: [], rules: [], dns: { servers: [], search: [] }, ...form }).map(
    ({ code, path = [], message }) => `${code} ${path.join('.')}: ${message}`,
  );

const card = (name: string, more: object = {}): InterfaceForm => ({ name, type: 'ethernet', ...more }) as InterfaceForm;
const onTop = (name: string, more: object = {}): InterfaceForm =>
  ({ name, type: 'vlan', base: 'eth0', id: 7, ...more }) as InterfaceForm;
const bond = (more: object = {}): InterfaceForm =>
  ({ name: 'bond0', type: 'bond', mode: 'active-backup', ports: ['eth0', 'eth1'], ...more }) as InterfaceForm;
const bridge = (name: string, ports: readonly string[], more: object = {}): InterfaceForm =>
  ({ name, type: 'linux-bridge', ports, ...more }) as InterfaceForm;
const ovs = (name: string, ports: readonly string[]): InterfaceForm =>
  ({ name, type: 'ovs-bridge', ports }) as InterfaceForm;
const inner = (name: string, more: object = {}): InterfaceForm =>
  ({ name, type: 'ovs-interface', ...more }) as InterfaceForm;
const ON = { enabled: true, dhcp: true };

test.each<[name: string, findings: string[]]>([
  ['a', []],
  ['a23456789012345', []],
  ['...', []],
  ['', ['nmstate/interface-name interfaces.0.name: the interface has no name']],
  ...['a234567890123456', 'a b', 'a:1', 'a/b', '.', '..', 'ä2345678901234é'].map((name): [string, string[]] => [
    name,
    [`nmstate/interface-name interfaces.0.name: \`${name}\` cannot be the name of an interface`],
  ]),
])('checks the name %j', (name, findings) => {
  expect(told({ interfaces: [card(name)] })).toEqual(findings);
});

test.each<[what: string, form: InterfaceForm, findings: string[]]>([
  ['a MAC address', card('a', { mac: '52:54:00:AB:cd:ef' }), []],
  [
    'a short MAC address',
    card('a', { mac: '52:54:00:00:01' }),
    ['nmstate/mac-address mac: `52:54:00:00:01` is not a MAC address'],
  ],
  ['the long address of InfiniBand', card('a', { type: 'infiniband', mac: '80:00:00' }), []],
  [
    'a MAC address of an Open vSwitch bridge',
    { ...ovs('a', []), mac: '52:54:00:00:00:01' } as InterfaceForm,
    ['nmstate/invalid-argument mac: an Open vSwitch bridge has no MAC address of its own'],
  ],
  ['the smallest MTU', card('a', { mtu: 1 }), []],
  ['no MTU at all', card('a', { mtu: 0 }), ['nmstate/out-of-range mtu: MTU 0 is out of range (1–4294967295)']],
  ['the largest MTU', card('a', { mtu: 4294967295 }), []],
  [
    'a larger MTU',
    card('a', { mtu: 4294967296 }),
    ['nmstate/out-of-range mtu: MTU 4294967296 is out of range (1–4294967295)'],
  ],
  ['half an MTU', card('a', { mtu: 1500.5 }), ['nmstate/out-of-range mtu: MTU 1500.5 is out of range (1–4294967295)']],
  ['the smallest MTU with IPv6', card('a', { mtu: 1280, ipv6: ON }), []],
  [
    'a smaller MTU with IPv6',
    card('a', { mtu: 1279, ipv6: ON }),
    ['nmstate/out-of-range mtu: MTU 1279 is out of range (1280–4294967295)'],
  ],
  ['a small MTU without IPv6', card('a', { mtu: 576, ipv6: { enabled: false } }), []],
  ['a VLAN', onTop('v'), []],
  ['the first VLAN', onTop('v', { id: 1 }), []],
  ['the last VLAN', onTop('v', { id: 4094 }), []],
  ...[0, 4095, 1.5, undefined].map((id): [string, InterfaceForm, string[]] => [
    `VLAN ${id}`,
    onTop('v', { id }),
    [`nmstate/vlan-id id: VLAN ID ${id} is out of range (1–4094)`],
  ]),
  ...['', 'v', undefined].map((base): [string, InterfaceForm, string[]] => [
    `a VLAN on ${base}`,
    onTop('v', { base }),
    ['nmstate/missing-key base: the VLAN has no interface below it'],
  ]),
  ['a bond', bond(), []],
  ['a bond without a mode', bond({ mode: undefined }), ['nmstate/unknown-value mode: the bond has no mode']],
  [
    'a bond that is to be up without a mode',
    bond({ mode: undefined, state: 'up' }),
    ['nmstate/unknown-value mode: the bond has no mode'],
  ],
  ['a bond that goes away without a mode', bond({ mode: undefined, state: 'absent' }), []],
  [
    'a bond with a mode of its own',
    bond({ mode: 'fast' }),
    ['nmstate/unknown-value mode: `fast` is not a mode of a bond'],
  ],
  [
    'a bond that goes away with a mode of its own',
    bond({ mode: 'fast', state: 'absent' }),
    ['nmstate/unknown-value mode: `fast` is not a mode of a bond'],
  ],
  ['a bond that looks all the time', bond({ miimon: 0 }), []],
  [
    'a bond that looks seldom',
    bond({ miimon: 4294967296 }),
    ['nmstate/out-of-range miimon: miimon 4294967296 is out of range (0–4294967295)'],
  ],
  [
    'a bond that looks back',
    bond({ miimon: -1 }),
    ['nmstate/out-of-range miimon: miimon -1 is out of range (0–4294967295)'],
  ],
  ...['active-backup', 'balance-tlb', 'balance-alb'].map((mode): [string, InterfaceForm, string[]] => [
    `a bond in mode ${mode} with a first port`,
    bond({ mode, primary: 'eth1' }),
    [],
  ]),
  ...['balance-rr', 'balance-xor', 'broadcast', '802.3ad'].map((mode): [string, InterfaceForm, string[]] => [
    `a bond in mode ${mode} with a first port`,
    bond({ mode, primary: 'eth1' }),
    [`nmstate/primary-port primary: a bond in mode ${mode} has no primary port`],
  ]),
  [
    'a first port of another',
    bond({ primary: 'eth2' }),
    ['nmstate/primary-port primary: eth2 is not a port of the bond'],
  ],
  [
    'a first port of none',
    bond({ ports: undefined, primary: 'eth0' }),
    ['nmstate/primary-port primary: eth0 is not a port of the bond'],
  ],
])('%s', (_, form, findings) => {
  const own = findings.map((one) => one.replace(' ', ' interfaces.0.'));
  expect(told({ interfaces: [form] })).toEqual(own);
});

test.each<[family: 'ipv4' | 'ipv6', form: AddressForm, findings: string[]]>([
  ['ipv4', { addresses: ['192.0.2.1/24', '192.0.2.2/32'], enabled: true }, []],
  ['ipv6', { addresses: ['2001:db8::1/64'], enabled: true }, []],
  ...['192.0.2.1', '192.0.2.1/33', '2001:db8::1/64', 'x/24', ''].map((text): ['ipv4', AddressForm, string[]] => [
    'ipv4',
    { addresses: ['192.0.2.1/24', text] },
    [`nmstate/wrong-address interfaces.0.ipv4.addresses.1: expected an IPv4 address with a prefix, found '${text}'`],
  ]),
  [
    'ipv6',
    { addresses: ['192.0.2.1/24'] },
    [
      "nmstate/wrong-address interfaces.0.ipv6.addresses.0: expected an IPv6 address with a prefix, found '192.0.2.1/24'",
    ],
  ],
  ['ipv6', { enabled: true, dhcp: true, autoconf: true }, []],
  ['ipv6', { enabled: true, autoconf: false }, []],
  ['ipv6', { enabled: false, autoconf: true }, []],
  ['ipv6', { autoconf: true }, []],
  ...[undefined, false].map((dhcp): ['ipv6', AddressForm, string[]] => [
    'ipv6',
    { enabled: true, dhcp, autoconf: true },
    ['nmstate/not-implemented interfaces.0.ipv6.autoconf: nmstate does not support autoconf without DHCP'],
  ]),
  ...[true, false].map((autoconf): ['ipv4', AddressForm, string[]] => [
    'ipv4',
    { enabled: true, dhcp: true, autoconf },
    ['nmstate/refused-key interfaces.0.ipv4.autoconf: autoconf is for IPv6 only'],
  ]),
])('%s: %j', (family, form, findings) => {
  expect(told({ interfaces: [card('a', { [family]: form })] })).toEqual(findings);
});

const IN_CIRCLE = 'is a port in a circle of ports, or comes before its controller';

test.each<[what: string, interfaces: InterfaceForm[], findings: string[]]>([
  [
    'the same name twice',
    [card('a'), card('b'), card('a', { type: 'dummy' })],
    ['nmstate/duplicate-interface interfaces.2.name: a is declared twice'],
  ],
  ['a bridge of Open vSwitch and its interface', [ovs('br0', ['br0']), inner('br0')], []],
  [
    'two bridges of Open vSwitch',
    [ovs('br0', []), ovs('br0', [])],
    ['nmstate/duplicate-interface interfaces.1.name: br0 is declared twice'],
  ],
  ['IPsec beside another', [card('a', { type: 'ipsec' }), card('a')], []],
  [
    'IPsec twice',
    [card('a', { type: 'ipsec' }), card('a', { type: 'ipsec' })],
    ['nmstate/duplicate-interface interfaces.1.name: a is declared twice'],
  ],
  [
    'two without a name',
    [card(''), card('')],
    [
      'nmstate/interface-name interfaces.0.name: the interface has no name',
      'nmstate/interface-name interfaces.1.name: the interface has no name',
    ],
  ],
  [
    'a card beside a bridge of Open vSwitch',
    [card('br0'), ovs('br0', [])],
    [
      'nmstate/invalid-argument interfaces.0.name: br0 is a bridge of Open vSwitch: only its own interface can share the name',
    ],
  ],
  [
    'a port that cannot be one',
    [bridge('br0', ['a b'])],
    ['nmstate/interface-name interfaces.0.ports.0: `a b` cannot be the name of a port'],
  ],
  [
    'a port twice',
    [bridge('br0', ['a', 'b', 'a'])],
    ['nmstate/invalid-argument interfaces.0.ports.2: a is a port of br0 already'],
  ],
  [
    'a port of two',
    [bridge('br0', ['a']), bond({ ports: ['b', 'a'] })],
    ['nmstate/invalid-argument interfaces.1.ports.1: a is a port of br0 already'],
  ],
  [
    'a bridge of Open vSwitch as a port of another',
    [bridge('br0', ['br1']), ovs('br1', ['br1'])],
    [
      'nmstate/invalid-argument interfaces.0.ports.0: br1 is a port of br1 already',
      'nmstate/invalid-argument interfaces.1.ports.0: br1 is a port of br0 already',
    ],
  ],
  [
    'a port of itself',
    [bridge('br0', ['br0'])],
    [
      'nmstate/invalid-argument interfaces.0.ports.0: br0 cannot be a port of itself',
      `nmstate/invalid-argument interfaces.0.name: br0 ${IN_CIRCLE}`,
    ],
  ],
  [
    'addresses of a port',
    [card('a', { ipv4: ON, ipv6: ON }), bridge('br0', ['a'])],
    [
      'nmstate/invalid-argument interfaces.0.ipv4.enabled: a is a port of br0 and cannot have addresses',
      'nmstate/invalid-argument interfaces.0.ipv6.enabled: a is a port of br0 and cannot have addresses',
    ],
  ],
  ['no addresses of a port', [card('a', { ipv4: { enabled: false } }), bridge('br0', ['a'])], []],
  ['addresses of an interface of Open vSwitch', [ovs('br0', ['br0']), inner('br0', { ipv4: ON })], []],
  ['addresses of one that its bridge does not list', [ovs('br0', []), inner('br0', { ipv4: ON })], []],
  [
    'addresses of an interface of Open vSwitch in another bridge',
    [bridge('br1', ['a']), inner('a', { ipv4: ON })],
    ['nmstate/invalid-argument interfaces.1.ipv4.enabled: a is a port of br1 and cannot have addresses'],
  ],
  [
    'addresses of a card in a bridge of Open vSwitch',
    [ovs('br0', ['a']), card('a', { ipv6: ON })],
    ['nmstate/invalid-argument interfaces.1.ipv6.enabled: a is a port of br0 and cannot have addresses'],
  ],
  [
    'ports before what they are ports of',
    [card('a'), bridge('br1', ['a']), bridge('br2', ['br1']), bridge('br3', ['br2'])],
    [],
  ],
  [
    'a circle',
    [bridge('br0', ['br1']), bridge('br1', ['br0'])],
    [`nmstate/invalid-argument interfaces.0.name: br0 ${IN_CIRCLE}`],
  ],
  ['a circle of those that go away', [bridge('br0', ['br1'], { state: 'absent' }), bridge('br1', ['br0'])], []],
  [
    'a circle of which one is down',
    [bridge('br0', ['br1'], { state: 'down' }), bridge('br1', ['br0'])],
    [`nmstate/invalid-argument interfaces.1.name: br1 ${IN_CIRCLE}`],
  ],
  [
    'a VLAN on one that goes away',
    [card('eth0', { state: 'absent' }), onTop('v')],
    ['nmstate/invalid-argument interfaces.1.base: eth0 is absent, and v cannot be on top of it'],
  ],
  ['a VLAN on one that is down', [card('eth0', { state: 'down' }), onTop('v')], []],
  ['a VLAN beside one that goes away', [card('eth1', { state: 'absent' }), onTop('v', { state: 'up' })], []],
  ['both gone', [card('eth0', { state: 'absent' }), onTop('v', { state: 'absent' })], []],
])('%s', (_, interfaces, findings) => {
  expect(told({ interfaces })).toEqual(findings);
});

test.each([4, 5, 6])('reports more than five nested bridges with ports declared first: %i', (count) => {
  const stack = Array.from({ length: count }, (_, index) =>
    bridge(`br${index}`, [`br${index - 1}`].slice(index === 0 ? 1 : 0)),
  );
  expect(told({ interfaces: stack }).length).toBe(count > 5 ? 1 : 0);
  expect(told({ interfaces: stack.toReversed() })).toEqual([]);
});

const HOME = card('eth0', { ipv4: ON, ipv6: { enabled: true } });

test.each<[route: RouteForm, findings: string[]]>([
  [{ destination: '0.0.0.0/0', gateway: '192.0.2.1', interface: 'eth0' }, []],
  [{ destination: '::/0', gateway: '2001:db8::1', interface: 'eth0', metric: 0, table: 4294967295 }, []],
  [{ destination: '198.51.100.0/24', interface: 'eth0', metric: 4294967295, table: 0 }, []],
  ...['', '198.51.100.1', 'x/24', '0.1.0.0/16', '0.0.0.0/8'].map((destination): [RouteForm, string[]] => [
    { destination, interface: 'eth0' },
    [`nmstate/wrong-address destination: expected a network, found '${destination}'`],
  ]),
  [{ interface: 'eth0' }, ["nmstate/wrong-address destination: expected a network, found ''"]],
  // Without a family the gateway cannot be checked.
  [
    { destination: 'x', gateway: '192.0.2.1', interface: 'eth0' },
    ["nmstate/wrong-address destination: expected a network, found 'x'"],
  ],
  ...['2001:db8::1', '192.0.2.1/24', 'x', ''].map((gateway): [RouteForm, string[]] => [
    { destination: '0.0.0.0/0', gateway, interface: 'eth0' },
    [`nmstate/wrong-address gateway: expected an IPv4 address, found '${gateway}'`],
  ]),
  [
    { destination: '::/0', gateway: '192.0.2.1', interface: 'eth0' },
    ["nmstate/wrong-address gateway: expected an IPv6 address, found '192.0.2.1'"],
  ],
  [
    { destination: '::/0', interface: 'eth0', metric: -1, table: 4294967296 },
    [
      'nmstate/out-of-range metric: metric -1 is out of range (0–4294967295)',
      'nmstate/out-of-range table: table 4294967296 is out of range (0–4294967295)',
    ],
  ],
  ...[undefined, ''].map((name): [RouteForm, string[]] => [
    { destination: '::/0', interface: name },
    ['nmstate/invalid-argument interface: the route has no interface'],
  ]),
  [{ destination: '::/0', interface: 'eth1' }, ['nmstate/invalid-argument interface: eth1 has no IPv6 for the route']],
  [
    { destination: '0.0.0.0/0', interface: 'eth1' },
    ['nmstate/invalid-argument interface: eth1 has no IPv4 for the route'],
  ],
  [
    { destination: '0.0.0.0/0', interface: 'six' },
    ['nmstate/invalid-argument interface: six has no IPv4 for the route'],
  ],
  [{ destination: '::/0', interface: 'six' }, []],
  [{ destination: '::/0', interface: 'down' }, ['nmstate/invalid-argument interface: down has no IPv6 for the route']],
  [{ destination: '::/0', interface: 'up' }, []],
  [{ destination: '::/0', interface: 'br0' }, []],
])('checks the route %j', (route, findings) => {
  const interfaces = [
    ...[
      HOME,
      card('six', { ipv6: ON }),
      card('down', { state: 'down', ipv6: ON }),
      card('up', { state: 'up', ipv6: ON }),
    ],
    ...[ovs('br0', ['br0']), inner('br0', { ipv6: ON })],
  ];
  const own = findings.map((one) => one.replace(' ', ' routes.0.'));
  expect(told({ interfaces, routes: [route] })).toEqual(own);
});

test.each<[rule: RuleForm, findings: string[]]>([
  [{ from: '192.0.2.0/24', to: '198.51.100.1', priority: 0, table: 0 }, []],
  [{ from: '2001:db8::/32', priority: 4294967295, table: 4294967295 }, []],
  [{ to: '2001:db8::1' }, []],
  [{ table: 7 }, ['nmstate/missing-key rules.0.from: the rule has neither a source nor a destination']],
  [{ from: 'x', to: '::/0' }, ["nmstate/wrong-address rules.0.from: expected a network, found 'x'"]],
  [{ from: '::/0', to: '' }, ["nmstate/wrong-address rules.0.to: expected a network, found ''"]],
  [
    { from: '::/0', to: '0.0.0.0/0' },
    ['nmstate/invalid-argument rules.0.to: source and destination are of different families'],
  ],
  [
    { from: '::/0', priority: -1, table: 0.5 },
    [
      'nmstate/out-of-range rules.0.priority: priority -1 is out of range (0–4294967295)',
      'nmstate/out-of-range rules.0.table: table 0.5 is out of range (0–4294967295)',
    ],
  ],
])('checks the rule %j', (rule, findings) => {
  expect(told({ rules: [rule] })).toEqual(findings);
});

const NO_WAY = (family: string): string =>
  `nmstate/invalid-argument dns.servers: no interface has ${family}, and the servers are reached by none`;

test.each<[servers: string[], search: string[], interfaces: InterfaceForm[], findings: string[]]>([
  [[], [], [], []],
  [['192.0.2.53'], [], [HOME], []],
  [['192.0.2.53', '2001:db8::53'], [], [card('a', { ipv4: ON, ipv6: ON })], []],
  [['2001:db8::53', '192.0.2.53', '192.0.2.54'], [], [card('a', { ipv4: ON, ipv6: ON })], []],
  [
    ['192.0.2.53', '2001:db8::53', '192.0.2.54'],
    [],
    [card('a', { ipv4: ON, ipv6: ON })],
    ['nmstate/not-implemented dns.servers: nmstate does not support servers of both families in turn'],
  ],
  [['fe80::1%a', '2001:db8::53', 'fe80::2%a'], [], [card('a', { ipv6: ON })], []],
  ...['fe80::1%b', 'fe80::1%', 'fe80::1%c', 'fe80::1%br0'].map(
    (server): [string[], string[], InterfaceForm[], string[]] => [
      [server],
      [],
      [card('a', { ipv6: ON }), card('b', { ipv4: ON }), card('c', { ipv6: ON, state: 'down' }), ovs('br0', [])],
      [
        `nmstate/invalid-argument dns.servers.0: ${server.split('%')[1] || 'the interface'} has no IPv6, and ${server} is reached through it`,
      ],
    ],
  ),
  [
    ['fe80::1%a', 'fe80::1%b'],
    [],
    [card('a', { ipv6: ON }), card('b', { ipv6: ON })],
    ['nmstate/not-implemented dns.servers.1: nmstate does not support link-local servers behind several interfaces'],
  ],
  ...['fe80::1%a%a', '192.0.2.53%a', 'fe80::x%a', '%a'].map(
    (server): [string[], string[], InterfaceForm[], string[]] => [
      [server],
      [],
      [card('a', { ipv4: ON, ipv6: ON })],
      [`nmstate/wrong-address dns.servers.0: expected an IP address, found '${server}'`],
    ],
  ),
  [['example.test'], [], [HOME], ["nmstate/wrong-address dns.servers.0: expected an IP address, found 'example.test'"]],
  [['192.0.2.53', ''], [], [HOME], ["nmstate/wrong-address dns.servers.1: expected an IP address, found ''"]],
  [['192.0.2.53'], ['a.test'], [], [NO_WAY('IPv4')]],
  [['2001:db8::53'], [], [card('a', { ipv4: ON })], [NO_WAY('IPv6')]],
  [['192.0.2.53', '2001:db8::53'], [], [], [NO_WAY('IPv4'), NO_WAY('IPv6')]],
  ...[
    card('a', { ipv4: { enabled: true } }),
    card('a', { ipv4: { enabled: true, dhcp: false, addresses: [] } }),
    card('a', { ipv4: { enabled: false, dhcp: true } }),
    card('a', { ipv4: ON, state: 'down' }),
    card('lo', { ipv4: ON, type: 'loopback' }),
    { ...ovs('br0', []), ipv4: ON } as InterfaceForm,
  ].map((one): [string[], string[], InterfaceForm[], string[]] => [['192.0.2.53'], [], [one], [NO_WAY('IPv4')]]),
  [['192.0.2.53'], [], [card('a', { state: 'up', ipv4: { enabled: true, addresses: ['192.0.2.1/24'] } })], []],
  [['2001:db8::53'], [], [card('a', { ipv6: { enabled: true, addresses: ['FE80::1/64'] } })], [NO_WAY('IPv6')]],
  [['2001:db8::53'], [], [card('a', { ipv6: { enabled: true, addresses: ['fe80::1/64', '2001:db8::1/64'] } })], []],
  [[], ['a.test'], [HOME], []],
  [[], ['a.test'], [card('a', { ipv6: ON })], []],
  [
    [],
    ['a.test'],
    [card('a')],
    ['nmstate/invalid-argument dns.search: no interface has addresses, and names cannot be resolved'],
  ],
])('checks servers %j and domains %j', (servers, search, interfaces, findings) => {
  expect(told({ interfaces, dns: { servers, search } })).toEqual(findings);
});
