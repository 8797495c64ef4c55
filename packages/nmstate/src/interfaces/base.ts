import {
  bool,
  type Fields,
  ignored,
  inside,
  listOf,
  oneOf,
  type Section,
  type SpecialType,
  strictU64,
  text,
  u64,
} from '../table/table.ts';
import { ethtool } from './ethtool.ts';
import { ipv4, ipv6 } from './ip.ts';
import { ovsDb } from './ovs-db.ts';

const PCI_ADDRESS = /^(?:([0-9a-fA-F]+):)?([0-9a-fA-F]+):([0-9a-fA-F]+)\.([0-9]+)$/;

/** Read into the form in which it will be printed. */
const pciAddress: SpecialType = {
  kind: 'special',
  typescript: 'string',
  schema: { type: 'string', pattern: '^([0-9a-fA-F]+:)?[0-9a-fA-F]+:[0-9a-fA-F]+\\.[0-9]+$' },
  read(node, reader) {
    const written = reader.text(node);
    if (written === undefined) return undefined;
    const parts = PCI_ADDRESS.exec(written);
    const [, domain = '0', bus = '', slot = '', call = ''] = parts ?? [];
    const inRange =
      Number.parseInt(domain, 16) <= 0xffff_ffff &&
      Number.parseInt(bus, 16) <= 0xff &&
      Number.parseInt(slot, 16) <= 0xff &&
      Number(call) <= 0xff;
    if (parts === null || !inRange) {
      const upstream = `InvalidArgument: Invalid PCI address, expecting string like 00:1b.0 or 0000:07:00.1, but got ${written}`;
      return reader.refuse(node, 'wrong-value', `\`${written}\` is not a PCI address such as 0000:07:00.1`, upstream);
    }
    const number = Number.parseInt(domain, 16);
    const width = number > 0xffff ? 8 : 4;
    return `${hex(number, width)}:${hex(Number.parseInt(bus, 16), 2)}:${hex(Number.parseInt(slot, 16), 2)}.${Number(call)}`;
  },
};

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}

export const ieee8021x: Section = {
  name: 'Ieee8021XConfig',
  doc: 'Port-based authentication.',
  unknownKeys: 'ignored',
  fields: {
    /** User name. */
    identity: { type: text, key: 'identity' },
    /** Methods, such as `tls` or `peap`. */
    'eap-methods': { type: listOf(text) },
    /** Path of the private key. */
    'private-key': { type: text, key: 'private-key' },
    /** Path of the certificate. */
    'client-cert': { type: text, key: 'client-cert' },
    /** Path of the authority. */
    'ca-cert': { type: text, key: 'ca-cert' },
    /** Password of the private key. A secret. */
    'private-key-password': { type: text, secret: true },
    /** Inner authentication. */
    'phase2-auth': { type: text, key: 'phase2-auth' },
    /** Password of the user. A secret. */
    password: { type: text, secret: true },
  },
};

const altName: Section = {
  name: 'AltNameEntry',
  doc: 'Another name of the interface. nmstate checks it and writes nothing.',
  unknownKeys: 'refused',
  fields: {
    name: { type: text, required: true, doc: 'The name.' },
    /** `absent` takes the name away. */
    state: { type: oneOf('absent') },
  },
};

const lldp: Section = {
  name: 'LldpConfig',
  doc: 'Link layer discovery.',
  unknownKeys: 'refused',
  fields: {
    enabled: { type: bool, required: true, doc: 'Whether neighbours are listened to.' },
    /** Read-only. */
    neighbors: { type: ignored, unused: true },
  },
};

const mptcp: Section = {
  name: 'MptcpConfig',
  doc: 'Multipath TCP.',
  unknownKeys: 'refused',
  fields: {
    /** Flags for every address of the interface; signal and fullmesh exclude each other. */
    'address-flags': {
      type: listOf(oneOf('signal', 'subflow', 'backup', 'fullmesh')),
    },
  },
};

const dispatch: Section = {
  name: 'DispatchConfig',
  doc: 'Scripts that a running host calls.',
  unknownKeys: 'ignored',
  fields: {
    /** Called after the interface has started. */
    'post-activation': { type: text },
    /** Called after the interface has stopped. */
    'post-deactivation': { type: text },
  },
};

/** The keys that an interface of any type may have. */
export const baseInterfaceFields: Fields = {
  name: { type: text, required: true, doc: 'Name of the interface.' },
  /** Name of the connection profile, and of its file; the interface name by default. */
  'profile-name': {
    type: text,
  },
  /** A note; kept in the profile. */
  description: { type: text },
  /** `up` by default. `down` writes a profile that is not started, `absent` and `ignore` write none. */
  state: {
    type: oneOf('up', 'down', 'absent', 'unknown', 'ignore'),
    nullable: false,
  },
  /** What the profile matches: the name, or the card with that address. */
  identifier: {
    type: oneOf('name', 'mac-address', 'pci-address'),
  },
  /** MAC address to set, or to match with `identifier: mac-address`. */
  'mac-address': { type: text },
  /** PCI address to match with `identifier: pci-address`. */
  'pci-address': { type: pciAddress },
  /** Read-only; a source of `copy-mac-from`. */
  'permanent-mac-address': { type: text },
  /** Largest packet, in bytes. */
  mtu: { type: u64 },
  /** Read-only. */
  'min-mtu': { type: strictU64, unused: true },
  /** Read-only. */
  'max-mtu': { type: strictU64, unused: true },
  /** Which addresses the profile waits for before it counts as started. */
  'wait-ip': {
    type: oneOf('any', 'ipv4', 'ipv6', 'ipv4+ipv6'),
  },
  /** IPv4. */
  ipv4: { type: inside(ipv4) },
  /** IPv6. */
  ipv6: { type: inside(ipv6) },
  /** Multipath TCP. */
  mptcp: { type: inside(mptcp) },
  /** The bond, bridge or VRF that the interface is a port of. */
  controller: { type: text },
  /** Promiscuous mode. */
  'accept-all-mac-addresses': { type: bool },
  /** Interface whose MAC address is taken over; for bonds, Linux bridges and Open vSwitch. */
  'copy-mac-from': {
    type: text,
  },
  /** Entries of the Open vSwitch database. */
  'ovs-db': ovsDb,
  /** Port-based authentication. */
  '802.1x': { type: inside(ieee8021x) },
  /** Link layer discovery. */
  lldp: { type: inside(lldp) },
  /** Settings of the network card. */
  ethtool: { type: inside(ethtool) },
  /** Scripts of a running host; refused when keyfiles are written. */
  dispatch: { type: inside(dispatch) },
  /** Read-only. */
  driver: { type: text, unused: true },
  /** Other names of the interface; checked, not written. */
  'alt-names': { type: listOf(inside(altName)) },
};

/** The only keys that nmstate reads of an absent interface. */
export const ABSENT_KEYS: ReadonlySet<string> = new Set([
  'name',
  'type',
  'state',
  'identifier',
  'mac-address',
  'pci-address',
]);
