import { type ByteSource, IsoError } from '@coreiso/iso';
import { writeStream } from '@coreiso/iso/node';
import type { Terminal } from './terminal.ts';

/** Standard output, where a command takes a file to write to. */
export const STDOUT = '-';

/** How much of a file tells whether it is text. */
const SAMPLE = 8192;
/** How much of a file is shown at a time. */
const PAGE = 65536;

/** Binary data would only garble what a person is looking at. */
export function refuseTerminal(terminal: Terminal): void {
  if (terminal.io.stdout.isTTY === true) throw new Error('Refusing to write binary data to terminal');
}

/** The same for what may be text. */
export async function refuseBinary(terminal: Terminal, source: ByteSource): Promise<void> {
  if (terminal.io.stdout.isTTY !== true) return;
  const beginning = await source.read(0, Math.min(SAMPLE, source.size), terminal.io.signal);
  if (beginning.includes(0)) refuseTerminal(terminal);
}

/** Writes to standard output: as text that a person reads, or with a bar where one is waiting and the bytes go elsewhere. */
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
