import { describe, expect, test } from 'vitest';
import { generateKeyfiles } from '../../src/index.ts';

/** The findings of strict mode as `line:column severity code`. */
function findings(text: string): string[] {
  return generateKeyfiles(text, { mode: 'strict' }).diagnostics.map(({ code, severity, range }) => {
    return `${range?.start.line}:${range?.start.column} ${severity} ${code}`;
  });
}

const CLEAN = `interfaces:
- name: eth0
  type: ethernet
  ipv4:
    enabled: true
    address: [{ip: 192.0.2.10, prefix-length: 24}]
routes:
  config:
  - {destination: 0.0.0.0/0, next-hop-interface: eth0, next-hop-address: 192.0.2.1}
dns-resolver:
  config: {server: [192.0.2.53, 198.51.100.53]}
`;

test('finds nothing in a state without mistakes', () => {
  expect(findings(CLEAN)).toEqual([]);
});

describe('reports in strict mode, at its place,', () => {
  test.each([
    ['an unknown type', '- {name: a, type: etherent}', '2:19 error nmstate/unknown-type'],
    ['a missing type', '- {name: a}', '2:3 info nmstate/assumed-type'],
    [
      'the same interface twice',
      '- {name: a, type: dummy}\n- {name: a, type: dummy}',
      '2:10 error nmstate/duplicate-interface',
    ],
    [
      'a port that is not there',
      '- {name: b, type: vrf, vrf: {route-table-id: 5, ports: [eth7]}}',
      '2:57 warning nmstate/undeclared-port',
    ],
    [
      'a parent that is not there',
      '- {name: v, type: vlan, vlan: {id: 5, base-iface: eth7}}',
      '2:3 warning nmstate/undeclared-parent',
    ],
    [
      'VLAN 5000',
      '- {name: a, type: dummy}\n- {name: v, type: vlan, vlan: {base-iface: a, id: 5000}}',
      '3:51 error nmstate/vlan-id',
    ],
    [
      'VLAN 0',
      '- {name: a, type: dummy}\n- {name: v, type: vlan, vlan: {base-iface: a, id: 0}}',
      '3:51 error nmstate/vlan-id',
    ],
    ['VXLAN 16777216', '- {name: v, type: vxlan, vxlan: {id: 16777216}}', '2:38 error nmstate/vxlan-id'],
    [
      'a trunk tag beyond 4094',
      '- {name: a, type: dummy}\n- {name: b, type: linux-bridge, bridge: {port: [{name: a, vlan: {mode: trunk, trunk-tags: [{id: 4095}]}}]}}',
      '3:92 error nmstate/vlan-id',
    ],
    ['a name the kernel cannot have', '- {name: sixteen-letters-, type: dummy}', '2:10 error nmstate/interface-name'],
    ['a MAC address that is none', '- {name: a, type: dummy, mac-address: nonsense}', '2:39 error nmstate/mac-address'],
    [
      'a match without its address',
      '- {name: a, type: ethernet, identifier: mac-address}',
      '2:41 error nmstate/missing-identifier',
    ],
    ['a line break in a value', '- {name: a, type: dummy, description: "b\\nc"}', '2:39 error nmstate/line-break'],
    [
      'addresses of a family that is off',
      '- {name: a, type: dummy, ipv4: {address: [{ip: 10.0.0.1, prefix-length: 8}]}}',
      '2:32 warning nmstate/ip-not-enabled',
    ],
    [
      'an address that is left out',
      '- {name: a, type: dummy, ipv6: {enabled: true, address: [{ip: fe80::1, prefix-length: 64}]}}',
      '2:58 warning nmstate/dropped-address',
    ],
    ['waiting for a family that is off', '- {name: a, type: dummy, wait-ip: ipv4}', '2:3 warning nmstate/wait-ip'],
    ['a key without effect', '- {name: a, type: ethernet, driver: e1000}', '2:29 warning nmstate/unused-key'],
    [
      'a key that is ignored',
      '- {name: a, type: ethernet, 802.1x: {eap-methods: [tls], identiy: me}}',
      '2:58 warning nmstate/ignored-key',
    ],
    ['a key written twice', '- {name: a, type: dummy, mtu: 1500, mtu: 1400}', '2:26 error nmstate/duplicate-key'],
    [
      'a word that is taken for its opposite',
      '- {name: a, type: ovs-bridge, bridge: {options: {stp: "false"}}}',
      '2:55 error nmstate/inverted-value',
    ],
    [
      'a value that is dropped',
      '- {name: a, type: ovs-bridge, ovs-db: {external_ids: {k: [1]}}}',
      '2:58 warning nmstate/dropped-value',
    ],
    [
      'a list in the place of a map',
      '- {name: a, type: ethernet, ethtool: {pause: [true]}}',
      '2:46 warning nmstate/list-as-map',
    ],
    [
      'a primary that is no port',
      '- {name: a, type: dummy}\n- {name: b, type: bond, bond: {mode: 1, port: [a], options: {primary: c}}}',
      '3:71 warning nmstate/primary-port',
    ],
    ['a type that nmstate writes no settings of', '- {name: x, type: xfrm}', '2:19 warning nmstate/incomplete-profile'],
    ['a type without its section', '- {name: v, type: vxlan}', '2:3 error nmstate/missing-section'],
    [
      'virtual functions that do not exist',
      '- {name: a, type: ethernet, ethernet: {sr-iov: {total-vfs: 1, vfs: [{id: 1}]}}}',
      '2:74 error nmstate/missing-vf',
    ],
    [
      'two files of one name',
      '- {name: a, type: dummy, profile-name: p}\n- {name: b, type: dummy, profile-name: p}',
      '3:3 error nmstate/duplicate-profile',
    ],
  ])('%s', (_, entries, finding) => {
    expect(findings(`interfaces:\n${entries}\n`)).toContain(finding);
  });

  test.each([
    [
      'a gateway outside every network',
      CLEAN.replace('next-hop-address: 192.0.2.1', 'next-hop-address: 10.0.0.1'),
      '9:74 warning nmstate/unreachable-gateway',
    ],
    [
      'routes without an address',
      CLEAN.replace('address: [{ip: 192.0.2.10, prefix-length: 24}]', 'dhcp: false').replace(/dns-resolver:\n.*\n/, ''),
      '5:5 error nmstate/routes-without-address',
    ],
    [
      'name servers that cannot be reached',
      CLEAN.replace(/routes:\n {2}config:\n.*\n/, ''),
      '8:33 warning nmstate/unreachable-server',
    ],
    [
      'a name server that is forgotten',
      CLEAN.replace('198.51.100.53', "'x:y%eth0'"),
      '11:33 error nmstate/dropped-server',
    ],
    [
      'a rule that is lost',
      `${CLEAN}route-rules:\n  config:\n  - {family: ipv6, route-table: 7}\n  - {family: ipv6, route-table: 7, iif: eth0}\n`,
      '15:5 warning nmstate/lost-rule',
    ],
    [
      'a route to an interface that is not there',
      CLEAN.replace('next-hop-interface: eth0', 'next-hop-interface: eth1'),
      '9:50 error nmstate/invalid-argument',
    ],
  ])('%s', (_, text, finding) => {
    expect(findings(text)).toContain(finding);
  });
});

