import { checkArgument } from './arguments.ts';

/**
 * The text shown in place of a secret.
 *
 * @example message.replace(value, HIDDEN)
 */
export const HIDDEN = '<redacted>';

/** Patterns for user and password of a URL; the text of the first group may be shown. */
export const URL_USERS: readonly RegExp[] = [
  /(:\/\/)[^\s/@"'\\]+(?=@)/g,
  // If a password has a character that ends the authority, its first part is in the place of the port.
  /(:\/\/)[^\s/?#@"':[\]]*:(?!\d{1,5}[/?#])[^\s"']{0,256}(?=@)/g,
  // The same happens if the text ends within the password.
  /(:\/\/[^\s/?#@"':[\]]*:)(?!\d{0,5}(?:[^\w.%~!$&()*+=\\-]|$))[^\s"',}\]@]+/g,
  // An image reference has no scheme and should have no user.
  /(?<![\w./@%+:-])()[\w.%+-]+:[^\s/@"'<>]+(?=@[\w.-]+(?::\d+)?\/)/g,
];
/** Go's message about such a port. */
const BAD_PORT = /(invalid port ":)(?:\\.|[^"\\])*(?=" after host)/g;

/** Values in the query of a URL that give access: signatures, tokens, keys. */
export const URL_SIGNATURES: RegExp =
  /([?&;](?:[\w.-]|%[0-9a-f]{2})*(?:sig|signature|token|secret|passw(?:or)?d|credential|key|auth|code)=)[^&#\s"'<>]+/gi;

/**
 * Hides users and passwords of all URLs in a text, even of broken ones, and the signatures and tokens in their queries.
 *
 * @example hideUsers('http://me:hunter2@proxy.test') // 'http://<redacted>@proxy.test'
 */
export function hideUsers(text: string): string {
  checkArgument('text', text, 'text');
  return [...URL_USERS, BAD_PORT, URL_SIGNATURES].reduce((rest, pattern) => rest.replace(pattern, `$1${HIDDEN}`), text);
}
