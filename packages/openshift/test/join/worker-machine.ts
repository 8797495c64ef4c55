// A machine that passes all checks of the join script, and the programs that it calls. They record their calls in `calls`.
import { FakeRoot } from './fake-root.ts';

export const NOW = 1_790_000_000;
export const ENDPOINT = 'https://api-int.lagoon.example.test:22623/config/worker';
export const SETTINGS = `endpoint ${ENDPOINT}
endpoint-name api-int.lagoon.example.test
ignition 3.2.0
registry mirror.example.test:5000
registry releases.example.test
memory 7372
disk 100
clock 300
expires ${NOW + 3600} 2026-09-21T15:13:20Z
`;
export const HOST = 'host w1\nmac 52:54:00:00:00:01\nhostname w1.example.test\nhint serialNumber 0012\n';

/** A row of lsblk. */
export function row(name: string, columns: Readonly<Record<string, string>> = {}): string {
  const all = {
    NAME: name,
    KNAME: name,
    PKNAME: '',
    TYPE: 'disk',
    SIZE: '480103981056',
    RO: '0',
    ROTA: '0',
    FSTYPE: '',
    LABEL: '',
    MOUNTPOINT: '',
    HCTL: '',
    MODEL: 'M',
    VENDOR: '',
    SERIAL: '0012',
    WWN: '',
    ...columns,
  };
  return Object.entries(all)
    .map(([column, value]) => `${column}="${value}"`)
    .join(' ');
}

export function partition(name: string, disk: string, label: string): string {
  return row(name, { PKNAME: disk, TYPE: 'part', SIZE: '402653184', LABEL: label, SERIAL: '' });
}

/** File systems are directories below `/fs`, named after their partitions. */
export const soundMachine = (): FakeRoot => {
  const root = new FakeRoot();
  root.write('/run/coreiso/host', HOST);
  root.write('/etc/coreiso/join', SETTINGS);
  root.write('/etc/coreiso/worker-ca.pem', 'PEM\n');
  root.write('/etc/coreiso/worker.ign', '{"plain":true}\n');
  root.write('/etc/coreiso/worker-named.ign', '{"source":"data:,__HOSTNAME__"}\n');
  root.write('/proc/meminfo', 'MemTotal:       16384000 kB\nMemFree: 1 kB\n');
  root.write('/proc/cmdline', 'BOOT_IMAGE=/images/pxeboot/vmlinuz coreos.liveiso=x ignition.firstboot\n');
  root.write('/lsblk', `${row('/dev/sda')}\n`);
  const note = 'printf "%s %s\\n" "$(basename "$0")" "$*" >>"$ROOT/calls"';
  root.stub('sleep', 'echo "slept $1" >>"$ROOT/calls"');
  root.stub('lsblk', 'cat "$ROOT/lsblk"');
  root.stub(
    'mount',
    `${note}; for dir; do from=$to; to=$dir; done; [ -d "$ROOT/fs$from" ] && rmdir "$to" && ln -s "$ROOT/fs$from" "$to"`,
  );
  root.stub('umount', 'rm "$1" && mkdir "$1"');
  root.stub('udevadm', note);
  root.stub('uname', 'echo x86_64');
  root.stub('getent', `${note}; [ "$2" = api-int.lagoon.example.test ]`);
  root.stub('curl', `${note}\n${CURL}`);
  root.stub(
    'date',
    `case $* in *-d*then*) echo ${NOW - 7} ;; *-d*) exit 1 ;; *T*) echo 2026-09-21T14:13:20Z ;; *) echo ${NOW} ;; esac`,
  );
  root.stub('coreos-installer', `${note}; cat "$ROOT/run/coreiso/worker.ign" >"$ROOT/written"\n${INSTALL}`);
  root.stub('efibootmgr', `${note}; [ $# -gt 0 ] || cat "$ROOT/nvram"`);
  root.stub('bootlist', note);
  root.stub('systemctl', note);
  return root;
};

/** Answers as the endpoint does, in the requested file, or with headers. */
export const CURL = `for word; do [ "$before" != --output ] || out=$word; before=$word; done
case $* in
*--write-out*) echo '{"ignition":{"version":"3.2.0"}}' >"$out"; printf 200 ;;
*--output*) ;;
*) printf 'HTTP/2 200\\r\\nDate: then\\r\\n' ;;
esac`;

const INSTALL = `echo 'Installing'; echo '> Read disk 1.0 GiB/2.0 GiB (50%)'; cp "$ROOT/run/coreiso/status.json" "$ROOT/halfway"
cat >>"$ROOT/lsblk" <<'END'
${partition('/dev/sda2', '/dev/sda', 'EFI-SYSTEM')}
${partition('/dev/sda3', '/dev/sda', 'boot')}
END
mkdir -p "$ROOT/fs/dev/sda3" "$ROOT/fs/dev/sda2/EFI/BOOT" "$ROOT/fs/dev/sda2/EFI/redhat"
for file in BOOT/BOOTX64.EFI BOOT/shimx64.efi BOOT/BOOTAA64.EFI redhat/shimx64.efi redhat/shimaa64.efi; do : >"$ROOT/fs/dev/sda2/EFI/$file"; done`;
