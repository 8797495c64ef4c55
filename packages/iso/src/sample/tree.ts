import type { ByteSource, Bytes } from '../bytes/source.ts';
import type { IsoEntry, IsoWriterOptions } from '../iso9660/writer/entries.ts';
import { bootConfigs, commandLineFile, defaultKargs, type KargsFile, volumeId } from './kargs.ts';
import type { SampleKind } from './kinds.ts';
import { featuresFile, igninfoFile, kargsFile } from './metadata.ts';
import {
  INITRD_AREA_SIZE,
  initramfs,
  loaderImage,
  placeholder,
  rootfs,
  s390BootImage,
  s390Kernel,
  s390LoadAddress,
} from './payload.ts';

/** The file for the recipe, which the builder reserves before it knows the recipe. */
export const RECIPE = { path: '/coreos/miniso.dat', size: 16384 };

/**
 * Alignment of files that firmware starts, so that they are at the same place in both images, even if the directories
 * of one are larger.
 */
const BOOT_ALIGNMENT = 65536;

/** The contents of a kind that do not depend on their place. */
export interface SampleTree {
  /** The files that the minimal image has too, in on-disk order. */
  readonly common: readonly IsoEntry[];
  readonly kargsFiles: readonly KargsFile[];
  readonly rootfs: ByteSource;
  readonly options: IsoWriterOptions;
}

/** The boot files of an architecture. */
interface BootFiles {
  readonly entries: readonly IsoEntry[];
  readonly kargsFiles: readonly KargsFile[];
  readonly igninfo: Parameters<typeof igninfoFile>[0];
  readonly options: Omit<IsoWriterOptions, 'volumeId'>;
}

/** The files of a kind. */
export async function sampleTree(kind: SampleKind): Promise<SampleTree> {
  const root = rootfs(kind);
  const initrd = await initramfs(kind, root);
  const boot = kind.architecture === 's390x' ? mainframeFiles(kind, initrd) : loaderFiles(kind);
  return {
    common: [
      ...boot.entries,
      ...optional('/coreos/features.json', featuresFile(kind)),
      ...optional('/coreos/igninfo.json', kind.igninfo ? igninfoFile(boot.igninfo) : undefined),
      ...optional('/coreos/kargs.json', kargsFile(kind, boot.kargsFiles)),
      file('/images/pxeboot/initrd.img', initrd),
    ],
    kargsFiles: boot.kargsFiles,
    rootfs: root,
    options: {
      volumeId: volumeId(kind),
      timestamp: new Date(`${kind.name.slice(0, 7)}-01T00:00:00Z`),
      ...(kind.hybrid ? { hybrid: {} } : {}),
      ...boot.options,
    },
  };
}

/** The full image's files: the root file system is last, so that its size does not move other files. */
export function fullEntries(kind: SampleKind, tree: SampleTree, rootfs: ByteSource): IsoEntry[] {
  return [
    ...tree.common,
    ...optional(RECIPE.path, kind.minimal ? new Uint8Array(RECIPE.size) : undefined),
    file('/images/pxeboot/rootfs.img', rootfs),
  ];
}

/** x86_64, aarch64 and ppc64le: boot loaders that read a config and load files by name. */
function loaderFiles(kind: SampleKind): BootFiles {
  const configs = bootConfigs(kind);
  const { images, options } = loaders(kind);
  return {
    entries: [
      ...images,
      ...configs.map(({ path, content }) => file(`/${path}`, content)),
      ...optional('/.cmdline', kind.kargsHeader ? commandLineFile(kind) : undefined),
      file('/images/ignition.img', new Uint8Array(INITRD_AREA_SIZE)),
      file('/images/pxeboot/vmlinuz', placeholder(kind, 'a kernel')),
    ],
    kargsFiles: configs,
    igninfo: { file: 'images/ignition.img' },
    options,
  };
}

function loaders(kind: SampleKind): { images: IsoEntry[]; options: BootFiles['options'] } {
  if (kind.architecture === 'ppc64le') {
    return {
      images: [file('/boot/grub/powerpc.elf', loaderImage(kind, 'GRUB'))],
      options: {},
    };
  }
  const efi = { platform: 'efi', path: '/images/efiboot.img' } as const;
  const efiImage = file(efi.path, loaderImage(kind, 'an EFI system partition'), BOOT_ALIGNMENT);
  const kernelArguments = file('/zipl.prm', text(`${defaultKargs(kind)}\n`));
  const ids = { systemId: 'LINUX', volumeSetId: volumeId(kind) };
  if (kind.architecture === 'aarch64') {
    return {
      images: [efiImage, kernelArguments],
      options: { ...ids, boot: { catalogPath: '/boot.catalog', images: [efi] } },
    };
  }
  const bios = { platform: 'bios', path: '/isolinux/isolinux.bin', loadSectors: 4, bootInfoTable: true } as const;
  return {
    images: [efiImage, file(bios.path, loaderImage(kind, 'isolinux')), kernelArguments],
    options: { ...ids, boot: { catalogPath: '/isolinux/boot.cat', images: [bios, efi] } },
  };
}

/** s390x: one image with kernel, arguments and initramfs, and a few files for other ways to start. */
function mainframeFiles(kind: SampleKind, initrd: Uint8Array): BootFiles {
  const cdboot = s390BootImage(kind, initrd);
  const kernelArguments = text(defaultKargs(kind));
  return {
    entries: [
      file(`/${cdboot.path}`, cdboot.content, BOOT_ALIGNMENT),
      ...['cdboot', 'generic', 'genericdvd'].map((name) => file(`/images/${name}.prm`, kernelArguments)),
      file('/images/initrd.addrsize', s390LoadAddress(initrd)),
      file('/images/redhat.exec', placeholder(kind, 'a script for z/VM')),
      file('/generic.ins', text(LOAD_LIST)),
      file('/images/pxeboot/kernel.img', s390Kernel(kind)),
    ],
    kargsFiles: [cdboot],
    igninfo: { file: cdboot.path, length: INITRD_AREA_SIZE, offset: cdboot.initrdAreaOffset },
    options: {
      volumeSetId: volumeId(kind),
      boot: { catalogPath: '/boot.catalog', images: [{ platform: 'bios', path: `/${cdboot.path}` }] },
    },
  };
}

/** The load map of a logical partition. */
const LOAD_LIST = `* sample image
images/pxeboot/kernel.img 0x00000000
images/pxeboot/initrd.img 0x02000000
images/genericdvd.prm 0x00010480
images/initrd.addrsize 0x00010408
`;

function file(path: string, content: Bytes, align?: number): IsoEntry {
  return { kind: 'file', path, content, mode: 0o444, ...(align === undefined ? {} : { align }) };
}

function optional(path: string, content: Uint8Array | undefined): IsoEntry[] {
  return content === undefined ? [] : [file(path, content)];
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
