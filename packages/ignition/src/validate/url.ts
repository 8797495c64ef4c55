import { SOURCE_SCHEMES, within } from '../spec/fields.ts';
import { dataUrlFault } from './data-url.ts';

// URLs are read the way Ignition reads them, which is neither RFC 3986 nor the browser's way: `http://a:1:2/` passes and a
// tab anywhere does not. Nothing is normalised beyond the scheme.

/** The parts of a URL that rules look at. */
export interface ParsedUrl {
  /** Lower case; empty for a relative reference. */
  readonly scheme: string;
  /** What follows the scheme up to the query, where that does not begin with a slash. */
  readonly opaque: string;
  readonly query: string;
}

const CONTROL = /[\x00-\x1f\x7f]/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const USER_INFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const PORT = /^(?::[0-9]*)?$/;
const BAD_HOST = /%(?!25|[89A-Fa-f][0-9A-Fa-f])|[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\x80-\uffff]/;
/** In the zone of an IPv6 address an escape may also stand for a space or for what may stand there plainly. */
const BAD_ZONE_CHARACTER = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\x80-\uffff]/;

/** Undefined where the text cannot be read as a URL. */
export function parseUrl(text: string): ParsedUrl | undefined {
  const hash = text.indexOf('#');
  const main = hash === -1 ? text : text.slice(0, hash);
  if (CONTROL.test(main) || (hash !== -1 && BAD_ESCAPE.test(text.slice(hash)))) return undefined;
  if (main === '*') return { scheme: '', opaque: '', query: '' };
  if (main.startsWith(':')) return undefined;
  const scheme = SCHEME.exec(main)?.[1] ?? '';
  const afterScheme = scheme === '' ? main : main.slice(scheme.length + 1);
  const question = afterScheme.indexOf('?');
  const rest = question === -1 ? afterScheme : afterScheme.slice(0, question);
  const url = { scheme: scheme.toLowerCase(), query: question === -1 ? '' : afterScheme.slice(question + 1) };

  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    const [segment = ''] = rest.split('/', 1);
    if (segment.includes(':')) return undefined;
    return BAD_ESCAPE.test(rest) ? undefined : { ...url, opaque: '' };
  }
  let path = rest;
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2);
    const authority = slash === -1 ? rest.slice(2) : rest.slice(2, slash);
    if (!isAuthority(authority)) return undefined;
    path = slash === -1 ? '' : rest.slice(slash);
  }
  return BAD_ESCAPE.test(path) ? undefined : { ...url, opaque: '' };
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  return USER_INFO.test(user) && !BAD_ESCAPE.test(user) && isHost(authority.slice(at + 1));
}

function isHost(host: string): boolean {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return false;
  if (bracket === 0) {
    const close = host.lastIndexOf(']');
    return close !== -1 && PORT.test(host.slice(close + 1)) && isIpLiteral(host.slice(1, close));
  }
  const colon = host.lastIndexOf(':');
  return (colon === -1 || PORT.test(host.slice(colon))) && !BAD_HOST.test(host);
}

function isIpLiteral(text: string): boolean {
  const zone = text.indexOf('%25');
  if (zone === -1) return !BAD_HOST.test(text) && isIpv6(text);
  const name = text.slice(zone);
  if (BAD_ESCAPE.test(name) || BAD_ZONE_CHARACTER.test(name)) return false;
  for (const [sequence, hex = ''] of name.matchAll(/%(..)/g)) {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    // An escaped byte above ASCII is refused here although it may stand in the host itself.
    if (sequence !== '%25' && character !== ' ' && (character > '\x7f' || BAD_ZONE_CHARACTER.test(character)))
      return false;
  }
  return !BAD_HOST.test(text.slice(0, zone)) && name.length > 3 && isIpv6(text.slice(0, zone));
}

function isIpv6(text: string): boolean {
  const [address = '', zone] = splitOnce(text, '%');
  if (zone === '') return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)?.at(-1);
  let count = groups.flat().length;
  if (last?.includes('.')) {
    if (!isIpv4(last)) return false;
    groups.at(-1)?.pop();
    count++;
  }
  const hex = groups.flat().every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group));
  return hex && (halves.length === 2 ? count < 8 : count === 8);
}

function isIpv4(text: string): boolean {
  const octets = text.split('.');
  return octets.length === 4 && octets.every((octet) => /^(?:0|[1-9][0-9]{0,2})$/.test(octet) && Number(octet) < 256);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** What is wrong with a source; `message` only where the rule alone does not say it. */
export interface SourceFault {
  readonly rule: 'url-unparsable' | 'url-scheme' | 's3-version-id' | 's3-arn' | 'data-url';
  readonly detail?: string;
}

/** Checks a source under the rules of one version. */
export function sourceFault(source: string, minor: number): SourceFault | undefined {
  const url = parseUrl(source);
  if (url === undefined) return { rule: 'url-unparsable' };
  if (!Object.hasOwn(SOURCE_SCHEMES, url.scheme) || !within(SOURCE_SCHEMES[url.scheme], minor)) {
    return { rule: 'url-scheme' };
  }
  if (url.scheme === 'data') {
    const detail = dataUrlFault(source);
    return detail === undefined ? undefined : { rule: 'data-url', detail };
  }
  if (url.scheme === 'arn' && !isS3Arn(`arn:${url.opaque}`)) return { rule: 's3-arn' };
  if ((url.scheme === 'arn' || url.scheme === 's3') && firstQueryValue(url.query, 'versionId') === '') {
    return { rule: 's3-version-id' };
  }
  return undefined;
}

function isS3Arn(arn: string): boolean {
  const [, , service, , , ...rest] = arn.split(':');
  if (rest.length === 0 || service !== 's3') return false;
  const needed = rest.join(':').startsWith('accesspoint/') ? 3 : 2;
  return arn.split('/', needed).length === needed;
}

function firstQueryValue(query: string, wanted: string): string | undefined {
  for (const pair of query.split('&')) {
    if (pair.includes(';') || BAD_ESCAPE.test(pair)) continue;
    const [name, value = ''] = splitOnce(pair, '=');
    if (pair !== '' && unescapeAscii(name) === wanted) return value;
  }
  return undefined;
}

function unescapeAscii(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
