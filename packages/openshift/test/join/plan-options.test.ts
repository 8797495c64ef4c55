import { gunzipSync } from 'node:zlib';
import { decodeDataUrl, parseConfigOrThrow } from '@coreiso/ignition';
import { openLiveImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { keyfileOf } from '@coreiso/nmstate';
import {
  authTokenSecret,
  type ClusterFacts,
  hostData,
  parseNodesConfigOrThrow,
  remoteWorkerManifests,
  reusableTokens,
  simulateBoot,
} from '@coreiso/nodes-config';
import { liveConfig, newStatusToken, openImages, outlineBoots, planNodes } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../../test/support/profiles.ts';
import { NameMap } from '../../../nodes-config/src/hosts/name-map.ts';
import { hostsByPrecedence, inStoredOrder } from '../../../nodes-config/src/hosts/order.ts';
import { distinctNoProxy } from '../../../nodes-config/src/hosts/service-plan.ts';
import { SAMPLE_CREDENTIALS } from './sample-credentials.ts';

const HOSTS = 'hosts:\n- interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]\n';
const config = parseNodesConfigOrThrow(HOSTS);
const WORKER: ClusterFacts = {
  workerUserData: {
    ignition: { version: '3.2.0', config: { merge: [{ source: 'https://a.test:22623/config/worker' }] } },
  },
};
const SERVICE: ClusterFacts = {
  clusterId: 'id',
  version: '4.20.3',
  releaseImage: 'r.test/ocp:4.20.3',
  apiServerUrl: 'https://api.reef.example.test:6443',
  pullSecret: '{"auths":{"a":{"auth":"x"}}}',
};

describe('Ignition of a single host', () => {
  const two = parseNodesConfigOrThrow(
    'hosts:\n- {hostname: far-0, interfaces: [{name: e, macAddress: "52:54:00:a1:00:01"}]}\n- {hostname: near-0, interfaces: [{name: e, macAddress: "52:54:00:a1:00:02"}]}\n',
  );
  const path = '/etc/kubernetes/manifests/keepalived.yaml';
  const hostIgnition = { 'far-0': remoteWorkerManifests('3.2.0').ignitionOverride };
  const planOf = (options: object) => planNodes(two, { cluster: WORKER, hostIgnition, ...options });
  const fileOf = (host: string) => `/etc/assisted/hostconfig/${host}/worker.ign`;

  test('is merged into the config of that host only', () => {
    const files = new Map(liveConfig(planOf({})).storage?.files?.map((file) => [file.path, file]));
    const own = files.get(fileOf('far-0'));
    expect([own?.mode, files.has(fileOf('near-0'))]).toEqual([0o600, false]);
    const config = parseConfigOrThrow(
      new TextDecoder().decode(
        own?.contents?.compression === 'gzip'
          ? gunzipSync(decodeDataUrl(own.contents.source ?? '') ?? '')
          : decodeDataUrl(own?.contents?.source ?? ''),
      ),
    );
    expect(config.ignition.config?.merge).toEqual(WORKER.workerUserData?.ignition.config?.merge);
    expect(config.storage?.files?.map((file) => file.path).sort()).toEqual(['/etc/hostname', path]);
  });

  test('is only in the image of its host', async () => {
    const images = await openImages(await sampleIso(), planOf({}), { perHost: true });
    const configs: string[] = [];
    for (const position of images.names.keys()) {
      const [output] = (await images.build(position)).outputs;
      const live = await openLiveImage(output!.source);
      configs.push(new TextDecoder().decode((await live.initrd.read()).get('config.ign')?.content));
    }
    expect(images.names.map((name, index) => [name, configs[index]?.includes(fileOf('far-0'))])).toEqual([
      ['far-0', true],
      ['near-0', false],
    ]);
  });

  test.each([
    [
      'names no host',
      { hostIgnition: { 'far-9': '{}' } },
      /^hostIgnition must name hosts of the config: far-0, near-0$/,
    ],
    ['has no use', { join: 'network-only' }, /^hostIgnition must be left out with join network-only/],
    ['is no config', { hostIgnition: { 'far-0': '{"ignition":{}}' } }, /version/],
  ])('is refused if it %s', (_, options, reason) => {
    expect(() => planOf(options)).toThrow(reason);
  });
});

describe('the expiry of an image', () => {
  const expires = (options: object) => planNodes(config, { cluster: WORKER, ...options }).expires;

  test('is 48 hours from now, to the second', () => {
    expect(expires({ now: () => new Date('2026-01-02T03:04:05.678Z') })).toBe('2026-01-04T03:04:05Z');
  });

  test('is the requested time', () => {
    expect(expires({ expires: new Date('2030-01-02T03:04:05.678Z') })).toBe('2030-01-02T03:04:05Z');
    expect(() => expires({ expires: new Date(Number.NaN) })).toThrow(/^expires must be a valid Date$/);
  });

  test('is ignored if the image installs nothing, and follows the tokens of a service', () => {
    expect(planNodes(config, { join: 'network-only' }).expires).toBeUndefined();
    const plan = planNodes(config, { cluster: SERVICE, join: 'service', credentials: SAMPLE_CREDENTIALS });
    expect(plan.expires).toBe(SAMPLE_CREDENTIALS.tokens.expires);
  });

  test('is refused if the tokens of a service expire at another time', () => {
    const plan = (expires: Date) =>
      planNodes(config, { cluster: SERVICE, join: 'service', credentials: SAMPLE_CREDENTIALS, expires });
    const end = SAMPLE_CREDENTIALS.tokens.expires ?? '';
    expect(plan(new Date(Date.parse(end) + 999)).expires).toBe(end);
    expect(() => plan(new Date(Date.parse(end) + 1000))).toThrow(/^expires must be the time at which the tokens/);
    expect(() => plan(new Date(Number.NaN))).toThrow(/^expires must be a valid Date$/);
  });
});

describe('a status token', () => {
  test.each([
    ['a'.repeat(22), true],
    ['-_'.repeat(64), true],
    ['a'.repeat(21), false],
    ['a'.repeat(129), false],
    [`${'a'.repeat(22)}\n`, false],
    [7, false],
  ])('%j is valid: %s', (statusToken, isOne) => {
    const make = () => planNodes(config, { cluster: WORKER, statusToken: statusToken as string });
    if (isOne) expect(make().statusToken).toBe(statusToken);
    else expect(make).toThrow(/^statusToken must be 22 to 128 letters/);
  });

  test('is for machines that install themselves', () => {
    expect(planNodes(config, { join: 'network-only', statusToken: 'a'.repeat(22) }).statusToken).toBeUndefined();
  });

  test('has sixteen random bytes', () => {
    expect(newStatusToken((bytes) => void bytes.fill(0xab))).toBe('ab'.repeat(16));
    expect(newStatusToken()).toMatch(/^[0-9a-f]{32}$/);
    expect(newStatusToken()).not.toBe(newStatusToken());
    expect(() => newStatusToken(7 as never)).toThrow(/^random must be /);
  });
});

test.each([
  ['$6$salt$hash', true],
  ['$y$j9T$salt$hash', true],
  ['$2b$10$abc', true],
  ['$1$salt$hash', false],
  ['secret', false],
  ['$6$sa lt', false],
])('%s is a valid password hash: %s', (passwordHash, isOne) => {
  const make = () => planNodes(config, { join: 'network-only', passwordHash });
  if (isOne) expect(make().passwordHash).toBe(passwordHash);
  else expect(make).toThrow(/^passwordHash must be a crypt\(5\) hash/);
});

test('gives an image the cluster facts that it needs, and not the pull secret', () => {
  const needed = {
    proxy: {},
    imageDigestMirrors: [],
    repositoryDigestMirrors: [],
    trustBundle: 'x',
    ...WORKER,
    releaseImage: 'x',
    chronyConf: 'x',
    fips: true,
    platform: 'x',
    version: 'x',
    registryTrust: {},
    insecureRegistries: [],
  };
  const cluster = { ...needed, pullSecret: 'x', sshKey: 'x', nodes: [], clusterId: 'x' };
  expect(planNodes(config, { cluster }).cluster).toEqual(needed);
  const { workerUserData: _, registryTrust: __, insecureRegistries: ___, ...common } = needed;
  expect(planNodes(config, { cluster, join: 'network-only' }).cluster).toEqual(common);
  expect(planNodes(config).cluster).toEqual({});
});

describe('the service is not started', () => {
  test.each(Object.keys(SERVICE))('without the fact %s', (fact) => {
    const { [fact as 'version']: _, ...cluster } = SERVICE;
    const make = () => planNodes(config, { cluster, join: 'service', credentials: SAMPLE_CREDENTIALS });
    expect(make).toThrow(expect.objectContaining({ code: 'OPENSHIFT_MISSING_FACTS' }));
    expect(make).toThrow(`join service needs the cluster facts ${fact}: `);
  });

  test('without credentials, or without a name of the cluster', () => {
    expect(() => planNodes(config, { cluster: SERVICE, join: 'service' })).toThrow(/^credentials must be given/);
    const cluster = { ...SERVICE, apiServerUrl: 'https://x.test' };
    expect(() => planNodes(config, { cluster, join: 'service', credentials: SAMPLE_CREDENTIALS })).toThrow(
      expect.objectContaining({ code: 'NODES_UNUSABLE_FACTS' }),
    );
  });

  test('for a single host, and manages no addresses without a platform', () => {
    const managed = (platform: string) =>
      planNodes(config, { cluster: { ...SERVICE, platform }, join: 'service', credentials: SAMPLE_CREDENTIALS }).service
        ?.isUserManagedNetworking;
    expect(['None', 'External', 'BareMetal'].map(managed)).toEqual([true, true, false]);
  });
});

describe('joining directly is refused', () => {
  test("if the facts lack the source of the workers' config", () => {
    expect(() => planNodes(config, { join: 'direct' })).toThrow(
      expect.objectContaining({ code: 'OPENSHIFT_MISSING_FACTS' }),
    );
  });

  test('for a host with another role, at its place', () => {
    const master = parseNodesConfigOrThrow(`${HOSTS}  role: master\n`);
    expect(() => planNodes(master, { cluster: WORKER, join: 'direct' })).toThrow(
      expect.objectContaining({
        code: 'OPENSHIFT_ROLE_CANNOT_JOIN',
        diagnostics: [expect.objectContaining({ code: 'openshift/role-cannot-join', path: ['hosts', 0, 'role'] })],
      }),
    );
    const worker = parseNodesConfigOrThrow(`${HOSTS}  role: worker\n`);
    expect(planNodes(worker, { cluster: WORKER }).join).toBe('direct');
  });
});

test('names hosts in a plan, or numbers them', () => {
  const text = `${HOSTS}  role: worker\n- hostname: b\n  interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:02"}]\n`;
  const { hosts } = planNodes(parseNodesConfigOrThrow(text), { join: 'network-only' });
  expect(hosts.map(({ name, hostname, role, path }) => [name, hostname, role, path])).toEqual([
    ['host-0', undefined, 'worker', ['hosts', 0]],
    ['b', 'b', undefined, ['hosts', 1]],
  ]);
});

test('lists each noProxy entry once, without blanks', () => {
  expect(distinctNoProxy(' a, b ,a,, ')).toBe('a,b');
  expect(distinctNoProxy('')).toBe('');
});

test.each<[string, () => unknown]>([
  ['plan', () => liveConfig(7 as never)],
  ['options', () => liveConfig(planNodes(config), 7 as never)],
  ['plan', () => outlineBoots(7 as never, {} as never)],
  ['host', () => outlineBoots(planNodes(config), 7 as never)],
  ['plan', () => simulateBoot(7 as never, { nics: {} })],
  ['machine', () => simulateBoot(planNodes(config), {} as never)],
  ['machine', () => simulateBoot(planNodes(config), { nics: null } as never)],
  ['tokens', () => authTokenSecret(7 as never, new Date())],
  ['now', () => authTokenSecret(SAMPLE_CREDENTIALS.tokens, 7 as never)],
  ['host', () => hostData(7 as never)],
  ['host.interfaces', () => hostData({} as never)],
])('names the misuse of %s', (name, call) => {
  expect(call).toThrow(new RegExp(`^${name.replace('.', '\\.')} must `));
});

test('writes expiry and creation time into the Secret of tokens', () => {
  const text = authTokenSecret(SAMPLE_CREDENTIALS.tokens, new Date('2026-01-02T03:04:05.678Z'));
  const { agent, user, watcher, publicKey, expires } = SAMPLE_CREDENTIALS.tokens;
  const base64 = (value: string) => Buffer.from(value).toString('base64');
  expect(text).toBe(`apiVersion: v1
data:
  agentAuthToken: ${base64(agent)}
  authTokenPublicKey: ${base64(publicKey)}
  userAuthToken: ${base64(user)}
  watcherAuthToken: ${base64(watcher)}
kind: Secret
metadata:
  annotations:
    expiresAt: "${expires}"
    updatedAt: "2026-01-02T03:04:05Z"
  name: agent-auth-token
  namespace: openshift-config
type: Opaque
`);
  const forEver = authTokenSecret({ ...SAMPLE_CREDENTIALS.tokens, expires: undefined }, new Date(0));
  expect(forEver).toContain('expiresAt: ""');
  const broken = text.replace(/(agentAuthToken: ).*/, '$1"?"');
  expect(reusableTokens(broken, new Date(0))).toMatchObject({ ok: false, reason: expect.stringContaining('missing') });
});

describe('interface names are mapped to real ones', () => {
  const names = new NameMap(
    new Map([
      ['eth0', 'enp94s0f0np0'],
      ['a.b', 'real'],
      ['x', 'eno1'],
    ]),
  );

  test.each([
    ['eth0', 'enp94s0f0np0'],
    ['eth1', undefined],
    ['eth0.7', 'enp94s0f0np0.7'],
    ['eth0.250', 'enp94s0f0np.250'],
    ['eth0.2507', 'enp94s0f0n.2507'],
    ['eth0.2507.9', 'enp94s0f0n.2507.9'],
    ['a.b.7', 'real.7'],
    ['a.7', undefined],
    ['.eth0', undefined],
    ['x.abcdefghijklmn', 'eno1.abcdefghijklmn'],
    ['x.abcdefghijklm', 'e.abcdefghijklm'],
    ['eth0.a b', 'enp94s0f0np0.a b'],
  ])('%s becomes %s', (name, real) => {
    expect(names.map(name)).toBe(real);
    expect(names.mapFile(`${name}.nmconnection`)).toBe(real && `${real}.nmconnection`);
  });

  const mapContent = (text: string): string =>
    keyfileOf({ name: '', sections: names.mapSections(profileOf(text).sections) }).content;

  test('also in rules, and in no other words', () => {
    const text =
      '[ipv4]\nrouting-rule1=priority 1 iif x oif x from x table 7\nmethod=x\n\n[proxy]\nrouting-rule1=iif x\n';
    expect(mapContent(text)).toBe(
      '[ipv4]\nrouting-rule1=priority 1 iif eno1 oif eno1 from x table 7\nmethod=x\n\n[proxy]\nrouting-rule1=iif x\n',
    );
    expect(mapContent('[ipv6]\nrouting-rule2=oif x\n')).toBe('[ipv6]\nrouting-rule2=oif eno1\n');
  });
});

describe('hosts are numbered as the installer numbers them', () => {
  const networked = (id: string, text: string, ...table: [string, string][]) => ({
    id,
    networkConfig: { text } as never,
    interfaces: table.map(([name, macAddress]) => ({ path: [], name, macAddress })),
  });

  test('by their networks, then by their tables, shorter ones first', () => {
    const hosts = [
      networked('e', 'b', ['a', '1']),
      networked('d', 'a', ['a', '1'], ['b', '1']),
      networked('c', 'a', ['b', '1']),
      networked('b', 'a', ['a', '2']),
      networked('a', 'a', ['a', '1']),
      networked('f', 'a', ['b', '2'], ['a', '1']),
    ];
    expect(inStoredOrder(hosts).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'f', 'e']);
  });

  test('and are tried in the order of their directories', () => {
    const hosts = ['host2', undefined, 'host10', 'host1', undefined].map((directory, index) => ({
      index,
      network: directory === undefined ? undefined : { directory },
    }));
    expect(hostsByPrecedence(hosts).map(({ index }) => index)).toEqual([3, 2, 0, 1, 4]);
  });
});

