// Folders for what is not whole yet. Each is named for its process, so that those of killed runs can be told from those of others.
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';

/** Earlier versions named the process alone. */
const STAGING = /^staging-(\d+)-(?:(.+)-)?[^-]+$/;
/** No host is called so: nobody takes such a folder for one of its own. */
const UNKNOWN = '~';

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

/** A new folder in `state`, for this process alone. */
export function makeStaging(state: string): Promise<string> {
  return mkdtemp(join(state, `staging-${process.pid}-${placeOfProcess() ?? UNKNOWN}-`));
}

/** Removes the folders of runs that were killed. Those of processes that live, or cannot be seen from here, are theirs. */
export async function removeStaging(state: string): Promise<void> {
  const here = placeOfProcess();
  if (here === undefined) return;
  for (const name of await readdir(state)) {
    const [, pid, place]: (string | undefined)[] = STAGING.exec(name) ?? [];
    if (pid === undefined || (place ?? here) !== here || isAlive(Number(pid))) continue;
    await rm(join(state, name), { recursive: true, force: true });
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

/** Tells this run of the machine from others: what was not synced in another one may be lost. */
export function thisBoot(): string {
  const id = valueOrUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  if (id !== undefined) return id;
  const seconds = valueOrUndefined(uptime);
  return seconds === undefined ? '' : `since ${new Date(Date.now() - seconds * 1000).toISOString().slice(0, 16)}`;
}
