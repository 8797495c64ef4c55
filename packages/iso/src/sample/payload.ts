// Kernel, initramfs and root file system: valid formats that contain only our own text. None of them boots.

import { type Composition, compose } from '../bytes/compose.ts';
import { type ByteSource, concatBytes, toHex, zeros } from '../bytes/source.ts';
import { sha256 } from '../checksums/sha256.ts';
import type { Compression } from '../initrd/archive-format.ts';
import { type ArchiveFile, writeArchive } from '../initrd/archive-writer.ts';
import { gzip, plain } from '../initrd/encoders.ts';
import { directoryHeader, fileHeader, padding, trailer } from '../initrd/newc.ts';
import { writeU32Be } from '../iso9660/fields.ts';
import { defaultKargs, type KargsFile, kargsAreaSize, volumeId } from './kargs.ts';
import type { SampleKind } from './kinds.ts';
import { featuresFile } from './metadata.ts';

/** Size of the initrd area in all images of the builder. */
export const INITRD_AREA_SIZE = 262144;

/** Positions where the s390 kernel looks for its command line and initramfs; `mk-s390image` fills them in. */
const S390 = {
  kernelSize: 131072,
  ramdiskOffset: 66568,
  ramdiskSize: 66576,
  commandLineLimit: 66608,
  commandLine: 66688,
};

/** A line of text as a placeholder for a program. */
export function placeholder(kind: SampleKind, what: string): Uint8Array {
  return text(`Sample image ${kind.name}: ${what} would be here.\n`);
}

/** A placeholder for a boot loader: text after the bytes for a boot information table. */
export function loaderImage(kind: SampleKind, what: string): Uint8Array {
  return concatBytes([new Uint8Array(64), placeholder(kind, what)]);
}

/** `images/pxeboot/kernel.img` of s390x: text, and the maximum length of the command line. */
export function s390Kernel(kind: SampleKind): Uint8Array {
  const kernel = new Uint8Array(S390.kernelSize);
  kernel.set(placeholder(kind, 'a kernel'));
  writeU32Be(kernel, S390.commandLineLimit + 4, 4096);
  return kernel;
}

/** `images/cdboot.img` of s390x: kernel, initramfs and initrd area in one, with the command line inside the kernel. */
export interface S390BootImage extends KargsFile {
  readonly initrdAreaOffset: number;
}

export function s390BootImage(kind: SampleKind, initramfs: Uint8Array): S390BootImage {
  const kernel = s390Kernel(kind);
  writeU32Be(kernel, S390.ramdiskOffset + 4, kernel.length);
  writeU32Be(kernel, S390.ramdiskSize + 4, initramfs.length + INITRD_AREA_SIZE);
  kernel.fill(0, S390.commandLine, S390.commandLine + kargsAreaSize(kind));
  kernel.set(text(defaultKargs(kind)), S390.commandLine);
  return {
    path: 'images/cdboot.img',
    content: concatBytes([kernel, initramfs, new Uint8Array(INITRD_AREA_SIZE)]),
    offset: S390.commandLine,
    initrdAreaOffset: kernel.length + initramfs.length,
  };
}

/**
 * `images/initrd.addrsize` of s390x: the address to which a partition's firmware loads the initramfs, and its length.
 */
export function s390LoadAddress(initramfs: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16);
  writeU32Be(bytes, 4, 0x02000000);
  writeU32Be(bytes, 12, initramfs.length);
  return bytes;
}

/**
 * `images/pxeboot/initrd.img`: an archive as the system's own initramfs, and a gzipped one with the files that make it
 * live. The hash list covers the root file system without the padding of a larger sample.
 */
export async function initramfs(kind: SampleKind, rootfs: ByteSource): Promise<Uint8Array> {
  const system = [{ path: 'usr/share/coreiso/sample', content: placeholder(kind, 'an initramfs'), mode: 0o644 }];
  const features = featuresFile(kind);
  const live = [
    { path: 'etc/coreos-live-initramfs', content: text(`${volumeId(kind)}\n`), mode: 0o644 },
    { path: 'etc/coreos-live-want-rootfs', content: await hashList(rootfs), mode: 0o644 },
    ...(features === undefined ? [] : [{ path: 'etc/coreos/features.json', content: features, mode: 0o644 }]),
  ];
  const archive = concatBytes([await pack(system, plain), await pack(live, gzip)]);
  return concatBytes([archive, new Uint8Array(padding(archive.length))]);
}

/** `images/pxeboot/rootfs.img`: an archive whose first member, at byte 124, is the root file system. */
export function rootfs(kind: SampleKind): Composition {
  const { rootFileSystem } = kind;
  const root = rootFileSystem === 'erofs' ? erofs(kind) : squashfs(kind);
  const stamp = text(`${volumeId(kind)}\n`);
  return compose([
    fileHeader(0, `root.${rootFileSystem}`, 0o644, root.length),
    root,
    zeros(padding(root.length)),
    directoryHeader(1, 'etc'),
    fileHeader(2, 'etc/coreos-live-rootfs', 0o644, stamp.length),
    stamp,
    zeros(padding(stamp.length)),
    trailer(),
  ]);
}

/** The magic of squashfs, then text. */
function squashfs(kind: SampleKind): Uint8Array {
  return text(`hsqs\nSample image ${kind.name}: a root file system would be here.\n`);
}

/** Position of the EROFS superblock; EROFS does not use the bytes before it. */
const EROFS_SUPERBLOCK = 1024;
const EROFS_MAGIC = 0xe2e1f5e0;

function erofs(kind: SampleKind): Uint8Array {
  const superblock = new Uint8Array(EROFS_SUPERBLOCK + 4);
  superblock.set(placeholder(kind, 'a root file system'));
  writeU32Be(superblock, EROFS_SUPERBLOCK, EROFS_MAGIC);
  return superblock;
}

async function pack(files: readonly ArchiveFile[], compression: Compression): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeArchive(files, { compression })) chunks.push(chunk);
  return concatBytes(chunks);
}

/** One SHA-256 for each chunk; the samples' root file systems have only one chunk. */
async function hashList(rootfs: ByteSource): Promise<Uint8Array> {
  const chunkSize = 2097152;
  if (rootfs.size > chunkSize)
    throw new RangeError(`rootfs must fit one chunk of ${chunkSize} bytes, not ${rootfs.size}`);
  const hash = sha256();
  hash.update(await rootfs.read(0, rootfs.size));
  return text(`stream-hash sha256 ${chunkSize}\n${toHex(hash.digest())}\n`);
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
