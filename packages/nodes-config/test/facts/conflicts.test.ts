import { type ClusterFacts, isUpstream, parseNodesConfig } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';

const node = (name: string, ...addresses: string[]) => ({
  name,
  architecture: 'amd64',
  master: true,
  addresses: addresses.map((address) => ({ type: 'InternalIP', address })),
});

const host = (hostname: string, address: string): string => `hosts:
- hostname: ${hostname}
  interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]
  networkConfig:
    interfaces:
    - name: eth0
      type: ethernet
      state: up
      ipv4: {enabled: true, dhcp: false, address: [{ip: ${address}, prefix-length: 24}]}
`;

/** Codes in order, upstream's marked. */
function conflicts(text: string, nodes: readonly NonNullable<ClusterFacts['nodes']>[number][]): string[] {
  const { diagnostics } = parseNodesConfig(text, { cluster: { nodes } });
  const about = diagnostics.filter(({ code }) => code.endsWith('-in-cluster') || !code.startsWith('nodes-config/no-d'));
  return about.map((one) => `${isUpstream(one) ? 'upstream ' : ''}${one.code.replace('nodes-config/', '')}`);
}

test.each([
  ['the name by an earlier node', [node('a', '192.0.2.1', 'taken'), node('b', '192.0.2.9')], 'hostname', 'address'],
  ['the address by an earlier node', [node('a', '192.0.2.9'), node('b', 'taken')], 'address', 'hostname'],
  ['the name first among the addresses of one node', [node('a', 'taken', '192.0.2.9')], 'hostname', 'address'],
  ['the address first among them', [node('a', '192.0.2.9', 'taken')], 'address', 'hostname'],
])(
  'a host whose name and address are in use, %s: both are reported, the first as the installer\u2019s',
  (_, nodes, first, second) => {
    expect(conflicts(host('taken', '192.0.2.9'), nodes)).toEqual([
      `upstream ${first}-in-cluster`,
      `${second}-in-cluster`,
    ]);
  },
);

test.each([
  ['ipv4: true', 'bool into Go struct field .interfaces.ipv4'],
  ['ipv4: {enabled: true, address: none}', 'string into Go struct field .interfaces.ipv4.address'],
])('a network with %s has no addresses to compare, and its place is reported', (member, told) => {
  const text = host('new', '192.0.2.9').replace(/ipv4: .*/, member);
  const { diagnostics } = parseNodesConfig(text, { cluster: { nodes: [node('a', '192.0.2.1')] } });
  const found = diagnostics.find(({ code }) => code === 'nodes-config/network-shape');
  // Go adds the type of the field, which is a page long.
  expect(found?.message).toBe(
    `error unmarshalling NMStateConfig: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${told}`,
  );
});
