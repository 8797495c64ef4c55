import { mkdir, writeFile } from 'node:fs/promises';
import { bytesOf, readFiles, type UnpackedFile } from '@coreiso/iso';
import type { Arguments } from '../frame/arguments.ts';
import type { Action } from '../frame/command.ts';
import { inContext } from '../frame/failure.ts';
import type { Terminal } from '../frame/terminal.ts';
import { AS_UPSTREAM } from './compression.ts';
import { withFileOrStdin } from './input.ts';
import { joinPath } from './paths.ts';

/** `dev show initrd`: lists the paths of regular files. */
export const showInitrd: Action = (args, terminal) =>
  listInitrd(args, terminal, async (files) => {
    await terminal.print(files.map(({ path }) => `${path}\n`).join(''));
    return undefined;
  });

/** `dev extract initrd`: writes regular files with default permissions. Never overwrites a file. */
export const extractInitrd: Action = (args, terminal) =>
  listInitrd(args, terminal, async (files) => {
    const { signal } = terminal.io;
    const directory = args.optional('directory') ?? '.';
    for (const { path, content } of files) {
      const target = joinPath(directory, extractionPath(path));
      const parent = target.slice(0, target.lastIndexOf('/'));
      if (args.has('verbose')) await terminal.print(`${target}\n`);
      await inContext(`creating ${parent}`, () => mkdir(terminal.path(parent), { recursive: true }));
      const bytes = await bytesOf(content, signal);
      await inContext(`opening ${target}`, () => writeFile(terminal.path(target), bytes, { flag: 'wx' }));
    }
    return undefined;
  });

/** Returns a member's path for use below a target directory; refuses an absolute path and one that climbs out. */
export function extractionPath(path: string): string {
  if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`path ${path} contains path traversal`);
  return path;
}

/**
 * Passes `work` the regular files of an initrd that match one of the patterns, in order; contents are readable until `work`
 * ends.
 */
async function listInitrd<T>(
  args: Arguments,
  terminal: Terminal,
  work: (files: readonly UnpackedFile[]) => Promise<T>,
): Promise<T> {
  const patterns = args.list('glob');
  // Report wrong patterns before opening the file: an empty archive only checks them.
  await inContext('parsing glob patterns', () => readFiles(new Uint8Array(0), { patterns }));
  const path = args.required('initrd');
  return withFileOrStdin(terminal, path === '-' ? undefined : path, async (source) => {
    const { signal } = terminal.io;
    const files = await inContext('decoding initrd', () =>
      readFiles(source, { ...(patterns.length > 0 && { patterns }), ...AS_UPSTREAM, signal }),
    );
    return await work([...files.values()]);
  });
}
