// Policies and the states for them. `scripts/record-policies.mjs` records the results of nmstatectl.

export const STATES = {
  // Two cards, a bond and a VLAN, with routes, rules and DNS; some keys have other spellings, some numbers have quotes.
  server: `interfaces:
- name: eth1
  type: ethernet
  state: up
  mtu: "9000"
  mac-address: 52:54:00:00:00:01
  ipv4: {enabled: yes, dhcp: false, address: [{ip: 192.0.2.251, prefix-length: "24"}, {ip: 198.51.100.7, prefix-length: 25}]}
  ipv6: {enabled: true, autoconf: true, dhcp: true}
- name: eth0
  type: ethernet
  state: up
  mtu: 1500
  mac-address: 52:54:00:00:00:00
  alt-names: [{name: port1}, {name: primary}]
  ethernet: {speed: 1000, duplex: full, auto-negotiation: false}
  ipv4: {enabled: true, dhcp: true, auto-dns: true}
- name: bond0
  type: bond
  state: up
  link-aggregation: {mode: 1, ports: [eth2, eth3], options: {miimon: "100", primary: eth2}}
- name: bond0.20
  type: vlan
  state: down
  vlan: {base-iface: bond0, id: "20"}
routes:
  running:
  - {destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: eth1, metric: 100, table-id: 254}
  - {destination: 203.0.113.0/24, next-hop-address: 192.0.2.2, next-hop-interface: eth1, metric: 100}
  - {destination: "::/0", next-hop-address: "fe80::1", next-hop-interface: eth0, metric: 1024}
  config:
  - {destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: eth1}
route-rules:
  config:
  - {ip-from: 192.0.2.0/24, route-table: 200, priority: 5}
  - {ip-to: 198.51.100.0/24, route-table: 500, fwmark: 12, fwmask: 0xff}
dns-resolver:
  running: {server: [192.0.2.53, "2001:db8::53"], search: [example.test]}
  config: {server: [192.0.2.53]}
hostname: {running: worker-0, config: worker-0.example.test}
`,
  // A Linux bridge, an Open vSwitch bridge with an interface of the same name, a virtual cable, a dummy.
  bridges: `interfaces:
- {name: veth1, type: veth, state: up, veth: {peer: veth2}}
- name: br0
  type: ovs-bridge
  state: up
  bridge: {options: {stp: {enabled: true}}, port: [{name: eth5}, {name: br0, vlan: {mode: access, tag: 7}}]}
- {name: br0, type: ovs-interface, state: up, ipv4: {enabled: true, dhcp: true}}
- name: br1
  type: linux-bridge
  state: up
  bridge:
    options: {stp: {enabled: false}, mac-ageing-time: 300}
    port: [{name: eth6, stp-priority: 32}, {name: eth7}]
- {name: dummy0, type: dummy, state: up, mtu: 1400, description: "says \\"hi\\""}
- {name: lo, type: loopback, state: up, ipv4: {enabled: true, address: [{ip: 127.0.0.1, prefix-length: 8}]}}
ovs-db: {external_ids: {hostname: worker-0}}
`,
  // Interfaces without a type, of an unknown type, declared twice, absent.
  odd: `interfaces:
- {name: eth9, state: up, ipv4: {enabled: true}, strange: [1, 2]}
- {name: tun0, type: tun, state: up, mtu: 1400, driver: tun}
- {name: wg0, type: wireguard, state: up, key: text}
- {name: eth8, type: ethernet, mtu: 1400}
- {name: eth8, type: ethernet, mtu: 1500}
- {name: old0, type: dummy, state: absent, mtu: 1500}
- {name: "10", type: dummy, state: up}
`,
  nothing: '',
  bare: 'interfaces: []\n',
} as const;

export type StateName = keyof typeof STATES;

export interface PolicyCase {
  readonly name: string;
  readonly state: StateName;
  readonly policy: string;
}

const first = '{interfaces: [{name: new0, type: dummy, description: "{{ capture.a.%s }}"}]}';
const whole = '{interfaces: "{{ capture.a.interfaces }}"}';

