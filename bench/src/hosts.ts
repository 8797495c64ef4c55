/** A host with a bond, two VLANs, routes and DNS. */
export const TYPICAL = `interfaces:
- name: bond0
  type: bond
  state: up
  link-aggregation: { mode: 802.3ad, options: { miimon: 100 }, port: [eno1, eno2] }
- { name: bond0.10, type: vlan, vlan: { base-iface: bond0, id: 10 }, ipv4: { enabled: true, address: [{ ip: 192.0.2.10, prefix-length: 24 }] } }
- { name: bond0.20, type: vlan, vlan: { base-iface: bond0, id: 20 }, ipv6: { enabled: true, address: [{ ip: "2001:db8::10", prefix-length: 64 }] } }
routes:
  config:
  - { destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: bond0.10 }
dns-resolver: { config: { server: [192.0.2.53] } }
`;

/** A nodes-config with this many hosts, each with one card and a static address, or with `network` as nmstate YAML. */
export function nodesConfig(hosts: number, network?: string): string {
  const list = Array.from({ length: hosts }, (_, n) => {
    const mac = `52:54:${[n >> 24, n >> 16, n >> 8, n].map((byte) => (byte & 0xff).toString(16).padStart(2, '0')).join(':')}`;
    const ip = `10.${(n >> 14) & 0xff}.${(n >> 6) & 0xff}.${(n & 0x3f) + 1}`;
    const state = (network ?? oneCard(ip))
      .replaceAll('192.0.2.10,', `${ip},`)
      .replaceAll('db8::10', `db8::${(n + 16).toString(16)}`)
      .replace(/^(?=.)/gm, '    ');
    return `- hostname: worker-${n}
  interfaces:
  - { name: eno1, macAddress: "${mac}" }
  networkConfig:
${state}`;
  });
  return `hosts:\n${list.join('')}`;
}

function oneCard(ip: string): string {
  return `interfaces:
- name: eno1
  type: ethernet
  state: up
  ipv4: { enabled: true, dhcp: false, address: [{ ip: ${ip}, prefix-length: 8 }] }
routes:
  config:
  - { destination: 0.0.0.0/0, next-hop-address: 10.255.255.254, next-hop-interface: eno1 }
dns-resolver: { config: { server: [10.255.255.253] } }
`;
}
