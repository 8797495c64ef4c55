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

/** A config that leaves nothing else to warn of. */
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

  test('keeps the one that it has', () => {
    const both = { ...single, ...cluster };
    expect(planNodes(config(''), { cluster: both, join: 'direct' }).cluster.workerUserData).toEqual(
      cluster.workerUserData,
    );
  });

  test('is told which facts would help', () => {
    const attempt = () => planNodes(config(''), { cluster: { apiServerUrl: 'x' }, join: 'direct' });
    expect(attempt).toThrow(/neither workerUserData nor machineConfigAuthority: .*configmap\/root-ca/);
    const spoiled = { workerUserData: { ignition: { version: '3.2.0' } } };
    expect(() => planNodes(config(''), { cluster: spoiled, join: 'direct' })).toThrow(
      /workerUserData without an address/,
    );
  });

  test('does not change what the service is told', () => {
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

describe('where no one says how nodes join', () => {
  test('they are installed as workers if the cluster facts have what workers need', () => {
    expect(planNodes(config(''), { cluster })).toMatchObject({ join: 'direct', diagnostics: [] });
  });

  test.each([undefined, {}])('with %j for facts nothing is installed, and facts are asked for', (facts) => {
    const plan = planNodes(config(''), { cluster: facts });
    expect(plan).toMatchObject({ join: 'network-only', diagnostics: [{ code: 'openshift/no-worker-user-data' }] });
    expect(plan.diagnostics[0]?.message).toMatch(/^no cluster facts: .*nothing is installed$/);
    expect(plan.diagnostics[0]?.help).toContain('--cluster or --live');
  });

  test.each([
    ['with facts that lack the worker config', { platform: 'None' }],
    ['with a worker config that has no address', { workerUserData: { ignition: { version: '3.2.0' } } }],
  ])('%s nothing is installed, and the command that helps is named', (_, facts) => {
    const plan = planNodes(config(''), { cluster: facts });
    expect(plan).toMatchObject({ join: 'network-only', diagnostics: [{ code: 'openshift/no-worker-user-data' }] });
    expect(plan.diagnostics[0]?.help).toContain(
      'oc get -o yaml -n openshift-machine-api secret/worker-user-data-managed',
    );
  });

  test('a host that cannot become a worker keeps all from being installed, and is pointed at', () => {
    expect(planNodes(config('role: master\n  '), { cluster })).toMatchObject({
      join: 'network-only',
      diagnostics: [{ code: 'openshift/role-cannot-join', path: ['hosts', 0, 'role'] }],
    });
  });

  test('who chooses network-only is not lectured', () => {
    expect(planNodes(config(''), { join: 'network-only' }).diagnostics).toEqual([]);
  });
});
