import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from '../../test/support/tools.ts';
import { kernel, once, unpackedPackages } from './debian.ts';

const LIBRARIES = 'lib/x86_64-linux-gnu';
const guestFiles = fileURLToPath(new URL('../guest', import.meta.url));

/** In loading order. `max_bonds=0`: else the module makes a bond0 of its own, which NetworkManager leaves alone. */
const MODULES = [
  'virtio',
  'virtio_ring',
  'virtio_pci_legacy_dev',
  'virtio_pci_modern_dev',
  'virtio_pci',
  'virtio_blk',
  'failover',
  'net_failover',
  'virtio_net',
  'af_packet',
  'tls',
  'bonding max_bonds=0',
  'llc',
  'stp',
  'garp',
  'mrp',
  '8021q',
  'bridge',
];

/** The guest's initramfs: busybox, NetworkManager, udev, modules, perl with a JSON reader, and our /init. */
export function guestInitrd(): string {
  const version = createVersion();
  const folder = once(`initrd-${version}`, (scratch) => {
    const tree = join(scratch, 'tree');
    buildTree(tree);
    const list = output('find', ['.', '-mindepth', '1'], { cwd: tree }).toString();
    // The guest tells its own files from those that came with the image.
    writeFileSync(join(tree, 'guest-files'), `/guest-files\n${list.replaceAll(/^\./gm, '')}`);
    const names = Buffer.from(
      output('find', ['.', '-mindepth', '1'], { cwd: tree }).toString().split('\n').sort().slice(1).join('\n'),
    );
    const archive = output('cpio', ['-o', '-H', 'newc', '--quiet', '-R', '0:0'], { cwd: tree, input: names });
    const packed = output('gzip', ['-1n'], { input: archive });
    // As in CoreOS images, so that an uncompressed archive may follow.
    const padding = Buffer.alloc((4 - (packed.length % 4)) % 4);
    writeFileSync(join(scratch, 'initrd.img'), Buffer.concat([packed, padding]));
  });
  return join(folder, 'initrd.img');
}

/** Programs of this machine that the scripts of the plan call. */
const PROGRAMS = ['/bin/lsblk', '/usr/bin/getent'];
const STAND_INS = ['coreos-installer', 'curl', 'systemctl'];

/** Changes with the files of the guest, so that a stale one is never booted. */
function createVersion(): string {
  const texts = ['init.sh', 'apply-ignition.pl', ...STAND_INS.map((name) => `bin/${name}`)].map((name) =>
    readFileSync(join(guestFiles, name)),
  );
  return output('sha256sum', [], { input: Buffer.concat([...texts, readFileSync(fileURLToPath(import.meta.url))]) })
    .toString()
    .slice(0, 16);
}

function buildTree(tree: string): void {
  for (const folder of [
    'bin',
    'sbin',
    'lib64',
    LIBRARIES,
    'lib/systemd',
    'modules',
    'guest/bin',
    'lib/udev/rules.d',
    'etc/NetworkManager',
    'var/lib/NetworkManager',
    'run',
    'usr',
    'proc',
    'sys',
    'dev',
    'tmp',
  ]) {
    mkdirSync(join(tree, folder), { recursive: true });
  }
  symlinkSync('../lib', join(tree, 'usr/lib'));
  symlinkSync('../sbin', join(tree, 'usr/sbin'));
  symlinkSync('../bin', join(tree, 'usr/bin'));
  install(join(guestFiles, 'init.sh'), join(tree, 'init'), 0o755);
  install(join(guestFiles, 'apply-ignition.pl'), join(tree, 'guest/apply-ignition.pl'), 0o644);
  install('/bin/busybox', join(tree, 'bin/busybox'), 0o755);
  addNetworkManager(tree);
  addPerl(tree);
  for (const program of PROGRAMS) install(program, join(tree, 'guest/bin', basename(program)), 0o755);
  addLibraries(tree, PROGRAMS, []);
  for (const name of STAND_INS) install(join(guestFiles, 'bin', name), join(tree, 'guest/bin', name), 0o755);
  addModules(tree);
  writeFileSync(join(tree, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\n');
  writeFileSync(join(tree, 'etc/group'), 'root:x:0:\n');
  writeFileSync(
    join(tree, 'etc/NetworkManager/NetworkManager.conf'),
    '[main]\nplugins=keyfile\nno-auto-default=*\nrc-manager=unmanaged\n',
  );
}

function addNetworkManager(tree: string): void {
  const root = unpackedPackages('network-manager', ['network-manager', 'udev'], 'with dependencies');
  const own = (path: string) => (existsSync(join(root, path)) ? join(root, path) : path);
  const programs = [own('/usr/sbin/NetworkManager'), own('/bin/udevadm')];
  install(programs[0] ?? '', join(tree, 'sbin/NetworkManager'), 0o755);
  install(programs[1] ?? '', join(tree, 'bin/udevadm'), 0o755);
  symlinkSync('/bin/udevadm', join(tree, 'lib/systemd/systemd-udevd'));
  // Tells lsblk the serial numbers of disks.
  const rules = own('/lib/udev/rules.d/60-persistent-storage.rules');
  install(rules, join(tree, 'lib/udev/rules.d', basename(rules)), 0o644);
  addLibraries(tree, programs, [
    join(root, 'usr', LIBRARIES),
    join(root, LIBRARIES),
    join(root, 'usr', LIBRARIES, 'systemd'),
  ]);
}

function addPerl(tree: string): void {
  install('/usr/bin/perl', join(tree, 'bin/perl'), 0o755);
  addLibraries(tree, ['/usr/bin/perl'], []);
  const script = 'print "$_\\n" for grep { m{^/} } values %INC, grep { m{\\.so$} } @DynaLoader::dl_shared_objects';
  const modules = [
    'JSON::PP',
    'MIME::Base64',
    'File::Path',
    'File::Basename',
    'Encode',
    'utf8',
    'overload',
    'bytes',
    'Math::BigInt',
  ];
  const files = output('/usr/bin/perl', [...modules.map((name) => `-M${name}`), '-e', script])
    .toString()
    .trim()
    .split('\n');
  for (const file of files) {
    const target = join(tree, file);
    mkdirSync(dirname(target), { recursive: true });
    install(file, target, 0o644);
  }
}

function addLibraries(tree: string, programs: readonly string[], searched: readonly string[]): void {
  const listing = output('ldd', programs, { env: { LD_LIBRARY_PATH: searched.join(':') } }).toString();
  for (const [, library] of listing.matchAll(/=> (\/\S+)/g)) {
    if (library !== undefined) install(library, join(tree, LIBRARIES, basename(library)), 0o755);
  }
  install('/lib64/ld-linux-x86-64.so.2', join(tree, 'lib64/ld-linux-x86-64.so.2'), 0o755);
}

function addModules(tree: string): void {
  const { modules } = kernel();
  for (const line of MODULES) {
    const [name] = line.split(' ');
    const file = output('find', [modules, '-name', `${name}.ko`])
      .toString()
      .trim();
    if (file === '') continue; // built into this kernel
    install(file, join(tree, 'modules', `${name}.ko`), 0o644);
    appendFileSync(join(tree, 'modules/order'), `${line}\n`);
  }
}

function install(from: string, to: string, mode: number): void {
  copyFileSync(from, to);
  chmodSync(to, mode);
}