/** A capture, with its result as the whole network. */
const WHOLE: readonly (readonly [StateName, string])[] = [
  ['server', 'interfaces.name == "eth0"'],
  ['server', 'interfaces.name=="eth0"'],
  ['server', 'interfaces.name == eth1'],
  ['server', 'interfaces.name   ==   bond0'],
  ['server', 'interfaces.name == "bond0.20"'],
  ['server', 'interfaces.name == bond0.20'],
  ['server', 'interfaces.type == ethernet'],
  ['server', 'interfaces.type == "ETHERNET"'],
  ['server', 'interfaces.type == "vlan"'],
  ['server', 'interfaces.mtu == 9000'],
  ['server', 'interfaces.mtu == "1500"'],
  ['server', 'interfaces.mtu == 1280'],
  ['server', 'interfaces.state == up'],
  ['server', 'interfaces.state == down'],
  ['server', 'interfaces.mac-address == "52:54:00:00:00:01"'],
  ['server', 'interfaces.mac-address == 52:54:00:00:00:01'],
  ['server', 'interfaces.ipv4.enabled == true'],
  ['server', 'interfaces.ipv4.dhcp == "false"'],
  ['server', 'interfaces.ipv4.dhcp == yes'],
  ['server', 'interfaces.ipv4.address.ip == "198.51.100.7"'],
  ['server', 'interfaces.ipv4.address.0.ip == "192.0.2.251"'],
  ['server', 'interfaces.ipv4.address.1.ip == "192.0.2.251"'],
  ['server', 'interfaces.ipv4.address.prefix-length == 25'],
  ['server', 'interfaces.ipv6.autoconf == true'],
  ['server', 'interfaces.alt-names.name == "primary"'],
  ['server', 'interfaces.alt-names.1.name == "primary"'],
  ['server', 'interfaces.alt-names.0.name == "primary"'],
  ['server', 'interfaces.link-aggregation.mode == active-backup'],
  ['server', 'interfaces.link-aggregation.mode == 1'],
  ['server', 'interfaces.link-aggregation.port == eth3'],
  ['server', 'interfaces.link-aggregation.ports == eth3'],
  ['server', 'interfaces.link-aggregation.options.miimon == 100'],
  ['server', 'interfaces.vlan.id == 20'],
  ['server', 'interfaces.vlan.base-iface == bond0'],
  ['server', 'interfaces.ethernet.speed == 1000'],
  ['server', 'interfaces.ethernet == 1000'],
  ['server', 'interfaces.description == null'],
  ['server', 'interfaces.description == ""'],
  ['server', 'interfaces.name == ""'],
  ['server', 'interfaces.name == NULL'],
  ['server', 'interfaces. == x'],
  ['server', 'interfaces.name.first == eth0'],
  ['server', 'interfaces.0.name == eth0'],
  ['server', 'interfaces.name == routes.running.0.next-hop-interface'],
  ['server', 'interfaces.name == routes.running.2.next-hop-interface'],
  ['server', 'interfaces.name == routes.running.3.next-hop-interface'],
  ['server', 'interfaces.name == routes.config.0.next-hop-address'],
  ['server', 'interfaces.mtu == routes.running.0.table-id'],
  ['server', 'interfaces.name == interfaces.0.name'],
  ['server', 'interfaces.name == interfaces.name'],
  ['server', 'interfaces.ipv4 == interfaces.2.ipv4'],
  ['server', 'interfaces.mtu := 1400'],
  ['server', 'interfaces.mtu := "1400"'],
  ['server', 'interfaces.mtu:=1400'],
  ['server', 'interfaces.mtu := lots'],
  ['server', 'interfaces.mtu := -1'],
  ['server', 'interfaces.mtu := null'],
  ['server', 'interfaces.state := down'],
  ['server', 'interfaces.state := sideways'],
  ['server', 'interfaces.state := absent'],
  ['server', 'interfaces.name := same'],
  ['server', 'interfaces.name := null'],
  ['server', 'interfaces.type := dummy'],
  ['server', 'interfaces.description := "was here"'],
  ['server', 'interfaces.lldp.enabled := true'],
  ['server', 'interfaces.lldp.enabled := maybe'],
  ['server', 'interfaces.ipv4.dhcp := no'],
  ['server', 'interfaces.ipv4.dhcp-client-id := ll'],
  ['server', 'interfaces.mtu.value := 3'],
  ['server', 'interfaces.colour := red'],
  ['server', 'interfaces.controller := br7'],
  ['server', 'interfaces.mtu := interfaces.0.vlan'],
  ['server', 'interfaces.mtu := routes.running.0.metric'],
  ['bridges', 'interfaces.name == br0'],
  ['bridges', 'interfaces.type == ovs-bridge'],
  ['bridges', 'interfaces.type == veth'],
  ['bridges', 'interfaces.veth.peer == veth2'],
  ['bridges', 'interfaces.bridge.port.name == eth6'],
  ['bridges', 'interfaces.bridge.port.name == br0'],
  ['bridges', 'interfaces.bridge.port.0.name == eth5'],
  ['bridges', 'interfaces.bridge.port.stp-priority == 32'],
  ['bridges', 'interfaces.bridge.options.stp.enabled == false'],
  ['bridges', 'interfaces.bridge.options.mac-ageing-time == 300'],
  ['bridges', 'interfaces.bridge.port.vlan.tag == 7'],
  ['bridges', 'interfaces.description == "says "hi""'],
  ['bridges', 'interfaces.ipv4.address.ip == 127.0.0.1'],
  ['bridges', 'interfaces.ipv4.address.ip == "127.0.0.1"'],
  ['bridges', 'interfaces.mtu := 1300'],
  ['bridges', 'interfaces'],
  ['bridges', 'just keep it'],
  ['bridges', ''],
  ['bridges', '"all of it"'],
  ['odd', 'interfaces.name == eth8'],
  ['odd', 'interfaces.name == 10'],
  ['odd', 'interfaces.type == tun'],
  ['odd', 'interfaces.type == unknown'],
  ['odd', 'interfaces.type == wireguard'],
  ['odd', 'interfaces.state == absent'],
  ['odd', 'interfaces.strange == 2'],
  ['odd', 'interfaces.strange.0 == 1'],
  ['odd', 'interfaces.driver == tun'],
  ['odd', 'keep'],
  ['nothing', 'interfaces.name == eth0'],
  ['bare', 'interfaces.name == eth0'],
  ['bare', 'interfaces.mtu := 1500'],
  ['bare', 'routes.running.destination == 0.0.0.0/0'],
  ['nothing', 'routes.running.metric := 1'],
];

