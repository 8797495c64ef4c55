// What is never shown: the values of secret members, and what is a secret by its looks. Texts that cannot be parsed are shown, too,
// and so this reads no tree: it goes by the names before a colon or an equals sign, and hides too much rather than too little.
import { requireList, requireText } from './arguments.ts';
import type { Path } from './diagnostic.ts';
import type { Extent } from './node.ts';

/**
 * Stands for whatever is not shown.
 *
 * @example message.replace(value, HIDDEN)
 */
export const HIDDEN = '<redacted>';

const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...['auth', 'auths', 'clientkeydata', 'dockerconfigjson', 'userdata'],
  // Whatever is written there goes to the node: keys of disks, tokens of servers, whole configs.
  ...['httpheaders', 'ignitionconfigoverride', 'keyfile'],
]);
const SECRET_ENDS =
  /(?:accesskey|apikey|cak|passphrase|password|passwordhash|presharedkey|privatekey|psk|secret|secretkey|token|wepkey\d*)$/;
/** Those that are still known with a slip of the finger in them. */
const LONG_ENDS = [
  ...['accesskey', 'apikey', 'dockerconfigjson', 'mkacak', 'passphrase', 'password', 'passwordhash'],
  ...['presharedkey', 'privatekey', 'secret', 'secretkey', 'token'],
];

/**
 * Whether the value of a member of this name must not be shown; `pullSecret` is such a name, `pullSecretRef` is not.
 *
 * @example isSecretName('pullSecret') // true
 */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_. ]/g, '');
  return SECRET_NAMES.has(plain) || SECRET_ENDS.test(plain);
}

/**
 * Whether a path leads to a secret member, or into one.
 *
 * @example isSecretPath(['hosts', 0, 'passwordHash']) // true
 */
export function isSecretPath(path: Path): boolean {
  requireList('path', path);
  return path.some((step) => typeof step === 'string' && isSecretName(step));
}

/** Before a member's value: its name with whatever stands around it, or got into it. */
const MEMBER = /(?<![\w.-])([^\s,{}:=][^\n\r,{}:=]{0,63})[:=]/g;
/** Quotes, perhaps inside of a quoted text, and marks of lists and comments. */
const BEFORE_NAME = /^(?:[-?#]? +|[-"'\\[#])*/;

/** Whether this stands where the name of a secret should: the name itself, or one that was mistyped. */
function isLikeSecretName(written: string): boolean {
  const [last = ''] = /[\w.-]+(?=[^\w.-]*$)/.exec(written) ?? [];
  if (isSecretName(last)) return true;
  const plain = written.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SECRET_ENDS.test(plain) || LONG_ENDS.some((end) => endsLike(plain, end));
}

/** Whether a name ends with a word that has one letter too many, one too few, a wrong one, or two that changed places. */
function endsLike(name: string, word: string): boolean {
  return (
    name.length >= word.length - 1 && [-1, 0, 1].some((more) => isOneSlip(name.slice(-(word.length + more)), word))
  );
}

function isOneSlip(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let [head, tail] = [0, 0];
  while (head < shorter && a[head] === b[head]) head++;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && `${left[1]}${left[0]}` === right);
}

/** A private key goes on to its last line, or to the end of the text. */
const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,64}PRIVATE KEY(?: BLOCK)?-----/g;

