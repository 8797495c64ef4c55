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

/** Kept as it will be printed. */
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
    identity: { type: text, key: 'identity', doc: 'User name.' },
    'eap-methods': { type: listOf(text), doc: 'Methods, such as `tls` or `peap`.' },
    'private-key': { type: text, key: 'private-key', doc: 'Path of the private key.' },
    'client-cert': { type: text, key: 'client-cert', doc: 'Path of the certificate.' },
    'ca-cert': { type: text, key: 'ca-cert', doc: 'Path of the authority.' },
    'private-key-password': { type: text, secret: true, doc: 'Password of the private key. A secret.' },
    'phase2-auth': { type: text, key: 'phase2-auth', doc: 'Inner authentication.' },
    password: { type: text, secret: true, doc: 'Password of the user. A secret.' },
  },
};

const altName: Section = {
  name: 'AltNameEntry',
  doc: 'Another name of the interface. nmstate checks it and writes nothing.',
  unknownKeys: 'refused',
  fields: {
    name: { type: text, required: true, doc: 'The name.' },
    state: { type: oneOf('absent'), doc: '`absent` takes the name away.' },
  },
};

const lldp: Section = {
  name: 'LldpConfig',
  doc: 'Link layer discovery.',
  unknownKeys: 'refused',
  fields: {
    enabled: { type: bool, required: true, doc: 'Whether neighbours are listened to.' },
    neighbors: { type: ignored, unused: true, doc: 'Read-only.' },
  },
};

const mptcp: Section = {
  name: 'MptcpConfig',
  doc: 'Multipath TCP.',
  unknownKeys: 'refused',
  fields: {
    'address-flags': {
      type: listOf(oneOf('signal', 'subflow', 'backup', 'fullmesh')),
      doc: 'Flags for every address of the interface; signal and fullmesh exclude each other.',
    },
  },
};

const dispatch: Section = {
  name: 'DispatchConfig',
  doc: 'Scripts that a running host calls.',
  unknownKeys: 'ignored',
  fields: {
    'post-activation': { type: text, doc: 'Called after the interface has started.' },
    'post-deactivation': { type: text, doc: 'Called after the interface has stopped.' },
  },
};

/** The keys that an interface of any type may have. */
export const baseInterfaceFields: Fields = {
  name: { type: text, required: true, doc: 'Name of the interface.' },
  'profile-name': {
    type: text,
    doc: 'Name of the connection profile, and of its file; the interface name by default.',
  },
  description: { type: text, doc: 'A note; kept in the profile.' },
  state: {
    type: oneOf('up', 'down', 'absent', 'unknown', 'ignore'),
    nullable: false,
    doc: '`up` by default. `down` writes a profile that is not started, `absent` and `ignore` write none.',
  },
  identifier: {
    type: oneOf('name', 'mac-address', 'pci-address'),
    doc: 'What the profile matches: the name, or the card with that address.',
  },
  'mac-address': { type: text, doc: 'MAC address to set, or to match with `identifier: mac-address`.' },
  'pci-address': { type: pciAddress, doc: 'PCI address to match with `identifier: pci-address`.' },
  'permanent-mac-address': { type: text, doc: 'Read-only; a source of `copy-mac-from`.' },
  mtu: { type: u64, doc: 'Largest packet, in bytes.' },
  'min-mtu': { type: strictU64, unused: true, doc: 'Read-only.' },
  'max-mtu': { type: strictU64, unused: true, doc: 'Read-only.' },
  'wait-ip': {
    type: oneOf('any', 'ipv4', 'ipv6', 'ipv4+ipv6'),
    doc: 'Which addresses the profile waits for before it counts as started.',
  },
  ipv4: { type: inside(ipv4), doc: 'IPv4.' },
  ipv6: { type: inside(ipv6), doc: 'IPv6.' },
  mptcp: { type: inside(mptcp), doc: 'Multipath TCP.' },
  controller: { type: text, doc: 'The bond, bridge or VRF that the interface is a port of.' },
  'accept-all-mac-addresses': { type: bool, doc: 'Promiscuous mode.' },
  'copy-mac-from': {
    type: text,
    doc: 'Interface whose MAC address is taken over; for bonds, Linux bridges and Open vSwitch.',
  },
  'ovs-db': ovsDb,
  '802.1x': { type: inside(ieee8021x), doc: 'Port-based authentication.' },
  lldp: { type: inside(lldp), doc: 'Link layer discovery.' },
  ethtool: { type: inside(ethtool), doc: 'Settings of the network card.' },
  dispatch: { type: inside(dispatch), doc: 'Scripts of a running host; refused when keyfiles are written.' },
  driver: { type: text, unused: true, doc: 'Read-only.' },
  'alt-names': { type: listOf(inside(altName)), doc: 'Other names of the interface; checked, not written.' },
};

/** What is left of an absent interface before anything else is read. */
export const ABSENT_KEYS: ReadonlySet<string> = new Set([
  'name',
  'type',
  'state',
  'identifier',
  'mac-address',
  'pci-address',
]);
