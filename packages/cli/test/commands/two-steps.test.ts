import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeDataUrl, parseConfigOrThrow } from '@coreiso/ignition';
import { renderManifests, samples } from '@coreiso/nodes-config';
import { readSite } from '@coreiso/openshift';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { GRAPH } from '../../src/commands/agent/graph.ts';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

const IMAGE = `quay.example.test/ocp/release@sha256:${'5'.repeat(64)}`;
const RELEASE = ['--release-image', IMAGE, '--openshift-version', '4.20.3'];

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder();
  for (const [path, text] of Object.entries({
    'site/install-config.yaml': samples.installConfig,
    'site/agent-config.yaml': samples.agentConfig,
    'nodes-config.yaml': samples.nodesConfig,
    'cluster.json': JSON.stringify(samples.facts),
  })) {
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
});

const create = (what: string, dir: string, ...argv: string[]): Promise<CliResult> =>
  coreiso(['agent', 'create', what, '--dir', dir, ...argv], { cwd });
const textOf = (path: string): string => readFileSync(join(cwd, path), 'utf8');
const modeOf = (path: string): number => statSync(join(cwd, path)).mode & 0o777;

/** Makes a directory without a site, with the manifests of one. */
async function factory(): Promise<void> {
  expect((await create('cluster-manifests', 'site', ...RELEASE)).status).toBe(0);
  mkdirSync(join(cwd, 'factory'));
  for (const folder of ['cluster-manifests', 'mirror'])
    renameSync(join(cwd, 'site', folder), join(cwd, 'factory', folder));
}

/** Returns the paths and texts of the archive on a config image, as libarchive reads it. */
function settingsOn(iso: string): Record<string, string> {
  const list = output('sh', ['-c', `bsdtar -xOf ${join(cwd, iso)} config.gz | gzip -dc | cpio -it --quiet`]);
  const files = list
    .toString()
    .trim()
    .split('\n')
    .filter((path) => /\.\w+$/.test(path));
  const read = (path: string) =>
    output('sh', ['-c', `bsdtar -xOf ${join(cwd, iso)} config.gz | gzip -dc | cpio -i --quiet --to-stdout ${path}`]);
  return Object.fromEntries(files.map((path) => [path, read(path).toString()]));
}

describeWith(['bsdtar', 'cpio', 'blkid'], 'agent create config-image', () => {
  test("writes the site's settings to a small image, and the files for the next commands", async () => {
    const { status, stdout, stderr } = await create('config-image', 'site', ...RELEASE);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toContain('Attach site/agentconfig.noarch.iso to all machines');
    expect(output('blkid', ['-o', 'value', '-s', 'LABEL', join(cwd, 'site/agentconfig.noarch.iso')]).toString()).toBe(
      'agent_configimage\n',
    );
    for (const path of ['agentconfig.noarch.iso', 'auth/kubeconfig', '.coreiso-agent-state.json'])
      expect([path, modeOf(`site/${path}`)]).toEqual([path, 0o600]);
    const settings = settingsOn('site/agentconfig.noarch.iso');
    expect(settings['/etc/assisted/rendezvous-host.env']).toContain(`NODE_ZERO_IP=${textOf('site/rendezvousIP')}\n`);
    const { watcherToken } = JSON.parse(textOf('site/.coreiso-agent-state.json'));
    expect(settings['/usr/local/share/assisted-service/assisted-service.env']).toContain(watcherToken);
    expect(`${stdout}${stderr}`).not.toMatch(/PRIVATE KEY|eyJ/);
    expect((await create('config-image', 'site', ...RELEASE)).stderr).toContain('belongs to an earlier image');
  });

  test('lists its outputs in JSON, and refuses options about a live image', async () => {
    const { stdout } = await create('config-image', 'site', ...RELEASE, '--json');
    expect(JSON.parse(stdout.toString())).toMatchObject({
      outputs: [{ path: 'site/agentconfig.noarch.iso' }],
      rendezvousIP: '192.0.2.10',
    });
    expect((await create('config-image', 'site', ...RELEASE, '--base', 'a.iso')).status).toBe(2);
  });
});

