import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from './file-system.ts';
import { randomName } from './io.ts';

/** Who writes to an image, as its journal names them. */
export interface Writer {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with the same id, where the system can (Linux); otherwise empty. */
  readonly started: string;
  /** Tells the writers within a process apart. */
  readonly token: string;
}

const gone = new Set<string>();

/** A process of this host, as a rule this one, about to write once. */
export function newWriter(pid: number = process.pid): Writer {
  return { pid, host: thisHost(), started: startOf(pid), token: randomName() };
}

/** The writer has given up and left its journal to whoever opens the image next. */
export function giveUp(writer: Writer): void {
  gone.add(writer.token);
}

/** Whether the writer is still at work on this host. Of other hosts nothing can be known: they count as gone. */
export function isAtWork(writer: Writer): boolean {
  const isElsewhere = writer.host !== thisHost() && writer.host !== '' && thisHost() !== '';
  if (isElsewhere || gone.has(writer.token)) return false;
  try {
    process.kill(writer.pid, 0);
  } catch (error) {
    // Anything else, and it may run: under another user, or where asking takes a permission (Deno).
    if (errnoOf(error) === 'ESRCH') return false;
  }
  return startOf(writer.pid) === writer.started;
}

/** Deno tells the name only with `--allow-sys`; Linux has it in a file as well. Empty where it cannot be had. */
function thisHost(): string {
  try {
    return hostname();
  } catch {
    try {
      return readFileSync('/proc/sys/kernel/hostname', 'utf8').trim();
    } catch {
      return '';
    }
  }
}

let bootId: string | undefined;

/** The boot and the clock tick in which a process began. */
function startOf(pid: number): string {
  try {
    bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // proc_pid_stat(5): the name, which may hold anything, ends at the last parenthesis; field 22 is starttime.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ') ?? [];
    return `${bootId}/${fields[22 - 3] ?? ''}`;
  } catch {
    return '';
  }
}
