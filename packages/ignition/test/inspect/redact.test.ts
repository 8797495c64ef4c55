import { describe, expect, test } from 'vitest';
import { CERTIFICATES } from '../../../../test/support/certificates.ts';
import { resource } from '../../src/codec/data-url.ts';
import { unpackSource } from '../../src/inspect/contents.ts';
import { redact, redactText } from '../../src/inspect/redact.ts';
import { formatSummary, summarizeConfig } from '../../src/inspect/summary.ts';
import type { Config, File } from '../../src/spec/generated/types.ts';
import { stringifyConfig } from '../../src/spec/stringify.ts';

const KEY = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIHidden\n-----END EC PRIVATE KEY-----\n';
const SECRET = 'HuNtEr2HuNtEr2';
const ignition = { version: '3.4.0' };

describe('redacting a text', () => {
  test.each([
    [
      'a private key',
      `before\n${KEY}after`,
      'before\n-----BEGIN EC PRIVATE KEY-----\n<redacted>\n-----END EC PRIVATE KEY-----\nafter',
    ],
    ['a private key without an end', KEY.slice(0, 40), '-----BEGIN EC PRIVATE KEY-----\n<redacted>'],
    ['a password in a keyfile', `psk=${SECRET}\nid=x`, 'psk=<redacted>\nid=x'],
    ['a password with blanks', `password = a b ${SECRET}\n`, 'password = <redacted>\n'],
    ['a pull secret', `{"auths":{"q.io":{"auth":"${SECRET}","email":"a"}}}`, '{"auths":<redacted>}'],
    ['an item below a secret', `password:\n- ${SECRET}\nname: x`, 'password:\n<redacted>\nname: x'],
    ['a key of MACsec', `mka-cak=${SECRET}\nid=x`, 'mka-cak=<redacted>\nid=x'],
    ['a token in YAML', `token: ${SECRET}\nname: x`, 'token: <redacted>\nname: x'],
    ['a JWT', 'x eyJhbGciOiJ.eyJzdWIiOiJ.c2ln y', 'x <redacted> y'],
    ['the user of a URL', `https://me:${SECRET}@h.example/a`, 'https://<redacted>@h.example/a'],
    [
      'a signed URL',
      `https://h.example/a?X-Amz-Signature=${SECRET}&b=c`,
      'https://h.example/a?X-Amz-Signature=<redacted>&b=c',
    ],
    ['a password hash', `core:$6$salt$${SECRET}:1`, 'core:$6$<redacted>:1'],
    ['a key in base64', `tls.key: ${Buffer.from(KEY).toString('base64')}`, 'tls.key: <redacted>'],
  ])('removes %s', (_, text, shown) => {
    expect(redactText(text)).toBe(shown);
    expect(redactText(text)).not.toContain(SECRET);
  });

  test.each([
    '[connection]\nid=eno1\n',
    CERTIFICATES.api,
    'ssh-ed25519 AAAAC3Nza core@x',
    'https://h.example/a?b=c',
    'ExecStart=/bin/true',
  ])('keeps %j', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test('takes one pass for a long run of words', () => {
    expect(redactText('a.'.repeat(500_000))).toHaveLength(1_000_000);
    expect(redactText('password '.repeat(50_000))).toHaveLength(450_000);
  });
});

describe('redacting a config', () => {
  const file = (path: string, content: string): File => ({ path, contents: resource(content) });
  const config: Config = {
    ignition: {
      ...ignition,
      config: {
        merge: [{ source: `https://u:${SECRET}@h.example/c`, httpHeaders: [{ name: 'Authorization', value: SECRET }] }],
      },
    },
    passwd: { users: [{ name: 'core', passwordHash: SECRET, sshAuthorizedKeys: ['ssh-ed25519 AAAA x'] }] },
    storage: {
      files: [
        file('/etc/key', KEY.repeat(20)),
        file('/etc/plain', 'hello'),
        file(
          '/etc/coreos/dest.ign',
          stringifyConfig({ ignition, storage: { files: [file('/etc/psk', `psk=${SECRET}`)] } }),
        ),
      ],
      luks: [{ name: 'l', device: '/dev/sdb', keyFile: resource(SECRET) }],
    },
    systemd: {
      units: [{ name: 'a.service', contents: `[Service]\nEnvironment=API_TOKEN=${SECRET}\n`, enabled: true }],
    },
  };

  test('removes all secrets, compressed or not, and keeps the rest', () => {
    const shown = redact(config);
    expect(stringifyConfig(shown)).not.toContain(SECRET);
    const contents = shown.storage?.files?.map(({ contents: each }) =>
      new TextDecoder().decode(unpackSource(each?.source ?? '', each?.compression)),
    );
    expect(contents?.[0]).not.toContain('Hidden');
    expect(contents?.[1]).toBe('hello');
    expect(contents?.[2]).toContain('psk');
    expect(stringifyConfig(redact(JSON.parse(contents?.[2] ?? '')))).not.toContain(SECRET);
    expect(contents?.[2]).not.toContain(Buffer.from(`psk=${SECRET}`).toString('base64'));
    expect(shown.passwd?.users?.[0]?.sshAuthorizedKeys).toEqual(['ssh-ed25519 AAAA x']);
    expect(config.passwd?.users?.[0]?.passwordHash).toBe(SECRET);
  });

  test('shows no secrets in the summary, which names everything', () => {
    const text = formatSummary(summarizeConfig(config));
    expect(text).not.toContain(SECRET);
    expect(text).toBe(`Ignition config, spec 3.4.0
merges:
  https://<redacted>@h.example/c
users:
  core: 1 SSH key and a password
files:
  /etc/key  ${KEY.length * 20} bytes
  /etc/plain  5 bytes
  /etc/coreos/dest.ign  ${unpackSource(config.storage?.files?.[2]?.contents?.source ?? '', config.storage?.files?.[2]?.contents?.compression)?.length} bytes
units:
  a.service  enabled, ${config.systemd?.units?.[0]?.contents?.length} characters
`);
  });
});

test('shows each kind of entry on its line, and judges expiry at the given date', () => {
  const config: Config = {
    ignition: {
      ...ignition,
      config: { replace: { source: 'https://h.example/r' } },
      proxy: { httpProxy: 'http://p.example:3128' },
      security: { tls: { certificateAuthorities: [resource(CERTIFICATES.api)] } },
    },
    kernelArguments: { shouldExist: ['a=b'], shouldNotExist: ['quiet'] },
    passwd: { groups: [{ name: 'wheel' }], users: [{ name: 'plain' }] },
    storage: {
      disks: [{ device: '/dev/sda', wipeTable: true, partitions: [{ number: 1 }] }],
      filesystems: [{ device: '/dev/sda1', format: 'xfs', path: '/var', wipeFilesystem: true }],
      directories: [{ path: '/var/d' }],
      files: [{ path: '/etc/f', mode: 0o600, append: [{ source: 'https://h.example/f' }] }],
      links: [{ path: '/etc/l', target: 'f' }],
    },
    systemd: { units: [{ name: 'b.service', mask: true, dropins: [{ name: '10-x.conf' }] }] },
  };
  expect(
    formatSummary(summarizeConfig(config), { now: new Date('2026-03-01T00:00:00Z') }),
  ).toBe(`Ignition config, spec 3.4.0
replaced by:
  https://h.example/r
trusts:
  1 extra authority file
fetches through:
  http://p.example:3128
users:
  plain
groups:
  wheel
disks:
  /dev/sda (wiped, 1 partition)
filesystems:
  /dev/sda1 xfs at /var (wiped)
directories:
  /var/d
files:
  /etc/f  0600  + https://h.example/f
links:
  /etc/l → f
units:
  b.service  masked  with 10-x.conf
kernel arguments:
  + a=b
  - quiet
expires:
  2026-03-04T05:06:07Z (in 3 days)  certificate api.example.test
`);
});

test('shows control characters in the summary, and starts no line with a name', () => {
  const config: Config = { ignition, storage: { files: [{ path: '/a\u001b[2J\nusers:' }] } };
  expect(formatSummary(summarizeConfig(config)).split('\n')).toContainEqual(
    expect.stringMatching(/^ {2}\/a\u241b\[2J\u240ausers:/),
  );
});

describe('a config of a newer spec, in which types may differ', () => {
  const newer = (config: object) => ({ ignition: { version: '3.99.0' }, ...config }) as unknown as Config;

  test.each([
    ['a text instead of files', { storage: { files: '' } }],
    ['nulls among files', { storage: { files: [null, { path: '/a', mode: { octal: 420 } }] } }],
    ['a number instead of file systems', { storage: { filesystems: 1.5 } }],
    ['units with other names', { systemd: { units: [{ name: 5, dropins: {} }] } }],
    ['no section at all', { storage: null, passwd: [] }],
  ])('has a summary of its readable parts: %s', (_, config) => {
    expect(formatSummary(summarizeConfig(newer(config)))).toMatch(/^Ignition config, spec 3\.99\.0\n/);
  });

  test('shows the members that can be read', () => {
    const config = newer({ storage: { files: [{ path: '/etc/a', mode: 'new' }, { path: '/etc/b' }] } });
    expect(summarizeConfig(config).files.map(({ path }) => path)).toEqual(['/etc/a', '/etc/b']);
  });

  test.each([
    ['a text', SECRET],
    ['a list of texts', [SECRET, null]],
    ['one header', { name: 'Authorization', value: SECRET }],
    ['a header in a list', [[{ name: 'Authorization', value: SECRET }]]],
  ])('has its headers redacted: %s', (_, httpHeaders) => {
    const config = newer({ storage: { files: [{ path: '/a', contents: { source: 'http://h/', httpHeaders } }] } });
    expect(stringifyConfig(redact(config))).not.toContain(SECRET);
  });
});
