// Checks by its header that a file is a kernel, that it is complete, and for which machine it is.
import { readLatin1, readU8, readU16Le, readU32Be, readU32Le, readU64Le } from '../../iso9660/fields.ts';
import type { Chain } from '../links.ts';
import { type BootFile, isStandIn, isText, readStart } from '../places.ts';

/** Linux, Documentation/arch/x86/boot.rst. */
const X86 = {
  setupSectors: 0x1f1,
  size: 0x1f4,
  bootFlag: 0x1fe,
  magic: 0x202,
  version: 0x206,
  argumentLimit: 0x238,
} as const;

/** Limits of a kernel. */
export interface KernelLimits {
  /** Bytes of arguments. */
  readonly arguments: number;
  /** Minimum size of the file in bytes. */
  readonly size: number;
  /** The ELF machines whose programs it runs. */
  readonly machines: readonly number[];
}

const HEADER_LENGTH = 4096;
const USUAL_ARGUMENTS = 2047;

/** Judges the kernel; the limits of a stand-in are unknown. */
export async function judgeKernel(
  chain: Chain,
  file: BootFile,
  signal?: AbortSignal,
): Promise<KernelLimits | 'stand-in'> {
  const head = await readStart(file, HEADER_LENGTH, signal);
  const at = file.regions[0]?.offset;
  if ((await isStandIn(file, signal)) || isPaddedText(head)) {
    if (file.content.size === 0) chain.fail(`${file.path} is empty`, at);
    chain.unknown(`${file.path} is a placeholder for a kernel, as in trimmed images`);
    return 'stand-in';
  }
  const found =
    head.length < HEADER_LENGTH ? undefined : (x86(head) ?? arm64(head) ?? zboot(head) ?? elf(head) ?? s390(head));
  if (found === undefined)
    return chain.fail(`${file.path} is not a known kernel: it begins with ${hex(head.subarray(0, 8))}`, at);
  const { kind, size, machines, limit = USUAL_ARGUMENTS } = found;
  if (size > file.content.size)
    chain.fail(`${file.path} is truncated: it has ${file.content.size} bytes, and its header says ${size}`, at);
  chain.ok(`${file.path}, ${kind}`);
  return { arguments: limit, size, machines };
}

/** Whether a mainframe's kernel is only text followed by zeros. */
function isPaddedText(head: Uint8Array): boolean {
  const end = head.indexOf(0);
  return end >= 16 && isText(head.subarray(0, end)) && head.subarray(end).every((byte) => byte === 0);
}

interface Kind {
  readonly kind: string;
  /** Minimum size of the file in bytes. */
  readonly size: number;
  readonly limit?: number;
  readonly machines: readonly number[];
}

/** Machine numbers of the gABI. */
const MACHINE = { i386: 3, ppc64: 21, s390: 22, arm: 40, x86: 62, arm64: 183, riscv: 243 } as const;
const ANY_UEFI = [MACHINE.x86, MACHINE.i386, MACHINE.arm64, MACHINE.arm, MACHINE.riscv];

function x86(head: Uint8Array): Kind | undefined {
  if (readU16Le(head, X86.bootFlag) !== 0xaa55 || readLatin1(head, X86.magic, 4) !== 'HdrS') return undefined;
  const setup = (readU8(head, X86.setupSectors) || 4) + 1;
  const limit = readU16Le(head, X86.version) >= 0x206 ? readU32Le(head, X86.argumentLimit) : 255;
  return {
    kind: 'Linux for x86',
    size: setup * 512 + readU32Le(head, X86.size) * 16,
    limit,
    machines: [MACHINE.x86, MACHINE.i386],
  };
}

/** Linux, Documentation/arch/arm64/booting.rst: the size includes memory that is not in the file. */
function arm64(head: Uint8Array): Kind | undefined {
  if (readLatin1(head, 56, 4) !== 'ARM\x64') return undefined;
  return { kind: 'Linux for arm64', size: HEADER_LENGTH, machines: [MACHINE.arm64, MACHINE.arm] };
}

/** A compressed kernel that unpacks itself as a UEFI program. */
function zboot(head: Uint8Array): Kind | undefined {
  if (readLatin1(head, 0, 2) !== 'MZ' || readLatin1(head, 4, 4) !== 'zimg') return undefined;
  return { kind: 'Linux for UEFI, compressed', size: readU32Le(head, 8) + readU32Le(head, 12), machines: ANY_UEFI };
}

function elf(head: Uint8Array): Kind | undefined {
  if (readLatin1(head, 0, 4) !== '\x7fELF' || head[4] !== 2) return undefined;
  const isLittle = head[5] === 1;
  const end = isLittle ? readU64Le(head, 40) + readU16Le(head, 58) * readU16Le(head, 60) : HEADER_LENGTH;
  return { kind: 'Linux as an ELF program', size: end, machines: [isLittle ? readU16Le(head, 18) : MACHINE.s390] };
}

/** Linux for s390x: it begins with its entry point or with the loader for tapes and CDs. */
function s390(head: Uint8Array): Kind | undefined {
  return readU32Be(head, 0) === 0x00080000 || readLatin1(head, 8, 7) === '\x02\0\0\x18\x60\0\0'
    ? { kind: 'Linux for s390x', size: HEADER_LENGTH, machines: [MACHINE.s390] }
    : undefined;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
