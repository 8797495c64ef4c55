import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ByteSource, IsoError, type Overlay } from '@coreiso/iso';
import { type FileSource, patchInPlace, writeCopy } from '@coreiso/iso/node';
import type { Arguments } from '../frame/arguments.ts';
import { inContext, systemErrorText, systemFailure } from '../frame/failure.ts';
import { refuseTerminal, STDOUT, writeToStdout } from '../frame/output.ts';
import type { Terminal } from '../frame/terminal.ts';

/** The mode of new files that may hold secrets. */
const PRIVATE_MODE = 0o600;

/** Refuses an unwritable output before any work is done. An existing output is refused only at the end. */
export async function checkOutput(terminal: Terminal, output: string): Promise<void> {
  if (output === STDOUT) return refuseTerminal(terminal);
  if (/^\/*$/.test(output)) throw new Error(`no parent directory of ${output}`);
  const directory = dirname(terminal.path(output));
  try {
    accessSync(join(directory, '/'), constants.W_OK | constants.X_OK);
  } catch (error) {
    // Deno checks access only with its permission to read the user ID; without it, the write itself reports the error.
    if ((error as NodeJS.ErrnoException).syscall === undefined) return;
    // coreos-installer makes its temporary file here.
    const place = JSON.stringify(join(directory, '.coreos-installer-temp-XXXXXX'));
    const cause = new Error(`${systemErrorText(error)} at path ${place}`);
    throw new Error('creating temporary file', { cause });
  }
}

interface NewFileOptions {
  /** Whether to wait for the disk (`--sync`). */
  readonly durable: boolean;
  /** The message if the file exists. */
  readonly persisting?: string | undefined;
}

/** Writes a new file that only its owner can read; fails if it exists. */
export async function writeNewFile(
  terminal: Terminal,
  source: ByteSource,
  output: string,
  { durable, persisting }: NewFileOptions,
): Promise<void> {
  const { signal } = terminal.io;
  try {
    await terminal.withProgress(`Writing ${output}`, (onProgress) =>
      writeCopy(source, terminal.path(output), { mode: PRIVATE_MODE, durable, signal, onProgress }),
    );
  } catch (error) {
    if (!(error instanceof IsoError && error.code === 'ISO_EXISTS')) throw error;
    const cause = systemFailure('EEXIST');
    throw persisting === undefined ? cause : new Error(persisting, { cause });
  }
}

/** Writes a new file that everyone can read; fails if it exists. */
export async function extractFile(
  terminal: Terminal,
  source: ByteSource,
  path: string,
  { durable }: NewFileOptions,
): Promise<void> {
  const { signal } = terminal.io;
  await inContext(`opening ${path}`, async () => {
    try {
      await terminal.withProgress(`Writing ${path}`, (onProgress) =>
        writeCopy(source, terminal.path(path), { mode: 'public', durable, signal, onProgress }),
      );
    } catch (error) {
      throw error instanceof IsoError && error.code === 'ISO_EXISTS' ? systemFailure('EEXIST') : error;
    }
  });
}

/** Writes an edited image to its destination: its own file, standard output or a new file. */
export async function deliver(
  terminal: Terminal,
  image: Overlay,
  file: FileSource | undefined,
  args: Arguments,
): Promise<void> {
  const output = args.optional('output');
  const persisting = `persisting output file to ${output}`;
  if (output === STDOUT) await writeToStdout(terminal, image);
  else if (output !== undefined) await writeNewFile(terminal, image, output, { durable: args.has('sync'), persisting });
  else if (file !== undefined) await writeInPlace(terminal, image, file);
}

/** Changes a file in place. If its directory cannot hold a journal, works without one and ignores interruptions. */
export async function writeInPlace(terminal: Terminal, image: Overlay, file: FileSource): Promise<void> {
  try {
    await patchInPlace(image, file, { signal: terminal.io.signal });
  } catch (error) {
    if (!(error instanceof IsoError && error.code === 'ISO_NO_JOURNAL')) throw error;
    await patchInPlace(image, file, { journal: false });
  }
}
