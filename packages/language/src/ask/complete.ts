// Completions at a place: a probe is inserted there, the text is read, and the schema tells which texts fit at the probe.
import {
  applyEdits,
  type Node,
  type Path,
  parseJson,
  parseYaml,
  type TextDocument,
  type TextEdit,
} from '@coreiso/diagnostics';
import { isSecretPath } from '@coreiso/peers/secret-names';
import type { LanguageKind } from '../kinds.ts';
import { nodesTo } from '../path-at.ts';
import { membersOf, type Schema, shapesAt, typesOf, wordsOf } from '../schema.ts';
import { markdownOf } from './hover.ts';
import { interfacesAround, isReference, MAC_KEY, valuesOf } from './references.ts';

/** A key or value that fits at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value';
  /** The documentation, as Markdown. */
  readonly markdown?: string;
  /** Replaces the text typed so far. */
  readonly edit: TextEdit;
}

const PROBE = 'x__probe__x';

/** A text with a probe in it, and the range that a completion replaces. */
interface ProbedText {
  readonly text: string;
  /** The same, cut off after the probe: for texts with mistakes further down. */
  readonly cut: string;
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
  /** Written after a completed key. */
  readonly behind: string;
  /** Written around names and texts. */
  readonly quote: string;
}

export function completionsAt(
  kind: LanguageKind,
  text: string,
  offset: number,
  related: readonly TextDocument[] = [],
): readonly Completion[] {
  const probed = kind === 'ignition' ? probeJson(text, offset) : probeYaml(text, offset);
  if (probed === undefined) return [];
  const found = locateProbe(kind, probed);
  if (found === undefined) return [];
  const { document, path, isMember } = found;
  const { root } = document;
  const edit = (written: string): TextEdit => ({ start: probed.start, end: probed.end, text: written });
  const described = (name: string, shapes: readonly Schema[], at: Path): Pick<Completion, 'markdown'> => {
    const markdown = markdownOf(name, shapes, isSecretPath(at));
    return markdown === undefined ? {} : { markdown };
  };
  if (isMember && probed.isKey) {
    const parent = path.slice(0, -1);
    const holder = nodesTo(document, parent)[parent.length];
    const taken = new Set(holder?.kind === 'mapping' ? holder.entries.map(({ key }) => textOf(key)) : []);
    const members = [...membersOf(shapesAt(kind, root, parent))].filter(([name]) => !taken.has(name));
    const { quote, behind } = probed;
    const keys = members.map(([name]): Completion => {
      const at = [...parent, name];
      const shown = described(name, shapesAt(kind, root, at), at);
      return { label: name, kind: 'key', ...shown, edit: edit(`${quote}${name}${quote}${behind}`) };
    });
    // An item that begins with a word may be the word itself.
    return keys.length > 0 ? keys : valuesAt(kind, document, parent, related, probed, edit);
  }
  return valuesAt(kind, document, path, related, probed, edit);
}

function valuesAt(
  kind: LanguageKind,
  document: TextDocument,
  path: Path,
  related: readonly TextDocument[],
  { quote }: ProbedText,
  edit: (written: string) => TextEdit,
): Completion[] {
  if (isSecretPath(path)) return [];
  const shapes = shapesAt(kind, document.root, path);
  const types = typesOf(shapes);
  const texts = [...wordsOf(shapes), ...namesAt(document, path, related)];
  const literals = types.has('boolean') ? ['true', 'false'] : [];
  const words = [...new Set(texts)].filter((word) => word !== '' && word !== PROBE && !literals.includes(word));
  const value = (label: string, written: string): Completion => ({ label, kind: 'value', edit: edit(written) });
  return [
    ...words.map((word) => value(word, quote + inYaml(word, quote) + quote)),
    ...literals.map((word) => value(word, word)),
  ];
}

