import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const INSTALL_CONFIG = `apiVersion: v1
baseDomain: example.test
metadata:
  name: reef
controlPlane: {replicas: 1}
compute: [{name: worker, replicas: 0}]
platform: {none: {}}
pullSecret: '{"auths":{"a.test":{"auth":"aHVudGVyMg=="}}}'
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

test('a sound site is praised, and left as it is', async () => {
  put('site/install-config.yaml', INSTALL_CONFIG);
  put('site/agent-config.yaml', AGENT_CONFIG);
  expect(await agent('validate', '--dir', 'site', '--log-level', 'debug')).toMatchObject({
    status: 0,
    stdout: 'site: a valid site\n',
  });
  expect(readdirSync(join(cwd, 'site')).sort()).toEqual(['agent-config.yaml', 'install-config.yaml']);
});

test('findings stand in their files, and hold no secret', async () => {
  put('install-config.yaml', INSTALL_CONFIG.replace('name: reef', 'name: Reef'));
  put('agent-config.yaml', `${AGENT_CONFIG}spec: {}\n`);
  const { status, stdout, stderr } = await agent('validate');
  expect(status).toBe(1);
  expect(stdout + stderr).toContain('install-config.yaml:4:');
  expect(stdout + stderr).toContain('agent-config.yaml:3:');
  expect(stdout + stderr).not.toContain('aHVudGVyMg');
});

test('--json tells upstream from ours', async () => {
  put('install-config.yaml', INSTALL_CONFIG.replace('name: reef', 'name: Reef'));
  const { status, stdout } = await agent('validate', '--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    upstream: [expect.stringMatching(/^metadata\.name: Invalid value: "Reef"/)],
    diagnostics: expect.arrayContaining([expect.objectContaining({ file: 'install-config.yaml', upstream: true })]),
  });
});

test.each([
  ['a directory without either', {}, /neither an install-config\.yaml nor cluster-manifests/],
  ['both files in the wrong folder', { 'cluster-manifests/install-config.yaml': INSTALL_CONFIG }, /move it to/],
  [
    'manifests without a release',
    { 'cluster-manifests/infraenv.yaml': '' },
    /give --release-image and --openshift-version/,
  ],
])('%s is one clear message', async (_, files, message) => {
  for (const [path, text] of Object.entries(files)) put(path, text);
  const { status, stderr } = await agent('validate');
  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});

test('half of the manifests is told by name', async () => {
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
])('topology of %j', async (argv, infrastructure, ingressPlacement) => {
  const { status, stdout } = await agent('topology', '--json', ...argv);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ infrastructure, ingressPlacement });
});

test('topology of a directory', async () => {
  put('install-config.yaml', INSTALL_CONFIG);
  const { status, stdout } = await agent('topology', '--dir', '.');
  expect(status).toBe(0);
  expect(stdout).toContain('Ingress                 ControlPlane\n');
});
