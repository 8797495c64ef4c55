import { parseNodesConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

import { sshKeyProblem } from '../../src/rules/ssh-key.ts';

const MAC = '52:54:00:a1:00:01';
type Found = { readonly code: string; readonly at: string };

function findings(...hosts: object[]): Found[] {
  return parseNodesConfig({ hosts }).diagnostics.map(({ code, path }) => ({
    code: code.replace('nodes-config/', ''),
    at: path.join('.'),
  }));
}

const codes = (...hosts: object[]): string[] => findings(...hosts).map(({ code }) => code);
const host = (rest: object, name = 'eth0'): object => ({ interfaces: [{ name, macAddress: MAC }], ...rest });

describe('a host name', () => {
  test.each([
    ['a'.repeat(63), []],
    ['a'.repeat(64), ['hostname-invalid']],
    ['a.b-c.d0', []],
    ['.', ['hostname-path']],
    ['..', ['hostname-path']],
    ['a/b', ['hostname-path']],
    ['a\0b', ['hostname-path']],
    ['-a', ['hostname-invalid']],
    ['A', ['hostname-invalid']],
    ...['', '.localdomain', '4', '4.localdomain4', '6', '6.localdomain6'].map((end): [string, string[]] => [
      `localhost${end}`,
      ['hostname-invalid'],
    ]),
    ['localhost5', []],
  ])('%s', (hostname, expected) => {
    expect(codes(host({ hostname }))).toEqual(expected);
  });
});

describe('hints that no disk can match', () => {
  test.each<[object, string | undefined]>([
    [{ deviceName: '/dev/' }, 'deviceName'],
    [{ deviceName: '/dev/disk/' }, 'deviceName'],
    [{ deviceName: '/dev/disk/by-path/' }, 'deviceName'],
    [{ deviceName: '/dev/sda' }, undefined],
    [{ deviceName: '/dev/vda1' }, 'deviceName'],
    [{ deviceName: '/dev/mmcblk0p1' }, 'deviceName'],
    [{ deviceName: '/dev/disk/by-path/pci-0-part1' }, 'deviceName'],
    [{ deviceName: '/dev/disk/by-path/pci-0' }, undefined],
    [{ hctl: '0:0:0:0' }, undefined],
    [{ hctl: '0:0:0:0:0' }, 'hctl'],
    [{ wwn: '1'.repeat(16) }, undefined],
    [{ wwn: '1'.repeat(17) }, 'wwn'],
    [{ wwn: ' 0x5' }, 'wwn'],
    [{ serialNumber: 'x ' }, 'serialNumber'],
    [{ model: 'x ' }, undefined],
    [{ minSizeGigabytes: 1_000_000 }, undefined],
    [{ minSizeGigabytes: 1_000_001 }, 'minSizeGigabytes'],
    [{ minSizeGigabytes: 1 }, undefined],
    [{ minSizeGigabytes: -1 }, 'minSizeGigabytes'],
    [{ rotational: true, deviceName: '/dev/nvme0n1' }, 'rotational'],
    [{ rotational: true, deviceName: '/dev/mmcblk0' }, 'rotational'],
    [{ rotational: true, deviceName: '/dev/pmem0' }, 'rotational'],
    [{ rotational: false, deviceName: '/dev/nvme0n1' }, undefined],
    [{ rotational: true, deviceName: '/dev/sda' }, undefined],
    [{ rotational: true }, undefined],
  ])('%j', (rootDeviceHints, key) => {
    const found = findings(host({ rootDeviceHints })).filter(({ code }) => code === 'hopeless-hint');
    expect(found).toEqual(key === undefined ? [] : [{ code: 'hopeless-hint', at: `hosts.0.rootDeviceHints.${key}` }]);
  });
});

describe('names in the table of interfaces', () => {
  test.each([
    ['a'.repeat(15), []],
    ['a'.repeat(16), ['interface-name']],
    ['a\tb', ['interface-name']],
    ['', []],
  ])('%j', (name, expected) => {
    expect(codes(host({}, name))).toEqual(expected);
  });

  test('may be missing twice, but must not repeat', () => {
    const two = (name: string): object => ({
      interfaces: [MAC, '52:54:00:a1:00:02'].map((macAddress) => ({ name, macAddress })),
    });
    expect(codes(two(''))).toEqual([]);
    expect(findings(two('eth0'))).toEqual([{ code: 'duplicate-interface-name', at: 'hosts.0.interfaces.1.name' }]);
  });
});

describe('an interface without a MAC address in the table', () => {
  const unmapped = (...interfaces: object[]): string[] =>
    findings(host({ networkConfig: { interfaces } }))
      .filter(({ code }) => code === 'interface-unmapped')
      .map(({ at }) => at.replace('hosts.0.networkConfig.interfaces.', ''));

  test.each<[string, object, string[]]>([
    ['a card', { name: 'eth9', type: 'ethernet' }, ['0.name']],
    ['a card by its other type', { name: 'eth9', type: '802-3-ethernet', state: 'up' }, ['0.name']],
    ['a card that is found by its address', { name: 'eth9', type: 'ethernet', identifier: 'mac-address' }, []],
    ['a card that is down', { name: 'eth9', type: 'ethernet', state: 'down' }, []],
    ['a card that is absent', { name: 'eth9', type: 'ethernet', state: 'absent' }, []],
    ['a card of the table', { name: 'eth0', type: 'ethernet' }, []],
    ['a card with a name of systemd', { name: 'enp1s0', type: 'ethernet' }, []],
    ['a virtual function', { name: 'sriov:eth0:1', type: 'ethernet' }, []],
    ['something else', { name: 'dummy0', type: 'dummy' }, []],
    ...['vlan', 'vxlan', 'mac-vlan', 'mac-vtap', 'macsec', 'ipvlan'].map((type): [string, object, string[]] => [
      `the base of ${type}`,
      { name: 'top', type, [type]: { 'base-iface': 'eth9' } },
      [`0.${type}.base-iface`],
    ]),
    ...['port', 'ports'].map((key): [string, object, string[]] => [
      `${key} of a bond`,
      { name: 'bond0', type: 'bond', 'link-aggregation': { [key]: ['eth0', 'eth9'] } },
      [`0.link-aggregation.${key}.1`],
    ]),
    [
      'configured ports of a bond',
      { name: 'bond0', type: 'bond', 'link-aggregation': { 'ports-config': [{ name: 'eth9' }] } },
      ['0.link-aggregation.ports-config.0.name'],
    ],
    ...['port', 'ports'].map((key): [string, object, string[]] => [
      `${key} of a bridge`,
      { name: 'br0', type: 'linux-bridge', bridge: { [key]: [{ name: 'eth0' }, { name: 'eth9' }] } },
      [`0.bridge.${key}.1.name`],
    ]),
    [
      'ports of a bond in an OVS bridge',
      {
        name: 'br0',
        type: 'ovs-bridge',
        bridge: { port: [{ name: 'bond1', 'link-aggregation': { port: [{ name: 'eth9' }] } }] },
      },
      ['0.bridge.port.0.link-aggregation.port.0.name'],
    ],
    ['a port of a VRF', { name: 'vrf0', type: 'vrf', vrf: { port: ['eth9'] } }, ['0.vrf.port.0']],
    [
      'a port below an interface that is absent',
      { name: 'vrf0', type: 'vrf', state: 'absent', vrf: { port: ['eth9'] } },
      [],
    ],
  ])('%s', (_, iface, expected) => {
    expect(unmapped(iface)).toEqual(expected);
  });

  test('is reported once, and not if another interface declares it', () => {
    const vlan = (id: number) => ({ name: `v${id}`, type: 'vlan', vlan: { 'base-iface': 'eth9', id } });
    expect(unmapped(vlan(1), vlan(2))).toEqual(['0.vlan.base-iface']);
    expect(unmapped(vlan(1), { name: 'eth9', type: 'dummy' })).toEqual([]);
  });
});

describe('an address of two hosts', () => {
  const addressed = (ip: string, index: number): object => ({
    interfaces: [{ name: 'eth0', macAddress: `52:54:00:a1:00:0${index}` }],
    networkConfig: {
      interfaces: [
        {
          name: 'eth0',
          type: 'ethernet',
          state: 'up',
          [ip.includes(':') ? 'ipv6' : 'ipv4']: { enabled: true, dhcp: false, address: [{ ip, 'prefix-length': 24 }] },
        },
      ],
    },
  });

  test.each([
    ['192.0.2.1', true],
    ['2001:db8::1', true],
    ['127.0.0.1', false],
    ['12.7.0.1', true],
    ['::1', false],
    ['fe80::1', false],
    ['febf::1', false],
    ['fec0::1', true],
  ])('%s: it is %s that another host has it', (ip, isShared) => {
    const shared = codes(addressed(ip, 1), addressed(ip, 2)).filter((code) => code === 'duplicate-address');
    expect(shared).toEqual(isShared ? ['duplicate-address'] : []);
  });
});

describe('values that an INI library changes', () => {
  const changed = (value: unknown): string[] =>
    findings(
      host({
        networkConfig: {
          interfaces: [{ name: 'eth0', type: 'ethernet', state: 'up', description: value }],
        },
      }),
    )
      .filter(({ code }) => code === 'keyfile-value')
      .map(({ at }) => at);

  test.each<[unknown, boolean]>([
    ['plain', false],
    ['"quoted"', true],
    ["'quoted'", true],
    ['`quoted`', true],
    [' blank', true],
    ['blank ', true],
    ['backslash\\', true],
    ['in"side', false],
    ['two\nlines ', false],
    [7, false],
  ])('%j: %s', (value, isChanged) => {
    expect(changed(value)).toEqual(isChanged ? ['hosts.0.networkConfig.interfaces.0.description'] : []);
  });
});

/** RFC 4251 section 5: a string with its length before it. */
const part = (bytes: string | number): string => {
  const text = typeof bytes === 'number' ? 'x'.repeat(bytes) : bytes;
  return String.fromCharCode(0, 0, text.length >> 8, text.length & 0xff) + text;
};
const key = (type: string, ...parts: (string | number)[]): string => btoa(part(type) + parts.map(part).join(''));

describe('public keys', () => {
  const GOOD: readonly { readonly type: string; readonly parts: readonly (string | number)[] }[] = [
    { type: 'ssh-rsa', parts: [3, 256] },
    { type: 'ssh-dss', parts: [1, 1, 1, 1] },
    { type: 'ssh-ed25519', parts: [32] },
    { type: 'ecdsa-sha2-nistp256', parts: ['nistp256', 65] },
    { type: 'ecdsa-sha2-nistp384', parts: ['nistp384', 97] },
    { type: 'ecdsa-sha2-nistp521', parts: ['nistp521', 133] },
    { type: 'sk-ssh-ed25519@openssh.com', parts: [32, 'ssh:'] },
    { type: 'sk-ecdsa-sha2-nistp256@openssh.com', parts: ['nistp256', 65, 'ssh:'] },
  ];

  test.each(GOOD)('$type is one', ({ type, parts }) => {
    expect(sshKeyProblem(`${type} ${key(type, ...parts)} me`)).toBeUndefined();
    expect(sshKeyProblem(`\t${type}\t${key(type, ...parts)}\r\n`)).toBeUndefined();
    const last = 'ssh: no key found; last parsing error for ignored line:';
    const problem = (blob: string): string | undefined => sshKeyProblem(`${type} ${blob}`)?.replace(last, '').trim();
    expect(problem(key(type, ...parts.slice(0, -1)))).toBe('ssh: short read');
    expect(problem(key(type, ...parts, 'more'))).toBe('ssh: trailing junk in public key');
    const sized = parts.findIndex((one) => typeof one === 'number' && one >= 32 && type !== 'ssh-rsa');
    if (sized === -1) return;
    for (const change of [-1, 1]) {
      const other = parts.map((one, index) => (index === sized ? (one as number) + change : one));
      expect(problem(key(type, ...other))).toBe('ssh: short read');
    }
  });

  test('of certificates only the type is checked', () => {
    const type = 'ssh-rsa-cert-v01@openssh.com';
    expect(sshKeyProblem(`${type} ${key(type, 1)}`)).toBeUndefined();
  });

  const line = `ssh-ed25519 ${key('ssh-ed25519', 32)}`;

  test.each([
    ['options', `no-pty,command="a b" ${line}`],
    ['options that begin with a quote', `"a b" ${line}`],
    ['options with a quote in quotes', `command="a \\" b" ${line}`],
    ['options with tabs', `no-pty\t${line}`],
    ['a comment before it', `# mine\n\n${line}`],
    ['a line that is none before it', `ssh-rsa AAAA\n${line}`],
    ['a word before it', `word\n${line}`],
  ])('with %s are found', (_, text) => {
    expect(sshKeyProblem(text)).toBeUndefined();
  });

  test.each([
    ['nothing', '', 'ssh: no key found'],
    ['a word', 'word', 'ssh: no key found'],
    ['a comment', `# ${line}`, 'ssh: no key found'],
    [
      'no base64',
      'ssh-rsa A?',
      'ssh: no key found; last parsing error for ignored line: illegal base64 data at input byte 1',
    ],
    ['an open quote', `command="a ${line}`, expect.stringContaining('illegal base64 data')],
    [
      'another type',
      `ssh-rsa ${key('ssh-ed25519', 32)}`,
      expect.stringContaining('key type mismatch: "ssh-rsa" vs "ssh-ed25519"'),
    ],
    ['a type that nobody knows', `x ${key('x', 1)}`, expect.stringContaining('ssh: unknown key algorithm: x')],
    ['no type', `x ${btoa('\0\0')}`, expect.stringContaining('ssh: short read')],
    ['a length beyond the end', `x ${btoa('\0\0\0\x09abc')}`, expect.stringContaining('ssh: short read')],
    ['options and no key', 'no-pty ssh-rsa', expect.stringContaining('illegal base64 data at input byte 3')],
  ])('are not in %s', (_, text, problem) => {
    expect(sshKeyProblem(text)).toEqual(problem);
  });
});
