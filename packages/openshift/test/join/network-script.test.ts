import { keyfileOf, type Profile } from '@coreiso/nmstate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import type { HostPlans } from '../../../nodes-config/src/hosts/plan-hosts.ts';
import { type Machine, simulateBoot } from '../../../nodes-config/src/hosts/simulate.ts';
import { octal, plan, recordings } from '../../../nodes-config/test/hosts/recorded.ts';
import { FakeRoot, NETWORK_SCRIPTS, SHELLS } from './fake-root.ts';

const boots = recordings.flatMap(({ name, text, recording, boots: list }) =>
  list.map((boot, position) => ({ name: `${name}, machine ${position}`, text, cluster: recording.cluster, boot })),
);

type Script = (typeof NETWORK_SCRIPTS)[number];

/** The service's script has no other script beside it. */
const newRoot = (script: Script): FakeRoot => new FakeRoot(script === 'coreiso-network' ? 'own' : 'service');

function rootFor(script: Script, { files }: HostPlans, machine: Machine): FakeRoot {
  const root = newRoot(script);
  for (const { path, contents, mode } of files) root.write(path, contents, mode);
  root.machine(machine);
  return root;
}

const runs = SHELLS.flatMap((shell) => NETWORK_SCRIPTS.map((script) => ({ shell, script })));

for (const { shell, script } of runs) {
  describeWith([shell[0]], `${script} under ${shell.join(' ')}`, () => {
    describe('the script leaves the same files as the recorded one', () => {
      const sound = boots.filter(({ boot }) => boot.defect === undefined);
      test.each(sound)('$name', ({ text, cluster, boot }) => {
        using root = rootFor(script, plan(text, cluster), boot);
        const { status, output } = root.run(script, shell);
        const files = root.profiles(boot.initrd)?.map((file) => ({ ...file, mode: octal(file.mode) })) ?? null;
        expect(files).toEqual(boot.files);
        expect(output.match(/(?<=this machine is ).*/g) ?? []).toEqual(boot.matched);
        expect(output.match(/\S+(?= is dropped)/g) ?? []).toEqual(boot.nameClashes);
        expect(status).toBe(0);
      });
    });

    describe('unlike the recorded script', () => {
      const lines = (root: FakeRoot, pattern: RegExp): Record<string, string[]> => {
        return Object.fromEntries(
          (root.profiles() ?? []).map(({ name, contents }) => [name, contents.match(pattern) ?? []]),
        );
      };
      const defects = Object.fromEntries(
        boots.filter(({ boot }) => boot.defect).map((one) => [one.name.split(',')[0], one]),
      );
      const run = (name: string): FakeRoot => {
        const { text, cluster, boot } = defects[name]!;
        const root = rootFor(script, plan(text, cluster), boot);
        expect(root.run(script, shell).status).toBe(0);
        expect(root.profiles()).toEqual(simulateBoot(plan(text, cluster), boot).files);
        return root;
      };

      test('keeps crossed names apart', () => {
        using root = run('swapped-names');
        expect(lines(root, /(?<=interface-name=).*/g)).toEqual({
          'eth0.nmconnection': ['eth0'],
          'eth1.nmconnection': ['eth1'],
        });
        const { text } = defects['swapped-names']!;
        const [first, second] = text.match(/(?<=ip: )\S+/g) ?? [];
        expect(lines(root, /(?<=address0=)[^/]*/g)).toEqual({
          'eth0.nmconnection': [second],
          'eth1.nmconnection': [first],
        });
      });

      test('installs a file whose name has blanks', () => {
        using root = run('profile-name');
        expect(lines(root, /(?<=interface-name=).*/g)).toEqual({ 'to the rack.nmconnection': ['enp1s0'] });
      });

      test('does not match the all-zero address of loopback', () => {
        using root = run('loopback-zero-mac');
        expect(root.profiles()).toBeNull();
      });

      test('leaves a search domain that begins like an interface', () => {
        using root = run('dns-search-like-nic');
        expect(lines(root, /(?<=dns-search=).*/g)).toEqual({
          'enp1s0.nmconnection': [expect.stringMatching(/^eth0\./)],
        });
      });
    });

    test('does nothing without a network directory', () => {
      using root = newRoot(script);
      root.machine({ nics: { ens3: '52:54:00:00:00:01' }, existing: ['default.nmconnection'] });
      expect(root.run(script, shell)).toEqual({
        status: 0,
        output: `${script}: there is no /etc/assisted/network: nothing to do\n`,
      });
      expect(root.profiles()?.map(({ name }) => name)).toEqual(['default.nmconnection']);
    });

    test('leaves words of keyfiles that are also interface names', () => {
      using root = newRoot(script);
      root.write('/etc/assisted/network/host0/mac_interface.ini', '52:54:00:00:00:01=bond\n52:54:00:00:00:02=auto');
      const profile = (id: string): string =>
        `[connection]\nid=${id}\ninterface-name=${id}\ntype=bond\nautoconnect=true\n\n[bond]\nmode=bond\nprimary=${id}\n\n` +
        `[ipv4]\nmethod=auto\nrouting-rule0=priority 5 from 192.0.2.0/24 iif ${id} table auto\n\n[vlan]\nid=auto\nparent=${id}\n`;
      root.write('/etc/assisted/network/host0/bond.nmconnection', profile('bond'));
      root.write('/etc/assisted/network/host0/auto.nmconnection', profile('auto'));
      root.machine({ nics: { eno1: '52:54:00:00:00:01', eno2: '52:54:00:00:00:02' } });
      expect(root.run(script, shell).status).toBe(0);
      expect(root.profiles()?.map(({ name, contents }) => [name, contents])).toEqual([
        ['eno1.nmconnection', profile('eno1')],
        ['eno2.nmconnection', profile('eno2')],
      ]);
    });

    test('matches the simulation with any plan and machine', () => {
      fc.assert(
        fc.property(scene, ({ plan: made, machine }) => {
          using root = rootFor(script, made, machine);
          expect(root.run(script, shell)).toEqual({ status: 0, output: expect.any(String) });
          expect(root.profiles(machine.initrd)).toEqual(simulateBoot(made, machine).files);
        }),
        { numRuns: 25 },
      );
    });
  });
}

