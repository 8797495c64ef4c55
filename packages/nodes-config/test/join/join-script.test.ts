import { expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { FakeRoot, SHELLS } from '../hosts/fake-root.ts';

const SETTINGS = `endpoint https://api-int.lagoon.example.test:22623/config/worker
endpoint-name api-int.lagoon.example.test
registry mirror.example.test:5000
registry releases.example.test
memory 7372
disk 100
clock 300
`;
const HOST = 'host w1\nmac 52:54:00:00:00:01\nhostname w1.example.test\nhint serialNumber 0012\n';
const DISK =
  'NAME="/dev/sda" KNAME="/dev/sda" PKNAME="" TYPE="disk" SIZE="480103981056" RO="0" ROTA="0" FSTYPE="" MOUNTPOINT="" HCTL="" MODEL="M" VENDOR="" SERIAL="0012" WWN=""';
const NOW = 1_790_000_000;

/** A machine on which every check passes. Programs leave what they were asked in `calls`. */
function soundMachine(): FakeRoot {
  const root = new FakeRoot();
  root.machine({ nics: { ens3: '52:54:00:00:00:01' } });
  root.write('/etc/coreiso/hosts', HOST);
  root.write('/etc/coreiso/join', SETTINGS);
  root.write('/etc/coreiso/worker-ca.pem', 'PEM\n');
  root.write('/etc/coreiso/worker.ign', '{"plain":true}\n');
  root.write('/etc/coreiso/worker-named.ign', '{"source":"data:,__HOSTNAME__"}\n');
  root.write('/proc/meminfo', 'MemTotal:       16384000 kB\nMemFree: 1 kB\n');
  for (const name of ['coreiso-host', 'coreiso-disk'] as const) root.provide(name);
  const note = 'echo "$(basename "$0") $*" >>"$ROOT/calls"';
  root.stub('sleep', 'echo "slept $1" >>"$ROOT/calls"');
  root.stub('lsblk', `cat <<'END'\n${DISK}\nEND`);
  root.stub('getent', `${note}; [ "$2" = api-int.lagoon.example.test ]`);
  root.stub('curl', `${note}; case $* in *--output*) ;; *) printf 'HTTP/2 200\\r\\nDate: then\\r\\n' ;; esac`);
  root.stub('date', `case $* in *-d*then*) echo ${NOW - 7} ;; *-d*) exit 1 ;; *) echo ${NOW} ;; esac`);
  root.stub('coreos-installer', `${note}; cat "$ROOT/run/coreiso/worker.ign" >"$ROOT/written"`);
  root.stub('systemctl', note);
  return root;
}

const COLUMNS_OF_A_FAILURE = [/FAIL: .*/, /nothing was written; this machine stays in the live system/];

for (const shell of SHELLS) {
  describeWith([shell[0]], `under ${shell.join(' ')}`, () => {
    const join = (root: FakeRoot, tries = '1') =>
      root.run('coreiso-join', shell, { env: { TRIES: tries, PAUSE: '5' } });
    const calls = (root: FakeRoot, program: string): string[] =>
      (root.read('calls') ?? '').split('\n').filter((line) => line.startsWith(program));

    test('a sound machine is installed and reboots', () => {
      using root = soundMachine();
      const { status, output } = join(root);
      expect(output).toBe(
        `${[
          'pass: this machine is w1.example.test',
          'pass: 16000 MiB of memory',
          'pass: /dev/sda has 480 GB',
          'pass: api-int.lagoon.example.test has an address',
          'pass: https://api-int.lagoon.example.test:22623/config/worker answers, and its certificate is good',
          'pass: the clock is right within 7 seconds',
          'pass: registry mirror.example.test:5000 answers, and its certificate is good',
          'installing to /dev/sda',
          'installed; rebooting into the worker',
        ]
          .map((line) => `coreiso-join: ${line}`)
          .join('\n')}\n`,
      );
      expect(status).toBe(0);
      expect(calls(root, 'coreos-installer')).toEqual([
        `coreos-installer install --copy-network --ignition-file ${root.path}/run/coreiso/worker.ign /dev/sda`,
      ]);
      expect(root.read('written')).toBe('{"source":"data:,w1.example.test"}\n');
      expect(calls(root, 'systemctl')).toEqual(['systemctl reboot']);
    });

    test('the worker endpoint is asked without a proxy and with its own authority, the registry with neither', () => {
      using root = soundMachine();
      join(root);
      const [endpoint, clock, registry] = calls(root, 'curl');
      expect(endpoint).toContain(`--noproxy * --cacert ${root.path}/etc/coreiso/worker-ca.pem https://api-int`);
      expect(clock).toContain('--insecure --noproxy * https://api-int');
      expect(registry).toMatch(/--output \/dev\/null https:\/\/mirror\.example\.test:5000\/v2\/$/);
    });

    test('without certificates of its own the endpoint is held to those of the system', () => {
      using root = soundMachine();
      root.write('/etc/coreiso/worker-ca.pem', '');
      expect(join(root).status).toBe(0);
      expect(calls(root, 'curl')[0]).not.toContain('--cacert');
    });

    test('an endpoint given as an address needs no name server', () => {
      using root = soundMachine();
      root.write('/etc/coreiso/join', SETTINGS.replace(/^endpoint-name.*\n/m, ''));
      expect(join(root).output).toContain('pass: the worker endpoint is an address');
      expect(calls(root, 'getent')).toEqual([]);
    });

    test('a host without a name leaves it to the network', () => {
      using root = soundMachine();
      root.write('/etc/coreiso/hosts', HOST.replace(/^hostname.*\n/m, ''));
      expect(join(root).status).toBe(0);
      expect(root.read('written')).toBe('{"plain":true}\n');
    });

    test('a multipath device is installed as one', () => {
      using root = soundMachine();
      const mapper = DISK.replace('NAME="/dev/sda"', 'NAME="/dev/mapper/mpatha"')
        .replace('KNAME="/dev/sda"', 'KNAME="/dev/dm-0"')
        .replace('"disk"', '"mpath"');
      root.stub('lsblk', `cat <<'END'\n${DISK}\n${mapper}\nEND`);
      root.write('/sys/class/block/sda/holders/dm-0', '');
      join(root);
      expect(calls(root, 'coreos-installer')[0]).toMatch(
        / --append-karg rd\.multipath=default --append-karg root=\/dev\/disk\/by-label\/dm-mpath-root --append-karg rw \/dev\/mapper\/mpatha$/,
      );
    });

    test.each<[string, (root: FakeRoot) => void, string]>([
      [
        'too little memory',
        (root) => root.write('/proc/meminfo', 'MemTotal: 4194304 kB\n'),
        '4096 MiB of memory; a worker needs 7372',
      ],
      [
        'a disk that is too small',
        (root) => root.stub('lsblk', `cat <<'END'\n${DISK.replace('480103981056', '64000000000')}\nEND`),
        '/dev/sda has 64 GB; a worker needs 100',
      ],
      ['no disk', (root) => root.stub('lsblk', 'true'), 'disk: no disk fits the root device hints'],
      [
        'two disks',
        (root) => root.stub('lsblk', `cat <<'END'\n${DISK}\n${DISK.replaceAll('sda', 'sdb')}\nEND`),
        'disk: several disks fit the root device hints: /dev/sda /dev/sdb; add a hint',
      ],
      [
        'a name without an address',
        (root) => root.stub('getent', 'exit 2'),
        'api-int.lagoon.example.test has no address: check the DNS servers of this host',
      ],
      [
        'a certificate of somebody else',
        (root) =>
          root.stub(
            'curl',
            'case $* in *cacert*) echo "curl: (60) SSL certificate problem" >&2; exit 60;; *--output*) ;; *) echo "date: then";; esac',
          ),
        'https://api-int.lagoon.example.test:22623/config/worker: curl: (60) SSL certificate problem',
      ],
      [
        'a clock that is behind',
        (root) => root.stub('date', `case $* in *-d*then*) echo ${NOW + 301} ;; *) echo ${NOW} ;; esac`),
        'the clock is 301 seconds off: check the time servers, or set the clock of the firmware',
      ],
      [
        'an endpoint that tells no time',
        (root) => root.stub('curl', 'true'),
        'the clock cannot be compared: the worker endpoint does not say what time it is',
      ],
      [
        'no registry',
        (root) =>
          root.stub('curl', 'case $* in *v2*) echo no >&2; exit 7;; *--output*) ;; *) echo "Date: then";; esac'),
        'no registry answers',
      ],
      [
        'a name that would break the config',
        (root) => root.write('/etc/coreiso/hosts', HOST.replace('w1.example.test', 'w1"},{"')),
        'w1"},{" is no host name',
      ],
    ])('%s stops it before anything is written', (_, spoil, failure) => {
      using root = soundMachine();
      spoil(root);
      const { status, output } = join(root);
      expect(output).toContain(`coreiso-join: FAIL: ${failure}\n`);
      for (const expected of COLUMNS_OF_A_FAILURE) expect(output).toMatch(expected);
      expect(output).toContain('coreiso-join: checks failed: 1\n');
      expect(status).toBe(1);
      expect([...calls(root, 'coreos-installer'), ...calls(root, 'systemctl')]).toEqual([]);
    });

    test('one registry of several is enough', () => {
      using root = soundMachine();
      root.stub(
        'curl',
        'case $* in *mirror*) echo "curl: (7) refused" >&2; exit 7;; *--output*) ;; *) echo "Date: then";; esac',
      );
      const { status, output } = join(root);
      expect(output).toContain('registry mirror.example.test:5000: curl: (7) refused\n');
      expect(output).toContain('pass: registry releases.example.test answers, and its certificate is good\n');
      expect(status).toBe(0);
    });

    test('a machine in no plan is left alone', () => {
      using root = soundMachine();
      root.write('/etc/coreiso/hosts', HOST.replace(':01', ':02'));
      expect(join(root)).toEqual({
        status: 1,
        output:
          'coreiso-join: no host of the plan has a MAC address of this machine\n' +
          'coreiso-join: nothing was written; this machine stays in the live system\n',
      });
      expect(root.read('calls')).toBeUndefined();
    });

    test('a network that takes its time is waited for', () => {
      using root = soundMachine();
      root.stub('getent', 'echo try >>"$ROOT/calls"; [ "$(grep -c try "$ROOT/calls")" -ge 3 ]');
      expect(join(root, '4').status).toBe(0);
      expect(calls(root, 'slept')).toEqual(['slept 5', 'slept 5']);
    });

    test('a failed installation does not reboot', () => {
      using root = soundMachine();
      root.stub('coreos-installer', 'exit 1');
      const { status, output } = join(root);
      expect(output).toContain('the installation to /dev/sda failed; this machine stays in the live system\n');
      expect(status).toBe(1);
      expect(calls(root, 'systemctl')).toEqual([]);
    });
  });
}
