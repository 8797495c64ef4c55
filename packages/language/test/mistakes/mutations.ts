// Common mistakes in such documents, taken from bug reports: each changes a valid text in one place.
import type { LanguageKind } from '@coreiso/language';
import type { Random } from '../../../../test/support/random.ts';

/** A text with one mistake and its line; undefined if the text has no place for it. */
export type Mutation = (text: string, random: Random) => { broken: string; line: number } | undefined;

/** The number of the line that contains an offset. */
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

interface Found {
  readonly index: number;
  readonly whole: string;
  readonly groups: readonly (string | undefined)[];
}

function find(text: string, pattern: RegExp, random: Random): Found | undefined {
  const all = [...text.matchAll(pattern)];
  if (all.length === 0) return undefined;
  const match = random.pick(all);
  return { index: match.index, whole: match[0], groups: match.slice(1) };
}

/** Replaces one of the places that a pattern matches. */
function swap(pattern: RegExp, write: (found: Found, random: Random) => string | undefined): Mutation {
  return (text, random) => {
    const found = find(text, pattern, random);
    const written = found && write(found, random);
    if (found === undefined || written === undefined || written === found.whole) return undefined;
    const broken = text.slice(0, found.index) + written + text.slice(found.index + found.whole.length);
    const lead = /^\s*/.exec(found.whole)?.[0].length ?? 0;
    return { broken, line: lineAt(text, found.index + lead) };
  };
}

function slip(word: string, random: Random): string {
  const at = 1 + random.below(Math.max(1, word.length - 2));
  switch (random.below(4)) {
    case 0:
      return word.slice(0, at) + word.slice(at + 1);
    case 1:
      return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
    case 2:
      return word.slice(0, at) + (word[at] ?? '') + word.slice(at);
    default:
      return word.slice(0, at) + random.pick([...'aeiorstn']) + word.slice(at + 1);
  }
}

/** A key in block style, after blanks and dashes. */
const YAML_KEY = /^([ ]*(?:- )*)([A-Za-z][\w-]{3,})(?=:(?:\s|$))/gm;

const rename = (write: (key: string, random: Random) => string): Mutation =>
  swap(YAML_KEY, ({ groups: [lead = '', key = ''] }, random) => {
    const written = write(key, random);
    return written === key ? undefined : lead + written;
  });

