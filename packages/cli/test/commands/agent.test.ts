import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const INSTALL_CONFIG = `apiVersion: v1
baseDomain: example.test
metadata:
  name: reef
controlPlane: {replicas: 1}
compute: [{name: worker, replicas: 0}]
platform: {none: {}}
pullSecret: '{"auths":{"quay.example.test":{"auth":"dTpodW50ZXIy"}}}'
`;
const AGENT_CONFIG = 'apiVersion: v1beta1\nrendezvousIP: 10.0.0.9\n';

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder();
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
}

async function agent(...argv: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const { status, stdout, stderr } = await coreiso(['agent', ...argv], { cwd });
  return { status, stdout: stdout.toString(), stderr };
}

test('reports a valid site, and leaves it unchanged', async () => {
  put('site/install-config.yaml', INSTALL_CONFIG);
  put('site/agent-config.yaml', AGENT_CONFIG);
  expect(await agent('validate', '--dir', 'site', '--log-level', 'debug')).toMatchObject({
    status: 0,
    stdout: 'site: a valid site\n',
  });
  expect(readdirSync(join(cwd, 'site')).sort()).toEqual(['agent-config.yaml', 'install-config.yaml']);
});

test('shows findings with their files, and no secret', async () => {
  put('install-config.yaml', INSTALL_CONFIG.replace('name: reef', 'name: Reef'));
  put('agent-config.yaml', `${AGENT_CONFIG}spec: {}\n`);
  const { status, stdout, stderr } = await agent('validate');
  expect(status).toBe(1);
  expect(stdout + stderr).toContain('install-config.yaml:4:');
  expect(stdout + stderr).toContain('agent-config.yaml:3:');
  expect(stdout + stderr).not.toContain('dTpodW50ZXIy');
});

test("separates upstream's messages from coreiso's with --json", async () => {
  put('install-config.yaml', INSTALL_CONFIG.replace('name: reef', 'name: Reef'));
  const { status, stdout } = await agent('validate', '--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    upstream: [expect.stringMatching(/^metadata\.name: Invalid value: "Reef"/)],
    diagnostics: expect.arrayContaining([expect.objectContaining({ file: 'install-config.yaml', upstream: true })]),
  });
});

test.each([
  ['a directory without either', {}, /neither install-config\.yaml nor cluster-manifests/],
  ['both files in the wrong folder', { 'cluster-manifests/install-config.yaml': INSTALL_CONFIG }, /move it to/],
  [
    'manifests without a release',
    { 'cluster-manifests/infraenv.yaml': '' },
    /^error: cannot check manifests: unknown release\nhelp: pass --release-image and --openshift-/,
  ],
])('fails with one clear message for %s', async (_, files, message) => {
  for (const [path, text] of Object.entries(files)) put(path, text);
  const { status, stderr } = await agent('validate');
  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});

test('names the missing half of the manifests', async () => {
  put('cluster-manifests/infraenv.yaml', '');
  const { status, stderr } = await agent(
    'validate',
    '--openshift-version',
    '4.20.3',
    '--release-image',
    'a.test/b@sha256:1',
  );
  expect(status).toBe(1);
  expect(stderr).toContain('cluster-manifests/pull-secret.yaml');
  expect(stderr).toContain('missing configuration or manifest file');
});

test.each([
  [['--control-plane', '1', '--workers', '2'], 'HighlyAvailable', 'ControlPlane'],
  [['--control-plane', '3', '--platform', 'baremetal'], 'HighlyAvailable', 'Workers'],
])('prints the topology of %j', async (argv, infrastructure, ingressPlacement) => {
  const { status, stdout } = await agent('topology', '--json', ...argv);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ infrastructure, ingressPlacement });
});

test('prints CPU partitioning of a single node, and whether its routers need a load balancer later', async () => {
  const single = ['topology', '--control-plane', '1', '--platform', 'aws', '--cpu-partitioning', 'AllNodes'];
  expect(JSON.parse((await agent(...single, '--json')).stdout)).toMatchObject({
    cpuPartitioning: 'AllNodes',
    loadBalancer: 'none',
  });
  expect(JSON.parse((await agent(...single, '--added-workers', '2', '--json')).stdout)).toMatchObject({
    loadBalancer: 'provided',
  });
  const { stdout } = await agent(...single, '--added-workers', '2');
  expect(stdout).toContain('CPU partitioning        AllNodes\n');
  expect(stdout).toContain('Load balancer           needed, and provided by the platform\n');
  expect((await agent('topology', '--json')).stdout).not.toContain('loadBalancer');
});

test('prints the topology of a directory', async () => {
  put('install-config.yaml', `${INSTALL_CONFIG}cpuPartitioningMode: AllNodes\n`);
  const { status, stdout } = await agent('topology', '--dir', '.');
  expect(status).toBe(0);
  expect(stdout).toContain('Ingress                 ControlPlane\n');
  expect(stdout).toContain('CPU partitioning        AllNodes\n');
});

test('prints the topology of a directory whose install config was consumed', async () => {
  put('install-config.yaml', INSTALL_CONFIG);
  put('agent-config.yaml', AGENT_CONFIG);
  const release = ['--release-image', 'a.test/b@sha256:1', '--openshift-version', '4.20.3'];
  expect((await agent('create', 'cluster-manifests', '--consume', ...release)).status).toBe(0);
  expect(readdirSync(cwd)).not.toContain('install-config.yaml');
  expect((await agent('topology', '--dir', '.')).stdout).toContain('Ingress                 ControlPlane\n');
});

