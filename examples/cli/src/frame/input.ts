import { readFile } from 'node:fs/promises';
import type { Terminal } from './terminal.ts';

/** The bytes of a file of the command line; `-` is standard input. */
export async function readInput(terminal: Terminal, path: string): Promise<Uint8Array> {
  if (path === '-') return await terminal.readStdin();
  return await readFile(terminal.path(path), { signal: terminal.io.signal });
}
