import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLiveImage } from '@coreiso/iso';
import { fileSource, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CliResult, coreiso, scratchFolder } from '../support.ts';

const CONFIG = `hosts:
- hostname: worker-0
  rootDeviceHints: { deviceName: /dev/sda }
  interfaces:
  - name: eth0
    macAddress: 52:54:00:ab:00:01
  networkConfig:
    dns-resolver: { config: { server: [192.0.2.1] } }
    routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: eth0 }] }
    interfaces:
    - { name: eth0, type: ethernet, state: up,
        ipv4: { enabled: true, dhcp: false, address: [{ ip: 192.0.2.10, prefix-length: 24 }] } }
- hostname: worker-1
  interfaces:
  - name: eth0
    macAddress: 52:54:00:ab:00:02
sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g me
`;

const FACTS = {
  name: 'cove',
  version: '4.20.3',
  platform: 'BareMetal',
  apiServerUrl: 'https://api.cove.example.test:6443',
  nodes: [
    {
      name: 'control-0',
      architecture: 'amd64',
      master: true,
      addresses: [{ type: 'InternalIP', address: '192.0.2.10' }],
    },
  ],
};

const WORKER = {
  ignition: {
    version: '3.2.0',
    config: { merge: [{ source: 'https://api-int.cove.example.test:22623/config/worker' }] },
  },
};

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder();
});

function put(name: string, content: string | Uint8Array): string {
  writeFileSync(join(cwd, name), content);
  return name;
}

const nodes = (...argv: string[]): Promise<CliResult> => coreiso(['nodes', ...argv], { cwd });

async function json(...argv: string[]): Promise<unknown> {
  return JSON.parse((await nodes(...argv, '--json')).stdout.toString());
}

describe('nodes validate', () => {
  test('reads nodes-config.yaml by default', async () => {
    put('nodes-config.yaml', CONFIG);
    const { status, stdout, stderr } = await nodes('validate');
    expect([status, stdout.toString(), stderr]).toEqual([
      0,
      'nodes-config.yaml: a valid nodes-config with 2 hosts\n',
      '',
    ]);
  });

  test('shows a mistake with its line and a caret', async () => {
    put(
      'site.yaml',
      CONFIG.replace('eth0\n    macAddress: 52:54:00:ab:00:02', 'eth0\n    macadress: 52:54:00:ab:00:02'),
    );
    const { status, stdout, stderr } = await nodes('validate', 'site.yaml');
    expect([status, stdout.toString()]).toEqual([1, '']);
    expect(stderr).toContain(
      '  16 |     macadress: 52:54:00:ab:00:02\n     |     ^^^^^^^^^\n  help: Did you mean `macAddress`?\n',
    );
    expect(stderr).toMatch(/^site\.yaml:\d+:\d+: error: hosts\[1\]\.interfaces\[0\]\.macAddress: Required value: /);
    expect(stderr).toMatch(/\n\d+ errors?, \d+ warnings?\n$/);
  });

  test("separates upstream's messages from coreiso's own", async () => {
    put('site.yaml', CONFIG.replace('ab:00:02', 'AB:00:01').replace('worker-1', 'n'));
    expect(await json('validate', 'site.yaml')).toMatchObject({
      upstream: [],
      extra: expect.arrayContaining([expect.stringContaining('52:54:00:AB:00:01')]),
      diagnostics: expect.arrayContaining([
        expect.objectContaining({
          severity: 'error',
          code: 'nodes-config/duplicate-mac',
          path: ['hosts', 1, 'interfaces', 0, 'macAddress'],
          line: 16,
          column: 17,
          endLine: 16,
          endColumn: 34,
          upstream: false,
        }),
      ]),
      hosts: [{ hostname: 'worker-0' }, { hostname: 'false', networkConfig: null }],
    });
  });

  test('checks the config against the cluster', async () => {
    put('site.yaml', CONFIG);
    put('facts.json', JSON.stringify(FACTS));
    expect(await json('validate', 'site.yaml', '--cluster', 'facts.json')).toMatchObject({
      upstream: [
        'address conflict found. The configured address 192.0.2.10 is already used by the cluster node control-0',
      ],
      hosts: [],
    });
  });

  test.each([
    ['agent-config', 'apiVersion: v1beta1\nkind: AgentConfig\nmetadata: { name: cove }\nrendezvousIP: 192.0.2.80\n'],
    ['infraenv', 'kind: InfraEnv\nmetadata: { name: cove, namespace: x }\nspec: { pullSecretRef: { name: p } }\n'],
  ])('recognizes the text of an %s', async (kind, text) => {
    put('it.yaml', text);
    expect(await json('validate', 'it.yaml')).toEqual(await json('validate', 'it.yaml', '--kind', kind));
    const other = kind === 'infraenv' ? 'agent-config' : 'infraenv';
    expect(await json('validate', 'it.yaml')).not.toEqual(await json('validate', 'it.yaml', '--kind', other));
  });

  test('refuses an unknown kind', async () => {
    const { status, stderr } = await nodes('validate', '--kind', 'node');
    expect([status, stderr]).toEqual([2, expect.stringContaining("invalid value 'node' for '--kind <KIND>'")]);
  });
});

