import type { EthernetInterface } from '../generated/types.ts';
import { bool, inside, listOf, oneOf, type Section, text, u32 } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

const virtualFunction: Section = {
  name: 'SrIovVfConfig',
  doc: 'One SR-IOV virtual function.',
  unknownKeys: 'refused',
  fields: {
    id: { type: u32, required: true, doc: 'Number of the function.' },
    'iface-name': { type: text, nullable: false, unused: true, doc: 'Read-only.' },
    'mac-address': { type: text, doc: 'MAC address of the function.' },
    'spoof-check': { type: bool, doc: 'Whether frames with a foreign MAC address are dropped.' },
    trust: { type: bool, doc: 'Whether the function may change its MAC address and go promiscuous.' },
    'min-tx-rate': { type: u32, doc: 'Guaranteed Mbit/s.' },
    'max-tx-rate': { type: u32, doc: 'Highest Mbit/s.' },
    'vlan-id': { type: u32, doc: 'VLAN of the function.' },
    qos: { type: u32, doc: 'Priority within that VLAN.' },
    'vlan-proto': { type: oneOf('802.1q', '802.1ad'), doc: 'Protocol of that VLAN.' },
  },
};

export const srIov: Section = {
  name: 'SrIovConfig',
  doc: 'SR-IOV of a physical function.',
  unknownKeys: 'refused',
  fields: {
    'drivers-autoprobe': {
      type: bool,
      key: 'autoprobe-drivers',
      as: 'digit',
      doc: 'Whether functions are bound to a driver.',
    },
    'total-vfs': { type: u32, key: 'total-vfs', doc: 'How many functions to create.' },
    'max-vfs': { type: u32, unused: true, doc: 'Read-only.' },
    vfs: { type: listOf(inside(virtualFunction)), doc: 'Settings of single functions.' },
  },
};

const ethernetConfig: Section = {
  name: 'EthernetConfig',
  doc: 'Link settings of an Ethernet interface.',
  unknownKeys: 'refused',
  fields: {
    'sr-iov': { type: inside(srIov), doc: 'SR-IOV of a physical function.' },
    'auto-negotiation': { type: bool, doc: 'Whether speed and duplex are negotiated.' },
    speed: { type: u32, doc: 'Mbit/s; only with `auto-negotiation: false`.' },
    duplex: { type: oneOf('full', 'half'), doc: 'Only with `auto-negotiation: false`.' },
  },
};

const veth: Section = {
  name: 'VethConfig',
  doc: 'Makes the interface one end of a virtual cable.',
  unknownKeys: 'ignored',
  fields: { peer: { type: text, required: true, key: 'peer', names: 'peer', doc: 'Name of the other end.' } },
};

export const ethernet: InterfaceKind<EthernetInterface> = {
  name: 'EthernetInterface',
  doc: 'A network card, or one end of a virtual cable.',
  fields: {
    ethernet: { type: inside(ethernetConfig), doc: 'Link settings.' },
    veth: { type: inside(veth), doc: 'Makes the interface one end of a virtual cable.' },
  },
  connectionType: '802-3-ethernet',
  isHardware: true,
  sanitise(iface, findings) {
    const functions = iface.ethernet?.['sr-iov']?.vfs ?? [];
    functions.forEach((vf, index) => {
      if (vf['vlan-proto'] !== '802.1ad' || vf['vlan-id'] || vf.qos) return;
      findings
        .at('ethernet', 'sr-iov', 'vfs', index, 'vlan-proto')
        .invalid('VLAN protocol 802.1ad is not allowed when both VLAN ID and VLAN QoS are zero or unset');
    });
    return iface;
  },
};
