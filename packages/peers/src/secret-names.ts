import { checkArgument } from './arguments.ts';

/** Names of members that are secret as they are. Written as `plainName` makes them. */
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
  // Whatever is written there goes to the node: keys of disks, tokens of servers, whole configs.
  ...['httpheaders', 'ignitionconfigoverride', 'keyfile'],
];

/** Names of members are secret that end so. nmstate hides private-key-password, mka-cak and psk, which NetworkManager stores as pskvalue. */
const SECRET_ENDS: readonly string[] = [
  ...['accesskey', 'apikey', 'cak', 'passphrase', 'password', 'passwordhash', 'passwordraw', 'presharedkey'],
  ...['privatekey', 'privatekeypem', 'psk', 'pskvalue', 'secret', 'secretkey', 'token', 'wepkey\\d*'],
];

/** Those that are still known with a slip of the finger in them. */
const LONG_ENDS: readonly string[] = [
  ...['accesskey', 'apikey', 'dockerconfigjson', 'mkacak', 'passphrase', 'password', 'passwordhash'],
  ...['presharedkey', 'privatekey', 'secret', 'secretkey', 'token'],
];

/** The whole table as an extended regular expression, for names that `plainName` has made plain; `agent-gather` has the same. */
export const SECRET_PATTERN: string = `^(${SECRET_NAMES.join('|')})$|(${SECRET_ENDS.join('|').replaceAll('\\d', '[0-9]')})$`;
const SECRET = new RegExp(SECRET_PATTERN);
/** DB_PASS, dbPass: only as a word of its own. */
const PASS = /(?:^|[-_. ])(?:[Pp]ass|PASS)$|[a-z0-9]Pass$/;

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, '');
}

/**
 * Whether the value of a member of this name must not be shown; `pullSecret` is such a name, `pullSecretRef` is not.
 *
 * @example isSecretName('pullSecret') // true
 */
export function isSecretName(name: string): boolean {
  return SECRET.test(plainName(name)) || PASS.test(name);
}

/** Whether this is where the name of a secret should: the name itself, or one that was mistyped. */
export function isLikeSecretName(written: string): boolean {
  const [last = ''] = /[\w.-]+(?=[^\w.-]*$)/.exec(written) ?? [];
  if (isSecretName(last)) return true;
  const plain = written.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SECRET.test(plain) || LONG_ENDS.some((end) => endsLike(plain, end));
}

/** Whether a name ends with a word that has one letter too many, one too few, a wrong one, or two that changed places. */
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
 * Whether a path leads to a secret member, or into one.
 *
 * @example isSecretPath(['hosts', 0, 'passwordHash']) // true
 */
export function isSecretPath(path: readonly (string | number)[]): boolean {
  checkArgument('path', path, 'array');
  return path.some((step) => typeof step === 'string' && isSecretName(step));
}
