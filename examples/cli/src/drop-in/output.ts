import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ByteSource, IsoError, type Overlay } from '@coreiso/iso';
import { type FileSource, patchInPlace, writeCopy, writeStream } from '@coreiso/iso/node';
import { inContext, systemErrorText, systemFailure } from '../frame/failure.ts';
import type { Terminal } from '../frame/terminal.ts';

/** Standard output, where a command takes a file to write to. */
export const STDOUT = '-';

/** New files that may hold secrets. */
const PRIVATE_MODE = 0o600;

/** Refuses, before any work is done, an output that cannot be written to. One that exists is refused only at the end. */
export async function checkOutput(terminal: Terminal, output: string): Promise<void> {
  if (output === STDOUT) return refuseTerminal(terminal);
  if (/^\/*$/.test(output)) throw new Error(`no parent directory of ${output}`);
  const directory = dirname(terminal.path(output));
  try {
    accessSync(join(directory, '/'), constants.W_OK | constants.X_OK);
  } catch (error) {
    // Deno tells who may write only to those who may know the user; the writing itself will tell.
    if ((error as NodeJS.ErrnoException).syscall === undefined) return;
    // coreos-installer makes its temporary file here.
    const place = JSON.stringify(join(directory, '.coreos-installer-temp-XXXXXX'));
    const cause = new Error(`${systemErrorText(error)} at path ${place}`);
    throw new Error('creating temporary file', { cause });
  }
}

/** Binary data would only garble what a person is looking at. */
export function refuseTerminal(terminal: Terminal): void {
  if (terminal.io.stdout.isTTY === true) throw new Error('Refusing to write binary data to terminal');
}

/** Writes to standard output; a reader that goes away is a failure like any other. */
export async function writeToStdout(terminal: Terminal, source: ByteSource): Promise<void> {
  const { signal, stdout } = terminal.io;
  try {
    await terminal.withProgress('Writing', (onProgress) => writeStream(source, stdout, { signal, onProgress }));
  } catch (error) {
    if (!(error instanceof IsoError)) throw error;
    const cause = error.code === 'ISO_READER_GONE' ? systemFailure('EPIPE') : error;
    throw new Error('writing output', { cause });
  }
}

/** Writes a file that nobody else may read and that must not exist; `persisting` is the context if it does. */
export async function writeNewFile(
  terminal: Terminal,
  source: ByteSource,
  output: string,
  persisting?: string,
): Promise<void> {
  const { signal } = terminal.io;
  try {
    await terminal.withProgress(`Writing ${output}`, (onProgress) =>
      writeCopy(source, terminal.path(output), { mode: PRIVATE_MODE, signal, onProgress }),
    );
  } catch (error) {
    if (!(error instanceof IsoError && error.code === 'ISO_EXISTS')) throw error;
    const cause = systemFailure('EEXIST');
    throw persisting === undefined ? cause : new Error(persisting, { cause });
  }
}

/** Writes a file that anybody may read and that must not exist. */
export async function extractFile(terminal: Terminal, source: ByteSource, path: string): Promise<void> {
  const { signal } = terminal.io;
  await inContext(`opening ${path}`, async () => {
    try {
      await terminal.withProgress(`Writing ${path}`, (onProgress) =>
        writeCopy(source, terminal.path(path), { mode: 'public', signal, onProgress }),
      );
    } catch (error) {
      throw error instanceof IsoError && error.code === 'ISO_EXISTS' ? systemFailure('EEXIST') : error;
    }
  });
}

/** Brings an edited image to where it shall go: into its own file, to standard output or into a new file. */
export async function deliver(
  terminal: Terminal,
  image: Overlay,
  file: FileSource | undefined,
  output: string | undefined,
): Promise<void> {
  if (output === STDOUT) await writeToStdout(terminal, image);
  else if (output !== undefined) await writeNewFile(terminal, image, output, `persisting output file to ${output}`);
  else if (file !== undefined) await writeInPlace(terminal, image, file);
}

/** Changes a file. In a directory that takes no journal it is done without, and then not to be interrupted. */
export async function writeInPlace(terminal: Terminal, image: Overlay, file: FileSource): Promise<void> {
  try {
    await patchInPlace(image, file, { signal: terminal.io.signal });
  } catch (error) {
    if (!(error instanceof IsoError && error.code === 'ISO_NO_JOURNAL')) throw error;
    await patchInPlace(image, file, { journal: false });
  }
}
