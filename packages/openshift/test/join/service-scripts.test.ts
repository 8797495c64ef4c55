import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Cluster, Host, InfraEnv } from '@openshift-assisted/types/assisted-installer-service';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { SECRET_PATTERN } from '../../../peers/src/secret-names.ts';
import { SERVICE_SCRIPTS } from '../../src/join/service/generated/scripts.ts';
import { type Answer, ServiceMachine, StandInService } from './service-machine.ts';

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJhdXRoIjoidXNlciJ9.c2lnbmF0dXJl';
const API = '/api/assisted-install/v2';
const INFRA_ENV = '5f2b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11';
const CLUSTER = '6f1b0c8e-5d0e-4a57-9c3e-2b7a1f0d9e11';
const RELEASE = 'quay.example.test/ocp/release@sha256:55';

// Answers have the published shapes of the API, as far as the scripts read them.
const infraEnv = { id: INFRA_ENV } satisfies Partial<InfraEnv>;
const host = (id: string, status: Host['status']) => ({ id, status, statusInfo: '' }) satisfies Partial<Host>;
const cluster = (status: Cluster['status']) =>
  ({ id: CLUSTER, status, status_info: 'for the stand-in' }) as Partial<Cluster>;

const env = (service: StandInService) => ({
  SERVICE_BASE_URL: service.url,
  USER_AUTH_TOKEN: TOKEN,
  INFRA_ENV_ID: INFRA_ENV,
});

/** Possible errors of an answer. */
const TROUBLES: readonly Answer[] = [
  { status: 401 },
  { status: 500, body: 'no' },
  'hang-up',
  'silence',
  { status: 200, body: '<html>' },
];

/** The console's line for each of them, after the request. */
const TROUBLE_WORDS = [
  'the token of this image is not accepted \\(HTTP 401\\)',
  'HTTP 500',
  'curl: \\(52\\)',
  'curl: \\(28\\)',
  'the answer is no JSON',
];

/** The lines on the console after a request with this URL. */
function troublesShown(machine: ServiceMachine, service: StandInService, path: string): string[] {
  const url = `${service.url}api/assisted-install/v2${path}`;
  return TROUBLE_WORDS.filter((words) => new RegExp(`GET ${url}: ${words}`).test(machine.shown));
}

/** Every request has the token, which appears nowhere else, and no body. */
function expectSigned(service: StandInService, machine: ServiceMachine, said: string): void {
  const odd = service.calls.filter(({ authorization, body }) => authorization !== TOKEN || body !== '');
  expect(odd).toEqual([]);
  expect(`${said}${machine.shown}${machine.read('calls')}`).not.toContain(TOKEN);
}

const SHELLS: readonly (readonly string[])[] = [['dash'], ['busybox', 'sh'], ['bash', '--norc', '--posix']];

