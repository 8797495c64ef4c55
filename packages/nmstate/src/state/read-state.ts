import type { MappingEntry, MappingNode, Node, Path } from '@coreiso/diagnostics';
import type { Interface, InterfaceType, NetworkState } from '../generated/types.ts';
import { ABSENT_KEYS, baseInterfaceFields } from '../interfaces/base.ts';
import { isInterfaceType, KINDS } from '../interfaces/kinds.ts';
import { checkJson } from '../table/json-limits.ts';
import { Reader, type Values } from '../table/reader.ts';
import type { Note, Regime, Spellings, TableMismatch } from '../table/state-findings.ts';
import { networkState } from './network-state.ts';

/** One entry of `interfaces`. */
export interface DeclaredInterface {
  readonly path: Path;
  /** `type` and `state` are always set. */
  readonly iface: Interface;
  /** The type as written, if nmstate does not know it. */
  readonly unknownType: string | undefined;
  /** Whether the type was assumed because it is missing or unknown. */
  readonly isAssumed: boolean;
  /** The mismatches with an ethernet interface, if that type was assumed. */
  readonly mismatches: readonly TableMismatch[];
}

/** A whole state, decoded. */
export interface State extends Omit<NetworkState, 'interfaces'> {
  readonly interfaces: readonly DeclaredInterface[];
}

export interface StateReading {
  readonly state: State;
  readonly mismatches: readonly TableMismatch[];
  readonly notes: readonly Note[];
  readonly spellings: Spellings;
}

/** Reads a state: a whole document or the part of a policy. */
export function readState(root: Node | undefined, regime: Regime, path: Path): StateReading {
  const reader = new Reader(regime, path);
  const { mismatches, notes, spellings } = reader;
  if (root === undefined) return { state: { interfaces: [] }, mismatches, notes, spellings };
  const values: Values = reader.section(networkState, root) ?? {};
  const list = root.kind === 'mapping' ? root.entries.find(({ key }) => isKey(key, 'interfaces')) : undefined;
  const items = list?.value.kind === 'sequence' ? list.value.items : [];
  const interfaceReader = new Reader('json', [...path, 'interfaces'], spellings);
  const isJson =
    regime === 'json' ||
    items.every((item, index) => interfaceReader.within(index, () => checkJson(item, interfaceReader)));
  const interfaces = (isJson ? items : []).flatMap(
    (item, index) => interfaceReader.within(index, () => readInterface(item, interfaceReader)) ?? [],
  );
  return {
    // Values that were read with a table have the type generated from that table.
    state: { ...(values as Omit<NetworkState, 'interfaces'>), interfaces },
    mismatches: [...mismatches, ...interfaceReader.mismatches],
    notes: [...notes, ...interfaceReader.notes],
    spellings,
  };
}

function readInterface(node: Node, reader: Reader): DeclaredInterface | undefined {
  if (node.kind !== 'mapping') return reader.wrongType(node, 'a map', 'a map');
  const all = reader.entries(node);
  const isAbsent = textOf(all, 'state', reader) === 'absent';
  const entries = isAbsent ? all.filter(({ key }) => key.kind === 'scalar' && ABSENT_KEYS.has(key.text)) : all;
  if (entries.length < all.length) noteDropped(all, reader);
  const type = readType(entries, reader);
  if (type === undefined) return undefined;
  if (type.known === undefined) return readUntyped(entries, node, type.written, reader);
  const path = reader.path();
  const iface = readTyped(type.known, entries, node, reader);
  return iface && { path, iface, unknownType: undefined, isAssumed: false, mismatches: [] };
}

/** Reads an interface of unknown type. nmstate reads its name and state first, and tries the rest as ethernet later. */
function readUntyped(
  entries: readonly MappingEntry[],
  node: MappingNode,
  written: string | undefined,
  reader: Reader,
): DeclaredInterface | undefined {
  const { name, state } = baseInterfaceFields;
  const values: Values = {};
  if (name !== undefined && state !== undefined) reader.fields({ name, state }, entries, node, values, () => {});
  if (typeof values['name'] !== 'string') return undefined;
  const path = reader.path();
  const attempt = new Reader('json', path, reader.spellings);
  const iface = readTyped('ethernet', afterSwapRemoves(entries), node, attempt);
  const bare = { name: values['name'], type: 'ethernet', state: values['state'] ?? 'up' } as Interface;
  reader.notes.push(...attempt.notes);
  return { path, iface: iface ?? bare, unknownType: written, isAssumed: true, mismatches: attempt.mismatches };
}

/**
 * The order in which nmstate reads the rest of such an interface. It removes the name, then the state from the map, and each time
 * the last key moves into the gap.
 */
export function afterSwapRemoves(entries: readonly MappingEntry[]): MappingEntry[] {
  const left = [...entries];
  const taken: MappingEntry[] = [];
  for (const name of ['name', 'state']) {
    const index = left.findIndex(({ key }) => isKey(key, name));
    const [entry] = index === -1 ? [] : left.splice(index, 1);
    const last = entry === undefined || index === left.length ? undefined : left.pop();
    if (entry !== undefined) taken.push(entry);
    if (last !== undefined) left.splice(index, 0, last);
  }
  return [...left, ...taken];
}

/** Reads the keys of the type first, then those of every interface, then the unknown ones: the order of nmstate's errors. */
function readTyped(
  type: InterfaceType,
  entries: readonly MappingEntry[],
  node: MappingNode,
  reader: Reader,
): Interface | undefined {
  const own = KINDS[type].fields;
  const typed = entries.filter(({ key }) => !isKey(key, 'type'));
  const values: Values = {};
  const before = reader.mismatches.length;
  const base: MappingEntry[] = [];
  const unknown: MappingEntry[] = [];
  reader.fields(own, typed, node, values, (entry) => base.push(entry));
  reader.fields(baseInterfaceFields, base, node, values, (entry) => unknown.push(entry));
  for (const { key } of unknown) {
    reader.unknownKey(key, { ...baseInterfaceFields, ...own }, KINDS[type].doc, { list: false });
  }
  if (reader.mismatches.length > before) return undefined;
  return { state: 'up', ...values, type } as Interface;
}

function readType(
  entries: readonly MappingEntry[],
  reader: Reader,
): { known?: InterfaceType; written?: string } | undefined {
  const node = entries.find(({ key }) => isKey(key, 'type'))?.value;
  if (node === undefined || reader.isNull(node)) return {};
  const written = reader.scalar(node);
  if (typeof written !== 'string') {
    const upstream = 'data did not match any variant of untagged enum InterfaceType';
    return reader.within('type', () => reader.refuse(node, 'wrong-type', 'the type of an interface is text', upstream));
  }
  const type = written === 'veth' ? 'ethernet' : written;
  return isInterfaceType(type) ? { known: type } : { written };
}

function textOf(entries: readonly MappingEntry[], name: string, reader: Reader): unknown {
  const value = entries.find(({ key }) => isKey(key, name))?.value;
  return value && reader.scalar(value);
}

function isKey(key: Node, name: string): boolean {
  return key.kind === 'scalar' && key.text === name;
}

function noteDropped(entries: readonly MappingEntry[], reader: Reader): void {
  for (const { key } of entries) {
    if (key.kind !== 'scalar' || ABSENT_KEYS.has(key.text)) continue;
    reader.note('warning', key, 'unused-key', `\`${key.text}\` has no effect on an absent interface`, 'Remove it.');
  }
}
