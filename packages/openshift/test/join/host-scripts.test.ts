import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import type { HostPlan } from '../../../nodes-config/src/hosts/plan-hosts.ts';
import { hostTable } from '../../src/join/host-table.ts';
import { FakeRoot, SHELLS } from './fake-root.ts';

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
  host('late', ['52:54:00:00:00:01'], { network: { directory: 'host2', profiles: [] } }),
  host('early', ['52:54:00:00:00:02', '52:54:00:00:00:0A'], { network: { directory: 'host10', profiles: [] } }),
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
  test('has the order in which a machine tries hosts', () => {
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
    const machine = (nics: Record<string, string> = {}): FakeRoot => {
      const root = new FakeRoot();
      root.write('/etc/coreiso/hosts', hostTable(HOSTS));
      root.write('/proc/sys/kernel/hostname', 'localhost');
      root.machine({ nics });
      return root;
    };
    const nameOf = (root: FakeRoot): string | undefined => root.read('/run/coreiso/host')?.match(/^host (.*)/)?.[1];

    test.each([
      ['its first MAC', { ens3: '52:54:00:00:00:02' }, 'early'],
      ['any other, in any case', { ens3: '52:54:00:00:00:99', ens4: '52:54:00:00:00:0A' }, 'early'],
      ['a MAC written with dashes', { ens3: '52:54:00:00:00:0b' }, 'dashed'],
      ['MACs of two hosts', { ens3: '52:54:00:00:00:01', ens4: '52:54:00:00:00:02' }, 'early'],
    ])('identifies a machine by %s', (_, nics, name) => {
      using root = machine(nics);
      const { status, output } = root.run('coreiso-host', shell);
      expect([status, output.trimEnd().split('\n').at(-1)]).toEqual([0, `coreiso-host: this machine is ${name}`]);
      expect(nameOf(root)).toBe(name);
    });

    test.each([
      ['is in no plan', { ens3: '52:54:00:00:00:99' }, ' 52:54:00:00:00:99 ens3'],
      ['has only loopback', { lo: '00:00:00:00:00:00', dummy0: '00:00:00:00:00:00' }, ''],
      ['has no interface', {}, ''],
    ])('does not identify a machine that %s, and logs its addresses', (_, nics, cards) => {
      using root = machine(nics);
      expect(root.run('coreiso-host', shell)).toEqual({
        status: 0,
        output: `coreiso-host: no host of the plan has a MAC address of this machine, which has:${cards}\n`,
      });
      expect(root.read('/run/coreiso/host')).toBeUndefined();
    });

    test('identifies bond ports by their permanent addresses', () => {
      using root = machine({ bond0: '52:54:00:00:00:02', ens3: '52:54:00:00:00:02', ens4: '52:54:00:00:00:02' });
      root.write('/sys/class/net/bond0/bonding/slaves', 'ens3 ens4\n');
      root.write('/sys/class/net/bonding_masters', 'bond0\n');
      root.write('/sys/class/net/ens3/bonding_slave/perm_hwaddr', '52:54:00:00:00:99\n');
      root.write('/sys/class/net/ens4/bonding_slave/perm_hwaddr', '52:54:00:00:00:0B\n');
      root.run('coreiso-host', shell);
      expect(nameOf(root)).toBe('dashed');
      expect(root.run('coreiso-nics', shell).output).toBe('52:54:00:00:00:99 ens3\n52:54:00:00:00:0b ens4\n');
    });

    test('ignores devices on top of cards', () => {
      using root = machine({ 'ens3.7': '52:54:00:00:00:02', br0: '52:54:00:00:00:02', ens3: '52:54:00:00:00:0b' });
      root.write('/sys/class/net/ens3.7/uevent', 'DEVTYPE=vlan\nINTERFACE=ens3.7\n');
      root.write('/sys/class/net/br0/bridge/bridge_id', '');
      root.write('/sys/class/net/ens3/uevent', 'INTERFACE=ens3\n');
      root.run('coreiso-host', shell);
      expect(nameOf(root)).toBe('dashed');
    });

    test.each([
      ['where the driver knows it', 'Permanent address: 52:54:00:00:00:0B', 'dashed'],
      ['and is what there is where it does not', 'Permanent address: 00:00:00:00:00:00', 'early'],
      ['and is what there is where nobody tells', 'ethtool: no', 'early'],
    ])('prefers the permanent address to one that was set, %s', (_, answer, name) => {
      using root = machine({ ens3: '52:54:00:00:00:02' });
      root.write('/sys/class/net/ens3/addr_assign_type', '3\n');
      root.stub('ethtool', `[ "$*" = '-P ens3' ] && echo '${answer}'`);
      root.run('coreiso-host', shell);
      expect(nameOf(root)).toBe(name);
    });

    test('keeps the whole entry of the table, even if an address changes later', () => {
      using root = machine({ ens3: '52:54:00:00:00:0c' });
      root.run('coreiso-host', shell);
      expect(root.read('/run/coreiso/host')).toBe(hostTable(HOSTS.slice(3, 4)));
      root.write('/sys/class/net/ens3/address', '52:54:00:00:00:01\n');
      expect(root.run('coreiso-host', shell)).toEqual({ status: 0, output: '' });
      expect(nameOf(root)).toBe('host-3');
    });

    test('makes no second entry of a line end in a name', () => {
      using root = machine({ ens3: '52:54:00:00:00:0d' });
      root.run('coreiso-host', shell);
      expect(root.read('/run/coreiso/host')?.match(/^hostname .*$/gm)).toEqual(['hostname two?hostname evil']);
    });

    test('waits for a card that appears late', () => {
      using root = machine({ ens9: '52:54:00:00:00:99' });
      root.stub(
        'sleep',
        `echo slept; [ -e "$ROOT/later" ] || { touch "$ROOT/later"; exit; }
mkdir -p "$ROOT/sys/class/net/ens3"; echo 52:54:00:00:00:0b >"$ROOT/sys/class/net/ens3/address"`,
      );
      const { output } = root.run('coreiso-host', shell, { env: { NIC_WAIT: '9', NIC_QUIET: '1' } });
      expect([output.match(/slept/g)?.length, nameOf(root)]).toEqual([2, 'dashed']);
    });

    test.each([
      ['for the first card of a host to the limit', { NIC_WAIT: '4', NIC_QUIET: '2' }, '52:54:00:00:00:99', 4],
      ['for others until no more cards appear', { NIC_WAIT: '9', NIC_QUIET: '2' }, '52:54:00:00:00:02', 2],
      ['for others to the limit', { NIC_WAIT: '3', NIC_QUIET: '9' }, '52:54:00:00:00:02', 3],
    ])('waits %s', (_, env, mac, seconds) => {
      using root = machine({ ens3: mac });
      root.stub('sleep', 'echo slept');
      const { output } = root.run('coreiso-host', shell, { env });
      expect(output.match(/slept/g)?.length).toBe(seconds);
      expect(output.match(/no card has .*/)?.[0]).toBe(
        mac.endsWith('02') ? `no card has 52:54:00:00:00:0a; gave up after ${seconds} seconds` : undefined,
      );
    });

    test('sets the name of the host', () => {
      using root = machine({ ens3: '52:54:00:00:00:0b' });
      root.run('coreiso-host', shell);
      expect(root.run('coreiso-hostname', shell)).toEqual({
        status: 0,
        output: 'coreiso-hostname: this machine is called dashed\n',
      });
      expect([root.read('/etc/hostname'), root.read('/proc/sys/kernel/hostname')]).toEqual(['dashed\n', 'dashed']);
    });

    test.each([
      ['is nobody', '52:54:00:00:00:99', 0],
      ['has a host without a name', '52:54:00:00:00:0c', 0],
      ['has a host whose name is none', '52:54:00:00:00:0d', 1],
    ])('keeps the name of a machine that %s', (_, mac, status) => {
      using root = machine({ ens3: mac });
      root.run('coreiso-host', shell);
      expect(root.run('coreiso-hostname', shell).status).toBe(status);
      expect([root.read('/etc/hostname'), root.read('/proc/sys/kernel/hostname')]).toEqual([undefined, 'localhost']);
    });
  });
}
