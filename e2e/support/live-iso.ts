import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesSource } from '@coreiso/iso';
import { type IsoEntry, writeIso } from '@coreiso/iso/iso9660';
import { writeCopy } from '@coreiso/iso/node';
import { output } from '../../test/support/tools.ts';
import { kernel } from './debian.ts';
import { guestInitrd } from './initrd.ts';

const VOLUME = 'MINI-COREOS';
const ISOLINUX = '/usr/lib/ISOLINUX/isolinux.bin';
const HYBRID_BOOT_CODE = '/usr/lib/ISOLINUX/isohdpfx.bin';

/** The default kernel arguments of the miniature image. */
const DEFAULT_KARGS = `console=ttyS0 panic=5 quiet mitigations=off coreos.liveiso=${VOLUME} ignition.firstboot ignition.platform.id=metal`;

/** The number of `#` that a boot loader config reserves after the kernel arguments. */
const RESERVED = 1024;

const LOADER_CONFIGS: Readonly<Record<string, string>> = {
  'EFI/fedora/grub.cfg': [
    'set timeout=0',
    'menuentry "mini" {',
    '\tlinux /images/pxeboot/vmlinuz KARGS',
    '\tinitrd /images/pxeboot/initrd.img /images/ignition.img',
    '}',
    '',
  ].join('\n'),
  'isolinux/isolinux.cfg': [
    'serial 0',
    'prompt 0',
    'timeout 1',
    'default linux',
    'label linux',
    '  kernel /images/pxeboot/vmlinuz',
    '  append initrd=/images/pxeboot/initrd.img,/images/ignition.img KARGS',
    '',
  ].join('\n'),
};

/** A bootable live image in miniature, laid out as CoreOS images are. */
export async function makeLiveIso(iso: string, maker: 'xorriso' | 'coreiso'): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-live-'));
  try {
    const tree = join(scratch, 'iso');
    layOut(tree, scratch);
    if (maker === 'xorriso') writeWithXorriso(tree, iso);
    else await writeWithCoreiso(tree, iso);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function layOut(tree: string, scratch: string): void {
  for (const folder of ['images/pxeboot', 'isolinux', 'EFI/fedora', 'coreos'])
    mkdirSync(join(tree, folder), { recursive: true });
  copyFileSync(kernel().image, join(tree, 'images/pxeboot/vmlinuz'));
  copyFileSync(guestInitrd(), join(tree, 'images/pxeboot/initrd.img'));
  writeFileSync(join(tree, 'images/ignition.img'), new Uint8Array(256 * 1024));
  const files = Object.entries(LOADER_CONFIGS).map(([path, template]) => {
    const area = `${DEFAULT_KARGS}\n${'#'.repeat(RESERVED + 1)} COREOS_KARG_EMBED_AREA`;
    writeFileSync(join(tree, path), template.replace('KARGS', area));
    return { path, offset: template.indexOf('KARGS'), pad: '#', end: '\n' };
  });
  const kargs = { default: DEFAULT_KARGS, files, size: DEFAULT_KARGS.length + 1 + RESERVED };
  writeFileSync(join(tree, 'coreos/kargs.json'), JSON.stringify(kargs, null, 2));
  writeFileSync(join(tree, 'coreos/igninfo.json'), '{"file": "images/ignition.img"}\n');
  writeFileSync(join(tree, 'coreos/features.json'), '{"installer-config": true, "live-initrd-network": true}\n');
  copyFileSync(ISOLINUX, join(tree, 'isolinux/isolinux.bin'));
  copyFileSync('/usr/lib/syslinux/modules/bios/ldlinux.c32', join(tree, 'isolinux/ldlinux.c32'));
  makeEfiImage(join(tree, 'images/efiboot.img'), scratch);
}

/** GRUB in a FAT image. Started from the partition, its root is that image, whose config finds the ISO by its label. */
function makeEfiImage(image: string, scratch: string): void {
  const grub = join(scratch, 'grubx64.efi');
  const modules = [
    'iso9660',
    'fat',
    'part_gpt',
    'part_msdos',
    'normal',
    'configfile',
    'linux',
    'search',
    'search_label',
    'test',
  ];
  output('grub-mkimage', ['-O', 'x86_64-efi', '-o', grub, '-p', '/EFI/fedora', ...modules]);
  const stub = join(scratch, 'grub.cfg');
  writeFileSync(
    stub,
    `search --label ${VOLUME} --set root --no-floppy\nset prefix=($root)/EFI/fedora\nconfigfile $prefix/grub.cfg\n`,
  );
  writeFileSync(image, '');
  truncateSync(image, Math.ceil(statSync(grub).size / 1024 + 128) * 1024);
  output('mformat', ['-i', image, '-N', '12345678', '-v', 'ESP', '::']);
  output('mmd', ['-i', image, '::EFI', '::EFI/BOOT', '::EFI/fedora']);
  output('mcopy', ['-i', image, grub, '::EFI/BOOT/BOOTX64.EFI']);
  output('mcopy', ['-i', image, stub, '::EFI/fedora/grub.cfg']);
}

function writeWithXorriso(tree: string, iso: string): void {
  const bios = [
    '-b',
    'isolinux/isolinux.bin',
    '-c',
    'isolinux/boot.cat',
    '-no-emul-boot',
    '-boot-load-size',
    '4',
    '-boot-info-table',
  ];
  const efi = ['-eltorito-alt-boot', '-e', 'images/efiboot.img', '-no-emul-boot'];
  output('xorriso', [
    '-as',
    'mkisofs',
    '-quiet',
    '-V',
    VOLUME,
    '-R',
    '-J',
    '-joliet-long',
    ...bios,
    ...efi,
    '-o',
    iso,
    tree,
  ]);
  output('isohybrid', ['--uefi', iso]);
}

async function writeWithCoreiso(tree: string, iso: string): Promise<void> {
  const paths = output('find', ['.', '-type', 'f'], { cwd: tree }).toString().trim().split('\n').sort();
  const entries = paths.map(
    (path): IsoEntry => ({ kind: 'file', path: path.slice(1), content: bytesSource(readFileSync(join(tree, path))) }),
  );
  const { source } = await writeIso(entries, {
    volumeId: VOLUME,
    boot: {
      catalogPath: '/isolinux/boot.cat',
      images: [
        { platform: 'bios', path: '/isolinux/isolinux.bin', loadSectors: 4, bootInfoTable: true },
        { platform: 'efi', path: '/images/efiboot.img' },
      ],
    },
    hybrid: { bootCode: readFileSync(HYBRID_BOOT_CODE) },
  });
  await writeCopy(source, iso);
}
