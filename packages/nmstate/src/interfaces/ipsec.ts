import type { IpsecInterface } from '../generated/types.ts';
import { type Field, inside, oneOf, type Section, type SpecialType, strictBool, text, u64 } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

/** `yes`, `no` or a number; a number in quotes is kept as it is written. */
const ipsecInterface: SpecialType = {
  kind: 'special',
  typescript: 'number | bigint | string',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^(yes|no|\\+?[0-9]+)$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    if (value === 'yes' || value === 'no') return value;
    if (typeof value === 'bigint' && value >= 0n) return value;
    if (typeof value === 'string' && /^\+?[0-9]+$/.test(value) && BigInt(value.replace('+', '')) <= 0xffff_ffffn)
      return value;
    const upstream = "Invalid ipsec-interface value, should be unsigned integer, string 'yes' or 'no'";
    return reader.refuse(
      node,
      'wrong-value',
      'expected `yes`, `no` (in quotes where YAML needs it) or a number',
      upstream,
    );
  },
};

function asWritten(key: string, doc: string): Field {
  return { type: text, key, doc };
}

/** Libreswan's own words; nearly all go to `[vpn]` as they are. */
export const libreswan: Section = {
  name: 'LibreswanConfig',
  doc: 'An IPsec connection of Libreswan.',
  unknownKeys: 'refused',
  fields: {
    'nm-auto-defaults': {
      type: strictBool,
      nullable: false,
      doc: 'Whether NetworkManager adds its own defaults; yes by default.',
    },
    right: { type: text, required: true, key: 'right', doc: 'Address of the other side.' },
    rightid: asWritten('rightid', 'Identity of the other side.'),
    rightrsasigkey: asWritten('rightrsasigkey', 'RSA public key of the other side.'),
    rightcert: asWritten('rightcert', 'Certificate of the other side.'),
    left: asWritten('left', 'Address of this side.'),
    leftid: asWritten('leftid', 'Identity of this side.'),
    leftrsasigkey: asWritten('leftrsasigkey', 'RSA public key of this side.'),
    leftcert: asWritten('leftcert', 'Certificate of this side.'),
    ikev2: asWritten('ikev2', 'Whether IKEv2 is used.'),
    psk: { type: text, secret: true, doc: 'Pre-shared key. A secret.' },
    ikelifetime: asWritten('ikelifetime', 'Lifetime of the keying channel.'),
    salifetime: asWritten('salifetime', 'Lifetime of a security association.'),
    ike: asWritten('ike', 'Algorithms of the keying channel.'),
    esp: asWritten('esp', 'Algorithms of the traffic.'),
    dpddelay: { type: u64, key: 'dpddelay', doc: 'Seconds between dead peer probes.' },
    dpdtimeout: { type: u64, key: 'dpdtimeout', doc: 'Seconds until a silent peer counts as dead.' },
    dpdaction: asWritten('dpdaction', 'What happens when the peer is dead.'),
    'ipsec-interface': {
      type: ipsecInterface,
      nullable: false,
      key: 'ipsec-interface',
      doc: '`yes`, `no` or the number of the interface.',
    },
    authby: asWritten('authby', 'How the sides prove who they are.'),
    rightsubnet: asWritten('rightsubnet', 'Network behind the other side.'),
    rightsubnets: asWritten('rightsubnets', 'Networks behind the other side.'),
    leftsubnet: asWritten('leftsubnet', 'Network behind this side.'),
    leftsubnets: asWritten('leftsubnets', 'Networks behind this side.'),
    leftmodecfgclient: {
      type: strictBool,
      key: 'leftmodecfgclient',
      as: 'word',
      doc: 'Whether this side asks for an address.',
    },
    type: { type: oneOf('tunnel', 'transport'), key: 'type', doc: 'What is protected.' },
    hostaddrfamily: { type: oneOf('ipv4', 'ipv6'), key: 'hostaddrfamily', doc: 'Address family of the sides.' },
    clientaddrfamily: { type: oneOf('ipv4', 'ipv6'), key: 'clientaddrfamily', doc: 'Address family of the networks.' },
    'require-id-on-certificate': {
      type: strictBool,
      key: 'require-id-on-certificate',
      as: 'word',
      doc: 'Whether the identity must be in the certificate.',
    },
    leftsendcert: asWritten('leftsendcert', 'When this side sends its certificate.'),
    rightca: asWritten('rightca', 'Authority of the other side.'),
    leftprotoport: asWritten('leftprotoport', 'Protocol and port of this side.'),
    rightprotoport: asWritten('rightprotoport', 'Protocol and port of the other side.'),
  },
};

export const ipsec: InterfaceKind<IpsecInterface> = {
  name: 'IpsecInterface',
  doc: 'An IPsec connection.',
  fields: {
    libreswan: { type: inside(libreswan), doc: 'The connection, in words of Libreswan.' },
  },
  connectionType: 'vpn',
  isUserspace: true,
  sanitise(iface) {
    const { ipv4 } = iface;
    // Here `dhcp: false` means that the server gives no address, hence no IPv4 at all.
    if (ipv4?.enabled !== true || ipv4.dhcp !== false) return iface;
    return { ...iface, ipv4: { ...ipv4, enabled: false, dhcp: undefined } };
  },
};
