import { describe, expect, test } from 'vitest';
import { generateKeyfiles } from '../../src/index.ts';

/** The order of files: lower priorities first, equal ones by name. */
function order(interfaces: readonly string[]): string[] {
  const outcome = generateKeyfiles(`interfaces:\n${interfaces.map((entry) => `- {${entry}}\n`).join('')}`, {
    mode: 'compatible',
  });
  expect(outcome.diagnostics).toEqual([]);
  return outcome.ok ? outcome.value.map(({ name }) => name.replace('.nmconnection', '')) : [];
}

const eth1 = 'name: eth1, type: ethernet';
const eth2 = 'name: eth2, type: ethernet';
const bond = 'name: bond0, type: bond, bond: {mode: 1, port: [eth1, eth2]}';
const vlan = (name: string, base: string): string => `name: ${name}, type: vlan, vlan: {id: 5, base-iface: ${base}}`;
const bridge = (name: string, port: string): string =>
  `name: ${name}, type: linux-bridge, bridge: {port: [{name: ${port}}]}`;

describe('writes profiles after those that they need', () => {
  test.each([
    ['ports after their bond', [eth1, eth2, bond], ['bond0', 'eth1', 'eth2']],
    ['undeclared ports by name', ['name: z, type: bond, bond: {mode: 1, port: [eth1]}'], ['eth1', 'z']],
    ['a VLAN after its base', [eth1, vlan('a', 'eth1')], ['eth1', 'a']],
    ['a VLAN on nothing where its name puts it', [vlan('a', 'eth1'), eth2], ['a', 'eth2']],
    [
      'a bond that is a port between its bridge and its ports',
      [vlan('vlan29', 'bond0'), bridge('br29', 'vlan29'), bridge('br0', 'bond0'), bond, eth1, eth2],
      ['br0', 'br29', 'bond0', 'eth1', 'eth2', 'vlan29'],
    ],
    ['VLANs on VLANs as far as one pass sees them', [vlan('v2', 'v1'), vlan('v1', 'eth1'), eth1], ['eth1', 'v1', 'v2']],
    [
      'an internal port of Open vSwitch after its bridge',
      ['name: br0, type: ovs-bridge'],
      ['br0-br', 'br0-port', 'br0-if'],
    ],
  ])('%s', (_, interfaces, expected) => {
    expect(order(interfaces)).toEqual(expected);
  });
});

test('requires controllers first for more than four levels', () => {
  const nested = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'];
  const bridges = nested.map((name, index) => bridge(name, nested[index + 1] ?? 'eth1'));
  expect(order([...bridges, eth1])).toEqual([...nested, 'eth1']);
  const outcome = generateKeyfiles(
    `interfaces:\n${[eth1, ...bridges.reverse()].map((entry) => `- {${entry}}\n`).join('')}`,
  );
  expect(outcome.diagnostics[0]?.message).toMatch(
    /^Failed to set up priority: nmstate only support nested interface up to 4 levels/,
  );
});
