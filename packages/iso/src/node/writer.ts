import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from './file-system.ts';
import { randomName } from './io.ts';

/** Who works on an image, as its journal names them. What the system does not tell (only Linux tells all) is empty. */
export interface Writer {
  readonly pid: number;
  readonly host: string;
  /** The installed system; a host name alone is easily given twice. */
  readonly machine: string;
  /** From power on to power off. */
  readonly boot: string;
  /** Process ids mean something only within the PID namespace, of a container for one. */
  readonly namespace: string;
  /** Tells the process from a later one with the same id. */
  readonly started: string;
  /** Tells the writers within a process apart. */
  readonly token: string;
}

/** Whether a value that was read from a file names a writer. Its token is a part of the names of files. */
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

/** A process seen from this one, as a rule this one itself, about to work on an image once. */
export function newWriter(pid: number = process.pid): Writer {
  return { pid, ...thisMachine(), started: startOf(pid), token: randomName() };
}

/** The writer has given up and left its journal to anyone who opens the image next. */
export function giveUp(writer: Writer): void {
  gone.add(writer.token);
}

/** Whether a writer still works. `unknown` where its process cannot be seen from here. */
export function writerStatus(writer: Writer): 'at work' | 'gone' | 'unknown' {
  if (gone.has(writer.token)) return 'gone';
  const { host, machine, boot, namespace } = thisMachine();
  if (writer.boot !== boot) return writer.host === host && writer.machine === machine ? 'gone' : 'unknown';
  // Without a boot id the name of the host has to do.
  if (writer.namespace !== namespace || (boot === '' && writer.host !== host)) return 'unknown';
  if (!mayBeRunning(writer.pid)) return 'gone';
  const started = startOf(writer.pid);
  // Hidden from other users (proc(5), hidepid), unless it ended just now.
  if (started === '') return mayBeRunning(writer.pid) ? 'at work' : 'gone';
  return started === writer.started ? 'at work' : 'gone';
}

function mayBeRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Anything else, and it may run: under another user, or where asking takes a permission (Deno).
    return errnoOf(error) !== 'ESRCH';
  }
}

/**
 * Whether the machine has certainly run since the writer began: device numbers are given again at every start. macOS and Windows
 * do not tell one start from another.
 */
export function isOfThisBoot({ boot }: Writer): boolean {
  return boot !== '' && boot === thisMachine().boot;
}

type Place = Pick<Writer, 'host' | 'machine' | 'boot' | 'namespace'>;
let place: Place | undefined;

function thisMachine(): Place {
  place ??= {
    // Deno tells the name only with `--allow-sys`; Linux has it in a file as well.
    host: valueOrEmpty(hostname) || valueOrEmpty(() => readFileSync('/proc/sys/kernel/hostname', 'utf8')),
    machine: valueOrEmpty(() => readFileSync('/etc/machine-id', 'utf8')),
    boot: valueOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    namespace: valueOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
  return place;
}

/** The clock tick in which a process began. */
function startOf(pid: number): string {
  // proc_pid_stat(5): the name, which may hold anything, ends at the last parenthesis; field 22 is starttime.
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
