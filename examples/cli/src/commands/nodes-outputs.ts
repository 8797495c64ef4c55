import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ByteSource, bytesSource } from '@coreiso/iso';
import { writeCopy } from '@coreiso/iso/node';
import { hasSystemCode, inContext } from '../frame/failure.ts';
import type { Terminal } from '../frame/terminal.ts';

/** Images hold secrets: the pull secret, keys, passwords of networks. */
const PRIVATE = 0o600;

interface Output {
  readonly name: string;
  readonly source: ByteSource;
}

/** An output and its path as the user would write it. */
export interface Target {
  readonly path: string;
  readonly source: ByteSource;
}

interface TargetOptions {
  readonly output: string | undefined;
  readonly report: object | undefined;
  readonly replace: boolean;
}

/** Decides where every output goes; a file that is there already is refused before anything is written. */
export async function prepareTargets(
  terminal: Terminal,
  outputs: readonly Output[],
  { output, report, replace }: TargetOptions,
): Promise<Target[]> {
  const isFolder =
    output === undefined || outputs.length > 1 || output.endsWith('/') || (await isDirectory(terminal, output));
  const place = (name: string): string => (isFolder ? join(output ?? '', name) : (output ?? name));
  const targets = outputs.map(({ name, source }) => ({ path: place(name), source }));
  if (report !== undefined) {
    const source = bytesSource(new TextEncoder().encode(`${JSON.stringify(report, null, 2)}\n`));
    targets.push({ path: isFolder ? place('report.json') : join(dirname(output ?? ''), 'report.json'), source });
  }
  if (!replace) {
    for (const { path } of targets) {
      if (await exists(terminal, path)) throw new Error(`${path} exists; --force replaces it`);
    }
  }
  return targets;
}

/** Writes all files beside their places and moves them there when the last one is whole. */
export async function writeTargets(
  terminal: Terminal,
  targets: readonly Target[],
  { replace }: { readonly replace: boolean },
): Promise<void> {
  const [only, ...others] = targets;
  if (only === undefined) return;
  const folder = terminal.path(dirname(only.path));
  const made = await inContext(`cannot make the folder ${dirname(only.path)}`, () =>
    mkdir(folder, { recursive: true }),
  );
  try {
    if (others.length === 0) await write(terminal, only, terminal.path(only.path), replace);
    else await writeTogether(terminal, targets, folder);
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw error;
  }
}

async function writeTogether(terminal: Terminal, targets: readonly Target[], folder: string): Promise<void> {
  const staging = await mkdtemp(join(folder, '.coreiso-'));
  try {
    for (const target of targets) await write(terminal, target, join(staging, basename(target.path)), false);
    for (const { path } of targets) await rename(join(staging, basename(path)), terminal.path(path));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function write(terminal: Terminal, { path, source }: Target, file: string, replace: boolean): Promise<void> {
  const { signal } = terminal.io;
  await terminal.withProgress(`Writing ${path}`, (onProgress) =>
    writeCopy(source, file, { mode: PRIVATE, replace, signal, onProgress }),
  );
}

async function isDirectory(terminal: Terminal, path: string): Promise<boolean> {
  return (await statOf(terminal, path))?.isDirectory() === true;
}

async function exists(terminal: Terminal, path: string): Promise<boolean> {
  return (await statOf(terminal, path)) !== undefined;
}

async function statOf(terminal: Terminal, path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(terminal.path(path));
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT') || hasSystemCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}
