import {
  detectKind,
  parseAgentConfig,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const PARSERS = {
  'nodes-config': parseNodesConfig,
  'agent-config': parseAgentConfig,
  nmstateconfig: parseNMStateConfig,
  infraenv: parseInfraEnv,
} as const;
type Kind = keyof typeof PARSERS;

/** A document with a key in one place. */
const PLACES = {
  top: (key: string) => ({ [key]: 'x' }),
  host: (key: string) => ({ hosts: [{ [key]: 'x' }] }),
  interface: (key: string) => ({ hosts: [{ interfaces: [{ [key]: 'x' }] }] }),
  hints: (key: string) => ({ hosts: [{ rootDeviceHints: { [key]: 'x' } }] }),
  bmc: (key: string) => ({ hosts: [{ bmc: { [key]: 'x' } }] }),
  'manifest interface': (key: string) => ({ spec: { interfaces: [{ [key]: 'x' }] } }),
} as const;

function finding(kind: Kind, place: keyof typeof PLACES, key: string): string | undefined {
  const { diagnostics } = PARSERS[kind](PLACES[place](key) as object);
  const found = diagnostics.find(({ code, path }) => path.at(-1) === key && /(?:misplaced|unknown)-key$/.test(code));
  return found && `${found.code.replace('nodes-config/', '')}: ${found.help}`;
}

const HOSTS: readonly Kind[] = ['nodes-config', 'agent-config'];
const moved = (where: string) => (key: string) => `misplaced-key: Move \`${key}\` ${where}.`;
const meant = (name: string) => () => `unknown-key: Did you mean \`${name}\`?`;

const CASES: readonly [readonly Kind[], keyof typeof PLACES, string, (key: string) => string][] = [
  [HOSTS, 'top', 'spec Spec', () => 'misplaced-key: Move the keys below `spec` up one level, and remove `spec`.'],
  [
    ['nodes-config'],
    'host',
    'cpuArchitecture sshKey bootArtifactsBaseURL',
    moved('to the top of the file: it holds for all hosts of an image'),
  ],
  [
    ['agent-config'],
    'host',
    'rendezvousIP additionalNTPSources bootArtifactsBaseURL minimalISO',
    moved('to the top of the file: it holds for all hosts'),
  ],
  [
    ['nodes-config'],
    'top',
    'additionalNTPSources',
    () =>
      'misplaced-key: Remove it: new nodes get the time servers of the cluster. The key belongs to agent-config.yaml.',
  ],
  [
    ['nodes-config'],
    'top',
    'rendezvousIP minimalISO',
    (key) =>
      `misplaced-key: Remove \`${key}\`: it belongs to agent-config.yaml and has no meaning when nodes are added.`,
  ],
  [
    ['agent-config'],
    'top',
    'sshKey pullSecret proxy imageDigestSources additionalTrustBundle',
    moved('to install-config.yaml'),
  ],
  [['agent-config'], 'top', 'cpuArchitecture', moved('to install-config.yaml, as `controlPlane.architecture`')],
  [HOSTS, 'top', 'hostname role rootDeviceHints interfaces networkConfig', moved('into an entry of `hosts`')],
  [
    HOSTS,
    'host',
    'deviceName hctl model vendor serialNumber minSizeGigabytes wwn rotational',
    moved('into `rootDeviceHints`'),
  ],
  [
    HOSTS,
    'host',
    'mac macAddress mac-address bootMACAddress',
    () => 'misplaced-key: Write it as `macAddress` of an entry of `interfaces`.',
  ],
  [HOSTS, 'host', 'routes dns-resolver route-rules ovs-db', moved('into `networkConfig`')],
  [HOSTS, 'host', 'name', meant('hostname')],
  [HOSTS, 'interface', 'ipv4 ipv6 state type mtu', moved('into an entry of `networkConfig.interfaces`')],
  [HOSTS, 'interface', 'mac mac-address mac_addr macaddr', meant('macAddress')],
  [['nmstateconfig'], 'manifest interface', 'mac mac-address mac_addr macaddr', meant('macAddress')],
  [HOSTS, 'hints', 'size minSize sizeGigabytes', meant('minSizeGigabytes')],
  [HOSTS, 'hints', 'serial', meant('serialNumber')],
  // Without better help, the nearest key of the place, or all keys.
  [HOSTS, 'hints', 'spec', () => expect.stringMatching(/^unknown-key: /) as string],
  [HOSTS, 'bmc', 'name', () => expect.stringMatching(/^unknown-key: /) as string],
  [['nmstateconfig', 'infraenv'], 'top', 'hostname', () => expect.stringMatching(/^unknown-key: /) as string],
];

describe('a key in the wrong place', () => {
  const table = CASES.flatMap(([kinds, place, keys, help]) =>
    kinds.flatMap((kind) => keys.split(' ').map((key) => ({ kind, place, key, expected: help(key) }))),
  );

  test.each(table)('$key at $place of $kind', ({ kind, place, key, expected }) => {
    expect(finding(kind, place, key)).toEqual(expected);
  });
});

describe('the kind of a document', () => {
  test.each([
    ['kind: AgentConfig', 'agent-config'],
    ['kind: agentconfig\nsshKey: x', 'agent-config'],
    ['kind: InfraEnv', 'infraenv'],
    ['kind: NMStateConfig', 'nmstateconfig'],
    ['kind: NodesConfig\nrendezvousIP: x', 'nodes-config'],
    ['kind: AddNodesConfig\nrendezvousIP: x', 'nodes-config'],
    ['kind: Other\nrendezvousIP: x', 'agent-config'],
    ['kind: [AgentConfig]', 'nodes-config'],
    ['cpuArchitecture: x\nrendezvousIP: x', 'nodes-config'],
    ['sshKey: x\nrendezvousIP: x', 'nodes-config'],
    ['rendezvousIP: x', 'agent-config'],
    ['RENDEZVOUSIP: x', 'agent-config'],
    ['additionalNTPSources: []', 'agent-config'],
    ['minimalISO: true', 'agent-config'],
    ['spec: {config: {}}', 'nmstateconfig'],
    ['spec: {interfaces: []}', 'nmstateconfig'],
    ['spec: {pullSecretRef: {}}', 'infraenv'],
    ['spec: {clusterRef: {}}', 'infraenv'],
    ['spec: {nmStateConfigLabelSelector: {}}', 'infraenv'],
    ['spec: config', 'nodes-config'],
    ['apiVersion: v1beta1', 'agent-config'],
    ['apiVersion: v1alpha1', 'agent-config'],
    ['apiVersion: v1', 'nodes-config'],
    ['apiVersion: xv1beta1', 'nodes-config'],
    ['hosts: []', 'nodes-config'],
    ['- a', 'nodes-config'],
    ['a: [b', 'nodes-config'],
  ])('%s', (text, kind) => {
    expect(detectKind(text)).toBe(kind);
  });
});

describe('the installer ends at a failed step', () => {
  const upstream = (text: string): string[] =>
    parseAgentConfig(text)
      .diagnostics.filter((one) => 'upstream' in one && one.upstream === true)
      .map(({ code }) => code.replace('nodes-config/', ''));
  const host = (lines: string): string =>
    `hosts:\n- interfaces: [{name: eth0, macAddress: '52:54:00:a1:00:01'}]\n${lines}`;
  const bad = 'rendezvousIP: x\nadditionalNTPSources: [a_b]\n';

  test.each([
    ['a version', `apiVersion: v9\n${bad}${host('  role: boss\n')}`, ['api-version']],
    [
      'the file, of which all is told',
      `apiVersion: v1beta1\n${bad}${host('  role: boss\n')}`,
      ['rendezvous-ip', 'ntp-source'],
    ],
    [
      'the hosts, of which all is told',
      `apiVersion: v1beta1\nrendezvousIP: 192.0.2.1\n${host('  role: boss\n  rootDeviceHints: {deviceName: sda}\n  networkConfig: {}\n')}`,
      ['device-name', 'role'],
    ],
    [
      'the networks',
      `apiVersion: v1beta1\nrendezvousIP: 192.0.2.1\n${host('  networkConfig: {}\n')}`,
      ['network-empty'],
    ],
  ])('%s', (_, text, codes) => {
    expect(upstream(text)).toEqual(codes);
  });

  test('wrong numbers of hosts, of which upstream reports only the first', () => {
    const hosts = ['master', 'arbiter', 'worker', 'worker'].map(
      (role, index) => `- {role: ${role}, interfaces: [{name: eth0, macAddress: '52:54:00:a1:00:0${index}'}]}\n`,
    );
    const text = `apiVersion: v1beta1\nrendezvousIP: 192.0.2.1\nhosts:\n${hosts.join('')}`;
    const installConfig =
      'controlPlane: {replicas: 0}\narbiter: {replicas: 0}\ncompute: [{name: worker, replicas: 1}]\n';
    const { diagnostics } = parseAgentConfig(text, { installConfig });
    expect(
      diagnostics.map((one) => [one.message.replace(/ exceeds.*/, ''), 'upstream' in one && one.upstream]),
    ).toEqual([
      ['the number of master hosts defined (1)', true],
      ['the number of arbiter hosts defined (1)', false],
      ['the number of worker hosts defined (2)', false],
    ]);
  });
});

describe('hosts by role against the install config', () => {
  const agent = (roles: readonly string[]): string => {
    const hosts = roles.map(
      (role, index) => `- {role: '${role}', interfaces: [{name: eth0, macAddress: '52:54:00:a1:00:0${index}'}]}\n`,
    );
    return `apiVersion: v1beta1\nrendezvousIP: 192.0.2.1\nhosts:\n${hosts.join('')}`;
  };
  const counts = (roles: readonly string[], installConfig: string): string[] =>
    parseAgentConfig(agent(roles), { installConfig }).diagnostics.map(({ message }) => message);
  const few = (role: string, defined: number, title: string, wanted: number): string =>
    `not enough ${role} hosts defined (${defined}) to support all the configured ${title} replicas (${wanted})`;
  const many = (role: string, defined: number, title: string, wanted: number): string =>
    `the number of ${role} hosts defined (${defined}) exceeds the configured ${title} replicas (${wanted})`;

  test.each<[string, string[], string, string[]]>([
    ['three control-plane hosts where nothing is said', ['master'], '', [few('master', 1, 'ControlPlane', 3)]],
    ['three workers where nothing is said', ['worker'], '', [few('worker', 1, 'Compute', 3)]],
    ['no arbiter where nothing is said', ['arbiter'], '', [many('arbiter', 1, 'Arbiter', 0)]],
    ['as many as there are to be', ['master'], 'controlPlane: {replicas: 1}', []],
    [
      'pools of workers together',
      ['worker', 'worker'],
      'compute: [{name: worker, replicas: 1}, {name: b, replicas: 1}]',
      [],
    ],
    [
      'a pool of workers that is added',
      ['worker'],
      'compute: [{name: b, replicas: 1}]',
      [few('worker', 1, 'Compute', 4)],
    ],
    ['a pool that does not say how many', ['worker'], 'compute: [{name: worker}]', [few('worker', 1, 'Compute', 3)]],
    [
      'hosts without a role first for the control plane',
      ['', ''],
      'controlPlane: {replicas: 1}\ncompute: [{name: worker, replicas: 1}]',
      [],
    ],
    [
      'hosts without a role where the control plane is complete',
      ['master', 'master', ''],
      'controlPlane: {replicas: 1}\ncompute: [{name: worker, replicas: 0}]',
      [many('master', 2, 'ControlPlane', 1), many('worker', 1, 'Compute', 0)],
    ],
    [
      'an arbiter among hosts without a role',
      ['', ''],
      'controlPlane: {replicas: 1}\narbiter: {replicas: 1}\ncompute: []',
      [],
    ],
  ])('%s', (_, roles, installConfig, expected) => {
    expect(counts(roles, installConfig)).toEqual(expected);
  });
});

test('the key of the live system loses the line end that block scalars leave', () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g';
  const hosts = [{ interfaces: [{ name: 'eth0', macAddress: '52:54:00:a1:00:01' }] }];
  const imageKey = (sshKey: string, ofCluster?: string): unknown => {
    const cluster = ofCluster === undefined ? {} : { cluster: { sshKey: ofCluster } };
    const outcome = parseNodesConfig({ sshKey, hosts }, cluster);
    return outcome.ok && outcome.value.imageSshKey;
  };
  expect(imageKey(`\n${key}\n\t|`)).toBe(key);
  expect(imageKey('', `${key}\n`)).toBe(key);
  expect(imageKey(`${key} a|b`, 'other')).toBe(`${key} a|b`);
  expect(imageKey('')).toBe('');
});
