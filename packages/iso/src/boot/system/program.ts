// Programs of the initramfs, checked as the kernel checks them.
import type { Chain } from '../links.ts';
import { BEFORE, resolvePath, type Tree } from './tree.ts';

/** Judges the program that the kernel starts; `machines` are the ELF machines that the kernel runs. */
export function judgeInit(
  chain: Chain,
  { nodes }: Tree,
  kernelArguments: readonly string[],
  machines: readonly number[],
): void {
  const wanted = kernelArguments.findLast((word) => word.startsWith('rdinit='))?.slice(7) ?? '/init';
  const fault = programFault(nodes, wanted, machines);
  if (fault !== undefined) chain.broken(fault);
  else chain.ok(`${nodes.size - BEFORE.length} files and folders, starts ${wanted}`);
}

/** Why the kernel cannot start a program or its interpreter. */
function programFault(nodes: Tree['nodes'], wanted: string, machines: readonly number[]): string | undefined {
  let user = 'which the kernel starts';
  let next: string | undefined = wanted;
  for (let depth = 0; next !== undefined && depth < MAX_INTERPRETERS; depth++) {
    const program = next;
    const path = resolvePath(nodes, program.slice(1));
    const node = path === undefined ? undefined : nodes.get(path);
    if (node === undefined) return `the initramfs has no ${program}, ${user}`;
    if (node.kind !== 'file' || (node.mode & 0o111) === 0) return `${program} of the initramfs cannot be executed`;
    const [, script] = /^#!\s*(\S+)/.exec(node.start) ?? [];
    if (script === undefined) {
      if (!node.start.startsWith('\x7fELF')) return `${program} of the initramfs is not a program`;
      if (!machines.includes(elfNumber(node.start, 18, 2)))
        return `${program} of the initramfs is a program for another machine`;
    }
    next = script ?? elfInterpreter(node.start);
    user = `which runs its ${program}`;
  }
  return undefined;
}

/** The limit in Linux (fs/exec.c). */
const MAX_INTERPRETERS = 5;
const PROGRAM_INTERPRETER = 3;

/** The dynamic loader that an ELF program names, if its first bytes contain the name. */
function elfInterpreter(start: string): string | undefined {
  if (start.length < 64) return undefined;
  const is64 = start.charCodeAt(4) === 2;
  const [table, size, count] = is64
    ? [elfNumber(start, 32, 8), elfNumber(start, 54, 2), elfNumber(start, 56, 2)]
    : [elfNumber(start, 28, 4), elfNumber(start, 42, 2), elfNumber(start, 44, 2)];
  for (let at = table; at < table + size * count && at + size <= start.length && size > 0; at += size) {
    if (elfNumber(start, at, 4) !== PROGRAM_INTERPRETER) continue;
    const [offset, length] = is64
      ? [elfNumber(start, at + 8, 8), elfNumber(start, at + 32, 8)]
      : [elfNumber(start, at + 4, 4), elfNumber(start, at + 16, 4)];
    if (length === 0 || offset + length > start.length) return undefined;
    return start.slice(offset, offset + length).replace(/\0[\s\S]*$/, '');
  }
  return undefined;
}

/** A number in the program's byte order. */
function elfNumber(start: string, at: number, length: number): number {
  const digits = Array.from(start.slice(at, at + length), (character) => character.charCodeAt(0));
  if (start.charCodeAt(5) === 1) digits.reverse();
  return digits.reduce((sum, digit) => sum * 256 + digit, 0);
}
