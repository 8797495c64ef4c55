import { type Config, decodeDataUrl } from '@coreiso/ignition';
import { keyfileOf } from '@coreiso/nmstate';
import { type ClusterFacts, parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { liveConfig, outlineBoots, planNodes, workerIgnition } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../../test/support/profiles.ts';
import { registriesConf } from '../../../nodes-config/src/facts/mirrors.ts';
import { bindToMacs } from '../../src/join/bind-macs.ts';
import { clusterSettings } from '../../src/join/cluster-files.ts';
import { isListed, isRegistry, registriesOf } from '../../src/join/direct/registries.ts';
import { hostTable } from '../../src/join/host-table.ts';

import { workerAuthorities } from '../../src/join/worker-config.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const CONFIG = `hosts:
- hostname: w
  rootDeviceHints: {deviceName: /dev/sda, wwn: "0xABCD", minSizeGigabytes: 120, rotational: false, serialNumber: "ABC"}
  interfaces: [{name: eth0, macAddress: "52:54:00:A1:00:01"}, {name: eth1, macAddress: "52:54:00:a1:00:02"}]
- interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:03"}]
`;
const pointer = (source: string, ...authorities: (string | null)[]): ClusterFacts => ({
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source }] },
      ...(authorities.length === 0
        ? {}
        : { security: { tls: { certificateAuthorities: authorities.map((one) => ({ source: one })) } } }),
    },
  },
});
const WORKER = pointer('https://api-int.reef.example.test:22623/config/worker');

function planOf(cluster: ClusterFacts, options: object = {}) {
  const expires = new Date('2026-01-04T03:04:05.678Z');
  return planNodes(parseNodesConfigOrThrow(CONFIG, { mode: 'compatible' }), { cluster, expires, ...options });
}

function textOf(config: Config, path: string): string | undefined {
  const source = config.storage?.files?.find((file) => file.path === path)?.contents?.source;
  return source == null ? undefined : new TextDecoder().decode(decodeDataUrl(source));
}

const settings = (cluster: ClusterFacts): string[] =>
  (textOf(liveConfig(planOf(cluster)), '/etc/coreiso/join') ?? '').trimEnd().split('\n');

test('lists names and disks in a table, hosts with networks first', () => {
  expect(hostTable(planOf(WORKER).hosts)).toBe(`host w
mac 52:54:00:a1:00:01
mac 52:54:00:a1:00:02
hostname w
hint deviceName /dev/sda
hint serialNumber ABC
hint minSizeGigabytes 120
hint wwn 0xabcd
hint rotational false
host host-1
mac 52:54:00:a1:00:03
`);
  const [first] = planOf(WORKER).hosts;
  const odd = {
    ...first!,
    name: 'a\nb',
    hostname: undefined,
    interfaces: [],
    rootDeviceHints: { model: '', minSizeGigabytes: 0 },
  };
  expect(hostTable([odd])).toBe('host a?b\n');
});

describe('the settings of a machine that joins directly', () => {
  const FIXED = ['memory 7372', 'disk 100', 'clock 300', 'expires 1767495845 2026-01-04T03:04:05Z'];

  test("are the endpoint, upstream's minimum for a worker, and the expiry", () => {
    expect(settings(WORKER)).toEqual([
      'endpoint https://api-int.reef.example.test:22623/config/worker',
      'endpoint-name api-int.reef.example.test',
      'ignition 3.2.0',
      ...FIXED,
    ]);
  });

  test.each(['https://192.0.2.5:22623/x', 'https://[2001:db8::5]:22623/x'])(
    'have no name to resolve if it is %s',
    (url) => {
      expect(settings(pointer(url))).toEqual([`endpoint ${url}`, 'ignition 3.2.0', ...FIXED]);
    },
  );

  test('are the registries of the release, with insecure ones marked', () => {
    const cluster = {
      ...WORKER,
      releaseImage: `r.test/ocp@${DIGEST}`,
      imageDigestMirrors: [{ source: 'r.test/ocp', mirrors: ['m.test:5000/ocp', 'n.test/x'] }],
      insecureRegistries: ['*.test:1', 'm.test'],
    };
    expect(settings(cluster).filter((line) => line.includes('registry'))).toEqual([
      'insecure-registry m.test:5000',
      'registry n.test',
      'registry r.test',
    ]);
  });
});

test('writes all files and units of a machine that joins directly', () => {
  const cluster = { ...WORKER, registryTrust: { 'm.test:5000': 'PEM', 'no registry': 'PEM' } };
  const listed = (options: object) => {
    const config = liveConfig(planOf(cluster, options));
    return [
      ...(config.storage?.files ?? []).map(({ path, mode }) => `${mode?.toString(8)} ${path}`),
      ...(config.systemd?.units ?? []).map(
        ({ name, enabled, contents }) =>
          `${enabled === true ? 'enabled' : 'there'} ${name}${contents == null ? '' : ' written'}`,
      ),
    ].filter((line) => !line.includes('/etc/assisted/'));
  };
  const plain = [
    '600 /etc/NetworkManager/conf.d/clientid.conf',
    '600 /etc/coreiso/hosts',
    '600 /etc/coreiso/join',
    '600 /etc/coreiso/worker-ca.pem',
    '600 /etc/coreiso/worker-named.ign',
    '600 /etc/coreiso/worker.ign',
    '644 /etc/docker/certs.d/m.test:5000/ca.crt',
    '600 /etc/multipath.conf',
    '755 /usr/local/bin/coreiso-disk',
    '755 /usr/local/bin/coreiso-host',
    '755 /usr/local/bin/coreiso-hostname',
    '755 /usr/local/bin/coreiso-join',
    '755 /usr/local/bin/coreiso-nics',
    'enabled coreiso-host.service written',
    'enabled coreiso-hostname.service written',
    'enabled coreiso-join.service written',
    'enabled multipathd.service',
  ];
  expect(listed({})).toEqual(plain);
  const statusToken = 'a'.repeat(22);
  expect(listed({ statusToken }).filter((line) => !plain.includes(line))).toEqual([
    '600 /etc/coreiso/status-token',
    '755 /usr/local/bin/coreiso-status',
    'enabled coreiso-status.socket written',
    'there coreiso-status@.service written',
  ]);
  expect(textOf(liveConfig(planOf(cluster, { statusToken })), '/etc/coreiso/status-token')).toBe(`${statusToken}\n`);
  expect(textOf(liveConfig(planOf(cluster)), '/etc/multipath.conf')).toBe(
    'defaults {\n  user_friendly_names yes\n  find_multipaths yes\n}\n',
  );
});

test('describes each boot by the settings of a host', () => {
  const plan = planOf(WORKER);
  const [named, bare] = plan.hosts.map((host) => outlineBoots(plan, host));
  expect(named?.first).toBe(
    'the machine is known by the MAC address of a card, is called w and has DHCP on all cards; until 2026-01-04T03:04:05Z, and if all checks pass, it OVERWRITES the one disk that fits deviceName, serialNumber, minSizeGigabytes, wwn, rotational, makes it the first to boot from and reboots',
  );
  expect(bare?.first).toContain('takes its name from the network and has DHCP on all cards');
  expect(bare?.first).toContain('OVERWRITES its only disk');
  expect(named?.second).toContain('fetches its config from https://api-int.reef.example.test:22623/config/worker');
  const told = planOf(WORKER, { statusToken: 'a'.repeat(22) });
  expect(outlineBoots(told, told.hosts[0]!).first).toContain(', reports its progress on port 8090; until');
  const still = planOf({}, { join: 'network-only' });
  expect(outlineBoots(still, still.hosts[0]!)).toEqual({
    first:
      'the machine is known by the MAC address of a card, is called w and has DHCP on all cards; nothing is installed',
    second: 'the same, if it boots the image again: nothing of the first boot is kept',
    later: 'the same',
  });
  expect(() => outlineBoots({ ...still, join: 'toString' as never }, still.hosts[0]!)).toThrow(
    /^join must be one of network-only, direct, service, not toString$/,
  );
});

describe('files of a node from its cluster', () => {
  test.each<[string, ClusterFacts, unknown[]]>([
    ['nothing', {}, []],
    ['nothing of what is empty', { proxy: { noProxy: ' , ' }, trustBundle: '', imageDigestMirrors: [] }, []],
    [
      'its proxy',
      { proxy: { httpProxy: 'http://a', httpsProxy: 'http://b', noProxy: 'c, d,c' } },
      [
        {
          path: '/etc/systemd/system.conf.d/10-default-env.conf',
          mode: 0o600,
          contents:
            '[Manager]\nDefaultEnvironment=HTTP_PROXY="http://a"\nDefaultEnvironment=HTTPS_PROXY="http://b"\nDefaultEnvironment=NO_PROXY="c,d"\n',
        },
      ],
    ],
    [
      'its certificates',
      { trustBundle: 'PEM' },
      [{ path: '/etc/pki/ca-trust/source/anchors/domain.crt', mode: 0o600, contents: 'PEM' }],
    ],
    ['its clock', { chronyConf: '' }, [{ path: '/etc/chrony.conf', mode: 0o644, contents: '', owner: 'none' }]],
    [
      'its mirrors of both kinds',
      {
        imageDigestMirrors: [{ source: 'a', mirrors: ['c'], sourcePolicy: 'NeverContactSource' }],
        repositoryDigestMirrors: [{ source: 'b', mirrors: ['d'] }],
      },
      [
        {
          path: '/etc/containers/registries.conf',
          mode: 0o644,
          contents: registriesConf([
            { source: 'a', mirrors: ['c'] },
            { source: 'b', mirrors: ['d'] },
          ]),
        },
      ],
    ],
  ])('%s', (_, cluster, files) => {
    expect(clusterSettings(cluster)).toEqual(files);
  });

  test('leave the owner of the clock settings open, and belong to root otherwise', () => {
    const config = liveConfig(planOf({ ...WORKER, chronyConf: 'x', trustBundle: 'PEM' }));
    const files = new Map(config.storage?.files?.map((file) => [file.path, file]));
    expect(files.get('/etc/chrony.conf')).toMatchObject({ overwrite: true, mode: 0o644 });
    expect(files.get('/etc/chrony.conf')).not.toHaveProperty('user');
    expect(files.get('/etc/pki/ca-trust/source/anchors/domain.crt')).toMatchObject({
      user: { name: 'root' },
      overwrite: true,
    });
  });
});

describe('registries', () => {
  const MIRRORS = [
    { source: 'a', mirrors: ['b'] },
    { source: 'd' },
    { source: 'a', mirrors: ['b', 'c"'] },
    { source: 'a', mirrors: ['e'], sourcePolicy: 'NeverContactSource' },
  ];

  test('are written as the installer writes them, grouped by source and policy', () => {
    expect(registriesConf([])).toBe('# No mirrors are configured.\nunqualified-search-registries = []\n');
    expect(registriesConf(MIRRORS)).toBe(`additional-layer-store-auth-helper = ""
credential-helpers = []
short-name-mode = ""
unqualified-search-registries = []

[[registry]]
  location = "a"
  mirror-by-digest-only = true
  prefix = ""

  [[registry.mirror]]
    location = "b"

  [[registry.mirror]]
    location = "c\\""

[[registry]]
  blocked = true
  location = "a"
  mirror-by-digest-only = true
  prefix = ""

  [[registry.mirror]]
    location = "e"
`);
  });

  const MIRRORED = { source: 'r.test/ocp', mirrors: ['m.test/x', 'm.test/y', '-bad/z'] };

  test.each<[string, readonly object[], string[]]>([
    [`r.test/ocp@${DIGEST}`, [], ['r.test']],
    ['r.test:5000/ocp:4.20', [], ['r.test:5000']],
    [`r.test/ocp@${DIGEST}`, [MIRRORED], ['m.test', 'r.test']],
    [`r.test/ocp/release@${DIGEST}`, [MIRRORED], ['m.test', 'r.test']],
    [`r.test/ocpx@${DIGEST}`, [MIRRORED], ['r.test']],
    [`r.test/ocp@${DIGEST}`, [{ ...MIRRORED, sourcePolicy: 'NeverContactSource' }], ['m.test']],
    [`r.test/ocp@${DIGEST}`, [{ ...MIRRORED, sourcePolicy: 'AllowContactingSource' }], ['m.test', 'r.test']],
    [`r.test/ocp@${DIGEST}`, [{ source: 'r.test/ocp' }], ['r.test']],
  ])('are listed for %s', (image, mirrors, expected) => {
    expect(registriesOf(image, mirrors as never)).toEqual(expected);
  });

  test.each([
    ['a', true],
    ['a.test', true],
    ['a.test:5000', true],
    ['[2001:db8::1]:5000', true],
    ['192.0.2.1', true],
    ['a.', false],
    ['-a', false],
    ['a:x', false],
    ['a b', false],
    ['', false],
  ])('%j is valid: %s', (text, isOne) => {
    expect(isRegistry(text)).toBe(isOne);
  });

  test.each([
    ['a.test:5000', 'a.test:5000', true],
    ['a.test:5000', 'a.test', true],
    ['a.test', 'a.test:5000', false],
    ['b.a.test', '*.a.test', true],
    ['b.a.test:5000', '*.a.test', true],
    ['a.test', '*.a.test', false],
    ['b.a.test', '.a.test', false],
  ])('%s matches %s: %s', (registry, entry, isOne) => {
    expect(isListed(registry, ['other.test', entry])).toBe(isOne);
    expect(isListed(registry, [])).toBe(false);
  });
});

describe('profiles bound to cards', () => {
  const CARDS = [{ path: [], name: 'eth0', macAddress: '52:54:00:a1:00:01' }];
  const profile = (lines: string, type = '802-3-ethernet', name = 'eth0') =>
    `[connection]\nid=a\nuuid=u-0\ntype=${type}\ninterface-name=${name}\n${lines}`;
  const bound = (content: string, cards = CARDS): string =>
    bindToMacs([profileOf(content)], cards).profiles.map((one) => keyfileOf(one).content)[0] ?? '';
  const HEAD = '[connection]\nid=a\nuuid=u-0\ntype=802-3-ethernet\n';

  test.each([
    ['a section of its own at the end', profile(''), `${HEAD}[ethernet]\nmac-address=52:54:00:A1:00:01\n`],
    [
      'one after others',
      profile('\n[ipv4]\nmethod=auto\n'),
      `${HEAD}\n[ipv4]\nmethod=auto\n[ethernet]\nmac-address=52:54:00:A1:00:01\n`,
    ],
    [
      'one of a text without a line end',
      profile('\n[ipv4]\nmethod=auto'),
      `${HEAD}\n[ipv4]\nmethod=auto\n[ethernet]\nmac-address=52:54:00:A1:00:01\n`,
    ],
    [
      'a line in the section that is there',
      profile('\n[ethernet]\nmtu=9000\n'),
      `${HEAD}\n[ethernet]\nmac-address=52:54:00:A1:00:01\nmtu=9000\n`,
    ],
    ['the address that is there', profile('\n[ethernet]\nmac-address=AA\n'), `${HEAD}\n[ethernet]\nmac-address=AA\n`],
  ])('have %s', (_, content, expected) => {
    // Empty lines between sections mean nothing to NetworkManager.
    const loose = (text: string) => text.replace(/\n+(?=\[)/g, '\n');
    expect(loose(bound(content))).toBe(loose(expected));
  });

  test.each([
    ['another type', profile('', 'bond')],
    ['another name', profile('', 'ethernet', 'eth9')],
    ['no name', '[connection]\nuuid=u-0\ntype=ethernet\n'],
    ['no UUID', '[connection]\ntype=ethernet\ninterface-name=eth0\n'],
    ['no type', '[connection]\nuuid=u-0\ninterface-name=eth0\n'],
    ['no connection', '[ipv4]\ninterface-name=eth0\n'],
  ])('stay as they are with %s', (_, content) => {
    expect(bound(content)).toBe(content);
    expect(bound(profile(''), [{ ...CARDS[0]!, macAddress: 'x' }])).toBe(profile(''));
  });

  test.each([
    ['[vlan]\nparent=eth0\n', '[vlan]\nparent=u-0\n', []],
    ['[vlan]\nparent=eth9\n', '[vlan]\nparent=eth9\n', []],
    ['[infiniband]\nparent=eth0\n', '[infiniband]\nparent=eth0\n', ['b.nmconnection: parent=eth0']],
    ['[bond]\nprimary=eth0\n', '[bond]\nprimary=eth0\n', ['b.nmconnection: primary=eth0']],
    ['[bond]\nactive_slave=eth0\n', '[bond]\nactive_slave=eth0\n', ['b.nmconnection: active_slave=eth0']],
    [
      '[hsr]\nport1=eth0\nport2=eth0\n',
      '[hsr]\nport1=eth0\nport2=eth0\n',
      ['b.nmconnection: port1=eth0', 'b.nmconnection: port2=eth0'],
    ],
    ['[bond]\nprimary=eth9\n', '[bond]\nprimary=eth9\n', []],
    ['[other]\nprimary=eth0\n', '[other]\nprimary=eth0\n', []],
    [
      '[ipv4]\nrouting-rule1=oif eth0 table 7\n',
      '[ipv4]\nrouting-rule1=oif eth0 table 7\n',
      ['b.nmconnection: routing-rule1=oif eth0 table 7'],
    ],
    ['[ipv4]\nrouting-rule1=iif eth9 from eth0\n', '[ipv4]\nrouting-rule1=iif eth9 from eth0\n', []],
    ['[ipv4]\nroute1=iif eth0\n', '[ipv4]\nroute1=iif eth0\n', []],
  ])('adjust %j beside them', (content, expected, obstacles) => {
    const files = [profileOf(profile('', 'ethernet')), profileOf(content, 'b.nmconnection')];
    const result = bindToMacs(files, CARDS);
    expect(keyfileOf(result.profiles[1]!).content).toBe(expected);
    expect(result.obstacles).toEqual(obstacles);
  });
});

describe('the config of a worker', () => {
  test('trusts all authorities that it names, separated by a line end', () => {
    const { workerUserData } = pointer('https://x', 'data:,one', 'data:,two%0A', null, 'https://x', 'data:,');
    expect(workerAuthorities(workerUserData!)).toBe('one\ntwo\n');
    expect(workerAuthorities({ ignition: { version: '3.2.0' } })).toBe('');
  });

  test('has the name of a host, readable by everyone and owned by root', () => {
    const [named, bare] = planOf(WORKER).hosts;
    const config = JSON.parse(workerIgnition(WORKER, named)) as Config;
    expect(config.storage?.files).toEqual([
      expect.objectContaining({ path: '/etc/hostname', mode: 0o644, overwrite: true, user: { name: 'root' } }),
    ]);
    expect(textOf(config, '/etc/hostname')).toBe('w\n');
    expect((JSON.parse(workerIgnition(WORKER, bare)) as Config).storage?.files ?? []).toEqual([]);
    expect(() => workerIgnition(7 as never)).toThrow(/^facts must be /);
  });

  test('has a placeholder for the name', () => {
    const config = liveConfig(planOf(WORKER));
    const named = JSON.parse(textOf(config, '/etc/coreiso/worker-named.ign') ?? '') as Config;
    expect(textOf(named, '/etc/hostname')).toBe('__HOSTNAME__');
    expect(named.storage?.files).toMatchObject([{ path: '/etc/hostname', mode: 0o644, overwrite: true }]);
    expect(named.ignition).toEqual((JSON.parse(textOf(config, '/etc/coreiso/worker.ign') ?? '') as Config).ignition);
  });

  test('is refused for a host that only works by interface names', () => {
    const [host] = planOf(WORKER).hosts;
    const profiles = [
      profileOf('[connection]\nuuid=u\ntype=ethernet\ninterface-name=eth0\n', 'eth0.nmconnection'),
      profileOf('[bond]\nprimary=eth0\n', 'bond0.nmconnection'),
    ];
    const attempt = () => workerIgnition(WORKER, { ...host!, network: { directory: 'host0', profiles } });
    expect(attempt).toThrow(expect.objectContaining({ code: 'OPENSHIFT_UNBINDABLE' }));
    expect(attempt).toThrow('bond0.nmconnection: primary=eth0');
  });
});
