import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samples } from '@coreiso/nodes-config';
import { beforeEach, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { coreiso, scratchFolder } from '../support.ts';

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJhdXRoIjoidXNlciJ9.c2lnbmF0dXJl';

/** Runs on this machine what ssh would run remotely; addresses that end in 9 are unreachable. */
const SSH = `#!/bin/sh
printf '%s\\n' "$*" >>"$STUBS/ssh.calls"
while [ "$1" != -- ]; do shift; done
case $2 in
*9) echo 'Warning: something' >&2; printf 'ssh: connect to host %s port 22: \\033[31mConnection refused\\n' "$2" >&2; exit 255 ;;
*8) cat >/dev/null; echo hello; exit 0 ;;
esac
[ "$3" = 'sudo -n sh -s -- -O' ] && ROOT=$STUBS/root exec sh -s -- -O
`;

const NODES = `hosts:
- hostname: worker-0
  interfaces: [{ name: eno1, macAddress: "52:54:00:00:00:10" }]
  networkConfig: { interfaces: [{ name: eno1, type: ethernet, state: up, ipv4: { enabled: true, dhcp: false, address: [{ ip: 192.0.2.10, prefix-length: 24 }] } }] }
- hostname: worker-1
  interfaces: [{ name: eno1, macAddress: "52:54:00:00:00:11" }]
`;

let cwd: string;
let env: Record<string, string>;
beforeEach(() => {
  cwd = scratchFolder();
  const stubs = join(cwd, 'stubs');
  mkdirSync(join(stubs, 'root/etc/assisted'), { recursive: true });
  writeFileSync(
    join(stubs, 'root/etc/assisted/rendezvous-host.env'),
    `NODE_ZERO_IP=192.0.2.10\nUSER_AUTH_TOKEN=${TOKEN}\n`,
  );
  for (const [name, text] of Object.entries({
    ssh: SSH,
    ...Object.fromEntries(['systemctl', 'ip', 'lsblk', 'podman', 'df'].map((program) => [program, '#!/bin/sh\n'])),
    journalctl: `#!/bin/sh\necho "token ${TOKEN}"\n`,
  })) {
    writeFileSync(join(stubs, name), text);
    chmodSync(join(stubs, name), 0o755);
  }
  env = { PATH: `${stubs}:${process.env['PATH']}`, STUBS: stubs };
  writeFileSync(join(cwd, 'nodes-config.yaml'), NODES);
});

const run = (...argv: string[]) => coreiso(argv, { cwd, env });
const members = (archive: string) =>
  output('tar', ['-tf', join(cwd, archive)])
    .toString()
    .trim()
    .split('\n');
const calls = () => readFileSync(join(cwd, 'stubs/ssh.calls'), 'utf8');

describeWith(['tar', 'xz'], 'gathering over ssh', () => {
  test('collects the logs of all hosts into one archive, without secrets', async () => {
    const { status, stdout, stderr } = await run(
      'nodes',
      'gather',
      '-o',
      'logs.tar',
      '--address',
      'worker-1=192.0.2.11',
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toMatch(/^worker-0 {2}.*\nworker-1 {2}.*\n\nwrote logs\.tar\n$/);
    expect(statSync(join(cwd, 'logs.tar')).mode & 0o777).toBe(0o600);
    expect(members('logs.tar')).toEqual(['hosts.json', 'worker-0.tar.xz', 'worker-1.tar.xz']);
    const own = output('sh', ['-c', `tar -xOf ${join(cwd, 'logs.tar')} worker-0.tar.xz | tar -xJO`]).toString();
    expect(own).toContain('NODE_ZERO_IP=192.0.2.10');
    expect(own).toContain('token <redacted>');
    expect(own).not.toContain(TOKEN);
    const options = [
      ...['BatchMode=yes', 'ConnectTimeout=15', 'ServerAliveInterval=15', 'ServerAliveCountMax=4', 'LogLevel=ERROR'],
      ...['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'],
    ].map((one) => ` -o ${one}`);
    expect(calls().split('\n').sort().slice(1)).toEqual(
      ['192.0.2.10', '192.0.2.11'].map((at) => `-T -a -x${options.join('')} -l core -- ${at} sudo -n sh -s -- -O`),
    );
    expect((await run('nodes', 'gather', '-o', 'logs.tar', '192.0.2.10')).stderr).toContain('logs.tar');
    expect((await run('nodes', 'gather', '-o', 'logs.tar', '--force', '192.0.2.10')).status).toBe(0);
  });

  test('names the hosts that failed with reasons, and keeps the other logs', async () => {
    const addresses = ['192.0.2.10', '192.0.2.19', '192.0.2.18'];
    const { status, stdout } = await run('nodes', 'gather', '-o', 'logs.tar', ...addresses);
    expect(status).toBe(1);
    expect(stdout.toString()).toContain('192.0.2.19  failed: ssh: connect to host 192.0.2.19 port 22: ');
    expect(stdout.toString()).not.toContain('\u001b');
    expect(stdout.toString()).toContain('192.0.2.18  failed: it sends no archive');
    expect(members('logs.tar')).toEqual(['hosts.json', '192.0.2.10.tar.xz']);
    const summary = JSON.parse(output('tar', ['-xOf', join(cwd, 'logs.tar'), 'hosts.json']).toString());
    expect(summary).toEqual([
      { name: '192.0.2.10', address: '192.0.2.10', size: expect.any(Number) },
      { name: '192.0.2.19', address: '192.0.2.19', error: expect.stringContaining('Connection refused') },
      { name: '192.0.2.18', address: '192.0.2.18', error: 'it sends no archive' },
    ]);
  });

  test('writes nothing if no host sends logs, and names the missing address', async () => {
    const { status, stdout } = await run(
      'nodes',
      'gather',
      '--json',
      '-o',
      'logs.tar',
      '--address',
      'worker-0=192.0.2.19:2222',
    );
    expect([status, JSON.parse(stdout.toString())]).toEqual([
      1,
      {
        output: null,
        hosts: [
          { name: 'worker-0', address: '192.0.2.19:2222', error: expect.stringContaining('refused') },
          { name: 'worker-1', address: null, error: 'no address is known: pass --address worker-1=IP' },
        ],
      },
    ]);
    expect(calls()).toContain(' -p 2222 -l core -- 192.0.2.19 ');
    expect(existsSync(join(cwd, 'logs.tar'))).toBe(false);
  });

  test('gathers from the machines of a new cluster, including the rendezvous host', async () => {
    mkdirSync(join(cwd, 'site'));
    writeFileSync(join(cwd, 'site/install-config.yaml'), samples.installConfig);
    writeFileSync(join(cwd, 'site/agent-config.yaml'), samples.agentConfig);
    const { stdout } = await run('agent', 'gather', '--dir', 'site', '--json', '-o', 'logs.tar', '-i', 'key');
    const { hosts } = JSON.parse(stdout.toString());
    expect(hosts).toContainEqual(expect.objectContaining({ address: '192.0.2.10', size: expect.any(Number) }));
    expect(hosts.length).toBeGreaterThanOrEqual(3);
    expect(calls()).toContain(` -i ${join(cwd, 'key')} -l core -- 192.0.2.10 `);
    expect((await run('agent', 'gather', '--dir', 'site', '--address', 'x=192.0.2.1')).stderr).toContain(
      'has no such host',
    );
    expect((await run('agent', 'gather', '--dir', 'site', '--address', 'x')).status).toBe(2);
  });

  test('reports that ssh is missing', async () => {
    const { status, stderr } = await coreiso(['nodes', 'gather', '192.0.2.10'], { cwd, env: { PATH: cwd } });
    expect([status, stderr]).toEqual([1, expect.stringContaining('ssh is not on PATH')]);
  });
});
