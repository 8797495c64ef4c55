import { createReadStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Arguments } from '../../frame/arguments.ts';
import { Bases } from '../../frame/base.ts';
import type { Action } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { type ImageSource, openSources } from './sources.ts';
import { unpackedName } from './unpack.ts';
import { Check, writeImage } from './write-image.ts';

/** `coreos-installer download`. */
export const download: Action = async (args, terminal) => {
  const { fetch } = await new Bases(terminal).remote();
  const sources = await openSources(args, terminal, fetch);
  if (sources.length === 0) throw new Error('no artifacts found');
  try {
    for (const source of sources) await obtain(source, args, terminal);
  } finally {
    for (const { response } of sources) await response.body?.cancel().catch(() => undefined);
  }
  return 0;
};

async function obtain(source: ImageSource, args: Arguments, terminal: Terminal): Promise<void> {
  if (source.signature === undefined) {
    if (!args.has('insecure')) throw new Error('--insecure not specified and signature not found');
    terminal.say('Signature not found; skipping verification as requested');
  }
  const unpacks = args.has('decompress');
  const shorter = unpacks ? unpackedName(source.name) : undefined;
  const path = joinRustPath(args.optional('directory') ?? '.', shorter ?? source.name);
  const signaturePath = `${path}.sig`;
  const isThere = shorter === undefined && (await hasValidSignature(source, path, signaturePath, terminal));
  if (!isThere) {
    try {
      await writeImage(terminal, source, path, shorter === undefined ? 'as it is' : 'unpacked');
      const { signature } = source;
      if (!unpacks && signature !== undefined)
        await inContext(`opening ${signaturePath}`, () => writeFile(terminal.path(signaturePath), signature));
    } catch (error) {
      // Remove an earlier file too: the user wanted to replace it.
      await rm(terminal.path(path), { force: true }).catch(() => undefined);
      await rm(terminal.path(signaturePath), { force: true }).catch(() => undefined);
      throw error;
    }
  }
  await terminal.print(`${path}\n`);
}

/** Whether the existing file matches its signature. */
async function hasValidSignature(
  { signature }: ImageSource,
  path: string,
  signaturePath: string,
  terminal: Terminal,
): Promise<boolean> {
  if (signature === undefined) return false;
  try {
    if (Buffer.compare(await readFile(terminal.path(signaturePath)), signature) !== 0) return false;
    const check = await Check.begin(signature, terminal);
    for await (const chunk of createReadStream(terminal.path(path), { signal: terminal.io.signal }))
      await check.take(chunk);
    await check.end('good');
    return true;
  } catch {
    terminal.io.signal.throwIfAborted();
    return false;
  }
}

/** Joins paths as Rust does. */
function joinRustPath(directory: string, name: string): string {
  return directory === '' || directory.endsWith('/') ? `${directory}${name}` : `${directory}/${name}`;
}
