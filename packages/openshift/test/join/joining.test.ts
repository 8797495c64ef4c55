import { decodeDataUrl } from '@coreiso/ignition';
import { type ClusterFacts, parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { liveConfig, outlineBoots, planNodes, workerIgnition } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { SAMPLE_CREDENTIALS } from './sample-credentials.ts';

const cluster: ClusterFacts = {
  workerUserData: {
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
    },
  },
};

/** A config without other warnings. */
const config = (role: string) =>
  parseNodesConfigOrThrow(
    `sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g ops
hosts:
- ${role}interfaces: [{name: eth0, macAddress: "52:54:00:a1:00:01"}]
  rootDeviceHints: {deviceName: /dev/sda}
`,
    { mode: 'compatible' },
  );

describe('a cluster of a single node, whose installation left no config for workers', () => {
  const single: ClusterFacts = {
    apiServerUrl: 'https://api.reef.example.test:6443',
    machineConfigAuthority: 'a certificate',
  };

  test('gets workers with the config that it would have left', () => {
    const plan = planNodes(config(''), { cluster: single });
    expect(plan.join).toBe('direct');
    expect(outlineBoots(plan, plan.hosts[0]!).second).toContain(
      'https://api-int.reef.example.test:22623/config/worker',
    );
    const file = liveConfig(plan).storage?.files?.find(({ path }) => path === '/etc/coreiso/worker.ign');
    const text = new TextDecoder().decode(decodeDataUrl(file?.contents?.source ?? ''));
    expect(text).toBe(workerIgnition(single));
  });

  test('keeps its existing config', () => {
    const both = { ...single, ...cluster };
    expect(planNodes(config(''), { cluster: both, join: 'direct' }).cluster.workerUserData).toEqual(
      cluster.workerUserData,
    );
  });

  test('reports which facts would help', () => {
    const attempt = () => planNodes(config(''), { cluster: { apiServerUrl: 'x' }, join: 'direct' });
    expect(attempt).toThrow(/neither workerUserData nor machineConfigAuthority: .*configmap\/root-ca/);
    const spoiled = { workerUserData: { ignition: { version: '3.2.0' } } };
    expect(() => planNodes(config(''), { cluster: spoiled, join: 'direct' })).toThrow(
      /workerUserData without an address/,
    );
  });

  test('does not change the input of the service', () => {
    const facts = {
      ...single,
      clusterId: 'id',
      version: '4.20.3',
      releaseImage: 'r.test/o:4.20.3',
      pullSecret: '{"auths":{}}',
    };
    const plan = planNodes(config(''), { cluster: facts, join: 'service', credentials: SAMPLE_CREDENTIALS });
    expect(plan.cluster.workerUserData).toBeUndefined();
  });
});

describe('the default strategy', () => {
  test('installs workers if the cluster facts suffice', () => {
    expect(planNodes(config(''), { cluster })).toMatchObject({ join: 'direct', diagnostics: [] });
  });

  test.each([undefined, {}])('given %j as facts, installs nothing and asks for facts', (facts) => {
    const plan = planNodes(config(''), { cluster: facts });
    expect(plan).toMatchObject({ join: 'network-only', diagnostics: [{ code: 'openshift/no-worker-user-data' }] });
    expect(plan.diagnostics[0]?.message).toMatch(/^no cluster facts: .*nothing is installed$/);
    expect(plan.diagnostics[0]?.help).toContain('--cluster or --live');
  });

  test.each([
    ['with facts that lack the worker config', { platform: 'None' }],
    ['with a worker config that has no address', { workerUserData: { ignition: { version: '3.2.0' } } }],
  ])('%s installs nothing, and names the command that helps', (_, facts) => {
    const plan = planNodes(config(''), { cluster: facts });
    expect(plan).toMatchObject({ join: 'network-only', diagnostics: [{ code: 'openshift/no-worker-user-data' }] });
    expect(plan.diagnostics[0]?.help).toContain(
      'oc get -o yaml -n openshift-machine-api secret/worker-user-data-managed',
    );
  });

  test('installs no host if one cannot become a worker, and points at that host', () => {
    expect(planNodes(config('role: master\n  '), { cluster })).toMatchObject({
      join: 'network-only',
      diagnostics: [{ code: 'openshift/role-cannot-join', path: ['hosts', 0, 'role'] }],
    });
  });

  test('adds no warning to an explicit network-only', () => {
    expect(planNodes(config(''), { join: 'network-only' }).diagnostics).toEqual([]);
  });
});
