import { decodeText } from '@coreiso/diagnostics';
import { readNamed } from './input.ts';
import type { Terminal } from './terminal.ts';

/** Reads a text file of the command line; an error about another kind of file names it. */
export async function readText(terminal: Terminal, path: string): Promise<string> {
  const decoded = decodeText(await readNamed(terminal, path));
  if (!decoded.ok) throw new Error(`${path} is not text: ${decoded.diagnostics[0]?.message}`);
  return decoded.value.text;
}
