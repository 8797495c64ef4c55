// The rules of the service, case by case, from its own tests and source (openshift/assisted-service, 063b257950).
import { parseCidr } from '@coreiso/peers/ip';
import { describe, expect, test } from 'vitest';
import {
  clusterNameRefusal,
  controlPlaneRefusal,
  credentialsRefusal,
  domainRefusal,
  manifestRefusal,
  ntpRefusal,
  pullSecretRefusal,
  sshKeyRefusal,
} from '../../src/rules/registration.ts';
import { networkRefusal, type RegisteredNetworks } from '../../src/rules/registration-networks.ts';
import { noProxyRefusal, proxyRefusal } from '../../src/rules/registration-proxy.ts';

const ED = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRUumdNxUzz0Ux53zzPC0eg+K4Apj7/Q3kLt1+RmDLC';
const long = (count: number) => 'a'.repeat(count);

describe('a base domain', () => {
  test.each([
    'example.test',
    'test',
    'ab',
    '1.example.test',
    'example.123',
    'a-b.c--d.ef',
    `${long(60)}.test`,
    long(62),
    '1.2.3.example.test',
  ])('is accepted: %s', (domain) => expect(domainRefusal('site', domain)).toBeUndefined());

  test.each([
    ['example.test.', 'DNS format mismatch'],
    ['example.t', 'DNS format mismatch'],
    ['t', 'DNS format mismatch'],
    ['1.2.3.4', 'DNS format mismatch'],
    ['a.10.20.30.40.example.test', 'DNS format mismatch'],
    ['-a.example.test', 'DNS format mismatch'],
    ['a..example.test', 'DNS format mismatch'],
    ['Example.test', 'DNS format mismatch'],
    [long(63), 'DNS format mismatch'],
    [`${long(64)}.test`, 'is longer than 63 bytes'],
    [`${`${long(60)}.`.repeat(3)}test`, 'Combination of cluster name and base DNS domain too long'],
  ])('is refused: %s', (domain, words) => expect(domainRefusal('site', domain)?.text).toContain(words));

  test('with a final dot is refused, and the help suggests it without the dot', () => {
    expect(domainRefusal('site', 'example.test.')?.instead).toBe('example.test');
    expect(domainRefusal('site', 'example.t.')?.instead).toBeUndefined();
  });

  test('of any length is checked quickly', () => {
    expect(domainRefusal('site', `${'a-'.repeat(50_000)}!`)).toBeDefined();
  });
});

test('the name of a cluster may have dots only without a platform', () => {
  expect([
    clusterNameRefusal('a.b', 'none'),
    clusterNameRefusal('1site', 'baremetal'),
    clusterNameRefusal('a-b', 'external'),
  ]).toEqual([undefined, undefined, undefined]);
  expect(clusterNameRefusal('a.b', 'external')?.text).toContain("Cluster name format is not valid: 'a.b'");
});

describe('SSH keys', () => {
  test.each([
    ['with a comment', `${ED} ops@example.test`],
    ['with blanks in the comment', `${ED} ops of the example`],
    ['without a comment', ED],
    ['in several lines, with blanks around', `\n ${ED} a \n${ED} b\r\n`],
    ['none', ''],
  ])('are accepted: %s', (_, keys) => expect(sshKeyRefusal(keys)).toBeUndefined());

  test.each([
    ['options', `no-pty ${ED} ops`, `${ED} ops`],
    ['a quoted option with blanks', `command="a b" ${ED}`, ED],
    ['a comment line', `# mine\n${ED}`, ED],
    ['an empty line between', `${ED} a\n\n${ED} b`, `${ED} a\n${ED} b`],
    ['a tab before the comment', `${ED}\tops`, undefined],
    ['two blanks before the key', ED.replace(' ', '  '), undefined],
    [
      'a security token',
      'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIBRUumdNxUzz0Ux53zzPC0eg+K4Apj7/Q3kLt1+RmDLCAAAABHNzaDo= k',
      undefined,
    ],
    ['a certificate', 'ssh-ed25519-cert-v01@openssh.com AAAAIHNz c', undefined],
  ])('are refused with %s', (_, keys, instead) => {
    const refusal = sshKeyRefusal(keys);
    expect(refusal?.text).toContain('does not match any supported type: ssh-rsa, ssh-ed25519, ecdsa-[VARIANT]');
    expect(refusal?.instead).toBe(instead);
  });

  test('that are private are not shown', () => {
    const text = sshKeyRefusal('-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA')?.text ?? '';
    expect(text).not.toContain('BEGIN');
    expect(text).not.toContain('b3Blb');
  });
});