/** Captures of other parts or with a mistake; a part of the result is shown. */
const PARTS: readonly (readonly [StateName, string, string])[] = [
  ['server', 'routes.running.destination == "0.0.0.0/0"', 'routes.running.0.next-hop-interface'],
  ['server', 'routes.running.destination == 0.0.0.0/0', 'routes.running.0.next-hop-interface'],
  ['server', 'routes.running.destination == ::/0', 'routes.running.0.next-hop-interface'],
  ['server', 'routes.running.destination == "::/0"', 'routes.running.0.next-hop-interface'],
  ['server', 'routes.running.metric == 100', 'routes.running.1.destination'],
  ['server', 'routes.running.metric == 100', 'routes.running.2.destination'],
  ['server', 'routes.running.metric == 7', 'routes.running.0.destination'],
  ['server', 'routes.config.next-hop-interface == eth1', 'routes.config.0.destination'],
  ['server', 'routes.config.next-hop-interface == eth1', 'routes.running.0.destination'],
  ['server', 'routes.next-hop-interface == eth1', 'routes.running.0.destination'],
  ['server', 'routes.running.0.next-hop-interface == eth1', 'routes.running.0.destination'],
  ['server', 'routes.planned.destination == x', 'routes.running.0.destination'],
  ['server', 'routes.planned.destination := x', 'routes.running.0.destination'],
  ['server', 'routes.destination := x', 'routes.running.0.destination'],
  ['server', 'routes.running.next-hop-interface := br1', 'routes.running.0.next-hop-interface'],
  ['server', 'routes.running.metric := much', 'routes.running.0.metric'],
  ['server', 'routes.running.gateway := x', 'routes.running.0.metric'],
  ['server', 'routes.config.state := absent', 'routes.config.0.state'],
  ['server', 'route-rules.config.route-table == 500', 'route-rules.config.0.fwmark'],
  ['server', 'route-rules.config.fwmark == 0xc', 'route-rules.config.0.ip-to'],
  ['server', 'route-rules.config.fwmark == 12', 'route-rules.config.0.ip-to'],
  ['server', 'route-rules.running.priority == 5', 'route-rules.config.0.ip-to'],
  ['server', 'route-rules.priority == 5', 'route-rules.config.0.ip-to'],
  ['server', 'route-rules.config.ip-from := 10.0.0.0/8', 'route-rules.config.1.ip-from'],
  ['server', 'route-rules.running.ip-from := 10.0.0.0/8', 'route-rules.config.1.ip-from'],
  ['server', 'route-rules.ip-from := 10.0.0.0/8', 'route-rules.config.1.ip-from'],
  ['server', 'dns-resolver.running', 'dns-resolver.running.server.0'],
  ['server', 'dns-resolver.running', 'dns-resolver.running.server.1'],
  ['server', 'dns-resolver.running', 'dns-resolver.running.server.2'],
  ['server', 'dns-resolver.running', 'dns-resolver.config.server.0'],
  ['server', 'dns-resolver.running.search', 'dns-resolver.running.search.0'],
  ['server', 'dns-resolver.running.search', 'dns-resolver.running.server.0'],
  ['server', 'dns-resolver.running.server == 192.0.2.53', 'dns-resolver.running.server.0'],
  ['server', 'hostname.running', 'hostname.running'],
  ['server', 'hostname.running', 'hostname.config'],
  ['server', 'hostname.running', 'interfaces'],
  ['server', 'hostname.running := x', 'hostname.running'],
  ['server', 'routes.running', 'routes.running.0.metric'],
  ['server', 'interfaces.name', 'interfaces.0.type'],
  ['server', 'keep', 'interfaces.1.name'],
  ['server', 'keep', 'interfaces.2.mtu'],
  ['server', 'keep', 'interfaces.2.ipv4'],
  ['server', 'keep', 'interfaces.name'],
  ['server', 'keep', 'interfaces.ipv4.address.ip'],
  ['server', 'keep', 'interfaces.9.name'],
  ['server', 'keep', 'interfaces.0.name.first'],
  ['server', 'keep', 'interfaces.0.name.0'],
  ['server', 'keep', 'interfaces.0.colour'],
  ['server', 'keep', 'interfaces.0.link-aggregation.colour.red'],
  ['server', 'keep', 'interfaces.0.link-aggregation.port.1'],
  ['server', 'keep', 'interfaces.0.link-aggregation.port.1.name'],
  ['server', 'keep', 'interfaces.0.link-aggregation.options.primary'],
  ['server', 'keep', 'interfaces.+0.name'],
  ['server', 'keep', 'interfaces.-1.name'],
  ['server', 'keep', 'interfaces..name'],
  ['server', 'keep', 'interfaces.'],
  ['server', 'keep', 'colour'],
  ['server', 'keep', 'colour.red'],
  ['server', 'keep', 'route-rules.config.1.fwmask'],
  ['server', 'nothing.of.this', 'interfaces'],
  ['server', 'capture.a.interfaces', 'interfaces'],
  ['bridges', 'keep', 'interfaces.0.type'],
  ['bridges', 'keep', 'interfaces.1.type'],
  ['bridges', 'keep', 'interfaces.4.description'],
  ['bridges', 'keep', 'ovs-db.external_ids.hostname'],
  ['odd', 'keep', 'interfaces.0.name'],
  ['odd', 'keep', 'interfaces.3.strange.1'],
  ['odd', 'keep', 'interfaces.2.mtu'],
];

