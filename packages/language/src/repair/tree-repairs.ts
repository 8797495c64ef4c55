// Repairs keys and nesting: typos in names, members a level too high or too deep, superfluous wrappers.
import {
  type Change,
  closest,
  editsFor,
  type MappingNode,
  member,
  type Node,
  type Path,
  type TextDocument,
} from '@coreiso/diagnostics';
import type { LanguageKind } from '../kinds.ts';
import { membersOf, shapesAt, typesOf, wordsOf } from '../schema.ts';
import type { Proposal } from './proposal.ts';

/** A document to repair, and its kind. */
export interface Subject {
  readonly kind: LanguageKind;
  readonly document: TextDocument;
}

/** Names of other tools and versions for our members. */
const SYNONYMS: Readonly<Record<string, string>> = {
  addresses: 'address',
  address: 'ip',
  bondmode: 'mode',
  content: 'contents',
  device: 'deviceName',
  dns: 'dns-resolver',
  dnsresolver: 'dns-resolver',
  ethernets: 'interfaces',
  filename: 'path',
  gateway: 'next-hop-address',
  gateway4: 'next-hop-address',
  nexthop: 'next-hop-address',
  nexthopip: 'next-hop-address',
  hwaddress: 'mac-address',
  hostnames: 'hostname',
  interface: 'next-hop-interface',
  ipaddress: 'ip',
  ipaddr: 'ip',
  ips: 'ip',
  mac: 'macAddress',
  macaddr: 'macAddress',
  members: 'port',
  nameserver: 'server',
  nameservers: 'server',
  netmask: 'prefix-length',
  network: 'networkConfig',
  nodes: 'hosts',
  ntpservers: 'additionalNTPSources',
  owner: 'user',
  parent: 'base-iface',
  permissions: 'mode',
  prefix: 'prefix-length',
  slaves: 'port',
  sshkey: 'sshAuthorizedKeys',
  sshkeys: 'sshAuthorizedKeys',
  table: 'table-id',
  sshauthorizedkey: 'sshAuthorizedKeys',
  vlanid: 'id',
};

/** The key of a mapping that readers would accept for a name: equal, or in other letter case. */
export function foldedMember(mapping: MappingNode, name: string): ReturnType<typeof member> {
  const folded = name.toLowerCase();
  return (
    member(mapping, name) ??
    mapping.entries.findLast(({ key }) => key.kind === 'scalar' && key.text.toLowerCase() === folded)
  );
}

export function nodeOf({ document: { root } }: Subject, path: Path): Node | undefined {
  let node = root;
  for (const step of path) {
    if (node?.kind === 'mapping') node = foldedMember(node, String(step))?.value;
    else node = node?.kind === 'sequence' ? node.items[Number(step)] : undefined;
  }
  return node;
}

/** A change as a proposal; none if the text cannot be edited. */
export function change({ document }: Subject, title: string, made: Change, certain = true): Proposal[] {
  const edits = editsFor(document, made, foldedMember);
  return edits.ok ? [{ title, edits: edits.value, certain }] : [];
}

/** Proposals for a key that is unknown at its place. */
export function keyRepairs(subject: Subject, path: Path, near: string | undefined): Proposal[] {
  const parentPath = path.slice(0, -1);
  const written = String(path.at(-1));
  const parent = nodeOf(subject, parentPath);
  if (parent?.kind !== 'mapping') return [];
  const isCollection = (foldedMember(parent, written)?.value.kind ?? 'scalar') !== 'scalar';
  const names = namesAt(subject, parentPath);
  const free = names.filter((name) => member(parent, name) === undefined);
  const plain = foldName(written);
  const twin = free.find((name) => foldName(name) === plain);
  const nearest =
    twin ??
    (near !== undefined && free.includes(near) ? near : closest(written, free)) ??
    (names.length === 0 ? near : undefined);
  const synonym = SYNONYMS[plain];
  const isNearest = twin !== undefined || nearest === synonym || (nearest !== undefined && isClose(written, nearest));
  const rename = (name: string, certain: boolean): Proposal[] =>
    change(subject, `Rename \`${written}\` to \`${name}\``, { do: 'rename', path, name }, certain).map((made) =>
      isCollection ? { ...made, reveals: [...parentPath, name] } : made,
    );
  return [
    ...(nearest === undefined ? [] : rename(nearest, isNearest)),
    ...(synonym !== undefined && free.includes(synonym) && synonym !== nearest ? rename(synonym, true) : []),
    ...inlineText(subject, path, free),
    ...unwrapping(subject, path),
    ...moveProposals(subject, path, written),
    ...change(subject, `Remove \`${written}\``, { do: 'remove', path }, false),
  ];
}

