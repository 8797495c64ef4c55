import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { localNameFault, sameFile } from '@coreiso/peers/file-name';
import { abandonedStaging, stagingName } from '@coreiso/peers/node/staging';
import { alreadyExists, hasCode, inContext } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** The mode of files that describe a cluster: they may hold its secrets. */
const PRIVATE = 0o600;
/** The mode of directories that the installer creates. */
const FOLDER = 0o750;
/** Name prefix of the directory for incomplete files; outputs use the same prefix. */
const STAGING = '.coreiso-staging-';

/**
 * Writes files below a directory, readable only by their owner from the first byte: all of them, or none. Existing files are
 * replaced, and restored if anything fails; none is missing at any moment. After it returns, the files survive a loss of
 * power, so their inputs may be removed. Leftovers of killed runs are removed.
 */
export function writeDirectory(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  platform: string = process.platform,
): void {
  for (const path of Object.keys(files)) requireInside(path, platform);
  const [one, other] = sameFile(Object.keys(files), platform) ?? [];
  if (other !== undefined)
    throw new Error(`cannot write ${JSON.stringify(other)}: it is the same file as ${JSON.stringify(one)} here`);
  const undo: (() => void)[] = [];
  const makeFolder = (path: string): void => {
    const made = mkdirSync(path, { recursive: true, mode: FOLDER });
    if (made !== undefined) undo.unshift(() => rmSync(made, { recursive: true, force: true }));
  };
  makeFolder(root);
  try {
    for (const name of abandonedStaging(STAGING, readdirSync(root))) {
      ignoringErrors(() => rmSync(join(root, name), { recursive: true, force: true }));
    }
    const staging = mkdtempSync(join(root, stagingName(STAGING)));
    const clear = (): void => rmSync(staging, { recursive: true, force: true });
    undo.unshift(clear);
    for (const [index, content] of Object.values(files).entries()) writeSynced(join(staging, `${index}`), content);
    const folders = new Set([root]);
    for (const [index, path] of Object.keys(files).entries()) {
      const [target, old] = [join(root, path), join(staging, `${index}.old`)];
      makeFolder(dirname(target));
      folders.add(dirname(target));
      const wasThere = pathExists(target);
      undo.unshift(() => (wasThere ? restore(old, target) : rmSync(target, { force: true })));
      if (wasThere) linkOrCopy(target, old);
      renameSync(join(staging, `${index}`), target);
    }
    // Windows cannot sync a directory, but writes pending renames to the disk when it flushes a file.
    const [file] = Object.keys(files).slice(-1);
    if (process.platform !== 'win32') for (const folder of folders) syncNames(folder, 'r');
    else if (file !== undefined) syncNames(join(root, file), 'r+');
    ignoringErrors(clear);
  } catch (error) {
    for (const step of undo) ignoringErrors(step);
    throw error;
  }
}

function writeSynced(path: string, content: string | Uint8Array): void {
  const file = openSync(path, 'wx', PRIVATE);
  try {
    const bytes = Buffer.from(content);
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until names would survive a loss of power, if the system can. */
function syncNames(path: string, flags: 'r' | 'r+'): void {
  const opened = openSync(path, flags);
  try {
    fsyncSync(opened);
  } catch (error) {
    if (!hasCode(error, 'EINVAL', 'ENOTSUP')) throw error;
  } finally {
    closeSync(opened);
  }
}

/** Gives a file a second name; copies it if the file system has no hard links. */
function linkOrCopy(path: string, old: string): void {
  try {
    linkSync(path, old);
  } catch {
    // Copy under a temporary name: the copy may have to replace the original.
    copyFileSync(path, `${old}.part`);
    syncNames(`${old}.part`, 'r+');
    renameSync(`${old}.part`, old);
  }
}

function restore(old: string, path: string): void {
  if (pathExists(old)) renameSync(old, path);
}

/** Runs a step of the rollback, and ignores its failure. */
function ignoringErrors(step: () => void): void {
  try {
    step();
  } catch {
    // The original error is reported.
  }
}

/** The same for new files; replaces existing ones only on request. */
export async function writeNewFiles(
  terminal: Terminal,
  directory: string,
  files: Readonly<Record<string, string>>,
  existing: 'refuse' | 'replace',
): Promise<void> {
  const taken = Object.keys(files).filter((name) => existsSync(terminal.path(join(directory, name))));
  if (taken.length > 0 && existing === 'refuse') {
    throw alreadyExists(taken.map((name) => join(directory, name)));
  }
  await inContext(`cannot write to ${directory}`, () => writeDirectory(terminal.path(directory), files));
}

/** Refuses a path that leads outside: file names come from user input. */
function requireInside(path: string, platform: string): void {
  const fault = path
    .split('/')
    .map((name) => localNameFault(name, platform) ?? (basename(name) === name ? undefined : 'it leads elsewhere'))
    .find((one) => one !== undefined);
  if (fault !== undefined) throw new Error(`cannot write ${JSON.stringify(path)}: ${fault}`);
}

function pathExists(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) throw new Error(`${path} is a directory`);
  return stats !== undefined;
}
