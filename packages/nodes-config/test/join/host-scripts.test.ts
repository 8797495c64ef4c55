import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import type { HostPlan } from '../../src/hosts/plan.ts';
import { hostTable } from '../../src/join/host-table.ts';
import { FakeRoot, SHELLS } from '../hosts/fake-root.ts';

function host(name: string, macs: readonly string[], more: Partial<HostPlan> = {}): HostPlan {
  return {
    name,
    hostname: name,
    path: [],
    role: undefined,
    rootDeviceHints: {},
    interfaces: macs.map((macAddress, position) => ({ name: `eth${position}`, macAddress, path: [] })),
    network: undefined,
    ...more,
  };
}

const HOSTS = [
  host('late', ['52:54:00:00:00:01'], { network: { directory: 'host2', keyfiles: [] } }),
  host('early', ['52:54:00:00:00:02', '52:54:00:00:00:0A'], { network: { directory: 'host10', keyfiles: [] } }),
  host('dashed', ['52-54-00-00-00-0B']),
  host('host-3', ['52:54:00:00:00:0c'], {
    hostname: undefined,
    rootDeviceHints: {
      deviceName: '/dev/sda',
      wwn: '0x5000C500',
      minSizeGigabytes: 50,
      rotational: false,
      model: 'A B',
    },
  }),
  host('two\nhostname evil', ['52:54:00:00:00:0d']),
  host('nobody', ['00:00:00:00:00:00']),
];

describe('the table of hosts', () => {
  test('goes in the order in which a machine tries them', () => {
    expect(hostTable(HOSTS).match(/(?<=^host ).*/gm)).toEqual([
      'early',
      'late',
      'dashed',
      'host-3',
      'two?hostname evil',
      'nobody',
    ]);
  });

  test('has MACs in one spelling, and hints by name', () => {
    expect(hostTable(HOSTS.slice(1, 4))).toBe(`host early
mac 52:54:00:00:00:02
mac 52:54:00:00:00:0a
hostname early
host dashed
mac 52:54:00:00:00:0b
hostname dashed
host host-3
mac 52:54:00:00:00:0c
hint deviceName /dev/sda
hint wwn 0x5000c500
hint minSizeGigabytes 50
hint rotational false
hint model A B
`);
  });
});

for (const shell of SHELLS) {
  describeWith([shell[0]], `under ${shell.join(' ')}`, () => {
    const boot = (nics: Record<string, string>): FakeRoot => {
      const root = new FakeRoot();
      root.write('/etc/coreiso/hosts', hostTable(HOSTS));
      root.write('/proc/sys/kernel/hostname', 'localhost');
      root.provide('coreiso-host');
      root.machine({ nics });
      return root;
    };

    test.each([
      ['its first MAC', { ens3: '52:54:00:00:00:02' }, 'early'],
      ['any other, in any case', { ens3: '52:54:00:00:00:99', ens4: '52:54:00:00:00:0A' }, 'early'],
      ['a MAC written with dashes', { ens3: '52:54:00:00:00:0b' }, 'dashed'],
      ['MACs of two hosts', { ens3: '52:54:00:00:00:01', ens4: '52:54:00:00:00:02' }, 'early'],
    ])('a machine is named by %s', (_, nics, name) => {
      using root = boot(nics);
      expect(root.run('coreiso-hostname', shell)).toEqual({
        status: 0,
        output: `coreiso-hostname: this machine is ${name}\n`,
      });
      expect([root.read('/etc/hostname'), root.read('/proc/sys/kernel/hostname')]).toEqual([`${name}\n`, name]);
    });

    test.each([
      ['is in no plan', { ens3: '52:54:00:00:00:99' }],
      ['has a host without a name', { ens3: '52:54:00:00:00:0c' }],
      ['has only loopback', { lo: '00:00:00:00:00:00', dummy0: '00:00:00:00:00:00' }],
      ['has no interface', {}],
    ])('a machine that %s keeps its name', (_, nics) => {
      using root = boot(nics);
      expect(root.run('coreiso-hostname', shell).status).toBe(0);
      expect([root.read('/etc/hostname'), root.read('/proc/sys/kernel/hostname')]).toEqual([undefined, 'localhost']);
    });

    test('a line end in a name makes no second entry', () => {
      using root = boot({ ens3: '52:54:00:00:00:0d' });
      expect(root.run('coreiso-host', shell).output.match(/^hostname .*$/gm)).toEqual(['hostname two?hostname evil']);
    });

    test('what the table says of a machine is printed whole', () => {
      using root = boot({ ens3: '52:54:00:00:00:0c' });
      expect(root.run('coreiso-host', shell)).toEqual({ status: 0, output: hostTable(HOSTS.slice(3, 4)) });
    });

    test('a machine in no plan is a failure', () => {
      using root = boot({ ens3: '52:54:00:00:00:99' });
      expect(root.run('coreiso-host', shell)).toEqual({ status: 1, output: '' });
    });
  });
}
