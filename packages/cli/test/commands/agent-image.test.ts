import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, decodeDataUrl, parseConfigOrThrow } from '@coreiso/ignition';
import { planAgentConfig, readSite } from '@coreiso/openshift';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeWith, hasProgram, output } from '../../../../test/support/tools.ts';
import { listServiceConfig } from '../../../openshift/src/join/service/listing.ts';
import { startServing } from '../serving.ts';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

const PULL_SECRET = '{"auths":{"quay.example.test":{"auth":"dTpodW50ZXIy"}}}';

/** Three clusters: one node, three nodes, and five nodes with static networks. */
const SITES: Readonly<Record<string, { readonly installConfig: string; readonly agentConfig: string }>> = {
  single: site(
    'controlPlane: {replicas: 1}\ncompute: [{name: worker, replicas: 0}]\nplatform: {none: {}}\n',
    1,
    'dhcp',
  ),
  compact: site(
    'controlPlane: {replicas: 3}\ncompute: [{name: worker, replicas: 0}]\nplatform: {baremetal: {apiVIPs: [10.0.0.2], ingressVIPs: [10.0.0.3]}}\n',
    3,
    'dhcp',
  ),
  available: site(
    'controlPlane: {replicas: 3}\ncompute: [{name: worker, replicas: 2}]\nfips: true\nplatform: {baremetal: {apiVIPs: [10.0.0.2], ingressVIPs: [10.0.0.3]}}\n',
    5,
    'static',
  ),
};

function site(pools: string, hosts: number, addresses: 'dhcp' | 'static') {
  const entries = Array.from({ length: hosts }, (_, index) => {
    const mac = `52:54:00:e7:05:0${index}`;
    const network = `  networkConfig: {interfaces: [{name: eno1, type: ethernet, state: up, ipv4: {enabled: true, dhcp: false, address: [{ip: 10.0.0.${9 + index}, prefix-length: 24}]}}]}\n`;
    return `- hostname: node${index}\n  role: ${index < 3 ? 'master' : 'worker'}\n  interfaces: [{name: eno1, macAddress: "${mac}"}]\n${addresses === 'static' ? network : ''}`;
  });
  return {
    installConfig: `apiVersion: v1\nbaseDomain: example.test\nmetadata: {name: reef}\nnetworking: {networkType: OVNKubernetes, machineNetwork: [{cidr: 10.0.0.0/24}]}\n${pools}pullSecret: '${PULL_SECRET}'\n`,
    agentConfig: `apiVersion: v1beta1\nrendezvousIP: 10.0.0.9\nhosts:\n${entries.join('')}`,
  };
}

const IMAGE = `quay.example.test/ocp/release@sha256:${'5'.repeat(64)}`;
const RELEASE = ['--release-image', IMAGE, '--openshift-version', '4.20.3'];

/** Skips a check that depends on the FIPS mode of the build machine. */
const ENVIRONMENT = { OPENSHIFT_INSTALL_SKIP_HOSTCRYPT_VALIDATION: '1' };

let cwd: string;
beforeEach(async () => {
  cwd = scratchFolder();
  expect((await coreiso(['sample-iso', 'base.iso'], { cwd })).status).toBe(0);
});

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
}

function putSite(name: string): { readonly installConfig: string; readonly agentConfig: string } {
  const { installConfig = '', agentConfig = '' } = SITES[name] ?? {};
  put({ 'site/install-config.yaml': installConfig, 'site/agent-config.yaml': agentConfig });
  return { installConfig, agentConfig };
}

const create = (what: string, ...argv: string[]): Promise<CliResult> =>
  coreiso(['agent', 'create', what, '--dir', 'site', ...RELEASE, ...argv], { cwd, env: ENVIRONMENT });

const modeOf = (path: string): number => statSync(join(cwd, path)).mode & 0o777;
const textOf = (path: string): string => readFileSync(join(cwd, path), 'utf8');

/** Reads the config back with the real tool if it is installed, else with ours. */
async function embedded(path: string): Promise<Config> {
  const argv = ['iso', 'ignition', 'show', join(cwd, path)];
  const text = hasProgram('coreos-installer')
    ? output('coreos-installer', argv).toString()
    : (await coreiso(argv, { cwd })).stdout.toString();
  return parseConfigOrThrow(text);
}

function contentsOf(config: Config): string {
  const files = config.storage?.files ?? [];
  return files.map(({ contents }) => new TextDecoder().decode(decodeDataUrl(contents?.source ?? ''))).join('\n');
}

/** Returns the planned contents of an image of these files. */
function planOf(files: { readonly installConfig: string; readonly agentConfig: string }): unknown {
  const release = { releaseImage: IMAGE, version: '4.20.3' };
  const planned = readSite({ ...files, ...release, mode: 'compatible', environment: ENVIRONMENT });
  return planned.ok ? withoutBase(planAgentConfig(planned.value)) : planned.diagnostics;
}

