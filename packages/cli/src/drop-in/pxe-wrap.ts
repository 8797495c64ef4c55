import { writeFile } from 'node:fs/promises';
import {
  bytesOf,
  bytesSource,
  IGNITION_PATH,
  type LiveChanges,
  NETWORK_DIRECTORY,
  readFiles,
  wrap,
} from '@coreiso/iso';
import type { Arguments } from '../frame/arguments.ts';
import type { Action } from '../frame/command.ts';
import { inContext } from '../frame/failure.ts';
import { refuseTerminal, writeToStdout } from '../frame/output.ts';
import type { Terminal } from '../frame/terminal.ts';
import { AS_UPSTREAM, compressionFor } from './compression.ts';
import { warnOfNoConfig } from './config-warning.ts';
import { readFileOrStdin, withFileOrStdin } from './input.ts';
import { extractKeyfiles, readKeyfiles } from './keyfiles.ts';

/** `pxe ignition wrap`. */
export const wrapIgnition: Action = (args, terminal) =>
  writeArchive(args, terminal, async () => {
    const path = args.optional('ignition-file');
    const ignition = await readFileOrStdin(terminal, path);
    await warnOfNoConfig(terminal, ignition, path ?? 'standard input');
    return { ignition };
  });

/** `pxe network wrap`. */
export const wrapNetwork: Action = (args, terminal) =>
  writeArchive(args, terminal, async () => ({ keyfiles: await readKeyfiles(args, terminal) }));

/** `pxe ignition unwrap`: reads any archives; the last config wins. */
export const unwrapIgnition: Action = (args, terminal) =>
  withFileOrStdin(terminal, args.optional('initrd'), async (source) => {
    const { signal } = terminal.io;
    const files = await readFiles(source, { patterns: [IGNITION_PATH], ...AS_UPSTREAM, signal });
    const config = files.get(IGNITION_PATH);
    if (config === undefined) throw new Error("couldn't find Ignition config in archive");
    await terminal.print(await bytesOf(config.content, signal));
    return undefined;
  });

/** `pxe network unwrap`. */
export const unwrapNetwork: Action = (args, terminal) =>
  withFileOrStdin(terminal, args.optional('initrd'), async (source) => {
    const files = await readFiles(source, {
      patterns: [`${NETWORK_DIRECTORY}/*`],
      ...AS_UPSTREAM,
      signal: terminal.io.signal,
    });
    return await extractKeyfiles(args, terminal, files.values());
  });

/** Writes an archive. Unlike other commands, this overwrites, and treats `-` as a file name. */
async function writeArchive(
  args: Arguments,
  terminal: Terminal,
  read: () => Promise<Omit<LiveChanges, 'kargs'>>,
): Promise<undefined> {
  const output = args.optional('output');
  if (output === undefined) refuseTerminal(terminal);
  const { signal } = terminal.io;
  const archive = await wrap(await read(), { compression: await compressionFor(terminal.io), signal });
  if (output === undefined) await writeToStdout(terminal, bytesSource(archive));
  else await inContext(`writing ${output}`, () => writeFile(terminal.path(output), archive, { signal }));
}
