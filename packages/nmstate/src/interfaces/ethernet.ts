import type { EthernetInterface } from '../generated/types.ts';
import { bool, inside, listOf, oneOf, type Section, text, u32 } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

const virtualFunction: Section = {
  name: 'SrIovVfConfig',
  doc: 'One SR-IOV virtual function.',
  unknownKeys: 'refused',
  fields: {
    id: { type: u32, required: true, doc: 'Number of the function.' },
    /** Read-only. */
    'iface-name': { type: text, nullable: false, unused: true },
    /** MAC address of the function. */
    'mac-address': { type: text },
    /** Whether frames with a foreign MAC address are dropped. */
    'spoof-check': { type: bool },
    /** Whether the function may change its MAC address and go promiscuous. */
    trust: { type: bool },
    /** Guaranteed Mbit/s. */
    'min-tx-rate': { type: u32 },
    /** Highest Mbit/s. */
    'max-tx-rate': { type: u32 },
    /** VLAN of the function. */
    'vlan-id': { type: u32 },
    /** Priority within that VLAN. */
    qos: { type: u32 },
    /** Protocol of that VLAN. */
    'vlan-proto': { type: oneOf('802.1q', '802.1ad') },
  },
};

export const srIov: Section = {
  name: 'SrIovConfig',
  doc: 'SR-IOV of a physical function.',
  unknownKeys: 'refused',
  fields: {
    /** Whether functions are bound to a driver. */
    'drivers-autoprobe': {
      type: bool,
      key: 'autoprobe-drivers',
      as: 'digit',
    },
    /** How many functions to create. */
    'total-vfs': { type: u32, key: 'total-vfs' },
    /** Read-only. */
    'max-vfs': { type: u32, unused: true },
    /** Settings of single functions. */
    vfs: { type: listOf(inside(virtualFunction)) },
  },
};

const ethernetConfig: Section = {
  name: 'EthernetConfig',
  doc: 'Link settings of an Ethernet interface.',
  unknownKeys: 'refused',
  fields: {
    /** SR-IOV of a physical function. */
    'sr-iov': { type: inside(srIov) },
    /** Whether speed and duplex are negotiated. */
    'auto-negotiation': { type: bool },
    /** Mbit/s; only with `auto-negotiation: false`. */
    speed: { type: u32 },
    /** Only with `auto-negotiation: false`. */
    duplex: { type: oneOf('full', 'half') },
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
    /** Link settings. */
    ethernet: { type: inside(ethernetConfig) },
    /** Makes the interface one end of a virtual cable. */
    veth: { type: inside(veth) },
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
