import type { IpTunnelInterface, VxlanInterface, XfrmInterface } from '../generated/types.ts';
import {
  address,
  inside,
  listOf,
  oneOf,
  type Section,
  strictBool,
  strictU8,
  strictU32,
  text,
  u16,
  u32,
} from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

export const vxlanConfig: Section = {
  name: 'VxlanConfig',
  doc: 'Settings of a VXLAN.',
  unknownKeys: 'refused',
  fields: {
    'base-iface': { type: text, nullable: false, names: 'base', doc: 'The interface below.' },
    id: { type: u32, required: true, key: 'id', doc: 'VXLAN network identifier.' },
    learning: { type: strictBool, key: 'learning', doc: 'Whether unknown addresses are learned.' },
    local: { type: address, key: 'local', doc: 'Source address of the tunnel.' },
    remote: { type: address, key: 'remote', doc: 'Unicast or multicast destination.' },
    'destination-port': { type: u16, key: 'destination-port', doc: 'UDP port.' },
  },
};

export const vxlan: InterfaceKind<VxlanInterface> = {
  name: 'VxlanInterface',
  doc: 'A VXLAN tunnel.',
  fields: { vxlan: { type: inside(vxlanConfig), doc: 'What makes the VXLAN.' } },
  connectionType: 'vxlan',
  parent: (iface) => iface.vxlan?.['base-iface'] || undefined,
  withParent: (iface, parent) =>
    iface.vxlan === undefined ? iface : { ...iface, vxlan: { ...iface.vxlan, 'base-iface': parent } },
};

const ipTunnelConfig: Section = {
  name: 'IpTunnelConfig',
  doc: 'Settings of an IP tunnel. nmstate writes no keyfile section for it.',
  unknownKeys: 'refused',
  fields: {
    mode: { type: oneOf('unknown', 'ipip', 'sit', 'ip6ip6', 'ipip6'), unused: true, doc: 'What is carried in what.' },
    'base-iface': { type: text, unused: true, doc: 'The interface below.' },
    local: { type: address, unused: true, doc: 'Source address of the tunnel.' },
    remote: { type: address, unused: true, doc: 'Destination address of the tunnel.' },
    ttl: { type: strictU8, unused: true, doc: 'Time to live of outer packets.' },
    tos: { type: strictU8, unused: true, doc: 'Type of service of outer packets.' },
    'flow-label': { type: strictU32, doc: 'Flow label, up to 0xfffff.' },
    'ip6tun-flags': {
      type: listOf(
        oneOf(
          'ign-encap-limit',
          'use-orig-tclass',
          'use-orig-flowlabel',
          'mip6-dev',
          'rcv-dscp-copy',
          'use-orig-fw-mark',
          'allow-local-remote',
          'cap-xmit',
          'cap-rcv',
          'cap-per-packet',
        ),
      ),
      unused: true,
      doc: 'Flags of an IPv6 tunnel.',
    },
    'pmtu-disc': { type: strictBool, unused: true, doc: 'Path MTU discovery.' },
    'encap-limit': { type: strictU8, unused: true, doc: 'How deep tunnels may nest.' },
    fwmark: { type: strictU32, unused: true, doc: 'Firewall mark of outer packets.' },
  },
};

const MOST_FLOW_LABEL = 0xfffff;

export const ipTunnel: InterfaceKind<IpTunnelInterface> = {
  name: 'IpTunnelInterface',
  doc: 'IP within IP.',
  fields: { 'ip-tunnel': { type: inside(ipTunnelConfig), doc: 'What makes the tunnel.' } },
  connectionType: 'ip-tunnel',
  sanitise(iface, findings) {
    if ((iface['ip-tunnel']?.['flow-label'] ?? 0) > MOST_FLOW_LABEL) {
      findings.at('ip-tunnel', 'flow-label').invalid('Flow label must be less than 0xFFFFF');
    }
    return iface;
  },
};

export const xfrm: InterfaceKind<XfrmInterface> = {
  name: 'XfrmInterface',
  doc: 'A transform interface of the kernel.',
  fields: {},
  connectionType: 'xfrm',
};
