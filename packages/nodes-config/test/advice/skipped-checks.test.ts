import { describe, expect, test } from 'vitest';
import { type ClusterFacts, samples, skippedChecks } from '../../src/index.ts';

const checksOf = (facts: ClusterFacts): string[] => skippedChecks(facts).map(({ check }) => check);

describe('checks of advice', () => {
  test('are all skipped without facts, and each names the facts that it needs', () => {
    expect(skippedChecks({})).toEqual([
      { check: 'names of the cluster', facts: ['apiServerInternalUrl', 'apiServerUrl', 'workerUserData'] },
      { check: 'routers', facts: ['platform', 'controlPlaneTopology', 'nodes'] },
      { check: 'remote hosts', facts: ['machineNetworks'] },
      { check: 'packet sizes', facts: ['clusterNetworkMtu'] },
      { check: 'links of other nodes', facts: ['nodes'] },
    ]);
  });

  test('run if the sample cluster has their facts', () => {
    expect(checksOf(samples.facts)).toEqual(['remote hosts', 'packet sizes', 'links of other nodes']);
  });

  test.each<[string, ClusterFacts]>([
    ['names of the cluster', { apiServerUrl: 'https://api.reef.example.test:6443' }],
    ['names of the cluster', { apiServerInternalUrl: 'https://api-int.reef.example.test:6443' }],
    ['routers', { platform: 'None', controlPlaneTopology: 'SingleReplica' }],
    ['routers', { platform: 'None', nodes: [] }],
    ['remote hosts', { machineNetworks: ['192.0.2.0/24'] }],
    ['remote hosts', { nodes: [{ name: 'a', networks: [{ address: '192.0.2.1/24' }] }] }],
    ['packet sizes', { clusterNetworkMtu: 1400 }],
    ['links of other nodes', { nodes: [{ name: 'a', networks: [{ address: '192.0.2.1/24' }] }] }],
  ])('on %s run with %j', (check, facts) => {
    expect(checksOf(facts)).not.toContain(check);
  });

  test.each<[string, ClusterFacts]>([
    ['routers', { platform: 'None' }],
    ['remote hosts', { machineNetworks: [], nodes: [{ name: 'a' }] }],
    ['links of other nodes', { nodes: [{ name: 'a', networks: [] }] }],
  ])('on %s are skipped with only %j', (check, facts) => {
    expect(checksOf(facts)).toContain(check);
  });

  test('refuse a call without facts', () => {
    expect(() => skippedChecks(undefined as never)).toThrow(TypeError);
  });
});
