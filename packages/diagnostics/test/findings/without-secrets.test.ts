import { withoutSecrets } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';

const text = (value: unknown): string => JSON.stringify(withoutSecrets(value));

describe('hides the secrets of data', () => {
  test.each([
    ['a member', { password: 'hunter2' }],
    ['whatever is inside of a member', { bmc: { token: [{ a: 'hunter2' }, 'hunter2'] } }],
    ['an address', { address: 'redfish://me:hunter2@192.0.2.9/x' }],
    ['a signed address', ['https://s3.test/a?X-Amz-Signature=hunter2']],
    ['a keyfile', { name: 'a.nmconnection', content: '[802-1x]\nprivate-key-password=hunter2\n' }],
    ['JSON in a text', { text: '{"auths":{"a":{"auth":"hunter2"}}}' }],
    ['a file by its path', { path: '/opt/agent/tls/kubeadmin-password', contents: 'hunter2' }],
    ['a file by its name in a table', { 'cluster-manifests/pull-secret.yaml': 'x: hunter2' }],
    ['a key by its name', { files: { 'tls/server.key': 'hunter2' } }],
    ['an object of kind Secret', { kind: 'Secret', data: { any: 'hunter2' } }],
    ['a data URL', { source: `data:,${encodeURIComponent('password: hunter2\n')}` }],
    ['a data URL in base64', { source: `data:;base64,${btoa('password: hunter2\n')}` }],
    ['a private key', 'x\n-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n'],
    ['what a finding says of an address', { message: 'cannot read http://me:hunter2@x.test/' }],
    ['bytes', { anything: new TextEncoder().encode('hunter2') }],
  ])('%s', (_, value) => {
    const shown = text(value);
    expect(shown).not.toContain('hunter2');
    expect(shown).not.toContain(btoa('hunter2').slice(0, 8));
    expect(shown).toContain(encodeURIComponent('redacted'));
  });
});

test.each([
  { message: 'hosts[0].bmc.password: Required value', upstream: ['pullSecret: Invalid value: "<redacted>"'] },
  { password: '', token: null, secret: false, n: 1, list: ['a', 2] },
  { source: 'data:,hello', address: 'https://proxy.test:3128/a?x=1' },
  { path: '/etc/issue', contents: 'hello\n' },
])('leaves data without secrets unchanged: %#', (value) => {
  expect(withoutSecrets(value)).toEqual(value);
});

test('leaves a document that can still be parsed', () => {
  expect(withoutSecrets('a:\n  password:\n  - x\n  next: b\nkey: |\n  c\n')).toBe(
    'a:\n  password:\n  <redacted>\n  next: b\nkey: |\n  c\n',
  );
  expect(withoutSecrets('{"a":{"auth":"x"},"b":1}')).toBe('{"a":{"auth":"<redacted>"},"b":1}');
});

