import { type FileSource, type FileSourceOptions, fileSource } from '@coreiso/iso/node';
import type { Terminal } from './terminal.ts';

/** Opens a file of the command line; says so if an interrupted edit of it had to be rolled back first. */
export async function openFile(terminal: Terminal, path: string, options: FileSourceOptions = {}): Promise<FileSource> {
  const source = await fileSource(terminal.path(path), options);
  if (source.rolledBack) terminal.say(`${path}: an interrupted edit was rolled back`);
  return source;
}
