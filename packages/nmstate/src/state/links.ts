// The links between interfaces. They are read from the nodes, so that a state with mistakes has links too.
import { documentOf, member, type Node, type Path, parseYaml, serdeYaml } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { NetworkState } from '../generated/types.ts';
import { isInterfaceType, isVirtualType, KINDS } from '../interfaces/kinds.ts';
import { type Field, type Fields, factsOf, type Type } from '../table/table.ts';
import type { StateNode } from './input.ts';

/** An interface of a state, and its links to others. */
export interface NetworkLink {
  /** Empty if it has none. */
  readonly name: string;
  /** The type as written, also if nmstate does not know it; empty if there is none. */
  readonly type: string;
  /** The state (default: `up`). */
  readonly state: string;
  /** How its profile matches the interface (default: `name`). */
  readonly identifier: string;
  /** The MAC address as written; empty if there is none. */
  readonly macAddress: string;
  /** The MTU as written; undefined for the kernel's default. */
  readonly mtu: number | undefined;
  /** The VLAN's number, if it is a VLAN. */
  readonly vlan: number | undefined;
  /** Its static addresses with their prefix lengths, as written, for enabled families. */
  readonly addresses: readonly string[];
  /** Families with addresses from the network: by DHCP or from routers. */
  readonly dynamic: readonly ('IPv4' | 'IPv6')[];
  /** Whether the network configuration creates it, as for bonds and VLANs. */
  readonly isVirtual: boolean;
  /** The interface's entry, e.g. `['interfaces', 2]`. */
  readonly path: Path;
  /** The interfaces below it, each once: its ports and its base. */
  readonly below: readonly LinkEnd[];
  /** The other ends of virtual cables and patches. */
  readonly peers: readonly LinkEnd[];
}

/** A reference to an interface by name; the interface may be undeclared. */
export interface LinkEnd {
  readonly name: string;
  /** The path of the name. */
  readonly path: Path;
  /** The role of the referenced interface. */
  readonly role: 'port' | 'base' | 'peer';
}

/**
 * The interfaces of a state and their links, in the order of the state: nodes and edges for a drawing. Leaves out invalid parts,
 * which `generateKeyfiles` reports. Supports the same key aliases as nmstate.
 *
 * @example
 * for (const { name, below } of linksOf(text)) console.log(name, 'stands on', below.map((end) => end.name).join(', '));
 */
export function linksOf(state: string | NetworkState | Pick<StateNode, 'node'>): readonly NetworkLink[] {
  checkArgument('state', state, 'state');
  const list = memberOf(rootOf(state), 'interfaces');
  const items = list?.kind === 'sequence' ? list.items : [];
  const controlled = new Map<string, LinkEnd[]>();
  for (const [index, item] of items.entries()) {
    const controller = textOf(memberOf(item, 'controller'));
    const name = textOf(memberOf(item, 'name'));
    if (controller === '' || name === '') continue;
    const ends = controlled.get(controller) ?? [];
    controlled.set(controller, ends);
    ends.push({ name, path: ['interfaces', index, 'controller'], role: 'port' });
  }
  return items.map((item, index) => linkOf(item, ['interfaces', index], controlled));
}

function linkOf(node: Node, path: Path, controlled: ReadonlyMap<string, readonly LinkEnd[]>): NetworkLink {
  const name = textOf(memberOf(node, 'name'));
  const type = textOf(memberOf(node, 'type'));
  const ends = tablesOf(type).flatMap((fields) => endsIn(node, fields, path));
  const below = [...ends.filter(({ role }) => role !== 'peer'), ...(controlled.get(name) ?? [])];
  return {
    name,
    type,
    state: textOf(memberOf(node, 'state')) || 'up',
    identifier: textOf(memberOf(node, 'identifier')) || 'name',
    macAddress: textOf(memberOf(node, 'mac-address')),
    mtu: numberOf(memberOf(node, 'mtu')),
    vlan: numberOf(memberOf(memberOf(node, 'vlan'), 'id')),
    addresses: FAMILIES.flatMap(([key]) => addressesOf(memberOf(node, key))),
    dynamic: FAMILIES.filter(([key]) => isDynamic(memberOf(node, key))).map(([, name]) => name),
    isVirtual: isVirtualType(type),
    path,
    below: uniqueEnds(below),
    peers: ends.filter(({ role }) => role === 'peer'),
  };
}

