// A state as nmstate writes it and captures see it, as plain data: canonical keys in nmstate's order, interfaces by name.
import { member, type Node, type Plain, serdeYaml, toPlain } from '@coreiso/diagnostics';
import type { Interface } from '../generated/types.ts';
import { baseInterfaceFields } from '../interfaces/base.ts';
import type { InterfaceKind } from '../interfaces/kind.ts';
import { KINDS, typeOf } from '../interfaces/kinds.ts';
import { memoize } from '../memoize.ts';
import { type Field, type Fields, type Type, text } from '../table/table.ts';
import { networkState } from './network-state.ts';
import { afterSwapRemoves, type DeclaredInterface, type State } from './read-state.ts';

export type WrittenState = { readonly [name: string]: Plain };

/** Keys that are written only if they are not empty. */
const ALWAYS_WITH_CONTENT: ReadonlySet<string> = new Set(['routes', 'route-rules', 'ovn', 'description']);

/** Converts a state to plain data. `root` is the node that it was read from: interfaces of unknown type keep all their keys. */
export function writtenState(state: State, root: Node | undefined): WrittenState {
  const entries = Object.entries(networkState.fields).flatMap(([name, field]): [string, Plain][] => {
    if (name === 'interfaces') return [[name, writtenInterfaces(state.interfaces, root)]];
    const value = plainOf(field.type, (state as object as Readonly<Record<string, unknown>>)[name]);
    return value === undefined || (ALWAYS_WITH_CONTENT.has(name) && isEmpty(value)) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function isEmpty(value: Plain): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

/** nmstate's order of types, for interfaces with the same name. */
const TYPES: readonly string[] = [
  ...[
    'bond',
    'linux-bridge',
    'dummy',
    'ethernet',
    'hsr',
    'ip-tunnel',
    'loopback',
    'mac-vlan',
    'mac-vtap',
    'ovs-bridge',
  ],
  ...[
    'ovs-interface',
    'veth',
    'vlan',
    'vrf',
    'vxlan',
    'infiniband',
    'tun',
    'macsec',
    'ipsec',
    'xfrm',
    'ipvlan',
    'unknown',
  ],
];

/** Types outside the kernel, whose names may also be those of kernel interfaces. */
const BESIDE_THE_KERNEL: readonly string[] = ['ovs-bridge', 'ipsec'];

function writtenInterfaces(interfaces: readonly DeclaredInterface[], root: Node | undefined): Plain[] {
  const kept = new Map<string, { readonly name: string; readonly type: string; readonly value: Plain }>();
  for (const declared of interfaces) {
    const { iface, isAssumed } = declared;
    const { name, type: known = 'unknown' } = iface;
    const node = nodeOf(declared, root);
    const type = isAssumed ? 'unknown' : known;
    const key = BESIDE_THE_KERNEL.includes(type) ? `${name} ${type}` : name;
    const value = isAssumed ? unknownInterface(iface, node) : writtenInterface(iface, typeText(node));
    kept.set(key, { name, type, value });
  }
  return [...kept.values()]
    .sort((a, b) => byCodePoints(a.name, b.name) || TYPES.indexOf(a.type) - TYPES.indexOf(b.type))
    .map(({ value }) => value);
}

/** Compares texts as Rust does. */
function byCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const others = [...b];
  for (const [index, character] of [...a].entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return -1;
}

/** nmstate's order of common keys, where it differs from the table's. */
const FIRST = ['name', 'profile-name', 'description', 'type', 'driver', 'state', 'identifier', 'mac-address'];
const SECOND = ['permanent-mac-address', 'pci-address'];
const BASE: Fields = /* @__PURE__ */ Object.fromEntries([
  ...[...FIRST, ...SECOND].map((name): [string, Field] => [name, baseInterfaceFields[name] ?? { type: text }]),
  ...Object.entries(baseInterfaceFields).filter(([name]) => ![...FIRST, ...SECOND].includes(name)),
]);

const allFields = memoize((kind: InterfaceKind): Fields => ({ ...BASE, ...kind.fields }));

/** The position of each key in its table. */
const ranks = memoize(
  (fields: Fields): ReadonlyMap<string, number> => new Map(Object.keys(fields).map((name, index) => [name, index])),
);

function writtenInterface(iface: Interface, writtenType: string): Plain {
  const { type = 'ethernet' } = iface;
  return writtenMap(allFields(KINDS[typeOf(iface)]), { ...iface, type: writtenType === 'veth' ? 'veth' : type });
}

/** Converts an interface of a missing or unknown type: everything stays as written. */
function unknownInterface({ name, state = 'up' }: Interface, node: Node | undefined): Plain {
  const written: Record<string, Plain> = { name, type: 'unknown', state };
  const entries = node?.kind === 'mapping' ? afterSwapRemoves(node.entries) : [];
  for (const { key, value } of entries) if (key.kind === 'scalar') written[key.text] = toPlain(value, serdeYaml);
  return written;
}

function nodeOf({ path }: DeclaredInterface, root: Node | undefined): Node | undefined {
  const list = root?.kind === 'mapping' ? member(root, 'interfaces')?.value : undefined;
  const index = path.at(-1);
  return list?.kind === 'sequence' && typeof index === 'number' ? list.items[index] : undefined;
}

function typeText(node: Node | undefined): string {
  const type = node?.kind === 'mapping' ? member(node, 'type')?.value : undefined;
  return type?.kind === 'scalar' ? type.text : '';
}

/** The keys that are set, in the order of the table. */
function writtenMap(fields: Fields, values: Readonly<Record<string, unknown>>): Plain {
  const rank = ranks(fields);
  const result: Record<string, Plain> = {};
  const names = Object.keys(values).sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  for (const name of names) {
    const field = fields[name];
    const value = field && plainOf(field.type, values[name]);
    const digits = HEXADECIMAL.get(name);
    if (value !== undefined)
      result[name] = digits === undefined ? value : `0x${value.toString(16).padStart(digits, '0')}`;
  }
  return result;
}

/** Marks of routing rules and InfiniBand keys, with their lowest number of digits. */
const HEXADECIMAL: ReadonlyMap<string, number> = new Map([
  ['fwmark', 1],
  ['fwmask', 1],
  ['pkey', 4],
]);

function plainOf(type: Type, value: unknown): Exclude<Plain, null> | undefined {
  if (value === undefined || value === null || type.kind === 'ignored') return undefined;
  if (type.kind === 'list' && Array.isArray(value)) return value.map((item) => plainOf(type.of, item) ?? null);
  if (type.kind === 'section' && typeof value === 'object')
    return writtenMap(type.section.fields, value as Readonly<Record<string, unknown>>) as WrittenState;
  // Values that were read with a table are plain data.
  return value as Exclude<Plain, null>;
}
