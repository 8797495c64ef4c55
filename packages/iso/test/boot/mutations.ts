// Changes that break an image, and harmless changes. Each finds its place in the given image, so they work for the
// miniature of the tests and for images that QEMU starts.

import type { BootLink } from '../../src/boot/links.ts';
import { bytesSource, concatBytes } from '../../src/bytes/source.ts';
import type { ImageEntry } from '../../src/iso9660/entry.ts';
import { readU16Le, readU32Le, writeU16Le, writeU32Be, writeU32Le } from '../../src/iso9660/fields.ts';
import { type Iso, openIso } from '../../src/iso9660/reader.ts';
import { utf8 } from '../initrd/archives.ts';

export interface Mutation {
  readonly name: string;
  /** The proof must name one of these. */
  readonly links: readonly BootLink['name'][];
  readonly mutate: (image: Draft, random: (below: number) => number) => void | Promise<void>;
}

/** An image that is being changed. */
export class Draft {
  bytes: Uint8Array;
  readonly #iso: Iso;

  private constructor(bytes: Uint8Array, iso: Iso) {
    this.bytes = bytes.slice();
    this.#iso = iso;
  }

  static async of(bytes: Uint8Array): Promise<Draft> {
    return new Draft(bytes, await openIso(bytesSource(bytes)));
  }

  entry(path: string): Promise<ImageEntry> {
    return this.#iso.entry(path);
  }

  async place(path: string): Promise<number> {
    return (await this.entry(path)).extents[0]?.offset ?? Number.NaN;
  }

  get volumeEnd(): number {
    return this.#iso.volume.spaceSize * 2048;
  }

  get descriptor(): number {
    return this.#iso.volume.primary.offset;
  }

  get joliet(): number {
    return this.#iso.volume.descriptors.find(({ type }) => type === 'supplementary')?.offset ?? Number.NaN;
  }

  get catalog(): number {
    return readU32Le(this.bytes, 17 * 2048 + 71) * 2048;
  }

  set(offset: number, change: string | readonly number[] | Uint8Array): void {
    this.bytes.set(typeof change === 'string' ? utf8(change) : change, offset);
  }

  cut(size: number): void {
    this.bytes = this.bytes.slice(0, size);
  }

  extend(length: number): void {
    this.bytes = concatBytes([this.bytes, new Uint8Array(length)]);
  }

  flip(offset: number, bit: number): void {
    this.bytes[offset] = (this.bytes[offset] ?? 0) ^ (1 << bit);
  }

  number(offset: number): number {
    return readU32Le(this.bytes, offset);
  }

  setNumber(offset: number, value: number): void {
    writeU32Le(this.bytes, offset, value);
  }

  async setExtent(path: string, sectors: number): Promise<void> {
    const at = (await this.entry(path)).recordOffset + 2;
    const sector = this.number(at) + sectors;
    this.setNumber(at, sector);
    writeU32Be(this.bytes, at + 4, sector);
  }

  async setLength(path: string, change: (length: number) => number): Promise<void> {
    const at = (await this.entry(path)).recordOffset + 10;
    const length = change(this.number(at));
    this.setNumber(at, length);
    writeU32Be(this.bytes, at + 4, length);
  }

  /** Replaces the first occurrence of a text in a file by another text of the same length. */
  async edit(path: string, from: string, to: string): Promise<void> {
    this.set(await this.find(path, from), to.padEnd(from.length));
  }

  /** Position of a text in a file. */
  async find(path: string, what: string): Promise<number> {
    const { extents } = await this.entry(path);
    const { offset = 0, length = 0 } = extents[0] ?? {};
    const at = indexOf(this.bytes.subarray(offset, offset + length), utf8(what));
    if (at === -1) throw new Error(`${path} has no ${what}`);
    return offset + at;
  }

  /** Changes a record's name in every tree that has it, and its Rock Ridge name in the primary tree. */
  async rename(path: string, change: string): Promise<void> {
    const { recordOffset, name } = await this.entry(path);
    const end = recordOffset + (this.bytes[recordOffset] ?? 0);
    for (const each of [name, name.toUpperCase()]) {
      for (let at = indexOf(this.bytes.subarray(recordOffset, end), utf8(each)); at !== -1; at = -1)
        this.set(recordOffset + at, change);
    }
  }

