import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { abandonedStaging, stagingName } from '@coreiso/peers/node/staging';

/** A new directory in `state`, for this process only. */
export function makeStaging(state: string, prefix = 'staging-'): Promise<string> {
  return mkdtemp(join(state, stagingName(prefix)));
}

/** Removes the directories of killed runs. */
export async function removeStaging(state: string, prefix = 'staging-'): Promise<void> {
  for (const name of abandonedStaging(prefix, await readdir(state))) {
    await rm(join(state, name), { recursive: true, force: true });
  }
}

/** Identifies this boot of the machine: files of another boot that were not synced may be lost. */
export function thisBoot(): string {
  const id = valueOrUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  if (id !== undefined) return id;
  const seconds = valueOrUndefined(uptime);
  return seconds === undefined ? '' : `since ${new Date(Date.now() - seconds * 1000).toISOString().slice(0, 16)}`;
}

function valueOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
