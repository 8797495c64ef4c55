import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { localNameFault, sameFile } from '@coreiso/peers/file-name';
import { alreadyExists, inContext } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** Whatever describes a cluster may hold its secrets. */
const PRIVATE = 0o600;
/** As the installer makes its folders. */
const FOLDER = 0o750;

/**
 * Writes files into folders of a directory, for their owner alone, from the first byte: all of them, or none. Files of the same names
 * are replaced, and are back where something fails.
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
    const staging = mkdtempSync(join(root, '.coreiso-'));
    const clear = (): void => rmSync(staging, { recursive: true, force: true });
    undo.unshift(clear);
    for (const [index, content] of Object.values(files).entries())
      writeFileSync(join(staging, `${index}`), content, { mode: PRIVATE, flag: 'wx' });
    for (const [index, path] of Object.keys(files).entries()) {
      const [target, old] = [join(root, path), join(staging, `${index}.old`)];
      makeFolder(dirname(target));
      if (setAside(target, old)) undo.unshift(() => renameSync(old, target));
      renameSync(join(staging, `${index}`), target);
      undo.unshift(() => rmSync(target, { force: true }));
    }
    clear();
  } catch (error) {
    for (const step of undo) step();
    throw error;
  }
}

/** The same for files that are new: what is there already is replaced only where that was asked for. */
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

/** Moves a file out of the way; false where there is none. */
function setAside(path: string, old: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isDirectory()) throw new Error(`${path} is a directory`);
  renameSync(path, old);
  return true;
}