describe('plan', () => {
  const HOSTS = `hosts:
- hostname: lamp
  role: master
  interfaces: [{name: eno1, macAddress: "52:54:00:aa:00:01"}]
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4: {enabled: true, dhcp: false, address: [{ip: 10.0.0.9, prefix-length: 16}]}
    dns-resolver: {config: {server: [10.0.0.1]}}
    routes: {config: [{destination: 0.0.0.0/0, next-hop-address: 10.0.0.1, next-hop-interface: eno1}]}
`;

  test('names the rendezvous host with the reason, and its actions at each boot', async () => {
    put('install-config.yaml', INSTALL_CONFIG);
    put('agent-config.yaml', `apiVersion: v1beta1\n${HOSTS}`);
    const { status, stdout } = await agent('plan', '--log-level', 'debug');
    expect(status).toBe(0);
    expect(stdout).toContain('reef.example.test\n');
    expect(stdout).toMatch(/Rendezvous +10\.0\.0\.9, lamp: .*first static address of the first control-plane host/);
    expect(stdout).toMatch(/first boot .*starts the service/);
    expect(readdirSync(cwd).sort()).toEqual(['agent-config.yaml', 'install-config.yaml']);
  });

  test('simulates the boots of machines', async () => {
    put('install-config.yaml', INSTALL_CONFIG);
    put('agent-config.yaml', `apiVersion: v1beta1\n${HOSTS}`);
    put('rack.yaml', '- nics: {ens3: "52:54:00:aa:00:01"}\n- nics: {ens3: "52:54:00:ff:00:01"}\n');
    const { status, stdout } = await agent('plan', '--machines', 'rack.yaml', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      upstream: [],
      plan: { rendezvous: { address: '10.0.0.9', host: 'lamp' }, hosts: [{ name: 'lamp', isRendezvous: true }] },
      boots: [{ host: 'lamp' }, { host: null }],
    });
    expect((await agent('plan', '--machines', 'rack.yaml')).stdout).toContain('is called lamp');
  });

  test('uses the manifests if there are no other files', async () => {
    put('install-config.yaml', INSTALL_CONFIG);
    put('agent-config.yaml', `apiVersion: v1beta1\n${HOSTS}`);
    const release = ['--release-image', 'a.test/b@sha256:1', '--openshift-version', '4.20.3'];
    expect((await agent('create', 'cluster-manifests', ...release)).status).toBe(0);
    for (const name of ['install-config.yaml', 'agent-config.yaml', '.coreiso-agent-state.json'])
      rmSync(join(cwd, name));
    const { status, stdout } = await agent('plan');
    expect(status).toBe(0);
    expect(stdout).toMatch(/Rendezvous +10\.0\.0\.9, reef-0: it is the first static address of nmstateconfig\.yaml/);
  });

  test('prints no plan for a site with errors', async () => {
    put('install-config.yaml', INSTALL_CONFIG.replace('name: reef', 'name: Reef'));
    expect(await agent('plan')).toMatchObject({ status: 1, stdout: '' });
    expect(JSON.parse((await agent('plan', '--json')).stdout)).toMatchObject({ plan: null, boots: [] });
  });
});

describe('unknown keys', () => {
  const text = INSTALL_CONFIG.replace('baseDomain', 'baseDomian: example.test\nbaseDomain');

  test('are errors with a place and a suggestion', async () => {
    put('install-config.yaml', text);
    const { status, stderr } = await agent('validate');
    expect(status).toBe(1);
    expect(stderr).toContain('install-config.yaml:2:1');
    expect(stderr).toContain('Did you mean `baseDomain`?');
  });

  test('are warnings if OPENSHIFT_INSTALL_INVOKER is set', async () => {
    put('install-config.yaml', text);
    put('agent-config.yaml', AGENT_CONFIG);
    const { status, stderr } = await coreiso(['agent', 'validate'], {
      cwd,
      env: { OPENSHIFT_INSTALL_INVOKER: 'hive' },
    });
    expect(status).toBe(0);
    expect(stderr.toString()).toContain('unknown field "baseDomian"');
  });

  test('show only 50 of 30,000', async () => {
    put(
      'install-config.yaml',
      `${INSTALL_CONFIG}${Array.from({ length: 30_000 }, (_, at) => `key${at}: 1\n`).join('')}`,
    );
    const { status, stderr } = await agent('validate');
    expect(status).toBe(1);
    expect(stderr.split('\n').length).toBeLessThan(400);
    expect(stderr).toContain('29950 more in install-config.yaml');
  });
});

test('warns of a second document, which the installer ignores', async () => {
  put('install-config.yaml', `${INSTALL_CONFIG}---\nsshKey: other\n`);
  put('agent-config.yaml', `${AGENT_CONFIG}---\nhosts: []\n`);
  const { status, stdout } = await agent('validate', '--json');
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; file: string; line: number }[] };
  const ignored = diagnostics.filter(({ code }) => code === 'nodes-config/ignored-document');
  expect(status).toBe(1);
  expect(ignored.map(({ file, line }) => `${file}:${line}`)).toEqual(['install-config.yaml:10', 'agent-config.yaml:4']);
});