const FAMILIES = [
  ['ipv4', 'IPv4'],
  ['ipv6', 'IPv6'],
] as const;

function addressesOf(family: Node | undefined): string[] {
  const list = memberOf(family, 'address');
  if (!isOn(family, 'enabled') || list?.kind !== 'sequence') return [];
  return list.items.flatMap((item) => {
    const parts = [textOf(memberOf(item, 'ip')), textOf(memberOf(item, 'prefix-length'))].filter((part) => part !== '');
    return parts.length === 0 ? [] : [parts.join('/')];
  });
}

function isDynamic(family: Node | undefined): boolean {
  return isOn(family, 'enabled') && (isOn(family, 'dhcp') || isOn(family, 'autoconf'));
}

function isOn(node: Node | undefined, key: string): boolean {
  return /^(?:true|yes|on|y|1)$/i.test(textOf(memberOf(node, key)));
}

/** Removes repeated ends: a port may be listed twice, and may also name its controller. */
function uniqueEnds(ends: readonly LinkEnd[]): LinkEnd[] {
  const seen = new Set<string>();
  return ends.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Both types of bridges have a section of the same name; the one of Open vSwitch covers the ports of both. */
const ALL_TABLES: readonly Fields[] = /* @__PURE__ */ Object.values(KINDS)
  .filter((kind) => kind !== KINDS['linux-bridge'])
  .map(({ fields }) => fields);

/** The tables to search for links: those of the type, or all if the type is unknown. */
function tablesOf(type: string): readonly Fields[] {
  if (type === 'veth') return [KINDS.ethernet.fields];
  return isInterfaceType(type) ? [KINDS[type].fields] : ALL_TABLES;
}

function endsIn(node: Node, fields: Fields, path: Path): LinkEnd[] {
  if (node.kind !== 'mapping') return [];
  const { spellings } = factsOf(fields);
  const found = node.entries.flatMap(({ key, value }) => {
    const known = key.kind === 'scalar' ? spellings.get(key.text) : undefined;
    if (known === undefined || key.kind !== 'scalar') return [];
    const { type, names } = known.field;
    return [{ names, ends: endsAt(value, type, names, [...path, key.text]) }];
  });
  return found.find(({ names }) => names === 'members')?.ends ?? found.flatMap(({ ends }) => ends);
}

function endsAt(node: Node, type: Type, names: Field['names'], path: Path): LinkEnd[] {
  if (type.kind === 'section') return endsIn(node, type.section.fields, path);
  if (type.kind === 'list' && node.kind === 'sequence')
    return node.items.flatMap((item, index) => endsAt(item, type.of, names, [...path, index]));
  if (names === undefined || names === 'members') return [];
  const name = textOf(node);
  return name === '' ? [] : [{ name, path, role: names }];
}

function rootOf(state: string | NetworkState | Pick<StateNode, 'node'>): Node | undefined {
  if (typeof state === 'object' && 'node' in state) return state.node;
  const [outcome] = typeof state === 'string' ? parseYaml(state) : [documentOf(state)];
  return outcome?.ok ? outcome.value.root : undefined;
}

function memberOf(node: Node | undefined, key: string): Node | undefined {
  return node?.kind === 'mapping' ? member(node, key)?.value : undefined;
}

/** The text of a name, also if YAML reads it as a number. */
function textOf(node: Node | undefined): string {
  return node?.kind === 'scalar' && serdeYaml(node) !== null ? node.text : '';
}

function numberOf(node: Node | undefined): number | undefined {
  const value = node?.kind === 'scalar' ? serdeYaml(node) : undefined;
  return typeof value === 'bigint' ? Number(value) : undefined;
}
