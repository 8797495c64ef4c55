// Repairs values: types, addresses, typos in words.
import { closest, type MappingNode, type Node, type Path, type Plain, type ScalarNode } from '@coreiso/diagnostics';
import { isSecretPath } from '@coreiso/peers/secret-names';
import { membersOf, shapesAt, typesOf, wordsOf } from '../schema.ts';
import { isLikelyTypoOf, namesIn, nearestWord } from '../words.ts';
import type { Proposal } from './proposal.ts';
import { change, nodeOf, type Subject } from './tree-repairs.ts';
import { IDENTITIES } from './yaml-lines.ts';

const TRUE_WORDS = /^(?:true|yes|y|on|enabled?|1)$/i;
/** Modes that make sense in octal, and hardly in decimal. */
const OCTAL_MODES =
  /^(?:400|440|444|500|550|555|600|640|644|660|664|666|700|711|750|755|770|775|777|[1-7]7[057][057])$/;
const FALSE_WORDS = /^(?:false|no|n|off|disabled?|0)$/i;

/** All possible readings of the value at a path, the likeliest first. */
export function valueRepairs(subject: Subject, path: Path, near: string | undefined): Proposal[] {
  const node = nodeOf(subject, path);
  if (node === undefined) return [];
  const types = typesOf(shapesAt(subject.kind, subject.document.root, path));
  if (node.kind === 'scalar') return [...scalarRepairs(subject, path, node, types, near)];
  return [...collectionRepairs(subject, path, node, types)];
}

/** The single word that a finding suggests: certain if the written one is similar. */
export function wordRepairs(subject: Subject, path: Path, word: string): Proposal[] {
  const node = nodeOf(subject, path);
  if (node?.kind !== 'scalar' || node.text === '' || node.text === word) return [];
  return change(subject, titleOf(word), { do: 'set', path, value: word }, nearestWord(node.text, [word]) !== undefined);
}

function* scalarRepairs(
  subject: Subject,
  path: Path,
  node: ScalarNode,
  types: ReadonlySet<string>,
  near: string | undefined,
): Generator<Proposal> {
  const set = (value: Plain, certain = true, title = titleOf(value)): Proposal[] =>
    change(subject, isSecretPath(path) ? 'Correct the value' : title, { do: 'set', path, value }, certain);
  const text = node.text.trim();
  const name = String(path.findLast((step) => typeof step === 'string') ?? '');
  const isQuoted = node.style !== 'plain';
  if (types.has('integer') || types.has('number')) {
    const digits = /^[+]?(\d{1,15})$/.exec(text.replaceAll(/[_\s,](?=\d{3}\b)/g, ''))?.[1];
    const isOctal = /^0o?[0-7]{3,4}$/.test(text) || OCTAL_MODES.test(text);
    if (name === 'mode' && (isQuoted || OCTAL_MODES.test(text)) && isOctal)
      yield* set(BigInt(Number.parseInt(text.replace('o', ''), 8)));
    if (digits !== undefined && isQuoted) yield* set(BigInt(digits));
    const mask = prefixOfMask(text);
    if (mask !== undefined && /prefix/i.test(name)) yield* set(mask);
    const slash = /^\/(\d{1,3})$/.exec(text)?.[1];
    if (slash !== undefined) yield* set(BigInt(slash));
    const whole = /^(\d{1,15})\.0+$/.exec(text)?.[1];
    if (whole !== undefined) yield* set(BigInt(whole));
    if (name === 'table-id' && text === 'main') yield* set(254n);
    const united = /^(\d+)\s*(?:GB|GiB|G|Gi|Mbps|ms|s|%)$/i.exec(text)?.[1];
    if (united !== undefined) yield* set(BigInt(united));
  }
  if (types.has('boolean')) {
    if (TRUE_WORDS.test(text)) yield* set(true);
    if (FALSE_WORDS.test(text)) yield* set(false);
  }
  if (
    types.has('array') &&
    !types.has('string') &&
    !/^-|[\r\n]/.test(subject.document.text.slice(node.start, node.end))
  ) {
    const parts = text.split(/\s*[,;]\s*|\s+/).filter((part) => part !== '');
    const areWords = parts.every((part) => /^[\w.:/-]+$/.test(part)) && !/^(?:ssh|ecdsa)-/.test(text);
    const isOfNetworks = parts.every((part) => NETWORK.test(part)) && memberOf(subject, [...path, 0], 'cidr');
    const items: Plain = isOfNetworks ? parts.map((cidr) => ({ cidr })) : areWords ? parts : [text];
    yield* set(items, true, 'Write a list');
  }
  if (types.has('string') && !isQuoted && node.text !== '')
    yield* set(node.text, true, `Put \`${node.text}\` in quotes`);
  const words = wordsOf(shapesAt(subject.kind, subject.document.root, path));
  const word = name === 'version' ? undefined : nearestWord(text, words);
  if (word !== undefined && word !== node.text) yield* set(word);
  for (const value of textsNear(text, name))
    if (value !== node.text) yield* set(value, !isMacLike(value) || isOnlyMac(subject, value, text));
  const root = subject.document.root;
  const isReference = REFERENCES.test(name) || namesIn(root).includes(near ?? '');
  if (near !== undefined && near !== node.text) yield* set(near, !isReference || isLikelyTypoOf(root, text, near));
  const named = closest(text, namesIn(root, node));
  if (isReference && named !== undefined && named !== node.text) yield* set(named, isLikelyTypoOf(root, text, named));
  yield* addressWithPrefix(subject, path, text);
  if (types.has('object') && memberOf(subject, path, 'source')) {
    const source = /^(?:https?|tftp|s3|gs|arn|data):/.test(text) ? text : `data:,${encodeURIComponent(node.text)}`;
    yield* set({ source }, true, 'Write it as `source`');
  }
  if (types.has('object'))
    for (const value of wrappersOf(subject, path, text)) yield* set(value, true, 'Write it as a map');
  if (name === 'name' && /^[\w@-]+$/.test(text)) yield* unitName(subject, path, text, set);
  if (name === 'version' && /^v?3\.\d(?:\.0)?$/.test(text)) yield* set(`${/3\.\d/.exec(text)?.[0]}.0`);
  if (name === 'destination' && text === '0.0.0.0') yield* set('0.0.0.0/0');
  if (name === 'destination' && text === '::') yield* set('::/0');
}