/** Butane's `inline` has the text itself; Ignition has it in a URL. */
function inlineText(subject: Subject, path: Path, free: readonly string[]): Proposal[] {
  const node = nodeOf(subject, path);
  if (path.at(-1) !== 'inline' || node?.kind !== 'scalar' || !free.includes('source')) return [];
  const title = 'Write it as `source`';
  const [renamed] = change(subject, title, { do: 'rename', path, name: 'source' });
  const [set] = change(subject, title, { do: 'set', path, value: `data:,${encodeURIComponent(node.text)}` });
  if (renamed === undefined || set === undefined) return [];
  return [{ title, edits: [...renamed.edits, ...set.edits], certain: true }];
}

/** Whether a typo explains the difference: one letter turns a short word into another word. */
function isClose(written: string, name: string): boolean {
  return Math.min(written.length, name.length) > 2;
}

function foldName(name: string): string {
  return name.replace(/[-_ .]/g, '').toLowerCase();
}

function namesAt({ kind, document }: Subject, path: Path): string[] {
  return [...membersOf(shapesAt(kind, document.root, path)).keys()];
}

/** `spec:` around members that belong at the level of the key. */
function unwrapping(subject: Subject, path: Path): Proposal[] {
  const node = nodeOf(subject, path);
  if (node?.kind !== 'mapping' || node.entries.length === 0) return [];
  const names = new Set(namesAt(subject, path.slice(0, -1)));
  if (!node.entries.every(({ key }) => key.kind === 'scalar' && names.has(key.text))) return [];
  return change(subject, `Move the keys below \`${String(path.at(-1))}\` up`, { do: 'unwrap', path });
}

/** Moves a member to the only place above or below it whose schema knows the name. */
function moveProposals(subject: Subject, path: Path, name: string): Proposal[] {
  const parentPath = path.slice(0, -1);
  const targets: Path[] = [];
  for (let depth = parentPath.length - 1; depth >= 0; depth--) {
    const ancestor = parentPath.slice(0, depth);
    if (nodeOf(subject, ancestor)?.kind === 'mapping' && namesAt(subject, ancestor).includes(name))
      targets.push(ancestor);
  }
  const { kind, document } = subject;
  const below: Path[] = [];
  for (const [inner] of membersOf(shapesAt(kind, document.root, parentPath))) {
    const at = [...parentPath, inner];
    const types = typesOf(shapesAt(kind, document.root, at));
    if (types.has('object') && namesAt(subject, at).includes(name)) below.push(at);
    const first = [...at, 0];
    const list = nodeOf(subject, at);
    if (list?.kind === 'sequence' && list.items.length === 1 && namesAt(subject, first).includes(name))
      below.push(first);
  }
  const all = [...targets, ...below].filter((target) => {
    const node = nodeOf(subject, target);
    return node?.kind !== 'mapping' || member(node, name) === undefined;
  });
  const there = all.filter((target) => nodeOf(subject, target)?.kind === 'mapping');
  const only = all.length === 1 ? all[0] : there.length === 1 ? there[0] : undefined;
  return all.flatMap((target) => {
    const title = `Move \`${name}\` to ${target.length === 0 ? 'the top' : `\`${String(target.findLast((step) => typeof step === 'string'))}\``}`;
    const isThere = nodeOf(subject, target)?.kind === 'mapping';
    return isThere
      ? change(subject, title, { do: 'move', path, to: [...target, name] }, target === only)
      : moveInto(subject, title, path, target, name, target === only);
  });
}

/** Moves a member into a mapping that does not exist yet: writes its key around the member. */
function moveInto(
  subject: Subject,
  title: string,
  path: Path,
  target: Path,
  name: string,
  certain: boolean,
): Proposal[] {
  const { text } = subject.document;
  const parent = nodeOf(subject, path.slice(0, -1));
  const entry = parent?.kind === 'mapping' ? foldedMember(parent, name) : undefined;
  if (entry === undefined || nodeOf(subject, target) !== undefined) return [];
  const { key, value } = entry;
  const wrapper = String(target.at(-1));
  if (text.trimStart().startsWith('{')) {
    const edits = [
      { start: key.start, end: key.start, text: `"${wrapper}": {` },
      { start: value.end, end: value.end, text: '}' },
    ];
    return [{ title, edits, certain }];
  }
  const line = text.lastIndexOf('\n', key.start - 1) + 1;
  const column = key.start - line;
  const pad = ' '.repeat(column);
  const body = text.slice(key.start, value.end);
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  const edits = [{ start: key.start, end: key.start, text: `${wrapper}:${lineEnd}${pad}  ` }];
  for (const match of body.matchAll(/\n(?=[^\r\n])/g)) {
    const at = key.start + match.index + 1;
    if (at < value.end) edits.push({ start: at, end: at, text: '  ' });
  }
  return [{ title, edits, certain }];
}

/** Adds a missing key: with its value if the schema allows only one, else with a placeholder. */
export function missingRepairs(subject: Subject, path: Path): Proposal[] {
  const shapes = shapesAt(subject.kind, subject.document.root, path);
  const name = String(path.at(-1));
  const words = wordsOf(shapes);
  const renamed = unknownKeysAt(subject, path.slice(0, -1)).filter((one) => closest(one, [name]) !== undefined);
  const renames = renamed.flatMap((one) => {
    const made: Change = { do: 'rename', path: [...path.slice(0, -1), one], name };
    return change(subject, `Rename \`${one}\` to \`${name}\``, made, renamed.length === 1);
  });
  if (membersOf(shapesAt(subject.kind, subject.document.root, path.slice(0, -1))).get(name) === undefined)
    return renames;
  const [only] = words;
  if (words.length === 1 && only !== undefined && !/version/i.test(name)) {
    return [...renames, ...change(subject, `Add \`${name}: ${only}\``, { do: 'set', path, value: only })];
  }
  const types = typesOf(shapes);
  const value = types.has('array')
    ? []
    : types.has('object')
      ? {}
      : types.has('boolean')
        ? true
        : types.has('integer')
          ? 0n
          : (only ?? '');
  return [...renames, ...change(subject, `Add \`${name}\``, { do: 'set', path, value }, false)];
}