const listed = (config: Config): unknown => withoutBase(listServiceConfig(config, 'install'));

/** Removes the address of the base, which is unknown without the base. */
function withoutBase(listing: unknown): unknown {
  return JSON.parse(JSON.stringify(listing).replace(/"url":"file:[^"]*","version":"[^"]*"/g, '"url":""'));
}

describeWith(['coreos-installer'], 'the real coreos-installer', () => {
  test.each(['single-node', 'compact', 'arbiter'])('finds the planned contents in the image of %s', async (name) => {
    const read = (file: string): string =>
      readFileSync(new URL(`../../../nodes-config/test/sites/${name}/${file}`, import.meta.url), 'utf8');
    const [installConfig, agentConfig] = [read('install-config.yaml'), read('agent-config.yaml')];
    put({ 'site/install-config.yaml': installConfig, 'site/agent-config.yaml': agentConfig });
    expect((await create('image', '--base', 'base.iso')).status).toBe(0);
    const shown = output('coreos-installer', ['iso', 'ignition', 'show', join(cwd, 'site/agent.x86_64.iso')]);
    expect(listed(parseConfigOrThrow(shown))).toEqual(planOf({ installConfig, agentConfig }));
  });
});

describe.each(Object.keys(SITES))('agent create image for %s', (name) => {
  test('writes an image with the planned contents, and the files for the next commands', async () => {
    const { installConfig, agentConfig } = putSite(name);
    const { status, stdout: printed, stderr } = await create('image', '--base', 'base.iso');
    const stdout = printed.toString();
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain('coreiso agent wait-for bootstrap-complete --dir site\n');
    const config = await embedded('site/agent.x86_64.iso');
    expect(listed(config)).toEqual(planOf({ installConfig, agentConfig }));
    for (const path of ['agent.x86_64.iso', 'auth/kubeconfig', 'auth/kubeadmin-password', '.coreiso-agent-state.json'])
      expect([path, modeOf(`site/${path}`)]).toEqual([path, 0o600]);
    expect(modeOf('site/auth') & ~0o750).toBe(0);
    expect([textOf('site/rendezvousIP'), modeOf('site/rendezvousIP')]).toEqual(['10.0.0.9', 0o644]);
    expect(existsSync(join(cwd, 'site/install-config.yaml'))).toBe(true);

    const contents = contentsOf(config);
    expect(contents.match(/BEGIN [A-Z ]*PRIVATE KEY/g)).toHaveLength(4);
    const adminKey = /client-key-data: (\S+)/.exec(textOf('site/auth/kubeconfig'))?.[1] ?? '';
    const secrets = [Buffer.from(adminKey, 'base64').toString(), textOf('site/auth/kubeadmin-password')];
    expect(secrets.filter((secret) => contents.includes(secret))).toEqual([]);
    expect(stdout + stderr).not.toMatch(/PRIVATE KEY|dTpodW50ZXIy|eyJ/);
    expect(stdout + stderr).not.toContain(textOf('site/auth/kubeadmin-password'));
    const { watcherToken, userToken } = JSON.parse(textOf('site/.coreiso-agent-state.json'));
    expect([watcherToken, userToken].filter((token) => !contents.includes(token))).toEqual([]);
    expect(stdout + stderr).not.toContain(userToken);
    const kargs = (await coreiso(['iso', 'kargs', 'show', 'site/agent.x86_64.iso'], { cwd })).stdout;
    expect(kargs.includes('fips=1')).toBe(name === 'available');
  });
});