/** Expressions that are invalid or look invalid. */
const BROKEN: readonly string[] = [
  'capture.b.interfaces := eth0',
  'interfaces.name.first := x',
  'interfaces.mtu.x := 1',
  'interfaces.ipv4.enabled.x := 1',
  'interfaces.ipv4.address.x := 1',
  'interfaces.ipv4.address.0.ip := 192.0.2.7',
  'interfaces.description.more := x',
  'interfaces.description := null',
  'interfaces.name := null',
  'interfaces.mtu := x',
  'routes.running.metric := x',
  'routes.running.metric := null',
  'interfaces.description == "漢" extra',
  '漢.é == "x',
  '😀.é == "x',
  'interfaces.name == "😀" |',
  'interfaces.name == capture.漢.interfaces.0.name',
  'interfaces.name == capture.b.interfaces.99.name',
  'interfaces.name == capture.b.interfaces.0.colour',
  'interfaces.name == capture.b.colour.0',
  'interfaces.mtu == capture.b.interfaces.0.ipv4',
  'interfaces.state := capture.b.interfaces.0.state',
  'interfaces.state := interfaces.0.name',
  'capture.b | interfaces.name',
  'capture.b | routes.config.destination == 0.0.0.0/0',
  'routes.config.destination == x',
  'routes.other.destination == x',
  'routes.running.destination.x == y',
  'routes.other.destination := x',
  'routes.running.destination.x := y',
  'route-rules.other.priority == 5',
  'route-rules.config.priority.x == 5',
  'route-rules.other.priority := 5',
  'dns-resolver.config.server := x',
  '==',
  '== ==',
  'interfaces.name ==',
  'interfaces.name =',
  'interfaces.name = eth0',
  'interfaces.name === eth0',
  'interfaces.name == eth0 eth1',
  'interfaces.name == "eth0',
  'interfaces.name == "',
  'interfaces.name != eth0',
  'interfaces.name := ',
  'interfaces.name :',
  'interfaces.name : eth0',
  'interfaces.name := a := b',
  'interfaces.name := a == b',
  'interfaces.name == a := b',
  'interfaces.name == a == b',
  'interfaces.name == :=',
  'interfaces.name == |',
  'interfaces mtu == 1500',
  'interfaces == eth0',
  '"interfaces.name" == eth0',
  'null == eth0',
  '== eth0',
  ':= eth0',
  '| interfaces.name == eth0',
  'capture.a |',
  'capture.a | eth0',
  'capture.a | "interfaces.name"',
  'capture | interfaces.name == eth0',
  'capture.a.interfaces | interfaces.name == eth0',
  'interfaces | interfaces.name == eth0',
  '"capture.a" | interfaces.name == eth0',
  'capture.b | interfaces.name == eth0 | x',
  'capture.b | interfaces.name == capture.c',
  'capture.b == eth0',
  'capture.b.interfaces == eth0',
  'capture.b.interfaces.name == eth0',
  'interfaces.name == capture.b.interfaces.0.name',
  'interfaces.name == capture.b',
  'interfaces.name == capture.b.',
  'intérfaces.näme == eth0',
  'interfaces.description == "späte"',
  'interfaces.name == "\u00e4\u00f6" extra',
  'ä.ö == "x',
  'interfaces.name ==\u00a0eth0',
  'routes == x',
  'routes. == x',
  'current.interfaces.name == eth0',
  'desired.interfaces.name == eth0',
];