describeWith(['dash', 'busybox', 'bash', 'jq', 'curl'], 'scripts of the service', () => {
  describe.each(SHELLS)('under %s', (...shell) => {
    test('wait for the service through every failure, and print its address', async () => {
      await using service = await StandInService.start({ 'GET /infra-envs': [...TROUBLES.slice(0, 4), []] });
      using machine = new ServiceMachine();
      const { status, output: said } = await machine.run('wait-for-assisted-service.sh', shell, env(service));
      expect(status).toBe(0);
      expect(service.trace).toEqual(Array(5).fill(`GET ${API}/infra-envs`));
      expect(troublesShown(machine, service, '/infra-envs')).toEqual(TROUBLE_WORDS.slice(0, 4));
      expect(machine.console).toBe('');
      expectSigned(service, machine, said);
    });

    test('wait for the cluster, because machines would otherwise register without one forever', async () => {
      await using service = await StandInService.start({
        'GET /infra-envs': [[]],
        'GET /clusters': [...TROUBLES, [], [cluster('insufficient')]],
      });
      using machine = new ServiceMachine();
      const wait = () => machine.run('wait-for-assisted-service.sh', shell, env(service), 'with-cluster');
      const { status, output: said } = await wait();
      expect(status).toBe(0);
      expect(service.trace).toEqual([`GET ${API}/infra-envs`, ...Array(7).fill(`GET ${API}/clusters`)]);
      expect(troublesShown(machine, service, '/clusters')).toEqual(TROUBLE_WORDS);
      expect(machine.shown).toContain(
        'The cluster is not registered yet: see journalctl -u agent-register-cluster.service',
      );
      expect(said).toContain(`the service knows the cluster ${CLUSTER}\n`);
      expect(machine.console).toBe('');
      expectSigned(service, machine, said);
      // The web pages of the service make it after a person has chosen a cluster.
      machine.write('etc/assisted/interactive-ui', '');
      await wait();
      expect(service.trace.length).toBe(9);
    });

    test('register a machine once there is a cluster to register with', async () => {
      await using service = await StandInService.start({ 'GET /infra-envs': [...TROUBLES, [], [infraEnv]] });
      using machine = new ServiceMachine();
      machine.write('run/agent-installer/agent-image', 'quay.example.test/agent@sha256:66\n');
      machine.write('usr/local/bin/agent', '#!/bin/sh\necho "agent $*"\n', 0o755);
      const { status, output: said } = await machine.run('start-agent.sh', shell, env(service));
      expect(status).toBe(0);
      expect(said).toContain(
        `agent --url ${service.url} --infra-env-id ${INFRA_ENV} --agent-version quay.example.test/agent@sha256:66 --insecure=true\n`,
      );
      expect(service.trace).toEqual(Array(7).fill(`GET ${API}/infra-envs`));
      expect(troublesShown(machine, service, '/infra-envs')).toEqual(TROUBLE_WORDS);
      expectSigned(service, machine, said);
    });

    test('start the installation when enough machines are known, and again if the cluster is ready again', async () => {
      await using service = await StandInService.start({
        'GET /clusters': [...TROUBLES, [], [cluster('insufficient')]],
        [`GET /infra-envs/${INFRA_ENV}/hosts`]: [
          ...TROUBLES,
          [host('a', 'known'), host('b', 'discovering')],
          [host('a', 'known'), host('b', 'known'), host('c', 'insufficient')],
          [host('a', 'known'), host('b', 'known'), host('c', 'known')],
        ],
        [`GET /clusters/${CLUSTER}`]: [
          ...TROUBLES,
          ...Array<Answer>(4).fill(cluster('ready')),
          cluster('preparing-for-installation'),
          cluster('ready'),
          cluster('installing'),
        ],
        [`POST /clusters/${CLUSTER}/actions/install`]: [
          { status: 401 },
          { status: 500 },
          'hang-up',
          { status: 202, body: '{}' },
        ],
      });
      using machine = new ServiceMachine();
      const required = { REQUIRED_MASTER_NODES: '2', REQUIRED_ARBITER_NODES: '0', REQUIRED_WORKER_NODES: '1' };
      const { status, output: said } = await machine.run('start-cluster-installation.sh', shell, {
        ...env(service),
        ...required,
      });
      expect(status).toBe(0);
      const order = `POST ${API}/clusters/${CLUSTER}/actions/install`;
      expect(service.trace.filter((line) => line.startsWith('POST'))).toEqual(Array(5).fill(order));
      expect(machine.shown).toContain(`POST ${service.url}${order.slice('POST /'.length)}: HTTP 500\n`);
      for (const path of ['/clusters', `/infra-envs/${INFRA_ENV}/hosts`, `/clusters/${CLUSTER}`])
        expect([path, troublesShown(machine, service, path)]).toEqual([path, TROUBLE_WORDS]);
      expectSigned(service, machine, said);
      expect(machine.shown).toContain('1 of the 3 machines of the cluster are ready to be installed\n');
      expect(machine.shown).toContain('2 of the 3 machines of the cluster are ready to be installed\n');
      expect(said).toContain('the cluster is installing\n');
    });

    test('start the installation of one node, whatever the answer to the first order', async () => {
      const hosts = `/infra-envs/${INFRA_ENV}/hosts`;
      await using service = await StandInService.start({
        'GET /clusters': [...TROUBLES, [], [cluster('adding-hosts')]],
        [`GET ${hosts}`]: [...TROUBLES, [], [host('h1', 'insufficient')], [host('h1', 'known')]],
        [`POST ${hosts}/h1/actions/install`]: [
          { status: 401 },
          { status: 409 },
          'hang-up',
          { status: 200 },
          { status: 202, body: '{}' },
        ],
      });
      using machine = new ServiceMachine();
      const { status, output: said } = await machine.run('add-node.sh', shell, env(service));
      expect(status).toBe(0);
      const orders = service.trace.filter((line) => line.startsWith('POST'));
      expect(orders).toEqual(Array(5).fill(`POST ${API}${hosts}/h1/actions/install`));
      for (const path of ['/clusters', hosts])
        expect([path, troublesShown(machine, service, path)]).toEqual([path, TROUBLE_WORDS]);
      expectSigned(service, machine, said);
      expect(machine.shown).toContain('This machine is not ready to be installed: it is not registered\n');
      expect(machine.shown).toContain('This machine is not ready to be installed: it is insufficient\n');
      expect(machine.shown).toContain('actions/install: HTTP 409\n');
      expect(machine.console).toBe('');
    });

    test.each([
      ['192.0.2.51', '52:54:00:00:00:01'],
      ['2001:db8:40::53', '52:54:00:00:00:01'],
      ['127.0.0.1', '00:00:00:00:00:00'],
      ['192.0.2.52', undefined],
    ])('identify the machine of %s by its address', async (address, mac) => {
      using machine = new ServiceMachine();
      const addresses = [
        { ifname: 'lo', address: '00:00:00:00:00:00', addr_info: [{ local: '127.0.0.1' }] },
        {
          ifname: 'eno1',
          address: '52:54:00:00:00:01',
          addr_info: [{ local: '192.0.2.51' }, { local: '2001:db8:40::53' }],
        },
        { ifname: 'eno2', address: '52:54:00:00:00:02' },
      ];
      machine.stub('ip', `cat <<'END'\n${JSON.stringify(addresses)}\nEND`);
      machine.write('later.env', `# a line\nNODE_ZERO_IP=${address}\n`);
      machine.stub(
        'sleep',
        'mkdir -p "$ROOT/etc/assisted"; cp "$ROOT/later.env" "$ROOT/etc/assisted/rendezvous-host.env"',
      );
      const { status } = await machine.run('set-node-zero.sh', shell);
      expect(status).toBe(0);
      expect(machine.read('etc/assisted/node0')).toBe(mac && `BOOTSTRAP_HOST_MAC=${mac}\n`);
      expect(machine.console).toContain(
        mac === undefined ? `${address}, on another machine` : `${address}, runs the service`,
      );
      const waits = (machine.read('calls') ?? '').match(/^sleep 1$/gm) ?? [];
      expect(waits).toHaveLength(mac === undefined ? 30 : 0);
    });

    test('identify a machine by a card, and not by the loopback', async () => {
      using machine = new ServiceMachine();
      machine.stub('hostnamectl', ':');
      machine.write('sys/class/net/lo/address', '00:00:00:00:00:00\n');
      machine.write('sys/class/net/eno1/address', '52:54:00:7A:10:A2\n');
      machine.write('etc/assisted/hostnames/00:00:00:00:00:00', 'nobody');
      await machine.run('set-hostname.sh', shell);
      expect(machine.calls).toEqual([]);
      machine.write('etc/assisted/hostnames/52:54:00:7a:10:a2', '--static');
      expect((await machine.run('set-hostname.sh', shell)).status).toBe(1);
      expect(machine.calls).toEqual([]);
      machine.write('etc/assisted/hostnames/52:54:00:7a:10:a2', 'lantern-2');
      expect((await machine.run('set-hostname.sh', shell)).status).toBe(0);
      expect(machine.calls).toEqual(['hostnamectl set-hostname lantern-2']);
    });

    test('retry to fetch the release image, and refuse one for other machines', async () => {
      using machine = new ServiceMachine();
      machine.write('etc/assisted/agent-installer.env', `RELEASE_IMAGE=${RELEASE}\n`);
      machine.stub('uname', 'echo x86_64');
      machine.stub(
        'podman',
        `case "$1 $2" in
'image exists') exit 1 ;;
'pull --quiet') [ -e "$ROOT/tried" ] || { : >"$ROOT/tried"; exit 125; } ;;
'image inspect') cat "$ROOT/architecture" ;;
esac`,
      );
      machine.write('architecture', 'amd64\n');
      expect((await machine.run('release-image-download.sh', shell)).status).toBe(0);
      expect(machine.calls.filter((line) => line.startsWith('podman pull'))).toEqual(
        Array(2).fill(`podman pull --quiet --authfile /root/.docker/config.json ${RELEASE}`),
      );
      expect(machine.shown).toContain(`The release image ${RELEASE} cannot be fetched; trying again\n`);
      expect(machine.console).toBe('');
      machine.write('architecture', 'arm64\n');
      expect((await machine.run('release-image-download.sh', shell)).status).toBe(1);
      expect(machine.console).toBe(`The release image ${RELEASE} is for arm64, and this machine is amd64\n`);
      machine.write('architecture', 'a\u001b[2J\\e{red}\n');
      expect((await machine.run('release-image-download.sh', shell)).status).toBe(1);
      expect(machine.console).toBe(`The release image ${RELEASE} is for a[2J/e{red}, and this machine is amd64\n`);
    });

    test('fetch a release with a tag from its mirror, although mirrors only apply to digests', async () => {
      const [release, mirror] = ['quay.example.test/ocp/release:4.20.3', 'mirror.test/ocp:4.20.3'];
      using machine = new ServiceMachine();
      machine.write('etc/assisted/agent-installer.env', `RELEASE_IMAGE=${release}\n`);
      const settings = 'usr/local/share/assisted-service/assisted-service.env';
      machine.write(settings, `OPENSHIFT_INSTALL_RELEASE_IMAGE_MIRROR=${mirror}\n`);
      machine.stub('uname', 'echo x86_64');
      machine.stub(
        'podman',
        `case "$1 $2" in
'image exists') [ -e "$ROOT/kept" ] ;;
'pull --quiet') [ "$5" = "$(cat "$ROOT/reachable")" ] ;;
'image inspect') echo amd64 ;;
"tag ${mirror}") : >"$ROOT/kept" ;;
'run --quiet') echo quay.example.test/agent@sha256:66 ;;
esac`,
      );
      const pulls = () => machine.calls.filter((line) => /^podman (?:pull|tag)/.test(line));
      const pull = (image: string) => `podman pull --quiet --authfile /root/.docker/config.json ${image}`;
      machine.write('reachable', release);
      expect((await machine.run('release-image-download.sh', shell)).status).toBe(0);
      expect(pulls()).toEqual([pull(mirror), pull(release)]);
      machine.write('reachable', mirror);
      machine.write('calls', '');
      expect((await machine.run('release-image-download.sh', shell)).status).toBe(0);
      expect(pulls()).toEqual([pull(mirror), `podman tag ${mirror} ${release}`]);
      // A machine that only registers asks the release for one image, and also fetches it.
      rmSync(join(machine.path, 'kept'));
      machine.write('calls', '');
      await machine.run('extract-agent.sh', shell);
      expect(pulls()).toEqual([pull(mirror), `podman tag ${mirror} ${release}`]);
    });

    test('read the other images from the release image, and write them all or none', async () => {
      using machine = new ServiceMachine();
      machine.write('etc/assisted/agent-installer.env', `RELEASE_IMAGE=${RELEASE}\n`);
      machine.stub(
        'podman',
        '[ "$7" != "$(cat "$ROOT/broken" 2>/dev/null)" ] && echo "quay.example.test/$7@sha256:77"',
      );
      const file = 'usr/local/share/assisted-service/agent-images.env';
      machine.write('broken', 'agent-installer-ui');
      expect((await machine.run('get-container-images.sh', shell)).status).toBe(1);
      expect(machine.read(file)).toBeUndefined();
      machine.write('broken', '');
      expect((await machine.run('get-container-images.sh', shell)).status).toBe(0);
      const image = (component: string) => `quay.example.test/agent-installer-${component}@sha256:77`;
      expect(machine.read(file)).toBe(
        [
          `SERVICE_IMAGE=${image('api-server')}`,
          `CONTROLLER_IMAGE=${image('csr-approver')}`,
          `INSTALLER_IMAGE=${image('orchestrator')}`,
          `AGENT_DOCKER_IMAGE=${image('node-agent')}`,
          `AGENT_INSTALLER_UTILS_IMAGE=${image('utils')}`,
          `INSTALLER_UI_IMAGE=${image('ui')}`,
          '',
        ].join('\n'),
      );
      expect(machine.calls.at(-1)).toBe(`podman run --quiet --rm --net=none ${RELEASE} image agent-installer-ui`);
    });

    test('copy the registration program out of its image', async () => {
      using machine = new ServiceMachine();
      machine.write('etc/assisted/agent-installer.env', `RELEASE_IMAGE=${RELEASE}\n`);
      machine.stub('podman', 'case $1 in run) echo quay.example.test/agent@sha256:66 ;; create) echo c0ffee ;; esac');
      expect((await machine.run('extract-agent.sh', shell)).status).toBe(0);
      expect(machine.calls.slice(1)).toEqual([
        'podman create --quiet --authfile /root/.docker/config.json quay.example.test/agent@sha256:66',
        'podman cp c0ffee:/usr/bin/agent /usr/local/bin/agent',
        'podman rm --force c0ffee',
      ]);
      expect(machine.read('run/agent-installer/agent-image')).toBe('quay.example.test/agent@sha256:66\n');
    });

    test('send the machine requirements to the service once', async () => {
      using machine = new ServiceMachine();
      const file = 'usr/local/share/assisted-service/assisted-service.env';
      machine.write(file, 'A=1\nHW_VALIDATOR_REQUIREMENTS=TO_BE_REPLACED_BY_SYSTEMD\nB=$2 & "3"\n');
      for (let runs = 0; runs < 2; runs++)
        expect((await machine.run('configure-assisted-hw-requirements.sh', shell)).status).toBe(0);
      const [first, second = '', third] = machine.read(file)?.split('\n') ?? [];
      expect([first, third]).toEqual(['A=1', 'B=$2 & "3"']);
      const network = { network_latency_threshold_ms: 1000, installation_disk_speed_threshold_ms: 10 };
      expect(JSON.parse(second.slice('HW_VALIDATOR_REQUIREMENTS='.length))).toMatchObject([
        {
          version: 'default',
          master: {
            cpu_cores: 4,
            ram_mib: 16384,
            disk_size_gb: 100,
            network_latency_threshold_ms: 100,
            packet_loss_percentage: 0,
          },
          arbiter: { cpu_cores: 2, ram_mib: 8192, disk_size_gb: 50, ...network, packet_loss_percentage: 0 },
          worker: { cpu_cores: 2, ram_mib: 8192, disk_size_gb: 100, ...network, packet_loss_percentage: 10 },
          sno: { cpu_cores: 4, ram_mib: 16384, disk_size_gb: 100 },
        },
      ]);
    });

    test('report when an image expires, and that it has expired', async () => {
      using machine = new ServiceMachine();
      machine.stub(
        'date',
        `if [ -e "$ROOT/later" ]; then echo 2026-11-19T03:04:05Z; else : >"$ROOT/later"; echo 2026-11-19T03:04:04Z; fi`,
      );
      const expiry = { AUTH_TOKEN_EXPIRY: '2026-11-19T03:04:05Z' };
      expect((await machine.run('agent-auth-token-status.sh', shell, expiry)).status).toBe(0);
      expect(machine.shown).toBe('This image adds nodes until 2026-11-19T03:04:05Z\n');
      expect(machine.console).toBe('This image has expired at 2026-11-19T03:04:05Z: build a new one to add nodes\n');
    });

    test.each([
      ['agent-register-cluster', undefined],
      ['agent-import-cluster', 'CLUSTER_ID=x\n'],
    ])('show which step failed, then the state of the cluster: %s', async (step, addNodes) => {
      const answers = [...TROUBLES, [], [{ ...cluster('ready'), status_info: undefined }], [cluster('installing')]];
      await using service = await StandInService.start({ 'GET /clusters': answers });
      using machine = new ServiceMachine();
      machine.write('etc/assisted/rendezvous-host.env', `SERVICE_BASE_URL=${service.url}\nUSER_AUTH_TOKEN=${TOKEN}\n`);
      if (addNodes !== undefined) machine.write('etc/assisted/add-nodes.env', addNodes);
      machine.stub('systemctl', `[ ! -e "$ROOT/waited" ] && [ "$3" = ${step}.service ]`);
      // It polls as long as the machine runs: here until it has seen all answers.
      machine.stub(
        'sleep',
        `cat "$ROOT"/etc/issue.d/*.issue >>"$ROOT/console" 2>/dev/null
echo >>"$ROOT/waited"
[ "$(wc -l <"$ROOT/waited")" -le ${answers.length} ]`,
      );
      const { status, output: said } = await machine.run('install-status.sh', shell);
      expect(status).toBe(0);
      expect(service.trace).toEqual(Array(answers.length).fill(`GET ${API}/clusters`));
      expect(machine.shown).toMatch(/^These steps of the installation have failed: /);
      expect(machine.shown).toContain(`have failed: ${step}.service\nSee journalctl -u UNIT`);
      expect(troublesShown(machine, service, '/clusters')).toEqual(TROUBLE_WORDS);
      expect(machine.shown.match(/^The cluster is .*/gm)).toEqual([
        'The cluster is ready',
        'The cluster is installing: for the stand-in',
      ]);
      expect(machine.console).toBe('The cluster is installing: for the stand-in\n');
      expectSigned(service, machine, said);
    });
  });
});

