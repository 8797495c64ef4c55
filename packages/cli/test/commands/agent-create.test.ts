import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readAgentState } from '@coreiso/openshift';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

const INSTALL_CONFIG = `apiVersion: v1
baseDomain: example.test
metadata:
  name: reef
controlPlane: {replicas: 1}
compute: [{name: worker, replicas: 0}]
platform: {none: {}}
pullSecret: '{"auths":{"quay.example.test":{"auth":"dTpodW50ZXIy"}}}'
`;
const AGENT_CONFIG = `apiVersion: v1beta1
hosts:
- hostname: node0
  role: master
  interfaces: [{name: eno1, macAddress: 52:54:00:e7:05:72}]
rendezvousIP: 10.0.0.9
`;
const RELEASE = ['--release-image', 'quay.example.test/ocp@sha256:55', '--openshift-version', '4.20.3'];
const STATE = '.coreiso-agent-state.json';
const MANIFESTS = [
  ...['agent-cluster-install', 'cluster-deployment', 'cluster-image-set', 'infraenv', 'pull-secret'].map(
    (name) => `cluster-manifests/${name}.yaml`,
  ),
  'mirror/ca-bundle.crt',
  'mirror/registries.conf',
];

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder();
});

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
}

const SITE = { 'install-config.yaml': INSTALL_CONFIG, 'agent-config.yaml': AGENT_CONFIG };

function textOf(path: string): string {
  return readFileSync(join(cwd, path), 'utf8');
}

function create(...argv: string[]): Promise<CliResult> {
  return coreiso(['agent', 'create', 'cluster-manifests', ...RELEASE, ...argv], { cwd });
}

/** Lists every file below the directory. */
function everything(): string[] {
  return readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(cwd.length + 1))
    .sort();
}

test('writes manifests, mirror files and state readable only by their owner, and keeps the inputs', async () => {
  put(SITE);
  const { status, stderr, stdout } = await create('--log-level', 'debug');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.toString().trim().split('\n').sort()).toEqual(MANIFESTS);
  expect(everything()).toEqual([STATE, ...Object.keys(SITE), ...MANIFESTS].sort());
  for (const path of [STATE, ...MANIFESTS]) expect(statSync(join(cwd, path)).mode & 0o777).toBe(0o600);
});

test('records the inputs, the hosts and the rendezvous host in the state, and no secret', async () => {
  put(SITE);
  await create();
  const state = readAgentState(textOf(STATE));
  expect(state).toMatchObject({
    ok: true,
    value: {
      version: 1,
      inputs: { 'install-config.yaml': expect.stringMatching(/^[0-9a-f]{64}$/) },
      hosts: [{ name: 'node0', role: 'master', macs: ['52:54:00:e7:05:72'] }],
      rendezvousIP: '10.0.0.9',
    },
  });
  expect(textOf(STATE)).not.toContain('dTpodW50ZXIy');
});

test('adds the files to the findings with --json', async () => {
  put({ ...SITE, 'openshift/own.yaml': 'kind: ConfigMap\n' });
  const { stdout } = await create('--json', '--show-secrets');
  const printed = JSON.parse(stdout.toString());
  expect(printed).toMatchObject({ upstream: [], diagnostics: [] });
  expect(Object.keys(printed.files).sort()).toEqual(MANIFESTS);
  for (const path of MANIFESTS) expect(printed.files[path]).toBe(textOf(path));
  const hidden = (await create('--json')).stdout.toString();
  expect(Object.keys(JSON.parse(hidden).files).sort()).toEqual(MANIFESTS);
  expect(hidden).not.toContain('dTpodW50ZXIy');
});

describe('a second run', () => {
  const edited = 'cluster-manifests/agent-cluster-install.yaml';
  const edit = (): string => textOf(edited).replace('controlPlaneAgents: 1', 'controlPlaneAgents: 3');

  test.each([[[]], [['--consume']]])('keeps an edited manifest while the inputs are the same %j', async (flags) => {
    put(SITE);
    await create(...flags);
    expect(existsSync(join(cwd, 'install-config.yaml'))).toBe(flags.length === 0);
    put({ [edited]: edit() });
    const { status, stderr } = await create(...flags);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(textOf(edited)).toContain('controlPlaneAgents: 3');
  });

  test('checks an edited manifest', async () => {
    put(SITE);
    await create();
    put({ [edited]: textOf(edited).replace('platformType: None', 'platformType: Nowhere') });
    const { status, stderr } = await create();
    expect(status).toBe(1);
    expect(stderr).toContain(`${edited}:`);
    expect(stderr).toContain('spec.platformType: Unsupported value: "Nowhere"');
  });

  test("replaces the manifests of the old install config with those of a new one, with the installer's message", async () => {
    put(SITE);
    await create();
    put({ 'install-config.yaml': INSTALL_CONFIG.replace('reef', 'atoll') });
    const { status, stderr } = await create();
    expect(status).toBe(0);
    expect(stderr).toContain('Discarding the ClusterDeployment Config');
    expect(textOf('cluster-manifests/cluster-deployment.yaml')).toContain('clusterName: atoll');
  });

  test.each<[string, () => Promise<unknown>, () => string]>([
    ['edited', create, edit],
    ['written by hand', async () => undefined, () => 'kind: AgentClusterInstall\n'],
  ])('replaces a manifest that was %s after a new install config only with --force', async (_, prepare, text) => {
    put(SITE);
    await prepare();
    put({ [edited]: text() });
    const own = textOf(edited);
    put({ 'install-config.yaml': INSTALL_CONFIG.replace('reef', 'atoll') });
    const refused = await create();
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('--force') });
    expect(textOf(edited)).toBe(own);
    expect((await create('--force')).status).toBe(0);
    expect(textOf(edited)).not.toBe(own);
  });

  test('restores a manifest that was removed', async () => {
    put(SITE);
    await create('--consume');
    const old = textOf('cluster-manifests/infraenv.yaml');
    rmSync(join(cwd, 'cluster-manifests/infraenv.yaml'));
    expect((await create()).status).toBe(0);
    expect(textOf('cluster-manifests/infraenv.yaml')).toBe(old);
  });

  test.each([
    ['consumed', '../victim'],
    ['consumed', '/etc/victim'],
    ['consumed', 'cluster-manifests/infraenv.yaml'],
    ['consumed', '__proto__'],
    ['inputs', '..\\victim'],
    ['outputs', 'mirror/../../victim'],
    ['outputs', 'a\0b'],
    ['outputs', 'a\\b'],
  ])('refuses a state whose `%s` names %j, and removes nothing', async (list, name) => {
    put(SITE);
    await create();
    const names = `{${JSON.stringify(name)}: "x"}`;
    const state = JSON.stringify({ ...JSON.parse(textOf(STATE)), [list]: 0 }).replace(
      `"${list}":0`,
      `"${list}":${names}`,
    );
    put({ [STATE]: state });
    const before = everything();
    const { status, stderr } = await create('--consume');
    expect(status).toBe(1);
    expect(stderr).toContain(`the state file has ${JSON.stringify(name)} in \`${list}\``);
    expect(everything()).toEqual(before);
    const outcome = readAgentState(state);
    expect(outcome.diagnostics).toMatchObject([{ code: 'openshift/state-name', path: [list, name] }]);
  });

  test('names a damaged state file, with help', async () => {
    put({ ...SITE, [STATE]: '{"version": 1}' });
    const { status, stderr } = await create();
    expect(status).toBe(1);
    expect(stderr).toContain(`Remove ${STATE}`);
  });
});

