import { mkdir, writeFile } from 'node:fs/promises';
import { bytesOf, type LiveChanges, NETWORK_DIRECTORY, type UnpackedFile } from '@coreiso/iso';
import type { Arguments } from '../frame/arguments.ts';
import { inContext } from '../frame/failure.ts';
import type { Terminal } from '../frame/terminal.ts';
import { readHelperFile } from './input.ts';
import { joinPath, requireFileName } from './paths.ts';

type Keyfile = NonNullable<LiveChanges['keyfiles']>[number];

/** Reads the files of `--keyfile`, each under its own name. */
export async function readKeyfiles(args: Arguments, terminal: Terminal): Promise<Keyfile[]> {
  const keyfiles = new Map<string, Keyfile>();
  for (const path of args.list('keyfile')) {
    const content = await readHelperFile(terminal, path);
    const name = requireFileName(path);
    if (keyfiles.has(name)) throw new Error(`multiple input files named '${name}'`);
    keyfiles.set(name, { name, content });
  }
  return [...keyfiles.values()];
}

/** Prints the keyfiles among `members`, or writes them into the directory of `--directory` and prints their paths. */
export async function extractKeyfiles(
  args: Arguments,
  terminal: Terminal,
  members: Iterable<Pick<UnpackedFile, 'path' | 'content'>>,
): Promise<undefined> {
  const directory = args.optional('directory');
  const keyfiles = [...members].filter(({ path }) => path.startsWith(`${NETWORK_DIRECTORY}/`));
  if (keyfiles.length === 0) throw new Error('No embedded network settings.');
  if (directory !== undefined && directory !== '') await mkdir(terminal.path(directory), { recursive: true });
  for (const [index, { path, content }] of keyfiles.entries()) {
    const bytes = await bytesOf(content, terminal.io.signal);
    const name = requireFileName(path);
    if (directory === undefined) {
      await terminal.print(`${index === 0 ? '' : '\n'}########## ${name} ##########\n`);
      await terminal.print(bytes);
    } else {
      const target = joinPath(directory, name);
      await inContext(`opening ${target}`, () => writeFile(terminal.path(target), bytes, { flag: 'wx' }));
      await terminal.print(`${target}\n`);
    }
  }
}
