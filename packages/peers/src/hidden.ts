import { checkArgument } from './arguments.ts';

/**
 * Stands for whatever is not shown.
 *
 * @example message.replace(value, HIDDEN)
 */
export const HIDDEN = '<redacted>';

/** User and password of a URL; the first group may be shown. */
export const URL_USERS: readonly RegExp[] = [
  /(:\/\/)[^\s/@"'\\]+(?=@)/g,
  // A password may have what ends the authority, and then it is where a port should.
  /(:\/\/)[^\s/?#@"':[\]]*:(?!\d{1,5}[/?#])[^\s"']{0,256}(?=@)/g,
  // So it does where everything behind it is missing.
  /(:\/\/[^\s/?#@"':[\]]*:)(?!\d{0,5}(?:[^\w.%~!$&()*+=\\-]|$))[^\s"',}\]@]+/g,
  // A reference to an image has no scheme, and should have no user either.
  /(?<![\w./@%+:-])()[\w.%+-]+:[^\s/@"'<>]+(?=@[\w.-]+(?::\d+)?\/)/g,
];
/** How Go words its surprise about such a port. */
const BAD_PORT = /(invalid port ":)(?:\\.|[^"\\])*(?=" after host)/g;

/** What gives access in the query of a URL: signatures, tokens, keys. */
export const URL_SIGNATURES: RegExp =
  /([?&;](?:[\w.-]|%[0-9a-f]{2})*(?:sig|signature|token|secret|passw(?:or)?d|credential|key|auth|code)=)[^&#\s"'<>]+/gi;

/**
 * A text without the users and passwords of the URLs in it, however the URLs are broken, and without the signatures and tokens in their queries.
 *
 * @example hideUsers('http://me:hunter2@proxy.test') // 'http://<redacted>@proxy.test'
 */
export function hideUsers(text: string): string {
  checkArgument('text', text, 'text');
  return [...URL_USERS, BAD_PORT, URL_SIGNATURES].reduce((rest, pattern) => rest.replace(pattern, `$1${HIDDEN}`), text);
}