describe('agent create', () => {
  test('reports outputs, validity and the next step with image --json', async () => {
    putSite('single');
    const { stdout } = await create('image', '--base', 'base.iso', '--json');
    const { outputs, files, rendezvousIP, validity, nextSteps } = JSON.parse(stdout.toString());
    expect(outputs).toEqual([
      { path: 'site/agent.x86_64.iso', size: statSync(join(cwd, 'site/agent.x86_64.iso')).size },
    ]);
    expect(files).toEqual(['site/rendezvousIP', 'site/auth/kubeconfig', 'site/auth/kubeadmin-password']);
    expect(rendezvousIP).toBe('10.0.0.9');
    expect(validity).toEqual({
      certificates: { notBefore: expect.any(String), notAfter: expect.any(String) },
      tokens: null,
    });
    expect(nextSteps.at(-1)).toBe('coreiso agent wait-for install-complete --dir site');
  });

  test('makes a second kubeconfig only with image --force', async () => {
    putSite('single');
    await create('image', '--base', 'base.iso');
    const before = textOf('site/auth/kubeconfig');
    const { status, stderr } = await create('image', '--base', 'base.iso');
    expect(status).toBe(1);
    expect(stderr).toContain('site/auth/kubeconfig exists');
    expect(textOf('site/auth/kubeconfig')).toBe(before);
    expect((await create('image', '--base', 'base.iso', '--force')).status).toBe(0);
    expect(textOf('site/auth/kubeconfig')).not.toBe(before);
  });

  test('writes nothing if a config has errors', async () => {
    putSite('single');
    put({ 'site/install-config.yaml': 'apiVersion: v1\n' });
    const { status } = await create('image', '--base', 'base.iso');
    expect(status).toBe(1);
    expect(existsSync(join(cwd, 'site/auth'))).toBe(false);
  });

  test("builds an image on the base in the installer's variable: a file or an address", async () => {
    putSite('single');
    const { addresses } = await startServing(['serve', 'base.iso'], { cwd });
    for (const base of ['base.iso', addresses[0] ?? '']) {
      const env = { ...ENVIRONMENT, OPENSHIFT_INSTALL_OS_IMAGE_OVERRIDE: base };
      const argv = ['agent', 'create', 'image', '--dir', 'site', ...RELEASE, '--force'];
      expect([base, (await coreiso(argv, { cwd, env })).stderr]).toEqual([base, expect.not.stringContaining('error:')]);
      const { storage } = await embedded('site/agent.x86_64.iso');
      const images = storage?.files?.find(({ path }) => path.endsWith('/images.env'));
      const text = new TextDecoder().decode(decodeDataUrl(images?.contents?.source ?? ''));
      // The service learns the address of the image.
      expect(text.includes(`"url":"${base}"`)).toBe(base.startsWith('http:'));
    }
  });

  test("makes a small image for Oracle's cloud, with its console as a kernel argument, and FIPS on request", async () => {
    const { installConfig, agentConfig } = putSite('single');
    const external = 'platform: {external: {platformName: oci, cloudControllerManager: External}}\nfips: true\n';
    put({ 'site/install-config.yaml': installConfig.replace('platform: {none: {}}\n', external) });
    put({ 'site/agent-config.yaml': `${agentConfig}bootArtifactsBaseURL: http://192.0.2.1/site\n` });
    const { status, stdout, stderr } = await create('image', '--base', 'base.iso');
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const kargs = (await coreiso(['iso', 'kargs', 'show', 'site/agent.x86_64.iso'], { cwd })).stdout.toString();
    expect(kargs).toMatch(/ console=ttyS0 fips=1/);
    expect(kargs).toContain(' coreos.live.rootfs_url=http://192.0.2.1/site/agent.x86_64-rootfs.img');
    expect(existsSync(join(cwd, 'site/boot-artifacts/agent.x86_64-rootfs.img'))).toBe(true);
    const hint = 'Upload agent.x86_64-rootfs.img to http://192.0.2.1/site before machines boot.\n';
    expect(stdout.toString()).toContain(hint);
  });

  test('writes a small image together with its root file system, or neither', async () => {
    const { agentConfig } = putSite('single');
    const small = `${agentConfig}minimalISO: true\nbootArtifactsBaseURL: http://192.0.2.1/site\n`;
    put({ 'site/agent-config.yaml': small, 'site/boot-artifacts': 'a file' });
    const before = readdirSync(join(cwd, 'site'));
    const { status, stderr } = await create('image', '--base', 'base.iso');
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('boot-artifacts') });
    expect(readdirSync(join(cwd, 'site'))).toEqual(before);
    rmSync(join(cwd, 'site/boot-artifacts'));
    expect((await create('image', '--base', 'base.iso')).status).toBe(0);
    expect(readdirSync(join(cwd, 'site/boot-artifacts'))).toEqual(['agent.x86_64-rootfs.img']);
  });

  test('writes the files for network boot with pxe-files, with a script for iPXE', async () => {
    putSite('single');
    const { status } = await create('pxe-files', '--base', 'base.iso', '--artifacts-url', 'http://192.0.2.1/site');
    expect(status).toBe(0);
    const script = textOf('site/boot-artifacts/agent.x86_64.ipxe');
    expect(script).toMatch(/^#!ipxe\ninitrd --name initrd http:\/\/192\.0\.2\.1\/site\/agent\.x86_64-initrd\.img\n/);
    expect(script).toContain('coreos.live.rootfs_url=http://192.0.2.1/site/agent.x86_64-rootfs.img');
    expect(modeOf('site/boot-artifacts/agent.x86_64-initrd.img')).toBe(0o600);
  });

  test('shows the future config with plan --json, without any secret of an image', async () => {
    putSite('available');
    const { stdout } = await coreiso(['agent', 'plan', '--dir', 'site', ...RELEASE, '--json'], {
      cwd,
      env: ENVIRONMENT,
    });
    const { ignition } = JSON.parse(stdout.toString());
    expect(ignition.units.map(({ name }: { name: string }) => name)).toContain('assisted-service-pod.service');
    const rendezvous = ignition.files.find(({ path }: { path: string }) => path.endsWith('/rendezvous-host.env'));
    expect(rendezvous.env).toMatchObject({ NODE_ZERO_IP: '10.0.0.9', WORKFLOW_TYPE: 'install' });
  });
});
