import { generateKeyfilesOrThrow, type Keyfile } from '@coreiso/nmstate';
import type { Nic } from './support/qemu.ts';

/** Two network cards that become the ports of a bond with a VLAN on it. */
export const PORTS: readonly Nic[] = [{ mac: '52:54:00:00:00:01' }, { mac: '52:54:00:00:00:02' }];

const STATE = `
interfaces:
- name: bond0
  type: bond
  state: up
  link-aggregation: { mode: active-backup, options: { miimon: 100 }, port: [enp0s5, enp0s6] }
  ipv4: { enabled: true, address: [{ ip: 198.51.100.10, prefix-length: 24 }] }
  ipv6: { enabled: true, address: [{ ip: "2001:db8:1::10", prefix-length: 64 }] }
- name: bond0.100
  type: vlan
  state: up
  vlan: { base-iface: bond0, id: 100 }
  ipv4: { enabled: true, address: [{ ip: 203.0.113.10, prefix-length: 24 }] }
routes:
  config:
  - { destination: 0.0.0.0/0, next-hop-address: 198.51.100.1, next-hop-interface: bond0 }
  - { destination: 10.0.0.0/8, next-hop-address: 203.0.113.1, next-hop-interface: bond0.100, metric: 50 }
dns-resolver: { config: { server: [198.51.100.53], search: [example.test] } }
`;

/** The keyfiles of that network. */
export function bondKeyfiles(): Keyfile[] {
  return generateKeyfilesOrThrow(STATE);
}

/** Prints NetworkManager's state for them, each line after a word that names its subject. */
export const SHOW_NETWORK = `
ip -o addr | awk '$2 != "lo" { print "ADDRESS " $2 " " $4 }'
{ ip route; ip -6 route; } | sed 's/^/ROUTE /'
sed 's/^/RESOLV /' /etc/resolv.conf
grep -hE 'Bonding Mode|Slave Interface' /proc/net/bonding/* | sed 's/^/BOND /'
sed 's/^/VLAN /' /proc/net/vlan/config
true`;

/** The lines when that network is up; a bond has its address even without ports. */
export const BOND_LINES: readonly (string | RegExp)[] = [
  'ADDRESS bond0 198.51.100.10/24',
  'ADDRESS bond0 2001:db8:1::10/64',
  'ADDRESS bond0.100 203.0.113.10/24',
  'BOND Bonding Mode: fault-tolerance (active-backup)',
  'BOND Slave Interface: enp0s5',
  'BOND Slave Interface: enp0s6',
  'RESOLV nameserver 198.51.100.53',
  'RESOLV search example.test',
  /^ROUTE default via 198\.51\.100\.1 dev bond0 /,
  /^ROUTE 10\.0\.0\.0\/8 via 203\.0\.113\.1 dev bond0\.100 .*metric 50/,
  /^VLAN bond0\.100 +\| 100 +\| bond0/,
];
