import { decodeBase64 } from '@coreiso/peers/go';

const TOKEN = /[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]/;
const NOT_TOKEN = /[^!#$%&'*+\-.0-9A-Z^_`a-z{|}~]/g;
const TYPES = /^(?:text|image|audio|video|application|message|multipart)/;
const BAD_DATA = /[^!$-;=?-Z_a-z~]/;
const BAD_BASE64 = /[^A-Za-z0-9+/=\n]/;
const QUOTED_ESCAPE =
  /\\(?:[abfnrtv\\"]|x[0-9A-Fa-f]{2}|[0-3][0-7]{2}|u(?![dD][89A-Fa-f])[0-9A-Fa-f]{4}|U00(?:10|0[0-9A-Fa-f])(?!(?<=0000)[dD][89A-Fa-f])[0-9A-Fa-f]{4})/g;

/** Ignition's message about a `data:` URL that it cannot decode; undefined if it can. RFC 2397 with gaps. */
export function dataUrlFault(url: string): string | undefined {
  if (!url.startsWith('data:')) return 'missing data prefix';
  let position = 5;
  const first = url.charAt(position);
  if (first === '') return 'missing comma before data';
  if (first !== ';' && first !== ',') {
    if (!TOKEN.test(first)) return 'invalid character after data prefix';
    const start = position;
    const exotic = /[xX]/.test(first);
    // The decoder skips the character after an x before it checks the type.
    if (exotic) position += 1 + String.fromCodePoint(url.codePointAt(position + 1) ?? 0).length;
    const slash = endOfToken(url, position);
    if (slash >= url.length) return 'missing media type slash';
    if (url[slash] !== '/') return 'invalid character for media type';
    const type = url.slice(start, slash);
    if (!/^[xX]-/.test(type) && !TYPES.test(type)) return 'invalid media type';
    position = endOfToken(url, slash + 1);
    if (position >= url.length) return 'incomplete media type';
    if (!isSeparator(url[position])) return 'invalid character for media subtype';
  }
  let base64 = false;
  // The decoder keeps this flag after an empty quoted value, and applies it to the next unquoted one.
  let unquote = false;
  while (url[position] === ';') {
    const attribute = position + 1;
    const next = url.charAt(attribute);
    if (next === '' || next === '=' || next === ',') return 'unterminated parameter sequence';
    if (!TOKEN.test(next)) return 'invalid character for parameter attribute';
    position = endOfToken(url, attribute);
    if (position >= url.length) return 'unterminated parameter sequence';
    if (url[position] === ',') {
      const text = url.slice(attribute, position);
      if (text !== 'base64') return `expected base64, got ${text}`;
      base64 = true;
      break;
    }
    if (url[position] !== '=') return 'invalid character for parameter attribute';
    position++;
    const value = url.charAt(position);
    if (value === '') return 'missing comma before data';
    if (value === '"') {
      unquote = true;
      const end = endOfQuoted(url, position + 1);
      if (typeof end === 'string') return end;
      if (end > position + 1) {
        unquote = false;
        if (!isQuotable(url.slice(position + 1, end))) return 'invalid syntax';
      }
      position = end + 1;
      if (position >= url.length) return 'missing comma before data';
      if (!isSeparator(url[position])) return 'expected semicolon or comma';
    } else {
      if (!TOKEN.test(value)) return 'invalid character for parameter value';
      const end = endOfToken(url, position);
      if (end >= url.length) return 'missing comma before data';
      if (!isSeparator(url[end])) return 'invalid character for parameter value';
      const fault = unquote ? undefined : escapeFault(url.slice(position, end));
      if (fault !== undefined) return fault;
      unquote = false;
      position = end;
    }
  }
  const data = url.slice(position + 1);
  if ((base64 ? BAD_BASE64 : BAD_DATA).test(data)) return 'invalid data character';
  return base64 ? base64Fault(data) : escapeFault(data);
}

function isSeparator(character: string | undefined): boolean {
  return character === ';' || character === ',';
}

function endOfToken(url: string, from: number): number {
  NOT_TOKEN.lastIndex = from;
  return NOT_TOKEN.exec(url)?.index ?? url.length;
}

/** The offset of the closing quote, or an error. */
function endOfQuoted(url: string, from: number): number | string {
  for (let index = from; index < url.length; index++) {
    const code = url.charCodeAt(index);
    if (url[index] === '"') return index;
    if (code > 0x7f) return 'invalid character for parameter value';
    if (url[index] === '\\') {
      index++;
      if (url.charCodeAt(index) > 0x7f) return 'invalid escaped character';
    }
  }
  return 'unclosed quoted string';
}

function isQuotable(text: string): boolean {
  return !text.replace(QUOTED_ESCAPE, '').includes('\\');
}

function escapeFault(text: string): string | undefined {
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (bad === null) return undefined;
  return bad.index + 2 < text.length
    ? 'rfc2396: invalid char 0x25 in unescape sequence'
    : 'rfc2396: unexpected end of unescape sequence';
}

function base64Fault(text: string): string | undefined {
  const reading = decodeBase64(text);
  return reading.ok ? undefined : `illegal base64 data at input byte ${reading.offset}`;
}
