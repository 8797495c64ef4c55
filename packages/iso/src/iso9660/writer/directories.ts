// Directory extents and path tables, in either of the two name views of an image.

import {
  RECORD,
  RECORD_FLAG,
  SECTOR,
  writeBoth16,
  writeBoth32,
  writeRecordDate,
  writeU16Be,
  writeU16Le,
  writeU32Be,
  writeU32Le,
} from '../fields.ts';
import { type Extent, extentCount, type PlacedData } from './data.ts';
import { jolietNames, primaryNames } from './names.ts';
import { modified, namedFields, namelessFields, rootFields } from './rock-ridge.ts';
import { ContinuationArea, type FieldRun, writeRun } from './system-use.ts';
import type { DirectoryNode, Tree, TreeNode } from './tree.ts';

/** One hierarchy of names. */
export interface View {
  readonly joliet: boolean;
  /** ECMA-119 6.9.1: by level, then parent, then name. */
  readonly directories: readonly PlannedDirectory[];
  readonly pathTableSize: number;
}

interface PlannedDirectory {
  readonly node: DirectoryNode;
  readonly identifier: Uint8Array;
  /** Number of its parent in the path table, from 1. */
  readonly parentNumber: number;
  readonly records: readonly PlannedRecord[];
  readonly recordSectors: number;
  readonly continuation: ContinuationArea;
  /** Number of sectors for records and the continuation area. */
  readonly sectors: number;
}

interface PlannedRecord {
  readonly node: TreeNode;
  readonly identifier: Uint8Array;
  readonly systemUse: FieldRun;
  /** Index of the extent, for a file with several. */
  readonly part: number;
}

const SELF: Uint8Array = Uint8Array.of(0);
const PARENT: Uint8Array = Uint8Array.of(1);
/** `.` and `..`, the first records of every directory. */
const OWN_RECORDS = 2;
const NO_FIELDS: FieldRun = { fields: [], length: 0, next: undefined };
/** A record's length is one byte, and even (ECMA-119 9.1.13). */
const LONGEST_RECORD = 254;
/** ECMA-119 9.4.4: parents are numbered in 16 bits. */
const MOST_DIRECTORIES = 0xffff;

/** The properties that distinguish one hierarchy from another. */
interface ViewRules {
  readonly joliet: boolean;
  holds(node: TreeNode): boolean;
  names(nodes: readonly TreeNode[]): Map<TreeNode, string>;
  /** The recorded name; a file's may end in a version. */
  identifier(name: string, kind: TreeNode['kind']): Uint8Array;
  /** The System Use fields in a directory's records of itself, of its parent and of a child. */
  selfFields(node: DirectoryNode): Uint8Array[];
  parentFields(node: DirectoryNode): Uint8Array[];
  childFields(node: TreeNode): Uint8Array[];
}

/** The upper-case 8.3 names of the primary volume, with Rock Ridge. */
export function primaryView(tree: Tree): View {
  return planView(tree, {
    joliet: false,
    holds: () => true,
    names: primaryNames,
    // ECMA-119 7.5.1: a file has a version, a directory does not.
    identifier: (name, kind) => latin1(kind === 'directory' ? name : `${name};1`),
    selfFields: (node) => (node === tree.root ? rootFields(namelessFields(node)) : namelessFields(node)),
    parentFields: namelessFields,
    childFields: namedFields,
  });
}

/** The UCS-2 names of the supplementary volume; it has no symbolic links. */
export function jolietView(tree: Tree): View {
  const none = (): Uint8Array[] => [];
  return planView(tree, {
    joliet: true,
    holds: (node) => node.kind !== 'symlink',
    names: jolietNames,
    // Joliet also requires the version, but genisoimage and xorriso omit it, and readers look for names without it.
    identifier: ucs2,
    selfFields: none,
    parentFields: none,
    childFields: none,
  });
}

/** A directory with a place in the path table that is not planned yet. */
type DirectoryPlace = Pick<PlannedDirectory, 'node' | 'identifier' | 'parentNumber'>;