describe('agent create unconfigured-ignition', () => {
  test.each([
    ['', false],
    ['--interactive', true],
  ])('writes a config without a site: %s', async (flag, isInteractive) => {
    await factory();
    const argv = flag === '' ? [] : [flag];
    const { status, stdout, stderr } = await create('unconfigured-ignition', 'factory', ...RELEASE, ...argv);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toMatch(/^factory\/unconfigured-agent\.ign\n\nNext:\n {2}coreiso iso ignition embed -i/);
    const steps = stdout.toString().trimEnd().split('\n').slice(4);
    expect(steps).toEqual(
      isInteractive
        ? ['  Boot the machines from factory.iso, and choose on the console of each which one runs the service.']
        : [
            '  coreiso agent create config-image --dir SITE   # for each site, not factory',
            '  Boot the machines of any site from factory.iso, with the config image of the site on a second drive.',
          ],
    );
    expect(modeOf('factory/unconfigured-agent.ign')).toBe(0o600);
    const config = parseConfigOrThrow(textOf('factory/unconfigured-agent.ign'));
    const paths = (config.storage?.files ?? []).map(({ path }) => path);
    expect(paths.includes('/etc/assisted/interactive-ui')).toBe(isInteractive);
    expect(paths).not.toContain('/etc/assisted/rendezvous-host.env');
    const embedded = config.storage?.files?.find(({ path }) => path.endsWith('/cluster-image-set.yaml'));
    expect(new TextDecoder().decode(decodeDataUrl(embedded?.contents?.source ?? ''))).toContain(IMAGE);
    expect((await create('unconfigured-ignition', 'factory', ...RELEASE)).stderr).toContain(
      'pass --force to replace it',
    );
  });

  test('reads the release from the manifests', async () => {
    await factory();
    expect((await create('unconfigured-ignition', 'factory', '--json')).status).toBe(0);
  });

  test('names the missing parts of a directory', async () => {
    const { status, stderr } = await create('unconfigured-ignition', 'site', ...RELEASE);
    expect(status).toBe(1);
    expect(stderr).toContain('cluster-manifests/infraenv.yaml');
    expect(stderr).toContain('`coreiso agent create cluster-manifests` writes it');
  });
});

describeWith(['bsdtar', 'cpio'], 'nodes image --config-iso', () => {
  const image = (...argv: string[]) =>
    coreiso(['nodes', 'image', '--config-iso', '--cluster', 'cluster.json', ...argv], { cwd });

  test('writes the settings that hosts need to join through the service, and the tokens beside it', async () => {
    const { status, stdout, stderr } = await image('-o', 'out/');
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(stdout.toString()).toMatch(/^out\/node-config\.noarch\.iso .*\nout\/agent-auth-token\.yaml/);
    expect(stdout.toString()).toMatch(/^For (?:1 host|[2-9] hosts)\. Attach it .*\nIts tokens expire at 20.*Z\.$/m);
    expect(modeOf('out/node-config.noarch.iso')).toBe(0o600);
    const settings = settingsOn('out/node-config.noarch.iso');
    expect(settings['/etc/assisted/add-nodes.env']).toContain(`CLUSTER_ID=${samples.facts.clusterId}\n`);
    expect(settings['/etc/assisted/clusterconfig/import-cluster-config.json']).toContain('userManagedNetworking');
    expect((await image('-o', 'out/')).stderr).toContain('exists\nhelp: pass --force to replace it');
  });

  test('refuses other joins, and a base image', async () => {
    expect((await image('--join', 'direct')).stderr).toContain('pass --join service');
    expect((await image('--base', 'a.iso')).status).toBe(2);
    expect((await image('-o', 's3://bucket/')).status).toBe(2);
  });
});

