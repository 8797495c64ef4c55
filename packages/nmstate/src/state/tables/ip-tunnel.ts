import {
  address,
  type Fields,
  inside,
  listOf,
  oneOf,
  type Section,
  strictBool,
  strictU8,
  strictU32,
  text,
} from '../table.ts';

const ipTunnel: Section = {
  name: 'IpTunnelConfig',
  doc: 'What makes an IP tunnel. nmstate writes no keyfile section for it.',
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

export const ipTunnelFields: Fields = { 'ip-tunnel': { type: inside(ipTunnel), doc: 'What makes the tunnel.' } };
