import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeDataUrl, parseConfigOrThrow } from '@coreiso/ignition';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coreiso } from '../packages/cli/test/support.ts';
import { describeWith, output } from '../test/support/tools.ts';
import { AssistedService } from './support/assisted-service.ts';
import { bootGuest, type Guest } from './support/guest.ts';
import { makeLiveIso } from './support/live-iso.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import type { Machine } from './support/qemu.ts';
import { Site } from './support/site.ts';

const RENDEZVOUS = '198.51.100.80';
/** The address of the service's container, on the machine that runs it. */
const OUTSIDE = '198.51.100.7:8090';
const RELEASE = `registry.example.test/release@sha256:${'5'.repeat(64)}`;
const PULL_SECRET = '{"auths":{"registry.example.test":{"auth":"dXNlcjpwYXNz"}}}';

const INSTALL_CONFIG = `
apiVersion: v1
baseDomain: example.test
metadata: { name: reef }
controlPlane: { replicas: 3 }
compute: [{ name: worker, replicas: 0 }]
networking: { networkType: OVNKubernetes, machineNetwork: [{ cidr: 198.51.100.0/24 }] }
platform: { baremetal: { apiVIPs: [198.51.100.12], ingressVIPs: [198.51.100.13] } }
pullSecret: '${PULL_SECRET}'
`;

/** Three machines whose cards have other names than in the plan. */
const AGENT_CONFIG = `
apiVersion: v1beta1
rendezvousIP: ${RENDEZVOUS}
hosts:
${[0, 1, 2]
  .map(
    (index) => `- hostname: master-${index}
  role: master
  interfaces: [{ name: eno1, macAddress: "52:54:00:BB:00:0${index}" }]
  networkConfig:
    interfaces:
    - name: eno1
      type: ethernet
      state: up
      ipv4: { enabled: true, dhcp: false, address: [{ ip: 198.51.100.8${index}, prefix-length: 24 }] }
    routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 198.51.100.1, next-hop-interface: eno1 }] }
`,
  )
  .join('')}`;

const NODES_CONFIG = `
hosts:
- hostname: worker-7
  interfaces: [{ name: eno1, macAddress: "52:54:00:bb:00:07" }]
`;

const GUEST_FILES = {
  'etc/guest/service': OUTSIDE,
  // The folder of CoreOS's trusted certificates; containers get it.
  'etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem': '',
  // The initramfs of a live CoreOS has already named the cards; here udev does it, and only now.
  'etc/systemd/system/pre-network-manager-config.service.d/guest.conf':
    '[Unit]\nWants=systemd-udev-settle.service\nAfter=systemd-udev-settle.service\n',
};

/** A prompt on the serial line, which shows the console of the machine. */
const OPEN_CONSOLE = `
udevadm trigger --settle --action=add --sysname-match=ttyS0
systemctl start serial-getty@ttyS0.service`;

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEl0c0FsbEFib3V0VGhlU2FtcGxlS2V5T2ZDb3JlaXNv factory';
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);

/** The bus names of three drives. */
const DRIVES = 'for disk in vda vdb vdc; do basename "$(readlink -f /sys/block/$disk/device)"; done';

/** The settings that the service of a site receives, as in its config image. */
function settingsOnDisc(iso: string): Record<'INFRA_ENV_ID' | 'EC_PUBLIC_KEY_PEM' | 'USER_AUTH_TOKEN', string> {
  const path = '/usr/local/share/assisted-service/assisted-service.env';
  const unpack = `bsdtar -xOf ${iso} config.gz | gzip -dc | cpio -i --to-stdout --quiet ${path}`;
  return environment(output('sh', ['-c', unpack]).toString());
}

function environment<Name extends string>(text: string): Record<Name, string> {
  const pairs = text.split('\n').flatMap((line) => [/^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []]);
  return Object.fromEntries(pairs) as Record<Name, string>;
}

/** Containers in the order of their start. */
function containers({ journal }: Guest): string[] {
  return journal.flatMap(
    ({ message }) =>
      /^podman (?:run --name=(\S+)|(pod create|pod start))/.exec(message)?.slice(1).filter(Boolean) ?? [],
  );
}

