// Every text of cluster facts and of a nodes-config, put into the files of a machine and read back by the programs that read them there.
import { type ClusterFacts, parseNodesConfig, samples } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { describeWithPython } from '../../../../test/support/tools.ts';
import { liveConfig } from '../../src/join/live-config.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import { SAMPLE_CREDENTIALS } from '../join/sample-credentials.ts';
import { filesOf, tried } from './files.ts';
import { breakouts, type Files } from './judge.ts';

const FACTS: ClusterFacts = {
  ...samples.facts,
  proxy: {
    httpProxy: 'http://user:word@proxy.example.test:3128',
    httpsProxy: 'http://s.example.test',
    noProxy: '.example.test,192.0.2.0/24',
  },
  imageDigestMirrors: [
    { source: 'quay.example.test/ocp/release', mirrors: ['mirror.example.test:5000/ocp/release'] },
    { source: 'quay.example.test/ocp/art', mirrors: ['mirror.example.test:5000/ocp/art'] },
  ],
};

/** The release mirror depends on the first entry; a list loses its blanks, and a URL its line ends. */
const DERIVED = /^imageDigestMirrors\.0\.source$|^proxy\.noProxy$|^workerUserData\..*source$/;

const NODES = {
  cpuArchitecture: 'amd64',
  sshKey: samples.facts.sshKey,
  bootArtifactsBaseURL: 'http://boot.example.test/files',
  hosts: [
    {
      hostname: 'worker-0',
      rootDeviceHints: {
        deviceName: '/dev/sda',
        model: 'QEMU',
        vendor: 'ACME',
        serialNumber: 'S1',
        wwn: '0x5000',
        hctl: '1:0:0:0',
      },
      interfaces: [{ name: 'eno1', macAddress: '52:54:00:00:00:20' }],
      networkConfig: {
        interfaces: [
          {
            name: 'eno1',
            type: 'ethernet',
            state: 'up',
            description: 'uplink',
            ipv4: { enabled: true, dhcp: true, 'dhcp-client-id': 'ab:cd', 'dhcp-custom-hostname': 'w0.example.test' },
            ipv6: { enabled: false },
            'ovs-db': { external_ids: { owner: 'team' } },
          },
          {
            name: 'eno1.5',
            type: 'vlan',
            state: 'up',
            vlan: { 'base-iface': 'eno1', id: 5 },
            'profile-name': 'storage',
          },
        ],
        'dns-resolver': { config: { server: ['192.0.2.1'], search: ['example.test'] } },
        routes: {
          config: [{ destination: '198.51.100.0/24', 'next-hop-address': '192.0.2.1', 'next-hop-interface': 'eno1' }],
        },
      },
    },
  ],
};

interface Input {
  readonly nodes: object;
  readonly cluster: ClusterFacts;
}

const WAYS = [
  ['direct', { expires: new Date('2026-11-21T00:00:00Z') }],
  ['service', { credentials: SAMPLE_CREDENTIALS }],
] as const;

const maker =
  (way: (typeof WAYS)[number]) =>
  ({ nodes, cluster }: Input): Files | undefined => {
    const parsed = parseNodesConfig(nodes as never);
    if (!parsed.ok) return undefined;
    const [join, more] = way;
    return filesOf(liveConfig(planNodes(parsed.value, { cluster, join, ...more } as never)));
  };

describeWithPython(['yaml', 'tomllib'], 'what is put into the files of a machine', () => {
  describe.each(WAYS)('join with %s', (...way) => {
    test.each<[string, (make: (input: Input) => Files | undefined) => ReturnType<typeof tried>]>([
      ['cluster facts', (make) => tried(FACTS, (cluster) => make({ nodes: NODES, cluster }), { without: DERIVED })],
      ['a nodes-config', (make) => tried<object>(NODES, (nodes) => make({ nodes, cluster: FACTS }))],
    ])('keeps each text in its place: %s', (_, run) => {
      const { pairs, refused, accepted, faults } = run(maker(way as unknown as (typeof WAYS)[number]));
      expect(Math.min(refused, accepted, pairs.length)).toBeGreaterThan(3);
      expect([...faults, ...breakouts(pairs)]).toEqual([]);
    });
  });
});
