import { parseConfigOrThrow } from '@coreiso/ignition';
import { type ClusterFacts, parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { OpenshiftError, planNodes, workerIgnition } from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { host, SINGLE_NODE } from '../../../nodes-config/test/advice/stories.ts';

const { workerUserData: _, ...WITHOUT } = SINGLE_NODE;
const MADE: ClusterFacts = { ...WITHOUT, machineConfigAuthority: 'a certificate' };

function hostPlan(text: string) {
  const [plan] = planNodes(parseNodesConfigOrThrow(`hosts:\n${text}`)).hosts;
  if (plan === undefined) throw new Error('no host');
  return plan;
}

describe('the config of a worker', () => {
  test('is the pointer of the cluster', () => {
    expect(JSON.parse(workerIgnition(SINGLE_NODE))).toEqual(SINGLE_NODE.workerUserData);
  });

  test('is made from the address of the machine config server if an installation left none', () => {
    expect(JSON.parse(workerIgnition(MADE))).toMatchObject({
      ignition: {
        version: '3.2.0',
        config: { merge: [{ source: 'https://api-int.reef.example.test:22623/config/worker' }] },
        security: { tls: { certificateAuthorities: [{ source: expect.stringMatching(/^data:/) }] } },
      },
    });
    const { apiServerInternalUrl: gone, ...rest } = MADE;
    expect(gone).toBeDefined();
    expect(workerIgnition(rest)).toBe(workerIgnition(MADE));
  });

  test('needs the authorities to trust', () => {
    const attempt = () => workerIgnition(WITHOUT);
    expect(attempt).toThrow(OpenshiftError);
    expect(attempt).toThrow(/neither workerUserData nor machineConfigAuthority.*configmap\/root-ca/);
    expect(() => workerIgnition({ machineConfigAuthority: 'a' })).toThrow(/apiServerInternalUrl/);
  });

  test.each([
    ['hostname', { hostname: 'a\nb' }],
    ['networkConfig', { network: { directory: 'host0', profiles: [{ name: '../../x.nmconnection', sections: [] }] } }],
  ])('is refused if `%s` would leave its directory or its line', (key, change) => {
    const attempt = () => workerIgnition(MADE, { ...hostPlan(host('worker-0', 0)), ...change });
    expect(attempt).toThrow(expect.objectContaining({ code: 'NODES_UNSAFE_NAME' }));
    expect(attempt).toThrow(`hosts[0].${key}: `);
  });

  test('has the name and the network of a host, found by its MAC address', () => {
    const config = parseConfigOrThrow(workerIgnition(MADE, hostPlan(host('worker-0', 0))));
    expect(config.ignition.config?.merge).toHaveLength(1);
    const files = new Map(config.storage?.files?.map((file) => [file.path, file]));
    expect([...files.keys()]).toEqual(['/etc/hostname', '/etc/NetworkManager/system-connections/eth0.nmconnection']);
    expect(decodeURIComponent(files.get('/etc/hostname')?.contents?.source ?? '')).toContain('worker-0');
    const keyfile = files.get('/etc/NetworkManager/system-connections/eth0.nmconnection');
    expect(keyfile?.mode).toBe(0o600);
    const text = decodeURIComponent(keyfile?.contents?.source ?? '');
    expect(text).toContain('mac-address=52:54:00:00:00:00');
    expect(text).not.toContain('interface-name');
  });
});

describeWith(['ignition-validate'], 'ignition-validate', () => {
  test('accepts it', () => {
    const text = workerIgnition(MADE, hostPlan(host('worker-0', 0)));
    expect(output('ignition-validate', ['-'], { input: Buffer.from(text) }).toString()).toBe('');
  });
});