/** Quotes a word that YAML would read as another type. */
function inYaml(word: string, quote: string): string {
  return quote === '' && /^(?:true|false|yes|no|on|off|null|~|[\d.]+)$|[:#]\s|^[&*!|>'"%@`{[]/i.test(word)
    ? `'${word}'`
    : word;
}

/** Values from elsewhere in the document, or from related files. */
function namesAt(document: TextDocument, path: Path, related: readonly TextDocument[]): readonly string[] {
  const name = String(path.at(-1));
  const all = (key: RegExp): string[] =>
    [document, ...related].flatMap((one) => valuesOf(one, key).map(({ text }) => text));
  if (MAC_KEY.test(name)) return all(MAC_KEY);
  if (name === 'rendezvousIP') return all(/^ip$/).map((text) => text.split('/')[0] ?? '');
  if (name === 'hostname')
    return related.flatMap((one) => valuesOf(one, /^(?:hostname|name)$/).map(({ text }) => text));
  return isReference(path) ? interfacesAround(document, path).map(({ text }) => text) : [];
}

function textOf(node: Node): string {
  return node.kind === 'scalar' ? node.text : '';
}

/** The place of the probe, if the text can be read that far. */
function locateProbe(
  kind: LanguageKind,
  { text, cut }: ProbedText,
): { readonly document: TextDocument; readonly path: Path; readonly isMember: boolean } | undefined {
  for (const one of new Set([text, cut])) {
    const outcomes = kind === 'ignition' ? [parseJson(one)] : parseYaml(one, { flavour: 'go' });
    for (const outcome of outcomes) {
      const found = outcome.ok && outcome.value.root !== undefined ? find(outcome.value.root) : undefined;
      if (outcome.ok && found !== undefined) return { document: outcome.value, ...found };
    }
  }
  return undefined;
}

function find(root: Node): { readonly path: Path; readonly isMember: boolean } | undefined {
  const places: { node: Node; path: Path }[] = [{ node: root, path: [] }];
  for (const { node, path } of places) {
    if (node.kind === 'scalar' && node.text === PROBE) return { path, isMember: false };
    if (node.kind === 'sequence')
      for (const [index, item] of node.items.entries()) places.push({ node: item, path: [...path, index] });
    if (node.kind !== 'mapping') continue;
    for (const { key, value } of node.entries) {
      if (textOf(key) === PROBE) return { path: [...path, PROBE], isMember: true };
      places.push({ node: value, path: [...path, textOf(key)] });
    }
  }
  return undefined;
}

const YAML_KEY = /^(\s*(?:- +)*)(["']?[\w./-]*)$/;
/** For a list on one line: the item that is being typed. */
const YAML_VALUE = /^(\s*(?:- +)*["']?[\w./-]+["']?\s*:\s+(?:\[(?:[^"'#\]]*,)?\s*)?)(["']?)([^"'#]*)$/;

function probeYaml(text: string, offset: number): ProbedText | undefined {
  const rest = /[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  const before = /[^\r\n]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const start = offset - before.length;
  const end = offset + rest.length;
  const probed = (
    lead: string,
    typed: number,
    line: string,
    more: Pick<ProbedText, 'isKey' | 'behind' | 'quote'>,
  ): ProbedText => {
    const whole = applyEdits(text, [{ start, end, text: lead + line }]);
    const [word = ''] = (more.isKey ? /^[\w./-]*/ : /^[\w./:-]*/).exec(rest) ?? [];
    const closing = more.quote !== '' && rest.startsWith(more.quote, word.length) ? 1 : 0;
    return {
      ...more,
      text: whole,
      cut: whole.slice(0, start + lead.length + line.length),
      start: typed,
      end: offset + word.length + closing,
    };
  };
  const [, lead, word = ''] = YAML_KEY.exec(before) ?? [];
  if (lead !== undefined) {
    const hasColon = /^[\w./-]*["']?\s*:/.test(rest);
    const value = hasColon ? rest.slice(rest.indexOf(':')) : ': 1';
    return probed(lead, start + lead.length, `${PROBE}${value}`, {
      isKey: true,
      behind: hasColon ? '' : ': ',
      quote: word.startsWith('"') ? '"' : word.startsWith("'") ? "'" : '',
    });
  }
  const [, head, quote = '', typed = ''] = YAML_VALUE.exec(before) ?? [];
  if (head === undefined) return undefined;
  const line = head.includes('[') ? `${PROBE}]` : PROBE;
  return probed(head, offset - typed.length - quote.length, line, { isKey: false, behind: '', quote });
}

function probeJson(text: string, offset: number): ProbedText | undefined {
  const before = text.slice(0, offset);
  const open: string[] = [];
  let last = '';
  let string: number | undefined;
  for (const match of before.matchAll(/"(?:[^"\\\r\n]|\\.)*("|$|(?=[\r\n]))|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const [token] = match;
    const isOpen = token.startsWith('"') && (token.length === 1 || !token.endsWith('"'));
    if (isOpen || (/^\w/.test(token) && match.index + token.length === offset)) string = match.index;
    else if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
    if (string === undefined) last = token;
  }
  const isKey = open.at(-1) === '{' && (last === '{' || last === ',');
  const isValue = last === ':' || (open.at(-1) === '[' && (last === '[' || last === ','));
  if (!isKey && !isValue) return undefined;
  const start = string ?? offset;
  const rest = text.slice(offset);
  const word = /^[\w./:-]*"?/.exec(rest)?.[0].length ?? 0;
  const hasColon = /^[\w./:-]*"?\s*:/.test(rest);
  const closers = open.toReversed().map((bracket) => (bracket === '{' ? '}' : ']'));
  const cut = `${text.slice(0, start)}"${PROBE}"${isKey ? ': 1' : ''}${closers.join('')}`;
  return {
    text: cut,
    cut,
    start,
    end: string === undefined ? offset : offset + word,
    isKey,
    behind: hasColon ? '' : ': ',
    quote: '"',
  };
}