const BOMB = `a: &a [1,1,1,1,1,1,1,1,1,1]\n${[...'bcdefghi'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}1]`).join('\n')}\n`;

describe('prints one clear message, writes nothing and deletes nothing for', () => {
  test.each([
    ['a wrong install config', { ...SITE, 'install-config.yaml': INSTALL_CONFIG.replace('reef', 'Reef') }, /RFC 1123/],
    ['a wrong agent config', { ...SITE, 'agent-config.yaml': 'apiVersion: v2\n' }, /cannot upconvert/],
    ['a directory without either file', {}, /neither install-config\.yaml nor cluster-manifests/],
    ['both files in the wrong folder', { 'cluster-manifests/install-config.yaml': INSTALL_CONFIG }, /move it to/],
    ['half of the manifests', { 'cluster-manifests/infraenv.yaml': '' }, /nothing to make manifests from/],
    ['a YAML bomb', { 'install-config.yaml': BOMB }, /more than 2000000 values/],
    ['a file that is no text', { 'install-config.yaml': 'a: \0\uD800' }, /control characters|not text/],
  ])('%s', async (_, files, message) => {
    put(files);
    const before = everything();
    const { status, stdout, stderr } = await create('--consume');
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 1, stdout: '' });
    expect(stderr.match(/^(?:Error|\S+ error|\S+: error): /gim)).toHaveLength(1);
    expect(stderr).toMatch(message);
    expect(everything()).toEqual(before);
  });

  test('a missing release', async () => {
    put(SITE);
    const { status, stderr } = await coreiso(['agent', 'create', 'cluster-manifests'], { cwd });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      'error: cannot install: unknown release',
      expect.stringMatching(
        /^help: pass --release-image and --openshift-version.*OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE/,
      ),
    ]);
    expect(everything()).toEqual(Object.keys(SITE).sort());
  });

  test.runIf(process.getuid?.() !== 0)('a directory that cannot be written to', async () => {
    put({ ...SITE, 'mirror/registries.conf': '' });
    chmodSync(join(cwd, 'mirror'), 0o500);
    expect((await create('--force')).status).toBe(1);
    expect(everything()).toEqual([...Object.keys(SITE), 'mirror/registries.conf'].sort());
  });

  test('a file in place of a directory', async () => {
    put(SITE);
    mkdirSync(join(cwd, 'mirror/registries.conf/inside'), { recursive: true });
    put({ 'mirror/registries.conf/inside/own': 'kept' });
    const before = everything();
    expect(await create()).toMatchObject({ status: 1, stderr: expect.stringContaining('is a directory') });
    expect(everything()).toEqual(before);
  });
});

test('takes the release from the environment, and its version from the tag', async () => {
  put(SITE);
  const env = { OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: 'quay.example.test:5000/ocp:4.19.7-x86_64' };
  expect((await coreiso(['agent', 'create', 'cluster-manifests'], { cwd, env })).status).toBe(0);
  expect(textOf('cluster-manifests/cluster-image-set.yaml')).toContain('name: openshift-4.19.7\n');
});

test('writes an agent config to fill in, once', async () => {
  const template = (...argv: string[]) =>
    coreiso(['agent', 'create', 'agent-config-template', '--dir', 'new/site', ...argv], { cwd });
  expect(await template()).toMatchObject({ status: 0, stderr: '' });
  const path = 'new/site/agent-config.yaml';
  expect(statSync(join(cwd, path)).mode & 0o777).toBe(0o600);
  const { stdout } = await coreiso(['nodes', 'validate', '--json', path], { cwd });
  expect(JSON.parse(stdout.toString()).upstream).toEqual([
    expect.stringContaining('rendezvousIP: Invalid value: "your-node0-ip"'),
  ]);
  put({ [path]: 'mine' });
  expect(await template()).toMatchObject({ status: 1, stderr: expect.stringContaining('--force') });
  expect(textOf(path)).toBe('mine');
  expect((await template('--force')).status).toBe(0);
});
