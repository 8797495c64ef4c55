import { type ClusterFacts, parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { planNodes } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';

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

describe('where nobody says how nodes join', () => {
  test('they are installed as workers if the cluster facts have what workers need', () => {
    expect(planNodes(config(''), { cluster })).toMatchObject({ join: 'direct', diagnostics: [] });
  });

  test.each([
    ['without cluster facts', undefined],
    ['with facts that lack the worker config', { platform: 'None' }],
    ['with a worker config that has no address', { workerUserData: { ignition: { version: '3.2.0' } } }],
  ])('%s nothing is installed, and the command that helps is named', (_, facts) => {
    const plan = planNodes(config(''), { cluster: facts });
    expect(plan).toMatchObject({ join: 'network-only', diagnostics: [{ code: 'openshift/no-worker-user-data' }] });
    expect(plan.diagnostics[0]?.help).toContain(
      'oc get secret worker-user-data-managed -n openshift-machine-api -o yaml',
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
