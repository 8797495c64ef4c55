import { HIDDEN, hideUsers } from '@coreiso/peers/hidden';
import { isLikeSecretName, isSecretName, isSecretPath, SECRET_PATTERN } from '@coreiso/peers/secret-names';
import { describe, expect, test } from 'vitest';

const SECRET = [
  // Whole names.
  ...['auth', 'auths', 'Authorization', 'client-key-data', 'cookie', '.dockerconfigjson', 'Proxy-Authorization'],
  ...['Set-Cookie', 'stringData', 'tls.key', 'userData', 'httpHeaders', 'ignitionConfigOverride', 'keyFile'],
  // Endings.
  ...['AWS_SECRET_ACCESS_KEY', 'apiKey', 'mka-cak', 'passphrase', 'private-key-password', 'passwordHash'],
  ...['leap-password-raw', 'preshared-key', 'private_key', 'privateKeyPem', 'psk', 'pskvalue', 'pullSecret'],
  ...['client secret key', 'identitytoken', 'wep-key', 'wep-key0', 'wep-key12'],
  // Separate words.
  ...['DB_PASS', 'db-pass', 'db.Pass', 'dbPass', 'pass', 'PASS'],
];
const PLAIN = [
  ...['passwd', 'pullSecretRef', 'phase2-auth', 'sshKey', 'public-key', 'macAddress', 'key', 'username'],
  ...['bypass', 'data', 'author', 'cookies', 'userdata2', 'tls.key.pem', 'wep-key-type', 'tokens', 'COMPASS', ''],
];

describe('a secret name', () => {
  test.each(SECRET)('is recognised: %s', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(isSecretPath(['hosts', 0, name, 'inside'])).toBe(true);
  });

  test.each(PLAIN)('is not %j', (name) => {
    expect(isSecretName(name)).toBe(false);
    expect(isSecretPath(['hosts', 0, name, 'inside'])).toBe(false);
  });

  test('matches the extended regular expression', () => {
    const plain = (name: string) => name.toLowerCase().replace(/[-_. ]/g, '');
    const pattern = new RegExp(SECRET_PATTERN);
    const known = SECRET.filter((name) => !/pass$/i.test(name));
    expect(known.filter((name) => !pattern.test(plain(name)))).toEqual([]);
    expect(PLAIN.filter((name) => pattern.test(plain(name)))).toEqual([]);
    // POSIX has no \d.
    expect(SECRET_PATTERN).toContain('wepkey[0-9]*');
    expect(SECRET_PATTERN).not.toContain('\\');
  });

  test('is searched in paths, which have to be lists', () => {
    expect(() => isSecretPath('a' as never)).toThrow(new TypeError('path must be an array, not a string'));
    expect(isSecretPath([0, 1])).toBe(false);
  });
});

describe('a mistyped secret name', () => {
  test.each([
    ...['acceskey', 'apiky', 'dockerconfgjson', 'mkacka', 'passphrse', 'passwrd', 'passwordhsh', 'presharedky'],
    ...['privatkey', 'secet', 'secretky', 'tokn'],
    // One letter added, one wrong, two swapped: first, inside and last.
    ...['xtoken2', 'tokenn', 'ttoken', 'toxken', 'tokem', 'roken', 'tolen', 'otken', 'tokne', 'tkoen'],
    ...[
      'my.passwurd',
      'passwor"d',
      'pass[word',
      'bmc-pasword',
      'the.secert',
      'password"',
      '{"token',
      'spoken',
      '{"DB_PASS',
    ],
  ])('is recognised: %j', (name) => {
    expect(isLikeSecretName(name)).toBe(true);
  });

  test.each([
    ...['username', 'hostname', 'tok', 'tn', 'tonek', 'tokxxen', 'tkne', 'wsec', 'passd', 'ken', 'oken2x', '', 'x'],
    ...['poker', 'chicken', 'broker', 'pair', 'kpsx'],
  ])('is not %j', (name) => {
    expect(isLikeSecretName(name)).toBe(false);
  });
});

test('shows a placeholder for a secret', () => {
  expect(HIDDEN).toBe('<redacted>');
  expect(() => hideUsers(7 as never)).toThrow(new TypeError('text must be a string, not a number'));
  expect(hideUsers('http://me:hunter2@proxy.test/?token=hunter2&x=1')).toBe(
    'http://<redacted>@proxy.test/?token=<redacted>&x=1',
  );
});
