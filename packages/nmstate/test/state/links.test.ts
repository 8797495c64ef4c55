import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { generateKeyfiles, type LinkEnd, linksOf, type NetworkState } from '../../src/index.ts';
import { parentOf, portsOf } from '../../src/interfaces/kinds.ts';
import { readInput } from '../../src/state/input.ts';

type Edge = [string, LinkEnd['role'], ...(string | number)[]];

function edges(ends: readonly LinkEnd[] | undefined): Edge[] {
  return (ends ?? []).map(({ name, role, path }): Edge => [name, role, ...path.slice(2)]);
}

const below = (text: string): Edge[] => edges(linksOf(`interfaces: [${text}]`)[0]?.below);

describe('links to lower interfaces', () => {
  test.each<[string, string, Edge[]]>([
    [
      'the ports of a bond',
      '{ name: b, type: bond, link-aggregation: { port: [x, y] } }',
      [
        ['x', 'port', 'link-aggregation', 'port', 0],
        ['y', 'port', 'link-aggregation', 'port', 1],
      ],
    ],
    [
      'the same under their aliases',
      '{ name: b, type: bond, bond: { ports: [x] } }',
      [['x', 'port', 'bond', 'ports', 0]],
    ],
    [
      'ports with settings of their own, once',
      '{ name: b, type: bond, link-aggregation: { port: [x], ports-config: [{ name: x }, { name: y }] } }',
      [
        ['x', 'port', 'link-aggregation', 'port', 0],
        ['y', 'port', 'link-aggregation', 'ports-config', 1, 'name'],
      ],
    ],
    [
      'the ports of a bridge',
      '{ name: b, type: linux-bridge, bridge: { ports: [{ name: x }] } }',
      [['x', 'port', 'bridge', 'ports', 0, 'name']],
    ],
    [
      'the members of a bond of Open vSwitch, not the bond',
      '{ name: b, type: ovs-bridge, bridge: { port: [{ name: b0, bond: { ports: [{ name: x }] } }, { name: y }] } }',
      [
        ['x', 'port', 'bridge', 'port', 0, 'bond', 'ports', 0, 'name'],
        ['y', 'port', 'bridge', 'port', 1, 'name'],
      ],
    ],
    ['the ports of a VRF', '{ name: b, type: vrf, vrf: { ports: [x] } }', [['x', 'port', 'vrf', 'ports', 0]]],
    [
      'both ports of a ring',
      '{ name: b, type: hsr, hsr: { port1: x, port2: y } }',
      [
        ['x', 'port', 'hsr', 'port1'],
        ['y', 'port', 'hsr', 'port2'],
      ],
    ],
    ...(['vlan', 'vxlan', 'mac-vlan', 'mac-vtap', 'macsec', 'ipvlan', 'infiniband'] as const).map(
      (type): [string, string, Edge[]] => [
        `the base of a ${type}`,
        `{ name: a, type: ${type}, ${type}: { base-iface: x } }`,
        [['x', 'base', type, 'base-iface']],
      ],
    ),
    [
      'a name that could be a number',
      '{ name: a, type: vlan, vlan: { base-iface: 7 } }',
      [['7', 'base', 'vlan', 'base-iface']],
    ],
    ['nothing where the name is empty', '{ name: a, type: vlan, vlan: { base-iface: } }', []],
    ['nothing of another type', '{ name: a, type: ethernet, vlan: { base-iface: x } }', []],
    ['anything without a type', '{ name: a, vlan: { base-iface: x } }', [['x', 'base', 'vlan', 'base-iface']]],
    [
      'anything of a type that nobody knows',
      '{ name: a, type: team, bond: { port: [x] } }',
      [['x', 'port', 'bond', 'port', 0]],
    ],
    ['nothing in a list for a map', '{ name: b, type: linux-bridge, bridge: { port: [x, [y], { nam: z }] } }', []],
  ])('%s', (_, text, expected) => {
    expect(below(text)).toEqual(expected);
  });

  test('include ports that name their controller', () => {
    const [bond, port] = linksOf(
      'interfaces: [{ name: b, type: bond, bond: { port: [x] } }, { name: y, controller: b }, { name: x, controller: b }]',
    );
    expect(bond?.below.map(({ name, path }) => [name, ...path])).toEqual([
      ['x', 'interfaces', 0, 'bond', 'port', 0],
      ['y', 'interfaces', 1, 'controller'],
    ]);
    expect(port?.below).toEqual([]);
  });

  test('do not include the other ends of cables and patches', () => {
    const [cable, patch] = linksOf(
      'interfaces: [{ name: a, type: veth, veth: { peer: b } }, { name: p, type: ovs-interface, patch: { peer: q } }]',
    );
    expect(edges(cable?.peers)).toEqual([['b', 'peer', 'veth', 'peer']]);
    expect(edges(patch?.peers)).toEqual([['q', 'peer', 'patch', 'peer']]);
    expect(cable?.below).toEqual([]);
  });
});