/** Unknown keys of a mapping. */
function unknownKeysAt(subject: Subject, path: Path): string[] {
  const node = nodeOf(subject, path);
  const names = new Set(namesAt(subject, path));
  if (node?.kind !== 'mapping') return [];
  return node.entries.flatMap(({ key }) => (key.kind === 'scalar' && !names.has(key.text) ? [key.text] : []));
}

/** Removes a duplicate key if both values are equal. */
export function duplicateRepairs(subject: Subject, place: number): Proposal[] {
  const nodes: Node[] = subject.document.root === undefined ? [] : [subject.document.root];
  for (const node of nodes) {
    if (node.kind === 'sequence') nodes.push(...node.items);
    if (node.kind !== 'mapping') continue;
    nodes.push(...node.entries.map(({ value }) => value));
    const at = node.entries.findIndex(
      ({ key, value }) => key.start <= place && place <= Math.max(key.end, value.end) && key.kind === 'scalar',
    );
    const entry = node.entries[at];
    if (entry?.key.kind !== 'scalar') continue;
    const { text: name } = entry.key;
    const twins = node.entries.filter(({ key }) => key.kind === 'scalar' && key.text === name);
    if (twins.length !== 2) continue;
    const { text } = subject.document;
    const [first, second] = twins.map(({ value }) => text.slice(value.start, value.end).trim());
    const lineStart = text.lastIndexOf('\n', (twins[1]?.key.start ?? 0) - 1) + 1;
    const last = twins[1];
    if (last === undefined || !/^ *$/.test(text.slice(lineStart, last.key.start))) continue;
    const between = text.slice(twins[0]?.value.end, last.key.start);
    const areNeighbours = between.trim() === '';
    let end = text.indexOf('\n', Math.max(last.key.end, last.value.end - 1));
    end = end === -1 ? text.length : end + 1;
    return [
      {
        title: `Remove the second \`${name}\``,
        edits: [{ start: lineStart, end, text: '' }],
        // With other lines between, they may belong to two items whose dash or indentation was lost.
        certain: first === second && areNeighbours,
      },
    ];
  }
  return [];
}
