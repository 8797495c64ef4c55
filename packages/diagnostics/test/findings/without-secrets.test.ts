import { withoutSecrets } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';

const text = (value: unknown): string => JSON.stringify(withoutSecrets(value));

describe('data is shown without its secrets', () => {
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
])('data without secrets is shown as it is: %#', (value) => {
  expect(withoutSecrets(value)).toEqual(value);
});

test('what is left of a document still is one', () => {
  expect(withoutSecrets('a:\n  password:\n  - x\n  next: b\nkey: |\n  c\n')).toBe(
    'a:\n  password:\n  <redacted>\n  next: b\nkey: |\n  c\n',
  );
  expect(withoutSecrets('{"a":{"auth":"x"},"b":1}')).toBe('{"a":{"auth":"<redacted>"},"b":1}');
});

test('an instant is written as JSON writes it', () => {
  expect(withoutSecrets({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});
