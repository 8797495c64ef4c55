// Keys that nmstate reads but does not write: strict mode reports these and no others.
import { expect, test } from 'vitest';
import { generateKeyfiles } from '../../src/index.ts';

function unused(text: string): string[] {
  const { diagnostics } = generateKeyfiles(text, { mode: 'strict' });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return diagnostics.filter(({ code }) => code === 'nmstate/unused-key').map(({ path }) => path.join('.'));
}

test.each<[what: string, text: string, keys: string[]]>([
  [
    'a state',
    `description: a
hostname: {running: a, config: b}
dns-resolver: {running: {server: [192.0.2.53]}, config: {search: []}}
routes: {running: [], config: []}
route-rules: {config: []}
ovs-db: {external_ids: {}, other_config: {}}
ovn: {bridge-mappings: []}
interfaces: []
`,
    [
      ...['description', 'hostname.running', 'hostname.config', 'dns-resolver.running', 'routes.running'],
      ...['ovs-db.external_ids', 'ovs-db.other_config', 'ovn.bridge-mappings'],
    ],
  ],
])('reports the unused keys of %s', (_, text, keys) => {
  expect(unused(text)).toEqual(keys);
});

test.each<[what: string, iface: string, keys: string[]]>([
  [
    'a card',
    'type: ethernet, min-mtu: 68, max-mtu: 9000, mtu: 1500, driver: e1000, description: a, lldp: {enabled: true, neighbors: []}',
    ['min-mtu', 'max-mtu', 'driver', 'lldp.neighbors'],
  ],
  [
    'addresses',
    `type: ethernet, ipv4: {enabled: true, dhcp: false, allow-extra-address: true, address: [{ip: 192.0.2.1, prefix-length: 24,
     mptcp-flags: [], valid-life-time: forever, preferred-life-time: forever, protocol: 1}]}, ipv6: {enabled: true, allow-extra-address: false}`,
    [
      ...['ipv4.allow-extra-address', 'ipv4.address.0.mptcp-flags', 'ipv4.address.0.preferred-life-time'],
      'ipv6.allow-extra-address',
    ],
  ],
  [
    'addresses, by other names',
    'type: ethernet, ipv4: {enabled: true, address: [{ip: 192.0.2.1, prefix-length: 24, preferred-left: forever, valid-left: forever}]}',
    ['ipv4.address.0.preferred-life-time'],
  ],
  [
    'virtual functions',
    'type: ethernet, ethernet: {sr-iov: {total-vfs: 1, max-vfs: 8, drivers-autoprobe: true, vfs: [{id: 0, iface-name: a, trust: true}]}}',
    ['ethernet.sr-iov.max-vfs', 'ethernet.sr-iov.vfs.0.iface-name'],
  ],
  [
    'a card with settings',
    `type: ethernet, ethtool: {ring: {rx: 1, rx-max: 1, rx-jumbo: 1, rx-jumbo-max: 1, rx-mini: 1, rx-mini-max: 1, tx: 1, tx-max: 1},
     coalesce: {sample-interval: 1, stats-block-usecs: 1, tx-usecs: 1, tx-usecs-high: 1, tx-usecs-irq: 1, tx-usecs-low: 1, rx-usecs-low: 1}}`,
    [
      ...['rx-max', 'rx-jumbo-max', 'rx-mini-max', 'tx-max'].map((key) => `ethtool.ring.${key}`),
      ...['sample-interval', 'stats-block-usecs', 'tx-usecs-high', 'tx-usecs-irq', 'tx-usecs-low'].map(
        (key) => `ethtool.coalesce.${key}`,
      ),
    ],
  ],
  [
    'a bridge',
    'type: linux-bridge, bridge: {allow-extra-ports: true, options: {gc-timer: 1, hello-timer: 1, hash-max: 4}, port: []}',
    ['bridge.allow-extra-ports', 'bridge.options.gc-timer', 'bridge.options.hello-timer'],
  ],
  [
    'a bridge of Open vSwitch',
    'type: ovs-bridge, bridge: {allow-extra-patch-ports: true, allow-extra-ports: false, options: {rstp: false}, port: []}',
    ['bridge.allow-extra-patch-ports', 'bridge.allow-extra-ports'],
  ],
  [
    'an IP tunnel',
    `type: ip-tunnel, ip-tunnel: {mode: ipip, base-iface: b, local: 192.0.2.1, remote: 192.0.2.2, ttl: 1, tos: 1, flow-label: 1,
     ip6tun-flags: [], pmtu-disc: true, encap-limit: 1, fwmark: 1}`,
    ['mode', 'base-iface', 'local', 'remote', 'ttl', 'tos', 'ip6tun-flags', 'pmtu-disc', 'encap-limit', 'fwmark'].map(
      (key) => `ip-tunnel.${key}`,
    ),
  ],
  [
    'an IP VLAN',
    'type: ipvlan, ipvlan: {base-iface: b, mode: l2, private: true}',
    ['ipvlan.base-iface', 'ipvlan.mode'],
  ],
  [
    'a redundant ring',
    'type: hsr, hsr: {port1: b, port2: c, interlink: d, supervision-address: a, multicast-spec: 1, protocol: hsr}',
    ['hsr.interlink', 'hsr.supervision-address', 'hsr.multicast-spec'],
  ],
])('reports the unused keys of %s', (_, iface, keys) => {
  const others = ['b', 'c', 'd'].map((name) => `- {name: ${name}, type: ethernet}\n`);
  const found = unused(`interfaces:\n- {name: a, ${iface}}\n${others.join('')}`);
  expect(found).toEqual(keys.map((key) => `interfaces.0.${key}`));
});

test.each(['absent', 'up'])('reports unused keys of an absent interface only: state %s', (state) => {
  const text = `interfaces:\n- {name: a, type: ethernet, state: ${state}, identifier: mac-address, mac-address: 52:54:00:00:00:01, pci-address: "0000:00:00.0", mtu: 1500, ipv4: {enabled: false}}\n`;
  const { diagnostics } = generateKeyfiles(text, { mode: 'strict' });
  const told = diagnostics.map(({ severity, code, message }) => `${severity} ${code} ${message}`);
  const words = (key: string): string => `warning nmstate/unused-key \`${key}\` has no effect on an absent interface`;
  expect(told).toEqual(state === 'up' ? [] : [words('mtu'), words('ipv4')]);
});
