import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { coreiso, scratchFolder } from '../support.ts';

const nodes = (...argv: string[]) => coreiso(['nodes', ...argv], { cwd: scratchFolder() });

const SHARD = ['--name', 'far', '--domain', 'apps-far.reef.example.test'];

test('shard prints an IngressController for routes and nodes with given labels', async () => {
  const labels = [
    '--node-label',
    'kubernetes.io/hostname=far-0',
    '--route-label',
    'site=far',
    '--route-label',
    'tier=',
  ];
  const { status, stdout } = await nodes('shard', ...SHARD, ...labels, '--replicas', '2');
  expect(status).toBe(0);
  expect(load(stdout.toString())).toEqual({
    apiVersion: 'operator.openshift.io/v1',
    kind: 'IngressController',
    metadata: { name: 'far', namespace: 'openshift-ingress-operator' },
    spec: {
      domain: 'apps-far.reef.example.test',
      replicas: 2,
      nodePlacement: { nodeSelector: { matchLabels: { 'kubernetes.io/hostname': 'far-0' } } },
      routeSelector: { matchLabels: { site: 'far', tier: '' } },
    },
  });
});

const HAPROXY = [
  '--domain',
  'apps-far.reef.example.test',
  '--node',
  'far-0=198.51.100.7',
  '--node',
  'far-1=2001:DB8::7',
];

test('haproxy prints a server for each node and port', async () => {
  const { status, stdout } = await nodes('haproxy', ...HAPROXY);
  expect(status).toBe(0);
  const servers = stdout.toString().match(/server far.*/g);
  expect(servers).toEqual([
    'server far-0 198.51.100.7:80 check',
    'server far-1 [2001:db8::7]:80 check',
    'server far-0 198.51.100.7:443 check',
    'server far-1 [2001:db8::7]:443 check',
  ]);
});

describeWith(['haproxy'], 'haproxy', () => {
  test('accepts the printed config', async () => {
    const file = join(scratchFolder(), 'haproxy.cfg');
    writeFileSync(file, (await nodes('haproxy', ...HAPROXY)).stdout);
    expect(run('haproxy', ['-c', '-f', file]).status).toBe(0);
  });
});

test.each([
  [['shard', ...SHARD, '--node-label', 'far-0', '--route-label', 'site=far'], 'expected KEY=VALUE'],
  [['shard', ...SHARD, '--node-label', 'a=b'], 'required'],
  [
    ['shard', '--name', 'default', '--domain', 'a.b', '--node-label', 'a=b', '--route-label', 'c=d'],
    'other than default',
  ],
  [
    ['shard', ...SHARD, '--node-label', 'a=b', '--route-label', 'c=d', '--replicas', '0'],
    'expected a number of routers',
  ],
  [['haproxy', '--domain', '*.apps.test', '--node', 'a=192.0.2.1'], 'expected a domain'],
  [['haproxy', '--domain', 'apps.test', '--node', 'a=192.0.2.1\n  server x'], 'expected NAME=ADDRESS'],
])('refuses %j', async (argv, reason) => {
  const { status, stderr } = await nodes(...argv);
  expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test('writes the override of advise into the image of its host', async () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'advice'));
  await writeCopy(await sampleIso(), join(cwd, 'base.iso'));
  const facts = JSON.parse((await coreiso(['nodes', 'facts', '--sample'], { cwd })).stdout.toString());
  const metal = { ...facts, platform: 'BareMetal', apiVIPs: ['192.0.2.5'], ingressVIPs: ['192.0.2.6'] };
  writeFileSync(join(cwd, 'cluster.json'), JSON.stringify(metal));
  writeFileSync(
    join(cwd, 'nodes-config.yaml'),
    'hosts:\n- hostname: far-0\n  interfaces: [{ name: eth0, macAddress: "52:54:00:e7:05:72" }]\n',
  );
  const options = ['--cluster', 'cluster.json'];
  const advised = await coreiso(['nodes', 'advise', ...options, '--remote', 'far-0', '--manifests', 'advice', '-f'], {
    cwd,
  });
  expect(advised.status).toBe(0);
  const image = (given: string, ...more: string[]) =>
    coreiso(['nodes', 'image', '--base', 'base.iso', ...options, '-f', '--host-ignition', given, ...more], { cwd });
  const made = await image('far-0=advice/ignition-override-far-0.ign', '-o', 'far.iso');
  expect({ status: made.status, stderr: made.stderr }).toMatchObject({ status: 0 });
  const shown = await coreiso(['iso', 'ignition', 'show', 'far.iso'], { cwd });
  expect(shown.stdout.toString()).toContain('/etc/assisted/hostconfig/far-0/worker.ign');
  expect((await image('far-0')).stderr).toContain('expected HOST=FILE');
  expect((await image('far-9=advice/ignition-override-far-0.ign')).stderr).toContain(
    'must name hosts of the config: far-0',
  );
  expect((await image('far-0=cluster.json')).stderr).toContain('cannot read cluster.json');
});