describe('a pull secret', () => {
  const secret = (auth: unknown) => JSON.stringify({ auths: { 'good.test': { auth: btoa('a:b') }, 'bad.test': auth } });

  test.each([
    { auth: '' },
    {},
    { credsStore: 'x' },
    { auth: btoa('user:pass:word') },
    { auth: btoa(':') },
    { auth: `${btoa('a:b')}\n` },
  ])('is accepted with %o', (entry) => expect(pullSecretRefusal(secret(entry))).toBeUndefined());

  test.each([
    [{ auth: '!!!' }, 'is not base64-encoded'],
    [{ auth: btoa('a:bc').replace(/=/g, '') }, 'is not base64-encoded'],
    [{ auth: btoa('abc') }, "is not in 'user:password' format"],
    [{ auth: 5 }, 'should be a string'],
    [{ auth: null }, 'should be a string'],
  ])('is refused with %o, with the position of the entry and without its text', (entry, words) => {
    const { text = '', help = '' } = pullSecretRefusal(secret(entry)) ?? {};
    expect(text).toContain(words);
    expect(help).toContain('entry 2 of `auths`');
    expect(text + help).not.toContain('bad.test');
  });
});

test('a registry of the release has to be in the pull secret, unless it is exempt', () => {
  const secret = JSON.stringify({ auths: { 'm.test:5000': {}, 'https://index.docker.io/v1/': {} } });
  const refused = (registry: string, open: string[] = []) => credentialsRefusal(registry, secret, open) !== undefined;
  expect([
    refused('m.test:5000'),
    refused('docker.io'),
    refused('registry.stage.redhat.io'),
    refused('q.io', ['q.io']),
  ]).toEqual([false, false, false, false]);
  expect([refused('m.test'), refused('q.io'), refused('other.test:5000')]).toEqual([true, true, true]);
});

test.each([
  ['192.0.2.1', true],
  ['2001:db8::1', true],
  ['clock', true],
  ['ab', true],
  [`${long(31)}.${long(31)}`, true],
  ['a', false],
  ['ntp.example.test.', false],
  [`${long(32)}.${long(32)}`, false],
  ['NTP.example.test', false],
])('the time server %s is accepted: %s', (source, isTaken) => expect(ntpRefusal(source) === undefined).toBe(isTaken));

test.each([
  ['', true],
  ['*', true],
  ['.example.test,192.0.2.0/24,2001:db8::/64,192.0.2.1,a_b.test,localhost', true],
  ['example.test.', true],
  ['a.test,,b.test', false],
  ['a.test, b.test', false],
  [`${long(64)}.test`, false],
  ['a.test:8080', false],
])('the exceptions %s of a proxy are accepted: %s', (text, isTaken) =>
  expect(noProxyRefusal(text) === undefined).toBe(isTaken),
);