/** References with text around them or with mistakes; `a` is eth0. */
const REFERENCES: readonly string[] = [
  '{{ capture..interfaces }}',
  '{{ capture.a. }}',
  'ä{{ capture.漢.interfaces }}',
  '😀 {{ capture.a.interfaces.9.name }}',
  '{{ capture.a.interfaces.0.name }} {{',
  '{{ capture.a.interfaces.0.name }} }}',
  '{{ capture.a.interfaces.0.name }} a.b',
  'a.b c {{ capture.a.interfaces.0.ipv4 }}',
  '{{ capture.a.interfaces.0.ipv4.enabled }}',
  '{{ capture.a.interfaces.0.name.x }}',
  '{{ capture.a.interfaces.0.alt-names.0 }}x',
  '\u00a0{{ capture.a.interfaces.0.name }}\u2003',
  '{{ capture.a.interfaces.0.name }}',
  '{{capture.a.interfaces.0.name}}',
  '  {{ capture.a.interfaces.0.name }}  ',
  'x{{ capture.a.interfaces.0.name }}',
  '{{ capture.a.interfaces.0.name }}x',
  'x {{ capture.a.interfaces.0.name }} y',
  'two words {{ capture.a.interfaces.0.name }} and more',
  'a.b {{ capture.a.interfaces.0.name }}',
  '.b {{ capture.a.interfaces.0.name }}',
  '{{ capture.a.interfaces.0.name }}.20',
  '{{ capture.a.interfaces.0.name }}b.20',
  'x{{ capture.a.interfaces.0.mtu }}',
  'x{{ capture.a.interfaces.0 }}',
  '{{ capture.a.interfaces.0.mtu }}',
  '{{ capture.a.interfaces }}',
  '{{ capture.a }}',
  '{{ capture }}',
  '{{ capture. }}',
  '{{ a.interfaces }}',
  '{{ current.interfaces.0.name }}',
  '{{ capture.b.interfaces.0.name }}',
  '{{ capture.a.interfaces.5.name }}',
  '{{ capture.a.interfaces.0.name',
  'capture.a.interfaces.0.name }}',
  '{ capture.a.interfaces.0.name }',
  '{{ capture.a.interfaces.0.name }',
  '{{}}',
  '{{ }}',
  '}}{{',
  '}} {{ capture.a.interfaces.0.name',
  '{',
  '}',
  '{{',
  'a}',
  '{{ capture.a.interfaces.0.name }}{{ capture.a.interfaces.0.name }}',
  '{{ capture.a.interfaces.0.name capture.a.interfaces.0.type }}',
  '{{ "capture.a.interfaces.0.name" }}',
  '{{ .capture.a }}',
  '{{ 5 }}',
  'no reference',
  'ä {{ capture.a.interfaces.9.name }}',
  '{{ capture.a.interfaces.0.alt-names.1.name }}',
];