async function states(guest: Guest, ...units: string[]): Promise<Record<string, string>> {
  const shown = await guest.output(`systemctl show --property=Id,ActiveState,SubState ${units.join(' ')}`);
  const blocks = shown.trim().split('\n\n');
  return Object.fromEntries(
    blocks.map((block) => {
      const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(block)?.[1];
      return [value('Id'), `${value('ActiveState')} (${value('SubState')})`];
    }),
  );
}

/** A secret of the image that the journal or the console shows. */
function leaks(guest: Guest, secrets: readonly string[]): string[] {
  const text = `${guest.journal.map(({ message }) => message).join('\n')}\n${guest.console}`;
  return [...secrets, 'PRIVATE KEY', 'dXNlcjpwYXNz', '$2a$10$'].filter((secret) => text.includes(secret));
}

describeWith(BOOT_PROGRAMS, 'an image with the service that installs', () => {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coreiso-agent-'));
    await makeLiveIso(join(folder, 'base.iso'), 'xorriso');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function make(...argv: string[]): Promise<Record<string, unknown>> {
    const { status, stdout, stderr } = await coreiso([...argv, '--base', 'base.iso', '--json'], { cwd: folder });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('error:')]);
    return JSON.parse(stdout.toString());
  }

  /** The values of an environment file in an image. */
  async function settings<Name extends string>(iso: string, path: string): Promise<Record<Name, string>> {
    const { stdout } = await coreiso(['iso', 'ignition', 'show', iso], { cwd: folder });
    const file = parseConfigOrThrow(stdout).storage?.files?.find((one) => one.path === path);
    return environment(new TextDecoder().decode(decodeDataUrl(file?.contents?.source ?? '')));
  }

  const serviceOf = async (iso: string): Promise<AssistedService> =>
    AssistedService.open(await settings(iso, '/usr/local/share/assisted-service/assisted-service.env'));
  const tokensOf = async (iso: string): Promise<string[]> => {
    const values = await settings(iso, '/etc/assisted/rendezvous-host.env');
    return [values['PULL_SECRET_TOKEN'] ?? '', values['USER_AUTH_TOKEN'] ?? ''];
  };

  const machine = (last: number, services: Record<string, number>): Machine => ({
    firmware: 'bios',
    media: 'cd',
    memoryMiB: 2048,
    nics: [{ mac: `52:54:00:bb:00:0${last}`, network: { subnet: '198.51.100.0/24', services } }],
  });

  test('a new cluster: the service runs on the machine with the rendezvous address, and the others register there', async () => {
    mkdirSync(join(folder, 'site'));
    writeFileSync(join(folder, 'site/install-config.yaml'), INSTALL_CONFIG);
    writeFileSync(join(folder, 'site/agent-config.yaml'), AGENT_CONFIG);
    const release = ['--release-image', RELEASE, '--openshift-version', '4.20.3'];
    const made = await make('agent', 'create', 'image', '--dir', 'site', ...release);
    expect(made).toMatchObject({ rendezvousIP: RENDEZVOUS, outputs: [{ path: 'site/agent.x86_64.iso' }] });
    const iso = join(folder, 'site/agent.x86_64.iso');
    const tokens = await tokensOf(iso);
    const { INFRA_ENV_ID: infraEnv } = await settings(iso, '/usr/local/share/assisted-service/assisted-service.env');
    const hosts = `/infra-envs/${infraEnv}/hosts`;
    {
      await using service = await serviceOf(iso);
      service.trouble = 'silence';
      const elsewhere = machine(1, { [`${RENDEZVOUS}:8090`]: service.port });
      await using guest = await bootGuest('agent-elsewhere', iso, elsewhere, GUEST_FILES);
      await guest.output(OPEN_CONSOLE);
      const url = `http://${RENDEZVOUS}:8090/api/assisted-install/v2/infra-envs`;
      await guest.shows(new RegExp(`cannot be used: GET ${url}: curl: \\(52\\)`));
      await guest.says(
        /^assisted-service-pod\.service - .* skipped because of .*ConditionPathExists=\/etc\/assisted\/node0/,
      );
      await guest.shows(new RegExp(`expected at ${RENDEZVOUS}, on another machine`));
      service.trouble = undefined;
      service.expectHosts();
      await service.receives(/POST/);
      expect(service.orders).toEqual([`POST ${hosts} 201`]);
      expect(service.bodies.get(`POST ${hosts}`)).toEqual({
        host_id: '00000000-0000-4000-8000-525400bb0001',
        discovery_agent_version: `registry.example.test/agent-installer-node-agent@sha256:${'6'.repeat(64)}`,
      });
      expect(containers(guest)).toEqual([]);
      expect(await guest.output('ip -o -4 addr show enp0s5')).toContain(' 198.51.100.81/24 ');
      expect(await guest.output('hostname; ls /etc/assisted')).toMatch(/^master-1\n(?!.*node0)/s);
      const idle = ['assisted-service-db', 'assisted-service', 'start-cluster-installation', 'install-status'];
      expect(Object.values(await states(guest, ...idle))).toEqual(Array(4).fill('inactive (dead)'));
      expect(await guest.output('systemctl list-units --failed --plain --no-legend')).toBe('');
      expect(leaks(guest, tokens)).toEqual([]);
    }
    await using service = await serviceOf(iso);
    service.trouble = 500;
    const files = { ...GUEST_FILES, 'etc/guest/registry-is-down': '' };
    await using guest = await bootGuest('agent-node-zero', iso, machine(0, { [OUTSIDE]: service.port }), files);
    await guest.output(OPEN_CONSOLE);
    await guest.shows(new RegExp(`This machine, ${RENDEZVOUS}, runs the service`));
    await guest.shows(new RegExp(`The release image ${RELEASE} cannot be fetched; trying again`));
    expect(containers(guest)).toEqual([]);
    await guest.output('rm /etc/guest/registry-is-down');
    const url = `http://${RENDEZVOUS}:8090/api/assisted-install/v2/infra-envs`;
    await guest.shows(new RegExp(`cannot be used: GET ${url}: HTTP 500`));
    service.trouble = undefined;
    await service.receives(new RegExp(`POST ${hosts} 201`));
    for (const mac of ['525400bb0001', '525400bb0002']) service.addHost(`00000000-0000-4000-8000-${mac}`);
    await guest.shows(/0 of the 3 machines of the cluster are ready to be installed/);
    service.findHostsReady();
    await service.receives(/actions\/install/);
    await guest.starts('start-cluster-installation.service');
    expect(service.orders.map((order) => order.replace(/[-\da-f]{36}/, 'ID'))).toEqual([
      'POST /clusters 201',
      'POST /infra-envs 201',
      'POST /infra-envs/ID/hosts 201',
      'POST /clusters/ID/actions/install 202',
    ]);
    expect(service.bodies.get('POST /clusters')).toEqual({ name: 'reef' });
    const [created, started, ...later] = containers(guest);
    expect([created, started]).toEqual(['pod create', 'pod start']);
    expect(later.splice(0, 2).sort()).toEqual(['assisted-db', 'service']);
    expect(later).toEqual(['agent-register-cluster', 'agent-register-infraenv', 'apply-host-config']);
    expect(await guest.output('cat /etc/assisted/node0')).toBe('BOOTSTRAP_HOST_MAC=52:54:00:bb:00:00\n');
    const dayTwo = ['agent-import-cluster', 'agent-add-node', 'agent-auth-token-status'];
    expect(Object.values(await states(guest, ...dayTwo))).toEqual(Array(3).fill('inactive (dead)'));
    await guest.shows(/The cluster is installing/);
    expect(guest.console).not.toContain('The cluster is null');
    expect(await guest.output('systemctl list-units --failed --plain --no-legend')).toBe('');
    expect(leaks(guest, tokens)).toEqual([]);
  });

  test('a machine without settings takes those of its site from a config image, and refuses others', async () => {
    const release = ['--release-image', RELEASE, '--openshift-version', '4.20.3'];
    const create = async (what: string, dir: string): Promise<void> => {
      const { status, stderr } = await coreiso(['agent', 'create', what, '--dir', dir, ...release], { cwd: folder });
      expect([what, dir, status, stderr]).toEqual([what, dir, 0, expect.not.stringContaining('error:')]);
    };
    const siteOf = async (name: string, agentConfig: string): Promise<string> => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'install-config.yaml'), `${INSTALL_CONFIG}sshKey: ${SSH_KEY}\n`);
      writeFileSync(join(folder, name, 'agent-config.yaml'), agentConfig);
      await create('config-image', name);
      return join(folder, name, 'agentconfig.noarch.iso');
    };
    const own = await siteOf('reef', AGENT_CONFIG);
    const other = await siteOf('atoll', AGENT_CONFIG.replaceAll('52:54:00:BB', '52:54:00:CC'));
    const damaged = join(folder, 'damaged.iso');
    const bytes = readFileSync(own);
    // The archive with a damaged beginning.
    writeFileSync(damaged, bytes.fill(0, bytes.indexOf(GZIP_MAGIC), bytes.indexOf(GZIP_MAGIC) + 64));
    await create('cluster-manifests', 'reef');
    mkdirSync(join(folder, 'factory'));
    renameSync(join(folder, 'reef/cluster-manifests'), join(folder, 'factory/cluster-manifests'));
    await create('unconfigured-ignition', 'factory');
    const embed = ['iso', 'ignition', 'embed', '-i', 'factory/unconfigured-agent.ign', '-o', 'factory.iso', 'base.iso'];
    expect((await coreiso([...embed, '--grow'], { cwd: folder })).status).toBe(0);
    const onDisc = settingsOnDisc(own);
    await using service = await AssistedService.open(onDisc);
    const disks = [own, other, damaged].map((file, index) => ({ file, serial: `disc-${index}` }));
    const hardware = { ...machine(0, { [OUTSIDE]: service.port }), disks };
    await using guest = await bootGuest('agent-two-steps', join(folder, 'factory.iso'), hardware, GUEST_FILES);
    await guest.output(OPEN_CONSOLE);
    await guest.shows(/This machine waits for its settings: attach the config image of its cluster/);
    await guest.shows(/The config image on vda cannot be used: there is another one on vdb vdc: remove one of them/);
    const [ownDrive, otherDrive, damagedDrive] = (await guest.output(DRIVES)).trim().split('\n') as [
      string,
      string,
      string,
    ];
    const [pull, plug] = [
      (drive: string) => `echo ${drive} >/sys/bus/virtio/drivers/virtio_blk/unbind`,
      (drive: string) => `echo ${drive} >/sys/bus/virtio/drivers/virtio_blk/bind`,
    ];
    await guest.output(`${pull(ownDrive)}; ${pull(damagedDrive)}`);
    await guest.shows(
      /The config image on vdb cannot be used: it is for another site: none of the machines that it lists/,
    );
    await guest.output(`${pull(otherDrive)}; ${plug(damagedDrive)}`);
    await guest.shows(/The config image on \w+ cannot be used: its config.gz cannot be unpacked/);
    expect(await guest.output('ls /etc/assisted; hostname')).not.toMatch(/node0|rendezvous-host.env$|master-0/m);
    await guest.output(`${pull(damagedDrive)}; ${plug(ownDrive)}`);
    await guest.shows(new RegExp(`This machine, ${RENDEZVOUS}, runs the service`));
    await service.receives(/POST .*\/hosts 201/);
    for (const mac of ['525400bb0001', '525400bb0002']) service.addHost(`00000000-0000-4000-8000-${mac}`);
    service.findHostsReady();
    await service.receives(/actions\/install/);
    await guest.starts('start-cluster-installation.service');
    // As on the machine that boots the complete image of the site.
    expect(service.orders.map((order) => order.replace(/[-\da-f]{36}/, 'ID'))).toEqual([
      'POST /clusters 201',
      'POST /infra-envs 201',
      'POST /infra-envs/ID/hosts 201',
      'POST /clusters/ID/actions/install 202',
    ]);
    expect(service.bodies.get('POST /clusters')).toEqual({ name: 'reef' });
    expect(containers(guest).slice(4)).toEqual([
      'agent-register-cluster',
      'agent-register-infraenv',
      'apply-host-config',
    ]);
    expect(await guest.output('hostname; ip -o -4 addr show enp0s5')).toMatch(/^master-0\n.* 198\.51\.100\.80\/24 /s);
    expect(await guest.output('ip -o -4 addr show enp0s5 | wc -l')).toBe('1\n');
    expect(await guest.output("grep -c '^core:[$]2a[$]' /etc/passwd")).toBe('1\n');
    expect(await guest.output('ls /etc/issue.d')).not.toContain('config-image');
    const dayTwo = ['agent-import-cluster', 'agent-add-node', 'agent-auth-token-status'];
    expect(Object.values(await states(guest, ...dayTwo))).toEqual(Array(3).fill('inactive (dead)'));
    expect(await guest.output("systemctl list-units --failed --plain --no-legend | sed '/load-config-iso/d'")).toBe('');
    expect(leaks(guest, [onDisc.USER_AUTH_TOKEN])).toEqual([]);
  });

  test('a node for a cluster: the machine runs the service for itself, until the tokens expire', async () => {
    await using site = await Site.open();
    writeFileSync(join(folder, 'nodes-config.yaml'), NODES_CONFIG);
    writeFileSync(join(folder, 'cluster.json'), JSON.stringify(site.facts));
    const { expires } = await make(
      'nodes',
      'image',
      '--cluster',
      'cluster.json',
      '--join',
      'service',
      '-o',
      'node.iso',
    );
    const iso = join(folder, 'node.iso');
    await using service = await serviceOf(iso);
    service.trouble = 401;
    await using guest = await bootGuest('agent-day-two', iso, machine(7, { [OUTSIDE]: service.port }), GUEST_FILES);
    await guest.output(OPEN_CONSOLE);
    const url = 'http://127.0.0.1:8090/api/assisted-install/v2/infra-envs';
    await guest.shows(new RegExp(`GET ${url}: the token of this image is not accepted \\(HTTP 401\\)`));
    await guest.shows(new RegExp(`This image adds nodes until ${expires}`));
    service.trouble = undefined;
    await service.receives(/\/hosts 201/);
    await guest.shows(/This machine is not ready to be installed: it is discovering/);
    service.findHostsReady();
    await service.receives(/actions\/install/);
    await guest.starts('agent-add-node.service');
    expect(service.orders.map((order) => order.replace(/infra-envs\/[-\da-f]{36}/, 'infra-envs/ID'))).toEqual([
      'POST /clusters/import 201',
      'POST /infra-envs 201',
      'POST /infra-envs/ID/hosts 201',
      'POST /infra-envs/ID/hosts/00000000-0000-4000-8000-525400bb0007/actions/install 202',
    ]);
    expect(service.bodies.get('POST /clusters/import')).toEqual({
      name: 'site',
      openshift_cluster_id: site.facts['clusterId'],
      api_vip_dnsname: 'api.site.example.test',
    });
    expect(containers(guest).slice(4)).toEqual([
      'agent-import-cluster',
      'agent-register-infraenv',
      'apply-host-config',
    ]);
    const dayOne = ['agent-register-cluster', 'start-cluster-installation'];
    expect(Object.values(await states(guest, ...dayOne))).toEqual(Array(2).fill('inactive (dead)'));
    expect(await guest.output('hostname')).toBe('worker-7\n');
    expect((await states(guest, 'agent-auth-token-status'))['agent-auth-token-status.service']).toBe(
      'active (running)',
    );
    await guest.output(`date --utc --set='${expires}'`);
    await guest.shows(new RegExp(`This image has expired at ${expires}: build a new one to add nodes`));
    expect(await guest.output('systemctl list-units --failed --plain --no-legend')).toBe('');
    expect(leaks(guest, await tokensOf(iso))).toEqual([]);
  });
});
