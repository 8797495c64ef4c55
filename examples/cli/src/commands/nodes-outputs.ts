import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ByteSource, bytesSource } from '@coreiso/iso';
import { writeOutputs } from '@coreiso/nodes-config/node';
import { hasSystemCode, inContext } from '../frame/failure.ts';
import type { Terminal } from '../frame/terminal.ts';

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

/** Writes everything or nothing. All targets are in one folder. */
export async function writeTargets(
  terminal: Terminal,
  targets: readonly Target[],
  { replace }: { readonly replace: boolean },
): Promise<void> {
  const [only, ...others] = targets;
  if (only === undefined) return;
  const outputs = targets.map(({ path, source }) => ({ name: basename(path), source }));
  const label = others.length === 0 ? only.path : `${targets.length} files to ${dirname(only.path)}`;
  const { signal } = terminal.io;
  await inContext(`cannot write ${label}`, () =>
    terminal.withProgress(`Writing ${label}`, (onProgress) =>
      writeOutputs({ outputs }, terminal.path(dirname(only.path)), { replace, signal, onProgress }),
    ),
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
