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
    /** The interface below. */
    'base-iface': { type: text, nullable: false, names: 'base' },
    id: { type: u32, required: true, key: 'id', doc: 'VXLAN network identifier.' },
    /** Whether unknown addresses are learned. */
    learning: { type: strictBool, key: 'learning' },
    /** Source address of the tunnel. */
    local: { type: address, key: 'local' },
    /** Unicast or multicast destination. */
    remote: { type: address, key: 'remote' },
    /** UDP port. */
    'destination-port': { type: u16, key: 'destination-port' },
  },
};

export const vxlan: InterfaceKind<VxlanInterface> = {
  name: 'VxlanInterface',
  doc: 'A VXLAN tunnel.',
  fields: {
    /** What makes the VXLAN. */
    vxlan: { type: inside(vxlanConfig) },
  },
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
    /** What is carried in what. */
    mode: { type: oneOf('unknown', 'ipip', 'sit', 'ip6ip6', 'ipip6'), unused: true },
    /** The interface below. */
    'base-iface': { type: text, unused: true },
    /** Source address of the tunnel. */
    local: { type: address, unused: true },
    /** Destination address of the tunnel. */
    remote: { type: address, unused: true },
    /** Time to live of outer packets. */
    ttl: { type: strictU8, unused: true },
    /** Type of service of outer packets. */
    tos: { type: strictU8, unused: true },
    /** Flow label, up to 0xfffff. */
    'flow-label': { type: strictU32 },
    /** Flags of an IPv6 tunnel. */
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
    },
    /** Path MTU discovery. */
    'pmtu-disc': { type: strictBool, unused: true },
    /** How deep tunnels may nest. */
    'encap-limit': { type: strictU8, unused: true },
    /** Firewall mark of outer packets. */
    fwmark: { type: strictU32, unused: true },
  },
};

const MOST_FLOW_LABEL = 0xfffff;

export const ipTunnel: InterfaceKind<IpTunnelInterface> = {
  name: 'IpTunnelInterface',
  doc: 'IP within IP.',
  fields: {
    /** What makes the tunnel. */
    'ip-tunnel': { type: inside(ipTunnelConfig) },
  },
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
