import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, decodeDataUrl } from '@coreiso/ignition';
import { bytesOf } from '@coreiso/iso';
import { parseNodesConfigOrThrow, readUnconfigured, renderManifests, samples } from '@coreiso/nodes-config';
import {
  agentConfigOf,
  buildConfigImage,
  buildNodesConfigImage,
  liveConfig,
  makeCredentials,
  planNodes,
  readSite,
  unconfiguredConfigOf,
} from '@coreiso/openshift';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { isOfConfigImage } from '../../src/join/service/config-image-files.ts';
import { SAMPLE_CREDENTIALS } from '../join/sample-credentials.ts';
import { ServiceMachine } from '../join/service-machine.ts';

const RELEASE = { version: '4.20.3', image: `quay.example.test/ocp/release@sha256:${'5'.repeat(64)}` };
const credentials = {
  ...SAMPLE_CREDENTIALS,
  admin: { certificate: '', key: '' },
  password: '',
  validity: { notBefore: '', notAfter: '' },
};

function siteOf(name: string) {
  const read = (file: string): string =>
    readFileSync(new URL(`../../../nodes-config/test/sites/${name}/${file}`, import.meta.url), 'utf8');
  const outcome = readSite({
    installConfig: read('install-config.yaml'),
    agentConfig: read('agent-config.yaml'),
    releaseImage: RELEASE.image,
    version: RELEASE.version,
  });
  if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
  return outcome.value;
}

/** The image for all sites of a release. */
function universal(more: Readonly<Record<string, string>> = {}, release = RELEASE) {
  const { installFiles } = siteOf('single-node').directory;
  if (installFiles === undefined) throw new Error('no install files');
  const { files } = renderManifests(installFiles, release);
  const named = ['infraenv.yaml', 'pull-secret.yaml'].map((name) => `cluster-manifests/${name}`);
  const own = Object.fromEntries(named.map((path) => [path, files[path] ?? '']));
  return readUnconfigured({ ...own, ...more }, { release });
}

function universalConfig(
  configuredBy?: 'config-image' | 'person',
  more: Readonly<Record<string, string>> = {},
): Config {
  const site = universal(more);
  if (!site.ok) throw new Error(site.diagnostics[0]?.message);
  return unconfiguredConfigOf(site.value, RELEASE, credentials, { configuredBy });
}

function textOf(config: Config, path: string): string | undefined {
  const file = config.storage?.files?.find((one) => one.path === path);
  return file && new TextDecoder().decode(decodeDataUrl(file.contents?.source ?? ''));
}

const unitOf = (config: Config, name: string) => config.systemd?.units?.find((unit) => unit.name === name);

/** The values in the unit of a universal image. */
function listed(config: Config): Record<string, string> {
  const text = unitOf(config, 'load-config-iso@.service')?.contents ?? '';
  return Object.fromEntries([...text.matchAll(/^Environment="(\w+)=(.*)"$/gm)].map(([, name, value]) => [name, value]));
}

