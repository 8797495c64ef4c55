// Folders for what is not whole yet. Each is named for its process, so that those of killed runs can be told from those of others.
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** After the prefix; earlier versions named the process alone. */
const REST = /^(\d+)-(?:(.+)-)?[^-]+$/;
/** No host is called so: nobody takes such a folder for one of its own. */
const UNKNOWN = '~';

/** How the name of a folder of this process begins; letters that nobody else has come after it. */
export function stagingName(prefix: string): string {
  return `${prefix}${process.pid}-${placeOfProcess() ?? UNKNOWN}-`;
}

/** Those of the names that belong to runs that are gone. Folders of processes that live, or cannot be seen from here, are theirs. */
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
 * Process ids mean something on one host only, and there within one container: the folder may be on a share. `undefined` where the
 * runtime does not tell (Deno without `--allow-sys`).
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