describeWith(['dash', 'busybox', 'cpio', 'gzip', 'tar', 'xz', 'jq', 'flock'], 'scripts for media and logs', () => {
  const shells: readonly (readonly string[])[] = [['dash'], ['busybox', 'sh']];

  test.each(shells)('accepts a config image only if all of it is valid: %s', async (...shell) => {
    using machine = new ServiceMachine();
    const manifest = 'etc/assisted/manifests/cluster-image-set.yaml';
    machine.write(manifest, imageSet('a', 'reef'));
    machine.write(`medium/${manifest}`, imageSet('a', 'atoll'));
    machine.write('medium/etc/assisted/rendezvous-host.env', 'NODE_ZERO_IP=192.0.2.1\n');
    machine.write('medium/opt/agent/tls/kubeadmin-password.hash', '$2a$10$x');
    const pack =
      'cd "$ROOT/medium" && mkdir -p "$ROOT/iso" && find . | cpio -o -H newc --quiet | gzip >"$ROOT/iso/config.gz"';
    const packed = () => output('sh', ['-c', pack], { env: { ...process.env, ROOT: machine.path } });
    packed();
    holdConfigImage(machine);
    const paths = [
      `/${manifest}`,
      '/etc/assisted/rendezvous-host.env',
      '/etc/assisted/hostconfig',
      '/opt/agent/tls/kubeadmin-password.hash',
    ];
    const settings = { CONFIG_IMAGE_FILES: paths.join(',') };
    const load = (files = settings) => machine.run('load-config-iso.sh', shell, files, 'sr1');
    expect((await load({ CONFIG_IMAGE_FILES: '' })).output).toContain('this image has its settings already');
    expect(machine.calls).toEqual([]);
    expect((await load({ CONFIG_IMAGE_FILES: `${settings.CONFIG_IMAGE_FILES},/etc/absent.env` })).status).toBe(1);
    expect(machine.console).toContain('it lacks /etc/absent.env');
    expect(machine.read('etc/assisted/rendezvous-host.env')).toBeUndefined();
    expect(await load()).toMatchObject({ status: 0 });
    expect(machine.read('etc/assisted/rendezvous-host.env')).toBe('NODE_ZERO_IP=192.0.2.1\n');
    expect(machine.read('password')).toBe('core:$2a$10$x\n');
    expect(machine.calls).toContain('systemctl --no-block enable --now start-cluster-installation.service');
    expect(machine.console).toBe('');
    expect(await load()).toMatchObject({ status: 0, output: expect.stringContaining('were taken before') });
    machine.write('medium/etc/assisted/hostconfig/a/role', 'worker');
    packed();
    expect((await load()).status).toBe(1);
    expect(machine.console).toBe(
      'The config image on sr1 cannot be used: this machine has the settings of another one: boot it again to take these\n',
    );
    rmSync(join(machine.path, 'run'), { recursive: true });
    machine.write(`medium/${manifest}`, imageSet('b', 'atoll'));
    packed();
    expect((await load()).status).toBe(1);
    expect(machine.console).toBe(
      'The config image on sr1 cannot be used: it is for another release, quay.example.test/ocp@sha256:b, and this image is for quay.example.test/ocp@sha256:a\n',
    );
    rmSync(join(machine.path, 'dev/sr1'));
    machine.stub('sleep', 'false');
    expect(await load()).toMatchObject({ status: 0 });
    expect([machine.console, machine.read('calls')?.split('\n').at(-2)]).toEqual(['', 'sleep 5']);
  });

  const imageSet = (release: string, namespace: string) =>
    `metadata:\n  name: openshift-4.20.3\n  namespace: ${namespace}\nspec:\n  releaseImage: quay.example.test/ocp@sha256:${release}\n`;

  /** A machine with the archive as `iso/config.gz` in its drive. */
  function holdConfigImage(machine: ServiceMachine): void {
    machine.write('dev/sr1', '');
    machine.stub('mount', 'cp -P "$ROOT/iso/config.gz" "$4/"');
    machine.stub('lsblk', 'printf "sr1 agent_configimage\\nsda \\n"');
    machine.stub('chpasswd', 'cat >"$ROOT/password"');
    for (const program of ['umount', 'systemctl']) machine.stub(program, ':');
  }

  /** An archive of raw entries: names, modes and contents that no packer would write. */
  function hostileArchive(entries: readonly { name: string; mode: number; content?: string }[]): Buffer {
    const pad = (text: string): string => text.padEnd(Math.ceil(text.length / 4) * 4, '\0');
    const texts = [...entries, { name: 'TRAILER!!!', mode: 0, content: '' }].map(
      ({ name, mode, content = '' }, index) => {
        const fields = [index + 1, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, name.length + 1, 0];
        const header = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
        return pad(`${header}${name}\0`) + pad(content);
      },
    );
    return gzipSync(Buffer.from(texts.join(''), 'latin1'));
  }

  const MANIFEST = 'etc/assisted/manifests/cluster-image-set.yaml';
  const HASH = 'opt/agent/tls/kubeadmin-password.hash';
  const folders = [
    'etc',
    'etc/assisted',
    'etc/assisted/manifests',
    'etc/assisted/network',
    'opt',
    'opt/agent',
    'opt/agent/tls',
  ];
  const file = (name: string, content = '', mode = 0o100600) => ({ name, mode, content });
  const good = [
    ...folders.map((name) => file(name, '', 0o040755)),
    file(MANIFEST, imageSet('a', 'reef')),
    file(HASH, '$2a$10$x'),
  ];

  describe.each(shells)('a hostile config image: %s', (...shell) => {
    async function load(machine: ServiceMachine, image: Buffer, more = '') {
      machine.write(MANIFEST, imageSet('a', 'reef'));
      mkdirSync(join(machine.path, 'iso'), { recursive: true });
      writeFileSync(join(machine.path, 'iso/config.gz'), image);
      holdConfigImage(machine);
      const paths = `/${MANIFEST},/${HASH},/etc/assisted/network${more}`;
      return machine.run('load-config-iso.sh', shell, { CONFIG_IMAGE_FILES: paths }, 'sr1');
    }

    test.each<readonly [string, readonly ReturnType<typeof file>[]]>([
      ['a link with an absolute target', [file('esc', '/tmp', 0o120777)]],
      ['a link in place of a file', [file('etc/assisted/network/a', '/etc/passwd', 0o120777)]],
      ['a path that climbs', [file('a/../../pwned', 'x')]],
      ['a path that climbs from the root', [file('/../pwned', 'x')]],
      ['a pipe', [file('etc/assisted/network/a', '', 0o010600)]],
      ['a name of two lines', [file('etc/assisted/network/a\nb', 'x')]],
    ])('with %s is refused completely', async (_, entries) => {
      using machine = new ServiceMachine();
      machine.write('outside/kept', '');
      const { status, output: said } = await load(machine, hostileArchive([...good, ...entries]));
      expect([status, said]).toEqual([1, expect.stringMatching(/its archive (?:has|cannot)/)]);
      expect(readdirSync(join(machine.path, 'outside'))).toEqual(['kept']);
      expect(machine.read(HASH)).toBeUndefined();
      expect(machine.calls).not.toContain('systemctl --no-block enable --now start-cluster-installation.service');
    });

    test('writes nothing through a link', async () => {
      using machine = new ServiceMachine();
      machine.write('outside/kept', '');
      const link = file('esc', join(machine.path, 'outside'), 0o120777);
      const { status, output: said } = await load(machine, hostileArchive([...good, link, file('esc/pwned', 'x')]));
      expect(readdirSync(join(machine.path, 'outside'))).toEqual(['kept']);
      expect([status, said]).toEqual([1, expect.stringContaining('its archive has more than files and folders')]);
    });

    test('is refused with the password of another user', async () => {
      using machine = new ServiceMachine();
      const entries = [...good.slice(0, -1), file(HASH, '$2a$10$x\nroot:$2a$10$y')];
      expect(await load(machine, hostileArchive(entries))).toMatchObject({ status: 1 });
      expect(machine.console).toContain('its hash of a password is none');
      expect(machine.read('password')).toBeUndefined();
    });

    test('is refused if it is a link, or unpacks to more than memory can hold', async () => {
      using machine = new ServiceMachine();
      expect(await load(machine, gzipSync(Buffer.alloc(65 << 20)))).toMatchObject({ status: 1 });
      expect(machine.console).toContain('its config.gz cannot be unpacked');
      machine.stub('mount', 'ln -s "$ROOT/iso/config.gz" "$4/config.gz"');
      const settings = { CONFIG_IMAGE_FILES: `/${MANIFEST}` };
      expect(await machine.run('load-config-iso.sh', shell, settings, 'sr1')).toMatchObject({ status: 1 });
      expect(machine.console).toContain('it has no config.gz');
    });

    test('with absolute paths, as the installer writes them, is unpacked in place', async () => {
      using machine = new ServiceMachine();
      const rooted = good.map((one) => ({ ...one, name: `/${one.name}` }));
      expect(await load(machine, hostileArchive(rooted))).toMatchObject({ status: 0 });
      expect(machine.read('password')).toBe('core:$2a$10$x\n');
    });

    test('grants no excess permissions, and follows no link in place of a file', async () => {
      using machine = new ServiceMachine();
      machine.write('outside/kept', 'kept');
      mkdirSync(join(machine.path, 'etc/assisted/network'), { recursive: true });
      symlinkSync(join(machine.path, 'outside/kept'), join(machine.path, 'etc/assisted/network/a b'));
      machine.write('usr/local/bin/pre-network-manager-config.sh', '#!/bin/sh\n', 0o755);
      const entries = [...good, file('etc/assisted/network/a b', 'new', 0o106777), file('etc/unlisted', 'x')];
      expect(await load(machine, hostileArchive(entries))).toMatchObject({ status: 0 });
      const place = join(machine.path, 'etc/assisted/network/a b');
      expect([lstatSync(place).isFile(), (lstatSync(place).mode & 0o7777).toString(8)]).toEqual([true, '755']);
      expect([readFileSync(place, 'utf8'), machine.read('outside/kept')]).toEqual(['new', 'kept']);
      expect(machine.read('etc/unlisted')).toBeUndefined();
      expect(machine.read('password')).toBe('core:$2a$10$x\n');
    });
  });

  describe.each(shells)('the config image of a site: %s', (...shell) => {
    const MAC = '52:54:00:aa:00:01';
    const counts = (masters: number, workers: number) =>
      file(
        'usr/local/share/start-cluster/start-cluster.env',
        `REQUIRED_MASTER_NODES=${masters}\nREQUIRED_ARBITER_NODES=0\nREQUIRED_WORKER_NODES=${workers}\n`,
      );
    const hosts = (...macs: readonly string[]) => [
      file('etc/assisted/hostconfig', '', 0o040755),
      ...macs.flatMap((mac, index) => [
        file(`etc/assisted/hostconfig/h${index}`, '', 0o040755),
        file(`etc/assisted/hostconfig/h${index}/mac_addresses`, `${mac}\n`),
      ]),
    ];
    const shared = [
      'usr',
      'usr/local',
      'usr/local/share',
      'usr/local/share/start-cluster',
      'etc/assisted/hostnames',
      'etc/chrony.d',
    ].map((name) => file(name, '', 0o040755));
    const rendezvous = file('etc/assisted/rendezvous-host.env', 'NODE_ZERO_IP=192.0.2.1\n');

    function load(machine: ServiceMachine, entries: readonly ReturnType<typeof file>[]) {
      machine.write(MANIFEST, imageSet('a', 'reef'));
      machine.write('sys/class/net/eth0/address', `${MAC}\n`);
      machine.write('sys/class/net/lo/address', '00:00:00:00:00:00\n');
      mkdirSync(join(machine.path, 'iso'), { recursive: true });
      writeFileSync(join(machine.path, 'iso/config.gz'), hostileArchive([...good, ...shared, ...entries]));
      const files = [
        `/${MANIFEST}`,
        '/etc/assisted/hostconfig',
        '/etc/assisted/hostnames',
        '/etc/assisted/rendezvous-host.env',
      ];
      const optional = '/etc/assisted/add-nodes.env,/etc/chrony.conf';
      const env = { CONFIG_IMAGE_FILES: files.join(','), CONFIG_IMAGE_OPTIONAL: optional };
      return machine.run('load-config-iso.sh', shell, env, 'sr1');
    }

    test.each<readonly [string, 0 | 1, readonly ReturnType<typeof file>[]]>([
      ['that lists this machine among all', 0, [...hosts('52:54:00:aa:00:02', MAC.toUpperCase()), counts(2, 0)]],
      ['that writes its MAC address with dashes', 0, [...hosts(MAC.replaceAll(':', '-')), counts(1, 0)]],
      ['that lists all its machines, and this is none of them', 1, [...hosts('52:54:00:aa:00:02'), counts(1, 0)]],
      ['that lists none of its machines', 0, [counts(3, 2)]],
      ['that lists only some', 0, [...hosts('52:54:00:aa:00:02', '52:54:00:aa:00:03'), counts(3, 0)]],
      ['that gives no numbers', 1, hosts('52:54:00:aa:00:02')],
    ])('%s has status %d', async (_, status, entries) => {
      using machine = new ServiceMachine();
      holdConfigImage(machine);
      expect(await load(machine, [...entries, rendezvous])).toMatchObject({ status });
      const refusal = 'it is for another site: none of the machines that it lists has a network card of this one';
      expect(machine.console).toBe(status === 0 ? '' : `The config image on sr1 cannot be used: ${refusal}\n`);
      expect(machine.read(rendezvous.name) === undefined).toBe(status === 1);
    });

    test('waits until it is the only one', async () => {
      using machine = new ServiceMachine();
      holdConfigImage(machine);
      machine.stub('lsblk', 'printf "sda \\nsdb agent_configimage\\nsr1 agent_configimage\\nsdc another\\n"');
      expect(await load(machine, [rendezvous])).toMatchObject({ status: 1 });
      expect(machine.console).toBe(
        'The config image on sr1 cannot be used: there is another one on sdb: remove one of them\n',
      );
      expect(machine.read(rendezvous.name)).toBeUndefined();
      holdConfigImage(machine);
      expect(await load(machine, [rendezvous])).toMatchObject({ status: 0 });
      expect(machine.console).toBe('');
    });

    test('is applied before the file that units wait for appears, then starts its units', async () => {
      using machine = new ServiceMachine();
      holdConfigImage(machine);
      machine.stub('systemctl', 'ls "$ROOT/etc/assisted" >>"$ROOT/calls"');
      const name = file(`etc/assisted/hostnames/${MAC}`, 'master-0');
      const more = [file('etc/assisted/add-nodes.env', 'CLUSTER_NAME=x\n'), file('etc/chrony.conf', 'server a\n')];
      expect(await load(machine, [rendezvous, name, ...more])).toMatchObject({ status: 0 });
      const steps = machine.calls.filter((line) => /^systemctl|rendezvous/.test(line));
      expect(steps).toEqual([
        'systemctl daemon-reload',
        'systemctl try-restart chronyd.service',
        'systemctl restart set-hostname.service',
        'systemctl --no-block enable --now agent-add-node.service agent-auth-token-status.service',
        'rendezvous-host.env',
      ]);
    });
  });

  test('agent-gather knows the same secret names as the rest of the code', () => {
    expect(SERVICE_SCRIPTS['agent-gather']).toContain(`secret_names='${SECRET_PATTERN}'\n`);
  });

  test.each(shells)('agent-gather leaves out values of a secret name: %s', async (...shell) => {
    using machine = new ServiceMachine();
    const hidden = [
      'x:\n  psk: SEKRET\n  mka-cak: SEKRET\n  passphrase: SEKRET\n  private-key-password: "SEKRET SEKRET"',
      '  password: SEKRET,SEKRET',
      'password:\n- SEKRET\n- SEKRET',
      '- token:\n  - SEKRET',
      'pullSecret: |\n  {"auths":\n\n  SEKRET',
      'pullSecret: "abc\nSEKRET\nSEKRET"',
      'auths: {\n"a": SEKRET,\n "b": {"c": SEKRET}\n}',
      '  "token":\n"SEKRET"',
      'PULL_SECRET={"auths":{"SEKRET"}}',
      'DB_PASS=SEKRET SEKRET',
      'export USER_AUTH_TOKEN=SEKRET',
      '[vpn-secrets]\npskvalue=SEKRET',
      'Nov 18 08:57:55 host agent[12]: password: |\nNov 18 08:57:55 host agent[12]:   SEKRET',
      'Nov 18 08:57:55 host agent[12]: GET / Authorization: Bearer SEKRET',
      'with Bearer SEKRET.abc',
      'with http://u:p/SEKRET@h/ and https://h/x?X-Amz-Signature=SEKRET',
      'source: data:;base64,SEKRET',
    ];
    const kept = [
      'username: root',
      '{"a": "b", "x": [1]}',
      'phase2-auth: pap',
      'psk=\n[ipv4]\nmethod=auto',
      'password:\nname: n',
    ];
    const lines = [...hidden, ...kept].flatMap((text, index) => [text, `kept: ${index}`]);
    machine.write('etc/assisted/manifests/nmstateconfig.yaml', `${lines.join('\n')}\n`);
    for (const program of ['systemctl', 'ip', 'lsblk', 'podman', 'journalctl']) machine.stub(program, ':');
    const archive = `${machine.path}/logs.tar.xz`;
    machine.write('outside', 'kept');
    symlinkSync(`${machine.path}/outside`, archive);
    expect((await machine.run('agent-gather', shell, {}, archive)).status).toBe(0);
    expect(machine.read('outside')).toBe('kept');
    const text = output('tar', ['-xJOf', archive]).toString();
    expect(text).not.toContain('SEKRET');
    expect(lines.filter((line) => line.startsWith('kept: ') && !text.includes(`${line}\n`))).toEqual([]);
    expect(kept.filter((line) => !text.includes(`${line}\n`))).toEqual([]);
  });

  test.each(shells)('agent-gather leaves out secrets: %s', async (...shell) => {
    using machine = new ServiceMachine();
    const secrets = [TOKEN, 'aHVudGVyMg==', 'hunter2', '$2a$10$abcdefghijklmnopqrstuv', 'MIIEvgIBADANBgkqhkiG9w0'];
    machine.write(
      'etc/assisted/rendezvous-host.env',
      `NODE_ZERO_IP=192.0.2.51\nUSER_AUTH_TOKEN=${TOKEN}\nPROXY=http://user:hunter2@proxy.example.test\n`,
    );
    machine.write('etc/assisted/manifests/infraenv.yaml', 'password: hunter2\nhttpProxy: http://u:hunter2@proxy\n');
    machine.write('etc/assisted/manifests/pull-secret.yaml', '{"auths":{"a.test":{"auth":"aHVudGVyMg=="}}}');
    machine.write(
      'etc/assisted/hostconfig/a/fencing-credentials.yaml',
      'credentials:\n- username: admin\n  password: hunter2\n',
    );
    const journal = [
      `token ${TOKEN} used`,
      '{"auths":{"a.test":{"auth": "aHVudGVyMg=="}}}',
      'hash $2a$10$abcdefghijklmnopqrstuv',
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvgIBADANBgkqhkiG9w0',
      '-----END PRIVATE KEY-----',
      'the end',
    ];
    machine.stub('journalctl', `cat <<'END'\n${journal.join('\n')}\nEND`);
    for (const program of ['systemctl', 'ip', 'lsblk', 'podman']) machine.stub(program, ':');
    const archive = `${machine.path}/logs.tar.xz`;
    expect((await machine.run('agent-gather', shell, {}, archive)).status).toBe(0);
    const text = output('tar', ['-xJOf', archive]).toString();
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).toContain('NODE_ZERO_IP=192.0.2.51\n');
    expect(text).toContain('the end\n');
    expect(text).toContain('http://<redacted>@proxy.example.test');
  });

  describe.each(shells)('agent-gather: %s', (...shell) => {
    const programs = (machine: ServiceMachine): void => {
      for (const program of ['systemctl', 'ip', 'lsblk', 'podman', 'journalctl', 'df']) machine.stub(program, ':');
    };

    test('writes the archive to standard output with -O, and no file', async () => {
      using machine = new ServiceMachine();
      programs(machine);
      machine.write('etc/assisted/rendezvous-host.env', 'NODE_ZERO_IP=192.0.2.51\n');
      const archive = `${machine.path}/out`;
      const script = `cd "$ROOT" && sh usr/local/bin/agent-gather -O -i x >"${archive}"`;
      const env = { ...process.env, PATH: `${machine.path}/stubs:${process.env['PATH']}`, ROOT: machine.path };
      output('sh', ['-c', script], { env });
      const names = output('tar', ['-tJf', archive]).toString().split('\n');
      expect(names).toContain('agent-gather-x/files/etc_assisted_rendezvous-host.env');
      expect(readdirSync(machine.path).filter((name) => /-O|agent-gather/.test(name))).toEqual([]);
    });

    test('dumps the database of the service, if it runs there', async () => {
      using machine = new ServiceMachine();
      programs(machine);
      machine.stub('podman', 'case $1 in exec) echo "answer: password: hunter2" ;; esac');
      const archive = `${machine.path}/logs.tar.xz`;
      expect((await machine.run('agent-gather', shell, {}, archive)).status).toBe(0);
      const text = output('tar', ['-xJOf', archive, '--wildcards', '*/database/*']).toString();
      expect(text).toMatch(/answer: password: <redacted>/);
      expect(text).not.toContain('hunter2');
      const asked = machine.calls.filter((line) => line.startsWith('podman exec'));
      expect(asked.map((line) => / from (\w+)$/.exec(line)?.[1])).toEqual(['hosts', 'clusters']);
      machine.stub('podman', 'case $1 in container) exit 1 ;; esac');
      expect((await machine.run('agent-gather', shell, {}, archive)).status).toBe(0);
      expect(machine.calls.filter((line) => line.startsWith('podman exec'))).toEqual(asked);
    });

    test('refuses unknown options, and becomes root if it is not', async () => {
      using machine = new ServiceMachine();
      programs(machine);
      expect(await machine.run('agent-gather', shell, {}, '-x')).toMatchObject({ status: 2 });
      expect(await machine.run('agent-gather', shell, {}, '-i', 'a/b')).toMatchObject({ status: 2 });
      expect((await machine.run('agent-gather', shell, {}, '-h')).output).toContain(
        '-O     Write the archive to standard output',
      );
      machine.stub('id', 'echo 1000');
      machine.stub('sudo', 'exit 7');
      expect(await machine.run('agent-gather', shell, {}, '-O', '-i', 'y')).toMatchObject({ status: 7 });
      expect(machine.calls.at(-1)).toBe('sudo /usr/local/bin/agent-gather -O -i y');
    });
  });
});
