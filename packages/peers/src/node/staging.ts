// Folders for unfinished work. Their names identify the process, so that folders of killed runs can be found and removed.
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The name after the prefix; earlier versions named only the process. */
const REST = /^(\d+)-(?:(.+)-)?[^-]+$/;
/** No host has this name, so no process counts such a folder as its own. */
const UNKNOWN = '~';

/** The prefix for names of folders of this process; the caller appends unique letters. */
export function stagingName(prefix: string): string {
  return `${prefix}${process.pid}-${placeOfProcess() ?? UNKNOWN}-`;
}

/** The folders among the names that killed runs left. Leaves out those of processes that are alive or cannot be seen from here. */
export function abandonedStaging(prefix: string, names: readonly string[]): string[] {
  const here = placeOfProcess();
  if (here === undefined) return [];
  return names.filter((name) => {
    const [, pid, place]: (string | undefined)[] = name.startsWith(prefix)
      ? (REST.exec(name.slice(prefix.length)) ?? [])
      : [];
    return pid !== undefined && (place ?? here) === here && !isAlive(Number(pid));
  });
}

/**
 * The host and the container of this process: a process id is valid only there, and the folder may be on a share. `undefined` if
 * the runtime hides the host name (Deno without `--allow-sys`).
 */
function placeOfProcess(): string | undefined {
  const host = valueOrUndefined(hostname);
  return host === undefined ? undefined : `${host}${namespace()}`.replace(/[^\w.]/g, '_');
}

function namespace(): string {
  return valueOrUndefined(() => readlinkSync('/proc/self/ns/pid'))?.replace(/\D/g, '.') ?? '';
}

function valueOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
