import type { IncomingMessage } from 'node:http';

/** `uri-host [ ":" port ]` of RFC 9110 §7.2, or nothing: a path, a query or a password in its place would make another address. */
const HOST = /^(?:(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?)?$/i;
/** The absolute form, which proxies send and every server must accept (RFC 9112 §3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i;

/** The full requested address; `undefined` if it is invalid. */
export function addressOf({ url = '/', headers: { host = '' }, socket }: IncomingMessage): string | undefined {
  if (!HOST.test(host)) return undefined;
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  const address = url.startsWith('/') ? `${scheme}://${host || 'localhost'}${url}` : url;
  const isAddress = url.startsWith('/') || ABSOLUTE.test(url);
  return isAddress && URL.canParse(address) ? address : undefined;
}
