import { diagnostic, formatDiagnostics, parseYaml, readAsGo } from '@coreiso/diagnostics';
import { hideUsers } from '@coreiso/peers/hidden';
import { isSecretName, isSecretPath } from '@coreiso/peers/secret-names';
import { TextIndex } from '@coreiso/peers/text-index';
import { describe, expect, test } from 'vitest';

/** One finding for every line, so that every line is shown. */
function showAll(text: string): string {
  const index = new TextIndex(text);
  const starts = [0, ...[...text.matchAll(/\r\n?|\n/g)].map((line) => line.index + line[0].length)];
  const findings = starts.map((start) => {
    const end = Math.min(start + 3, text.length);
    return diagnostic({ code: 'test/a', message: 'wrong' }, { start: index.position(start), end: index.position(end) });
  });
  return formatDiagnostics(findings, { text, file: 'f' });
}

describe('hides the secret of a line', () => {
  test.each([
    ['a plain value', 'bmc:\n  password: hunter2\n  username: root\n', 'username: root'],
    ['a key without a blank behind its colon', 'password:hunter2\n', 'password:'],
    ['a value with blanks', 'passphrase: my hunter2 phrase\nnext: shown\n', 'next: shown'],
    ['a comment', '# password: hunter2\nnext: shown\n', 'next: shown'],
    ['double quotes', 'passwordHash: "hun\\"ter hunter2"\nnext: shown\n', 'next: shown'],
    ['single quotes', "psk: 'it''s hunter2'\nnext: shown\n", 'next: shown'],
    ['a quote that is never closed', 'pullSecret: \'{"auths": hunter2\nmore hunter2\n', 'pullSecret:'],
    ['a quote that is closed too early', 'password: "a"hunter2"\nnext: shown\n', 'next: shown'],
    ['minified JSON', '{"name":"core","passwordHash":"hunter2","shell":"shown"}', '"shell":"shown"'],
    ['JSON inside of a text', '{"data":"{\\"auth\\":\\"hunter2\\",\\"email\\":\\"shown\\"}"}', 'shown'],
    ['JSON whose value is on the next line', '{\n  "token":\n"hunter2",\n  "next": "shown"\n}', '"next": "shown"'],
    ['a flow mapping', '{user: root, password: hunter2, host: shown}\n', 'host: shown'],
    ['an object', 'pullSecret: {"auths": {"a": {"auth": "hunter2", "x": "}"}}}\nnext: shown\n', 'next: shown'],
    ['an object that is never closed', 'auths: {"a": {"auth": hunter2\nhunter2\n', 'auths:'],
    ['a block scalar', 'pullSecret: |\n  {"x": "hunter2"}\n\n  hunter2\nnext: shown\n', 'next: shown'],
    ['a block scalar in a list', '- password: >-\n    hunter2\n  next: shown\n', 'next: shown'],
    ['a value that goes on in the next line', 'mka-cak: 50b71a\n  hunter2\nnext: shown\n', 'next: shown'],
    ['lines that end with CR LF', 'password: |\r\n  hunter2\r\nnext: shown\r\n', 'next: shown'],
    ['a setting', 'password=hunter2\nnext=shown\n', 'next=shown'],
    [
      'a private key',
      '-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----\nnext: shown\n',
      'shown',
    ],
    ['the user of a URL', 'proxy: http://me:hunter2@proxy.example.test/\n', '@proxy.example.test/'],
    ['a password with a slash in it', 'proxy: http://me:hun/hunter2@proxy.example.test/\n', '@proxy.example.test/'],
    ['a password with a blank before it', 'proxy: http://me: hunter2@proxy.example.test/\n', '@proxy.example.test/'],
    ['a URL that ends with its password', 'proxy: "http://me:hunter2\nnext: shown\n', 'next: shown'],
    ['a name with a letter too few', 'bmc:\n  passord: hunter2\n  username: root\n', 'username: root'],
    ['a name with a letter too many', '{mka-ccak: hunter2, host: shown}\n', 'host: shown'],
    ['a name with a wrong letter', '{"name":"core","passwurdHash":"hunter2","shell":"shown"}', '"shell":"shown"'],
    ['a name with two that changed places', '- tokne: >-\n    hunter2\n  next: shown\n', 'next: shown'],
    ['a name that something got into', 'pass[word: hunter2\nnext: shown\n', 'next: shown'],
    ['a name that a quote got into', '{user: a, passwor"d: hunter2, host: shown}\n', 'host: shown'],
    ['a name without the comma before it', '{"a":"b" "auth":"hunter2","next":"shown"}', '"next":"shown"'],
    ['a bracket that is closed too early', '{user: a, psk:}hunter2, host: shown}\n', 'host: shown'],
    ['a signature', 'url: https://mirror.test/a?X-Amz-Signature=hunter2&next=shown\n', '&next=shown'],
    ['a data URL', 'source: "data:;base64,hunter2"\n', 'data:;base64,'],
    ['a hash', 'x: $6$hunter2$abc\n', 'x: $6$'],
    ['an item below the key', 'a:\n  password:\n  - hunter2\n  - x\n  next: shown\n', 'next: shown'],
    ['items of a member that is an item', '- password:\n  - hunter2\n- next: shown\n', 'next: shown'],
    ['an item that stands too far left', 'a:\n   password:\n  - hunter2\nnext: shown\n', 'next: shown'],
    ['a mapping below the key', 'password:\n  a:\n    b: hunter2\nnext: shown\n', 'next: shown'],
    ['lines that end with CR', 'a:\r  password:\r  - hunter2\r  next: shown\r', 'next: shown'],
    ['quotes over lines behind a tag', 'a:\n  password: !!str "x\nhunter2"\n  next: shown\n', 'next: shown'],
    ['a list over lines behind an anchor', 'password: &a [x,\nhunter2]\nnext: shown\n', 'next: shown'],
    ['a flow mapping over lines', '{user: a,\n  password:\n  hunter2,\n  host: shown}\n', 'host: shown'],
    ['a plain value over lines', '{user: a, password: hun\n  hunter2, host: shown}\n', 'host: shown'],
    ['a comma in a value', '{user: a, password: a,hunter2, host: shown}\n', 'host: shown'],
    ['what an alias stands for', 'x: &p hunter2\npassword: *p\nnext: shown\n', 'next: shown'],
    ['a block that an alias stands for', 'x: &p |\n  hunter2\ny: {token: *p}\nnext: shown\n', 'next: shown'],
    ['a key that is marked as one', '? password\n: hunter2\nnext: shown\n', 'next: shown'],
    ['a long name', `${'a'.repeat(70)}/password: hunter2\nnext: shown\n`, 'next: shown'],
    ['a member of a Secret', 'kind: Secret\ndata:\n  any: hunter2\nmetadata: shown\n', 'metadata: shown'],
    ['a bearer', 'sent Authorization Bearer hunter2.ab-c and shown\n', 'and shown'],
    ['the password of a VPN', '[vpn-secrets]\npskvalue=hunter2\n[shown]\n', '[shown]'],
    ['an item deeper in a list', 'list:\n  - token:\n      hunter2\n    next: shown\n', 'next: shown'],
    ['a quoted key deeper in a list', 'list:\n  - "token":\n      hunter2\n    next: shown\n', 'next: shown'],
    ['a value at the end of the text, behind a list', '- shown\npassword: hunter2', 'shown'],
    ['a value at the end of the text, on a line of its own', 'shown\npassword:\n  hunter2', 'shown'],
    [
      'two private keys',
      '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\nshown\n-----BEGIN PRIVATE KEY-----\nhunter2',
      'shown',
    ],
    ['two that overlap', 'password: http://me:hunter2@a.test/hunter2\nnext: shown\n', 'next: shown'],
    [
      'one around another',
      'x: {password: "http://me:hunter2@a.test/"}\npsk: {a: {token: hunter2}, b: hunter2}\nnext: shown\n',
      'next: shown',
    ],
    ['a setting without a value before a section', 'psk=\n\n[shown]\npassword=hunter2\n', '[shown]'],
  ])('%s', (_, text, kept) => {
    const shown = showAll(text);
    expect(shown).not.toContain('hunter2');
    expect(shown).toContain('<redacted>');
    expect(shown).toContain(kept);
  });

  test('puts the carets below the hidden text', () => {
    const text = 'a: {password: hunter2, b: c}\n';
    const index = new TextIndex(text);
    const finding = diagnostic(
      { code: 'test/a', message: 'wrong' },
      { start: index.position(17), end: index.position(19) },
    );
    expect(formatDiagnostics([finding], { text }).split('\n').slice(1)).toEqual([
      '  1 | a: {password: <redacted>, b: c}',
      '    |               ^^^^^^^^^^',
    ]);
  });
});

