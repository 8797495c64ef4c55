import { topologyOf } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { type TopologyCluster, topologyManifests } from '../replay/topology-manifests.ts';

describe('the proposed topology', () => {
  test.each([
    ['none', 0, 'SingleReplica', 'ControlPlane', []],
    ['none', 1, 'SingleReplica', 'ControlPlane', []],
    ['none', 2, 'SingleReplica', 'ControlPlane', ['Infrastructure topology is HighlyAvailable']],
    ['aws', 1, 'HighlyAvailable', 'Workers', ['Infrastructure topology is SingleReplica']],
    ['aws', 2, 'HighlyAvailable', 'Workers', []],
    ['external', 0, 'SingleReplica', 'ControlPlane', ['Ingress is placed on Workers']],
  ] as const)(
    'one control-plane node on %s with %i workers',
    (platform, compute, infrastructure, placement, starts) => {
      const { proposed } = topologyOf({ controlPlane: 1, compute }, platform);
      expect(proposed).toMatchObject({ infrastructure, ingressPlacement: placement });
      expect(proposed?.differences).toEqual(starts.map((start) => expect.stringMatching(start)));
    },
  );

  /** The rows of the design's table. */
  test.each([
    ['none', 0, 0, 'none'],
    ['aws', 0, 0, 'none'],
    ['none', 1, 3, 'none'],
    ['aws', 1, 0, 'provided'],
    ['aws', 1, 3, 'provided'],
    ['none', 2, 0, 'none'],
    ['aws', 2, 0, 'provided'],
    ['none', 0, 1, 'none'],
    ['aws', 0, 1, 'provided'],
    ['aws', 0, 2, 'provided'],
  ] as const)(
    'on %s with %i workers and %i later, a load balancer is %s',
    (platform, compute, addedWorkers, expected) => {
      const { proposed } = topologyOf({ controlPlane: 1, compute }, platform, { addedWorkers });
      expect(proposed?.loadBalancer).toBe(expected);
      // Workers that join later do not change the rest.
      expect({ ...proposed, loadBalancer: '' }).toEqual({
        ...topologyOf({ controlPlane: 1, compute }, platform).proposed,
        loadBalancer: '',
      });
    },
  );

  test('is undefined for more control-plane nodes', () => {
    expect(topologyOf({ controlPlane: 3, compute: 0 }, 'none').proposed).toBeUndefined();
  });
});

test.each([-1, 1.5, Number.NaN])('%d is not a number of machines', (compute) => {
  expect(() => topologyOf({ controlPlane: 1, compute }, 'none')).toThrow(/^compute must be a number of machines/);
});

test.each([
  ['AllNodes', 'AllNodes'],
  ['None', 'None'],
  ['Sometimes', 'None'],
  [undefined, 'None'],
])('CPU partitioning mode %s is status %s', (cpuPartitioningMode, status) => {
  const { cpuPartitioning } = topologyOf({ controlPlane: 1, compute: 0 }, 'none', { cpuPartitioningMode });
  expect(cpuPartitioning).toBe(status);
});

test('IPv6 addresses of a vSphere cluster become networks of one host, and a final dot of the domain is removed', () => {
  const { infrastructure, ingress } = topologyManifests({
    name: 'reef',
    baseDomain: 'example.test.',
    infrastructureName: 'reef-abcde',
    machines: { controlPlane: 3, compute: 2 },
    machineNetworks: ['2001:db8::/64'],
    platform: { type: 'vsphere', apiVIPs: ['2001:db8::2'], ingressVIPs: [], vcenters: [], failureDomains: [] },
  });
  expect(infrastructure).toContain('- 2001:db8::2/128\n');
  expect(ingress).toContain('domain: apps.reef.example.test\n');
});

test.each([
  [null, 'cluster must be an object, not null'],
  [{}, 'cluster.platform must be an object, not undefined'],
])('%j is not a cluster', (cluster, message) => {
  expect(() => topologyManifests(cluster as TopologyCluster)).toThrow(new TypeError(message));
});
