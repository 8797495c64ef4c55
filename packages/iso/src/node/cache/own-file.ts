// Files in a folder that other users may be able to write to: any name may be their link, pipe or file.
import { closeSync, constants, fstatSync, openSync, readSync, rmSync, type Stats } from 'node:fs';

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants;
/** Do not follow links, and do not wait for the other end of a pipe. Windows has neither flag. */
const AS_IT_IS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The user of this process; `undefined` on Windows, and in Deno without `--allow-sys`. */
export function thisUser(): number | undefined {
  try {
    return process.getuid?.();
  } catch {
    return undefined;
  }
}

/** Opens a file that no other user can write to, for reading and appending; removes anything else at its path. */
export function openOwn(path: string): number {
  const fd = openIf(path, O_RDWR | O_APPEND, isOwn);
  if (fd !== undefined) return fd;
  rmSync(path, { force: true });
  return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | AS_IT_IS, 0o600);
}

/** Opens a regular file for reading, but not through a link. */
export function openRegular(path: string): number | undefined {
  return openIf(path, O_RDONLY, (stat) => stat.isFile());
}

/** The text of a file of at most `limit` bytes, if `isTrusted` accepts it. */
export function readSmall(path: string, limit: number, isTrusted: (stat: Stats) => boolean): string | undefined {
  const fd = openIf(path, O_RDONLY, (stat) => stat.isFile() && stat.size <= limit && isTrusted(stat));
  if (fd === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(limit);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, limit, 0));
  } finally {
    closeSync(fd);
  }
}

/** Whether only this user can write to a file, and it has no other name. */
export function isOwn(stat: Stats): boolean {
  const user = thisUser();
  const isOurs = user === undefined || (stat.uid === user && (stat.mode & 0o022) === 0);
  return stat.isFile() && stat.nlink === 1 && isOurs;
}

function openIf(path: string, flags: number, isFitting: (stat: Stats) => boolean): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, flags | AS_IT_IS);
  } catch {
    // Absent, a link, a folder, or without permission: creating the file will report a fault, if there is one.
    return undefined;
  }
  let fits = false;
  try {
    fits = isFitting(fstatSync(fd));
  } finally {
    if (!fits) closeSync(fd);
  }
  return fits ? fd : undefined;
}
