// Files that pass for programs and file systems: valid headers followed by random bytes.
import { concatBytes } from '../../src/bytes/source.ts';
import { writeLatin1, writeU16Le, writeU32Le, writeU64Le } from '../../src/iso9660/fields.ts';
import { noise, utf8 } from '../initrd/archives.ts';

/** Documentation/arch/x86/boot.rst: one sector of setup after the first, then paragraphs of 16 bytes. */
export function linuxKernel(paragraphs = 2000): Uint8Array {
  const bytes = concatBytes([noise('program', 1024 + paragraphs * 16)]).slice();
  bytes[0x1f1] = 1;
  writeU32Le(bytes, 0x1f4, paragraphs);
  writeU16Le(bytes, 0x1fe, 0xaa55);
  writeLatin1(bytes, 0x202, 4, 'HdrS');
  writeU16Le(bytes, 0x206, 0x20f);
  writeU32Le(bytes, 0x238, 2047);
  return bytes;
}

export function isolinuxProgram(): Uint8Array {
  const bytes = noise('program', 6000).slice();
  writeU32Le(bytes, 64, 0x7078c0fb);
  writeLatin1(bytes, 72, 14, 'ISOLINUX 6.04 ');
  return bytes;
}

/** A 32-bit shared object that needs others. */
export function elfModule(needed: readonly string[]): Uint8Array {
  const strings = utf8(`\0${needed.map((name) => `${name}\0`).join('')}`);
  const [dynamicAt, stringsAt] = [116, 116 + (needed.length + 2) * 8];
  const bytes = new Uint8Array(stringsAt + strings.length);
  writeLatin1(bytes, 0, 6, '\x7fELF\x01\x01');
  writeU16Le(bytes, 16, 3);
  writeU16Le(bytes, 18, 3);
  writeU32Le(bytes, 28, 52);
  writeU16Le(bytes, 42, 32);
  writeU16Le(bytes, 44, 2);
  const segments = [
    [1, 0, 0, 0, bytes.length],
    [2, dynamicAt, dynamicAt, 0, (needed.length + 2) * 8],
  ];
  segments.forEach((fields, index) => {
    fields.forEach((field, position) => {
      writeU32Le(bytes, 52 + index * 32 + position * 4, field);
    });
  });
  let position = 1;
  needed.forEach((name, index) => {
    writeU32Le(bytes, dynamicAt + index * 8, 1);
    writeU32Le(bytes, dynamicAt + index * 8 + 4, position);
    position += name.length + 1;
  });
  writeU32Le(bytes, dynamicAt + needed.length * 8, 5);
  writeU32Le(bytes, dynamicAt + needed.length * 8 + 4, stringsAt);
  bytes.set(strings, stringsAt);
  return bytes;
}

const MACHINE_X86_64 = 62;

/** A 64-bit Linux program, with an optional interpreter that loads it. */
export function elfProgram({
  interpreter = '',
  machine = MACHINE_X86_64,
}: {
  interpreter?: string;
  machine?: number;
} = {}): Uint8Array {
  const bytes = concatBytes([new Uint8Array(120), utf8(`${interpreter}\0`), noise('program', 2000)]).slice();
  writeLatin1(bytes, 0, 6, '\x7fELF\x02\x01');
  writeU16Le(bytes, 18, machine);
  if (interpreter === '') return bytes;
  writeU64Le(bytes, 32, 64);
  writeU16Le(bytes, 54, 56);
  writeU16Le(bytes, 56, 1);
  writeU32Le(bytes, 64, 3);
  writeU64Le(bytes, 64 + 8, 120);
  writeU64Le(bytes, 64 + 32, interpreter.length + 1);
  return bytes;
}

/** A program for UEFI on x86-64; with a prefix it is GRUB. */
export function efiProgram({
  prefix,
  config = '',
  machine = 0x8664,
}: {
  prefix?: string;
  config?: string;
  machine?: number;
}): Uint8Array {
  const mods = prefix === undefined ? noise('program', 512) : grubModules(prefix, config);
  const bytes = new Uint8Array(1024 + mods.length);
  writeLatin1(bytes, 0, 2, 'MZ');
  writeU32Le(bytes, 0x3c, 0x80);
  writeLatin1(bytes, 0x80, 4, 'PE\0\0');
  writeU16Le(bytes, 0x84, machine);
  writeU16Le(bytes, 0x86, 1);
  writeU16Le(bytes, 0x94, 240);
  writeU16Le(bytes, 0x98, 0x20b);
  writeU32Le(bytes, 0x98 + 16, 0x1000);
  writeU32Le(bytes, 0x98 + 56, 0x10000);
  writeU32Le(bytes, 0x98 + 60, 1024);
  writeU16Le(bytes, 0x98 + 68, 10);
  writeU32Le(bytes, 0x98 + 108, 16);
  const section = 0x98 + 240;
  writeLatin1(bytes, section, 4, 'mods');
  writeU32Le(bytes, section + 16, mods.length);
  writeU32Le(bytes, section + 20, 1024);
  bytes.set(mods, 1024);
  return bytes;
}

