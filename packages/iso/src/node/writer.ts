import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from './file-system.ts';
import { randomName } from './io.ts';

/**
 * The process that works on an image, as named in the journal. Fields that the system does not provide are empty; only
 * Linux provides all.
 */
export interface Writer {
  readonly pid: number;
  readonly host: string;
  /** ID of the installed system, because host names are not unique. */
  readonly machine: string;
  /** ID of the current boot. */
  readonly boot: string;
  /** The PID namespace, for example of a container, in which the process ID is valid. */
  readonly namespace: string;
  /** Start time, which distinguishes the process from a later one with the same ID. */
  readonly started: string;
  /** Distinguishes the writers within a process. */
  readonly token: string;
}

/** Whether a value that was read from a file names a writer. Its token becomes a part of file names. */
export function isWriter(value: unknown): value is Writer {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, machine, boot, namespace, started, token } = value as Partial<Record<keyof Writer, unknown>>;
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    [host, machine, boot, namespace, started].every((text) => typeof text === 'string') &&
    typeof token === 'string' &&
    /^[\w-]+$/.test(token)
  );
}

const gone = new Set<string>();

/** A writer for one piece of work by a process, usually this one. */
export function newWriter(pid: number = process.pid): Writer {
  return { pid, ...thisMachine(), started: startOf(pid), token: randomName() };
}

/** Marks a writer as gone: the next process that opens the image follows its journal. */
export function giveUp(writer: Writer): void {
  gone.add(writer.token);
}

/** Whether a writer still works. `unknown` if its process is not visible from here. */
export function writerStatus(writer: Writer): 'at work' | 'gone' | 'unknown' {
  if (gone.has(writer.token)) return 'gone';
  const { host, machine, boot, namespace } = thisMachine();
  if (writer.boot !== boot) return writer.host === host && writer.machine === machine ? 'gone' : 'unknown';
  // Without a boot ID, the host name is compared.
  if (writer.namespace !== namespace || (boot === '' && writer.host !== host)) return 'unknown';
  if (!mayBeRunning(writer.pid)) return 'gone';
  const started = startOf(writer.pid);
  // The process is hidden from other users (proc(5), hidepid), or it has just ended.
  if (started === '') return mayBeRunning(writer.pid) ? 'at work' : 'gone';
  return started === writer.started ? 'at work' : 'gone';
}

function mayBeRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // With any other error it may be running: as another user, or without permission to ask (Deno).
    return errnoOf(error) !== 'ESRCH';
  }
}

/**
 * Whether the machine has certainly not restarted since the writer began: each boot assigns new device numbers. macOS
 * and Windows do not identify boots.
 */
export function isOfThisBoot({ boot }: Writer): boolean {
  return boot !== '' && boot === thisMachine().boot;
}

type Place = Pick<Writer, 'host' | 'machine' | 'boot' | 'namespace'>;
let place: Place | undefined;

function thisMachine(): Place {
  place ??= {
    // Deno reports the name only with `--allow-sys`; Linux also has it in a file.
    host: valueOrEmpty(hostname) || valueOrEmpty(() => readFileSync('/proc/sys/kernel/hostname', 'utf8')),
    machine: valueOrEmpty(() => readFileSync('/etc/machine-id', 'utf8')),
    boot: valueOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    namespace: valueOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
  return place;
}

/** The start time of a process in clock ticks. */
function startOf(pid: number): string {
  // proc_pid_stat(5): the name may contain any characters and ends at the last parenthesis; field 22 is starttime.
  const stat = valueOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.split(')').at(-1)?.trim().split(' ')[22 - 3] ?? '';
}

function valueOrEmpty(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}
