// A miniature live image with everything that a proof checks, without real programs: headers and random bytes.
import { type ByteSource, concatBytes } from '../../src/bytes/source.ts';
import { type ArchiveFile, writeArchive } from '../../src/initrd/archive-writer.ts';
import type { IsoEntry } from '../../src/iso9660/writer/entries.ts';
import { writeIso } from '../../src/iso9660/writer/write.ts';
import { noise, utf8 } from '../initrd/archives.ts';
import { efiProgram, elfModule, elfProgram, fatImage, isolinuxProgram, linuxKernel, MBR_CODE } from './programs.ts';

export const VOLUME = 'BOOTABLE-COREOS';
const ARGUMENTS = `console=ttyS0 coreos.liveiso=${VOLUME} ignition.firstboot ignition.platform.id=metal`;
const FILL = 1024;
const AREA_SIZE = 65536;

const GRUB_MENU = `set default="1"
function load_video {
  insmod efi_gop
}
load_video
set timeout=5
menuentry 'CoreOS (Live)' --class fedora {
\tlinux /images/pxeboot/vmlinuz KARGS
\tinitrd /images/pxeboot/initrd.img /images/ignition.img
}
`;
const ISOLINUX_MENU = `# a menu
serial 0
default vesamenu.c32
timeout 50
menu title CoreOS
label linux
  menu label ^CoreOS (Live)
  menu default
  kernel /images/pxeboot/vmlinuz
  append initrd=/images/pxeboot/initrd.img,/images/ignition.img KARGS
menu separator # insert an empty line
menu end
`;
const STUB = `search --label ${VOLUME} --set root --no-floppy
set prefix=($root)/EFI/fedora
echo "Booting via ESP..."
configfile $prefix/grub.cfg
boot
`;

/** The files of the image, by path; a test may remove or change some. */
export type Files = Record<string, Uint8Array>;

export interface Variant {
  readonly change?: (files: Files) => void;
  readonly efi?: (files: Files) => void;
  readonly volumeId?: string;
  readonly hybrid?: boolean;
  readonly bootCode?: boolean;
  readonly prefix?: string;
  readonly config?: string;
}

export async function archive(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeArchive(files)) chunks.push(chunk);
  const bytes = concatBytes(chunks);
  return concatBytes([bytes, new Uint8Array((4 - (bytes.length % 4)) % 4)]);
}

export async function bootableIso({
  change,
  efi,
  volumeId = VOLUME,
  hybrid = true,
  bootCode = true,
  ...grub
}: Variant = {}): Promise<Uint8Array> {
  const efiFiles: Files = {
    'EFI/BOOT/BOOTX64.EFI': efiProgram({ prefix: '/EFI/fedora', config: '', ...grub }),
    'EFI/fedora/grub.cfg': utf8(STUB),
  };
  efi?.(efiFiles);
  const menus = { 'EFI/fedora/grub.cfg': GRUB_MENU, 'isolinux/isolinux.cfg': ISOLINUX_MENU };
  const area = `${ARGUMENTS}\n${'#'.repeat(FILL + 1)} COREOS_KARG_EMBED_AREA`;
  const files: Files = {
    'images/efiboot.img': fatImage(efiFiles),
    'isolinux/isolinux.bin': isolinuxProgram(),
    'isolinux/ldlinux.c32': elfModule([]),
    'isolinux/vesamenu.c32': elfModule(['libcom32.c32']),
    'isolinux/libcom32.c32': elfModule([]),
    'coreos/igninfo.json': utf8('{"file": "images/ignition.img"}\n'),
    'coreos/features.json': utf8('{"installer-config": true, "live-initrd-network": true}\n'),
    'coreos/kargs.json': utf8(
      JSON.stringify({
        default: ARGUMENTS,
        files: Object.entries(menus).map(([path, text]) => ({
          path,
          offset: text.indexOf('KARGS'),
          pad: '#',
          end: '\n',
        })),
        size: ARGUMENTS.length + 1 + FILL,
      }),
    ),
    'images/ignition.img': new Uint8Array(AREA_SIZE),
    'images/pxeboot/vmlinuz': linuxKernel(),
    'images/pxeboot/initrd.img': await archive([
      { path: 'init', content: elfProgram(), mode: 0o755 },
      { path: 'etc/coreos-live-initramfs', content: `${VOLUME}\n` },
    ]),
    'images/pxeboot/rootfs.img': concatBytes([new Uint8Array(124), utf8('hsqs'), noise('root', 6000)]),
  };
  for (const [path, text] of Object.entries(menus)) files[path] = utf8(text.replace('KARGS', area));
  change?.(files);
  const entries = Object.entries(files).map(
    ([path, content]): IsoEntry => ({ kind: 'file', path: `/${path}`, content }),
  );
  const has = (path: string): boolean => path in files;
  const { source } = await writeIso(entries, {
    volumeId,
    boot: {
      catalogPath: '/isolinux/boot.cat',
      images: [
        ...(has('isolinux/isolinux.bin')
          ? [{ platform: 'bios', path: '/isolinux/isolinux.bin', loadSectors: 4, bootInfoTable: true } as const]
          : []),
        ...(has('images/efiboot.img') ? [{ platform: 'efi', path: '/images/efiboot.img' } as const] : []),
      ],
    },
    ...(hybrid ? { hybrid: bootCode ? { bootCode: MBR_CODE } : {} } : {}),
  });
  return whole(source);
}

export function whole(source: ByteSource): Promise<Uint8Array> {
  return source.read(0, source.size);
}