describe('the result of a plan on a machine', () => {
  const network = (name: string): string =>
    `  networkConfig:\n    interfaces: [{name: ${name}, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}}]\n`;
  const plan = planNodes(
    parseNodesConfigOrThrow(
      `hosts:
- hostname: plain
  interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]
- hostname: networked
  interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:02"}, {name: eth1, macAddress: "52:54:00:a1:00:03"}]
${network('eth0')}`,
      { mode: 'compatible' },
    ),
    { join: 'network-only' },
  );
  const boot = (nics: Record<string, string>, rest: object = {}) => {
    const { host, matched, files, diagnostics, directory } = simulateBoot(plan, { nics, ...rest });
    const codes = diagnostics.map(({ severity, code, path }) =>
      `${severity} ${code.replace('nodes-config/boot-', '')} ${path.join('.')}`.trim(),
    );
    return {
      host: host?.name,
      matched: matched.map(({ name }) => name),
      files: files?.map(({ name }) => name) ?? null,
      codes,
      directory,
    };
  };
  const PLACE = '/etc/NetworkManager/system-connections';

  test.each<[string, Record<string, string>, object, object]>([
    [
      'nothing of it',
      { eno1: '52:54:00:a1:00:99' },
      {},
      { host: undefined, matched: [], files: null, codes: ['warning no-match'] },
    ],
    [
      'nothing of it by its loopback',
      { lo: '52:54:00:a1:00:01', x: '00:00:00:00:00:00', y: 'none' },
      {},
      { host: undefined, codes: ['warning no-match'] },
    ],
    ['nothing, and keeps what is there', {}, { existing: ['b', 'a'] }, { files: ['a', 'b'] }],
    [
      'its name alone',
      { eno1: ' 52-54-00-A1-00-01 ' },
      {},
      { host: 'plain', matched: [], files: null, codes: ['info dhcp hosts.0'], directory: PLACE },
    ],
    [
      'its network',
      { eno1: '52:54:00:a1:00:02', eno2: '52:54:00:a1:00:03' },
      { existing: ['old'] },
      { host: 'networked', matched: ['networked'], files: ['eno1.nmconnection'], codes: [] },
    ],
    [
      'its network without a card',
      { eno1: '52:54:00:a1:00:02' },
      { initrd: true },
      {
        files: ['eno1.nmconnection'],
        codes: ['warning absent-nic hosts.1'],
        directory: '/etc/coreos-firstboot-network',
      },
    ],
    [
      'two hosts of it, the one with a network first',
      { eno1: '52:54:00:a1:00:01', eno2: '52:54:00:a1:00:02', eno3: '52:54:00:a1:00:03' },
      {},
      { host: 'networked', matched: ['networked'], codes: ['warning several-hosts hosts.1'] },
    ],
    [
      'one card of two with the same address',
      { eno1: '52:54:00:a1:00:01', eno2: '52:54:00:a1:00:01' },
      {},
      { host: 'plain', codes: ['warning shared-mac', 'info dhcp hosts.0'] },
    ],
  ])('%s', (_, nics, rest, expected) => {
    expect(boot(nics, rest)).toMatchObject(expected);
  });

  test('has private profiles, and defaults where no profile replaces them', () => {
    expect(simulateBoot(plan, { nics: {}, existing: ['a'] }).files).toEqual([
      { name: 'a', mode: 0o600, contents: '[connection]\nid=default\n' },
    ]);
  });
});
