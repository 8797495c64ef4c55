import { decodeLossless } from '../utf8.ts';
import { addressFault } from './address.ts';
import type { OwnBytes } from './bytes.ts';
import { goQuote } from './quote.ts';

// Reads URLs as Go does, which differs from RFC 3986 and from browsers: it refuses a tab anywhere, and accepts `http://a:1:2/`,
// because the programs we follow are built for a Go before 1.26. It normalises only the scheme.

/** The parts of a URL that rules check. */
export interface GoUrl {
  /** Lower case; empty for a relative reference. */
  readonly scheme: string;
  /** The text between the scheme and the query, if it does not begin with a slash. */
  readonly opaque: string;
  /** The text between the question mark and the fragment, as written. */
  readonly query: string;
}

/** A URL, or Go's error. */
export type GoUrlReading =
  | { readonly ok: true; readonly url: GoUrl }
  | { readonly ok: false; readonly message: string };

/**
 * Go's `url.Parse`.
 *
 * @example parseGoUrl('http://[::1') // { ok: false, message: `parse "http://[::1": missing ']' in host` }
 */
export function parseGoUrl(text: string): GoUrlReading {
  const hash = text.indexOf('#');
  const whole = hash === -1 ? text : text.slice(0, hash);
  const refuse = (shown: string, fault: string): GoUrlReading => {
    return { ok: false, message: `parse ${goQuote(shown)}: ${fault}` };
  };
  if (CONTROL.test(whole)) return refuse(whole, 'net/url: invalid control character in URL');
  if (whole.startsWith(':')) return refuse(whole, 'missing protocol scheme');
  const scheme = SCHEME.exec(whole)?.[1] ?? '';
  const afterScheme = scheme === '' ? whole : whole.slice(scheme.length + 1);
  const [rest, query = ''] = splitOnce(afterScheme, '?');
  const isOpaque = scheme !== '' && !rest.startsWith('/');
  const fault = isOpaque ? undefined : hierarchyFault(scheme.toLowerCase(), rest);
  if (fault !== undefined) return refuse(whole, fault);
  const fragmentFault = hash === -1 ? undefined : escapeFault(text.slice(hash + 1));
  if (fragmentFault !== undefined) return refuse(text, fragmentFault);
  return { ok: true, url: { scheme: scheme.toLowerCase(), opaque: isOpaque ? rest : '', query } };
}

const CONTROL = /[\x00-\x1f\x7f]/;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

function hierarchyFault(scheme: string, rest: string): string | undefined {
  if (!rest.startsWith('/') && /^[^/]*:/.test(rest)) return 'first path segment in URL cannot contain colon';
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return escapeFault(rest);
  const slash = rest.indexOf('/', 2);
  const end = slash === -1 ? rest.length : slash;
  return authorityFault(rest.slice(2, end)) ?? escapeFault(rest.slice(end));
}

const USER_INFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

/** Go checks the host before the user. */
function authorityFault(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const fault = hostFault(authority.slice(at + 1));
  if (fault !== undefined || at === -1) return fault;
  const user = authority.slice(0, at);
  if (!USER_INFO.test(user)) return 'net/url: invalid userinfo';
  const [name, password = ''] = splitOnce(user, ':');
  return escapeFault(name) ?? escapeFault(password);
}

function hostFault(host: string): string | undefined {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return 'invalid IP-literal';
  if (bracket === 0) return literalFault(host);
  const colon = host.lastIndexOf(':');
  return (colon === -1 ? undefined : portFault(host.slice(colon))) ?? unescapeHost(host, 'host').fault;
}

function portFault(port: string): string | undefined {
  return /^(?::[0-9]*)?$/.test(port) ? undefined : `invalid port ${goQuote(port)} after host`;
}

/** RFC 6874: an IPv6 address, which may have a zone after an escaped percent sign. */
function literalFault(host: string): string | undefined {
  const close = host.lastIndexOf(']');
  if (close === -1) return "missing ']' in host";
  const port = portFault(host.slice(close + 1));
  if (port !== undefined) return port;
  const literal = host.slice(1, close);
  const zone = literal.indexOf('%25');
  const address = unescapeHost(zone === -1 ? literal : literal.slice(0, zone), 'host');
  const name = unescapeHost(zone === -1 ? '' : literal.slice(zone), 'zone');
  const badCharacter = address.fault ?? name.fault;
  if (badCharacter !== undefined) return badCharacter;
  const fault = addressFault(address.text + name.text);
  if (fault !== undefined) return `invalid host: ${fault}`;
  return address.text.includes(':') ? undefined : 'invalid IP-literal';
}

const HOST_CHARACTER = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;

/**
 * A host name may escape only non-ASCII bytes and the percent sign; a zone only blanks and characters that it may also have
 * unescaped.
 */
function unescapeHost(text: string, part: 'host' | 'zone'): { text: string; fault?: string } {
  for (const { 0: found, index } of text.matchAll(/%..|[\x00-\x7f]/gs)) {
    if (!found.startsWith('%')) {
      if (!HOST_CHARACTER.test(found)) return { text, fault: `invalid character ${goQuote(found)} in host name` };
      continue;
    }
    const byte = Number.parseInt(found.slice(1), 16);
    const plain = String.fromCharCode(byte);
    const isAllowed = found === '%25' || (part === 'host' ? byte >= 0x80 : plain === ' ' || HOST_CHARACTER.test(plain));
    if (!ESCAPE.test(found) || !isAllowed) return { text, fault: badEscape(text.slice(index)) };
  }
  return { text: decodeLossless(percentDecode(text)) };
}

const ESCAPE = /^%[0-9A-Fa-f]{2}$/;

function escapeFault(text: string): string | undefined {
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(text);
  return bad === null ? undefined : badEscape(text.slice(bad.index));
}

/** Go cuts after three bytes, even inside a character. */
function badEscape(rest: string): string {
  const bytes = new TextEncoder().encode(rest.slice(0, 3)).subarray(0, 3);
  return `invalid URL escape ${goQuote(decodeLossless(bytes))}`;
}

/**
 * The UTF-8 bytes of a text in which `%41` means the byte 0x41. Every percent sign must begin an escape.
 *
 * @example percentDecode('%00a') // Uint8Array.of(0, 97)
 */
export function percentDecode(text: string): OwnBytes {
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === PERCENT) {
      bytes[length++] = Number.parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16);
      at += 2;
    } else bytes[length++] = bytes[at] ?? 0;
  }
  return bytes.subarray(0, length);
}

const PERCENT = 0x25;

/**
 * The first value of a name in a query, as Go's `url.Values` gives it. Skips pairs that Go refuses.
 *
 * @example queryValue('a=1&a=2', 'a') // '1'
 */
export function queryValue(query: string, wanted: string): string | undefined {
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';') || escapeFault(pair) !== undefined) continue;
    const [name, value = ''] = splitOnce(pair, '=');
    if (unescapeQuery(name) === wanted) return unescapeQuery(value);
  }
  return undefined;
}

function unescapeQuery(text: string): string {
  return decodeLossless(percentDecode(text.replaceAll('+', ' ')));
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