describe('the address of a proxy', () => {
  test.each([
    '',
    'http://proxy:3128',
    'http://p',
    'https://proxy.example.test:3129/',
    'http://user:p%40ss@proxy.example.test:3128',
    'http://user:p@ss@proxy.example.test',
    'http://proxy.example.test.:80',
    'http://proxy_1.example.test:80',
    'http://a--b.example.test:80',
    'http://10.0.0.1:80',
    'http://192.0.2.300',
    'http://[2001:db8::1]:3128',
    'http://proxy.example.test:99999?x#y',
    'http://proxy.exämple.test',
  ])('is accepted: %s', (url) => expect(proxyRefusal('HTTP', url)).toBeUndefined());

  test.each([
    'HTTP://proxy.example.test:3128',
    'http://-proxy.example.test',
    'http://proxy-.example.test.test-',
    'http://proxy..example.test',
    'http://.example.test',
    'http://a_b',
    'http://p.e.t',
    'http://proxy.1',
    'http://1.2.3',
    'http://0.0.0.0:80',
    'http://proxy.example.test:123456',
    'http://proxy.example.test/a b',
    'http://[2001:db8::1',
    'http:///proxy',
    `http://${long(2076)}`,
  ])('is refused: %s', (url) =>
    expect(proxyRefusal('HTTPS', url)?.text).toContain('Failed to validate HTTPS Proxy: Proxy URL format is not valid'),
  );

  test('is reported without its user', () => {
    const { text = '' } = proxyRefusal('HTTP', 'http://me:hunter2@-proxy.test') ?? {};
    expect(text).toContain('@-proxy.test');
    expect(text).not.toContain('hunter2');
  });

  test('is checked quickly with any number of parts', () => {
    for (const part of ['a-', 'a.', 'a_', 'aa.', '@', '1.'])
      expect(proxyRefusal('HTTP', `http://${part.repeat(1000)}!`)).toBeDefined();
  });
});

test('more than three control-plane machines are accepted only on bare metal, none or external, with x86_64', () => {
  const refusal = (replicas: number, platform: string, architecture = 'amd64') =>
    controlPlaneRefusal(replicas, { platform, architecture, version: '4.20.3' })?.text;
  expect([
    refusal(5, 'baremetal'),
    refusal(4, 'none'),
    refusal(4, 'external'),
    refusal(3, 'vsphere'),
    refusal(3, 'baremetal', 'arm64'),
  ]).toEqual(Array(5).fill(undefined));
  expect([
    refusal(4, 'vsphere'),
    refusal(5, 'nutanix'),
    refusal(4, 'none', 'arm64'),
    refusal(4, 'none', 'multi'),
  ]).toEqual([
    "cannot use Non-standard HA OCP Control Plane because it's not compatible with vSphere Platform Integration",
    "cannot use Non-standard HA OCP Control Plane because it's not compatible with Nutanix Platform Integration",
    "cannot use Non-standard HA OCP Control Plane because it's not compatible with the arm64 architecture on version 4.20.3 of OpenShift",
    "cannot use Non-standard HA OCP Control Plane because it's not compatible with the multi architecture on version 4.20.3 of OpenShift",
  ]);
});

test('an extra manifest has a name without a leading dot', () => {
  expect(manifestRefusal('.x-0.yaml', 'a')?.text).toBe('Cluster manifest .x-0.yaml has an invalid filename.');
});

test('an extra manifest has no blank in its name and at most one mebibyte, counted in bytes', () => {
  expect(manifestRefusal('99-x-0.yaml', 'a'.repeat(1_048_576))).toBeUndefined();
  expect(manifestRefusal('99-x-0.yaml', 'a'.repeat(1_048_577))?.text).toContain(
    'exceeds the maximum file size of 1MiB',
  );
  expect(manifestRefusal('99-x-0.yaml', 'ä'.repeat(524_289))?.text).toContain('exceeds');
  expect(manifestRefusal('99 x-0.yaml', 'a')?.text).toContain('should not include a space in its name');
});