function planView(tree: Tree, rules: ViewRules): View {
  const directories: PlannedDirectory[] = [];
  const queue: DirectoryPlace[] = [{ node: tree.root, identifier: SELF, parentNumber: 1 }];
  // The queue grows during the loop: level by level, as the path table requires.
  for (const place of queue) {
    const directory = planDirectory(place, rules);
    directories.push(directory);
    const parentNumber = directories.length;
    if (parentNumber > MOST_DIRECTORIES)
      throw new RangeError(`entries must have at most ${MOST_DIRECTORIES} directories`);
    for (const { node, identifier } of directory.records.slice(OWN_RECORDS)) {
      if (node.kind === 'directory') queue.push({ node, identifier, parentNumber });
    }
  }
  const pathTableSize = directories.reduce((size, { identifier }) => size + pathTableRecordLength(identifier), 0);
  return { joliet: rules.joliet, directories, pathTableSize };
}

function planDirectory(place: DirectoryPlace, rules: ViewRules): PlannedDirectory {
  const { node } = place;
  const parent = node.parent ?? node;
  const continuation = new ContinuationArea();
  const records = [
    planRecord(node, SELF, rules.selfFields(node), continuation),
    planRecord(parent, PARENT, rules.parentFields(parent), continuation),
  ];
  const children = [...node.children.values()].filter(rules.holds).sort((a, b) => compare(a.name, b.name));
  for (const [child, name] of [...rules.names(children)].sort(([, a], [, b]) => compare(a, b))) {
    const identifier = rules.identifier(name, child.kind);
    const record = planRecord(child, identifier, rules.childFields(child), continuation);
    const parts = child.kind === 'file' ? extentCount(child.data.size) : 1;
    for (let part = 0; part < parts; part++) records.push({ ...record, part });
  }
  const recordSectors = Math.ceil(layOut(records).end / SECTOR);
  return { ...place, records, recordSectors, continuation, sectors: recordSectors + continuation.sectors };
}

function planRecord(
  node: TreeNode,
  identifier: Uint8Array,
  fields: readonly Uint8Array[],
  continuation: ContinuationArea,
): PlannedRecord {
  const room = LONGEST_RECORD - systemUseOffset(identifier);
  return { node, identifier, systemUse: continuation.place(fields, room), part: 0 };
}

interface RecordPlace {
  readonly record: PlannedRecord;
  /** Offset from the beginning of the directory. */
  readonly offset: number;
}

/** ECMA-119 6.8.1.1: a record ends in the sector in which it begins. */
function layOut(records: readonly PlannedRecord[]): { readonly places: RecordPlace[]; readonly end: number } {
  const places: RecordPlace[] = [];
  let end = 0;
  for (const record of records) {
    const length = recordLength(record);
    if ((end % SECTOR) + length > SECTOR) end = Math.ceil(end / SECTOR) * SECTOR;
    places.push({ record, offset: end });
    end += length;
  }
  return { places, end };
}

/** ECMA-119 9.1.12: a name of even length is followed by one byte of padding. */
function systemUseOffset(identifier: Uint8Array): number {
  return RECORD.name + identifier.length + (identifier.length % 2 === 0 ? 1 : 0);
}

function recordLength({ identifier, systemUse }: PlannedRecord): number {
  const length = systemUseOffset(identifier) + systemUse.length;
  return length + (length % 2);
}

/** Places the directories of a view one after another from `sector`. */
export function placeDirectories(view: View, sector: number): Map<DirectoryNode, number> {
  const sectors = new Map<DirectoryNode, number>();
  let next = sector;
  for (const { node, sectors: count } of view.directories) {
    sectors.set(node, next);
    next += count;
  }
  return sectors;
}

