/** A nodes-config with this many hosts, each with two bonded cards and a VLAN on top. */
export function manyHosts(count: number): string {
  return `hosts:\n${Array.from({ length: count }, (_, index) => host(index)).join('')}`;
}

function host(index: number): string {
  const pair = [index >> 8, index & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
  const cards = [0, 1].map((card) => ({ name: `eno${card + 1}`, mac: `52:54:0${card}:00:${pair}` }));
  return `- hostname: worker-${index}
  interfaces:
${cards.map(({ name, mac }) => `  - name: ${name}\n    macAddress: ${mac}\n`).join('')}  networkConfig:
    interfaces:
${cards.map(({ name }) => `    - {name: ${name}, type: ethernet, state: up}\n`).join('')}    - name: bond0
      type: bond
      state: up
      link-aggregation: {mode: active-backup, port: [eno1, eno2]}
    - name: bond0.20
      type: vlan
      state: up
      vlan: {base-iface: bond0, id: 20}
      ipv4:
        enabled: true
        dhcp: false
        address: [{ip: 10.20.${1 + (index >> 8)}.${index & 255}, prefix-length: 16}]
`;
}
