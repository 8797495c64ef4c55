import { ignored, inside, listOf, oneOf, type Section, text } from '../table.ts';
import { globalOvsDb } from './ovs-db.ts';
import { routeRules, routes } from './routes.ts';

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
  doc: 'What the network of a host should be.',
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