describe('networks', () => {
  const cidrs = (texts: readonly string[]) => texts.flatMap((text) => parseCidr(text) ?? []);
  const refusal = (
    machines: string[],
    vips: [string[], string[]] = [[], []],
    more: { cluster?: string[]; service?: string[]; own?: boolean } = {},
  ) => {
    const isDual = machines.length === 2 && machines.some((one) => one.includes(':'));
    const {
      cluster = isDual ? ['10.128.0.0/14', 'fd01::/48'] : ['10.128.0.0/14'],
      service = isDual ? ['172.30.0.0/16', 'fd02::/112'] : ['172.30.0.0/16'],
      own = false,
    } = more;
    const networks: RegisteredNetworks = {
      machineNetworks: cidrs(machines),
      clusterNetworks: cidrs(cluster),
      serviceNetworks: cidrs(service),
      apiVips: vips[0],
      ingressVips: vips[1],
      hasOwnLoadBalancer: own,
    };
    return networkRefusal(networks)?.text;
  };
  const V4 = '192.0.2.0/24';
  const V6 = '2001:db8::/64';

  test.each([
    ['one machine network', refusal([V4], [['192.0.2.2'], ['192.0.2.3']])],
    ['none', refusal([])],
    [
      'both families',
      refusal(
        [V4, V6],
        [
          ['192.0.2.2', '2001:db8::2'],
          ['192.0.2.3', '2001:db8::3'],
        ],
      ),
    ],
    ['addresses of the first family alone', refusal([V4, V6], [['192.0.2.2'], ['192.0.2.3']])],
    ['two cluster networks of one family', refusal([V4], [[], []], { cluster: ['10.128.0.0/14', '10.132.0.0/14'] })],
    [
      'IPv6 first',
      refusal([V6, V4], [['2001:db8::2'], ['2001:db8::3']], {
        cluster: ['fd01::/48', '10.128.0.0/14'],
        service: ['fd02::/112', '172.30.0.0/16'],
      }),
    ],
    ['one address for both, balanced elsewhere', refusal([V4], [['192.0.2.2'], ['192.0.2.2']], { own: true })],
    [
      'several machine networks, balanced elsewhere',
      refusal([V4, '198.51.100.0/24'], [['192.0.2.2'], ['198.51.100.3']], { own: true }),
    ],
  ])('are accepted: %s', (_, text) => expect(text).toBeUndefined());

  test.each([
    [
      'two machine networks of one family',
      refusal([V4, '198.51.100.0/24']),
      'Single-stack cluster cannot contain multiple Machine Networks',
    ],
    [
      'two of IPv6',
      refusal([V6, '2001:db8:1::/64'], [[], []], { cluster: ['fd01::/48'], service: ['fd02::/112'] }),
      'Single-stack cluster',
    ],
    [
      'three of both families',
      refusal([V4, V6, '198.51.100.0/24'], [[], []], { cluster: ['10.128.0.0/14', 'fd01::/48'] }),
      'Expected 2 machine networks, found 3',
    ],
    [
      'a list that lacks a family',
      refusal([V4, V6], [[], []], { cluster: ['10.128.0.0/14', '10.132.0.0/14'] }),
      'dual-stack cluster networks must include exactly one IPv6 subnet',
    ],
    [
      'another order of families',
      refusal([V4, V6], [['2001:db8::2'], ['2001:db8::3']]),
      'Inconsistent IP family order: machine_networks first IP is 192.0.2.0/24 but api_vips first IP is 2001:db8::2',
    ],
    [
      'more addresses of one kind',
      refusal([V4, V6], [['192.0.2.2', '2001:db8::2'], ['192.0.2.3']]),
      'configuration must include the same number of apiVIPs (got 2) and ingressVIPs (got 1)',
    ],
    [
      'an address at the end of its network',
      refusal([V4], [['192.0.2.255'], ['192.0.2.3']]),
      'api-vip <192.0.2.255> is the broadcast address of machine-network-cidr <192.0.2.0/24>',
    ],
    [
      'an address of another network',
      refusal([V4], [['192.0.2.2'], ['198.51.100.3']]),
      'ingress-vip <198.51.100.3> does not belong to machine-network-cidr <192.0.2.0/24>',
    ],
    [
      'the same, balanced elsewhere',
      refusal([V4], [['198.51.100.3'], ['192.0.2.2']], { own: true }),
      "api-vip '198.51.100.3' failed verification: none of the machine networks is satisfying the requirements, description: machine network CIDR <192.0.2.0/24> verification failed: api-vip <198.51.100.3> does not belong",
    ],
  ])('are refused: %s', (_, text, words) => expect(text).toContain(words));
});
