// UEFI programs (PE32+), and the data inside GRUB's own. Left out: signatures.
import type { ByteSource } from '../bytes/source.ts';
import { readLatin1, readU16Le, readU32Le, readU64Le } from '../iso9660/fields.ts';

/** UEFI's machines, by their number in a program, with the name of the default loader. */
export const EFI_MACHINES: Readonly<Record<number, { readonly loader: string; readonly cpu: string }>> = {
  34404: { loader: 'BOOTX64.EFI', cpu: 'x86_64' },
  43620: { loader: 'BOOTAA64.EFI', cpu: 'arm64' },
  332: { loader: 'BOOTIA32.EFI', cpu: 'i386' },
  20580: { loader: 'BOOTRISCV64.EFI', cpu: 'riscv64' },
};

interface Section {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** The headers of a UEFI program, or its fault. */
export interface EfiProgram {
  readonly machine: number;
  readonly sections: readonly Section[];
}

const OPTIONAL_HEADER = 24;
const SECTION_SIZE = 40;
const EFI_APPLICATION = 10;
const IA32 = 0x14c;

/** The program in `source`, or the reason why firmware would not start it. */
export async function parseEfiProgram(source: ByteSource, signal?: AbortSignal): Promise<EfiProgram | string> {
  const start = await source.read(0, Math.min(source.size, 4096), signal);
  if (start.length < 64 || readLatin1(start, 0, 2) !== 'MZ') return 'is not a program (no MZ at its beginning)';
  const at = readU32Le(start, 0x3c);
  if (at + OPTIONAL_HEADER + 72 > start.length || readLatin1(start, at, 4) !== 'PE\0\0')
    return 'is not a program (no PE header)';
  const machine = readU16Le(start, at + 4);
  const count = readU16Le(start, at + 6);
  const table = at + OPTIONAL_HEADER + readU16Le(start, at + 20);
  if (readU16Le(start, at + OPTIONAL_HEADER + 68) !== EFI_APPLICATION) return 'is not a program for UEFI';
  const magic = readU16Le(start, at + OPTIONAL_HEADER);
  if (magic !== (machine === IA32 ? 0x10b : 0x20b)) return 'has a header for another machine';
  const fixed = machine === IA32 ? 96 : 112;
  const directories = readU32Le(start, at + OPTIONAL_HEADER + fixed - 4);
  if (readU16Le(start, at + 20) !== fixed + directories * 8) return 'has a header whose parts do not fit each other';
  const headers = readU32Le(start, at + OPTIONAL_HEADER + 60);
  if (headers < table + count * SECTION_SIZE || headers > source.size) return 'declares a wrong size of its headers';
  if (count === 0 || table + count * SECTION_SIZE > start.length) return 'has no sections';
  const entryPoint = readU32Le(start, at + OPTIONAL_HEADER + 16);
  const imageSize = readU32Le(start, at + OPTIONAL_HEADER + 56);
  if (entryPoint === 0 || entryPoint >= imageSize) return 'has its entry point outside of the program';
  const sections: Section[] = [];
  for (let index = 0; index < count; index++) {
    const section = start.subarray(table + index * SECTION_SIZE, table + (index + 1) * SECTION_SIZE);
    const length = readU32Le(section, 16);
    const offset = readU32Le(section, 20);
    if (readU32Le(section, 12) + readU32Le(section, 8) > imageSize) return 'has a section outside of the program';
    if (length > 0 && offset + length > source.size)
      return `is truncated: it has ${source.size} bytes, and needs ${offset + length}`;
    sections.push({ name: readLatin1(section, 0, 8).replace(/\0+$/, ''), offset, length });
  }
  return { machine, sections };
}

/** The build settings of GRUB. */
export interface GrubBuild {
  /** The folder of its menu, such as `/EFI/fedora` or `(memdisk)/boot/grub`. */
  readonly prefix: string;
  /** Commands that it runs first. */
  readonly config: string;
  readonly hasMemdisk: boolean;
}

/** GRUB's include/grub/kernel.h. */
const MODULES_MAGIC = 0x676d696d;
const MODULE = { memdisk: 1, config: 2, prefix: 3 } as const;
const MODULE_LIMIT = 4096;
const TEXT_LIMIT = 64 * 1024;

/** GRUB's own parts, in the section `mods`; `undefined` for other programs. A string describes their fault. */
export async function readGrubBuild(
  source: ByteSource,
  { machine, sections }: EfiProgram,
  signal?: AbortSignal,
): Promise<GrubBuild | string | undefined> {
  const section = sections.find(({ name }) => name === 'mods');
  for (const other of section === undefined ? sections.filter(({ length }) => length >= 24) : []) {
    if (readU32Le(await source.read(other.offset, 4, signal), 0) === MODULES_MAGIC)
      return `has the modules of GRUB in a section ${other.name}, where GRUB does not look for them`;
  }
  if (section === undefined || section.length < 24) return undefined;
  const head = await source.read(section.offset, 24, signal);
  if (readU32Le(head, 0) !== MODULES_MAGIC) return 'has no modules of GRUB where they should be';
  const [first, length] =
    machine === IA32 ? [readU32Le(head, 4), readU32Le(head, 8)] : [readU64Le(head, 8), readU64Le(head, 16)];
  const end = section.offset + length;
  if (length > section.length || first > length) return 'has modules of GRUB that end past their section';
  const build = { prefix: '', config: '', hasMemdisk: false };
  let at = section.offset + first;
  for (let count = 0; count < MODULE_LIMIT && at + 8 <= end; count++) {
    const header = await source.read(at, 8, signal);
    const [type, size] = [readU32Le(header, 0), readU32Le(header, 4)];
    if (size < 8 || at + size > end) return 'has a module of GRUB that ends past the declared end of all';
    if (type === MODULE.memdisk) build.hasMemdisk = true;
    if (type === MODULE.config || type === MODULE.prefix) {
      const bytes = await source.read(at + 8, Math.min(size - 8, TEXT_LIMIT), signal);
      const text = new TextDecoder().decode(bytes).replace(/\0[\s\S]*$/, '');
      build[type === MODULE.config ? 'config' : 'prefix'] = text;
    }
    at += size;
  }
  return build;
}
