import {
  type ClusterFacts,
  factsFromObjects,
  parseAgentConfig,
  parseClusterFacts,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
  planHosts,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { plainOf, thrownAt } from '../../../../test/support/spoiled.ts';

const goldens = new Goldens(new URL('../goldens/nodes-config.json', import.meta.url));
const networks = new Goldens(new URL('../goldens/host-network.json', import.meta.url));

const documents = [goldens, networks].flatMap((recorded) =>
  recorded.paths(/\.yaml$/).map((path) => [plainOf(recorded.text(path)), undefined] as const),
);

const MODES = ['strict', 'compatible'] as const;

describe.each(MODES)('%s mode never throws for any value at any place', (mode) => {
  const half = { index: MODES.indexOf(mode), of: MODES.length };

  test('of a nodes-config, or in its plan', () => {
    const thrown = thrownAt(
      documents,
      (text) => {
        const config = parseNodesConfig(text, { mode });
        if (config.ok) planHosts(config.value);
        return config;
      },
      half,
    );
    expect(thrown).toEqual([]);
  });

  test.each([
    ['an agent-config', parseAgentConfig],
    ['an NMStateConfig', parseNMStateConfig],
    ['an InfraEnv', parseInfraEnv],
  ])('of %s', (_, parse) => {
    expect(thrownAt(documents, (text) => parse(text, { mode }), half)).toEqual([]);
  });
});

test('no value at any place of cluster facts throws, neither when they are parsed nor when a config uses them', () => {
  const facts = goldens.paths(/^_clusters\//).map((path) => [goldens.json(path), undefined] as const);
  const thrown = thrownAt(facts, (text) => {
    const cluster = parseClusterFacts(text);
    if (!cluster.ok) return cluster;
    const host = 'hosts:\n- hostname: a\n  interfaces: [{name: eth0, macAddress: "52:54:00:aa:00:01"}]\n';
    const config = parseNodesConfig(host, { cluster: cluster.value as ClusterFacts, mode: 'compatible' });
    if (config.ok) planHosts(config.value);
    return config;
  });
  expect(thrown).toEqual([]);
});

test('no value at any place of cluster objects throws', () => {
  const recorded = new Goldens(new URL('../../../cluster/test/goldens/cluster-info.json', import.meta.url));
  const objects = recorded.paths(/\.json$/).map((path) => {
    const { objects } = recorded.json<{ objects: Record<string, unknown> }>(path);
    return [Object.values(objects), undefined] as const;
  });
  expect(thrownAt(objects, (text) => factsFromObjects(JSON.parse(text)))).toEqual([]);
});