const inPlace = (config: Config, paths: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(paths.map((path) => [path, textOf(config, path)]));

describeWith(['xorriso', 'blkid', 'cpio', 'dash', 'flock'], 'a config image', () => {
  async function extracted(source: Parameters<typeof bytesOf>[0]): Promise<string> {
    const folder = scratchFolder();
    const iso = join(folder, 'config.iso');
    writeFileSync(iso, await bytesOf(source));
    expect(output('blkid', ['-o', 'value', '-s', 'LABEL', iso]).toString()).toBe('agent_configimage\n');
    output('xorriso', ['-osirrox', 'on', '-indev', iso, '-extract', '/', join(folder, 'tree')]);
    return join(folder, 'tree/config.gz');
  }

  /** The files of a machine after the script of the universal image has read the archive. */
  async function loaded(machine: ServiceMachine, archive: string, config: Config) {
    machine.write('dev/sr1', '');
    for (const [program, body] of Object.entries({
      mount: `cp ${archive} "$4/"`,
      umount: ':',
      lsblk: 'echo "sr1 agent_configimage"',
      systemctl: ':',
      chpasswd: 'cat >"$ROOT/password"',
      'update-ca-trust': ':',
    }))
      machine.stub(program, body);
    machine.write(
      'etc/assisted/manifests/cluster-image-set.yaml',
      textOf(config, '/etc/assisted/manifests/cluster-image-set.yaml') ?? '',
    );
    return machine.run('load-config-iso.sh', ['dash'], listed(config), 'sr1');
  }

  test.each(['single-node', 'compact', 'arbiter'])(
    'turns a universal image into the complete image of %s',
    async (name) => {
      const site = siteOf(name);
      const whole = agentConfigOf(site, credentials);
      const { outputs, files } = await buildConfigImage(site, credentials);
      expect(outputs.map((one) => one.name)).toEqual(['agentconfig.noarch.iso']);
      expect(files.rendezvousIP.text).toBe(site.directory.rendezvousAddress);
      const archive = await extracted(outputs[0]!.source);
      const names = output('sh', ['-c', `gzip -dc ${archive} | cpio -it --quiet`])
        .toString()
        .trim()
        .split('\n');
      expect(names).toEqual(expect.arrayContaining(['/etc/assisted/rendezvous-host.env', '/etc/issue']));
      const factory = universalConfig();
      using machine = new ServiceMachine();
      const mac = textOf(
        whole,
        [...(whole.storage?.files ?? [])].find(({ path }) => path.endsWith('/mac_addresses'))?.path ?? '',
      );
      machine.write('sys/class/net/eth0/address', mac?.split('\n')[0] ?? '');
      expect(await loaded(machine, archive, factory)).toMatchObject({ status: 0 });
      expect(machine.console).toBe('');
      // All files of a complete image that the universal one lacks or has in another form.
      const paths = (whole.storage?.files ?? []).map(({ path }) => path);
      const differing = paths.filter((path) => textOf(whole, path) !== textOf(factory, path));
      const expected = differing.filter((path) => path !== '/usr/local/share/assisted-service/images.env');
      const found = Object.fromEntries(expected.map((path) => [path, machine.read(path.slice(1))]));
      expect(found).toEqual(inPlace(whole, expected));
      expect(machine.read('password')).toBe(`core:${credentials.passwordHash}\n`);
      expect(machine.calls).toContain('systemctl --no-block enable --now start-cluster-installation.service');
    },
  );

  test('turns a universal image of the release of nodes into their complete image', async () => {
    const config = parseNodesConfigOrThrow(samples.nodesConfig);
    const { signers } = await makeCredentials({ clock: () => new Date() });
    const cluster = {
      ...samples.facts,
      trustBundle: signers['admin-kubeconfig-signer'].certificate,
      imageDigestMirrors: [{ source: 'quay.example.test/ocp', mirrors: ['mirror.example.test/ocp'] }],
    };
    const plan = planNodes(config, { cluster, credentials, join: 'service' });
    const { outputs } = await buildNodesConfigImage(plan);
    expect(outputs.map((one) => one.name)).toEqual(['node-config.noarch.iso']);
    const archive = await extracted(outputs[0]!.source);
    const whole = liveConfig(plan);
    const { releaseImage = '', version = '' } = samples.facts;
    {
      using machine = new ServiceMachine();
      expect(await loaded(machine, archive, universalConfig())).toMatchObject({ status: 1 });
      expect(machine.console).toContain(
        `it is for another release, ${releaseImage}, and this image is for ${RELEASE.image}`,
      );
    }
    const site = universal({}, { version, image: releaseImage });
    if (!site.ok) throw new Error(site.diagnostics[0]?.message);
    const factory = unconfiguredConfigOf(site.value, { version, image: releaseImage }, credentials);
    using machine = new ServiceMachine();
    machine.write('sys/class/net/eth0/address', plan.hosts[0]?.interfaces[0]?.macAddress ?? '');
    expect(await loaded(machine, archive, factory)).toMatchObject({ status: 0 });
    const paths = (whole.storage?.files ?? []).map(({ path }) => path);
    const differing = paths.filter((path) => textOf(whole, path) !== textOf(factory, path));
    const expected = differing.filter((path) => path !== '/usr/local/share/assisted-service/images.env');
    const needed = [
      '/etc/assisted/add-nodes.env',
      '/etc/containers/registries.conf',
      '/etc/pki/ca-trust/source/anchors/domain.crt',
    ];
    expect(needed.filter((path) => !expected.includes(path))).toEqual([]);
    expect(machine.calls).toContain('update-ca-trust ');
    const found = Object.fromEntries(expected.map((path) => [path, machine.read(path.slice(1))]));
    expect(found).toEqual(inPlace(whole, expected));
    expect(machine.calls).toContain(
      'systemctl --no-block enable --now agent-add-node.service agent-auth-token-status.service',
    );
  });

  test('is the same for equal sites, and contains only settings', async () => {
    const site = siteOf('compact');
    const [one, other] = [
      await buildConfigImage(site, credentials),
      await buildConfigImage(siteOf('compact'), credentials),
    ];
    expect(Buffer.compare(await bytesOf(one.outputs[0]!.source), await bytesOf(other.outputs[0]!.source))).toBe(0);
    const archive = await extracted(one.outputs[0]!.source);
    const names = output('sh', ['-c', `gzip -dc ${archive} | cpio -it --quiet`])
      .toString()
      .split('\n');
    expect(names.filter((name) => name.startsWith('/usr/local/bin'))).toEqual([]);
    const modes = output('sh', ['-c', `gzip -dc ${archive} | cpio -itv --quiet`])
      .toString()
      .split('\n');
    expect(modes.filter((line) => /opt\/agent\/tls\/./.test(line) && !line.startsWith('-rw-------'))).toEqual([]);
  });
});

describe('a config image', () => {
  test('is refused for a plan without a service', async () => {
    const plan = planNodes(parseNodesConfigOrThrow(samples.nodesConfig), { cluster: samples.facts, join: 'direct' });
    await expect(buildNodesConfigImage(plan)).rejects.toThrow('plan must join through the service, not direct');
  });
});

describe('a universal image', () => {
  test('knows no site, and waits for one', () => {
    const config = universalConfig();
    const paths = (config.storage?.files ?? []).map(({ path }) => path);
    expect(paths.filter((path) => /rendezvous-host|manifests\/|tls\//.test(path))).toEqual([
      '/etc/assisted/manifests/cluster-image-set.yaml',
      '/etc/assisted/manifests/infraenv.yaml',
      '/etc/assisted/manifests/pull-secret.yaml',
      '/etc/assisted/rendezvous-host.env.template',
    ]);
    expect(paths).toContain('/usr/local/bin/pre-network-manager-config.sh');
    expect((config.storage?.directories ?? []).map(({ path }) => path)).toContain('/opt/agent/tls');
    const { CONFIG_IMAGE_FILES = '' } = listed(config);
    expect(CONFIG_IMAGE_FILES.split(',').at(-1)).toBe('/etc/assisted/rendezvous-host.env');
    const isEnabled = (name: string) => unitOf(config, name)?.enabled === true;
    const steps = [
      'start-cluster-installation',
      'agent-add-node',
      'agent-auth-token-status',
      'pre-network-manager-config',
    ];
    expect(steps.filter((name) => isEnabled(`${name}.service`))).toEqual([]);
    const awaited = [
      'agent-check-config-image',
      'agent',
      'node-zero',
      'agent-register-cluster',
      'agent-import-cluster',
    ];
    expect(awaited.filter((name) => !isEnabled(`${name}.service`))).toEqual([]);
    expect(config.passwd?.users?.[0]?.passwordHash).toBeUndefined();
    // The mirror of the service's settings, not of the unit: a config image replaces it.
    expect(unitOf(config, 'agent-register-cluster.service')?.contents).toContain(
      ' --env=OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR ',
    );
  });

  test('has the address of the service if an agent config gives it', () => {
    const agentConfig = 'apiVersion: v1beta1\nrendezvousIP: 2001:db8::80\n';
    const config = universalConfig('config-image', { 'agent-config.yaml': agentConfig });
    expect(textOf(config, '/etc/assisted/rendezvous-host.env')).toContain(
      'SERVICE_BASE_URL=http://[2001:db8::80]:8090/\n',
    );
  });

  test('shows pages without a token, and accepts no config image, if a person configures the site', () => {
    const config = universalConfig('person');
    expect(textOf(config, '/etc/assisted/interactive-ui')).toBe('');
    expect(textOf(config, '/etc/assisted/no-config-image')).toBe('');
    expect(listed(config)).toEqual({ CONFIG_IMAGE_FILES: '' });
    expect(textOf(config, '/usr/local/share/assisted-service/assisted-service.env')).toContain('AUTH_TYPE=none\n');
    const template = textOf(config, '/etc/assisted/rendezvous-host.env.template');
    expect(template).toContain('NODE_ZERO_IP={{.RendezvousIP}}\n');
    expect(template).toContain('USER_AUTH_TOKEN=none\n');
  });

  test.each([
    [
      'hosts',
      'hosts: [{hostname: a, interfaces: [{name: e, macAddress: "52:54:00:00:00:01"}]}]',
      'contain hosts. Hosts configuration should be provided via nmstateconfig.yaml',
    ],
    [
      'time servers',
      'additionalNTPSources: [ntp.example.test]',
      'contain additionalNTPSources. Only rendezvousIP is allowed',
    ],
    [
      'an address of boot files',
      'bootArtifactsBaseURL: http://192.0.2.1',
      'contain bootArtifactsBaseURL. Only rendezvousIP is allowed',
    ],
    ['a minimal ISO', 'minimalISO: true', 'set minimalISO. Only rendezvousIP is allowed'],
  ])('is refused with %s in its agent config', (_, line, words) => {
    const outcome = universal({ 'agent-config.yaml': `apiVersion: v1beta1\nrendezvousIP: 192.0.2.80\n${line}\n` });
    expect([outcome.ok, outcome.diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([
      false,
      [
        expect.objectContaining({
          message: `agent-config.yaml for unconfigured-ignition workflow must not ${words}`,
          upstream: true,
        }),
      ],
    ]);
  });

  test('needs an InfraEnv and a pull secret, and names the command that writes them', () => {
    const outcome = readUnconfigured({}, { release: RELEASE });
    expect(outcome.diagnostics.map(({ file, help }) => [file, help])).toEqual([
      ['cluster-manifests/infraenv.yaml', '`coreiso agent create cluster-manifests` writes it.'],
      ['cluster-manifests/pull-secret.yaml', '`coreiso agent create cluster-manifests` writes it.'],
    ]);
  });
});

// Files and directories of installer 1966debed4, in its order except for the address, which releases the waiting units; then the ones that
// it leaves out.
const TLS = ['admin-kubeconfig', 'kube-apiserver-lb', 'kube-apiserver-localhost', 'kube-apiserver-service-network'];
const MANIFESTS = ['pull-secret', 'cluster-deployment', 'cluster-image-set', 'agent-cluster-install', 'infraenv'];
const TAKEN = [
  ...MANIFESTS.map((name) => `/etc/assisted/manifests/${name}.yaml`),
  ...['manifests', 'extra-manifests', 'hostconfig', 'hostnames', 'network'].map((name) => `/etc/assisted/${name}`),
  '/etc/NetworkManager/conf.d/clientid.conf',
  '/etc/issue',
  '/etc/systemd/system.conf.d/10-default-env.conf',
  '/root/.docker/config.json',
  '/usr/local/share/start-cluster/start-cluster.env',
  '/usr/local/share/assisted-service/assisted-service.env',
  '/opt/agent/tls/kubeadmin-password.hash',
  ...TLS.flatMap((name) => ['key', 'crt'].map((end) => `/opt/agent/tls/${name}-signer.${end}`)),
  '/etc/assisted/rendezvous-host.env',
];
const OURS = [
  '/etc/assisted/add-nodes.env',
  '/etc/assisted/clusterconfig/import-cluster-config.json',
  '/etc/chrony.conf',
  '/etc/containers/registries.conf',
  '/etc/pki/ca-trust/source/anchors/domain.crt',
];

describe('of the files of a config', () => {
  test('include all that the installer waits for', () => {
    expect(listed(universalConfig())['CONFIG_IMAGE_FILES']?.split(',')).toEqual(TAKEN);
  });

  test.each([...TAKEN, ...OURS])('include %s', (path) => {
    expect(isOfConfigImage(path)).toBe(true);
    expect(isOfConfigImage(`/srv${path}`)).toBe(false);
  });

  test('include the contents of a directory in the list', () => {
    expect(isOfConfigImage('/etc/assisted/network/host0/mac_interface.ini')).toBe(true);
    for (const path of ['/etc/assisted', '/etc/issue.d', '/etc/assisted/networks', '/etc/chrony.conf.d'])
      expect(isOfConfigImage(path)).toBe(false);
  });
});
