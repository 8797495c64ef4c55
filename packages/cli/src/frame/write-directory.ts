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

/** Whatever describes a cluster may hold its secrets. */
const PRIVATE = 0o600;
/** The mode of directories that the installer creates. */
const FOLDER = 0o750;
/** How the name of the folder begins that has what is not whole yet; that of outputs begins in the same way. */
const STAGING = '.coreiso-staging-';

/**
 * Writes files into folders of a directory, for their owner alone, from the first byte: all of them, or none. Files of the same names
 * are replaced, and are back where something fails; at no moment is one missing. When it returns, a loss of power takes nothing of it:
 * what the files were made from may be removed then. What a run left that was killed is removed.
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
    // Windows syncs no folder, but writes all changes of names out with a file that it flushes.
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

/** Waits until names would survive a loss of power, where there is a way. */
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

/** Gives a file a second name; where there are no links it is copied. */
function linkOrCopy(path: string, old: string): void {
  try {
    linkSync(path, old);
  } catch {
    // It may come to be in its place again.
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
    // The failure that led here is told.
  }
}

/** The same for files that are new: what is there already is replaced only where that was requested. */
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

/** Names of files are made from what users write. */
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
