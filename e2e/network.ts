import { generateKeyfilesOrThrow, type Keyfile } from '@coreiso/nmstate';

/** Two network cards that become the ports of a bond with a VLAN on it. */
export const PORTS: readonly string[] = ['52:54:00:00:00:01', '52:54:00:00:00:02'];

const STATE = `
interfaces:
- name: bond0
  type: bond
  state: up
  link-aggregation: { mode: active-backup, options: { miimon: 100 }, port: [eth0, eth1] }
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

/** What the guest says when NetworkManager has brought that network up; a bond has its address even without ports. */
export const BOND_FACTS: Readonly<Record<string, readonly string[]>> = {
  ADDRESS: ['bond0 198.51.100.10/24', 'bond0 2001:db8:1::10/64', 'bond0.100 203.0.113.10/24'],
  BOND: [
    '/proc/net/bonding/bond0:Bonding Mode: fault-tolerance (active-backup)',
    '/proc/net/bonding/bond0:Slave Interface: eth0',
    '/proc/net/bonding/bond0:Slave Interface: eth1',
  ],
  RESOLV: ['nameserver 198.51.100.53', 'search example.test'],
};
