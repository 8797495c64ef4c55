import { expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { type FakeRoot, SHELLS } from './fake-root.ts';
import { CURL, ENDPOINT, HOST, NOW, partition, row, SETTINGS, soundMachine } from './worker-machine.ts';

for (const shell of SHELLS) {
  describeWith([shell[0]], `under ${shell.join(' ')}`, () => {
    const join = (root: FakeRoot, tries = '1') =>
      root.run('coreiso-join', shell, { env: { TRIES: tries, PAUSE: '5' } });
    const calls = (root: FakeRoot, program: string): string[] =>
      (root.read('calls') ?? '').split('\n').filter((line) => line.startsWith(program));
    const status = (root: FakeRoot) => JSON.parse(root.read('/run/coreiso/status.json') ?? 'null');
    const untouched = (root: FakeRoot): void => {
      expect([...calls(root, 'coreos-installer'), ...calls(root, 'systemctl')]).toEqual([]);
    };

    test('installs and reboots a sound machine', () => {
      using root = soundMachine();
      const result = join(root);
      expect(result.output.split('\n')).toEqual([
        ...[
          'pass: this machine is w1.example.test',
          'pass: no disk of this machine has been installed from such an image',
          'pass: 16000 MiB of memory',
          'pass: /dev/sda has 480 GB and is the only disk that fits serialNumber',
          'pass: no other disk has a file system called boot',
          'pass: api-int.lagoon.example.test has an address',
          'pass: the clock is right within 7 seconds',
          'pass: the image may install until 2026-09-21T15:13:20Z',
          `pass: ${ENDPOINT} has a config, and its certificate is good`,
          'pass: registry mirror.example.test:5000 answers, and its certificate is good',
          'installing to /dev/sda',
        ].map((line) => `coreiso-join: ${line}`),
        'Installing',
        '> Read disk 1.0 GiB/2.0 GiB (50%)',
        'coreiso-join: warning: /dev/sda could not be put first in the boot order: remove the medium, or choose the disk in the firmware',
        'coreiso-join: installed; rebooting into the worker',
        '',
      ]);
      expect(result.status).toBe(0);
      expect(calls(root, 'coreos-installer')).toEqual([
        `coreos-installer install --copy-network --offline --ignition-file ${root.path}/run/coreiso/worker.ign /dev/sda`,
      ]);
      expect(root.read('written')).toBe('{"source":"data:,w1.example.test"}\n');
      expect(root.read('/fs/dev/sda3/coreiso-installed')).toBe('host w1\ninstalled 2026-09-21T14:13:20Z\n');
      expect(calls(root, 'systemctl')).toEqual(['systemctl reboot']);
    });

    test('installs a host with its own config', () => {
      using root = soundMachine();
      root.write('/etc/assisted/hostconfig/w1/worker.ign', '{"own":true}\n');
      root.write('/etc/assisted/hostconfig/w2/worker.ign', '{"other":true}\n');
      join(root);
      expect(root.read('written')).toBe('{"own":true}\n');
    });

    test('requests the worker endpoint as Ignition does, without a proxy and with its own authority', () => {
      using root = soundMachine();
      join(root);
      const [clock, endpoint, registry] = calls(root, 'curl');
      expect(clock).toMatch(/--head .*--insecure --noproxy \* https:\/\/api-int/);
      expect(endpoint).toContain(`--noproxy * --cacert ${root.path}/etc/coreiso/worker-ca.pem`);
      expect(endpoint).toContain('--header Accept: application/vnd.coreos.ignition+json;version=3.2.0, */*;q=0.1');
      expect(endpoint).not.toMatch(/--head |--insecure/);
      expect(registry).toMatch(/--output \/dev\/null https:\/\/mirror\.example\.test:5000\/v2\/$/);
    });

    test("keeps no copy of the endpoint's secret answer", () => {
      using root = soundMachine();
      join(root);
      expect(root.read('/run/coreiso/answer')).toBeUndefined();
    });

    test('checks an endpoint without its own certificates against those of the system', () => {
      using root = soundMachine();
      root.write('/etc/coreiso/worker-ca.pem', '');
      expect(join(root).status).toBe(0);
      expect(calls(root, 'curl').join('\n')).not.toContain('--cacert');
    });

    test('needs no name server for an endpoint with an address', () => {
      using root = soundMachine();
      root.write('/etc/coreiso/join', SETTINGS.replace(/^endpoint-name.*\n/m, ''));
      expect(join(root).output).toContain('pass: the worker endpoint is an address');
      expect(calls(root, 'getent')).toEqual([]);
    });

    test('leaves the name of an unnamed host to the network', () => {
      using root = soundMachine();
      root.write('/run/coreiso/host', HOST.replace(/^hostname.*\n/m, ''));
      expect(join(root).status).toBe(0);
      expect(root.read('written')).toBe('{"plain":true}\n');
    });

    test.each<[string, (root: FakeRoot) => void, string]>([
      [
        'too little memory',
        (root) => root.write('/proc/meminfo', 'MemTotal: 4194304 kB\n'),
        '4096 MiB of memory; a worker needs 7372',
      ],
      [
        'a disk that is too small',
        (root) => root.write('/lsblk', `${row('/dev/sda', { SIZE: '64000000000' })}\n`),
        '/dev/sda has 64 GB; a worker needs 100',
      ],
      ['no disk', (root) => root.stub('lsblk', 'true'), 'disk: lsblk shows no disks'],
      [
        'two disks',
        (root) => root.write('/lsblk', `${row('/dev/sda')}\n${row('/dev/sdb')}\n`),
        'disk: several disks fit the root device hints: /dev/sda /dev/sdb; add a hint',
      ],
      [
        'another disk with a file system called boot',
        (root) =>
          root.write(
            '/lsblk',
            [row('/dev/sda'), row('/dev/sdb', { SERIAL: '1' }), partition('/dev/sdb3', '/dev/sdb', 'boot'), ''].join(
              '\n',
            ),
          ),
        'other disks have file systems called boot, with which the worker would not start: /dev/sdb3; wipe or remove them',
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
            `case $* in *cacert*) echo "curl: (60) SSL certificate problem" >&2; exit 60;; esac\n${CURL}`,
          ),
        `${ENDPOINT}: curl: (60) SSL certificate problem`,
      ],
      [
        'a pool that the cluster does not have',
        (root) => root.stub('curl', `case $* in *write-out*) printf 404; exit;; esac\n${CURL}`),
        `${ENDPOINT}: answers with HTTP status 404 instead of a config: does the cluster have this machine config pool?`,
      ],
      [
        'an endpoint that is something else',
        (root) => root.stub('curl', CURL.replace('{"ignition":{"version":"3.2.0"}}', '<html>')),
        `${ENDPOINT}: answers with something that is no Ignition config`,
      ],
      [
        'a clock that is behind',
        (root) => root.stub('date', `case $* in *-d*then*) echo ${NOW + 301} ;; *) echo ${NOW} ;; esac`),
        'the clock is 301 seconds off: check the time servers, or set the clock of the firmware',
      ],
      [
        'an endpoint that tells no time',
        (root) => root.stub('curl', CURL.replace('Date: then', 'Server: x')),
        'the clock cannot be compared: the worker endpoint does not say what time it is',
      ],
      [
        'a name that would break the config',
        (root) => root.write('/run/coreiso/host', HOST.replace('w1.example.test', 'w1"},{"')),
        'the host name of the plan is none',
      ],
    ])('stops at %s before it writes anything, until a retry', (_, spoil, failure) => {
      using root = soundMachine();
      spoil(root);
      const result = join(root);
      expect(result.output).toContain(`coreiso-join: FAIL: ${failure}\n`);
      expect(result.output).toContain('coreiso-join: checks failed: 1\n');
      expect(result.output).toContain('nothing was written; the checks run again in a minute');
      expect(result.status).toBe(1);
      expect(status(root)).toMatchObject({ stage: 'waiting', error: failure });
      untouched(root);
    });

    test('never retries on a machine that is in no plan', () => {
      using root = soundMachine();
      root.write('/run/coreiso/host', '');
      const result = join(root);
      expect(result.status).toBe(3);
      expect(result.output).toBe(
        'coreiso-join: no host of the plan has a MAC address of this machine\n' +
          'coreiso-join: add one to the interfaces of its host, and build the image again\n' +
          'coreiso-join: nothing was written; this machine stays in the live system\n',
      );
      expect(status(root)).toMatchObject({ stage: 'stopped', host: null, checks: [] });
      untouched(root);
    });

    test('installs nothing at a second boot from the same medium, and prints the next step', () => {
      using root = soundMachine();
      join(root);
      root.write('calls', '');
      root.write('/run/coreiso/writing', '');
      using second = soundMachine();
      second.write('/lsblk', root.read('/lsblk') ?? '');
      second.write('/fs/dev/sda3/coreiso-installed', root.read('/fs/dev/sda3/coreiso-installed') ?? '');
      const result = join(second);
      expect(result.status).toBe(3);
      expect(result.output.split('\n').slice(1)).toEqual([
        'coreiso-join: FAIL: this machine was installed on 2026-09-21T14:13:20Z already: see /dev/sda3',
        'coreiso-join: this machine was installed on 2026-09-21T14:13:20Z already and is not installed again',
        'coreiso-join: remove the medium or put the disk first in the boot order, then reboot',
        'coreiso-join: to install again, boot with the kernel argument coreiso.reinstall=1',
        'coreiso-join: nothing was written; this machine stays in the live system',
        '',
      ]);
      expect(calls(second, 'mount')).toEqual([`mount -o ro /dev/sda3 ${second.path}/run/coreiso/mnt`]);
      expect(calls(second, 'curl')).toEqual([]);
      untouched(second);
    });

    test.each([
      ['coreiso.reinstall=1', 0],
      ['coreiso.reinstall', 0],
      ['coreiso.reinstall=0', 3],
      ['xcoreiso.reinstall=1', 3],
    ])('given %s on the kernel command line, ends a second installation with status %i', (argument, expected) => {
      using root = soundMachine();
      root.write('/lsblk', `${row('/dev/sda')}\n${partition('/dev/sda3', '/dev/sda', 'boot')}\n`);
      root.write('/fs/dev/sda3/coreiso-installed', 'host w1\ninstalled 2026-09-01T00:00:00Z\n');
      root.write('/proc/cmdline', `x ${argument} y\n`);
      expect(join(root).status).toBe(expected);
    });

    test.each([
      ['', 3, 'stopped'],
      [' coreiso.reinstall=1', 0, 'installed'],
    ])('installs from an expired image only on request%s', (argument, expected, stage) => {
      using root = soundMachine();
      root.write('/etc/coreiso/join', SETTINGS.replace(/^expires .*/m, `expires ${NOW} 2026-09-21T14:13:20Z`));
      root.write('/proc/cmdline', `quiet${argument}\n`);
      const result = join(root);
      expect(result.output).toContain('the image has expired on 2026-09-21T14:13:20Z');
      expect([result.status, status(root).stage]).toEqual([expected, stage]);
    });

    test('does not trust a wrong clock to decide that an image has expired', () => {
      using root = soundMachine();
      root.stub('date', `case $* in *-d*then*) echo ${NOW} ;; *) echo ${NOW + 100_000} ;; esac`);
      expect(join(root).status).toBe(1);
    });

    test('warns of a registry that does not answer', () => {
      using root = soundMachine();
      root.stub('curl', `case $* in *v2*) echo "curl: (60) no" >&2; exit 60;; esac\n${CURL}`);
      const result = join(root);
      expect(result.output).toContain(
        'warning: no registry answers from here; mirror.example.test:5000: curl: (60) no; releases.example.test: curl: (60) no\n',
      );
      expect(result.status).toBe(0);
    });

    test.each<[string, string, (root: FakeRoot) => void]>([
      ['around the proxy', '*--noproxy*', () => {}],
      [
        'with the trust that the cluster has for it',
        '*certs.d/mirror.example.test:5000/ca.crt*',
        (root) => root.write('/etc/docker/certs.d/mirror.example.test:5000/ca.crt', 'PEM'),
      ],
    ])('accepts a registry that answers %s', (_, pattern, prepare) => {
      using root = soundMachine();
      prepare(root);
      root.stub('curl', `case $* in ${pattern}/v2/*) exit;; */v2/*) exit 60;; esac\n${CURL}`);
      expect(join(root).output).toContain('pass: registry mirror.example.test:5000 answers');
    });

    test('skips the certificate check of a registry that the cluster does not check', () => {
      using root = soundMachine();
      root.write('/etc/coreiso/join', SETTINGS.replace(/^registry mirror/m, 'insecure-registry mirror'));
      root.stub('curl', `case $* in http://*|*' http://'*) exit;; */v2/*) exit 60;; esac\n${CURL}`);
      expect(join(root).output).toContain(
        'pass: registry mirror.example.test:5000 answers; the cluster does not check its certificate\n',
      );
    });

    test('waits for a slow network', () => {
      using root = soundMachine();
      root.stub('getent', 'echo try >>"$ROOT/calls"; [ "$(grep -c try "$ROOT/calls")" -ge 3 ]');
      expect(join(root, '4').status).toBe(0);
      expect(calls(root, 'slept')).toEqual(['slept 5', 'slept 5']);
    });

    test('neither reboots nor retries after a failed installation', () => {
      using root = soundMachine();
      root.stub('coreos-installer', 'echo "Error: disk is full"; exit 1');
      const result = join(root);
      expect(result.output).toContain(
        'Error: disk is full\ncoreiso-join: the installation to /dev/sda failed; this machine stays in the live system\n',
      );
      expect([result.status, status(root).stage]).toEqual([4, 'failed']);
      expect(calls(root, 'systemctl')).toEqual([]);
      root.stub('coreos-installer', 'exit 0');
      expect([join(root).status, status(root).stage]).toEqual([4, 'failed']);
    });

    test('does not reboot into another system after an installation without a result', () => {
      using root = soundMachine();
      root.stub('coreos-installer', 'exit 0');
      const result = join(root);
      expect(result.output).toContain(
        '/dev/sda is installed, but a boot from this medium would install it again: remove the medium, then reboot\n',
      );
      expect([result.status, calls(root, 'systemctl')]).toEqual([4, []]);
    });

    test("registers the vendor's loader in the firmware, without a second entry", () => {
      using root = soundMachine();
      root.write('/sys/firmware/efi/runtime', '');
      root.write(
        '/nvram',
        'BootOrder: 0001,0007\nBoot0001* CD\nBoot0007* CoreOS (coreiso)\tHD(2,GPT)\nBoot00AF  CoreOS (coreiso)\n',
      );
      expect(join(root).output).not.toContain('warning');
      expect(calls(root, 'efibootmgr')).toEqual([
        'efibootmgr ',
        'efibootmgr --quiet --bootnum 0007 --delete-bootnum',
        'efibootmgr --quiet --bootnum 00AF --delete-bootnum',
        'efibootmgr --quiet --create --disk /dev/sda --part 2 --label CoreOS (coreiso) --loader \\EFI\\redhat\\shimx64.efi',
      ]);
    });

    test.each([
      ['aarch64', [], '\\EFI\\redhat\\shimaa64.efi'],
      ['x86_64', ['redhat/shimx64.efi'], '\\EFI\\BOOT\\BOOTX64.EFI'],
      ['aarch64', ['redhat/shimaa64.efi'], '\\EFI\\BOOT\\BOOTAA64.EFI'],
    ])('registers the loader for firmware of %s without %j', (machine, absent, loader) => {
      using root = soundMachine();
      root.write('/sys/firmware/efi/runtime', '');
      root.write('/nvram', '');
      root.stub('uname', `echo ${machine}`);
      root.stub('udevadm', absent.map((file) => `rm "$ROOT/fs/dev/sda2/EFI/${file}"`).join('\n'));
      join(root);
      expect(calls(root, 'efibootmgr').at(-1)).toContain(`--loader ${loader}`);
    });

    test.each([
      ['firmware that takes no entries', (root: FakeRoot) => root.stub('efibootmgr', 'exit 5')],
      ['a disk without loaders', (root: FakeRoot) => root.stub('udevadm', 'rm -r "$ROOT/fs/dev/sda2/EFI"')],
    ])('warns of %s', (_, spoil) => {
      using root = soundMachine();
      root.write('/sys/firmware/efi/runtime', '');
      spoil(root);
      const result = join(root);
      expect([result.status, result.output.includes('/dev/sda could not be put first in the boot order')]).toEqual([
        0,
        true,
      ]);
    });

    test('boots POWER from the disk', () => {
      using root = soundMachine();
      root.stub('uname', 'echo ppc64le');
      expect(join(root).output).not.toContain('warning');
      expect(calls(root, 'bootlist')).toEqual(['bootlist -m normal -o /dev/sda']);
    });

    const kargsOf = (root: FakeRoot): string | undefined =>
      calls(root, 'coreos-installer')[0]?.replace(/^.*worker\.ign /, '');

    test.each([
      [
        'a mainframe',
        'rd.neednet=1 rd.znet=qeth,0.0.bdf0,layer2=1 rd.dasd=0.0.3490 zfcp.allow_lun_scan=0 cio_ignore=all,!condev ip=192.0.2.9::192.0.2.1:24:w::none nameserver=192.0.2.53 coreos.live.rootfs_url=http://x',
        '--append-karg rd.znet=qeth,0.0.bdf0,layer2=1 --append-karg rd.dasd=0.0.3490 --append-karg zfcp.allow_lun_scan=0 --append-karg cio_ignore=all,!condev --firstboot-args rd.neednet=1 ip=192.0.2.9::192.0.2.1:24:w::none nameserver=192.0.2.53 /dev/sda',
      ],
      [
        'a disk behind iSCSI, which needs its network at every boot',
        'rd.iscsi.firmware=1 ip=ibft netroot=iscsi:192.0.2.8::::iqn.2026-01.test:root rd.iscsi.initiator=iqn.x',
        '--append-karg rd.iscsi.firmware=1 --append-karg netroot=iscsi:192.0.2.8::::iqn.2026-01.test:root --append-karg rd.iscsi.initiator=iqn.x --append-karg rd.neednet=1 --append-karg ip=ibft /dev/sda',
      ],
      [
        'names of interfaces, which profiles rely on',
        'net.ifnames=0 net.naming-scheme=rhel-9.0 biosdevname=0',
        '--append-karg net.ifnames=0 --append-karg net.naming-scheme=rhel-9.0 --append-karg biosdevname=0 /dev/sda',
      ],
      ['nothing else', 'console=ttyS0 rd.multipath=default quiet ipv6.disableX=1 root=live:x', '/dev/sda'],
    ])('carries kernel arguments over for %s', (_, cmdline, expected) => {
      using root = soundMachine();
      root.write('/proc/cmdline', `${cmdline}\n`);
      join(root);
      expect(kargsOf(root)).toBe(expected);
    });

    test.each([
      ['', 'rd.multipath=default'],
      ['rd.multipath=always', 'rd.multipath=always'],
    ])('installs a multipath device as one disk, with %j on the command line', (cmdline, argument) => {
      using root = soundMachine();
      root.write('/proc/cmdline', `${cmdline}\n`);
      const mapper = row('/dev/mapper/mpatha', { KNAME: '/dev/dm-0', PKNAME: '/dev/sda', TYPE: 'mpath', SERIAL: '' });
      root.write('/lsblk', `${row('/dev/sda')}\n${row('/dev/sdb')}\n${mapper}\n`);
      for (const path of ['sda', 'sdb']) {
        root.write(`/sys/class/block/${path}/holders/dm-0`, '');
        root.write(`/sys/class/block/dm-0/slaves/${path}`, '');
      }
      join(root);
      expect(kargsOf(root)).toBe(
        `--append-karg ${argument} --append-karg root=/dev/disk/by-label/dm-mpath-root --append-karg rw /dev/mapper/mpatha`,
      );
    });

    test('reports every verdict, the disk and the progress in the status, and no serial number', () => {
      using root = soundMachine();
      root.stub('curl', `case $* in *v2*) printf 'a "quoted"\\n\\\\ text\\n' >&2; exit 7;; esac\n${CURL}`);
      join(root);
      expect(JSON.parse(root.read('halfway') ?? '')).toMatchObject({ stage: 'installing', disk: '/dev/sda' });
      const final = status(root);
      expect(final).toMatchObject({
        version: 1,
        stage: 'installed',
        updated: '2026-09-21T14:13:20Z',
        host: 'w1',
        hostname: 'w1.example.test',
        expires: '2026-09-21T15:13:20Z',
        disk: '/dev/sda',
        reason: 'the only disk that fits serialNumber',
        progress: 100,
        error: null,
      });
      expect(final.checks.map((one: { check: string; verdict: string }) => `${one.check} ${one.verdict}`)).toEqual([
        'identity pass',
        'first-boot pass',
        'memory pass',
        'disk pass',
        'labels pass',
        'name pass',
        'clock pass',
        'expiry pass',
        'endpoint pass',
        'registry warning',
        'boot-order warning',
      ]);
      expect(final.checks.find(({ check }: { check: string }) => check === 'registry').text).toContain(
        'a "quoted" \\ text',
      );
      expect(JSON.stringify(final)).not.toContain('0012');
    });
  });
}
