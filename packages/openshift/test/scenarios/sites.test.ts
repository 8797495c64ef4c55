import { readdirSync, readFileSync } from 'node:fs';
import { openLiveImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';
import { parseNodesConfig, parseNodesConfigOrThrow } from '../../../nodes-config/src/documents/nodes-config.ts';
import type { NodesConfig } from '../../../nodes-config/src/documents/types.ts';
import type { ClusterFacts } from '../../../nodes-config/src/facts/facts.ts';
import { simulateBoot } from '../../../nodes-config/src/hosts/simulate.ts';
import { buildNodesImage } from '../../src/images/build.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import { CLUSTER, INNER_CLUSTER } from './clusters.ts';

interface Site {
  readonly name: string;
  readonly cluster?: ClusterFacts;
  /** A machine that boots, the node it becomes, and lines that its profiles must contain. */
  readonly boots: readonly {
    readonly nics: Readonly<Record<string, string>>;
    readonly hostname: string;
    readonly profiles: Readonly<Record<string, readonly string[]>>;
  }[];
  /** A typical mistake in the text, and its position. */
  readonly mistake: {
    readonly replace: string;
    readonly by: string;
    readonly line: number;
    readonly column: number;
    readonly code: string;
    readonly says: string;
  };
}

const SITES: readonly Site[] = [
  {
    name: 'bond-vlan-static',
    boots: [
      {
        nics: { ens1f0: '52:54:00:10:02:01', ens1f1: '52:54:00:10:02:02' },
        hostname: 'rack2-worker-0',
        profiles: {
          'ens1f0.nmconnection': ['interface-name=ens1f0', 'master=bond0'],
          'ens1f1.nmconnection': ['interface-name=ens1f1', 'master=bond0'],
          'bond0.nmconnection': ['mode=802.3ad', 'miimon=100'],
          'bond0.300.nmconnection': ['parent=bond0', 'address0=192.0.2.11/24', 'route0=0.0.0.0/0,192.0.2.1,0'],
        },
      },
    ],
    mistake: {
      replace: 'base-iface: bond0\n',
      by: 'base-iface: bond1\n',
      line: 37,
      column: 25,
      code: 'nodes-config/interface-unmapped',
      says: 'mac-interface mapping for interface bond1 is missing and not a physical interface',
    },
  },
  {
    name: 'sriov-bond',
    boots: [
      {
        nics: { ens2f0: '52:54:00:20:01:01', ens2f1: '52:54:00:20:01:02' },
        hostname: 'telco-worker-0',
        profiles: {
          'ens2f0.nmconnection': ['interface-name=ens2f0', 'total-vfs=2'],
          'bond0.nmconnection': ['mode=active-backup', 'address0=192.0.2.20/24'],
          'eno1v0.nmconnection': ['master=bond0'],
        },
      },
    ],
    mistake: {
      replace: 'total-vfs: 2\n          ipv4',
      by: 'totalvfs: 2\n          ipv4',
      line: 28,
      column: 15,
      code: 'nmstate/unknown-key',
      says: 'unknown key `totalvfs`',
    },
  },
  {
    name: 'ipv6-only',
    boots: [
      {
        nics: { enp1s0: '52:54:00:30:01:01' },
        hostname: 'six-worker-0',
        profiles: {
          'enp1s0.nmconnection': ['address0=2001:db8:30::10/64', 'route0=::/0,fe80::1,1024', 'dns=2001:db8:30::53'],
        },
      },
    ],
    mistake: {
      replace: '2001:db8:30::10',
      by: '2001:db8:30::g1',
      line: 18,
      column: 21,
      code: 'nmstate/wrong-address',
      says: '`2001:db8:30::g1` is not an IP address',
    },
  },
  {
    name: 'dual-stack',
    boots: [
      {
        nics: { eno1: '52:54:00:40:02:01' },
        hostname: 'dual-worker-1',
        profiles: { 'eno1.nmconnection': ['address0=192.0.2.41/24', 'address0=2001:db8:40::41/64'] },
      },
    ],
    mistake: {
      replace: '"2001:db8:40::41"',
      by: '"2001:DB8:40:0::40"',
      line: 40,
      column: 29,
      code: 'nodes-config/duplicate-address',
      says: '2001:DB8:40:0::40 is already the address of hosts[0]',
    },
  },
  {
    name: 'ovs-br-ex',
    boots: [
      {
        nics: { ens3: '52:54:00:50:01:01' },
        hostname: 'ovn-worker-0',
        profiles: {
          'br-ex-br.nmconnection': ['type=ovs-bridge', 'mcast-snooping-enable=true'],
          'br-ex-if.nmconnection': [
            'type=ovs-interface',
            'cloned-mac-address=52:54:00:50:01:01',
            'address0=192.0.2.50/24',
          ],
          'ens3.nmconnection': ['interface-name=ens3', 'slave-type=ovs-port'],
        },
      },
    ],
    mistake: {
      replace: 'copy-mac-from: eno1',
      by: 'copy-mac-from: eno2',
      line: 29,
      column: 26,
      code: 'nmstate/invalid-argument',
      says: 'Failed to find interface eno2 for copy-mac-from of iface br-ex',
    },
  },
  {
    name: 'multipath-root',
    boots: [{ nics: { eno1: '52:54:00:60:02:01' }, hostname: 'san-worker-1', profiles: {} }],
    mistake: {
      replace: '"0x6005076801234567000000000000a001"',
      by: '0x6005076801234567',
      line: 5,
      column: 12,
      code: 'nodes-config/unquoted-text',
      says: '`0x6005076801234567` is a number to YAML and becomes the text `6918944545801717095`',
    },
  },
  {
    name: 'name-servers',
    boots: [
      {
        nics: { eno1: '52:54:00:70:01:01' },
        hostname: 'dns-worker-0.example.test',
        profiles: { 'eno1.nmconnection': ['dns=192.0.2.53;192.0.2.54', 'dns-search=example.test'] },
      },
    ],
    mistake: {
      replace: '- 192.0.2.54',
      by: '- ns2.example.test',
      line: 26,
      column: 15,
      code: 'nmstate/invalid-argument',
      says: 'Invalid DNS server string ns2.example.test',
    },
  },
  {
    name: 'mixed-names',
    boots: [
      {
        nics: { enp5s0: '52:54:00:8a:bc:01' },
        hostname: 'mixed-worker-0',
        profiles: { 'enp5s0.nmconnection': ['interface-name=enp5s0', 'address0=192.0.2.80/24'] },
      },
      {
        nics: { enp94s0f0np0: '52:54:00:8A:BC:02' },
        hostname: 'mixed-worker-1',
        profiles: { 'storage.nmconnection': ['parent=enp94s0f0np0', 'id=2507'] },
      },
      { nics: { eth0: '52:54:00:8a:bc:03' }, hostname: 'mixed-worker-2', profiles: {} },
    ],
    mistake: {
      replace: '52:54:00:8a:BC:03',
      by: '52-54-00-8A-BC-02',
      line: 62,
      column: 21,
      code: 'nodes-config/duplicate-mac',
      says: '52-54-00-8A-BC-02 is the same MAC address as 52:54:00:8a:bc:02',
    },
  },
  {
    name: 'proxy-mirror-bundle',
    cluster: INNER_CLUSTER,
    boots: [
      {
        nics: { eno1: '52:54:00:90:01:01' },
        hostname: 'inner-worker-0',
        profiles: { 'eno1.nmconnection': ['address0=198.18.0.90/24'] },
      },
    ],
    mistake: {
      replace: '198.18.0.90',
      by: '198.18.0.1',
      line: 16,
      column: 21,
      code: 'nodes-config/address-in-cluster',
      says: 'The configured address 198.18.0.1 is already used by the cluster node inner-control-0',
    },
  },
  {
    name: 'bridge-jumbo',
    boots: [
      {
        nics: { ens4: '52:54:00:a0:01:01' },
        hostname: 'bridge-worker-0',
        profiles: {
          'ens4.nmconnection': ['mtu=9000', 'slave-type=bridge', 'vlans=100-200'],
          'br0.nmconnection': ['vlan-filtering=true', 'mtu=9000'],
          'br0.100.nmconnection': ['parent=br0', 'address0=192.0.2.100/24', 'mtu=9000'],
        },
      },
    ],
    mistake: {
      replace: 'trunk-tags:',
      by: 'trunk-tag:',
      line: 29,
      column: 19,
      code: 'nmstate/unknown-key',
      says: 'unknown key `trunk-tag`',
    },
  },
];

function textOf(name: string): string {
  return readFileSync(new URL(`sites/${name}.yaml`, import.meta.url), 'utf8');
}

test('tries every site', () => {
  const files = readdirSync(new URL('sites', import.meta.url)).map((file) => file.replace(/\.yaml$/, ''));
  expect(SITES.map(({ name }) => name).sort()).toEqual(files.sort());
});

describe.each(SITES)('$name', ({ name, cluster = CLUSTER, boots, mistake }) => {
  const config = (): NodesConfig => parseNodesConfigOrThrow(textOf(name), { cluster });

  test('has no findings', () => {
    expect(parseNodesConfig(textOf(name), { cluster })).toMatchObject({ ok: true, diagnostics: [] });
  });

  test.each(boots)('turns a machine into $hostname', ({ nics, hostname, profiles }) => {
    const boot = simulateBoot(planNodes(config(), { cluster }), { nics });
    expect(boot.host?.hostname).toBe(hostname);
    for (const [profile, settings] of Object.entries(profiles)) {
      const lines = boot.files?.find((file) => file.name === profile)?.contents.split('\n');
      expect(lines, profile).toEqual(expect.arrayContaining([...settings]));
    }
  });

  test('has an image with the config of the plan', async () => {
    const plan = planNodes(config(), { cluster, join: 'direct' });
    const { outputs } = await buildNodesImage(await sampleIso(), plan, { grow: true });
    expect(outputs.map((output) => output.name)).toEqual(['node.x86_64.iso']);
    const files = await (await openLiveImage(outputs[0]!.source)).initrd.read();
    const ignition: { storage: { files: { path: string }[] } } = JSON.parse(
      new TextDecoder().decode(files.get('config.ign')?.content),
    );
    const paths = ignition.storage.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(plan.files.map(({ path }) => path)));
  });

  test('shows a typical mistake at its position', () => {
    const text = textOf(name);
    const broken = text.replace(mistake.replace, mistake.by);
    expect(broken).not.toBe(text);
    const { ok, diagnostics } = parseNodesConfig(broken, { cluster });
    expect(ok).toBe(false);
    const found = diagnostics.filter(({ severity, message }) => severity === 'error' && message.includes(mistake.says));
    expect(found).toHaveLength(1);
    expect({ ...found[0]?.range?.start, code: found[0]?.code }).toMatchObject({
      line: mistake.line,
      column: mistake.column,
      code: mistake.code,
    });
  });
});
