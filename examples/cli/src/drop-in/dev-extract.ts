import { mkdir, writeFile } from 'node:fs/promises';
import { bytesOf } from '@coreiso/iso';
import type { Action } from '../frame/command.ts';
import { inContext } from '../frame/failure.ts';
import { listInitrd } from './initrd.ts';
import { joinPath } from './paths.ts';

/** A member's path for use below a target directory; one that is absolute or climbs out of it is refused. */
export function extractionPath(path: string): string {
  if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`path ${path} contains path traversal`);
  return path;
}

/** `dev extract initrd`: regular files, with the permissions of any new file. Nothing is overwritten. */
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
