// Makes live images bootable: samples and trimmed images get Debian's programs in place of the text that stands in for
// kernel, loaders and initramfs. Menus, areas and metadata stay unchanged.
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ByteSource, bytesOf, bytesSource } from '@coreiso/iso';
import { type IsoEntry, openIso, writeIso } from '@coreiso/iso/iso9660';
import { output } from '../../test/support/tools.ts';
import { kernel } from './debian.ts';
import { probeInitrd } from './probe.ts';

const MODULES = '/usr/lib/syslinux/modules/bios';
const HYBRID_BOOT_CODE = '/usr/lib/ISOLINUX/isohdpfx.bin';

/** Programs that live images need and trimmed ones lack. */
const GRUB_MODULES = [
  ...['iso9660', 'fat', 'part_gpt', 'part_msdos', 'normal', 'configfile', 'linux', 'search', 'search_label'],
  ...['search_fs_file', 'test', 'echo', 'gzio', 'ext2', 'all_video', 'efi_gop', 'efi_uga', 'boot', 'loadenv'],
];

/** `image` with everything that a machine needs to boot it. */
export async function wholeImage(image: ByteSource): Promise<ByteSource> {
  const iso = await openIso(image);
  const { volumeId } = iso.volume;
  const files = new Map<string, ByteSource>();
  for await (const entry of iso.walk()) {
    if (entry.kind === 'file') files.set(entry.path, iso.contents(entry));
  }
  files.delete('isolinux/boot.cat');
  const folder = [...files.keys()].find((path) => /^EFI\/\w+\/grub\.cfg$/.test(path))?.split('/')[1] ?? 'fedora';
  const programs: Readonly<Record<string, Uint8Array>> = {
    'images/pxeboot/vmlinuz': readFileSync(kernel().image),
    'images/pxeboot/initrd.img': probeInitrd(),
    'images/pxeboot/rootfs.img': rootFileSystem(),
    'images/efiboot.img': efiImage(volumeId, folder),
    'isolinux/isolinux.bin': readFileSync('/usr/lib/ISOLINUX/isolinux.bin'),
    ...modules(await textOf(files.get('isolinux/isolinux.cfg'))),
  };
  for (const [path, bytes] of Object.entries(programs)) files.set(path, bytesSource(bytes));
  for (const path of files.keys()) {
    if (!/\/(?:grub|isolinux)\.cfg$/.test(path)) continue;
    // Nothing moves: areas are found by their offsets.
    const text = (await textOf(files.get(path)))
      .replace(/^timeout \d\d/m, 'timeout 1 ')
      .replace(/^set timeout=\d/m, 'set timeout=0');
    files.set(path, bytesSource(new TextEncoder().encode(text)));
  }
  const entries = [...files].map(([path, content]): IsoEntry => ({ kind: 'file', path: `/${path}`, content }));
  const { source } = await writeIso(entries, {
    volumeId,
    boot: {
      catalogPath: '/isolinux/boot.cat',
      images: [
        { platform: 'bios', path: '/isolinux/isolinux.bin', loadSectors: 4, bootInfoTable: true },
        { platform: 'efi', path: '/images/efiboot.img' },
      ],
    },
    hybrid: { bootCode: readFileSync(HYBRID_BOOT_CODE) },
  });
  return source;
}

/** An empty file system in an archive, as in the live system. */
function rootFileSystem(): Uint8Array {
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-root-'));
  try {
    mkdirSync(join(scratch, 'tree'));
    output('mkfs.erofs', ['--quiet', '--all-root', join(scratch, 'root.erofs'), join(scratch, 'tree')]);
    return output('cpio', ['-o', '-H', 'newc', '--quiet'], { cwd: scratch, input: Buffer.from('root.erofs\n') });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function textOf(source: ByteSource | undefined): Promise<string> {
  return source === undefined ? '' : new TextDecoder().decode(await bytesOf(source));
}

/** The core and the modules of the menu, with their dependencies. */
function modules(menu: string): Record<string, Uint8Array> {
  const names = ['ldlinux.c32', ...[...menu.matchAll(/\b(\w+\.c32)\b/g)].map(([, name = '']) => name)];
  const needed = names.some((name) => name.startsWith('vesa')) ? ['libcom32.c32', 'libutil.c32'] : ['libutil.c32'];
  const paths = [...names, ...needed].map((name) => join(MODULES, name)).filter((path) => existsSync(path));
  return Object.fromEntries(paths.map((path) => [`isolinux/${basename(path)}`, readFileSync(path)]));
}

/** GRUB in a FAT file system, with a stub like Fedora's: it finds the ISO by its label. */
function efiImage(volumeId: string, folder: string, options: readonly string[] = []): Uint8Array {
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-efi-'));
  try {
    const [grub, stub, image] = ['grub.efi', 'grub.cfg', 'efi.img'].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    output('grub-mkimage', ['-O', 'x86_64-efi', '-o', grub, '-p', `/EFI/${folder}`, ...GRUB_MODULES]);
    writeFileSync(
      stub,
      `search --label "${volumeId}" --set root --no-floppy\nset prefix=($root)/EFI/${folder}\necho "Booting via ESP..."\nconfigfile $prefix/grub.cfg\nboot\n`,
    );
    writeFileSync(image, '');
    truncateSync(image, Math.ceil(statSync(grub).size / 1024 + 128) * 1024);
    output('mformat', ['-i', image, '-N', '12345678', '-v', 'ESP', ...options, '::']);
    output('mmd', ['-i', image, '::EFI', '::EFI/BOOT', `::EFI/${folder}`]);
    output('mcopy', ['-i', image, grub, '::EFI/BOOT/BOOTX64.EFI']);
    output('mcopy', ['-i', image, stub, `::EFI/${folder}/grub.cfg`]);
    return new Uint8Array(readFileSync(image));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Of the boot record in sector 17: the name of the boot system, and the place of its catalogue. */
const [BOOT_SYSTEM, BOOT_SYSTEM_LENGTH] = [17 * 2048 + 7, 68];

/** A copy of an image that firmware must boot from the partition: its boot record names an unknown boot system. */
export function withoutElTorito(iso: string, copy: string): void {
  copyFileSync(iso, copy);
  const file = openSync(copy, 'r+');
  writeSync(file, new Uint8Array(BOOT_SYSTEM_LENGTH), 0, BOOT_SYSTEM_LENGTH, BOOT_SYSTEM);
  closeSync(file);
}