test.each([
  'password',
  'private-key-password',
  'preshared-key',
  'pullSecret',
  'AWS_SECRET_ACCESS_KEY',
  'mka-cak',
  'identitytoken',
  '.dockerconfigjson',
  'wep-key0',
  'pskvalue',
  'DB_PASS',
  'stringData',
  'tls.key',
  'Authorization',
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
  expect(isSecretPath(['hosts', 0, name, 'inside'])).toBe(true);
});

test.each([
  'passwd',
  'pullSecretRef',
  'phase2-auth',
  'sshKey',
  'public-key',
  'macAddress',
  'key',
  'username',
  'bypass',
  'data',
])('%s is not the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.each([
  ['http://me:hunter2@proxy.test:3128/', 'http://<redacted>@proxy.test:3128/'],
  ['parse "h\\ttp://me:hunter2@x.test/": net/url', 'parse "h\\ttp://<redacted>@x.test/": net/url'],
  ['http://me:hun/hunter2#@proxy.test:3128/', 'http://<redacted>@proxy.test:3128/'],
  [
    'parse "http://me:hunter2/a": invalid port ":hunter2" after host',
    'parse "http://me:<redacted>": invalid port ":<redacted>" after host',
  ],
  [
    'GET https://s3.test/a?X-Amz-Credential=hunter2&X-Amz-Signature=b&x=1',
    'GET https://s3.test/a?X-Amz-Credential=<redacted>&X-Amz-Signature=<redacted>&x=1',
  ],
  ['release:me:hunter2@quay.test:5000/a/b@sha256:00', '<redacted>@quay.test:5000/a/b@sha256:00'],
  ['https://blob.test/a?sv=2&sig=hunter2', 'https://blob.test/a?sv=2&sig=<redacted>'],
])('hides the user in %s', (text, shown) => {
  expect(hideUsers(text)).toBe(shown);
});