const quoted = (text: string): string => JSON.stringify(text);

/** Several captures, or policies of another form. */
const OTHERS: readonly (readonly [name: string, state: StateName, policy: string])[] = [
  ['empty', 'server', ''],
  ['nothing wanted', 'server', 'capture: {a: interfaces.name == eth0}\n'],
  ['nothing captured', 'server', 'desired: {interfaces: [{name: d, type: dummy}]}\n'],
  ['the other name of desired', 'server', 'desiredState: {interfaces: [{name: d, type: dummy}]}\n'],
  ['both names of desired', 'server', 'desired: {interfaces: []}\ndesiredState: {interfaces: []}\n'],
  ['an unknown key', 'server', 'desired: {interfaces: []}\nwanted: {}\n'],
  ['an unknown key inside', 'server', 'desired: {interfacs: []}\n'],
  ['an unknown key of an interface', 'server', 'desired: {interfaces: [{name: d, type: dummy, colour: red}]}\n'],
  [
    'a number that does not fit',
    'server',
    'desired: {interfaces: [{name: d, type: vlan, vlan: {base-iface: a, id: 70000}}]}\n',
  ],
  ['a list for captures', 'server', 'capture: [interfaces.name == eth0]\ndesired: {interfaces: []}\n'],
  ['a number for a capture', 'server', 'capture: {a: 5}\ndesired: {interfaces: []}\n'],
  ['no text for a capture', 'server', 'capture: {a: }\ndesired: {interfaces: []}\n'],
  ['a map for a capture', 'server', 'capture: {a: {b: c}}\ndesired: {interfaces: []}\n'],
  ['a list for the desired state', 'server', 'capture: {a: keep}\ndesired: [interfaces]\n'],
  ['desired text', 'server', 'capture: {a: keep}\ndesired: text\n'],
  [
    'the port of the default route',
    'server',
    `capture:
  default-gw: routes.running.destination == "0.0.0.0/0"
  base-iface: interfaces.name == capture.default-gw.routes.running.0.next-hop-interface
desired:
  interfaces:
  - name: br1
    type: linux-bridge
    state: up
    mac-address: "{{ capture.base-iface.interfaces.0.mac-address }}"
    ipv4: "{{ capture.base-iface.interfaces.0.ipv4 }}"
    bridge: {port: [{name: "{{ capture.base-iface.interfaces.0.name }}"}]}
`,
  ],
  [
    'routes that move',
    'server',
    `capture:
  gw: routes.running.destination == "0.0.0.0/0"
  old: routes.running.next-hop-interface == capture.gw.routes.running.0.next-hop-interface
  new: capture.old | routes.running.next-hop-interface := "br1"
  gone: capture.old | routes.running.state := "absent"
desired:
  interfaces: [{name: br1, type: linux-bridge}]
  routes: {config: "{{ capture.new.routes.running }}"}
  dns-resolver: {config: {server: ["192.0.2.53"]}}
`,
  ],
  [
    'from DHCP to static',
    'server',
    `capture:
  nic: interfaces.name == "eth1"
  routes: routes.running.next-hop-interface == "eth1"
  dns: dns-resolver.running
desired:
  interfaces:
  - {name: eth1, type: ethernet, ipv4: {enabled: true, dhcp: false, address: "{{ capture.nic.interfaces.0.ipv4.address }}"}}
  routes: {config: "{{ capture.routes.routes.running }}"}
  dns-resolver: {config: "{{ capture.dns.dns-resolver.running }}"}
`,
  ],
  [
    'a later capture first',
    'server',
    'capture: {b: "capture.a | interfaces.mtu == 9000", a: interfaces.type == ethernet}\ndesired: {interfaces: "{{ capture.b.interfaces }}"}\n',
  ],
  ['a missing capture', 'server', 'capture: {b: "capture.a | interfaces.mtu == 9000"}\ndesired: {interfaces: []}\n'],
  [
    'a missing capture as value',
    'server',
    'capture: {b: interfaces.name == capture.a.interfaces.0.name}\ndesired: {interfaces: []}\n',
  ],
  [
    'captures in a circle',
    'server',
    'capture: {a: "capture.b | interfaces.mtu == 1", b: "capture.a | interfaces.mtu == 1"}\ndesired: {interfaces: []}\n',
  ],
  ['a capture of itself', 'server', 'capture: {a: "capture.a | interfaces.mtu == 1"}\ndesired: {interfaces: []}\n'],
  [
    'two captures in one, the second too late',
    'server',
    'capture: {c: "capture.a | interfaces.name == capture.z.interfaces.0.name", a: keep, z: "capture.a | interfaces.name == eth0"}\ndesired: {interfaces: "{{ capture.c.interfaces }}"}\n',
  ],
  [
    'two captures in one, the second missing',
    'server',
    'capture: {c: "capture.a | interfaces.name == capture.y.interfaces.0.name", a: keep}\ndesired: {interfaces: []}\n',
  ],
  [
    'two captures in one, in order',
    'server',
    'capture: {a: keep, z: interfaces.name == eth0, c: "capture.a | interfaces.name == capture.z.interfaces.0.name"}\ndesired: {interfaces: "{{ capture.c.interfaces }}"}\n',
  ],
  [
    'a key in a capture, without a pipe',
    'server',
    'capture: {a: interfaces.type == ethernet, b: capture.a.interfaces.mtu == 1500}\ndesired: {interfaces: "{{ capture.b.interfaces }}"}\n',
  ],
  [
    'a pipe and a key in another capture',
    'server',
    'capture: {a: interfaces.type == ethernet, b: "capture.a | capture.x.interfaces.mtu == 1500"}\ndesired: {interfaces: "{{ capture.b.interfaces }}"}\n',
  ],
  [
    'a pipe that keeps',
    'server',
    'capture: {a: keep, b: "capture.a | routes.running"}\ndesired: {routes: {config: "{{ capture.b.routes.running }}"}}\n',
  ],
  [
    'a chain of eleven, last first',
    'server',
    `capture: {${[...Array(11).keys()].map((n) => `c${10 - n}: ${n === 10 ? 'keep' : `"capture.c${9 - n} | interfaces.state == up"`}`).join(', ')}}\ndesired: {interfaces: "{{ capture.c10.interfaces }}"}\n`,
  ],
  [
    'a chain of ten, last first',
    'server',
    `capture: {${[...Array(10).keys()].map((n) => `c${9 - n}: ${n === 9 ? 'keep' : `"capture.c${8 - n} | interfaces.state == up"`}`).join(', ')}}\ndesired: {interfaces: "{{ capture.c9.interfaces }}"}\n`,
  ],
  [
    'a chain of eleven in order',
    'server',
    `capture: {c0: keep, ${[...Array(10).keys()].map((n) => `c${n + 1}: "capture.c${n} | interfaces.state == up"`).join(', ')}}\ndesired: {interfaces: "{{ capture.c10.interfaces }}"}\n`,
  ],
  [
    'an expression over two lines',
    'server',
    'capture:\n  a: >-\n    interfaces.name\n    == "eth0"\ndesired: {interfaces: "{{ capture.a.interfaces }}"}\n',
  ],
  [
    'an expression in a block',
    'server',
    'capture:\n  a: |\n    interfaces.name == eth0\ndesired: {interfaces: "{{ capture.a.interfaces }}"}\n',
  ],
  [
    'a reference deep inside',
    'server',
    'capture: {a: interfaces.name == eth0}\ndesired: {interfaces: [{name: v, type: vlan, vlan: {base-iface: "{{ capture.a.interfaces.0.name }}", id: 3}}]}\n',
  ],
  [
    'a reference for a number',
    'server',
    'capture: {a: interfaces.name == eth0}\ndesired: {interfaces: [{name: d, type: dummy, mtu: "{{ capture.a.interfaces.0.mtu }}"}]}\n',
  ],
  [
    'a reference as an item',
    'server',
    'capture: {a: interfaces.name == eth0}\ndesired: {interfaces: ["{{ capture.a.interfaces.0 }}", {name: d, type: dummy}]}\n',
  ],
  [
    'a reference that does not fit',
    'server',
    'capture: {a: interfaces.name == eth0}\ndesired: {interfaces: [{name: d, type: dummy, ipv4: "{{ capture.a.interfaces.0.name }}"}]}\n',
  ],
  [
    'a reference in a key',
    'server',
    'capture: {a: interfaces.name == eth0}\ndesired: {interfaces: [{name: d, type: dummy, description: x}], "{{ capture.a }}": 1}\n',
  ],
  [
    'sorted interfaces',
    'server',
    'desired: {interfaces: [{name: z, type: dummy}, {name: a, type: dummy}, {name: B, type: dummy}, {name: é, type: dummy}]}\n',
  ],
  [
    'a JSON policy',
    'server',
    '{"capture": {"a": "interfaces.name == eth0"}, "desired": {"interfaces": "{{ capture.a.interfaces }}"}}',
  ],
  [
    'a capture by two names',
    'bridges',
    'capture: {a: interfaces.type == ovs-bridge, b: interfaces.type == ovs-interface}\ndesired: {interfaces: ["{{ capture.a.interfaces.0 }}", "{{ capture.b.interfaces.0 }}"]}\n',
  ],
  [
    'an Open vSwitch bridge twice',
    'bridges',
    'capture: {a: interfaces.name == br0}\ndesired: {interfaces: ["{{ capture.a.interfaces.0 }}", "{{ capture.a.interfaces.1 }}", "{{ capture.a.interfaces.0 }}"]}\n',
  ],
  ['global entries', 'bridges', 'capture: {a: keep}\ndesired: {interfaces: [], ovs-db: "{{ capture.a.ovs-db }}"}\n'],
  ['what is not there', 'bare', 'capture: {a: keep}\ndesired: {routes: "{{ capture.a.routes }}"}\n'],
  ['an empty list', 'bare', 'capture: {a: keep}\ndesired: {interfaces: "{{ capture.a.interfaces }}"}\n'],
];

export const POLICY_CASES: readonly PolicyCase[] = [
  ...WHOLE.map(([state, expression]) => ({
    name: `${state}: ${expression}`,
    state,
    policy: `capture: {a: ${quoted(expression)}}\ndesired: ${whole}\n`,
  })),
  ...PARTS.map(([state, expression, part]) => ({
    name: `${state}: ${expression} → ${part}`,
    state,
    policy: `capture: {a: ${quoted(expression)}}\ndesired: ${first.replace('%s', part)}\n`,
  })),
  ...BROKEN.map((expression) => ({
    name: `mistaken: ${expression}`,
    state: 'server' as const,
    policy: `capture: {b: keep, a: ${quoted(expression)}}\ndesired: ${whole}\n`,
  })),
  ...REFERENCES.map((reference) => ({
    name: `reference: ${reference}`,
    state: 'server' as const,
    policy: `capture: {a: interfaces.name == eth0}\ndesired: {interfaces: [{name: new0, type: dummy, description: ${quoted(reference)}}]}\n`,
  })),
  ...OTHERS.map(([name, state, policy]) => ({ name, state, policy })),
];
