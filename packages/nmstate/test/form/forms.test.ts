import { describe, expect, test } from 'vitest';
import {
  bond,
  ethernet,
  fromForm,
  linuxBridge,
  type NetworkForm,
  ovsBridge,
  route,
  rule,
  toForm,
  vlan,
} from '../../src/forms.ts';
import { generateKeyfiles } from '../../src/index.ts';

const empty = (): NetworkForm => ({ interfaces: [], routes: [], rules: [], dns: { servers: [], search: [] } });

function written(form: NetworkForm, text = ''): string {
  const outcome = fromForm(form, text);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics));
  return outcome.value;
}

describe('builders', () => {
  test('make a state that nmstate accepts', () => {
    const text = written({
      ...empty(),
      interfaces: [
        ethernet({ name: 'eno1', mac: '52:54:00:00:00:01', mtu: 9000 }),
        ethernet({ name: 'eno2' }),
        bond({ name: 'bond0', mode: 'active-backup', ports: ['eno1', 'eno2'], primary: 'eno1', miimon: 100 }),
        vlan({ base: 'bond0', id: 20, ipv4: { address: '192.0.2.20/24' }, ipv6: { dhcp: true } }),
        linuxBridge({
          name: 'br0',
          ports: ['eno3'],
          stp: false,
          ipv6: { address: ['2001:db8::1/64', '2001:db8::2/64'] },
        }),
        ovsBridge({ name: 'br-ex', ports: ['eno4', 'br-ex'] }),
        { name: 'br-ex', type: 'ovs-interface', ipv4: { enabled: true, dhcp: true } },
      ],
      routes: [route({ destination: '0.0.0.0/0', gateway: '192.0.2.1', interface: 'bond0.20' })],
      rules: [rule({ from: '192.0.2.0/24', table: 200 })],
      dns: { servers: ['192.0.2.53'], search: ['example.test'] },
    });
    expect(generateKeyfiles(text, { mode: 'compatible' }).diagnostics).toEqual([]);
    expect(text).toContain(`  - name: bond0.20
    type: vlan
    state: up
    vlan:
      base-iface: bond0
      id: 20
    ipv4:
      address:
        - ip: 192.0.2.20
          prefix-length: 24
      enabled: true
      dhcp: false
    ipv6:
      enabled: true
      dhcp: true
      autoconf: true
`);
  });

  test.each<[string, () => unknown, string]>([
    ['a name', () => ethernet({ name: 'eth 0' }), 'name: `eth 0` cannot be the name of an interface'],
    ['no name', () => ethernet({ name: '' }), 'name: the interface has no name'],
    ['a MAC address', () => ethernet({ name: 'eth0', mac: '52-54' }), 'mac: `52-54` is not a MAC address'],
    ['an MTU', () => ethernet({ name: 'eth0', mtu: 0 }), 'mtu: MTU 0 is out of range (1–4294967295)'],
    [
      'an MTU for IPv6',
      () => ethernet({ name: 'eth0', mtu: 1000, ipv6: { dhcp: true } }),
      'mtu: MTU 1000 is out of range (1280–4294967295)',
    ],
    [
      'an address without a prefix',
      () => ethernet({ name: 'eth0', ipv4: { address: '192.0.2.1' } }),
      "ipv4.addresses.0: expected an IPv4 address with a prefix, found '192.0.2.1'",
    ],
    [
      'an address of the other family',
      () => ethernet({ name: 'eth0', ipv6: { address: ['2001:db8::1/64', '192.0.2.1/24'] } }),
      "ipv6.addresses.1: expected an IPv6 address with a prefix, found '192.0.2.1/24'",
    ],
    ['a number for a VLAN', () => vlan({ base: 'eth0', id: 4095 }), 'id: VLAN ID 4095 is out of range (1–4094)'],
    ['no base', () => vlan({ base: '', id: 1, name: 'v1' }), 'base: the VLAN has no interface below it'],
    [
      'a mode',
      () => bond({ name: 'bond0', mode: 'fast' as 'broadcast', ports: [] }),
      'mode: `fast` is not a mode of a bond',
    ],
    [
      'a primary port',
      () => bond({ name: 'bond0', mode: 'active-backup', ports: ['eth0'], primary: 'eth1' }),
      'primary: eth1 is not a port of the bond',
    ],
    [
      'a primary port of a mode without',
      () => bond({ name: 'bond0', mode: '802.3ad', ports: ['eth0'], primary: 'eth0' }),
      'primary: a bond in mode 802.3ad has no primary port',
    ],
    ['a port twice', () => linuxBridge({ name: 'br0', ports: ['eth0', 'eth0'] }), 'ports: a port is listed twice'],
    [
      'a destination',
      () => route({ destination: '0.1.0.0/16', interface: 'eth0' }),
      "destination: expected a network, found '0.1.0.0/16'",
    ],
    [
      'a gateway of the other family',
      () => route({ destination: '::/0', gateway: '192.0.2.1', interface: 'eth0' }),
      "gateway: expected an IPv6 address, found '192.0.2.1'",
    ],
    ['a rule about nothing', () => rule({ table: 1 }), 'from: the rule has neither a source nor a destination'],
    [
      'a rule about two families',
      () => rule({ from: '192.0.2.0/24', to: '::/0' }),
      'to: source and destination are of different families',
    ],
  ])('refuse %s', (_, make, message) => {
    expect(make).toThrow(new RangeError(message.replace(': ', ' must be what nmstate takes: ')));
  });
});

