import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from '../../test/support/tools.ts';
import { kernel, once, unpackPackages } from './debian.ts';

/**
 * Programs of a live CoreOS that our scripts call, and those that the guest's stand-ins need: perl to read a config,
 * mkfs.
 */
const PACKAGES: readonly string[] = [
  ...['systemd', 'systemd-sysv', 'udev', 'dbus', 'kmod'],
  ...['network-manager', 'iproute2', 'netbase', 'curl', 'ca-certificates'],
  ...['lvm2', 'mdadm', 'dmsetup', 'multipath-tools', 'efibootmgr', 'fdisk', 'gdisk', 'e2fsprogs', 'dosfstools'],
  ...['base-files', 'base-passwd', 'bash', 'coreutils', 'diffutils', 'findutils', 'gawk', 'grep', 'gzip', 'hostname'],
  ...['jq', 'libc-bin', 'login', 'mount', 'sed', 'tar', 'util-linux', 'util-linux-extra', 'perl'],
  ...['checkpolicy', 'semodule-utils', 'dmidecode', 'procps', 'cpio', 'passwd'],
];

/** Accounts that the scripts of the packages would have created. */
const GROUPS = [
  'messagebus',
  'polkitd',
  'netdev',
  'input',
  'kvm',
  'render',
  'sgx',
  'systemd-journal',
  'systemd-network',
];
const USERS = ['messagebus', 'polkitd', 'systemd-network'];

/** Services of an installed system that only cost time in one that runs for a minute in memory. */
const MASKED = [
  ...['getty.target', 'systemd-firstboot.service', 'systemd-hwdb-update.service', 'systemd-sysusers.service'],
  ...['systemd-journal-catalog-update.service', 'systemd-update-done.service', 'systemd-update-utmp.service'],
  ...['systemd-pcrphase.service', 'systemd-pcrphase-sysinit.service', 'apparmor.service', 'polkit.service'],
  ...['systemd-update-utmp-runlevel.service', 'systemd-machine-id-commit.service'],
  ...['sys-kernel-debug.mount', 'sys-kernel-tracing.mount', 'sys-kernel-config.mount', 'sys-fs-fuse-connections.mount'],
  ...['dev-hugepages.mount', 'dev-mqueue.mount', 'modprobe@.service', 'systemd-network-generator.service'],
];

const FILES: Readonly<Record<string, string>> = {
  'etc/fstab': '',
  'etc/hosts': '127.0.0.1 localhost\n',
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  'etc/NetworkManager/NetworkManager.conf': '[main]\nplugins=keyfile\nno-auto-default=*\nauth-polkit=root-only\n',
  // As in CoreOS: units are off by default. The units that Ignition enables come first (20-ignition.preset).
  'etc/systemd/system-preset/80-guest.preset': [
    ...['NetworkManager.service', 'NetworkManager-wait-online.service'],
    ...['coreos-update-ca-trust.service', 'guest-journal.service', 'guest-shell.service'],
  ]
    .map((unit) => `enable ${unit}\n`)
    .join('')
    .concat('disable *\n'),
};

const LINKS: Readonly<Record<string, string>> = {
  'usr/bin/sh': 'bash',
  'usr/bin/awk': 'gawk',
  'var/run': '../run',
  'var/lock': '../run/lock',
  'etc/mtab': '../proc/self/mounts',
  'etc/resolv.conf': '../run/NetworkManager/resolv.conf',
  'etc/systemd/system/default.target': '/usr/lib/systemd/system/multi-user.target',
  ...Object.fromEntries(MASKED.map((unit) => [`etc/systemd/system/${unit}`, '/dev/null'])),
};

/** Messages without readers here, and a script of a program that is missing here. */
const LEFT_OUT = [
  ...['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/lib/udev/hwdb.d'],
  'etc/NetworkManager/dispatcher.d/01-ifupdown',
];

/** The file system that the guest runs from: Debian with systemd as its first process. Not compressed: emulation unpacks slowly. */
export function rootImage(): string {
  const { folder: ofKernel, release } = kernel();
  const recipe = readFileSync(fileURLToPath(import.meta.url));
  const folder = once('root', [recipe, release], (scratch) => {
    const tree = join(scratch, 'tree');
    for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
      mkdirSync(join(tree, 'usr', name), { recursive: true });
      symlinkSync(`usr/${name}`, join(tree, name));
    }
    unpackPackages(PACKAGES, tree);
    output('cp', ['-a', join(ofKernel, 'lib/modules'), join(tree, 'usr/lib')]);
    for (const [path, text] of Object.entries({ ...FILES, ...accounts(tree), ...certificates(tree) })) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    for (const [path, target] of Object.entries(LINKS)) {
      rmSync(join(tree, path), { recursive: true, force: true });
      symlinkSync(target, join(tree, path));
    }
    for (const path of LEFT_OUT) rmSync(join(tree, path), { recursive: true, force: true });
    output('mkfs.erofs', ['--quiet', '--all-root', join(scratch, 'root.erofs'), tree]);
    rmSync(tree, { recursive: true });
  });
  return join(folder, 'root.erofs');
}

function accounts(tree: string): Record<string, string> {
  const group = readFileSync(join(tree, 'usr/share/base-passwd/group.master'), 'utf8');
  const passwd = readFileSync(join(tree, 'usr/share/base-passwd/passwd.master'), 'utf8');
  const number = (name: string) => 101 + GROUPS.indexOf(name);
  return {
    'etc/group': group + GROUPS.map((name) => `${name}:x:${number(name)}:\n`).join(''),
    'etc/passwd':
      passwd + USERS.map((name) => `${name}:x:${number(name)}:${number(name)}::/:/usr/sbin/nologin\n`).join(''),
  };
}

/** The system's certificate authorities in one file, where curl looks. */
function certificates(tree: string): Record<string, string> {
  const texts = output('find', [join(tree, 'usr/share/ca-certificates'), '-name', '*.crt', '-exec', 'cat', '{}', '+']);
  return { 'etc/ssl/certs/ca-certificates.crt': texts.toString() };
}