// Few names and addresses, so that they collide: crossed, shared, absent, prefixes of each other.
const NAMES = ['eth0', 'eth1', 'eth00', 'ens3', 'bond0', 'eth0.5', 'a b'];
const REAL = ['eth0', 'eth1', 'ens3', 'enp94s0f0np0', 'enp94s0f0np1', 'lo', 'wlp0s20f3'];
const MACS = [1, 2, 3, 4, 0xa, 0xb].map((last) => `52:54:00:c0:de:${last.toString(16).padStart(2, '0')}`);
const mac = fc
  .tuple(fc.constantFrom(...MACS, '00:00:00:00:00:00'), fc.boolean())
  .map(([text, upper]) => (upper ? text.toUpperCase() : text));
const name = fc.oneof(
  fc.constantFrom(...NAMES),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom('7', '101', '2507', '2507.8', 'storage-net1', 'x y', ''))
    .map((parts) => parts.join('.')),
);
const value = fc.oneof(
  name,
  fc.constantFrom('', 'eth', 'x=eth0', '192.0.2.1/24', 'a\\nb', '$HOME', '"quoted"', '*', 'é'),
);
const key = fc.constantFrom(
  'id',
  'interface-name',
  'parent',
  'master',
  'primary',
  'port1',
  'routing-rule0',
  'dns-search',
  'dhcp-hostname',
  'description',
  '',
);
const rule = fc.array(fc.oneof(name, fc.constantFrom('iif', 'oif', 'from', '')), { maxLength: 5 });
const setting = fc.oneof(
  fc.record({ key, value }),
  rule.map((words) => ({ key: 'routing-rule1', value: words.join(' ') })),
);
const section = fc.record({
  name: fc.constantFrom('connection', 'bond', 'hsr', 'ipv4', 'ipv6', 'vlan', 'x=y'),
  settings: fc.array(setting, { maxLength: 5 }),
});
const profile: fc.Arbitrary<Profile> = fc.record({
  name: name.map((stem) => `${stem}.nmconnection`),
  sections: fc.array(section, { minLength: 1, maxLength: 5 }),
});
const host = fc.record({
  interfaces: fc.uniqueArray(fc.record({ name: fc.constantFrom('', ...NAMES), macAddress: mac }), {
    maxLength: 4,
    selector: (one) => one.name,
  }),
  profiles: fc.uniqueArray(profile, { maxLength: 5, selector: (one) => one.name }),
});
const machine: fc.Arbitrary<Machine> = fc.record({
  nics: fc.dictionary(fc.constantFrom(...REAL), mac, { maxKeys: 5 }),
  existing: fc.constantFrom([], ['default.nmconnection'], ['eth0.nmconnection', 'other file']),
  initrd: fc.boolean(),
});
const scene = fc.record({
  plan: fc.array(host, { maxLength: 12 }).map(planOf),
  machine,
});

function planOf(
  hosts: readonly {
    interfaces: { name: string; macAddress: string }[];
    profiles: Profile[];
  }[],
): HostPlans {
  return {
    diagnostics: [],
    hosts: hosts.map(({ interfaces, profiles }, position) => ({
      name: `host-${position}`,
      hostname: undefined,
      path: ['hosts', position],
      role: undefined,
      rootDeviceHints: {},
      interfaces: interfaces.map((one) => ({ ...one, path: [] })),
      network: { directory: `host${position}`, profiles },
    })),
    files: hosts.flatMap(({ interfaces, profiles }, position) => {
      const directory = `/etc/assisted/network/host${position}`;
      const table = interfaces.map((one) => `${one.macAddress}=${one.name}`).join('\n');
      return [{ name: 'mac_interface.ini', content: table }, ...profiles.map(keyfileOf)].map((file) => ({
        path: `${directory}/${file.name}`,
        mode: 0o600,
        owner: 'root' as const,
        contents: file.content,
      }));
    }),
    architecture: undefined,
    sshKey: '',
    bootArtifactsBaseURL: '',
  };
}
