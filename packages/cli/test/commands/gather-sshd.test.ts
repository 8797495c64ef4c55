// Gathers from real SSH servers: each host has its own port, host key, files and programs.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { samples } from '@coreiso/nodes-config';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePorts } from '../../../../test/support/engines.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { coreiso, scratchFolder } from '../support.ts';

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJhdXRoIjoidXNlciJ9.c2lnbmF0dXJl';
const SECRETS = [TOKEN, 'hunter-two', 'c2VjcmV0OnB1bGw='];

/** A host with its own server. */
interface Host {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly server: ChildProcess;
}

/** The behaviour of `sudo` on a host. */
const SUDO = {
  works: 'exec "$@"',
  refuses: 'echo "sudo: a password is required" >&2; exit 1',
  /** Signals its start, and runs until it is told to end. */
  hangs: 'cat >/dev/null; : >"$ROOT/began"; while [ ! -e "$ROOT/end" ]; do sleep 0.1; done; exit 1',
} as const;

const PRELOADED = 'libnss_wrapper.so';

describeWith(['sshd', 'ssh', 'ssh-keygen', 'tar', 'xz', PRELOADED], 'gathering from real SSH servers', () => {
  const folder = scratchFolder();
  const hosts = new Map<string, Host>();
  let unreachable = 0;
  let cwd: string;

  async function startHost(name: string, sudo: keyof typeof SUDO): Promise<void> {
    const own = join(folder, name);
    const bin = join(own, 'bin');
    mkdirSync(join(own, 'etc/assisted'), { recursive: true });
    mkdirSync(bin);
    writeFileSync(
      join(own, 'etc/assisted/rendezvous-host.env'),
      `HOST=${name}\nUSER_AUTH_TOKEN=${TOKEN}\nPASSWORD=hunter-two\n`,
    );
    const programs: Record<string, string> = {
      sudo: `[ "$1" = -n ] && shift\n${SUDO[sudo]}`,
      journalctl: `echo 'pulling from https://user:hunter-two@registry.test with {"auth":"c2VjcmV0OnB1bGw="}'`,
      ...Object.fromEntries(
        ['systemctl', 'ip', 'lsblk', 'podman', 'df'].map((program) => [program, `echo ${program}`]),
      ),
    };
    for (const [program, text] of Object.entries(programs)) {
      writeFileSync(join(bin, program), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, program), 0o755);
    }
    output('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(own, 'host_key')]);
    const port = await freePorts();
    writeFileSync(
      join(own, 'sshd_config'),
      [
        ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${own}/host_key`, 'PidFile none'],
        ...[`AuthorizedKeysFile ${folder}/key.pub`, 'PasswordAuthentication no', 'KbdInteractiveAuthentication no'],
        ...['StrictModes no', 'PermitRootLogin yes', 'UsePAM no'],
        `SetEnv PATH=${bin}:/usr/bin:/bin ROOT=${own}`,
      ].join('\n'),
    );
    const server = spawn(
      output('sh', ['-c', 'command -v sshd']).toString().trim(),
      ['-D', '-e', '-f', `${own}/sshd_config`],
      {
        env: {
          ...process.env,
          LD_PRELOAD: PRELOADED,
          NSS_WRAPPER_PASSWD: `${folder}/passwd`,
          NSS_WRAPPER_GROUP: '/etc/group',
        },
        stdio: 'ignore',
      },
    );
    hosts.set(name, { name, port, folder: own, server });
    await listening(port);
  }

  const hostOf = (name: string): Host => {
    const host = hosts.get(name);
    if (host === undefined) throw new Error(`no host ${name}`);
    return host;
  };
  /** Returns `--address NAME=…` for each host; a host without a server is unreachable. */
  const addresses = (...names: string[]) =>
    names.flatMap((name) => ['--address', `${name}=127.0.0.1:${hosts.get(name)?.port ?? unreachable}`]);
  /** The command under test. */
  let command: 'nodes' | 'agent' = 'nodes';
  const gather = (
    args: readonly string[],
    { key = join(folder, 'key'), ...io }: { key?: string; signal?: AbortSignal } = {},
  ) =>
    coreiso(
      [command, 'gather', ...(command === 'agent' ? ['--dir', 'site'] : []), '-i', key, '-o', 'logs.tar', ...args],
      {
        cwd,
        env: { PATH: process.env['PATH'] ?? '' },
        ...io,
      },
    );
  const members = () =>
    output('tar', ['-tf', join(cwd, 'logs.tar')])
      .toString()
      .trim()
      .split('\n');
  const contents = (name: string) =>
    output('sh', ['-c', `tar -xOf "$1" "$2.tar.xz" | tar -xJO`, 'sh', join(cwd, 'logs.tar'), name]).toString();

  beforeAll(async () => {
    output('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
    const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const core = `core:x:${uid}:${gid}::${folder}:/bin/sh`;
    writeFileSync(join(folder, 'passwd'), `${readFileSync('/etc/passwd', 'utf8').trim()}\n${core}\n`);
    mkdirSync(join(folder, '.ssh'));
    // Login messages come before the archive.
    writeFileSync(join(folder, '.ssh/rc'), 'echo Welcome\n');
    // A directory that sshd needs, usually made by the service manager; it stays empty.
    if (uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    await startHost('worker-0', 'works');
    await startHost('worker-1', 'works');
    await startHost('locked', 'refuses');
    await startHost('slow', 'hangs');
    unreachable = await freePorts();
  });
  afterAll(async () => {
    for (const { folder: own, server } of hosts.values()) {
      writeFileSync(join(own, 'end'), '');
      const gone = new Promise((done) => server.once('exit', done));
      server.kill();
      await gone;
    }
  });
  beforeEach(() => {
    cwd = scratchFolder();
  });
  /** Plans the given hosts in this order. */
  function plan(...names: readonly string[]): void {
    const hosts = `hosts:\n${names.map((name, at) => `- hostname: ${name}\n  interfaces: [{ name: eno1, macAddress: "52:54:00:00:00:1${at}" }]\n`).join('')}`;
    if (command === 'nodes') {
      writeFileSync(join(cwd, 'nodes-config.yaml'), hosts);
      return;
    }
    mkdirSync(join(cwd, 'site'));
    const masters = names.length < 3 ? 1 : 3;
    const pools = `controlPlane: { name: master, replicas: ${masters} }\ncompute: [{ name: worker, replicas: ${names.length - masters} }]\n`;
    const rest = samples.installConfig.replace(/^(controlPlane|compute|platform):.*\n(?:[ -].*\n)*/gm, '');
    writeFileSync(join(cwd, 'site/install-config.yaml'), `${rest}${pools}platform: { none: {} }\n`);
    const head = 'apiVersion: v1beta1\nkind: AgentConfig\nmetadata: { name: sample }\n';
    writeFileSync(join(cwd, 'site/agent-config.yaml'), `${head}rendezvousIP: ${rendezvous}\n${withNetwork(hosts)}`);
  }
  /** The address of the rendezvous host, and whether the config of the first host has it. */
  let rendezvous = '192.0.2.10';
  let isFirst = true;
  const withNetwork = (hosts: string) =>
    isFirst
      ? hosts.replace(
          /(10" }\]\n)/,
          `$1  networkConfig: { interfaces: [{ name: eno1, type: ethernet, state: up, ipv4: { enabled: true, dhcp: false, address: [{ ip: ${rendezvous}, prefix-length: 24 }] } }] }\n`,
        )
      : hosts;

  describe.each(['nodes', 'agent'] as const)('coreiso %s gather', (group) => {
    beforeEach(() => {
      command = group;
      [rendezvous, isFirst] = ['192.0.2.10', true];
    });

    test('collects the logs of reachable hosts into one archive, redacted, and names the other hosts', async () => {
      plan('worker-0', 'worker-1', 'locked', 'gone');
      const { status, stdout, stderr } = await gather(addresses('worker-0', 'worker-1', 'locked', 'gone'));
      expect([status, stderr]).toEqual([1, '']);
      const lines = stdout.toString().split('\n');
      expect(lines[2]).toBe('locked  failed: sudo: a password is required');
      expect(lines[3]).toMatch(/^gone {2}failed: ssh: connect to host 127\.0\.0\.1 port \d+: Connection refused$/);
      expect(members()).toEqual(['hosts.json', 'worker-0.tar.xz', 'worker-1.tar.xz']);
      for (const name of ['worker-0', 'worker-1']) {
        const text = contents(name);
        expect(text).toContain(`HOST=${name}`);
        expect(text).toContain('https://<redacted>@registry.test');
        expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
      }
      const summary = JSON.parse(output('tar', ['-xOf', join(cwd, 'logs.tar'), 'hosts.json']).toString());
      expect(summary.map(({ name, error }: { name: string; error?: string }) => [name, error === undefined])).toEqual([
        ...[
          ['worker-0', true],
          ['worker-1', true],
          ['locked', false],
          ['gone', false],
        ],
      ]);
    });

    test('accepts a known host key, and names a host whose key differs', async () => {
      plan('worker-0', 'worker-1', 'locked', 'gone');
      const lineOf = (name: string, key: string) =>
        `[127.0.0.1]:${hostOf(name).port} ${readFileSync(join(hostOf(key).folder, 'host_key.pub'), 'utf8')}`;
      mkdirSync(join(cwd, 'my 100% keys'));
      writeFileSync(
        join(cwd, 'my 100% keys/known'),
        `${lineOf('worker-0', 'worker-0')}${lineOf('worker-1', 'locked')}`,
      );
      const { stdout } = await gather([
        '--known-hosts',
        'my 100% keys/known',
        ...addresses('worker-0', 'worker-1', 'locked'),
      ]);
      const lines = stdout.toString().split('\n');
      expect(lines[0]).toMatch(/^worker-0 {2}[\d.]+ /);
      expect(lines[1]).toBe('worker-1  failed: its host key is not the one in my 100% keys/known');
      expect(lines[2]).toBe('locked  failed: its host key is not in my 100% keys/known');
      expect(members()).toEqual(['hosts.json', 'worker-0.tar.xz']);
    });

    test("reports that a host refused the user's key", async () => {
      output('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(cwd, 'stranger')]);
      plan('worker-0');
      const { status, stdout } = await gather(addresses('worker-0'), { key: join(cwd, 'stranger') });
      expect(status).toBe(1);
      expect(stdout.toString()).toMatch(/failed: core@127\.0\.0\.1: Permission denied \(publickey\)\.\n/);
      expect(existsSync(join(cwd, 'logs.tar'))).toBe(false);
    });

    test('stops at once when it is interrupted, and leaves nothing', async () => {
      const abort = new AbortController();
      const slow = hostOf('slow');
      plan('slow');
      const before = readdirSync(cwd);
      const result = gather(addresses('slow'), { signal: abort.signal });
      while (!existsSync(join(slow.folder, 'began'))) await pause(20);
      abort.abort(new Error('SIGINT'));
      const { status, stdout } = await result;
      expect([status, stdout.toString()]).toEqual([130, '']);
      expect(readdirSync(cwd)).toEqual(before);
    });

    test('refuses an existing archive before it contacts any host', async () => {
      plan('slow');
      writeFileSync(join(cwd, 'logs.tar'), 'earlier');
      const slow = hostOf('slow');
      rmSync(join(slow.folder, 'began'), { force: true });
      const { status, stderr } = await gather(addresses('slow'));
      expect([status, stderr]).toEqual([1, 'error: logs.tar exists\nhelp: pass --force to replace it\n']);
      expect([existsSync(join(slow.folder, 'began')), readFileSync(join(cwd, 'logs.tar'), 'utf8')]).toEqual([
        false,
        'earlier',
      ]);
    });
  });

  describe('coreiso agent gather', () => {
    beforeEach(() => {
      command = 'agent';
    });

    test('also asks the rendezvous host at the given address if the files do not tell which machine it is', async () => {
      [rendezvous, isFirst] = ['192.0.2.99', false];
      plan('worker-0', 'worker-1', 'locked');
      const at = `rendezvous=127.0.0.1:${hostOf('worker-1').port}`;
      const { status, stdout } = await gather(['--json', '--address', at, ...addresses('worker-0')]);
      expect(status).toBe(1);
      const { hosts: told } = JSON.parse(stdout.toString());
      const unknown = (name: string) => ({
        name,
        address: null,
        error: `no address is known: pass --address ${name}=IP`,
      });
      expect(told).toEqual([
        { name: 'rendezvous', address: at.slice('rendezvous='.length), size: expect.any(Number) },
        { name: 'worker-0', address: `127.0.0.1:${hostOf('worker-0').port}`, size: expect.any(Number) },
        unknown('worker-1'),
        unknown('locked'),
      ]);
      expect(contents('rendezvous')).toContain('HOST=worker-1');
      const stranger = await gather(['--address', 'stranger=192.0.2.1', '--force']);
      expect(stranger.stderr).toContain('has no such host; it has rendezvous, worker-0, worker-1, locked');
    });

    test('asks the rendezvous host only once if its address is given', async () => {
      [rendezvous, isFirst] = ['192.0.2.10', true];
      plan('worker-0');
      const { status, stdout } = await gather(addresses('worker-0'));
      expect([status, stdout.toString()]).toEqual([
        0,
        expect.stringMatching(/^worker-0 {2}[\d.]+ \w+\n\nwrote logs\.tar\n$/),
      ]);
    });
  });
});

async function listening(port: number): Promise<void> {
  for (;;) {
    const isUp = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        done(true);
      }).once('error', () => done(false));
    });
    if (isUp) return;
    await pause(20);
  }
}