describe('the form of a text', () => {
  const text = `# The network of rack 7.
interfaces:
- name: eth0            # the left one
  type: ethernet
  ethtool: {ring: {rx: 4096}}
  ipv4:
    enabled: yes
    address:
    # Given by the network team.
    - {ip: 192.0.2.10, prefix-length: 24, valid-life-time: forever}
- name: bond0
  type: bond
  bond:
    mode: 1
    # In this order.
    ports: [eth1, eth2]
`;

  test('has the values of the text, also under other names and spellings', () => {
    expect(toForm(text).interfaces).toEqual([
      { name: 'eth0', type: 'ethernet', ipv4: { addresses: ['192.0.2.10/24'], enabled: true } },
      { name: 'bond0', type: 'bond', mode: 'active-backup', ports: ['eth1', 'eth2'] },
    ]);
  });

  test('is written back without other changes', () => {
    const form = toForm(text);
    const [nic, trunk] = form.interfaces;
    if (nic?.ipv4 === undefined || trunk?.type !== 'bond') throw new Error();
    nic.ipv4.addresses = ['192.0.2.11/25', '198.51.100.1/24'];
    nic.mtu = 9000;
    trunk.mode = '802.3ad';
    trunk.ports = ['eth2', 'eth3'];
    form.interfaces.push(vlan({ base: 'bond0', id: 7, ipv6: false }));
    form.routes.push(route({ destination: '0.0.0.0/0', gateway: '192.0.2.1', interface: 'eth0' }));
    expect(written(form, text)).toBe(`# The network of rack 7.
interfaces:
- name: eth0            # the left one
  type: ethernet
  ethtool: {ring: {rx: 4096}}
  ipv4:
    enabled: yes
    address:
    # Given by the network team.
    - {ip: 192.0.2.11, prefix-length: 25, valid-life-time: forever}
    - ip: 198.51.100.1
      prefix-length: 24
  mtu: 9000
- name: bond0
  type: bond
  bond:
    mode: 802.3ad
    # In this order.
    ports: [eth2, eth3]
- name: bond0.7
  type: vlan
  state: up
  vlan:
    base-iface: bond0
    id: 7
  ipv6:
    enabled: false
routes:
  config:
  - destination: 0.0.0.0/0
    next-hop-address: 192.0.2.1
    next-hop-interface: eth0
`);
  });

  test('moves entries with their comments', () => {
    const form = toForm(text);
    form.interfaces.reverse();
    const next = written(form, text);
    expect(next.indexOf('bond0')).toBeLessThan(next.indexOf('eth0'));
    for (const comment of text.match(/#.*/g) ?? []) expect(next).toContain(comment);
  });

  test('can be a part of a larger text', () => {
    const hosts = `hosts:
- hostname: a # first
  networkConfig:
    interfaces:
    - {name: eth0, type: ethernet} # card
- hostname: b
`;
    const form = { ...empty(), interfaces: [ethernet({ name: 'eth0', mtu: 1400 })] };
    const first = fromForm(form, hosts, { at: ['hosts', 0, 'networkConfig'] });
    expect(first.ok && first.value).toContain('# card');
    expect(first.ok && first.value).toContain('mtu: 1400');
    const second = fromForm(form, hosts, { at: ['hosts', 1, 'networkConfig'] });
    expect(second.ok && second.value).toContain('- hostname: b\n  networkConfig:\n    interfaces:\n');
  });

  test('is empty for an unreadable text, and is not written back', () => {
    expect(toForm('interfaces: [')).toEqual(empty());
    expect(fromForm(empty(), 'interfaces: [').ok).toBe(false);
  });
});

describe('writes a form into a text', () => {
  const edited = (text: string, edit: (form: NetworkForm) => void): string => {
    const form = toForm(text);
    edit(form);
    return written(form, text);
  };
  const br0 =
    'interfaces:\n- name: br0\n  type: linux-bridge\n  bridge:\n    port:\n    - name: a # left\n      stp-priority: 8\n    - name: b\n';
  const eth0 =
    'interfaces:\n- name: eth0\n  type: ethernet\n  ipv4:\n    address:\n    - ip: 192.0.2.1 # first\n      prefix-length: 24\n';

  test.each<[what: string, text: string, edit: (form: NetworkForm) => void, after: string]>([
    [
      'a port by another, with its settings',
      br0,
      ({ interfaces: [one] }) => Object.assign(one ?? {}, { ports: ['c', 'b'] }),
      br0.replace('name: a', 'name: c'),
    ],
    [
      'no ports',
      br0,
      ({ interfaces: [one] }) => delete (one as { ports?: unknown }).ports,
      br0.replace(/ {2}bridge:[\s\S]*/, '  bridge: {}\n'),
    ],
    [
      'an address by another of the same length',
      eth0,
      ({ interfaces: [one] }) => Object.assign(one?.ipv4 ?? {}, { addresses: ['192.0.2.2/24'] }),
      eth0.replace('192.0.2.1', '192.0.2.2'),
    ],
    [
      'the length of an address',
      eth0,
      ({ interfaces: [one] }) => Object.assign(one?.ipv4 ?? {}, { addresses: ['192.0.2.1/25'] }),
      eth0.replace('24', '25'),
    ],
    [
      'an interface by another of its type',
      eth0,
      ({ interfaces: [one] }) => Object.assign(one ?? {}, { name: 'eth1' }),
      eth0.replace('eth0', 'eth1'),
    ],
    [
      'an interface by one of another type',
      eth0,
      ({ interfaces }) => interfaces.splice(0, 1, vlan({ base: 'eth0', id: 7 })),
      'interfaces:\n- name: eth0.7\n  type: vlan\n  state: up\n  vlan:\n    base-iface: eth0\n    id: 7\n',
    ],
    [
      'a route, and a rule',
      'interfaces:\n- {name: eth0, type: ethernet, ipv4: {enabled: true, dhcp: true}}\nroutes:\n  config:\n  - destination: 198.51.100.0/24 # x\n    next-hop-interface: eth0\nroute-rules:\n  config:\n  - ip-from: 192.0.2.0/24\n    priority: 5\n',
      ({ routes: [one], rules: [rule] }) => {
        Object.assign(one ?? {}, { metric: 7 });
        delete rule?.priority;
        Object.assign(rule ?? {}, { table: 9 });
      },
      'interfaces:\n- {name: eth0, type: ethernet, ipv4: {enabled: true, dhcp: true}}\nroutes:\n  config:\n  - destination: 198.51.100.0/24 # x\n    next-hop-interface: eth0\n    metric: 7\nroute-rules:\n  config:\n  - ip-from: 192.0.2.0/24\n    route-table: 9\n',
    ],
  ])('%s', (_, text, edit, after) => {
    expect(edited(text, edit)).toBe(after);
  });

  test('with the state in an item of a list', () => {
    const state = (mtu: string): string => `- x\n- interfaces:\n  - {name: eth0, type: ethernet${mtu}} # card\n`;
    const form = toForm('interfaces:\n- {name: eth0, type: ethernet}\n');
    Object.assign(form.interfaces[0] ?? {}, { mtu: 1400 });
    expect(fromForm(form, state(''), { at: [1] })).toMatchObject({ ok: true, value: state(', mtu: 1400') });
    expect(fromForm(form, '- x\n', { at: ['a'] }).ok).toBe(false);
    expect(fromForm(form, 'a: 1\n', { at: [0] }).ok).toBe(false);
  });
});

describe('a form with mistakes', () => {
  const findings = (form: NetworkForm, text = ''): string[] =>
    fromForm(form, text).diagnostics.map(({ path, message }) => `${path.join('.')}: ${message}`);

  test('gives a finding with the field', () => {
    const nic = ethernet({ name: 'eth0', ipv4: { dhcp: true } });
    expect(
      findings({
        interfaces: [nic, { ...nic }, linuxBridge({ name: 'br0', ports: ['eth0'] })],
        routes: [{ destination: '::/0', interface: 'eth0' }],
        rules: [],
        dns: { servers: ['2001:db8::53'], search: [] },
      }),
    ).toEqual([
      'interfaces.1.name: eth0 is declared twice',
      'interfaces.0.ipv4.enabled: eth0 is a port of br0 and cannot have addresses',
      'interfaces.1.ipv4.enabled: eth0 is a port of br0 and cannot have addresses',
      'routes.0.interface: eth0 has no IPv6 for the route',
      'dns.servers: no interface has IPv6, and the servers are reached by none',
    ]);
  });

  test('gives no findings that the text had before', () => {
    const text = 'interfaces:\n- {name: "a b", type: ethernet}\n';
    const form = toForm(text);
    form.interfaces.push(ethernet({ name: 'eth0' }));
    expect(findings(form, text)).toEqual([]);
    form.interfaces.push(ethernet({ name: 'eth0' }));
    expect(findings(form, text)).toEqual(['interfaces.2.name: eth0 is declared twice']);
    // The same mistake in another entry is a new one.
    form.interfaces.pop();
    form.interfaces.push({ name: 'a b', type: 'dummy' });
    expect(findings(form, text)).toEqual([
      'interfaces.2.name: `a b` cannot be the name of an interface',
      'interfaces.2.name: a b is declared twice',
    ]);
  });

  test('does not change a value that several parts share', () => {
    const text =
      'interfaces:\n- {name: a, type: dummy, ipv4: &four {enabled: true, dhcp: true}}\n- {name: b, type: dummy, ipv4: *four}\n';
    const form = toForm(text);
    Object.assign(form.interfaces[0]?.ipv4 ?? {}, { dhcp: false });
    expect(fromForm(form, text).diagnostics[0]).toMatchObject({ code: 'diagnostics/not-editable' });
    form.interfaces.push(ethernet({ name: 'c' }));
    Object.assign(form.interfaces[0]?.ipv4 ?? {}, { dhcp: true });
    expect(fromForm(form, text).ok).toBe(true);
  });

  test('can be checked together with the whole text', () => {
    const text = `interfaces:
- name: bond0
  type: bond
  link-aggregation: {mode: 802.3ad, options: {lacp_rate: fast}, port: [eth0]}
`;
    const form = toForm(text);
    Object.assign(form.interfaces[0] ?? {}, { mode: 'active-backup' });
    expect(fromForm(form, text).ok).toBe(true);
    const judged = fromForm(form, text, { judge: (next) => generateKeyfiles(next, { mode: 'compatible' }) });
    expect(judged.diagnostics[0]?.message).toContain("`lacp_rate` option is only valid for bond in '802.3ad' mode");
  });
});