function grubModules(prefix: string, config: string): Uint8Array {
  const parts = [
    module(0, noise('program', 300)),
    ...(config === '' ? [] : [module(2, utf8(`${config}\0`))]),
    module(3, utf8(`${prefix}\0`)),
  ];
  const body = concatBytes(parts);
  const head = new Uint8Array(24);
  writeU32Le(head, 0, 0x676d696d);
  writeU64Le(head, 8, 24);
  writeU64Le(head, 16, 24 + body.length);
  return concatBytes([head, body, new Uint8Array(512 - ((24 + body.length) % 512))]);
}

function module(type: number, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + Math.ceil(content.length / 8) * 8);
  writeU32Le(bytes, 0, type);
  writeU32Le(bytes, 4, bytes.length);
  bytes.set(content, 8);
  return bytes;
}

const SECTOR = 512;
const FAT_SECTORS = 8;
const ROOT_ENTRIES = 64;
const SECTORS = 1000;
const FAT_OFFSET = SECTOR;
const FAT_ROOT_OFFSET: number = SECTOR * (1 + FAT_SECTORS);
const FAT_DATA_OFFSET: number = FAT_ROOT_OFFSET + ROOT_ENTRIES * 32;

/** FAT12 with one table and sectors of 512 bytes as clusters. Names are in 8.3 format. */
export function fatImage(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const bytes = new Uint8Array(SECTORS * SECTOR);
  bytes.set([0xeb, 0x3c, 0x90]);
  writeU16Le(bytes, 11, SECTOR);
  bytes[13] = 1;
  writeU16Le(bytes, 14, 1);
  bytes[16] = 1;
  writeU16Le(bytes, 17, ROOT_ENTRIES);
  writeU16Le(bytes, 19, SECTORS);
  bytes[21] = 0xf0;
  writeU16Le(bytes, 22, FAT_SECTORS);
  writeU32Le(bytes, 39, 0x12345678);
  writeU16Le(bytes, 510, 0xaa55);
  let next = 2;
  const link = (cluster: number, value: number): void => {
    const at = FAT_OFFSET + Math.floor(cluster * 1.5);
    const old = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    writeU16Le(bytes, at, cluster % 2 === 0 ? (old & 0xf000) | value : (old & 0x000f) | (value << 4));
  };
  const store = (content: Uint8Array): number => {
    const first = next;
    const count = Math.max(1, Math.ceil(content.length / SECTOR));
    bytes.set(content, FAT_DATA_OFFSET + (first - 2) * SECTOR);
    for (let index = 0; index < count; index++) link(next++, index === count - 1 ? 0xfff : next);
    return first;
  };
  const entry = (name: string, attributes: number, cluster: number, size: number): Uint8Array => {
    const [base = '', extension = ''] = name.toUpperCase().split('.');
    const record = new Uint8Array(32);
    record.set(utf8(base.padEnd(8) + extension.padEnd(3)));
    record[11] = attributes;
    writeU16Le(record, 26, cluster);
    writeU32Le(record, 28, size);
    return record;
  };
  const folder = (prefix: string): Uint8Array => {
    const names = new Set(
      Object.keys(files)
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length).split('/')[0] ?? ''),
    );
    return concatBytes(
      [...names].map((name) => {
        const content = files[prefix + name];
        if (content !== undefined) return entry(name, 0x20, store(content), content.length);
        return entry(name, 0x10, store(folder(`${prefix}${name}/`)), 0);
      }),
    );
  };
  bytes.set(concatBytes([entry('ESP', 0x08, 0, 0), folder('')]), FAT_ROOT_OFFSET);
  return bytes;
}

/** The bytes that identify isohybrid's boot code. */
export const MBR_CODE: Uint8Array = concatBytes([
  new Uint8Array([0x33, 0xed]),
  noise('program', 300),
  utf8('isolinux.bin missing or corrupt.'),
]);
