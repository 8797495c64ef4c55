// The kind of a text: by its file name, by the kind that it names, by its keys.
import { KINDS, kindOf, type LanguageKind } from '@coreiso/language';
import { describe, expect, test } from 'vitest';

describe('the name of a file determines its kind', () => {
  test.each(KINDS)('%s', (kind) => {
    const names = [`${kind}.yaml`, `${kind}.yml`, `${kind}.json`, `${kind}-site.yaml`, `${kind}.bak.yaml`];
    const paths = names.flatMap((name) => [name, `dir/${name}`, `C:\\dir\\${name}`]);
    expect(paths.filter((path) => kindOf('x: 1\n', path) !== kind)).toEqual([]);
    const others = [`${kind}.txt`, `my-${kind}.yaml`, `${kind}s.yaml`, `${kind}.yaml.txt`, `${kind}.yaml/x`, kind];
    expect(others.filter((path) => kindOf('x: 1\n', path) !== undefined)).toEqual([]);
  });

  test('before its contents, unless the name says nothing', () => {
    expect(kindOf('interfaces: []\n', 'install-config.yaml')).toBe('install-config');
    expect(kindOf('interfaces: []\n', 'config.ign')).toBe('ignition');
    expect(kindOf('interfaces: []\n', 'config.ignition')).toBe('network-state');
    expect(kindOf('interfaces: []\n', 'a.ign/state.yaml')).toBe('network-state');
  });
});

test.each<[text: string, kind: LanguageKind | undefined]>([
  ['{"ignition": {}}', 'ignition'],
  [' \n {"ignition": {}}', 'ignition'],
  ["{'ignition' : {}}", 'ignition'],
  ['{ignition: {}}', 'ignition'],
  ['{"ignition', undefined],
  ['["ignition": {}]', undefined],
  ['{"my-ignition": {}}', undefined],
  ['{"ignition-x": {}}', undefined],
  ['{"storage": {}}', undefined],
  ['{"storage": {"storage": {}}}', undefined],
  ['{"passwd": {}, "systemd": {}}', 'ignition'],
  ['{"storage": {}, "passwd": {}}', 'ignition'],
  ['{"disks": {}, "passwd": {}}', undefined],
])('JSON that begins with %j is of the kind %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

test.each<[text: string, kind: LanguageKind | undefined]>([
  ['kind: AgentConfig\n', 'agent-config'],
  ['kind: InfraEnv\n', 'infraenv'],
  ['kind: NMStateConfig\n', 'nmstateconfig'],
  ['kind: NodesConfig\n', 'nodes-config'],
  ['kind: AddNodesConfig\n', 'nodes-config'],
  ['kind: NodeNetworkConfigurationPolicy\n', 'network-state'],
  ['a: 1\nkind : "infraenv"\n', 'infraenv'],
  ["kind:'InfraEnv'\n", 'infraenv'],
  ['interfaces: []\nroutes: {}\nkind: AgentConfig\n', 'agent-config'],
  ['apiVersion: a.b/v1\nkind: AgentConfig\n', 'agent-config'],
  ['x:\n  kind: AgentConfig\n', undefined],
  ['kind: AgentConfiguration\n', undefined],
  ['kind: Other\ninterfaces: []\n', 'network-state'],
  ['apiVersion: v1\nkind: Other\ninterfaces: []\n', 'network-state'],
  ['apiVersion: "a.b/v1"\nkind: Other\ninterfaces: []\n', undefined],
  ['apiVersion : a-b/v1\nkind: Other\ninterfaces: []\n', undefined],
  ['apiVersion: a.b/v1\ninterfaces: []\n', 'network-state'],
])('%j names the kind %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

describe('keys at the top determine a kind', () => {
  const OWN: Readonly<Partial<Record<LanguageKind, readonly string[]>>> = {
    'install-config': [
      ...['baseDomain', 'controlPlane', 'pullSecret', 'featureSet', 'imageContentSources', 'imageDigestSources'],
    ],
    'network-state': ['interfaces', 'dns-resolver', 'route-rules', 'ovs-db', 'ovn', 'desiredState'],
    'agent-config': ['rendezvousIP', 'additionalNTPSources', 'minimalISO'],
    'nodes-config': ['cpuArchitecture'],
  };
  const own = Object.entries(OWN).flatMap(([kind, keys]) => keys.map((key) => [key, kind] as const));

  test.each(own)('%s is a key of %s', (key, kind) => {
    for (const text of [`${key}: 1\n`, `x: 1\n"${key}" : 1\n`, `'${key}':\n`])
      expect([text, kindOf(text)]).toEqual([text, kind]);
    for (const text of [`  ${key}: 1\n`, `${key}\n`, `${key}x: 1\n`, `x${key}: 1\n`, `- ${key}: 1\n`])
      expect([text, kindOf(text)]).toEqual([text, undefined]);
  });

  const shared = {
    'install-config': ['compute', 'publish', 'networking'],
    'network-state': ['routes', 'hostname', 'capture'],
    'nodes-config': ['sshKey', 'hosts'],
  };

  test.each(Object.entries(shared))('keys of %s that other programs also have prove nothing alone', (kind, keys) => {
    for (const key of keys) {
      // A name at the top is that of a machine.
      expect([key, kindOf(`${key}: 1\n`)]).toEqual([key, key === 'hostname' ? kind : undefined]);
      for (const host of ['hostname', 'macAddress', 'networkConfig', 'rootDeviceHints'])
        expect([key, host, kindOf(`${key}:\n- x: 1\n  - ${host} : 1\n`)]).toEqual([key, host, kind]);
    }
  });

  test.each<[text: string, kind: LanguageKind | undefined]>([
    ['hosts: []\nrendezvousIP: x\n', 'agent-config'],
    ['rendezvousIP: x\nhosts: []\n', 'agent-config'],
    ['cpuArchitecture: x\ninterfaces: []\n', 'network-state'],
    ['sshKey: x\nbaseDomain: y\n', 'install-config'],
    // Of two kinds with equally many votes the first wins.
    ['interfaces: []\nbaseDomain: x\n', 'network-state'],
    ['baseDomain: x\ninterfaces: []\n', 'install-config'],
    ['interfaces: []\nbaseDomain: x\npullSecret: y\n', 'install-config'],
    ['cpuArchitecture: x\nhosts: []\ninterfaces: []\n', 'nodes-config'],
    ['interfaces: []\ncpuArchitecture: x\nhosts: []\nsshKey: y\n', 'nodes-config'],
    ['x: 1\n', undefined],
    ['', undefined],
    ['hostname: a\nnetworking: {}\n', 'network-state'],
  ])('%j', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });
});
