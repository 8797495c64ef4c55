import { bool, i64, inside, listOf, oneOf, type Section, text, u16, u32 } from '../table.ts';

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

export const routes: Section = {
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

export const routeRules: Section = {
  name: 'RouteRules',
  doc: 'Rules that choose route tables.',
  unknownKeys: 'refused',
  fields: { config: { type: listOf(inside(routeRule)), doc: 'The rules.' } },
};