test.each([
  'http://proxy.test:3128',
  'http://proxy.test:3128/a@b and https://[2001:db8::1]:6443',
  'https://proxy.test/a:b, https://proxy.test:, "https://proxy.test:443".',
  'cannot reach https://proxy.test: connection refused',
  'quay.example.test/release@sha256:00',
  'release:quay.example.test:5000/release:4.20@sha256:00 of git@example.test:a/b',
])('finds no user in %s', (text) => {
  expect(hideUsers(text)).toBe(text);
});

test('leaves lines without secrets unchanged', () => {
  const text =
    'passwd: {users: [{name: core}]}\npullSecretRef: {name: a}\nproxy: http://proxy.test:3128\nurl: "https://[::1]:6443/a"\n';
  expect(showAll(text)).not.toContain('redacted');
});

test('reports a tag that does not fit a secret without the secret', () => {
  const [outcome] = parseYaml('password: !!int hunter2\nport: !!int shown\n', { flavour: 'go' });
  const read = outcome.ok ? readAsGo(outcome.value) : outcome;
  expect(read.diagnostics.map(({ message }) => message)).toEqual([
    'cannot decode !!str `<redacted>` as a !!int',
    'cannot decode !!str `shown` as a !!int',
  ]);
});

test('reports a password that looks like an alias without it', () => {
  const messages = (text: string) => parseYaml(text, { flavour: 'go' }).flatMap(({ diagnostics }) => diagnostics);
  expect(messages('password: *hunter2\n').map(({ message }) => message)).toEqual([
    "unknown anchor '<redacted>' referenced",
  ]);
  expect(messages('user: *me\n').map(({ message }) => message)).toEqual(["unknown anchor 'me' referenced"]);
});

test('searches a long text in one pass', () => {
  const urls = '://a:'.repeat(50_000) + '://a: '.repeat(50_000);
  expect(showAll(urls)).not.toContain('a: ://');
  const text = `${'password: "'.repeat(50_000)}\n${'{'.repeat(50_000)}${'password: x, '.repeat(50_000)}`;
  expect(showAll(text)).not.toContain('password: x');
});
