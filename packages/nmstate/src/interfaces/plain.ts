// Types with few special keys.
import type { DummyInterface, InfiniBandInterface, LoopbackInterface } from '../generated/types.ts';
import { inside, oneOf, type Section, text, u16 } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

export const infinibandConfig: Section = {
  name: 'InfiniBandConfig',
  doc: 'IP over InfiniBand.',
  unknownKeys: 'refused',
  fields: {
    mode: { type: oneOf('datagram', 'connected'), required: true, key: 'transport-mode', doc: 'Transport mode.' },
    /** The interface below. */
    'base-iface': { type: text, names: 'base' },
    pkey: { type: u16, required: true, doc: 'Partition key; `0xffff` for a base interface.' },
  },
};

export const infiniband: InterfaceKind<InfiniBandInterface> = {
  name: 'InfiniBandInterface',
  doc: 'IP over InfiniBand.',
  fields: {
    /** IP over InfiniBand. */
    infiniband: { type: inside(infinibandConfig) },
  },
  connectionType: 'infiniband',
  isHardware: true,
  parent: (iface) => iface.infiniband?.['base-iface'],
};

export const dummy: InterfaceKind<DummyInterface> = {
  name: 'DummyInterface',
  doc: 'An interface without hardware.',
  fields: {},
  connectionType: 'dummy',
};

export const loopback: InterfaceKind<LoopbackInterface> = {
  name: 'LoopbackInterface',
  doc: 'The loopback interface, `lo`.',
  fields: {},
  connectionType: 'loopback',
  isHardware: true,
  sanitise(iface, findings) {
    const { ipv4, ipv6 } = iface;
    if (ipv4 !== undefined && ipv4.enabled !== true)
      findings.at('ipv4').invalid('Loopback interface cannot have IPv4 disabled');
    if (ipv4?.enabled === true && ipv4.dhcp === true) {
      findings.at('ipv4', 'dhcp').invalid('Loopback interface cannot have IPv4 DHCP enabled');
    }
    if (ipv6?.enabled === true && (ipv6.dhcp === true || ipv6.autoconf === true)) {
      findings.at('ipv6').invalid('Loopback interface cannot have IPv6 autoconf/DHCPv6 enabled');
    }
    return iface;
  },
};