/** All directory extents of a view, in order. */
export function encodeDirectories(
  view: View,
  sectors: ReadonlyMap<DirectoryNode, number>,
  data: PlacedData,
): Uint8Array {
  const total = view.directories.reduce((sum, directory) => sum + directory.sectors, 0);
  const bytes = new Uint8Array(total * SECTOR);
  const lengths = new Map(view.directories.map(({ node, recordSectors }) => [node, recordSectors * SECTOR]));
  let start = 0;
  for (const directory of view.directories) {
    const { records, recordSectors, continuation } = directory;
    const areaSector = sectorOf(sectors, directory.node) + recordSectors;
    for (const { record, offset } of layOut(records).places) {
      const target = bytes.subarray(start + offset);
      writeRecord(target, record, extentOf(record, sectors, lengths, data), areaSector);
    }
    continuation.write(bytes.subarray(start + recordSectors * SECTOR), areaSector);
    start += directory.sectors * SECTOR;
  }
  return bytes;
}

/** The root's record for a volume descriptor: without System Use fields. */
export function encodeRootRecord(view: View, sectors: ReadonlyMap<DirectoryNode, number>): Uint8Array {
  const [root] = view.directories as readonly [PlannedDirectory];
  const record: PlannedRecord = { node: root.node, identifier: SELF, systemUse: NO_FIELDS, part: 0 };
  const bytes = new Uint8Array(recordLength(record));
  const extent = { sector: sectorOf(sectors, root.node), length: root.recordSectors * SECTOR, last: true };
  writeRecord(bytes, record, extent, 0);
  return bytes;
}

function extentOf(
  { node, part }: PlannedRecord,
  sectors: ReadonlyMap<DirectoryNode, number>,
  lengths: ReadonlyMap<DirectoryNode, number>,
  data: PlacedData,
): Extent {
  if (node.kind === 'symlink') return { sector: 0, length: 0, last: true };
  if (node.kind === 'directory') {
    return { sector: sectorOf(sectors, node), length: lengths.get(node) as number, last: true };
  }
  return data.extentOf(node.data, part);
}

function writeRecord(into: Uint8Array, record: PlannedRecord, extent: Extent, areaSector: number): void {
  const { node, identifier, systemUse } = record;
  into[RECORD.length] = recordLength(record);
  writeBoth32(into, RECORD.extent, extent.sector);
  writeBoth32(into, RECORD.dataLength, extent.length);
  writeRecordDate(into, RECORD.date, modified(node));
  into[RECORD.flags] =
    (node.kind === 'directory' ? RECORD_FLAG.directory : 0) | (extent.last ? 0 : RECORD_FLAG.multiExtent);
  writeBoth16(into, RECORD.sequenceNumber, 1);
  into[RECORD.nameLength] = identifier.length;
  into.set(identifier, RECORD.name);
  writeRun(into, systemUseOffset(identifier), systemUse, areaSector);
}

function pathTableRecordLength(identifier: Uint8Array): number {
  return 8 + identifier.length + (identifier.length % 2);
}

/** ECMA-119 9.4: the path table, which lists all directories, in one of the two byte orders. */
export function encodePathTable(
  view: View,
  sectors: ReadonlyMap<DirectoryNode, number>,
  order: 'little' | 'big',
): Uint8Array {
  const bytes = new Uint8Array(view.pathTableSize);
  const [writeU16, writeU32] = order === 'little' ? [writeU16Le, writeU32Le] : [writeU16Be, writeU32Be];
  let position = 0;
  for (const { node, identifier, parentNumber } of view.directories) {
    bytes[position] = identifier.length;
    writeU32(bytes, position + 2, sectorOf(sectors, node));
    writeU16(bytes, position + 6, parentNumber);
    bytes.set(identifier, position + 8);
    position += pathTableRecordLength(identifier);
  }
  return bytes;
}

function sectorOf(sectors: ReadonlyMap<DirectoryNode, number>, node: DirectoryNode): number {
  return sectors.get(node) as number;
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function ucs2(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index++) writeU16Be(bytes, index * 2, text.charCodeAt(index));
  return bytes;
}

/** Compares names; no two names of a directory are equal. */
function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
