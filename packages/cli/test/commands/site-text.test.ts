import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder();
});

interface Site {
  readonly masters: number;
  readonly workers: number;
  readonly platform: string;
  readonly agentConfig?: string;
}

function put({ masters, workers, platform, agentConfig = 'rendezvousIP: 192.0.2.9\n' }: Site): void {
  mkdirSync(join(cwd, 'site'), { recursive: true });
  const installConfig = `apiVersion: v1
baseDomain: example.test
metadata: {name: reef}
controlPlane: {replicas: ${masters}}
compute: [{name: worker, replicas: ${workers}}]
networking: {machineNetwork: [{cidr: 192.0.2.0/24}]}
platform: ${platform}
pullSecret: '{"auths":{"quay.example.test":{"auth":"dTpw"}}}'
`;
  writeFileSync(join(cwd, 'site/install-config.yaml'), installConfig);
  writeFileSync(join(cwd, 'site/agent-config.yaml'), `apiVersion: v1beta1\n${agentConfig}`);
}

/** Returns the rows of the two columns that a command prints. */
async function rowsOf(...argv: string[]): Promise<{ rows: Record<string, string>; text: string; status: number }> {
  const { status, stdout, stderr } = await coreiso(['agent', ...argv], { cwd });
  const text = stdout.toString();
  expect(stderr).not.toContain(': error: ');
  const rows = [...text.matchAll(/^ {0,2}(\S.*?) {2,}(\S.*)$/gm)].map(([, key = '', value = '']) => [key, value]);
  return { rows: Object.fromEntries(rows), text, status };
}

const BARE = '{baremetal: {apiVIPs: [192.0.2.2], ingressVIPs: [192.0.2.3]}}';
const HOST = `hosts:
- hostname: a
  role: master
  rootDeviceHints: {deviceName: /dev/sda, minSizeGigabytes: 120}
  interfaces: [{name: eno1, macAddress: "52:54:00:00:00:01"}]
  networkConfig: {interfaces: [{name: eno1, type: ethernet, state: up, ipv4: {enabled: true, dhcp: false, address: [{ip: 192.0.2.10, prefix-length: 24}]}}]}
- hostname: b
  interfaces: [{name: eno1, macAddress: "52:54:00:00:00:02"}]
`;

describe('agent plan', () => {
  test.each<[name: string, site: Site, rows: object, rest: RegExp]>([
    [
      'a single node',
      { masters: 1, workers: 0, platform: '{none: {}}' },
      {
        Machines: '1 control plane',
        Platform: 'none',
        Topology: 'SingleReplica, ingress on ControlPlane',
        API: 'api.reef.example.test at the address of the node, by your DNS',
        Ingress: '*.apps.reef.example.test at the address of the node, by your DNS',
        Rendezvous: expect.stringMatching(/^192\.0\.2\.9: /),
      },
      /\n\n1 more machine that /,
    ],
    [
      'five machines that are not listed',
      { masters: 3, workers: 2, platform: '{none: {}}' },
      {
        Machines: '3 control plane, 2 worker',
        Topology: 'HighlyAvailable, ingress on Workers',
        API: 'api.reef.example.test at a load balancer of your own, by your DNS',
        Ingress: '*.apps.reef.example.test at a load balancer of your own, by your DNS',
      },
      /\n\n5 more machines that /,
    ],
    [
      'hosts',
      { masters: 3, workers: 0, platform: BARE, agentConfig: HOST },
      {
        Machines: '3 control plane',
        Platform: 'baremetal',
        API: 'api.reef.example.test at 192.0.2.2',
        Ingress: '*.apps.reef.example.test at 192.0.2.3',
        Rendezvous: expect.stringMatching(/^192\.0\.2\.10, a: /),
      },
      /\n\na \(hosts\[0\]\)\n {2}card {5}52:54:00:00:00:01 eno1\n {2}role {5}master\n {2}disk {5}deviceName \/dev\/sda, minSizeGigabytes 120\n {2}network {2}profiles in host0\n {4}eno1\.nmconnection {2}ethernet, 192\.0\.2\.10\/24\n {2}first boot {3}.*\n {2}second boot {2}.*\n {2}later {8}.*\n\nb \(hosts\[1\]\)\n {2}card {5}52:54:00:00:00:02 eno1\n(?: {2}role.*\n)? {2}disk {5}no hints\n {2}network {2}DHCP on all cards\n/,
    ],
  ])('shows %s', async (_, site, rows, rest) => {
    put(site);
    const found = await rowsOf('plan', '--dir', 'site');
    expect(found.status).toBe(0);
    expect(found.text).toMatch(/^reef\.example\.test\n {2}Machines {4}/);
    expect(found.rows).toMatchObject(rows);
    expect(found.text).toMatch(rest);
  });

  test('counts no unlisted hosts if all hosts are listed', async () => {
    const [one] = HOST.split('- hostname: b');
    put({ masters: 1, workers: 0, platform: '{none: {}}', agentConfig: `rendezvousIP: 192.0.2.10\n${one}` });
    expect((await rowsOf('plan', '--dir', 'site')).text).not.toContain(' more machine');
  });
});

