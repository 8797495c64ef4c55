import { globalOvsDb } from '../interfaces/ovs-db.ts';
import { bool, i64, ignored, inside, listOf, oneOf, type Section, text, u16, u32 } from '../table/table.ts';

const route: Section = {
  name: 'RouteEntry',
  doc: 'One route.',
  unknownKeys: 'refused',
  fields: {
    /** Set on routes that are not to be written. */
    state: { type: oneOf('absent', 'ignore') },
    /** Network, such as `198.51.100.0/24` or `::/0`. */
    destination: { type: text },
    /** The interface that packets leave through. */
    'next-hop-interface': { type: text },
    /** The gateway. */
    'next-hop-address': { type: text },
    /** Lower is better; -1 for the default. */
    metric: { type: i64 },
    /** Route table; 0 for the main one. */
    'table-id': { type: u32 },
    /** Share of the traffic over several IPv4 routes, 1 to 256. */
    weight: { type: u16 },
    /** A route that drops packets. */
    'route-type': { type: oneOf('blackhole', 'unreachable', 'prohibit') },
    /** Congestion window, locked. */
    cwnd: { type: u32 },
    /** Preferred source address. */
    source: { type: text },
    /** Initial congestion window. */
    initcwnd: { type: u32 },
    /** Initial receive window. */
    initrwnd: { type: u32 },
    /** Largest packet on the route. */
    mtu: { type: u32 },
    /** Whether acknowledgements are sent at once. */
    quickack: { type: bool },
    /** Segment size to advertise. */
    advmss: { type: u32 },
    /** Whether the MTU is fixed. */
    'lock-mtu': { type: bool },
    /** VRF whose route table is used. */
    'vrf-name': { type: text },
  },
};

const routes: Section = {
  name: 'Routes',
  doc: 'Static routes.',
  unknownKeys: 'refused',
  fields: {
    /** Read-only. */
    running: { type: listOf(inside(route)), unused: true },
    /** The routes. */
    config: { type: listOf(inside(route)) },
  },
};

const routeRule: Section = {
  name: 'RouteRuleEntry',
  doc: 'One rule that chooses a route table.',
  unknownKeys: 'refused',
  fields: {
    /** Needed where neither `ip-from` nor `ip-to` tells. */
    family: { type: oneOf('ipv4', 'ipv6', 'unknown') },
    /** Set on rules that are not to be written. */
    state: { type: oneOf('absent') },
    /** Source network. */
    'ip-from': { type: text },
    /** Destination network. */
    'ip-to': { type: text },
    /** Lower comes first; 30000 and up by default. */
    priority: { type: i64 },
    /** The table to look in; the main one by default. */
    'route-table': { type: u32 },
    /** Firewall mark. */
    fwmark: { type: u32 },
    /** Bits of the mark that count. */
    fwmask: { type: u32 },
    /** Drops packets instead. */
    action: { type: oneOf('blackhole', 'unreachable', 'prohibit') },
    /** Incoming interface. */
    iif: { type: text },
    /** Routes with at most this prefix length are passed over. */
    'suppress-prefix-length': {
      type: { kind: 'integer', bits: 32, signed: false, lenient: false },
      aliases: ['suppress_prefixlength'],
    },
  },
};

const routeRules: Section = {
  name: 'RouteRules',
  doc: 'Rules that choose route tables.',
  unknownKeys: 'refused',
  fields: {
    /** The rules. */
    config: { type: listOf(inside(routeRule)) },
  },
};

const dnsClient: Section = {
  name: 'DnsClientState',
  doc: 'Settings of the resolver.',
  unknownKeys: 'refused',
  fields: {
    /** Addresses of name servers; a link-local one needs its interface, as in `fe80::1%eth0`. */
    server: {
      type: listOf(text),
    },
    /** Domains to search. */
    search: { type: listOf(text) },
    /** Resolver options, such as `rotate` or `ndots:2`. */
    options: { type: listOf(text) },
  },
};

const dns: Section = {
  name: 'DnsState',
  doc: 'Name resolution.',
  unknownKeys: 'refused',
  fields: {
    /** Read-only. */
    running: { type: inside(dnsClient), unused: true },
    /** The settings. */
    config: { type: inside(dnsClient) },
  },
};

const hostname: Section = {
  name: 'HostNameState',
  doc: 'Name of the host; a keyfile cannot hold it.',
  unknownKeys: 'refused',
  fields: {
    /** Read-only. */
    running: { type: text, unused: true },
    /** The name. */
    config: { type: text, unused: true },
  },
};

const ovnMapping: Section = {
  name: 'OvnBridgeMapping',
  doc: 'One mapping of a physical network to a bridge.',
  unknownKeys: 'ignored',
  fields: {
    localnet: { type: text, required: true, doc: 'Name of the physical network.' },
    /** `present` by default. */
    state: { type: oneOf('present', 'absent') },
    /** The Open vSwitch bridge. */
    bridge: { type: text },
  },
};

const ovn: Section = {
  name: 'OvnConfiguration',
  doc: 'OVN; checked, never written.',
  unknownKeys: 'refused',
  fields: {
    /** Physical networks and their bridges. */
    'bridge-mappings': { type: listOf(inside(ovnMapping)), unused: true },
  },
};

/** The document. `interfaces` is read separately, because its entries differ by type. */
export const networkState: Section = {
  name: 'NetworkState',
  doc: 'The network of a host.',
  unknownKeys: 'refused',
  fields: {
    /** A note about the whole. */
    description: { type: text, nullable: false, unused: true },
    /** Name of the host. */
    hostname: { type: inside(hostname) },
    /** Name resolution. */
    'dns-resolver': { type: inside(dns) },
    /** Rules that choose route tables. */
    'route-rules': { type: inside(routeRules), nullable: false },
    /** Static routes. */
    routes: { type: inside(routes), nullable: false },
    /** The interfaces. */
    interfaces: { type: listOf(ignored), nullable: false },
    /** Global entries of the Open vSwitch database. */
    'ovs-db': globalOvsDb,
    /** OVN. */
    ovn: { type: inside(ovn), nullable: false },
  },
};