describeWith(['openssl'], 'agent create certificates', () => {
  test('writes authorities with matching keys, and an administrator certificate that one of them signed', async () => {
    expect((await create('certificates', 'site')).status).toBe(0);
    const publicKey = (argv: string[]): string => output('openssl', argv).toString();
    for (const name of ['admin-kubeconfig-signer', 'kube-apiserver-lb-signer', 'admin-kubeconfig-client']) {
      const [certificate, key] = ['crt', 'key'].map((end) => join(cwd, `site/tls/${name}.${end}`));
      expect(publicKey(['x509', '-in', certificate!, '-noout', '-pubkey'])).toBe(
        publicKey(['pkey', '-in', key!, '-pubout']),
      );
      expect(modeOf(`site/tls/${name}.key`)).toBe(0o600);
    }
    const [signer, client] = ['signer', 'client'].map((one) => join(cwd, `site/tls/admin-kubeconfig-${one}.crt`));
    expect(output('openssl', ['verify', '-CAfile', signer!, client!]).toString()).toContain(': OK');
    const { stderr } = await create('certificates', 'site');
    expect(stderr).toContain('help: pass --force to replace them');
  });

  test('prints no secret', async () => {
    const { stdout, stderr } = await create('certificates', 'site', '--json');
    expect(`${stdout}${stderr}`).not.toContain(textOf('site/tls/kubeadmin-password'));
    expect(`${stdout}${stderr}`).not.toContain('PRIVATE KEY');
  });
});

describe('agent graph', () => {
  const files = (installConfig: string, agentConfig: string, version: string) => {
    const options = { releaseImage: IMAGE.replace(/5+$/, version.replace(/\D/g, '').padEnd(64, '0')), version };
    const site = readSite({ installConfig, agentConfig, ...options, mode: 'compatible' });
    if (!site.ok || site.value.directory.installFiles === undefined) throw new Error(site.diagnostics[0]?.message);
    const { installFiles } = site.value.directory;
    return renderManifests(installFiles, { version, image: options.releaseImage }).files;
  };
  const { installConfig, agentConfig } = samples;

  test.each([
    ['install-config.yaml', installConfig.replace(/^( *name: ).*$/m, '$1another'), agentConfig, '4.20.3'],
    [
      'agent-config.yaml',
      installConfig,
      agentConfig.replace(/^(additionalNTPSources:).*$/m, '$1\n- ntp.other.test'),
      '4.20.3',
    ],
    ['the release', installConfig, agentConfig, '4.20.4'],
  ])('knows the files that depend on %s', (input, install, agent, version) => {
    const [before, after] = [files(installConfig, agentConfig, '4.20.3'), files(install, agent, version)];
    const changed = Object.keys(before).filter((path) => before[path] !== after[path]);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.filter((path) => !GRAPH[path]?.includes(input))).toEqual([]);
  });

  test('has every file that commands write, and an origin for each', () => {
    const made = Object.keys(files(installConfig, agentConfig, '4.20.3'));
    expect(made.filter((path) => GRAPH[path] === undefined)).toEqual([]);
    const brought = new Set(
      Object.values(GRAPH)
        .flat()
        .filter((name) => GRAPH[name] === undefined),
    );
    expect([...brought].sort()).toEqual([
      'agent-config.yaml',
      'install-config.yaml',
      'new credentials',
      'openshift/*.yaml',
      'the live image',
      'the release',
    ]);
  });

  test('is printed in the language of Graphviz and as JSON', async () => {
    const dot = (await coreiso(['agent', 'graph'])).stdout.toString();
    expect(dot).toContain('  "install-config.yaml" -> "cluster-manifests/infraenv.yaml";\n');
    expect(dot.match(/->/g)).toHaveLength(Object.values(GRAPH).flat().length);
    const list = JSON.parse((await coreiso(['agent', 'graph', '--json'])).stdout.toString());
    expect(list).toEqual(Object.entries(GRAPH).map(([file, from]) => ({ file, from })));
  });
});