describe('nodes plan', () => {
  test('shows the files of each host', async () => {
    put('site.yaml', CONFIG);
    const { status, stdout } = await nodes('plan', 'site.yaml');
    expect([status, stdout.toString()]).toEqual([
      0,
      `2 hosts

worker-0 (hosts[0])
  card     52:54:00:ab:00:01 eth0
  disk     deviceName /dev/sda
  network  profiles in host0
    eth0.nmconnection  ethernet, 192.0.2.10/24
  first boot   the machine is known by the MAC address of a card, is called worker-0 and has its own network profiles; nothing is installed
  second boot  the same, if it boots the image again: nothing of the first boot is kept
  later        the same

worker-1 (hosts[1])
  card     52:54:00:ab:00:02 eth0
  disk     no hints
  network  DHCP on all cards
  first boot   the machine is known by the MAC address of a card, is called worker-1 and has DHCP on all cards; nothing is installed
  second boot  the same, if it boots the image again: nothing of the first boot is kept
  later        the same
`,
    ]);
  });

  test('describes every boot and the expiry if machines are installed', async () => {
    put('site.yaml', CONFIG);
    put('cluster.json', JSON.stringify({ workerUserData: WORKER }));
    const { status, stdout, stderr } = await nodes(
      'plan',
      'site.yaml',
      '--cluster',
      'cluster.json',
      '--valid-for',
      '7d',
    );
    const text = stdout.toString();
    const [, expires = ''] = /^2 hosts; an image of this plan installs until (\S+)$/m.exec(text) ?? [];
    expect(status).toBe(0);
    expect((Date.parse(expires) - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
    expect(text).toContain(`until ${expires}, and if all checks pass, it OVERWRITES the one disk that fits deviceName`);
    expect(text).toContain('OVERWRITES its only disk');
    expect(text).toContain(
      '  second boot  from the disk it fetches its config from https://api-int.cove.example.test:22623/',
    );
    expect(text).toMatch(/^ {2}later {8}from the disk it is a node.*coreiso\.reinstall=1/m);
    expect(stderr).toContain('site.yaml:13:3: warning: 1 host has no root device hints');
    expect(await json('plan', 'site.yaml', '--cluster', 'cluster.json')).toMatchObject({
      join: 'direct',
      expires: expect.any(String),
      hosts: [
        {
          name: 'worker-0',
          first: expect.stringContaining('OVERWRITES'),
          second: expect.any(String),
          later: expect.any(String),
        },
        { name: 'worker-1' },
      ],
      diagnostics: [expect.objectContaining({ code: 'openshift/no-disk-hints' })],
    });
  });

  test.each(['48', '0h', '1.5h', '2w', ''])('refuses the duration %j', async (time) => {
    const { status, stderr } = await nodes('plan', 'site.yaml', '--valid-for', time);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--valid-for')]);
  });

  test('shows how the machines boot', async () => {
    put('site.yaml', CONFIG);
    put('machines.yaml', '- nics: { ens3: "52:54:00:ab:00:01" }\n- nics: { ens3: "52:54:00:00:00:09" }\n');
    const { stdout } = await nodes('plan', 'site.yaml', '--machines', 'machines.yaml');
    expect(stdout.toString()).toContain(`Machine with ens3 52:54:00:ab:00:01
  is hosts[0] and is called worker-0
  /etc/NetworkManager/system-connections/
    ens3.nmconnection  ethernet, 192.0.2.10/24
`);
    expect(stdout.toString()).toContain('Machine with ens3 52:54:00:00:00:09\n  is not a host of this config\n');
  });

  test("prints the files as upstream would make them, despite coreiso's own rules", async () => {
    put('site.yaml', CONFIG.replace('hosts:', 'hsts: 1\nhosts:'));
    put('machines.json', '[{"nics":{"ens3":"52:54:00:ab:00:01"}}]');
    expect(await json('plan', 'site.yaml', '--machines', 'machines.json')).toMatchObject({
      upstream: [],
      extra: [expect.stringContaining('hsts')],
      files: expect.arrayContaining([
        expect.objectContaining({
          path: '/etc/assisted/hostnames/52:54:00:ab:00:02',
          mode: '0600',
          contents: 'worker-1',
        }),
      ]),
      boots: [{ files: [{ name: 'ens3.nmconnection', mode: '0600' }] }],
    });
  });

  test('refuses machines without cards', async () => {
    put('site.yaml', CONFIG);
    put('machines.json', '[{"nics":{"ens3":"52:54:00:ab:00:01"}},{"nic":{}}]');
    const { status, stderr } = await nodes('plan', 'site.yaml', '--machines', 'machines.json');
    expect([status, stderr]).toEqual([1, expect.stringContaining('machines.json: machine 1 has no nics')]);
  });
});

describe('nodes simulate', () => {
  test.each([
    ['52-54-00-AB-00-01', 'eth0.nmconnection'],
    ['ens3=52:54:00:ab:00:01', 'ens3.nmconnection'],
  ])('gives a machine with %s the profile %s', async (mac, profile) => {
    put('nodes-config.yaml', CONFIG);
    const { status, stdout } = await nodes('simulate', '--mac', mac);
    expect([status, stdout.toString()]).toEqual([
      0,
      expect.stringContaining(`    ${profile}  ethernet, 192.0.2.10/24\n`),
    ]);
    expect(await json('simulate', '--mac', mac)).toMatchObject({ host: 'worker-0', files: [{ name: profile }] });
  });

  test.each([[['eno1=52:54']], [['a=52:54:00:ab:00:01', 'a=52:54:00:ab:00:02']]])('refuses %j', async (macs) => {
    put('nodes-config.yaml', CONFIG);
    expect((await nodes('simulate', ...macs.flatMap((mac) => ['--mac', mac]))).status).toBe(2);
  });
});

describe('nodes image', () => {
  beforeEach(async () => {
    put('nodes-config.yaml', CONFIG);
    await writeCopy(await sampleIso(), join(cwd, 'base.iso'));
  });

  const image = (...argv: string[]): Promise<CliResult> => nodes('image', '--base', 'base.iso', ...argv);
  const written = (): string[] =>
    readdirSync(cwd).filter((name) => name !== 'base.iso' && name !== 'nodes-config.yaml');

  async function ignition(name: string): Promise<string> {
    await using source = await fileSource(join(cwd, name));
    const files = await (await openLiveImage(source)).initrd.read();
    return new TextDecoder().decode(files.get('config.ign')?.content);
  }

  test('writes the image, readable only by its owner, and describes its effect', async () => {
    const before = readFileSync(join(cwd, 'base.iso'));
    const { status, stdout, stderr } = await image('--join', 'network-only');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toBe(
      'node.x86_64.iso  1.0 MiB\n\nFor 2 hosts. Machines that boot it get their network and their name; they install nothing.\n',
    );
    expect(statSync(join(cwd, 'node.x86_64.iso')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, 'base.iso')).equals(before)).toBe(true);
    expect(await ignition('node.x86_64.iso')).toContain('/etc/assisted/network/host0/eth0.nmconnection');
  });

  test('warns that the image installs nothing, and names the commands for the missing facts', async () => {
    expect((await image()).stderr).toContain('warning: no cluster facts: machines that boot');
    put('few.json', '{"platform":"None"}');
    const { status, stderr } = await image('--force', '--cluster', 'few.json', '--json');
    expect([status, stderr]).toEqual([0, expect.stringContaining('warning: the cluster facts do not say')]);
    expect(stderr).toContain('`oc get -o yaml -n openshift-machine-api secret/worker-user-data-managed`');
  });

  test('warns that no one can log in, unless there is a key or a password', async () => {
    put('nodes-config.yaml', CONFIG.replace(/^sshKey.*\n/m, ''));
    put('hash', '$6$salt$0123456789abcdef./ABC\n');
    chmodSync(join(cwd, 'hash'), 0o600);
    expect((await image('--join', 'network-only')).stderr).toContain('warning: no one can log in to the live system');
    const { status, stderr } = await image('--force', '--join', 'network-only', '--password-hash-file', 'hash');
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(await ignition('node.x86_64.iso')).passwd.users).toEqual([
      { name: 'core', passwordHash: '$6$salt$0123456789abcdef./ABC' },
    ]);
  });

  test('refuses a password in place of its hash, and does not show it', async () => {
    put('hash', 'hunter2\n');
    const { status, stderr } = await image('--password-hash-file', 'hash');
    expect([status, stderr]).toEqual([1, expect.stringContaining('expected a crypt(5) hash in hash')]);
    expect(stderr).not.toContain('hunter2');
  });

  test('shows when the image stops installing', async () => {
    put('cluster.json', JSON.stringify({ workerUserData: WORKER }));
    const { stdout } = await image('--cluster', 'cluster.json', '--report', '--valid-for', '90m');
    const [, expires = ''] = /^The image stops installing after (\S+)\.$/m.exec(stdout.toString()) ?? [];
    expect((Date.parse(expires) - Date.now()) / 60_000).toBeCloseTo(90, -1);
    const report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'));
    expect(report.stages.map(({ result }: { result?: string }) => result)).toContain(
      JSON.stringify({ Expires: expires }),
    );
  });

  describe('--report leaves a failure report', () => {
    const report = (path = 'report.json') => JSON.parse(readFileSync(join(cwd, path), 'utf8'));
    const stagesOf = (path?: string): string[] => report(path).stages.map(({ id }: { id: string }) => id);

    test('that names unreadable facts', async () => {
      put('cluster.json', '{');
      const { status, stderr } = await image('--cluster', 'cluster.json', '--report', '-o', 'out/');
      expect([status, stderr]).toEqual([1, expect.stringContaining('out/report.json')]);
      expect(stagesOf('out/report.json')).toEqual(['add-nodes-cluster-inspection']);
      expect(report('out/report.json').result).toMatchObject({
        exit_code: 1,
        detailed_error_message: expect.stringContaining('cluster.json'),
      });
      expect(statSync(join(cwd, 'out/report.json')).mode & 0o777).toBe(0o600);
    });

    test('that names the config with errors', async () => {
      put('nodes-config.yaml', 'hosts: [{hostname: a, role: king}]');
      expect((await image('--report')).status).toBe(1);
      expect(stagesOf()).toEqual(['add-nodes-cluster-inspection', 'create-manifest']);
      expect(report().result).toEqual({
        exit_code: 1,
        error_message: 'the config has errors',
        detailed_error_message: 'the config has errors',
      });
    });

    test('that names the base and the attempted download', async () => {
      const argv = ['nodes', 'image', '--base', 'http://user:hunter2@127.0.0.1:1/x.iso', '--report'];
      expect((await coreiso(argv, { cwd })).status).toBe(1);
      expect(stagesOf()).toEqual(['add-nodes-cluster-inspection', 'create-manifest', 'fetch-base-iso']);
      expect(report().stages.at(-1).sub_stages).toMatchObject([
        { id: 'fetch-base-iso.download-image', description: 'Downloading base ISO image' },
      ]);
      expect(JSON.stringify(report())).not.toContain('hunter2');
    });

    test.each([
      ['a folder', ['-o', 'out/'], 'out/report.json'],
      ['the folder of the config', ['--dir', '.'], 'report.json'],
      ['a file in the folder of the config', ['--dir', '.', '-o', 'far.iso'], 'report.json'],
    ])('also without the option, if images go into %s', async (_, argv, path) => {
      const base = ['--base', 'http://user:hunter2@127.0.0.1:1/x.iso'];
      const { status, stderr } = await coreiso(['nodes', 'image', ...base, ...argv], { cwd });
      expect([status, stderr]).toEqual([1, expect.stringContaining(`${path} says at which stage it failed`)]);
      expect(stagesOf(path)).toEqual(['add-nodes-cluster-inspection', 'create-manifest', 'fetch-base-iso']);
      expect(report(path).result).toMatchObject({ exit_code: 1 });
      expect(readFileSync(join(cwd, path), 'utf8')).not.toContain('hunter2');
      expect(statSync(join(cwd, path)).mode & 0o777).toBe(0o600);
    });

    test('that the next attempt replaces', async () => {
      put('cluster.json', '{');
      expect((await image('--cluster', 'cluster.json', '-o', 'out/')).status).toBe(1);
      expect(readdirSync(join(cwd, 'out'))).toEqual(['report.json']);
      expect(await image('-o', 'out/', '--report')).toMatchObject({ status: 0 });
      expect(report('out/report.json').result).toEqual({ exit_code: 0 });
    });

    test.each([
      ['of an image', '{"id":"report-addnodes-202601010000","result":{"exit_code":0},"status":{"port":1,"token":"t"}}'],
      ['of something else', '{"id":"mine","result":{"exit_code":1}}'],
      ['that is no JSON', '{'],
    ])('but never replaces a report %s', async (_, text) => {
      put('cluster.json', '{');
      put('report.json', text);
      const { status, stderr } = await image('--cluster', 'cluster.json', '--report', '--force');
      expect([status, stderr]).toEqual([1, expect.stringContaining('report.json: it is not a failure report')]);
      expect(readFileSync(join(cwd, 'report.json'), 'utf8')).toBe(text);
    });

    test('but none without the option or after a wrong command line', async () => {
      put('cluster.json', '{');
      expect((await image('--cluster', 'cluster.json')).status).toBe(1);
      expect((await image('--report', '--mac-address', 'nonsense', 'a.yaml')).status).not.toBe(0);
      expect(existsSync(join(cwd, 'report.json'))).toBe(false);
    });
  });

  describe('of machines that install themselves', () => {
    const direct = ['--cluster', 'cluster.json', '--join', 'direct'];
    const token = (name: string): string => JSON.parse(readFileSync(join(cwd, name), 'utf8')).status.token;
    beforeEach(() => put('cluster.json', JSON.stringify({ workerUserData: WORKER })));

    test.each([
      ['the image', [], 'node.x86_64.report.json'],
      ['an image of another name', ['-o', 'out.iso'], 'out.report.json'],
      ['an image with a report', ['-o', 'out.iso', '--report'], 'report.json'],
      ['several', ['-o', 'set/', '--per-host'], 'set/report.json'],
      ['what boots over the network', ['-o', 'set/', '--pxe'], 'set/report.json'],
    ])('keeps the token of their status beside %s, and shows it nowhere', async (_, argv, report) => {
      const { status, stdout, stderr } = await image(...direct, ...argv);
      expect([status, stdout.toString()]).toEqual([
        0,
        expect.stringContaining(`coreiso nodes monitor --report ${report}\n`),
      ]);
      expect(statSync(join(cwd, report)).mode & 0o777).toBe(0o600);
      const json = await image(...direct, ...argv, '--force', '--json');
      expect(token(report)).toMatch(/^[0-9a-f]{32}$/);
      expect(stdout.toString() + stderr + json.stdout + json.stderr).not.toContain(token(report));
      expect(JSON.parse(json.stdout.toString()).outputs).toContainEqual(expect.objectContaining({ path: report }));
    });

    test('has a new token in every image', async () => {
      await image(...direct, '-o', 'a.iso');
      await image(...direct, '-o', 'b.iso');
      expect(token('a.report.json')).not.toBe(token('b.report.json'));
      expect(await ignition('a.iso')).toContain(token('a.report.json'));
    });

    test('has no status port with --no-status or without a report to keep the token', async () => {
      const { stdout } = await image(...direct, '--no-status');
      expect(stdout.toString()).not.toContain('monitor');
      expect(await ignition('node.x86_64.iso')).not.toContain('coreiso-status');
      expect(written().sort()).toEqual(['cluster.json', 'node.x86_64.iso']);
      put('piped.iso', (await image(...direct, '-o', '-')).stdout);
      expect(await ignition('piped.iso')).not.toContain('coreiso-status');
    });

    test('has the status port in the plan, except with --no-status', async () => {
      const port = 'reports its progress on port 8090';
      expect((await nodes('plan', ...direct)).stdout.toString()).toContain(port);
      expect((await nodes('plan', ...direct, '--no-status')).stdout.toString()).not.toContain(port);
    });
  });

  test('replaces a file only with --force', async () => {
    put('node.x86_64.iso', 'precious');
    const { status, stderr } = await image('--join', 'network-only');
    expect([status, stderr]).toEqual([1, 'error: node.x86_64.iso exists\nhelp: pass --force to replace it\n']);
    expect(readFileSync(join(cwd, 'node.x86_64.iso'), 'utf8')).toBe('precious');
    expect((await image('--force')).status).toBe(0);
    expect(statSync(join(cwd, 'node.x86_64.iso'))).toMatchObject({ size: 1024 * 1024 });
  });

  test.each([
    ['a file', ['-o', 'out.iso'], ['out.iso']],
    ['a folder that is there', ['-o', 'there'], ['there/node.x86_64.iso']],
    ['a folder that is not', ['-o', 'new/deep/'], ['new/deep/node.x86_64.iso']],
    ['a folder for several', ['-o', 'set', '--per-host'], ['set/worker-0.x86_64.iso', 'set/worker-1.x86_64.iso']],
    ['a report, too', ['-o', 'out.iso', '--report'], ['out.iso', 'report.json']],
  ])('writes to the given place: %s', async (_, argv, paths) => {
    mkdirSync(join(cwd, 'there'));
    const { status, stdout } = await image(...argv, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      outputs: paths.map((path) => ({ path, size: statSync(join(cwd, path)).size })),
      join: 'network-only',
      report: { result: { exit_code: 0 } },
    });
    for (const path of paths) expect(statSync(join(cwd, path)).mode & 0o777).toBe(0o600);
  });

  test('writes to standard output', async () => {
    const { stdout } = await image('-o', '-');
    expect(stdout.length).toBe(1024 * 1024);
    expect(written()).toEqual([]);
    expect((await image('-o', '-', '--per-host')).status).toBe(2);
  });

  test('writes the files for network boot, and warns that static addresses come too late', async () => {
    const { status, stderr } = await image('--pxe', '--artifacts-url', 'http://boot.example.test', '-o', 'www');
    expect(status).toBe(0);
    expect(readdirSync(join(cwd, 'www')).sort()).toEqual([
      'node.x86_64-initrd.img',
      'node.x86_64-rootfs.img',
      'node.x86_64-vmlinuz',
      'node.x86_64.ipxe',
    ]);
    expect(stderr).toMatch(/^nodes-config\.yaml:8:5: warning: worker-0 has a static address/);
    expect(stderr).toContain('help: Serve DHCP');
  });

  test('joins the cluster if the facts suffice', async () => {
    put('facts.json', JSON.stringify({ ...FACTS, nodes: [], workerUserData: WORKER }));
    put('nodes-config.yaml', `cpuArchitecture: amd64\n${CONFIG}`);
    const { stdout } = await image('--cluster', 'facts.json');
    expect(stdout.toString()).toContain('OVERWRITE the disk');
    expect(await ignition('node.x86_64.iso')).toContain('coreiso-join');
    await image('--cluster', 'facts.json', '--join', 'network-only', '-o', 'net.iso');
    expect(await ignition('net.iso')).not.toContain('coreiso-join');
    const { status, stderr } = await image('--join', 'direct', '-o', 'no.iso');
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('join direct needs the address of the worker config'),
    ]);
  });

  test('accepts exported objects as the cluster', async () => {
    mkdirSync(join(cwd, 'objects'));
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const objects: Record<string, object> = {
      version: {
        kind: 'ClusterVersion',
        metadata: { name: 'version' },
        status: { history: [{ version: '4.20.3', image: `r.test/x@sha256:${'5'.repeat(64)}` }] },
      },
      infrastructure: {
        kind: 'Infrastructure',
        metadata: { name: 'cluster' },
        spec: { platformSpec: { type: 'BareMetal' } },
        status: { apiServerURL: 'https://api.cove.example.test:6443' },
      },
      proxy: { kind: 'Proxy', metadata: { name: 'cluster' }, spec: {} },
      nodes: {
        kind: 'NodeList',
        items: [
          {
            metadata: { name: 'c0', labels: { 'node-role.kubernetes.io/master': '' } },
            status: { nodeInfo: { architecture: 'amd64' } },
          },
        ],
      },
      secret: {
        kind: 'Secret',
        metadata: { name: 'pull-secret', namespace: 'openshift-config' },
        data: { '.dockerconfigjson': base64('{"auths":{"r.test":{"auth":"dTpw"}}}') },
      },
      worker: {
        kind: 'Secret',
        metadata: { name: 'worker-user-data-managed', namespace: 'openshift-machine-api' },
        data: { userData: base64(JSON.stringify(WORKER)) },
      },
    };
    for (const [name, object] of Object.entries(objects)) put(`objects/${name}.json`, JSON.stringify(object));
    const { status, stdout, stderr } = await image('--cluster', 'objects', '--json');
    expect([status, stderr.match(/(?<=warning: ).*/g)]).toEqual([
      0,
      ['1 host has no root device hints: a machine with more than one disk is not installed'],
    ]);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      join: 'direct',
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });

  test('makes a host from the flags of oc', async () => {
    put('key.pub', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g me\n');
    put('net.yaml', 'interfaces:\n- { name: eth0, type: ethernet, state: up, ipv4: { enabled: true, dhcp: true } }\n');
    const { status, stderr } = await image(
      ...['--join', 'network-only'],
      ...['-m', '52:54:00:ab:00:09', '--hostname', 'flagged', '-c', 'amd64', '-k', 'key.pub'],
      ...['--root-device-hint', 'minSizeGigabytes:120', '--root-device-hint', 'rotational:false'],
      ...['--root-device-hint', 'hctl:1:0:0:0', '--network-config-path', 'net.yaml', '-o', 'one.iso'],
    );
    expect([status, stderr]).toEqual([0, '']);
    const config = JSON.parse(await ignition('one.iso'));
    expect(config.passwd.users[0].sshAuthorizedKeys[0]).toContain('AAAAC3NzaC1lZDI1NTE5');
    const text = JSON.stringify(config);
    expect(text).toContain('/etc/assisted/network/host0/eth0.nmconnection');
    const hints = 'hctl: "1:0:0:0"\nminSizeGigabytes: 120\nrotational: false\n';
    expect(text).toContain(Buffer.from(hints).toString('base64'));
  });

  test.each([
    [['--hostname', 'x'], 'found flag `hostname` configured, but it requires also flag `mac-address` to be set'],
    [['-m', '52:54:00:ab:00:09', '--root-device-hint', 'sda'], 'incorrect rootDeviceHints format provided: sda.'],
    [['-m', '52:54:00:ab:00:09', 'nodes-config.yaml'], "cannot be used with '[FILE]'"],
    [['--pxe', '--minimal'], 'cannot be used with'],
    [['--base-sha256', 'abc'], 'expected 64 hexadecimal digits'],
  ])('refuses %j', async (argv, reason) => {
    const { status, stderr } = await image(...argv);
    expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  test("enforces coreiso's own rules unless --compatible is given", async () => {
    put('nodes-config.yaml', CONFIG.replace('hosts:', 'hsts: 1\nhosts:'));
    expect((await image()).status).toBe(1);
    expect(written()).toEqual([]);
    const { status, stderr } = await image('--compatible');
    expect([status, stderr]).toEqual([0, expect.stringContaining('1:1: warning: unknown key `hsts`')]);
  });

  test.each([
    ['a wrong checksum', ['--base-sha256', '0'.repeat(64)], 'wrong base image'],
    ['a wrong checksum of several', ['--base-sha256', '0'.repeat(64), '--pxe', '-o', 'set'], 'wrong base image'],
    ['a base that is none', ['--base', 'nodes-config.yaml'], 'error: '],
    ['a folder that is a file', ['--per-host', '-o', 'nodes-config.yaml'], 'cannot write 2 files to nodes-config.yaml'],
    ['another architecture', ['-m', '52:54:00:ab:00:09', '-c', 'arm64'], 'the hosts are aarch64 machines'],
    ['objects that are no cluster', ['--cluster', 'nodes.json'], 'does not describe a cluster'],
    ['facts of a wrong type', ['--cluster', 'facts.json'], 'facts.json:1:10: error: '],
  ])('leaves nothing behind after %s', async (_, argv, reason) => {
    put('nodes.json', '{"kind":"NodeList","items":[]}');
    put('facts.json', '{"nodes":"control-0"}');
    const base = argv.includes('--base') ? [] : ['--base', 'base.iso'];
    const { status, stdout, stderr } = await nodes('image', ...base, ...argv);
    expect([status, stdout.toString(), stderr]).toEqual([1, '', expect.stringContaining(reason)]);
    expect(written()).toEqual(['facts.json', 'nodes.json']);
  });
});

describe('a file that is not a config', () => {
  const bomb = `a: &a [${'x,'.repeat(9)}x]\n${[...'bcdefghi']
    .map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}*${'abcdefgh'[index]}]`)
    .join('\n')}\n`;

  test.each<[string, () => string | Uint8Array, RegExp]>([
    ['an empty file', () => '', /: error: hosts: Required value: at least one host must be defined/],
    [
      'a binary file',
      () => Uint8Array.from({ length: 4096 }, (_, index) => (index * 197) % 256),
      /^nodes-config\.yaml:.*error: /,
    ],
    ['a file of 50 MB', () => `hosts:\n${'- {}\n'.repeat(10_000_000)}`, /error: .*(?:long|characters)/],
    ['a YAML bomb', () => bomb, /error: .*(?:excessive aliasing|more than \d+ values)/],
    ['a deep nest', () => '['.repeat(100_000), /error: /],
    ['a list', () => '- hosts\n', /error: failed to unmarshal nodes-config\.yaml: /],
    ['a word', () => 'hosts', /error: failed to unmarshal nodes-config\.yaml: /],
    [
      'hosts that are a word',
      () => 'hosts: all\n',
      /^nodes-config\.yaml:1:8: error: failed to unmarshal nodes-config\.yaml: /,
    ],
    [
      'a hint of the wrong type',
      () => CONFIG.replace('deviceName: /dev/sda', 'rotational: "no"'),
      /^nodes-config\.yaml:3:34: error: /,
    ],
    ['an alias to nothing', () => 'hosts: *all\n', /^nodes-config\.yaml:1:\d+: error: .*\n {2}1 \| hosts: \*all\n/],
  ])('is refused with a reason, and nothing is written: %s', async (_, content, reason) => {
    put('nodes-config.yaml', content());
    await writeCopy(await sampleIso(), join(cwd, 'base.iso'));
    for (const command of [['validate'], ['plan'], ['image', '--base', 'base.iso']]) {
      const { status, stdout, stderr } = await nodes(...command);
      expect([status, stdout.toString()], stderr.slice(0, 400)).toEqual([1, '']);
      expect(stderr).toMatch(reason);
      expect(stderr.length).toBeLessThan(10_000);
    }
    expect(readdirSync(cwd).sort()).toEqual(['base.iso', 'nodes-config.yaml']);
  });

  test('is named if it does not exist', async () => {
    const { status, stderr } = await nodes('validate');
    expect([status, stderr]).toEqual([1, 'error: cannot read nodes-config.yaml: no such file or directory\n']);
  });
});
