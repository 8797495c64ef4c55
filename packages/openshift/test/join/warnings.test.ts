import { type ClusterFacts, parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { outlineBoots, planNodes } from '../../src/join/plan-nodes.ts';
import type { NodesPlanOptions } from '../../src/join/strategy.ts';

const KEY = 'sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g ops\n';
const HASH = '$6$salt$abcdefgh';
const USER_DATA = {
  ignition: { version: '3.2.0', config: { merge: [{ source: 'https://api-int.test:22623/config/worker' }] } },
};
const CLUSTER: ClusterFacts = {
  workerUserData: USER_DATA,
  nodes: [{ name: 'm', architecture: 'amd64', master: true }],
};
const mac = (last: number): string => `52:54:00:00:00:0${last}`;
const host = (number: number, more = ''): string =>
  `- interfaces:\n  - name: eth0\n    macAddress: ${mac(number)}\n${more}`;
const HINTED = '  rootDeviceHints: { deviceName: /dev/sda }\n';

function warnings(text: string, options: NodesPlanOptions = {}): string[] {
  const config = parseNodesConfigOrThrow(text, { cluster: options.cluster, mode: 'compatible' });
  return planNodes(config, options).diagnostics.map(({ severity, code, message, path, help = '' }) => {
    expect([severity, help]).toEqual(['warning', expect.stringMatching(/^[A-Z][\s\S]+[.\w]$/)]);
    return `${path.join('.')} ${code.replace(/^[a-z-]+\//, '')}: ${message}`;
  });
}

describe('a plan warns', () => {
  test('that no one can log in', () => {
    const text = `hosts:\n${host(1)}`;
    const [only] = warnings(text, { join: 'network-only' });
    expect(only).toContain('no-login: no one can log in to the live system');
    expect(warnings(KEY + text, { join: 'network-only' })).toEqual([]);
    expect(warnings(text, { join: 'network-only', passwordHash: HASH })).toEqual([]);
  });

  test('of hosts with several disks, if one will be overwritten', () => {
    const text = `${KEY}hosts:\n${host(1, HINTED)}${host(2)}${host(3)}`;
    expect(warnings(text, { cluster: CLUSTER })).toEqual([
      'hosts.1 no-disk-hints: 2 hosts have no root device hints: a machine with more than one disk is not installed',
    ]);
    expect(warnings(text, { cluster: CLUSTER, join: 'network-only' })).toEqual([]);
  });

  test('of machines that the release may have no images for', () => {
    const text = `${KEY}cpuArchitecture: arm64\nhosts:\n${host(1, HINTED)}`;
    const [only] = warnings(text, { cluster: CLUSTER });
    expect(only).toBe(
      'cpuArchitecture other-architecture: the hosts are aarch64 machines, and the release of the cluster may have images for x86_64 only',
    );
    expect(warnings(text, { cluster: { ...CLUSTER, multiArchitecture: true } })).toEqual([]);
    expect(warnings(text.replace('arm64', 'amd64'), { cluster: CLUSTER })).toEqual([]);
    expect(warnings(text, { cluster: { workerUserData: USER_DATA } })).toEqual([]);
  });

  const network = (table: string): string => `${KEY}hosts:
- rootDeviceHints: { deviceName: /dev/sda }
  interfaces:
${table}  networkConfig:
    interfaces:
    - { name: bond0, type: bond, state: up, link-aggregation: { mode: active-backup, port: [eth0] } }
    - { name: bond0.7, type: vlan, state: up, vlan: { base-iface: bond0, id: 7 } }
    - { name: eth0, type: ethernet, state: up }
`;
  const entry = (name: string, last: number): string => `  - { name: ${name}, macAddress: "${mac(last)}" }\n`;

  test('of hosts that have no network card in their table', () => {
    expect(warnings(network(entry('bond0', 1) + entry('bond0.7', 2)), { cluster: CLUSTER })).toEqual([
      'hosts.0.interfaces virtual-identity: machines are identified by the MAC addresses of their cards, and this host has only bond0 (bond), bond0.7 (vlan)',
    ]);
    expect(warnings(network(entry('bond0', 1) + entry('eth0', 2)), { cluster: CLUSTER })).toEqual([]);
  });
});

describe('an image that installs', () => {
  const config = parseNodesConfigOrThrow(`${KEY}hosts:\n${host(1)}`);
  const now = () => new Date('2026-01-01T00:00:00.750Z');

  test('expires after 48 hours, or at the requested time', () => {
    expect(planNodes(config, { cluster: CLUSTER, now }).expires).toBe('2026-01-03T00:00:00Z');
    const expires = new Date('2027-01-01T00:00:00Z');
    expect(planNodes(config, { cluster: CLUSTER, now, expires }).expires).toBe('2027-01-01T00:00:00Z');
    expect(planNodes(config, { join: 'network-only', now }).expires).toBeUndefined();
    const never = (): unknown => planNodes(config, { cluster: CLUSTER, expires: new Date(Number.NaN) });
    expect(never).toThrow(new RangeError('expires must be a valid Date'));
  });

  test('describes each boot of a machine', () => {
    const plan = planNodes(config, { cluster: CLUSTER, now });
    const outline = outlineBoots(plan, plan.hosts[0]!);
    expect(outline.first).toContain('until 2026-01-03T00:00:00Z, and if all checks pass, it OVERWRITES its only disk');
    expect(outline.second).toContain('https://api-int.test:22623/config/worker');
    expect(outline.later).toContain('coreiso.reinstall=1');
  });

  test('names the hints of the disk that it overwrites, if there are any', () => {
    const hinted = parseNodesConfigOrThrow(
      `${KEY}hosts:\n${host(1)}  rootDeviceHints: {deviceName: /dev/sda, minSizeGigabytes: 100}\n`,
    );
    const plan = planNodes(hinted, { cluster: CLUSTER, now });
    expect(outlineBoots(plan, plan.hosts[0]!).first).toContain(
      'it OVERWRITES the one disk that fits deviceName, minSizeGigabytes, makes it',
    );
  });

  test.each(['hunter2', '', '$1$a$b', '$6$', '$6$a$b\n$6$c'])('refuses %j as a password hash', (hash) => {
    const plan = (): unknown => planNodes(config, { cluster: CLUSTER, passwordHash: hash });
    expect(plan).toThrow(RangeError);
    if (hash !== '') expect(plan).not.toThrow(hash);
  });
});
