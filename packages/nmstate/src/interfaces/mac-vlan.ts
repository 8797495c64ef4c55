import type { IpVlanInterface, MacVlanConfig, MacVlanInterface, MacVtapInterface } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import { bool, type ChoiceType, type Fields, inside, oneOf, type Section, text } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

const macVlanMode: ChoiceType = oneOf('vepa', 'bridge', 'private', 'passthru', 'source', 'unknown');

const macVlanFields: Fields = {
  'base-iface': { type: text, required: true, names: 'base', doc: 'The interface below.' },
  mode: { type: macVlanMode, required: true, doc: 'Which neighbours may talk to each other.' },
  /** Whether the base is promiscuous; `false` only in passthru mode. */
  promiscuous: { type: bool, aliases: ['accept-all-mac'], key: 'promiscuous' },
};

export const macVlanConfig: Section = {
  name: 'MacVlanConfig',
  doc: 'What makes a MAC VLAN.',
  unknownKeys: 'refused',
  fields: macVlanFields,
};

const macVtapConfig: Section = {
  name: 'MacVtapConfig',
  doc: 'What makes a MAC VTAP.',
  unknownKeys: 'refused',
  fields: macVlanFields,
};

export const macVlan: InterfaceKind<MacVlanInterface> = {
  name: 'MacVlanInterface',
  doc: 'An interface with a MAC address of its own on top of another.',
  fields: {
    /** What makes the MAC VLAN. */
    'mac-vlan': { type: inside(macVlanConfig) },
  },
  connectionType: 'macvlan',
  parent: (iface) => iface['mac-vlan']?.['base-iface'],
  withParent: (iface, parent) =>
    iface['mac-vlan'] === undefined ? iface : { ...iface, 'mac-vlan': { ...iface['mac-vlan'], 'base-iface': parent } },
  sanitise(iface, findings) {
    checkPromiscuous(iface['mac-vlan'], findings.at('mac-vlan', 'promiscuous'));
    return iface;
  },
};

export const macVtap: InterfaceKind<MacVtapInterface> = {
  name: 'MacVtapInterface',
  doc: 'The same for virtual machines.',
  fields: {
    /** What makes the MAC VTAP. */
    'mac-vtap': { type: inside(macVtapConfig) },
  },
  connectionType: 'macvlan',
  parent: (iface) => iface['mac-vtap']?.['base-iface'],
  withParent: (iface, parent) =>
    iface['mac-vtap'] === undefined ? iface : { ...iface, 'mac-vtap': { ...iface['mac-vtap'], 'base-iface': parent } },
  sanitise(iface, findings) {
    checkPromiscuous(iface['mac-vtap'], findings.at('mac-vtap', 'promiscuous'));
    return iface;
  },
};

function checkPromiscuous(config: MacVlanConfig | undefined, findings: Findings): void {
  if (config?.promiscuous !== false || config.mode === 'passthru') return;
  findings.invalid('Disable accept-all-mac-addresses(promiscuous) is only allowed on passthru mode');
}

const ipvlanConfig: Section = {
  name: 'IpVlanConfig',
  doc: 'Settings of an IP VLAN. nmstate writes no keyfile section for it.',
  unknownKeys: 'refused',
  fields: {
    /** The interface below. */
    'base-iface': { type: text, unused: true, names: 'base' },
    /** Layer at which packets are switched. */
    mode: { type: oneOf('l2', 'l3', 'l3s'), unused: true },
    /** Whether siblings are kept apart. */
    private: { type: bool },
    /** Whether a switch outside sends packets back. */
    vepa: { type: bool },
  },
};

export const ipvlan: InterfaceKind<IpVlanInterface> = {
  name: 'IpVlanInterface',
  doc: 'An interface that shares the MAC address of another.',
  fields: {
    /** What makes the IP VLAN. */
    ipvlan: { type: inside(ipvlanConfig) },
  },
  connectionType: 'ipvlan',
  sanitise(iface, findings) {
    if (iface.ipvlan?.private === true && iface.ipvlan.vepa === true) {
      findings.at('ipvlan', 'vepa').invalid('Both private and VEPA flags cannot be enabled at the same time');
    }
    return iface;
  },
};
