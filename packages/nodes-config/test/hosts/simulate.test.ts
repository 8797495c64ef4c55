import { describe, expect, test } from 'vitest';
import { simulateBoot } from '../../src/hosts/simulate.ts';
import { octal, plan, recordings } from './recorded.ts';

const boots = recordings.flatMap(({ name, text, recording, boots: list }) =>
  list.map((boot, position) => ({ name: `${name}, machine ${position}`, text, cluster: recording.cluster, boot })),
);
const sound = boots.filter(({ boot }) => boot.defect === undefined);

test('there are 58 recorded boots, four of them with a defect', () => {
  expect([boots.length, boots.length - sound.length]).toEqual([58, 4]);
});

describe('a simulated boot writes the same files as the real one', () => {
  test.each(sound)('$name', ({ text, cluster, boot }) => {
    const result = simulateBoot(plan(text, cluster), boot);
    const files = result.files?.map((file) => ({ ...file, mode: octal(file.mode) })) ?? null;
    expect(files).toEqual(boot.files);
    expect(result.directory).toBe(boot.directory);
    expect(result.matched.map(({ network }) => network?.directory)).toEqual(boot.matched);
    const clashes = result.diagnostics.filter(({ code }) => code === 'nodes-config/boot-name-clash');
    expect(clashes.map(({ message }) => message.split(' ')[0])).toEqual(boot.nameClashes);
  });
});

describe('findings of a simulated boot', () => {
  const HOSTS = `hosts:
- hostname: w0
  interfaces:
  - { name: eth0, macAddress: "52:54:00:F9:00:01" }
  - { name: eth1, macAddress: "52:54:00:f9:00:02" }
  networkConfig:
    interfaces:
    - { name: eth0, type: ethernet, state: up, ipv4: { enabled: true, dhcp: true } }
    - { name: eth1, type: ethernet, state: up, ipv4: { enabled: true, dhcp: true } }
    - { name: br0, type: linux-bridge, state: up, bridge: { port: [] } }
- hostname: w1
  interfaces:
  - { name: eth7, macAddress: "52:54:00:f9:00:03" }
  networkConfig:
    interfaces:
    - { name: br0, type: linux-bridge, state: up, bridge: { port: [{ name: eth7 }] } }
- hostname: w2
  interfaces:
  - { name: eth0, macAddress: 52-54-00-f9-00-04 }
`;
  const made = plan(HOSTS, '_clusters/quiet.json');
  const codes = (nics: Record<string, string>): string[] =>
    simulateBoot(made, { nics }).diagnostics.map(({ code }) => code.replace('nodes-config/boot-', ''));

  test('a machine is the host that lists any of its MACs', () => {
    const hostname = (nics: Record<string, string>): string | undefined => simulateBoot(made, { nics }).host?.hostname;
    expect(hostname({ eno1: '52:54:00:f9:00:01' })).toBe('w0');
    expect(hostname({ eno1: '52:54:00:f9:00:02' })).toBe('w0');
    expect(hostname({ eno1: '52:54:00:F9:00:04' })).toBe('w2');
    expect(hostname({ eno1: '52:54:00:f9:00:09' })).toBeUndefined();
  });

  test('a machine with all interfaces has no findings', () => {
    expect(codes({ eno1: '52:54:00:f9:00:01', eno2: '52:54:00:f9:00:02' })).toEqual([]);
  });

  test.each([
    ['a stranger', { eno1: '52:54:00:f9:00:09' }, ['no-match']],
    ['an absent interface', { eno1: '52:54:00:f9:00:01' }, ['absent-nic']],
    ['a host without networkConfig', { eno1: '52:54:00:f9:00:04' }, ['dhcp']],
    [
      'MACs of two hosts, and profiles of one name',
      { eno1: '52:54:00:f9:00:01', eno2: '52:54:00:f9:00:02', eno3: '52:54:00:f9:00:03' },
      ['several-hosts', 'name-clash'],
    ],
    [
      'two interfaces with one MAC',
      { eno1: '52:54:00:f9:00:01', eno1np0: '52:54:00:f9:00:01', eno2: '52:54:00:f9:00:02' },
      ['shared-mac'],
    ],
    ['nothing but loopback', { lo: '00:00:00:00:00:00' }, ['no-match']],
  ])('%s', (_, nics, expected) => {
    expect(codes(nics)).toEqual(expected);
  });

  test('two hosts with one card, whose profiles get the same name', () => {
    const [first] = made.hosts.filter(({ network }) => network !== undefined);
    const twice = { ...made, hosts: [first!, { ...first!, path: ['hosts', 7] }] };
    const nics = Object.fromEntries(first!.interfaces.map(({ macAddress }, at) => [`eno${at}`, macAddress]));
    const remarks = simulateBoot(twice, { nics }).diagnostics.filter(({ code }) => /replaced-profile/.test(code));
    expect(remarks[0]).toMatchObject({
      message: 'eno0.nmconnection replaces a profile of the same name',
      path: ['hosts', 7],
    });
  });

  test('findings about a host have its place in the document', () => {
    const { diagnostics } = simulateBoot(made, { nics: { eno1: '52:54:00:f9:00:01' } });
    expect(diagnostics.map(({ path }) => path)).toEqual([['hosts', 0]]);
  });

  test('each of ten thousand machines finds its own one of ten thousand hosts', () => {
    const hosts = Array.from({ length: 10_000 }, (_, position) => ({
      name: `w${position}`,
      hostname: `w${position}`,
      path: ['hosts', position],
      role: undefined,
      rootDeviceHints: {},
      interfaces: [{ name: 'eth0', macAddress: `52:54:${macTail(position)}`, path: [] }],
      network: undefined,
    }));
    const large = { ...made, hosts, files: [] };
    const found = hosts.filter((host, position) => {
      return simulateBoot(large, { nics: { ens3: `52:54:${macTail(position)}` } }).host === host;
    });
    expect(found.length).toBe(10_000);
  });
});

function macTail(position: number): string {
  return (position.toString(16).padStart(8, '0').match(/../g) ?? []).join(':');
}
