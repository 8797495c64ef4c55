// Finds secrets to hide: the values of secret members, and texts that look like secrets. Works on texts that cannot be parsed, too:
// it needs no tree but looks for names before a colon or an equals sign, and rather hides too much than too little.
import { URL_SIGNATURES, URL_USERS } from '@coreiso/peers/hidden';
import { isLikeSecretName } from '@coreiso/peers/secret-names';
import type { Extent } from './node.ts';

/** The text before a member's value: its name, with quotes and marks around it or typos in it. */
const MEMBER = /(?<![\w.-])([^\s,{}:=][^\n\r,{}:=]{0,255})[:=]/g;
/** The same for an explicit key (`? key`), whose colon is on the next line. */
const EXPLICIT_MEMBER = /^[ \t]*(?:- +)*\? {1,8}(\S[^\n\r]{0,255})(?:\r\n?|\n)[ \t]{0,64}:(?=\s)/gm;
/** An object whose `data` has members of any name. */
const SECRET_OBJECT = /(?:^|[\n\r,{])[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?Secret\b/;
/** Quotes, perhaps inside a quoted text, and marks of lists and comments. */
const BEFORE_NAME = /^(?:[-?#]? +|[-"'\\[#])*/;

/** A private key ends with its last line, or with the text. */
const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,64}PRIVATE KEY(?: BLOCK)?-----/g;

/** Texts that look like secrets; the first group, if any, may be shown. */
const LOOKS: readonly RegExp[] = [
  // RFC 2397: the contents of a file in a config.
  /(?<![\w.-])(data:[\w/;=+.-]*,)[^\s"']+/g,
  // RFC 3986 3.2.1: user and password of a URL.
  ...URL_USERS,
  // The same with a blank in it.
  /(:\/\/[^\s/?#@"':[\]]*:)[ \t]{1,8}\S{1,256}(?=@)/g,
  URL_SIGNATURES,
  // RFC 6750 and RFC 7617: headers in logs of requests.
  /(?<![\w.-])((?:bearer|basic) +)(?=\S*[\d+/=_.~-])[\w.~+/-]{8,}=*/gi,
  // crypt(3) hashes.
  /(\$(?:1|2[abxy]?|5|6|7|y|gy)\$)[./A-Za-z0-9$=,-]+/g,
  // RFC 7519 tokens.
  /(?<![\w.-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g,
];

/** The parts of a text that must not be shown, in order and without overlaps. */
export function secretExtents(text: string): readonly Extent[] {
  const found: Extent[] = [];
  const isSecretObject = SECRET_OBJECT.test(text);
  MEMBER.lastIndex = 0;
  for (let match = MEMBER.exec(text); match !== null; match = MEMBER.exec(text)) {
    const [, written = ''] = match;
    if (!isLikeSecretName(written) && !(isSecretObject && /^[^\w]*data[^\w]*$/.test(written))) continue;
    const before = BEFORE_NAME.exec(written)?.[0].length ?? 0;
    const extent = valueExtent(text, match.index + before, MEMBER.lastIndex);
    found.push(extent);
    MEMBER.lastIndex = Math.max(MEMBER.lastIndex, extent.end);
  }
  for (const match of text.matchAll(EXPLICIT_MEMBER)) {
    const after = match.index + match[0].length;
    if (isLikeSecretName(match[1] ?? '')) found.push(valueExtent(text, after - 1, after));
  }
  found.push(...anchoredExtents(text, found));
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
  return mergeExtents(found.filter(({ start, end }) => start < end));
}

function mergeExtents(extents: readonly Extent[]): Extent[] {
  const result: Extent[] = [];
  for (const extent of extents.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || extent.start > last.end) result.push(extent);
    else if (extent.end > last.end) result[result.length - 1] = { start: last.start, end: extent.end };
  }
  return result;
}

/** Anchored nodes that secret members refer to by an alias. */
function anchoredExtents(text: string, secrets: readonly Extent[]): Extent[] {
  const names = new Set<string>();
  for (const { start, end } of secrets) {
    for (const [, name = ''] of text.slice(start, end).matchAll(/(?<![^\s[{,])\*([^\s,[\]{}]+)/g)) names.add(name);
  }
  if (names.size === 0) return [];
  const anchors = [...text.matchAll(/(?<![^\s[{,])&([^\s,[\]{}]+)/g)].filter(([, name = '']) => names.has(name));
  return anchors.map(({ index, 0: anchor }) => {
    // The deeper lines belong to it, with anything that is before it on its line.
    return valueExtent(text, index - lineBefore(text, index).trimStart().length, index + anchor.length);
  });
}

/** How far to look back for the beginning of a line; only JSON has longer lines. */
const REACH = 4096;

/** The extent of the value of the member at `key`, which begins after `after`. */
function valueExtent(text: string, key: number, after: number): Extent {
  const start = skip(text, after, /[ \t]*/y);
  // JSON may continue on the next line, and so may YAML, with an anchor and a tag before the value.
  const isSetting = text[after - 1] === '=';
  const next = isSetting ? start : skip(text, start, /\s*(?:[&!][^\s,[\]{}"']*\s+)*/y);
  const first = text[next] ?? '';
  if (first === '{' || first === '[') return { start: next, end: bracketEnd(text, next) };
  const quote = /\\*(["'])/y;
  quote.lastIndex = next;
  const opening = quote.exec(text);
  if (opening !== null) return quotedExtent(text, next + opening[0].length, opening[0]);
  const before = lineBefore(text, key);
  const isFlow = before.lastIndexOf('{') > before.lastIndexOf('}') || before.length === REACH;
  return { start, end: isFlow ? flowEnd(text, start) : blockEnd(text, start, before.length) };
}

function lineBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - REACH), at);
  return near.slice(Math.max(near.lastIndexOf('\n'), near.lastIndexOf('\r')) + 1);
}

/** The end before the next member: a comma may be part of a password. */
function flowEnd(text: string, start: number): number {
  let end = skip(text, start, /[\]}]*[^,}]*/y);
  while (text[end] === ',' && !/,\s*(?:$|[^\s,}][^,}\r\n]{0,255}?[:=]|[}\]?#])/y.test(text.slice(end, end + 300))) {
    end = skip(text, end + 1, /[^,}]*/y);
  }
  return end;
}

function skip(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  pattern.exec(text);
  return pattern.lastIndex;
}

/**
 * The end at the closing quote. If text follows that cannot come after a value, the quote was part of the secret, and
 * the rest is hidden with it.
 */
function quotedExtent(text: string, start: number, quote: string): Extent {
  const end = closingQuote(text, start, quote);
  if (end === text.length) return { start, end };
  const behind = skip(text, end + quote.length, /[ \t]*/y);
  return { start, end: /^$|[\s,}\]#\\"']/.test(text[behind] ?? '') ? end : skip(text, behind, /[^\r\n]*/y) };
}

/**
 * The closing quote, or the end of the text. In double quotes a backslash escapes, in single quotes a second quote
 * does.
 */
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

/** The end of the matching bracket, or of the text. */
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

/** The end of the line and of all lines after it that are indented deeper than the key, or are items of its list. */
function blockEnd(text: string, start: number, column: number): number {
  let end = skip(text, start, /[^\r\n]*/y);
  let isValueMissing = text[start - 1] !== '=' && /^(?:[&!|>]\S*\s*)*(?:#.*)?$/.test(text.slice(start, end));
  for (;;) {
    const next = skip(text, end, /\r\n?|\n/y);
    const content = next === 0 ? 0 : skip(text, next, / */y);
    if (next === 0 || next >= text.length) return end;
    const isEmpty = /[\r\n]/.test(text[content] ?? '');
    const indent = content - next;
    const isItem = indent === column && /-(?:\s|$)/y.test(text.slice(content, content + 2));
    if (!isEmpty && indent <= column && !isItem && !(isValueMissing && isPlainContinuation(text, content))) return end;
    if (!isEmpty) isValueMissing = false;
    end = skip(text, content, /[^\r\n]*/y);
  }
}

/** Whether the line can only continue a value: it is not a member, an item or an end. */
function isPlainContinuation(text: string, start: number): boolean {
  return !/[^,\r\n]*[:=]|[\]},?#]|---|\.\.\./y.test(text.slice(start, skip(text, start, /[^\r\n]{0,300}/y)));
}
