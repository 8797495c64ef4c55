// Why the service on the machines refuses a proxy. The installer only checks that Go can parse its address; the
// service also checks that the host looks like one (pkg/validations of the service, by the URL test of govalidator).
import { goQuote, parseGoUrl } from '@coreiso/peers/go';
import { hideUsers } from '@coreiso/peers/hidden';
import { parseAddress, parseCidr } from '@coreiso/peers/ip';
import type { Refusal } from './registration.ts';

/** The service's names of the two proxies. */
export type ProxyKind = 'HTTP' | 'HTTPS';

const SCHEME = /^https?:\/\//;
const LONGEST_URL = 2083;

/** The refusal of a proxy's address, which may be missing. */
export function proxyRefusal(kind: ProxyKind, url: string): Refusal | undefined {
  if (url === '' || (isShort(url) && parseGoUrl(url).ok && isUrl(url))) return undefined;
  return {
    text: `Failed to validate ${kind} Proxy: Proxy URL format is not valid: '${hideUsers(url)}'`,
    help: `Write ${kind === 'HTTP' ? 'http' : 'http or https'}://HOST:PORT, with a host of letters, digits, single hyphens and dots.`,
  };
}

function isShort(url: string): boolean {
  return [...url].length < LONGEST_URL;
}

/** A user name may contain anything but blanks, so any `@` may be the one before the host. */
function isUrl(url: string): boolean {
  const scheme = SCHEME.exec(url)?.[0];
  if (scheme === undefined || /\s/.test(url)) return false;
  const rest = url.slice(scheme.length);
  const [, authority = '', path = ''] = /^([^/?#]*)([^?#]*)/.exec(rest) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('.') || (host === '' && path !== '' && !path.includes('.'))) return false;
  const starts = [0, ...[...rest.matchAll(/@/g)].map(({ index }) => index + 1)];
  return starts.some((start) => isPlace(rest.slice(start)));
}

/** A host, a port and a path; a dot may end the host. */
function isPlace(text: string): boolean {
  const [place = ''] = /^[^/?#]*/.exec(text) ?? [];
  const host = place.replace(/:\d{1,5}$/, '');
  return isHost(host) || (host.endsWith('.') && isHost(host.slice(0, -1)));
}

function isHost(host: string): boolean {
  if (IPV4.test(host)) return true;
  if (host.startsWith('[') && host.endsWith(']')) return parseAddress(host.slice(1, -1))?.version === 6;
  for (let cut = 0; cut < host.length; cut++) {
    const [start, end] = [host.slice(0, cut), host.slice(cut)];
    if (END_OF_NAME.test(end) && (cut === 0 || STARTS_OF_NAME.some((pattern) => pattern.test(start)))) return true;
  }
  return false;
}

const OCTET = '(?:\\d{1,2}|1\\d\\d|2[0-4]\\d|25[0-5])';
/** Leading zeros are accepted after the first number, which cannot be 0 or 224–239. */
const IPV4 = new RegExp(`^(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3]|24\\d|25[0-5])(?:\\.${OCTET}){3}$`);

/**
 * A name is matched in two parts. The first is optional: it begins with a label of at least two characters, or has
 * only single hyphens, underscores and dots. The second ends the name, with a last label of only letters. It
 * continues a label of the first part, so labels of one character at the end may be refused.
 */
const STARTS_OF_NAME = [
  /^[a-z\d][\w-]*[a-z\d](?:\.[a-z\d]+(?:-[a-z\d]+)*)*$/i,
  /^(?:[a-z\d]+[-_.])*[a-z\d]{2,}\.[a-z\d]+$/i,
  /^www\.$/,
];
const END_OF_NAME = /^[a-z\d\u00a1-\uffff]+(?:--?[a-z\d\u00a1-\uffff]+)*(?:\.[a-z\u00a1-\uffff]+)?$/i;

const LONGEST_NAME = 255;
const PROXY_NAME = /^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62}(?:\.[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62})*[._]?$/;

/** The refusal of a proxy's exceptions. */
export function noProxyRefusal(noProxy: string): Refusal | undefined {
  if (noProxy === '' || noProxy.includes('*')) return undefined;
  const isTaken = (entry: string) =>
    parseAddress(entry) !== undefined ||
    parseCidr(entry) !== undefined ||
    (PROXY_NAME.test(entry) && entry.replaceAll('.', '').length <= LONGEST_NAME);
  const odd = noProxy.split(',').find((entry) => !isTaken(entry.replace(/^\./, '')));
  if (odd === undefined) return undefined;
  return {
    text: `NO Proxy format is not valid: '${noProxy}'. NO Proxy is a comma-separated list of destination domain names, domains, IP addresses or other network CIDRs.`,
    help: `Remove ${goQuote(odd)}: names between dots have at most 63 characters.`,
  };
}
