import { type ByteSource, IsoError } from '@coreiso/iso';
import { writeStream } from '@coreiso/iso/node';
import type { Terminal } from './terminal.ts';

/** Stands for standard output in place of an output file. */
export const STDOUT = '-';

/** The number of bytes that decide whether a file is text. */
const SAMPLE = 8192;
/** The number of bytes that are shown at a time. */
const PAGE = 65536;

/** Refuses to write binary data to a terminal. */
export function refuseTerminal(terminal: Terminal): void {
  if (terminal.io.stdout.isTTY === true) throw new Error('Refusing to write binary data to terminal');
}

/** Refuses binary data on a terminal, but allows text. */
export async function refuseBinary(terminal: Terminal, source: ByteSource): Promise<void> {
  if (terminal.io.stdout.isTTY !== true) return;
  const beginning = await source.read(0, Math.min(SAMPLE, source.size), terminal.io.signal);
  if (beginning.includes(0)) refuseTerminal(terminal);
}

/** Writes to standard output: as text on a terminal, otherwise as bytes with a progress bar. */
export async function writeToStdout(terminal: Terminal, source: ByteSource): Promise<void> {
  const { signal, stdout } = terminal.io;
  try {
    if (stdout.isTTY === true) await printText(terminal, source);
    else await terminal.withProgress('Writing', (onProgress) => writeStream(source, stdout, { signal, onProgress }));
  } catch (error) {
    throw error instanceof IsoError ? new Error('writing output', { cause: error }) : error;
  }
}

async function printText(terminal: Terminal, source: ByteSource): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let at = 0; at < source.size; at += PAGE) {
    const bytes = await source.read(at, Math.min(PAGE, source.size - at), terminal.io.signal);
    await terminal.print(decoder.decode(bytes, { stream: at + PAGE < source.size }));
  }
}