test('describes the interface of a link', () => {
  const state: NetworkState = {
    interfaces: [
      { name: 'bond0.7', type: 'vlan', state: 'down', mtu: 1400, vlan: { 'base-iface': 'bond0', id: 7 } },
      { name: 'eth0', type: 'ethernet', identifier: 'mac-address', 'mac-address': '52:54:00:00:00:01' },
    ],
  };
  expect(linksOf(state)).toEqual([
    {
      name: 'bond0.7',
      type: 'vlan',
      state: 'down',
      identifier: 'name',
      macAddress: '',
      mtu: 1400,
      vlan: 7,
      addresses: [],
      dynamic: [],
      isVirtual: true,
      path: ['interfaces', 0],
      below: [{ name: 'bond0', role: 'base', path: ['interfaces', 0, 'vlan', 'base-iface'] }],
      peers: [],
    },
    expect.objectContaining({
      state: 'up',
      identifier: 'mac-address',
      macAddress: '52:54:00:00:00:01',
      mtu: undefined,
      vlan: undefined,
      isVirtual: false,
    }),
  ]);
});

test('lists the addresses of a link, and the families with addresses from the network', () => {
  const [on, off] = linksOf(`interfaces:
- name: eth0
  ipv4: {enabled: yes, address: [{ip: 192.0.2.1, prefix-length: "24"}, {ip: 192.0.2.2}, {}]}
  ipv6: {enabled: true, autoconf: true}
- name: eth1
  ipv4: {enabled: false, dhcp: true, address: [{ip: 192.0.2.1, prefix-length: 24}]}
`);
  expect([on?.addresses, on?.dynamic]).toEqual([['192.0.2.1/24', '192.0.2.2'], ['IPv6']]);
  expect([off?.addresses, off?.dynamic]).toEqual([[], []]);
});

test.each(['', '[', 'interfaces: 7', 'interfaces: [7]', '- a'])('finds no links to draw in %j', (text) => {
  expect(linksOf(text).every(({ name, below }) => name === '' && below.length === 0)).toBe(true);
});

test('finds the links of the plan in every recorded state', () => {
  const goldens = new Goldens(new URL('../goldens/nmstate.json', import.meta.url));
  let compared = 0;
  for (const path of goldens.paths(/\.yml$/)) {
    const text = goldens.text(path);
    const input = readInput(text);
    if (!input.ok || input.path.length > 0 || !generateKeyfiles(text, { mode: 'compatible' }).ok) continue;
    const links = linksOf(text);
    for (const { iface, path: at } of input.state.interfaces) {
      // An absent interface has no ports. In nmstate an IP VLAN has no parent, and that of an OVS interface is its bridge.
      if (iface.state === 'absent' || iface.type === 'ipvlan') continue;
      const link = links[Number(at[1])];
      const parent = iface.type === 'ovs-interface' ? undefined : parentOf(iface);
      const planned = [...(portsOf(iface) ?? []).map(({ name }) => name), ...(parent ? [parent] : [])];
      const named = (link?.below ?? []).filter(
        (end) => end.path.at(-1) !== 'controller' && end.path.at(-1) !== 'interlink',
      );
      expect
        .soft([path, iface.name, [...new Set(named.map(({ name }) => name))].sort()])
        .toEqual([path, link?.name, [...new Set(planned)].sort()]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(1000);
});
