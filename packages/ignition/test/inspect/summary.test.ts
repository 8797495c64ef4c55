import { gzipSync } from 'node:zlib';
import { type Config, findExpiries, formatSummary, summarizeConfig } from '@coreiso/ignition';
import { expect, test } from 'vitest';

const gzipped = `data:;base64,${gzipSync('hello').toString('base64')}`;

const config: Config = {
  ignition: {
    version: '3.4.0',
    config: {
      merge: [
        { source: 'https://me:hunter2@x.test/a.ign' },
        { source: 'data:,%7B%7D' },
        { source: gzipped, compression: 'gzip' },
      ],
      replace: { source: 'https://x.test/b.ign' },
    },
    security: { tls: { certificateAuthorities: [{ source: 'data:,a' }, { source: 'data:,b' }] } },
    proxy: { httpProxy: 'http://me:hunter2@p.test', httpsProxy: 'http://q.test', noProxy: ['x'] },
  },
  passwd: {
    users: [
      { name: 'a', sshAuthorizedKeys: ['k'] },
      { name: 'b', sshAuthorizedKeys: ['k', 'l'], passwordHash: '$6$hunter2' },
      { name: 'c', passwordHash: '' },
      { name: 'd', passwordHash: 'hunter2' },
    ],
    groups: [{ name: 'g' }],
  },
  storage: {
    disks: [
      { device: '/dev/a', wipeTable: true, partitions: [{ number: 1 }] },
      { device: '/dev/b', wipeTable: false },
    ],
    filesystems: [
      { device: '/dev/c', format: 'xfs', path: '/var', wipeFilesystem: true },
      { device: '/dev/d', wipeFilesystem: false },
    ],
    directories: [{ path: '/d' }],
    files: [
      { path: '/a', mode: 420, contents: { source: 'data:,x' } },
      {
        path: '/b',
        contents: { source: 'https://x.test/?token=hunter2' },
        append: [{ source: 'data:,xy' }, { source: 'data:;base64,!' }],
      },
      { path: '/c', mode: 0, contents: {} },
      { path: '/e', contents: { source: 'data:,x', compression: 'gzip' } },
    ],
    links: [{ path: '/l', target: '/t' }],
  },
  systemd: {
    units: [
      { name: 'a.service', enabled: true, contents: 'x' },
      {
        name: 'b.service',
        enabled: false,
        mask: true,
        contents: '',
        dropins: [{ name: '1.conf' }, { name: '2.conf' }],
      },
      { name: 'c.service' },
    ],
  },
  kernelArguments: { shouldExist: ['a=b', 'x=http://me:hunter2@y'], shouldNotExist: ['quiet'] },
};

test('lists the parts of a config without its secrets', () => {
  const summary = summarizeConfig(config);
  expect(JSON.stringify(summary)).not.toContain('hunter2');
  expect(formatSummary(summary).split('\n')).toEqual([
    ...['Ignition config, spec 3.4.0', 'merges:', '  https://<redacted>@x.test/a.ign', '  2 bytes', '  5 bytes'],
    ...['replaced by:', '  https://x.test/b.ign', 'trusts:', '  2 extra authority files'],
    ...['fetches through:', '  http://<redacted>@p.test', '  http://q.test'],
    ...['users:', '  a: 1 SSH key', '  b: 2 SSH keys and a password', '  c', '  d: a password', 'groups:', '  g'],
    ...['disks:', '  /dev/a (wiped, 1 partition)', '  /dev/b (0 partitions)'],
    ...['filesystems:', '  /dev/c xfs at /var (wiped)', '  /dev/d', 'directories:', '  /d'],
    ...['files:', '  /a  0644  1 byte', '  /b  https://x.test/?token=<redacted> + 2 bytes + broken data'],
    ...['  /c  0000', '  /e  broken data', 'links:', '  /l → /t'],
    ...[
      'units:',
      '  a.service  enabled, 1 character',
      '  b.service  masked, disabled, 0 characters  with 1.conf, 2.conf',
    ],
    ...['  c.service', 'kernel arguments:', '  + a=b', '  + x=http://<redacted>@y', '  - quiet', ''],
  ]);
});

test('gives one line for an empty config', () => {
  const summary = summarizeConfig({ ignition: { version: '3.0.0' } });
  expect(formatSummary(summary)).toBe('Ignition config, spec 3.0.0\n');
  expect([summary.replacedBy, summary.certificateAuthorities, summary.proxies]).toEqual([undefined, 0, []]);
});

test('shows expiry dates with the days that are left', () => {
  const day = 86_400_000;
  const at = (offset: number, within: string[] = [], name = 'x') => ({
    ...{ kind: 'certificate' as const, name, notBefore: undefined, path: [], within },
    notAfter: new Date(100 * day + offset),
  });
  const summary = {
    ...summarizeConfig({ ignition: { version: '3.0.0' } }),
    expiries: [at(-1), at(0, ['/a', '/b']), at(day - 1, [], ''), at(day), at(2 * day + 500)],
  };
  expect(formatSummary(summary, { now: new Date(100 * day) }).split('\n')).toEqual([
    'Ignition config, spec 3.0.0',
    'expires:',
    '  1970-04-10T23:59:59.999Z (expired)  certificate x',
    '  1970-04-11T00:00:00Z (within a day)  certificate x in /a in /b',
    '  1970-04-11T23:59:59.999Z (within a day)  certificate',
    '  1970-04-12T00:00:00Z (in 1 day)  certificate x',
    '  1970-04-13T00:00:00.500Z (in 2 days)  certificate x',
    '',
  ]);
});

test('names the parameter of a wrong argument', () => {
  const given = ' must be an object, not a number';
  expect(() => summarizeConfig(7 as never)).toThrow(new TypeError(`config${given}`));
  expect(() => summarizeConfig({} as never)).toThrow(/^config.ignition must be an object/);
  expect(() => formatSummary(7 as never)).toThrow(new TypeError(`summary${given}`));
  expect(() => formatSummary({} as never)).toThrow(/^summary.kernelArguments must be an object/);
  expect(() => formatSummary(summarizeConfig(config), 7 as never)).toThrow(new TypeError(`options${given}`));
  expect(() => findExpiries(7 as never)).toThrow(new TypeError(`config${given}`));
});
