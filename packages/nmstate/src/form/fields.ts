// Maps fields of a form to keys of a state, for reading and writing.
import { type MappingEntry, type MappingNode, member } from '@coreiso/diagnostics';

/** The kind of a value in the state. */
type FieldKind =
  | 'text'
  | 'number'
  | 'flag'
  | 'mode'
  /** A list of names. */
  | 'texts'
  /** A list of maps, each with a name. */
  | 'named'
  /** A list of maps, each with an address and its prefix length. */
  | 'addresses';

export interface Field {
  readonly name: string;
  readonly path: readonly string[];
  readonly kind: FieldKind;
}

function field(name: string, path: string, kind: FieldKind): Field {
  return { name, path: path.split(' '), kind };
}

/** Common fields, in the order in which new ones are written. */
const HEAD: readonly Field[] = [
  field('state', 'state', 'text'),
  field('mac', 'mac-address', 'text'),
  field('mtu', 'mtu', 'number'),
];

const VLAN: readonly Field[] = [field('base', 'vlan base-iface', 'text'), field('id', 'vlan id', 'number')];

const BOND: readonly Field[] = [
  field('mode', 'link-aggregation mode', 'mode'),
  field('miimon', 'link-aggregation options miimon', 'number'),
  field('primary', 'link-aggregation options primary', 'text'),
  field('ports', 'link-aggregation port', 'texts'),
];

const LINUX_BRIDGE: readonly Field[] = [
  field('stp', 'bridge options stp enabled', 'flag'),
  field('ports', 'bridge port', 'named'),
];

const OVS_BRIDGE: readonly Field[] = [field('ports', 'bridge port', 'named')];

export const ADDRESS_FIELDS: readonly Field[] = [
  field('addresses', 'address', 'addresses'),
  field('enabled', 'enabled', 'flag'),
  field('dhcp', 'dhcp', 'flag'),
  field('autoconf', 'autoconf', 'flag'),
];

export const ROUTE_FIELDS: readonly Field[] = [
  field('destination', 'destination', 'text'),
  field('gateway', 'next-hop-address', 'text'),
  field('interface', 'next-hop-interface', 'text'),
  field('metric', 'metric', 'number'),
  field('table', 'table-id', 'number'),
];

export const RULE_FIELDS: readonly Field[] = [
  field('from', 'ip-from', 'text'),
  field('to', 'ip-to', 'text'),
  field('priority', 'priority', 'number'),
  field('table', 'route-table', 'number'),
];

/** The fields before and after the addresses, and the key of the section of its type. */
export function fieldsOf(type: string): { before: readonly Field[]; after: readonly Field[]; section?: string } {
  if (type === 'vlan') return { before: [...HEAD, ...VLAN], after: [], section: 'vlan' };
  if (type === 'bond') return { before: HEAD, after: BOND, section: 'link-aggregation' };
  if (type === 'linux-bridge') return { before: HEAD, after: LINUX_BRIDGE, section: 'bridge' };
  if (type === 'ovs-bridge') return { before: HEAD, after: OVS_BRIDGE, section: 'bridge' };
  return { before: HEAD, after: [] };
}

/** The modes of bonds; nmstate also accepts a mode's number. */
export const MODES = [
  'balance-rr',
  'active-backup',
  'balance-xor',
  'broadcast',
  '802.3ad',
  'balance-tlb',
  'balance-alb',
] as const;

const ALIASES: Readonly<Record<string, string>> = { 'link-aggregation': 'bond', port: 'ports' };

/** The entry of a key under either name that nmstate accepts. */
export function find(mapping: MappingNode, name: string): MappingEntry | undefined {
  const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
  return member(mapping, name) ?? (alias === undefined ? undefined : member(mapping, alias));
}