describe('agent topology', () => {
  const ROWS = ['Control plane', 'Infrastructure', 'Ingress', 'Masters take workloads', 'CPU partitioning'];
  const rows = (...values: string[]): object => Object.fromEntries(values.map((value, index) => [ROWS[index], value]));

  test.each<[argv: string[], rows: object]>([
    [[], rows('HighlyAvailable', 'HighlyAvailable', 'Workers', 'yes', 'None')],
    [
      ['--control-plane', '2', '--arbiters', '1', '--platform', 'baremetal', '--workers', '3'],
      rows('HighlyAvailableArbiter', 'HighlyAvailable', 'Workers', 'no', 'None'),
    ],
    [
      ['--control-plane', '1', '--cpu-partitioning', 'AllNodes'],
      { ...rows('SingleReplica', 'SingleReplica', 'ControlPlane', 'yes', 'AllNodes'), 'Load balancer': 'not needed' },
    ],
    [
      ['--control-plane', '1', '--platform', 'baremetal'],
      { ...rows('SingleReplica', 'SingleReplica', 'Workers', 'yes', 'None') },
    ],
  ])('describes %j', async (argv, expected) => {
    const found = await rowsOf('topology', ...argv);
    expect([found.status, found.rows]).toEqual([0, expect.objectContaining(expected)]);
  });

  test.each<[site: Site, expected: object]>([
    [
      { masters: 1, workers: 0, platform: '{none: {}}' },
      { ...rows('SingleReplica', 'SingleReplica', 'ControlPlane', 'yes', 'None'), 'Load balancer': 'not needed' },
    ],
    [
      { masters: 3, workers: 2, platform: '{none: {}}' },
      rows('HighlyAvailable', 'HighlyAvailable', 'Workers', 'no', 'None'),
    ],
    [{ masters: 3, workers: 1, platform: BARE }, rows('HighlyAvailable', 'SingleReplica', 'Workers', 'no', 'None')],
  ])('describes the directory of the site %j', async (site, expected) => {
    put(site);
    expect((await rowsOf('topology', '--dir', 'site')).rows).toEqual(expected);
  });

  test('shows the errors of an install config with file and line', async () => {
    put({ masters: 1, workers: 0, platform: '7' });
    const { status, stdout, stderr } = await coreiso(['agent', 'topology', '--dir', 'site'], { cwd });
    expect([status, stdout.toString()]).toEqual([1, '']);
    expect(stderr).toMatch(/^(?:site\/)?install-config\.yaml:7:11: error: /m);
  });

  test('names the missing files of a directory with only manifests', async () => {
    mkdirSync(join(cwd, 'site/cluster-manifests'), { recursive: true });
    writeFileSync(join(cwd, 'site/cluster-manifests/infraenv.yaml'), '{}');
    const { status, stderr } = await coreiso(['agent', 'topology', '--dir', 'site'], { cwd });
    expect([status, stderr]).toEqual([1, expect.stringContaining('there is no install-config.yaml')]);
  });
});
