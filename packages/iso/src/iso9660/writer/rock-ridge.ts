// RRIP 1.09, the version that genisoimage writes and all readers support: RR, PX, NM, SL, TF and the SP and ER of SUSP.
// Left out: device numbers, sparse files and relocated directories (deep trees stay where they are).

import { writeBoth32, writeRecordDate } from '../fields.ts';
import { LONGEST_FIELD_DATA, systemUseField } from './system-use.ts';
import type { TreeNode } from './tree.ts';

const FILE_TYPE = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };

/** RRIP 1.09 4.1.1: which fields follow. */
const HAS = { permissions: 0x01, symlink: 0x04, name: 0x08, times: 0x80 };

/** RRIP 4.1.4 and 4.1.3.1: this name, target or component continues in the next one. */
const CONTINUES = 0x01;
const COMPONENT = { current: 0x02, parent: 0x04, root: 0x08 };

/** RRIP 4.1.6: modification, access and attribute change, in the seven-byte form. */
const TIMES = 0x02 | 0x04 | 0x08;

const ENCODER = new TextEncoder();

/** SUSP 5.3 and 5.5: the first and the last field of the root's own record. */
export function rootFields(fields: readonly Uint8Array[]): Uint8Array[] {
  return [systemUseField('SP', Uint8Array.of(0xbe, 0xef, 0)), ...fields, extensionReference()];
}

/** The fields of a `.` or `..` record, which have no name of their own. */
export function namelessFields(node: TreeNode): Uint8Array[] {
  return [flags(HAS.permissions | HAS.times), permissions(node), times(modified(node))];
}

/** The fields of any other record. */
export function namedFields(node: TreeNode): Uint8Array[] {
  const symlink = node.kind === 'symlink' ? symlinkFields(node.target) : [];
  return [
    flags(HAS.permissions | HAS.times | HAS.name | (symlink.length > 0 ? HAS.symlink : 0)),
    ...nameFields(node.name),
    permissions(node),
    ...symlink,
    times(modified(node)),
  ];
}

/** The one date of a node. */
export function modified(node: TreeNode): Date {
  return node.kind === 'file' ? node.data.modified : node.modified;
}

function flags(bits: number): Uint8Array {
  return systemUseField('RR', Uint8Array.of(bits));
}

/** RRIP 4.1.1: mode, links, owner and group; everything belongs to root. */
function permissions(node: TreeNode): Uint8Array {
  const data = new Uint8Array(32);
  const mode = node.kind === 'symlink' ? 0o777 : node.kind === 'file' ? node.data.mode : node.mode;
  writeBoth32(data, 0, FILE_TYPE[node.kind] | mode);
  writeBoth32(data, 8, linkCount(node));
  return systemUseField('PX', data);
}

function linkCount(node: TreeNode): number {
  if (node.kind === 'symlink') return 1;
  if (node.kind === 'file') return node.data.links;
  return 2 + node.subdirectories;
}

function times(date: Date): Uint8Array {
  const data = new Uint8Array(1 + 3 * 7);
  data[0] = TIMES;
  for (let index = 0; index < 3; index++) writeRecordDate(data, 1 + index * 7, date);
  return systemUseField('TF', data);
}

function nameFields(name: string): Uint8Array[] {
  const bytes = ENCODER.encode(name);
  const room = LONGEST_FIELD_DATA - 1;
  return pieces(bytes, room).map((piece, index, all) => {
    const data = new Uint8Array(1 + piece.length);
    data[0] = index < all.length - 1 ? CONTINUES : 0;
    data.set(piece, 1);
    return systemUseField('NM', data);
  });
}

/**
 * RRIP 4.1.3: the components of a target, packed into as few fields as hold them. A field that is not the last ends
 * with an empty component that continues: otherwise libarchive drops the slash between two fields.
 */
function symlinkFields(target: string): Uint8Array[] {
  const bridge = [CONTINUES, 0];
  const room = LONGEST_FIELD_DATA - 1 - bridge.length;
  const packed: number[][] = [];
  let last: number[] = [];
  for (const component of symlinkComponents(target, room)) {
    if (last.length + component.length > room) {
      packed.push([CONTINUES, ...last, ...bridge]);
      last = [];
    }
    last.push(...component);
  }
  packed.push([0, ...last]);
  return packed.map((bytes) => systemUseField('SL', Uint8Array.from(bytes)));
}

function symlinkComponents(target: string, room: number): number[][] {
  const components = target
    .split('/')
    .filter((name) => name !== '')
    .flatMap((name) => {
      if (name === '.') return [[COMPONENT.current, 0]];
      if (name === '..') return [[COMPONENT.parent, 0]];
      return pieces(ENCODER.encode(name), room - 2).map((piece, index, all) => [
        index < all.length - 1 ? CONTINUES : 0,
        piece.length,
        ...piece,
      ]);
    });
  return target.startsWith('/') ? [[COMPONENT.root, 0], ...components] : components;
}

function pieces(bytes: Uint8Array, longest: number): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += longest) cut.push(bytes.subarray(start, start + longest));
  return cut;
}

/** RRIP 4.3: the texts are prescribed. */
function extensionReference(): Uint8Array {
  const identifier = 'RRIP_1991A';
  const description = 'THE ROCK RIDGE INTERCHANGE PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS';
  const source =
    'PLEASE CONTACT DISC PUBLISHER FOR SPECIFICATION SOURCE.  SEE PUBLISHER IDENTIFIER IN PRIMARY VOLUME ' +
    'DESCRIPTOR FOR CONTACT INFORMATION.';
  const lengths = [identifier.length, description.length, source.length, 1];
  const text = ENCODER.encode(identifier + description + source);
  return systemUseField('ER', Uint8Array.of(...lengths, ...text));
}
