import { ovsStp } from '../special/bridge-values.ts';
import { bool, type Fields, inside, listOf, oneOf, type Section, strictBool, text, u32 } from '../table.ts';
import { portVlan } from './bridge-vlan.ts';
import { stpOptions } from './linux-bridge.ts';
import { ovsDb } from './ovs-db.ts';

const ovsBondPort: Section = {
  name: 'OvsBridgeBondPortConfig',
  doc: 'One member of an Open vSwitch bond.',
  unknownKeys: 'ignored',
  fields: { name: { type: text, required: true, doc: 'Name of the member.' } },
};

export const ovsBond: Section = {
  name: 'OvsBridgeBondConfig',
  doc: 'A bond that is one port of an Open vSwitch bridge.',
  unknownKeys: 'refused',
  fields: {
    mode: {
      type: oneOf('active-backup', 'balance-slb', 'balance-tcp', 'lacp'),
      doc: 'How traffic is spread over the members.',
    },
    port: { type: listOf(inside(ovsBondPort)), aliases: ['ports'], doc: 'Members of the bond.' },
    'bond-downdelay': { type: u32, key: 'bond-downdelay', doc: 'Milliseconds before a failed member is disabled.' },
    'bond-updelay': { type: u32, key: 'bond-updelay', doc: 'Milliseconds before a recovered member is used.' },
    'ovs-db': ovsDb,
  },
};

const ovsBridgeOptions: Section = {
  name: 'OvsBridgeOptions',
  doc: 'Options of an Open vSwitch bridge.',
  unknownKeys: 'refused',
  fields: {
    stp: {
      type: ovsStp(stpOptions),
      nullable: false,
      doc: 'Spanning tree protocol: a boolean, or a map with `enabled`.',
    },
    rstp: { type: bool, doc: 'Rapid spanning tree protocol.' },
    'mcast-snooping-enable': { type: bool, doc: 'Whether multicast goes to members only.' },
    'fail-mode': { type: text, doc: 'What happens without a controller: `secure` or `standalone`.' },
    datapath: { type: text, doc: 'Datapath type, such as `netdev` or `system`.' },
  },
};

const ovsBridgePort: Section = {
  name: 'OvsBridgePortConfig',
  doc: 'One port of an Open vSwitch bridge.',
  unknownKeys: 'refused',
  fields: {
    name: { type: text, required: true, doc: 'Name of the port.' },
    'link-aggregation': { type: inside(ovsBond), aliases: ['bond'], doc: 'Makes the port a bond.' },
    vlan: portVlan,
  },
};

const ovsBridge: Section = {
  name: 'OvsBridgeConfig',
  doc: 'Options and ports of an Open vSwitch bridge.',
  unknownKeys: 'refused',
  fields: {
    'allow-extra-patch-ports': {
      type: strictBool,
      unused: true,
      doc: 'Only meant for applying a state to a running host.',
    },
    'allow-extra-ports': { type: strictBool, unused: true, doc: 'Only meant for applying a state to a running host.' },
    options: { type: inside(ovsBridgeOptions), doc: 'Options of the bridge.' },
    port: { type: listOf(inside(ovsBridgePort)), aliases: ['ports'], doc: 'Ports of the bridge.' },
  },
};

export const ovsBridgeFields: Fields = {
  bridge: { type: inside(ovsBridge), doc: 'Options and ports of the bridge.' },
};