describe('accepts in strict mode', () => {
  test.each([
    [
      'a gateway that a route without gateway leads to',
      CLEAN.replace(
        'next-hop-address: 192.0.2.1}',
        'next-hop-address: 10.0.0.1}\n  - {destination: 10.0.0.1/32, next-hop-interface: eth0}',
      ),
    ],
    [
      'a link-local gateway',
      'interfaces: [{name: a, type: dummy, ipv6: {enabled: true, address: [{ip: 2001:db8::2, prefix-length: 64}]}}]\nroutes: {config: [{destination: "::/0", next-hop-interface: a, next-hop-address: fe80::1}]}\n',
    ],
    [
      'any gateway where DHCP gives the address',
      CLEAN.replace('address: [{ip: 192.0.2.10, prefix-length: 24}]', 'dhcp: true').replace('192.0.2.1}', '10.0.0.1}'),
    ],
    [
      'any server where DHCP gives the gateway',
      'interfaces: [{name: a, type: dummy, ipv4: {enabled: true, dhcp: true}}]\ndns-resolver: {config: {server: [9.9.9.9]}}\n',
    ],
  ])('%s', (_, text) => {
    expect(findings(text)).toEqual([]);
  });
});

test('returns keyfiles with warnings, but not with errors', () => {
  const warned = generateKeyfiles('interfaces: [{name: b, type: bond, bond: {mode: 1, port: [eth0]}}]', {
    mode: 'strict',
  });
  expect(warned.ok && warned.value.map(({ name }) => name)).toEqual(['b.nmconnection', 'eth0.nmconnection']);
  expect(warned.diagnostics).toHaveLength(1);
  expect(generateKeyfiles('interfaces: [{name: a, type: bnd}]').ok).toBe(false);
});

test('gives every finding help', () => {
  const { diagnostics } = generateKeyfiles('interfaces: [{name: a, type: bnod, mtu: 5, mtu: 6, driver: x}]', {
    mode: 'strict',
  });
  expect(diagnostics.map(({ help }) => help)).toEqual(['Did you mean `bond`?', 'Remove one.', 'Remove it.']);
});

test('has none of these findings in compatible mode', () => {
  const outcome = generateKeyfiles('interfaces: [{name: a, type: bnod, mtu: 5, mtu: 6, driver: x}]', {
    mode: 'compatible',
  });
  expect(outcome).toMatchObject({ ok: true, diagnostics: [] });
});

test('refuses any other mode', () => {
  expect(() => generateKeyfiles('', { mode: 'lax' as 'strict' })).toThrow(RangeError);
});

describe('accepts as a name in the kernel', () => {
  const codes = (name: string): string[] =>
    generateKeyfiles({ interfaces: [{ name, type: 'dummy' }] }).diagnostics.map(({ code }) => code);

  test.each(['a', 'fifteen-letters', '...', 'a.b', 'ü'.repeat(7), 'a%d'])('%j', (name) => {
    expect(codes(name)).toEqual([]);
  });

  test.each(['', '.', '..', 'a/b', 'a:b', 'a b', 'a\tb', 'sixteen--letters', 'ü'.repeat(8)])('but not %j', (name) => {
    expect(codes(name)).toEqual(['nmstate/interface-name']);
  });
});
