import type { IpsecInterface } from '../generated/types.ts';
import { type Field, inside, oneOf, type Section, type SpecialType, strictBool, text, u64 } from '../table/table.ts';
import type { InterfaceKind } from './kind.ts';

/** `yes`, `no` or a number; a number in quotes stays as written. */
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

function sameNameField(key: string): Field {
  return { type: text, key };
}

/** Keys of Libreswan; nearly all are copied to `[vpn]` unchanged. */
export const libreswan: Section = {
  name: 'LibreswanConfig',
  doc: 'An IPsec connection of Libreswan.',
  unknownKeys: 'refused',
  fields: {
    /** Whether NetworkManager adds its own defaults; yes by default. */
    'nm-auto-defaults': {
      type: strictBool,
      nullable: false,
    },
    right: { type: text, required: true, key: 'right', doc: 'Address of the other side.' },
    /** Identity of the other side. */
    rightid: sameNameField('rightid'),
    /** RSA public key of the other side. */
    rightrsasigkey: sameNameField('rightrsasigkey'),
    /** Certificate of the other side. */
    rightcert: sameNameField('rightcert'),
    /** Address of this side. */
    left: sameNameField('left'),
    /** Identity of this side. */
    leftid: sameNameField('leftid'),
    /** RSA public key of this side. */
    leftrsasigkey: sameNameField('leftrsasigkey'),
    /** Certificate of this side. */
    leftcert: sameNameField('leftcert'),
    /** Whether IKEv2 is used. */
    ikev2: sameNameField('ikev2'),
    /** Pre-shared key. A secret. */
    psk: { type: text, secret: true },
    /** Lifetime of the keying channel. */
    ikelifetime: sameNameField('ikelifetime'),
    /** Lifetime of a security association. */
    salifetime: sameNameField('salifetime'),
    /** Algorithms of the keying channel. */
    ike: sameNameField('ike'),
    /** Algorithms of the traffic. */
    esp: sameNameField('esp'),
    /** Seconds between dead peer probes. */
    dpddelay: { type: u64, key: 'dpddelay' },
    /** Seconds until a silent peer counts as dead. */
    dpdtimeout: { type: u64, key: 'dpdtimeout' },
    /** What happens when the peer is dead. */
    dpdaction: sameNameField('dpdaction'),
    /** `yes`, `no` or the number of the interface. */
    'ipsec-interface': {
      type: ipsecInterface,
      nullable: false,
      key: 'ipsec-interface',
    },
    /** How the sides prove who they are. */
    authby: sameNameField('authby'),
    /** Network behind the other side. */
    rightsubnet: sameNameField('rightsubnet'),
    /** Networks behind the other side. */
    rightsubnets: sameNameField('rightsubnets'),
    /** Network behind this side. */
    leftsubnet: sameNameField('leftsubnet'),
    /** Networks behind this side. */
    leftsubnets: sameNameField('leftsubnets'),
    /** Whether this side asks for an address. */
    leftmodecfgclient: {
      type: strictBool,
      key: 'leftmodecfgclient',
      as: 'word',
    },
    /** What is protected. */
    type: { type: oneOf('tunnel', 'transport'), key: 'type' },
    /** Address family of the sides. */
    hostaddrfamily: { type: oneOf('ipv4', 'ipv6'), key: 'hostaddrfamily' },
    /** Address family of the networks. */
    clientaddrfamily: { type: oneOf('ipv4', 'ipv6'), key: 'clientaddrfamily' },
    /** Whether the identity must be in the certificate. */
    'require-id-on-certificate': {
      type: strictBool,
      key: 'require-id-on-certificate',
      as: 'word',
    },
    /** When this side sends its certificate. */
    leftsendcert: sameNameField('leftsendcert'),
    /** Authority of the other side. */
    rightca: sameNameField('rightca'),
    /** Protocol and port of this side. */
    leftprotoport: sameNameField('leftprotoport'),
    /** Protocol and port of the other side. */
    rightprotoport: sameNameField('rightprotoport'),
  },
};

export const ipsec: InterfaceKind<IpsecInterface> = {
  name: 'IpsecInterface',
  doc: 'An IPsec connection.',
  fields: {
    /** The connection, in words of Libreswan. */
    libreswan: { type: inside(libreswan) },
  },
  connectionType: 'vpn',
  isUserspace: true,
  sanitise(iface) {
    const { ipv4 } = iface;
    // Here `dhcp: false` means that the server assigns no address, so there is no IPv4.
    if (ipv4?.enabled !== true || ipv4.dhcp !== false) return iface;
    return { ...iface, ipv4: { ...ipv4, enabled: false, dhcp: undefined } };
  },
};
