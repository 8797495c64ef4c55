import { closeSync, fsync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const sync = promisify(fsync);

/**
 * Waits until the names of files survive a power loss. Windows cannot sync directories, but writes all name changes when it
 * flushes a file.
 */
export async function syncNames(paths: readonly string[]): Promise<void> {
  const isWindows = process.platform === 'win32';
  const all = isWindows ? paths.slice(-1) : new Set(paths.flatMap((path) => [dirname(path), dirname(dirname(path))]));
  for (const path of all) {
    const opened = openSync(path, isWindows ? 'r+' : 'r');
    try {
      await sync(opened);
    } catch (error) {
      // Some network file systems do not support it.
      if (
        !(
          error instanceof Error &&
          'code' in error &&
          ['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM'].includes(String(error.code))
        )
      )
        throw error;
    } finally {
      closeSync(opened);
    }
  }
}
