import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from '../../test/support/tools.ts';
import { kernel, once } from './debian.ts';

/** The modules needed to reach the root file system; udev loads all others. */
const MODULES = ['virtio_pci', 'virtio_scsi', 'sr_mod', 'erofs', 'overlay', 'qemu_fw_cfg'];

/** Plays the loader of an installed disk: prints a line and turns the machine off. */
export const INSTALLED_DISK_BOOTS = 'the installed disk boots';

const guestFiles = fileURLToPath(new URL('../guest', import.meta.url));

/** The guest's initramfs: busybox, modules, our /init, and the files that turn a Debian root into a live CoreOS. */
export function guestInitrd(): string {
  const { release } = kernel();
  const files = output('find', ['.', '-type', 'f'], { cwd: guestFiles }).toString().trim().split('\n').sort();
  const recipe = readFileSync(fileURLToPath(import.meta.url));
  const parts = files.flatMap((file) => [file, readFileSync(join(guestFiles, file))]);
  const folder = once('initrd', [recipe, release, ...parts], (scratch) => {
    const tree = join(scratch, 'tree');
    layOut(tree);
    const list = output('find', ['.', '-mindepth', '1'], { cwd: tree }).toString();
    // The guest distinguishes its own files from those in the image.
    writeFileSync(join(tree, 'guest/files'), `/guest/files\n${list.replaceAll(/^\./gm, '')}`);
    const names = output('find', ['.', '-mindepth', '1'], { cwd: tree })
      .toString()
      .trim()
      .split('\n')
      .sort()
      .join('\n');
    const archive = output('cpio', ['-o', '-H', 'newc', '--quiet', '-R', '0:0'], {
      cwd: tree,
      input: Buffer.from(names),
    });
    const packed = output('gzip', ['-1n'], { input: archive });
    // As in CoreOS images, so that an uncompressed archive may follow.
    const padding = Buffer.alloc((4 - (packed.length % 4)) % 4);
    writeFileSync(join(scratch, 'initrd.img'), Buffer.concat([packed, padding]));
  });
  return join(folder, 'initrd.img');
}

function layOut(tree: string): void {
  for (const folder of ['bin', 'guest/modules.d']) mkdirSync(join(tree, folder), { recursive: true });
  copyFileSync('/bin/busybox', join(tree, 'bin/busybox'));
  copyFileSync(join(guestFiles, 'init.sh'), join(tree, 'init'));
  for (const program of ['bin/busybox', 'init']) chmodSync(join(tree, program), 0o755);
  copyFileSync(join(guestFiles, 'apply-ignition.pl'), join(tree, 'guest/apply-ignition.pl'));
  output('cp', ['-a', join(guestFiles, 'root'), join(tree, 'guest/root')]);
  mkdirSync(join(tree, 'guest/root/usr/share/guest'), { recursive: true });
  makeLoader(join(tree, 'guest/root/usr/share/guest/loader.efi'));
  const order = moduleFiles().map((file) => {
    const inGuest = `/guest/modules.d/${basename(file)}`;
    copyFileSync(file, join(tree, inGuest));
    return `${inGuest}\n`;
  });
  writeFileSync(join(tree, 'guest/modules'), order.join(''));
}

function makeLoader(file: string): void {
  const config = `${file}.cfg`;
  writeFileSync(config, `echo "${INSTALLED_DISK_BOOTS}"\nhalt\n`);
  output('grub-mkimage', ['-O', 'x86_64-efi', '-p', '/', '-c', config, '-o', file, 'echo', 'halt']);
}

/** In loading order, with their dependencies. */
function moduleFiles(): string[] {
  const { folder, release } = kernel();
  const inOrder = MODULES.map((name) => output('modprobe', ['-d', folder, '-S', release, '--show-depends', name]));
  return [...new Set([...inOrder.join('').matchAll(/^insmod (\S+)/gm)].map(([, file = '']) => file))];
}