/** User and password of a URL; the first group may be shown. */
const URL_USERS: readonly RegExp[] = [
  /(:\/\/)[^\s/@"'\\]+(?=@)/g,
  // A password may have what ends the authority, and then it stands where a port should.
  /(:\/\/)[^\s/?#@"':[\]]*:(?!\d{1,5}[/?#])[^\s"']{0,256}(?=@)/g,
  // So it does where everything behind it is missing.
  /(:\/\/[^\s/?#@"':[\]]*:)(?!\d{0,5}(?:[^\w.%~!$&()*+=\\-]|$))[^\s"',}\]@]+/g,
];
/** How Go words its surprise about such a port. */
const BAD_PORT = /(invalid port ":)(?:\\.|[^"\\])*(?=" after host)/g;

/**
 * A text without the users and passwords of the URLs in it, however the URLs are broken.
 *
 * @example hideUsers('http://me:hunter2@proxy.test') // 'http://<redacted>@proxy.test'
 */
export function hideUsers(text: string): string {
  requireText('text', text);
  return [...URL_USERS, BAD_PORT].reduce((rest, pattern) => rest.replace(pattern, `$1${HIDDEN}`), text);
}

/** Secrets by their looks; the first group, if any, may be shown. */
const LOOKS: readonly RegExp[] = [
  // RFC 2397: the file that a config carries.
  /(?<![\w.-])(data:[\w/;=+.-]*,)[^\s"']+/g,
  // RFC 3986 3.2.1: user and password of a URL.
  ...URL_USERS,
  // The same with a blank in it.
  /(:\/\/[^\s/?#@"':[\]]*:)[ \t]{1,8}\S{1,256}(?=@)/g,
  // Signatures and tokens in queries.
  /([?&][\w.-]*(?:sig|signature|token|secret|password|credential|key)=)[^&#\s"']+/gi,
  // crypt(3) hashes.
  /(\$(?:1|2[abxy]?|5|6|7|y|gy)\$)[./A-Za-z0-9$=,-]+/g,
  // RFC 7519 tokens.
  /(?<![\w.-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g,
];

/** The stretches of a text that must not be shown, in order and apart from each other. */
export function secretExtents(text: string): readonly Extent[] {
  const found: Extent[] = [];
  MEMBER.lastIndex = 0;
  for (let match = MEMBER.exec(text); match !== null; match = MEMBER.exec(text)) {
    const [, written = ''] = match;
    if (!isLikeSecretName(written)) continue;
    const before = BEFORE_NAME.exec(written)?.[0].length ?? 0;
    const extent = valueExtent(text, match.index + before, MEMBER.lastIndex);
    found.push(extent);
    MEMBER.lastIndex = Math.max(MEMBER.lastIndex, extent.end);
  }
  for (const { index, 0: begin } of text.matchAll(KEY_BEGIN)) {
    const start = index + begin.length;
    const end = text.indexOf('-----END ', start);
    found.push({ start, end: end === -1 ? text.length : end });
    if (end === -1) break;
  }
  for (const pattern of LOOKS) {
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      found.push({ start: match.index + (match[1]?.length ?? 0), end });
    }
  }
  return merged(found.filter(({ start, end }) => start < end));
}

function merged(extents: readonly Extent[]): Extent[] {
  const result: Extent[] = [];
  for (const extent of extents.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || extent.start > last.end) result.push(extent);
    else if (extent.end > last.end) result[result.length - 1] = { start: last.start, end: extent.end };
  }
  return result;
}

/** How far to look back for the beginning of a line; only JSON has longer ones. */
const REACH = 4096;

/** What belongs to the member at `key`, whose value begins somewhere behind `after`. */
function valueExtent(text: string, key: number, after: number): Extent {
  const start = skip(text, after, /[ \t]*/y);
  // JSON goes on in the next line, and so may YAML.
  const next = skip(text, start, /\s*/y);
  const first = text[next] ?? '';
  if (first === '{' || first === '[') return { start: next, end: bracketEnd(text, next) };
  const quote = /\\*(["'])/y;
  quote.lastIndex = next;
  const opening = quote.exec(text);
  if (opening !== null) return quotedExtent(text, next + opening[0].length, opening[0]);
  const near = text.slice(Math.max(0, key - REACH), key);
  const before = near.slice(near.lastIndexOf('\n') + 1);
  const isFlow = before.lastIndexOf('{') > before.lastIndexOf('}') || before.length === REACH;
  return { start, end: isFlow ? skip(text, start, /[\]}]*[^,}\n]*/y) : blockEnd(text, start, before.length) };
}

function skip(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  pattern.exec(text);
  return pattern.lastIndex;
}

/** To the closing quote; what then stands before the next member shows that the quote was no end, and is hidden with it. */
function quotedExtent(text: string, start: number, quote: string): Extent {
  const end = closingQuote(text, start, quote);
  if (end === text.length) return { start, end };
  const behind = skip(text, end + quote.length, /[ \t]*/y);
  return { start, end: /^$|[\s,}\]#\\"']/.test(text[behind] ?? '') ? end : skip(text, behind, /[^\r\n]*/y) };
}

/** Or the end of the text. In double quotes a backslash escapes, in single quotes a second quote does. */
function closingQuote(text: string, start: number, quote: string): number {
  let end = text.indexOf(quote, start);
  while (end !== -1 && isEscaped(text, start, end, quote)) end = text.indexOf(quote, end + (quote === "'" ? 2 : 1));
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, start: number, at: number, quote: string): boolean {
  if (quote === "'") return text[at + 1] === "'";
  if (quote !== '"') return false;
  let backslashes = 0;
  while (at - backslashes > start && text[at - backslashes - 1] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** The end of a bracket that is closed, or of the text. */
function bracketEnd(text: string, start: number): number {
  const marks = /["'{}[\]]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const [character] = mark;
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else marks.lastIndex = Math.min(closingQuote(text, mark.index + 1, character) + 1, text.length);
    if (depth === 0) return mark.index + 1;
  }
  return text.length;
}

/** The end of the line, and of all lines behind it that stand deeper than the key. */
function blockEnd(text: string, start: number, column: number): number {
  let end = skip(text, start, /[^\r\n]*/y);
  for (;;) {
    const next = skip(text, end, /\r?\n/y);
    const content = next === 0 ? 0 : skip(text, next, / */y);
    if (next === 0 || next >= text.length) return end;
    const isEmpty = /[\r\n]/.test(text[content] ?? '');
    if (!isEmpty && content - next <= column) return end;
    end = skip(text, content, /[^\r\n]*/y);
  }
}