test('writes a date as JSON does', () => {
  expect(withoutSecrets({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

test.each<[value: unknown, shown: unknown]>([
  [
    { kind: 'Secret', data: { a: 'x' } },
    { kind: 'Secret', data: { a: '<redacted>' } },
  ],
  [
    { kind: 'Config', data: { a: 'x' } },
    { kind: 'Config', data: { a: 'x' } },
  ],
  [
    { token: ['x', null, '', true, 1, { a: 'x' }] },
    { token: ['<redacted>', null, '', true, '<redacted>', { a: '<redacted>' }] },
  ],
  [
    { help: 'password: x', message: 'token=x', extra: ['http://u:p@h/'], upstream: [{ password: 'x' }] },
    {
      help: 'password: x',
      message: 'token=x',
      extra: ['http://<redacted>@h/'],
      upstream: [{ password: '<redacted>' }],
    },
  ],
  [
    { path: 'a.key', text: 'x', lines: ['x'], other: 'x', data: 'y', content: 'y', contents: 'z' },
    {
      path: 'a.key',
      text: '<redacted>',
      lines: ['<redacted>'],
      other: 'x',
      data: '<redacted>',
      content: '<redacted>',
      contents: '<redacted>',
    },
  ],
  [
    { name: 'password.txt', content: 'x' },
    { name: 'password.txt', content: '<redacted>' },
  ],
  [
    { name: 'pass/token', content: 'x' },
    { name: 'pass/token', content: '<redacted>' },
  ],
  [
    { name: 'token', content: 'x' },
    { name: 'token', content: 'x' },
  ],
  [
    { path: 'x/notes', content: 'x' },
    { path: 'x/notes', content: 'x' },
  ],
  ['data:,password%3A%20x', 'data:,password%3A%20%3Credacted%3E'],
  ['data:text/plain;base64,AAECAw==', 'data:text/plain;base64,AAECAw=='],
  ['data:;base64,!', 'data:;base64,<redacted>'],
  ['data:,hello', 'data:,hello'],
  ['data:a="x,y",hello', 'data:a="x,y",hello'],
  [{ psk: 0 }, { psk: '<redacted>' }],
  ['key: $6$salt$hash', 'key: $6$<redacted>'],
  ['eyJhbGciOi.eyJzdWIi.sig', '<redacted>'],
  ['-----BEGIN PRIVATE KEY-----\nx', '-----BEGIN PRIVATE KEY-----\n<redacted>'],
  [
    'a -----BEGIN RSA PRIVATE KEY-----\nx\n-----END RSA PRIVATE KEY-----\nb',
    'a -----BEGIN RSA PRIVATE KEY-----\n<redacted>\n-----END RSA PRIVATE KEY-----\nb',
  ],
  ['password:   x  \nb: 1', 'password:   <redacted>  \nb: 1'],
  [
    { 'server.key': 'x', 'a.pem': 'y' },
    { 'server.key': '<redacted>', 'a.pem': 'y' },
  ],
  [[[['x']]], [[['x']]]],
  ['psk: a"b', 'psk: <redacted>'],
  ["token: 'a''b' c\nd: 1", "token: '<redacted>\nd: 1"],
  ['token: "a\\"b", c: 1', 'token: "<redacted>", c: 1'],
  ['token: "a" x\nb: 1', 'token: "<redacted>\nb: 1'],
  ['x-token=a,b=c', 'x-token=<redacted>'],
  ['{"token":[1,[2]],"b":{"password":{"c":"}"}}}', '{"token":<redacted>,"b":{"password":<redacted>}}'],
])('%j becomes %j', (value, shown) => {
  expect(withoutSecrets(value)).toEqual(shown);
});

test('hides values that are nested deeper than in any document', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);
  expect(JSON.stringify(withoutSecrets(nested(200)))).toContain('"x"');
  expect(JSON.stringify(withoutSecrets(nested(202)))).toContain('redacted');
  const members = (levels: number): unknown => (levels === 0 ? 'x' : { a: members(levels - 1) });
  expect(JSON.stringify(withoutSecrets(members(200)))).toContain('"x"');
  expect(JSON.stringify(withoutSecrets(members(202)))).toContain('redacted');
  expect(JSON.stringify(withoutSecrets({ token: members(150) }))).toContain(`${'{"a":'.repeat(150)}"<redacted>"`);
  expect(JSON.stringify(withoutSecrets({ token: members(250) }))).toContain(`${'{"a":'.repeat(200)}"<redacted>"`);
});

test('hides an object that converts itself endlessly', () => {
  const endless: { toJSON(): unknown } = { toJSON: () => endless };
  expect(withoutSecrets(endless)).toBe('<redacted>');
  const nested = (levels: number): unknown => (levels === 0 ? { a: 'x' } : [nested(levels - 1)]);
  expect(JSON.stringify(withoutSecrets({ message: nested(150) }))).toContain('"a":"x"');
  expect(JSON.stringify(withoutSecrets({ message: nested(250) }))).toBe(
    `{"message":${'['.repeat(250)}"<redacted>"${']'.repeat(250)}}`,
  );
});
