import {
  address,
  bool,
  type Fields,
  i64,
  inside,
  listOf,
  oneOf,
  type Section,
  type SpecialType,
  strictBool,
  text,
  u8,
  u32,
} from '../table/table.ts';

const ADDRESS_PROTOCOLS = ['lo', 'ra', 'kernel_ll'] as const;

/** A name, or a number in any form; 1, 2 and 3 mean the names. */
const addressProtocol: SpecialType = {
  kind: 'special',
  typescript: "'lo' | 'ra' | 'kernel_ll' | number",
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 255 },
      { type: 'string', pattern: '^(lo|ra|kernel_ll|0x[0-9a-fA-F]+|[0-9]+)$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    const isNumber = typeof value === 'bigint' && value >= 0n;
    if (!isNumber && typeof value !== 'string') {
      return reader.wrongType(node, 'lo, ra, kernel_ll or a number', 'unsigned integer or string');
    }
    const written = String(value);
    const named = ADDRESS_PROTOCOLS.find((name) => name === written);
    if (named !== undefined) return named;
    const number = /^(?:0x[0-9a-fA-F]+|\+?[0-9]+)$/.test(written) ? BigInt(written.replace('+', '')) : undefined;
    if (number === undefined || number > 255n) {
      const upstream = `InvalidArgument: Invalid address protocol '${written}', should be lo, ra, kernel_ll or integer from 0 to 255 (decimal or 0x hex)`;
      return reader.refuse(
        node,
        'wrong-value',
        `\`${written}\` is not lo, ra, kernel_ll or a number from 0 to 255`,
        upstream,
      );
    }
    return ADDRESS_PROTOCOLS[Number(number) - 1] ?? Number(number);
  },
};

const ipAddress: Section = {
  name: 'InterfaceIpAddr',
  doc: 'One address of the interface.',
  unknownKeys: 'refused',
  fields: {
    ip: { type: address, required: true, doc: 'The address, without prefix length.' },
    'prefix-length': { type: u8, required: true, doc: 'Length of the network part.' },
    /** Read-only; set `mptcp` on the interface instead. */
    'mptcp-flags': {
      type: listOf(oneOf('signal', 'subflow', 'backup', 'fullmesh')),
      unused: true,
    },
    /** An address with a lifetime other than `forever` counts as dynamic and is left out. */
    'valid-life-time': {
      type: text,
      aliases: ['valid-left', 'valid-lft'],
    },
    /** Read-only. */
    'preferred-life-time': {
      type: text,
      aliases: ['preferred-left', 'preferred-lft'],
      unused: true,
    },
    /** Who set the address: `lo`, `ra`, `kernel_ll` or a number. Numbers above 3 are left out. */
    protocol: {
      type: addressProtocol,
      nullable: false,
    },
  },
};

/** One table for both families; each ignores or refuses the keys that it does not use. */
const shared: Fields = {
  /** Whether the family is used at all; no by default. */
  enabled: { type: bool },
  /** Whether addresses come from DHCP. */
  dhcp: { type: bool },
  /** Whether addresses come from router advertisements; needs `dhcp: true` as well. */
  autoconf: { type: bool },
  /** Identity towards a DHCPv4 server. */
  'dhcp-client-id': {
    type: { kind: 'open-choice', values: ['ll', 'iaid+duid'], rust: 'Dhcpv4ClientId' },
  },
  /** Identity towards a DHCPv6 server. */
  'dhcp-duid': {
    type: { kind: 'open-choice', values: ['llt', 'en', 'll', 'uuid'], rust: 'Dhcpv6Duid' },
  },
  /** Static addresses. */
  address: { type: listOf(inside(ipAddress)) },
  /** Whether received DNS servers are used; yes by default. */
  'auto-dns': { type: bool },
  /** Whether a received default route is used; yes by default. */
  'auto-gateway': { type: bool },
  /** Whether received routes are used; yes by default. */
  'auto-routes': { type: bool },
  /** Table of received routes. */
  'auto-route-table-id': { type: u32 },
  /** Metric of received routes. */
  'auto-route-metric': { type: i64 },
  /** How the interface part of an IPv6 address is made. */
  'addr-gen-mode': {
    type: { kind: 'open-choice', values: ['eui64', 'stable-privacy'], rust: 'Ipv6AddrGenMode' },
  },
  /** Only meant for applying a state to a running host. */
  'allow-extra-address': {
    type: strictBool,
    unused: true,
  },
  /** Interface part of automatic IPv6 addresses. */
  token: { type: text },
  /** Whether the host name is sent to the server; yes by default. */
  'dhcp-send-hostname': { type: strictBool },
  /** The host name to send. */
  'dhcp-custom-hostname': { type: text },
  /** Whether packets are forwarded; IPv4 only. */
  forwarding: { type: strictBool },
  /** Metric of the routes that come with addresses; IPv4 only. */
  'prefix-route-metric': { type: i64 },
};

export const ipv4: Section = {
  name: 'InterfaceIpv4',
  upstreamName: 'InterfaceIp',
  doc: 'IPv4 of an interface.',
  unknownKeys: 'refused',
  fields: {
    ...shared,
    autoconf: { type: bool, refused: 'autoconf is not allowed for IPv4', doc: 'For IPv6 only.' },
  },
};

export const ipv6: Section = {
  name: 'InterfaceIpv6',
  upstreamName: 'InterfaceIp',
  doc: 'IPv6 of an interface.',
  unknownKeys: 'refused',
  fields: {
    ...shared,
    forwarding: {
      type: strictBool,
      refused: 'InvalidArgument: forwarding is not supported for IPv6',
      doc: 'For IPv4 only.',
    },
    'prefix-route-metric': { type: i64, refused: 'prefix-route-metric is not allowed for IPv6', doc: 'For IPv4 only.' },
  },
};
