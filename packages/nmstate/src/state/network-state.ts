import { globalOvsDb } from '../interfaces/ovs-db.ts';
import { bool, i64, ignored, inside, listOf, oneOf, type Section, text, u16, u32 } from '../table/table.ts';

const route: Section = {
  name: 'RouteEntry',
  doc: 'One route.',
  unknownKeys: 'refused',
  fields: {
    state: { type: oneOf('absent', 'ignore'), doc: 'Set on routes that are not to be written.' },
    destination: { type: text, doc: 'Network, such as `198.51.100.0/24` or `::/0`.' },
    'next-hop-interface': { type: text, doc: 'The interface that packets leave through.' },
    'next-hop-address': { type: text, doc: 'The gateway.' },
    metric: { type: i64, doc: 'Lower is better; -1 for the default.' },
    'table-id': { type: u32, doc: 'Route table; 0 for the main one.' },
    weight: { type: u16, doc: 'Share of the traffic over several IPv4 routes, 1 to 256.' },
    'route-type': { type: oneOf('blackhole', 'unreachable', 'prohibit'), doc: 'A route that drops packets.' },
    cwnd: { type: u32, doc: 'Congestion window, locked.' },
    source: { type: text, doc: 'Preferred source address.' },
    initcwnd: { type: u32, doc: 'Initial congestion window.' },
    initrwnd: { type: u32, doc: 'Initial receive window.' },
    mtu: { type: u32, doc: 'Largest packet on the route.' },
    quickack: { type: bool, doc: 'Whether acknowledgements are sent at once.' },
    advmss: { type: u32, doc: 'Segment size to advertise.' },
    'lock-mtu': { type: bool, doc: 'Whether the MTU is fixed.' },
    'vrf-name': { type: text, doc: 'VRF whose route table is used.' },
  },
};

const routes: Section = {
  name: 'Routes',
  doc: 'Static routes.',
  unknownKeys: 'refused',
  fields: {
    running: { type: listOf(inside(route)), unused: true, doc: 'Read-only.' },
    config: { type: listOf(inside(route)), doc: 'The routes.' },
  },
};

const routeRule: Section = {
  name: 'RouteRuleEntry',
  doc: 'One rule that chooses a route table.',
  unknownKeys: 'refused',
  fields: {
    family: { type: oneOf('ipv4', 'ipv6', 'unknown'), doc: 'Needed where neither `ip-from` nor `ip-to` tells.' },
    state: { type: oneOf('absent'), doc: 'Set on rules that are not to be written.' },
    'ip-from': { type: text, doc: 'Source network.' },
    'ip-to': { type: text, doc: 'Destination network.' },
    priority: { type: i64, doc: 'Lower comes first; 30000 and up by default.' },
    'route-table': { type: u32, doc: 'The table to look in; the main one by default.' },
    fwmark: { type: u32, doc: 'Firewall mark.' },
    fwmask: { type: u32, doc: 'Bits of the mark that count.' },
    action: { type: oneOf('blackhole', 'unreachable', 'prohibit'), doc: 'Drops packets instead.' },
    iif: { type: text, doc: 'Incoming interface.' },
    'suppress-prefix-length': {
      type: { kind: 'integer', bits: 32, signed: false, lenient: false },
      aliases: ['suppress_prefixlength'],
      doc: 'Routes with at most this prefix length are passed over.',
    },
  },
};

const routeRules: Section = {
  name: 'RouteRules',
  doc: 'Rules that choose route tables.',
  unknownKeys: 'refused',
  fields: { config: { type: listOf(inside(routeRule)), doc: 'The rules.' } },
};

const dnsClient: Section = {
  name: 'DnsClientState',
  doc: 'Settings of the resolver.',
  unknownKeys: 'refused',
  fields: {
    server: {
      type: listOf(text),
      doc: 'Addresses of name servers; a link-local one needs its interface, as in `fe80::1%eth0`.',
    },
    search: { type: listOf(text), doc: 'Domains to search.' },
    options: { type: listOf(text), doc: 'Resolver options, such as `rotate` or `ndots:2`.' },
  },
};

const dns: Section = {
  name: 'DnsState',
  doc: 'Name resolution.',
  unknownKeys: 'refused',
  fields: {
    running: { type: inside(dnsClient), unused: true, doc: 'Read-only.' },
    config: { type: inside(dnsClient), doc: 'The settings.' },
  },
};

const hostname: Section = {
  name: 'HostNameState',
  doc: 'Name of the host; a keyfile cannot hold it.',
  unknownKeys: 'refused',
  fields: {
    running: { type: text, unused: true, doc: 'Read-only.' },
    config: { type: text, unused: true, doc: 'The name.' },
  },
};

const ovnMapping: Section = {
  name: 'OvnBridgeMapping',
  doc: 'One mapping of a physical network to a bridge.',
  unknownKeys: 'ignored',
  fields: {
    localnet: { type: text, required: true, doc: 'Name of the physical network.' },
    state: { type: oneOf('present', 'absent'), doc: '`present` by default.' },
    bridge: { type: text, doc: 'The Open vSwitch bridge.' },
  },
};

const ovn: Section = {
  name: 'OvnConfiguration',
  doc: 'OVN; checked, never written.',
  unknownKeys: 'refused',
  fields: {
    'bridge-mappings': { type: listOf(inside(ovnMapping)), unused: true, doc: 'Physical networks and their bridges.' },
  },
};

/** The document. `interfaces` is read apart: its entries differ by type. */
export const networkState: Section = {
  name: 'NetworkState',
  doc: 'The network of a host.',
  unknownKeys: 'refused',
  fields: {
    description: { type: text, nullable: false, unused: true, doc: 'A note about the whole.' },
    hostname: { type: inside(hostname), doc: 'Name of the host.' },
    'dns-resolver': { type: inside(dns), doc: 'Name resolution.' },
    'route-rules': { type: inside(routeRules), nullable: false, doc: 'Rules that choose route tables.' },
    routes: { type: inside(routes), nullable: false, doc: 'Static routes.' },
    interfaces: { type: listOf(ignored), nullable: false, doc: 'The interfaces.' },
    'ovs-db': globalOvsDb,
    ovn: { type: inside(ovn), nullable: false, doc: 'OVN.' },
  },
};
