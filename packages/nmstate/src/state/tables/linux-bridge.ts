import { multicastRouter } from '../special/bridge-values.ts';
import {
  bool,
  type Fields,
  inside,
  listOf,
  oneOf,
  type Section,
  strictBool,
  strictU16,
  strictU64,
  text,
  u8,
  u16,
  u32,
  u64,
} from '../table.ts';
import { portVlan } from './bridge-vlan.ts';

export const stpOptions: Section = {
  name: 'LinuxBridgeStpOptions',
  doc: 'Spanning tree protocol.',
  unknownKeys: 'refused',
  fields: {
    enabled: { type: bool, key: 'stp', doc: 'Whether the bridge takes part in the spanning tree.' },
    'forward-delay': { type: u8, key: 'forward-delay', doc: 'Seconds in the listening and learning states, 2 to 30.' },
    'hello-time': { type: u8, key: 'hello-time', doc: 'Seconds between hello packets, 1 to 10.' },
    'max-age': { type: u8, key: 'max-age', doc: 'Seconds until a silent root is forgotten, 6 to 40.' },
    priority: { type: u16, key: 'priority', doc: 'Lower values become root.' },
  },
};

export const linuxBridgeOptions: Section = {
  name: 'LinuxBridgeOptions',
  doc: 'Options of a Linux bridge.',
  unknownKeys: 'refused',
  fields: {
    'gc-timer': { type: strictU64, unused: true, doc: 'Read-only.' },
    'group-addr': { type: text, doc: 'Multicast MAC address of the bridge, for STP.' },
    'group-forward-mask': { type: u16, doc: 'The same as `group-fwd-mask`.' },
    'group-fwd-mask': { type: u16, doc: 'Link-local group addresses that are forwarded.' },
    'hash-max': { type: u32, key: 'multicast-hash-max', doc: 'Size of the multicast table.' },
    'hello-timer': { type: strictU64, unused: true, doc: 'Read-only.' },
    'mac-ageing-time': { type: u32, key: 'ageing-time', doc: 'Seconds until a learned address is forgotten.' },
    'multicast-last-member-count': {
      type: u32,
      key: 'multicast-last-member-count',
      doc: 'Queries before a group is left.',
    },
    'multicast-last-member-interval': {
      type: u64,
      key: 'multicast-last-member-interval',
      doc: 'Time between those queries, in hundredths of a second.',
    },
    'multicast-membership-interval': {
      type: u64,
      key: 'multicast-membership-interval',
      doc: 'Time until a silent member is forgotten, in hundredths of a second.',
    },
    'multicast-querier': { type: bool, key: 'multicast-querier', doc: 'Whether the bridge asks for members itself.' },
    'multicast-querier-interval': {
      type: u64,
      key: 'multicast-querier-interval',
      doc: 'Time until another querier counts as gone, in hundredths of a second.',
    },
    'multicast-query-interval': {
      type: u64,
      key: 'multicast-query-interval',
      doc: 'Time between queries, in hundredths of a second.',
    },
    'multicast-query-response-interval': {
      type: u64,
      key: 'multicast-query-response-interval',
      doc: 'Time to answer a query, in hundredths of a second.',
    },
    'multicast-query-use-ifaddr': {
      type: bool,
      key: 'multicast-query-use-ifaddr',
      doc: 'Whether queries carry the address of the bridge.',
    },
    'multicast-router': {
      type: multicastRouter,
      nullable: false,
      key: 'multicast-router',
      doc: 'Whether the bridge counts as multicast router.',
    },
    'multicast-snooping': { type: bool, key: 'multicast-snooping', doc: 'Whether multicast goes to members only.' },
    'multicast-startup-query-count': { type: u32, key: 'multicast-startup-query-count', doc: 'Queries at start-up.' },
    'multicast-startup-query-interval': {
      type: u64,
      key: 'multicast-startup-query-interval',
      doc: 'Time between those queries, in hundredths of a second.',
    },
    stp: { type: inside(stpOptions), doc: 'Spanning tree protocol.' },
    'vlan-protocol': { type: oneOf('802.1q', '802.1ad'), doc: 'Protocol of VLAN filtering.' },
    'vlan-default-pvid': { type: strictU16, key: 'vlan-default-pvid', doc: 'VLAN of untagged frames.' },
  },
};

export const linuxBridgePort: Section = {
  name: 'LinuxBridgePortConfig',
  doc: 'One port of a Linux bridge.',
  unknownKeys: 'refused',
  fields: {
    name: { type: text, required: true, doc: 'Name of the port.' },
    'stp-hairpin-mode': {
      type: bool,
      key: 'hairpin-mode',
      doc: 'Whether frames may leave through the port they came from.',
    },
    'stp-path-cost': { type: u32, key: 'path-cost', doc: 'Cost of the port in the spanning tree.' },
    'stp-priority': { type: u16, key: 'priority', doc: 'Priority of the port in the spanning tree.' },
    vlan: portVlan,
  },
};

const linuxBridge: Section = {
  name: 'LinuxBridgeConfig',
  doc: 'Options and ports of a Linux bridge.',
  unknownKeys: 'refused',
  fields: {
    'allow-extra-ports': { type: strictBool, unused: true, doc: 'Only meant for applying a state to a running host.' },
    options: { type: inside(linuxBridgeOptions), doc: 'Options of the bridge.' },
    port: { type: listOf(inside(linuxBridgePort)), aliases: ['ports'], doc: 'Ports of the bridge.' },
  },
};

export const linuxBridgeFields: Fields = {
  bridge: { type: inside(linuxBridge), doc: 'Options and ports of the bridge.' },
};