/** Mistakes in YAML by label, each with the function that makes it. */
export const YAML_MISTAKES: Readonly<Record<string, Mutation>> = {
  'misspelt key': rename(slip),
  'key with other case': rename((key) =>
    /[A-Z]/.test(key) ? key.toLowerCase() : key.charAt(0).toUpperCase() + key.slice(1),
  ),
  'key with underscores': rename((key) =>
    key.replaceAll('-', '_').replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a}_${b.toLowerCase()}`),
  ),
  'key in camel case or dashes': rename((key) =>
    key.includes('-')
      ? key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      : key.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a}-${b.toLowerCase()}`),
  ),
  'no blank behind the colon': swap(
    /^([ ]*(?:- )*[A-Za-z][\w-]*): (?=[^\s'"[{|>])/gm,
    ({ groups: [lead = ''] }) => `${lead}:`,
  ),
  'no blank behind the dash': swap(/^([ ]*)- (?=[A-Za-z])/gm, ({ groups: [lead = ''] }) => `${lead}-`),
  'no colon': swap(/^([ ]*(?:- )*[A-Za-z][\w-]*):(?= \S)/gm, ({ groups: [lead = ''] }) => lead),
  'equals sign': swap(/^([ ]*(?:- )*[A-Za-z][\w-]*): (?=[^\s'"[{|>])/gm, ({ groups: [lead = ''] }) => `${lead} = `),
  'tab in one line': swap(/^( {2,})(?=\S)/gm, ({ groups: [blanks = ''] }) =>
    '\t'.repeat(Math.max(1, Math.floor(blanks.length / 2))),
  ),
  'tabs all over': (text) => {
    if (!/^ {2}/m.test(text)) return undefined;
    const broken = text.replace(/^( {2})+/gm, (blanks) => '\t'.repeat(blanks.length / 2));
    return { broken, line: lineAt(broken, broken.search(/^\t/m)) };
  },
  'one blank too many': swap(/^( +)(?=[A-Za-z][\w-]*:)/gm, ({ groups: [blanks = ''] }) => `${blanks} `),
  'one blank too few': swap(/^( +) (?=[A-Za-z][\w-]*:)/gm, ({ groups: [blanks = ''] }) => blanks),
  'two blanks too many': swap(/^( +)(?=[A-Za-z][\w-]*: \S)/gm, ({ groups: [blanks = ''] }) => `${blanks}  `),
  'two blanks too few': swap(/^( {2,}) {2}(?=[A-Za-z][\w-]*: \S)/gm, ({ groups: [blanks = ''] }) => blanks),
  'no-break blanks': swap(/^( {2,})(?=\S)/gm, ({ groups: [blanks = ''] }) => '\u00a0'.repeat(blanks.length)),
  'typographic quotes': swap(/: ([a-z][\w./-]*)$/gm, ({ groups: [value = ''] }) => `: \u201c${value}\u201d`),
  'closing quote missing': swap(/: ([a-z][\w./-]*)$/gm, ({ groups: [value = ''] }) => `: "${value}`),
  'opening quote missing': swap(/: ([a-z][\w./-]*)$/gm, ({ groups: [value = ''] }) => `: ${value}"`),
  'quotes that do not match': swap(/: ([a-z][\w./-]*)$/gm, ({ groups: [value = ''] }) => `: "${value}'`),
  'comma behind the value': swap(/: ([a-z][\w./-]*|\d+)$/gm, ({ groups: [value = ''] }) => `: ${value},`),
  'number in quotes': swap(/: (\d+)$/gm, ({ groups: [value = ''] }) => `: "${value}"`),
  'truth in quotes': swap(/: (true|false)$/gm, ({ groups: [value = ''] }) => `: "${value}"`),
  'yes for true': swap(/: (true|false)$/gm, ({ groups: [value = ''] }) => `: ${value === 'true' ? 'yes' : 'no'}`),
  'MAC with dashes': swap(
    /: ((?:[0-9a-f]{2}:){5}[0-9a-f]{2})$/gm,
    ({ groups: [value = ''] }) => `: ${value.replaceAll(':', '-')}`,
  ),
  'MAC with dots': swap(
    /: ((?:[0-9a-f]{2}:){5}[0-9a-f]{2})$/gm,
    ({ groups: [value = ''] }) => `: ${value.replaceAll(':', '').replace(/(....)(....)(....)/, '$1.$2.$3')}`,
  ),
  'MAC without colons': swap(
    /: ((?:[0-9a-f]{2}:){5}[0-9a-f]{2})$/gm,
    ({ groups: [value = ''] }) => `: ${value.replaceAll(':', '')}`,
  ),
  'O for zero in a MAC': swap(
    /: (52:54:00(?::[0-9a-f]{2}){3})$/gm,
    ({ groups: [value = ''] }) => `: ${value.replace('00', 'OO')}`,
  ),
  'MAC cut short': swap(
    /: ((?:[0-9a-f]{2}:){5})[0-9a-f]{2}$/gm,
    ({ groups: [value = ''] }) => `: ${value.slice(0, -1)}`,
  ),
  'comma in an address': swap(/: (192\.168)\.(\d+\.\d+)$/gm, ({ groups: [head, tail] }) => `: ${head},${tail}`),
  'address with a number too large': swap(/: (192\.168\.\d+)\.(\d+)$/gm, ({ groups: [head] }) => `: ${head}.300`),
  'prefix length in the address': swap(
    /^(\s*- ip: \d+\.\d+\.\d+\.\d+)\n\s*prefix-length: (\d+)$/gm,
    ({ groups: [head, length] }) => `${head}/${length}`,
  ),
  'prefix length in the address twice': swap(/^(\s*- ip: \d+\.\d+\.\d+\.\d+)$/gm, ({ groups: [head] }) => `${head}/24`),
  'mask for the prefix length': swap(/prefix-length: 24$/gm, () => 'prefix-length: 255.255.255.0'),
  'slash before the prefix length': swap(/prefix-length: 24$/gm, () => 'prefix-length: /24'),
  'value for a list': swap(
    /(server|search|apiVIPs|ingressVIPs|port):\n\s*- ([\w.]+)$(?!\n\s*- )/gm,
    ({ groups: [key, value] }) => `${key}: ${value}`,
  ),
  'map for a list': swap(
    /^( *)- (ip: \S+)\n( *)(prefix-length)/gm,
    ({ groups: [pad = '', first, , second] }) => `${pad}  ${first}\n${pad}  ${second}`,
  ),
  'list for a map': (text, random) => {
    const found = find(text, /^( *)(metadata|rootDeviceHints|vlan|config|stp):\n((?:\1 {2,}.*\n)+)/gm, random);
    const [pad = '', key, body = ''] = found?.groups ?? [];
    if (found === undefined) return undefined;
    const items = body
      .replace(/\n$/, '')
      .split('\n')
      .map((line, index) => `${pad}  ${index === 0 ? '- ' : '  '}${line.slice(pad.length + 2)}`);
    const broken = `${text.slice(0, found.index)}${pad}${key}:\n${items.join('\n')}\n${text.slice(found.index + found.whole.length)}`;
    return { broken, line: lineAt(text, found.index) + 1 };
  },
  'misspelt word': swap(
    /(state|type|role|mode|hyperthreading|networkType|architecture): ([A-Za-z][\w-]{3,})$/gm,
    ({ groups: [key, value = ''] }, random) => `${key}: ${slip(value, random)}`,
  ),
  'word in capitals': swap(
    /(state|type|role): ([a-z][\w-]*)$/gm,
    ({ groups: [key, value = ''] }) => `${key}: ${value.charAt(0).toUpperCase()}${value.slice(1)}`,
  ),
  'misspelt reference': swap(
    /(next-hop-interface|base-iface): ([\w.]{3,})$/gm,
    ({ groups: [key, value = ''] }, random) => `${key}: ${slip(value, random)}`,
  ),
  'host name in capitals': swap(
    /hostname: ([a-z][\w-]*)$/gm,
    ({ groups: [value = ''] }) => `hostname: ${value.toUpperCase()}`,
  ),
  'host name with underscores': swap(
    /hostname: ([a-z][\w-]*)$/gm,
    ({ groups: [value = ''] }) => `hostname: ${value.replaceAll('-', '_')}`,
  ),
  'line given twice': (text, random) => {
    const found = find(text, /^( +)([A-Za-z][\w-]*: \S+)\n/gm, random);
    if (found === undefined) return undefined;
    const end = found.index + found.whole.length;
    return { broken: text.slice(0, end) + found.whole + text.slice(end), line: lineAt(text, end) };
  },
  'everything below spec': (text) => {
    const root = text.search(/^[a-z]/m);
    if (root === -1 || /^(?:apiVersion|kind)/m.test(text)) return undefined;
    const body = text.slice(root).replace(/^(?=.)/gm, '  ');
    return { broken: `${text.slice(0, root)}spec:\n${body}`, line: lineAt(text, root) };
  },
  'pull secret in double quotes': swap(/^pullSecret: '(.*)'$/gm, ({ groups: [secret] }) => `pullSecret: "${secret}"`),
  'pull secret without quotes': swap(/^pullSecret: '(.*)'$/gm, ({ groups: [secret] }) => `pullSecret: ${secret}`),
  'network with host bits': swap(
    /cidr: (\d+\.\d+\.\d+)\.0\/(\d+)$/gm,
    ({ groups: [head, length] }) => `cidr: ${head}.1/${length}`,
  ),
  'network without prefix length': swap(/cidr: (\d+\.\d+\.\d+\.0)\/\d+$/gm, ({ groups: [head] }) => `cidr: ${head}`),
  'other version of the document': swap(/^apiVersion: \S+$/gm, () => 'apiVersion: v1alpha9'),
  'member a level too high': (text, random) => {
    const found = find(text, /^( *)(networkConfig|networking|ipv4|vlan):\n((?:\1 +.*\n)+)/gm, random);
    const [pad = '', , body = ''] = found?.groups ?? [];
    const line = body.split('\n')[0] ?? '';
    if (found === undefined || !/: \S/.test(line) || body.split('\n').length < 4) return undefined;
    const head = found.whole.slice(0, found.whole.indexOf('\n') + 1);
    const broken = `${text.slice(0, found.index)}${pad}${line.trim()}\n${head}${body.slice(line.length + 1)}${text.slice(found.index + found.whole.length)}`;
    return { broken, line: lineAt(text, found.index) };
  },
  'required key missing': (text, random) => {
    const found = find(text, /^( *)macAddress: .*\n/gm, random);
    if (found === undefined) return undefined;
    return {
      broken: text.slice(0, found.index) + text.slice(found.index + found.whole.length),
      line: lineAt(text, found.index) - 1,
    };
  },
  'value in brackets': swap(
    /^( *(?:- )?[\w-]+): ([^\s"'{[|>][^\n]*)$/gm,
    ({ groups: [key, value] }) => `${key}: [${value}]`,
  ),
  'stray character behind a colon': swap(
    /^( *[A-Za-z][\w-]*):$/gm,
    ({ groups: [key] }, random) => `${key}:${random.pick(['\\', '.', '}', '"', "'", ';'])}`,
  ),
  'stray character behind a value': swap(
    /^( *(?:- )?[\w-]+): ([\w.:/-]+)$/gm,
    ({ groups: [key, value] }, random) => `${key}: ${value}${random.pick([',', ';', '\\', '.'])}`,
  ),
  'block a step too deep': (text, random) => {
    const found = find(text, /^( +)([A-Za-z][\w-]*):\n((?:\1 +.*\n)+)/gm, random);
    if (found === undefined) return undefined;
    const broken = text.slice(0, found.index) + found.whole.replace(/^/gm, ' ').replace(/ $/, '');
    return { broken: broken + text.slice(found.index + found.whole.length), line: lineAt(text, found.index) };
  },
  'dash where none belongs': swap(
    /^( +)(type|state|role|ipv4|vlan|interfaces|networkConfig|platform|cidr): ?$/gm,
    ({ groups: [pad, key] }) => `${pad}- ${key}:`,
  ),
  'value is null': swap(
    /^( *)(prefix-length|replicas|macAddress|next-hop-interface): \S+$/gm,
    ({ groups: [pad, key] }) => `${pad}${key}:`,
  ),
};

const JSON_KEY = /"([a-zA-Z]{4,})"(?=:)/g;

/** The same in Ignition configs. */
export const JSON_MISTAKES: Readonly<Record<string, Mutation>> = {
  'misspelt key': swap(JSON_KEY, ({ groups: [key = ''] }, random) => `"${slip(key, random)}"`),
  'key in lower case': swap(/"([a-z]+[A-Z]\w*)"(?=:)/g, ({ groups: [key = ''] }) => `"${key.toLowerCase()}"`),
  'key with underscores': swap(
    /"([a-z]+[A-Z]\w*)"(?=:)/g,
    ({ groups: [key = ''] }) => `"${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`,
  ),
  'comma behind the last': swap(/(["\w}\]])(?=\n\s*[}\]])/g, ({ groups: [last] }) => `${last},`),
  'comma missing': swap(/(["\w}\]]),(?=\n)/g, ({ groups: [last] }) => `${last}`),
  'colon missing': swap(/"(\w+)": (?=["\d])/g, ({ groups: [key] }) => `"${key}" `),
  'line comment': swap(/,\n/g, () => ', // see the wiki\n'),
  'shell comment': swap(/,\n/g, () => ', # see the wiki\n'),
  'single quotes': swap(/: "([^"'\\]*)"/g, ({ groups: [value] }) => `: '${value}'`),
  'typographic quotes': swap(/: "([^"'\\]*)"/g, ({ groups: [value] }) => `: \u201c${value}\u201d`),
  'key without quotes': swap(/"(\w+)"(?=: )/g, ({ groups: [key] }) => `${key}`),
  'text without quotes': swap(/: "([\w./]+)"/g, ({ groups: [value] }) => `: ${value}`),
  'closing quote missing': swap(/: "([^"\\]*)"(?=,?\n)/g, ({ groups: [value] }) => `: "${value}`),
  'octal mode': swap(/"mode": (\d+)/g, ({ groups: [mode] }) => `"mode": 0${Number(mode).toString(8)}`),
  'octal mode in quotes': swap(/"mode": (\d+)/g, ({ groups: [mode] }) => `"mode": "0${Number(mode).toString(8)}"`),
  'mode in quotes': swap(/"mode": (\d+)/g, ({ groups: [mode] }) => `"mode": "${mode}"`),
  'truth in quotes': swap(/: (true|false)/g, ({ groups: [word] }) => `: "${word}"`),
  'word of Python': swap(
    /: (true|false)/g,
    ({ groups: [word = ''] }) => `: ${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  ),
  'content for contents': swap(/"contents": (?=\{)/g, () => '"content": '),
  'text for contents': swap(/"contents": \{\s*"source": "data:,hello"\s*\}/g, () => '"contents": "hello"'),
  'relative path': swap(/"path": "\/(\w)/g, ({ groups: [letter] }) => `"path": "${letter}`),
  'path that is not simple': swap(/"path": "\/(\w+)\//g, ({ groups: [first] }) => `"path": "/${first}//`),
  'slash at the end of a path': swap(/"path": "(\/[^"]+)"/g, ({ groups: [path] }) => `"path": "${path}/"`),
  'misspelt scheme': swap(
    /"source": "https:/g,
    (_, random) => `"source": "${random.pick(['htps', 'htpps', 'httpss', 'hhtps'])}:`,
  ),
  'no scheme': swap(/"source": "data:,hello"/g, () => '"source": "hello"'),
  'closing bracket missing': (text) => {
    const end = text.trimEnd().length - 1;
    return { broken: `${text.slice(0, end).trimEnd()}\n`, line: lineAt(text, text.slice(0, end).trimEnd().length) };
  },
  'map for a list': swap(
    /"(directories|links|users|units)": \[\s*(\{[^[\]{}]*\})\s*\]/g,
    ({ groups: [key, inner] }) => `"${key}": ${inner}`,
  ),
  'value for a list': swap(
    /"sshAuthorizedKeys": \[\s*("[^"]*")\s*\]/g,
    ({ groups: [value] }) => `"sshAuthorizedKeys": ${value}`,
  ),
  'files at the top': (text) => {
    const match = /"storage": (\{[\s\S]*?\n( +)\}),\n( +)"systemd": \{\s*"units": (\[[\s\S]*\])\s*\}/.exec(text);
    if (match === null) return undefined;
    const at = match.index + match[0].indexOf('"systemd"');
    const broken = `${text.slice(0, at)}"units": ${match[4]}${text.slice(match.index + match[0].length)}`;
    return { broken, line: lineAt(text, at) };
  },
  'unit without ending': swap(/"example\.service"/g, () => '"example"'),
  'version without patch': swap(/"version": "(3\.\d)\.0"/g, ({ groups: [version] }) => `"version": "${version}"`),
  'version as a number': swap(/"version": "(3\.\d)\.0"/g, ({ groups: [version] }) => `"version": ${version}`),
  'comma inside the quotes': swap(/: "([^"'\\]*)",(?=\n)/g, ({ groups: [value] }) => `: "${value},"`),
  'semicolon behind a bracket': swap(/([{[])(?=\n)/g, ({ groups: [bracket] }) => `${bracket};`),
  'value in brackets': swap(/: (\d+|true|false)(?=,?\n)/g, ({ groups: [value] }) => `: [${value}]`),
  'compression unknown': swap(/"compression": "gzip"/g, () => '"compression": "gz"'),
};

export function mistakesOf(kind: LanguageKind): Readonly<Record<string, Mutation>> {
  return kind === 'ignition' ? JSON_MISTAKES : YAML_MISTAKES;
}
