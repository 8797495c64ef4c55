import { judgeState, keyfileOf } from '@coreiso/nmstate';
import { expect, test } from 'vitest';
import { bindToMacs } from '../../src/join/bind-macs.ts';

const CARDS = [
  { path: [], name: 'eth0', macAddress: '52:54:00:ab:00:01' },
  { path: [], name: 'eth1', macAddress: '52-54-00-ab-00-02' },
];

function bind(state: string): { files: Map<string, string>; obstacles: readonly string[] } {
  const result = judgeState(state).compatible;
  if (!result.ok) throw new Error(result.diagnostics[0]?.message);
  const { profiles, obstacles } = bindToMacs(result.value, CARDS);
  return { files: new Map(profiles.map((profile) => [profile.name, keyfileOf(profile).content])), obstacles };
}

function lines(text: string | undefined, section: string): string[] {
  const [, body = ''] = (text ?? '').split(`[${section}]\n`);
  return body.split('\n\n')[0]!.split('\n').filter(Boolean);
}

test('finds a card by its MAC address instead of by its name', () => {
  const { files, obstacles } = bind(
    'interfaces: [{ name: eth0, type: ethernet, state: up, ipv4: { enabled: true, dhcp: true } }]',
  );
  const eth0 = files.get('eth0.nmconnection');
  expect(lines(eth0, 'ethernet')).toEqual(['mac-address=52:54:00:AB:00:01']);
  expect(eth0).not.toContain('interface-name=');
  expect(obstacles).toEqual([]);
});

test('keeps the other settings of the card', () => {
  const { files } = bind('interfaces: [{ name: eth1, type: ethernet, state: up, mtu: 9000 }]');
  expect(lines(files.get('eth1.nmconnection'), 'ethernet')).toEqual(['mac-address=52:54:00:AB:00:02', 'mtu=9000']);
});

test('lets a VLAN find its card through the profile of the card', () => {
  const { files } = bind(`interfaces:
- { name: eth0, type: ethernet, state: up }
- { name: eth0.7, type: vlan, state: up, vlan: { base-iface: eth0, id: 7 } }`);
  const uuid = lines(files.get('eth0.nmconnection'), 'connection').find((line) => line.startsWith('uuid='));
  expect(lines(files.get('eth0.7.nmconnection'), 'vlan')).toContain(uuid?.replace('uuid', 'parent'));
  expect(lines(files.get('eth0.7.nmconnection'), 'connection')).toContain('interface-name=eth0.7');
});

test('keeps the names that bonds and their ports give themselves', () => {
  const { files } = bind(`interfaces:
- name: bond0
  type: bond
  state: up
  link-aggregation: { mode: active-backup, port: [eth0, eth1] }`);
  expect(lines(files.get('bond0.nmconnection'), 'connection')).toContain('interface-name=bond0');
  expect(lines(files.get('eth1.nmconnection'), 'connection')).toContain('master=bond0');
  expect(lines(files.get('eth1.nmconnection'), 'ethernet')).toEqual(['mac-address=52:54:00:AB:00:02']);
});

test('still finds a card that is not in the table by its name', () => {
  const { files } = bind('interfaces: [{ name: eno9, type: ethernet, state: up }]');
  expect(files.get('eno9.nmconnection')).toContain('interface-name=eno9');
});

test.each([
  [
    'the primary port of a bond',
    `interfaces:
- name: bond0
  type: bond
  state: up
  link-aggregation: { mode: active-backup, options: { primary: eth0 }, port: [eth0, eth1] }`,
    'bond0.nmconnection: primary=eth0',
  ],
  [
    'the interface of a routing rule',
    `interfaces:
- name: eth0
  type: ethernet
  state: up
  ipv4: { enabled: true, dhcp: false, address: [{ ip: 192.0.2.9, prefix-length: 24 }] }
routes: { config: [{ destination: 198.51.100.0/24, next-hop-address: 192.0.2.1, next-hop-interface: eth0, table-id: 200 }] }
route-rules: { config: [{ iif: eth0, ip-from: 192.0.2.0/24, priority: 100, route-table: 200 }] }`,
    /^eth0\.nmconnection: routing-rule0=.*iif eth0/,
  ],
])('refuses to bind %s', (_, state, obstacle) => {
  expect(bind(state).obstacles).toEqual([expect.stringMatching(obstacle)]);
});