/** The suffix of a unit's name, by the section that only such units have. */
function* unitName(subject: Subject, path: Path, text: string, set: (value: Plain) => Proposal[]): Generator<Proposal> {
  const contents = nodeOf(subject, [...path.slice(0, -1), 'contents']);
  const section =
    contents?.kind === 'scalar'
      ? /^\[(Service|Timer|Mount|Socket|Path|Automount|Swap|Slice)\]/m.exec(contents.text)?.[1]
      : undefined;
  if (section !== undefined) yield* set(`${text}.${section.toLowerCase()}`);
}

const NETWORK = /^[0-9a-fA-F.:]+\/\d{1,3}$/;

/** The mapping that a single value stands for, by the members that it may have. */
function* wrappersOf(subject: Subject, path: Path, text: string): Generator<Plain> {
  const has = (name: string): boolean => memberOf(subject, path, name);
  const [, ip = '', length = ''] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  if (ip !== '' && has('cidr')) yield { cidr: text };
  if (ip !== '' && has('ip') && has('prefix-length')) yield { ip, 'prefix-length': BigInt(length) };
  if (/^\/dev\//.test(text) && has('deviceName')) yield { deviceName: text };
  if (/^[a-z][\w.-]*$/.test(text) && has(text)) yield { [text]: {} };
  if (/^[a-z_][\w.-]*$/.test(text) && has('name') && has('id')) yield { name: text };
}

const MAC = /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/;

function isMacLike(text: string): boolean {
  return MAC.test(text);
}

/** Whether no other MAC address of the document is as close to the written one as this reading. */
function isOnlyMac({ document: { text } }: Subject, reading: string, written: string): boolean {
  const known = (text.match(/\b(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}\b/g) ?? []).map((one) =>
    one.toLowerCase().replaceAll('-', ':'),
  );
  if (known.includes(reading)) return true;
  // A missing digit may be any digit.
  if (written.replace(/[^0-9a-fA-FoO]/g, '').length < 12) return false;
  return !known.some((one) => closest(written.toLowerCase(), [one]) !== undefined);
}

/** Keys whose values name an interface. */
const REFERENCES = /iface|interface|^port$|^name$|controller|primary|parent/;

function memberOf({ kind, document }: Subject, path: Path, name: string): boolean {
  return membersOf(shapesAt(kind, document.root, path)).has(name);
}

function titleOf(value: Plain): string {
  return `Write \`${typeof value === 'string' ? value : String(value)}\``;
}

/** The same text without common additions, or with commonly omitted parts. */
function* textsNear(text: string, name: string): Generator<string> {
  const bare = text.replace(/^["'`\u2018\u2019\u201c\u201d]+|["'`\u2018\u2019\u201c\u201d,;.:\\]+$/g, '').trim();
  if (bare !== '') yield bare;
  const mac = macOf(bare);
  if (mac !== undefined) yield mac;
  if (/^\d+(?:[.,]\d+){3}(?:\/\d+)?$/.test(bare)) {
    yield bare.replaceAll(',', '.').replaceAll(/\b0+(?=\d)/g, '');
  }
  if (/^[\d.]+\.(?:\/\d+)?$/.test(bare)) yield bare.replace(/\.(?=\/|$)/, '');
  if (/^[0-9a-fA-F.:]+\s*[\\/|]\s*\d+$/.test(bare)) yield bare.replace(/\s*[\\/|]\s*/, '/');
  const network = networkOf(bare);
  if (network !== undefined) yield network;
  if (/(?:path|target|device)/i.test(name) && /^[\w.-]+(?:\/|$)/.test(bare) && bare.includes('/'))
    yield simplified(`/${bare}`);
  if (/^\/.*(?:\/\/|\/$|\/\.{1,2}(?:\/|$))/.test(bare)) yield simplified(bare);
  yield* urlsNear(bare, name);
  if (/^[A-Za-z0-9._ -]+$/.test(bare)) {
    yield bare.toLowerCase();
    if (name === 'hostname') yield bare.toLowerCase().replaceAll(/[_ ]+/g, '-');
  }
}

/** Twelve hexadecimal digits with any separators; the letter O is read as zero. */
function macOf(text: string): string | undefined {
  if (!/^[0-9a-fA-FoO]{1,4}(?:[:.\-_ ]?[0-9a-fA-FoO]{1,4})+$/.test(text)) return undefined;
  const pairs = text.split(/[:\-_. ]/);
  const padded =
    pairs.length === 6 ? pairs.map((pair) => pair.padStart(2, '0')).join('') : text.replaceAll(/[:.\-_ ]/g, '');
  const digits = padded.replaceAll(/[oO]/g, '0').toLowerCase();
  return digits.length === 12 ? (digits.match(/../g) ?? []).join(':') : undefined;
}

function prefixOfMask(text: string): bigint | undefined {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  const bits = parts.map((part) => part.toString(2).padStart(8, '0')).join('');
  return /^1*0*$/.test(bits) ? BigInt(bits.indexOf('0') === -1 ? 32 : bits.indexOf('0')) : undefined;
}

/** The network that an address with a prefix length is in. */
function networkOf(text: string): string | undefined {
  const [, address = '', length = ''] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(text) ?? [];
  const parts = address.split('.').map(Number);
  const prefix = Number(length);
  if (parts.length !== 4 || parts.some((part) => part > 255) || prefix > 32) return undefined;
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const size = 2 ** (32 - prefix);
  const network = Math.floor(number / size) * size;
  return `${[24, 16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256).join('.')}/${prefix}`;
}

function simplified(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

const SCHEMES = ['http', 'https', 'tftp', 's3', 'gs', 'arn', 'data'];

/** Text with percent-encoding is not encoded again. */
function encodedOnce(text: string): string {
  return /%[0-9A-Fa-f]{2}/.test(text) && /^[\w.~!*'()+%-]*$/.test(text) ? text : encodeURIComponent(text);
}

function* urlsNear(text: string, name: string): Generator<string> {
  const [, written = '', rest = ''] = /^([A-Za-z0-9]{1,8})(?::|;)?[/\\]{1,3}(.+)$/.exec(text) ?? [];
  if (rest !== '' && /^[A-Za-z0-9]{1,8}[:;/\\]/.test(text)) {
    const scheme = SCHEMES.includes(written.toLowerCase()) ? written.toLowerCase() : closest(written, SCHEMES);
    if (scheme !== undefined && /[:;]|\/\//.test(text.slice(0, written.length + 3))) yield `${scheme}://${rest}`;
  }
  const bare = /^data:([^,;/]+)$/.exec(text)?.[1];
  if (bare !== undefined) yield `data:,${encodedOnce(bare)}`;
  const data = /^(?:date?a?|dat):(.*,.*)$/s.exec(text);
  if (data !== null) yield `data:${data[1]}`;
  if (name === 'source' && !/^[a-z0-9]+:/.test(text)) yield `data:,${encodedOnce(text)}`;
}

/** `ip: 192.0.2.5/24` holds two values. */
function addressWithPrefix(subject: Subject, path: Path, text: string): Proposal[] {
  const [, ip = '', length = ''] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  if (ip === '') return [];
  const alone = change(subject, `Write \`${ip}\``, { do: 'set', path, value: ip });
  const key = [...path.slice(0, -1), 'prefix-length'];
  if (path.at(-1) !== 'ip' || nodeOf(subject, key) !== undefined) return alone;
  const added = change(subject, '', { do: 'set', path: key, value: BigInt(length) });
  const [first] = alone;
  const [second] = added;
  if (first === undefined || second === undefined) return alone;
  return [
    {
      title: `Write the prefix length as \`prefix-length: ${length}\``,
      edits: [...first.edits, ...second.edits],
      certain: true,
    },
  ];
}

function* collectionRepairs(subject: Subject, path: Path, node: Node, types: ReadonlySet<string>): Generator<Proposal> {
  const { text } = subject.document;
  const isFlow = text[node.start] === '{' || text[node.start] === '[';
  if (node.kind === 'mapping' && types.has('array')) yield itemOf(text, node, isFlow, hasIdentity(node));
  if (node.kind === 'mapping' && types.has('string') && isFlow) {
    const written = text.slice(node.start, node.end);
    yield {
      title: 'Put it in single quotes',
      edits: [{ start: node.start, end: node.end, text: `'${written.replaceAll("'", "''")}'` }],
      certain: true,
    };
  }
  if (node.kind === 'mapping') {
    const [entry, ...others] = node.entries;
    if (entry?.value.kind === 'scalar' && others.length === 0 && types.has('string') && !types.has('object'))
      yield* change(subject, 'Write the value alone', { do: 'set', path, value: entry.value.text });
    for (const { key, value } of node.entries) {
      if (key.kind !== 'scalar' || value.kind !== 'scalar' || value.text !== '' || value.style !== 'plain') continue;
      const at = [...path, key.text];
      if (typesOf(shapesAt(subject.kind, subject.document.root, at)).has('object'))
        yield* change(subject, `Write \`${key.text}: {}\``, { do: 'set', path: at, value: {} });
    }
  }
  if (node.kind !== 'sequence') return;
  const [only, ...more] = node.items;
  if (only !== undefined && more.length === 0 && !types.has('array')) {
    if (only.kind === 'scalar') {
      const isNumber = only.style === 'plain' && /^\d{1,15}$/.test(only.text) && !types.has('string');
      const isTruth = only.style === 'plain' && types.has('boolean') && /^(?:true|false)$/.test(only.text);
      const value = isNumber ? BigInt(only.text) : isTruth ? only.text === 'true' : only.text;
      yield* change(subject, 'Write the value alone', { do: 'set', path, value });
    } else if (!isFlow) yield withoutDashes(text, node);
    else
      yield {
        title: 'Write the map alone',
        edits: [{ start: node.start, end: node.end, text: text.slice(only.start, only.end) }],
        certain: true,
      };
  }
  const areMaps = node.items.every((item) => item.kind === 'mapping' && item.entries.length === 1);
  if (more.length > 0 && areMaps && types.has('object') && !isFlow) yield withoutDashes(text, node);
}

function hasIdentity(node: MappingNode): boolean {
  return node.entries.some(({ key }) => key.kind === 'scalar' && IDENTITIES.test(key.text));
}

/** A mapping that should be the only item of a list. */
function itemOf(text: string, node: Node, isFlow: boolean, certain: boolean): Proposal {
  const title = 'Write a list of one item';
  if (isFlow) {
    const edits = [
      { start: node.start, end: node.start, text: '[' },
      { start: node.end, end: node.end, text: ']' },
    ];
    return { title, edits, certain };
  }
  const edits = [{ start: node.start, end: node.start, text: '- ' }];
  for (const match of text.slice(node.start, node.end).matchAll(/\n(?=[^\r\n])/g)) {
    const at = node.start + match.index + 1;
    if (at < node.end) edits.push({ start: at, end: at, text: '  ' });
  }
  return { title, edits, certain };
}

/** Mappings whose dashes would make them a list. */
function withoutDashes(text: string, node: Node): Proposal {
  const column = node.start - (text.lastIndexOf('\n', node.start - 1) + 1);
  const dashes = [...text.slice(node.start, node.end).matchAll(/(?<=^|\n)( *)- /g)].filter(
    (match) => match.index === 0 || (match[1] ?? '').length === column,
  );
  const edits = dashes.map((match) => {
    const at = node.start + match.index + (match[1] ?? '').length;
    return { start: at, end: at + 2, text: '  ' };
  });
  return { title: 'Remove the dashes', edits, certain: true };
}