  inEfi(what: string): Promise<number> {
    return this.find(EFI, what);
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(wanted);
}

const EFI = 'images/efiboot.img';
const KERNEL = 'images/pxeboot/vmlinuz';
const INITRD = 'images/pxeboot/initrd.img';
const IGNITION = 'images/ignition.img';
const GRUB_CFG = 'EFI/fedora/grub.cfg';
const ISOLINUX_CFG = 'isolinux/isolinux.cfg';
const ISOLINUX_BIN = 'isolinux/isolinux.bin';
const LDLINUX = 'isolinux/ldlinux.c32';
const KARGS_JSON = 'coreos/kargs.json';

const BIOS_ENTRY = 32;
const EFI_ENTRY = 96;

/** An unusual newc archive: a file whose folder is missing. */
function orphan(path: string): Uint8Array {
  const member = (name: string, mode: number, content: string): Uint8Array => {
    const fields = [1, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, name.length + 1, 0];
    const head = utf8(`070701${fields.map((each) => each.toString(16).padStart(8, '0')).join('')}${name}\0`);
    const pad = (length: number): Uint8Array => new Uint8Array((4 - (length % 4)) % 4);
    return concatBytes([head, pad(head.length), utf8(content), pad(content.length)]);
  };
  return concatBytes([member(path, 0o100600, 'lost'), member('TRAILER!!!', 0, '')]);
}

export const BREAKING: readonly Mutation[] = [
  {
    name: 'the end is cut off',
    links: ['volume'],
    mutate: (image, random) => image.cut(image.volumeEnd - 1 - random(60_000)),
  },
  {
    name: 'the boot record is of another system',
    links: ['boot catalogue'],
    mutate: (image, random) => image.flip(17 * 2048 + 7 + random(20), 0),
  },
  {
    name: 'the boot record points elsewhere',
    links: ['boot catalogue'],
    mutate: (image, random) => image.setNumber(17 * 2048 + 71, image.catalog / 2048 + 1 + random(5)),
  },
  {
    name: 'the catalogue has no signature',
    links: ['boot catalogue'],
    mutate: (image) => image.set(image.catalog + 30, [0, 0]),
  },
  {
    name: 'the sum of the catalogue is wrong',
    links: ['boot catalogue'],
    mutate: (image, random) => image.flip(image.catalog + 28 + random(2), random(8)),
  },
  {
    name: 'the entry for BIOS is not bootable',
    links: ['boot catalogue'],
    mutate: (image) => image.set(image.catalog + BIOS_ENTRY, [0]),
  },
  {
    name: 'the entry for BIOS points elsewhere',
    links: ['loader'],
    mutate: (image, random) =>
      image.setNumber(image.catalog + BIOS_ENTRY + 8, image.number(image.catalog + BIOS_ENTRY + 8) + 1 + random(9)),
  },
  {
    name: 'the loader of BIOS is loaded to another segment',
    links: ['boot catalogue'],
    mutate: (image, random) => image.set(image.catalog + BIOS_ENTRY + 2, [0, 0x10 + random(16)]),
  },
  {
    name: 'nothing of the loader is loaded',
    links: ['boot catalogue'],
    mutate: (image) => image.set(image.catalog + BIOS_ENTRY + 6, [0, 0]),
  },
  {
    name: 'the entry for UEFI is not bootable',
    links: ['boot catalogue'],
    mutate: (image) => image.set(image.catalog + EFI_ENTRY, [0]),
  },
  {
    name: 'the entry for UEFI points elsewhere',
    links: ['boot catalogue'],
    mutate: (image, random) =>
      image.setNumber(image.catalog + EFI_ENTRY + 8, image.number(image.catalog + EFI_ENTRY + 8) + 1 + random(9)),
  },
  {
    name: 'the MBR has no signature',
    links: ['MBR'],
    mutate: (image, random) => image.flip(510 + random(2), random(8)),
  },
  {
    name: 'the MBR points to another loader',
    links: ['loader'],
    mutate: (image, random) => image.setNumber(432, image.number(432) + 4 * (1 + random(9))),
  },
  { name: 'the MBR has no boot code', links: ['MBR'], mutate: (image) => image.set(0, new Uint8Array(432)) },
  {
    name: 'the EFI partition of the MBR begins elsewhere',
    links: ['MBR'],
    mutate: (image, random) => image.setNumber(462 + 8, image.number(462 + 8) + 1 + random(9)),
  },
  {
    name: 'the EFI partition of the MBR is of another type',
    links: ['MBR'],
    mutate: (image, random) => image.set(462 + 4, [1 + random(100)]),
  },
  {
    name: 'the GPT header has another checksum',
    links: ['GPT'],
    mutate: (image, random) => image.flip(512 + 16 + random(4), random(8)),
  },
  {
    name: 'the GPT header is damaged',
    links: ['GPT'],
    mutate: (image, random) => image.flip(512 + 24 + random(60), random(8)),
  },
  {
    name: 'the GPT entries are damaged',
    links: ['GPT'],
    mutate: (image, random) => image.flip(1024 + random(256), random(8)),
  },
  {
    name: 'the GPT has no signature',
    links: ['GPT'],
    mutate: (image, random) => image.flip(512 + random(8), random(8)),
  },
  {
    name: 'the EFI image has no sectors',
    links: ['EFI image'],
    mutate: async (image) => image.set((await image.place(EFI)) + 11, [0, 0]),
  },
  {
    name: 'the EFI image is zeroed',
    links: ['EFI image'],
    mutate: async (image) => image.set(await image.place(EFI), new Uint8Array(512)),
  },
  {
    name: 'the allocation table of the EFI image is zeroed',
    links: ['EFI image', 'loader'],
    mutate: async (image) => image.set((await image.place(EFI)) + 512, new Uint8Array(512)),
  },
  {
    name: 'the loader of UEFI has another name',
    links: ['loader'],
    mutate: async (image, random) => image.set((await image.inEfi('BOOTX64 EFI')) + random(7), 'Q'),
  },
  {
    name: 'the loader of UEFI is deleted',
    links: ['loader'],
    mutate: async (image) => image.set(await image.inEfi('BOOTX64 EFI'), [0xe5]),
  },
  {
    name: 'the loader of UEFI is cut',
    links: ['loader'],
    mutate: async (image, random) => {
      const at = (await image.inEfi('BOOTX64 EFI')) + 28;
      image.setNumber(at, image.number(at) - 520 - random(400));
    },
  },
  {
    name: 'the loader of UEFI is no program',
    links: ['loader'],
    mutate: async (image) => image.set(await image.inEfi('PE\0\0'), 'NE'),
  },
  {
    name: 'the loader of UEFI is for another machine',
    links: ['loader'],
    mutate: async (image) => image.set((await image.inEfi('PE\0\0')) + 4, [0x64, 0xaa]),
  },
  {
    name: 'GRUB searches for another label',
    links: ['menu'],
    mutate: async (image) => image.set((await image.inEfi('search --label ')) + 15, 'Z'),
  },
  {
    name: 'a bit of isolinux is another',
    links: ['loader'],
    mutate: async (image, random) =>
      image.flip(
        (await image.place(ISOLINUX_BIN)) + 100 + random((await image.entry(ISOLINUX_BIN)).size - 100),
        random(8),
      ),
  },
  {
    name: 'isolinux looks for itself elsewhere',
    links: ['loader'],
    mutate: async (image, random) => image.flip((await image.place(ISOLINUX_BIN)) + 12, random(8)),
  },
  {
    name: 'isolinux has another length',
    links: ['loader'],
    mutate: (image, random) => image.setLength(ISOLINUX_BIN, (length) => length - 1 - random(1000)),
  },
  {
    name: 'isolinux.bin has another name',
    links: ['loader', 'boot catalogue'],
    mutate: async (image) => image.setExtent(ISOLINUX_BIN, 1),
  },
  {
    name: 'ldlinux.c32 is damaged',
    links: ['loader'],
    mutate: async (image, random) => image.flip((await image.place(LDLINUX)) + random(6), random(8)),
  },
  { name: 'ldlinux.c32 is missing', links: ['loader'], mutate: (image) => image.rename(LDLINUX, 'q') },
  { name: 'the menu of isolinux is missing', links: ['menu'], mutate: (image) => image.rename(ISOLINUX_CFG, 'q') },
  {
    name: 'the menu of isolinux names another kernel',
    links: ['kernel'],
    mutate: (image) => image.edit(ISOLINUX_CFG, 'pxeboot/vmlinuz', 'pxeboot/vmlinux'),
  },
  {
    name: 'the menu of isolinux names another initrd',
    links: ['initrds'],
    mutate: (image) => image.edit(ISOLINUX_CFG, 'pxeboot/initrd.img', 'pxeboot/initrd.imh'),
  },
  {
    name: 'the menu of isolinux does not load the area',
    links: ['areas'],
    mutate: (image) => image.edit(ISOLINUX_CFG, 'initrd.img,/images/ignition.img', 'initrd.img'),
  },
  {
    name: 'the menu of isolinux has no entry',
    links: ['menu'],
    mutate: (image) => image.edit(ISOLINUX_CFG, 'label linux', '#abel linux'),
  },
  {
    name: 'the menu of isolinux gives no arguments',
    links: ['initrds', 'menu', 'areas'],
    mutate: (image) => image.edit(ISOLINUX_CFG, '  append ', '  appond '),
  },
  { name: 'the menu of GRUB is missing', links: ['menu'], mutate: (image) => image.rename(GRUB_CFG, 'q') },
  {
    name: 'the menu of GRUB names another kernel',
    links: ['kernel'],
    mutate: (image) => image.edit(GRUB_CFG, 'pxeboot/vmlinuz', 'pxeboot/vmlinux'),
  },
  {
    name: 'the menu of GRUB names another initrd',
    links: ['initrds'],
    mutate: (image) => image.edit(GRUB_CFG, 'pxeboot/initrd.img', 'pxeboot/initrd.imh'),
  },
  {
    name: 'the menu of GRUB does not load the area',
    links: ['areas'],
    mutate: (image) => image.edit(GRUB_CFG, ' /images/ignition.img', ' '),
  },
  {
    name: 'the menu of GRUB has an unknown command',
    links: ['menu'],
    mutate: (image) => image.edit(GRUB_CFG, 'linux /images', 'linuz /images'),
  },
  {
    name: 'the entry of GRUB is never closed',
    links: ['menu'],
    mutate: (image) => image.edit(GRUB_CFG, 'ignition.img\n}', 'ignition.img\n'),
  },
  {
    name: 'an entry of GRUB has an open quotation mark',
    links: ['menu'],
    mutate: (image) => image.edit(GRUB_CFG, 'console=', 'consol"='),
  },
  {
    name: 'the kernel is elsewhere',
    links: ['kernel'],
    mutate: (image, random) => image.setExtent(KERNEL, 1 + random(5)),
  },
  {
    name: 'the kernel is cut',
    links: ['kernel'],
    mutate: (image, random) => image.setLength(KERNEL, (length) => length - 2048 - random(10_000)),
  },
  {
    name: 'the kernel is zeroed',
    links: ['kernel'],
    mutate: async (image) => image.set(await image.place(KERNEL), new Uint8Array(2048)),
  },
  {
    name: 'the kernel has no header',
    links: ['kernel'],
    mutate: async (image, random) => image.flip((await image.place(KERNEL)) + 0x202 + random(4), random(8)),
  },
  { name: 'the kernel has another name', links: ['kernel'], mutate: (image) => image.rename(KERNEL, 'q') },
  {
    name: 'the kernel lies behind the image',
    links: ['kernel', 'menu'],
    mutate: (image) => image.setExtent(KERNEL, 10_000_000),
  },
  {
    name: 'the initrd is cut',
    links: ['initramfs'],
    mutate: (image, random) => image.setLength(INITRD, (length) => length - 20 - random(1000)),
  },
  {
    name: 'the initrd is elsewhere',
    links: ['initramfs'],
    mutate: (image, random) => image.setExtent(INITRD, -1 - random(2)),
  },
  {
    name: 'the initrd is damaged',
    links: ['initramfs'],
    mutate: async (image, random) =>
      image.set((await image.place(INITRD)) + 200 + random(500), [0xff, 0, 0xff, 0, 0xff, 0x5a]),
  },
  { name: 'the initrd is empty', links: ['initrds', 'initramfs'], mutate: (image) => image.setLength(INITRD, () => 0) },
  {
    name: 'a file in the area has no folder',
    links: ['initramfs'],
    mutate: async (image) =>
      image.set(await image.place(IGNITION), orphan('etc/coreos-firstboot-network/a.nmconnection')),
  },
  {
    name: 'there is garbage in the area',
    links: ['initramfs'],
    mutate: async (image, random) => image.set((await image.place(IGNITION)) + random(2000), 'garbage'),
  },
  {
    name: 'the area overlaps the kernel',
    links: ['areas'],
    mutate: async (image) =>
      image.setExtent(IGNITION, Math.floor(((await image.place(KERNEL)) - (await image.place(IGNITION))) / 2048)),
  },
  {
    name: 'the area for arguments begins elsewhere',
    links: ['areas'],
    mutate: (image) =>
      image.edit(KARGS_JSON, '"size": 1', '"size": 2').catch(() => image.edit(KARGS_JSON, '"size":1', '"size":2')),
  },
  {
    name: 'the areas for arguments are of other files',
    links: ['areas'],
    mutate: (image) => image.edit(KARGS_JSON, 'grub.cfg', 'grub.xfg'),
  },
  {
    name: 'igninfo.json names no file',
    links: ['areas'],
    mutate: (image) => image.edit('coreos/igninfo.json', 'ignition.img', 'ignition.imh'),
  },
  {
    name: 'the root directory is elsewhere',
    links: ['volume', 'loader', 'menu'],
    mutate: (image, random) => image.setNumber(image.descriptor + 158, 20 + random(10) * 100),
  },
  {
    name: 'the blocks have another size',
    links: ['volume'],
    mutate: (image) => image.set(image.descriptor + 128, [0, 2]),
  },
  {
    name: 'the volume has another name',
    links: ['root', 'menu'],
    mutate: (image) => image.set(image.descriptor + 40, 'X'),
  },
  {
    name: 'the EFI partition of the MBR protects a GPT that is not there',
    links: ['MBR'],
    mutate: (image) => image.set(462 + 4, [0xee]),
  },
  {
    name: 'the loader of UEFI has a letter more that looks like a blank',
    links: ['loader'],
    mutate: async (image) => image.set((await image.inEfi('BOOTX64 EFI')) + 7, [0xa0]),
  },
  {
    name: 'the entry for BIOS is a floppy',
    links: ['boot catalogue'],
    mutate: (image, random) => image.set(image.catalog + BIOS_ENTRY + 1, [1 + random(3)]),
  },
  {
    name: 'the modules of GRUB are in a section of another name',
    links: ['loader'],
    mutate: async (image, random) => image.set((await image.inEfi('mods')) + random(4), 'q'),
  },
  {
    name: 'the header of the loader of UEFI has another size',
    links: ['loader'],
    mutate: async (image, random) => image.flip((await image.inEfi('PE\0\0')) + 20, random(8)),
  },
  {
    name: 'the loader of UEFI has a section outside of its memory',
    links: ['loader'],
    mutate: async (image, random) => image.set((await image.inEfi('mods')) + 14, [1 + random(255)]),
  },
  // udev uses Joliet's label if it differs.
  { name: 'Joliet has another label', links: ['root'], mutate: (image) => image.set(image.joliet + 40, [0, 0x51]) },
];

export const HARMLESS: readonly Omit<Mutation, 'links'>[] = [
  // udev completes Joliet's label from the primary one.
  { name: 'an end of the label in Joliet', mutate: (image) => image.set(image.joliet + 40 + 20, new Uint8Array(12)) },
  { name: 'dates of the volume', mutate: (image, random) => image.set(image.descriptor + 813, `20${10 + random(80)}`) },
  { name: 'the publisher', mutate: (image) => image.set(image.descriptor + 318, 'ANOTHER PUBLISHER') },
  { name: 'the application', mutate: (image) => image.set(image.descriptor + 574, 'ANOTHER APPLICATION') },
  {
    name: 'path tables',
    mutate: (image, random) => image.flip(image.number(image.descriptor + 140) * 2048 + random(10), random(8)),
  },
  {
    name: 'the date of a file',
    mutate: async (image, random) => image.set((await image.entry(KERNEL)).recordOffset + 18, [random(120)]),
  },
  {
    name: 'the big-endian place of a file',
    mutate: async (image, random) => image.flip((await image.entry(KERNEL)).recordOffset + 6, random(8)),
  },
  {
    name: 'the big-endian length of a file',
    mutate: async (image, random) => image.flip((await image.entry(INITRD)).recordOffset + 14, random(8)),
  },
  {
    name: 'the big-endian size of the volume',
    mutate: (image, random) => image.flip(image.descriptor + 84, random(8)),
  },
  { name: 'the size of the volume in Joliet', mutate: (image) => image.setNumber(image.joliet + 80, 100) },
  {
    name: 'bytes behind the last copy of the GPT',
    mutate: (image, random) => image.extend(512 * (1 + random(1000))),
  },
  {
    name: 'the end behind the volume is missing',
    mutate: (image) => image.cut(image.volumeEnd),
  },
  {
    name: 'the backup of the GPT',
    mutate: (image, random) => image.flip(image.bytes.length - 512 + random(90), random(8)),
  },
  {
    name: 'the entries in the backup of the GPT',
    mutate: (image, random) => image.flip(image.bytes.length - 512 * 33 + random(512), random(8)),
  },
  { name: 'the signature of the disk', mutate: (image, random) => image.flip(440 + random(4), random(8)) },
  { name: 'the active flag', mutate: (image) => image.set(446, [0]) },
  { name: 'cylinders, heads and sectors', mutate: (image, random) => image.flip(446 + 5 + random(3), random(8)) },
  { name: 'the size of the partition that is the image', mutate: (image) => image.setNumber(446 + 12, 64) },
  {
    name: 'the reserved end of the GPT header',
    mutate: (image, random) => image.flip(512 + 100 + random(400), random(8)),
  },
  { name: 'unused bytes of the system area', mutate: (image, random) => image.set(20_000 + random(10_000), 'hello') },
  {
    name: 'unused bytes of the boot record',
    mutate: (image, random) => image.set(17 * 2048 + 200 + random(1000), 'hello'),
  },
  {
    name: 'the end of the catalogue',
    mutate: (image, random) => image.set(image.catalog + 512 + random(1000), 'hello'),
  },
  {
    name: 'a comment in the menu of isolinux',
    mutate: (image) => image.edit(ISOLINUX_CFG, '#################', '# a comment here '),
  },
  {
    name: 'a comment in the menu of GRUB',
    mutate: (image) => image.edit(GRUB_CFG, '#################', '# a comment here '),
  },
  {
    name: 'the title of the entry of GRUB',
    mutate: async (image) => image.set((await image.find(GRUB_CFG, 'menuentry ')) + 12, 'Z'),
  },
  { name: 'the time that the menu waits', mutate: (image) => image.edit(ISOLINUX_CFG, 'timeout ', 'timeout 9') },
  {
    name: 'the time that GRUB waits',
    mutate: async (image, random) => image.set((await image.find(GRUB_CFG, 'timeout=')) + 8, `${random(10)}`),
  },
  { name: 'features', mutate: (image) => image.edit('coreos/features.json', 'true', 'null') },
  {
    name: 'the name of the maker of the FAT',
    mutate: async (image) => image.set((await image.place(EFI)) + 3, 'nobody  '),
  },
  {
    name: 'the serial number of the FAT',
    mutate: async (image, random) => image.flip((await image.place(EFI)) + 39 + random(4), random(8)),
  },
  { name: 'the label of the FAT', mutate: async (image) => image.set(await image.inEfi('ESP     '), 'ABC') },
  { name: 'the signature of the FAT', mutate: async (image) => image.set((await image.place(EFI)) + 510, [0, 0]) },
  {
    name: 'the length of the EFI image in the catalogue',
    mutate: (image) => writeU16Le(image.bytes, image.catalog + EFI_ENTRY + 6, 0),
  },
  {
    name: 'half the length of the EFI image in the catalogue',
    mutate: (image) =>
      writeU16Le(
        image.bytes,
        image.catalog + EFI_ENTRY + 6,
        Math.ceil(readU16Le(image.bytes, image.catalog + EFI_ENTRY + 6) / 2),
      ),
  },
  {
    name: 'the system type in the catalogue',
    mutate: (image, random) => image.set(image.catalog + BIOS_ENTRY + 4, [random(255)]),
  },
  {
    name: 'more of the loader is loaded',
    mutate: (image, random) => writeU16Le(image.bytes, image.catalog + BIOS_ENTRY + 6, 5 + random(20)),
  },
  { name: 'the customary segment', mutate: (image) => writeU16Le(image.bytes, image.catalog + BIOS_ENTRY + 2, 0x7c0) },
  {
    name: 'zeros behind the initrd',
    mutate: (image) => image.setLength(INITRD, (length) => length + 4),
  },
  {
    name: 'a longer kernel',
    mutate: (image, random) => image.setLength(KERNEL, (length) => length + 1 + random(2000)),
  },
  { name: 'a directory record of the kernel in Joliet', mutate: (image) => image.setNumber(image.joliet + 156 + 2, 3) },
];

/** Reproducible pseudo-random numbers (xorshift32). */
export function seeded(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 1) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}
