import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inContext } from '../failure.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Replaces the bytes of a file atomically, and keeps its mode and owner; follows links. Leaves the file alone if it no
 * longer has the bytes in `before`.
 */
export async function replaceFile(
  terminal: Terminal,
  name: string,
  before: Uint8Array,
  after: Uint8Array,
): Promise<void> {
  await inContext(`cannot write ${name}`, () => {
    const path = realpathSync(terminal.path(name));
    const { mode, uid, gid } = statSync(path);
    const temporary = join(dirname(path), `.${basename(path)}.coreiso-${process.pid}`);
    const file = openSync(temporary, 'wx', mode & 0o7777);
    try {
      try {
        for (let done = 0; done < after.length; ) done += writeSync(file, after, done);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      const own = statSync(temporary);
      if (own.uid !== uid || own.gid !== gid) chownSync(temporary, uid, gid);
      if (!readFileSync(path).equals(before)) throw new Error('another program changed it meanwhile');
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}
