import { checkArgument } from './arguments.ts';

/** Names of secret members, in the form that `plainName` returns. */
const SECRET_NAMES: readonly string[] = [
  ...[
    'auth',
    'auths',
    'authorization',
    'clientkeydata',
    'cookie',
    'dockerconfigjson',
    'proxyauthorization',
    'setcookie',
  ],
  ...['stringdata', 'tlskey', 'userdata'],
  // Their values go to the node: disk keys, server tokens, whole configs.
  ...['httpheaders', 'ignitionconfigoverride', 'keyfile'],
];

/** Endings of secret names. nmstate hides private-key-password, mka-cak and psk, which NetworkManager stores as pskvalue. */
const SECRET_ENDS: readonly string[] = [
  ...['accesskey', 'apikey', 'cak', 'passphrase', 'password', 'passwordhash', 'passwordraw', 'presharedkey'],
  ...['privatekey', 'privatekeypem', 'psk', 'pskvalue', 'secret', 'secretkey', 'token', 'wepkey\\d*'],
];

/** Endings that are long enough to be recognised with a typo. */
const LONG_ENDS: readonly string[] = [
  ...['accesskey', 'apikey', 'dockerconfigjson', 'mkacak', 'passphrase', 'password', 'passwordhash'],
  ...['presharedkey', 'privatekey', 'secret', 'secretkey', 'token'],
];

/** The whole table as an extended regular expression for results of `plainName`; `agent-gather` has the same one. */
export const SECRET_PATTERN: string = `^(${SECRET_NAMES.join('|')})$|(${SECRET_ENDS.join('|').replaceAll('\\d', '[0-9]')})$`;
const SECRET = new RegExp(SECRET_PATTERN);
/** Matches `pass` as a separate word: DB_PASS, dbPass. */
const PASS = /(?:^|[-_. ])(?:[Pp]ass|PASS)$|[a-z0-9]Pass$/;

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, '');
}

/**
 * Whether the value of a member with this name must be hidden: true for `pullSecret`, false for `pullSecretRef`.
 *
 * @example isSecretName('pullSecret') // true
 */
export function isSecretName(name: string): boolean {
  return SECRET.test(plainName(name)) || PASS.test(name);
}

/** Whether a text is or ends with the name of a secret, also with a typo. */
export function isLikeSecretName(written: string): boolean {
  const [last = ''] = /[\w.-]+(?=[^\w.-]*$)/.exec(written) ?? [];
  if (isSecretName(last)) return true;
  const plain = written.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SECRET.test(plain) || LONG_ENDS.some((end) => endsLike(plain, end));
}

/** Whether a name ends with a word, also with one letter added, missing or wrong, or with two letters swapped. */
function endsLike(name: string, word: string): boolean {
  return (
    name.length >= word.length - 1 && [-1, 0, 1].some((more) => isOneEditAway(name.slice(-(word.length + more)), word))
  );
}

function isOneEditAway(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let [head, tail] = [0, 0];
  while (head < shorter && a[head] === b[head]) head++;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && `${left[1]}${left[0]}` === right);
}

/**
 * Whether a path leads to a secret member or into one.
 *
 * @example isSecretPath(['hosts', 0, 'passwordHash']) // true
 */
export function isSecretPath(path: readonly (string | number)[]): boolean {
  checkArgument('path', path, 'array');
  return path.some((step) => typeof step === 'string' && isSecretName(step));
}
